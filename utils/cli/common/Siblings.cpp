//===- Siblings.cpp - locations of Evenkeel's other parts -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No path is compiled in except the name of the library directory (lib, lib64,
// lib/x86_64-linux-gnu), so that a moved tree works.
//===----------------------------------------------------------------------===//
#include "Siblings.h"
#include "Cli.h"
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace evenkeel::cli {

std::string prefix() {
  std::error_code E;
  fs::path Self = fs::read_symlink("/proc/self/exe", E);
  if (E)
    fail("cannot find my own executable; is /proc mounted?");
  return Self.parent_path().parent_path().string();
}

static bool isFile(const std::string &P) {
  std::error_code E;
  return fs::is_regular_file(P, E);
}

std::string libraryFile(const std::string &Name) {
  for (const std::string Dir : {EVENKEEL_LIBDIR, "lib", "lib64"})
    for (const std::string &P : {prefix() + "/" + Dir + "/" + Name,
                                 prefix() + "/" + Dir + "/evenkeel/" + Name})
      if (isFile(P))
        return P;
  fail("'" + Name + "' is missing below " + prefix() +
       "/lib; build or install all of Evenkeel");
}

std::string siblingProgram(const std::string &Name) {
  std::string P = prefix() + "/bin/" + Name;
  if (!isFile(P))
    fail("'" + Name + "' is missing in " + prefix() +
         "/bin; build or install all of Evenkeel");
  return P;
}

std::string includeDir() {
  std::string P = prefix() + "/include";
  if (!isFile(P + "/evenkeel/ek.h"))
    fail("'evenkeel/ek.h' is missing in " + P +
         "; build or install all of Evenkeel");
  return P;
}

std::string findProgram(const std::string &Name) {
  if (Name.find('/') != std::string::npos)
    return access(Name.c_str(), X_OK) == 0 && isFile(Name) ? Name : "";
  const char *Path = getenv("PATH");
  for (const std::string &Dir : splitList(Path ? Path : "", ':'))
    if (std::string P = Dir + "/" + Name;
        access(P.c_str(), X_OK) == 0 && isFile(P))
      return P;
  return "";
}

std::string llvmTool(const std::string &Name) {
  if (const char *Bin = getenv("EVENKEEL_LLVM_BIN"); Bin && *Bin) {
    std::string P = findProgram(std::string(Bin) + "/" + Name);
    if (P.empty())
      fail("no '" + Name + "' in EVENKEEL_LLVM_BIN=" + Bin);
    return P;
  }
  for (const std::string &Candidate :
       {Name + "-19", "/usr/lib/llvm-19/bin/" + Name})
    if (std::string P = findProgram(Candidate); !P.empty())
      return P;
  fail("'" + Name +
       "-19' not found; install clang-19 and llvm-19, or set "
       "EVENKEEL_LLVM_BIN");
}

} // namespace evenkeel::cli
