//===- LineTable.cpp - code ranges and their frames -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LineTable.h"
#include "TailCalls.h"
#include "Variables.h"
#include "format/Identity.h"
#include "format/ProjectFiles.h"
#include "format/plan/Plan.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/DebugInfo/DWARF/DWARFCompileUnit.h"
#include "llvm/DebugInfo/DWARF/DWARFDebugLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace evenkeel;

using Kind = DILineInfoSpecifier::FileLineInfoKind;

namespace {

/// The place of a line of code.
struct Spot {
  bool System = false; // outside the root, or unknown
  uint32_t Frame = NoFrame;
};

/// Adds one binary to the table.
class Reader {
  using Lines = std::map<unsigned, std::map<unsigned, uint32_t>>;
  LinkedFile &B;
  const Facts &F;
  const std::map<std::string, Lines> &Places;
  const WaitPlaces &Waits;
  bool IsNamed = false;   // the root was given
  std::string MostlyRoot; // as given, else the root of most units
  std::string Root;       // of the current unit
  StackModule &M;
  std::map<std::string, std::string> Real; // path in the file -> path without
                                           // links

  const std::string &real(const std::string &Path);
  Spot spot(const std::string &File, unsigned Line, unsigned Column,
            bool ColumnsAgree);
  std::optional<std::string> rootOf(DWARFUnit &U);
  std::optional<std::string> inRoot(const std::string &File);
  void addSync(uint64_t From, uint64_t To, const std::string &File,
               const DWARFDebugLine::Row &R, bool ColumnsAgree);
  bool isCode(uint64_t Address) const;
  void addRow(uint64_t From, uint64_t To, const std::string &File,
              const DWARFDebugLine::Row &R, bool ColumnsAgree);
  void addUnit(DWARFUnit &U, std::vector<CodeRange> &Covered);
  void addVariable(const StaticVariable &V, const std::set<uint64_t> &Known);
  void addRest(std::vector<CodeRange> Covered);
  void addTails(TailCalls &Tails);
  void join();

public:
  Reader(LinkedFile &B, const Facts &F,
         const std::map<std::string, Lines> &Places, const WaitPlaces &Waits,
         StackModule &M)
      : B(B), F(F), Places(Places), Waits(Waits), M(M) {}
  bool findRoot(const std::string &Named);
  void read(const std::set<uint64_t> &Globals);
};

} // namespace

const std::string &Reader::real(const std::string &Path) {
  auto [It, New] = Real.try_emplace(Path);
  if (New) {
    SmallString<256> P(Path), Found;
    sys::path::remove_dots(P, /*remove_dot_dot=*/true);
    It->second =
        sys::fs::real_path(P, Found) ? P.str().str() : Found.str().str();
  }
  return It->second;
}

static std::string unitPath(DWARFUnit &U) {
  DWARFDie D = U.getUnitDIE();
  SmallString<256> P(dwarf::toString(D.find(dwarf::DW_AT_name), ""));
  if (!sys::path::is_absolute(P)) {
    SmallString<256> Folder(U.getCompilationDir() ? U.getCompilationDir() : "");
    sys::path::append(Folder, P);
    P = Folder;
  }
  return P.str().str();
}

/// The prefix that \p U's path has in front of its path in the facts; the
/// longest match wins.
std::optional<std::string> Reader::rootOf(DWARFUnit &U) {
  const std::string &Path = real(unitPath(U));
  std::optional<std::string> Root;
  for (const std::string &Unit : F.Units) {
    StringRef Before = Path;
    if (Before.consume_back(Unit) &&
        (Before.empty() || Before.consume_back("/")) &&
        (!Root || Before.size() < Root->size()))
      Root = Before.str();
  }
  return Root;
}

/// Finds the folder that contains most units of the facts, as this file names
/// it; units elsewhere have roots of their own.
bool Reader::findRoot(const std::string &Named) {
  std::map<std::string, size_t> Votes;
  for (const auto &U : B.Lines->compile_units())
    if (std::optional<std::string> Found = rootOf(*U))
      ++Votes[*Found];
  IsNamed = !Named.empty();
  if (IsNamed) {
    MostlyRoot = Root = Named;
    return Votes.count(Named);
  }
  size_t Most = 0;
  for (const auto &[Folder, Number] : Votes)
    if (Number > Most) {
      Most = Number;
      MostlyRoot = Folder;
    }
  return Most;
}

/// The path as in the facts; none if it is outside the project.
std::optional<std::string> Reader::inRoot(const std::string &File) {
  const std::string &Path = real(File);
  if (Root.empty() && !sys::path::is_absolute(Path))
    return Path;
  const std::string Name =
      IsNamed ? nameBelow(Path, Root) : nameInProject(Path, Root);
  return Name.empty() ? std::nullopt : std::optional(Name);
}

/// The call that runs a parallel region has the region's line, and an MPI call
/// its own. gcc's columns of directives differ from ours, so they are ignored.
void Reader::addSync(uint64_t From, uint64_t To, const std::string &File,
                     const DWARFDebugLine::Row &R, bool ColumnsAgree) {
  std::optional<std::string> Path = inRoot(File);
  auto P = Path ? Waits.find(*Path) : Waits.end();
  if (P == Waits.end())
    return;
  auto L = P->second.find(R.Line);
  if (L == P->second.end())
    return;
  auto C = L->second.find(R.Column);
  if (C == L->second.end() && L->second.size() == 1 && !ColumnsAgree)
    C = L->second.begin();
  if (C == L->second.end())
    return;
  if (C->second.Id)
    M.Syncs.push_back({C->second.Id, From, To, C->second.Kind});
  else
    ++M.GiveUps["several-in-a-place"];
}

Spot Reader::spot(const std::string &File, unsigned Line, unsigned Column,
                  bool ColumnsAgree) {
  std::optional<std::string> Path = inRoot(File);
  if (!Path)
    return {true, NoFrame};
  auto P = Places.find(*Path);
  if (P == Places.end())
    return {};
  auto L = P->second.find(Line);
  if (L == P->second.end())
    return {};
  auto C = L->second.find(Column);
  if (C != L->second.end())
    return {false, C->second};
  if (ColumnsAgree && Column)
    return {};
  if (L->second.size() == 1) {
    ++M.GiveUps["column-differs"];
    return {false, L->second.begin()->second};
  }
  ++M.GiveUps["several-on-a-line"];
  return {};
}

bool Reader::isCode(uint64_t Address) const {
  for (const CodeRange &C : B.Code)
    if (Address >= C.From && Address < C.To)
      return true;
  return false;
}

void Reader::addRow(uint64_t From, uint64_t To, const std::string &File,
                    const DWARFDebugLine::Row &R, bool ColumnsAgree) {
  Spot First = spot(File, R.Line, R.Column, ColumnsAgree);
  if (!First.System && First.Frame == NoFrame) {
    if (R.Line == 0)
      ++M.GiveUps["line-zero"];
    return; // in the program, but not a site: not in the table
  }
  StackRange Range{From, To, {}};
  if (!First.System)
    Range.Frames.push_back(First.Frame);
  DIInliningInfo Chain = B.Lines->getInliningInfoForAddress(
      {From, object::SectionedAddress::UndefSection},
      DILineInfoSpecifier(Kind::AbsoluteFilePath));
  for (uint32_t I = 1; I < Chain.getNumberOfFrames(); ++I) {
    const DILineInfo &L = Chain.getFrame(I);
    Spot S = spot(L.FileName, L.Line, L.Column, ColumnsAgree);
    if (S.System)
      continue;
    if (S.Frame == NoFrame && Range.Frames.empty())
      return;
    Range.Frames.push_back(S.Frame);
    if (S.Frame == NoFrame)
      break;
  }
  M.Ranges.push_back(std::move(Range));
}

void Reader::addUnit(DWARFUnit &U, std::vector<CodeRange> &Covered) {
  const DWARFDebugLine::LineTable *T = B.Lines->getLineTableForUnit(&U);
  if (!T)
    return;
  StringRef Producer =
      dwarf::toString(U.getUnitDIE().find(dwarf::DW_AT_producer), "");
  bool ColumnsAgree = Producer.contains("clang");
  std::map<uint64_t, std::string> Files;
  for (size_t I = 0; I + 1 < T->Rows.size(); ++I) {
    const DWARFDebugLine::Row &R = T->Rows[I], &Next = T->Rows[I + 1];
    uint64_t From = R.Address.Address, To = Next.Address.Address;
    if (R.EndSequence || From >= To || !isCode(From))
      continue;
    Covered.push_back({From, To});
    auto [File, New] = Files.try_emplace(R.File);
    if (New)
      T->getFileNameByIndex(R.File, U.getCompilationDir(),
                            Kind::AbsoluteFilePath, File->second);
    addRow(From, To, File->second, R, ColumnsAgree);
    addSync(From, To, File->second, R, ColumnsAgree);
  }
}

/// Code without a line table entry belongs to a library.
void Reader::addRest(std::vector<CodeRange> Covered) {
  llvm::sort(Covered, [](const CodeRange &X, const CodeRange &Y) {
    return X.From < Y.From;
  });
  for (const CodeRange &C : B.Code) {
    uint64_t At = C.From;
    for (const CodeRange &X : Covered) {
      if (X.To <= At || X.From >= C.To)
        continue;
      if (X.From > At)
        M.Ranges.push_back({At, X.From, {}});
      At = std::max(At, X.To);
    }
    if (At < C.To)
      M.Ranges.push_back({At, C.To, {}});
  }
}

/// Sorts the ranges, makes them disjoint and merges equal neighbours.
void Reader::join() {
  llvm::sort(M.Ranges, [](const StackRange &X, const StackRange &Y) {
    return std::tie(X.From, X.To, X.Frames) < std::tie(Y.From, Y.To, Y.Frames);
  });
  std::vector<StackRange> Joined;
  for (StackRange &R : M.Ranges) {
    if (!Joined.empty() && R.From < Joined.back().To)
      R.From = Joined.back().To; // folded code: the first name counts
    if (R.From >= R.To)
      continue;
    if (!Joined.empty() && R.From == Joined.back().To &&
        R.Frames == Joined.back().Frames)
      Joined.back().To = R.To;
    else
      Joined.push_back(std::move(R));
  }
  M.Ranges = std::move(Joined);
  llvm::sort(M.Syncs, [](const StackSync &X, const StackSync &Y) {
    return std::tie(X.From, X.To, X.Sync) < std::tie(Y.From, Y.To, Y.Sync);
  });
  std::vector<StackSync> Disjoint;
  for (const StackSync &X : M.Syncs)
    if (Disjoint.empty() || X.From >= Disjoint.back().To)
      Disjoint.push_back(X);
  M.Syncs = std::move(Disjoint);
}

/// Adds the return addresses of tail calls. If the jumps may come from several
/// sync points, none is added.
void Reader::addTails(TailCalls &Tails) {
  for (const auto &S : B.object().sections()) {
    uint64_t Begin = S.getAddress(), End = Begin + S.getSize();
    if (!S.isText())
      continue;
    llvm::Expected<StringRef> Code = S.getContents();
    if (!Code) {
      consumeError(Code.takeError());
      continue;
    }
    for (const StackSync &X : M.Syncs)
      if (X.From >= Begin && X.To <= End)
        Tails.addJump(X.From, X.To, arrayRefFromStringRef(*Code), Begin);
  }
  std::vector<StackSync> Found;
  for (const auto &[Return, Jumps] : Tails.jumpsByReturn()) {
    std::map<uint64_t, std::string> Syncs;
    for (uint64_t At : Jumps) {
      auto X = llvm::upper_bound(
          M.Syncs, At, [](uint64_t A, const StackSync &Y) { return A < Y.To; });
      if (X != M.Syncs.end() && At >= X->From)
        Syncs.emplace(X->Sync, X->Kind);
    }
    if (Syncs.size() > 1)
      ++M.GiveUps["several-in-a-place"];
    else if (!Syncs.empty() && Return)
      Found.push_back(
          {Syncs.begin()->first, Return - 1, Return, Syncs.begin()->second});
  }
  // Sync points are more specific than their line.
  for (const StackSync &T : Found) {
    auto X =
        llvm::upper_bound(M.Syncs, T.From, [](uint64_t A, const StackSync &Y) {
          return A < Y.To;
        });
    if (X == M.Syncs.end() || X->From > T.From) {
      M.Syncs.insert(X, T);
      continue;
    }
    StackSync Before = *X, After = *X;
    Before.To = T.From;
    After.From = T.To;
    *X = T;
    if (After.From < After.To)
      X = std::prev(M.Syncs.insert(std::next(X), After));
    if (Before.From < Before.To)
      M.Syncs.insert(X, Before);
  }
}

void Reader::addVariable(const StaticVariable &V,
                         const std::set<uint64_t> &Known) {
  const std::optional<std::string> Path =
      V.File.empty() ? std::nullopt : inRoot(V.File);
  if (!Path && !V.IsCommon)
    return;
  const uint64_t Id = entityId(V.key(Path.value_or("")));
  if (!Known.count(Id) || !V.Bytes)
    return;
  M.Globals.push_back(
      {Id, Path ? *Path + ":" + std::to_string(V.Line) + ":0" : V.Name,
       V.Address, V.Bytes});
}

void Reader::read(const std::set<uint64_t> &Globals) {
  std::vector<CodeRange> Covered;
  TailCalls Tails;
  for (const auto &U : B.Lines->compile_units()) {
    DWARFUnit *Whole = U.get();
    if (DWARFDie D = U->getNonSkeletonUnitDIE(/*ExtractUnitDIEOnly=*/false))
      Whole = D.getDwarfUnit();
    if (!IsNamed)
      Root = rootOf(*U).value_or(MostlyRoot);
    addUnit(*U, Covered);
    if (!Globals.empty())
      forEachVariable(B.object(), *Whole, [&](const StaticVariable &V) {
        addVariable(V, Globals);
      });
    if (!Waits.empty())
      Tails.add(*Whole);
  }
  if (!Globals.empty())
    forEachBareCommon(
        B, [&](const StaticVariable &V) { addVariable(V, Globals); });
  addRest(std::move(Covered));
  join();
  addTails(Tails);
  llvm::sort(M.Globals, [](const StackGlobal &X, const StackGlobal &Y) {
    return std::tie(X.Address, X.Site) < std::tie(Y.Address, Y.Site);
  });
  M.Globals.erase(std::unique(M.Globals.begin(), M.Globals.end(),
                              [](const StackGlobal &X, const StackGlobal &Y) {
                                return X.Address == Y.Address;
                              }),
                  M.Globals.end());
}

//===--- The table --------------------------------------------------------===//

/// Parses "path:line:col"; false: another form.
static bool splitAt(StringRef At, std::string &Path, unsigned &Line,
                    unsigned &Column) {
  auto [Front, Last] = At.rsplit(':');
  auto [File, Middle] = Front.rsplit(':');
  Path = File.str();
  return !File.empty() && !Middle.getAsInteger(10, Line) &&
         !Last.getAsInteger(10, Column);
}

/// Whether the preloaded runtime sees the wait: outermost parallel regions, and
/// MPI calls (libevenkeel-pmpi).
static bool isSeen(const SyncFact &S) {
  return (S.Kind == "parallel" && S.Context == "serial") ||
         StringRef(S.Kind).starts_with("mpi-");
}

uint32_t StackTable::frame(const std::string &At) {
  std::string Path;
  unsigned Line, Column;
  if (!splitAt(At, Path, Line, Column))
    return NoFrame;
  auto [It, New] = Places[Path][Line].try_emplace(
      Column, static_cast<uint32_t>(Out.Frames.size()));
  if (New)
    Out.Frames.push_back({At, {}});
  return It->second;
}

static bool isStatic(const SiteFact &S) {
  return S.Kind == "global" || S.Kind == "static";
}

StackTable::StackTable(const Facts &F, std::string Root)
    : F(F), Root(std::move(Root)) {
  Out.Program = programHash(F);
  for (const SiteFact &S : F.Sites) {
    if (isStatic(S)) {
      Globals.insert(S.Id);
      continue;
    }
    uint32_t Here = frame(S.At);
    if (Here == NoFrame)
      continue;
    Out.Frames[Here].Sites.push_back(S.Id);
    for (const SiteFact::Caller &C : S.Contexts) {
      StackContext X{S.Id, C.Id, {}};
      for (const std::string &At : C.Calls)
        if (uint32_t Call = frame(At); Call != NoFrame)
          X.Calls.push_back(Call);
      if (X.Calls.size() == C.Calls.size() && !X.Calls.empty())
        Out.Contexts.push_back(std::move(X));
    }
  }
  for (const SyncFact &S : F.Syncs) {
    std::string Path;
    unsigned Line, Column;
    if (!isSeen(S) || !splitAt(S.At, Path, Line, Column))
      continue;
    auto [It, New] =
        Waits[Path][Line].try_emplace(Column, WaitPlace{S.Id, S.Kind});
    if (!New && It->second.Id != S.Id && S.Kind != "parallel")
      It->second.Id = 0;
  }
  for (StackFrame &X : Out.Frames)
    llvm::sort(X.Sites);
  llvm::sort(Out.Contexts, [](const StackContext &X, const StackContext &Y) {
    return std::tie(X.Site, X.Context) < std::tie(Y.Site, Y.Context);
  });
}

llvm::Error StackTable::add(LinkedFile &B) {
  StackModule M;
  M.Name = B.Name;
  M.Build = B.Build;
  Reader R(B, F, Places, Waits, M);
  if (!R.findRoot(Root))
    return createStringError(inconvertibleErrorCode(),
                             "'" + B.Name +
                                 "' was built from none of the units in the "
                                 "facts; is it another program, or is --root "
                                 "another?");
  R.read(Globals);
  Out.Modules.push_back(std::move(M));
  return llvm::Error::success();
}
