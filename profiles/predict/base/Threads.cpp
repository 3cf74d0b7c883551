//===- Threads.cpp - convert a base profile to other thread counts --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Threads.h. Each step adds tables to the new profile, from those that the
// steps before it made.
//===----------------------------------------------------------------------===//
#include "Threads.h"
#include "threads/Rows.h"
#include "threads/Symbols.h"
#include <algorithm>

using namespace evenkeel;

static Profile convert(const Profile &B, const Facts &F, unsigned Old,
                       unsigned New) {
  Profile Out;
  Out.Role = B.Role;
  Out.Ended = B.Ended;
  Out.Mode = B.Mode;
  Out.Input = B.Input;
  Out.Command = B.Command;
  Out.Config = B.Config;
  Out.OneIn = B.OneIn;
  Out.Races = B.Races;
  const threads::Shares By = threads::shareTasks(B, Old, New, Out);
  const threads::Formulas Of(B, F, By);
  const threads::Objects Which = threads::shareObjects(B, F, By, Of, Out);
  threads::shareRows(B, By, Of, Which, Out);
  threads::shareSymbols(B, F, By, Of, Out);
  return Out;
}

unsigned evenkeel::threadsOf(const Profile &Base) {
  unsigned Most = 1;
  for (const ek_raw_phase &H : Base.Phases)
    Most = std::max(Most, H.kind == 1 ? H.width : 1);
  return Most;
}

Expected<Profile> evenkeel::withThreads(const Profile &Base, const Facts &F,
                                        unsigned Threads) {
  if (!Threads || Threads > MostThreads)
    return Error{"--threads is a number from 1 to " +
                 std::to_string(MostThreads)};
  if (!Base.Ranks.empty())
    return Error{"--threads: the base profile is of an MPI program; record it "
                 "with as many ranks and threads as the target will have"};
  const unsigned Old = threadsOf(Base);
  if (Old == Threads)
    return Base;
  if (Old > MostThreads)
    return Error{"--threads: the base profile has teams of " +
                 std::to_string(Old) + " threads; at most " +
                 std::to_string(MostThreads) + " can be converted"};
  if (Old == 1)
    return Error{"--threads: the base profile has no team of threads; record "
                 "it with two at least"};
  return convert(Base, F, Old, Threads);
}
