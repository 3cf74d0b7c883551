//===- Page.cpp - the page of a report ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the frame of the page and its security: one style and one script,
// named by their hashes, and nothing from elsewhere. The data are text, in
// which no tag can end.
// Makes: HTML that reads without its script, too.
// Not here: tables (PageTables.h), sentences (Headlines.h), pictures (page.js).
//===----------------------------------------------------------------------===//
#include "Page.h"
#include "AltTexts.h"
#include "EvenkeelPage.h"
#include "MakeData.h"
#include "PageTables.h"
#include "ReportJson.h"
#include "Sha256.h"
#include "cli/common/Cli.h"
#include <nlohmann/json.hpp>

namespace evenkeel::cli {
namespace {

std::string link(const char *Id, const char *Text) {
  return std::string("<a href=\"#") + Id + "\">" + Text + "</a>";
}

std::string paragraph(const std::string &Class, const std::string &Html) {
  return Html.empty()
             ? ""
             : "<p" + (Class.empty() ? "" : " class=\"" + Class + "\"") + ">" +
                   Html + "</p>\n";
}

std::string section(const char *Id, const char *Question,
                    const std::string &Finding, const std::string &Rest) {
  return std::string("<section id=\"") + Id + "\"><h2>" + Question + "</h2>\n" +
         paragraph("find", Finding) + Rest + "</section>\n";
}

/// What a picture says, for those who do not see it.
std::string alternative(const std::string &Name, const std::string &Text) {
  return "<p class=\"alt\" id=\"alt-" + Name + "\">" + escaped(Text) + "</p>\n";
}

/// A picture.
std::string drawn(const std::string &Name, const std::string &Alternative) {
  return "<div id=\"v-" + Name + "\"></div>" + alternative(Name, Alternative);
}

/// A picture that arrow keys walk through, and the line that reads out.
std::string walked(const std::string &Name, const std::string &Label,
                   const std::string &Alternative) {
  return alternative(Name, Alternative) + "<div class=\"fig\" id=\"v-" + Name +
         "\" tabindex=\"0\" role=\"group\" aria-label=\"" + Label +
         "\" aria-describedby=\"" + Name +
         "read\"></div>\n<p class=\"read\" id=\"" + Name +
         "read\" aria-live=\"polite\">Point at the picture, or focus it and "
         "use the arrow keys.</p>\n";
}

class Page {
  const ReportInput &In;
  const ReportData D;
  const Headlines Says;
  const PageTables Tables;
  const AltTexts Alt;

  std::string head() const;
  std::string header() const;
  std::string answer() const;
  std::string amounts() const;
  std::string time() const;
  std::string memory() const;
  std::string fullness() const;
  std::string touched() const;
  std::string belief() const;
  std::string next() const;

public:
  explicit Page(const ReportInput &Its)
      : In(Its), D(reportData(Its)), Says(In, D), Tables(In, D, Says),
        Alt(In, D, Says) {}
  std::string html() const;
};

} // namespace

std::string Page::head() const {
  return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
         "'none'; script-src '" +
         integrityOf(PageScript) + "'; style-src '" + integrityOf(PageStyle) +
         "'; base-uri 'none'; form-action 'none'\">\n<meta name=\"viewport\" "
         "content=\"width=device-width,initial-scale=1\"><meta "
         "name=\"referrer\" content=\"no-referrer\">\n<title>Evenkeel report" +
         (In.Program.empty() ? "" : ": " + escaped(In.Program)) + ", " +
         Says.size(D.FastBytes) + " of fast memory</title>\n<style>" +
         PageStyle + "</style></head><body>\n";
}

std::string Page::header() const {
  auto Entry = [](const char *Name, const std::string &Html) {
    return std::string("<div><dt>") + Name + "</dt><dd>" + Html + "</dd></div>";
  };
  std::string Out =
      "<a class=\"skip\" href=\"#answer\">Skip to the answer</a>\n<header><div "
      "class=\"wrap\"><b>Evenkeel report</b>\n<dl>";
  if (!In.Program.empty())
    Out += Entry("program", codeText(In.Program));
  Out += Entry(
      In.P->Ranks.size() > 1 ? "ranks" : "threads",
      std::to_string(In.P->Ranks.size() > 1 ? In.P->Ranks.size() : D.Lanes));
  Out += Entry("machine", escaped(In.M->Name));
  Out += Entry("fast memory", threeDigits(Says.sizeUnit().of(D.FastBytes)) +
                                  " of " + Says.size(D.PeakBytes));
  Out += Entry("times", D.Replayed ? "replayed" : "predicted");
  return Out + "</dl>\n<nav aria-label=\"Sections\">" + link("answer", "Gain") +
         link("objects", "Objects") + link("time", "Time") +
         link("memory", "Memory") +
         (In.Touched ? link("touched", "Pages") : "") + link("trust", "Trust") +
         link("next", "Next") +
         "</nav></div></header>\n<main class=\"wrap\">\n";
}

std::string Page::answer() const {
  return "<section id=\"answer\">\n<h1>" + Says.gain() +
         "</h1>\n<div class=\"fig\">" + drawn("answer", Alt.answer()) +
         "</div>\n" + paragraph("note", Says.gainNote()) + Tables.notes() +
         "</section>\n";
}

std::string Page::amounts() const {
  if (D.Amounts.empty())
    return "";
  return section(
      "amount", "How much fast memory is worth having?", Says.amount(),
      paragraph("", Says.amountNote()) + "<div class=\"two fig\"><div>" +
          drawn("curve", Alt.amounts()) + "</div><div>" + Tables.amounts() +
          "</div></div>\n");
}

std::string Page::time() const {
  const bool CanUnfold =
      !D.FirstTouch.Unfolded.empty() && !D.Plan.Unfolded.empty();
  return section("time", "Where does the time go?", Says.tasks(),
                 "<div class=\"bar\">" + paragraph("note", Says.tasksNote()) +
                     (CanUnfold
                          ? "<button id=\"fold\" type=\"button\" "
                            "aria-pressed=\"false\">Show every phase</button>"
                          : "") +
                     "</div>\n" +
                     walked("gantt",
                            "Tasks over time; arrow keys move from task to "
                            "task",
                            Alt.tasks()) +
                     "<div class=\"fig\">" + Tables.phases() + "</div>\n");
}

std::string Page::memory() const {
  if (D.Objects.empty() || D.Groups.empty())
    return "";
  std::string Note =
      "Bands are objects, as tall as they are large, first byte on top; "
      "columns are the phases of the table above. Shade: how many times each "
      "64-byte line of a part moves from or to main memory in one run of the "
      "phase, as ";
  Note += D.Replayed ? "recorded" : "predicted";
  Note += ". Blank: not allocated. Outlined: mostly in fast memory; the blue "
          "margin on the left is exact.";
  return section("memory", "Which parts of memory are used when?",
                 Says.memory(),
                 paragraph("note", Note) +
                     walked("heat",
                            "Main-memory traffic by object and phase; "
                            "arrow keys move from cell to cell",
                            Alt.memory()) +
                     fullness() + Tables.moves());
}

std::string Page::fullness() const {
  if (D.Occupancy.empty())
    return "";
  return "<div class=\"fig\"><h3>How full is fast memory?</h3>\n" +
         paragraph("", Says.occupancy()) +
         paragraph("note", "Columns are the phases of the table above. Grey: "
                           "bytes that are allocated; blue: of these in fast "
                           "memory with the plan, the most in any run of the "
                           "phase.") +
         drawn("occupancy", Alt.occupancy()) + "</div>\n";
}

std::string Page::touched() const {
  return In.Touched
             ? section("touched", "Which pages does a run touch, and when?",
                       In.Touched->Finding, In.Touched->Html)
             : "";
}

std::string Page::belief() const {
  std::string Figures;
  if (!D.Belief.Points.empty())
    Figures = D.Replayed ? "<div class=\"even fig\"><div>" +
                               drawn("scatter", Alt.scatter()) + "</div><div>" +
                               drawn("errors", Alt.errors()) + "</div></div>\n"
                         : "<div class=\"fig\">" +
                               drawn("errors", Alt.errors()) + "</div>\n";
  return section("trust", "Can I believe the prediction?", Says.belief(),
                 paragraph("note", Says.beliefNote()) + Figures);
}

std::string Page::next() const {
  std::string Commands;
  for (const std::string &Line : In.Next)
    Commands += escaped(Line) + "\n";
  return section(
      "next", "What was assumed, and what now?", Says.assumed(),
      "<div class=\"cols\"><div><h3>About the input</h3>" + Tables.inputs() +
          "</div>\n<div><h3>About the machine</h3>" + Tables.machine() +
          "</div></div>\n" +
          (Commands.empty()
               ? ""
               : "<div class=\"fig\"><h3>Next</h3>\n<pre tabindex=\"0\" "
                 "role=\"group\" aria-label=\"Commands\">" +
                     Commands + "</pre></div>"));
}

/// JSON in which no tag and no comment can begin.
static std::string dataText(const nlohmann::ordered_json &J) {
  std::string Out;
  for (const char C :
       J.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
    if (C == '<')
      Out += "\\u003c";
    else
      Out += C;
  return Out;
}

std::string Page::html() const {
  return head() + header() + answer() + amounts() +
         section("objects", "Which objects matter?", Says.objects(),
                 paragraph("note", Says.objectsNote()) + "<div class=\"fig\">" +
                     Tables.objects() + "</div>\n") +
         time() + memory() + touched() + belief() + next() +
         "</main>\n<footer><div class=\"wrap\">" +
         (In.Made.empty() ? "" : "Made by " + codeText(In.Made) + ". ") +
         "All figures are also in this file as JSON, in the element "
         "with id <code>data</code>. <noscript>Pictures need the script; "
         "sentences and tables do not.</noscript></div></footer>\n<script "
         "type=\"application/json\" id=\"data\">" +
         dataText(reportJson(In, D, Says)) + "</script>\n<script>" +
         PageScript + "</script></body></html>\n";
}

std::string reportPage(const ReportInput &In) { return Page(In).html(); }

void writeReport(const ReportInput &In, const std::string &Path) {
  writeFile(Path, reportPage(In));
}

} // namespace evenkeel::cli
