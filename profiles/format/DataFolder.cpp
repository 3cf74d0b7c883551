//===- DataFolder.cpp - shipped files with names --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See DataFolder.h.
//===----------------------------------------------------------------------===//
#include "DataFolder.h"
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <vector>

using namespace evenkeel;
namespace fs = std::filesystem;

static std::vector<std::string> directories(const DataFolder &D) {
  std::vector<std::string> Dirs;
  if (const char *Env = std::getenv(D.Variable)) {
    std::string All = Env;
    for (size_t From = 0; From <= All.size();) {
      size_t To = std::min(All.find(':', From), All.size());
      if (To > From)
        Dirs.push_back(All.substr(From, To - From));
      From = To + 1;
    }
  }
  std::error_code EC;
  fs::path Exe = fs::read_symlink("/proc/self/exe", EC);
  if (!EC)
    Dirs.push_back(
        (Exe.parent_path().parent_path() / "share" / "evenkeel" / D.Folder)
            .string());
  return Dirs;
}

std::map<std::string, std::string> evenkeel::dataFiles(const DataFolder &D) {
  std::map<std::string, std::string> Files;
  for (const std::string &Dir : directories(D)) {
    std::error_code EC;
    fs::directory_iterator It(Dir, EC), End;
    for (; !EC && It != End; It.increment(EC))
      if (It->path().extension() == ".json")
        Files.emplace(It->path().stem().string(), It->path().string());
  }
  return Files;
}

Expected<std::string> evenkeel::locateDataFile(const DataFolder &D,
                                               const std::string &NameOrPath) {
  if (NameOrPath.find('/') != std::string::npos ||
      fs::path(NameOrPath).extension() == ".json")
    return NameOrPath;
  auto Files = dataFiles(D);
  auto It = Files.find(NameOrPath);
  if (It != Files.end())
    return It->second;
  std::string List, What = D.What;
  for (const auto &[Name, Path] : Files)
    List += (List.empty() ? "" : ", ") + Name;
  if (List.empty())
    return Error{"no " + What + " '" + NameOrPath + "': no " + What +
                 " files found; set " + D.Variable +
                 " to the directory that has them"};
  return Error{"no " + What + " '" + NameOrPath + "'; known: " + List +
               " (or give the path of a .json file)"};
}
