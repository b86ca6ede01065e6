# SPDX-License-Identifier: Apache-2.0
# find_package(panoptes): gives panoptes::panoptes, wherever the installed tree lies.
include(${CMAKE_CURRENT_LIST_DIR}/panoptesTargets.cmake)
