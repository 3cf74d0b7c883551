//===- Gtbm.cpp - group by mobility: three kinds of blocks, three places --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Yang 2022 (dissertation, UNC Charlotte), chapter 4, algorithm 4.
// Movable blocks are placed best-fit from the low end. Temporary blocks are
// placed from the high end; whoever asks for several asks for the most
// referenced first, so they are freed in about the reverse order. Reclaimed
// blocks have a space of their own above them, in which they follow each other;
// they are freed in reverse, and a hole opens only once all above it is free.
// Parameter: the bytes of that space. Where it is full, a reclaimed block is
// placed like a temporary one.
//===----------------------------------------------------------------------===//
#include "FreeSpace.h"
#include "Pool.h"
#include <algorithm>
#include <cassert>
#include <map>

namespace evenkeel::required {
namespace {

class Gtbm : public Pool {
  struct Block {
    uint64_t Bytes;
    Mobility Kind; // by where it lies
    bool Freed;    // of reclaimed blocks: a hole below another one
  };
  const uint64_t Above; // where the space of reclaimed blocks begins
  uint64_t Next;        // the end of the last reclaimed block
  FreeSpace Free;       // below Above
  std::map<uint64_t, Block> Blocks; // by offset
  uint64_t Bytes = 0;

public:
  Gtbm(uint64_t Capacity, uint64_t Reclaimed)
      : Pool(Capacity), Above(Capacity - std::min(Reclaimed, Capacity)),
        Next(Above) {
    Free.give(0, Above);
  }

  std::optional<uint64_t> allocate(const Request &R) override {
    if (R.Kind == Mobility::Reclaimed && R.Bytes <= capacity() - Next) {
      const uint64_t At = Next;
      Next += R.Bytes;
      return use(At, R.Bytes, Mobility::Reclaimed);
    }
    const bool Low = R.Kind == Mobility::Movable;
    std::optional<uint64_t> At =
        Low ? Free.bestFit(R.Bytes) : Free.highestFit(R.Bytes);
    if (!At)
      return {};
    Free.take(*At, R.Bytes);
    return use(*At, R.Bytes, Low ? Mobility::Movable : Mobility::Temporary);
  }

  void free(uint64_t Offset) override {
    auto It = Blocks.find(Offset);
    assert(It != Blocks.end() && !It->second.Freed && "no such block");
    Bytes -= It->second.Bytes;
    if (It->second.Kind != Mobility::Reclaimed) {
      Free.give(Offset, It->second.Bytes);
      Blocks.erase(It);
      return;
    }
    It->second.Freed = true;
    while (Next > Above && std::prev(Blocks.end())->second.Freed) {
      Next = std::prev(Blocks.end())->first;
      Blocks.erase(std::prev(Blocks.end()));
    }
  }

  /// The rest of the space of reclaimed blocks is a block of its own: no
  /// movable block can reach into it.
  std::vector<uint64_t> freeBlocks() const override {
    std::vector<uint64_t> Out = Free.sizes();
    if (Next < capacity())
      Out.push_back(capacity() - Next);
    return Out;
  }

  uint64_t usedBytes() const override { return Bytes; }

  uint64_t spareBytes() const override {
    uint64_t Low = 0, High = Above;
    for (const auto &[Offset, B] : Blocks) {
      if (B.Kind == Mobility::Movable)
        Low = std::max(Low, Offset + B.Bytes);
      if (B.Kind == Mobility::Temporary)
        High = std::min(High, Offset);
    }
    return High > Low ? High - Low : 0;
  }

private:
  uint64_t use(uint64_t At, uint64_t Size, Mobility Kind) {
    Blocks[At] = {Size, Kind, false};
    Bytes += Size;
    return At;
  }
};

} // namespace

std::unique_ptr<Pool> makeGtbm(uint64_t Capacity, uint64_t Reclaimed) {
  return std::make_unique<Gtbm>(Capacity, Reclaimed);
}

} // namespace evenkeel::required
