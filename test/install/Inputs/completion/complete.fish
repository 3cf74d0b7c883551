# complete.fish FOLDER LINE...: what fish offers for the last word
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
set -p fish_complete_path $argv[1]
for line in $argv[2..-1]
    echo "$line|" (complete -C $line | string replace -r '\t.*' '')
end
