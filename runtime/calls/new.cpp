//===- new.cpp - operators new and delete -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the forms of operator new that name a site, and the plain forms, which
// precede those of the C++ library: a large block belongs to the expression
// that is open (context.h), if any. Blocks that are not placed come from the
// process's own operator new, which also calls the new-handler and throws; so
// the exceptions are those of the program's C++ runtime. Throws nothing itself.
// The plain forms of operator delete are here, too: most end in free(), but
// those of other allocators do not.
//===----------------------------------------------------------------------===//
#include "calls/interpose.h"
#include "calls/placed.h"
#include "evenkeel/ek.h"
#include "objects/extent.h"
extern "C" {
#include "calls/unnamed.h"
#include "core/libc.h"
}

#include <new>

#define EXPORT __attribute__((visibility("default")))

// C programs never call these functions, so the pointers of ek_cxx() are set.

using Align = std::align_val_t;
using NoThrow = const std::nothrow_t &;

static size_t value(Align A) { return static_cast<size_t>(A); }

//===--- With a site ------------------------------------------------------===//

EXPORT void *operator new(std::size_t N, ek::site S) {
  void *P = ek_placed_or_null(S.id, S.fast, 1, N);
  return P ? P : ek_cxx()->new_one(N);
}
EXPORT void *operator new[](std::size_t N, ek::site S) {
  void *P = ek_placed_or_null(S.id, S.fast, 1, N);
  return P ? P : ek_cxx()->new_array(N);
}
EXPORT void *operator new(std::size_t N, ek::site S, NoThrow T) noexcept {
  void *P = ek_placed_or_null(S.id, S.fast, 1, N);
  return P ? P : ek_cxx()->new_one_nothrow(N, &T);
}
EXPORT void *operator new[](std::size_t N, ek::site S, NoThrow T) noexcept {
  void *P = ek_placed_or_null(S.id, S.fast, 1, N);
  return P ? P : ek_cxx()->new_array_nothrow(N, &T);
}
EXPORT void *operator new(std::size_t N, ek::site S, Align A) {
  void *P = ek_placed_or_null(S.id, S.fast, value(A), N);
  return P ? P : ek_cxx()->new_one_aligned(N, value(A));
}
EXPORT void *operator new[](std::size_t N, ek::site S, Align A) {
  void *P = ek_placed_or_null(S.id, S.fast, value(A), N);
  return P ? P : ek_cxx()->new_array_aligned(N, value(A));
}
EXPORT void *operator new(std::size_t N, ek::site S, Align A,
                          NoThrow T) noexcept {
  void *P = ek_placed_or_null(S.id, S.fast, value(A), N);
  return P ? P : ek_cxx()->new_one_aligned_nothrow(N, value(A), &T);
}
EXPORT void *operator new[](std::size_t N, ek::site S, Align A,
                            NoThrow T) noexcept {
  void *P = ek_placed_or_null(S.id, S.fast, value(A), N);
  return P ? P : ek_cxx()->new_array_aligned_nothrow(N, value(A), &T);
}

// For types with extended alignment, the compiler passes the alignment first.
EXPORT void *operator new(std::size_t N, Align A, ek::site S) {
  return operator new(N, S, A);
}
EXPORT void *operator new[](std::size_t N, Align A, ek::site S) {
  return operator new[](N, S, A);
}
EXPORT void *operator new(std::size_t N, Align A, ek::site S,
                          NoThrow T) noexcept {
  return operator new(N, S, A, T);
}
EXPORT void *operator new[](std::size_t N, Align A, ek::site S,
                            NoThrow T) noexcept {
  return operator new[](N, S, A, T);
}

//===--- Called when a constructor throws ---------------------------------===//

// A block that was not placed came from the process's own operator new, and
// only its operator delete knows where the block begins.

static void deleteOne(void *P) {
  if (ek_own_deletes.one && ek_in_reserved(P))
    ek_any_free(P);
  else
    ek_cxx()->delete_one(P);
}
static void deleteArray(void *P) {
  if (ek_own_deletes.array && ek_in_reserved(P))
    ek_any_free(P);
  else
    ek_cxx()->delete_array(P);
}
static void deleteOneAligned(void *P, Align A) {
  if (ek_own_deletes.one_aligned && ek_in_reserved(P))
    ek_any_free(P);
  else
    ek_cxx()->delete_one_aligned(P, value(A));
}
static void deleteArrayAligned(void *P, Align A) {
  if (ek_own_deletes.array_aligned && ek_in_reserved(P))
    ek_any_free(P);
  else
    ek_cxx()->delete_array_aligned(P, value(A));
}

EXPORT void operator delete(void *P, ek::site) noexcept { deleteOne(P); }
EXPORT void operator delete[](void *P, ek::site) noexcept { deleteArray(P); }
EXPORT void operator delete(void *P, ek::site, NoThrow) noexcept {
  deleteOne(P);
}
EXPORT void operator delete[](void *P, ek::site, NoThrow) noexcept {
  deleteArray(P);
}
EXPORT void operator delete(void *P, ek::site, Align A) noexcept {
  deleteOneAligned(P, A);
}
EXPORT void operator delete[](void *P, ek::site, Align A) noexcept {
  deleteArrayAligned(P, A);
}
EXPORT void operator delete(void *P, ek::site, Align A, NoThrow) noexcept {
  deleteOneAligned(P, A);
}
EXPORT void operator delete[](void *P, ek::site, Align A, NoThrow) noexcept {
  deleteArrayAligned(P, A);
}
EXPORT void operator delete(void *P, Align A, ek::site) noexcept {
  deleteOneAligned(P, A);
}
EXPORT void operator delete[](void *P, Align A, ek::site) noexcept {
  deleteArrayAligned(P, A);
}
EXPORT void operator delete(void *P, Align A, ek::site, NoThrow) noexcept {
  deleteOneAligned(P, A);
}
EXPORT void operator delete[](void *P, Align A, ek::site, NoThrow) noexcept {
  deleteArrayAligned(P, A);
}

//===--- The program's plain forms ----------------------------------------===//

// With AddressSanitizer the executable has its own forms, with matching
// deletes: ours would never be reached or, linked into a test program, would
// separate new from delete.
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define EK_SANITIZED
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define EK_SANITIZED
#endif

#ifdef EK_SANITIZED
const bool ek_has_plain_new = false;
#else
const bool ek_has_plain_new = true;

/// Pauses the audit while the library's operator new runs: it calls other forms
/// and malloc, which must not count the block a second time.
class Unnamed {
public:
  Unnamed(std::size_t N, const void *Caller) {
    ek_audit(N, Caller);
    ek_audit_pause(true);
  }
  ~Unnamed() { ek_audit_pause(false); }
  const ek_cxx_t *operator->() const { return ek_cxx(); }
};

EXPORT void *operator new(std::size_t N) {
  void *P = ek_placed_by_context(1, N);
  return P ? P : Unnamed(N, __builtin_return_address(0))->new_one(N);
}
EXPORT void *operator new[](std::size_t N) {
  void *P = ek_placed_by_context(1, N);
  return P ? P : Unnamed(N, __builtin_return_address(0))->new_array(N);
}
EXPORT void *operator new(std::size_t N, NoThrow T) noexcept {
  void *P = ek_placed_by_context(1, N);
  return P ? P
           : Unnamed(N, __builtin_return_address(0))->new_one_nothrow(N, &T);
}
EXPORT void *operator new[](std::size_t N, NoThrow T) noexcept {
  void *P = ek_placed_by_context(1, N);
  return P ? P
           : Unnamed(N, __builtin_return_address(0))->new_array_nothrow(N, &T);
}
EXPORT void *operator new(std::size_t N, Align A) {
  void *P = ek_placed_by_context(value(A), N);
  return P ? P
           : Unnamed(N, __builtin_return_address(0))
                 ->new_one_aligned(N, value(A));
}
EXPORT void *operator new[](std::size_t N, Align A) {
  void *P = ek_placed_by_context(value(A), N);
  return P ? P
           : Unnamed(N, __builtin_return_address(0))
                 ->new_array_aligned(N, value(A));
}
EXPORT void *operator new(std::size_t N, Align A, NoThrow T) noexcept {
  void *P = ek_placed_by_context(value(A), N);
  return P ? P
           : Unnamed(N, __builtin_return_address(0))
                 ->new_one_aligned_nothrow(N, value(A), &T);
}
EXPORT void *operator new[](std::size_t N, Align A, NoThrow T) noexcept {
  void *P = ek_placed_by_context(value(A), N);
  return P ? P
           : Unnamed(N, __builtin_return_address(0))
                 ->new_array_aligned_nothrow(N, value(A), &T);
}

/// Frees \p P if that may be done here, and returns whether it was. Otherwise
/// the caller passes it to the same form of the process's operator delete,
/// which ends in the form it is defined on. \p Own: that form is ours.
static inline bool ended(void *P, bool Own, const bool &JustFree) {
  const bool Just = __atomic_load_n(&JustFree, __ATOMIC_RELAXED);
  if (__builtin_expect((Just || Own) && ek_in_reserved(P), 0))
    ek_any_free(P);
  else if (Just)
    ek_behind_us.free(P);
  else
    return false;
  return true;
}
static inline bool ended(void *P, bool Own) {
  return ended(P, Own, ek_deletes_just_free);
}
static inline bool endedAligned(void *P, bool Own) {
  return ended(P, Own, ek_aligned_deletes_just_free);
}

EXPORT void operator delete(void *P) noexcept {
  if (!ended(P, true))
    ek_cxx()->delete_one(P);
}
EXPORT void operator delete[](void *P) noexcept {
  if (!ended(P, ek_own_deletes.one))
    ek_cxx()->delete_array(P);
}
EXPORT void operator delete(void *P, NoThrow T) noexcept {
  if (!ended(P, ek_own_deletes.one))
    ek_cxx()->delete_one_nothrow(P, &T);
}
EXPORT void operator delete[](void *P, NoThrow T) noexcept {
  if (!ended(P, ek_own_deletes.array))
    ek_cxx()->delete_array_nothrow(P, &T);
}
EXPORT void operator delete(void *P, std::size_t N) noexcept {
  if (ended(P, ek_own_deletes.one))
    return;
  if (ek_cxx()->delete_one_sized)
    ek_cxx()->delete_one_sized(P, N);
  else
    ek_cxx()->delete_one(P);
}
EXPORT void operator delete[](void *P, std::size_t N) noexcept {
  if (ended(P, ek_own_deletes.array))
    return;
  if (ek_cxx()->delete_array_sized)
    ek_cxx()->delete_array_sized(P, N);
  else
    ek_cxx()->delete_array(P);
}
EXPORT void operator delete(void *P, Align A) noexcept {
  if (!endedAligned(P, true))
    ek_cxx()->delete_one_aligned(P, value(A));
}
EXPORT void operator delete[](void *P, Align A) noexcept {
  if (!endedAligned(P, ek_own_deletes.one_aligned))
    ek_cxx()->delete_array_aligned(P, value(A));
}
EXPORT void operator delete(void *P, Align A, NoThrow T) noexcept {
  if (!endedAligned(P, ek_own_deletes.one_aligned))
    ek_cxx()->delete_one_aligned_nothrow(P, value(A), &T);
}
EXPORT void operator delete[](void *P, Align A, NoThrow T) noexcept {
  if (!endedAligned(P, ek_own_deletes.array_aligned))
    ek_cxx()->delete_array_aligned_nothrow(P, value(A), &T);
}
EXPORT void operator delete(void *P, std::size_t N, Align A) noexcept {
  if (!endedAligned(P, ek_own_deletes.one_aligned))
    ek_cxx()->delete_one_sized_aligned(P, N, value(A));
}
EXPORT void operator delete[](void *P, std::size_t N, Align A) noexcept {
  if (!endedAligned(P, ek_own_deletes.array_aligned))
    ek_cxx()->delete_array_sized_aligned(P, N, value(A));
}
#endif
