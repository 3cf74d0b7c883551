//===- Places.cpp - where expressions point to ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Places.h.
//===----------------------------------------------------------------------===//
#include "Places.h"
#include "edits/Uncaptured.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"

namespace evenkeel {
using namespace clang;

static const VarDecl *variable(const Expr *E) {
  const auto *R =
      dyn_cast_or_null<DeclRefExpr>(E ? E->IgnoreParenImpCasts() : E);
  return R ? dyn_cast<VarDecl>(R->getDecl()) : nullptr;
}

//===--- Changes ---------------------------------------------------------===//

namespace {
/// A loop with a counter that goes up or down by a constant.
struct CanonicalLoop {
  const VarDecl *Counter = nullptr;
  const Expr *First = nullptr, *Bound = nullptr;
  bool Up = true, Closed = false; // the bound itself is reached
  double Step = 1;
  bool InCondition = false; // i-- > 0
};
} // namespace

static bool readHead(const ForStmt *F, CanonicalLoop &L) {
  if (const auto *D = dyn_cast_or_null<DeclStmt>(F->getInit())) {
    L.Counter =
        D->isSingleDecl() ? dyn_cast<VarDecl>(D->getSingleDecl()) : nullptr;
    L.First = L.Counter ? L.Counter->getInit() : nullptr;
  } else if (const auto *B = dyn_cast_or_null<BinaryOperator>(F->getInit());
             B && B->getOpcode() == BO_Assign) {
    L.Counter = variable(B->getLHS());
    L.First = B->getRHS();
  }
  const auto *C = dyn_cast_or_null<BinaryOperator>(
      F->getCond() ? F->getCond()->IgnoreParenImpCasts() : nullptr);
  if (!L.Counter || !L.First || !C || !C->isComparisonOp())
    return false;
  BinaryOperatorKind Op = C->getOpcode();
  const Expr *Left = C->getLHS()->IgnoreParenImpCasts();
  L.Bound = C->getRHS();
  const auto *Down = dyn_cast<UnaryOperator>(Left);
  L.InCondition = Down && Down->getOpcode() == UO_PostDec &&
                  variable(Down->getSubExpr()) == L.Counter && !F->getInc() &&
                  Op == BO_GT;
  if (L.InCondition) {
    L.Up = false;
    return true;
  }
  if (variable(Left) != L.Counter) {
    if (variable(C->getRHS()) != L.Counter)
      return false;
    Op = BinaryOperator::reverseComparisonOp(Op);
    L.Bound = C->getLHS();
  }
  L.Closed = Op == BO_LE || Op == BO_GE;
  const auto *U = dyn_cast_or_null<UnaryOperator>(F->getInc());
  const auto *A = dyn_cast_or_null<CompoundAssignOperator>(F->getInc());
  if (U && U->isIncrementDecrementOp() &&
      variable(U->getSubExpr()) == L.Counter) {
    L.Up = U->isIncrementOp();
  } else if (A && variable(A->getLHS()) == L.Counter &&
             (A->getOpcode() == BO_AddAssign ||
              A->getOpcode() == BO_SubAssign)) {
    const auto *N =
        dyn_cast<IntegerLiteral>(A->getRHS()->IgnoreParenImpCasts());
    if (!N || N->getValue() == 0)
      return false;
    L.Step = N->getValue().roundToDouble();
    L.Up = A->getOpcode() == BO_AddAssign;
  } else {
    return false;
  }
  return L.Up ? Op == BO_LT || Op == BO_LE || Op == BO_NE
              : Op == BO_GT || Op == BO_GE || Op == BO_NE;
}

void Places::findChanges(const Stmt *S) {
  S = uncaptured(S);
  if (!S)
    return;
  CanonicalLoop L;
  if (const auto *F = dyn_cast<ForStmt>(S); F && readHead(F, L)) {
    Counted.insert(L.Counter);
    findChanges(F->getBody());
    return;
  }
  const Expr *Target = nullptr;
  if (const auto *B = dyn_cast<BinaryOperator>(S); B && B->isAssignmentOp())
    Target = B->getLHS();
  else if (const auto *U = dyn_cast<UnaryOperator>(S);
           U && (U->isIncrementDecrementOp() || U->getOpcode() == UO_AddrOf))
    Target = U->getSubExpr();
  if (const VarDecl *V = variable(Target))
    Changed.insert(V);
  // A function may change what it gets by reference.
  if (const auto *C = dyn_cast<CallExpr>(S))
    if (const FunctionDecl *F = C->getDirectCallee())
      for (unsigned I = 0; I < C->getNumArgs() && I < F->getNumParams(); ++I)
        if (const QualType T = F->getParamDecl(I)->getType();
            T->isReferenceType() && !T->getPointeeType().isConstQualified())
          if (const VarDecl *V = variable(C->getArg(I)))
            Changed.insert(V);
  for (const Stmt *Child : S->children())
    findChanges(Child);
}

void Places::declare(const VarDecl *V) {
  Own.insert(V);
  if (!V->getInit() || Changed.count(V) || Counted.count(V))
    return;
  const QualType T = V->getType();
  if (T->isReferenceType())
    Pointers[V] = place(V->getInit());
  else if (T->isPointerType())
    Pointers[V] = pointer(V->getInit());
  else if (T->isIntegerType())
    if (std::optional<Bytes> N = number(V->getInit()))
      Numbers[V] = *N;
}

bool Places::enter(const ForStmt *F) {
  CanonicalLoop L;
  if (!readHead(F, L) || Changed.count(L.Counter))
    return false;
  std::optional<Bytes> First = number(L.First), Bound = number(L.Bound);
  if (!First || !Bound)
    return false;
  Counter C;
  C.Key = {L.Counter, ""};
  // With larger steps, the last value is at least so near the bound.
  const Bytes Short(L.InCondition ? 0 : L.Closed ? L.Step - 1 : L.Step);
  if (L.Up)
    C.Low = *First, C.High = *Bound - Short;
  else
    C.Low = *Bound + Short, C.High = L.InCondition ? *First - 1 : *First;
  Counters.push_back(C);
  return true;
}

//===--- Values ----------------------------------------------------------===//

double Places::sizeOf(QualType T) const {
  if (T.isNull() || T->isDependentType() || T->isVoidType() ||
      T->isFunctionType() || T->isIncompleteType() ||
      T->isVariablyModifiedType())
    return 1;
  return static_cast<double>(Context.getTypeSizeInChars(T).getQuantity());
}

/// `.a.b` for `s.a.b` and `p->a[i].b`.
static std::string membersOf(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return S->getBase()->IgnoreParenImpCasts()->getType()->isArrayType()
               ? membersOf(S->getBase())
               : "";
  const auto *M = dyn_cast<MemberExpr>(E);
  if (!M || !isa<FieldDecl>(M->getMemberDecl()))
    return "";
  return (M->isArrow() ? "" : membersOf(M->getBase())) + "." +
         M->getMemberDecl()->getNameAsString();
}

std::optional<Bytes> Places::number(const Expr *E, bool MayDivide) const {
  if (!E || E->isValueDependent() || E->isTypeDependent())
    return std::nullopt;
  Expr::EvalResult Value;
  if (E->getType()->isIntegerType() && E->EvaluateAsInt(Value, Context))
    return Bytes(Value.Val.getInt().roundToDouble());
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return C->getType()->isIntegerType() &&
                   C->getSubExpr()->getType()->isIntegerType()
               ? number(C->getSubExpr(), MayDivide)
               : std::nullopt;
  if (const auto *B = dyn_cast<BinaryOperator>(E)) {
    std::optional<Bytes> L = number(B->getLHS(), MayDivide);
    std::optional<Bytes> R = number(B->getRHS(), MayDivide);
    if (!L || !R)
      return std::nullopt;
    switch (B->getOpcode()) {
    case BO_Add:
      return *L + *R;
    case BO_Sub:
      return *L - *R;
    case BO_Mul:
      return *L * *R;
    case BO_Div:
      if (MayDivide && R->constant().value_or(0) > 0)
        return *L * Bytes(1 / *R->constant());
      return std::nullopt;
    default:
      return std::nullopt;
    }
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E)) {
    std::optional<Bytes> N = number(U->getSubExpr(), MayDivide);
    if (N && U->getOpcode() == UO_Minus)
      return Bytes(0) - *N;
    return U->getOpcode() == UO_Plus ? N : std::nullopt;
  }
  if (const VarDecl *V = variable(E)) {
    if (auto It = Numbers.find(V); It != Numbers.end())
      return It->second;
    if (Changed.count(V) || !V->getType()->isIntegerType())
      return std::nullopt;
    return Bytes::variable({V, ""});
  }
  if (isa<MemberExpr>(E)) {
    const Place P = place(E);
    if (P.Object && P.Offset && P.Offset->variables().empty())
      return Bytes::variable({P.Object->Root, P.Object->Path + membersOf(E)});
  }
  return std::nullopt;
}

Place Places::moved(Place P, const Expr *By, QualType Element, int Sign) const {
  const std::optional<Bytes> N = number(By);
  if (P.Offset && N)
    P.Offset = *P.Offset + *N * Bytes(Sign * sizeOf(Element));
  else
    P.Offset = std::nullopt;
  return P;
}

/// `v[i]` of a class with operator[].
std::optional<Place> Places::ofOperator(const Expr *E) const {
  const auto *C = dyn_cast<CXXOperatorCallExpr>(E);
  if (!C || C->getOperator() != OO_Subscript || C->getNumArgs() != 2)
    return std::nullopt;
  Place P = place(C->getArg(0));
  if (P.Object)
    P.Object->Path += "*";
  P.Offset = Bytes(0);
  return moved(P, C->getArg(1), C->getType().getNonReferenceType(), 1);
}

Place Places::place(const Expr *E) const {
  E = E->IgnoreParens();
  if (const auto *C = dyn_cast<CastExpr>(E))
    return place(C->getSubExpr());
  if (const auto *T = dyn_cast<MaterializeTemporaryExpr>(E))
    return place(T->getSubExpr());
  if (std::optional<Place> P = ofOperator(E))
    return *P;
  if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
    return moved(pointer(S->getBase()), S->getIdx(), S->getType(), 1);
  if (const auto *U = dyn_cast<UnaryOperator>(E);
      U && U->getOpcode() == UO_Deref)
    return pointer(U->getSubExpr());
  if (const auto *M = dyn_cast<MemberExpr>(E)) {
    const auto *F = dyn_cast<FieldDecl>(M->getMemberDecl());
    if (!F)
      return {DataKey{M->getMemberDecl(), ""}, Bytes(0)};
    Place P = M->isArrow() ? pointer(M->getBase()) : place(M->getBase());
    const RecordDecl *R = F->getParent();
    if (P.Offset && !R->isDependentContext() && R->isCompleteDefinition())
      P.Offset =
          *P.Offset + Bytes(static_cast<double>(Context.getFieldOffset(F)) / 8);
    else
      P.Offset = std::nullopt;
    return P;
  }
  if (const VarDecl *V = variable(E)) {
    if (auto It = Pointers.find(V);
        It != Pointers.end() && V->getType()->isReferenceType())
      return It->second;
    return {DataKey{V->getCanonicalDecl(),
                    V->getType()->isReferenceType() ? "*" : ""},
            Bytes(0)};
  }
  return {};
}

Place Places::pointer(const Expr *E) const {
  E = E->IgnoreParens();
  if (isa<CXXThisExpr>(E))
    return {DataKey{nullptr, "*"}, Bytes(0)};
  if (const auto *C = dyn_cast<CastExpr>(E)) {
    if (C->getCastKind() == CK_ArrayToPointerDecay)
      return place(C->getSubExpr());
    if (C->getCastKind() != CK_LValueToRValue)
      return C->getSubExpr()->getType()->isPointerType() ||
                     C->getSubExpr()->getType()->isArrayType()
                 ? pointer(C->getSubExpr())
                 : Place();
    E = C->getSubExpr()->IgnoreParens();
  }
  if (const auto *U = dyn_cast<UnaryOperator>(E))
    if (U->getOpcode() == UO_AddrOf)
      return place(U->getSubExpr());
  if (const auto *B = dyn_cast<BinaryOperator>(E); B && B->isAdditiveOp()) {
    const bool Left = B->getLHS()->getType()->isPointerType();
    const QualType Element = B->getType()->getPointeeType();
    if (Left || B->getOpcode() == BO_Add)
      return moved(pointer(Left ? B->getLHS() : B->getRHS()),
                   Left ? B->getRHS() : B->getLHS(), Element,
                   B->getOpcode() == BO_Add ? 1 : -1);
  }
  if (const auto *M = dyn_cast<CXXMemberCallExpr>(E)) {
    const auto *F = M->getMethodDecl();
    if (!F || !F->getIdentifier() || F->getName() != "data")
      return {};
    Place P = place(M->getImplicitObjectArgument());
    if (P.Object)
      P.Object->Path += "*";
    P.Offset = Bytes(0);
    return P;
  }
  if (!E->isLValue())
    return {};
  if (const VarDecl *V = variable(E)) {
    if (auto It = Pointers.find(V); It != Pointers.end())
      return It->second;
    if (V->getType()->isArrayType())
      return place(E);
    Place P{DataKey{V->getCanonicalDecl(), "*"}, Bytes(0)};
    if (Changed.count(V))
      P.Offset = std::nullopt;
    return P;
  }
  // A pointer in memory; the name of a member belongs to it.
  Place P = place(E);
  if (!P.Object)
    return {};
  P.Object->Path += membersOf(E) + "*";
  P.Offset = Bytes(0);
  return P;
}

bool Places::spread(std::optional<Bytes> &Low,
                    std::optional<Bytes> &High) const {
  if (!Low || !High)
    return false;
  for (auto It = Counters.rbegin(); It != Counters.rend(); ++It) {
    Low = Low->with(It->Key, It->High, It->Low);
    High = High->with(It->Key, It->Low, It->High);
  }
  for (const std::optional<Bytes> *B : {&Low, &High})
    for (const DataKey &K : (*B)->variables())
      if (Own.count(K.Root) || Changed.count(K.Root))
        return false;
  return true;
}

} // namespace evenkeel
