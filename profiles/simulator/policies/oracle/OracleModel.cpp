//===- OracleModel.cpp - a fast estimate that guides the oracle -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See OracleModel.h.
//===----------------------------------------------------------------------===//
#include "OracleModel.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

namespace evenkeel {
namespace {

/// The bandwidth rows of a phase, after its task rows.
enum BandwidthRow { FastRead, FastWrite, SlowRead, SlowWrite, BandwidthRows };

/// Row weights of one phase, with sum 1.
std::vector<double> softmax(const std::vector<double> &Log) {
  double Max = *std::max_element(Log.begin(), Log.end()), Sum = 0;
  std::vector<double> W;
  for (double L : Log)
    W.push_back(std::exp(L - Max));
  for (double X : W)
    Sum += X;
  for (double &X : W)
    X /= Sum;
  return W;
}

} // namespace

OracleModel::OracleModel(const PreparedRecord &R, const Machine &M,
                         uint64_t FastBytes)
    : R(R), M(M), FastBytes(FastBytes) {
  collectUnits();
  collectUses();
  for (size_t T = 0; T < R.Record->Tasks.size(); ++T)
    CoreNs.push_back(double(R.Record->Tasks[T].core_cycles) / M.GHz);
  Correction.assign(CoreNs.size(), 1);
  for (uint32_t P = 0; P < R.Record->Phases.size(); ++P) {
    PhaseRows Rows;
    Rows.Ns.assign((hasExplicit(P) ? 2 : R.Workers[P]) + BandwidthRows, 0);
    Rows.LogWeight.assign(Rows.Ns.size(), 0);
    Start.push_back(std::move(Rows));
  }
}

void OracleModel::collectUnits() {
  const std::vector<ek_raw_inst> &Instances = R.Record->Instances;
  // Between two lifetime borders, the set of live instances is constant: an
  // epoch.
  std::vector<uint32_t> Borders{0};
  for (const ek_raw_inst &I : Instances) {
    Borders.push_back(I.alloc_phase);
    if (I.free_phase != EK_NO_TASK)
      Borders.push_back(I.free_phase + 1);
  }
  std::sort(Borders.begin(), Borders.end());
  Borders.erase(std::unique(Borders.begin(), Borders.end()), Borders.end());
  Epochs = uint32_t(Borders.size());
  auto EpochOf = [&](uint32_t Phase) {
    return uint32_t(std::lower_bound(Borders.begin(), Borders.end(), Phase) -
                    Borders.begin());
  };

  Touched.assign(R.totalPages(), false);
  for (const PreparedRecord::TouchedPage &T : R.Touches)
    Touched[R.FirstPage[T.Instance] + T.Page] = true;
  PageBytes.assign(R.totalPages(), EK_PAGE);
  for (uint32_t I = 0; I < Instances.size(); ++I) {
    uint64_t Pages = R.pages(I);
    if (!Pages)
      continue;
    PageBytes[R.FirstPage[I + 1] - 1] = R.pageBytes(I, uint32_t(Pages - 1));
    uint32_t First = EpochOf(Instances[I].alloc_phase);
    uint32_t End = Instances[I].free_phase == EK_NO_TASK
                       ? Epochs
                       : EpochOf(Instances[I].free_phase + 1);
    uint64_t Parts = std::min<uint64_t>(Pages, EK_CHUNKS);
    for (uint64_t C = 0; C < Parts; ++C) {
      Unit U{R.FirstPage[I] + C * Pages / Parts,
             R.FirstPage[I] + (C + 1) * Pages / Parts, 0, First, End};
      for (uint64_t P = U.FirstPage; P < U.EndPage; ++P)
        U.Bytes += Touched[P] ? PageBytes[P] : 0;
      if (U.Bytes)
        Units.push_back(U);
    }
  }
}

void OracleModel::collectUses() {
  std::vector<uint32_t> UnitOf(R.totalPages(), 0);
  for (uint32_t U = 0; U < Units.size(); ++U)
    for (uint64_t P = Units[U].FirstPage; P < Units[U].EndPage; ++P)
      UnitOf[P] = U;
  const double Line = R.lineBytes();
  std::vector<std::pair<uint32_t, Use>> All;
  std::vector<Use> Sum(Units.size(), Use{EK_NO_TASK, 0, 0, 0});
  std::vector<uint32_t> Mine;
  for (uint32_t T = 0; T < R.Record->Tasks.size(); ++T) {
    Mine.clear();
    for (uint32_t I = R.FirstInterval[T]; I < R.FirstInterval[T + 1]; ++I)
      for (uint32_t Row = R.Intervals[I].FirstRow; Row < R.Intervals[I].EndRow;
           ++Row) {
        const PreparedRecord::Row &P = R.Rows[Row];
        Use &S = Sum[UnitOf[P.Page]];
        if (S.Task != T) {
          S = {T, 0, 0, 0};
          Mine.push_back(UnitOf[P.Page]);
        }
        S.Weight += double(P.Weight);
        S.Reads += P.Reads * Line;
        S.Writes += P.Writes * Line;
      }
    for (uint32_t U : Mine)
      All.push_back({U, Sum[U]});
  }
  std::sort(All.begin(), All.end(), [](auto &A, auto &B) {
    return std::tie(A.first, A.second.Task) < std::tie(B.first, B.second.Task);
  });
  FirstUse.assign(Units.size() + 1, 0);
  for (auto &[U, X] : All) {
    ++FirstUse[U + 1];
    Uses.push_back(X);
  }
  std::partial_sum(FirstUse.begin(), FirstUse.end(), FirstUse.begin());
}

double OracleModel::curve(double Utilisation) const {
  const auto &C = M.LoadedLatency;
  if (C.empty())
    return 1;
  for (size_t I = 0; I < C.size(); ++I)
    if (Utilisation <= C[I].first) {
      if (!I)
        return C[0].second;
      auto [U0, F0] = C[I - 1];
      auto [U1, F1] = C[I];
      return F0 + (F1 - F0) * (Utilisation - U0) / (U1 - U0);
    }
  return C.back().second;
}

void OracleModel::measureRows(const Shares &X, Estimate &E,
                              std::vector<PhaseRows> &Rows) const {
  const std::vector<ek_raw_task> &Tasks = R.Record->Tasks;
  std::vector<std::array<double, BandwidthRows>> Bytes(Rows.size());
  for (uint32_t U = 0; U < Units.size(); ++U)
    for (uint32_t I = FirstUse[U]; I < FirstUse[U + 1]; ++I) {
      auto &B = Bytes[Tasks[Uses[I].Task].phase];
      B[FastRead] += Uses[I].Reads * X[U];
      B[FastWrite] += Uses[I].Writes * X[U];
      B[SlowRead] += Uses[I].Reads * (1 - X[U]);
      B[SlowWrite] += Uses[I].Writes * (1 - X[U]);
    }
  E.TotalNs = 0;
  E.OnPath.assign(Tasks.size(), false);
  std::vector<double> PathNs(Tasks.size(), 0); // up to the task's end
  std::vector<uint32_t> Before(Tasks.size(), EK_NO_TASK), Open, Order;
  Open = R.PredecessorCount;
  for (uint32_t P = 0; P < Rows.size(); ++P) {
    uint32_t From = R.FirstTask[P], To = R.FirstTask[P + 1];
    std::vector<double> &Ns = Rows[P].Ns;
    std::fill(Ns.begin(), Ns.end(), 0);
    size_t TaskRows = Ns.size() - BandwidthRows;
    if (!hasExplicit(P)) {
      for (uint32_t T = From; T < To; ++T)
        Ns[Tasks[T].worker] += E.TaskNs[T];
    } else {
      Order.clear();
      for (uint32_t T = From; T < To; ++T)
        if (!Open[T])
          Order.push_back(T);
      uint32_t Last = EK_NO_TASK;
      for (size_t I = 0; I < Order.size(); ++I) {
        uint32_t T = Order[I];
        PathNs[T] += E.TaskNs[T];
        Ns[0] += E.TaskNs[T] / R.Workers[P];
        if (PathNs[T] > Ns[1]) {
          Ns[1] = PathNs[T];
          Last = T;
        }
        for (uint32_t S = R.FirstSuccessor[T]; S < R.FirstSuccessor[T + 1];
             ++S) {
          uint32_t Next = R.Successors[S];
          if (PathNs[T] > PathNs[Next]) {
            PathNs[Next] = PathNs[T];
            Before[Next] = T;
          }
          if (--Open[Next] == 0)
            Order.push_back(Next);
        }
      }
      for (; Last != EK_NO_TASK; Last = Before[Last])
        E.OnPath[Last] = true;
    }
    const Tier &Fast = M.Tiers[0], &Slow = M.Tiers[1];
    Ns[TaskRows + FastRead] = Bytes[P][FastRead] / Fast.ReadBandwidthGBps;
    Ns[TaskRows + FastWrite] = Bytes[P][FastWrite] / Fast.WriteBandwidthGBps;
    Ns[TaskRows + SlowRead] = Bytes[P][SlowRead] / Slow.ReadBandwidthGBps;
    Ns[TaskRows + SlowWrite] = Bytes[P][SlowWrite] / Slow.WriteBandwidthGBps;
    E.TotalNs += *std::max_element(Ns.begin(), Ns.end());
  }
}

OracleModel::Estimate
OracleModel::estimate(const Shares &X, std::vector<PhaseRows> &Rows) const {
  const std::vector<ek_raw_task> &Tasks = R.Record->Tasks;
  Estimate E;
  E.TaskNs = CoreNs;
  for (uint32_t U = 0; U < Units.size(); ++U)
    for (uint32_t I = FirstUse[U]; I < FirstUse[U + 1]; ++I) {
      const PhaseRows &P = Rows[Tasks[Uses[I].Task].phase];
      double Fast = M.Tiers[0].ReadLatencyNs * P.FastFactor;
      double Slow = M.Tiers[1].ReadLatencyNs * P.SlowFactor;
      E.TaskNs[Uses[I].Task] +=
          Uses[I].Weight * (X[U] * Fast + (1 - X[U]) * Slow);
    }
  for (size_t T = 0; T < Tasks.size(); ++T)
    E.TaskNs[T] *= Correction[T];
  measureRows(X, E, Rows);
  for (PhaseRows &P : Rows) {
    double Ns = *std::max_element(P.Ns.begin(), P.Ns.end());
    if (Ns <= 0)
      continue;
    const double *B = &P.Ns[P.Ns.size() - BandwidthRows];
    // Half a step: a full step oscillates around the knee of the curve.
    P.FastFactor =
        (P.FastFactor + curve(std::max(B[FastRead], B[FastWrite]) / Ns)) / 2;
    P.SlowFactor =
        (P.SlowFactor + curve(std::max(B[SlowRead], B[SlowWrite]) / Ns)) / 2;
  }
  return E;
}

/// ns saved per weight of a task, and per byte read and written in a phase.
void OracleModel::unitPrices(const std::vector<PhaseRows> &Rows,
                             const Estimate &E, std::vector<double> &PerWeight,
                             std::vector<double> &PerRead,
                             std::vector<double> &PerWrite) const {
  const std::vector<ek_raw_task> &Tasks = R.Record->Tasks;
  const Tier &Fast = M.Tiers[0], &Slow = M.Tiers[1];
  PerWeight.assign(Tasks.size(), 0);
  for (uint32_t P = 0; P < Rows.size(); ++P) {
    std::vector<double> W = softmax(Rows[P].LogWeight);
    size_t TaskRows = W.size() - BandwidthRows;
    double Gap = Slow.ReadLatencyNs * Rows[P].SlowFactor -
                 Fast.ReadLatencyNs * Rows[P].FastFactor;
    bool Graph = hasExplicit(P);
    for (uint32_t T = R.FirstTask[P]; T < R.FirstTask[P + 1]; ++T)
      PerWeight[T] = Correction[T] * Gap *
                     (Graph ? W[0] / R.Workers[P] + (E.OnPath[T] ? W[1] : 0)
                            : W[Tasks[T].worker]);
    PerRead.push_back(W[TaskRows + SlowRead] / Slow.ReadBandwidthGBps -
                      W[TaskRows + FastRead] / Fast.ReadBandwidthGBps);
    PerWrite.push_back(W[TaskRows + SlowWrite] / Slow.WriteBandwidthGBps -
                       W[TaskRows + FastWrite] / Fast.WriteBandwidthGBps);
  }
}

std::vector<double> OracleModel::unitValues(const std::vector<PhaseRows> &Rows,
                                            const Estimate &E) const {
  const std::vector<ek_raw_task> &Tasks = R.Record->Tasks;
  std::vector<double> PerWeight, PerRead, PerWrite;
  unitPrices(Rows, E, PerWeight, PerRead, PerWrite);
  std::vector<double> Value(Units.size(), 0);
  for (uint32_t U = 0; U < Units.size(); ++U)
    for (uint32_t I = FirstUse[U]; I < FirstUse[U + 1]; ++I) {
      const Use &X = Uses[I];
      uint32_t P = Tasks[X.Task].phase;
      Value[U] += X.Weight * PerWeight[X.Task] + X.Reads * PerRead[P] +
                  X.Writes * PerWrite[P];
    }
  return Value;
}

std::vector<uint32_t>
OracleModel::ranked(const std::vector<double> &Value) const {
  std::vector<uint32_t> Order(Units.size());
  std::iota(Order.begin(), Order.end(), 0);
  std::vector<double> Density(Units.size());
  for (uint32_t U = 0; U < Units.size(); ++U)
    Density[U] = Value[U] / double(Units[U].Bytes);
  std::sort(Order.begin(), Order.end(), [&](uint32_t A, uint32_t B) {
    return Density[A] != Density[B] ? Density[A] > Density[B] : A < B;
  });
  return Order;
}

uint64_t OracleModel::room(const Unit &U,
                           const std::vector<uint64_t> &Used) const {
  uint64_t Most = 0;
  for (uint32_t E = U.FirstEpoch; E < U.EndEpoch; ++E)
    Most = std::max(Most, Used[E]);
  // Here a page counts from its allocation, in replay from first touch: another
  // policy's placement may seem too large.
  return FastBytes - std::min(Most, FastBytes);
}

void OracleModel::occupy(const Unit &U, uint64_t Bytes,
                         std::vector<uint64_t> &Used) const {
  for (uint32_t E = U.FirstEpoch; E < U.EndEpoch; ++E)
    Used[E] += Bytes;
}

OracleModel::Shares
OracleModel::greedy(const std::vector<double> &Value) const {
  Shares X(Units.size(), 0);
  std::vector<uint64_t> Used(Epochs, 0);
  for (uint32_t U : ranked(Value)) {
    if (Value[U] <= 0)
      break;
    uint64_t Bytes = std::min(Units[U].Bytes, room(Units[U], Used));
    occupy(Units[U], Bytes, Used);
    X[U] = double(Bytes) / double(Units[U].Bytes);
  }
  return X;
}

OracleModel::Shares OracleModel::sharesOf(const Table &T) const {
  Shares X;
  for (const Unit &U : Units) {
    uint64_t Fast = 0;
    for (uint64_t P = U.FirstPage; P < U.EndPage; ++P)
      Fast += T[P] ? PageBytes[P] : 0;
    X.push_back(double(Fast) / double(U.Bytes));
  }
  return X;
}

OracleModel::Table OracleModel::round(const Shares &X) const {
  Table T(R.totalPages(), 0);
  std::vector<uint64_t> Used(Epochs, 0);
  double Owed =
      0; // bytes carried over, so that units of one page keep their shares
  for (uint32_t U = 0; U < Units.size(); ++U) {
    if (U && Units[U].FirstPage != Units[U - 1].EndPage)
      Owed = 0;
    Owed += X[U] * double(Units[U].Bytes);
    uint64_t Room = room(Units[U], Used), Taken = 0;
    for (uint64_t P = Units[U].FirstPage; P < Units[U].EndPage; ++P) {
      if (!Touched[P] || Owed < double(PageBytes[P]) * 0.5 ||
          Taken + PageBytes[P] > Room)
        continue;
      T[P] = 1;
      Taken += PageBytes[P];
      Owed -= double(PageBytes[P]);
    }
    occupy(Units[U], Taken, Used);
  }
  return T;
}

std::vector<OracleModel::Table> OracleModel::propose(unsigned Keep) {
  std::vector<PhaseRows> Rows = Start;
  // Bounds the work: each step walks through the uses three times.
  const unsigned Steps = unsigned(std::clamp<uint64_t>(
      100'000'000 / (3 * Uses.size() + Units.size() + 1), 20, 200));
  std::vector<std::pair<double, Shares>> Best;
  auto Offer = [&](double Ns, const Shares &X) {
    for (auto &B : Best)
      if (B.second == X)
        return;
    auto At = std::upper_bound(Best.begin(), Best.end(), Ns,
                               [](double Ns, auto &B) { return Ns < B.first; });
    Best.insert(At, {Ns, X});
    if (Best.size() > Keep)
      Best.pop_back();
  };
  Shares Sum(Units.size(), 0);
  double Weight = 0;
  Estimate E = estimate(Sum, Rows);
  for (unsigned Step = 1; Step <= Steps; ++Step) {
    Shares X = greedy(unitValues(Rows, E));
    E = estimate(X, Rows);
    Offer(E.TotalNs, X);
    for (PhaseRows &P : Rows) {
      double Max = *std::max_element(P.Ns.begin(), P.Ns.end());
      for (size_t I = 0; Max > 0 && I < P.Ns.size(); ++I)
        P.LogWeight[I] += 10 / std::sqrt(double(Step)) * (P.Ns[I] / Max - 1);
      // Keeps the weight of a row bounded that was idle for long.
      double Top = *std::max_element(P.LogWeight.begin(), P.LogWeight.end());
      for (double &L : P.LogWeight)
        L = std::max(L - Top, -40.0);
    }
    // Each greedy answer favours a few tasks; their mean is balanced (later
    // steps count more).
    for (uint32_t U = 0; U < Units.size(); ++U)
      Sum[U] += X[U] * Step;
    Weight += Step;
    if (Step % 10 == 0) {
      Shares Mean = Sum;
      for (double &S : Mean)
        S /= Weight;
      std::vector<PhaseRows> Settled = Rows;
      for (int I = 0; I < 3; ++I)
        estimate(Mean, Settled);
      Offer(estimate(Mean, Settled).TotalNs, Mean);
    }
  }
  std::vector<Table> Out;
  for (auto &B : Best)
    Out.push_back(round(B.second));
  return Out;
}

void OracleModel::learn(const Table &T, const PolicyResult &Replayed) {
  Shares X = sharesOf(T);
  std::fill(Correction.begin(), Correction.end(), 1);
  std::vector<PhaseRows> Rows = Start;
  Estimate E;
  for (int I = 0; I < 8; ++I)
    E = estimate(X, Rows);
  for (size_t I = 0; I < Correction.size(); ++I)
    if (E.TaskNs[I] > 0)
      Correction[I] =
          std::clamp(Replayed.Tasks[I].Seconds * 1e9 / E.TaskNs[I], 0.5, 3.0);
}

} // namespace evenkeel
