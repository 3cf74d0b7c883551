//===- FileBytes.h - parts of a file that may be large ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: bytes in memory, or those of a file, read when they are asked for.
// Libraries have hundreds of MiB, of which little is needed.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_FILEBYTES_H
#define EVENKEEL_UTILS_CLI_FILEBYTES_H

#include <cstdint>
#include <string>

namespace evenkeel::cli {

class FileBytes {
  std::string Held;
  int File = -1;
  uint64_t Size = 0; // bytes

public:
  FileBytes() = default;
  /// Of the regular file \p Path; empty if it cannot be read.
  static FileBytes ofFile(const std::string &Path);
  static FileBytes ofBytes(std::string Bytes);
  FileBytes(FileBytes &&Other) noexcept;
  FileBytes &operator=(FileBytes &&Other) noexcept;
  ~FileBytes();

  /// \p Bytes bytes from offset \p At; empty if the file does not have them
  /// all.
  std::string part(uint64_t At, uint64_t Bytes) const;
};

} // namespace evenkeel::cli

#endif
