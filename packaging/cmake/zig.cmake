# Windows and macOS from another machine: zig's C compiler, for the target in ZIG_TARGET, such as aarch64-macos.
if($ENV{ZIG_TARGET} MATCHES windows)
  set(CMAKE_SYSTEM_NAME Windows)
else()
  set(CMAKE_SYSTEM_NAME Darwin)
endif()
string(REGEX REPLACE "-.*" "" CMAKE_SYSTEM_PROCESSOR $ENV{ZIG_TARGET})
find_program(ZIG zig REQUIRED)
set(CMAKE_C_COMPILER ${ZIG} cc -target $ENV{ZIG_TARGET})
set(CMAKE_SHARED_LINKER_FLAGS_INIT -s) # no symbols for debuggers, which zig adds
# macOS libraries are not named by where they are built.
set(CMAKE_BUILD_WITH_INSTALL_NAME_DIR ON)
set(CMAKE_INSTALL_NAME_DIR @rpath)
set(CMAKE_INSTALL_NAME_TOOL ${ZIG}) # which CMake looks for, and does not run
