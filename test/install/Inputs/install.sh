#!/bin/sh
# install.sh BUILD TEST - an installed, moved tree and a project that knows it
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Leaves "TEST/second place" (the tree) and TEST/project (a copy of project/).
set -e
inputs=$(cd "$(dirname "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
cmake --install "$1" --prefix "$2/first" >"$2/install.log"
mv "$2/first" "$2/second place"
cp -R "$inputs/project" "$2/project"
