! solver.f90 - a ring of halos and a sum over all ranks, in MPI
program solver
  use mpi
  implicit none
  integer :: error, rank, ranks, left, right, n, rounds, r, i
  character(len=32) :: word
  real(8), allocatable :: x(:), y(:)
  real(8) :: mine, all
  call mpi_init(error)
  call mpi_comm_rank(mpi_comm_world, rank, error)
  call mpi_comm_size(mpi_comm_world, ranks, error)
  n = 500000
  rounds = 100
  if (command_argument_count() >= 1) then
    call get_command_argument(1, word)
    read (word, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, word)
    read (word, *) rounds
  end if
  left = modulo(rank - 1, ranks)
  right = modulo(rank + 1, ranks)
  allocate (x(0:n + 1))
  allocate (y(n))
  x = rank + 1
  do r = 1, rounds
    call mpi_sendrecv(x(n), 1, mpi_double_precision, right, 1, x(0), 1, mpi_double_precision, left, 1, &
                      mpi_comm_world, mpi_status_ignore, error)
    do i = 1, n
      y(i) = 0.5d0 * x(i) + 0.25d0 * (x(i - 1) + x(i + 1))
    end do
    mine = sum(y)
    call mpi_allreduce(mine, all, 1, mpi_double_precision, mpi_sum, mpi_comm_world, error)
    x(1:n) = y
  end do
  if (rank == 0) print '(a, es14.7)', 'sum: ', all
  call mpi_finalize(error)
end program
