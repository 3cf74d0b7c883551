//===- stacks_target.cpp - stacks.json as the preloaded runtime reads it --===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tables that were accepted are written and read with equal text, and
// any chain of addresses through one ends with an answer that it names.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/Stacks.h"
extern "C" {
#include "runtime/calls/stacks.h"
}
#include <algorithm>
#include <set>

using namespace evenkeel;
using namespace ekfuzz;

static void checkAnswers(const Stacks &S, const ek_stacks *Flat) {
  std::set<uint64_t> Sites;
  for (const StackFrame &F : S.Frames)
    Sites.insert(F.Sites.begin(), F.Sites.end());
  for (const StackContext &C : S.Contexts)
    Sites.insert(C.Site);
  for (size_t M = 0; M < Flat->module_count; ++M) {
    const ek_stack_module &X = Flat->modules[M];
    for (const StackSync &Y : S.Modules[M].Syncs) {
      EK_HOLDS(ek_stack_sync_at(&X, Y.From, Y.isMpi()) == Y.Sync &&
                   ek_stack_sync_at(&X, Y.To - 1, Y.isMpi()) == Y.Sync,
               "a sync point is not found");
      EK_HOLDS(!ek_stack_sync_at(&X, Y.From, !Y.isMpi()),
               "a sync point of another kind");
    }
    // Every stack of up to three neighbouring ranges, and their ends.
    for (size_t I = 0; I < std::min<size_t>(X.range_count, 64); ++I)
      for (uint64_t Off : {uint64_t(0), X.ranges[I].to - X.ranges[I].from}) {
        ek_stack_state State{};
        ek_stack_end End = EK_STACK_OPEN;
        for (size_t K = I; K < std::min(X.range_count, I + 3); ++K)
          if (End == EK_STACK_OPEN)
            End = ek_stack_step(Flat, &X, X.ranges[K].from + Off, &State);
        ek_asked Asked{};
        if (ek_stack_answer(Flat, &State, End, &Asked) == EK_STACK_SITE)
          EK_HOLDS(Sites.count(Asked.site), "a site from nowhere");
      }
  }
}

bool ekfuzz::runStacks(const std::string &Input) {
  std::string Path = scratchFile("in", Input);
  Expected<Stacks> S = readStacks(Path);
  char Why[512] = "";
  ek_stacks *Flat = ek_stacks_read(Path.c_str(), Why, sizeof Why);
  EK_HOLDS(bool(Flat) == bool(S), "only one side accepts the table");
  if (!S) {
    checkError(S.message());
    EK_HOLDS(Why[0], "a table is refused without a reason");
    return false;
  }
  std::string Text = stacksToJson(*S);
  Expected<Stacks> Again = readStacks(scratchFile("out", Text));
  EK_HOLDS(bool(Again), "a written table is refused: " + Again.message());
  EK_HOLDS(stacksToJson(*Again) == Text, "a table differs after a round trip");
  checkAnswers(*S, Flat);
  ek_stacks_free(Flat);
  return true;
}
