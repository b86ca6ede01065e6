# SPDX-License-Identifier: Apache-2.0
# What an installation has beside the program, its modules and the library, which are installed where
# they are made: the manual page and the completions, which the program prints itself, the examples,
# and what lets others find the library.
# docs/installing.md says what goes where.

if(NOT TARGET panoptes)
  return()
endif()

set(pages ${CMAKE_BINARY_DIR}/pages)
file(MAKE_DIRECTORY ${pages})
# panoptes_page(file command...) makes <file> of what `panoptes <command>` prints.
function(panoptes_page file)
  list(JOIN ARGN " " command)
  add_custom_command(OUTPUT ${pages}/${file} DEPENDS panoptes VERBATIM
                     COMMAND sh -c "\"$0\" ${command} >\"$1\"" $<TARGET_FILE:panoptes> ${pages}/${file})
endfunction()
panoptes_page(panoptes.1 manual)
panoptes_page(panoptes completion bash)
panoptes_page(_panoptes completion zsh)
panoptes_page(panoptes.fish completion fish)
add_custom_command(OUTPUT ${pages}/panoptes.1.gz DEPENDS ${pages}/panoptes.1 VERBATIM
                   COMMAND gzip -9nkf ${pages}/panoptes.1)
add_custom_target(panoptes_pages ALL DEPENDS ${pages}/panoptes.1.gz ${pages}/panoptes
                                             ${pages}/_panoptes ${pages}/panoptes.fish)

install(FILES ${pages}/panoptes.1.gz DESTINATION share/man/man1)
install(FILES ${pages}/panoptes DESTINATION share/bash-completion/completions)
install(FILES ${pages}/_panoptes DESTINATION share/zsh/site-functions)
install(FILES ${pages}/panoptes.fish DESTINATION share/fish/vendor_completions.d)
install(FILES LICENSE packaging/copyright DESTINATION share/doc/panoptes)
install(DIRECTORY models/ DESTINATION share/doc/panoptes/examples)

include(CMakePackageConfigHelpers)
configure_file(cmake/panoptes.pc.in ${CMAKE_BINARY_DIR}/panoptes.pc @ONLY)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/panoptesConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/panoptes.pc DESTINATION lib/pkgconfig)
install(FILES cmake/panoptesConfig.cmake ${CMAKE_BINARY_DIR}/panoptesConfigVersion.cmake
        DESTINATION lib/cmake/panoptes)
