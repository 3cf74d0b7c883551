//===- new.cpp - operator new with a site -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what is not placed comes from the process's own operator new, which
// also calls the new-handler and throws: so whatever C++ runtime the program
// uses, its own exceptions arrive. Throws nothing itself.
//===----------------------------------------------------------------------===//
#include "alloc.h"
#include "extent.h"
extern "C" {
#include "libc.h"
}

#define EXPORT __attribute__((visibility("default")))

// C programs never come here, so that the pointers of ek_cxx() are there.

EXPORT void *operator new(std::size_t N, ek::site S) {
  void *P = ek_placed_or_null(S.id, S.fast, N);
  return P ? P : ek_cxx()->new_one(N);
}

EXPORT void *operator new[](std::size_t N, ek::site S) {
  void *P = ek_placed_or_null(S.id, S.fast, N);
  return P ? P : ek_cxx()->new_array(N);
}

EXPORT void operator delete(void *P, ek::site) noexcept {
  if (ek_in_reserved(P))
    ek_any_free(P);
  else
    ek_cxx()->delete_one(P);
}

EXPORT void operator delete[](void *P, ek::site) noexcept {
  if (ek_in_reserved(P))
    ek_any_free(P);
  else
    ek_cxx()->delete_array(P);
}
