# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# HDF5 (checkpoints of hpk::mpi): the target hpk_tpl::hdf5. Prefers a library that was built for the MPI in
# use, then one for another MPI. Does not use FindHDF5, which requires the language C.
set(_hpk_flavours openmpi mpich)
if("${MPI_CXX_LIBRARIES}" MATCHES "mpich")
  set(_hpk_flavours mpich openmpi)
endif()
list(TRANSFORM _hpk_flavours PREPEND hdf5/ OUTPUT_VARIABLE _hpk_folders)
list(TRANSFORM _hpk_flavours PREPEND hdf5_ OUTPUT_VARIABLE _hpk_names)
find_path(hpk_HDF5_INCLUDE hdf5.h HINTS ${HDF5_ROOT} ENV HDF5_ROOT
          PATH_SUFFIXES include ${_hpk_folders} hdf5/serial)
find_library(hpk_HDF5_LIBRARY NAMES ${_hpk_names} hdf5 hdf5_serial NAMES_PER_DIR
             HINTS ${HDF5_ROOT} ENV HDF5_ROOT PATH_SUFFIXES lib lib64 ${_hpk_folders} hdf5/serial)
mark_as_advanced(hpk_HDF5_INCLUDE hpk_HDF5_LIBRARY)
if(hpk_HDF5_INCLUDE AND hpk_HDF5_LIBRARY)
  add_library(hpk_tpl::hdf5 INTERFACE IMPORTED)
  target_include_directories(hpk_tpl::hdf5 SYSTEM INTERFACE ${hpk_HDF5_INCLUDE})
  target_link_libraries(hpk_tpl::hdf5 INTERFACE ${hpk_HDF5_LIBRARY})
endif()
