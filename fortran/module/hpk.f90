! SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
!
! Module hpk: Views, spaces and algorithms of hpk for Fortran programs. docs/fortran.md describes it.
!
! Errors: procedures that can fail have the optional arguments stat and errmsg, as allocate has. stat
! becomes hpk_ok or another value of hpk_views.f90; errmsg gets the text of an error and is otherwise
! unchanged. Without stat, an error stops the program with its text.
module hpk
  use hpk_algorithms
  use hpk_arrays
  use hpk_runtime, only: hpk_instance, hpk_initialize, hpk_finalize, hpk_is_initialized, &
                         hpk_fence, hpk_version, hpk_configuration, hpk_push_region, &
                         hpk_pop_region, hpk_spaces, hpk_default_space, hpk_default_host_space, &
                         hpk_memory_space, hpk_is_host_accessible, hpk_create_instance, &
                         hpk_name_length
  use hpk_views, hidden_1 => view_pointer, hidden_2 => view_handle
  implicit none
  public
  private :: hidden_1, hidden_2
end module hpk
