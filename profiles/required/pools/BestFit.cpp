//===- BestFit.cpp - the smallest free block that is large enough ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Knuth, The Art of Computer Programming, volume 1, section 2.5. One
// list for all kinds of blocks; a block is taken from the low end of the free
// block that leaves least over.
//===----------------------------------------------------------------------===//
#include "FreeSpace.h"
#include "Pool.h"
#include <cassert>
#include <unordered_map>

namespace evenkeel::required {
namespace {

class BestFit : public Pool {
  FreeSpace Free;
  std::unordered_map<uint64_t, uint64_t> Used; // offset -> bytes
  uint64_t Bytes = 0;

public:
  explicit BestFit(uint64_t Capacity) : Pool(Capacity) {
    Free.give(0, Capacity);
  }

  std::optional<uint64_t> allocate(const Request &R) override {
    std::optional<uint64_t> At = Free.bestFit(R.Bytes);
    if (!At)
      return {};
    Free.take(*At, R.Bytes);
    Used[*At] = R.Bytes;
    Bytes += R.Bytes;
    return At;
  }

  void free(uint64_t Offset) override {
    auto It = Used.find(Offset);
    assert(It != Used.end() && "no such block");
    Free.give(Offset, It->second);
    Bytes -= It->second;
    Used.erase(It);
  }

  std::vector<uint64_t> freeBlocks() const override { return Free.sizes(); }
  uint64_t usedBytes() const override { return Bytes; }
  uint64_t spareBytes() const override { return Free.bytesBelow(capacity()); }
};

} // namespace

std::unique_ptr<Pool> makeBestFit(uint64_t Capacity) {
  return std::make_unique<BestFit>(Capacity);
}

} // namespace evenkeel::required
