//===- memprof_target.cpp - profiles of MemProf ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: what was accepted has stacks, and figures within their limits; what
// the import gets ends with one line or with a profile whose objects are all
// accessed.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/memprof/FunctionSites.h"
#include "format/memprof/MemProfRun.h"
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::memprof;
using namespace ekfuzz;

static void runsOf(const std::vector<Blocks> &B, const Facts *F) {
  Expected<ecohmem::TracedRun> R = runOfMemProf(B, F, 0);
  if (!R)
    return checkError(R.message());
  EK_HOLDS(R->Objects && R->Record.Instances.size() == R->Objects &&
               R->Record.Accesses.size() == R->Objects,
           "objects are missing");
  EK_HOLDS(R->Seconds > 0 && std::isfinite(R->Seconds), "no duration");
  for (const auto &[Why, Left] : R->Left)
    EK_HOLDS(Left.second >= 0 && Left.second <= 1.000001, "a share above all");
}

bool ekfuzz::runMemProf(const std::string &Input) {
  Expected<std::vector<Blocks>> B = parseMemProf(Input, "in");
  if (!B) {
    checkError(B.message());
    return false;
  }
  for (const Blocks &X : *B)
    EK_HOLDS(!X.Stack.empty(), "blocks without a stack");
  Facts F;
  for (uint64_t Id : {1, 2}) {
    SiteFact S;
    S.Id = Id;
    S.Kind = "malloc";
    S.Function = "f";
    S.At = "a.c:" + std::to_string(10 * Id + 2) + ":7";
    F.Sites.push_back(S);
  }
  runsOf(*B, nullptr);
  runsOf(*B, &F);
  return true;
}
