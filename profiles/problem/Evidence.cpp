//===- Evidence.cpp - what predicted times rest on ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Evidence.h.
//===----------------------------------------------------------------------===//
#include "Evidence.h"

using namespace evenkeel;

namespace {

/// By evidence and reach. Own evidence shows its own error.
constexpr double Bounds[Evidences][Reaches] = {
    {0, 0, 0},
#define EK_TELLING_SHARE(Share)
#define EK_ERRORS(Of, Steady, Gathered, Changed) {Steady, Gathered, Changed},
#include "errors.def"
#undef EK_ERRORS
#undef EK_TELLING_SHARE
};

#define EK_TELLING_SHARE(Share) constexpr double TellingShare = Share;
#define EK_ERRORS(Of, Steady, Gathered, Changed)
#include "errors.def"
#undef EK_ERRORS
#undef EK_TELLING_SHARE

} // namespace

const double evenkeel::TellingShareOfTime = TellingShare;

const char *evenkeel::text(Evidence E) {
  static constexpr const char *Texts[Evidences] = {"own", "known", "sizes",
                                                   "scaled", "kept"};
  return Texts[unsigned(E)];
}

const char *evenkeel::text(Reach R) {
  static constexpr const char *Texts[Reaches] = {"steady", "gathered",
                                                 "changed"};
  return Texts[unsigned(R)];
}

Evidence evenkeel::evidenceOf(CountWay W) {
  switch (W) {
  case CountWay::Base:
    return Evidence::Own;
  case CountWay::Formula:
  case CountWay::FormulaGiven:
  case CountWay::Bases: // shows its own error beside that of the lines
    return Evidence::Known;
  case CountWay::SizeRatio:
    return Evidence::Sizes;
  case CountWay::FormulaNamesake:
  case CountWay::FormulaScaled:
    return Evidence::Scaled;
  case CountWay::FormulaKept:
  case CountWay::WorkRatio:
  case CountWay::BaseCount:
    break;
  }
  return Evidence::Kept;
}

Evidence evenkeel::evidenceOf(const Estimate &E) {
  if (E.Cache == CacheWay::Bases)
    return Evidence::Own;
  // Without a record of misses, hits and misses are a guess.
  return E.Cache == CacheWay::Counted ? Evidence::Kept : evidenceOf(E.Count);
}

Evidence evenkeel::evidenceOf(CoreWay W, const std::vector<Estimate> &Parts) {
  if (W == CoreWay::Bases)
    return Evidence::Own;
  if (W != CoreWay::Accesses)
    return Evidence::Kept;
  double Of[Evidences] = {}, All = 0;
  for (const Estimate &E : Parts) {
    Of[unsigned(evidenceOf(E.Count))] += E.Accesses;
    All += E.Accesses;
  }
  double Sum = 0;
  for (unsigned K = Evidences; K-- > 1;)
    if ((Sum += Of[K]) > 0 && Sum >= TellingShareOfTime * All)
      return Evidence(K);
  return Evidence::Own;
}

Reach evenkeel::reachOf(const Estimate &E) {
  switch (E.Cache) {
  case CacheWay::Fits:
  case CacheWay::NoCurve:
  case CacheWay::Fitted:
  case CacheWay::Counted:
    return Reach::Changed;
  case CacheWay::Same:
  case CacheWay::Curve:
  case CacheWay::Beyond:
  case CacheWay::Bases:
    break;
  }
  return E.Gathered ? Reach::Gathered : Reach::Steady;
}

double evenkeel::boundOf(Evidence E, Reach R) {
  return Bounds[unsigned(E)][unsigned(R)];
}
