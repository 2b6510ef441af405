# Links of the repository's pages, for the folder that all pages are installed in (packaging/install.sh).
# First the links to pages that are installed under other names, from pages of docs/, of formats/ and of the top.
s@\]\((\.\./)*(\./)?(formats/)?bvh/README\.md@](bvh-format.md@g
s@\]\((\.\./)*(formats/)?report/README\.md@](report-keys.md@g
s@\]\((\.\./)*(formats/)?html/README\.md@](html-report.md@g
s@\]\((\.\./)*formats/README\.md@](exports.md@g
s@\]\((\.\./)*(formats/)?(bvh/)?bvh\.ksy@](bvh.ksy@g
s@\]\((\.\./)*(formats/)?(report/)?schema\.json@](report.schema.json@g
s@\]\((\.\./)+README\.md@](#README.md@g
s@\]\((\.\./)*docs/README\.md@](index.md@g
s@\]\((\.\./)*docs/([a-z0-9-]+\.md|images/)@](\2@g
s@\]\((\.\./)+(CHANGELOG|CONTRIBUTING|SECURITY)\.md@](\2.md@g
s@\]\(#README\.md@](README.md@g
# Then links to files that are not installed: the text alone remains.
s@(^|[^!])\[([^]]*)\]\((\.\./|docs/|experiments/|samples/|tests/|src/|include/|formats/|packaging/|LICENSE)[^)]*\)@\1\2@g
