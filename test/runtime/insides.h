//===- insides.h - sizes and tiers, for tests of internals ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: where pages lie, as the provider says.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_INSIDES_H
#define EVENKEEL_TEST_RUNTIME_INSIDES_H

#include "core/reserved.h"
#include "providers/provider.h"
#include <cstddef>
#include <vector>

inline constexpr size_t MiB = 1 << 20, Page = EK_PAGE_BYTES;

inline std::vector<int> tiersOf(void *P, size_t Bytes) {
  std::vector<void *> Pages;
  for (size_t At = 0; At < Bytes; At += Page)
    Pages.push_back(static_cast<char *>(P) + At);
  std::vector<int> Tiers(Pages.size(), -2);
  ek_provider_now->query(Pages.data(), Pages.size(), Tiers.data());
  return Tiers;
}

inline size_t inFast(void *P, size_t Bytes) {
  size_t N = 0;
  for (int T : tiersOf(P, Bytes))
    N += T == 0;
  return N * Page;
}

#endif
