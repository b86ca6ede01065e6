# SPDX-License-Identifier: Apache-2.0
# Everything that is not ours; docs/dependencies.md says why each is here.

find_package(Threads REQUIRED)
find_package(fmt 9 REQUIRED)
find_package(CLI11 2.1 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)
find_package(asmjit REQUIRED)

# Debian's xxHash comes without a CMake package.
find_path(XXHASH_INCLUDE_DIR xxhash.h REQUIRED)
find_library(XXHASH_LIBRARY xxhash REQUIRED)
mark_as_advanced(XXHASH_INCLUDE_DIR XXHASH_LIBRARY)
add_library(xxhash UNKNOWN IMPORTED)
set_target_properties(xxhash PROPERTIES
  IMPORTED_LOCATION ${XXHASH_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${XXHASH_INCLUDE_DIR})

# Nor does libedit.
find_path(EDIT_INCLUDE_DIR histedit.h REQUIRED)
find_library(EDIT_LIBRARY edit REQUIRED)
mark_as_advanced(EDIT_INCLUDE_DIR EDIT_LIBRARY)
add_library(edit UNKNOWN IMPORTED)
set_target_properties(edit PROPERTIES
  IMPORTED_LOCATION ${EDIT_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES ${EDIT_INCLUDE_DIR})

# Optional: what the engines of the relational verifier need. DuckDB comes by tools/fetch-duckdb,
# once for all build folders.
set(PANOPTES_DUCKDB_DIR ${CMAKE_SOURCE_DIR}/build/third_party/duckdb-1.4.4
    CACHE PATH "DuckDB: include/duckdb.h and lib/libduckdb.so")
if(EXISTS ${PANOPTES_DUCKDB_DIR}/lib/libduckdb.so)
  add_library(duckdb SHARED IMPORTED)
  set_target_properties(duckdb PROPERTIES
    IMPORTED_LOCATION ${PANOPTES_DUCKDB_DIR}/lib/libduckdb.so
    INTERFACE_INCLUDE_DIRECTORIES ${PANOPTES_DUCKDB_DIR}/include)
else()
  message(STATUS "No DuckDB: `tools/fetch-duckdb` gets it")
endif()
find_package(PostgreSQL QUIET)
if(PostgreSQL_FOUND)
  add_library(postgresql ALIAS PostgreSQL::PostgreSQL)
else()
  message(STATUS "No libpq: `make deps` installs it")
endif()

# Optional: what draws. Debian's Graphviz comes without a CMake package.
find_path(GRAPHVIZ_INCLUDE_DIR graphviz/gvc.h)
find_library(GRAPHVIZ_GVC_LIBRARY gvc)
find_library(GRAPHVIZ_CGRAPH_LIBRARY cgraph)
mark_as_advanced(GRAPHVIZ_INCLUDE_DIR GRAPHVIZ_GVC_LIBRARY GRAPHVIZ_CGRAPH_LIBRARY)
if(GRAPHVIZ_INCLUDE_DIR AND GRAPHVIZ_GVC_LIBRARY AND GRAPHVIZ_CGRAPH_LIBRARY)
  add_library(graphviz UNKNOWN IMPORTED)
  set_target_properties(graphviz PROPERTIES
    IMPORTED_LOCATION ${GRAPHVIZ_GVC_LIBRARY}
    INTERFACE_LINK_LIBRARIES ${GRAPHVIZ_CGRAPH_LIBRARY}
    # Its headers include each other without the folder.
    INTERFACE_INCLUDE_DIRECTORIES "${GRAPHVIZ_INCLUDE_DIR};${GRAPHVIZ_INCLUDE_DIR}/graphviz")
else()
  message(STATUS "No Graphviz: `make deps` installs it")
endif()

# Optional: what joins several machines. Its symbols and options are OpenMPI's.
find_path(MPI_INCLUDE_DIR mpi.h PATH_SUFFIXES mpi openmpi)
find_library(MPI_LIBRARY mpi PATH_SUFFIXES openmpi/lib)
mark_as_advanced(MPI_INCLUDE_DIR MPI_LIBRARY)
if(MPI_INCLUDE_DIR AND MPI_LIBRARY)
  add_library(mpi UNKNOWN IMPORTED)
  set_target_properties(mpi PROPERTIES
    IMPORTED_LOCATION ${MPI_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MPI_INCLUDE_DIR})
else()
  message(STATUS "No OpenMPI: `make deps` installs it")
endif()

# Optional: what answers the questions of backward searches. CaDiCaL comes without a CMake package, too.
find_path(CADICAL_INCLUDE_DIR cadical.hpp)
find_library(CADICAL_LIBRARY cadical)
mark_as_advanced(CADICAL_INCLUDE_DIR CADICAL_LIBRARY)
if(CADICAL_INCLUDE_DIR AND CADICAL_LIBRARY)
  add_library(cadical UNKNOWN IMPORTED)
  set_target_properties(cadical PROPERTIES
    IMPORTED_LOCATION ${CADICAL_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${CADICAL_INCLUDE_DIR})
else()
  message(STATUS "No CaDiCaL: `make deps` installs it")
endif()

# Only tests need these: `make demo` builds without them.
find_package(GTest QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
if(GTest_FOUND AND Python3_FOUND)
  set(PANOPTES_TESTS ON)
  include(GoogleTest)
else()
  set(PANOPTES_TESTS OFF)
  message(STATUS "No tests: GoogleTest or Python 3 is missing (`make deps` installs them)")
endif()
