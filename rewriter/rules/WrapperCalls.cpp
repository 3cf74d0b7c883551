//===- WrapperCalls.cpp - calls of allocation wrappers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See WrapperCalls.h. In C, the id is pushed and popped around the call:
//   ek_leave(ID, (ek_enter(ID), xmalloc(n)))
// The result is a void *, so other types need a cast, and structures are passed
// by the address of a compound literal. In C++, a temporary pops the id after
// an exception, and a template preserves the type:
//   ::ek::leave(ID, ((void)::ek::call(ID), xmalloc(n)))
//===----------------------------------------------------------------------===//
#include "WrapperCalls.h"
#include "AllocationCalls.h"
#include "MakerCalls.h"
#include "unit/MacroUses.h"
#include "unit/OpenMPKinds.h"
#include "unit/Spelling.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprConcepts.h"
#include "clang/Lex/Lexer.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

/// Finds the call in `(ek_enter(ID), f())` or `((void)::ek::call(ID), f())`.
void WrapperCalls::binary(const BinaryOperator *BO) {
  if (BO->getOpcode() != BO_Comma)
    return;
  uint64_t Id = temporaryId(BO, "ek::call");
  if (const auto *Enter =
          dyn_cast<CallExpr>(BO->getLHS()->IgnoreParenImpCasts()))
    if (const FunctionDecl *FD = Enter->getDirectCallee();
        FD && FD->getIdentifier() && FD->getName() == "ek_enter" &&
        Enter->getNumArgs() == 1)
      Id = literal(Enter->getArg(0));
  if (Id)
    Annotated[BO->getRHS()->IgnoreParenImpCasts()] = Id;
}

/// Whether a declaration in the enclosing function may hide the type \p Name.
bool WrapperCalls::isHidden(StringRef Name) const {
  const FunctionDecl *FD = U.Frames.back().Function;
  if (!FD)
    return false;
  for (const Decl *D : FD->decls())
    if (const auto *ND = dyn_cast<NamedDecl>(D))
      if (ND->getIdentifier() && ND->getName() == Name)
        return true;
  return false;
}

/// \p T as written in a C cast; nullopt if that is impossible.
std::optional<std::string> WrapperCalls::spelled(QualType T) const {
  QualType Canonical = T.getCanonicalType();
  if (Canonical->isVariablyModifiedType())
    return std::nullopt;
  QualType Inner = Canonical;
  while (Inner->isPointerType() || Inner->isConstantArrayType()) {
    Inner = Inner->isPointerType()
                ? Inner->getPointeeType()
                : QualType(Inner->getAsArrayTypeUnsafe()->getElementType());
    if (Inner.hasAddressSpace())
      return std::nullopt;
  }
  PrintingPolicy Policy = U.Context.getPrintingPolicy();
  if (Inner->isBuiltinType() || Inner->isAnyComplexType())
    return Canonical.getAsString(Policy);
  const TagDecl *Tag = Inner->getAsTagDecl();
  if (!Tag)
    return std::nullopt;
  if (Tag->getIdentifier()) {
    if (isHidden(Tag->getName()))
      return std::nullopt;
    return Canonical.getAsString(Policy);
  }
  // A type without a tag is known by its typedef name.
  std::string Stars;
  const TypedefType *Named;
  while (!(Named = T->getAs<TypedefType>())) {
    const auto *Pointer = T->getAs<clang::PointerType>();
    if (!Pointer)
      return std::nullopt;
    T = Pointer->getPointeeType();
    Stars += "*";
    if (T.hasLocalQualifiers() && !T->getAs<TypedefType>())
      return std::nullopt;
  }
  std::string Qualifiers = T.getLocalQualifiers().getAsString();
  StringRef Name = Named->getDecl()->getName();
  if (isHidden(Name))
    return std::nullopt;
  return Qualifiers + (Qualifiers.empty() ? "" : " ") + Name.str() +
         (Stars.empty() ? "" : " " + Stars);
}

/// Nullopt if there is no macro for the result's type.
std::optional<WrapperCalls::Form>
WrapperCalls::keptFormOf(const Expr *E) const {
  QualType T = E->getType().getCanonicalType().getUnqualifiedType();
  const char *Macro = "EK_CALLED";
  if (!U.LO.CPlusPlus && !T->isPointerType()) {
    if (!T->isVoidType() &&
        (!T->isIntegralOrEnumerationType() || U.Context.getTypeSize(T) > 64))
      return std::nullopt;
    Macro = T->isVoidType() ? "EK_CALLED_VOID" : "EK_CALLED_NUMBER";
  }
  if (T->isVariablyModifiedType())
    return std::nullopt;
  return Form{keptAround(Macro), ")"};
}

/// Nullopt if the result's type cannot be written.
std::optional<WrapperCalls::Form> WrapperCalls::formOf(const Expr *E) const {
  if (U.Options.Kept)
    return keptFormOf(E);
  if (U.LO.CPlusPlus)
    return Form{"::ek::leave(\1, ((void)::ek::call(\1), ", "))"};
  QualType T = E->getType();
  QualType Canonical = T.getCanonicalType().getUnqualifiedType();
  if (Canonical->isVoidType())
    return Form{"(ek_enter(\1), ", ", ek_exit(\1))"};
  const bool IsNumber = Canonical->isIntegralOrEnumerationType();
  if (IsNumber && U.Context.getTypeSize(Canonical) > 64)
    return std::nullopt;
  Form Bare{(IsNumber ? "ek_leave_number" : "ek_leave") +
                std::string("(\1, (ek_enter(\1), "),
            "))"};
  // Whether the value is used: not as a statement or a condition.
  const bool Used = U.Stack.size() < 2 || isa<Expr, DeclStmt, ReturnStmt>(
                                              U.Stack[U.Stack.size() - 2]);
  if (Canonical == U.Context.VoidPtrTy || (!Used && !Canonical->isRecordType()))
    return Bare;
  std::optional<std::string> Type = spelled(T.getUnqualifiedType());
  if (!Type)
    return std::nullopt;
  if (!Canonical->isRecordType())
    return Form{"((" + *Type + ")" + Bare.Before, Bare.After + ")"};
  if (!U.LO.C99) // C90 has no compound literals
    return std::nullopt;
  return Form{"(*(" + *Type + " *)ek_leave(\1, (" + *Type +
                  "[1]){(ek_enter(\1), ",
              ")}))"};
}

const char *WrapperCalls::refusal() const {
  const FunctionDecl *FD = U.Frames.back().Function;
  if (U.InMemberInit)
    return "member-initializer";
  if (U.InDefaultArgument)
    return "default-argument";
  if (U.InConstant || U.inConstexprFunction())
    return "constexpr";
  // ek_enter is static; in C, such a function must not refer to it.
  if (!U.LO.CPlusPlus && FD && FD->isInlined() && FD->isExternallyVisible())
    return "inline-function";
  if (FD && FD->hasAttr<OMPDeclareTargetDeclAttr>())
    return "device-directive";
  for (const OMPExecutableDirective *D : U.Frames.back().Directives)
    if (isDeviceDirective(D->getDirectiveKind()))
      return "device-directive";
  for (const Stmt *S : U.Stack) {
    if (isa<CoroutineBodyStmt>(S))
      return "coroutine";
    if (isa<ConstantExpr>(S))
      return "constexpr";
  }
  return nullptr;
}

static std::string withId(std::string Text, const std::string &Id) {
  for (size_t I; (I = Text.find('\1')) != std::string::npos;)
    Text.replace(I, 1, Id);
  return Text;
}

void WrapperCalls::call(const CallExpr *CE) {
  const FunctionDecl *FD = CE->getDirectCallee();
  if (U.LO.CPlusPlus && !CE->getType()->isPointerType())
    return;
  if (!FD || isVirtualCall(CE)) {
    if (Functions.mayReach(CE))
      note(CE, "pointer", nameOfCallee(CE));
    return;
  }
  if (isa<CXXOperatorCallExpr>(CE) && FD->getOverloadedOperator() != OO_Call)
    return;
  if (!Functions.contains(FD))
    return Functions.noteElsewhere(FD);
  note(CE, FD->getQualifiedNameAsString(), nameOfCallee(CE));
}

/// Calls a class's own operator new. Allocations by the constructor would fall
/// inside the annotated call, too.
void WrapperCalls::newExpression(const CXXNewExpr *NE) {
  const FunctionDecl *FD = NE->getOperatorNew();
  if (!isa_and_nonnull<CXXMethodDecl>(FD) || makesSmallObject(U, NE) ||
      !Functions.contains(FD))
    return;
  const CXXConstructExpr *Made = NE->getConstructExpr();
  note(NE, FD->getQualifiedNameAsString(), NE->getBeginLoc(),
       Made && Functions.contains(Made->getConstructor()) ? "nested-expression"
                                                          : nullptr);
}

void WrapperCalls::note(const Expr *E, const std::string &Name,
                        SourceLocation NameAt, const char *Refused) {
  for (const Stmt *S : U.Stack)
    if (isa<RequiresExpr, CXXTypeidExpr>(S))
      return;
  Pending P;
  P.F.Class = Finding::Group::Call;
  P.F.Key.Kind = "wrapper-call";
  P.F.Form = Name;
  P.F.Listed = false; // the IR has these only in contexts
  P.F.Outside = true; // it is a wrapper whoever defines malloc
  if (!U.locate(P, E->getExprLoc()))
    return;
  std::optional<Form> Around = formOf(E);
  SourceLocation Begin = E->getBeginLoc();
  if (!Refused)
    Refused = refusal();
  if (auto It = Annotated.find(E); It != Annotated.end()) {
    P.LiteralId = It->second;
    P.F.What = Finding::State::Already;
  } else if (Begin.isMacroID() &&
             Lexer::getImmediateMacroName(Begin, U.SM, U.LO)
                 .starts_with(U.Options.Kept ? "EK_CALLED" : "ek_leave")) {
    P.F.What = Finding::State::Already; // -DEVENKEEL_DISABLE
  } else if (Refused) {
    skip(P, Refused);
  } else if (!Around) {
    skip(P, "wrapper-type");
  }
  if (!P.LiteralId) // equal places share the id, as in the IR
    P.LiteralId = entityId(P.F.Key);
  P.WithoutOrdinal = true;
  int Depth = static_cast<int>(depthInFile(U, Begin, U.Stack.size()));
  const size_t Stacked = U.Stack.size();
  P.MakeEdits = [this, E, NameAt, Around, Depth, Stacked](Pending &P) {
    const std::string Id = idLiteral(P.F.Id);
    const std::string Before = withId(Around->Before, Id),
                      After = withId(Around->After, Id);
    if (U.putAround(P, E, Before, After, Depth * 4))
      P.F.Anchor = P.F.Edits.front().Offset;
    else if (P.IsInMacroBody)
      editInMacro(P, NameAt,
                  {{E->getBeginLoc(), E->getEndLoc(), Before, After}}, Stacked);
  };
  U.add(std::move(P));
}

} // namespace evenkeel

EK_REWRITE_RULE_OF_WRAPPERS(WrapperCalls, 50)
