//===- Cli.cpp - options, tables, units, files of commands ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Cli.h.
//===----------------------------------------------------------------------===//
#include "Cli.h"
#include "Ending.h"
#include "format/File.h"
#include "format/Machine.h"
#include "format/Nearest.h"
#include "format/Utf8.h"
#include "text/Units.h"
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace evenkeel::cli {

void fail(const std::string &Line) { throw Failure{Line}; }

void orFail(const MaybeError &E) {
  if (E)
    fail(E->Message);
}

std::string Args::text(const std::string &Name) const {
  auto It = Values.find(Name);
  if (It != Values.end())
    return It->second.back();
  if (Options)
    for (const Option &O : *Options)
      if (Name == O.Name && O.Default)
        return O.Default;
  return "";
}

std::vector<std::string> Args::all(const std::string &Name) const {
  auto It = Values.find(Name);
  return It == Values.end() ? std::vector<std::string>() : It->second;
}

void Args::requireAll(const std::vector<std::string> &Names) const {
  std::string Missing;
  for (const std::string &Name : Names)
    if (text(Name).empty())
      Missing += (Missing.empty() ? "" : " ") + Name;
  if (!Missing.empty())
    fail("missing " +
         std::string(Missing.find(' ') == std::string::npos ? "option "
                                                            : "options ") +
         Missing + "; see --help");
}

std::string Args::require(const std::string &Name) const {
  std::string V = text(Name);
  if (V.empty())
    fail("missing option " + Name + "; see --help");
  return V;
}

/// Reports the unexpected word \p At, with a guess at what was meant.
[[noreturn]] static void refuseWord(const Subcommand &C,
                                    const std::vector<std::string> &Words,
                                    size_t At) {
  std::string Hint = "see evenkeel " + std::string(C.Name) + " --help";
  // A program begins with its own name, which is no NAME=VALUE.
  if (At > 1 && Words[At - 2].compare(0, 2, "--") == 0 &&
      (C.Takes != Subcommand::Program ||
       Words[At].find('=') != std::string::npos))
    Hint = "to give several values, repeat " + Words[At - 2];
  else if (C.Takes == Subcommand::Program)
    Hint = "write the program and its arguments after --";
  fail("unexpected '" + Words[At] + "'; " + Hint);
}

Args parseArgs(const Subcommand &C, const std::vector<std::string> &Words,
               const std::vector<Option> &Options) {
  Args A;
  A.Options = &Options;
  for (size_t I = 0; I < Words.size(); ++I) {
    const std::string &W = Words[I];
    if (W == "--") {
      if (C.Takes != Subcommand::Program)
        fail(std::string(C.Name) +
             " runs no program; leave out -- and what follows it");
      A.Command.assign(Words.begin() + I + 1, Words.end());
      break;
    }
    if (W.size() < 2 || W[0] != '-') {
      if (C.Takes != Subcommand::Names)
        refuseWord(C, Words, I);
      A.Positional.push_back(W);
      continue;
    }
    std::string Name = W, Value;
    bool Inline = false;
    if (size_t Eq = W.find('='); W[1] == '-' && Eq != std::string::npos) {
      Name = W.substr(0, Eq);
      Value = W.substr(Eq + 1);
      Inline = true;
    }
    const Option *Found = nullptr, *Nearest = nullptr;
    size_t Best = 4;
    for (const Option &O : Options) {
      if (Name == O.Name || (O.Alias && Name == O.Alias))
        Found = &O;
      // -j4, -pBUILD: the value follows the letter directly.
      if (O.Alias && O.Value && W[1] != '-' && W.size() > 2 &&
          W.compare(0, 2, O.Alias) == 0) {
        Found = &O;
        Value = W.substr(2);
        Inline = true;
        break;
      }
      if (size_t D = editDistance(Name, O.Name); D < Best) {
        Best = D;
        Nearest = &O;
      }
    }
    if (!Found)
      fail("unknown option '" + Name + "' of " + C.Name +
           (Nearest ? std::string("; did you mean ") + Nearest->Name + "?"
                    : std::string("; see evenkeel ") + C.Name + " --help"));
    if (!Found->Value) {
      if (Inline)
        fail(std::string(Found->Name) + " takes no value");
      A.Values[Found->Name].push_back("");
      continue;
    }
    if (!Inline) {
      if (I + 1 >= Words.size())
        fail(std::string(Found->Name) + " needs a value: " + Found->Value);
      Value = Words[++I];
    }
    const bool Several =
        std::string(Found->Value).find(',') != std::string::npos;
    // An empty value may be an unset shell variable; only lists may be empty.
    if (Value.empty() && !Several)
      fail(std::string(Found->Name) + " needs a value: " + Found->Value);
    // --fast means the same in every command, and is checked before any work.
    // Commands that take several amounts, or all that there is, show that in
    // Option::Value.
    const bool All = Value == "all" && std::strstr(Found->Value, "|all");
    if (Found->Name == std::string("--fast") && !All) {
      for (const std::string &Amount :
           Several ? splitList(Value, ',') : std::vector<std::string>{Value})
        if (MaybeError E = checkFastSize(Amount))
          fail("--fast: " + E->Message);
    }
    A.Values[Found->Name].push_back(Value);
  }
  return A;
}

std::vector<std::string> splitList(const std::string &Text, char Separator) {
  std::vector<std::string> Out;
  std::stringstream S(Text);
  for (std::string Part; std::getline(S, Part, Separator);)
    if (!Part.empty())
      Out.push_back(Part);
  return Out;
}

Table::Table(std::vector<std::string> Header) {
  for (std::string &H : Header) {
    Right.push_back(!H.empty() && H[0] == '>');
    if (Right.back())
      H.erase(0, 1);
  }
  Rows.push_back(std::move(Header));
}

void Table::row(std::vector<std::string> Cells) {
  Cells.resize(Right.size());
  Rows.push_back(std::move(Cells));
}

std::string Table::str() const {
  std::vector<size_t> Width(Right.size());
  for (const auto &R : Rows)
    for (size_t I = 0; I < R.size(); ++I)
      Width[I] = std::max(Width[I], R[I].size());
  std::string Out;
  for (const auto &R : Rows) {
    std::string Line;
    for (size_t I = 0; I < R.size(); ++I) {
      std::string Pad(Width[I] - R[I].size(), ' ');
      Line += (I ? "  " : "") + (Right[I] ? Pad + R[I] : R[I] + Pad);
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    Out += Line + "\n";
  }
  return Out;
}

std::string bytesText(double B) {
  return B < 0 ? "-" + bytesText(-B) : bytesToText(uint64_t(B));
}

std::string countText(double N) { return countToText(N); }

std::string secondsText(double S) { return secondsToText(S); }

std::string durationText(double S) {
  const auto Minutes = long(std::lround(S / 60));
  if (S < 100) {
    char Buffer[64];
    std::snprintf(Buffer, sizeof Buffer, S < 10 ? "%.2f s" : "%.0f s", S);
    return Buffer;
  }
  if (Minutes < 100)
    return std::to_string(Minutes) + " min";
  return std::to_string(Minutes / 60) + " h " + std::to_string(Minutes % 60) +
         " min";
}

std::string percentText(double Share) { return percentToText(Share); }

/// A character of a page or picture. XML has no place for control characters,
/// for U+FFFE and U+FFFF, and for bytes that are no character.
static std::string escapedCharacter(const std::string &Text, size_t At,
                                    const Utf8Character &C) {
  switch (C.Code) {
  case '&':
    return "&amp;";
  case '<':
    return "&lt;";
  case '>':
    return "&gt;";
  case '"':
    return "&quot;";
  case '\'':
    return "&#39;";
  default:
    if (!C.Bytes || C.Code == 0xfffe || C.Code == 0xffff)
      return "\ufffd";
    return C.Code < ' ' ? " " : Text.substr(At, C.Bytes);
  }
}

std::string escaped(const std::string &Text) {
  std::string Out;
  for (size_t I = 0; I < Text.size();) {
    const Utf8Character C = utf8At(Text, I);
    Out += escapedCharacter(Text, I, C);
    I += std::max(1u, C.Bytes);
  }
  return Out;
}

std::string shownPath(const std::string &Path) {
  std::error_code E;
  const std::filesystem::path Short =
      std::filesystem::proximate(Path, std::filesystem::current_path(E), E);
  return E || Short.string().rfind("..", 0) == 0 ? Path : Short.string();
}

std::string readTextFile(const std::string &Path) {
  return orFail(readWholeFile(Path));
}

void refuseInput(const std::string &Path,
                 const std::vector<std::string> &Inputs) {
  std::error_code Ignored;
  for (const std::string &In : Inputs)
    if (!In.empty() && std::filesystem::equivalent(Path, In, Ignored))
      fail("'" + Path + "' is an input of this command; choose another name " +
           "for the output");
}

void refuseForeign(const std::string &Path) {
  std::error_code Ignored;
  if (!std::filesystem::is_regular_file(Path, Ignored) ||
      std::filesystem::file_size(Path, Ignored) == 0)
    return;
  std::string Old = readTextFile(Path);
  if (Old.compare(0, 15, "SQLite format 3") != 0 &&
      Old.find("\"evenkeel.") == std::string::npos)
    fail("'" + Path + "' exists and was not written by evenkeel; remove it " +
         "or choose another name");
}

void writeFile(const std::string &Path, const std::string &Text) {
  refuseForeign(Path);
  if (MaybeError E = writeWholeFile(Path, Text))
    fail(E->Message);
}

static const char TempName[] = "evenkeel-run-";

/// Opens and locks a temporary directory of ours; -1: another user's, or in
/// use.
static int lockTemp(const std::string &Dir) {
  const int Fd =
      ::open(Dir.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  struct stat S;
  if (Fd >= 0 && ::fstat(Fd, &S) == 0 && S.st_uid == ::geteuid() &&
      ::flock(Fd, LOCK_EX | LOCK_NB) == 0)
    return Fd;
  if (Fd >= 0)
    ::close(Fd);
  return -1;
}

/// Removes temporary directories in \p Base that killed commands left.
static void removeStale(const std::string &Base) {
  namespace fs = std::filesystem;
  constexpr std::chrono::seconds Fresh(10); // may not be locked yet
  std::error_code EC, Ignored;
  for (fs::directory_iterator It(Base, EC), End; !EC && It != End;
       It.increment(EC)) {
    const std::string Dir = It->path().string();
    if (It->path().filename().string().compare(0, sizeof TempName - 1,
                                               TempName) != 0)
      continue;
    const auto Changed = fs::last_write_time(Dir, Ignored);
    if (Ignored || fs::file_time_type::clock::now() - Changed < Fresh)
      continue;
    const int Fd = lockTemp(Dir);
    if (Fd < 0)
      continue;
    fs::remove_all(Dir, Ignored);
    ::close(Fd);
  }
}

TempDir::TempDir() {
  const char *Variable = getenv("TMPDIR");
  // The program may change its working directory before it uses the path.
  const std::string Base =
      std::filesystem::absolute(Variable && *Variable ? Variable : "/tmp")
          .string();
  removeStale(Base);
  Dir = Base + "/" + TempName + "XXXXXX";
  if (!mkdtemp(Dir.data()))
    fail("cannot make a temporary directory '" + Dir +
         "': " + std::strerror(errno) + "; set TMPDIR");
  removeAtEnd(Dir);
  Lock = lockTemp(Dir);
}

TempDir::~TempDir() {
  removeNow(Dir);
  if (Lock >= 0)
    ::close(Lock);
}

static double now() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

Progress::Progress(std::string What)
    : What(std::move(What)), Start(now()), Next(Start + 2) {}

void Progress::step(size_t Done, size_t All) {
  const double T = now(), Passed = T - Start;
  // Longer work says less often how far it is: a log should stay readable.
  const bool Ends = Done == All && Passed >= 2;
  if (T < Next && !Ends)
    return;
  Next = T + std::max(1.0, Passed / 2);
  std::fprintf(stderr, "evenkeel: %s: %zu of %zu, %.0f s\n", What.c_str(), Done,
               All, Passed);
}

void printJson(const nlohmann::json &J) {
  std::string Text = J.dump(2) + "\n";
  std::fwrite(Text.data(), 1, Text.size(), stdout);
}

} // namespace evenkeel::cli
