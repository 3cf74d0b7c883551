//===- OracleMoves.cpp - placements near a replayed one -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the values of units under the measured task times of a replay.
// Makes: exchanges of the least valuable fast units for the most valuable slow
// ones, and placements that change between phases (OracleModel.h).
//===----------------------------------------------------------------------===//
#include "OracleModel.h"
#include <algorithm>
#include <cmath>

namespace evenkeel {

/// Rows within a few percent of the longest one count, too.
static constexpr double Sharp = 40;

bool OracleModel::Schedule::movesAny() const {
  return std::any_of(Before.begin(), Before.end(),
                     [](const Moves &M) { return !M.empty(); });
}

OracleModel::Schedule OracleModel::moving(const Table &T,
                                          const PolicyResult &Replayed,
                                          const Moving &How) const {
  const unsigned Ahead = How.Ahead;
  const std::vector<ek_raw_task> &Tasks = R.Record->Tasks;
  const uint32_t Phases = uint32_t(R.Record->Phases.size());
  std::vector<PhaseRows> Rows;
  const Estimate E = settledOn(T, Replayed, /*Sharpness=*/12, Rows);
  // The value of each unit in each phase that uses it.
  std::vector<std::vector<std::pair<uint32_t, double>>> Value(Phases);
  {
    std::vector<double> PerWeight, PerRead, PerWrite;
    unitPrices(Rows, E, PerWeight, PerRead, PerWrite);
    for (uint32_t U = 0; U < Units.size(); ++U)
      for (uint32_t I = FirstUse[U]; I < FirstUse[U + 1]; ++I) {
        const Use &Y = Uses[I];
        uint32_t P = Tasks[Y.Task].phase;
        double V = Y.Weight * PerWeight[Y.Task] + Y.Reads * PerRead[P] +
                   Y.Writes * PerWrite[P];
        if (Value[P].empty() || Value[P].back().first != U)
          Value[P].push_back({U, 0});
        Value[P].back().second += V;
      }
  }
  double PerByte = M.MigrationPageUs * 1e3 / EK_PAGE;
  if (M.MigrationBandwidthGBps > 0)
    PerByte += 1 / M.MigrationBandwidthGBps;

  std::vector<Moves> Out(Phases);
  Table Now = T;
  if (How.Fresh) {
    std::vector<double> AtFirst(Units.size(), 0);
    for (uint32_t P = 0; P < std::min(Phases, Ahead); ++P)
      for (auto [U, V] : Value[P])
        AtFirst[U] += V;
    Now = round(greedy(AtFirst));
  }
  const Table First = Now;
  std::vector<double> Soon(Units.size(), 0); // sum over the next phases
  for (uint32_t P = 1; P < std::min(Phases, Ahead); ++P)
    for (auto [U, V] : Value[P])
      Soon[U] += V;
  for (uint32_t P = 1; P < Phases; ++P) {
    // Window [P, P + Ahead); the first phase counts with a part of its value.
    if (P + Ahead - 1 < Phases)
      for (auto [U, V] : Value[P + Ahead - 1])
        Soon[U] += Ahead > 1 ? V : How.Now * V;
    if (Ahead > 1)
      for (auto [U, V] : Value[P])
        Soon[U] -= (1 - How.Now) * V;
    if (P > 1)
      for (auto [U, V] : Value[P - 1])
        Soon[U] -= How.Now * V;
    std::vector<std::pair<double, uint32_t>> In, Leave;
    for (uint32_t U = 0; U < Units.size(); ++U) {
      // Instances that are allocated now are placed at allocation.
      const ek_raw_inst &I =
          R.Record->Instances[R.instanceOf(Units[U].FirstPage)];
      if (I.alloc_phase >= P || I.free_phase < P)
        continue;
      bool Fast = Now[Units[U].FirstPage];
      (Fast ? Leave : In)
          .push_back({Soon[U] / double(Units[U].Bytes) * (Fast ? 1 : -1), U});
    }
    std::sort(In.begin(), In.end());       // most valuable first
    std::sort(Leave.begin(), Leave.end()); // least valuable first
    for (size_t K = 0, L = 0; K < In.size() && L < Leave.size(); ++K) {
      double Gain = -In[K].first - Leave[L].first;
      if (Gain <= How.Margin * 2 * PerByte)
        break;
      double Room = 0;
      auto Set = [&](uint32_t U, uint8_t Value) {
        for (uint64_t Q = Units[U].FirstPage; Q < Units[U].EndPage; ++Q)
          if (Touched[Q] && Now[Q] != Value) {
            Now[Q] = Value;
            Out[P].push_back({Q, Value});
          }
      };
      while (Room < double(Units[In[K].second].Bytes) && L < Leave.size()) {
        Room += double(Units[Leave[L].second].Bytes);
        Set(Leave[L++].second, 0);
      }
      Set(In[K].second, 1);
    }
  }
  return {First, std::move(Out)};
}

OracleModel::Estimate
OracleModel::settledOn(const Table &T, const PolicyResult &Replayed,
                       double Sharpness, std::vector<PhaseRows> &Rows) const {
  Shares X = sharesOf(T);
  Rows = Start;
  Estimate E;
  for (int I = 0; I < 4; ++I) // the load factors converge
    E = estimate(X, Rows);
  for (size_t I = 0; I < E.TaskNs.size(); ++I)
    E.TaskNs[I] = Replayed.Tasks[I].Seconds * 1e9;
  measureRows(X, E, Rows);
  for (PhaseRows &P : Rows) {
    double Max = *std::max_element(P.Ns.begin(), P.Ns.end());
    for (size_t I = 0; Max > 0 && I < P.Ns.size(); ++I)
      P.LogWeight[I] = Sharpness * (P.Ns[I] / Max - 1);
  }
  return E;
}

OracleModel::Table OracleModel::exchange(const Table &T,
                                         const PolicyResult &Replayed,
                                         double Part) const {
  std::vector<PhaseRows> Rows;
  const Estimate E = settledOn(T, Replayed, Sharp, Rows);
  return exchangeBy(unitValues(Rows, E), T, Part);
}

OracleModel::Table
OracleModel::exchangeForEvenness(const Table &T, const PolicyResult &Replayed,
                                 double Part) const {
  std::vector<PhaseRows> Rows;
  const Estimate E = settledOn(T, Replayed, Sharp, Rows);
  std::vector<double> Value = unitValues(Rows, E);
  const std::vector<double> Even = evenness(Replayed, Rows);
  for (size_t U = 0; U < Value.size(); ++U)
    Value[U] += Even[U];
  return exchangeBy(Value, T, Part);
}

std::vector<double>
OracleModel::evenness(const PolicyResult &Replayed,
                      const std::vector<PhaseRows> &Rows) const {
  // d(std/mean)/dt = ((t - mean) / std - std / mean) / (n mean), over the tasks
  // that count for the A.C.V. (ReplayEngine.cpp): the explicit ones if there
  // are any.
  std::vector<double> PerNs(Replayed.Tasks.size(), 0);
  for (uint32_t P = 0; P < Rows.size(); ++P) {
    std::vector<uint32_t> Tasks;
    for (uint32_t T = R.FirstTask[P]; T < R.FirstTask[P + 1]; ++T)
      if (R.isExplicit(T) == hasExplicit(P))
        Tasks.push_back(T);
    double Mean = 0, Square = 0;
    for (uint32_t T : Tasks)
      Mean += Replayed.Tasks[T].Seconds / double(Tasks.size());
    for (uint32_t T : Tasks)
      Square += std::pow(Replayed.Tasks[T].Seconds - Mean, 2);
    const double Std =
        std::sqrt(Square / double(std::max<size_t>(1, Tasks.size())));
    if (Tasks.size() < 2 || Std <= 0)
      continue;
    const double Gap = M.Tiers[1].ReadLatencyNs * Rows[P].SlowFactor -
                       M.Tiers[0].ReadLatencyNs * Rows[P].FastFactor;
    for (uint32_t T : Tasks)
      PerNs[T] = Gap * Replayed.PhaseSeconds[P] *
                 ((Replayed.Tasks[T].Seconds - Mean) / Std - Std / Mean) /
                 (double(Tasks.size()) * Mean);
  }
  std::vector<double> Value(Units.size(), 0);
  for (uint32_t U = 0; U < Units.size(); ++U)
    for (uint32_t I = FirstUse[U]; I < FirstUse[U + 1]; ++I)
      Value[U] += Uses[I].Weight * PerNs[Uses[I].Task];
  return Value;
}

OracleModel::Table OracleModel::exchangeBy(const std::vector<double> &Value,
                                           const Table &T, double Part) const {
  const Shares X = sharesOf(T);
  std::vector<uint32_t> Order = ranked(Value);

  Table Out = T;
  std::vector<uint64_t> Used(Epochs, 0);
  std::vector<uint64_t> FastBytesOf(Units.size(), 0);
  for (uint32_t U = 0; U < Units.size(); ++U) {
    FastBytesOf[U] = uint64_t(std::llround(X[U] * double(Units[U].Bytes)));
    occupy(Units[U], FastBytesOf[U], Used);
  }
  uint64_t Dropped = 0;
  for (auto It = Order.rbegin();
       It != Order.rend() && double(Dropped) < Part * double(FastBytes); ++It) {
    const Unit &U = Units[*It];
    if (!FastBytesOf[*It])
      continue;
    std::fill(Out.begin() + long(U.FirstPage), Out.begin() + long(U.EndPage),
              0);
    occupy(U, uint64_t(0) - FastBytesOf[*It], Used); // wraps: subtracts
    Dropped += FastBytesOf[*It];
  }
  for (uint32_t I : Order) {
    if (Value[I] <= 0)
      break;
    uint64_t Room = room(Units[I], Used), Taken = 0;
    for (uint64_t P = Units[I].FirstPage; P < Units[I].EndPage; ++P) {
      if (Out[P] || !Touched[P] || Taken + PageBytes[P] > Room)
        continue;
      Out[P] = 1;
      Taken += PageBytes[P];
    }
    occupy(Units[I], Taken, Used);
  }
  return Out;
}

} // namespace evenkeel
