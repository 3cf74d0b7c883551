//===- AllocationCalls.cpp - the C allocation family ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: see the header.
//===----------------------------------------------------------------------===//
#include "AllocationCalls.h"
#include "llvm/ADT/StringSwitch.h"

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

namespace {

/// The allocation functions that the rules edit.
struct Family {
  const char *Name;
  unsigned Params;
};
const Family Families[] = {{"malloc", 1},         {"calloc", 2},
                           {"realloc", 2},        {"aligned_alloc", 2},
                           {"posix_memalign", 3}, {"free", 1}};

const Family *familyByName(StringRef Name) {
  for (const Family &F : Families)
    if (Name == F.Name)
      return &F;
  return nullptr;
}

/// Allocators of the C library that have no rule (yet).
bool isUncovered(StringRef Name) {
  return llvm::StringSwitch<bool>(Name)
      .Cases("memalign", "valloc", "pvalloc", "reallocarray", true)
      .Cases("strdup", "strndup", true)
      .Cases("__builtin_malloc", "__builtin_calloc", "__builtin_realloc", true)
      .Default(false);
}

/// In templates, a call with dependent arguments is not resolved yet; it is
/// taken for the library's function when lookup found nothing else.
const FunctionDecl *onlyLibraryFunction(const OverloadExpr *O) {
  const FunctionDecl *Only = nullptr;
  for (const NamedDecl *ND : O->decls()) {
    const auto *FD = dyn_cast<FunctionDecl>(ND->getUnderlyingDecl());
    if (!FD || !isLibraryLevel(FD) ||
        !(familyByName(FD->getName()) || FD->getName().starts_with("ek_")))
      return nullptr;
    Only = FD;
  }
  return Only;
}

} // namespace

void AllocationCalls::function(const FunctionDecl *FD) {
  if (FD->isThisDeclarationADefinition() && isLibraryLevel(FD) &&
      familyByName(FD->getName()) && FD->isExternallyVisible())
    U.Result.DefinesMalloc = true;
}

void AllocationCalls::call(const CallExpr *CE) {
  const Expr *Callee = CE->getCallee()->IgnoreParenImpCasts();
  const FunctionDecl *FD = nullptr;
  if (auto *DRE = dyn_cast<DeclRefExpr>(Callee))
    FD = dyn_cast<FunctionDecl>(DRE->getDecl());
  else if (auto *ULE = dyn_cast<UnresolvedLookupExpr>(Callee))
    FD = onlyLibraryFunction(ULE);
  if (!FD || !isLibraryLevel(FD))
    return;
  Callees.insert(Callee);
  StringRef Name = FD->getName();
  if (Name.starts_with("ek_")) {
    annotatedCall(CE, Name);
    return;
  }
  const Family *Fam = familyByName(Name);
  if (!Fam && !isUncovered(Name))
    return;
  Pending P;
  P.MakeEdits = [this, CE](Pending &P) { makeEdits(P, CE); };
  P.F.FromHeap = true;
  P.F.Key.Kind = "site";
  P.F.Form = Name.str();
  P.F.Class = Name == "free" ? Finding::Group::Free : Finding::Group::Site;
  if (!U.locate(P, CE->getBeginLoc()))
    return;
  if (!Fam && Name.contains("dup"))
    skipUnlisted(P, "not-covered"); // of small strings; no site in the IR
  else if (!Fam)
    skip(P, "not-covered");
  else if (isUserDefined(U, FD))
    skipUnlisted(P, "user-allocator");
  else if (CE->getNumArgs() != Fam->Params)
    skip(P, "argument-list");
  else
    U.checkPlace(P, CE->getCallee()->getBeginLoc());
  U.add(std::move(P));
}

void AllocationCalls::reference(const DeclRefExpr *DRE) {
  reference(DRE, dyn_cast<FunctionDecl>(DRE->getDecl()), DRE->getLocation());
}
void AllocationCalls::reference(const UnresolvedLookupExpr *ULE) {
  reference(ULE, onlyLibraryFunction(ULE), ULE->getNameLoc());
}

void AllocationCalls::reference(const Expr *E, const FunctionDecl *FD,
                                SourceLocation Loc) {
  if (!FD || !isLibraryLevel(FD) || !familyByName(FD->getName()) ||
      Callees.count(E))
    return;
  Pending P;
  P.F.Class = Finding::Group::Reference;
  P.F.Key.Kind = "reference";
  P.F.Form = FD->getName().str();
  skip(P, "address-taken");
  if (U.locate(P, Loc))
    U.add(std::move(P));
}

void AllocationCalls::annotatedCall(const CallExpr *CE, StringRef Name) {
  Name.consume_front("ek_");
  Name.consume_back("_at");
  const Family *Fam = familyByName(Name);
  if (!Fam)
    return;
  Pending P;
  P.F.FromHeap = true;
  P.F.Key.Kind = "site";
  P.F.Form = Name.str();
  P.F.What = Finding::State::Already;
  P.F.Class = Name == "free" ? Finding::Group::Free : Finding::Group::Site;
  if (Name != "free" && CE->getNumArgs() > 0)
    P.LiteralId = literal(CE->getArg(0));
  if (U.locate(P, CE->getBeginLoc()))
    U.add(std::move(P));
}

void AllocationCalls::makeEdits(Pending &P, const CallExpr *CE) {
  auto [FID, Offset] = U.SM.getDecomposedLoc(P.Text);
  P.F.Anchor = Offset;
  if (!U.claimFile(P, FID))
    return;
  TokenTable &T = U.table(FID);
  auto [EndFID, EndOffset] =
      U.SM.getDecomposedLoc(U.spelledInFile(CE->getCallee()->getEndLoc()));
  size_t First = T.at(Offset);
  size_t Last = EndFID == FID ? T.at(EndOffset) : TokenTable::None;
  if (First == TokenTable::None || Last == TokenTable::None ||
      Last + 1 >= T.size() || T[Last + 1].Kind != tok::l_paren)
    return skip(P, "macro-body");
  if (T[First].InDirective)
    return skip(P, "in-directive");
  if (!T.sameConfigurations(First, Last + 1))
    return skip(P, "conditional-call");
  // Replacing it would move the lines below (__LINE__).
  if (T.buffer().slice(T[First].Offset, T[Last].end()).find_first_of("\n\r") !=
      StringRef::npos)
    return skip(P, "spliced-token");
  // Commas as the preprocessor counts them: the annotated call must also work
  // as a function-like macro.
  unsigned Depth = 0, Commas = 0;
  for (size_t I = Last + 1; I < T.size(); ++I) {
    tok::TokenKind K = T[I].Kind;
    if (T[I].InDirective)
      return skip(P, "conditional-call");
    if (K == tok::l_paren)
      ++Depth;
    else if (K == tok::r_paren && --Depth == 0)
      break;
    else if (K == tok::comma && Depth == 1)
      ++Commas;
  }
  if (Commas + 1 != CE->getNumArgs())
    return skip(P, "argument-list");
  bool Free = P.F.Class == Finding::Group::Free;
  std::string Name = "ek_" + P.F.Form;
  if (U.saysShare(P) && !Free)
    Name += "_at";
  P.F.Edits.push_back(
      {T[First].Offset, T[Last].end() - T[First].Offset, 0, Name});
  if (!Free)
    P.F.Edits.push_back({T[Last + 1].end(), 0, 0, U.idArguments(P) + ", "});
  U.noteEdit(FID, T[First].Offset);
}

} // namespace evenkeel
