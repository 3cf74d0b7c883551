//===- Archive.h - members of static archives -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the format of ar archives, as the System V and GNU tools write them.
// Bytes come from outside: every size is checked.
// Not here: thin archives, which name their members' files; symbol tables,
// which ranlib makes.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_ARCHIVE_H
#define EVENKEEL_UTILS_CLI_ARCHIVE_H

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace evenkeel::cli {

/// The archive \p Bytes with those object files that \p Keep accepts, and
/// without its symbol table. Nullopt if it is no archive, or a broken one.
std::optional<std::string>
archiveOf(std::string_view Bytes,
          const std::function<bool(std::string_view)> &Keep);

} // namespace evenkeel::cli

#endif
