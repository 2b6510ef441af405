#!/bin/sh
# Several files side by side: the table, CSV and JSON lines, read back by Python's own parsers.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

"$BUILD/make_samples" . || fail 'make_samples'
for mesh in crate rock broken; do
	run 0 "$bvbuild" -q $mesh.obj -o $mesh.bvh
done
run 0 "$bvbuild" -q crate.obj -o hull.bvh --sections none,hull
cp crate.bvh damaged.bvh
printf 'X' | dd of=damaged.bvh bs=1 seek=2000 conv=notrunc 2> /dev/null
hostile=$(printf 'a,"b\n\033[1m\377\303\244'"'"'.bvh')
cp crate.bvh "$hostile"

run 0 "$bvinspect" crate.bvh rock.bvh hull.bvh
check 'a line each and one above' test "$(wc -l < out)" = 4
check 'what there is' grep -qE '^crate\.bvh +108 +yes +[0-9.]+ +34 ' out
check 'and what there is not' grep -qE '^hull\.bvh +108 +yes +[0-9.]+ +-  +-  +-  +-$' out
check 'all rows end together' test "$(awk '{ print length }' out | sort -u | wc -l)" = 1
check 'within 80 columns' test "$(awk 'length > 80' out | wc -l)" = 0
run 2 "$bvinspect" crate.bvh damaged.bvh missing.bvh rock.bvh
says 'bvinspect: damaged.bvh: a section does not match its checksum
bvinspect: missing.bvh: No such file or directory'
check 'the rest goes on' test "$(wc -l < out)" = 3
run 2 "$bvinspect" damaged.bvh missing.bvh
check 'nothing of nothing' test ! -s out
run 0 "$bvinspect" crate.bvh "$hostile"
check 'names cannot break lines' test "$(wc -l < out)" = 3
check 'nor what is no UTF-8' python3 -c 'open("out", encoding="utf-8").read()'
check 'which is a question mark' grep -q '?\?.*'"$(printf '\303\244')" out
check 'nor change the terminal' test "$(tr -d '\n -~\200-\377' < out | wc -c)" = 0
run 0 "$bvinspect" crate.bvh --columns 'source.name, max(hull.vertices, hull.faces),mesh.volume'
check 'columns of ones own' test "$(tr -s ' ' < out)" = "file source.name max(hull.vertices, hull.faces) mesh.volume
crate.bvh crate.obj $("$bvinspect" --json crate.bvh | python3 -c 'import json, sys
r = json.load(sys.stdin)
v = r["mesh"]["volume"]
print(max(r["hull"]["vertices"], r["hull"]["faces"]), "%.4g" % v)')"
example=$("$bvinspect" --help=all | sed -n 's/^ *\(mesh\.triangles,.*\)$/\1/p')
check 'help has an example' test -n "$example"
run 0 "$bvinspect" crate.bvh --columns "$example"
for i in 1 2 3 4 5 6 7 8; do
	long=$(printf "x%.0s" $(seq 30))$i.bvh
	cp crate.bvh "$long"
done
run 0 "$bvinspect" x*.bvh
check 'long names lose their middle, not their end' test "$(grep -cE '^x+\.\.\.x+[1-8]\.bvh ' out)" = 8
check 'and rows stay within 80 columns' test "$(awk 'length > 80' out | wc -l)" = 0

cat > check.py <<'P'
import csv, json, subprocess, sys
tool, names = sys.argv[1], sys.argv[2:]
# Lines are bytes: names of files need not be UTF-8.
def ask(*options):
    return subprocess.run([tool, *options], stdout=subprocess.PIPE, check=True).stdout.decode("utf-8", "surrogateescape")
reports = [json.loads(ask("--json", name)) for name in names]
def at(report, path):
    for key in path.split("."):
        report = report and report.get(key)
    return report
columns = ["mesh.triangles", "mesh.closed", "mesh.volume", "source.name", "hierarchy.cost.expected", "hull.volume"]
import io
rows = list(csv.reader(io.StringIO(ask("--csv", "--columns", ",".join(columns), *names), newline="")))
assert rows[0] == ["path"] + columns, rows[0]
assert [row[0] for row in rows[1:]] == names, rows
for row, report in zip(rows[1:], reports):
    for text, path in zip(row[1:], columns):
        value = at(report, path)
        if value is None: assert text == ""
        elif value is True or value is False: assert text == str(value).lower()
        elif isinstance(value, str): assert text == value
        else: assert float(text) == value, (text, value)
lines = ask("--jsonl", *names).split("\n")[:-1]
assert len(lines) == len(names)
for line, name, report in zip(lines, names, reports):
    whole = json.loads(line)
    path = whole.pop("path")
    assert path == name.encode("utf-8", "surrogateescape").replace(b"\xff", b"?").decode("utf-8"), (path, name)
    assert whole == report
lines = ask("--jsonl", "--columns", 'mesh.triangles , "a,b" == \'"\' , source.name,mesh.volume', *names).split("\n")[:-1]
for line, report in zip(lines, reports):
    row = json.loads(line)
    assert list(row)[1:] == ["mesh.triangles", "\"a,b\" == '\"'", "source.name", "mesh.volume"], list(row)
    assert list(row.values())[1:] == [at(report, "mesh.triangles"), False, at(report, "source.name"), at(report, "mesh.volume")]
P
check 'CSV and JSON lines say what the report says' python3 check.py "$bvinspect" crate.bvh rock.bvh broken.bvh hull.bvh "$hostile"
run 0 "$bvinspect" --csv crate.bvh rock.bvh
check 'CSV has the same columns as the table' test "$(head -n 1 out | tr , '\n' | wc -l)" = 8
run 2 "$bvinspect" --jsonl crate.bvh damaged.bvh rock.bvh
check 'a line for each that can be read' test "$(wc -l < out)" = 2
run 0 "$bvinspect" --jsonl crate.bvh
check 'of one file, too' test "$(wc -l < out)" = 1

run 1 "$bvinspect" --json crate.bvh rock.bvh
says 'bvinspect: --json takes one file; --jsonl prints one line per file'
run 1 "$bvinspect" --jsonl --columns 'mesh.closed, mesh.closed' crate.bvh
says 'bvinspect: --jsonl needs distinct --columns, and one appears twice'
run 0 "$bvinspect" --csv --columns 'mesh.closed,mesh.closed' crate.bvh
run 1 "$bvinspect" --csv --jsonl crate.bvh
says 'bvinspect: --csv and --jsonl exclude each other'
run 1 "$bvinspect" --csv --verify crate.bvh
run 1 "$bvinspect" --columns 'mesh.triangles,' crate.bvh
says "bvinspect: --columns '': at character 1: a value is missing at the end"
run 1 "$bvinspect" --columns mesh.nothing crate.bvh
run 1 "$bvinspect" --columns hierarchy.levels crate.bvh
says "bvinspect: crate.bvh: --columns 'hierarchy.levels': at character 1: this is a list: [0] is its first item, max(...) its largest"
run 1 "$bvinspect" --columns "$(printf '1,%.0s' $(seq 32))1" crate.bvh
says 'bvinspect: --columns takes at most 32 expressions'
run 6 "$bvinspect" crate.bvh rock.bvh broken.bvh --gate mesh.closed --csv
check 'gates go with tables' test "$(wc -l < out)" = 4
finish
