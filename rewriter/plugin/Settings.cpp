//===- Settings.cpp - options of the rewriter plugin ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Settings.h.
//===----------------------------------------------------------------------===//
#include "Settings.h"
#include "edits/Paths.h"
#include "format/ProjectRoot.h"
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <sstream>

namespace evenkeel {
namespace fs = std::filesystem;

static std::string environment(const char *Name) {
  const char *Value = std::getenv(Name);
  return Value ? Value : "";
}

static void addNames(const std::string &List, std::set<std::string> &Names) {
  std::string Name;
  for (std::istringstream In(List); std::getline(In, Name, ',');)
    if (!Name.empty())
      Names.insert(Name);
}

bool Settings::read(const std::vector<std::string> &Arguments,
                    std::string &Problem) {
  Root = environment("EVENKEEL_ROOT");
  Plan = environment("EVENKEEL_REWRITE_PLAN");
  addNames(environment("EVENKEEL_REWRITE_WRAPPERS"), Wrappers);
  Off = environment("EVENKEEL_REWRITE") == "off";
  for (const std::string &A : Arguments) {
    size_t Equals = A.find('=');
    std::string Name = A.substr(0, Equals);
    std::string Value = Equals == std::string::npos ? "" : A.substr(Equals + 1);
    if (Name == "root" && !Value.empty()) {
      Root = Value;
    } else if (Name == "plan" && !Value.empty()) {
      Plan = Value;
    } else if (Name == "wrapper" && !Value.empty()) {
      addNames(Value, Wrappers);
    } else if (A == "off") {
      Off = true;
    } else if (A == "quiet") {
      Quiet = true;
    } else if (A == "time") {
      Time = true;
    } else if (A == "whole") {
      Whole = true;
    } else {
      Problem = "unknown option '" + A +
                "'; there are root=DIR, plan=FILE, wrapper=NAME, off, quiet, "
                "time and whole";
      return false;
    }
  }
  return true;
}

std::string Settings::rootFor(const std::string &Main,
                              const std::string &Directory) const {
  return Root.empty() ? rootOfUnit(canonicalPath(Directory, "/"), Main)
                      : canonicalPath(Root, Directory);
}

std::string Settings::headerFolder() {
  static const char Anchor = 0;
  Dl_info Info;
  if (!dladdr(&Anchor, &Info) || !Info.dli_fname)
    return "";
  std::error_code EC;
  fs::path Folder = fs::canonical(Info.dli_fname, EC).parent_path();
  if (EC)
    return "";
  // lib/ or, in some distributions, lib/TRIPLE/.
  for (int Up = 0; Up < 2; ++Up) {
    Folder = Folder.parent_path();
    if (fs::exists(Folder / "include/evenkeel/ek.h", EC))
      return (Folder / "include").generic_string();
  }
  return "";
}

} // namespace evenkeel
