//===- tce.cpp - tiled tensor contraction with symmetry ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The particle-particle ladder of coupled cluster with doubles,
//   R[a b; i j] = 1/2 sum_{c d} V[a b; c d] T[c d; i j],
// as the Tensor Contraction Engine generates it (Hirata 2003; Baumgartner et
// al. 2005): spin orbitals are cut into tiles of one spin and one irreducible
// representation; blocks exist only where spin is conserved and the product of
// the irreps is the totally symmetric one; of antisymmetric pairs only tiles
// p <= q are stored. One task per block of R: it fetches the blocks of V and T,
// sorts their indices, multiplies them as matrices and adds up. How many blocks
// of which size a task meets is the symmetry's doing.
//
//   tce OCCUPIED VIRTUAL TILE [--verify] [--out FILE]
//   OCCUPIED, VIRTUAL: spatial orbitals; TILE: most orbitals in a tile
//===----------------------------------------------------------------------===//
#define PROGRAM "tce"
#include "../common/support.h"
#include <algorithm>
#include <cmath>
#include <vector>

namespace {

constexpr int Irreps = 4; // C2v; products are exclusive-ors of their numbers

struct Tile {
  int Spin, Irrep;
  int64_t First, Size; // in the order of all orbitals of the kind
};

/// Orbitals of one kind, occupied or virtual, both spins.
struct Space {
  std::vector<Tile> Tiles;
  int64_t Orbitals = 0;
};

/// Spatial orbitals fall to the irreps unevenly, as they do in molecules.
Space makeSpace(int64_t Spatial, int64_t Most) {
  const double Share[Irreps] = {0.45, 0.10, 0.28, 0.17};
  Space S;
  for (int Spin = 0; Spin < 2; ++Spin) {
    int64_t Left = Spatial;
    for (int Irrep = 0; Irrep < Irreps; ++Irrep) {
      int64_t N =
          std::min(Left, int64_t(std::ceil(Share[Irrep] * double(Spatial))));
      if (Irrep == Irreps - 1)
        N = Left;
      Left -= N;
      // As even as possible within the irrep.
      int64_t Parts = (N + Most - 1) / Most;
      for (int64_t P = 0; P < Parts; ++P) {
        int64_t Size = N * (P + 1) / Parts - N * P / Parts;
        S.Tiles.push_back({Spin, Irrep, S.Orbitals, Size});
        S.Orbitals += Size;
      }
    }
  }
  return S;
}

/// A tensor X[p q; r s], antisymmetric in (p, q) and in (r, s): blocks of tiles
/// p <= q, r <= s that symmetry allows, one behind the other.
class Tensor {
  const Space &Upper, &Lower;
  std::vector<int64_t> Offset; // by block number; -1: not stored
  int64_t Elements = 0;
  double *Data = nullptr;

public:
  Tensor(const Space &U, const Space &L) : Upper(U), Lower(L) {
    size_t NU = U.Tiles.size(), NL = L.Tiles.size();
    Offset.assign(NU * NU * NL * NL, -1);
    for (size_t P = 0; P < NU; ++P)
      for (size_t Q = P; Q < NU; ++Q)
        for (size_t R = 0; R < NL; ++R)
          for (size_t S = R; S < NL; ++S)
            if (allowed(P, Q, R, S)) {
              Offset[number(P, Q, R, S)] = Elements;
              Elements += size(P, Q, R, S);
            }
    Data = new double[size_t(Elements)];
  }
  Tensor(const Tensor &) = delete;
  Tensor &operator=(const Tensor &) = delete;
  ~Tensor() { delete[] Data; }

  bool allowed(size_t P, size_t Q, size_t R, size_t S) const {
    const Tile &A = Upper.Tiles[P], &B = Upper.Tiles[Q];
    const Tile &C = Lower.Tiles[R], &D = Lower.Tiles[S];
    return A.Spin + B.Spin == C.Spin + D.Spin &&
           (A.Irrep ^ B.Irrep ^ C.Irrep ^ D.Irrep) == 0;
  }
  int64_t size(size_t P, size_t Q, size_t R, size_t S) const {
    return Upper.Tiles[P].Size * Upper.Tiles[Q].Size * Lower.Tiles[R].Size *
           Lower.Tiles[S].Size;
  }
  size_t number(size_t P, size_t Q, size_t R, size_t S) const {
    size_t NL = Lower.Tiles.size();
    return ((P * Upper.Tiles.size() + Q) * NL + R) * NL + S;
  }
  /// nullptr: symmetry says zero.
  double *block(size_t P, size_t Q, size_t R, size_t S) const {
    int64_t At = Offset[number(P, Q, R, S)];
    return At < 0 ? nullptr : Data + At;
  }
  int64_t elements() const { return Elements; }
  const double *data() const { return Data; }

  /// Any element, by orbitals: what the antisymmetry makes of the stored ones.
  double at(int64_t p, int64_t q, int64_t r, int64_t s) const {
    double Sign = 1;
    auto Find = [](const Space &S, int64_t O) {
      size_t T = 0;
      while (O >= S.Tiles[T].First + S.Tiles[T].Size)
        ++T;
      return T;
    };
    size_t P = Find(Upper, p), Q = Find(Upper, q);
    size_t R = Find(Lower, r), S = Find(Lower, s);
    if (P > Q) {
      std::swap(P, Q);
      std::swap(p, q);
      Sign = -Sign;
    }
    if (R > S) {
      std::swap(R, S);
      std::swap(r, s);
      Sign = -Sign;
    }
    const double *B = block(P, Q, R, S);
    if (!B)
      return 0;
    const Tile &TQ = Upper.Tiles[Q], &TR = Lower.Tiles[R], &TS = Lower.Tiles[S];
    int64_t I = ((p - Upper.Tiles[P].First) * TQ.Size + q - TQ.First);
    return Sign * B[(I * TR.Size + r - TR.First) * TS.Size + s - TS.First];
  }

  /// Fills it with numbers that have the symmetry; Seed tells tensors apart.
  void fill(uint64_t Seed) {
    size_t NU = Upper.Tiles.size(), NL = Lower.Tiles.size();
#pragma omp parallel for collapse(2) schedule(static)
    for (size_t P = 0; P < NU; ++P)
      for (size_t Q = 0; Q < NU; ++Q)
        for (size_t R = 0; R < NL; ++R)
          for (size_t S = R; S < NL; ++S)
            if (P <= Q)
              if (double *B = block(P, Q, R, S))
                fillBlock(B, Seed, P, Q, R, S);
  }

private:
  /// Within a diagonal block p and q are swapped with a change of sign, too.
  void fillBlock(double *B, uint64_t Seed, size_t P, size_t Q, size_t R,
                 size_t S) const {
    const Tile &TP = Upper.Tiles[P], &TQ = Upper.Tiles[Q];
    const Tile &TR = Lower.Tiles[R], &TS = Lower.Tiles[S];
    int64_t All = Upper.Orbitals, N = Lower.Orbitals;
    for (int64_t p = TP.First; p < TP.First + TP.Size; ++p)
      for (int64_t q = TQ.First; q < TQ.First + TQ.Size; ++q)
        for (int64_t r = TR.First; r < TR.First + TR.Size; ++r)
          for (int64_t s = TS.First; s < TS.First + TS.Size; ++s) {
            int64_t p1 = std::min(p, q), q1 = std::max(p, q);
            int64_t r1 = std::min(r, s), s1 = std::max(r, s);
            uint64_t Key = Seed + uint64_t(((p1 * All + q1) * N + r1) * N + s1);
            double V = random_unit(&Key) - 0.5;
            if (p == q || r == s)
              V = 0;
            *B++ = (p > q) != (r > s) ? -V : V;
          }
  }
};

/// To[j][i] = Factor * From[i][j]: indices of a block, two by two.
void sortBlock(int64_t Rows, int64_t Columns, double Factor, const double *From,
               double *To) {
  for (int64_t I = 0; I < Rows; ++I)
    for (int64_t J = 0; J < Columns; ++J)
      To[J * Rows + I] = Factor * From[I * Columns + J];
}

/// C (M x N) += transpose of A (K x M) * B (K x N).
void multiplyAdd(int64_t M, int64_t N, int64_t K, const double *A,
                 const double *B, double *C) {
  for (int64_t I = 0; I < M; ++I)
    for (int64_t L = 0; L < K; ++L) {
      double X = A[L * M + I];
      for (int64_t J = 0; J < N; ++J)
        C[I * N + J] += X * B[L * N + J];
    }
}

/// One block of R, from all pairs of tiles that reach it.
void contractBlock(const Space &Virtual, const Space &Occupied, const Tensor &V,
                   const Tensor &T, size_t A, size_t B, size_t I, size_t J,
                   double *Out) {
  auto Size = [](const Space &S, size_t Tile) { return S.Tiles[Tile].Size; };
  int64_t M = Size(Virtual, A) * Size(Virtual, B);
  int64_t N = Size(Occupied, I) * Size(Occupied, J);
  std::vector<double> Sum(size_t(M * N)), Left, Right;
  for (size_t C = 0; C < Virtual.Tiles.size(); ++C)
    for (size_t D = C; D < Virtual.Tiles.size(); ++D) {
      const double *VB = V.block(A, B, C, D);
      const double *TB = VB ? T.block(C, D, I, J) : nullptr;
      if (!TB)
        continue;
      int64_t K = Size(Virtual, C) * Size(Virtual, D);
      Left.resize(size_t(M * K));
      Right.resize(size_t(K * N));
      // Pairs of different tiles stand for both orders: twice one half.
      sortBlock(M, K, C == D ? 0.5 : 1, VB, Left.data());
      std::copy(TB, TB + K * N, Right.data());
      multiplyAdd(M, N, K, Left.data(), Right.data(), Sum.data());
    }
  std::copy(Sum.begin(), Sum.end(), Out);
}

void contract(const Space &Virtual, const Space &Occupied, const Tensor &V,
              const Tensor &T, const Tensor &R) {
#pragma omp parallel
#pragma omp single
  for (size_t A = 0; A < Virtual.Tiles.size(); ++A)
    for (size_t B = A; B < Virtual.Tiles.size(); ++B)
      for (size_t I = 0; I < Occupied.Tiles.size(); ++I)
        for (size_t J = I; J < Occupied.Tiles.size(); ++J)
          if (double *Out = R.block(A, B, I, J)) {
#pragma omp task firstprivate(A, B, I, J, Out)
            contractBlock(Virtual, Occupied, V, T, A, B, I, J, Out);
          }
}

/// Elements of R against the sum over all c and d, by the tensors' definition.
double worstError(const Space &Virtual, const Space &Occupied, const Tensor &V,
                  const Tensor &T, const Tensor &R, int64_t Samples) {
  int64_t NV = Virtual.Orbitals, NO = Occupied.Orbitals;
  int64_t All = NV * NV * NO * NO;
  bool Every = All <= Samples;
  uint64_t Seed = 2003;
  double Worst = 0;
  for (int64_t K = 0; K < (Every ? All : Samples); ++K) {
    int64_t E = Every ? K : int64_t(random_next(&Seed) % uint64_t(All));
    int64_t A = E / (NV * NO * NO), B = E / (NO * NO) % NV;
    int64_t I = E / NO % NO, J = E % NO;
    double Sum = 0;
    for (int64_t C = 0; C < NV; ++C)
      for (int64_t D = 0; D < NV; ++D)
        Sum += 0.5 * V.at(A, B, C, D) * T.at(C, D, I, J);
    Worst = std::max(Worst, std::fabs(Sum - R.at(A, B, I, J)));
  }
  return Worst;
}

} // namespace

int main(int argc, char **argv) {
  const char *Usage = "OCCUPIED VIRTUAL TILE [--verify] [--out FILE]";
  options O = take_options(&argc, argv);
  int64_t NumOccupied = number(argc == 4 ? argv[1] : "", 1, 1000, Usage);
  int64_t NumVirtual = number(argv[2], 1, 1000, Usage);
  int64_t Most = number(argv[3], 1, 1000, Usage);
  Space Occupied = makeSpace(NumOccupied, Most);
  Space Virtual = makeSpace(NumVirtual, Most);
  Tensor V(Virtual, Virtual), T(Virtual, Occupied), R(Virtual, Occupied);
  V.fill(1);
  T.fill(UINT64_C(1) << 40);
  contract(Virtual, Occupied, V, T, R);
  double Norm = 0;
  for (int64_t E = 0; E < R.elements(); ++E)
    Norm += R.data()[E] * R.data()[E];
  printf("V %lld, T and R %lld elements: |R| = %.17g\n",
         static_cast<long long>(V.elements()),
         static_cast<long long>(T.elements()), std::sqrt(Norm));
  int Status = 0;
  if (O.verify)
    Status = judge("elements of R",
                   worstError(Virtual, Occupied, V, T, R, 20000), 1e-11);
  if (O.out)
    write_out(O.out, R.data(), size_t(R.elements()) * sizeof(double));
  return Status;
}
