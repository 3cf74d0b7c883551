# mpi.sh - the same under Open MPI and MPICH
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# . mpi.sh IMPLEMENTATION: mpicc and mpirun of openmpi or mpich, whichever of
# the two the plain names stand for.
mpicc() { "mpicc.$mpi" "$@"; }
mpirun() {
  if [ "$mpi" = openmpi ]; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
      timeout 60 mpirun.openmpi --oversubscribe "$@"
  else
    timeout 60 mpiexec.mpich "$@"
  fi
}
# What ranks have left in /dev/shm. Other tests may run ranks meanwhile: theirs
# goes when they end.
left_by_ranks() {
  for file in $(ls /dev/shm | grep -E "^evenkeel[-a-z]*\.$(id -u)\.(pmix|parent)"); do
    for second in $(seq 60); do
      [ -e "/dev/shm/$file" ] || continue 2
      sleep 1
    done
    echo "$file"
  done
}
