# Install rules: libraries, headers, the CMake package, pkg-config files, the command.
include(CMakePackageConfigHelpers)

set(perlane_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perlane)
set(perlane_pkgconfig_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# Lets the installed command find the shared library by a relative path, so that the installed tree
# may be moved, unless CMAKE_INSTALL_RPATH is set.
function(perlane_find_at_run_time target folder)
  if(NOT BUILD_SHARED_LIBS OR DEFINED CMAKE_INSTALL_RPATH OR WIN32)
    return()
  endif()
  if(IS_ABSOLUTE ${folder} OR IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
    set(path ${CMAKE_INSTALL_FULL_LIBDIR})
  else()
    file(RELATIVE_PATH path /prefix/${folder} /prefix/${CMAKE_INSTALL_LIBDIR})
    if(APPLE)
      set(path @loader_path/${path})
    else()
      set(path $ORIGIN/${path})
    endif()
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH ${path})
endfunction()

# ---- The library ----

install(TARGETS perlane EXPORT perlaneTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES include/perlane.h include/perlane.hpp include/perlane_params.h
  include/perlane_text.h include/perlane_expression.h
  include/perlane_picture.h include/perlane_gpu.h include/perlane_omp.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT perlaneTargets NAMESPACE perlane:: DESTINATION ${perlane_cmake_dir})
install(DIRECTORY src/shaders/ DESTINATION ${CMAKE_INSTALL_DATADIR}/perlane/shaders
  PATTERN __pycache__ EXCLUDE)

# ---- CMake's package ----

configure_package_config_file(packaging/cmake/perlaneConfig.cmake.in
  ${PROJECT_BINARY_DIR}/package/perlaneConfig.cmake
  INSTALL_DESTINATION ${perlane_cmake_dir}
  NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/perlaneConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/package/perlaneConfig.cmake
  ${PROJECT_BINARY_DIR}/package/perlaneConfigVersion.cmake
  DESTINATION ${perlane_cmake_dir})

# ---- pkg-config ----

# pkg-config knows the folder that a .pc file lies in, and so where the rest is, wherever that went.
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(PC_PREFIX ${CMAKE_INSTALL_PREFIX})
else()
  file(RELATIVE_PATH PC_PREFIX /prefix/${perlane_pkgconfig_dir} /prefix)
  string(REGEX REPLACE "/$" "" PC_PREFIX "\${pcfiledir}/${PC_PREFIX}")
endif()
foreach(folder IN ITEMS LIBDIR INCLUDEDIR)
  set(PC_${folder} ${CMAKE_INSTALL_${folder}})
  if(NOT IS_ABSOLUTE ${PC_${folder}})
    set(PC_${folder} "\${prefix}/${PC_${folder}}")
  endif()
endforeach()

set(PC_CFLAGS)
if(WIN32 AND BUILD_SHARED_LIBS)
  set(PC_CFLAGS -DPERLANE_SHARED)
endif()
set(PC_LIBM ${perlane_libm})
configure_file(packaging/cmake/perlane.pc.in ${PROJECT_BINARY_DIR}/package/perlane.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/perlane.pc DESTINATION ${perlane_pkgconfig_dir})

# ---- The command ----

if(TARGET perlane_cli)
  perlane_find_at_run_time(perlane_cli ${CMAKE_INSTALL_BINDIR})
  install(TARGETS perlane_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  file(GLOB perlane_pages docs/*.1)
  install(FILES ${perlane_pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES cli/perlane.bash DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions
    RENAME perlane)
endif()
