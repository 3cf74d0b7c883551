//===- compile_commands_target.cpp - compile_commands.json ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the units of a database that was accepted, written as arguments and as
// a shell's command line, are the same units.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include "cli/common/Cli.h"
#include "cli/programs/CompileDb.h"

using namespace evenkeel::cli;
using namespace ekfuzz;

static std::string quoted(const std::string &S) {
  std::string Out = "\"";
  for (char C : S) {
    if (static_cast<unsigned char>(C) < 0x20) {
      char Buffer[8];
      std::snprintf(Buffer, sizeof Buffer, "\\u%04x", C);
      Out += Buffer;
      continue;
    }
    if (C == '"' || C == '\\')
      Out += '\\';
    Out += C;
  }
  return Out + "\"";
}

static std::string shellWord(const std::string &S) {
  std::string Out = "'";
  for (char C : S)
    Out += C == '\'' ? std::string("'\\''") : std::string(1, C);
  return Out + "'";
}

static std::string database(const CompileDb &Db, bool AsCommand) {
  std::string Text = "[";
  for (const CompileUnit &U : Db.Units) {
    std::string Words;
    for (const std::string &W : U.Words)
      Words += (Words.empty() ? ""
                : AsCommand   ? " "
                              : ",") +
               (AsCommand ? shellWord(W) : quoted(W));
    Text += (Text.size() > 1 ? ",\n" : "") +
            ("{\"directory\":" + quoted(U.Directory)) +
            ",\"file\":" + quoted(U.File) +
            (AsCommand ? ",\"command\":" + quoted(Words)
                       : ",\"arguments\":[" + Words + "]") +
            "}";
  }
  return Text + "]\n";
}

bool ekfuzz::runCompileDb(const std::string &Input) {
  CompileDb Db;
  try {
    Db = readCompileDb(scratchFile("in", Input));
  } catch (const Failure &F) {
    checkError(F.Line);
    return false;
  }
  for (bool AsCommand : {false, true}) {
    CompileDb Again;
    try {
      Again = readCompileDb(scratchFile("out", database(Db, AsCommand)));
    } catch (const Failure &F) {
      EK_HOLDS(false, "a written database is refused: " + F.Line);
    }
    EK_HOLDS(Again.Units.size() == Db.Units.size(), "number of units");
    for (size_t I = 0; I < Db.Units.size(); ++I) {
      const CompileUnit &A = Db.Units[I], &B = Again.Units[I];
      EK_HOLDS(A.Directory == B.Directory && A.File == B.File &&
                   A.Output == B.Output && A.Words == B.Words &&
                   A.IsCxx == B.IsCxx && analysisFlags(A) == analysisFlags(B),
               "units differ after a round trip");
    }
  }
  std::string Root;
  try {
    Root = projectRoot(Db);
  } catch (const Failure &) {
    return true;
  }
  EK_HOLDS(Root.size() > 1 && Root[0] == '/', "no root of a project");
  return true;
}
