//===- ShamblesLru.cpp - a sampled slow chunk replaces the oldest fast one ===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: plugin `lru` of SHAMBLES (repository CARV-ICS-FORTH/shambles): when a
// sample hits a slow chunk, it is swapped immediately with the fast chunks that
// were sampled longest ago.
// Parameters: interval_us between samples, chunk_kib: 0 = whole objects.
//===----------------------------------------------------------------------===//
#include "Shambles.h"
#include "simulator/policies/Policies.h"
#include <algorithm>

namespace evenkeel {
namespace {

class ShamblesLru : public Shambles {
public:
  ShamblesLru(double IntervalNs, uint64_t ChunkBytes)
      : Shambles(EK_SWAP_LRU, IntervalNs, ChunkBytes) {}
  std::string name() const override { return "shambles-lru"; }
};

} // namespace

const std::vector<Tunable> &shamblesLruTunables() {
  static const std::vector<Tunable> T = {
      {"interval_us", 200, {50, 200, 1000}, "between two samples"},
      {"chunk_kib", 1024, {0, 256, 1024, 4096}, "of a chunk; 0 = objects"}};
  return T;
}

std::unique_ptr<Policy> makeShamblesLru(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, shamblesLruTunables(), Name);
  };
  return std::make_unique<ShamblesLru>(std::max(1.0, Get("interval_us")) * Us,
                                       uint64_t(Get("chunk_kib")) << 10);
}

} // namespace evenkeel
