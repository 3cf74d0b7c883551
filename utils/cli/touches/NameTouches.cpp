//===- NameTouches.cpp - names for the memory of watched processes --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: a block is named by the innermost source line of its call stack that
// no compiler or system library brought along: a wrapper names its own line,
// and the stack tells its callers apart.
//===----------------------------------------------------------------------===//
#include "NameTouches.h"
#include "cli/common/Cli.h"
#include "cli/common/Siblings.h"
#include "cli/programs/Process.h"
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;
using nlohmann::json;

static std::string fileName(const std::string &Path) {
  return fs::path(Path).filename().string();
}

/// Whether a library came with the system, so that its code allocates for
/// others.
static bool isSystemModule(const std::string &Path) {
  return Path.rfind("/lib", 0) == 0 || Path.rfind("/usr/lib", 0) == 0;
}

static std::string hex(uint64_t N) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "0x%llx",
                static_cast<unsigned long long>(N));
  return Text;
}

/* --- asking -----------------------------------------------------------------
 */

namespace {
struct Question {
  std::set<uint64_t> Addresses;
  bool Data = false;
};
} // namespace

static std::map<std::string, Question>
questionsOf(const std::vector<RawTouches> &Processes) {
  std::map<std::string, Question> Files;
  for (const RawTouches &P : Processes) {
    auto Path = [&](uint32_t Module) {
      auto Its = P.Modules.find(Module);
      return Its == P.Modules.end() ? std::string() : Its->second.Path;
    };
    for (const auto &[Id, O] : P.Objects) {
      for (uint32_t I = 0; I < O.frame_count; ++I)
        if (std::string In = Path(O.frames[I].module); !In.empty())
          Files[In].Addresses.insert(O.frames[I].address);
      if (std::string In = Path(O.module);
          O.kind == EK_TOUCH_DATA && !In.empty() && !isSystemModule(In))
        Files[In].Data = true;
    }
  }
  return Files;
}

static SourceFrame frameOf(const json &J) {
  return {J.at(0).get<std::string>(), J.at(1).get<std::string>(),
          J.at(2).get<uint64_t>(), J.at(3).get<bool>()};
}

static ModuleNames namesFrom(const json &J, const Question &Q) {
  ModuleNames Out;
  size_t I = 0;
  for (uint64_t Address : Q.Addresses)
    for (const json &F : J.at("frames").at(I++))
      Out.Frames[Address].push_back(frameOf(F));
  for (const json &O : J.at("objects"))
    Out.Objects.push_back({O.at(0).get<std::string>(),
                           O.at(3).get<std::string>(), O.at(1).get<uint64_t>(),
                           O.at(2).get<uint64_t>(), O.at(4).get<uint64_t>()});
  std::sort(Out.Objects.begin(), Out.Objects.end(),
            [](auto &A, auto &B) { return A.Address < B.Address; });
  return Out;
}

std::map<std::string, ModuleNames>
evenkeel::cli::namesOf(const std::vector<RawTouches> &Processes,
                       const std::string &Folder) {
  const std::map<std::string, Question> Files = questionsOf(Processes);
  json Asked = json::array();
  for (const auto &[Path, Q] : Files)
    Asked.push_back(
        {{"path", Path}, {"addresses", Q.Addresses}, {"data", Q.Data}});
  const std::string In = Folder + "/addresses", Out = Folder + "/lines";
  writeFile(In, Asked.dump(-1, ' ', false, json::error_handler_t::replace));
  const JobResult Ran = runJob(
      Job{{siblingProgram("evenkeel-lines"), In, Out}, "", {}, true, false});
  if (Ran.Status != 0)
    fail("evenkeel-lines: " + firstError(Ran.Err));
  std::map<std::string, ModuleNames> Names;
  const json Told = json::parse(readTextFile(Out));
  size_t I = 0;
  for (const auto &[Path, Q] : Files)
    Names[Path] = namesFrom(Told.at(I++), Q);
  return Names;
}

/* --- naming -----------------------------------------------------------------
 */

namespace {
/// One process on its way into the record.
class Namer {
  const RawTouches &From;
  const std::map<std::string, ModuleNames> &Names;
  const uint32_t Process;
  TouchRecord &To;
  std::map<uint32_t, uint32_t> Whole;                       // by raw id
  std::map<std::pair<uint32_t, uint64_t>, uint32_t> Static; // and address
  std::map<std::vector<std::string>, uint32_t> Ordinals;

  const RawModule *module(uint32_t Index) const {
    auto Its = From.Modules.find(Index);
    return Its == From.Modules.end() ? nullptr : &Its->second;
  }
  const ModuleNames *names(const RawModule *M) const {
    auto Its = M ? Names.find(M->Path) : Names.end();
    return Its == Names.end() ? nullptr : &Its->second;
  }
  void nameByStack(const ek_touch_object &O, TouchObject &X) const;
  void addFrames(const ek_touch_object &O, TouchObject &X) const;
  uint32_t add(TouchObject X);
  uint32_t whole(const ek_touch_object &O);
  uint32_t staticObject(const ek_touch_object &O, const StaticObject &S,
                        uint64_t Bias);
  void addPieces(const ek_touch_row &Row, const ek_touch_object &O);

public:
  Namer(const RawTouches &From, const std::map<std::string, ModuleNames> &Names,
        TouchRecord &To)
      : From(From), Names(Names),
        Process(static_cast<uint32_t>(To.Processes.size())), To(To) {}
  void addAll();
};
} // namespace

static const char *kindName(uint32_t Kind) {
  switch (Kind) {
  case EK_TOUCH_BLOCK:
    return "block";
  case EK_TOUCH_MAP:
    return "mapping";
  case EK_TOUCH_HEAP:
    return "heap";
  case EK_TOUCH_STACK:
    return "stack";
  case EK_TOUCH_DATA:
    return "data";
  case EK_TOUCH_FILE:
    return "file";
  default:
    return "unnamed";
  }
}

static std::string atText(const SourceFrame &F) {
  return F.Line ? F.File + ":" + std::to_string(F.Line) : F.File;
}

/// The call stack as the runtime finds it again, whatever names there are.
void Namer::addFrames(const ek_touch_object &O, TouchObject &X) const {
  for (uint32_t I = 0; I < O.frame_count; ++I) {
    const RawModule *M = module(O.frames[I].module);
    char Address[20];
    std::snprintf(Address, sizeof Address, "!%llx",
                  static_cast<unsigned long long>(O.frames[I].address));
    X.Frames.push_back((M ? fileName(M->Path) : "?") + Address);
  }
}

void Namer::nameByStack(const ek_touch_object &O, TouchObject &X) const {
  std::string Function; // of the innermost frame without a source line
  for (uint32_t I = 0; I < O.frame_count; ++I) {
    const RawModule *M = module(O.frames[I].module);
    const ModuleNames *N = names(M);
    const auto Its =
        N ? N->Frames.find(O.frames[I].address) : decltype(N->Frames.end())();
    const bool System = !M || isSystemModule(M->Path);
    const bool Known = N && Its != N->Frames.end();
    for (const SourceFrame &F :
         Known ? Its->second : std::vector<SourceFrame>()) {
      if (System || F.System || F.File.empty())
        continue;
      X.Stack.push_back(F.Function + " (" + atText(F) + ")");
      if (X.Name.empty())
        X.Name = atText(F);
    }
    if (!System && Function.empty() && M) {
      const std::string Its0 =
          Known && !Its->second.empty() ? Its->second[0].Function : "";
      Function = (Its0.empty() ? hex(O.frames[I].address) : Its0) + " in " +
                 fileName(M->Path);
    }
  }
  if (X.Name.empty())
    X.Name = Function.empty() ? "libraries of the system" : Function;
}

uint32_t Namer::add(TouchObject X) {
  std::vector<std::string> Key = X.Stack;
  Key.push_back(X.Kind);
  Key.push_back(X.Name);
  X.Process = Process;
  X.Ordinal = Ordinals[Key]++;
  To.Objects.push_back(std::move(X));
  return static_cast<uint32_t>(To.Objects.size() - 1);
}

uint32_t Namer::whole(const ek_touch_object &O) {
  auto [Its, New] = Whole.try_emplace(O.id, 0);
  if (!New)
    return Its->second;
  const RawModule *M = module(O.module);
  TouchObject X;
  X.Kind = kindName(O.kind);
  X.Address = O.base;
  X.Bytes = O.bytes;
  X.BornNs = O.born_ns;
  switch (O.kind) {
  case EK_TOUCH_BLOCK:
  case EK_TOUCH_MAP:
    nameByStack(O, X);
    addFrames(O, X);
    break;
  case EK_TOUCH_HEAP:
    X.Name = "small blocks of the heap";
    break;
  case EK_TOUCH_STACK:
    X.Name = "stack of the first thread";
    break;
  case EK_TOUCH_DATA:
    X.Name = "static storage of " + (M ? fileName(M->Path) : "a library");
    break;
  case EK_TOUCH_FILE:
    X.Name = M ? fileName(M->Path) : "shared memory";
    break;
  default:
    X.Name = "stacks of threads, arenas, other anonymous memory";
  }
  return Its->second = add(std::move(X));
}

uint32_t Namer::staticObject(const ek_touch_object &O, const StaticObject &S,
                             uint64_t Bias) {
  auto [Its, New] = Static.try_emplace({O.id, S.Address}, 0);
  if (!New)
    return Its->second;
  TouchObject X;
  X.Kind = "data";
  X.Name = S.Line && !S.File.empty()
               ? S.Name + " (" + S.File + ":" + std::to_string(S.Line) + ")"
               : S.Name;
  X.Address = S.Address + Bias;
  X.Bytes = S.Bytes;
  return Its->second = add(std::move(X));
}

/// Takes the part of \p Left that \p Pages of \p All have.
static uint32_t take(uint32_t &Left, uint64_t Pages, uint64_t All) {
  if (Left == TouchRow::Unknown)
    return Left;
  const auto N = static_cast<uint32_t>((Left * Pages + All / 2) / All);
  Left -= N;
  return N;
}

/// Shares a chunk of static storage out among the symbols in it, by pages.
void Namer::addPieces(const ek_touch_row &Row, const ek_touch_object &O) {
  const uint64_t Page = From.Header.page_bytes;
  const RawModule *M = module(O.module);
  const ModuleNames *N = names(M);
  static const std::vector<StaticObject> None;
  const std::vector<StaticObject> &Objects =
      N && O.kind == EK_TOUCH_DATA ? N->Objects : None;
  const uint64_t Bias = M ? M->Bias : 0;
  const uint64_t Begin = O.base / Page * Page, From0 = Begin + Row.first * Page,
                 End = From0 + Row.pages * Page;
  uint64_t Left = Row.pages;
  uint32_t Resident = Row.resident, Touched = Row.touched,
           Written = Row.written,
           Samples = From.Header.mechanism & EK_TOUCH_BY_LOADS
                         ? Row.samples
                         : TouchRow::Unknown;
  auto Add = [&](uint32_t Object, uint64_t Base, uint64_t At, uint64_t Next) {
    const uint64_t Pages = (Next - At) / Page;
    TouchRow X;
    X.Pass = static_cast<uint32_t>(To.Passes.size() - 1);
    X.Object = Object;
    X.First = static_cast<uint32_t>((At - Base) / Page);
    X.Pages = static_cast<uint32_t>(Pages);
    X.Resident = take(Resident, Pages, Left);
    X.Touched = take(Touched, Pages, Left);
    X.Written = take(Written, Pages, Left);
    X.Samples = take(Samples, Pages, Left);
    Left -= Pages;
    To.Rows.push_back(X);
  };
  uint64_t At = From0;
  for (const StaticObject &S : Objects) {
    const uint64_t First = (S.Address + Bias) / Page * Page;
    const uint64_t Last = (S.Address + Bias + S.Bytes + Page - 1) / Page * Page;
    // A page that two symbols share is the first one's: at the end of the chunk
    // nothing of it is left for the second one.
    if (Last <= At || First >= End || At >= End)
      continue;
    if (First > At)
      Add(whole(O), Begin, At, First);
    const uint64_t Piece = std::max(First, At), Next = std::min(Last, End);
    Add(staticObject(O, S, Bias), First, Piece, Next);
    At = Next;
  }
  if (At < End)
    Add(whole(O), Begin, At, End);
}

static std::map<std::string, uint64_t> notesOf(const ek_touch_notes &N) {
  std::map<std::string, uint64_t> Notes;
  auto Add = [&](const char *Name, uint32_t Count) {
    if (Count)
      Notes[Name] = Count;
  };
  Add("table-full", N.table_full);
  Add("not-named", N.not_named);
  Add("not-split", N.not_split);
  Add("rows-left-out", N.rows_left_out);
  Add("modules-left-out", N.modules_left_out);
  Add("samples-lost", N.samples_lost);
  return Notes;
}

void Namer::addAll() {
  TouchProcess P;
  P.Program.assign(From.Header.program,
                   strnlen(From.Header.program, sizeof From.Header.program));
  if (From.Header.rank >= 0)
    P.Rank = static_cast<uint32_t>(From.Header.rank);
  P.Ended = From.End.has_value();
  P.Notes = notesOf(From.Notes);
  if (!From.Passes.empty()) {
    P.ProgramNs = From.Passes.back().Pass.program_ns;
    P.SpentNs = From.Passes.back().Pass.spent_ns;
  }
  if (From.End)
    P.ProgramNs = std::max(P.ProgramNs, From.End->program_ns);
  To.Processes.push_back(P);
  // Ordinals count allocations, whatever the addresses.
  for (const auto &[Id, O] : From.Objects)
    if (O.kind == EK_TOUCH_BLOCK || O.kind == EK_TOUCH_MAP)
      whole(O);
  for (const RawTouchPass &Pass : From.Passes) {
    To.Passes.push_back({Process, Pass.Pass.time_ns, Pass.Pass.window_ns,
                         Pass.Pass.resident_pages, Pass.Pass.chunk_bytes});
    for (const ek_touch_row &Row : Pass.Rows)
      addPieces(Row, From.Objects.at(Row.object));
  }
}

TouchRecord
evenkeel::cli::namedRecord(const std::vector<RawTouches> &Processes,
                           const std::map<std::string, ModuleNames> &Names) {
  TouchRecord R;
  for (const RawTouches &P : Processes) {
    R.PageBytes = P.Header.page_bytes;
    R.Mechanism = ek_touch_name(P.Header.mechanism);
    R.OverheadLimit = P.Header.overhead;
    Namer(P, Names, R).addAll();
  }
  return R;
}
