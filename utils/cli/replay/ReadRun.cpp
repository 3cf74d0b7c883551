//===- ReadRun.cpp - the recorded run on the command line -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ReadRun.h.
//===----------------------------------------------------------------------===//
#include "ReadRun.h"
#include "predict/base/Threads.h"
#include "problem/ReachedTiers.h"
#include "simulator/LastLevel.h"
#include <algorithm>
#include <cstdio>
#include <tuple>

using namespace evenkeel;
using namespace evenkeel::cli;

/// Whether plans are for another number of ranks than the record has. Prints
/// that, because the runtime would not carry them out.
static bool saysOtherRanks(const std::optional<Plan> &Given,
                           const std::optional<PlanInputs> &In,
                           const MissRecord &Record) {
  if (!Given && !In)
    return false;
  const size_t Plans = Given ? Given->Ranks.size() : In->Base.Ranks.size();
  if (std::max<size_t>(Plans, 1) == std::max<size_t>(Record.Ranks.size(), 1))
    return false;
  std::fprintf(stderr,
               "evenkeel: other-ranks: the %s has %zu ranks, the record %zu: "
               "plans are not carried out, first touch is kept\n",
               Given ? "plan" : "base profile", std::max<size_t>(Plans, 1),
               std::max<size_t>(Record.Ranks.size(), 1));
  return true;
}

/// Checks that \p Prefix, read from \p Path, is the beginning of \p Judged.
static void checkBeginning(const Profile &Prefix, const std::string &Path,
                           const Profile &Judged, const Args &A) {
  const bool SameInput = Prefix.Input == Judged.Input;
  const size_t N = std::min(Prefix.Phases.size(), Judged.Phases.size());
  size_t At = 0;
  while (At < N && Prefix.Phases[At].sync == Judged.Phases[At].sync)
    ++At;
  // The last phase of a record may be incomplete.
  if (SameInput && (At + 1 >= N || At + 1 >= Prefix.Phases.size()))
    return;
  fail("'" + Path + "' is not the beginning of the run in '" +
       A.text("--record") + "': " +
       (SameInput ? "phase " + std::to_string(At) +
                        " ends at another sync point; use "
                        "--allow-other-phases if data or scheduling determine "
                        "the phases"
                  : "they have other inputs; record both with the same "
                    "arguments and files"));
}

/// Checks that phases and threads match: replay needs the plan of each.
static void checkAlike(const Profile &Base, const Profile &Judged,
                       const Args &A) {
  const std::string Names = "'" +
                            A.text(A.has("--base") ? "--base" : "--plan") +
                            "' and '" + A.text("--record") + "' have ";
  auto And = [](size_t X, size_t Y) {
    return std::to_string(X) + " and " + std::to_string(Y);
  };
  if (Base.Ranks.size() != Judged.Ranks.size())
    return; // reported already; plans are not carried out
  const unsigned Threads = threadsOf(Base), Wanted = threadsOf(Judged);
  if (Threads != Wanted)
    fail(Names + "teams of " + And(Threads, Wanted) +
         " threads; record a base input with as many as the target has, or "
         "use --threads " +
         std::to_string(Wanted));
  if (A.has("--allow-other-phases"))
    return;
  if (Base.Role == "prefix")
    return checkBeginning(Base, A.text(A.has("--base") ? "--base" : "--plan"),
                          Judged, A);
  auto Created = [](const Profile &P) {
    return size_t(std::count_if(P.Tasks.begin(), P.Tasks.end(),
                                [](auto &T) { return T.flags & 1; }));
  };
  const bool Phases = Base.Phases.size() != Judged.Phases.size();
  // A folded profile does not list all of its tasks.
  if (Phases || (Base.Like.empty() && Created(Base) != Created(Judged)))
    fail(Names +
         (Phases ? And(Base.Phases.size(), Judged.Phases.size()) + " phases"
                 : And(Created(Base), Created(Judged)) + " created tasks") +
         "; record a base input with as many iterations as the target has, or "
         "use --allow-other-phases if data determine their number");
}

/// --llc: converts the record to a last level of that size.
static void changeLastLevel(const Args &A, MissRecord &Record) {
  if (A.has("--profile-of-target"))
    fail("--llc changes the record that --profile-of-target plans from; give "
         "one of them");
  uint64_t Bytes = orFail(parseFastSize(A.text("--llc"), 0));
  if (!Bytes)
    fail("--llc is a size like 8MiB, not '" + A.text("--llc") + "'");
  Record = orFail(withLastLevel(Record, Bytes));
}

/// A record has no hash of the facts, but its sites can be compared.
static void checkSites(const Plan &Given, const MissRecord &Record,
                       const Args &A) {
  if (Given.Objects.empty())
    return;
  for (const PlanObject &O : Given.Objects)
    for (const ek_raw_inst &X : Record.Instances)
      if (X.site == O.Site)
        return;
  fail("plan '" + A.text("--plan") + "' is for another program than '" +
       A.text("--record") + "': no site of it was recorded");
}

static void readRecord(const Args &A, JudgedRun &J) {
  J.Record = orFail(readMissRecord(A.require("--record")));
  if (J.Record.Role == "prefix")
    fail("'" + A.text("--record") +
         "' has the beginning of a run, to plan from; to replay it, record all "
         "of it with --role target");
  if (J.Record.Races)
    std::fprintf(stderr,
                 "evenkeel: the recorded program has data races (%u pairs of "
                 "places): a second record may differ\n",
                 J.Record.Races);
  if (A.has("--llc"))
    changeLastLevel(A, J.Record);
}

/// Reads what plans are made from, and checks the plan to carry out.
static void readPlans(const Args &A, const std::optional<CommandLine> &Target,
                      JudgedRun &J) {
  if (A.has("--facts"))
    J.In = readPlanInputs(A, false, Target.value_or(J.Record.Ran));
  if (J.In) {
    checkAlike(J.In->recorded(), J.Record, A);
    for (const std::string &Note : J.In->Notes)
      std::fprintf(stderr, "evenkeel: %s\n", Note.c_str());
  }
  if (J.Given)
    checkSites(*J.Given, J.Record, A);
  if (A.has("--prefix")) {
    if (!J.In)
      fail("--prefix needs --facts and --base");
    J.Prefix = readPrefixInputs(A, A.text("--prefix"));
    if (!A.has("--allow-other-phases"))
      checkBeginning(J.Prefix->recorded(), A.text("--prefix"), J.Record, A);
  }
  J.OtherRanks = saysOtherRanks(J.Given, J.In, J.Record);
}

/// The amounts of --fast, smallest first, each once.
static std::vector<FastAmount> readAmounts(const Args &A, const Machine &M,
                                           uint64_t Peak) {
  std::vector<FastAmount> Out;
  for (const std::string &Text : splitList(A.require("--fast"), ',')) {
    FastAmount X{Text, orFail(parseFastSize(Text, Peak))};
    if (MaybeError E = checkFastOn(M, X.Bytes))
      fail("--fast " + Text + ": " + E->Message);
    Out.push_back(std::move(X));
  }
  if (Out.empty())
    fail("--fast needs a share (25%) or a size (16GiB)");
  std::sort(Out.begin(), Out.end(),
            [](const FastAmount &X, const FastAmount &Y) {
              return std::tie(X.Bytes, X.Asked) < std::tie(Y.Bytes, Y.Asked);
            });
  Out.erase(std::unique(Out.begin(), Out.end(),
                        [](const FastAmount &X, const FastAmount &Y) {
                          return X.Bytes == Y.Bytes;
                        }),
            Out.end());
  return Out;
}

std::optional<Plan> evenkeel::cli::readGivenPlan(const Args &A) {
  if (A.has("--plan") && A.has("--facts"))
    fail("give either --plan or --facts with --base");
  if (!A.has("--plan"))
    return {};
  return orFail(readPlan(A.text("--plan")));
}

void evenkeel::cli::readRun(const Args &A,
                            const std::optional<CommandLine> &Target,
                            JudgedRun &J) {
  if (A.has("--machine") || J.M.Name.empty())
    J.M = orFail(readMachineToPlan(A.require("--machine")));
  Machine Believed = A.has("--plan-machine")
                         ? orFail(readMachineToPlan(A.text("--plan-machine")))
                         : J.M;
  readRecord(A, J);
  const uint64_t Peak = recordedPeakBytes(J.Record);
  J.Believed = withoutUnreachedTiers(std::move(Believed), double(Peak));
  if (A.has("--fast") || J.Amounts.empty())
    J.Amounts = readAmounts(A, J.M, Peak);
  J.FastBytes = J.Amounts[0].Bytes;
  readPlans(A, Target, J);
  J.Prepared = orFail(prepareRecord(J.Record));
}
