# SPDX-License-Identifier: Apache-2.0
# Headers of others, read once. They are half of what is compiled otherwise: a second for each test,
# half of one for each other source. A source includes what it uses all the same, and the debug build,
# which precompiles nothing, notices where it does not.

set(PANOPTES_COMMON_HEADERS <algorithm> <array> <atomic> <cstdint> <deque> <functional> <map> <memory>
    <optional> <set> <span> <string> <string_view> <utility> <vector> <fmt/format.h> <fmt/ranges.h>)
set(PANOPTES_TEST_HEADERS <filesystem> <fstream> <random> <sstream> <gtest/gtest.h>
    <nlohmann/json.hpp>)

# ccache keeps what was compiled with them only where it is told that a compiler compares them itself.
if(PANOPTES_PRECOMPILE AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# panoptes_precompile(target lib...) has <target> use the headers that were compiled with its flags,
# and with the definitions of <lib>..., which it links. One target for each set of flags compiles them.
# Call it when all flags of <target> are set.
function(panoptes_precompile target)
  if(NOT PANOPTES_PRECOMPILE)
    return()
  endif()
  get_target_property(options ${target} COMPILE_OPTIONS)
  get_target_property(position ${target} POSITION_INDEPENDENT_CODE)
  get_target_property(launcher ${target} CXX_COMPILER_LAUNCHER)
  string(SHA256 key "${options} ${position} ${launcher} ${ARGN}")
  string(SUBSTRING ${key} 0 8 key)
  set(name panoptes_headers_${key})
  if(NOT TARGET ${name})
    set(source ${CMAKE_BINARY_DIR}/generated/headers.cpp)
    file(WRITE ${source}.new "")
    file(COPY_FILE ${source}.new ${source} ONLY_IF_DIFFERENT)
    add_library(${name} OBJECT ${source})
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)
    if(launcher)
      set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
    endif()
    if(options)
      target_compile_options(${name} PRIVATE ${options})
    endif()
    if(position)
      set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON
                            CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
    endif()
    target_link_libraries(${name} PRIVATE ${ARGN})
    set(headers ${PANOPTES_COMMON_HEADERS})
    if(GTest::gtest_main IN_LIST ARGN)
      list(APPEND headers ${PANOPTES_TEST_HEADERS})
    endif()
    target_precompile_headers(${name} PRIVATE ${headers})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
endfunction()
