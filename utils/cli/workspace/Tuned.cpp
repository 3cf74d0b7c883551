//===- Tuned.cpp - what evenkeel tune keeps of a command ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Tuned.h.
//===----------------------------------------------------------------------===//
#include "cli/workspace/Tuned.h"
#include "cli/programs/BuiltProgram.h"
#include "cli/programs/Launched.h"
#include "format/Machine.h"
#include <filesystem>

namespace evenkeel::cli {

BaseCommand baseCommand(const std::string &Text) {
  bool Unclosed = false;
  BaseCommand C{splitShell(Text, &Unclosed), {}, ""};
  if (Unclosed)
    fail("a quote in --base \"" + Text + "\" is not closed");
  if (C.Words.empty())
    fail("--base is a command, such as --base './solver 100'");
  C.Program = builtIn(C.Words);
  if (C.Program)
    C.Input = commandId(C.Words, C.Program->Word) + "-base";
  return C;
}

/// The name under which \p W has the record of the base command \p Text. A
/// relative path may name no program from here: then the word with the
/// program's own name is the program, as names of inputs leave out folders.
static std::string baseInput(const Workspace &W, const std::string &Text) {
  const BaseCommand Base = baseCommand(Text);
  if (!Base.Input.empty())
    return Base.Input;
  for (size_t K = 0; K < Base.Words.size(); ++K)
    if (std::filesystem::path(Base.Words[K]).filename() == W.program())
      return commandId(Base.Words, K) + "-base";
  fail("the program of the base command '" + Text +
       "' is not found from this folder; go to the one where evenkeel tune "
       "was called");
}

Args tunedOptions(const Workspace &W, const std::string &Input,
                  const KnownInput &Its,
                  const std::vector<std::string> &Command) {
  const bool Beginning = Its.Base.empty();
  Args P;
  P.Options = &planCommand().Options;
  P.Values["--facts"] = {W.facts()};
  if (Beginning)
    P.Values["--base"] = {W.probe(Input)};
  for (const std::string &Text : splitList(Its.Base, '\n'))
    P.Values["--base"].push_back(W.probe(baseInput(W, Text)));
  P.Values["--machine"] = {Its.Machine};
  P.Values["--fast"] = {
      Its.Fast.empty()
          ? std::to_string(
                orFail(readMachine(Its.Machine)).Tiers.front().CapacityBytes)
          : Its.Fast};
  if (!Beginning)
    P.Command = Command;
  P.Values[RunsOf] = Command;
  P.Values["--workspace"] = {
      std::filesystem::path(W.folder()).parent_path().string()};
  if (const std::vector<std::string> For = splitList(Its.For, '\n');
      !For.empty())
    P.Values["--for"] = For;
  return P;
}

Args withTuned(const Args &Given) {
  if (Given.Command.empty() || Given.has("--facts") || Given.has("--base") ||
      Given.has("--plan"))
    return Given;
  const std::optional<BuiltCommand> Its = builtIn(Given.Command);
  if (!Its)
    return Given;
  const Workspace W(Its->Program, Given.text("--workspace"));
  const std::string Input = commandId(Given.Command, Its->Word);
  std::error_code E;
  if (W.build() != Its->Built.Build || !W.inputs().count(Input) ||
      !std::filesystem::exists(W.plan(Input), E))
    return Given;
  const Args Kept = tunedOptions(W, Input, W.inputs().at(Input), Given.Command);
  Args Out = Given;
  for (const auto &[Option, Values] : Kept.Values)
    Out.Values.emplace(Option, Values);
  Out.Command = Kept.Command;
  return Out;
}

void refuseUntuned(const Args &A) {
  if (!A.Command.empty() && !A.has("--facts") && !A.has("--base") &&
      builtIn(A.Command))
    fail("nothing is planned for this command yet; ask first: evenkeel tune "
         "-- " +
         commandText(A.Command));
}

} // namespace evenkeel::cli
