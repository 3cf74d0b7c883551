//===- migrate.cpp - pages moved in a second, against a bare loop ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A harness, not a test: moves an object between the first and the last tier
// and back, once by nothing but move_pages(2) in batches of as many pages as
// the runtime's, once by the runtime: a plan that changes at a hook, the helper
// thread, accounts and per-page status, without a bound on its rate. In turns,
// in either order; the median of the ratios of neighbours with the quartiles,
// as the machine does other work as well; and the share of the runtime's time
// inside its system calls. Needs two nodes; the guest has them (test/guest).
//
//   ek-bench-migrate [MIB [ROUNDS]]
//===----------------------------------------------------------------------===//
#include "placement/moves/migrate.h"
#include "../scoped_plan.h"
#include "core/options.h"
#include "core/state.h"
#include "core/stats.h"
#include "evenkeel/ek.h"
#include "objects/extent.h"
#include "providers/provider.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

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

double quantile(std::vector<double> All, double Q) {
  std::sort(All.begin(), All.end());
  return All[static_cast<size_t>(Q * static_cast<double>(All.size() - 1))];
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
  const int Rounds = Argc > 2 ? std::atoi(Argv[2]) : 9;
  std::vector<double> Ratio[2], Speed[2],
      InCalls[2]; // out of the fast tier, in
  for (int Round = 0; Round < Rounds; ++Round) {
    double Bare[2], Ours[2];
    for (int Turn : {0, 1})
      for (int Up : {1, 0}) {
        if (Turn == Round % 2) {
          Bare[Up] = bare(P, Bytes, Up ? Fast : Slow);
          continue;
        }
        const uint64_t Calls = ek_get(move_ns);
        Ours[Up] = ours(Plan, Bytes / Page, Up);
        InCalls[Up].push_back(double(ek_get(move_ns) - Calls) * 1e-9 /
                              Ours[Up]);
      }
    for (int Up : {1, 0}) {
      Ratio[Up].push_back(Bare[Up] / Ours[Up]);
      Speed[Up].push_back(double(Bytes) * 1e-6 / Ours[Up]);
    }
  }
  for (int Up : {1, 0})
    std::printf(
        "%s: %.0f MB/s, of move_pages alone: ratio %.2f (%.2f to %.2f), "
        "%.0f %% inside calls\n",
        Up ? "into the fast tier" : "out of the fast tier",
        quantile(Speed[Up], 0.5), quantile(Ratio[Up], 0.5),
        quantile(Ratio[Up], 0.25), quantile(Ratio[Up], 0.75),
        100 * quantile(InCalls[Up], 0.5));
  ek_free(P);
  return 0;
}
