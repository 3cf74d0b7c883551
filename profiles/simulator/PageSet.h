//===- PageSet.h - an ordered set of pages ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a set of global page numbers as a bit per page, with a second level of
// one bit per 64 pages. A record covers an address space that is mostly
// untouched, so the search for the next member skips 4096 pages at a time.
// Not here: the meaning of the sets (PageMap.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_SIMULATOR_PAGESET_H
#define EVENKEEL_PROFILES_SIMULATOR_PAGESET_H

#include <cstdint>
#include <vector>

namespace evenkeel {

class PageSet {
  static constexpr unsigned Bits = 64;
  std::vector<uint64_t> Words,
      Groups; // a group: 64 words, a bit for each word that is not 0
  uint64_t Members = 0;

  static uint64_t bit(uint64_t N) { return uint64_t(1) << N % Bits; }
  /// Mask of a word's bits from \p N on.
  static uint64_t from(uint64_t N) { return ~uint64_t(0) << N % Bits; }
  static unsigned lowest(uint64_t Word) {
    return unsigned(__builtin_ctzll(Word));
  }
  void setWord(uint64_t W, uint64_t Value) {
    Words[W] = Value;
    uint64_t &Group = Groups[W / Bits];
    Group = Value ? Group | bit(W) : Group & ~bit(W);
  }

public:
  static constexpr uint64_t None = UINT64_MAX;

  explicit PageSet(uint64_t Pages = 0)
      : Words(Pages / Bits + 1, 0), Groups(Words.size() / Bits + 1, 0) {}

  uint64_t size() const { return Members; }
  bool contains(uint64_t Page) const { return Words[Page / Bits] & bit(Page); }
  void insert(uint64_t Page) {
    Members += !contains(Page);
    setWord(Page / Bits, Words[Page / Bits] | bit(Page));
  }
  void erase(uint64_t Page) {
    Members -= contains(Page);
    setWord(Page / Bits, Words[Page / Bits] & ~bit(Page));
  }
  /// Removes the members in [\p From, \p To).
  void erase(uint64_t From, uint64_t To) {
    for (uint64_t P = next(From); P < To; P = next(P + 1))
      erase(P);
  }

  /// The first member from \p Page on, or None.
  uint64_t next(uint64_t Page) const {
    uint64_t W = Page / Bits;
    if (W >= Words.size())
      return None;
    if (uint64_t Left = Words[W] & from(Page))
      return W * Bits + lowest(Left);
    uint64_t Mask = from(W) & ~bit(W);
    for (uint64_t G = W / Bits; G < Groups.size(); ++G, Mask = ~uint64_t(0))
      if (uint64_t Left = Groups[G] & Mask) {
        W = G * Bits + lowest(Left);
        return W * Bits + lowest(Words[W]);
      }
    return None;
  }
};

} // namespace evenkeel

#endif
