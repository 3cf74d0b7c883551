//===- agree.cpp - whether two records of touched pages agree -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// agree A.json B.json ADDRESS MIB CHUNK_KIB PHASES LEAST
// Prints the rank correlation (Spearman's) of the shares that two touches.json
// say are touched, over all chunks of MIB MiB at ADDRESS and all phases: equal
// parts of each record's time, without a tenth at either end. Status 1 if it is
// below LEAST, 2 if a record does not tell.
//===----------------------------------------------------------------------===//
#include "format/touches/TouchRecord.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

using namespace evenkeel;

namespace {

struct Bins {
  uint64_t Address = 0, Bytes = 0, Chunk = 0;
  size_t Phases = 0;

  size_t chunks() const { return size_t(Bytes / Chunk); }
};

/// Of one chunk in one phase.
struct Sum {
  double Touched = 0, Pages = 0;
};

} // namespace

/// The phase of a time from 0 to 1, or a number that is no phase.
static size_t phaseOf(double Time, size_t Phases) {
  const double In = Time * double(Phases);
  const double Part = In - std::floor(In);
  return Part < 0.1 || Part > 0.9 ? Phases : size_t(In);
}

/// Mean shares, by phase and chunk; empty if one of them is not told.
static std::vector<double> sharesOf(const TouchRecord &R, const Bins &B) {
  std::vector<Sum> Sums(B.Phases * B.chunks());
  uint64_t From = UINT64_MAX, To = 0;
  for (const TouchPass &P : R.Passes) {
    From = std::min(From, P.TimeNs);
    To = std::max(To, P.TimeNs);
  }
  for (const TouchRow &X : R.Rows) {
    const uint64_t Base = R.Objects[X.Object].Address + X.First * 4096ull;
    const size_t Phase =
        phaseOf(double(R.Passes[X.Pass].TimeNs - From) / double(To - From + 1),
                B.Phases);
    if (Phase == B.Phases || X.Touched == TouchRow::Unknown || !X.Resident)
      continue;
    const double Share = std::min(1.0, double(X.Touched) / X.Resident);
    for (uint32_t I = 0; I < X.Pages; ++I) {
      const uint64_t At = Base + I * 4096ull;
      if (At < B.Address || At >= B.Address + B.Bytes)
        continue;
      Sum &S = Sums[Phase * B.chunks() + (At - B.Address) / B.Chunk];
      S.Touched += Share;
      S.Pages += 1;
    }
  }
  std::vector<double> Out;
  for (const Sum &S : Sums) {
    if (S.Pages <= 0)
      return {};
    Out.push_back(S.Touched / S.Pages);
  }
  return Out;
}

/// Ranks from 0; equal values share the mean of theirs.
static std::vector<double> ranksOf(const std::vector<double> &Values) {
  std::vector<size_t> Order(Values.size());
  for (size_t I = 0; I < Order.size(); ++I)
    Order[I] = I;
  std::sort(Order.begin(), Order.end(),
            [&](size_t A, size_t B) { return Values[A] < Values[B]; });
  std::vector<double> Ranks(Values.size());
  for (size_t I = 0, End; I < Order.size(); I = End) {
    for (End = I + 1;
         End < Order.size() && Values[Order[End]] == Values[Order[I]];)
      ++End;
    for (size_t J = I; J < End; ++J)
      Ranks[Order[J]] = double(I + End - 1) / 2;
  }
  return Ranks;
}

static double correlation(const std::vector<double> &A,
                          const std::vector<double> &B) {
  double SumA = 0, SumB = 0, AA = 0, BB = 0, AB = 0;
  const auto N = double(A.size());
  for (size_t I = 0; I < A.size(); ++I) {
    SumA += A[I];
    SumB += B[I];
    AA += A[I] * A[I];
    BB += B[I] * B[I];
    AB += A[I] * B[I];
  }
  return (AB - SumA * SumB / N) /
         std::sqrt((AA - SumA * SumA / N) * (BB - SumB * SumB / N));
}

int main(int Count, char **Arguments) {
  if (Count != 8)
    return 2;
  const Bins B = {std::strtoull(Arguments[3], nullptr, 0),
                  std::strtoull(Arguments[4], nullptr, 0) << 20,
                  std::strtoull(Arguments[5], nullptr, 0) << 10,
                  std::strtoull(Arguments[6], nullptr, 0)};
  std::vector<double> Shares[2];
  for (int I = 0; I < 2; ++I) {
    Expected<TouchRecord> R = readTouches(Arguments[1 + I]);
    if (R)
      Shares[I] = sharesOf(*R, B);
    if (Shares[I].empty()) {
      std::printf("%s: %s\n", Arguments[1 + I],
                  R ? "does not tell all chunks in all phases"
                    : R.message().c_str());
      return 2;
    }
    for (size_t P = 0; P < B.Phases; ++P) {
      std::printf("%s, phase %zu, eighths:", Arguments[1 + I], P);
      for (size_t E = 0; E < 8; ++E) {
        double Sum = 0;
        const size_t N = B.chunks() / 8;
        for (size_t C = 0; C < N; ++C)
          Sum += Shares[I][P * B.chunks() + E * N + C];
        std::printf(" %.3f", Sum / double(N));
      }
      std::printf("\n");
    }
  }
  const double R = correlation(ranksOf(Shares[0]), ranksOf(Shares[1]));
  std::printf("rank correlation %.3f over %zu chunks and %zu phases\n", R,
              B.chunks(), B.Phases);
  return R >= std::atof(Arguments[7]) ? 0 : 1;
}
