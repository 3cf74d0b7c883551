//===- TargetPredictor.cpp - from a base profile to demands ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the order of the steps: values, sizes, demands (predict/), and
// what of them has to be done again when a hook knows more.
// Makes: a Problem.
// Leaves out: other numbers of phases or instances than the base had; threads
// are Threads.h's.
//===----------------------------------------------------------------------===//
#include "TargetPredictor.h"
#include "Extrapolator.h"
#include <algorithm>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

void Extrapolator::readLike() {
  Like = B.Like;
  for (uint32_t H = uint32_t(Like.size()); H < B.Phases.size(); ++H)
    Like.push_back(H);
  Times.assign(Like.size(), 0);
  LastLike.assign(Like.size(), 0);
  for (uint32_t H = 0; H < Like.size(); ++H) {
    ++Times[Like[H]];
    LastLike[Like[H]] = H;
  }
}

MaybeError Extrapolator::start() {
  if (B.Tasks.empty())
    return Error{"empty profile: no task was recorded; record it with "
                 "`evenkeel record`"};
  if (B.Role == "target")
    return Error{"the profile has the role 'target': a plan must not be made "
                 "from the run it is for; record a base input with "
                 "`evenkeel record`"};
  readLike();
  readBase();
  readDependences();
  if (MaybeError E = readGiven())
    return E;
  follow();
  inheritMeasured();
  findFills();
  findJointFills();
  findPhaseKinds();
  readDemands();
  findParts();
  readUsual();
  fitSizeGrowths();
  levelTeams();
  GivenTarget = Target;
  return std::nullopt;
}

Extrapolator::Extrapolator(const PlanRequest &R)
    : R(R), F(*R.F), B(*R.Base), Defined(F, B) {
  Bad = start();
}

static bool sameSizes(const std::vector<PredictedInstance> &A,
                      const std::vector<PredictedInstance> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const PredictedInstance &X, const PredictedInstance &Y) {
                      return keyOf(nameOf(X)) == keyOf(nameOf(Y)) &&
                             X.Bytes == Y.Bytes && X.AllocPhase == Y.AllocPhase;
                    });
}

Expected<Problem> Extrapolator::run(const std::vector<PredictedInstance> &Known,
                                    uint32_t First,
                                    const std::vector<KnownSymbol> &Symbols) {
  if (Bad)
    return *Bad;
  // Of a folded base phases that are over are predicted, too: nothing changes
  // as the run goes on.
  if (!B.Like.empty() && Last && Symbols.empty() && sameSizes(Known, *Last))
    return P;
  learn(Symbols);
  const bool KnewSizes = KnowsSizes;
  KnowsSizes = !Known.empty();
  From = B.Like.empty() ? First : 0;
  P = Problem();
  SizeRatio.clear();
  Counted.clear();
  Target = GivenTarget;
  // Whether any size is known changes what symbols without a value stand for.
  if (!HaveSiteAccesses || KnewSizes != KnowsSizes) {
    refresh(GivenCounts);
    programWork();
    siteAccesses();
    HaveSiteAccesses = true;
  }
  sizes(Known);
  sizeSymbols();
  inheritMeasured();
  followAlike();
  refresh(Counts);
  fitPowerLaws();
  units();
  tasks();
  for (auto [Method, N] : Counted)
    P.Methods[Method] += N;
  if (knowsTarget() && TeamsLevelled)
    P.Methods["gathers: the team's rate for all its tasks"] += TeamsLevelled;
  std::set<uint32_t> Comes{0}; // phases with something new
  for (const PredictedInstance &I : P.Instances)
    Comes.insert(I.AllocPhase);
  for (uint32_t H : Comes) {
    if (H >= P.Phases.size())
      continue;
    double Live = 0;
    for (const PredictedInstance &I : P.Instances)
      if (isLive(I, H))
        Live += I.Bytes;
    P.PeakBytes = std::max(P.PeakBytes, Live);
  }
  Expected<uint64_t> Fast =
      parseFastSize(R.Fast, static_cast<uint64_t>(P.PeakBytes));
  if (!Fast)
    return Fast.takeError();
  P.FastBytes = static_cast<double>(*Fast);
  if (B.Like.empty())
    return std::move(P);
  Last.reset();
  if (Symbols.empty())
    Last = Known;
  return P;
}

} // namespace extrapolation

TargetPredictor::TargetPredictor(const PlanRequest &R)
    : Own(std::make_unique<extrapolation::Extrapolator>(R)) {}
TargetPredictor::~TargetPredictor() = default;

Expected<Problem>
TargetPredictor::predict(const std::vector<PredictedInstance> &KnownSizes,
                         uint32_t From,
                         const std::vector<KnownSymbol> &KnownSymbols) {
  return Own->run(KnownSizes, From, KnownSymbols);
}

bool TargetPredictor::learn(const Owners &Now) { return Own->learn(Now); }

const Owners &TargetPredictor::owners() const { return Own->owners(); }

} // namespace evenkeel

Expected<Problem> evenkeel::predictTarget(const PlanRequest &R) {
  return TargetPredictor(R).predict(R.KnownSizes, 0, R.KnownSymbols);
}
