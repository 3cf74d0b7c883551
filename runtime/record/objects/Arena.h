//===- Arena.h - blocks at canonical addresses ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: blocks for recorded programs, and their objects, see Space.h.
// Not here: static arrays (StaticArrays.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ARENA_H
#define EVENKEEL_RUNTIME_RECORD_ARENA_H

#include "Space.h"

namespace ekrec {

/// Reserves the tables. False: nothing can be tracked. \p Spans: pages of large
/// objects are told of together.
bool initSpace(bool Spans);

/// A block for \p Site; nullptr: the caller must ask the C library (counted).
/// Only the thread that is the creator may call with a creator's range. \p
/// Align is a power of two.
void *allocate(Maker By, Asked Who, size_t Bytes, size_t Align, bool Zero,
               uint32_t Phase);
/// The same for a block that was moved: a small one is none of its own.
void *resized(Maker By, Asked Who, size_t Bytes, uint32_t Phase);
/// The same, of whole pages and never shared with others.
void *allocatePages(Maker By, Asked Who, size_t Bytes, size_t Align,
                    uint32_t Phase);
/// Takes back one of ours(), from any thread.
void release(Maker By, void *P, uint32_t Phase);
/// Usable bytes of one of ours().
size_t capacityOf(const void *P);
Asked askedFor(const void *P);
/// The block of its own that \p P lies in; nullptr: it lies in a slab, or in
/// none that lives.
Instance *blockOf(const void *P);
/// A large block resized within its pages (same instance). False: move it.
bool resizeInPlace(void *P, size_t Bytes);

/// Gives blocks freed by other threads back; only while no team runs.
void absorbRemoteFrees();

/// Threads outside teams get no more blocks. \p Child: this is a process that
/// was forked, where nobody holds a lock.
void closeSpace(bool Child);

} // namespace ekrec

#endif
