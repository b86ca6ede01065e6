# SPDX-License-Identifier: Apache-2.0
# The five kinds of targets. All find their sources by a glob: adding a file needs no edit here.

# Where PANOPTES_UNITY says so, the sources of a target are compiled together.
function(panoptes_unity target)
  if(PANOPTES_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
    target_compile_options(${target} PRIVATE ${PANOPTES_UNITY_FLAGS})
  endif()
endfunction()

# Where PANOPTES_CLANG_FOR_TESTS says so and clang is there, it compiles a target. Call it before the
# target's headers are precompiled.
# Likewise lld links it, which is faster.
find_program(PANOPTES_CLANG clang++)
find_program(PANOPTES_LLD ld.lld)
mark_as_advanced(PANOPTES_CLANG PANOPTES_LLD)
function(panoptes_test_compiler target)
  if(PANOPTES_CLANG_FOR_TESTS AND PANOPTES_CLANG)
    set_target_properties(${target} PROPERTIES
                          CXX_COMPILER_LAUNCHER ${CMAKE_SOURCE_DIR}/cmake/compile-with-clang)
  endif()
  if(PANOPTES_CLANG_FOR_TESTS AND PANOPTES_LLD)
    target_link_options(${target} PRIVATE -fuse-ld=lld)
  endif()
endfunction()

# Gives a target the compiler flags of a setting.
function(panoptes_flags target setting)
  separate_arguments(flags UNIX_COMMAND "${setting}")
  target_compile_options(${target} PRIVATE ${flags})
endfunction()

# What runs for every state. How fast it is must not depend on which sources the optimiser happens to
# see together. Of `search` that is a part, the rest prepares and sums up.
set(PANOPTES_HOT_FOLDERS base cluster step store)
set(PANOPTES_HOT_SOURCES
    accepting_runs arranged_steps arrangement best_first breadth depth explore origin_log random_walk
    reduce_internal reduce_order run_graph state_graph step_reduction trail_log)
list(JOIN PANOPTES_HOT_SOURCES "|" PANOPTES_HOT_SOURCES)
set(PANOPTES_HOT_SOURCES "search/(${PANOPTES_HOT_SOURCES})[.]cpp$")

# What takes next to no time, however large a model is. What takes little, and which of it a build need
# not optimise for its tests to take less than compiling it would, is PANOPTES_PREPARING_FOLDERS.
set(PANOPTES_COLD_FOLDERS report session relational query options usage api app)

# What reads text or files from outside: a fuzzer looks for ways to get further in here.
set(PANOPTES_FUZZED_FOLDERS argos backward base protocol report)

# Folders that are compiled together in the builds that compile everything together, which are those of the
# sanitizers: what they include and instantiate is compiled once for all of them. Each may use those of
# earlier groups and of its own. Where GCC optimises, nothing is gained by it: it inlines the more, the more
# it sees.
set(PANOPTES_GROUPS language rules search report door program)
set(PANOPTES_GROUP_language protocol argos)
set(PANOPTES_GROUP_rules temporal rules load)
set(PANOPTES_GROUP_search transport step store verdict search cluster)
set(PANOPTES_GROUP_report report session)
set(PANOPTES_GROUP_door query options api)
set(PANOPTES_GROUP_program usage app)

# panoptes_sources_of(variable folder) gives what the library of <folder> is made of.
function(panoptes_sources_of variable folder)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "(_test|/main)\\.cpp$")
  set(${variable} ${sources} PARENT_SCOPE)
endfunction()

# panoptes_home_of(variable folder) gives the library that has the objects of <folder>: its own, or that of
# its group.
function(panoptes_home_of variable folder)
  set(${variable} panoptes_${folder} PARENT_SCOPE)
  if(NOT CMAKE_UNITY_BUILD)
    return()
  endif()
  foreach(group IN LISTS PANOPTES_GROUPS)
    if(folder IN_LIST PANOPTES_GROUP_${group})
      set(${variable} panoptes_group_${group} PARENT_SCOPE)
    endif()
  endforeach()
endfunction()

# panoptes_objects(target folder) makes the static library <target>, compiled as <folder> is.
function(panoptes_objects target folder)
  add_library(${target} STATIC EXCLUDE_FROM_ALL)
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/src)
  # All but the last of them are part of libpanoptes, which shows nothing of them. What is hidden
  # costs the program nothing either.
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
                        CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  if(folder IN_LIST PANOPTES_HOT_FOLDERS)
    panoptes_flags(${target} "${PANOPTES_HOT_FLAGS}")
  else()
    panoptes_unity(${target})
  endif()
  if(folder IN_LIST PANOPTES_PREPARING_FOLDERS)
    panoptes_flags(${target} "${PANOPTES_PREPARING_FLAGS}")
  elseif(folder IN_LIST PANOPTES_COLD_FOLDERS)
    panoptes_flags(${target} "${PANOPTES_COLD_FLAGS}")
  endif()
  if(PANOPTES_FUZZERS AND folder IN_LIST PANOPTES_FUZZED_FOLDERS)
    # Cheap enough for the tests. Comparisons are not traced: the dictionary has the words.
    target_compile_options(${target} PRIVATE -fsanitize-coverage=inline-8bit-counters,pc-table)
  endif()
  panoptes_precompile(${target} fmt::fmt)
endfunction()

# panoptes_library(folder [USES folder...] [PUBLIC lib...] [PRIVATE lib...] [TEST_USES folder...])
# makes the library panoptes_<folder> of this directory's <folder>, and a test program of the unit
# tests that lie in it. USES is the folder's row of the layer table. A group is compiled as its first
# folder in that table is.
function(panoptes_library folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES;PUBLIC;PRIVATE;TEST_USES")
  list(TRANSFORM arg_USES PREPEND panoptes_)
  list(TRANSFORM arg_TEST_USES PREPEND panoptes_)
  panoptes_sources_of(sources ${folder})

  set(name panoptes_${folder})
  if(sources)
    panoptes_home_of(home ${folder})
    if(NOT TARGET ${home})
      panoptes_objects(${home} ${folder})
    endif()
    target_sources(${home} PRIVATE ${sources})
    if(NOT CMAKE_UNITY_BUILD)
      list(FILTER sources INCLUDE REGEX "${PANOPTES_HOT_SOURCES}")
      set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
    if(NOT home STREQUAL name)
      add_library(${name} INTERFACE)
      target_link_libraries(${name} INTERFACE ${home})
      foreach(used IN LISTS arg_USES)  # what lies in the group is there
        string(REPLACE "panoptes_" "" used_folder ${used})
        panoptes_home_of(used_home ${used_folder})
        if(used_home STREQUAL home)
          list(REMOVE_ITEM arg_USES ${used})
        endif()
      endforeach()
    endif()
    target_link_libraries(${home} PUBLIC ${arg_USES} ${arg_PUBLIC} PRIVATE ${arg_PRIVATE})
  else()  # headers only
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${name} INTERFACE ${arg_USES} ${arg_PUBLIC})
  endif()
  panoptes_tests(${folder} USES ${name} ${arg_TEST_USES} ${arg_PRIVATE})
endfunction()

# panoptes_module(folder USES folder... NEEDS library) makes panoptes-<folder>.so, which the program
# loads when it is asked for, beside the program; nothing where <library> is not there. It includes
# the headers of USES but links none of them: all it gives is one function.
function(panoptes_module folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NEEDS" "USES")
  if(NOT TARGET ${arg_NEEDS})
    return()
  endif()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  set(name panoptes_${folder})
  add_library(${name} MODULE ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(${name} PRIVATE ${arg_NEEDS} fmt::fmt-header-only)
  target_link_options(${name} PRIVATE -Wl,--exclude-libs,ALL)  # of libraries inside, too
  panoptes_flags(${name} "${PANOPTES_COLD_FLAGS}")
  set_target_properties(${name} PROPERTIES
    PREFIX "" OUTPUT_NAME panoptes-${folder} CXX_VISIBILITY_PRESET hidden INSTALL_RPATH "$ORIGIN"
    LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  install(TARGETS ${name} LIBRARY DESTINATION lib/panoptes)
  set_property(GLOBAL APPEND PROPERTY panoptes_modules ${name})
endfunction()

# panoptes_shared(folder) makes libpanoptes.so of the library of <folder> and all it uses, with the
# functions of <folder>/panoptes.h and nothing else to be seen from outside.
function(panoptes_shared folder)
  set(source ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  panoptes_home_of(home ${folder})
  target_include_directories(${home} PUBLIC ${source})
  add_library(panoptes_shared SHARED $<TARGET_OBJECTS:${home}>)
  target_link_libraries(panoptes_shared PRIVATE panoptes_${folder})
  target_link_options(panoptes_shared PRIVATE -Wl,--version-script=${source}/panoptes.map)
  set_target_properties(panoptes_shared PROPERTIES
    OUTPUT_NAME panoptes LINKER_LANGUAGE CXX
    LINK_DEPENDS ${source}/panoptes.map
    VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
  install(TARGETS panoptes_shared LIBRARY DESTINATION lib)
  install(FILES ${source}/panoptes.h ${source}/panoptes.hpp DESTINATION include)
endfunction()

# What is a template, or inline, is in what is tested as well as in the test, and a linker keeps the one it
# meets first. That shall be what users run, optimised as they have it, and not that of a test: libraries
# that run for every state, or that a test has compute a lot, come before the test, as a whole; those that
# are there by then (`verdict`'s tests use `search`, which comes later in the table).
set(PANOPTES_FIRST_FOLDERS base step store search hypercube plain differential)
function(panoptes_link_tested_first target)
  set(waiting ${ARGN})
  set(seen "")
  set(first "")
  while(waiting)
    list(POP_FRONT waiting library)
    if(library IN_LIST seen OR NOT TARGET ${library} OR NOT library MATCHES "^panoptes_")
      continue()
    endif()
    list(APPEND seen ${library})
    get_target_property(uses ${library} INTERFACE_LINK_LIBRARIES)
    if(uses)
      list(APPEND waiting ${uses})
    endif()
    string(REGEX REPLACE "^panoptes_(group_)?" "" folder ${library})
    get_target_property(kind ${library} TYPE)
    if(folder IN_LIST PANOPTES_FIRST_FOLDERS AND kind STREQUAL STATIC_LIBRARY)
      list(APPEND first $<TARGET_FILE:${library}>)
    endif()
  endwhile()
  if(first)
    target_link_options(${target} PRIVATE LINKER:--whole-archive ${first} LINKER:--no-whole-archive)
  endif()
endfunction()

# panoptes_tests(folder [USES target...]) makes the program panoptes_<folder>_test of every
# *_test.cpp of this directory's <folder>, and CTest tests of it with the label <folder>, or one of
# those of TestLabels.cmake.
function(panoptes_tests folder)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*_test.cpp)
  foreach(source IN LISTS sources)
    file(STRINGS ${source} found REGEX "^TEST.*${PANOPTES_TESTS_WITH}" LIMIT_COUNT 1)
    if(NOT found)
      list(REMOVE_ITEM sources ${source})
    endif()
  endforeach()
  if(NOT sources OR NOT PANOPTES_TESTS OR folder IN_LIST PANOPTES_TESTS_LEFT_OUT)
    return()
  endif()
  set(name panoptes_${folder}_test)
  add_executable(${name} ${sources})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE PANOPTES_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_USES} GTest::gtest_main)
  panoptes_link_tested_first(${name} ${arg_USES})
  panoptes_unity(${name})
  panoptes_flags(${name} "${PANOPTES_TEST_FLAGS}")
  if(NOT folder IN_LIST PANOPTES_HOT_TEST_FOLDERS)
    panoptes_flags(${name} "${PANOPTES_COLD_TEST_FLAGS}")
  endif()
  panoptes_test_compiler(${name})
  panoptes_precompile(${name} fmt::fmt GTest::gtest_main)

  # A test has the first of these labels that is for it.
  set(others "")
  foreach(label IN ITEMS slow words threads)
    string(TOUPPER ${label} list)
    set(patterns ${PANOPTES_${list}_TESTS})
    list(FILTER patterns INCLUDE REGEX "^${folder}\\.")
    list(TRANSFORM patterns REPLACE "^${folder}\\." "")
    if(patterns)
      list(JOIN patterns ":" patterns)
      panoptes_test_entries(${folder} ${folder}.${label} "${patterns}-${others}")
      string(APPEND others "${patterns}:")
    endif()
  endforeach()
  panoptes_test_entries(${folder} ${folder} "*-${others}")
endfunction()

# panoptes_test_entries(folder label filter) makes CTest tests of those of panoptes_<folder>_test
# that GoogleTest's <filter> lets through: one for each, or, where PANOPTES_TEST_PROCESSES says how
# many, one for each share of them. Those of PANOPTES_SAMPLED_FOLDERS have the samples of every day,
# whatever PANOPTES_SAMPLES says: the whole ones would take a sanitizer hours.
function(panoptes_test_entries folder label filter)
  set(name panoptes_${folder}_test)
  set(processes ${PANOPTES_TEST_PROCESSES})
  if(folder IN_LIST PANOPTES_SHARING_FOLDERS)
    set(processes 1)
  elseif(folder IN_LIST PANOPTES_MEASURING_FOLDERS)
    set(processes 0)
  endif()
  set(environment "")
  if(folder IN_LIST PANOPTES_SAMPLED_FOLDERS)
    set(environment ENVIRONMENT PANOPTES_SAMPLES=daily)
  endif()
  set(cost 0)
  if(folder IN_LIST PANOPTES_LONG_FOLDERS)
    set(cost 100)  # CTest begins with the highest
  endif()
  if(NOT processes)
    # PRE_TEST: listing a program's tests when CTest starts keeps it out of the build.
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
                         TEST_PREFIX ${folder}. TEST_FILTER "${filter}"
                         PROPERTIES LABELS ${label} COST ${cost} ${environment})
    return()
  endif()
  math(EXPR last "${processes} - 1")
  foreach(index RANGE ${last})
    add_test(NAME ${label}.${index} COMMAND ${name} --gtest_brief=1 "--gtest_filter=${filter}")
    set_tests_properties(${label}.${index} PROPERTIES LABELS ${label} COST ${cost} ${environment})
    set_property(TEST ${label}.${index} APPEND PROPERTY
                 ENVIRONMENT GTEST_TOTAL_SHARDS=${processes} GTEST_SHARD_INDEX=${index})
  endforeach()
endfunction()

# panoptes_fuzzer(source [USES target...]) makes a libFuzzer program named after <source>, and a
# test that runs it for PANOPTES_FUZZ_SECONDS. What it finds is kept in the build folder. X_fuzzer
# starts from tests/fuzz/X_corpus, or from tests/fuzz/corpus and the models where there is none.
function(panoptes_fuzzer source)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "USES")
  cmake_path(GET source STEM stem)
  set(name panoptes_${stem})
  set(found ${CMAKE_BINARY_DIR}/found/${stem})
  file(MAKE_DIRECTORY ${found})
  add_executable(${name} ${source})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  target_link_libraries(${name} PRIVATE ${arg_USES})

  set(limits -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0
             -artifact_prefix=${CMAKE_BINARY_DIR}/)
  string(REGEX REPLACE "_fuzz(er)?$" "_corpus" corpus ${stem})
  set(seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/${corpus})
  if(NOT IS_DIRECTORY ${seeds})
    set(seeds ${CMAKE_SOURCE_DIR}/tests/fuzz/corpus ${CMAKE_SOURCE_DIR}/models)
  endif()
  add_test(NAME fuzz.${stem}
           COMMAND ${name} ${limits} -max_total_time=${PANOPTES_FUZZ_SECONDS} ${found} ${seeds})
  set_tests_properties(fuzz.${stem} PROPERTIES LABELS fuzz)
  # `make fuzz`: the same without an end.
  add_custom_target(run_${stem} COMMAND ${name} ${limits} -verbosity=1 ${found} ${seeds}
                    USES_TERMINAL VERBATIM)
endfunction()
