//===- RawTouches.h - the stream of a watched process -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what format/ek_touches.h contains, as values; code addresses are not
// yet source lines.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_TOUCHES_RAWTOUCHES_H
#define EVENKEEL_PROFILES_FORMAT_TOUCHES_RAWTOUCHES_H

#include "format/Error.h"
#include "format/ek_touches.h"
#include <map>
#include <string>
#include <vector>

namespace evenkeel {

struct RawModule {
  std::string Path;
  uint64_t Bias = 0;
};

struct RawTouchPass {
  ek_touch_pass Pass{};
  std::vector<ek_touch_row> Rows;
};

struct RawTouches {
  ek_touch_header Header{};
  std::map<uint32_t, RawModule> Modules;
  std::map<uint32_t, ek_touch_object> Objects; // by id
  std::vector<RawTouchPass> Passes;
  std::vector<ek_touch_moves> Moves;          // in the order of time
  std::map<uint32_t, ek_touch_placed> Placed; // sums, by object
  ek_touch_notes Notes{};
  std::optional<ek_touch_end> End; // missing: the process did not end by itself
};

/// Reads a stream. An item that is cut off at the end of the file is left out,
/// because a killed process may leave it. Rows refer to existing objects.
Expected<RawTouches> readRawTouches(const std::string &Path);

} // namespace evenkeel

#endif
