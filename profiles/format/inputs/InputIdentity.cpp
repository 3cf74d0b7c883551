//===- InputIdentity.cpp - identity of a command's input ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes: a hash of a command's arguments and of the files that they name.
// Not here: files that the program opens by other names.
//===----------------------------------------------------------------------===//
#include "format/Identity.h"
#include "format/profile/Profile.h"
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sys/stat.h>

using namespace evenkeel;

Expected<std::string>
evenkeel::inputIdentity(const std::vector<std::string> &Argv) {
  EntityKey K;
  K.Kind = "input";
  for (size_t I = 1; I < Argv.size(); ++I) {
    uint64_t H = 0xcbf29ce484222325ULL; // FNV-1a, as in Identity.h
    struct stat S;
    bool IsFile = !::stat(Argv[I].c_str(), &S) && S_ISREG(S.st_mode);
    if (IsFile) {
      std::ifstream In(Argv[I], std::ios::binary);
      std::vector<char> Buffer(1 << 16);
      while (In) {
        In.read(Buffer.data(), static_cast<std::streamsize>(Buffer.size()));
        detail::mixBytes(H, Buffer.data(), static_cast<size_t>(In.gcount()));
      }
      if (!In.eof())
        return Error{"cannot read the input " + Argv[I] + ": " +
                     std::strerror(errno)};
    } else {
      detail::mixBytes(H, Argv[I].data(), Argv[I].size());
    }
    // A text and a file with that text are different inputs.
    K.Path += (IsFile ? "f" : "a") + idToString(H);
  }
  return idToString(entityId(K));
}
