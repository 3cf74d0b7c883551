//===- Strip.cpp - evenkeel strip -----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: which files are stripped, and where the result goes.
// Makes: the file with its rights, complete or not at all.
// Not here: what is taken out (programs/StripNotes.h).
//===----------------------------------------------------------------------===//
#include "cli/common/Cli.h"
#include "cli/programs/StripNotes.h"
#include "format/File.h"
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace fs = std::filesystem;
using namespace evenkeel;
using namespace evenkeel::cli;

namespace {
struct Stripped {
  std::string From, To; // as the user named them
  std::string File;     // the real file that is written
  fs::perms Rights = fs::perms::none;
  size_t Before = 0;
  StrippedFile Its;
};
} // namespace

/// Reads and checks; writes nothing.
static Stripped stripped(const std::string &Path, const std::string &Output) {
  std::error_code E;
  if (!fs::is_regular_file(Path, E))
    fail("no file '" + Path + "'");
  Stripped S;
  S.From = Path;
  S.To = Output.empty() ? Path : Output;
  const std::string Bytes = orFail(readWholeFile(Path));
  S.Before = Bytes.size();
  Expected<StrippedFile> Its = withoutNotes(Bytes);
  if (!Its)
    fail("'" + Path + "' " + Its.message());
  S.Its = std::move(*Its);
  S.Rights = fs::status(Path, E).permissions();
  // What a link names is written, not the link.
  S.File = fs::weakly_canonical(S.To, E).string();
  if (Output.empty()) {
    if (::access(S.File.c_str(), W_OK) != 0)
      fail("'" + Path + "' may not be written; name another file with -o");
  } else if (fs::exists(Output, E) && !isStripped(Output)) {
    fail("'" + Output +
         "' exists and was not written by evenkeel strip; remove it or choose "
         "another name");
  }
  return S;
}

/// Beside \p S.File, then in its place.
static void write(const Stripped &S) {
  const std::string New = S.File + ".stripping";
  std::error_code E;
  if (fs::exists(New, E))
    fail("'" + New + "' is in the way; remove it");
  MaybeError Wrong = writeWholeFile(New, S.Its.Bytes);
  if (!Wrong) {
    fs::permissions(New, S.Rights, E);
    if (!E)
      fs::rename(New, S.File, E);
    if (!E)
      return;
    Wrong = Error{"'" + S.To + "' cannot be written: " + E.message()};
  }
  std::error_code Ignored;
  fs::remove(New, Ignored);
  fail(Wrong->Message);
}

/// As a shell finds it.
static std::string runnable(const std::string &Path) {
  return Path.find('/') == std::string::npos ? "./" + Path : Path;
}

static int run(const Args &A) {
  if (A.Positional.empty())
    fail("name a program, as in: evenkeel strip ./solver");
  if (A.has("--output") && A.Positional.size() != 1)
    fail("-o takes one program");
  std::vector<Stripped> All;
  for (const std::string &Path : A.Positional)
    All.push_back(stripped(Path, A.text("--output")));
  nlohmann::json Files = nlohmann::json::array();
  for (const Stripped &S : All) {
    write(S);
    Files.push_back({{"file", S.From},
                     {"output", S.To},
                     {"note_bytes", S.Its.NoteBytes},
                     {"bytes_before", S.Before},
                     {"bytes", S.Its.Bytes.size()}});
  }
  if (A.has("--json")) {
    printJson({{"schema", "evenkeel.strip/1"}, {"files", std::move(Files)}});
    return 0;
  }
  for (const Stripped &S : All)
    std::printf("%s: took out %s of build notes; %s are left\n", S.To.c_str(),
                bytesText(double(S.Its.NoteBytes)).c_str(),
                bytesText(double(S.Its.Bytes.size())).c_str());
  std::printf("it runs as before; to analyze it, keep the program with its "
              "notes\nnext: evenkeel run --plan plan.json -- %s\n",
              runnable(All[0].To).c_str());
  return 0;
}

namespace evenkeel::cli {
const Subcommand &stripCommand() {
  static const Subcommand C = {
      "strip",
      "How do I give a program away without the notes of its build?",
      "strip PROGRAM... | strip PROGRAM -o FILE",
      "evenkeel strip ./solver -o released",
      {{"--output", "-o", "FILE",
        "leave the program as it is, and write FILE (default: the program "
        "itself is written)"}},
      run,
      Subcommand::Names};
  return C;
}
} // namespace evenkeel::cli
