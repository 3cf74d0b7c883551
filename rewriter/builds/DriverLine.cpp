//===- DriverLine.cpp - a compiler driver's command line ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DriverLine.h.
//===----------------------------------------------------------------------===//
#include "DriverLine.h"
#include "ResponseFiles.h"
#include "Words.h"
#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace evenkeel {

static const char *const GccOptions[] = {
#define EK_GCC_OPTION(Name) Name,
#include "GccOptions.def"
#undef EK_GCC_OPTION
};

static bool matches(const std::string &Name, const std::string &Pattern) {
  if (Pattern.back() == '*')
    return startsWith(Name, Pattern.substr(0, Pattern.size() - 1));
  return Name == Pattern;
}

bool isGccOnly(const std::string &Option) {
  if (Option.size() < 2 || Option[0] != '-')
    return false;
  std::string Name = Option.substr(1);
  if ((Name[0] == 'f' || Name[0] == 'm') && Name.compare(1, 3, "no-") == 0)
    Name.erase(1, 3);
  return std::any_of(std::begin(GccOptions), std::end(GccOptions),
                     [&](const char *P) { return matches(Name, P); });
}

/// Whether the option's value is the next word.
static bool takesNext(const std::string &Word) {
  static const std::set<std::string> Names = {"-o",
                                              "-x",
                                              "-I",
                                              "-D",
                                              "-U",
                                              "-L",
                                              "-l",
                                              "-B",
                                              "-F",
                                              "-T",
                                              "-u",
                                              "-z",
                                              "-e",
                                              "-A",
                                              "-G",
                                              "-MF",
                                              "-MT",
                                              "-MQ",
                                              "-MJ",
                                              "-include",
                                              "-imacros",
                                              "-include-pch",
                                              "-isystem",
                                              "-iquote",
                                              "-idirafter",
                                              "-iprefix",
                                              "-iwithprefix",
                                              "-iwithprefixbefore",
                                              "-isysroot",
                                              "-imultilib",
                                              "-ivfsoverlay",
                                              "-iframework",
                                              "-Xclang",
                                              "-Xlinker",
                                              "-Xassembler",
                                              "-Xpreprocessor",
                                              "-Xanalyzer",
                                              "-mllvm",
                                              "-arch",
                                              "-target",
                                              "-dumpbase",
                                              "-dumpbase-ext",
                                              "-dumpdir",
                                              "-aux-info",
                                              "--param",
                                              "--sysroot",
                                              "-resource-dir",
                                              "-gcc-toolchain",
                                              "-wrapper",
                                              "-specs",
                                              "-rpath",
                                              "-Tbss",
                                              "-Tdata",
                                              "-Ttext",
                                              "-framework",
                                              "-plugin-arg",
                                              "-load",
                                              "-serialize-diagnostics",
                                              "--serialize-diagnostics",
                                              "--config",
                                              "--language",
                                              "--output"};
  return Names.count(Word) != 0;
}

namespace {
enum class Kind { Other, CFamily, Preprocessed, Assembler, Header };
}

static Kind kindOfLanguage(const std::string &Language) {
  static const std::map<std::string, Kind> Kinds = {
      {"c", Kind::CFamily},
      {"c++", Kind::CFamily},
      {"cpp-output", Kind::Preprocessed},
      {"c-cpp-output", Kind::Preprocessed},
      {"c++-cpp-output", Kind::Preprocessed},
      {"assembler-with-cpp", Kind::Assembler},
      {"c-header", Kind::Header},
      {"c++-header", Kind::Header},
      {"c++-user-header", Kind::Header},
      {"c++-system-header", Kind::Header}};
  auto It = Kinds.find(Language);
  return It == Kinds.end() ? Kind::Other : It->second;
}

static Kind kindOfFile(const std::string &Path) {
  size_t Slash = Path.rfind('/'), Dot = Path.rfind('.');
  if (Dot == std::string::npos || (Slash != std::string::npos && Dot < Slash))
    return Kind::Other;
  static const std::map<std::string, Kind> Kinds = {
      {"c", Kind::CFamily},       {"cc", Kind::CFamily},
      {"cp", Kind::CFamily},      {"cpp", Kind::CFamily},
      {"CPP", Kind::CFamily},     {"cxx", Kind::CFamily},
      {"C", Kind::CFamily},       {"c++", Kind::CFamily},
      {"CC", Kind::CFamily},      {"CXX", Kind::CFamily},
      {"C++", Kind::CFamily},     {"i", Kind::Preprocessed},
      {"ii", Kind::Preprocessed}, {"S", Kind::Assembler},
      {"sx", Kind::Assembler},    {"h", Kind::Header},
      {"hh", Kind::Header},       {"hp", Kind::Header},
      {"hpp", Kind::Header},      {"hxx", Kind::Header},
      {"H", Kind::Header},        {"h++", Kind::Header}};
  auto It = Kinds.find(Path.substr(Dot + 1));
  return It == Kinds.end() ? Kind::Other : It->second;
}

namespace {

class Reader {
  DriverLine &Line;
  std::string &Problem;
  std::string Language, Pending; // Pending: option whose value comes next
  bool OnlyInputs = false;       // after `--`

public:
  Reader(DriverLine &Line, std::string &Problem)
      : Line(Line), Problem(Problem) {}

  /// Whether \p Word is passed to the compiler.
  bool keep(const std::string &Word) {
    const std::string Before = Pending;
    const size_t Inputs = Line.Files.size();
    const bool Kept = read(Word);
    if (!Kept)
      return false;
    Line.Expanded.push_back({Word, Line.Files.size() > Inputs});
    const bool IsOutput = isOutput(Before) || isOutput(Word) ||
                          (Before.empty() && startsWith(Word, "-o"));
    if (!IsOutput && Line.Files.size() == Inputs && Word != "-c" &&
        Word != "--compile" && Word != "--")
      Line.Options.push_back(Word);
    return true;
  }

private:
  static bool isOutput(const std::string &Option) {
    return Option == "-o" || Option == "--output";
  }

  bool read(const std::string &Word) {
    if (!Pending.empty()) {
      if (Pending == "-x" || Pending == "--language")
        Language = Word == "none" ? "" : Word;
      else if (Pending == "-l" && Word == "c")
        Line.NamesLibc = true;
      if (Pending == "-l") {
        Line.HasInputs = true;
        Line.Libraries.push_back(Word);
      } else if (Pending == "-L") {
        Line.Folders.push_back(Word);
      }
      Pending.clear();
      return true;
    }
    if (OnlyInputs || Word.empty() || Word[0] != '-' || Word == "-") {
      input(Word);
      return true;
    }
    if (takesNext(Word)) {
      Pending = Word;
      return true;
    }
    if (own(Word))
      return false;
    if (isGccOnly(Word)) {
      Line.Dropped.push_back(Word);
      return false;
    }
    option(Word);
    return true;
  }

  void input(const std::string &Word) {
    Line.HasInputs = true;
    Line.Files.push_back(Word);
    Kind K = Language.empty() ? kindOfFile(Word) : kindOfLanguage(Language);
    Line.HasIncludes |=
        K == Kind::CFamily || K == Kind::Assembler || K == Kind::Header;
    if (K == Kind::Header)
      Line.Until = std::min(Line.Until, Stage::Check); // precompiled
    if (K != Kind::CFamily && K != Kind::Preprocessed)
      return;
    if (!Line.HasSources)
      Line.FirstSource = Word;
    Line.HasSources = true;
  }

  bool value(const std::string &Word, const char *Name, std::string &Into,
             const char *Example) {
    std::string Option = std::string("--") + Name;
    if (Word == Option)
      Problem = Option + " needs a value: " + Example;
    else if (startsWith(Word, Option + "="))
      Into = Word.substr(Option.size() + 1);
    else
      return false;
    return true;
  }

  bool own(const std::string &Word) {
    if (value(Word, "record", Line.Record,
              "--record=misses, sampled or counts") ||
        value(Word, "plan", Line.Plan, "--plan=plan.json") ||
        value(Word, "root", Line.Root, "--root=DIR"))
      return true;
    if (std::string Names;
        value(Word, "wrapper", Names, "--wrapper=NAME,...")) {
      Line.Wrappers += (Line.Wrappers.empty() ? "" : ",") + Names;
      return true;
    }
    if (Word != "--no-rewrite")
      return false;
    Line.Rewrite = false;
    return true;
  }

  void until(Stage S) { Line.Until = std::min(Line.Until, S); }

  void option(const std::string &Word) {
    if (Word == "--")
      OnlyInputs = true;
    else if (Word == "--help")
      Line.Help = true;
    else if (Word == "-c" || Word == "--compile")
      until(Stage::Object);
    else if (Word == "-S" || Word == "--assemble" || Word == "-emit-llvm")
      until(Stage::Assembly);
    else if (Word == "-fsyntax-only" || Word == "--analyze" ||
             Word == "--precompile")
      until(Stage::Check);
    else if (Word == "-E" || Word == "--preprocess" || Word == "-M" ||
             Word == "-MM")
      until(Stage::Preprocess);
    else if (Word == "-r")
      Line.Relocatable = true;
    else if (Word == "-shared")
      Line.Shared = true;
    else if (Word == "-static" || Word == "-static-pie" || Word == "--static")
      Line.Static = true;
    else if (Word == "-nostdlib" || Word == "-nodefaultlibs")
      Line.NoLibraries = true;
    else if (Word == "-lc")
      Line.NamesLibc = Line.HasInputs = true;
    else if (startsWith(Word, "-l")) {
      Line.HasInputs = true;
      Line.Libraries.push_back(Word.substr(2));
    } else if (startsWith(Word, "-L"))
      Line.Folders.push_back(Word.substr(2));
    else if (startsWith(Word, "-fuse-ld="))
      Line.Linker = Word.substr(9);
    else if (startsWith(Word, "--ld-path="))
      Line.Linker = Word.substr(10);
    else if (Word == "-fno-lto")
      Line.LinkTime = false;
    else if (Word == "-flto" || startsWith(Word, "-flto="))
      Line.LinkTime = true;
    else if (startsWith(Word, "-x"))
      Language = Word == "-xnone" ? "" : Word.substr(2);
    else if (startsWith(Word, "-O"))
      Line.Optimised = true;
    else if (Word == "-g0")
      Line.Debug = false;
    else if (Word == "-g" || Word == "-g1" || Word == "-g2" || Word == "-g3" ||
             startsWith(Word, "-ggdb") || startsWith(Word, "-gdwarf") ||
             startsWith(Word, "-gline") || Word == "-gmlt" || Word == "-gfull")
      Line.Debug = true;
    else if (startsWith(Word, "-fsanitize="))
      Line.AddressSanitizer |=
          ("," + Word.substr(11) + ",").find(",address,") != std::string::npos;
  }
};

} // namespace

/// Reads \p Arguments, including response files. Returns whether the compiler
/// can get \p Arguments unchanged.
static bool readWords(const std::vector<std::string> &Arguments, Reader &R,
                      std::vector<std::string> &Kept, unsigned Depth) {
  const unsigned TooDeep = 32; // files that name each other; clang will say so
  bool Same = true;
  for (const std::string &Word : Arguments) {
    std::optional<std::vector<std::string>> File;
    if (Depth < TooDeep)
      File = readResponse(Word, "");
    if (File) {
      std::vector<std::string> Inside;
      if (readWords(*File, R, Inside, Depth + 1)) {
        Kept.push_back(Word);
      } else {
        Kept.insert(Kept.end(), Inside.begin(), Inside.end());
        Same = false;
      }
      continue;
    }
    if (R.keep(Word))
      Kept.push_back(Word);
    else
      Same = false;
  }
  return Same;
}

DriverLine readDriverLine(const std::vector<std::string> &Arguments,
                          std::string &Problem) {
  DriverLine Line;
  Reader R(Line, Problem);
  readWords(Arguments, R, Line.Words, 0);
  return Line;
}

} // namespace evenkeel
