//===- ClauseCheck.cpp - what a task needs, and clauses that lack it ------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See ClauseCheck.h.
//===----------------------------------------------------------------------===//
#include "ClauseCheck.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include <algorithm>

namespace evenkeel {
using namespace clang;

namespace {

class Check {
  const ASTContext &Context;
  const OMPExecutableDirective *D;
  const UsedData &Used;
  Places Around; // what the function's own pointers point to
  std::vector<Named> Names;
  TaskNeeds Out;

  //===--- Names
  //------------------------------------------------------------===//

  /// \p K with local pointers replaced by what they were given: `in[l]` for
  /// `x` after `double *x = in[l]`.
  DataKey resolved(DataKey K) const {
    for (int Left = 8; Left > 0; --Left) {
      const auto *V = dyn_cast_or_null<VarDecl>(K.Root);
      if (!V || !V->isLocalVarDecl() || !V->getInit() ||
          Around.Changed.count(V) || K.Path.empty() || K.Path[0] != '*')
        break;
      const QualType T = V->getType();
      const Place P = T->isReferenceType() ? Around.place(V->getInit())
                      : T->isPointerType() ? Around.pointer(V->getInit())
                                           : Place();
      if (!P.Object)
        break;
      K = {P.Object->Root, P.Object->Path + K.Path.substr(1)};
    }
    return K;
  }

  /// Whether data \p Inner is \p Outer or a part of it.
  static bool covers(const DataKey &Outer, const DataKey &Inner) {
    return Outer.Root == Inner.Root &&
           Inner.Path.compare(0, Outer.Path.size(), Outer.Path) == 0 &&
           Inner.Path.find('*', Outer.Path.size()) == std::string::npos;
  }

  std::vector<const Named *> namesOf(const Use &U) const {
    std::vector<const Named *> Found;
    for (const Named &N : Names)
      if (covers(N.Object, U.Object))
        Found.push_back(&N);
    return Found;
  }

  bool mayBeNamed(const Use &U) const {
    const DataKey K = resolved(U.Object);
    return std::any_of(Names.begin(), Names.end(), [&](const Named &N) {
      return covers(resolved(N.Object), K);
    });
  }

  unsigned line(SourceLocation At) const {
    return Context.getSourceManager().getPresumedLoc(At).getLine();
  }

  /// `x[0 : n]`, or `x`.
  static std::string sectionOf(const Use &U) {
    std::string Name = U.Object.text();
    if (!U.From || !U.To)
      return Name;
    return Name + "[" + U.From->text(U.Element) + " : " +
           (*U.To - *U.From).text(U.Element) + "]";
  }

  void report(SourceLocation At, const char *Reason, std::string Text) {
    const bool Known = std::any_of(
        Out.Shortfalls.begin(), Out.Shortfalls.end(), [&](const Shortfall &S) {
          return S.At == At && S.Reason == StringRef(Reason);
        });
    if (!Known)
      Out.Shortfalls.push_back({At, Reason, std::move(Text)});
  }

  //===--- What is accessed
  //-------------------------------------------------===//

  /// Whether the task's \p U goes beyond \p N, the only name of this data.
  static bool goesBeyond(const Use &U, const Named &N) {
    if (!U.Always || !U.Certain || !U.From || !U.To || !N.From || !N.To ||
        !(N.Object == U.Object))
      return false;
    const double Slack = std::max(U.Element, N.Each);
    return (*U.To - *N.To).isPositive(Slack) ||
           (*N.From - *U.From).isPositive(0);
  }

  void checkNamed(const Use &U, std::vector<const Named *> Found) {
    const bool ReadOnly = std::none_of(
        Found.begin(), Found.end(), [](const Named *N) { return N->Writable; });
    if (U.Writes && U.Certain && ReadOnly)
      report(Found[0]->At, "written-input",
             "the clause says that '" + Found[0]->Text +
                 "' is only read, and the task writes it (line " +
                 std::to_string(line(U.At)) + ")");
    if (Found.size() == 1 && goesBeyond(U, *Found[0]))
      report(Found[0]->At, "short-section",
             "the clause names '" + Found[0]->Text + "', and the task " +
                 (U.Writes ? "writes '" : "reads '") + sectionOf(U) +
                 "' (line " + std::to_string(line(U.At)) + ")");
  }

  /// Whether it is an array that tasks share: static, or behind a pointer.
  static bool isShared(const Use &U) {
    const auto *V = dyn_cast_or_null<VarDecl>(U.Object.Root);
    if (!V || U.Object.Path.find('*') != std::string::npos)
      return true;
    return V->hasGlobalStorage() && V->getTLSKind() == VarDecl::TLS_None &&
           V->getType()->isArrayType();
  }

  //===--- What is acquired
  //-------------------------------------------------===//

  static std::string mode(bool Reads, bool Writes) {
    return Reads && Writes ? "EK_READ_WRITE" : Writes ? "EK_WRITE" : "EK_READ";
  }

  /// One element often stands for all of its array, or a part of it.
  bool isToken(const Named &N) const {
    if (N.Object.Path.empty() && !N.Element)
      return false;
    const auto Same =
        std::count_if(Names.begin(), Names.end(),
                      [&](const Named &O) { return O.Object == N.Object; });
    for (const Use &U : Used.Uses)
      if (covers(N.Object, U.Object) &&
          ((N.Element && U.Array) || (Same == 1 && goesBeyond(U, N))))
        return true;
    return false;
  }

  /// Whether the variable has the same value before the directive as in the
  /// task.
  bool isTheSameBefore(const DataKey &K) const {
    const auto *V = dyn_cast_or_null<VarDecl>(K.Root);
    return V && K.Path.empty() && V->getIdentifier() &&
           (isHanded(V) || (V->hasLocalStorage() && !Around.Changed.count(V) &&
                            !Around.Counted.count(V)));
  }

  /// Makes [\p From, \p To) reach over \p U; false: it is not known how far.
  static bool widen(std::optional<Bytes> &From, std::optional<Bytes> &To,
                    const Use &U) {
    if (!U.From || !U.To)
      return false;
    const std::optional<double> Below =
        From ? (*From - *U.From).constant() : std::optional<double>(1);
    const std::optional<double> Above =
        To ? (*U.To - *To).constant() : std::optional<double>(1);
    if (!Below || !Above)
      return false;
    From = *Below > 0 ? U.From : From;
    To = *Above > 0 ? U.To : To;
    return true;
  }

  /// Of the data that \p N is a token of, the range that the task accesses, if
  /// it can be computed before the task.
  std::optional<std::string> accessed(const Named &N) const {
    std::optional<Bytes> From, To;
    if (N.Base.empty())
      return std::nullopt;
    for (const Use &U : Used.Uses)
      if (covers(N.Object, U.Object) &&
          (!(U.Object == N.Object) || U.Element != N.Each ||
           !widen(From, To, U)))
        return std::nullopt;
    if (!From || !To)
      return std::nullopt;
    for (const Bytes &B : {*From, *To})
      for (const DataKey &K : B.variables())
        if (!isTheSameBefore(K))
          return std::nullopt;
    const std::optional<std::string> Low = From->source(N.Each);
    const std::optional<std::string> Count = (*To - *From).source(N.Each);
    if (!Low || !Count)
      return std::nullopt;
    const bool Plain = Count->find(' ') == std::string::npos;
    return (*Low == "0" ? N.Base : "&" + N.Base + "[" + *Low + "]") + ", " +
           (Plain ? *Count : "(" + *Count + ")") + " * sizeof " + N.Base +
           "[0]";
  }

  void add(const std::string &Need) {
    if (std::find(Out.Needs.begin(), Out.Needs.end(), Need) == Out.Needs.end())
      Out.Needs.push_back(Need);
  }

  void need(const Named &N) {
    bool Writes = N.Writes;
    for (const Use &U : Used.Uses)
      Writes |= U.Writes && U.Certain && covers(N.Object, U.Object);
    // A task may leave what it is said to write as it is.
    const std::string Mode = mode(N.Reads || !isTarget(), Writes);
    if (!isToken(N))
      return add("EK_RANGE(" + N.Address + ", " + N.Length + ", " + Mode + ")");
    if (std::optional<std::string> Range = accessed(N))
      return add("EK_RANGE(" + *Range + ", " + Mode + ")");
    add("EK_OBJECT(" + N.Address + ", " + N.Length + ", " + Mode + ")");
  }

  bool isTarget() const {
    return isOpenMPTargetExecutionDirective(D->getDirectiveKind());
  }

  /// Whether the task has its own copy of pointer \p V, from its creation on.
  bool isHanded(const VarDecl *V) const {
    for (const auto *C : D->getClausesOfKind<OMPFirstprivateClause>())
      for (const Expr *E : C->varlists())
        if (const auto *R = dyn_cast<DeclRefExpr>(E->IgnoreParenImpCasts()))
          if (R->getDecl()->getCanonicalDecl() == V)
            return true;
    return false;
  }

  /// Data that no clause names is acquired as a whole, if its name is one
  /// before the task, too. Returns whether it is.
  bool needUnnamed(const DataKey &K, bool Writes) {
    const auto *V = dyn_cast_or_null<VarDecl>(K.Root);
    if (!V || !V->getIdentifier() ||
        !(K.Path.empty()
              ? V->hasGlobalStorage()
              : K.Path == "*" && V->getType()->isPointerType() && isHanded(V)))
      return false;
    const std::string Name = V->getNameAsString();
    const bool Sized =
        K.Path.empty() || !(V->getType()->getPointeeType()->isVoidType() ||
                            V->getType()->getPointeeType()->isIncompleteType());
    Out.Needs.push_back(
        "EK_OBJECT(" + Name + ", " +
        (!Sized ? "1"
                : "sizeof " + std::string(K.Path.empty() ? "" : "*") + Name) +
        ", " + mode(true, Writes) + ")");
    return true;
  }

  void checkUnnamed() {
    std::map<DataKey, std::pair<const Use *, bool>> Found; // first use, writes
    std::vector<DataKey> Order;
    for (const Use &U : Used.Uses) {
      if (!U.Array || !isShared(U) || !namesOf(U).empty() || mayBeNamed(U))
        continue;
      auto [It, New] = Found.try_emplace(U.Object, &U, false);
      It->second.second |= U.Writes;
      if (New)
        Order.push_back(U.Object);
    }
    for (const DataKey &K : Order) {
      const auto &[U, Writes] = Found.at(K);
      const bool Acquired = needUnnamed(K, Writes);
      report(U->At, "unnamed-data",
             std::string("the task ") + (U->Certain ? "" : "may ") +
                 (U->Certain ? Writes ? "writes" : "reads"
                  : Writes   ? "write"
                             : "read") +
                 " '" + K.text() + "', which no clause names" +
                 (Acquired ? "; it is acquired as a whole"
                           : "; it is not acquired"));
    }
  }

  /// Why the task acquires nothing.
  const char *refusal() const {
    if (D->hasClausesOfKind<OMPUntiedClause>())
      return "untied-task";
    if (Used.Acquires)
      return "acquires-itself";
    if (Used.Waits)
      return "waits-inside";
    if (isTarget() && D->hasClausesOfKind<OMPNowaitClause>())
      return "nowait-target";
    return nullptr;
  }

public:
  Check(const ASTContext &Context, const OMPExecutableDirective *D,
        const FunctionDecl *In, const UsedData &Used)
      : Context(Context), D(D), Used(Used), Around(Context) {
    if (In && In->hasBody())
      Around.findChanges(In->getBody());
    Names = namedBy(Context, D);
  }

  TaskNeeds run() {
    if (Names.empty()) {
      Out.Reason = "no-data-clause";
      return Out;
    }
    Out.Reason = refusal();
    const bool Refused = Out.Reason != nullptr;
    for (const Named &N : Names)
      if (N.Reason)
        Out.Reason = Out.Reason ? Out.Reason : N.Reason;
      else
        need(N);
    if (!isTarget())
      for (const Use &U : Used.Uses)
        if (std::vector<const Named *> Found = namesOf(U); !Found.empty())
          checkNamed(U, Found);
    // Clauses that cannot be read may name it.
    const bool Readable =
        std::none_of(Names.begin(), Names.end(), [](const Named &N) {
          return N.Reason && N.Reason != StringRef("stack-data");
        });
    if (!isTarget() && Readable && Out.Reason != StringRef("acquires-itself"))
      checkUnnamed();
    if (Refused)
      Out.Needs.clear();
    return Out;
  }
};

} // namespace

TaskNeeds needsOf(const ASTContext &Context, CodeUses &Code,
                  const OMPExecutableDirective *D, const FunctionDecl *In) {
  const bool Target = isOpenMPTargetExecutionDirective(D->getDirectiveKind());
  const UsedData Used =
      Target || !D->hasAssociatedStmt() ? UsedData() : Code.of(D->getRawStmt());
  return Check(Context, D, In, Used).run();
}

} // namespace evenkeel
