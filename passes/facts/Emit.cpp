//===- Emit.cpp - facts.json and the access printer -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.facts/1". Rows arrive sorted and the JSON library sorts the
// keys of objects, so equal programs give equal files.
// Not here: reading facts.
//===----------------------------------------------------------------------===//
#include "facts/Emit.h"
#include "access/Access.h"
#include "facts/InputRows.h"
#include "format/Identity.h"
#include "unit/Prep.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace llvm;

namespace evenkeel {

static StringRef kindName(SymbolLeaf::KindType K) {
  switch (K) {
  case SymbolLeaf::Given:
    return "given";
  case SymbolLeaf::Derived:
    return "derived";
  case SymbolLeaf::Measured:
    return "measured";
  }
  llvm_unreachable("symbol kind without a name");
}

static StringRef stateName(SiteRow::StateType S) {
  switch (S) {
  case SiteRow::Elided:
    return "elided";
  case SiteRow::Unlinked:
    return "unlinked";
  case SiteRow::Dead:
    return "dead";
  case SiteRow::Live:
    return "live";
  }
  llvm_unreachable("state without a name");
}

static json::Value orNull(const CountRef &C) {
  return C ? countJson(C) : json::Value(nullptr);
}

namespace {
/// A row with what it is sorted by.
struct Keyed {
  std::tuple<std::string, unsigned, unsigned, std::string> Order;
  json::Value *Row;
  std::string Text = {}; // made when the order of two rows depends on it

  const std::string &text() {
    if (Text.empty())
      Text = formatv("{0}", *Row).str();
    return Text;
  }
};
} // namespace

/// Sorts as profiles/format/Facts.cpp does, which reads and writes the same
/// files: by place, then by \p Key, then by the whole text.
static void sortByPlace(json::Array &Rows, StringRef Key) {
  std::vector<Keyed> Order;
  Order.reserve(Rows.size());
  for (json::Value &Row : Rows) {
    const json::Object &O = *Row.getAsObject();
    StringRef At = O.getString("at").value_or("");
    auto [Front, Column] = At.rsplit(':');
    auto [Path, Line] = Front.rsplit(':');
    unsigned L = 0, C = 0;
    if (Line.getAsInteger(10, L) || Column.getAsInteger(10, C))
      Path = At;
    Order.push_back(
        {{Path.str(), L, C, O.getString(Key).value_or("").str()}, &Row});
  }
  std::vector<Keyed *> Sorted;
  Sorted.reserve(Order.size());
  for (Keyed &K : Order)
    Sorted.push_back(&K);
  llvm::sort(Sorted, [](Keyed *A, Keyed *B) {
    return A->Order != B->Order ? A->Order < B->Order : A->text() < B->text();
  });
  json::Array Out;
  Out.reserve(Rows.size()); // an array that grows copies its values
  for (Keyed *K : Sorted)
    Out.push_back(std::move(*K->Row));
  Rows = std::move(Out);
}

static json::Array idsJson(ArrayRef<uint64_t> Ids) {
  json::Array Out;
  for (uint64_t Id : Ids)
    Out.push_back(idToString(Id));
  return Out;
}

static json::Object tableJson(const RowTable &T) {
  json::Object O{{"row_bytes", orNull(T.RowBytes)},
                 {"index", T.Loaded ? "loaded" : "computed"},
                 {"index_sites", idsJson(T.IndexSites)},
                 {"why", nullptr}};
  if (!T.Why.empty())
    O["why"] = T.Why;
  return O;
}

static json::Object siteJson(const SiteRow &S) {
  json::Object O{{"id", idToString(S.Info.Id)},
                 {"kind", S.Info.Kind},
                 {"at", S.Info.At},
                 {"function", S.Info.Function},
                 {"size", orNull(S.Size)},
                 {"element_bytes", nullptr},
                 {"state", stateName(S.State)}};
  if (S.ElementBytes)
    O["element_bytes"] = static_cast<int64_t>(*S.ElementBytes);
  if (!S.Sizes.empty()) {
    json::Array Sizes;
    for (const CountRef &C : S.Sizes)
      Sizes.push_back(orNull(C));
    O["sizes"] = std::move(Sizes);
  }
  if (!S.Contexts.empty()) {
    json::Array Contexts;
    for (auto &[Id, Caller] : S.Contexts)
      Contexts.push_back(json::Object{{"id", idToString(Id)},
                                      {"calls", json::Array(Caller.Calls)},
                                      {"size", orNull(Caller.Size)}});
    O["contexts"] = std::move(Contexts);
  }
  if (!S.Ranges.empty()) {
    json::Array Ranges;
    for (const SiteRow::Range &Part : S.Ranges)
      Ranges.push_back(json::Object{{"id", idToString(Part.Id)},
                                    {"at", Part.At},
                                    {"offset", orNull(Part.Offset)},
                                    {"size", orNull(Part.Size)}});
    O["ranges"] = std::move(Ranges);
  }
  if (S.Table)
    O["table"] = tableJson(*S.Table);
  return O;
}

static json::Object rowJson(const AccessRow &A) {
  json::Object O{{"region", idToString(A.Region)},
                 {"sites", idsJson(A.Sites)},
                 {"class", accessClassName(A.Class)},
                 {"stride", nullptr},
                 {"element_bytes", static_cast<int64_t>(A.ElementBytes)},
                 {"points", nullptr},
                 {"dependent", A.Dependent},
                 {"reads", countJson(A.Reads)},
                 {"writes", countJson(A.Writes)},
                 {"exact", A.Exact},
                 {"at", A.At},
                 {"why", nullptr}};
  if (!A.Contexts.empty())
    O["contexts"] = idsJson(A.Contexts);
  if (!A.Ranges.empty())
    O["ranges"] = idsJson(A.Ranges);
  if (A.Places)
    O["places"] = static_cast<int64_t>(A.Places);
  if (!A.Library.empty())
    O["library"] = A.Library;
  if (A.Stride)
    O["stride"] = *A.Stride;
  if (A.Points)
    O["points"] = *A.Points;
  if (A.Dimensions)
    O["dimensions"] = *A.Dimensions;
  for (auto &[Name, C] : {std::pair("stride_formula", A.StrideBy),
                          {"atomics", A.Atomics},
                          {"conditional", A.Conditional},
                          {"reuse", A.Reuse},
                          {"run", A.Run},
                          {"block_bytes", A.BlockBytes},
                          {"block_stride", A.BlockStride}})
    if (C)
      O[Name] = countJson(C);
  if (A.Blocks)
    O["blocks"] = accessClassName(*A.Blocks);
  if (!A.IndexSites.empty())
    O["index_sites"] = idsJson(A.IndexSites);
  if (!A.Why.empty())
    O["why"] = A.Why;
  return O;
}

static json::Value factsJson(const EkAccessResult &R) {
  json::Array Units, Sites, Regions, Syncs, Symbols, Inputs, Accesses;
  Sites.reserve(R.SiteRows.size());
  Symbols.reserve(R.SymbolRows.size());
  Accesses.reserve(R.Rows.size());
  for (const std::string &U : R.Units)
    Units.push_back(U);
  for (const SiteRow &S : R.SiteRows) {
    Sites.push_back(siteJson(S));
  }
  for (const RegionInfo &G : R.RegionRows) {
    json::Object Places{{"all", static_cast<int64_t>(G.Places)}};
    for (auto &[Whose, N] : G.Private)
      Places[Whose] = static_cast<int64_t>(N);
    Regions.push_back(json::Object{{"id", idToString(G.Id)},
                                   {"kind", regionKindName(G.Kind)},
                                   {"at", G.At},
                                   {"function", G.Function},
                                   {"places", std::move(Places)}});
  }
  for (const SyncInfo &S : R.SyncRows)
    Syncs.push_back(json::Object{{"id", idToString(S.Id)},
                                 {"kind", std::string(syncKindName(S.Kind))},
                                 {"at", S.At},
                                 {"function", S.Function},
                                 {"context", detailOfSync(S.Team)}});
  for (const SymbolRow &S : R.SymbolRows) {
    json::Object O{{"id", idToString(S.Id)},
                   {"name", S.Name},
                   {"kind", kindName(S.Kind)},
                   {"scope", S.PerTask ? "task" : "program"},
                   {"at", S.At},
                   {"scales_with", orNull(S.ScalesWith)},
                   {"value", orNull(S.Value)}};
    if (S.NotBelow0)
      O["least"] = 0;
    if (S.HandedAs)
      O["handed_as"] = idToString(S.HandedAs);
    if (S.Input)
      O["input"] = countJson(S.Input);
    Symbols.push_back(std::move(O));
  }
  for (const InputRow &I : R.InputRows)
    Inputs.push_back(inputJson(I));
  for (const AccessRow &A : R.Rows) {
    Accesses.push_back(rowJson(A));
  }
  for (json::Array *Rows : {&Sites, &Regions, &Syncs, &Symbols, &Inputs})
    sortByPlace(*Rows, "id");
  sortByPlace(Accesses, "region");
  json::Object GiveUps;
  for (auto &[Why, N] : R.GiveUps)
    GiveUps[Why] = static_cast<int64_t>(N);
  return json::Object{
      {"schema", "evenkeel.facts/1"},    {"units", std::move(Units)},
      {"sites", std::move(Sites)},       {"regions", std::move(Regions)},
      {"syncs", std::move(Syncs)},       {"symbols", std::move(Symbols)},
      {"accesses", std::move(Accesses)}, {"giveups", std::move(GiveUps)},
      {"inputs", std::move(Inputs)}};
}

static Error writeText(StringRef Path,
                       function_ref<void(raw_ostream &)> Write) {
  Expected<sys::fs::TempFile> Temp =
      sys::fs::TempFile::create(Path + ".tmp%%%%%%");
  if (!Temp)
    return Temp.takeError();
  {
    raw_fd_ostream OS(Temp->FD, /*shouldClose=*/false);
    Write(OS);
    OS.flush();
    if (OS.has_error()) {
      std::error_code EC = OS.error();
      OS.clear_error();
      return joinErrors(errorCodeToError(EC), Temp->discard());
    }
  }
  return Temp->keep(Path);
}

Error writeFacts(const EkAccessResult &R, StringRef Path) {
  return writeText(Path, [&](raw_ostream &OS) {
    OS << formatv("{0:1}", factsJson(R)) << '\n';
  });
}

static std::string quoted(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + "\"";
}

/// "stencil(8) of 5", "strided(8*main:m)", "unknown".
static std::string walkText(const AccessRow &A,
                            function_ref<std::string(const CountRef &)> Text) {
  std::string Out = accessClassName(A.Class).str();
  if (A.Stride)
    Out += "(" + std::to_string(*A.Stride) + ")";
  else if (A.StrideBy)
    Out += "(" + Text(A.StrideBy) + ")";
  return A.Points ? Out + " of " + std::to_string(*A.Points) : Out;
}

Error writeDot(const EkAccessResult &R, StringRef Path) {
  std::map<uint64_t, std::string> Symbols, Sites;
  for (const SymbolRow &S : R.SymbolRows)
    Symbols[S.Id] = S.Name;
  auto Text = [&](const CountRef &C) {
    return countText(C, [&](uint64_t Id) { return Symbols[Id]; });
  };
  for (const SiteRow &S : R.SiteRows)
    Sites[S.Info.Id] = S.Info.Kind + " " + S.Info.At;
  std::set<std::string> Regions, Edges;
  for (const RegionInfo &G : R.RegionRows) {
    std::string Name =
        std::string("region ") + regionKindName(G.Kind) + " " + G.At;
    for (const AccessRow &A : R.Rows) {
      if (A.Region != G.Id)
        continue;
      Regions.insert(Name);
      std::string Label = walkText(A, Text) +
                          (isConst(A.Reads, 0) ? "" : " reads") +
                          (isConst(A.Writes, 0) ? "" : " writes");
      std::vector<std::string> To;
      for (uint64_t S : A.Sites)
        To.push_back(Sites[S]);
      if (To.empty())
        To.push_back("outside");
      for (const std::string &T : To)
        Edges.insert(quoted(Name) + " -> " + quoted(T) +
                     " [style=bold, label=" + quoted(Label) + "]");
    }
  }
  for (const PointerRow &P : R.Pointers)
    Edges.insert(quoted(P.From) + " -> " + quoted(P.To) + " [label=" +
                 quoted(P.Offset ? "+" + std::to_string(*P.Offset) : "+?") +
                 "]");
  return writeText(Path, [&](raw_ostream &OS) {
    // This name identifies the graph as ours when the file is overwritten.
    OS << "digraph \"evenkeel.points-to\" {\n  rankdir=LR;\n";
    for (const std::string &G : Regions)
      OS << "  " << quoted(G) << " [shape=box];\n";
    for (const SiteRow &S : R.SiteRows)
      if (S.State == SiteRow::Live)
        OS << "  " << quoted(S.Info.Kind + " " + S.Info.At)
           << " [style=filled];\n";
    for (const std::string &E : Edges)
      OS << "  " << E << ";\n";
    OS << "}\n";
  });
}

void remark(const EkAccessResult &R, Module &M) {
  std::map<uint64_t, std::string> Symbols, Sites;
  for (const SymbolRow &S : R.SymbolRows)
    Symbols[S.Id] = S.Name;
  for (const SiteRow &S : R.SiteRows)
    Sites[S.Info.Id] = S.Info.Kind + " at " + S.Info.At;
  std::map<uint64_t, Function *> Bodies;
  for (auto &[F, G] : R.Regions)
    if (Function *Body = M.getFunction(F->getName()))
      Bodies[G.Id] = Body;
  auto Text = [&](const CountRef &C) {
    return countText(C, [&](uint64_t Id) { return Symbols[Id]; });
  };
  for (const AccessRow &A : R.Rows) {
    Function *Body = Bodies[A.Region];
    if (!Body || !A.Place)
      continue;
    std::string Objects;
    for (uint64_t S : A.Sites)
      Objects += (Objects.empty() ? "" : " or ") + Sites[S];
    bool Known = !A.Sites.empty() && A.Class != AccessClass::Unknown;
    std::string Line = walkText(A, Text) + " over " +
                       (Objects.empty() ? "an unknown object" : Objects) +
                       ": reads " + Text(A.Reads) + ", writes " +
                       Text(A.Writes) + (A.Exact ? "" : " at most") +
                       (A.Why.empty() ? "" : " (" + A.Why + ")");
    DebugLoc At(A.Place);
    if (Known)
      M.getContext().diagnose(OptimizationRemarkAnalysis("evenkeel", "Access",
                                                         At,
                                                         &Body->getEntryBlock())
                              << Line);
    else
      M.getContext().diagnose(OptimizationRemarkMissed("evenkeel", "Unknown",
                                                       At,
                                                       &Body->getEntryBlock())
                              << Line);
  }
}

namespace {
/// Prints rows as text, with names instead of ids.
class RowPrinter {
  raw_ostream &OS;
  std::map<uint64_t, std::string> Symbols, Sites, Ranges;
  std::map<uint64_t, std::vector<std::string>> Calls;

  std::vector<std::string> namesOf(ArrayRef<uint64_t> Ids) {
    std::vector<std::string> Out;
    for (uint64_t S : Ids)
      Out.push_back(Sites[S]);
    llvm::sort(Out);
    return Out;
  }
  void printMore(const AccessRow &A);

public:
  RowPrinter(const EkAccessResult &R, raw_ostream &OS);
  std::string text(const CountRef &C) {
    return countText(C, [&](uint64_t Id) { return Symbols[Id]; });
  }
  void print(const AccessRow &A);
  void print(const SiteRow &S);
  void print(const SymbolRow &S);
};
} // namespace

RowPrinter::RowPrinter(const EkAccessResult &R, raw_ostream &OS) : OS(OS) {
  for (const SymbolRow &S : R.SymbolRows)
    Symbols[S.Id] = S.Name;
  for (const SiteRow &S : R.SiteRows) {
    Sites[S.Info.Id] = S.Info.Kind + "@" + S.Info.At;
    for (auto &[Id, Caller] : S.Contexts)
      Calls[Id] = Caller.Calls;
    for (const SiteRow::Range &Part : S.Ranges)
      Ranges[Part.Id] = Part.At;
  }
}

void RowPrinter::print(const AccessRow &A) {
  OS << "  " << A.At << ' ';
  if (A.Sites.empty())
    OS << '?';
  OS << join(namesOf(A.Sites), ",");
  StringRef From = " from ";
  for (uint64_t C : A.Contexts) {
    OS << From << join(Calls[C], "<");
    From = " or ";
  }
  From = " range ";
  for (uint64_t Part : A.Ranges) {
    OS << From << Ranges[Part];
    From = " or ";
  }
  OS << ' ' << accessClassName(A.Class);
  if (A.Stride)
    OS << '(' << *A.Stride << ')';
  else if (A.StrideBy)
    OS << '(' << text(A.StrideBy) << ')';
  if (A.Points)
    OS << " points " << *A.Points;
  OS << " element " << A.ElementBytes << (A.Dependent ? " dependent" : "")
     << " reads " << text(A.Reads) << " writes " << text(A.Writes);
  OS << (A.Exact ? " exact" : " bound");
  if (!A.Library.empty())
    OS << " by " << A.Library;
  if (!A.Why.empty())
    OS << " why " << A.Why;
  OS << '\n';
  printMore(A);
}

/// Prints the columns that only some rows have.
void RowPrinter::printMore(const AccessRow &A) {
  std::vector<std::string> More;
  for (auto &[Name, C] : {std::pair("atomics ", A.Atomics),
                          {"conditional ", A.Conditional},
                          {"reuse ", A.Reuse},
                          {"run ", A.Run}})
    if (C)
      More.push_back(Name + text(C));
  if (A.Blocks)
    More.push_back(
        ("blocks " + accessClassName(*A.Blocks)).str() +
        (A.BlockStride ? "(" + text(A.BlockStride) + ")" : "") +
        (A.BlockBytes ? " of " + text(A.BlockBytes) + " bytes" : ""));
  if (A.Dimensions)
    More.push_back("dimensions " + std::to_string(*A.Dimensions));
  if (!A.IndexSites.empty())
    More.push_back("index " + join(namesOf(A.IndexSites), ","));
  if (!More.empty())
    OS << "    " << join(More, "; ") << '\n';
}

void RowPrinter::print(const SiteRow &S) {
  OS << "site " << S.Info.Kind << ' ' << S.Info.At << " size "
     << (S.Size || !S.Sizes.empty() ? "" : "?");
  ListSeparator Or(" or ");
  if (S.Size)
    OS << text(S.Size);
  for (const CountRef &C : S.Sizes)
    OS << Or << text(C);
  OS << ' ' << stateName(S.State) << '\n';
  for (auto &[Id, Caller] : S.Contexts)
    OS << "context " << S.Info.Kind << ' ' << S.Info.At << " from "
       << join(Caller.Calls, "<") << " size "
       << (Caller.Size ? text(Caller.Size) : "?") << '\n';
  for (const SiteRow::Range &Part : S.Ranges)
    OS << "range " << S.Info.Kind << ' ' << S.Info.At << " at " << Part.At
       << " offset " << (Part.Offset ? text(Part.Offset) : "?") << " size "
       << (Part.Size ? text(Part.Size) : "?") << '\n';
  if (!S.Table)
    return;
  OS << "table " << S.Info.Kind << ' ' << S.Info.At << " row "
     << (S.Table->RowBytes ? text(S.Table->RowBytes) : "?") << " index "
     << (S.Table->Loaded ? "loaded" : "computed");
  if (!S.Table->IndexSites.empty())
    OS << " from " << join(namesOf(S.Table->IndexSites), ",");
  if (!S.Table->Why.empty())
    OS << " why " << S.Table->Why;
  OS << '\n';
}

void RowPrinter::print(const SymbolRow &S) {
  OS << "symbol " << S.Name << ' ' << kindName(S.Kind) << ' '
     << (S.PerTask ? "task" : "program") << ' ' << S.At;
  if (S.ScalesWith)
    OS << " scales with " << text(S.ScalesWith);
  if (S.NotBelow0)
    OS << " from 0";
  if (S.Value)
    OS << " = " << text(S.Value);
  OS << '\n';
}

void printAccesses(const EkAccessResult &R, raw_ostream &OS) {
  RowPrinter Rows(R, OS);
  for (const RegionInfo &G : R.RegionRows) {
    OS << "region " << regionKindName(G.Kind) << ' ' << G.At << " in "
       << G.Function << '\n';
    for (const AccessRow &A : R.Rows)
      if (A.Region == G.Id)
        Rows.print(A);
  }
  for (const SiteRow &S : R.SiteRows)
    Rows.print(S);
  for (const SymbolRow &S : R.SymbolRows)
    Rows.print(S);
  for (const SymbolRow &S : R.SymbolRows)
    if (S.Input)
      OS << "input " << S.Name << " from " << inputText(S.Input, R.InputRows)
         << '\n';
  for (auto &[Why, N] : R.GiveUps)
    OS << "giveup " << Why << ' ' << N << '\n';
}

PreservedAnalyses AccessPrinter::run(Module &M, ModuleAnalysisManager &AM) {
  printAccesses(AM.getResult<EkAccess>(M), OS);
  return PreservedAnalyses::all();
}

} // namespace evenkeel
