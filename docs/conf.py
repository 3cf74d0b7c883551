# conf.py - Sphinx builds these pages; utils/docs calls it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import re
from pathlib import Path

project = "Evenkeel"
author = "the Evenkeel authors"
copyright = author
cmake = (Path(__file__).resolve().parent.parent / "CMakeLists.txt").read_text()
release = version = re.search(r"project\(.*?VERSION\s+([\d.]+)", cmake, re.S | re.I).group(1)

extensions = ["myst_parser"]
exclude_patterns = ["examples", "pictures"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
nitpicky = True

html_theme = "alabaster"
html_title = "Evenkeel"
html_theme_options = {
    "description": "Places data in fast and slow memory so that all tasks finish soonest",
    "page_width": "1080px", "sidebar_width": "240px", "fixed_sidebar": True,
    "show_powered_by": False,
}
html_sidebars = {"**": ["about.html", "navigation.html", "searchbox.html"]}
html_copy_source = False
