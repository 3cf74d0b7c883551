//===- MinMax.cpp - sum of maxima under capacities, an LP -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the primal-dual hybrid gradient method (Chambolle, Pock 2011) with
// diagonal preconditioning (Pock, Chambolle 2011), averaging with restarts and
// primal weight updates (as in Applegate et al. 2021, PDLP) on the saddle point
//
//   min over 0<=x<=1  max over l_g in simplices, m>=0  of
//     sum_g l_g (A_g - B_g x) + sum_c m_c (W_c x - 1).
//
// Every candidate is repaired to a feasible x (reduced where a capacity is
// exceeded, then filled with the variables that gain most per weight), and
// every dual gives a bound. With one capacity, its best multiplier is found
// exactly by sorting (the inner problem is a fractional knapsack, Dantzig
// 1957).
//===----------------------------------------------------------------------===//
#include "MinMax.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace evenkeel;

namespace {

/// Projection onto the probability simplex (Held, Wolfe, Crowder 1974).
void projectSimplex(double *V, size_t N, std::vector<double> &Scratch) {
  if (N == 1) {
    V[0] = 1;
    return;
  }
  Scratch.assign(V, V + N);
  std::sort(Scratch.begin(), Scratch.end(), std::greater<double>());
  double Sum = 0, Theta = 0;
  for (size_t I = 0; I < N; ++I) {
    Sum += Scratch[I];
    double T = (Sum - 1) / static_cast<double>(I + 1);
    if (Scratch[I] > T)
      Theta = T;
  }
  for (size_t I = 0; I < N; ++I)
    V[I] = std::max(0.0, V[I] - Theta);
}

/// A variable that may be raised: its gain, and the capacity that it takes.
struct Candidate {
  double Gain, Weight;
  uint32_t U;
};

/// Most gain per weight first.
bool before(const Candidate &A, const Candidate &B) {
  double GA = A.Gain * B.Weight, GB = B.Gain * A.Weight;
  return GA != GB ? GA > GB : A.U < B.U;
}

/// Returns candidates in the order of before(), cheap if only the first few are
/// needed.
class Queue {
  std::vector<Candidate> &Heap;
  static bool later(const Candidate &A, const Candidate &B) {
    return before(B, A);
  }

public:
  explicit Queue(std::vector<Candidate> &C) : Heap(C) {
    std::make_heap(Heap.begin(), Heap.end(), later);
  }
  bool empty() const { return Heap.empty(); }
  Candidate take() {
    std::pop_heap(Heap.begin(), Heap.end(), later);
    Candidate C = Heap.back();
    Heap.pop_back();
    return C;
  }
};

class Solver {
  size_t N, Rows, Caps;
  double Scale; // seconds -> 1
  // Rows of all groups, then capacities, in compressed form.
  std::vector<size_t> RowStart, GroupStart;
  std::vector<uint32_t> Col;
  std::vector<double> Val, A;
  std::vector<double> Tau, Sigma;
  std::vector<double> Scratch, KtY, XBar; // of one iteration
  // By variable: the capacities, and how much it takes of each; the sum and the
  // largest.
  std::vector<size_t> TakesStart;
  std::vector<std::pair<uint32_t, double>> Takes;
  std::vector<double> WeightSum, WeightMost;

public:
  explicit Solver(const MinMaxProblem &P) : N(P.Variables) {
    RowStart.push_back(0);
    GroupStart.push_back(0);
    double Sum = 0;
    for (const auto &G : P.Groups) {
      double Max = 0;
      for (const MinMaxRow &R : G)
        Max = std::max(Max, std::fabs(R.A));
      Sum += Max;
    }
    Scale = Sum > 0 ? 1 / Sum : 1;
    size_t Entries = 0;
    for (const auto &G : P.Groups)
      for (const MinMaxRow &R : G)
        Entries += R.B.size();
    for (const auto &C : P.Capacities)
      Entries += C.size();
    Col.reserve(Entries);
    Val.reserve(Entries);
    for (const auto &G : P.Groups) {
      for (const MinMaxRow &R : G) {
        A.push_back(R.A * Scale);
        for (auto [U, B] : R.B)
          if (B != 0) {
            Col.push_back(U);
            Val.push_back(-B * Scale);
          }
        RowStart.push_back(Col.size());
      }
      GroupStart.push_back(A.size());
    }
    Rows = A.size();
    Caps = P.Capacities.size();
    for (const auto &C : P.Capacities) {
      A.push_back(-1);
      for (auto [U, W] : C)
        if (W != 0) {
          Col.push_back(U);
          Val.push_back(W);
        }
      RowStart.push_back(Col.size());
    }
    TakesStart.assign(N + 1, 0);
    for (size_t K = RowStart[Rows]; K < Col.size(); ++K)
      ++TakesStart[Col[K] + 1];
    std::partial_sum(TakesStart.begin(), TakesStart.end(), TakesStart.begin());
    Takes.resize(Col.size() - RowStart[Rows]);
    WeightSum.assign(N, 0);
    WeightMost.assign(N, 0);
    std::vector<size_t> Next(TakesStart.begin(), TakesStart.end() - 1);
    for (uint32_t C = 0; C < Caps; ++C)
      for (size_t K = RowStart[Rows + C]; K < RowStart[Rows + C + 1]; ++K) {
        const uint32_t U = Col[K];
        Takes[Next[U]++] = {C, Val[K]};
        WeightSum[U] += Val[K];
        WeightMost[U] = std::max(WeightMost[U], Val[K]);
      }
  }

  MinMaxSolution run(double Gap, double Work, const std::vector<double> &Start);

private:
  /// A point of the method, and what its next restart needs.
  struct Point {
    std::vector<double> X, Y;   // shares; multipliers of rows and capacities
    std::vector<double> X0, Y0; // at the last restart
    std::vector<double> XSum, YSum; // over the iterations since then
    unsigned Iterations = 0;        // since then
    double Omega = 1;               // primal weight

    std::pair<std::vector<double>, std::vector<double>> average() const;
    void restart(const std::vector<double> &Tau,
                 const std::vector<double> &Sigma);
  };
  /// The best solution and bound seen so far.
  struct Best {
    std::vector<double> X;
    double Value = std::numeric_limits<double>::infinity();
    double Bound = -std::numeric_limits<double>::infinity();

    bool isWithin(double Gap) const {
      return Value - Bound <= Gap * std::fabs(Value) + 1e-15;
    }
  };

  void setStepSizes();
  Point firstPoint(const std::vector<double> &Start) const;
  void advance(Point &P);
  double consider(const std::vector<double> &X, const std::vector<double> &Y,
                  Best &B) const;

  double dot(size_t R, const std::vector<double> &X) const {
    double S = 0;
    for (size_t K = RowStart[R]; K < RowStart[R + 1]; ++K)
      S += Val[K] * X[Col[K]];
    return S;
  }

  double value(const std::vector<double> &X) const {
    double Sum = 0;
    for (size_t G = 0; G + 1 < GroupStart.size(); ++G) {
      double Max = -std::numeric_limits<double>::infinity();
      for (size_t R = GroupStart[G]; R < GroupStart[G + 1]; ++R)
        Max = std::max(Max, A[R] + dot(R, X));
      Sum += Max;
    }
    return Sum;
  }

  /// The reduced gain of every variable: how much one unit of it reduces the
  /// rows, weighted by the multipliers.
  std::vector<double> gains(const std::vector<double> &Y) const {
    std::vector<double> G(N, 0);
    for (size_t R = 0; R < Rows; ++R)
      if (Y[R] != 0)
        for (size_t K = RowStart[R]; K < RowStart[R + 1]; ++K)
          G[Col[K]] -= Val[K] * Y[R];
    return G;
  }

  double bound(const std::vector<double> &Y,
               const std::vector<double> &G) const;
  void repair(std::vector<double> &X, const std::vector<double> &G) const;
};

double Solver::bound(const std::vector<double> &Y,
                     const std::vector<double> &G) const {
  double L = 0;
  for (size_t R = 0; R < Rows; ++R)
    L += Y[R] * A[R];
  if (Caps == 1) {
    // max over x of G x with W x <= 1: fill by gain per weight.
    std::vector<Candidate> Order;
    for (uint32_t U = 0; U < N; ++U) {
      if (G[U] <= 0)
        continue;
      if (WeightSum[U] == 0)
        L -= G[U];
      else
        Order.push_back({G[U], WeightSum[U], U});
    }
    double Left = 1;
    for (Queue Q(Order); !Q.empty() && Left > 0;) {
      const Candidate C = Q.take();
      double Part = std::min(1.0, Left / C.Weight);
      L -= C.Gain * Part;
      Left -= C.Weight * Part;
    }
    return L;
  }
  std::vector<double> Reduced = G;
  for (size_t C = 0; C < Caps; ++C) {
    double M = Y[Rows + C];
    L -= M;
    for (size_t K = RowStart[Rows + C]; K < RowStart[Rows + C + 1]; ++K)
      Reduced[Col[K]] -= M * Val[K];
  }
  for (double V : Reduced)
    L -= std::max(0.0, V);
  return L;
}

void Solver::repair(std::vector<double> &X,
                    const std::vector<double> &G) const {
  for (double &V : X)
    V = std::min(1.0, std::max(0.0, V));
  std::vector<double> Used(Caps);
  std::vector<double> Shrink(N, 1);
  for (size_t C = 0; C < Caps; ++C) {
    double S = dot(Rows + C, X);
    if (S > 1)
      for (size_t K = RowStart[Rows + C]; K < RowStart[Rows + C + 1]; ++K)
        Shrink[Col[K]] = std::min(Shrink[Col[K]], 1 / S);
  }
  for (size_t U = 0; U < N; ++U)
    X[U] *= Shrink[U];
  // Fill the remaining capacity, most gain per weight first.
  for (size_t C = 0; C < Caps; ++C)
    Used[C] = dot(Rows + C, X);
  std::vector<Candidate> Order;
  for (uint32_t U = 0; U < N; ++U)
    if (X[U] < 1 && G[U] > 0) {
      if (TakesStart[U] == TakesStart[U + 1])
        X[U] += 1 - X[U];
      else
        Order.push_back({G[U], WeightMost[U], U});
    }
  auto Full = [&] {
    return std::none_of(Used.begin(), Used.end(),
                        [](double V) { return V < 1; });
  };
  // With one capacity, it is soon full.
  for (Queue Q(Order); !Q.empty() && !Full();) {
    const uint32_t U = Q.take().U;
    double Room = 1 - X[U];
    for (size_t K = TakesStart[U]; K < TakesStart[U + 1]; ++K)
      Room = std::min(Room, std::max(0.0, 1 - Used[Takes[K].first]) /
                                Takes[K].second);
    if (Room <= 0)
      continue;
    X[U] += Room;
    for (size_t K = TakesStart[U]; K < TakesStart[U + 1]; ++K)
      Used[Takes[K].first] += Room * Takes[K].second;
  }
}

/// Step sizes: Tau_u * sum_r |K_ru| <= 1 and Sigma_r * sum_u |K_ru| <= 1; one
/// Sigma per simplex, since the projection is in the plain norm.
void Solver::setStepSizes() {
  const size_t Total = Rows + Caps;
  Tau.assign(N, 0);
  Sigma.assign(Total, 0);
  std::vector<double> RowSum(Total, 0);
  for (size_t R = 0; R < Total; ++R)
    for (size_t K = RowStart[R]; K < RowStart[R + 1]; ++K) {
      Tau[Col[K]] += std::fabs(Val[K]);
      RowSum[R] += std::fabs(Val[K]);
    }
  for (double &T : Tau)
    T = T > 0 ? 1 / T : 0;
  for (size_t G = 0; G + 1 < GroupStart.size(); ++G) {
    // A group without variables still has to find its largest row.
    double Max = 0, Largest = 1e-30;
    for (size_t R = GroupStart[G]; R < GroupStart[G + 1]; ++R) {
      Max = std::max(Max, RowSum[R]);
      Largest = std::max(Largest, std::fabs(A[R]));
    }
    for (size_t R = GroupStart[G]; R < GroupStart[G + 1]; ++R)
      Sigma[R] = Max > 0 ? 1 / Max : 1 / Largest;
  }
  for (size_t C = Rows; C < Total; ++C)
    Sigma[C] = RowSum[C] > 0 ? 1 / RowSum[C] : 0;
}

/// \p Start, if it has a share for each variable, and the centre of each
/// simplex.
Solver::Point Solver::firstPoint(const std::vector<double> &Start) const {
  Point P;
  P.X.assign(N, 0);
  P.Y.assign(Rows + Caps, 0);
  if (Start.size() == N)
    P.X = Start;
  for (size_t G = 0; G + 1 < GroupStart.size(); ++G)
    for (size_t R = GroupStart[G]; R < GroupStart[G + 1]; ++R)
      P.Y[R] = 1.0 / static_cast<double>(GroupStart[G + 1] - GroupStart[G]);
  P.X0 = P.X;
  P.Y0 = P.Y;
  P.XSum.assign(N, 0);
  P.YSum.assign(Rows + Caps, 0);
  return P;
}

/// One iteration.
void Solver::advance(Point &P) {
  const size_t Total = Rows + Caps;
  std::vector<double> &X = P.X, &Y = P.Y;
  // Primal step.
  KtY.assign(N, 0);
  for (size_t R = 0; R < Total; ++R)
    if (Y[R] != 0)
      for (size_t K = RowStart[R]; K < RowStart[R + 1]; ++K)
        KtY[Col[K]] += Val[K] * Y[R];
  XBar = X;
  for (size_t U = 0; U < N; ++U) {
    double New = std::min(1.0, std::max(0.0, X[U] - Tau[U] / P.Omega * KtY[U]));
    XBar[U] = 2 * New - X[U];
    X[U] = New;
    P.XSum[U] += New;
  }
  // Dual step.
  for (size_t R = 0; R < Total; ++R)
    Y[R] += P.Omega * Sigma[R] * (A[R] + dot(R, XBar));
  for (size_t G = 0; G + 1 < GroupStart.size(); ++G)
    projectSimplex(&Y[GroupStart[G]], GroupStart[G + 1] - GroupStart[G],
                   Scratch);
  for (size_t C = Rows; C < Total; ++C)
    Y[C] = std::max(0.0, Y[C]);
  for (size_t R = 0; R < Total; ++R)
    P.YSum[R] += Y[R];
  ++P.Iterations;
}

std::pair<std::vector<double>, std::vector<double>>
Solver::Point::average() const {
  std::vector<double> XAvg(X.size()), YAvg(Y.size());
  for (size_t U = 0; U < X.size(); ++U)
    XAvg[U] = XSum[U] / Iterations;
  for (size_t R = 0; R < Y.size(); ++R)
    YAvg[R] = YSum[R] / Iterations;
  return {std::move(XAvg), std::move(YAvg)};
}

/// Begins anew from the present point. The primal weight balances the distances
/// that the two sides moved, in the norms of the step sizes, damped.
void Solver::Point::restart(const std::vector<double> &Tau,
                            const std::vector<double> &Sigma) {
  double DX = 0, DY = 0;
  for (size_t U = 0; U < X.size(); ++U)
    if (Tau[U] > 0)
      DX += (X[U] - X0[U]) * (X[U] - X0[U]) / Tau[U];
  for (size_t R = 0; R < Y.size(); ++R)
    if (Sigma[R] > 0)
      DY += (Y[R] - Y0[R]) * (Y[R] - Y0[R]) / Sigma[R];
  if (DX > 1e-20 && DY > 1e-20)
    Omega =
        std::exp(0.5 * std::log(std::sqrt(DY / DX)) + 0.5 * std::log(Omega));
  X0 = X;
  Y0 = Y;
  std::fill(XSum.begin(), XSum.end(), 0);
  std::fill(YSum.begin(), YSum.end(), 0);
  Iterations = 0;
}

/// Takes the candidate (\p X, \p Y) into account in \p B; returns its gap.
double Solver::consider(const std::vector<double> &X,
                        const std::vector<double> &Y, Best &B) const {
  std::vector<double> G = gains(Y);
  double L = bound(Y, G);
  std::vector<double> F = X;
  repair(F, G);
  double V = value(F);
  if (V < B.Value) {
    B.Value = V;
    B.X = std::move(F);
  }
  B.Bound = std::max(B.Bound, L);
  return V - L;
}

MinMaxSolution Solver::run(double Gap, double Work,
                           const std::vector<double> &Start) {
  setStepSizes();
  Point P = firstPoint(Start);
  Best B;
  B.X.assign(N, 0);
  double LastGap = consider(P.X, P.Y, B);
  MinMaxSolution Out;
  const double Cost = 3.0 * static_cast<double>(Col.size() + N + Rows + Caps);
  const double MaxIterations =
      std::min(20000.0, std::max(200.0, Work / std::max(1.0, Cost)));
  const auto Check = unsigned(figures().GapCheck);
  while (!B.isWithin(Gap) && Out.Iterations < MaxIterations) {
    advance(P);
    ++Out.Iterations;
    if (Out.Iterations % Check)
      continue;
    auto [XAvg, YAvg] = P.average();
    const double GapNow = consider(P.X, P.Y, B);
    const double GapAvg = consider(XAvg, YAvg, B);
    const double Least = std::min(GapNow, GapAvg);
    // Restart from the better of the two when the gap has shrunk enough, or
    // when this run has taken a third of all iterations.
    if (Least > figures().RestartGap * LastGap &&
        P.Iterations < Out.Iterations * figures().RestartLength)
      continue;
    if (GapAvg < GapNow) {
      P.X = std::move(XAvg);
      P.Y = std::move(YAvg);
    }
    LastGap = std::max(Least, 0.0);
    P.restart(Tau, Sigma);
  }
  Out.X = std::move(B.X);
  Out.Value = B.Value / Scale;
  Out.LowerBound = B.Bound / Scale;
  return Out;
}

} // namespace

double evenkeel::minMaxValue(const MinMaxProblem &P,
                             const std::vector<double> &X) {
  double Sum = 0;
  for (const auto &G : P.Groups) {
    double Max = -std::numeric_limits<double>::infinity();
    for (const MinMaxRow &R : G) {
      double V = R.A;
      for (auto [U, B] : R.B)
        V -= B * X[U];
      Max = std::max(Max, V);
    }
    Sum += Max;
  }
  return Sum;
}

MinMaxSolution evenkeel::solveMinMax(const MinMaxProblem &P, double Gap,
                                     double Work,
                                     const std::vector<double> &Start) {
  return Solver(P).run(Gap, Work, Start);
}
