//===- row_streams.h - look-ups of rows, step by step -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: five small programs as the rows of a table that they look up, made up
// with fixed seeds:
//   embedding   factors of a rating matrix of MovieLens-100k's shape: 943 users,
//               1682 items, 100,000 ratings; the hottest 10, 25 and 50 % of the
//               items have 43, 72 and 93 % of the ratings. The data itself may
//               not be distributed.
//   zipf        a table looked up by Zipf's law, exponent 1, ranks scattered
//   shift       the same; a third and two thirds on, other rows are hot
//   spmv        y = A x with a power-law graph: a row is an element of x
//   join        probes of a hash table of 64-byte buckets; keys by Zipf's law,
//               exponent 0.75
// Not here: where rows lie (rows.cpp).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_ROW_STREAMS_H
#define EVENKEEL_TEST_ROW_STREAMS_H

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

struct Stream {
  size_t Rows = 0, RowBytes = 0;
  std::vector<std::vector<uint32_t>> Steps;
};

inline std::vector<uint32_t> scattered(size_t N, unsigned Seed) {
  std::vector<uint32_t> All(N);
  for (size_t I = 0; I < N; ++I)
    All[I] = uint32_t(I);
  std::shuffle(All.begin(), All.end(), std::mt19937(Seed));
  return All;
}

class Ranks {
  std::vector<double> Sum;
  std::mt19937_64 Random;

public:
  Ranks(size_t N, double Exponent, unsigned Seed) : Random(Seed) {
    double S = 0;
    for (size_t I = 0; I < N; ++I)
      Sum.push_back(S += std::pow(double(I + 1), -Exponent));
  }
  size_t operator()() {
    const double At = double(Random() >> 11) * 0x1p-53 * Sum.back();
    const auto It = std::lower_bound(Sum.begin(), Sum.end(), At);
    return std::min(size_t(It - Sum.begin()), Sum.size() - 1);
  }
};

inline Stream zipf(size_t Rows, size_t RowBytes, double Exponent, size_t Steps,
                   size_t LookUps, size_t Shifts) {
  Stream S{Rows, RowBytes, {}};
  Ranks Next(Rows, Exponent, 1);
  for (size_t Step = 0; Step < Steps; ++Step) {
    const std::vector<uint32_t> Of =
        scattered(Rows, unsigned(1 + Step * (Shifts + 1) / Steps));
    std::vector<uint32_t> Now(LookUps);
    for (uint32_t &Row : Now)
      Row = Of[Next()];
    S.Steps.push_back(std::move(Now));
  }
  return S;
}

/// The same matrix in each step. In-degrees follow a power law with exponent
/// 2.1, so ranks go by Zipf's law with 0.9.
inline Stream spmv(size_t Columns, size_t Entries, size_t Steps) {
  Stream S = zipf(Columns, sizeof(double), 0.9, 1, Entries, 0);
  S.Steps.resize(Steps, S.Steps[0]);
  return S;
}

struct Rating {
  uint32_t User, Item;
  float Stars;
};
enum : uint32_t { Users = 943, Items = 1682, Factors = 128 };

inline std::vector<Rating> ratings() {
  std::mt19937 Random(5);
  const auto Uniform = [&] { return double(Random()) * 0x1p-32; };
  const std::vector<uint32_t> User = scattered(Users, 6), Item = scattered(Items, 7);
  // Shares of items, and of the ratings that they have.
  const double X[] = {0, 0.01, 0.1, 0.25, 0.5, 1};
  const double Y[] = {0, 0.08, 0.43, 0.72, 0.93, 1};
  std::vector<Rating> All(100000);
  for (Rating &R : All) {
    const double U = Uniform();
    const size_t K = size_t(std::upper_bound(Y + 1, Y + 5, U) - Y);
    const double At =
        X[K - 1] + (U - Y[K - 1]) / (Y[K] - Y[K - 1]) * (X[K] - X[K - 1]);
    const double V = Uniform();
    R.Item = Item[std::min(size_t(At * Items), size_t(Items) - 1)];
    R.User = User[std::min(size_t(V * V * Users), size_t(Users) - 1)];
    R.Stars = float(1 + (R.User * 7 + R.Item * 13 + Random() % 3) % 5);
  }
  return All;
}

/// Row u is user u, row Users + i is item i.
inline Stream embedding(size_t Epochs, size_t Batch) {
  Stream S{Users + Items, Factors * sizeof(float), {}};
  const std::vector<Rating> All = ratings();
  for (size_t Epoch = 0; Epoch < Epochs; ++Epoch)
    for (size_t From = 0; From < All.size(); From += Batch) {
      std::vector<uint32_t> Now;
      for (size_t I = From; I < std::min(From + Batch, All.size()); ++I) {
        Now.push_back(All[I].User);
        Now.push_back(Users + All[I].Item);
      }
      S.Steps.push_back(std::move(Now));
    }
  return S;
}

inline Stream streamOf(const std::string &Name) {
  if (Name == "embedding")
    return embedding(6, 10000);
  if (Name == "zipf")
    return zipf(65536, 256, 1, 60, 100000, 0);
  if (Name == "shift")
    return zipf(65536, 256, 1, 60, 100000, 2);
  if (Name == "spmv")
    return spmv(1 << 18, 1000000, 10);
  if (Name == "join")
    return zipf(1 << 17, 64, 0.75, 60, 100000, 0);
  return {};
}

#endif
