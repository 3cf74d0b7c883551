#!/usr/bin/env python3
# doc_examples_test.py - the runner of documentation's commands, on made-up pages
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import argparse
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

p = argparse.ArgumentParser()
p.add_argument("--lib", required=True, type=Path)
a, rest = p.parse_known_args()


class Pages(unittest.TestCase):
    def check(self, body, write=False, option=None):
        """Exit status, what was printed, and the page afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder)
            for name in ("docs/examples/x", "docs/pictures", "test/workloads", "utils",
                         "runtime", "out/bin"):
                (source / name).mkdir(parents=True)
            page = source / "page.md"
            page.write_text(body)
            r = subprocess.run([sys.executable, a.lib / "doc_examples.py", "--source", folder,
                                "--build", source / "out", *(["--write"] if write else []),
                                *([option] if option else []),
                                "page.md"], capture_output=True, text=True)
            return r.returncode, r.stdout + r.stderr, page.read_text()

    def block(self, text, note=""):
        return f"{note}```console\n{text}```\n"

    def test_what_is_shown_is_what_is_printed(self):
        self.assertEqual(self.check(self.block("$ echo a  b\na b\n"))[0], 0)
        status, said, _ = self.check(self.block("$ echo a\nb\n"))
        self.assertEqual(status, 1)
        self.assertIn("+ a", said)

    def test_a_session_keeps_its_state(self):
        self.assertEqual(self.check(self.block("$ x=5\n") + self.block("$ echo $x\n5\n"))[0], 0)

    def test_dots_stand_for_lines_and_words(self):
        seq = "$ seq 9\n1\n...\n8\n9\n"
        self.assertEqual(self.check(self.block(seq))[0], 0)
        self.assertEqual(self.check(self.block(seq.replace("8\n9", "8")))[0], 1)
        self.assertEqual(self.check(self.block("$ seq 3\n...\n"))[0], 0)
        self.assertEqual(self.check(self.block("$ echo one two three\none [...] three\n"))[0], 0)
        self.assertEqual(self.check(self.block("$ echo one two three\none [...] four\n"))[0], 1)

    def test_nothing_more_may_be_printed(self):
        self.assertEqual(self.check(self.block("$ seq 2\n1\n"))[0], 1)
        self.assertEqual(self.check(self.block("$ echo loud\n"))[0], 1)

    def test_numbers_within(self):
        text = "$ echo took 1.05 s, 3 rounds\ntook 1 s, 3 rounds\n"
        self.assertEqual(self.check(self.block(text))[0], 1)
        self.assertEqual(self.check(self.block(text, "<!-- figures within 5 % -->\n"))[0], 0)
        self.assertEqual(self.check(self.block(text, "<!-- figures within 2 % -->\n"))[0], 1)
        self.assertEqual(self.check(self.block(text, "<!-- figures vary -->\n"))[0], 0)
        self.assertEqual(self.check(self.block("$ echo 1 s\n1 ms\n", "<!-- figures vary -->\n"))[0], 1)
        text = "$ echo 12 of 40 files\n7 [...] files\n"
        self.assertEqual(self.check(self.block(text, "<!-- figures vary -->\n"))[0], 0)
        self.assertEqual(self.check(self.block(text))[0], 1)

    def test_exit_status(self):
        self.assertEqual(self.check(self.block("$ false\n"))[0], 1)
        self.assertEqual(self.check(self.block("$ false\n", "<!-- exit 1 -->\n"))[0], 0)
        self.assertEqual(self.check(self.block("$ true\n", "<!-- exit 1 -->\n"))[0], 1)

    def test_a_session_that_ends_early_is_wrong(self):
        self.assertEqual(self.check(self.block("$ exit 0\n$ true\n"))[0], 1)

    def test_not_run_and_hidden(self):
        self.assertEqual(self.check(self.block("$ false\n", "<!-- not run: no reason -->\n"))[0], 0)
        self.assertEqual(self.check(self.block("$ cat x\nhello\n", "<!-- hidden: echo hello >x -->\n"))[0], 0)
        self.assertEqual(self.check(self.block("$ true\n", "<!-- hidden: false -->\n"))[0], 1)

    def test_list_says_what_is_not_run(self):
        status, said, _ = self.check(self.block("$ false\n", "<!-- not run: no cluster -->\n"),
                                     option="--list")
        self.assertEqual((status, said), (0, "page.md: false  (no cluster)\n"))

    def test_write_keeps_what_was_left_out(self):
        body = self.block("$ seq 3 6\n1\n...\n9\n$ echo a\n", "<!-- exit 0 -->\n")
        status, _, page = self.check(body, write=True)
        self.assertEqual(status, 0)
        self.assertIn("$ seq 3 6\n3\n...\n6\n$ echo a\na\n", page)

    def test_write_brings_numbers_that_vary(self):
        _, _, page = self.check(self.block("$ echo 5 s\n...\n7 s\n", "<!-- figures vary -->\n"), write=True)
        self.assertIn("$ echo 5 s\n...\n5 s\n", page)

    def test_write_leaves_right_lines_alone(self):
        body = self.block("$ seq 1 9\n...\n7\n...\n9\n")
        self.assertEqual(self.check(body, write=True)[2], body)

    def test_commands_of_several_lines(self):
        body = self.block("$ for i in 1 2; do\n>   echo $i\n> done\n1\n2\n")
        self.assertEqual(self.check(body)[0], 0)


unittest.main(argv=[sys.argv[0], *rest])
