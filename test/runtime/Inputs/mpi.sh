# mpi.sh - the same under Open MPI and MPICH
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# . mpi.sh IMPLEMENTATION: mpicc and mpirun of openmpi or mpich, whichever of
# the two the plain names stand for.
mpicc() { "mpicc.$mpi" "$@"; }
# Each rank writes the possible names of its launch's files to ./launches.
mpirun() {
  options=
  while :; do
    case $1 in
    -n) options="$options $1 $2" && shift 2 ;;
    -*) options="$options $1" && shift ;;
    *) break ;;
    esac
  done
  set -- sh -c 'echo "pmix-$PMIX_NAMESPACE parent-$PPID first-$$" >>launches && exec "$@"' rank "$@"
  if [ "$mpi" = openmpi ]; then
    OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
      timeout 300 mpirun.openmpi --oversubscribe $options "$@"
  else
    timeout 300 mpiexec.mpich $options "$@"
  fi
}
# What this folder's launches have left in /dev/shm.
left_by_ranks() {
  for launch in $(cat launches); do
    ls /dev/shm | grep -E "^evenkeel[-a-z]*\.$(id -u)\.$launch(-[0-9]+)?\$" || true
  done
}
