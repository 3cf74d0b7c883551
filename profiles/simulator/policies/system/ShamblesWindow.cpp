//===- ShamblesWindow.cpp - the chunks with most recent samples are fast --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: plugin `window` of SHAMBLES (repository CARV-ICS-FORTH/shambles):
// counts the hits of each chunk among the last N samples; the chunks with the
// most hits should be fast, so a sampled slow chunk replaces fast ones with
// fewer hits. `shambles-advised` is the loop of its authors' talks: at first
// data lie where ecoHMEM's advisor puts them (a plan of `hmem-advisor`), then
// chunks move by samples. Parameters of both: interval_us between samples,
// chunk_kib: 0 = whole objects, window: N.
//===----------------------------------------------------------------------===//
#include "Shambles.h"
#include "format/plan/PlanIndex.h"
#include "simulator/policies/Policies.h"
#include <algorithm>
#include <optional>

namespace evenkeel {
namespace {

class ShamblesWindow : public Shambles {
  std::vector<uint64_t> Keys; // of the sampled chunks
  ek_swap_window Last;
  const std::optional<PlanIndex> Advised; // where data lie at first

public:
  ShamblesWindow(double IntervalNs, uint64_t ChunkBytes, size_t Window,
                 const Plan *Advice)
      : Shambles(EK_SWAP_WINDOW, IntervalNs, ChunkBytes), Keys(Window),
        Last{Keys.data(), Window, 0, 0},
        Advised(Advice ? std::make_optional<PlanIndex>(Advice->Objects)
                       : std::nullopt) {}
  std::string name() const override {
    return Advised ? "shambles-advised" : "shambles-window";
  }

protected:
  bool startsFast(const PageMap &Map, uint32_t Instance) const override {
    if (!Advised)
      return true;
    const PlanObject *O = Advised->find(nameOf(Map.instance(Instance)));
    return O && O->Share > 0; // the advisor places whole objects
  }
  void onSample(Chunk &C) override {
    ++C.Heat.in_window;
    uint64_t Key = 0;
    if (!ek_swap_enter(&Last, C.To - 1, &Key))
      return;
    // The chunk may be gone, and its key may belong to another one.
    auto Old = Chunks.find(Key);
    if (Old != Chunks.end() && Old->second.Heat.in_window)
      --Old->second.Heat.in_window;
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

static std::unique_ptr<Policy> makeWindow(const ReplayRequest &R,
                                          const Plan *Advice) {
  auto Get = [&](const char *Name) {
    return settingOf(R.Tuned, shamblesWindowTunables(), Name);
  };
  return std::make_unique<ShamblesWindow>(
      std::max(1.0, Get("interval_us")) * Us, uint64_t(Get("chunk_kib")) << 10,
      size_t(std::max(1.0, Get("window"))), Advice);
}

std::unique_ptr<Policy> makeShamblesWindow(const ReplayRequest &R) {
  return makeWindow(R, nullptr);
}

std::unique_ptr<Policy> makeShamblesAdvised(const ReplayRequest &R) {
  return makeWindow(R, R.P);
}

} // namespace evenkeel
