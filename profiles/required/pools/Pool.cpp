//===- Pool.cpp - pools by kind -------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Pool.h.
//===----------------------------------------------------------------------===//
#include "Pool.h"

namespace evenkeel::required {

const char *poolName(PoolKind K) {
  switch (K) {
  case PoolKind::Gtbm:
    return "gtbm";
  case PoolKind::BestFit:
    return "best-fit";
  case PoolKind::Buddy:
    return "buddy";
  case PoolKind::Caching:
    return "caching";
  }
  return "";
}

std::unique_ptr<Pool> makePool(PoolKind K, uint64_t Capacity,
                               uint64_t Reclaimed) {
  switch (K) {
  case PoolKind::Gtbm:
    return makeGtbm(Capacity, Reclaimed);
  case PoolKind::BestFit:
    return makeBestFit(Capacity);
  case PoolKind::Buddy:
    return makeBuddy(Capacity);
  case PoolKind::Caching:
    return makeCaching(Capacity);
  }
  return nullptr;
}

} // namespace evenkeel::required
