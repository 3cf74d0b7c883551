//===- Spaces.cpp - a machine's tiers as kinds of memory ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Spaces.h.
//===----------------------------------------------------------------------===//
#include "Spaces.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <optional>

namespace evenkeel {
using llvm::StringRef;

/// The technology in the name of \p T; nullopt: none that is known. The memory
/// of another processor is not a kind of its own.
static std::optional<Space> spaceOf(const Tier &T) {
  const std::string Name = StringRef(T.Name).lower();
  auto Has = [&](std::initializer_list<const char *> Words) {
    return std::any_of(Words.begin(), Words.end(), [&](const char *Word) {
      return StringRef(Name).contains(Word);
    });
  };
  if (Has({"remote"}))
    return std::nullopt;
  if (Has({"hbm", "mcdram"}))
    return Space::HighBandwidth;
  if (Has({"optane", "pmem", "dcpmm", "nvm"}))
    return Space::Persistent;
  if (Has({"cxl"}))
    return Space::LargeCapacity;
  if (Has({"ddr", "dram"}))
    return Space::Ordinary;
  return std::nullopt;
}

static Error unknownTier(const Machine &M, const Tier &T, LibraryCalls Style) {
  return Error{
      std::string(Style == LibraryCalls::OpenMP ? "OpenMP" : "memkind") +
      " has no kind of memory for the tier '" + T.Name + "' of '" + M.Name +
      "'; it has HBM, DDR, CXL and persistent memory of this "
      "processor, by the name of the tier"};
}

Expected<Spaces> spacesOf(const Machine &M, LibraryCalls Style) {
  const Tier &Fast = M.Tiers[0], &Next = M.Tiers[1];
  const std::optional<Space> Of = spaceOf(Fast), OfNext = spaceOf(Next);
  if (!Of)
    return unknownTier(M, Fast, Style);
  if (!OfNext || *Of == *OfNext)
    return unknownTier(M, Next, Style);
  // Plain allocation takes DDR where there is any, else the fastest tier.
  if (*OfNext == Space::Ordinary)
    return Spaces{*Of, Space::Ordinary};
  if (*Of == Space::Persistent || *OfNext == Space::HighBandwidth)
    return unknownTier(M, Next, Style);
  // Both libraries choose it as the largest memory.
  if (*OfNext == Space::LargeCapacity &&
      Next.CapacityBytes <= Fast.CapacityBytes)
    return Error{"the tier '" + Next.Name + "' of '" + M.Name +
                 "' is not larger than '" + Fast.Name +
                 "', so the memory of the largest capacity is another one"};
  return Spaces{Space::Ordinary, *OfNext};
}

const char *spaceArgument(Space S, LibraryCalls Style) {
  const bool OpenMP = Style == LibraryCalls::OpenMP;
  switch (S) {
  case Space::HighBandwidth:
    return "high_bandwidth_memory()";
  case Space::LargeCapacity:
    return "large_capacity_memory()";
  case Space::Persistent:
    return OpenMP ? "large_capacity_memory()" : "persistent_memory()";
  case Space::Ordinary:
    break;
  }
  return OpenMP ? "ordinary_memory()" : "MEMKIND_DEFAULT";
}

const char *spaceWords(Space S) {
  switch (S) {
  case Space::HighBandwidth:
    return "high-bandwidth memory";
  case Space::LargeCapacity:
    return "the memory of the largest capacity";
  case Space::Persistent:
    return "persistent memory";
  case Space::Ordinary:
    break;
  }
  return "ordinary memory";
}

} // namespace evenkeel
