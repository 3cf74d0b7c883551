//===- Svg.cpp - shapes and text of a picture -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See Svg.h.
//===----------------------------------------------------------------------===//
#include "Svg.h"
#include "cli/report/Amounts.h"
#include <algorithm>
#include <cmath>
#include <cstdio>

namespace evenkeel::cli {

// The colours of the page (report/page.css). Not all viewers know variables of
// CSS, so classes have the colours themselves.
static const char Style[] = R"(
text{font:12.5px system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;fill:#14181d}
.paper{fill:#fff}text.mut{fill:#555e69}text.blue{fill:#0067a8}text.b{font-weight:650}text.s{font-size:11.5px}
text.halo{paint-order:stroke;stroke:#fff;stroke-width:4px;stroke-linejoin:round}
.fast{fill:#0067a8}.touch{fill:#858e99}.hot{fill:#c94a0c}.live{fill:#e3e7ec}.hatch{fill:#9aa3ad}
path,line{fill:none}line.line{stroke:#dfe3e8}line.axis{stroke:#9aa3ad}line.mark,path.mark{stroke:#555e69}
path.fast,line.fast{fill:none;stroke:#0067a8;stroke-width:2.5}path.touch,line.touch{fill:none;stroke:#858e99;stroke-width:2}
circle.ring{fill:#fff;stroke:#0067a8;stroke-width:2}line.cut{stroke:#fff;stroke-width:2}
.o0,.o1,.o2,.o3,.o4,.o5,.o6{stroke-width:2}.o0{stroke:#b8420a}.o1{stroke:#1b7f3b}.o2{stroke:#7b3fb5}.o3{stroke:#00737f}.o4{stroke:#8c5a00}.o5{stroke:#b3206e}.o6{stroke:#858e99}
.da,.db,.dc{stroke-linecap:round}.da{stroke-width:2.5}.db{stroke-width:4}.dc{stroke-width:6}
@media (prefers-color-scheme:dark){
text{fill:#e9ecef}.paper{fill:#101317}text.mut{fill:#a7b0ba}text.blue{fill:#62b6f3}text.halo{stroke:#101317}
.fast{fill:#3b8ccb}.touch{fill:#727c88}.hot{fill:#dd7434}.live{fill:#2a3138}.hatch{fill:#6b7580}
line.line{stroke:#30373f}line.axis{stroke:#6b7580}line.mark,path.mark{stroke:#a7b0ba}
path.fast,line.fast{stroke:#62b6f3}path.touch,line.touch{stroke:#a7b0ba}
circle.ring{fill:#101317;stroke:#62b6f3}line.cut{stroke:#101317}
.o0{stroke:#ff9757}.o1{stroke:#5cc47e}.o2{stroke:#c79bff}.o3{stroke:#4fc3cf}.o4{stroke:#d9b44a}.o5{stroke:#ff8fc7}.o6{stroke:#727c88}
}
)";

/// With two digits behind the point at most.
static std::string pixels(double V) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.2f", V);
  std::string Out = Text;
  while (Out.back() == '0')
    Out.pop_back();
  if (Out.back() == '.')
    Out.pop_back();
  return Out == "-0" ? "0" : Out;
}

static std::string attribute(const char *Name, const std::string &Value) {
  return std::string(" ") + Name + "=\"" + Value + "\"";
}

static std::string dashes(const char *Dash) {
  return *Dash ? attribute("stroke-dasharray", Dash) : "";
}

void Svg::rect(double X, double Y, double W, double H, const char *Class) {
  if (!(W > 0) || !(H > 0))
    return;
  const bool Waits = std::string(Class) == "wait";
  Body += "<rect" + attribute("x", pixels(X)) + attribute("y", pixels(Y)) +
          attribute("width", pixels(W)) + attribute("height", pixels(H)) +
          (Waits ? attribute("fill", "url(#" + Name + "-wait)")
                 : attribute("class", Class)) +
          "/>\n";
}

void Svg::shade(double X, double Y, double W, double H, double Share) {
  if (!(W > 0) || !(H > 0))
    return;
  Body += "<rect" + attribute("x", pixels(X)) + attribute("y", pixels(Y)) +
          attribute("width", pixels(W)) + attribute("height", pixels(H)) +
          attribute("class", "hot") +
          attribute("fill-opacity", pixels(0.06 + 0.94 * Share)) + "/>\n";
}

void Svg::line(double X1, double Y1, double X2, double Y2, const char *Class,
               const char *Dash) {
  Body += "<line" + attribute("x1", pixels(X1)) + attribute("y1", pixels(Y1)) +
          attribute("x2", pixels(X2)) + attribute("y2", pixels(Y2)) +
          attribute("class", Class) + dashes(Dash) + "/>\n";
}

void Svg::circle(double X, double Y, double R, const char *Class) {
  Body += "<circle" + attribute("cx", pixels(X)) + attribute("cy", pixels(Y)) +
          attribute("r", pixels(R)) + attribute("class", Class) + "/>\n";
}

void Svg::path(const std::vector<std::pair<double, double>> &Points,
               const char *Class, const char *Dash) {
  std::string D;
  for (const auto &[X, Y] : Points)
    D += (D.empty() ? "M" : "L") + pixels(X) + " " + pixels(Y);
  Body += "<path" + attribute("d", D) + attribute("class", Class) +
          dashes(Dash) + "/>\n";
}

void Svg::dots(const std::vector<std::pair<double, double>> &Points,
               const std::string &Class) {
  if (Points.empty())
    return;
  // Of lines without length only the round ends are seen.
  std::string D;
  for (const auto &[X, Y] : Points)
    D += "M" + pixels(X) + " " + pixels(Y) + "h0";
  Body += "<path" + attribute("d", D) + attribute("class", Class) + "/>\n";
}

void Svg::text(double X, double Y, const std::string &Text, const char *Class,
               Anchor A) {
  if (Text.empty())
    return;
  static const char *const Names[] = {"start", "middle", "end"};
  Body += "<text" + attribute("x", pixels(X)) + attribute("y", pixels(Y)) +
          attribute("class", Class) +
          (A == Anchor::Start ? "" : attribute("text-anchor", Names[int(A)])) +
          ">" + escaped(Text) + "</text>\n";
}

std::string Svg::document(const std::string &Title,
                          const std::string &Says) const {
  constexpr double Margin = 12;
  const std::string X = pixels(-Margin), W = pixels(Width + 2 * Margin),
                    H = pixels(Height);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" + W +
         "\" height=\"" + H + "\" viewBox=\"" + X + " 0 " + W + " " + H +
         "\" role=\"img\" aria-labelledby=\"" + Name + "-title " + Name +
         "-says\">\n<!-- \"evenkeel.picture/1\" -->\n<title id=\"" + Name +
         "-title\">" + escaped(Title) + "</title>\n<desc id=\"" + Name +
         "-says\">" + escaped(Says) + "</desc>\n<style>" + Style +
         "</style>\n<defs><pattern id=\"" + Name +
         "-wait\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\" "
         "patternTransform=\"rotate(45)\"><rect width=\"1.1\" height=\"5\" "
         "class=\"hatch\"/></pattern></defs>\n<rect x=\"" +
         X + "\" width=\"" + W + "\" height=\"" + H + "\" class=\"paper\"/>\n" +
         Body + "</svg>\n";
}

std::string Svg::element(const std::string &Title,
                         const std::string &Says) const {
  return "<svg viewBox=\"0 0 " + pixels(Width) + " " + pixels(Height) +
         "\" role=\"img\" aria-labelledby=\"" + Name +
         "-title\" aria-describedby=\"" + Name + "-says\">\n<title id=\"" +
         Name + "-title\">" + escaped(Title) + "</title>\n<desc id=\"" + Name +
         "-says\">" + escaped(Says) + "</desc>\n" + Body + "</svg>\n";
}

std::string fitting(const std::string &Text, double Pixels) {
  // Letters have 6.5 pixels on average; bytes that continue a character none.
  constexpr double Letter = 6.5;
  const auto Most = size_t(std::max(0.0, Pixels / Letter));
  size_t Letters = 0, Cut = Text.size();
  for (size_t I = 0; I < Text.size(); ++I)
    if ((static_cast<unsigned char>(Text[I]) & 0xc0) != 0x80) {
      ++Letters;
      if (Letters == Most)
        Cut = I;
    }
  if (Letters <= Most)
    return Text;
  return Most < 4 ? "" : Text.substr(0, Cut) + "\u2026";
}

std::vector<double> roundSteps(double Low, double High, int Most) {
  const double Raw = (High - Low) / Most;
  if (!(Raw > 0))
    return {Low};
  const double Ten = std::pow(10, std::floor(std::log10(Raw)));
  double Step = 10 * Ten;
  for (const double Times : {5.0, 2.0, 1.0})
    if (Times * Ten >= Raw * (1 - 1e-9))
      Step = Times * Ten;
  std::vector<double> Out;
  const double First = std::ceil(Low / Step - 1e-9) + 0.0; // no -0
  for (double I = First; I * Step <= High + (High - Low) * 1e-9; ++I)
    Out.push_back(I * Step);
  return Out;
}

std::string stepText(double Value) {
  char Text[32];
  std::snprintf(Text, sizeof Text, "%.6g", Value);
  return Text;
}

} // namespace evenkeel::cli
