# lit.cfg.py - a suite of another project
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import os
import lit.formats

config.name = "consumer"
config.test_format = lit.formats.ShTest()
config.suffixes = [".c", ".cpp"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = lit_config.params["out"]
lit_config.load_config(config, lit_config.params["evenkeel"])
