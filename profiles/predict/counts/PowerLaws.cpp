//===- PowerLaws.cpp - what tasks of other sizes teach --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: tasks of one region that work on blocks of several sizes show how the
// accesses that no formula and no known size gives, those of their own buffers
// above all, go with the objects whose growth is known: over the region's tasks
// on the base input,
//   ln Y(t) = d + sum over i of a(i) ln X(t, i),
// Y the accesses in question, X(i) those of the i-th known object; a matrix
// product M N K has exponents of 1/2 on its three matrices. On the target Y
// grows by the product of the X's growths to these powers.
// Makes: that growth, where the fit and its direction are good enough: the
// standard error of the predicted logarithm (least squares, Gauss) is checked,
// so that growth in a direction in which tasks do not differ is not guessed.
// Leaves out: regions with few tasks, or with tasks all alike.
//===----------------------------------------------------------------------===//
#include "predict/Extrapolator.h"
#include <algorithm>
#include <cmath>

using namespace evenkeel;

namespace evenkeel {
namespace extrapolation {

namespace {

/// Tasks per exponent, at least.
constexpr size_t TasksPerTerm = 6;
constexpr size_t MostTerms = 4;
/// Accesses of an object's words from which on they come again.
constexpr double Again = 2;
/// Share of the region's tasks that access a term's object, at least.
constexpr double InMost = 0.9;
/// Standard error of a predicted logarithm, at most. The share of accesses that
/// is known from elsewhere is seldom better.
constexpr double MostError = 0.1;
/// No such law is truer than that, however well it fits: where tasks differ in
/// fewer ways than there are terms, all fits are good.
constexpr double LeastError = 0.01;
/// Of the accesses in question: what fewer go to has no part in them.
constexpr double LeastPart = 1e-3;
/// Below it, tasks are alike and teach nothing.
constexpr double LeastSpread = 0.1;
/// Of the features' variance: directions with less are taken for noise.
constexpr double Ridge = 1e-6;

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

/// Whether the growth of what \p Task accesses of an object is known: by a
/// formula, or by the object's size where it is not gone over again and again.
bool Extrapolator::growthKnown(uint32_t Task, const BaseDemand &Q) {
  if (cachedRatio(Task, Q).Usable)
    return true;
  const double Words = double(B.Instances[Q.Inst].bytes) / WordBytes;
  return P.Instances[Q.Inst].Method == KnownMethod &&
         Q.Accesses <= Again * Words;
}

void Extrapolator::fitPowerLaws() {
  PowerLaws.clear();
  if (!knowsTarget())
    return;
  std::map<uint64_t, std::vector<uint32_t>> TasksOf; // by region
  for (uint32_t T = 0; T < B.Tasks.size(); ++T)
    if (!Demands[T].empty() && Began[T] == T)
      TasksOf[B.Tasks[T].region].push_back(T);
  for (const auto &[Region, Tasks] : TasksOf) {
    if (std::all_of(Tasks.begin(), Tasks.end(),
                    [&](uint32_t T) { return isOver(B.Tasks[T].phase); }))
      continue;
    double Count = 0;
    for (uint32_t T : Tasks)
      Count += times(T);
    // Terms: objects, each by itself, that nearly all of the tasks access, and
    // not all of them alike.
    struct Seen {
      double Accesses = 0;
      Moments Logs;
    };
    std::map<uint32_t, Seen> Known;
    double Unknown = 0;
    for (uint32_t T : Tasks)
      for (const BaseDemand &Q : Demands[T])
        if (Q.Accesses > 0 && growthKnown(T, Q)) {
          Known[Q.Inst].Accesses += Q.Accesses * times(T);
          Known[Q.Inst].Logs.add(std::log(Q.Accesses), times(T));
        } else {
          Unknown += Q.Accesses * times(T);
        }
    if (Unknown <= 0)
      continue;
    PowerLaw Law;
    std::vector<std::pair<double, uint32_t>> Best;
    for (const auto &[Inst, X] : Known)
      if (X.Logs.N >= InMost * Count) {
        if (X.Logs.spread() >= LeastSpread)
          Best.emplace_back(-X.Accesses, Inst);
        else if (X.Accesses >= LeastPart * Unknown)
          Law.Alike.push_back(Inst);
      }
    std::sort(Best.begin(), Best.end());
    for (auto [Weight, Inst] : Best)
      if (Law.Terms.size() < MostTerms)
        Law.Terms.push_back(Inst);
    const size_t N = Law.Terms.size() + 1;
    if (N == 1)
      continue;
    std::vector<double> Normal(N * N, 0), Right(N, 0), Rows, Ys, Weights;
    double Points = 0;
    for (uint32_t T : Tasks) {
      std::vector<double> X(N, 0);
      X[0] = 1;
      double Y = 0;
      size_t Found = 1;
      for (const BaseDemand &Q : Demands[T])
        if (auto At = std::find(Law.Terms.begin(), Law.Terms.end(), Q.Inst);
            At != Law.Terms.end()) {
          Found += Q.Accesses > 0;
          X[size_t(At - Law.Terms.begin()) + 1] = std::log(Q.Accesses);
        } else if (!growthKnown(T, Q)) {
          Y += Q.Accesses;
        }
      if (Found < N || Y <= 0)
        continue;
      Rows.insert(Rows.end(), X.begin(), X.end());
      Ys.push_back(std::log(Y));
      Weights.push_back(times(T));
      Points += times(T);
    }
    if (Points < double(TasksPerTerm * N))
      continue;
    Moments OfY;
    for (size_t R = 0; R < Ys.size(); ++R)
      OfY.add(Ys[R], Weights[R]);
    if (OfY.spread() < LeastSpread)
      continue;
    for (size_t R = 0; R < Ys.size(); ++R)
      for (size_t I = 0; I < N; ++I) {
        Right[I] += Rows[R * N + I] * Ys[R] * Weights[R];
        for (size_t J = 0; J < N; ++J)
          Normal[I * N + J] += Rows[R * N + I] * Rows[R * N + J] * Weights[R];
      }
    for (size_t I = 1; I < N; ++I)
      Normal[I * N + I] *= 1 + Ridge;
    if (!invert(Normal, N))
      continue;
    Law.Powers.assign(N, 0);
    for (size_t I = 0; I < N; ++I)
      for (size_t J = 0; J < N; ++J)
        Law.Powers[I] += Normal[I * N + J] * Right[J];
    double Squares = 0;
    for (size_t R = 0; R < Ys.size(); ++R) {
      double Y = Ys[R];
      for (size_t I = 0; I < N; ++I)
        Y -= Law.Powers[I] * Rows[R * N + I];
      Squares += Y * Y * Weights[R];
    }
    Law.Variance =
        std::max(LeastError * LeastError, Squares / (Points - double(N)));
    Law.Inverse = std::move(Normal);
    if (Law.Variance <= MostError * MostError)
      PowerLaws[Region] = std::move(Law);
  }
}

/// Growth of what \p Task accesses of objects whose growth nothing else tells.
std::optional<double> Extrapolator::growthByPowerLaw(uint32_t Task) {
  auto It = PowerLaws.find(B.Tasks[Task].region);
  if (It == PowerLaws.end())
    return std::nullopt;
  const PowerLaw &Law = It->second;
  const size_t N = Law.Terms.size() + 1;
  std::vector<double> G(N, 0);
  size_t Found = 0;
  for (const BaseDemand &Q : Demands[Task]) {
    auto At = std::find(Law.Terms.begin(), Law.Terms.end(), Q.Inst);
    const bool Alike = std::find(Law.Alike.begin(), Law.Alike.end(), Q.Inst) !=
                       Law.Alike.end();
    if (At == Law.Terms.end() && !Alike)
      continue;
    const Ratio &C = cachedRatio(Task, Q);
    const double X = C.Usable ? C.All : SizeRatio[Q.Inst];
    // What all tasks accessed alike did not show what its growth does.
    if (X <= 0 || (Alike && std::fabs(std::log(X)) > MostError))
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
  // Of the growth alone: what the task is off is so on both inputs.
  if (Law.Variance * Leverage > MostError * MostError)
    return std::nullopt;
  return std::exp(Growth);
}

} // namespace extrapolation
} // namespace evenkeel
