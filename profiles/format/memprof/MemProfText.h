//===- MemProfText.h - MemProf's profile as llvm-profdata shows it -*- C++
//-*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the text of `llvm-profdata show --memory`: for each call stack that
// allocated, how many blocks of which sizes, how long they lived and how often
// they were accessed, loads and stores together. A frame names its function,
// the line from the function's first one on, and the column. A stack appears
// under each function that was inlined at its end; here it appears once. Not
// here: which sites of the analysis the frames are (FunctionSites), and the
// binary profiles, which llvm-profdata reads.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_MEMPROF_MEMPROFTEXT_H
#define EVENKEEL_PROFILES_FORMAT_MEMPROF_MEMPROFTEXT_H

#include "format/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::memprof {

struct Frame {
  std::string Function;
  unsigned long LineOffset = 0; // modulo 2^16
  unsigned long Column = 0;
};

/// All blocks of one call stack.
struct Blocks {
  std::vector<Frame> Stack; // innermost first
  uint64_t Times = 0, Accesses = 0;
  uint64_t Bytes = 0, MostBytes = 0; // of all blocks, of the largest
  uint64_t FirstMs = 0, LastMs = 0;  // one block's life
  uint64_t LifetimeMs = 0;           // sum over blocks
};

/// Sorted by stack. Errors: not such a text, or a stack without figures; \p
/// Path appears in them.
Expected<std::vector<Blocks>> parseMemProf(const std::string &Text,
                                           const std::string &Path);

/// "main+3:12", as messages and facts name a frame.
std::string frameText(const Frame &F);
/// Frames with " > " between them.
std::string stackText(const std::vector<Frame> &Stack);

} // namespace evenkeel::memprof

#endif
