//===- BuildNote.cpp - how a program was built, inside itself -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See BuildNote.h. A line is a JSON object. The bytes come from outside, so
// each field is checked. A plugin calls this: nothing here throws.
//===----------------------------------------------------------------------===//
#include "BuildNote.h"
#include "format/Identity.h"
#include <cstdio>
#include <nlohmann/json.hpp>
#include <set>

namespace evenkeel {

using Json = nlohmann::json;

static constexpr char UnitSchema[] = "evenkeel.built-unit/1";
static constexpr char LinkSchema[] = "evenkeel.link/1";

uint64_t contentHash(std::string_view Text) {
  uint64_t H = detail::EmptyHash;
  detail::mixBytes(H, Text.data(), Text.size());
  return detail::avalanche(H);
}

/// Names in other encodings than UTF-8 lose the bytes that are none.
static std::string dumped(const Json &J) {
  return J.dump(-1, ' ', /*ensure_ascii=*/true, Json::error_handler_t::replace);
}

static Json parsed(std::string_view Text) {
  return Json::parse(Text, nullptr, /*allow_exceptions=*/false);
}

static bool readText(const Json &O, const char *Name, std::string &To) {
  const auto It = O.find(Name);
  if (It == O.end() || !It->is_string())
    return false;
  To = It->get<std::string>();
  return true;
}

static bool readWords(const Json &O, std::vector<std::string> &To) {
  const auto It = O.find("words");
  if (It == O.end() || !It->is_array() || It->empty())
    return false;
  for (const Json &W : *It) {
    if (!W.is_string())
      return false;
    To.push_back(W.get<std::string>());
  }
  return true;
}

static Json compileJson(const CompileLine &L) {
  return {{"directory", L.Directory}, {"words", L.Words}, {"root", L.Root}};
}

static bool readCompileJson(const Json &O, CompileLine &To) {
  return O.is_object() && readText(O, "directory", To.Directory) &&
         readText(O, "root", To.Root) && readWords(O, To.Words);
}

std::string compileLineText(const CompileLine &L) {
  return dumped(compileJson(L));
}

std::optional<CompileLine> readCompileLine(const std::string &Text) {
  CompileLine L;
  if (!readCompileJson(parsed(Text), L))
    return std::nullopt;
  return L;
}

std::string unitLine(const BuiltUnit &U) {
  Json J = compileJson(U.Line);
  J["schema"] = UnitSchema;
  J["file"] = U.File;
  J["cxx"] = U.IsCxx;
  J["files"] = Json::object();
  for (const auto &[Path, Hash] : U.Files)
    J["files"][Path] = idToString(Hash);
  return dumped(J);
}

static std::optional<BuiltUnit> readUnit(const Json &J) {
  BuiltUnit U;
  std::string Schema;
  if (!readCompileJson(J, U.Line) || !readText(J, "schema", Schema) ||
      Schema != UnitSchema || !readText(J, "file", U.File) ||
      !J.contains("cxx") || !J["cxx"].is_boolean() || !J.contains("files") ||
      !J["files"].is_object())
    return std::nullopt;
  U.IsCxx = J["cxx"].get<bool>();
  for (const auto &[Path, Hash] : J["files"].items()) {
    if (!Hash.is_string())
      return std::nullopt;
    U.Files[Path] = idFromString(Hash.get<std::string>());
  }
  return U;
}

std::string linkLine(const BuiltLink &L) {
  return dumped(
      {{"schema", LinkSchema}, {"directory", L.Directory}, {"words", L.Words}});
}

/// Calls \p Each with each line of \p Section. Linkers may pad with zeros.
template <typename F>
static void eachLine(std::string_view Section, const F &Each) {
  while (!Section.empty()) {
    const size_t End = std::min(Section.find('\n'), Section.size());
    std::string_view Line = Section.substr(0, End);
    Line.remove_prefix(std::min(Line.find_first_not_of('\0'), Line.size()));
    if (!Line.empty())
      Each(Line);
    Section.remove_prefix(std::min(End + 1, Section.size()));
  }
}

std::vector<BuiltUnit> readUnits(std::string_view Section, size_t &Broken) {
  std::vector<BuiltUnit> Units;
  std::set<std::string_view> Seen;
  Broken = 0;
  eachLine(Section, [&](std::string_view Line) {
    if (!Seen.insert(Line).second)
      return;
    if (std::optional<BuiltUnit> U = readUnit(parsed(Line)))
      Units.push_back(std::move(*U));
    else
      ++Broken;
  });
  return Units;
}

std::optional<BuiltLink> readLink(std::string_view Section) {
  std::optional<BuiltLink> Last;
  eachLine(Section, [&](std::string_view Line) {
    const Json J = parsed(Line);
    BuiltLink L;
    std::string Schema;
    if (J.is_object() && readText(J, "schema", Schema) &&
        Schema == LinkSchema && readText(J, "directory", L.Directory) &&
        readWords(J, L.Words))
      Last = std::move(L);
  });
  return Last;
}

std::string assemblyOf(const std::string &Section, const std::string &Line) {
  std::string Out = ".pushsection " + Section + ",\"\",@progbits\n.ascii \"";
  for (const unsigned char C : Line)
    if (C == '"' || C == '\\' || C < ' ' || C > '~') {
      char Octal[8];
      std::snprintf(Octal, sizeof Octal, "\\%03o", C);
      Out += Octal;
    } else {
      Out += static_cast<char>(C);
    }
  return Out + "\\n\"\n.popsection\n";
}

} // namespace evenkeel
