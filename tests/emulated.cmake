# The kernels of other machines, in GNU C or through SIMDe, as the library `emulated`. SIMDe's headers are plain C:
# a cross build may use the host's, but nothing else from the folder they are in.
find_path(SIMDE_INCLUDE simde/x86/avx2.h PATHS /usr/include /usr/local/include
          NO_CMAKE_FIND_ROOT_PATH REQUIRED)
file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/simde)
file(CREATE_LINK ${SIMDE_INCLUDE}/simde ${CMAKE_CURRENT_BINARY_DIR}/simde/simde SYMBOLIC)
file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR}/simde_avx512.h
     ${CMAKE_CURRENT_BINARY_DIR}/simde/simde_avx512.h SYMBOLIC)
# On x86 AVX-512 only where the CPU lacks it, and no NEON, whose tests run in the configuration arm64.
set(omitted)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|i.86")
  set(foreign ${perlane_lanes_OTHER} avx512)
  set(omitted neon)
  if(EXISTS /proc/cpuinfo)
    file(STRINGS /proc/cpuinfo cpu REGEX avx512dq LIMIT_COUNT 1)
    if(cpu)
      list(REMOVE_ITEM foreign avx512)
      list(APPEND omitted avx512)
    endif()
  endif()
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
  set(foreign ${perlane_lanes_X86} ${perlane_lanes_OTHER})
else()
  set(foreign ${perlane_lanes_X86} ${perlane_lanes_AARCH64})
endif()
set(perlane_foreign_lanes ${foreign})
list(TRANSFORM foreign REPLACE "(.+)" "../src/\\1/\\1.c")
add_library(emulated STATIC emulated.c ${foreign})
# SIMDe 0.7.4 takes a conversion to INT32_MAX for out of range, unless told not to look.
target_compile_definitions(emulated PRIVATE PERLANE_EMULATED SIMDE_FAST_CONVERSION_RANGE)
foreach(isa IN LISTS omitted)
  string(TOUPPER PERLANE_NO_${isa} isa)
  target_compile_definitions(emulated PRIVATE ${isa})
endforeach()
# SIMDe's functions take gcc minutes to compile with -O3, and with -O0.
target_compile_options(emulated PRIVATE -ffp-contract=off -w -O1)
target_include_directories(emulated SYSTEM PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/simde)
target_include_directories(emulated PRIVATE ../include)
target_link_libraries(emulated PUBLIC m) # SIMDe rounds through the C library
set_target_properties(emulated PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
# Lanes beyond the end of a row may hold positions whose conversion C leaves undefined and the
# instruction does not; SIMDe writes it in C.
# Without the fuzzer's counters they compile in half the time.
string(REGEX REPLACE ",?(undefined|fuzzer-no-link)" "" emulated_sanitize "${PERLANE_SANITIZE}")
if(emulated_sanitize)
  target_compile_options(emulated PRIVATE -fsanitize=${emulated_sanitize})
endif()
if(PERLANE_SANITIZE MATCHES "memory")
  target_compile_options(emulated PRIVATE
    -fsanitize-ignorelist=${CMAKE_CURRENT_SOURCE_DIR}/msan.ignore)
endif()
