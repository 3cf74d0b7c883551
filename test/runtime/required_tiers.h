//===- required_tiers.h - required tiers for tests ----------------*- C++ -*-=//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a provider that only notes where pages are; objects of a program; both
// kinds of tiers as parameters of a test.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_RUNTIME_REQUIRED_TIERS_H
#define EVENKEEL_TEST_RUNTIME_REQUIRED_TIERS_H

#include "core/reserved.h"
#include "core/stats.h"
#include "providers/provider.h"
#include "required/residence.h"

#include "gtest/gtest.h"
#include <atomic>
#include <map>
#include <mutex>
#include <random>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace evenkeel::acquire;

namespace {
std::mutex PagesLock;
std::map<uintptr_t, unsigned> TierOf;
size_t Fast = 0, MostFast = 0;

size_t moveAll(void **Pages, size_t Count, unsigned Tier, int *Status) {
  std::lock_guard<std::mutex> G(PagesLock);
  for (size_t I = 0; I < Count; ++I) {
    auto [It, New] = TierOf.emplace(uintptr_t(Pages[I]), 1);
    Fast += It->second != 0 && Tier == 0;
    Fast -= It->second == 0 && Tier != 0;
    It->second = Tier;
    Status[I] = 0;
  }
  MostFast = std::max(MostFast, Fast);
  return Count;
}

ek_provider noting() {
  ek_provider P = {};
  P.move = moveAll;
  return P;
}
const ek_provider Noting = noting();

[[maybe_unused]] bool isFast(uintptr_t From, uintptr_t To) {
  std::lock_guard<std::mutex> G(PagesLock);
  for (uintptr_t P = From / EK_PAGE_BYTES * EK_PAGE_BYTES; P < To;
       P += EK_PAGE_BYTES)
    if (!TierOf.count(P) || TierOf[P] != 0)
      return false;
  return true;
}
} // namespace

const ek_provider *ek_provider_now = &Noting;
ek_tier ek_tiers[EK_MAX_TIERS];
unsigned ek_tier_count = 2;

namespace {

enum class Kind { Copies, Pages };

std::unique_ptr<Residence> make(Kind K, uint64_t Capacity, unsigned Ahead = 0) {
  std::lock_guard<std::mutex> G(PagesLock);
  TierOf.clear();
  Fast = MostFast = 0;
  return std::make_unique<Residence>(K == Kind::Copies ? makeCopies(Capacity, 0)
                                                       : makePages(Capacity, 0),
                                     Ahead);
}

/// Objects of the program, one after the other.
struct Memory {
  std::vector<uint32_t> Words;
  std::vector<Range> Objects;
  explicit Memory(const std::vector<size_t> &Sizes) {
    size_t All = 0;
    for (size_t S : Sizes)
      All += S;
    Words.resize(All);
    uintptr_t At = uintptr_t(Words.data());
    for (size_t S : Sizes) {
      Objects.push_back({At, At + S * sizeof(uint32_t)});
      At += S * sizeof(uint32_t);
    }
  }
};

Wanted want(const Range &R, bool Reads = true, bool Writes = true) {
  return {R, Reads, Writes};
}

class Tiers : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Residence, Tiers,
                         testing::Values(Kind::Copies, Kind::Pages),
                         [](const auto &I) {
                           return I.param == Kind::Copies ? "Copies" : "Pages";
                         });

} // namespace

#endif
