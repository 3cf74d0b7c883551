//===- migrate.cpp - pages moved in a second, against a bare loop ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness, not a test: moves an object between the first and the last tier
// and back, once by nothing but move_pages(2) in batches of as many pages as
// the runtime's, once by the runtime: a plan that changes at a hook, the helper
// thread, books and per-page status, without a bound on its rate. Turn about,
// best of three. Needs two nodes; the guest has them (test/guest).
//
//   ek-bench-migrate [MIB]
//===----------------------------------------------------------------------===//
#include "migrate.h"
#include "../scoped_plan.h"
#include "evenkeel/ek.h"
#include "extent.h"
#include "options.h"
#include "provider.h"
#include "raw.h"
#include "stats.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>

namespace {

constexpr size_t Page = EK_PAGE_BYTES;

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

int nodeOf(void *P) {
  int Node = -1;
  syscall(SYS_move_pages, 0, 1ul, &P, nullptr, &Node, 0);
  return Node;
}

/// Seconds; all pages are on the node afterwards, or the program ends.
double bare(char *P, size_t Bytes, int Node) {
  void *Pages[EK_BATCH];
  int Nodes[EK_BATCH], Status[EK_BATCH];
  std::fill(Nodes, Nodes + EK_BATCH, Node);
  const double Start = now();
  for (size_t At = 0; At < Bytes; At += EK_BATCH * Page) {
    const size_t Count = std::min<size_t>(EK_BATCH, (Bytes - At) / Page);
    for (size_t I = 0; I < Count; ++I)
      Pages[I] = P + At + I * Page;
    if (syscall(SYS_move_pages, 0, Count, Pages, Nodes, Status, 2) != 0 ||
        Status[Count - 1] != Node)
      std::abort();
  }
  return now() - Start;
}

double ours(ScopedPlan &Plan, size_t Pages, double Share) {
  ek_plan_change C{};
  C.phase = ek_phase_now + 1;
  C.entry = &Plan.Object;
  C.share = Share;
  Plan.Plan.changes = &C;
  Plan.Plan.change_count = 1;
  Plan.Plan.changes_done = 0;
  const uint64_t Moved = ek_get(moved_pages);
  const double Start = now();
  ek_sync(1, EK_SERIAL);
  ek_migrate_wait();
  const double Took = now() - Start;
  if (ek_get(moved_pages) - Moved != Pages)
    std::abort();
  return Took;
}

} // namespace

int main(int Argc, char **Argv) {
  const size_t Bytes = (Argc > 1 ? std::strtoul(Argv[1], nullptr, 10) : 64)
                       << 20;
  ek_opt.migrate = EK_UNLIMITED;
  ek_opt.migrate_rate = 0;
  if (ek_tier_count < 2 || std::strcmp(ek_provider_now->name, "numa") != 0) {
    std::puts("needs two nodes with memory, and EVENKEEL_PROVIDER=numa");
    return 2;
  }
  ScopedPlan Plan(0x400, 0);
  auto *P = static_cast<char *>(ek_malloc(0x400, Bytes));
  std::memset(P, 1, Bytes);
  const int Slow = nodeOf(P);
  ours(Plan, Bytes / Page, 1); // the helper starts
  const int Fast = nodeOf(P);
  ours(Plan, Bytes / Page, 0);
  double Best[4] = {1e9, 1e9, 1e9, 1e9}; // bare up, down; ours up, down
  for (int Round = 0; Round < 3; ++Round) {
    Best[0] = std::min(Best[0], bare(P, Bytes, Fast));
    Best[1] = std::min(Best[1], bare(P, Bytes, Slow));
    Best[2] = std::min(Best[2], ours(Plan, Bytes / Page, 1));
    Best[3] = std::min(Best[3], ours(Plan, Bytes / Page, 0));
  }
  const double MB = double(Bytes) * 1e-6;
  for (int Up : {0, 1})
    std::printf("%s: move_pages %.0f MB/s, evenkeel %.0f MB/s, ratio %.2f\n",
                Up ? "out of the fast tier" : "into the fast tier",
                MB / Best[Up], MB / Best[2 + Up], Best[Up] / Best[2 + Up]);
  ek_free(P);
  return 0;
}
