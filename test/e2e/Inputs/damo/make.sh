#!/bin/sh
# make.sh - writes the records beside it anew, with damo (pip install damo)
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The same three snapshots in each format that damo writes itself: small.py makes
# them, damo 3.4.3 wrote what is committed.
set -e
cd "$(dirname "$0")"
scratch=$(mktemp -d)
trap 'rm -r "$scratch"' EXIT
python3 small.py "$scratch/small"
for format in json json_compressed perf_script; do
  damo convert_record_format --record_file "$scratch/small" --format $format --output_file $format
done
