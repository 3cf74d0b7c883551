//===- TouchedView.cpp - touched pages in a report ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See TouchedView.h.
//===----------------------------------------------------------------------===//
#include "TouchedView.h"
#include "CurveJson.h"
#include "CurvePictures.h"
#include "TouchMap.h"
#include "TouchTable.h"
#include "cli/common/Cli.h"
#include <nlohmann/json.hpp>

namespace evenkeel::cli {

/// Objects in the table and in the map by object, rows of the map by address.
static constexpr size_t MostHot = 12, MostTouchedRows = 24, MostAddresses = 120;
/// Points of the scatter plot beside and above each other.
static constexpr size_t PointColumns = 120, PointRows = 160;

/// \p Text with a capital letter.
static std::string sentence(std::string Text) {
  if (!Text.empty())
    Text[0] =
        static_cast<char>(std::toupper(static_cast<unsigned char>(Text[0])));
  return Text;
}

std::string touchedFinding(const TouchRecord &R) {
  return escaped(sentence(workingSetText(touchedObjects(R, false)))) + ".";
}

static std::string hottestTable(const std::vector<TouchedObject> &Objects) {
  std::string Out =
      "<table><caption class=\"alt\">Objects with the most touched "
      "bytes</caption>"
      "<thead><tr><th scope=\"col\">object</th><th scope=\"col\">kind</th><th "
      "scope=\"col\" class=\"r\">resident</th><th scope=\"col\" class=\"r\">"
      "touched in a window</th></tr></thead><tbody>\n";
  size_t Shown = 0;
  for (const TouchedObject &O : Objects) {
    if (Shown == MostHot || (O.Touched <= 0 && O.Written <= 0))
      break;
    ++Shown;
    Out += "<tr><th scope=\"row\">" + escaped(O.Name) + "</th><td>" +
           escaped(O.Kind) + "</td><td class=\"r\">" + bytesText(O.Resident) +
           "</td><td class=\"r\">" + percentText(O.share()) + "</td></tr>\n";
  }
  Out += "</tbody></table>\n";
  if (Shown < Objects.size())
    Out += "<p class=\"note\">" + std::to_string(Objects.size() - Shown) +
           " others: less each.</p>\n";
  return Out;
}

static std::string figure(const char *Head, const CurvePicture &P) {
  return std::string("<div class=\"fig touched\"><h3>") + Head + "</h3>\n" +
         P.element() + "</div>\n";
}

/// What the maps do not show: the working set, ages, and chunks by object.
static std::string curvesHtml(const TouchRecord &R, uint32_t Process) {
  const std::string Title = processTitle(R, Process);
  return figure("Working set",
                workingSetPicture(workingSetOf(R, Process, false), Title,
                                  "touched-working-set")) +
         figure("Time since the last touch",
                recencyPicture(recencyOf(R, Process, false), Title,
                               "touched-recency")) +
         figure("By address, in colours of source lines",
                scatterPicture(scatterOf(R, Process, PointColumns, PointRows),
                               Title, "touched-scatter"));
}

std::string touchedHtml(const TouchRecord &R) {
  const uint32_t Process = busiestProcess(R);
  std::string Out = "<p class=\"note\">" + escaped(passesText(R)) + ". " +
                    escaped(sentence(TouchesAre)) + ".</p>\n";
  const HeatGrid Objects = heatByObject(R, Process, MostTouchedRows),
                 Addresses = heatByAddress(R, Process, MostAddresses);
  if (!Objects.Rows.empty())
    Out += "<div class=\"fig touched\"><h3>By object</h3>\n" +
           heatElement(Objects, "touched-objects") +
           "</div>\n<div class=\"fig touched\"><h3>By address</h3>\n" +
           heatElement(Addresses, "touched-addresses") + "</div>\n" +
           curvesHtml(R, Process);
  return Out + "<div class=\"fig\">" + hottestTable(touchedObjects(R, false)) +
         "</div>\n";
}

std::string touchedJson(const TouchRecord &R) {
  nlohmann::json J = touchesSummary(R, touchedObjects(R, false));
  addCurves(R, busiestProcess(R), false, MostHot, J);
  return J.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

} // namespace evenkeel::cli
