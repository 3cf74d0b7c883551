//===- File.h - whole files, atomic writes, JSON fields ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how every reader of a JSON file of ours opens it, checks its schema
// and names a field that is missing or of the wrong type.
// Not here: what the fields mean (Facts.cpp, PlanFile.cpp, ...); how a
// file takes another's place (NewFile.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_FILE_H
#define EVENKEEL_PROFILES_FORMAT_FILE_H

#include "Error.h"
#include "format/expr/Expr.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace evenkeel {

/// Text from a file, for an error's line: control characters become blanks.
std::string oneLine(std::string Text);

/// The bytes of a regular file; pipes, devices and directories are refused.
Expected<std::string> readWholeFile(const std::string &Path);

/// Writes \p Text beside \p Path and renames it (NewFile.h), so that an error
/// leaves an existing file as it was; into a device or pipe that is there.
MaybeError writeWholeFile(const std::string &Path, const std::string &Text);

/// Reads a JSON object whose "schema" is "evenkeel.<Kind>/<Major>". \p Remedy
/// says how to make a good file ("write it with `evenkeel analyze`").
Expected<nlohmann::json> readJsonFile(const std::string &Path,
                                      const std::string &Kind, unsigned Major,
                                      const std::string &Remedy);
Expected<nlohmann::json> parseJsonText(const std::string &Text,
                                       const std::string &Path,
                                       const std::string &Kind, unsigned Major,
                                       const std::string &Remedy);

/// Typed access to the fields of one JSON object. The first problem is kept
/// and every later call returns an empty value, so a reader checks once.
class JsonReader {
  std::string File;
  std::string Problem;

public:
  explicit JsonReader(std::string FileName) : File(std::move(FileName)) {}

  bool failed() const { return !Problem.empty(); }
  Error error() const { return Error{File + ": " + Problem}; }
  /// Records a problem; \p Where names the place ("sites[3].id").
  void fail(const std::string &Where, const std::string &What);

  const nlohmann::json *member(const nlohmann::json &O,
                               const std::string &Where, const char *Name,
                               bool Optional = false);
  /// An empty array when absent and \p Optional.
  const nlohmann::json &array(const nlohmann::json &O, const std::string &Where,
                              const char *Name, bool Optional = false);
  std::string string(const nlohmann::json &O, const std::string &Where,
                     const char *Name, bool Optional = false);
  bool boolean(const nlohmann::json &O, const std::string &Where,
               const char *Name, bool Default, bool Optional);
  double number(const nlohmann::json &O, const std::string &Where,
                const char *Name);
  /// nullopt when absent or null.
  std::optional<double> maybeNumber(const nlohmann::json &O,
                                    const std::string &Where, const char *Name);
  uint64_t unsignedInt(const nlohmann::json &O, const std::string &Where,
                       const char *Name);
  uint32_t unsigned32(const nlohmann::json &O, const std::string &Where,
                      const char *Name);
  /// nullopt when absent or null.
  std::optional<uint64_t> maybeUnsigned(const nlohmann::json &O,
                                        const std::string &Where,
                                        const char *Name);
  std::optional<int64_t> maybeInt(const nlohmann::json &O,
                                  const std::string &Where, const char *Name);
  uint64_t id(const nlohmann::json &O, const std::string &Where,
              const char *Name);
  /// Null when absent or null and \p Optional.
  ExprRef expr(const nlohmann::json &O, const std::string &Where,
               const char *Name, bool Optional);
};

} // namespace evenkeel

#endif
