//===- Schema.h - a JSON Schema checker for our own files -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the keywords of draft 2020-12 that profiles/schemas uses. An unknown
// keyword is an error, so a schema cannot require anything that is not checked.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_TEST_PROFILES_SCHEMA_H
#define EVENKEEL_TEST_PROFILES_SCHEMA_H

#include <nlohmann/json.hpp>
#include <regex>
#include <string>

namespace evenkeel {

class SchemaChecker {
  using json = nlohmann::json;
  const json &Root;

  static bool isType(const json &J, const std::string &T) {
    return T == "object"    ? J.is_object()
           : T == "array"   ? J.is_array()
           : T == "string"  ? J.is_string()
           : T == "number"  ? J.is_number()
           : T == "integer" ? J.is_number_integer()
           : T == "boolean" ? J.is_boolean()
                            : T == "null" && J.is_null();
  }

public:
  explicit SchemaChecker(const json &Root) : Root(Root) {}

  /// Returns where and why \p J does not conform; empty: it conforms.
  std::string check(const json &J) const { return check(J, Root, "$"); }

  std::string check(const json &J, const json &S, const std::string &At) const {
    for (auto It = S.begin(); It != S.end(); ++It) {
      const std::string &K = It.key();
      const json &V = It.value();
      std::string Bad;
      if (K == "$ref")
        Bad = check(
            J, Root.at(json::json_pointer(V.get<std::string>().substr(1))), At);
      else if (K == "type")
        Bad = isType(J, V) ? "" : At + ": not of type " + V.dump();
      else if (K == "const")
        Bad = J == V ? "" : At + ": is not " + V.dump();
      else if (K == "enum")
        Bad = std::find(V.begin(), V.end(), J) != V.end()
                  ? ""
                  : At + ": " + J.dump() + " is not one of " + V.dump();
      else if (K == "pattern")
        Bad = !J.is_string() ||
                      std::regex_search(J.get<std::string>(),
                                        std::regex(V.get<std::string>()))
                  ? ""
                  : At + ": does not match " + V.dump();
      else if (K == "minimum" || K == "maximum") {
        double X = J.is_number() ? J.get<double>() : V.get<double>();
        if (K == "minimum" ? X < V.get<double>() : X > V.get<double>())
          Bad = At + ": beyond the " + K;
      } else if (K == "minItems" || K == "maxItems") {
        if (J.is_array() && (K == "minItems" ? J.size() < V.get<size_t>()
                                             : J.size() > V.get<size_t>()))
          Bad = At + ": wrong number of items";
      } else if (K == "required") {
        for (const json &R : V)
          if (J.is_object() && !J.contains(R.get<std::string>()))
            Bad = At + ": lacks " + R.dump();
      } else if (K == "properties") {
        for (auto P = V.begin(); P != V.end() && J.is_object(); ++P)
          if (Bad.empty() && J.contains(P.key()))
            Bad = check(J[P.key()], P.value(), At + "." + P.key());
      } else if (K == "additionalProperties") {
        for (auto P = J.begin(); P != J.end() && J.is_object(); ++P)
          if (Bad.empty() &&
              !(S.contains("properties") && S["properties"].contains(P.key())))
            Bad = check(P.value(), V, At + "." + P.key());
      } else if (K == "items") {
        for (size_t I = 0; J.is_array() && I < J.size() && Bad.empty(); ++I)
          Bad = check(J[I], V, At + "[" + std::to_string(I) + "]");
      } else if (K == "anyOf") {
        Bad = At + ": matches no alternative";
        for (const json &A : V)
          if (check(J, A, At).empty())
            Bad.clear();
      } else if (K != "$schema" && K != "$id" && K != "$defs" && K != "title" &&
                 K != "description") {
        Bad = "unknown schema keyword " + K;
      }
      if (!Bad.empty())
        return Bad;
    }
    return "";
  }
};

} // namespace evenkeel

#endif
