//===- expr_test.cpp - count expressions ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: expected values computed by hand, round trips, and one line for each
// kind of bad input.
//===----------------------------------------------------------------------===//
#include "TempDir.h"
#include "format/expr/Expr.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>

using namespace evenkeel;
using nlohmann::json;

namespace {

ExprRef parse(const std::string &Text) {
  Expected<ExprRef> E = exprFromJson(json::parse(Text));
  EXPECT_TRUE(static_cast<bool>(E)) << (E ? "" : E.message());
  return E ? *E : makeConst(0);
}

double value(const ExprRef &E, unsigned Task = 0, unsigned Tasks = 1) {
  EvalContext C;
  C.Lookup = [](uint64_t S) -> std::optional<double> {
    if (S == 1)
      return 10;
    if (S == 2)
      return 3;
    return std::nullopt;
  };
  C.Task = Task;
  C.Tasks = Tasks;
  Expected<double> V = evaluate(*E, C);
  EXPECT_TRUE(static_cast<bool>(V)) << (V ? "" : V.message());
  return V ? *V : -1;
}

ExprRef op(const char *Name, std::vector<ExprRef> Args) {
  return makeOp(Name, std::move(Args));
}

TEST(Expr, Values) {
  ExprRef N = makeSymbol(1), M = makeSymbol(2);
  EXPECT_EQ(value(op("+", {N, M, makeConst(0.5)})), 13.5);
  EXPECT_EQ(value(op("*", {N, M})), 30);
  EXPECT_EQ(value(op("-", {N, M})), 7);
  EXPECT_EQ(value(op("-", {N})), -10);
  EXPECT_EQ(value(op("max", {M, N})), 10);
  EXPECT_EQ(value(op("min", {N, M})), 3);
  EXPECT_EQ(value(op("ceildiv", {N, M})), 4);
  EXPECT_EQ(value(op("floordiv", {N, M})), 3);
}

/// 10 iterations over 4 threads: 3, 3, 2, 2.
TEST(Expr, ShareIsTheStaticSchedule) {
  ExprRef S = op("share", {makeSymbol(1)});
  EXPECT_EQ(value(S, 0, 4), 3);
  EXPECT_EQ(value(S, 1, 4), 3);
  EXPECT_EQ(value(S, 2, 4), 2);
  EXPECT_EQ(value(S, 3, 4), 2);
  EXPECT_EQ(value(op("share", {makeConst(-5)}), 0, 4), 0);
  for (unsigned Tasks = 1; Tasks < 20; ++Tasks) {
    double Sum = 0;
    for (unsigned T = 0; T < Tasks; ++T)
      Sum += value(S, T, Tasks);
    EXPECT_EQ(Sum, 10);
  }
}

/// 10 iterations over 4 threads: from 0, 3, 6, 8 on.
TEST(Expr, FirstIsWhereTheShareBegins) {
  ExprRef First = op("first", {makeSymbol(1)});
  EXPECT_EQ(value(First, 0, 4), 0);
  EXPECT_EQ(value(First, 2, 4), 6);
  EXPECT_EQ(value(First, 3, 4), 8);
  EXPECT_EQ(value(First, 0, 1), 0);
  EXPECT_EQ(value(op("first", {makeConst(-5)}), 3, 4), 0);
}

/// 10 iterations in chunks of 3 over 2 threads: 0-2 and 6-8, 3-5 and 9.
TEST(Expr, ShareInChunks) {
  ExprRef S = op("share", {makeSymbol(1), makeSymbol(2)});
  EXPECT_EQ(value(S, 0, 2), 6);
  EXPECT_EQ(value(S, 1, 2), 4);
  EXPECT_EQ(value(op("share", {makeConst(10), makeConst(0)}), 1, 4), 3);
  EXPECT_EQ(value(op("evenly", {makeSymbol(1)}), 1, 4), 2.5);
}

TEST(Expr, Powers) {
  ExprRef N = makeSymbol(1); // 10
  EXPECT_EQ(value(op("pow", {makeConst(3), makeConst(4)})), 81);
  EXPECT_EQ(value(op("pow", {makeConst(2), makeConst(0)})), 1);
  EXPECT_EQ(value(op("pow", {makeConst(2), makeConst(-1)})), 1);
  EXPECT_EQ(value(op("ceillog", {N, makeConst(2)})), 4);
  EXPECT_EQ(value(op("ceillog", {N, makeConst(10)})), 1);
  for (int X : {-7, 0, 1})
    EXPECT_EQ(value(op("ceillog", {makeConst(X), makeConst(2)})), 0);
  EXPECT_EQ(value(op("ceillog", {makeConst(16), makeConst(4)})), 2);
  EXPECT_EQ(value(op("ceillog", {makeConst(17), makeConst(4)})), 3);
  EXPECT_ERROR(
      evaluate(*op("ceillog", {makeConst(9), makeConst(1)}), EvalContext()),
      "base below 2");
  EXPECT_ERROR(
      evaluate(*op("pow", {makeConst(9), makeConst(1e9)}), EvalContext()),
      "too large");
}

/// Every closed form of a sum equals the sum of its terms.
TEST(Expr, SumsAreThoseOfTheirTerms) {
  ExprRef I = makeIndex(0), J = makeIndex(1), N = makeSymbol(1),
          M = makeSymbol(2);
  ExprRef Falling = op("max", {makeConst(0), op("-", {N, op("*", {M, I})})});
  std::vector<std::pair<ExprRef, std::function<double(int)>>> Bodies = {
      {M, [](int) { return 3; }},
      {op("+", {I, makeConst(1)}), [](int X) { return X + 1; }},
      {op("*", {I, I, I, I}), [](int X) { return 1.0 * X * X * X * X; }},
      {op("*", {I, I, I, I, I}), [](int X) { return 1.0 * X * X * X * X * X; }},
      {Falling, [](int X) { return std::max(0, 10 - 3 * X); }},
      {op("min", {I, makeConst(4), op("-", {N, I})}),
       [](int X) { return std::min({X, 4, 10 - X}); }},
      {op("*", {Falling, op("ceildiv", {I, makeConst(4)})}),
       [](int X) { return std::max(0, 10 - 3 * X) * ((X + 3) / 4); }},
      {op("floordiv", {op("*", {I, I}), makeConst(7)}),
       [](int X) { return X * X / 7; }},
      {op("floordiv", {op("-", {I, N}), makeConst(3)}),
       [](int X) { return std::floor((X - 10) / 3.0); }},
      {op("-", {op("floordiv", {op("+", {I, N}), makeConst(97)}),
                op("ceildiv", {op("*", {makeConst(-2), I}), makeConst(103)})}),
       [](int X) {
         return std::floor((X + 10) / 97.0) - std::ceil(-2 * X / 103.0);
       }},
      {op("*", {I, op("floordiv", {op("-", {N, I}), makeConst(50)})}),
       [](int X) { return X * std::floor((10 - X) / 50.0); }},
      {op("*", {I, op("pow", {makeConst(2), op("min", {I, makeConst(4)})})}),
       [](int X) { return X << std::min(X, 4); }},
      {op("ceillog", {op("-", {op("*", {makeConst(3), I}), N}), makeConst(2)}),
       [](int X) {
         int K = 0;
         while (1 << K < 3 * X - 10)
           ++K;
         return K;
       }},
      {op("*", {I, op("ceillog", {op("-", {makeConst(90), I}), makeConst(3)})}),
       [](int X) {
         int K = 0;
         for (int P = 1; P < 90 - X; P *= 3)
           ++K;
         return X * K;
       }},
      {op("ceildiv", {N, op("+", {I, makeConst(1)})}),
       [](int X) { return std::ceil(10.0 / (X + 1)); }},
      {op("sum", {I, op("+", {I, J})}),
       [](int X) { return X * (X - 1) / 2 + X * X; }},
      {op("max", {op("*", {I, I}), op("+", {I, N})}),
       [](int X) { return std::max(X * X, X + 10); }},
  };
  for (size_t B = 0; B < Bodies.size(); ++B)
    for (int Rounds : {-3, 0, 1, 2, 5, 40, 300})
      for (unsigned Tasks : {1u, 3u, 7u})
        for (int Chunk : {0, 1, 2, 5, 64}) {
          SCOPED_TRACE(std::to_string(B) + " over " + std::to_string(Rounds) +
                       " in chunks of " + std::to_string(Chunk));
          double Sum = 0;
          for (int X = 0; X < Rounds; ++X)
            Sum += Bodies[B].second(X);
          ExprRef R = makeConst(Rounds), Body = Bodies[B].first;
          EXPECT_EQ(value(op("sum", {R, Body})), Sum);
          for (unsigned T = 0; T < Tasks; ++T) {
            double Mine = 0;
            unsigned Base = std::max(0, Rounds) / Tasks,
                     Rest = std::max(0, Rounds) % Tasks;
            for (int X = 0; X < Rounds; ++X)
              if (Chunk ? X / Chunk % Tasks == T
                        : unsigned(X) >= T * Base + std::min(T, Rest) &&
                              unsigned(X) <
                                  (T + 1) * Base + std::min(T + 1, Rest))
                Mine += Bodies[B].second(X);
            std::vector<ExprRef> Args = {R, Body};
            if (Chunk)
              Args.push_back(makeConst(Chunk));
            EXPECT_EQ(value(op("sharesum", Args), T, Tasks), Mine);
          }
        }
}

TEST(Expr, LongSumsTakeNoTimeOrSaySo) {
  ExprRef I = makeIndex(0), Long = makeConst(1e6);
  EXPECT_EQ(value(op("sum", {Long, op("*", {I, I})})), 333332833333500000.0);
  // In as few pieces as there are remainders, or quotients.
  ExprRef Longer = makeConst(1e8);
  for (double By : {7.0, 1e4, 3e7}) {
    double Full = std::floor(1e8 / By), Rest = 1e8 - Full * By;
    EXPECT_EQ(value(op("sum", {Longer, op("floordiv", {I, makeConst(By)})})),
              By * Full * (Full - 1) / 2 + Full * Rest);
  }
  EXPECT_EQ(value(op("sum", {Longer, op("ceillog", {I, makeConst(1e4)})})),
            2 * 1e8 - 1e4 - 3);
  ExprRef Slow = op("sum", {Long, op("sum", {I, op("*", {I, makeIndex(1)})})});
  for (int K = 0; K < 3; ++K)
    Slow = op("sum", {op("+", {Long, makeConst(K)}), op("*", {I, Slow})});
  EXPECT_ERROR(evaluate(*Slow, EvalContext()), "too many steps");
  EXPECT_ERROR(evaluate(*op("sum", {Long, makeSymbol(0xab)}), EvalContext()),
               "00000000000000ab");
  EXPECT_ERROR(evaluate(*I, EvalContext()), "outside");
}

TEST(Expr, Errors) {
  EvalContext C;
  EXPECT_ERROR(evaluate(*makeSymbol(0xab), C), "00000000000000ab");
  EXPECT_ERROR(evaluate(*op("ceildiv", {makeConst(1), makeConst(0)}), C),
               "division by zero");
  C.Tasks = 0;
  EXPECT_ERROR(evaluate(*op("share", {makeConst(1)}), C), "team");
  for (const char *Bad :
       {"3", "{}", R"({"sym":"xyz"})", R"({"const":"1"})",
        R"({"op":"^","args":[{"const":1}]})", R"({"op":"+","args":[]})",
        R"({"op":"share","args":[{"const":1},{"const":2},{"const":3}]})",
        R"({"op":"sum","args":[{"const":1}]})", R"({"index":0})",
        R"({"op":"sum","args":[{"index":0},{"index":0}]})",
        R"({"op":"sum","args":[{"const":1},{"index":1}]})",
        R"({"op":"sum","args":[{"const":1},{"index":-1}]})",
        R"({"op":"+","args":{"const":1}})", R"({"op":"+","args":[3]})"})
    EXPECT_ERROR(exprFromJson(json::parse(Bad)), "expression");
  json Deep = {{"const", 1}};
  for (int I = 0; I < 1000; ++I)
    Deep = {{"op", "-"}, {"args", json::array({Deep})}};
  EXPECT_ERROR(exprFromJson(Deep), "deeper");
}

TEST(Expr, RoundTripAndText) {
  ExprRef E = op("+", {op("*", {makeConst(8), makeSymbol(1)}),
                       op("max", {makeConst(1), makeSymbol(2)})});
  EXPECT_EQ(exprToJson(*parse(exprToJson(*E).dump())), exprToJson(*E));
  auto Names = [](uint64_t S) { return std::string(S == 1 ? "n" : "m"); };
  EXPECT_EQ(exprToText(*E, Names), "8*n + max(1, m)");
  EXPECT_EQ(exprToText(*op("*", {makeConst(2),
                                 op("-", {makeSymbol(1), makeSymbol(2)})}),
                       Names),
            "2*(n - m)");
  EXPECT_EQ(exprToText(*op("-", {makeSymbol(1),
                                 op("+", {makeSymbol(2), makeConst(1)})}),
                       Names),
            "n - (m + 1)");
  EXPECT_EQ(exprToText(*op("share", {makeSymbol(1)}), Names), "share(n)");
  // As people write them, not (-1)*m + n + (-2).
  auto Minus = [](double C, ExprRef X) {
    return op("*", {makeConst(C), std::move(X)});
  };
  EXPECT_EQ(exprToText(*op("+", {Minus(-1, makeSymbol(2)), makeSymbol(1),
                                 makeConst(-2)}),
                       Names),
            "n - m - 2");
  EXPECT_EQ(
      exprToText(*Minus(-8, op("+", {makeSymbol(1), makeConst(-1)})), Names),
      "-8*(n - 1)");
  EXPECT_EQ(
      exprToText(*op("*", {makeSymbol(1), Minus(-1, makeSymbol(2))}), Names),
      "n*(-m)");
  EXPECT_EQ(
      exprToText(*op("-", {makeSymbol(1), Minus(-1, makeSymbol(2))}), Names),
      "n - (-m)");
  ExprRef Sum =
      op("sharesum", {makeSymbol(1),
                      op("sum", {op("-", {makeSymbol(2), makeIndex(0)}),
                                 op("+", {makeIndex(0), makeIndex(1)})}),
                      makeConst(4)});
  EXPECT_EQ(exprToJson(*parse(exprToJson(*Sum).dump())), exprToJson(*Sum));
  EXPECT_EQ(exprToText(*Sum, Names), "share(i < n, 4: sum(j < m - i: j + i))");
  EXPECT_EQ(symbolsOf(*E), (std::vector<uint64_t>{1, 2}));
}

} // namespace
