//===- dmrg.cpp - sweeps of block-sparse contractions -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The density-matrix renormalisation group (White 1992) in its one-site form,
// as a matrix-product state (Schollwoeck 2011), for the Heisenberg model on a
// ladder of WIDTH x RUNGS spins one half. The number of spins up is conserved:
// every tensor consists of the blocks whose numbers add up, and a bond's
// sectors have sizes that fall off from the middle, so that blocks are uneven.
// A step at one site: a few Lanczos steps with the effective Hamiltonian (left
// environment, operator, right environment), a QR decomposition per sector, and
// the next environment. Each block of a result is one task, which adds up its
// contractions in a fixed order. The sizes of the sectors stay what they are.
//
//   dmrg WIDTH RUNGS STATES SWEEPS [--verify] [--out FILE]
//   STATES: on one bond; SWEEPS: passes over the sites, in turn to the right
//   and to the left
//===----------------------------------------------------------------------===//
#define PROGRAM "dmrg"
#include "../common/support.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

constexpr int LanczosSteps = 2;

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

/// Matrices of different sizes, one behind the other.
class Blocks {
  std::vector<int64_t> Rows, Columns, Offset;
  double *Data = nullptr;

public:
  Blocks() : Offset(1, 0) {}
  Blocks(const Blocks &) = delete;
  Blocks &operator=(const Blocks &) = delete;
  ~Blocks() { delete[] Data; }

  void add(int64_t NumRows, int64_t NumColumns) {
    if (NumRows == 0 || NumColumns == 0)
      NumRows = NumColumns = 0;
    Rows.push_back(NumRows);
    Columns.push_back(NumColumns);
    Offset.push_back(Offset.back() + NumRows * NumColumns);
  }
  void allocate() {
    Data = new double[size_t(elements())];
    std::fill(Data, Data + elements(), 0.0);
  }
  size_t size() const { return Rows.size(); }
  int64_t elements() const { return Offset.back(); }
  int64_t rows(size_t B) const { return Rows[B]; }
  int64_t columns(size_t B) const { return Columns[B]; }
  double *block(size_t B) const { return Data + Offset[B]; }
  double *data() const { return Data; }
  void clear(size_t B) const {
    std::fill(block(B), block(B) + Rows[B] * Columns[B], 0.0);
  }
};

/// C (M x N) += F * A (M x K) * B (K x N).
void multiplyAdd(int64_t M, int64_t N, int64_t K, double F, const double *A,
                 const double *B, double *C) {
  for (int64_t I = 0; I < M; ++I)
    for (int64_t L = 0; L < K; ++L) {
      double X = F * A[I * K + L];
      for (int64_t J = 0; J < N; ++J)
        C[I * N + J] += X * B[L * N + J];
    }
}

/// C (M x N) += F * A (M x K) * transpose of B (N x K).
void multiplyAddRight(int64_t M, int64_t N, int64_t K, double F,
                      const double *A, const double *B, double *C) {
  for (int64_t I = 0; I < M; ++I)
    for (int64_t J = 0; J < N; ++J) {
      double Sum = 0;
      for (int64_t L = 0; L < K; ++L)
        Sum += A[I * K + L] * B[J * K + L];
      C[I * N + J] += F * Sum;
    }
}

/// C (M x N) += F * transpose of A (K x M) * B (K x N).
void multiplyAddLeft(int64_t M, int64_t N, int64_t K, double F, const double *A,
                     const double *B, double *C) {
  for (int64_t L = 0; L < K; ++L)
    for (int64_t I = 0; I < M; ++I) {
      double X = F * A[L * M + I];
      for (int64_t J = 0; J < N; ++J)
        C[I * N + J] += X * B[L * N + J];
    }
}

//===----------------------------------------------------------------------===//
// The model
//===----------------------------------------------------------------------===//

/// One entry of the operator at a site: on bonds From and To, the spin becomes
/// Bra where it was Ket.
struct Entry {
  int From, To, Bra, Ket;
  double Factor;
};

class Model {
  int Width, Sites;

public:
  Model(int W, int Rungs) : Width(W), Sites(W * Rungs) {}
  int sites() const { return Sites; }
  int up() const { return Sites / 2; }
  /// States of a bond: nothing yet, an open S+, S- or Sz placed 1 .. Width
  /// sites before, all done.
  int states() const { return 2 + 3 * Width; }
  int done() const { return states() - 1; }
  int open(int Kind, int Age) const { return 1 + Kind * Width + Age - 1; }
  /// By how much the bra has more spins up to the left.
  int charge(int State) const {
    if (State == 0 || State == done())
      return 0;
    int Kind = (State - 1) / Width;
    return Kind == 0 ? 1 : Kind == 1 ? -1 : 0;
  }
  bool joined(int A, int B) const {
    return B - A == Width || (B - A == 1 && A % Width + 1 < Width);
  }

  std::vector<Entry> entries(int Site) const {
    std::vector<Entry> Out;
    auto Unit = [&](int From, int To) {
      Out.push_back({From, To, 0, 0, 1});
      Out.push_back({From, To, 1, 1, 1});
    };
    // S+ = |1><0|, S- = |0><1|, Sz.
    auto Spin = [&](int From, int To, int Kind, double F) {
      if (Kind == 0)
        Out.push_back({From, To, 1, 0, F});
      else if (Kind == 1)
        Out.push_back({From, To, 0, 1, F});
      else {
        Out.push_back({From, To, 0, 0, -0.5 * F});
        Out.push_back({From, To, 1, 1, 0.5 * F});
      }
    };
    const int Partner[3] = {1, 0, 2};
    const double Coupling[3] = {0.5, 0.5, 1};
    Unit(0, 0);
    Unit(done(), done());
    for (int Kind = 0; Kind < 3; ++Kind) {
      Spin(0, open(Kind, 1), Kind, Coupling[Kind]);
      for (int Age = 1; Age <= Width; ++Age) {
        if (Age < Width)
          Unit(open(Kind, Age), open(Kind, Age + 1));
        if (Site >= Age && joined(Site - Age, Site))
          Spin(open(Kind, Age), done(), Partner[Kind], 1);
      }
    }
    return Out;
  }
};

//===----------------------------------------------------------------------===//
// The state
//===----------------------------------------------------------------------===//

class Solver {
  const Model &H;
  int Sites, Up;
  std::vector<std::vector<int64_t>> Size; // per bond and sector
  std::vector<std::vector<Entry>> Entries;
  std::vector<Blocks> State;       // per site
  std::vector<Blocks> Environment; // per bond: of what is left or right of it

  int64_t sector(int Bond, int Q) const {
    return Q < 0 || Q > Up ? 0 : Size[size_t(Bond)][size_t(Q)];
  }
  size_t siteBlock(int Q, int Spin) const { return size_t(2 * Q + Spin); }
  size_t bondBlock(int W, int Q) const { return size_t(W * (Up + 1) + Q); }
  size_t halfBlock(int W, int Q, int Spin) const {
    return 2 * bondBlock(W, Q) + size_t(Spin);
  }

  void chooseSizes(int64_t States);
  void shapeSite(int Site, Blocks &B) const {
    for (int Q = 0; Q <= Up; ++Q)
      for (int Spin = 0; Spin < 2; ++Spin)
        B.add(sector(Site, Q), sector(Site + 1, Q + Spin));
    B.allocate();
  }
  /// Ket on the left, bra on the right of the contraction with one environment;
  /// or the other way round.
  void shapeHalf(int Site, bool Left, Blocks &B) const {
    for (int W = 0; W < H.states(); ++W)
      for (int Q = 0; Q <= Up; ++Q)
        for (int Spin = 0; Spin < 2; ++Spin)
          if (Left)
            B.add(sector(Site, Q + H.charge(W)), sector(Site + 1, Q + Spin));
          else
            B.add(sector(Site, Q), sector(Site + 1, Q + Spin + H.charge(W)));
    B.allocate();
  }

  void timesLeft(int Site, const Blocks &X, Blocks &Half) const;
  void timesRight(int Site, const Blocks &X, Blocks &Half) const;
  void apply(int Site, const Blocks &X, Blocks &Half, Blocks &Y) const;
  void growLeft(int Site, Blocks &Half);
  void growRight(int Site, Blocks &Half);
  double improve(int Site, Blocks &Half);
  void orthogonalLeft(int Site);
  void orthogonalRight(int Site);

public:
  Solver(const Model &M, int64_t States);
  int64_t elements() const;
  /// Improves site after site; returns the last energy.
  double sweep(bool ToTheRight);
  double RiseOfEnergy = 0;
  double orthogonalityError(bool Left) const;
  /// The state's amplitudes in the basis of all spin configurations.
  std::vector<double> amplitudes() const;
  void write(const char *Path) const;
};

/// As many states as the two sides allow, at most a share of States that falls
/// off like a Gaussian from the middle sector; then less where a neighbouring
/// bond could not tell them apart.
void Solver::chooseSizes(int64_t States) {
  auto Choose = [](int N, int K) {
    double C = K < 0 || K > N ? 0 : 1;
    for (int I = 0; C > 0 && I < K; ++I)
      C = std::round(C * (N - I) / (I + 1));
    return C;
  };
  Size.assign(size_t(Sites) + 1, std::vector<int64_t>(size_t(Up) + 1, 0));
  for (int B = 0; B <= Sites; ++B)
    for (int Q = 0; Q <= Up; ++Q) {
      double Distance = Q - double(Up) * B / Sites;
      double Share = 0.4 * std::exp(-0.5 * Distance * Distance);
      double Most = std::min(Choose(B, Q), Choose(Sites - B, Up - Q));
      Size[size_t(B)][size_t(Q)] =
          int64_t(std::min(Most, std::ceil(Share * double(States))));
    }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (int B = 0; B <= Sites; ++B)
      for (int Q = 0; Q <= Up; ++Q) {
        int64_t Most = sector(B, Q);
        if (B > 0)
          Most = std::min(Most, sector(B - 1, Q) + sector(B - 1, Q - 1));
        if (B < Sites)
          Most = std::min(Most, sector(B + 1, Q) + sector(B + 1, Q + 1));
        Changed |= Most < sector(B, Q);
        Size[size_t(B)][size_t(Q)] = Most;
      }
  }
}

Solver::Solver(const Model &M, int64_t States)
    : H(M), Sites(M.sites()), Up(M.up()), State(size_t(Sites)),
      Environment(size_t(Sites) + 1) {
  chooseSizes(States);
  uint64_t Seed = 1992;
  for (int I = 0; I < Sites; ++I) {
    Entries.push_back(H.entries(I));
    Blocks &A = State[size_t(I)];
    shapeSite(I, A);
    for (int64_t E = 0; E < A.elements(); ++E)
      A.data()[E] = random_unit(&Seed) - 0.5;
  }
  for (int B = 0; B <= Sites; ++B) {
    for (int W = 0; W < H.states(); ++W)
      for (int Q = 0; Q <= Up; ++Q)
        Environment[size_t(B)].add(sector(B, Q + H.charge(W)), sector(B, Q));
    Environment[size_t(B)].allocate();
  }
  *Environment[0].block(bondBlock(0, 0)) = 1;
  *Environment[size_t(Sites)].block(bondBlock(H.done(), Up)) = 1;
  for (int I = Sites - 1; I > 0; --I) {
    Blocks Half;
    shapeHalf(I, false, Half);
    orthogonalRight(I);
    growRight(I, Half);
  }
}

int64_t Solver::elements() const {
  int64_t N = 0;
  for (const Blocks &B : State)
    N += B.elements();
  for (const Blocks &B : Environment)
    N += B.elements();
  return N;
}

//===----------------------------------------------------------------------===//
// Contractions
//===----------------------------------------------------------------------===//

/// Half[w, q, s] = Left[w, q] X[q, s], within a team's single construct.
void Solver::timesLeft(int Site, const Blocks &X, Blocks &Half) const {
  const Blocks &Left = Environment[size_t(Site)];
  for (int W = 0; W < H.states(); ++W)
    for (int Q = 0; Q <= Up; ++Q)
      for (int Spin = 0; Spin < 2; ++Spin) {
        size_t To = halfBlock(W, Q, Spin), From = siteBlock(Q, Spin);
        if (Half.rows(To) == 0 || X.rows(From) == 0)
          continue;
#pragma omp task firstprivate(W, Q, To, From) shared(X, Half, Left)
        {
          Half.clear(To);
          multiplyAdd(Half.rows(To), Half.columns(To), X.rows(From), 1,
                      Left.block(bondBlock(W, Q)), X.block(From),
                      Half.block(To));
        }
      }
#pragma omp taskwait
}

/// Half[w, q, s] = X[q, s] transpose of Right[w, q + s].
void Solver::timesRight(int Site, const Blocks &X, Blocks &Half) const {
  const Blocks &Right = Environment[size_t(Site) + 1];
  for (int W = 0; W < H.states(); ++W)
    for (int Q = 0; Q <= Up; ++Q)
      for (int Spin = 0; Spin < 2 && Q + Spin <= Up; ++Spin) {
        size_t To = halfBlock(W, Q, Spin), From = siteBlock(Q, Spin);
        if (Half.rows(To) == 0 || X.rows(From) == 0)
          continue;
#pragma omp task firstprivate(W, Q, Spin, To, From) shared(X, Half, Right)
        {
          Half.clear(To);
          multiplyAddRight(Half.rows(To), Half.columns(To), X.columns(From), 1,
                           X.block(From), Right.block(bondBlock(W, Q + Spin)),
                           Half.block(To));
        }
      }
#pragma omp taskwait
}

/// Y = the effective Hamiltonian times X, within a team's single construct.
void Solver::apply(int Site, const Blocks &X, Blocks &Half, Blocks &Y) const {
  const Blocks &Right = Environment[size_t(Site) + 1];
  const std::vector<Entry> &Operator = Entries[size_t(Site)];
  timesLeft(Site, X, Half);
  for (int Bra = 0; Bra <= Up; ++Bra)
    for (int Spin = 0; Spin < 2; ++Spin) {
      size_t To = siteBlock(Bra, Spin);
      if (Y.rows(To) == 0)
        continue;
#pragma omp task firstprivate(Bra, Spin, To) shared(Half, Y, Right, Operator)
      {
        Y.clear(To);
        for (const Entry &E : Operator) {
          int Ket = Bra - H.charge(E.From);
          if (E.Bra != Spin || Ket < 0 || Ket + E.Ket > Up)
            continue;
          size_t From = halfBlock(E.From, Ket, E.Ket);
          size_t By = bondBlock(E.To, Ket + E.Ket);
          if (Half.rows(From) && Right.rows(By))
            multiplyAddRight(Y.rows(To), Y.columns(To), Half.columns(From),
                             E.Factor, Half.block(From), Right.block(By),
                             Y.block(To));
        }
      }
    }
#pragma omp taskwait
}

/// The environment of the bond right of the site, from that on its left.
void Solver::growLeft(int Site, Blocks &Half) {
  const Blocks &A = State[size_t(Site)];
  Blocks &Next = Environment[size_t(Site) + 1];
  const std::vector<Entry> &Operator = Entries[size_t(Site)];
#pragma omp parallel
#pragma omp single
  {
    timesLeft(Site, A, Half);
    for (int W = 0; W < H.states(); ++W)
      for (int Ket = 0; Ket <= Up; ++Ket) {
        size_t To = bondBlock(W, Ket);
        if (Next.rows(To) == 0)
          continue;
#pragma omp task firstprivate(W, Ket, To) shared(Half, A, Next, Operator)
        {
          Next.clear(To);
          for (const Entry &E : Operator) {
            int Left = Ket - E.Ket, Bra = Left + H.charge(E.From);
            if (E.To != W || Left < 0 || Bra < 0 || Bra > Up)
              continue;
            size_t From = halfBlock(E.From, Left, E.Ket);
            size_t By = siteBlock(Bra, E.Bra);
            if (Half.rows(From) && A.rows(By))
              multiplyAddLeft(Next.rows(To), Next.columns(To), A.rows(By),
                              E.Factor, A.block(By), Half.block(From),
                              Next.block(To));
          }
        }
      }
  }
}

/// The environment of the bond left of the site, from that on its right.
void Solver::growRight(int Site, Blocks &Half) {
  const Blocks &A = State[size_t(Site)];
  Blocks &Next = Environment[size_t(Site)];
  const std::vector<Entry> &Operator = Entries[size_t(Site)];
#pragma omp parallel
#pragma omp single
  {
    timesRight(Site, A, Half);
    for (int W = 0; W < H.states(); ++W)
      for (int Ket = 0; Ket <= Up; ++Ket) {
        size_t To = bondBlock(W, Ket);
        if (Next.rows(To) == 0)
          continue;
#pragma omp task firstprivate(W, Ket, To) shared(Half, A, Next, Operator)
        {
          Next.clear(To);
          for (const Entry &E : Operator) {
            int Bra = Ket + H.charge(W);
            if (E.From != W || Bra > Up || Ket + E.Ket > Up)
              continue;
            size_t From = halfBlock(E.To, Ket, E.Ket);
            size_t By = siteBlock(Bra, E.Bra);
            if (Half.rows(From) && A.rows(By))
              multiplyAddRight(Next.rows(To), Next.columns(To), A.columns(By),
                               E.Factor, A.block(By), Half.block(From),
                               Next.block(To));
          }
        }
      }
  }
}

//===----------------------------------------------------------------------===//
// One site
//===----------------------------------------------------------------------===//

/// Block by block as tasks, added up in order.
double dot(const Blocks &X, const Blocks &Y, std::vector<double> &Part) {
  for (size_t B = 0; B < X.size(); ++B) {
    if (X.rows(B) == 0)
      continue;
#pragma omp task firstprivate(B) shared(X, Y, Part)
    {
      const double *P = X.block(B), *Q = Y.block(B);
      double Sum = 0;
      int64_t Elements = X.rows(B) * X.columns(B);
      for (int64_t E = 0; E < Elements; ++E)
        Sum += P[E] * Q[E];
      Part[B] = Sum;
    }
  }
#pragma omp taskwait
  double Sum = 0;
  for (double P : Part)
    Sum += P;
  return Sum;
}

/// Y = F * X + G * Y.
void combine(double F, const Blocks &X, double G, const Blocks &Y) {
  for (size_t B = 0; B < X.size(); ++B) {
    if (X.rows(B) == 0)
      continue;
#pragma omp task firstprivate(B, F, G) shared(X, Y)
    {
      const double *P = X.block(B);
      double *Q = Y.block(B);
      int64_t Elements = X.rows(B) * X.columns(B);
      for (int64_t E = 0; E < Elements; ++E)
        Q[E] = F * P[E] + G * Q[E];
    }
  }
#pragma omp taskwait
}

/// Smallest eigenvalue of a symmetric tridiagonal matrix of order two or one,
/// and its vector.
double smallest(double A, double B, double C, double &X, double &Y) {
  double Half = 0.5 * (A - C), Root = std::hypot(Half, B);
  double Value = 0.5 * (A + C) - Root;
  X = B;
  Y = Value - A;
  double Norm = std::hypot(X, Y);
  if (Norm < 1e-14 * (std::fabs(A) + std::fabs(C) + 1)) {
    X = 1;
    Y = 0;
    return A;
  }
  X /= Norm;
  Y /= Norm;
  return Value;
}

/// Lanczos in the space of the state and one step from it; returns the energy.
double Solver::improve(int Site, Blocks &Half) {
  static_assert(LanczosSteps == 2, "the projected matrix is 2 x 2");
  const Blocks &X = State[size_t(Site)];
  Blocks Y, Z;
  shapeSite(Site, Y);
  shapeSite(Site, Z);
  std::vector<double> Part(X.size());
  double Energy = 0;
#pragma omp parallel
#pragma omp single
  {
    combine(0, X, 1 / std::sqrt(dot(X, X, Part)), X);
    apply(Site, X, Half, Y);
    double A = dot(X, Y, Part);
    combine(-A, X, 1, Y);
    double B = std::sqrt(dot(Y, Y, Part));
    Energy = A;
    if (B >= 1e-12) {
      combine(0, Y, 1 / B, Y);
      apply(Site, Y, Half, Z);
      double C = dot(Y, Z, Part), F, G;
      Energy = smallest(A, B, C, F, G);
      combine(G, Y, F, X);
    }
  }
  return Energy;
}

/// Makes Count vectors of length N orthonormal (Gram and Schmidt, twice);
/// Factor: row k says how the old vector k is made of the new ones.
void orthonormalise(int64_t Count, int64_t N, double *V, double *Factor) {
  std::fill(Factor, Factor + Count * Count, 0.0);
  for (int64_t K = 0; K < Count; ++K) {
    double *X = V + K * N;
    auto Project = [&](bool Note) {
      for (int64_t L = 0; L < K; ++L) {
        double Sum = 0;
        for (int64_t I = 0; I < N; ++I)
          Sum += V[L * N + I] * X[I];
        for (int64_t I = 0; I < N; ++I)
          X[I] -= Sum * V[L * N + I];
        if (Note)
          Factor[K * Count + L] += Sum;
      }
      double Sum = 0;
      for (int64_t I = 0; I < N; ++I)
        Sum += X[I] * X[I];
      return std::sqrt(Sum);
    };
    Project(true);
    double Norm = Project(true);
    Factor[K * Count + K] = Norm;
    if (Norm < 1e-13) { // depends on the others: any direction will do
      Factor[K * Count + K] = 0;
      for (int64_t Try = 0; Norm < 1e-3 && Try < N; ++Try) {
        std::fill(X, X + N, 0.0);
        X[Try] = 1;
        Project(false);
        Norm = Project(false);
      }
    }
    for (int64_t I = 0; I < N; ++I)
      X[I] /= Norm;
  }
}

/// Columns of each sector on the right become orthonormal; what they were made
/// of goes into the next site.
void Solver::orthogonalLeft(int Site) {
  Blocks &A = State[size_t(Site)], &Next = State[size_t(Site) + 1];
#pragma omp parallel for schedule(static, 1)
  for (int Q = 0; Q <= Up; ++Q) {
    int64_t Count = sector(Site + 1, Q);
    int64_t Split = sector(Site, Q), N = Split + sector(Site, Q - 1);
    if (Count == 0)
      continue;
    std::vector<double> V(size_t(Count * N)), R(size_t(Count * Count));
    auto Each = [&](auto Do) {
      for (int64_t I = 0; I < N; ++I) {
        double *Row = I < Split
                          ? A.block(siteBlock(Q, 0)) + I * Count
                          : A.block(siteBlock(Q - 1, 1)) + (I - Split) * Count;
        for (int64_t K = 0; K < Count; ++K)
          Do(Row[K], V[size_t(K * N + I)]);
      }
    };
    Each([](double &Element, double &Copy) { Copy = Element; });
    orthonormalise(Count, N, V.data(), R.data());
    Each([](double &Element, double &Copy) { Element = Copy; });
    for (int Spin = 0; Spin < 2; ++Spin) {
      size_t B = siteBlock(Q, Spin);
      if (Next.rows(B) == 0)
        continue;
      int64_t Columns = Next.columns(B);
      std::vector<double> Old(Next.block(B), Next.block(B) + Count * Columns);
      Next.clear(B);
      multiplyAddLeft(Count, Columns, Count, 1, R.data(), Old.data(),
                      Next.block(B));
    }
  }
}

/// The same for rows of each sector on the left.
void Solver::orthogonalRight(int Site) {
  Blocks &A = State[size_t(Site)], &Next = State[size_t(Site) - 1];
#pragma omp parallel for schedule(static, 1)
  for (int Q = 0; Q <= Up; ++Q) {
    int64_t Count = sector(Site, Q);
    int64_t Split = sector(Site + 1, Q), N = Split + sector(Site + 1, Q + 1);
    if (Count == 0)
      continue;
    std::vector<double> V(size_t(Count * N)), R(size_t(Count * Count));
    auto Each = [&](auto Do) {
      for (int64_t K = 0; K < Count; ++K)
        for (int64_t I = 0; I < N; ++I) {
          double *Row = I < Split ? A.block(siteBlock(Q, 0)) + K * Split + I
                                  : A.block(siteBlock(Q, 1)) + K * (N - Split) +
                                        I - Split;
          Do(*Row, V[size_t(K * N + I)]);
        }
    };
    Each([](double &Element, double &Copy) { Copy = Element; });
    orthonormalise(Count, N, V.data(), R.data());
    Each([](double &Element, double &Copy) { Element = Copy; });
    for (int Spin = 0; Spin < 2 && Spin <= Q; ++Spin) {
      size_t B = siteBlock(Q - Spin, Spin);
      if (Next.rows(B) == 0)
        continue;
      int64_t Rows = Next.rows(B);
      std::vector<double> Old(Next.block(B), Next.block(B) + Rows * Count);
      Next.clear(B);
      multiplyAdd(Rows, Count, Count, 1, Old.data(), R.data(), Next.block(B));
    }
  }
}

double Solver::sweep(bool ToTheRight) {
  double Energy = 0;
  for (int K = 0; K < Sites; ++K) {
    int Site = ToTheRight ? K : Sites - 1 - K;
    Blocks Half;
    shapeHalf(Site, true, Half);
    double Before = Energy;
    Energy = improve(Site, Half);
    if (K)
      RiseOfEnergy = std::max(RiseOfEnergy, Energy - Before);
    if (K + 1 == Sites)
      break;
    if (ToTheRight) {
      orthogonalLeft(Site);
      growLeft(Site, Half);
    } else {
      Blocks Other;
      shapeHalf(Site, false, Other);
      orthogonalRight(Site);
      growRight(Site, Other);
    }
  }
  return Energy;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// How far the sites before the last one (or behind the first) are from having
/// orthonormal columns (rows).
double Solver::orthogonalityError(bool Left) const {
  double Worst = 0;
  for (int I = Left ? 0 : 1; I < (Left ? Sites - 1 : Sites); ++I)
    for (int Q = 0; Q <= Up; ++Q) {
      const Blocks &A = State[size_t(I)];
      int64_t Count = sector(Left ? I + 1 : I, Q);
      std::vector<double> Gram(size_t(Count * Count));
      for (int Spin = 0; Spin < 2; ++Spin) {
        int From = Left ? Q - Spin : Q;
        if (From < 0 || A.rows(siteBlock(From, Spin)) == 0)
          continue;
        size_t B = siteBlock(From, Spin);
        if (Left)
          multiplyAddLeft(Count, Count, A.rows(B), 1, A.block(B), A.block(B),
                          Gram.data());
        else
          multiplyAddRight(Count, Count, A.columns(B), 1, A.block(B),
                           A.block(B), Gram.data());
      }
      for (int64_t R = 0; R < Count; ++R)
        for (int64_t C = 0; C < Count; ++C)
          Worst = std::max(
              Worst, std::fabs(Gram[size_t(R * Count + C)] - double(R == C)));
    }
  return Worst;
}

std::vector<double> Solver::amplitudes() const {
  std::vector<double> Out(size_t(1) << Sites, 0.0);
  for (size_t Spins = 0; Spins < Out.size(); ++Spins) {
    std::vector<double> V(1, 1.0);
    int Q = 0;
    for (int I = 0; I < Sites && !V.empty(); ++I) {
      int Spin = int(Spins >> I & 1);
      const Blocks &A = State[size_t(I)];
      size_t B = siteBlock(std::min(Q, Up), Spin);
      if (Q > Up || A.rows(B) == 0) {
        V.clear();
        break;
      }
      std::vector<double> Next(size_t(A.columns(B)));
      multiplyAdd(1, A.columns(B), A.rows(B), 1, V.data(), A.block(B),
                  Next.data());
      V.swap(Next);
      Q += Spin;
    }
    if (!V.empty() && Q == Up)
      Out[Spins] = V[0];
  }
  return Out;
}

void Solver::write(const char *Path) const {
  std::vector<double> All;
  for (const Blocks &B : State)
    All.insert(All.end(), B.data(), B.data() + B.elements());
  write_out(Path, All.data(), All.size() * sizeof(double));
}

/// Y = H X over all configurations, from the bonds alone.
void applyDense(const Model &H, const std::vector<double> &X,
                std::vector<double> &Y) {
  std::fill(Y.begin(), Y.end(), 0.0);
  for (size_t S = 0; S < X.size(); ++S)
    for (int A = 0; A < H.sites(); ++A)
      for (int B = A + 1; B < H.sites(); ++B) {
        if (!H.joined(A, B))
          continue;
        bool Same = (S >> A & 1) == (S >> B & 1);
        Y[S] += (Same ? 0.25 : -0.25) * X[S];
        if (!Same)
          Y[S ^ (size_t(1) << A) ^ (size_t(1) << B)] += 0.5 * X[S];
      }
}

double dotDense(const std::vector<double> &X, const std::vector<double> &Y) {
  double Sum = 0;
  for (size_t S = 0; S < X.size(); ++S)
    Sum += X[S] * Y[S];
  return Sum;
}

/// Energy and residual |H x - E x| of the state, without its tensors.
int checkDense(const Model &H, const Solver &S, double Energy) {
  std::vector<double> X = S.amplitudes(), Y(X.size());
  double Norm = dotDense(X, X);
  applyDense(H, X, Y);
  double Dense = dotDense(X, Y) / Norm;
  int Status = judge("norm", std::fabs(Norm - 1), 1e-9);
  Status |= judge("energy against the dense one", std::fabs(Dense - Energy),
                  1e-9 * H.sites());
  double Residual = 0;
  for (size_t I = 0; I < X.size(); ++I)
    Residual += (Y[I] - Dense * X[I]) * (Y[I] - Dense * X[I]);
  printf("dense: energy %.12g, residual %.3g\n", Dense, std::sqrt(Residual));
  return Status;
}

} // namespace

int main(int argc, char **argv) {
  const char *Usage = "WIDTH RUNGS STATES SWEEPS [--verify] [--out FILE]";
  options O = take_options(&argc, argv);
  int Width = int(number(argc == 5 ? argv[1] : "", 1, 20, Usage));
  int Rungs = int(number(argv[2], 2, 1000, Usage));
  int64_t States = number(argv[3], 1, 1 << 20, Usage);
  int64_t Sweeps = number(argv[4], 1, 1000, Usage);
  if (Width * Rungs % 2)
    die("an even number of spins is needed", argv[2]);
  Model H(Width, Rungs);
  Solver S(H, States);
  double Energy = 0;
  for (int64_t K = 0; K < Sweeps; ++K)
    Energy = S.sweep(K % 2 == 0);
  printf("%d spins, %lld elements: energy %.12g\n", H.sites(),
         static_cast<long long>(S.elements()), Energy);
  int Status = 0;
  if (O.verify) {
    Status |=
        judge("orthogonality", S.orthogonalityError(Sweeps % 2 == 1), 1e-10);
    Status |= judge("rise of energy", S.RiseOfEnergy, 1e-10 * H.sites());
    if (H.sites() <= 12)
      Status |= checkDense(H, S, Energy);
  }
  if (O.out)
    S.write(O.out);
  return Status;
}
