//===- ShamblesWindow.cpp - the chunks with most recent samples are fast --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: plugin `window` of SHAMBLES (repository CARV-ICS-FORTH/shambles):
// counts the hits of each chunk among the last N samples; the chunks with the
// most hits should be fast, so a sampled slow chunk replaces fast ones with
// fewer hits. Parameters: interval_us between samples, chunk_kib: 0 = whole
// objects, window: N.
//===----------------------------------------------------------------------===//
#include "Shambles.h"
#include "simulator/policies/Policies.h"
#include <algorithm>
#include <deque>

namespace evenkeel {
namespace {

class ShamblesWindow : public Shambles {
  const size_t Window;
  std::deque<uint64_t> Last; // keys of the sampled chunks

public:
  ShamblesWindow(double IntervalNs, uint64_t ChunkBytes, size_t Window)
      : Shambles(IntervalNs, ChunkBytes), Window(Window) {}
  std::string name() const override { return "shambles-window"; }

protected:
  void onSample(System &S, Chunk &C) override {
    Last.push_back(C.To - 1);
    ++C.InWindow;
    if (Last.size() > Window) {
      // The chunk may be gone, and its key may belong to another one.
      auto Old = Chunks.find(Last.front());
      if (Old != Chunks.end() && Old->second.InWindow)
        --Old->second.InWindow;
      Last.pop_front();
    }
    if (C.Fast)
      return;
    std::vector<Chunk *> Fewer;
    for (auto &[Page, Other] : Chunks)
      if (Other.Fast && Other.InWindow < C.InWindow)
        Fewer.push_back(&Other);
    std::sort(Fewer.begin(), Fewer.end(), [](auto *A, auto *B) {
      return A->InWindow != B->InWindow ? A->InWindow < B->InWindow
                                        : A->From < B->From;
    });
    swap(S, C, Fewer);
  }
};

} // namespace

const std::vector<Tunable> &shamblesWindowTunables() {
  static const std::vector<Tunable> T = {
      {"interval_us", 200, {50, 200, 1000}, "between two samples"},
      {"chunk_kib", 1024, {0, 256, 1024, 4096}, "of a chunk; 0 = objects"},
      {"window", 100, {20, 100, 500}, "samples that count"}};
  return T;
}

std::unique_ptr<Policy> makeShamblesWindow(const ReplayRequest &R) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, shamblesWindowTunables(), Name);
  };
  return std::make_unique<ShamblesWindow>(
      std::max(1.0, Get("interval_us")) * Us, uint64_t(Get("chunk_kib")) << 10,
      size_t(std::max(1.0, Get("window"))));
}

} // namespace evenkeel
