//===- StaticArrays.cpp - large static variables --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See StaticArrays.h. Rule: rules/static-array.md.
//===----------------------------------------------------------------------===//
#include "StaticArrays.h"
#include "format/ek_sizes.h"
#include "unit/OwnLines.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"

namespace evenkeel {
using namespace clang;

/// Whether \p VD is emitted, writable and large, as the analysis requires.
static bool isSite(Unit &U, const VarDecl *VD) {
  if (isa<ParmVarDecl>(VD) || !VD->hasGlobalStorage() ||
      VD->isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
    return false;
  QualType T = VD->getType();
  if (T->isDependentType() || T->isReferenceType() || T->isIncompleteType() ||
      (VD->getDeclContext()->isDependentContext() && !VD->isStaticLocal()))
    return false;
  // Of several tentative definitions, only the emitted one counts.
  if (VD->isThisDeclarationADefinition() == VarDecl::TentativeDefinition &&
      VD->getActingDefinition() != VD)
    return false;
  if (!U.Context.getAsArrayType(T) && !T->isRecordType())
    return false;
  if (U.Context.getTypeSizeInChars(T).getQuantity() < EK_LARGE_BYTES)
    return false;
  bool Destroyed = VD->needsDestruction(U.Context) != QualType::DK_none;
  return !T.isConstantStorage(U.Context, /*ExcludeCtor=*/true, !Destroyed) ||
         !(VD->hasConstantInitialization() || !VD->hasInit());
}

/// The reason why \p VD cannot be registered by a line after it, or null.
static const char *refusal(Unit &U, const VarDecl *VD) {
  if (VD->hasAttr<OMPThreadPrivateDeclAttr>())
    return "threadprivate";
  if (VD->getTLSKind() != VarDecl::TLS_None)
    return "thread-local";
  if (VD->hasAttr<OMPDeclareTargetDeclAttr>())
    return "device-directive";
  if (VD->isStaticDataMember() &&
      (VD->getLexicalDeclContext()->isRecord() ||
       VD->getAccess() == AS_private || VD->getAccess() == AS_protected))
    return "class-scope";
  if (VD->isStaticLocal()) {
    // The top of the stack is the declaration statement.
    size_t N = U.Stack.size();
    if (N < 2 || !isa<DeclStmt>(U.Stack[N - 1]) ||
        !isa<CompoundStmt>(U.Stack[N - 2]))
      return "declaration-place";
  }
  return nullptr;
}

/// The name of \p VD in a line after its declaration.
static std::string spelledName(const VarDecl *VD) {
  if (VD->isStaticDataMember())
    return cast<CXXRecordDecl>(VD->getDeclContext())->getNameAsString() +
           "::" + VD->getNameAsString();
  return VD->getNameAsString();
}

/// The token of the macro that registers \p Name in the lines after \p
/// Semicolon, or None.
static size_t registration(const TokenTable &T, size_t Semicolon,
                           const std::string &Name) {
  for (size_t I = Semicolon + 1;
       I + 1 < T.size() && (T.text(I).starts_with("EK_GLOBAL") ||
                            T.text(I).starts_with("EK_STATIC"));) {
    unsigned Depth = 0;
    const size_t Macro = I;
    size_t Argument = I + 2;
    for (++I; I < T.size(); ++I) {
      if (T[I].Kind == tok::l_paren)
        ++Depth;
      else if (T[I].Kind == tok::comma && Depth == 1)
        Argument = I + 1;
      else if (T[I].Kind == tok::r_paren && --Depth == 0)
        break;
    }
    if (I >= T.size())
      return TokenTable::None;
    if (T.buffer().slice(T[Argument].Offset, T[I].Offset) == Name)
      return Macro;
    ++I;
  }
  return TokenTable::None;
}

void StaticArrays::makeEdits(Pending &P, const VarDecl *VD) {
  auto [FID, Offset] =
      U.SM.getDecomposedLoc(U.SM.getExpansionLoc(VD->getLocation()));
  P.F.Anchor = Offset;
  if (!U.claimFile(P, FID))
    return;
  TokenTable &T = U.table(FID);
  bool MacroEnd = VD->getEndLoc().isMacroID();
  SourceLocation End =
      U.SM.getExpansionRange(VD->getEndLoc()).getAsRange().getEnd();
  auto [EndFID, EndOffset] = U.SM.getDecomposedLoc(End);
  size_t Name = T.at(Offset);
  size_t Last = EndFID == FID ? T.at(EndOffset) : TokenTable::None;
  if (Name == TokenTable::None || Last == TokenTable::None)
    return skipInMacroBody(P);
  if (T[Name].InDirective)
    return skip(P, "in-directive");
  // The semicolon after all declarators.
  int Depth = 0;
  size_t I = Last + 1;
  for (; I < T.size(); ++I) {
    tok::TokenKind K = T[I].Kind;
    if (T[I].InDirective)
      return skip(P, "conditional-declaration");
    if (K == tok::semi && Depth == 0)
      break;
    // The macro supplied its own semicolon: the next one is not the
    // declaration's.
    if (MacroEnd && I == Last + 1 && K != tok::comma &&
        T.text(I) != "__attribute__")
      return skipInMacroBody(P);
    Depth += K == tok::l_paren || K == tok::l_brace || K == tok::l_square;
    Depth -= K == tok::r_paren || K == tok::r_brace || K == tok::r_square;
    if (Depth < 0)
      return skipInMacroBody(P);
  }
  if (I >= T.size() || !T.sameConfigurations(Name, I))
    return skip(P, "conditional-declaration");
  std::string Spelled = spelledName(VD);
  if (size_t Macro = registration(T, I, Spelled); Macro != TokenTable::None) {
    P.F.What = Finding::State::Already;
    P.F.Tag = nameIn(T, Macro, nameMacro(P.F.Class));
    return;
  }
  std::string Macro = VD->isStaticLocal() ? "EK_STATIC" : "EK_GLOBAL";
  if (U.saysShare(P))
    Macro += "_AT";
  const std::string Text =
      Macro + "(" + U.idArguments(P) + ", " + Spelled + ")";
  if (U.Options.Kept)
    putLinesAfter(P, T, I, 0,
                  T.indentation(T[Name].Offset).str() + Text +
                      T.newline().str());
  else
    P.F.Edits.push_back({T[I].end(), 0, 0, " " + Text});
  U.noteEdit(FID, T[Name].Offset);
}

void StaticArrays::variable(const VarDecl *VD) {
  if (!isSite(U, VD))
    return;
  const FunctionDecl *Saved = U.Frames.back().Function;
  if (!VD->isStaticLocal())
    U.Frames.back().Function = nullptr;
  Pending P;
  P.F.Class = Finding::Group::Site;
  P.F.Outside = true;
  P.F.Key.Kind = "global:" + VD->getNameAsString();
  P.F.Form = VD->isStaticLocal() ? "static" : "global";
  P.MakeEdits = [this, VD](Pending &P) { makeEdits(P, VD); };
  if (U.locate(P, VD->getLocation())) {
    P.F.Key.Column = 0;
    // One text defines arrays of several types.
    if (isTemplateInstantiation(VD->getTemplateSpecializationKind())) {
      skip(P, "template-instance");
      // The IR has one id for all instances.
      P.F.Listed =
          Patterns.insert(VD->getTemplateInstantiationPattern()).second;
    } else if (const char *Why = refusal(U, VD)) {
      skip(P, Why);
    } else if (!VD->isReferenced() && !VD->isExternallyVisible()) {
      P.F.What = Finding::State::Left;
      P.F.Reason = "unused";
    }
    U.add(std::move(P));
  }
  U.Frames.back().Function = Saved;
}

} // namespace evenkeel

EK_REWRITE_RULE(StaticArrays, 90)
