//===- Vec.h - growing arrays that never call malloc ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: arrays of plain rows in separate memory (mmap, mremap). The recorder
// is part of a program whose allocation calls it replaces, so its own data must
// neither recurse nor disturb the program's heap.
// Not here: destructors (rows are plain; most arrays live until exit) and
// thread safety.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_VEC_H
#define EVENKEEL_RUNTIME_RECORD_VEC_H

#include "format/ek_sizes.h"
#include <cstddef>
#include <cstdint>
#include <sys/mman.h>
#include <type_traits>

namespace ekrec {

/// Zeroed pages that cost nothing until touched; nullptr on failure.
inline void *reservePages(size_t Bytes) {
  void *P = mmap(nullptr, Bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return P == MAP_FAILED ? nullptr : P;
}

/// One T in zeroed pages, a valid initial state for everything in this library;
/// nullptr on failure.
template <typename T> T *makeZeroed() {
  return static_cast<T *>(reservePages(sizeof(T)));
}

/// Requests huge pages within [\p Start, \p Start + \p Bytes): data that is
/// accessed at random would otherwise miss the TLB.
inline void askForHugePages(uint64_t Start, uint64_t Bytes) {
  constexpr uint64_t Huge = 2 << 20;
  const uint64_t From = (Start + Huge - 1) & ~(Huge - 1),
                 To = (Start + Bytes) & ~(Huge - 1);
  if (From < To)
    madvise(reinterpret_cast<void *>(From), To - From, MADV_HUGEPAGE);
}

/// Rows of T. A push without memory is dropped and counted in Lost.
template <typename T> class Vec {
  static_assert(std::is_trivially_copyable_v<T>, "rows must be plain");
  T *Data = nullptr;
  size_t Size = 0, Capacity = 0;

public:
  uint64_t Lost = 0;

  bool reserve(size_t N) {
    if (N <= Capacity)
      return true;
    size_t Want = Capacity ? Capacity * 2 : EK_PAGE / sizeof(T) + 1;
    if (Want < N)
      Want = N;
    size_t Bytes = (Want * sizeof(T) + EK_PAGE - 1) & ~size_t(EK_PAGE - 1);
    void *P;
    if (!Data) {
      P = reservePages(Bytes);
    } else {
      size_t Old = (Capacity * sizeof(T) + EK_PAGE - 1) & ~size_t(EK_PAGE - 1);
      P = mremap(Data, Old, Bytes, MREMAP_MAYMOVE);
      if (P == MAP_FAILED)
        P = nullptr;
    }
    if (!P)
      return false;
    Data = static_cast<T *>(P);
    Capacity = Bytes / sizeof(T);
    return true;
  }
  bool push(const T &V) {
    if (Size == Capacity && !reserve(Size + 1)) {
      ++Lost;
      return false;
    }
    Data[Size++] = V;
    return true;
  }
  /// Grows with zeroed rows; never shrinks the memory.
  bool resize(size_t N) {
    if (!reserve(N))
      return false;
    for (size_t I = Size; I < N; ++I)
      Data[I] = T();
    Size = N;
    return true;
  }
  /// The same for arrays that only ever grew this way: new rows are zeroed
  /// already, and cost nothing until touched.
  bool extend(size_t N) {
    if (!reserve(N))
      return false;
    Size = N;
    return true;
  }
  void clear() { Size = 0; }
  /// Shortens it to \p N rows.
  void shrink(size_t N) { Size = N; }
  void release() {
    if (Data)
      munmap(Data, (Capacity * sizeof(T) + EK_PAGE - 1) & ~size_t(EK_PAGE - 1));
    Data = nullptr;
    Size = Capacity = 0;
  }
  void eraseAt(size_t I) {
    for (size_t J = I + 1; J < Size; ++J)
      Data[J - 1] = Data[J];
    --Size;
  }
  bool insertAt(size_t I, const T &V) {
    if (!push(V))
      return false;
    for (size_t J = Size - 1; J > I; --J)
      Data[J] = Data[J - 1];
    Data[I] = V;
    return true;
  }
  T &operator[](size_t I) { return Data[I]; }
  const T &operator[](size_t I) const { return Data[I]; }
  T *begin() { return Data; }
  T *end() { return Data + Size; }
  const T *begin() const { return Data; }
  const T *end() const { return Data + Size; }
  T &back() { return Data[Size - 1]; }
  void pop() { --Size; }
  size_t size() const { return Size; }
  bool empty() const { return Size == 0; }
};

} // namespace ekrec

#endif
