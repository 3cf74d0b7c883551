//===- WorkingSet.cpp - bytes in use, window by window --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WorkingSet.h.
//===----------------------------------------------------------------------===//
#include "WorkingSet.h"
#include <algorithm>
#include <numeric>

namespace evenkeel::cli {

Distribution distributionOf(std::vector<double> Values) {
  Distribution D;
  if (Values.empty())
    return D;
  std::sort(Values.begin(), Values.end());
  const size_t N = Values.size();
  D.Mean = std::accumulate(Values.begin(), Values.end(), 0.0) / double(N);
  for (size_t I = 0; I < ShownPercentiles.size(); ++I)
    D.At[I] = Values[std::min(N - 1, N * ShownPercentiles[I] / 100)];
  return D;
}

WorkingSet workingSetOf(const TouchRecord &R, uint32_t Process, bool Single) {
  WorkingSet W;
  std::vector<size_t> Place(R.Passes.size(), SIZE_MAX); // among its own
  for (size_t I = 0; I < R.Passes.size(); ++I)
    if (const TouchPass &P = R.Passes[I]; P.Process == Process) {
      Place[I] = W.Seconds.size();
      W.Seconds.push_back(double(P.TimeNs) / 1e9);
      W.WindowSeconds += double(P.WindowNs) / 1e9;
    }
  const size_t N = W.Seconds.size();
  if (N)
    W.WindowSeconds /= double(N);
  W.Touched.resize(N);
  W.Resident.resize(N);
  const TouchGroups G = groupsOf(R, Single, Process);
  std::vector<WorkingSetRow> Rows(G.List.size());
  for (const TouchRow &X : R.Rows) {
    const size_t At = Place[X.Pass];
    if (At == SIZE_MAX)
      continue;
    const double Used = usedPages(X) * R.PageBytes;
    W.Touched[At] += Used;
    W.Resident[At] += double(X.Resident) * R.PageBytes;
    WorkingSetRow &Row = Rows[G.Of[X.Object]];
    Row.Touched.resize(N);
    Row.Touched[At] += Used;
    Row.Mean += Used / double(N);
  }
  for (size_t I = 0; I < Rows.size(); ++I)
    if (Rows[I].Mean > 0) {
      Rows[I].Its = G.List[I];
      W.Rows.push_back(std::move(Rows[I]));
    }
  std::sort(W.Rows.begin(), W.Rows.end(),
            [](auto &A, auto &B) { return A.Its.Rank < B.Its.Rank; });
  return W;
}

} // namespace evenkeel::cli
