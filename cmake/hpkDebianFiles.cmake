# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cpack runs this script on the files of the packages before it packs them. A Debian package has two files of
# its own in share/doc/<package>: copyright, which refers to Debian's copy of the Apache licence and contains the
# exception of LLVM, and changelog.gz.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
file(READ ${CPACK_RESOURCE_FILE_LICENSE} license)
string(REGEX REPLACE ".*(---- LLVM Exceptions)" "\\1" exception "${license}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} upper)
  set(doc ${CPACK_TEMPORARY_INSTALL_DIRECTORY}/${component}${CPACK_PACKAGING_INSTALL_PREFIX}/share/doc)
  file(REMOVE ${doc}/hpk/LICENSE)
  file(GLOB left ${doc}/hpk/*)
  if(NOT left)
    file(REMOVE_RECURSE ${doc}/hpk)
  endif()
  set(package ${doc}/${CPACK_DEBIAN_${upper}_PACKAGE_NAME})
  file(WRITE ${package}/copyright
       "Copyright (C) the authors of hpk\nLicense: Apache-2.0 WITH LLVM-exception\n\n"
       "The Apache licence, version 2.0, is in /usr/share/common-licenses/Apache-2.0.\n\n${exception}")
  file(WRITE ${package}.changelog
       "hpk (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
       "  * The changes are in /usr/share/doc/hpk/CHANGELOG.md of the package hpk-doc.\n\n"
       " -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
  execute_process(COMMAND gzip -9n INPUT_FILE ${package}.changelog OUTPUT_FILE ${package}/changelog.gz
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${package}.changelog)
endforeach()
