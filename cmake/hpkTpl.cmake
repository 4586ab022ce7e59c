# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Third-party packages. How each one is found is written in its folder, tpls/<name>/<name>.cmake, which
# defines the target hpk_tpl::<name> when the package is there and nothing otherwise. Nothing of them is
# kept in this repository and nothing is downloaded.

# hpk_tpl(<name> [REQUIRED <option>]): includes tpls/<name>/<name>.cmake; REQUIRED makes a missing
# package an error that names the option it is needed for.
# A macro, because packages define their targets in the directory that asks.
macro(hpk_tpl name)
  if(NOT TARGET hpk_tpl::${name})
    include(${hpk_SOURCE_DIR}/tpls/${name}/${name}.cmake)
  endif()
  if(${ARGC} GREATER 1 AND NOT TARGET hpk_tpl::${name})
    message(FATAL_ERROR "hpk: ${name} was not found; it is needed (${ARGN}). "
                        "On Debian and Ubuntu './dev deps' installs it.")
  endif()
endmacro()
