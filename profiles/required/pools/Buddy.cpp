//===- Buddy.cpp - blocks of powers of two that split and join ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Source: Knowlton, "A fast storage allocator", CACM 1965; Knuth, volume 1,
// section 2.5. The capacity is cut into powers of two, largest first; blocks
// split within such a part, and join their buddies when both are free.
// Parameter: blocks have at least 256 bytes, as those of CUDA.
//===----------------------------------------------------------------------===//
#include "Pool.h"
#include <algorithm>
#include <cassert>
#include <set>
#include <unordered_map>

namespace evenkeel::required {
namespace {

constexpr unsigned LeastOrder = 8;

class Buddy : public Pool {
  struct Part {
    uint64_t Offset;
    unsigned Order;
  };
  std::vector<Part> Parts;                       // by offset
  std::vector<std::set<uint64_t>> Free;          // by order
  std::unordered_map<uint64_t, unsigned> Orders; // of used blocks, by offset
  uint64_t Bytes = 0;

  const Part &partOf(uint64_t Offset) const {
    auto After = std::upper_bound(
        Parts.begin(), Parts.end(), Offset,
        [](uint64_t At, const Part &P) { return At < P.Offset; });
    return *std::prev(After);
  }

public:
  explicit Buddy(uint64_t Capacity) : Pool(Capacity), Free(64) {
    uint64_t At = 0;
    for (unsigned Order = 63; Order >= LeastOrder; --Order)
      if (Capacity >> Order & 1) {
        Parts.push_back({At, Order});
        Free[Order].insert(At);
        At += uint64_t(1) << Order;
      }
  }

  std::optional<uint64_t> allocate(const Request &R) override {
    unsigned Order = LeastOrder;
    while (Order < 63 && uint64_t(1) << Order < R.Bytes)
      ++Order;
    unsigned From = Order;
    while (From < 64 && Free[From].empty())
      ++From;
    if (From == 64)
      return {};
    const uint64_t At = *Free[From].begin();
    Free[From].erase(Free[From].begin());
    while (From > Order)
      Free[--From].insert(At + (uint64_t(1) << From));
    Orders[At] = Order;
    Bytes += uint64_t(1) << Order;
    return At;
  }

  void free(uint64_t Offset) override {
    auto It = Orders.find(Offset);
    assert(It != Orders.end() && "no such block");
    unsigned Order = It->second;
    Orders.erase(It);
    Bytes -= uint64_t(1) << Order;
    const Part &P = partOf(Offset);
    while (Order < P.Order) {
      const uint64_t Other =
          P.Offset + ((Offset - P.Offset) ^ (uint64_t(1) << Order));
      if (!Free[Order].erase(Other))
        break;
      Offset = std::min(Offset, Other);
      ++Order;
    }
    Free[Order].insert(Offset);
  }

  std::vector<uint64_t> freeBlocks() const override {
    std::vector<std::pair<uint64_t, uint64_t>> All;
    for (unsigned Order = 0; Order < 64; ++Order)
      for (uint64_t At : Free[Order])
        All.push_back({At, uint64_t(1) << Order});
    std::sort(All.begin(), All.end());
    std::vector<uint64_t> Out;
    for (auto [At, Size] : All)
      Out.push_back(Size);
    return Out;
  }

  uint64_t usedBytes() const override { return Bytes; }

  uint64_t spareBytes() const override {
    uint64_t End = 0;
    for (auto [At, Order] : Orders)
      End = std::max(End, At + (uint64_t(1) << Order));
    return capacity() - End;
  }
};

} // namespace

std::unique_ptr<Pool> makeBuddy(uint64_t Capacity) {
  return std::make_unique<Buddy>(Capacity);
}

} // namespace evenkeel::required
