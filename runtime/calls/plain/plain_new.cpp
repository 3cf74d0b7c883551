//===- plain_new.cpp - rewritten new-expressions without the runtime ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the operators that ek.h declares do what the ordinary ones do. Part of
// libevenkeel-plain.a, see plain.c.
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"

#include <new>

#define ARRAY_AND_ONE(params_new, args_new, params_delete, args_delete, how)   \
  void *operator new params_new how { return ::operator new args_new; }        \
  void *operator new[] params_new how { return ::operator new[] args_new; }    \
  void operator delete params_delete noexcept {                                \
    ::operator delete args_delete;                                             \
  }                                                                            \
  void operator delete[] params_delete noexcept {                              \
    ::operator delete[] args_delete;                                           \
  }
using Align = std::align_val_t;
using Nothrow = std::nothrow_t;

ARRAY_AND_ONE((std::size_t n, ek::site), (n), (void *p, ek::site), (p), )
ARRAY_AND_ONE((std::size_t n, ek::site, const Nothrow &t), (n, t),
              (void *p, ek::site, const Nothrow &t), (p, t), noexcept)
ARRAY_AND_ONE((std::size_t n, ek::site, Align a), (n, a),
              (void *p, ek::site, Align a), (p, a), )
ARRAY_AND_ONE((std::size_t n, ek::site, Align a, const Nothrow &t), (n, a, t),
              (void *p, ek::site, Align a, const Nothrow &t), (p, a, t),
              noexcept)
ARRAY_AND_ONE((std::size_t n, Align a, ek::site), (n, a),
              (void *p, Align a, ek::site), (p, a), )
ARRAY_AND_ONE((std::size_t n, Align a, ek::site, const Nothrow &t), (n, a, t),
              (void *p, Align a, ek::site, const Nothrow &t), (p, a, t),
              noexcept)
