! heat.f90 - a stencil over allocatable arrays, in OpenMP
program heat
  implicit none
  integer :: n, steps, i, j, step
  character(len=32) :: word
  real(8), allocatable :: now(:, :), next(:, :), source(:, :)
  n = 1000
  steps = 100
  if (command_argument_count() >= 1) then
    call get_command_argument(1, word)
    read (word, *) n
  end if
  if (command_argument_count() >= 2) then
    call get_command_argument(2, word)
    read (word, *) steps
  end if
  allocate (now(n, n), next(n, n))
  allocate (source(n, n))
  call fill(source, n)
  now = 0
  next = 0
  do step = 1, steps
    !$omp parallel do collapse(2)
    do j = 2, n - 1
      do i = 2, n - 1
        next(i, j) = 0.25d0 * (now(i - 1, j) + now(i + 1, j) + now(i, j - 1) + now(i, j + 1))
      end do
    end do
    !$omp parallel do
    do j = 2, n - 1
      now(2:n - 1, j) = next(2:n - 1, j)
    end do
    if (step == 1) call add(now, source, n)
  end do
  print '(a, es12.5)', 'heat in the middle: ', now(n / 2, n / 2)
  deallocate (now, next, source)
contains
  subroutine fill(a, n)
    integer, intent(in) :: n
    real(8), intent(out) :: a(n, n)
    a = 0
    a(n / 4:n / 2, n / 4:n / 2) = 1
  end subroutine
  subroutine add(a, b, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: a(n, n)
    real(8), intent(in) :: b(n, n)
    a = a + b
  end subroutine
end program
