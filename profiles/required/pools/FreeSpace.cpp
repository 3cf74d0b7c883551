//===- FreeSpace.cpp - free blocks of an address range --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FreeSpace.h.
//===----------------------------------------------------------------------===//
#include "FreeSpace.h"
#include <cassert>
#include <iterator>

namespace evenkeel::required {

void FreeSpace::give(uint64_t Offset, uint64_t Bytes) {
  if (!Bytes)
    return;
  auto Next = Blocks.lower_bound(Offset);
  assert((Next == Blocks.end() || Offset + Bytes <= Next->first) &&
         "freed twice");
  if (Next != Blocks.end() && Next->first == Offset + Bytes) {
    Bytes += Next->second;
    Next = Blocks.erase(Next);
  }
  if (Next != Blocks.begin()) {
    auto Last = std::prev(Next);
    assert(Last->first + Last->second <= Offset && "freed twice");
    if (Last->first + Last->second == Offset) {
      Last->second += Bytes;
      return;
    }
  }
  Blocks.emplace_hint(Next, Offset, Bytes);
}

void FreeSpace::take(uint64_t Offset, uint64_t Bytes) {
  auto It = std::prev(Blocks.upper_bound(Offset));
  const uint64_t First = It->first, End = It->first + It->second;
  assert(First <= Offset && Offset + Bytes <= End && "not free");
  Blocks.erase(It);
  if (First < Offset)
    Blocks.emplace(First, Offset - First);
  if (Offset + Bytes < End)
    Blocks.emplace(Offset + Bytes, End - Offset - Bytes);
}

std::optional<uint64_t> FreeSpace::bestFit(uint64_t Bytes) const {
  auto Best = Blocks.end();
  for (auto It = Blocks.begin(); It != Blocks.end(); ++It)
    if (It->second >= Bytes &&
        (Best == Blocks.end() || It->second < Best->second))
      Best = It;
  if (Best == Blocks.end())
    return {};
  return Best->first;
}

std::optional<uint64_t> FreeSpace::highestFit(uint64_t Bytes) const {
  for (auto It = Blocks.rbegin(); It != Blocks.rend(); ++It)
    if (It->second >= Bytes)
      return It->first + It->second - Bytes;
  return {};
}

std::vector<uint64_t> FreeSpace::sizes() const {
  std::vector<uint64_t> Out;
  for (auto [Offset, Bytes] : Blocks)
    Out.push_back(Bytes);
  return Out;
}

uint64_t FreeSpace::bytesBelow(uint64_t End) const {
  auto It = Blocks.lower_bound(End);
  if (It == Blocks.begin())
    return 0;
  --It;
  return It->first + It->second == End ? It->second : 0;
}

} // namespace evenkeel::required
