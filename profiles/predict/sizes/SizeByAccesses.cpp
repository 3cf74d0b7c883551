//===- SizeByAccesses.cpp - sizes by growth of accesses -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the growth of all tasks' accesses to the objects of a site.
// Makes: the size of an object that has neither a formula nor a fill.
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
