#include "shared.h"

int Moves::Moved, Moves::Known;

Function addressOfShared() { return shared; }

long otherUnit(long N) {
  std::vector<long> V(static_cast<size_t>(N), 2);
  return sumOf(V) + shared(N);
}
