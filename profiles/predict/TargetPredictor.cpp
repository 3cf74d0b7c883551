//===- TargetPredictor.cpp - repeated prediction of one target ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TargetPredictor.h. With a folded base, finished phases are predicted,
// too: as long as no new size or value becomes known, the prediction does not
// change during the run, and the last Problem is reused.
//===----------------------------------------------------------------------===//
#include "TargetPredictor.h"
#include "PredictionCache.h"
#include <algorithm>

using namespace evenkeel;
using namespace evenkeel::prediction;

struct TargetPredictor::State {
  MaybeError Bad; // the error in the request
  std::string Fast;
  bool Folded = false;
  std::unique_ptr<const PredictionTables> Tables;
  std::optional<PredictionCache> Cache;
  /// With a folded base: the sizes for which P was last made, without values.
  std::optional<std::vector<PredictedInstance>> Last;
  Problem P;
};

TargetPredictor::TargetPredictor(const PlanRequest &R)
    : Its(std::make_unique<State>()) {
  Its->Fast = R.Fast;
  Its->Folded = !R.Base->Like.empty();
  Expected<std::unique_ptr<const PredictionTables>> Tables =
      makePredictionTables(R);
  if (!Tables) {
    Its->Bad = Tables.takeError();
    return;
  }
  Its->Tables = std::move(*Tables);
  Its->Cache.emplace(*Its->Tables, R.Use, R.M->GHz);
}
TargetPredictor::~TargetPredictor() = default;

static bool sameSizes(const std::vector<PredictedInstance> &A,
                      const std::vector<PredictedInstance> &B) {
  return std::equal(A.begin(), A.end(), B.begin(), B.end(),
                    [](const PredictedInstance &X, const PredictedInstance &Y) {
                      return keyOf(nameOf(X)) == keyOf(nameOf(Y)) &&
                             X.Bytes == Y.Bytes && X.AllocPhase == Y.AllocPhase;
                    });
}

Expected<Problem>
TargetPredictor::predict(const std::vector<PredictedInstance> &KnownSizes,
                         uint32_t From,
                         const std::vector<KnownSymbol> &KnownSymbols) {
  if (Its->Bad)
    return *Its->Bad;
  if (Its->Folded && Its->Last && KnownSymbols.empty() &&
      sameSizes(KnownSizes, *Its->Last))
    return Its->P;
  Problem P =
      Its->Cache->predict(KnownSizes, Its->Folded ? 0 : From, KnownSymbols);
  Expected<uint64_t> Fast =
      parseFastSize(Its->Fast, static_cast<uint64_t>(P.PeakBytes));
  if (!Fast)
    return Fast.takeError();
  P.FastBytes = static_cast<double>(*Fast);
  if (!Its->Folded)
    return P;
  Its->Last.reset();
  if (KnownSymbols.empty()) {
    Its->Last = KnownSizes;
    Its->P = P;
  }
  return P;
}

uint32_t TargetPredictor::kindOf(uint32_t Phase) const {
  return Its->Tables && Phase < Its->Tables->Base.Kinds.Of.size()
             ? Its->Tables->Base.Kinds.Of[Phase]
             : AnyKind;
}

std::optional<double> TargetPredictor::expected(uint64_t Symbol) const {
  if (!Its->Tables)
    return std::nullopt;
  const ValuesBySymbol &Given = Its->Tables->FromPeople;
  if (auto It = Given.find(Symbol); It != Given.end() && It->second.Program)
    return It->second.Program;
  const BaseSymbols &Base = Its->Tables->Base.Symbols;
  auto It = Base.find(Symbol);
  return It != Base.end() && It->second.OneValue ? It->second.First
                                                 : std::nullopt;
}
