# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Third-party packages. tpls/<name>/<name>.cmake finds a package and defines the target hpk_tpl::<name> if it
# exists. This repository contains no code of the packages, and the build downloads nothing.

include(${CMAKE_CURRENT_LIST_DIR}/hpkTplLibrary.cmake)

# hpk_tpl(<name> [REQUIRED <option>]): includes tpls/<name>/<name>.cmake. With REQUIRED a missing package is
# an error that names the option for which it is needed.
# A macro, because packages define their targets in the directory of the call.
macro(hpk_tpl name)
  if(NOT TARGET hpk_tpl::${name})
    include(${hpk_SOURCE_DIR}/tpls/${name}/${name}.cmake)
  endif()
  if(${ARGC} GREATER 1 AND NOT TARGET hpk_tpl::${name})
    message(FATAL_ERROR "hpk: ${name} was not found; it is needed (${ARGN}). "
                        "On Debian and Ubuntu './dev deps' installs it.")
  endif()
endmacro()
