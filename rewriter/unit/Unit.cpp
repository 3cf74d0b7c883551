//===- Unit.cpp - the state shared by all rules in one unit ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Unit.h.
//===----------------------------------------------------------------------===//
#include "Unit.h"
#include "Annotations.h"
#include "edits/LineName.h"
#include "edits/WholeText.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/Lexer.h"
#include <algorithm>
#include <filesystem>

namespace evenkeel {
using namespace clang;
using llvm::StringRef;

bool isLibraryLevel(const FunctionDecl *FD) {
  const DeclContext *DC = FD->getDeclContext()->getRedeclContext();
  if (FD->isLocalExternDecl()) // `extern char *malloc();` within a function
    DC = DC->getEnclosingNamespaceContext()->getRedeclContext();
  return FD->getIdentifier() &&
         (DC->isTranslationUnit() || DC->isStdNamespace() ||
          (DC->isFileContext() && FD->isExternC()));
}

const FunctionDecl *namedFunction(const Expr *Callee) {
  Callee = Callee->IgnoreParenImpCasts();
  if (const auto *DRE = dyn_cast<DeclRefExpr>(Callee))
    return dyn_cast<FunctionDecl>(DRE->getDecl());
  if (const auto *ME = dyn_cast<MemberExpr>(Callee))
    return dyn_cast<FunctionDecl>(ME->getMemberDecl());
  const FunctionDecl *Only = nullptr;
  if (const auto *ULE = dyn_cast<UnresolvedLookupExpr>(Callee))
    for (const NamedDecl *ND : ULE->decls()) {
      Only = dyn_cast<FunctionDecl>(ND->getUnderlyingDecl());
      if (!Only || !isLibraryLevel(Only))
        return nullptr;
    }
  return Only;
}

bool isUserDefined(const Unit &U, const FunctionDecl *FD) {
  const FunctionDecl *Def = nullptr;
  // Some functions of system headers are inline.
  if (FD->isDefined(Def) && Def->getLocation().isValid())
    return !U.isInSystemHeader(Def->getLocation());
  return FD->getStorageClass() == SC_Static && !isa<CXXMethodDecl>(FD);
}

uint64_t literal(const Expr *E) {
  E = E->IgnoreParenImpCasts();
  if (const auto *IL = dyn_cast<IntegerLiteral>(E))
    return IL->getValue().getZExtValue();
  const auto *DRE = dyn_cast<DeclRefExpr>(E);
  const auto *VD = DRE ? dyn_cast<VarDecl>(DRE->getDecl()) : nullptr;
  if (!VD || VD->isInvalidDecl() || E->isValueDependent() ||
      !VD->getType()->isIntegerType() ||
      !VD->mightBeUsableInConstantExpressions(VD->getASTContext()))
    return 0;
  const APValue *V = VD->evaluateValue();
  return V && V->isInt() ? V->getInt().getZExtValue() : 0;
}

std::string idLiteral(uint64_t Id) {
  char Text[40];
  std::snprintf(Text, sizeof Text, "0x%016llxULL",
                static_cast<unsigned long long>(Id));
  return Text;
}

void skip(Pending &P, const char *Reason) {
  P.F.What = Finding::State::Skipped;
  P.F.Reason = Reason;
  P.IsInMacroBody = false;
}
void skipInMacroBody(Pending &P) {
  skip(P, "macro-body");
  P.IsInMacroBody = true;
}
void unskip(Pending &P) {
  P.F.What = Finding::State::Rewritten;
  P.F.Reason.clear();
  P.IsInMacroBody = false;
}
void skipUnlisted(Pending &P, const char *Reason) {
  skip(P, Reason);
  P.F.Listed = false;
}

Unit::Unit(ASTContext &C, const HeaderSearch &H, const CollectOptions &O,
           const QuotedText &Q, UnitResult &R)
    : Context(C), SM(C.getSourceManager()), Headers(H), LO(C.getLangOpts()),
      Options(O), Quoted(Q), Result(R) {
  auto Dir =
      SM.getFileManager().getVirtualFileSystem().getCurrentWorkingDirectory();
  Directory = Dir ? *Dir : "/";
  Result.Directories.insert(Directory);
  Frames.push_back({nullptr, {}});
}

void Unit::finish(
    llvm::function_ref<void(std::vector<Pending> &)> WriteMacros) {
  noteFiles();
  assignIds();
  applyAnnotations();
  if (Options.Kept)
    useNames();
  if (Options.Library != LibraryCalls::None)
    keepLibraryCalls();
  for (Pending &P : Found) {
    if (P.F.What == Finding::State::Rewritten && P.MakeEdits)
      P.MakeEdits(P);
    if (P.F.What != Finding::State::Rewritten)
      P.F.Edits.clear();
  }
  if (!Options.isKept())
    WriteMacros(Found);
  else // macros stay as they are
    for (Pending &P : Found)
      if (P.EditMacro && P.F.What == Finding::State::Rewritten &&
          P.F.Edits.empty())
        skipInMacroBody(P);
  refuseSharedText();
  placeIncludes();
  for (Pending &P : Found)
    Result.Findings.push_back(std::move(P.F));
}

const std::string &Unit::relativePath(StringRef Presumed) {
  auto [It, New] = PathCache.try_emplace(Presumed.str());
  if (New)
    It->second = Options.nameOf(canonicalPath(Presumed.str(), Directory));
  return It->second;
}

bool Unit::locate(Pending &P, SourceLocation Loc, bool Counts) {
  P.Order = Loc;
  SourceLocation E = SM.getExpansionLoc(Loc);
  if (E.isInvalid() || isInSystemHeader(E))
    return false;
  PresumedLoc PL = SM.getPresumedLoc(E);
  auto PathOf = [&](const PresumedLoc &At, SourceLocation L) {
    std::string Path = relativePath(At.getFilename());
    // Our line markers name the original file; here the actual file counts.
    if (FileID FID = SM.getFileID(L);
        Path.empty() &&
        (table(FID).includesHeader() || table(FID).buffer().contains("ek_")))
      Path = relativePath(ownName(FID));
    return Path;
  };
  std::string Path = PathOf(PL, E);
  if (Path.empty() && !Counts)
    return false;
  if (Path.empty()) {
    ++Result.OutsideRoot[std::filesystem::path(
                             canonicalPath(PL.getFilename(), Directory))
                             .lexically_relative(Options.Root)
                             .generic_string()];
    return false;
  }
  P.F.Offset = SM.getFileOffset(E);
  P.F.Key.Path = Path;
  P.F.Line = PL.getLine();
  P.F.Key.Column = PL.getColumn();
  P.F.Key.LineOffset = PL.getLine();
  P.F.Key.Function = "file";
  if (Options.Kept)
    P.F.Variable = variableAround();
  const FunctionDecl *FD = Frames.back().Function;
  if (!FD)
    return true;
  // Text included into a function's body is identified by its own line alone,
  // so that it has one id in all functions that include it.
  SourceLocation Name = SM.getExpansionLoc(FD->getLocation());
  PresumedLoc Head = SM.getPresumedLoc(Name);
  if (Head.isValid() && PathOf(Head, Name) == Path) {
    P.F.Key.Function = functionAsSpelled(FD->getNameAsString());
    P.F.Key.LineOffset -= Head.getLine();
  } else {
    P.Included = true;
  }
  return true;
}

void Unit::assignIds() {
  for (size_t I = 0; I < Found.size(); ++I)
    Found[I].Visited = I;
  std::sort(Found.begin(), Found.end(),
            [&](const Pending &A, const Pending &B) {
              const EntityKey &X = A.F.Key, &Y = B.F.Key;
              auto TX = std::tie(X.Path, A.F.Line, X.Column, X.Kind, X.Function,
                                 X.LineOffset);
              auto TY = std::tie(Y.Path, B.F.Line, Y.Column, Y.Kind, Y.Function,
                                 Y.LineOffset);
              if (TX != TY)
                return TX < TY;
              if (A.Order != B.Order)
                return SM.isBeforeInTranslationUnit(A.Order, B.Order);
              return A.Visited < B.Visited;
            });
  std::map<std::tuple<std::string, std::string, std::string, int, unsigned>,
           unsigned>
      Next;
  for (Pending &P : Found) {
    if (P.F.Class == Finding::Group::Free ||
        P.F.Class == Finding::Group::Reference) {
      P.F.Key.Ordinal = 0;
      continue;
    }
    EntityKey &K = P.F.Key;
    if (Options.Kept) { // the id is that of the place
      if (P.F.What == Finding::State::Already)
        P.F.Literal = P.LiteralId;
      P.LiteralId = P.WithoutOrdinal ? entityId(K) : 0;
    }
    if (P.LiteralId) {
      P.F.Id = P.LiteralId;
      K.Ordinal = 0;
      continue;
    }
    // Debug information does not distinguish inclusions, so included text has
    // no ordinals.
    if (!P.Included)
      K.Ordinal = Next[std::make_tuple(K.Kind, K.Path, K.Function, K.LineOffset,
                                       K.Column)]++;
    P.F.Id = entityId(K);
  }
}

static bool concerns(Annotation::Word What, const Finding &F) {
  using Group = Finding::Group;
  switch (What) {
  case Annotation::Word::Exclude:
    return F.Class == Group::Site || F.Class == Group::Free ||
           F.Class == Group::Sync || F.Class == Group::Call;
  case Annotation::Word::Pin:
  case Annotation::Word::Size:
    return F.Class == Group::Site;
  case Annotation::Word::Phase:
    return F.Class == Group::Sync;
  case Annotation::Word::Relaxed:
    return F.Class == Group::Sync &&
           (F.Form == "MPI_Allreduce" || F.Form == "ek_relaxed_call");
  case Annotation::Word::Task:
    return F.Class == Group::Region;
  }
  return false;
}

/// Applies annotations to the findings in their text. Of two annotations of one
/// kind, the inner one counts.
void Unit::applyAnnotations() {
  struct OfFile {
    std::vector<Annotation> All;
    std::vector<bool> Used;
  };
  std::map<FileID, OfFile> Files;
  // Reading the files of a precompiled header makes more files known.
  std::vector<FileEntryRef> Known;
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It)
    Known.push_back(It->first);
  for (FileEntryRef FE : Known) {
    std::string Path = canonicalPath(FE.getName().str(), Directory);
    FileID FID = SM.translateFile(FE);
    if (Options.nameOf(Path).empty() || FID.isInvalid() ||
        !SM.getBufferData(FID).contains("evenkeel"))
      continue;
    std::vector<Annotation> All = findAnnotations(table(FID));
    std::vector<bool> Used(All.size());
    Files[FID] = {std::move(All), std::move(Used)};
  }
  if (Files.empty())
    return;
  std::map<const Annotation *, std::vector<Pending *>> Sums; // relaxed by it
  for (Pending &P : Found) {
    auto [FID, Offset] = SM.getDecomposedExpansionLoc(P.Order);
    auto It = Files.find(FID);
    if (It == Files.end())
      continue;
    OfFile &F = It->second;
    for (size_t I = 0; I < F.All.size(); ++I) {
      const Annotation &A = F.All[I];
      if (!A.Problem.empty() || Offset < A.Begin || Offset >= A.End ||
          !concerns(A.What, P.F))
        continue;
      F.Used[I] = true;
      switch (A.What) {
      case Annotation::Word::Exclude:
        if (P.F.What == Finding::State::Rewritten ||
            P.F.What == Finding::State::Left)
          skip(P, "excluded");
        break;
      case Annotation::Word::Pin:
        P.F.Pin = static_cast<int>(A.Percent);
        break;
      case Annotation::Word::Size:
        P.F.SizeHint = A.Bytes;
        break;
      case Annotation::Word::Relaxed:
        P.F.Relaxed = A.Sum;
        Sums[&A].push_back(&P);
        break;
      case Annotation::Word::Phase:
      case Annotation::Word::Task:
        P.F.Name = A.Name;
        break;
      }
    }
  }
  for (auto &[By, Calls] : Sums)
    for (Pending *P : Calls) {
      if (Calls.size() > 1) // a check beside a sum must stay exact
        P->F.NotRelaxed = "one annotation relaxes one call, and " +
                          std::to_string(Calls.size()) + " are in its text";
      else if (P->F.NotRelaxed.empty() && By->Sum.Last.empty())
        P->F.NotRelaxed = P->F.WaitsAround;
    }
  for (auto &[FID, F] : Files)
    for (size_t I = 0; I < F.All.size(); ++I) {
      const Annotation &A = F.All[I];
      PresumedLoc PL = SM.getPresumedLoc(
          SM.getLocForStartOfFile(FID).getLocWithOffset(A.At));
      Result
          .Annotations[{relativePath(PL.getFilename()), PL.getLine(),
                        PL.getColumn()}]
          .push_back({A.Spelled, A.Problem, F.Used[I]});
    }
}

bool Unit::inConstexprFunction() const {
  const FunctionDecl *FD = Frames.back().Function;
  return FD && FD->isConstexpr() && !isLambdaCallOperator(FD);
}

SourceLocation Unit::spelledInFile(SourceLocation Loc) const {
  while (Loc.isMacroID()) {
    if (!SM.isMacroArgExpansion(Loc))
      return {};
    Loc = SM.getImmediateSpellingLoc(Loc);
  }
  return Loc;
}

void Unit::checkPlace(Pending &P, SourceLocation Begin) const {
  if (P.F.Class == Finding::Group::Site) {
    if (InMemberInit)
      return skipUnlisted(P, "member-initializer");
    if (InDefaultArgument)
      return skipUnlisted(P, "default-argument");
  }
  P.Text = spelledInFile(Begin);
  if (P.Text.isInvalid()) {
    const bool OfSystem =
        evenkeel::isInSystemHeader(SM, Headers, SM.getSpellingLoc(Begin));
    if (OfSystem)
      skip(P, "system-header");
    else
      skipInMacroBody(P);
  } else if (Quoted.count(P.Text)) {
    skip(P, "macro-stringised");
  }
}

bool Unit::putAround(Pending &P, const Expr *E, const std::string &Before,
                     const std::string &After, int Rank) {
  CharSourceRange Range = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(E->getSourceRange()), SM, LO);
  if (Range.isInvalid()) {
    skipInMacroBody(P);
    return false;
  }
  auto [FID, Begin] = SM.getDecomposedLoc(Range.getBegin());
  auto [EndFID, End] = SM.getDecomposedLoc(Range.getEnd());
  TokenTable &T = table(FID);
  size_t First = T.at(Begin), Last = First;
  if (FID != EndFID || First == TokenTable::None) {
    skipInMacroBody(P);
    return false;
  }
  while (Last < T.size() && T[Last].end() < End)
    ++Last;
  if (Last >= T.size() || T[Last].end() != End) {
    skipInMacroBody(P);
    return false;
  }
  if (Quoted.count(Range.getBegin())) {
    skip(P, "macro-stringised");
    return false;
  }
  if (T[First].InDirective) {
    skip(P, "in-directive");
    return false;
  }
  // After a macro's name, a parenthesis might be read as its arguments.
  if (First > 0 && T[First - 1].Kind == tok::raw_identifier &&
      !T[First - 1].InDirective && !T[First].LineStart &&
      T.text(First - 1) != "return" && T.text(First - 1) != "else" &&
      T.text(First - 1) != "do" && T.text(First - 1) != "case" &&
      T.text(First - 1) != "throw" && T.text(First - 1) != "co_return") {
    skipInMacroBody(P);
    return false;
  }
  if (hasDirective(T, First, Last) && !isWhole(T, First, Last)) {
    skip(P, "conditional-call");
    return false;
  }
  if (P.F.File.empty() && !claimFile(P, FID))
    return false;
  // In `c ? a :f()` and `x<f()`, the inserted text would merge with the sign
  // before it.
  bool Apart = StringRef(Before).starts_with("::") && Begin > 0 &&
               StringRef(":<").contains(T.buffer()[Begin - 1]);
  if (!Before.empty())
    P.F.Edits.push_back({Begin, 0, Rank, (Apart ? " " : "") + Before});
  P.F.Edits.push_back({End, 0, -Rank, After});
  noteEdit(FID, Begin);
  return true;
}

TokenTable &Unit::table(FileID FID) {
  std::unique_ptr<TokenTable> &T = Tables[FID];
  if (!T)
    T = std::make_unique<TokenTable>(SM.getBufferData(FID), LO);
  return *T;
}

std::string Unit::absolutePath(FileID FID) {
  OptionalFileEntryRef FE = SM.getFileEntryRefForID(FID);
  return FE ? canonicalPath(FE->getName().str(), Directory) : "";
}

bool Unit::claimFile(Pending &P, FileID FID) {
  P.F.File = absolutePath(FID);
  if (Options.nameOf(P.F.File).empty() &&
      !(Options.Preprocessed && FID == SM.getMainFileID())) {
    skip(P, "outside-root");
    return false;
  }
  return true;
}

std::string Unit::idText(const Pending &P) const {
  return Options.Kept
             ? std::string(nameMacro(P.F.Class)) + "(" + NamePlace + ")"
             : idLiteral(P.F.Id);
}

std::string Unit::idArguments(const Pending &P) const {
  std::string S = idText(P);
  if (P.F.Pin >= 0) {
    S += ", EK_PINNED(" + std::to_string(P.F.Pin) + ")";
  } else if (Options.Percent) {
    auto It = Options.Percent->find(P.F.Id);
    S += ", EK_FAST(" +
         std::to_string(It == Options.Percent->end() ? 0 : It->second) + ")";
  }
  return S;
}

void Unit::noteEdit(FileID FID, unsigned Offset) {
  auto [It, New] = FirstEdit.try_emplace(FID, Offset);
  It->second = std::min(It->second, Offset);
}

/// If a macro repeats its argument, one piece of text has several entities, and
/// no single id is right.
void Unit::refuseSharedText() {
  std::map<std::tuple<std::string, unsigned, Finding::Group>,
           std::vector<Pending *>>
      ByPlace;
  for (Pending &P : Found)
    if (P.F.What == Finding::State::Rewritten &&
        P.F.Class != Finding::Group::Free)
      ByPlace[{P.F.File, P.F.Anchor, P.F.Class}].push_back(&P);
  for (auto &[Place, Ps] : ByPlace) {
    // In text that is included several times, they may still be one entity.
    bool One = std::all_of(Ps.begin(), Ps.end(), [&Ps = Ps](Pending *P) {
      return P->F.Id == Ps[0]->F.Id && P->F.Edits == Ps[0]->F.Edits;
    });
    for (Pending *P : Ps)
      if (!One) {
        skip(*P, "repeated-text");
        P->F.Edits.clear();
      }
  }
}

/// Whether the #include at \p Include is inside a declaration.
bool Unit::isEnclosed(SourceLocation Include) {
  if (Extents.empty())
    for (const Decl *D : Context.getTranslationUnitDecl()->decls())
      if (!isInSystemHeader(D->getLocation()))
        Extents.push_back({SM.getExpansionLoc(D->getBeginLoc()),
                           SM.getExpansionRange(D->getEndLoc()).getEnd()});
  return std::any_of(Extents.begin(), Extents.end(), [&](const auto &E) {
    return E.first.isValid() && E.second.isValid() &&
           SM.isBeforeInTranslationUnit(E.first, Include) &&
           SM.isBeforeInTranslationUnit(Include, E.second);
  });
}

/// Records where the header goes: in this file, before the text at \p Before,
/// and in the files that include it.
void Unit::placeInclude(FileID FID, unsigned Before) {
  TokenTable &T = table(FID);
  std::string Path = absolutePath(FID);
  IncludePoint Point;
  Point.Present = Options.Library == LibraryCalls::None
                      ? T.includesHeader()
                      : T.includes(memoryHeaderName(Options.Library));
  Point.Offset = T.includeOffset(Before);
  Point.Marker = lineMarker(FID, Point.Offset);
  Result.Names[Path].insert(ownName(FID));
  SourceLocation Include = SM.getIncludeLoc(FID);
  if (Include.isValid()) {
    auto [By, Offset] = SM.getDecomposedLoc(Include);
    std::string Parent = absolutePath(By);
    Point.Enclosed = isEnclosed(Include);
    if (Parent.empty()) // the command line
      Point.Enclosed = false;
    else
      Point.Includers.insert(Parent);
    // If the header can be in this file, only the file's own edits count.
    auto Own = FirstEdit.find(By);
    unsigned Line = table(By).lineStart(Offset);
    if (Own != FirstEdit.end())
      Line = Point.Enclosed ? std::min(Line, Own->second) : Own->second;
    if (!Options.nameOf(Parent).empty() ||
        (Options.Preprocessed && By == SM.getMainFileID()))
      placeInclude(By, Line);
  }
  Result.Includes[Path].add(Point);
}

void Unit::placeIncludes() {
  for (auto [FID, Offset] : FirstEdit)
    placeInclude(FID, Offset);
}

void Unit::noteFiles() {
  for (auto It = SM.fileinfo_begin(); It != SM.fileinfo_end(); ++It) {
    std::string Path = canonicalPath(It->first.getName().str(), Directory);
    if (!Options.nameOf(Path).empty())
      Result.Files.insert(Path);
  }
}

std::string Unit::ownName(FileID FID) const {
  return SM.getPresumedLoc(SM.getLocForStartOfFile(FID), false).getFilename();
}

std::string Unit::lineMarker(FileID FID, unsigned Offset) const {
  PresumedLoc PL =
      SM.getPresumedLoc(SM.getLocForStartOfFile(FID).getLocWithOffset(Offset));
  bool Own = PL.getFilename() == ownName(FID);
  return lineDirective(PL.getLine(),
                       Own ? std::string(1, OwnName) : PL.getFilename());
}

} // namespace evenkeel
