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
  using Shambles::Shambles;
  std::string name() const override { return "shambles-lru"; }

protected:
  void onSample(System &S, Chunk &C) override {
    if (C.Fast)
      return;
    std::vector<Chunk *> Oldest;
    for (auto &[Page, Other] : Chunks)
      if (Other.Fast)
        Oldest.push_back(&Other);
    std::sort(Oldest.begin(), Oldest.end(), [](auto *A, auto *B) {
      return A->LastSample != B->LastSample ? A->LastSample < B->LastSample
                                            : A->From < B->From;
    });
    swap(S, C, Oldest);
  }
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
