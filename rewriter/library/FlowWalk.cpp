//===- FlowWalk.cpp - from one unit's AST to its block flow ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FlowWalk.h. Values may flow both ways between two pointers whose targets
// may hold pointers, because a store through one is a load through the other.
//===----------------------------------------------------------------------===//
#include "FlowWalk.h"
#include "FlowNodes.h"
#include "LibraryFunctions.h"
#include "PassedThrough.h"
#include "allocators/AllocationRules.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"

namespace evenkeel {
using namespace clang;

namespace {

class FlowWalk : public RecursiveASTVisitor<FlowWalk> {
  using Base = RecursiveASTVisitor<FlowWalk>;
  using Node = FlowNodes::Node;
  static constexpr Node None = FlowNodes::None;

  Unit &U;
  BlockFlow &Out;
  FlowNodes Nodes;
  std::vector<const FunctionDecl *> Functions; // around the walk's position
  std::map<const Expr *, Node> Results;        // of calls and conditions
  std::set<const Expr *> Callees;
  std::map<const FunctionDecl *, std::optional<unsigned>> Through;

public:
  FlowWalk(Unit &U, BlockFlow &Out) : U(U), Out(Out), Nodes(U, Out) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return false; }

  void run() {
    for (Decl *D : U.Context.getTranslationUnitDecl()->decls())
      if (!U.isInSystemHeader(D->getLocation()))
        TraverseDecl(D);
  }

  bool TraverseDecl(Decl *D) {
    auto *FD = dyn_cast_or_null<FunctionDecl>(D);
    if (!FD || !FD->isThisDeclarationADefinition())
      return Base::TraverseDecl(D);
    define(FD);
    Functions.push_back(FD);
    const bool Go = Base::TraverseDecl(D);
    Functions.pop_back();
    return Go;
  }

  bool TraverseLambdaExpr(LambdaExpr *L) {
    const CXXMethodDecl *Body = L->getCallOperator();
    define(Body);
    takeAddress(Body);
    Functions.push_back(Body);
    const bool Go = Base::TraverseLambdaExpr(L);
    Functions.pop_back();
    return Go;
  }

  bool VisitVarDecl(VarDecl *VD) {
    if (VD->hasInit() && !isa<ParmVarDecl>(VD))
      store(VD->getInit(), Nodes.of(VD), VD->getType());
    return true;
  }
  bool VisitCXXForRangeStmt(CXXForRangeStmt *S) {
    const VarDecl *VD = S->getLoopVariable();
    if (VD && S->getRangeInit())
      Nodes.join(value(S->getRangeInit()), Nodes.of(VD));
    return true;
  }
  bool VisitBinaryOperator(BinaryOperator *BO) {
    if (BO->getOpcode() == BO_Assign)
      store(BO->getRHS(), value(BO->getLHS()), BO->getLHS()->getType());
    return true;
  }
  bool VisitReturnStmt(ReturnStmt *S) {
    if (!Functions.empty() && S->getRetValue())
      store(S->getRetValue(), Nodes.result(Functions.back()),
            Functions.back()->getReturnType());
    return true;
  }
  bool TraverseConstructorInitializer(CXXCtorInitializer *I) {
    if (const FieldDecl *F = I->getAnyMember(); F && I->getInit())
      store(I->getInit(), Nodes.of(F), F->getType());
    return Base::TraverseConstructorInitializer(I);
  }
  bool VisitFieldDecl(FieldDecl *F) {
    if (const Expr *E = F->getInClassInitializer())
      store(E, Nodes.of(F), F->getType());
    return true;
  }
  bool VisitInitListExpr(InitListExpr *L) {
    initialize(L->isSemanticForm() ? L : L->getSemanticForm());
    return true;
  }
  bool VisitAtomicExpr(AtomicExpr *E) {
    for (unsigned I = 1; I < E->getNumSubExprs(); ++I)
      Nodes.join(value(E->getPtr()), value(E->getSubExprs()[I]));
    return true;
  }
  bool VisitCallExpr(CallExpr *CE) {
    Callees.insert(CE->getCallee()->IgnoreParenImpCasts());
    result(CE);
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    constructed(E);
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *NE) {
    value(NE);
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *DE) {
    end(DE->getBeginLoc(), DE->getArgument(),
        DE->isArrayForm() ? BlockFamily::Array : BlockFamily::Single);
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *DRE) {
    const auto *FD = dyn_cast<FunctionDecl>(DRE->getDecl());
    if (FD && !Callees.count(DRE))
      takeAddress(FD);
    return true;
  }

private:
  //===--- Functions ------------------------------------------------------===//

  void define(const FunctionDecl *FD) {
    Out.Defined.insert(Nodes.name(FD));
    Out.DefinesMain |= FD->isMain();
    const auto *Method = dyn_cast<CXXMethodDecl>(FD);
    if (!Method)
      return;
    for (const CXXMethodDecl *Over : Method->overridden_methods()) {
      for (unsigned I = 0; I < FD->getNumParams(); ++I)
        Nodes.join(Nodes.parameter(Over, I), Nodes.parameter(FD, I));
      Nodes.join(Nodes.result(FD), Nodes.result(Over));
    }
    if (FD->isOverloadedOperator() && FD->getOverloadedOperator() == OO_Call)
      takeAddress(FD);
  }

  /// A function whose address is taken may be called with any pointer that is
  /// passed to such a call.
  void takeAddress(const FunctionDecl *FD) {
    const Node Any = Nodes.indirect();
    if (const AllocationRule *R = ruleFor(FD->getNameInfo().getAsString());
        R && isLibraryLevel(FD)) {
      if (R->Class == Finding::Group::Free)
        Out.FreedElsewhere.insert(Any);
      else
        Out.MadeElsewhere.insert(Any);
      return;
    }
    if (U.isInSystemHeader(FD->getLocation()))
      return;
    for (unsigned I = 0; I < FD->getNumParams(); ++I)
      Nodes.join(Any, Nodes.parameter(FD, I));
    Nodes.join(Nodes.result(FD), Any);
    noteCalled(FD);
  }

  std::optional<unsigned> through(const FunctionDecl *FD) {
    auto [It, New] = Through.try_emplace(FD);
    if (New)
      It->second = passedThrough(FD);
    return It->second;
  }

  void noteCalled(const FunctionDecl *FD) {
    const auto *Method = dyn_cast<CXXMethodDecl>(FD);
    if (!FD->hasBody() && !FD->isPureVirtual() && !FD->isDefaulted() &&
        !(Method && Method->isImplicit()))
      Out.Called[Nodes.name(FD)] = FD->getNumParams();
  }

  //===--- Flow -----------------------------------------------------------===//

  /// The members and elements that \p L, as the compiler completed it, sets.
  void initialize(const InitListExpr *L) {
    if (!L || L->isTypeDependent())
      return;
    for (const Expr *E : L->inits())
      initialize(dyn_cast_or_null<InitListExpr>(E));
    const auto *RT = L->getType()->getAs<RecordType>();
    const RecordDecl *RD = RT ? RT->getDecl() : nullptr;
    if (!RD)
      return;
    if (RD->isUnion()) {
      if (const FieldDecl *F = L->getInitializedFieldInUnion();
          F && L->getNumInits())
        store(L->getInit(0), Nodes.of(F), F->getType());
      return;
    }
    unsigned I = 0;
    if (const auto *Class = dyn_cast<CXXRecordDecl>(RD))
      I = Class->getNumBases();
    for (const FieldDecl *F : RD->fields())
      if (!F->isUnnamedBitField() && I < L->getNumInits())
        store(L->getInit(I++), Nodes.of(F), F->getType());
  }

  void store(const Expr *From, Node To, QualType Type) {
    if (!From || To == None)
      return;
    const Node N = value(From);
    if (N == None)
      return;
    if (mayAlias(From, Type))
      Nodes.join(N, To);
    else
      Nodes.flow(N, To);
  }

  /// Whether pointers that are stored through a pointer (or reference) of \p
  /// Type can be loaded through \p From, and the other way round.
  bool mayAlias(const Expr *From, QualType Type) {
    if (const auto *R = Type->getAs<ReferenceType>())
      return Nodes.holdsPointers(R->getPointeeType()) ||
             R->getPointeeType()->isPointerType();
    return Nodes.holdsPointers(From->IgnoreParenImpCasts()->getType()) &&
           Nodes.holdsPointers(Type);
  }

  /// The node of the pointer (or of the object that holds pointers) that \p E
  /// is; None: it is none.
  Node value(const Expr *E) {
    E = E->IgnoreParens();
    if (const Expr *Inner = wrapped(E))
      return value(Inner);
    if (const auto *C = dyn_cast<CastExpr>(E))
      return castValue(C);
    if (const auto *DRE = dyn_cast<DeclRefExpr>(E))
      return declared(DRE->getDecl());
    if (const auto *ME = dyn_cast<MemberExpr>(E)) {
      const auto *F = dyn_cast<FieldDecl>(ME->getMemberDecl());
      return F && Nodes.isLibrarys(F->getParent())
                 ? value(ME->getBase())
                 : declared(ME->getMemberDecl());
    }
    if (const auto *BO = dyn_cast<BinaryOperator>(E))
      return binaryValue(BO);
    if (const auto *C = dyn_cast<AbstractConditionalOperator>(E))
      return either(E, C->getTrueExpr(), C->getFalseExpr());
    if (const auto *CE = dyn_cast<CallExpr>(E))
      return result(CE);
    if (const auto *NE = dyn_cast<CXXNewExpr>(E))
      return newValue(NE);
    if (const auto *CE = dyn_cast<CXXConstructExpr>(E))
      return constructed(CE);
    if (isa<CXXThisExpr>(E))
      return Nodes.ofType(E->getType()->getPointeeType());
    if (isa<VAArgExpr>(E))
      return Nodes.indirect();
    if (const auto *L = dyn_cast<InitListExpr>(E))
      return listValue(L);
    return isNoBlock(E) ? None : unknown();
  }

  /// The expression whose pointer \p E is, or is part of; null: none.
  static const Expr *wrapped(const Expr *E) {
    if (const auto *C = dyn_cast<FullExpr>(E))
      return C->getSubExpr();
    if (const auto *M = dyn_cast<MaterializeTemporaryExpr>(E))
      return M->getSubExpr();
    if (const auto *B = dyn_cast<CXXBindTemporaryExpr>(E))
      return B->getSubExpr();
    if (const auto *D = dyn_cast<CXXDefaultArgExpr>(E))
      return D->getExpr();
    if (const auto *D = dyn_cast<CXXDefaultInitExpr>(E))
      return D->getExpr();
    if (const auto *L = dyn_cast<CXXStdInitializerListExpr>(E))
      return L->getSubExpr();
    if (const auto *S = dyn_cast<SubstNonTypeTemplateParmExpr>(E))
      return S->getReplacement();
    if (const auto *O = dyn_cast<OpaqueValueExpr>(E))
      return O->getSourceExpr();
    if (const auto *A = dyn_cast<AtomicExpr>(E))
      return A->getPtr();
    if (const auto *S = dyn_cast<ArraySubscriptExpr>(E))
      return S->getBase();
    if (const auto *UO = dyn_cast<UnaryOperator>(E))
      return UO->getSubExpr();
    if (const auto *C = dyn_cast<CompoundLiteralExpr>(E))
      return C->getInitializer();
    if (const auto *G = dyn_cast<GenericSelectionExpr>(E))
      return G->isResultDependent() ? nullptr : G->getResultExpr();
    if (const auto *C = dyn_cast<ChooseExpr>(E))
      return C->isConditionDependent() ? nullptr : C->getChosenSubExpr();
    if (const auto *S = dyn_cast<StmtExpr>(E))
      return S->getSubStmt()->body_empty()
                 ? nullptr
                 : dyn_cast<Expr>(S->getSubStmt()->body_back());
    return nullptr;
  }

  Node declared(const ValueDecl *D) {
    if (const auto *F = dyn_cast<FieldDecl>(D))
      return Nodes.of(F);
    if (const auto *B = dyn_cast<BindingDecl>(D)) {
      if (const VarDecl *V = B->getHoldingVar(); V && V->getInit())
        return value(V->getInit());
      return B->getBinding() ? value(B->getBinding()) : None;
    }
    const auto *VD = dyn_cast<VarDecl>(D);
    return VD ? Nodes.of(VD) : None;
  }

  /// Whether \p E, of a kind that has no node, is no pointer to a block.
  static bool isNoBlock(const Expr *E) {
    const QualType T = E->getType();
    return E->isInstantiationDependent() || T->isDependentType() ||
           (!T->isPointerType() && !E->isGLValue()) ||
           T->isFunctionPointerType() || T->isFunctionType() ||
           isa<StringLiteral, PredefinedExpr, CXXNullPtrLiteralExpr,
               GNUNullExpr, ImplicitValueInitExpr, CXXScalarValueInitExpr,
               AddrLabelExpr, CXXTypeidExpr, SourceLocExpr>(E);
  }

  /// A pointer of which nothing is known.
  Node unknown() {
    const Node N = Nodes.unknown();
    Out.FreedElsewhere.insert(N);
    Out.MadeElsewhere.insert(N);
    return N;
  }

  Node castValue(const CastExpr *C) {
    const Node N = value(C->getSubExpr());
    const CastKind K = C->getCastKind();
    if (K != CK_PointerToIntegral && K != CK_IntegralToPointer)
      return N;
    // Integers that hold addresses have one node.
    if (N != None)
      Nodes.join(N, Nodes.integers());
    return Nodes.integers();
  }

  Node binaryValue(const BinaryOperator *BO) {
    if (BO->isAssignmentOp())
      return value(BO->getLHS());
    if (BO->getOpcode() == BO_Comma || BO->getOpcode() == BO_PtrMemD ||
        BO->getOpcode() == BO_PtrMemI)
      return value(BO->getRHS());
    if (!BO->isAdditiveOp())
      return None;
    const bool Left = BO->getLHS()->getType()->isPointerType();
    return value(Left ? BO->getLHS() : BO->getRHS());
  }

  Node either(const Expr *E, const Expr *A, const Expr *B) {
    auto [It, New] = Results.try_emplace(E, None);
    if (!New)
      return It->second;
    const Node N = Nodes.temporary();
    Results[E] = N;
    for (const Expr *Arm : {A, B})
      Nodes.join(value(Arm), N);
    return N;
  }

  /// The elements of an array, or the members of a library's structure.
  Node listValue(const InitListExpr *L) {
    if (const InitListExpr *Semantic = L->getSemanticForm())
      L = Semantic;
    const auto *RT = L->getType()->getAs<RecordType>();
    const bool Librarys = RT && Nodes.isLibrarys(RT->getDecl());
    if (!L->getType()->isArrayType() && !Librarys)
      return L->getNumInits() == 1 ? value(L->getInit(0)) : None;
    auto [It, New] = Results.try_emplace(L, None);
    if (!New)
      return It->second;
    const Node N = Nodes.temporary();
    Results[L] = N;
    for (const Expr *E : L->inits())
      Nodes.join(value(E), N);
    return N;
  }

  //===--- Calls ----------------------------------------------------------===//

  /// Where the text of a call is that begins at \p Begin; nullopt: in a macro.
  std::optional<TextPlace> placeOf(SourceLocation Begin) {
    const SourceLocation L = U.spelledInFile(Begin);
    if (L.isInvalid())
      return std::nullopt;
    auto [FID, Offset] = U.SM.getDecomposedLoc(L);
    return TextPlace{U.absolutePath(FID), Offset};
  }

  void make(SourceLocation At, Node N, BlockFamily Family) {
    if (const auto Place = placeOf(At))
      Out.Makers.push_back({*Place, Family, static_cast<unsigned>(N)});
    else
      Out.MadeElsewhere.insert(N);
  }

  void end(SourceLocation At, const Expr *Pointer, BlockFamily Family) {
    const Node N = Nodes.temporary();
    Nodes.flow(value(Pointer), N);
    if (const auto Place = placeOf(At))
      Out.Enders.push_back({*Place, Family, static_cast<unsigned>(N)});
    else
      Out.FreedElsewhere.insert(N);
  }

  Node newValue(const CXXNewExpr *NE) {
    auto [It, New] = Results.try_emplace(NE, None);
    if (!New)
      return It->second;
    const Node N = Nodes.temporary();
    Results[NE] = N;
    make(NE->getBeginLoc(), N,
         NE->isArray() ? BlockFamily::Array : BlockFamily::Single);
    for (unsigned I = 0; I < NE->getNumPlacementArgs(); ++I)
      Nodes.join(value(NE->getPlacementArg(I)), N);
    return N;
  }

  void pass(const Expr *Argument, const FunctionDecl *FD, unsigned I) {
    if (I < FD->getNumParams())
      store(Argument, Nodes.parameter(FD, I), FD->getParamDecl(I)->getType());
    else if (const Node N = value(Argument); N != None)
      Nodes.join(N, Nodes.indirect());
  }

  Node constructed(const CXXConstructExpr *E) {
    auto [It, New] = Results.try_emplace(E, None);
    if (!New)
      return It->second;
    const CXXConstructorDecl *C = E->getConstructor();
    if (U.isInSystemHeader(C->getLocation()))
      return Results[E] = libraryCall(E, C, nullptr, args(E->arguments()));
    for (unsigned I = 0; I < E->getNumArgs(); ++I)
      pass(E->getArg(I), C, I);
    if (E->getNumArgs())
      noteCalled(C);
    return None;
  }

  static std::vector<const Expr *> args(CallExpr::const_arg_range R) {
    return {R.begin(), R.end()};
  }

  /// A call of a function that the project does not have (LibraryFunctions.h).
  Node libraryCall(const Expr *E, const FunctionDecl *FD, const Expr *Object,
                   std::vector<const Expr *> Arguments) {
    const LibraryFunction F = libraryFunction(FD);
    if (F.Nothing)
      return None;
    if (Object)
      Arguments.push_back(Object);
    const Node N = Nodes.temporary();
    Results[E] = N;
    const bool Returns = !FD->getReturnType()->isArithmeticType() &&
                         !FD->getReturnType()->isVoidType();
    for (unsigned I = 0; I < Arguments.size(); ++I) {
      const Expr *A = Arguments[I];
      const Node From = value(A);
      if (From == None || A->getType()->isArithmeticType() ||
          libraryKeepsOut(A->getType()))
        continue;
      if (F.CallsBack)
        Nodes.join(From, Nodes.indirect());
      if (Returns || isa<CXXConstructorDecl>(FD) || FD->isCXXClassMember())
        Nodes.flow(From, N);
      const bool Holds =
          Nodes.holdsPointers(A->IgnoreParenImpCasts()->getType());
      if (Holds)
        Nodes.flow(N, From);
      // What one argument points to may become a pointer to another; copies of
      // pointers may lie among bytes.
      for (const Expr *B : Arguments) {
        const QualType To = B->IgnoreParenImpCasts()->getType();
        if (B != A && (Nodes.holdsPointers(To) ||
                       (F.Copies && Holds && !To->isArithmeticType())))
          Nodes.flow(From, value(B));
      }
      if (F.Frees)
        Out.FreedElsewhere.insert(From);
      if (F.Allocates && I < FD->getNumParams() &&
          FD->getParamDecl(I)->getType()->isPointerType() &&
          FD->getParamDecl(I)->getType()->getPointeeType()->isPointerType())
        giveBlock(From, F);
    }
    if (F.Owns)
      Out.FreedElsewhere.insert(N);
    if (F.Allocates)
      giveBlock(N, F);
    return N;
  }

  /// A library gives a block to \p N: a new one, or one that was returned to it
  /// by a function that it called (pthread_join).
  void giveBlock(Node N, const LibraryFunction &F) {
    Out.MadeElsewhere.insert(N);
    if (!F.IsNew)
      Nodes.flow(Nodes.indirect(), N);
  }

  Node result(const CallExpr *CE) {
    auto [It, New] = Results.try_emplace(CE, None);
    if (!New)
      return It->second;
    const FunctionDecl *FD = namedFunction(CE->getCallee());
    if (!FD)
      if (const auto *Callee = CE->getDirectCallee())
        FD = Callee;
    if (!FD) { // through a pointer
      for (const Expr *A : CE->arguments())
        if (const Node N = value(A); N != None)
          Nodes.join(N, Nodes.indirect());
      return Results[CE] = Nodes.indirect();
    }
    if (isLibraryLevel(FD))
      if (const AllocationRule *R = ruleFor(FD->getName()))
        return Results[CE] = allocation(CE, *R);
    const Expr *Object = nullptr;
    if (const auto *M = dyn_cast<CXXMemberCallExpr>(CE))
      Object = M->getImplicitObjectArgument();
    if (Nodes.isLibrarys(FD))
      return Results[CE] = libraryCall(CE, FD, Object, args(CE->arguments()));
    unsigned First = 0;
    if (const auto *M = dyn_cast<CXXMethodDecl>(FD); M && M->isInstance()) {
      if (!Object && CE->getNumArgs()) { // an operator
        Object = CE->getArg(0);
        First = 1;
      }
      if (Object)
        Nodes.flow(value(Object),
                   Nodes.ofType(M->getFunctionObjectParameterType()));
    }
    const std::optional<unsigned> Through = through(FD);
    for (unsigned I = First; I < CE->getNumArgs(); ++I)
      if (I - First != Through)
        pass(CE->getArg(I), FD, I - First);
    noteCalled(FD);
    if (!Through || *Through + First >= CE->getNumArgs())
      return Results[CE] = Nodes.result(FD);
    // As a cast.
    const Node N = Nodes.temporary();
    Results[CE] = N;
    store(CE->getArg(*Through + First), N, CE->getType());
    return N;
  }

  /// A call that makes or frees a block, or both (realloc).
  Node allocation(const CallExpr *CE, const AllocationRule &R) {
    const SourceLocation At = CE->getCallee()->getBeginLoc();
    if (R.From == AllocatorOrigin::Outside || CE->getNumArgs() != R.Params)
      return None;
    if (R.Class == Finding::Group::Free) {
      end(At, CE->getArg(0), BlockFamily::Heap);
      return None;
    }
    const Node N = Nodes.temporary();
    make(At, N, BlockFamily::Heap);
    const unsigned Through = allocatesThrough(CE->getDirectCallee());
    if (Through != NoParameter)
      Nodes.flow(N, value(CE->getArg(Through)));
    else if (R.Pointers & 1) // realloc
      end(At, CE->getArg(0), BlockFamily::Heap);
    return N;
  }
};

} // namespace

BlockFlow walkFlow(Unit &U) {
  BlockFlow Out;
  FlowWalk(U, Out).run();
  return Out;
}

} // namespace evenkeel
