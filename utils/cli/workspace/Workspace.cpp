//===- Workspace.cpp - what the command knows of a program ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Workspace.h. The list is workspace.json.
//===----------------------------------------------------------------------===//
#include "Workspace.h"
#include "cli/common/Cli.h"
#include "format/File.h"
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/file.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace evenkeel::cli {

static std::string listOf(const std::string &Folder) {
  return Folder + "/workspace.json";
}

/// Whether \p Folder is that of another program than \p Path that still exists.
static bool isOfAnother(const std::string &Folder, const std::string &Path) {
  const Expected<nlohmann::json> J =
      readJsonFile(listOf(Folder), "workspace", 1, "ask again");
  if (!J || !J->contains("path") || !(*J)["path"].is_string())
    return false;
  const std::string Its = (*J)["path"];
  std::error_code E;
  return Its != Path && fs::exists(Its, E);
}

void Workspace::find(const std::string &Of, const std::string &Named) {
  std::error_code E;
  const fs::path Real = fs::weakly_canonical(fs::absolute(Of, E), E);
  const char *Variable = std::getenv("EVENKEEL_WORKSPACE");
  const bool Shared = !Named.empty() || (Variable && *Variable);
  const fs::path Top = !Named.empty() ? fs::path(Named)
                       : Shared       ? fs::path(Variable)
                                      : Real.parent_path() / ".evenkeel";
  const fs::path First =
      fs::weakly_canonical(fs::absolute(Top, E), E) / Real.filename();
  Program = Real.filename().string();
  Folder = First.string();
  if (!Shared)
    return;
  Path = Real.string();
  for (unsigned N = 2; isOfAnother(Folder, Path); ++N)
    Folder = First.string() + "-" + std::to_string(N);
}

Workspace::Workspace(const std::string &Path, const std::string &Named) {
  find(Path, Named);
  read();
}

void Workspace::read() {
  Build.clear();
  Inputs.clear();
  Expected<nlohmann::json> J =
      readJsonFile(listOf(Folder), "workspace", 1, "ask again");
  if (!J)
    return; // all of it can be made again
  JsonReader R(listOf(Folder));
  std::map<std::string, KnownInput> Read;
  const std::string Of = R.string(*J, "", "build");
  if (const nlohmann::json *All = R.member(*J, "", "inputs");
      All && All->is_object())
    for (const auto &[Id, X] : All->items()) {
      KnownInput &I = Read[Id];
      I.Command = R.string(X, Id, "command");
      I.Around = R.string(X, Id, "around", true);
      I.Machine = R.string(X, Id, "machine");
      I.Fast = R.string(X, Id, "fast");
      I.Base = R.string(X, Id, "base");
      I.For = R.string(X, Id, "for", true);
      I.Answer = R.string(X, Id, "answer");
      I.Number = R.unsignedInt(X, Id, "number");
    }
  if (R.failed())
    return;
  Build = Of;
  Inputs = std::move(Read);
}

void Workspace::refuseForeignFolder() const {
  static const std::set<std::string> Kept = {"facts.json", "inputs", "lock",
                                             "machine.json", "workspace.json"};
  std::error_code E;
  const bool HasList = fs::exists(listOf(Folder), E);
  for (const fs::directory_entry &X : fs::directory_iterator(Folder, E)) {
    const std::string Name = X.path().filename().string();
    // Twins may be there before the list is, and files that were never finished
    // (NewFile.h) after it.
    const bool Ours = Name.rfind("twin-", 0) == 0 ||
                      Name.find(".ek-") != std::string::npos ||
                      (HasList && Kept.count(Name));
    if (!Ours)
      fail("'" + shownPath(Folder) +
           "' is no workspace: no evenkeel command "
           "put '" +
           Name + "' there; name another folder with --workspace");
  }
}

void Workspace::write() const {
  nlohmann::json J = {{"schema", "evenkeel.workspace/1"},
                      {"program", Program},
                      {"build", Build},
                      {"inputs", nlohmann::json::object()}};
  for (const auto &[Id, I] : Inputs)
    J["inputs"][Id] = {{"command", I.Command}, {"around", I.Around},
                       {"machine", I.Machine}, {"fast", I.Fast},
                       {"base", I.Base},       {"for", I.For},
                       {"answer", I.Answer},   {"number", I.Number}};
  if (!Path.empty())
    J["path"] = Path;
  orFail(writeWholeFile(listOf(Folder), J.dump(1) + "\n"));
}

void Workspace::open(const std::string &Of) {
  refuseForeignFolder();
  std::error_code E;
  fs::create_directories(Folder, E);
  if (E)
    fail("cannot make the workspace '" + Folder + "': " + E.message() +
         "; name another folder with --workspace");
  hide();
  if (Build == Of)
    return;
  Inputs.clear();
  for (const char *Old : {"facts.json", "inputs"})
    fs::remove_all(Folder + "/" + Old, E);
  Build = Of;
  write();
}

void Workspace::hide() const {
  const fs::path File = fs::path(Folder).parent_path() / ".gitignore";
  std::error_code E;
  if (!fs::exists(File, E))
    writeWholeFile(File.string(), "*\n"); // only a convenience
}

void Workspace::openInput(const std::string &Input) {
  std::error_code E;
  fs::create_directories(Folder + "/inputs/" + Input, E);
  if (E)
    fail("cannot make the workspace '" + Folder + "': " + E.message() +
         "; name another folder with --workspace");
}

size_t Workspace::unanswered() const {
  std::error_code E;
  size_t N = 0;
  for (const fs::directory_entry &X :
       fs::directory_iterator(Folder + "/inputs", E)) {
    const std::string Input = X.path().filename().string();
    const bool IsBase = Input.find('-') != std::string::npos; // see Tuned.h
    // Runs leave what they saw, also of inputs that nobody asked about.
    size_t Files = 0;
    for (const fs::directory_entry &Y : fs::directory_iterator(X.path(), E))
      Files += Y.path().filename() != "seen" ? 2 : 1;
    N += !IsBase && !Inputs.count(Input) && Files != 1;
  }
  return N;
}

std::string Workspace::last() const {
  const auto It = std::max_element(Inputs.begin(), Inputs.end(),
                                   [](const auto &A, const auto &B) {
                                     return A.second.Number < B.second.Number;
                                   });
  return It == Inputs.end() ? "" : It->first;
}

void Workspace::remember(const std::string &Input, KnownInput What) {
  const int Lock =
      ::open((Folder + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
  if (Lock >= 0)
    flock(Lock, LOCK_EX); // until the end of this function
  read();                 // others may have asked at the same time
  const std::string Newest = last();
  What.Number = Newest.empty() ? 1 : Inputs[Newest].Number + 1;
  Inputs[Input] = std::move(What);
  write();
  if (Lock >= 0)
    close(Lock);
}

} // namespace evenkeel::cli
