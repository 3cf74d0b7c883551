//===- Quantity.cpp - quantities behind symbol names ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Quantity.h.
//===----------------------------------------------------------------------===//
#include "Quantity.h"

std::string evenkeel::shortName(const std::string &Name) {
  size_t C = Name.find(':');
  return C == std::string::npos ? Name : Name.substr(C + 1);
}

std::string evenkeel::quantity(const std::string &Name) {
  std::string Short = shortName(Name);
  size_t Hash = Short.rfind('#');
  if (Hash != std::string::npos && Hash + 1 < Short.size() &&
      Short.find_first_not_of("0123456789", Hash + 1) == std::string::npos)
    Short.resize(Hash);
  size_t Dot = Short.find_last_of(".>");
  return Dot == std::string::npos || Dot + 1 == Short.size()
             ? Short
             : Short.substr(Dot + 1);
}

bool evenkeel::isConverted(const SymbolFact &S) {
  return S.At.rfind("<system>/", 0) == 0;
}

bool evenkeel::isThreadCount(const std::string &Name) {
  const std::string Short = shortName(Name);
  return Short.rfind("omp_get_num_threads", 0) == 0 ||
         Short.rfind("omp_get_max_threads", 0) == 0;
}
