//===- Arena.h - blocks at canonical addresses ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: blocks for recorded programs, and their objects (Space.h).
// Not here: static arrays (StaticArrays.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_RUNTIME_RECORD_ARENA_H
#define EVENKEEL_RUNTIME_RECORD_ARENA_H

#include "Space.h"

namespace ekrec {

/// Reserves the tables. False: nothing can be tracked. \p Spans: rows describe
/// several pages of large objects together.
bool initSpace(bool Spans);

/// A block for \p Site; nullptr: the caller must use the C library (counted).
/// Only the creator's own thread may use the creator's range. \p Align is a
/// power of two.
void *allocate(Maker By, Asked Who, size_t Bytes, size_t Align, bool Zero,
               uint32_t Phase);
/// The same for a block that was moved: if small, it is not an object of its
/// own.
void *resized(Maker By, Asked Who, size_t Bytes, uint32_t Phase);
/// The same for whole pages, which are never shared.
void *allocatePages(Maker By, Asked Who, size_t Bytes, size_t Align,
                    uint32_t Phase);
/// Frees one of ours(), from any thread.
void release(Maker By, void *P, uint32_t Phase);
/// Usable bytes of one of ours().
size_t capacityOf(const void *P);
Asked askedFor(const void *P);
/// The block with an object of its own that contains \p P; nullptr: \p P is in
/// a slab, or in no live block.
Instance *blockOf(const void *P);
/// Resizes a large block within its pages (same instance). False: move it.
bool resizeInPlace(void *P, size_t Bytes);

/// Frees the blocks that other threads released; only while no team runs.
void absorbRemoteFrees();

/// Threads outside teams get no more blocks. \p Child: this is a forked
/// process, in which no thread holds a lock.
void closeSpace(bool Child);

} // namespace ekrec

#endif
