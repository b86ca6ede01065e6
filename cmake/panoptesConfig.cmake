# SPDX-License-Identifier: Apache-2.0
# find_package(panoptes): gives panoptes::panoptes. The library lies two folders above this file, the
# headers beside its folder, or one further up where the library has one of the architecture; so the
# tree may be moved as a whole.
if(TARGET panoptes::panoptes)
  return()
endif()
get_filename_component(panoptes_libraries ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
find_path(panoptes_INCLUDE_DIR panoptes.h NO_DEFAULT_PATH
          PATHS ${panoptes_libraries}/../include ${panoptes_libraries}/../../include)
mark_as_advanced(panoptes_INCLUDE_DIR)
add_library(panoptes::panoptes SHARED IMPORTED)
set_target_properties(panoptes::panoptes PROPERTIES
  IMPORTED_LOCATION ${panoptes_libraries}/libpanoptes.so
  INTERFACE_INCLUDE_DIRECTORIES ${panoptes_INCLUDE_DIR})
unset(panoptes_libraries)
