// Inline functions that several units have.
#ifndef SHARED_H
#define SHARED_H
#include <cstdlib>
#include <vector>

extern "C" void *calledFrom(void);
extern "C" __attribute__((weak)) int __ek_rec_stop(void);

/// Counts functions whose code moved between two rounds.
struct Moves {
  void *First = nullptr;
  static int Moved, Known;
  __attribute__((noinline)) void here(void *At) {
    if (!First) {
      First = At;
      ++Known;
    } else if (At != First) {
      First = At;
      ++Moved;
    }
  }
};

template <typename T> __attribute__((noinline)) T sumOf(const std::vector<T> &V) {
  static Moves M;
  M.here(calledFrom());
  T S = 0;
  for (const T &X : V)
    S += X;
  return S;
}

long otherUnit(long N);
using Function = long (*)(long);
Function addressOfShared();

inline __attribute__((noinline)) long shared(long N) {
  static Moves M;
  M.here(calledFrom());
  return N * 3 + 1;
}
#endif
