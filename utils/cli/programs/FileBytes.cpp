//===- FileBytes.cpp - parts of a file that may be large ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See FileBytes.h.
//===----------------------------------------------------------------------===//
#include "FileBytes.h"
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace evenkeel::cli {

FileBytes FileBytes::ofFile(const std::string &Path) {
  FileBytes F;
  // Do not wait for a pipe's writer.
  F.File = ::open(Path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  struct stat S;
  if (F.File >= 0 && ::fstat(F.File, &S) == 0 && S_ISREG(S.st_mode))
    F.Size = static_cast<uint64_t>(S.st_size);
  return F;
}

FileBytes FileBytes::ofBytes(std::string Bytes) {
  FileBytes F;
  F.Size = Bytes.size();
  F.Held = std::move(Bytes);
  return F;
}

FileBytes::FileBytes(FileBytes &&Other) noexcept { *this = std::move(Other); }

FileBytes &FileBytes::operator=(FileBytes &&Other) noexcept {
  std::swap(Held, Other.Held);
  std::swap(File, Other.File);
  std::swap(Size, Other.Size);
  return *this;
}

FileBytes::~FileBytes() {
  if (File >= 0)
    ::close(File);
}

std::string FileBytes::part(uint64_t At, uint64_t Bytes) const {
  if (At > Size || Size - At < Bytes)
    return "";
  if (File < 0)
    return Held.substr(At, Bytes);
  std::string Out(Bytes, '\0');
  for (uint64_t Got = 0; Got < Bytes;) {
    const ssize_t N = ::pread(File, Out.data() + Got, Bytes - Got,
                              static_cast<off_t>(At + Got));
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return ""; // it became shorter meanwhile, or cannot be read
    Got += static_cast<uint64_t>(N);
  }
  return Out;
}

} // namespace evenkeel::cli
