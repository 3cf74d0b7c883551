//===- ExprValue.cpp - values of count expressions ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the arithmetic of Expr.h; power sums (Faulhaber 1631). The body of a
// sum is a polynomial in the index between the points where its minima and
// maxima change sides. With divisions, it is one polynomial for each remainder,
// or while the quotient is constant; the same holds for logarithms. Such pieces
// are summed in closed form.
// Makes: values in double precision, and the part that has none.
// Not here: sums within sums over the same index, powers, and variable
// divisors; these are stepped through, up to a limit.
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "format/Identity.h"
#include <algorithm>
#include <array>
#include <cmath>

using namespace evenkeel;

namespace {

/// Limit on the iterations of all sums of one expression.
constexpr double MostSteps = 1 << 20;

/// Coefficients of 1, u, u^2, ...; whole numbers below 2^64 stay exact.
struct Polynomial {
  static constexpr unsigned Terms = 5;
  std::array<long double, Terms> C{};

  unsigned degree() const {
    unsigned D = Terms - 1;
    while (D && C[D] == 0)
      --D;
    return D;
  }
  long double at(long double U) const {
    long double V = 0;
    for (unsigned K = Terms; K-- > 0;)
      V = V * U + C[K];
    return V;
  }
  /// The sum over 0 .. M-1.
  long double sum(long double M) const {
    long double N = M - 1, S1 = N * M / 2, S2 = S1 * (2 * N + 1) / 3;
    return C[0] * M + C[1] * S1 + C[2] * S2 + C[3] * S1 * S1 +
           C[4] * S2 * (3 * N * N + 3 * N - 1) / 5;
  }
};

/// The values From, From + Step, .. of an index.
struct Iterations {
  double From = 0, Step = 1, Times = 0;
};

/// What prevents a body from being a single polynomial over its iterations.
struct Obstacle {
  enum Kind { None, Fails, ChangesAt, Divides, Other } K = None;
  double Where = 0; // ChangesAt: the iteration; Divides: number of remainders
                    // to distinguish
};

bool whole(long double V) { return V == std::floor(V); }

bool mentionsIndex(const Expr &E, unsigned Depth) {
  if (E.K == Expr::Index)
    return E.Value == Depth;
  bool Sum = E.Code == Expr::Sum || E.Code == Expr::ShareSum;
  for (size_t I = 0; I < E.Args.size(); ++I)
    if (mentionsIndex(*E.Args[I], Depth + (Sum && I == 1)))
      return true;
  return false;
}

class Evaluator {
  const EvalContext &C;
  const Expr **Culprit;
  std::vector<double> Indices; // of the enclosing sums, outermost first
  double Steps = 0;

  std::nullopt_t fails(const Expr &At) {
    if (Culprit)
      *Culprit = &At;
    return std::nullopt;
  }

  /// The iterations out of \p N that libomp's static schedule assigns to the
  /// task. Without chunks: contiguous blocks, with one more iteration for the
  /// first N mod T threads. Otherwise every T-th chunk; the last chunk may be
  /// short.
  struct Part {
    double Size, Chunks; // full chunks; the first at From, each Stride further
    double From, Stride;
    double LastFrom = 0, Last = 0; // the short one
  };
  std::optional<Part> partOf(const Expr &E, double N, const Expr *Chunk) {
    if (!C.Tasks)
      return fails(E);
    N = std::max(0.0, std::floor(N));
    double T = C.Tasks, Mine = C.Task;
    if (!Chunk) {
      double Base = std::floor(N / T), Rest = N - Base * T;
      return Part{Base + (Mine < Rest ? 1 : 0), 1,
                  Mine * Base + std::min(Mine, Rest), 1};
    }
    std::optional<double> K = at(*Chunk);
    if (!K)
      return std::nullopt;
    double Size = std::max(1.0, std::floor(*K)); // as libomp takes it
    double Chunks = std::floor(N / Size), Rest = N - Chunks * Size;
    double Each = std::floor(Chunks / T), Over = Chunks - Each * T;
    Part P{Size, Each + (Mine < Over ? 1 : 0), Mine * Size, T * Size};
    if (Mine == Over) {
      P.LastFrom = Chunks * Size;
      P.Last = Rest;
    }
    return P;
  }

  bool step(const Expr &E, double By) {
    Steps += By;
    if (Steps <= MostSteps)
      return true;
    fails(E);
    return false;
  }

  std::optional<Polynomial> extreme(bool Max, const Polynomial &A,
                                    const Polynomial &B, const Iterations &R,
                                    Obstacle &O) {
    Polynomial D;
    for (unsigned K = 0; K < Polynomial::Terms; ++K)
      D.C[K] = A.C[K] - B.C[K];
    if (D.degree() > 1) {
      O = {Obstacle::Other, 0};
      return std::nullopt;
    }
    long double First = D.C[0], Last = D.at(R.Times - 1);
    if (First >= 0 && Last >= 0)
      return Max ? A : B;
    if (First <= 0 && Last <= 0)
      return Max ? B : A;
    O = {Obstacle::ChangesAt, static_cast<double>(std::ceil(-D.C[0] / D.C[1]))};
    return std::nullopt;
  }

  /// \p A / \p By if it is constant over all \p Times iterations; else the
  /// iteration at which it changes. All values are whole, and \p A varies.
  std::optional<Polynomial> steadyQuotient(bool Up, const Polynomial &A,
                                           double By, double Times,
                                           Obstacle &O) {
    long double From = A.C[0] + (Up ? By - 1 : 0), Step = A.C[1];
    Polynomial Q;
    Q.C[0] = std::floor(From / By);
    long double Change = Step > 0
                             ? std::ceil(((Q.C[0] + 1) * By - From) / Step)
                             : std::floor((From - Q.C[0] * By) / -Step) + 1;
    if (Change >= Times)
      return Q;
    O = {Obstacle::ChangesAt, static_cast<double>(Change)};
    return std::nullopt;
  }

  std::optional<Polynomial> quotient(bool Up, const Polynomial &A, double By,
                                     double Times, Obstacle &O) {
    bool Even = true, Whole = whole(By) && By > 0;
    for (unsigned K = 0; K < Polynomial::Terms; ++K) {
      Whole &= whole(A.C[K]);
      Even &= !K || std::fmod(A.C[K], By) == 0;
    }
    if (Whole && Even) {
      Polynomial Q = A;
      for (long double &V : Q.C)
        V /= By;
      Q.C[0] = Up ? std::ceil(Q.C[0]) : std::floor(Q.C[0]);
      return Q;
    }
    // Choose the variant with fewer pieces.
    double Values = static_cast<double>(std::fabs(A.C[1])) * Times / By;
    if (Whole && A.degree() == 1 && 2 * Values < std::min(By, Times))
      return steadyQuotient(Up, A, By, Times, O);
    O = Whole ? Obstacle{Obstacle::Divides, By} : Obstacle{Obstacle::Other, 0};
    return std::nullopt;
  }

  /// The logarithm of \p A to the base \p Base; see steadyQuotient.
  std::optional<Polynomial> steadyLog(const Polynomial &A, double Base,
                                      double Times, Obstacle &O) {
    long double Power = 1, Below = 0; // Power / Base
    Polynomial L;
    for (; Power < A.C[0]; Power *= Base) {
      Below = Power;
      ++L.C[0];
    }
    long double Step = A.C[1], Change = Times;
    if (Step > 0) // above Power
      Change = std::floor((Power - A.C[0]) / Step) + 1;
    else if (L.C[0] > 0) // not above Below
      Change = std::ceil((A.C[0] - Below) / -Step);
    if (Change >= Times)
      return L;
    O = {Obstacle::ChangesAt, static_cast<double>(Change)};
    return std::nullopt;
  }

  /// \p E over the iterations \p R of the innermost index.
  std::optional<Polynomial> polynomial(const Expr &E, const Iterations &R,
                                       Obstacle &O) {
    Polynomial P;
    if (!mentionsIndex(E, 0)) {
      std::optional<double> V = at(E);
      if (!V) {
        O = {Obstacle::Fails, 0};
        return std::nullopt;
      }
      P.C[0] = *V;
      return P;
    }
    if (E.K == Expr::Index) {
      P.C[0] = R.From;
      P.C[1] = R.Step;
      return P;
    }
    switch (E.Code) {
    case Expr::Add:
    case Expr::Subtract:
    case Expr::Multiply:
    case Expr::Max:
    case Expr::Min:
    case Expr::CeilDivide:
    case Expr::FloorDivide:
    case Expr::CeilLog:
      break;
    default:
      O = {Obstacle::Other, 0};
      return std::nullopt;
    }
    std::optional<Polynomial> First = polynomial(*E.Args[0], R, O);
    if (!First)
      return std::nullopt;
    P = *First;
    if (E.Code == Expr::Subtract && E.Args.size() == 1)
      for (long double &V : P.C)
        V = -V;
    for (size_t I = 1; I < E.Args.size(); ++I) {
      std::optional<Polynomial> Next = polynomial(*E.Args[I], R, O);
      if (!Next)
        return std::nullopt;
      const Polynomial &Q = *Next;
      std::optional<Polynomial> Out = Polynomial();
      switch (E.Code) {
      case Expr::Add:
      case Expr::Subtract:
        for (unsigned K = 0; K < Polynomial::Terms; ++K)
          Out->C[K] = E.Code == Expr::Add ? P.C[K] + Q.C[K] : P.C[K] - Q.C[K];
        break;
      case Expr::Multiply:
        if (P.degree() + Q.degree() >= Polynomial::Terms) {
          O = {Obstacle::Other, 0};
          return std::nullopt;
        }
        for (unsigned K = 0; K <= P.degree(); ++K)
          for (unsigned J = 0; J <= Q.degree(); ++J)
            Out->C[K + J] += P.C[K] * Q.C[J];
        break;
      case Expr::Max:
      case Expr::Min:
        Out = extreme(E.Code == Expr::Max, P, Q, R, O);
        break;
      case Expr::CeilLog:
        if (P.degree() != 1 || Q.degree() || !(Q.C[0] >= 2)) {
          O = {Obstacle::Other, 0};
          return std::nullopt;
        }
        Out = steadyLog(P, static_cast<double>(Q.C[0]), R.Times, O);
        break;
      default:
        if (Q.degree() ||
            Q.C[0] == 0) { // stepping reports the division by zero
          O = {Obstacle::Other, 0};
          return std::nullopt;
        }
        Out = quotient(E.Code == Expr::CeilDivide, P,
                       static_cast<double>(Q.C[0]), R.Times, O);
      }
      if (!Out)
        return std::nullopt;
      P = *Out;
    }
    return P;
  }

  std::optional<double> sumOver(const Expr &Sum, const Part &P) {
    std::vector<Iterations> All;
    double Least = std::min(P.Size, P.Chunks);
    if (!step(Sum, Least))
      return std::nullopt;
    for (double K = 0; K < Least; ++K)
      All.push_back(P.Size < P.Chunks
                        ? Iterations{P.From + K, P.Stride, P.Chunks}
                        : Iterations{P.From + K * P.Stride, 1, P.Size});
    All.push_back({P.LastFrom, 1, P.Last});
    return sumOver(Sum, *Sum.Args[1], std::move(All));
  }

  /// The sum of \p Body over \p All; their index is the innermost.
  std::optional<double> sumOver(const Expr &Sum, const Expr &Body,
                                std::vector<Iterations> All) {
    long double Total = 0;
    bool Failed = false;
    Indices.push_back(0);
    while (!All.empty() && !Failed) {
      Iterations R = All.back();
      All.pop_back();
      if (R.Times <= 0)
        continue;
      Failed = !step(Sum, 1);
      if (Failed)
        break;
      Obstacle O;
      if (std::optional<Polynomial> P = polynomial(Body, R, O)) {
        Total += P->sum(R.Times);
        continue;
      }
      if (O.K == Obstacle::ChangesAt && O.Where > 0 && O.Where < R.Times) {
        All.push_back({R.From, R.Step, O.Where});
        All.push_back({R.From + O.Where * R.Step, R.Step, R.Times - O.Where});
        continue;
      }
      if (O.K == Obstacle::Divides && 2 * O.Where < R.Times) {
        Failed = !step(Sum, O.Where);
        if (Failed)
          break;
        for (double K = 0; K < O.Where; ++K)
          All.push_back({R.From + K * R.Step, R.Step * O.Where,
                         std::ceil((R.Times - K) / O.Where)});
        continue;
      }
      Failed = O.K == Obstacle::Fails || !step(Sum, R.Times);
      for (double K = 0; K < R.Times && !Failed; ++K) {
        Indices.back() = R.From + K * R.Step;
        std::optional<double> V = at(Body);
        Failed = !V;
        Total += V.value_or(0);
      }
    }
    Indices.pop_back();
    return Failed ? std::nullopt
                  : std::optional<double>(static_cast<double>(Total));
  }

public:
  Evaluator(const EvalContext &C, const Expr **Culprit)
      : C(C), Culprit(Culprit) {}

  std::optional<double> at(const Expr &E);
};

std::optional<double> Evaluator::at(const Expr &E) {
  if (E.K == Expr::Const)
    return E.Value;
  if (E.K == Expr::Symbol) {
    std::optional<double> V = C.Lookup ? C.Lookup(E.Sym) : std::nullopt;
    return V ? V : fails(E);
  }
  if (E.K == Expr::Index)
    return E.Value < Indices.size()
               ? std::optional<double>(
                     Indices[Indices.size() - 1 - static_cast<size_t>(E.Value)])
               : fails(E);
  if (E.Code == Expr::Unknown || E.Args.empty())
    return fails(E);
  std::optional<double> First = at(*E.Args[0]);
  if (!First)
    return std::nullopt;
  double R = *First;
  switch (E.Code) {
  case Expr::Share: {
    auto P = partOf(E, R, E.Args.size() > 1 ? E.Args[1].get() : nullptr);
    if (!P)
      return std::nullopt;
    return P->Size * P->Chunks + P->Last;
  }
  case Expr::First: {
    auto P = partOf(E, R, nullptr);
    if (!P)
      return std::nullopt;
    return P->From;
  }
  case Expr::Evenly:
    if (!C.Tasks)
      return fails(E);
    return R / C.Tasks;
  case Expr::Sum:
    return sumOver(E, *E.Args[1], {{0, 1, std::max(0.0, std::floor(R))}});
  case Expr::ShareSum: {
    auto P = partOf(E, R, E.Args.size() > 2 ? E.Args[2].get() : nullptr);
    return P ? sumOver(E, *P) : std::nullopt;
  }
  default:
    break;
  }
  if (E.Code == Expr::Subtract && E.Args.size() == 1)
    return -R;
  for (size_t I = 1; I < E.Args.size(); ++I) {
    std::optional<double> V = at(*E.Args[I]);
    if (!V)
      return std::nullopt;
    switch (E.Code) {
    case Expr::Add:
      R += *V;
      break;
    case Expr::Multiply:
      R *= *V;
      break;
    case Expr::Subtract:
      R -= *V;
      break;
    case Expr::Max:
      R = std::max(R, *V);
      break;
    case Expr::Min:
      R = std::min(R, *V);
      break;
    case Expr::CeilDivide:
    case Expr::FloorDivide:
      if (*V == 0)
        return fails(E);
      R = E.Code == Expr::CeilDivide ? std::ceil(R / *V) : std::floor(R / *V);
      break;
    case Expr::Power:
      R = std::pow(R, std::max(0.0, std::floor(*V)));
      if (!std::isfinite(R))
        return fails(E);
      break;
    case Expr::CeilLog: {
      if (!(*V >= 2))
        return fails(E);
      double K = 0;
      for (double P = 1; P < R; P *= *V)
        ++K;
      R = K;
      break;
    }
    default:
      return fails(E);
    }
  }
  return R;
}

} // namespace

std::optional<double> evenkeel::valueOf(const Expr &E, const EvalContext &C,
                                        const Expr **Culprit) {
  return Evaluator(C, Culprit).at(E);
}

Expected<double> evenkeel::evaluate(const Expr &E, const EvalContext &C) {
  const Expr *Culprit = nullptr;
  if (std::optional<double> V = valueOf(E, C, &Culprit))
    return *V;
  if (Culprit->K == Expr::Symbol)
    return Error{"symbol " + idToString(Culprit->Sym) + " has no value"};
  if (Culprit->K == Expr::Index)
    return Error{"index outside of a sum"};
  switch (Culprit->Code) {
  case Expr::CeilDivide:
  case Expr::FloorDivide:
    return Error{"division by zero in '" + Culprit->Name + "'"};
  case Expr::Power:
    return Error{"'pow' is too large a number"};
  case Expr::CeilLog:
    return Error{"'ceillog' to a base below 2"};
  case Expr::Share:
  case Expr::First:
  case Expr::Evenly:
  case Expr::Sum:
  case Expr::ShareSum:
    return Error{C.Tasks ? "'" + Culprit->Name + "' takes too many steps"
                         : "share of a team without tasks"};
  default:
    return Error{"expression: unknown operator '" + Culprit->Name + "'"};
  }
}
