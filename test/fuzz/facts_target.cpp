//===- facts_target.cpp - facts.json and the expressions in it ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: facts that were accepted are written and read with equal content;
// expressions keep their value through JSON, and their text reads as the value
// that evaluate() gives.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "format/Facts.h"
#include "format/Identity.h"
#include "format/plan/Plan.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

using namespace evenkeel;
using namespace ekfuzz;

static void add(Description &D, const Expr *E) {
  if (!E) {
    D.add("none");
    return;
  }
  D.add(uint64_t(E->K)).add(E->Value).add(E->Sym).add(E->Name);
  D.add(uint64_t(E->Args.size()));
  for (const ExprRef &A : E->Args)
    add(D, A.get());
}

static void add(Description &D, const std::vector<uint64_t> &Ids) {
  D.add(uint64_t(Ids.size()));
  for (uint64_t Id : Ids)
    D.add(Id);
}

static void add(Description &D, const SiteFact &S) {
  D.add(S.Id).add(S.Kind).add(S.At).add(S.Function).add(S.State);
  D.add(uint64_t(S.ElementBytes.has_value()));
  D.add(S.ElementBytes.value_or(0));
  add(D, S.Size.get());
  D.add(uint64_t(S.Sizes.size()));
  for (const ExprRef &E : S.Sizes)
    add(D, E.get());
  D.add(uint64_t(S.Contexts.size()));
  for (const SiteFact::Caller &C : S.Contexts) {
    D.add(C.Id).add(uint64_t(C.Calls.size()));
    for (const std::string &Call : C.Calls)
      D.add(Call);
    add(D, C.Size.get());
  }
  D.add(uint64_t(S.Ranges.size()));
  for (const SiteFact::Range &R : S.Ranges) {
    D.add(R.Id).add(R.At);
    add(D, R.Offset.get());
    add(D, R.Size.get());
  }
  D.add(uint64_t(S.Rows.has_value()));
  if (S.Rows) {
    add(D, S.Rows->RowBytes.get());
    add(D, S.Rows->IndexSites);
    D.add(uint64_t(S.Rows->Loaded)).add(S.Rows->Why);
  }
}

static void add(Description &D, const AccessFact &A) {
  D.add(A.Region);
  for (const auto *Ids : {&A.Sites, &A.Contexts, &A.Ranges, &A.IndexSites})
    add(D, *Ids);
  D.add(uint64_t(A.Class)).add(uint64_t(A.Stride.has_value()));
  D.add(uint64_t(A.Stride.value_or(0))).add(A.ElementBytes);
  D.add(uint64_t(A.Points.has_value())).add(uint64_t(A.Points.value_or(0)));
  D.add(uint64_t(A.Dimensions.has_value()));
  D.add(uint64_t(A.Dimensions.value_or(0)));
  D.add(uint64_t(A.Dependent)).add(uint64_t(A.Exact)).add(A.At).add(A.Why);
  D.add(uint64_t(A.Blocks ? *A.Blocks + 1 : 0)).add(A.Places).add(A.Library);
  for (const ExprRef *E :
       {&A.Reads, &A.Writes, &A.StrideFormula, &A.Atomics, &A.Conditional,
        &A.Reuse, &A.Run, &A.BlockBytes, &A.BlockStride})
    add(D, E->get());
}

/// Order is the writer's business; rows are compared as a multiset.
static std::string describe(const Facts &F) {
  std::vector<std::string> Rows;
  auto Row = [&](const char *Table, auto &&Fill) {
    Description D;
    D.add(Table);
    Fill(D);
    Rows.push_back(D.text());
  };
  for (const std::string &U : F.Units)
    Row("unit", [&](Description &D) { D.add(U); });
  for (const SiteFact &S : F.Sites)
    Row("site", [&](Description &D) { add(D, S); });
  for (const RegionFact &R : F.Regions)
    Row("region", [&](Description &D) {
      D.add(R.Id).add(R.Kind).add(R.At).add(R.Function);
      for (const auto &[Whose, N] : R.Places)
        D.add(Whose).add(N);
    });
  for (const SyncFact &S : F.Syncs)
    Row("sync", [&](Description &D) {
      D.add(S.Id).add(S.Kind).add(S.At).add(S.Function).add(S.Context);
    });
  for (const SymbolFact &S : F.Symbols)
    Row("symbol", [&](Description &D) {
      D.add(S.Id)
          .add(S.Name)
          .add(uint64_t(S.Kind))
          .add(uint64_t(S.Scope))
          .add(S.At);
      add(D, S.ScalesWith.get());
      add(D, S.Value.get());
    });
  for (const AccessFact &A : F.Accesses)
    Row("access", [&](Description &D) { add(D, A); });
  for (const auto &G : F.GiveUps)
    Row("giveup", [&](Description &D) { D.add(G.first).add(G.second); });
  std::sort(Rows.begin(), Rows.end());
  std::string All;
  for (const std::string &R : Rows)
    All += R + "\n";
  return All;
}

static void checkRoundTrip(const Facts &F) {
  std::string Text = factsToJson(F);
  Expected<Facts> Again = readFacts(scratchFile("out", Text));
  EK_HOLDS(bool(Again), "written facts are refused: " + Again.message());
  EK_HOLDS(describe(F) == describe(*Again), "facts differ after a round trip");
  EK_HOLDS(Text == factsToJson(*Again), "equal facts, different text");
  EK_HOLDS(programHash(F) == programHash(*Again), "another program's hash");
}

bool ekfuzz::runFacts(const std::string &Input) {
  Expected<Facts> F = readFacts(scratchFile("in", Input));
  if (!F) {
    checkError(F.message());
    return false;
  }
  checkRoundTrip(*F);
  for (const SymbolFact &S : F->Symbols) {
    Expected<const SymbolFact *> Found = F->symbolByName(S.Name);
    EK_HOLDS(Found && (*Found)->Name == S.Name, "a symbol is not found");
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

namespace {

constexpr unsigned Task = 1, Tasks = 3;

double valueOf(uint64_t Symbol) { return double(Symbol % 97); }
std::string symbolName(uint64_t Symbol) { return "s" + idToString(Symbol); }

/// Computes what a reader of the infix text would, by the usual precedences.
class TextReader {
  const std::string &T;
  size_t At = 0;

public:
  /// All whole and small enough for exact arithmetic in any order?
  bool Exact = true;
  bool DividesByZero = false;

  explicit TextReader(const std::string &T) : T(T) {}
  double all() {
    double V = sum();
    EK_HOLDS(At == T.size(), "expression text does not end: " + T);
    return V;
  }

private:
  bool take(const char *Word) {
    size_t N = std::string(Word).size();
    if (T.compare(At, N, Word) != 0)
      return false;
    At += N;
    return true;
  }
  double keep(double V) {
    Exact &= V == std::floor(V) && std::fabs(V) < 0x1p50;
    return V;
  }
  double sum() {
    double V = product();
    for (;;)
      if (take(" + "))
        V = keep(V + product());
      else if (take(" - "))
        V = keep(V - product());
      else
        return V;
  }
  double product() {
    double V = factor();
    while (take("*"))
      V = keep(V * factor());
    return V;
  }
  double factor() {
    if (take("-"))
      return -factor();
    if (take("(")) {
      double V = sum();
      EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
      return V;
    }
    if (At < T.size() && T[At] >= '0' && T[At] <= '9') {
      const char *From = T.c_str() + At;
      char *End;
      double V = std::strtod(From, &End);
      At += size_t(End - From);
      return keep(V);
    }
    // Symbols are "s" and 16 digits; operators are words before a '('.
    if (T[At] == 's' && T.compare(At, 6, "share(") != 0 &&
        T.compare(At, 4, "sum(") != 0) {
      uint64_t Id = idFromString(T.substr(At + 1, 16));
      EK_HOLDS(Id, "expression text is not understood: " + T);
      At += 17;
      return valueOf(Id);
    }
    for (bool Shared : {false, true})
      if (take(Shared ? "share(" : "sum(")) {
        size_t Before = At;
        if (index() && take(" < "))
          return addUp(Shared);
        EK_HOLDS(Shared, "expression text is not understood: " + T);
        At = Before;
        double N = std::max(0.0, std::floor(sum()));
        double V = N ? shareOf(N, take(", ") ? chunk() : 0).size() : 0;
        EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
        return keep(V);
      }
    if (take("first(")) {
      double N = std::max(0.0, std::floor(sum()));
      double Base = std::floor(N / Tasks), Rest = N - Base * Tasks;
      EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
      return keep(Task * Base + std::min<double>(Task, Rest));
    }
    if (take("evenly(")) {
      double V = sum();
      EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
      return keep(V / Tasks);
    }
    if (std::optional<size_t> Level = index()) {
      EK_HOLDS(*Level < Indices.size(), "an index without its sum: " + T);
      return Indices[*Level];
    }
    for (bool Power : {true, false})
      if (take(Power ? "pow(" : "ceillog("))
        return power(Power);
    for (const char *Name : {"max(", "min(", "ceildiv(", "floordiv("})
      if (take(Name))
        return call(Name[1]);
    violated(__FILE__, __LINE__, "expression text is not understood: " + T);
  }
  std::vector<double> Indices; // of the sums around
  /// Rounds of all sums; with more, only the text's form is looked at.
  double Rounds = 0;

  /// i, j, k, i3, i4, ...
  std::optional<size_t> index() {
    if (At >= T.size() || T[At] < 'i' || T[At] > 'k')
      return std::nullopt;
    size_t Level = T[At++] - 'i', Digits = 0;
    for (; At < T.size() && T[At] >= '0' && T[At] <= '9'; ++At)
      Digits = Digits * 10 + size_t(T[At] - '0');
    return Digits ? Digits : Level;
  }
  double chunk() { return std::max(1.0, std::floor(sum())); }
  /// The task's iterations among \p N; \p Chunk 0: contiguous.
  std::vector<double> shareOf(double N, double Chunk) {
    std::vector<double> Out;
    if (!(N < 10000)) {
      Exact = false;
      return Out;
    }
    double Base = std::floor(N / Tasks), Rest = N - Base * Tasks;
    double First = Task * Base + std::min<double>(Task, Rest);
    double Size = Base + (Task < Rest ? 1 : 0);
    for (double K = 0; K < N; ++K)
      if (Chunk ? std::fmod(std::floor(K / Chunk), Tasks) == Task
                : K >= First && K < First + Size)
        Out.push_back(K);
    return Out;
  }
  double addUp(bool Shared) {
    double N = std::max(0.0, std::floor(sum()));
    std::vector<double> All;
    if (Shared) {
      All = shareOf(N, take(", ") ? chunk() : 0);
    } else if (N < 10000) {
      for (double K = 0; K < N; ++K)
        All.push_back(K);
    } else {
      Exact = false;
    }
    EK_HOLDS(take(": "), "a sum without a body: " + T);
    Rounds += double(All.size());
    if (Rounds > 10000) {
      Exact = false;
      All.clear();
    }
    size_t Body = At;
    double V = 0;
    Indices.push_back(0);
    if (All.empty()) { // its form still counts, its value does not
      bool WasExact = Exact, Divided = DividesByZero;
      sum();
      Exact = WasExact;
      DividesByZero = Divided;
    }
    for (double K : All) {
      At = Body;
      Indices.back() = K;
      V = keep(V + sum());
    }
    Indices.pop_back();
    EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
    return V;
  }
  /// pow(B, K) or ceillog(X, B). Without a value it counts as a division by
  /// zero.
  double power(bool Power) {
    double First = sum();
    EK_HOLDS(take(", "), "expression text lacks a second operand: " + T);
    double Second = sum(), V = 0;
    EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
    if (Power) {
      V = std::pow(First, std::max(0.0, std::floor(Second)));
      DividesByZero |= !std::isfinite(V);
    } else if (Second < 2) {
      DividesByZero = true;
    } else {
      for (double P = 1; P < First; P *= Second)
        ++V;
    }
    return keep(V);
  }
  double call(char Second) { // m[a]x, m[i]n, c[e]ildiv, f[l]oordiv
    double V = sum();
    while (take(", ")) {
      double W = sum();
      if (Second == 'a')
        V = std::max(V, W);
      else if (Second == 'i')
        V = std::min(V, W);
      else if (W == 0)
        DividesByZero = true;
      else
        V = Second == 'e' ? std::ceil(V / W) : std::floor(V / W);
    }
    EK_HOLDS(take(")"), "expression text lacks a ')': " + T);
    return keep(V);
  }
};

/// A sum over nothing asks for no symbol in its body.
bool hasSum(const Expr &E) {
  return E.Code == Expr::Sum || E.Code == Expr::ShareSum ||
         std::any_of(E.Args.begin(), E.Args.end(),
                     [](const ExprRef &A) { return hasSum(*A); });
}

/// Text shows six digits of a fraction; then its value is another.
bool onlyWhole(const Expr &E) {
  if (E.K == Expr::Const &&
      (E.Value != std::floor(E.Value) || std::fabs(E.Value) >= 1e15))
    return false;
  for (const ExprRef &A : E.Args)
    if (!onlyWhole(*A))
      return false;
  return true;
}

} // namespace

bool ekfuzz::runExpression(const std::string &Input) {
  // Expressions reach us inside of facts only.
  std::string Text = "{\"schema\":\"evenkeel.facts/1\",\"regions\":[],"
                     "\"symbols\":[],\"accesses\":[],\"sites\":[{\"id\":"
                     "\"0000000000000001\",\"kind\":\"malloc\",\"at\":"
                     "\"a.c:1:1\",\"size\":" +
                     Input + "}]}";
  Expected<Facts> F = readFacts(scratchFile("in", Text));
  if (!F || F->Sites.empty() || !F->Sites[0].Size)
    return false;
  checkRoundTrip(*F);
  const Expr &E = *F->Sites[0].Size;
  EvalContext C;
  C.Lookup = [](uint64_t Id) { return std::optional<double>(valueOf(Id)); };
  C.Task = Task;
  C.Tasks = Tasks;
  Expected<double> V = evaluate(E, C);
  std::string Infix = exprToText(E, symbolName);
  TextReader R(Infix);
  double W = R.all();
  if (!R.Exact || !onlyWhole(E))
    return true;
  EK_HOLDS(bool(V) != R.DividesByZero, "only one side divides by zero");
  EK_HOLDS(!V || *V == W, "the text has another value: " + Infix);
  std::vector<uint64_t> Symbols = symbolsOf(E);
  C.Lookup = nullptr;
  EK_HOLDS(hasSum(E) || Symbols.empty() || !evaluate(E, C),
           "a value without the values of its symbols");
  return true;
}
