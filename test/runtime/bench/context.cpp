//===- context.cpp - what an annotated expression costs ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints nanoseconds per push_back into a reserved vector, plain and annotated:
// minimum of eleven rounds of both.
//===----------------------------------------------------------------------===//
#include "evenkeel/ek.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

template <class F> static double nanosecondsOf(F Push) {
  constexpr size_t Times = 1000000;
  std::vector<double> V;
  V.reserve(Times);
  auto Start = std::chrono::steady_clock::now();
  for (size_t I = 0; I < Times; ++I)
    Push(V, static_cast<double>(I));
  std::chrono::duration<double, std::nano> Span =
      std::chrono::steady_clock::now() - Start;
  return Span.count() / Times;
}

int main() {
  double Plain = 1e9, Annotated = 1e9;
  for (int Round = 0; Round < 11; ++Round) {
    Plain = std::min(Plain,
                     nanosecondsOf([](auto &V, double X) { V.push_back(X); }));
    Annotated = std::min(Annotated, nanosecondsOf([](auto &V, double X) {
                           ((void)::ek::at(1), V).push_back(X);
                         }));
  }
  std::printf("push_back: plain %.2f ns, annotated %.2f ns\n", Plain,
              Annotated);
  return 0;
}
