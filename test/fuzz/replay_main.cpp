//===- replay_main.cpp - kept inputs, once each ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// replay_main TARGET (FILE|FOLDER)...
// Knows: seeds (below a folder `corpus`) are good inputs and must be accepted,
// or the fuzzer would start from nothing.
// Makes: the same calls as the fuzzer, without libFuzzer, in order of name; the
// input at which a run ends is the last one named. Exit status 2 when there is
// nothing to replay.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

namespace fs = std::filesystem;

int main(int Argc, char **Argv) {
  const ekfuzz::Target *T = Argc > 1 ? ekfuzz::findTarget(Argv[1]) : nullptr;
  if (!T) {
    std::fprintf(stderr, "usage: %s TARGET (FILE|FOLDER)...\n", Argv[0]);
    return 2;
  }
  std::vector<std::string> Files;
  for (int I = 2; I < Argc; ++I) {
    if (fs::is_directory(Argv[I]))
      for (const auto &Entry : fs::directory_iterator(Argv[I]))
        Files.push_back(Entry.path().string());
    else if (fs::exists(Argv[I]))
      Files.push_back(Argv[I]);
  }
  std::sort(Files.begin(), Files.end());
  for (const std::string &File : Files) {
    std::printf("%s\n", fs::path(File).filename().c_str());
    std::fflush(stdout);
    std::ifstream In(File, std::ios::binary);
    bool Accepted = T->Run(std::string(std::istreambuf_iterator<char>(In), {}));
    if (!Accepted && File.find("/corpus/") != std::string::npos) {
      std::fprintf(stderr, "%s: a seed that is refused\n", File.c_str());
      return 1;
    }
  }
  std::printf("%zu inputs replayed\n", Files.size());
  return Files.empty() ? 2 : 0;
}
