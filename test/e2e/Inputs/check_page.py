# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# check_page.py REPORT [DATA]: the report is one well-formed page that needs and
# may use nothing but itself. Writes its data to DATA.
import base64
import hashlib
import html.parser
import json
import re
import sys

VOID = {"meta", "link", "br", "img", "input", "hr"}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.links = [], [], []
        self.texts = {"script": [], "style": []}
        self.policy = None
        self.data = None
        self.headings = []
        self.captions = self.tables = 0
        self.alternatives = {}

    def handle_starttag(self, tag, attrs):
        of = dict(attrs)
        assert len(of) == len(attrs), f"an attribute twice in {attrs}"
        for name, value in attrs:
            assert not name.startswith("on"), f"{name} in <{tag}>"
            assert name not in ("style", "src"), f"{name} in <{tag}>"
            if name == "href":
                self.links.append(value)
            if name == "id":
                self.ids.append(value)
        if tag == "meta" and of.get("http-equiv") == "Content-Security-Policy":
            self.policy = of["content"]
        if tag in self.texts and of.get("type") != "application/json":
            self.texts[tag].append("")
        self.tables += tag == "table"
        self.captions += tag == "caption"
        if of.get("class") == "alt" and tag == "p":
            self.alternatives[of["id"]] = ""
        if tag in ("h1", "h2"):
            self.headings.append(tag)
        if tag not in VOID:
            self.open.append((tag, of))

    def handle_endtag(self, tag):
        assert self.open and self.open[-1][0] == tag, f"</{tag}> in {self.open[-1:]}"
        self.open.pop()

    def handle_data(self, text):
        tag, of = self.open[-1] if self.open else ("", {})
        if tag == "script" and of.get("type") == "application/json":
            self.data = (self.data or "") + text
        elif tag in self.texts:
            self.texts[tag][-1] += text
        elif of.get("id") in self.alternatives:
            self.alternatives[of["id"]] += text


text = open(sys.argv[1], encoding="utf-8").read()
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert len(page.ids) == len(set(page.ids)), "an id twice"
assert all(l.startswith("#") and l[1:] in page.ids for l in page.links), page.links
assert page.headings and page.headings[0] == "h1" and page.headings.count("h1") == 1

# Who sees no pictures reads their numbers, and the name of each table.
for name in page.ids:
    if name.startswith("v-"):
        assert re.search("[0-9]", page.alternatives["alt-" + name[2:]]), name
assert page.tables and page.captions == page.tables, (page.tables, page.captions)
assert "prefers-reduced-motion" in text and ":focus-visible" in text

for tag in ("script", "style"):
    assert len(page.texts[tag]) == 1, f"{len(page.texts[tag])} of <{tag}>"
    digest = base64.b64encode(hashlib.sha256(page.texts[tag][0].encode()).digest()).decode()
    assert f"{tag}-src 'sha256-{digest}'" in page.policy, f"another hash of the {tag}"
assert "default-src 'none'" in page.policy and "unsafe" not in page.policy
# The one address is the name of SVG.
assert set(re.findall(r"https?://[^'\"\s)]+", text)) <= {"http://www.w3.org/2000/svg"}

data = json.loads(page.data)
assert data["schema"] == "evenkeel.report/1"
for run in ("first_touch", "plan"):
    groups = data[run]["groups"]
    assert len(groups) == len(data["groups"])
    for g in groups:
        assert len(g["busy"]) == len(g["task"]) and max(g["busy"], default=0) <= g["s"] * (1 + 1e-5), g
    shown = sum(g["s"] for g in groups) + data["folded"]["short_s"]
    assert abs(shown / data[run]["makespan"] - 1) < 0.02, (run, shown)
assert len(data["occupancy"]) == len(data["groups"])
for allocated, touch, plan in data["occupancy"]:
    assert max(touch, plan) <= min(allocated, data["meta"]["fast_bytes"]) * (1 + 1e-5), data["occupancy"]
for o in data["objects"]:
    assert all(sum(h[1::2]) == 256 for h in o["heat"] if h), o
assert len(text) < 4 << 20, len(text)
if len(sys.argv) > 2:
    json.dump(data, open(sys.argv[2], "w"), indent=1)
