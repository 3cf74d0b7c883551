//===- LastLevel.cpp - a record with another last level -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See LastLevel.h.
//===----------------------------------------------------------------------===//
#include "LastLevel.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace evenkeel {

double fetchedAt(const ek_raw_mrc &C, const uint32_t *Sizes, double Bytes) {
  const uint32_t *Below = nullptr, *Above = nullptr;
  for (const uint32_t *S = Sizes; S != Sizes + EK_RAW_LLC_SIZES; ++S) {
    if (*S && *S <= Bytes && (!Below || *S > *Below))
      Below = S;
    if (*S && *S >= Bytes && (!Above || *S < *Above))
      Above = S;
  }
  if (!Below && !Above)
    return 0;
  Below = Below ? Below : Above;
  Above = Above ? Above : Below;
  double Low = double(C.reads[Below - Sizes]),
         High = double(C.reads[Above - Sizes]);
  if (*Below == *Above)
    return Low;
  double Part = std::log(Bytes / *Below) / std::log(double(*Above) / *Below);
  return Low + Part * (High - Low);
}

namespace {

using TaskObject = std::pair<uint32_t, uint32_t>; // rows

struct Sums {
  double Reads = 0, Writes = 0, Weight = 0;
};

/// Rounds a sequence of fractions so that the running sums agree.
class Rounded {
  double Exact = 0, Given = 0;

public:
  uint32_t next(double V) {
    Exact += V;
    double Out = std::floor(Exact - Given + 0.5);
    Given += Out;
    return uint32_t(std::clamp(Out, 0.0, 4294967295.0));
  }
};

} // namespace

Expected<MissRecord> withLastLevel(const MissRecord &R, uint64_t Bytes) {
  const uint32_t *Sizes = R.Config.llc_sizes;
  if (R.Curves.empty() || std::all_of(Sizes, Sizes + EK_RAW_LLC_SIZES,
                                      [](uint32_t S) { return S == 0; }))
    return Error{"the record has no miss-ratio curves, so another last level "
                 "cannot be judged"};
  const double Share = double(Bytes) / std::max(1u, R.Config.workers);
  std::map<TaskObject, Sums> Own;
  std::vector<Sums> OfObject(R.Instances.size());
  for (const ek_raw_page &P : R.Pages)
    for (Sums *S : {&Own[{P.task, P.inst}], &OfObject[P.inst]}) {
      S->Reads += P.reads;
      S->Writes += P.writes;
      S->Weight += double(P.weight);
    }
  std::map<TaskObject, double> Factor;
  MissRecord Out = R;
  Out.Config.llc_share_bytes = uint32_t(std::min(Share, 4294967295.0));
  std::vector<ek_raw_page> Fresh;
  for (const ek_raw_mrc &C : R.Curves) {
    double New = fetchedAt(C, Sizes, Share);
    const Sums &S = Own[{C.task, C.inst}];
    if (S.Reads > 0) {
      Factor[{C.task, C.inst}] = New / S.Reads;
      continue;
    }
    const Sums &Typical = OfObject[C.inst];
    const uint64_t Pages = (R.Instances[C.inst].bytes + EK_PAGE - 1) / EK_PAGE;
    if (New < 1 || !Pages)
      continue;
    const uint64_t Quanta =
        R.Tasks[C.task].core_cycles / R.Config.quantum_cycles + 1;
    const double Writes =
        Typical.Reads > 0 ? Typical.Writes / Typical.Reads : 0;
    const double Weight =
        Typical.Reads > 0 ? Typical.Weight / Typical.Reads : 1;
    Rounded Reads, Written;
    for (uint64_t P = 0; P < Pages; ++P) {
      uint32_t N = Reads.next(New / double(Pages));
      uint32_t W = Written.next(Writes * New / double(Pages));
      if (N || W)
        Fresh.push_back({C.task, uint32_t(P * Quanta / Pages), C.inst,
                         uint32_t(P), N, W, float(N * Weight), 0});
    }
  }
  std::map<TaskObject, std::pair<Rounded, Rounded>> Running;
  Out.Pages.clear();
  for (ek_raw_page P : R.Pages) {
    auto At = Factor.find({P.task, P.inst});
    // For objects without fetches (only write-backs), other sizes are unknown.
    double F = At == Factor.end() ? 1 : At->second;
    auto &[Reads, Writes] = Running[{P.task, P.inst}];
    uint32_t N = Reads.next(P.reads * F), W = Writes.next(P.writes * F);
    if (!N && !W)
      continue;
    P.weight = float(double(P.weight) * F);
    P.dependent = uint32_t(std::min(double(N), P.dependent * F));
    P.reads = N;
    P.writes = W;
    Out.Pages.push_back(P);
  }
  if (!Fresh.empty()) {
    Out.Pages.insert(Out.Pages.end(), Fresh.begin(), Fresh.end());
    std::sort(Out.Pages.begin(), Out.Pages.end(),
              [](const ek_raw_page &A, const ek_raw_page &B) {
                return std::tie(A.task, A.quantum, A.inst, A.page) <
                       std::tie(B.task, B.quantum, B.inst, B.page);
              });
  }
  return Out;
}

} // namespace evenkeel
