//===- Moves.h - changes of a plan, and what came of them -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: for tests of moving pages: data with a checksum, a plan that changes
// with the phase, and the books to compare with the kernel's.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_GUEST_MOVES_H
#define EVENKEEL_TEST_GUEST_MOVES_H

#include "Pages.h"
#include "core/options.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "placement/moves/migrate.h"
#include "providers/provider.h"
#include "scoped_plan.h"

inline uint64_t fill(void *P, size_t Bytes, uint64_t Seed) {
  uint64_t Sum = 0;
  auto *W = static_cast<uint64_t *>(P);
  for (size_t I = 0; I < Bytes / 8; ++I) {
    Seed = Seed * 6364136223846793005u + 1442695040888963407u;
    W[I] = Seed;
    Sum = (Sum << 1 | Sum >> 63) ^ Seed;
  }
  return Sum;
}

inline uint64_t checksum(const void *P, size_t Bytes) {
  uint64_t Sum = 0;
  auto *W = static_cast<const uint64_t *>(P);
  for (size_t I = 0; I < Bytes / 8; ++I)
    Sum = (Sum << 1 | Sum >> 63) ^ W[I];
  return Sum;
}

/// What an entry's share is from a phase on.
struct Change {
  ek_plan_change C{};
  Change(ScopedPlan &P, double Share) {
    C.phase = ek_phase_now + 1;
    C.entry = &P.Object;
    C.share = Share;
    C.gain_s = 10;
    C.worth = 1;
    P.Plan.changes = &C;
    P.Plan.change_count = 1;
    P.Plan.changes_done = 0;
  }
};

/// A phase ends, and everything that it wants moved has moved.
inline void nextPhase() {
  ek_sync(1, EK_SERIAL);
  ek_migrate_wait();
  for (int I = 0; I < 10 && ek_migrate_pending; ++I) { // tried again
    ek_sync(1, EK_SERIAL | EK_PARTIAL);
    ek_migrate_wait();
  }
}

/// Bytes that the books see in the fast tier, but for static storage.
struct Live {
  uint64_t Base = ek_use[0].live;
  uint64_t operator()() const { return ek_use[0].live - Base; }
};

/// Why pages did not move, for messages.
inline std::string refusals() {
  std::string S;
  for (auto [Name, Why] : {std::pair("busy", EK_WHY_move_busy),
                           {"no memory", EK_WHY_move_no_memory},
                           {"denied", EK_WHY_move_denied},
                           {"shared", EK_WHY_move_shared},
                           {"other", EK_WHY_move_refused},
                           {"not worth", EK_WHY_move_not_worth},
                           {"budget", EK_WHY_move_budget}})
    S += std::string(Name) + " " + std::to_string(ek_get(why[Why])) + "; ";
  return S + "phase " + std::to_string(ek_phase_now) + ", passes " +
         std::to_string(ek_get(move_passes)) + ", moved " +
         std::to_string(ek_get(moved_pages)) + ", changes " +
         std::to_string(ek_get(plan_changes));
}

struct Counters {
  uint64_t Moved = ek_get(moved_pages), Demoted = ek_get(demoted_pages);
  uint64_t moved() const { return ek_get(moved_pages) - Moved; }
  uint64_t demoted() const { return ek_get(demoted_pages) - Demoted; }
};

#endif
