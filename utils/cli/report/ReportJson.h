//===- ReportJson.h - the data in a report ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: "evenkeel.report/1": all figures of the page, for its script and for
// others. Seconds and bytes, with six significant digits; sentences as plain
// text.
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_REPORT_REPORTJSON_H
#define EVENKEEL_UTILS_CLI_REPORT_REPORTJSON_H

#include "Headlines.h"
#include <nlohmann/json_fwd.hpp>

namespace evenkeel::cli {

nlohmann::ordered_json reportJson(const ReportInput &In, const ReportData &D,
                                  const Headlines &Says);

} // namespace evenkeel::cli

#endif
