# SPDX-License-Identifier: Apache-2.0
# How every target is compiled; what differs between builds stands in CMakePresets.json.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)  # clang-tidy reads them

if(NOT DEFINED CMAKE_COMPILE_WARNING_AS_ERROR)
  set(CMAKE_COMPILE_WARNING_AS_ERROR ON)
endif()
add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Else GCC looks for garbage in its memory for up to a tenth of its time.
  add_compile_options(--param=ggc-min-expand=100 --param=ggc-min-heapsize=600000)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  add_compile_options(-Wno-restrict)  # GCC 12 warns of correct `"text" + string` (its bug 105651)
endif()

if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wno-sign-conversion)  # not part of -Wconversion for GCC's C++
endif()

# Where the sources of a folder are compiled together: most of the time goes into what all of them
# instantiate, so as many as leave both cores something to do. A name of another source is not in the
# way of a local one.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 40)
set(PANOPTES_UNITY_FLAGS -Wno-shadow)
if(CMAKE_UNITY_BUILD)
  add_compile_options(${PANOPTES_UNITY_FLAGS})
endif()

find_program(CCACHE ccache)
mark_as_advanced(CCACHE)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()
