//===- PowerLaws.cpp - power laws across tasks of a region ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of one region that work on blocks of several sizes show how
// accesses of unknown growth (above all to the tasks' own buffers) grow with
// the objects whose growth is known. Over the region's tasks on the base input,
//   ln Y(t) = d + sum over i of a(i) ln X(t, i),
// where Y are the accesses in question and X(i) those to the i-th known object;
// for a matrix product M N K, the three matrices have exponents of 1/2. On the
// target Y grows by the product of the growths of X(i), each to the power a(i).
// Makes: that growth, if the fit is good enough in the direction of the target.
// The standard error of the predicted logarithm (least squares, Gauss) is
// checked, so nothing is extrapolated in a direction in which tasks do not
// differ.
// Not here: regions with few tasks, or whose tasks are all alike.
//===----------------------------------------------------------------------===//
#include "AccessCounts.h"
#include "tuning/Tuning.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;
using namespace evenkeel::prediction;

namespace {

struct Moments {
  double N = 0, Sum = 0, Squares = 0;

  void add(double X, double Times) {
    N += Times;
    Sum += X * Times;
    Squares += X * X * Times;
  }
  double spread() const {
    const double Mean = N > 0 ? Sum / N : 0;
    return N > 0 ? std::sqrt(std::max(0.0, Squares / N - Mean * Mean)) : 0;
  }
};

/// Inverts the symmetric positive definite \p A of \p N rows (Cholesky); false
/// if it is not.
bool invert(std::vector<double> &A, size_t N) {
  std::vector<double> L(N * N, 0), Inv(N * N, 0);
  for (size_t I = 0; I < N; ++I)
    for (size_t J = 0; J <= I; ++J) {
      double Sum = A[I * N + J];
      for (size_t K = 0; K < J; ++K)
        Sum -= L[I * N + K] * L[J * N + K];
      if (I == J && Sum <= 0)
        return false;
      L[I * N + J] = I == J ? std::sqrt(Sum) : Sum / L[J * N + J];
    }
  for (size_t C = 0; C < N; ++C) {
    std::vector<double> Y(N, 0);
    for (size_t I = 0; I < N; ++I) {
      double Sum = I == C ? 1 : 0;
      for (size_t K = 0; K < I; ++K)
        Sum -= L[I * N + K] * Y[K];
      Y[I] = Sum / L[I * N + I];
    }
    for (size_t I = N; I-- > 0;) {
      double Sum = Y[I];
      for (size_t K = I + 1; K < N; ++K)
        Sum -= L[K * N + I] * Inv[K * N + C];
      Inv[I * N + C] = Sum / L[I * N + I];
    }
  }
  A = std::move(Inv);
  return true;
}

} // namespace

bool evenkeel::prediction::isGrowthKnown(const BaseTables &Base,
                                         const ObjectSizes &Sizes,
                                         const BaseDemand &Q, const Ratio &C) {
  if (C.Usable)
    return true;
  const double Words = double(Base.B.Instances[Q.Inst].bytes) / WordBytes;
  return Sizes.Way[Q.Inst] == SizeWay::Known &&
         Q.Accesses <= figures().WordsAgain * Words;
}

std::vector<uint64_t>
evenkeel::prediction::regionsToCome(const BaseTables &Base,
                                    const BaseDemands &Demands, uint32_t From) {
  std::vector<uint64_t> Out;
  for (const auto &[Region, Tasks] : Demands.Began)
    if (!std::all_of(Tasks.begin(), Tasks.end(), [&](uint32_t T) {
          return Base.Phases.isOver(Base.B.Tasks[T].phase, From);
        }))
      Out.push_back(Region);
  return Out;
}

namespace {
/// The tasks of one region, and what they accessed.
struct RegionOfTasks {
  const BaseTables &Base;
  const BaseDemands &Demands;
  const RatiosOfTasks &Ratios;
  const ObjectSizes &Sizes;
  const std::vector<uint32_t> &Tasks;

  template <typename DoT> void eachDemand(uint32_t T, DoT Do) const {
    const std::vector<BaseDemand> &Its = Demands.Of[T];
    for (size_t K = 0; K < Its.size(); ++K)
      Do(Its[K], isGrowthKnown(Base, Sizes, Its[K], Ratios[T][K]));
  }
};

/// The points of the fit: N logarithms for each task, of which the first is 0.
struct Rows {
  std::vector<double> X, Y, Weights;
  double Points = 0;
};
} // namespace

/// Chooses the terms: objects that nearly all of the tasks access, and not all
/// of them equally. False: there are none, or no growth is unknown.
static bool chooseTerms(const RegionOfTasks &R, PowerLaw &Law) {
  double Count = 0, Unknown = 0;
  struct Seen {
    double Accesses = 0;
    Moments Logs;
  };
  std::map<uint32_t, Seen> Known;
  for (uint32_t T : R.Tasks) {
    const double Times = R.Base.times(T);
    Count += Times;
    R.eachDemand(T, [&](const BaseDemand &Q, bool IsKnown) {
      if (Q.Accesses > 0 && IsKnown) {
        Known[Q.Inst].Accesses += Q.Accesses * Times;
        Known[Q.Inst].Logs.add(std::log(Q.Accesses), Times);
      } else {
        Unknown += Q.Accesses * Times;
      }
    });
  }
  if (Unknown <= 0)
    return false;
  std::vector<std::pair<double, uint32_t>> Best;
  for (const auto &[Inst, X] : Known)
    if (X.Logs.N >= figures().TermTasks * Count) {
      if (X.Logs.spread() >= figures().LawSpread)
        Best.emplace_back(-X.Accesses, Inst);
      else if (X.Accesses >= figures().LeastTermPart * Unknown)
        Law.Alike.push_back(Inst);
    }
  std::sort(Best.begin(), Best.end());
  for (auto [Weight, Inst] : Best)
    if (Law.Terms.size() < size_t(figures().MostTerms))
      Law.Terms.push_back(Inst);
  return !Law.Terms.empty();
}

/// Tasks that access all of \p Terms, and something whose growth is unknown.
static Rows rowsOf(const RegionOfTasks &R, const std::vector<uint32_t> &Terms) {
  const size_t N = Terms.size() + 1;
  Rows Out;
  for (uint32_t T : R.Tasks) {
    std::vector<double> X(N, 0);
    X[0] = 1;
    double Y = 0;
    size_t Found = 1;
    R.eachDemand(T, [&](const BaseDemand &Q, bool IsKnown) {
      if (auto At = std::find(Terms.begin(), Terms.end(), Q.Inst);
          At != Terms.end()) {
        Found += Q.Accesses > 0;
        X[size_t(At - Terms.begin()) + 1] = std::log(Q.Accesses);
      } else if (!IsKnown) {
        Y += Q.Accesses;
      }
    });
    if (Found < N || Y <= 0)
      continue;
    Out.X.insert(Out.X.end(), X.begin(), X.end());
    Out.Y.push_back(std::log(Y));
    Out.Weights.push_back(R.Base.times(T));
    Out.Points += R.Base.times(T);
  }
  return Out;
}

/// Least squares; false: the fit is not certain enough.
static bool fit(const Rows &R, PowerLaw &Law) {
  const size_t N = Law.Terms.size() + 1;
  if (R.Points < double(size_t(figures().TasksPerTerm) * N))
    return false;
  Moments OfY;
  for (size_t K = 0; K < R.Y.size(); ++K)
    OfY.add(R.Y[K], R.Weights[K]);
  if (OfY.spread() < figures().LawSpread)
    return false;
  std::vector<double> Normal(N * N, 0), Right(N, 0);
  for (size_t K = 0; K < R.Y.size(); ++K)
    for (size_t I = 0; I < N; ++I) {
      Right[I] += R.X[K * N + I] * R.Y[K] * R.Weights[K];
      for (size_t J = 0; J < N; ++J)
        Normal[I * N + J] += R.X[K * N + I] * R.X[K * N + J] * R.Weights[K];
    }
  for (size_t I = 1; I < N; ++I)
    Normal[I * N + I] *= 1 + figures().LawRidge;
  if (!invert(Normal, N))
    return false;
  Law.Powers.assign(N, 0);
  for (size_t I = 0; I < N; ++I)
    for (size_t J = 0; J < N; ++J)
      Law.Powers[I] += Normal[I * N + J] * Right[J];
  double Squares = 0;
  for (size_t K = 0; K < R.Y.size(); ++K) {
    double Y = R.Y[K];
    for (size_t I = 0; I < N; ++I)
      Y -= Law.Powers[I] * R.X[K * N + I];
    Squares += Y * Y * R.Weights[K];
  }
  Law.Variance = std::max(figures().LeastLawError * figures().LeastLawError,
                          Squares / (R.Points - double(N)));
  Law.Inverse = std::move(Normal);
  return Law.Variance <= figures().LawError * figures().LawError;
}

PowerLaws evenkeel::prediction::fitPowerLaws(const BaseTables &Base,
                                             const BaseDemands &Demands,
                                             const RatiosOfTasks &Ratios,
                                             const ObjectSizes &Sizes,
                                             const std::vector<uint64_t> &Of) {
  PowerLaws Out;
  for (uint64_t Region : Of) {
    const RegionOfTasks R{Base, Demands, Ratios, Sizes,
                          Demands.Began.at(Region)};
    PowerLaw Law;
    if (chooseTerms(R, Law) && fit(rowsOf(R, Law.Terms), Law))
      Out[Region] = std::move(Law);
  }
  return Out;
}

std::optional<double> evenkeel::prediction::growthByPowerLaw(
    const BaseTables &Base, const BaseDemands &Demands,
    const RatiosOfTasks &Ratios, const ObjectSizes &Sizes,
    const PowerLaws &Laws, uint32_t Task) {
  auto It = Laws.find(Base.B.Tasks[Task].region);
  if (It == Laws.end())
    return std::nullopt;
  const PowerLaw &Law = It->second;
  const size_t N = Law.Terms.size() + 1;
  std::vector<double> G(N, 0);
  size_t Found = 0;
  for (size_t K = 0; K < Demands.Of[Task].size(); ++K) {
    const uint32_t Inst = Demands.Of[Task][K].Inst;
    auto At = std::find(Law.Terms.begin(), Law.Terms.end(), Inst);
    const bool Alike =
        std::find(Law.Alike.begin(), Law.Alike.end(), Inst) != Law.Alike.end();
    if (At == Law.Terms.end() && !Alike)
      continue;
    const Ratio &C = Ratios[Task][K];
    const double X = C.Usable ? C.All : Sizes.Ratio[Inst];
    // The effect of an object that all tasks accessed equally is not known.
    if (X <= 0 || (Alike && std::fabs(std::log(X)) > figures().LawError))
      return std::nullopt;
    if (Alike)
      continue;
    ++Found;
    G[size_t(At - Law.Terms.begin()) + 1] = std::log(X);
  }
  if (Found + 1 < N)
    return std::nullopt;
  double Growth = 0, Leverage = 0;
  for (size_t I = 0; I < N; ++I) {
    Growth += Law.Powers[I] * G[I];
    for (size_t J = 0; J < N; ++J)
      Leverage += G[I] * Law.Inverse[I * N + J] * G[J];
  }
  // The error of the growth alone: a task's own deviation is the same on both
  // inputs.
  if (Law.Variance * Leverage > figures().LawError * figures().LawError)
    return std::nullopt;
  return std::exp(Growth);
}
