//===- File.cpp - whole files, atomic writes, JSON fields -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: opening, schema check, typed fields.
//===----------------------------------------------------------------------===//
#include "File.h"
#include "Identity.h"
#include "NewFile.h"
#include <cerrno>
#include <cmath>
#include <cstring>
#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

using namespace evenkeel;
using nlohmann::json;

std::string evenkeel::oneLine(std::string Text) {
  for (char &C : Text)
    if (static_cast<unsigned char>(C) < 0x20)
      C = ' ';
  return Text;
}

namespace {
/// Owns a descriptor.
struct Opened {
  int Descriptor;
  ~Opened() {
    if (Descriptor >= 0)
      ::close(Descriptor);
  }
};
} // namespace

Expected<std::string> evenkeel::readWholeFile(const std::string &Path) {
  auto Failed = [&] {
    return Error{"cannot read " + Path + ": " + std::strerror(errno)};
  };
  // Do not wait for a pipe's writer.
  Opened In{::open(Path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
  struct stat S;
  if (In.Descriptor < 0 || ::fstat(In.Descriptor, &S) != 0)
    return Failed();
  if (!S_ISREG(S.st_mode))
    return Error{"cannot read " + Path + ": it is " +
                 (S_ISDIR(S.st_mode) ? "a directory" : "not a regular file")};
  std::string Text;
  constexpr size_t Block = 1 << 16;
  // Includes room for the read that finds the end.
  Text.reserve(static_cast<size_t>(S.st_size) + Block);
  for (;;) {
    const size_t Old = Text.size();
    Text.resize(Old + Block);
    const ssize_t N = ::read(In.Descriptor, Text.data() + Old, Block);
    Text.resize(Old + (N > 0 ? static_cast<size_t>(N) : 0));
    if (N == 0)
      return Text;
    if (N < 0 && errno != EINTR)
      return Failed();
  }
}

/// Writes to an existing device or pipe.
static MaybeError writeThrough(const std::string &Path,
                               const std::string &Text) {
  auto Failed = [&] {
    return Error{"cannot write " + Path + ": " + std::strerror(errno)};
  };
  // Fails for a pipe without a reader; a slow reader is fine.
  Opened Out{::open(Path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)};
  if (Out.Descriptor < 0 || ::fcntl(Out.Descriptor, F_SETFL, 0) != 0)
    return Failed();
  for (size_t At = 0; At < Text.size();) {
    const ssize_t N =
        ::write(Out.Descriptor, Text.data() + At, Text.size() - At);
    if (N < 0 && errno != EINTR)
      return Failed();
    At += N > 0 ? static_cast<size_t>(N) : 0;
  }
  return std::nullopt;
}

MaybeError evenkeel::writeWholeFile(const std::string &Path,
                                    const std::string &Text) {
  struct stat S;
  if (::stat(Path.c_str(), &S) == 0 && !S_ISREG(S.st_mode) &&
      !S_ISDIR(S.st_mode))
    return writeThrough(Path, Text);
  Expected<NewFile> New = NewFile::beside(Path);
  if (!New)
    return New.takeError();
  if (MaybeError E = New->write(Text))
    return E;
  return New->publish();
}

/// Writing JSON is recursive. Our files are not nested deeper than expressions
/// may be (Expr.cpp), with two levels of JSON per level.
static bool isNestedTooDeep(const std::string &Text) {
  constexpr unsigned Most = 1000;
  unsigned Depth = 0;
  bool InString = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (InString) {
      if (C == '\\')
        ++I;
      else if (C == '"')
        InString = false;
    } else if (C == '"') {
      InString = true;
    } else if (C == '[' || C == '{') {
      if (++Depth > Most)
        return true;
    } else if ((C == ']' || C == '}') && Depth) {
      --Depth;
    }
  }
  return false;
}

Expected<json> evenkeel::parseJsonText(const std::string &Text,
                                       const std::string &Path,
                                       const std::string &Kind, unsigned Major,
                                       const std::string &Remedy) {
  if (isNestedTooDeep(Text))
    return Error{Path + ": nested too deep; " + Remedy};
  json J = json::parse(Text, nullptr, /*allow_exceptions=*/false);
  if (J.is_discarded())
    return Error{Path + ": not JSON, or cut short; " + Remedy};
  std::string Want = "evenkeel." + Kind + "/" + std::to_string(Major);
  auto It = J.is_object() ? J.find("schema") : J.end();
  if (!J.is_object() || It == J.end() || !It->is_string())
    return Error{Path + ": no \"schema\": \"" + Want + "\" in it; " + Remedy};
  std::string Have = It->get<std::string>();
  if (Have == Want)
    return J;
  // Both contain text from the file: keep it on one line.
  std::string Shown =
      json(Have).dump(-1, ' ', true, json::error_handler_t::replace);
  if (Have.rfind("evenkeel." + Kind + "/", 0) == 0)
    return Error{Path + ": schema " + Shown + " is unknown, this evenkeel " +
                 "reads \"" + Want + "\"; use the evenkeel that wrote the " +
                 "file, or " + Remedy};
  return Error{Path + ": schema is " + Shown + ", expected \"" + Want + "\"; " +
               Remedy};
}

Expected<json> evenkeel::readJsonFile(const std::string &Path,
                                      const std::string &Kind, unsigned Major,
                                      const std::string &Remedy) {
  Expected<std::string> Text = readWholeFile(Path);
  if (!Text)
    return Text.takeError();
  return parseJsonText(*Text, Path, Kind, Major, Remedy);
}

void JsonReader::fail(const std::string &Where, const std::string &What) {
  if (Problem.empty())
    Problem = oneLine(Where.empty() ? What : Where + ": " + What);
}

static std::string joined(const std::string &Where, const char *Name) {
  return Where.empty() ? std::string(Name) : Where + "." + Name;
}

const json *JsonReader::member(const json &O, const std::string &Where,
                               const char *Name, bool Optional) {
  if (failed())
    return nullptr;
  if (!O.is_object()) {
    fail(Where, "must be an object");
    return nullptr;
  }
  auto It = O.find(Name);
  if (It == O.end() || (Optional && It->is_null())) {
    if (!Optional)
      fail(joined(Where, Name), "missing");
    return nullptr;
  }
  return &*It;
}

const json &JsonReader::array(const json &O, const std::string &Where,
                              const char *Name, bool Optional) {
  static const json Empty = json::array();
  const json *M = member(O, Where, Name, Optional);
  if (!M)
    return Empty;
  if (M->is_array())
    return *M;
  fail(joined(Where, Name), "must be an array");
  return Empty;
}

std::string JsonReader::string(const json &O, const std::string &Where,
                               const char *Name, bool Optional) {
  const json *M = member(O, Where, Name, Optional);
  if (!M)
    return {};
  if (M->is_string())
    return M->get<std::string>();
  fail(joined(Where, Name), "must be a string");
  return {};
}

bool JsonReader::boolean(const json &O, const std::string &Where,
                         const char *Name, bool Default, bool Optional) {
  const json *M = member(O, Where, Name, Optional);
  if (!M)
    return Default;
  if (M->is_boolean())
    return M->get<bool>();
  fail(joined(Where, Name), "must be true or false");
  return Default;
}

double JsonReader::number(const json &O, const std::string &Where,
                          const char *Name) {
  const json *M = member(O, Where, Name);
  if (!M)
    return 0;
  if (M->is_number() && std::isfinite(M->get<double>()))
    return M->get<double>();
  fail(joined(Where, Name), "must be a number");
  return 0;
}

std::optional<double> JsonReader::maybeNumber(const json &O,
                                              const std::string &Where,
                                              const char *Name) {
  if (!member(O, Where, Name, /*Optional=*/true))
    return std::nullopt;
  return number(O, Where, Name);
}

uint64_t JsonReader::unsignedInt(const json &O, const std::string &Where,
                                 const char *Name) {
  const json *M = member(O, Where, Name);
  if (!M)
    return 0;
  if (M->is_number_unsigned())
    return M->get<uint64_t>();
  if (M->is_number_integer() && M->get<int64_t>() >= 0)
    return static_cast<uint64_t>(M->get<int64_t>());
  fail(joined(Where, Name), "must be a whole number, not negative");
  return 0;
}

uint32_t JsonReader::unsigned32(const json &O, const std::string &Where,
                                const char *Name) {
  uint64_t V = unsignedInt(O, Where, Name);
  if (V > UINT32_MAX)
    fail(joined(Where, Name), "too large");
  return static_cast<uint32_t>(V);
}

std::optional<uint64_t> JsonReader::maybeUnsigned(const json &O,
                                                  const std::string &Where,
                                                  const char *Name) {
  if (!member(O, Where, Name, /*Optional=*/true))
    return std::nullopt;
  return unsignedInt(O, Where, Name);
}

std::optional<int64_t> JsonReader::maybeInt(const json &O,
                                            const std::string &Where,
                                            const char *Name) {
  const json *M = member(O, Where, Name, /*Optional=*/true);
  if (!M)
    return std::nullopt;
  if (M->is_number_integer() &&
      (!M->is_number_unsigned() || M->get<uint64_t>() <= INT64_MAX))
    return M->get<int64_t>();
  fail(joined(Where, Name), "must be a whole number");
  return std::nullopt;
}

uint64_t JsonReader::id(const json &O, const std::string &Where,
                        const char *Name) {
  const json *M = member(O, Where, Name);
  if (!M)
    return 0;
  uint64_t Id = M->is_string() ? idFromString(M->get<std::string>()) : 0;
  if (!Id)
    fail(joined(Where, Name), "must be an id of 16 hex digits");
  return Id;
}

ExprRef JsonReader::expr(const json &O, const std::string &Where,
                         const char *Name, bool Optional) {
  const json *M = member(O, Where, Name, Optional);
  if (!M)
    return nullptr;
  Expected<ExprRef> E = exprFromJson(*M);
  if (!E) {
    fail(joined(Where, Name), E.message());
    return nullptr;
  }
  return *E;
}
