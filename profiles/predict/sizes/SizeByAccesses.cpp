//===- SizeByAccesses.cpp - objects grow as their accesses do -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how much more all tasks access the objects of a site.
// Makes: the size of an object that no formula and no loop tells.
//===----------------------------------------------------------------------===//
#include "ObjectSizes.h"

using namespace evenkeel;

std::optional<double> prediction::sizeByAccesses(const AccessGrowth &Growth,
                                                 uint64_t Site, double Old) {
  auto Its = Growth.BySite.find(Site);
  if (Its == Growth.BySite.end())
    return std::nullopt;
  const auto [Before, After] = Its->second;
  return Old * After / Before;
}
