//===- Workspace.h - what the command knows of a program --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the folder .evenkeel beside a program, or the one that --workspace or
// EVENKEEL_WORKSPACE names, with one folder per program; the fixed names of
// what commands keep there (facts, recording twins and, for each input, probe,
// plan and answer; SeenInputs.h for what runs leave); and to which build of the
// program they belong. Makes: folders, and the list of inputs, which is
// complete or not changed. Not here: the contents of facts, profiles and plans.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_WORKSPACE_H
#define EVENKEEL_UTILS_CLI_WORKSPACE_H

#include <map>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// One input, and what was asked for it last.
struct KnownInput {
  std::string Command; // words of the command, for display
  /// What else a record depends on: threads, folder, and the sizes and times of
  /// the files that the command names.
  std::string Around;
  std::string Machine; // a name or an absolute path
  std::string Fast;    // as for --fast; "" = all that the machine has
  /// The commands whose runs were the base inputs, a line each; "": its own.
  std::string Base;
  std::string For;     // values as for --for, a line each
  std::string Answer;  // one line
  uint64_t Number = 0; // the last one asked for has the highest
};

class Workspace {
  std::string Folder; // absolute
  std::string Program;
  std::string Path;  // of the program; "" in a workspace beside it
  std::string Build; // of the files that are there; "" = nothing is
  std::map<std::string, KnownInput> Inputs;

public:
  /// Of the program \p Path; \p Named is the value of --workspace, or "". A
  /// list that is cut short or broken counts as none. In a workspace for many
  /// programs, those of one name have folders with numbers.
  Workspace(const std::string &Path, const std::string &Named);

  const std::string &folder() const { return Folder; }
  /// The program's file name.
  const std::string &program() const { return Program; }
  const std::string &build() const { return Build; }
  const std::map<std::string, KnownInput> &inputs() const { return Inputs; }

  std::string facts() const { return Folder + "/facts.json"; }
  std::string machine() const { return Folder + "/machine.json"; }
  std::string twinFolder(const std::string &Mode) const {
    return Folder + "/twin-" + Mode;
  }
  std::string probe(const std::string &Input) const {
    return inputFile(Input, "probe.ekdb");
  }
  std::string plan(const std::string &Input) const {
    return inputFile(Input, "plan.json");
  }
  std::string report(const std::string &Input) const {
    return inputFile(Input, "report.html");
  }
  std::string imbalance(const std::string &Input) const {
    return inputFile(Input, "imbalance.json");
  }
  std::string output(const std::string &Input) const {
    return inputFile(Input, "output.txt");
  }

  /// Fails if the folder has anything that no evenkeel command keeps in a
  /// workspace: nothing of a user's is removed or written over.
  void refuseForeignFolder() const;
  /// Makes the folder for \p Of, a build's identity; what belongs to another
  /// build is removed. See refuseForeignFolder().
  void open(const std::string &Of);
  /// Keeps version control from listing the workspace, which must exist.
  void hide() const;
  /// Makes the folder of \p Input.
  void openInput(const std::string &Input);
  /// Remembers \p What as what was asked for \p Input last.
  void remember(const std::string &Input, KnownInput What);
  /// The number of inputs that were asked for and never answered: tune was
  /// interrupted, or failed, or is still running.
  size_t unanswered() const;
  /// The input that was asked for last, or "".
  std::string last() const;

private:
  void find(const std::string &Of, const std::string &Named);
  std::string inputFile(const std::string &Input, const char *Name) const {
    return Folder + "/inputs/" + Input + "/" + Name;
  }
  void read();
  void write() const;
};

} // namespace evenkeel::cli

#endif
