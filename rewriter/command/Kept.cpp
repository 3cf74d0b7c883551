//===- Kept.cpp - sources that the project keeps --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Kept.h.
//===----------------------------------------------------------------------===//
#include "Kept.h"
#include "Embedded.h"
#include "edits/Paths.h"
#include "edits/TokenTable.h"
#include "kept/Layout.h"
#include "kept/Names.h"
#include "llvm/Support/MemoryBuffer.h"
#include <algorithm>
#include <filesystem>

namespace evenkeel {
namespace fs = std::filesystem;
using llvm::StringRef;

static std::string textOf(const std::string &Path) {
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return Buffer ? (*Buffer)->getBuffer().str() : "";
}

KeptSources::KeptSources(const Project &P) {
  // The header of an earlier call, whose root may have been a folder below.
  std::set<std::string> Places{P.Root};
  for (const std::string &Unit : P.Units)
    for (fs::path At = fs::path(Unit).parent_path();
         !relativeTo(At.string(), P.Root).empty(); At = At.parent_path())
      Places.insert(At.string());
  Path = P.Root + "/" + IdsHeaderName;
  for (const std::string &Place : Places)
    if (Text.empty()) {
      Text = textOf(Place + "/" + IdsHeaderName);
      if (!Text.empty())
        Path = Place + "/" + IdsHeaderName;
    }
  Old = readIdsHeader(Text);
  for (const auto &[File, Ids] : Old.Files)
    for (const auto &[Name, Id] : Ids.Ids)
      number(Name);
  // The header may be lost, or older than the sources.
  for (const std::string &Unit : P.Units) {
    const std::string Source = textOf(Unit);
    if (!StringRef(Source).contains(IdsHeaderName))
      continue;
    const UsedNames Used = namesIn(Source);
    for (const PlaceName &Name : Used.Places)
      number(Name);
    IdsOfFile &Ids = Old.Files[nameFrom(Unit)];
    for (const auto &[Name, Arguments] : Used.Handed)
      Ids.Handed[Name].Symbols.resize(Arguments.size());
    Old.Used.insert(Used.Words.begin(), Used.Words.end());
  }
}

MaybeError KeptSources::refuseForeign() const {
  if (Text.empty() || isIdsHeader(Text))
    return std::nullopt;
  return Error{"'" + Path +
               "' was not made by evenkeel rewrite, which would replace it; "
               "rename it"};
}

/// The path of \p File as the header has it.
std::string KeptSources::nameFrom(const std::string &File) const {
  return fs::path(File)
      .lexically_relative(fs::path(Path).parent_path())
      .generic_string();
}

void KeptSources::number(const PlaceName &Name) {
  if (Numbers.try_emplace(Name, Numbers.size() + 1).second)
    ByNumber.push_back(Name);
}

std::string KeptSources::numbered(IdsHeader H) const {
  for (auto &[File, Ids] : H.Files)
    Ids.Ids.clear();
  for (const auto &[Name, Number] : Numbers)
    H.Files["."].Ids[Name] = Number;
  // All values are in one group, because their names are those of the project.
  for (auto &[File, Ids] : H.Files)
    if (File != ".")
      H.Files["."].Handed.insert(Ids.Handed.begin(), Ids.Handed.end());
  return writeIdsHeader(H, EmbeddedHeader);
}

Overlay KeptSources::header() const {
  if (Numbers.empty())
    return {};
  return {{Path, numbered(Old)}};
}

void KeptSources::name(std::vector<Finding> &Findings) {
  std::set<PlaceName> Taken;
  for (const auto &[Name, Number] : Numbers)
    Taken.insert(Name);
  nameFindings(Findings, Taken);
  for (const Finding &F : Findings)
    if (!F.Tag.empty() && F.What == Finding::State::Rewritten) {
      const PlaceName Name{nameMacro(F.Class), F.Tag};
      number(Name);
      First[Name] = F.Id;
    }
}

MaybeError layOutKept(Merged &M, const std::string &HeaderPath) {
  for (auto &[File, Edits] : M.Edits) {
    const std::string Source = textOf(File);
    if (auto It = M.Includes.find(File); It != M.Includes.end()) {
      const std::string Header =
          fs::path(HeaderPath)
              .lexically_relative(fs::path(File).parent_path())
              .generic_string();
      const size_t NL = Source.find('\n');
      const bool Dos = NL != std::string::npos && NL && Source[NL - 1] == '\r';
      TextEdit E;
      E.Offset = It->second.Offset;
      E.Rank = -1000000; // before all other edits at that line
      E.Text = "#include \"" + Header + "\"" + (Dos ? "\r\n" : "\n");
      Edits.insert(std::upper_bound(Edits.begin(), Edits.end(), E), E);
    }
    for (const TextEdit &E : Edits)
      if (E.Offset + E.Length > Source.size())
        return Error{"'" + File + "' changed while it was read; run again"};
    Expected<std::vector<TextEdit>> Formatted = laidOut(File, Source, Edits);
    if (!Formatted)
      return Formatted.takeError();
    Edits = std::move(*Formatted);
  }
  M.Includes.clear();
  return std::nullopt;
}

MaybeError KeptSources::layOut(Merged &M) const { return layOutKept(M, Path); }

void KeptSources::addHeader(Merged &M, EditedFiles &Files) const {
  if (Numbers.empty())
    return;
  IdsHeader H = Old;
  for (const auto &[File, F] : Files) {
    const UsedNames Used = namesIn(F.New);
    H.Used.insert(Used.Words.begin(), Used.Words.end());
    for (const auto &[Name, Arguments] : Used.Handed)
      H.Files["."].Handed[Name].Symbols.resize(Arguments.size());
  }
  Files[Path] = {Text, numbered(std::move(H))};
  M.Edits[Path];
}

namespace {
/// What the units found under the names of the sources.
struct FoundIds {
  std::map<PlaceName, uint64_t> Ids;
  std::map<std::string, const Finding *> Regions; // with values, by name
  std::map<PlaceName, std::set<std::string>> Places;
};
} // namespace

static FoundIds foundIds(const std::vector<UnitResult> &Units,
                         const std::vector<PlaceName> &ByNumber) {
  FoundIds Out;
  for (const UnitResult &U : Units)
    for (const Finding &F : U.Findings) {
      if (F.What != Finding::State::Already)
        continue;
      PlaceName Name{nameMacro(F.Class), F.Tag};
      if (F.Tag.empty() && F.Literal && F.Literal <= ByNumber.size())
        Name = ByNumber[F.Literal - 1];
      if (Name.second.empty() || Name.first != nameMacro(F.Class))
        continue;
      Out.Ids.try_emplace(Name, F.Id);
      Out.Places[Name].insert(F.at());
      if (F.Class == Finding::Group::Sync && !F.Handed.empty())
        Out.Regions.try_emplace(Name.second, &F);
    }
  return Out;
}

/// The symbols of \p Arguments, which are handed over before the region of \p
/// F; those of \p Before for what is not found.
static HandedSymbols handedSymbols(const std::vector<std::string> &Arguments,
                                   const Finding *F,
                                   const HandedSymbols &Before) {
  HandedSymbols Out = Before;
  Out.Symbols.resize(Arguments.size());
  if (!F)
    return Out;
  EntityKey Region = F->Key;
  Region.Kind = "region";
  Out.Region = entityId(Region);
  for (size_t I = 0; I < Arguments.size(); ++I)
    for (const HandedVariable &V : F->Handed)
      if (V.Text == Arguments[I])
        Out.Symbols[I] = V.Id;
  return Out;
}

void KeptSources::finish(const std::vector<UnitResult> &Units, Merged &M,
                         EditedFiles &Files) const {
  const FoundIds Found = foundIds(Units, ByNumber);
  std::set<std::string> Sources = M.Files;
  for (const auto &[File, Ids] : Old.Files)
    Sources.insert(
        (fs::path(Path).parent_path() / File).lexically_normal().string());
  IdsHeader H;
  std::map<PlaceName, uint64_t> Before;
  for (const auto &[File, Ids] : Old.Files)
    Before.insert(Ids.Ids.begin(), Ids.Ids.end());
  const std::map<PlaceName, uint64_t> *const Of[] = {&Found.Ids, &Before,
                                                     &First};
  for (const std::string &Source : Sources) {
    if (Source == Path)
      continue;
    auto It = Files.find(Source);
    const UsedNames Used =
        namesIn(It == Files.end() ? textOf(Source) : It->second.New);
    if (Used.Places.empty())
      continue;
    const std::string File = nameFrom(Source);
    IdsOfFile &Ids = H.Files[File];
    for (const PlaceName &Name : Used.Places) {
      uint64_t Id = 0;
      for (const std::map<PlaceName, uint64_t> *From : Of)
        if (auto At = From->find(Name); At != From->end() && !Id)
          Id = At->second;
      Ids.Ids[Name] = Id;
    }
    for (const auto &[Name, Arguments] : Used.Handed) {
      auto Region = Found.Regions.find(Name);
      auto OfFile = Old.Files.find(File);
      HandedSymbols Was;
      if (OfFile != Old.Files.end())
        if (auto H = OfFile->second.Handed.find(Name);
            H != OfFile->second.Handed.end())
          Was = H->second;
      Ids.Handed[Name] = handedSymbols(
          Arguments, Region == Found.Regions.end() ? nullptr : Region->second,
          Was);
    }
    H.Used.insert(Used.Words.begin(), Used.Words.end());
  }
  for (const auto &[Name, Places] : Found.Places)
    if (Places.size() > 1)
      M.Warnings.push_back(*std::next(Places.begin()) + ": the name '" +
                           Name.second + "' is also that of " +
                           *Places.begin() +
                           "; remove one of them and rewrite again");
  Files.erase(Path);
  M.Edits.erase(Path);
  if (H.Files.empty())
    return;
  std::string New = writeIdsHeader(H, EmbeddedHeader);
  M.Files.insert(Path);
  if (New == Text)
    return;
  M.Edits[Path] = lineEdits(Text, New);
  Files[Path] = {Text, std::move(New)};
}

} // namespace evenkeel
