//===- Caching.cpp - segments that are kept for reuse ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: PyTorch's c10/cuda/CUDACachingAllocator.cpp, its constants. Blocks
// are rounded to 512 bytes. Those up to 1 MiB come from segments of 2 MiB,
// those below 10 MiB from segments of 20 MiB, larger ones have a segment of
// their own, rounded to 2 MiB. A freed block stays in its segment and serves
// later requests of the same class, best-fit; what is left over is split off if
// it has 512 bytes (small) or more than 1 MiB (large). Only when nothing fits
// are segments without blocks returned. The memory behind is best-fit; where it
// has no room for a whole segment, one of the request's size is tried. Not
// here: streams.
//===----------------------------------------------------------------------===//
#include "FreeSpace.h"
#include "Pool.h"
#include <algorithm>
#include <cassert>
#include <map>

namespace evenkeel::required {
namespace {

constexpr uint64_t Rounding = 512, MiB = uint64_t(1) << 20;
constexpr uint64_t MostSmall = MiB, SmallSegment = 2 * MiB;
constexpr uint64_t LeastOwn = 10 * MiB, LargeSegment = 20 * MiB;
constexpr uint64_t OwnRounding = 2 * MiB;

uint64_t roundedTo(uint64_t Bytes, uint64_t Unit) {
  return (Bytes + Unit - 1) / Unit * Unit;
}

class Caching : public Pool {
  struct Segment {
    uint64_t Bytes;
    bool Small;
  };
  struct Block {
    uint64_t Bytes;
    uint64_t Segment; // by offset
    bool Used;
  };
  FreeSpace Behind;
  std::map<uint64_t, Segment> Segments; // by offset
  std::map<uint64_t, Block> Blocks;     // of all segments, by offset
  uint64_t Bytes = 0;

public:
  explicit Caching(uint64_t Capacity) : Pool(Capacity) {
    Behind.give(0, Capacity);
  }

  std::optional<uint64_t> allocate(const Request &R) override {
    const uint64_t Size = roundedTo(R.Bytes, Rounding);
    const bool Small = Size <= MostSmall;
    if (auto At = cached(Size, Small))
      return use(*At, Size);
    if (newSegment(Size, Small))
      return use(*cached(Size, Small), Size);
    returnSegments();
    if (newSegment(Size, Small))
      return use(*cached(Size, Small), Size);
    return {};
  }

  void free(uint64_t Offset) override {
    auto It = Blocks.find(Offset);
    assert(It != Blocks.end() && It->second.Used && "no such block");
    It->second.Used = false;
    Bytes -= It->second.Bytes;
    auto Joins = [&](auto Low, auto High) {
      return !Low->second.Used && !High->second.Used &&
             Low->second.Segment == High->second.Segment;
    };
    if (auto Next = std::next(It); Next != Blocks.end() && Joins(It, Next)) {
      It->second.Bytes += Next->second.Bytes;
      Blocks.erase(Next);
    }
    if (It != Blocks.begin() && Joins(std::prev(It), It)) {
      std::prev(It)->second.Bytes += It->second.Bytes;
      Blocks.erase(It);
    }
    // The last block takes all segments along: nothing is left to reuse them.
    if (!Bytes)
      returnSegments();
  }

  /// Cached blocks, and what no segment has taken.
  std::vector<uint64_t> freeBlocks() const override {
    std::vector<uint64_t> Out = Behind.sizes();
    for (const auto &[At, B] : Blocks)
      if (!B.Used)
        Out.push_back(B.Bytes);
    return Out;
  }

  uint64_t usedBytes() const override { return Bytes; }
  uint64_t spareBytes() const override { return Behind.bytesBelow(capacity()); }

private:
  std::optional<uint64_t> cached(uint64_t Size, bool Small) const {
    auto Best = Blocks.end();
    for (auto It = Blocks.begin(); It != Blocks.end(); ++It)
      if (!It->second.Used && It->second.Bytes >= Size &&
          Segments.at(It->second.Segment).Small == Small &&
          (Best == Blocks.end() || It->second.Bytes < Best->second.Bytes))
        Best = It;
    if (Best == Blocks.end())
      return {};
    return Best->first;
  }

  bool newSegment(uint64_t Size, bool Small) {
    const uint64_t Wanted = Small             ? SmallSegment
                            : Size < LeastOwn ? LargeSegment
                                              : roundedTo(Size, OwnRounding);
    for (uint64_t Whole : {Wanted, Size})
      if (auto At = Behind.bestFit(Whole)) {
        Behind.take(*At, Whole);
        Segments[*At] = {Whole, Small};
        Blocks[*At] = {Whole, *At, false};
        return true;
      }
    return false;
  }

  void returnSegments() {
    for (auto It = Segments.begin(); It != Segments.end();) {
      const Block &First = Blocks.at(It->first);
      if (First.Used || First.Bytes != It->second.Bytes) {
        ++It;
        continue;
      }
      Behind.give(It->first, It->second.Bytes);
      Blocks.erase(It->first);
      It = Segments.erase(It);
    }
  }

  uint64_t use(uint64_t At, uint64_t Size) {
    Block &B = Blocks.at(At);
    const bool Small = Segments.at(B.Segment).Small;
    const uint64_t Left = B.Bytes - Size;
    if (Small ? Left >= Rounding : Left > MostSmall) {
      Blocks[At + Size] = {Left, B.Segment, false};
      B.Bytes = Size;
    }
    B.Used = true;
    Bytes += B.Bytes;
    return At;
  }
};

} // namespace

std::unique_ptr<Pool> makeCaching(uint64_t Capacity) {
  return std::make_unique<Caching>(Capacity);
}

} // namespace evenkeel::required
