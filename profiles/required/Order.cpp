//===- Order.cpp - orders in which steps may run --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Order.h.
//===----------------------------------------------------------------------===//
#include "Order.h"
#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>

namespace evenkeel::required {
namespace {

/// Takes steps from a list of those that may run until all have.
class Walk {
  const std::vector<std::vector<uint32_t>> Successors;
  std::vector<size_t> Open; // predecessors that have not run

public:
  std::deque<uint32_t> Ready;
  Order Out;

  explicit Walk(const TaskGraph &G) : Successors(G.successors()) {
    for (const Step &S : G.Steps)
      Open.push_back(S.Waits.size());
    for (uint32_t S = 0; S < Open.size(); ++S)
      if (!Open[S])
        Ready.push_back(S);
  }

  /// Appends \p Step to the order; returns the steps that may run now.
  std::vector<uint32_t> run(uint32_t Step) {
    Out.push_back(Step);
    std::vector<uint32_t> New;
    for (uint32_t S : Successors[Step])
      if (--Open[S] == 0)
        New.push_back(S);
    return New;
  }
};

/// What is live while leastLive() chooses.
class LiveNow {
  const TaskGraph &G;
  std::vector<uint32_t> UsersLeft; // of each datum
  std::vector<bool> In;

public:
  explicit LiveNow(const TaskGraph &G)
      : G(G), UsersLeft(G.Data.size(), 0), In(G.Data.size(), false) {
    for (const Step &S : G.Steps)
      for (const Use &U : S.Uses)
        ++UsersLeft[U.Datum];
  }

  /// Bytes that \p Step adds to those that stay live.
  double growth(uint32_t Step) const {
    double Sum = 0;
    for (const Use &U : G.Steps[Step].Uses) {
      const bool Stays = UsersLeft[U.Datum] > 1 || G.Data[U.Datum].Output;
      if (Stays != In[U.Datum])
        Sum += (Stays ? 1 : -1) * double(G.Data[U.Datum].Bytes);
    }
    return Sum;
  }

  void run(uint32_t Step) {
    for (const Use &U : G.Steps[Step].Uses)
      In[U.Datum] = --UsersLeft[U.Datum] > 0 || G.Data[U.Datum].Output;
  }
};

} // namespace

Order breadthFirst(const TaskGraph &G) {
  Walk W(G);
  while (!W.Ready.empty()) {
    const uint32_t S = W.Ready.front();
    W.Ready.pop_front();
    for (uint32_t Next : W.run(S))
      W.Ready.push_back(Next);
  }
  return W.Out;
}

Order depthFirst(const TaskGraph &G) {
  Walk W(G);
  while (!W.Ready.empty()) {
    const uint32_t S = W.Ready.front();
    W.Ready.pop_front();
    const std::vector<uint32_t> New = W.run(S);
    W.Ready.insert(W.Ready.begin(), New.begin(), New.end());
  }
  return W.Out;
}

Order leastLive(const TaskGraph &G) {
  Walk W(G);
  LiveNow Live(G);
  while (!W.Ready.empty()) {
    size_t Best = 0;
    double Least = std::numeric_limits<double>::infinity();
    for (size_t I = 0; I < W.Ready.size(); ++I)
      if (double X = Live.growth(W.Ready[I]); X < Least) {
        Least = X;
        Best = I;
      }
    const uint32_t S = W.Ready[Best];
    W.Ready.erase(W.Ready.begin() + long(Best));
    Live.run(S);
    const std::vector<uint32_t> New = W.run(S);
    W.Ready.insert(W.Ready.begin(), New.begin(), New.end());
  }
  return W.Out;
}

Order asWritten(const TaskGraph &G) {
  Order Out(G.Steps.size());
  std::iota(Out.begin(), Out.end(), 0);
  return Out;
}

bool isOrder(const TaskGraph &G, const Order &O) {
  if (O.size() != G.Steps.size())
    return false;
  std::vector<bool> Ran(G.Steps.size(), false);
  for (uint32_t S : O) {
    if (S >= Ran.size() || Ran[S])
      return false;
    for (uint32_t P : G.Steps[S].Waits)
      if (!Ran[P])
        return false;
    Ran[S] = true;
  }
  return true;
}

} // namespace evenkeel::required
