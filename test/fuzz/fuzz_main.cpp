//===- fuzz_main.cpp - libFuzzer's entry for one target -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the target's name (EK_FUZZ_TARGET), set when compiled.
//===----------------------------------------------------------------------===//
#include "Target.h"
#include <cstdio>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static const ekfuzz::Target *T = ekfuzz::findTarget(EK_FUZZ_TARGET);
  T->Run(std::string(reinterpret_cast<const char *>(Data), Size));
  return 0;
}
