! particles.f90 - arrays of a module, of a COMMON block, and saved ones
module store
  implicit none
  integer, parameter :: cells = 400000
  real(8) :: charge(cells)
  real(8), allocatable :: force(:)
  integer :: link(cells)
end module

subroutine push(rounds)
  use store
  implicit none
  integer, intent(in) :: rounds
  real(8) :: place, speed
  common /particle/ place(cells), speed(cells)
  real(8), save :: before(cells)
  integer :: i, r
  do r = 1, rounds
    !$omp parallel do
    do i = 1, cells
      force(i) = charge(link(i)) - before(i)
    end do
    !$omp end parallel do
    !$omp parallel do
    do i = 1, cells
      before(i) = 0.5d0 * force(i)
      speed(i) = speed(i) + 1d-3 * force(i)
      place(i) = place(i) + 1d-3 * speed(i)
    end do
    !$omp end parallel do
  end do
end subroutine

program particles
  use store
  implicit none
  real(8) :: place, speed
  common /particle/ place(cells), speed(cells)
  integer :: i, rounds
  character(len=32) :: word
  rounds = 200
  if (command_argument_count() >= 1) then
    call get_command_argument(1, word)
    read (word, *) rounds
  end if
  allocate (force(cells))
  do i = 1, cells
    charge(i) = mod(i, 17)
    link(i) = 1 + int(mod(7919_8 * i, int(cells, 8)))
    place(i) = 0
    speed(i) = 0
  end do
  call push(rounds)
  print '(a, es14.7)', 'sum of places: ', sum(place)
end program
