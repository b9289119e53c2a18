# The top file of a project that uses perlane. APP_LINES: a file with the lines of docs/embedding.md.
cmake_minimum_required(VERSION 3.18)
project(app LANGUAGES ${APP_LANGUAGES})
enable_testing()
foreach(language IN LISTS APP_LANGUAGES_LATER)
  enable_language(${language})
endforeach()
add_executable(app ${APP_SOURCES})
include(${APP_LINES})
