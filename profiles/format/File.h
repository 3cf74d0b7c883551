//===- File.h - whole files, atomic writes, JSON fields ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: how readers of our JSON files open them, check the schema, and report
// fields that are missing or have the wrong type.
// Not here: the meaning of fields (Facts.cpp, PlanFile.cpp, ...); how a new
// file replaces an old one (NewFile.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_PROFILES_FORMAT_FILE_H
#define EVENKEEL_PROFILES_FORMAT_FILE_H

#include "Error.h"
#include "format/expr/Expr.h"
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace evenkeel {

/// Text from a file, for an error message: control characters become blanks.
std::string oneLine(std::string Text);

/// The bytes of a regular file; other files are errors.
Expected<std::string> readWholeFile(const std::string &Path);

/// Writes \p Text to a temporary file that then replaces \p Path (NewFile.h),
/// so an error leaves an existing file unchanged. Existing devices and pipes
/// are written directly.
MaybeError writeWholeFile(const std::string &Path, const std::string &Text);

/// Reads a JSON object whose "schema" is "evenkeel.<Kind>/<Major>". \p Remedy
/// tells the user how to get a valid file ("write it with `evenkeel analyze`").
Expected<nlohmann::json> readJsonFile(const std::string &Path,
                                      const std::string &Kind, unsigned Major,
                                      const std::string &Remedy);
Expected<nlohmann::json> parseJsonText(const std::string &Text,
                                       const std::string &Path,
                                       const std::string &Kind, unsigned Major,
                                       const std::string &Remedy);

/// Typed access to the fields of one JSON object. Keeps the first error and
/// returns empty values from then on, so a reader checks once.
class JsonReader {
  std::string File;
  std::string Problem;

public:
  explicit JsonReader(std::string FileName) : File(std::move(FileName)) {}

  bool failed() const { return !Problem.empty(); }
  Error error() const { return Error{File + ": " + Problem}; }
  /// Records an error; \p Where is the field ("sites[3].id").
  void fail(const std::string &Where, const std::string &What);

  const nlohmann::json *member(const nlohmann::json &O,
                               const std::string &Where, const char *Name,
                               bool Optional = false);
  /// If \p Optional, returns an empty array when the field is missing.
  const nlohmann::json &array(const nlohmann::json &O, const std::string &Where,
                              const char *Name, bool Optional = false);
  std::string string(const nlohmann::json &O, const std::string &Where,
                     const char *Name, bool Optional = false);
  bool boolean(const nlohmann::json &O, const std::string &Where,
               const char *Name, bool Default, bool Optional);
  double number(const nlohmann::json &O, const std::string &Where,
                const char *Name);
  /// nullopt if missing or null.
  std::optional<double> maybeNumber(const nlohmann::json &O,
                                    const std::string &Where, const char *Name);
  uint64_t unsignedInt(const nlohmann::json &O, const std::string &Where,
                       const char *Name);
  uint32_t unsigned32(const nlohmann::json &O, const std::string &Where,
                      const char *Name);
  /// nullopt if missing or null.
  std::optional<uint64_t> maybeUnsigned(const nlohmann::json &O,
                                        const std::string &Where,
                                        const char *Name);
  std::optional<int64_t> maybeInt(const nlohmann::json &O,
                                  const std::string &Where, const char *Name);
  uint64_t id(const nlohmann::json &O, const std::string &Where,
              const char *Name);
  /// If \p Optional, returns null when the field is missing or null.
  ExprRef expr(const nlohmann::json &O, const std::string &Where,
               const char *Name, bool Optional);
};

} // namespace evenkeel

#endif
