//===- Svg.h - shapes and text of a picture ---------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Knows: the one style of all SVG pictures: colours for light and dark by class
// names, fonts of the system, widths of text as far as they can be known.
// Makes: a file that needs no script, no font and no network.
// Not here: what is drawn (SvgPictures.h).
//===----------------------------------------------------------------------===//
#ifndef EVENKEEL_UTILS_CLI_VIEWS_SVG_H
#define EVENKEEL_UTILS_CLI_VIEWS_SVG_H

#include <cstdint>
#include <string>
#include <vector>

namespace evenkeel::cli {

/// Classes: "fast", "touch", "hot", "wait", "live", "line", "mark" for shapes;
/// "o0" to "o5" for lines and points of different things, "o6" of all others;
/// "ink", "mut", "blue", "b" (bold), "s" (small) for text.
class Svg {
  const std::string Name; // of the picture: ids begin with it
  const double Width;
  double Height = 0;
  std::string Body;

public:
  Svg(std::string Its, double Pixels) : Name(std::move(Its)), Width(Pixels) {}

  double width() const { return Width; }
  void setHeight(double Pixels) { Height = Pixels; }
  enum class Anchor : uint8_t { Start, Middle, End };
  void rect(double X, double Y, double W, double H, const char *Class);
  /// A cell of a heat map: \p Share from 0 (as untouched paper) to 1.
  void shade(double X, double Y, double W, double H, double Share);
  /// \p Dash: as stroke-dasharray, or "".
  void line(double X1, double Y1, double X2, double Y2, const char *Class,
            const char *Dash = "");
  void circle(double X, double Y, double R, const char *Class);
  /// Through all points; at least two.
  void path(const std::vector<std::pair<double, double>> &Points,
            const char *Class, const char *Dash = "");
  /// Round points in one colour: "o0 da", where "da", "db" and "dc" are sizes.
  void dots(const std::vector<std::pair<double, double>> &Points,
            const std::string &Class);
  void text(double X, double Y, const std::string &Text, const char *Class,
            Anchor A = Anchor::Start);
  /// The whole file. \p Title and \p Says are plain text for those who do not
  /// see the picture.
  std::string document(const std::string &Title, const std::string &Says) const;
  /// The same as an element of a page, whose style gives the classes colours.
  std::string element(const std::string &Title, const std::string &Says) const;
};

/// \p Text, cut where it would be wider than \p Pixels; "" if little fits.
std::string fitting(const std::string &Text, double Pixels);

/// Round numbers from \p Low to \p High, at most \p Most + 1.
std::vector<double> roundSteps(double Low, double High, int Most);

/// A label of an axis.
std::string stepText(double Value);

} // namespace evenkeel::cli

#endif
