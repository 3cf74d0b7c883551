//===- fuzz_main.cpp - libFuzzer's entry of every target ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: one text for all fuzzers; the executable's name, ek-fuzz-TARGET, says
// which. libFuzzer starts itself again by that name, so it holds for its jobs
// and forks as well.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include <cstdio>
#include <cstdlib>

static const ekfuzz::Target *Chosen;

extern "C" int LLVMFuzzerInitialize(int *, char ***Argv) {
  const std::string Program = (*Argv)[0], Prefix = "ek-fuzz-";
  const std::string Name = Program.substr(Program.rfind('/') + 1);
  if (Name.compare(0, Prefix.size(), Prefix) == 0)
    Chosen = ekfuzz::findTarget(Name.substr(Prefix.size()));
  if (!Chosen) {
    std::fprintf(stderr,
                 "%s: error: no target of this name; call it ek-fuzz-TARGET\n",
                 Name.c_str());
    std::exit(2);
  }
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  Chosen->Run(std::string(reinterpret_cast<const char *>(Data), Size));
  return 0;
}
