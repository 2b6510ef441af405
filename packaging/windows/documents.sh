#!/bin/sh
# documents.sh FOLDER: README.md and docs/ for people who have only that folder. Links to other files of the project lead to nothing
# there: they become plain text.
set -eu

folder=$1
cp README.md "$folder"
cp -r docs/*.md docs/images "$folder/docs"
rm -f "$folder/docs/architecture.md" "$folder/docs/testing.md"
for page in "$folder"/README.md "$folder"/docs/*.md; do
	/usr/bin/python3 - "$page" <<'EOF'
import os, re, sys
page = sys.argv[1]
folder = os.path.dirname(page)
def link(found):
    target = found[2].split("#")[0]
    return found[0] if not target or ":" in target or os.path.exists(os.path.join(folder, target)) else found[1]
text = open(page, encoding="utf-8").read()
text = re.sub(r"(?<!!)\[([^][]*)\]\(([^()\s]*)\)", link, text)
open(page, "w", encoding="utf-8", newline="").write(text)
EOF
done
