#!/bin/sh
# Progress messages: long runs print them on stderr, where and when they are wanted, without any effect on the
# output. --verbose prints time and memory.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1
"$BUILD/make_samples" . || fail 'make_samples'
escape=$(printf '\033')

# A terminal of 80 columns whose output is kept, with the program's stderr in it.
cat > terminal.py <<'P'
import fcntl, os, pty, struct, sys, termios
columns = int(sys.argv[1])
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 25, columns, 0, 0))
    os.execv(sys.argv[2], sys.argv[2:])
got = b""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    got += data
sys.stdout.buffer.write(got.replace(b"\r\n", b"\n"))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
P
on_terminal()
{
	run "$1" python3 terminal.py "$2" "$bvbuild" $3
	tr '\r' '\n' < out > lines
}

# What takes long: many knots with very small errors.
awk '$1 == "v" { v[++n] = $2 * 1; w[n] = $3 " " $4 } $1 == "f" { f[++m] = $0 } END {
	for ( k = 0; k < 48; ++k ) for ( i = 1; i <= n; ++i ) printf "v %.9g %s\n", v[i] + k, w[i]
	for ( k = 0; k < 48; ++k ) for ( i = 1; i <= m; ++i ) { split( f[i], c, " " ); print "f", c[2] + k * n, c[3] + k * n, c[4] + k * n }
}' knot.obj > knots.obj
mv knots.obj knot.obj
long='--force knot.obj -o knot.bvh --hausdorff 1e-6 --threads 1'
on_terminal 0 80 "$long"
check 'a bar on a terminal' grep -qE '^bvbuild: knot.obj: measuring errors \[#*-*\] [0-9]+ %, [0-9]+ s' lines
check 'percents grow' sh -c "sed -n 's/.*measuring errors.*\\] \\([0-9]*\\) %.*/\\1/p' lines | sort -nc"
check 'no line is too wide' test "$(sed "s/$escape\[K//" lines | awk 'length > 79' | grep -vc '^knot.bvh: ')" = 0
check 'the line is taken away' grep -q "^$escape\[Kknot.bvh: " lines
check 'and nothing is left of it' test "$(tail -n 1 lines | grep -c "$escape")" -le 1
cp knot.bvh told.bvh
run 0 "$bvbuild" $long --progress never
check 'nor anything but that changes' cmp told.bvh knot.bvh
check 'one line where stderr is a file' test "$(wc -l < err)" = 1
on_terminal 0 40 "$long"
check 'no line is too wide for a narrow one' test "$(sed "s/$escape\[K//" lines | awk 'length > 39' | grep -vc '^knot.bvh: ')" = 0
on_terminal 0 80 "-q $long"
check 'nothing when quiet' test ! -s out

# Short work is not told of, unless that is wanted. A machine that has much to do may take half a second for it.
on_terminal 0 80 'crate.obj -o crate.bvh'
check 'short work' sh -c "grep -qx 'crate.bvh: .*' lines"
mkdir folder
on_terminal 2 80 'knot.obj missing.obj rock.obj -o folder --progress always --jobs 1 --keep-going'
check 'which input' grep -q '^bvbuild: [13] of 3, [a-z]*.obj: ' lines
check 'errors have a line of their own' grep -qx "\(.*$escape\[K\)*bvbuild: missing.obj: No such file or directory" lines

# Elsewhere lines, without escape codes.
run 0 "$bvbuild" -q --force crate.obj rock.obj -o folder --progress always --jobs 1
check 'a line each stage' grep -qx 'bvbuild: 1 of 2, crate.obj: building the hierarchy' err
check 'and each tenth' grep -qx 'bvbuild: 2 of 2, rock.obj: measuring errors: 100 %' err
check 'no escape code' test "$(tr -d '\n -~' < err | wc -c)" = 0
mv crate.obj "$(printf 'a\033[31m\n.obj')"
run 0 "$bvbuild" -q --force "$(printf 'a\033[31m\n.obj')" -o crate.bvh --progress always
check 'nor in names' test "$(tr -d '\n -~' < err | wc -c)" = 0
check 'nor lines' test "$(grep -vc '^bvbuild: a?\[31m?.obj: ' err)" = 0
run 0 "$bvbuild" rock.obj -o rock.bvh --progress auto
check 'nothing by itself' test "$(wc -l < err)" = 1
run 1 "$bvbuild" rock.obj -o rock.bvh --progress sometimes

# Times and memory, the same in the table and in the report.
run 0 "$bvbuild" -v rock.obj -o rock.bvh --force --report rock.json --decompose --max-parts 2 --decompose-effort 0
cp err table
cat > check.py <<'P'
import json, math
r = json.load(open("rock.json"))
names = ["import", "record", "hierarchy", "topology", "hull", "mass", "fit", "hausdorff", "recognise", "decompose", "write"]
memory = [r["memory"][n] for n in names]
assert memory == sorted(memory) and memory[0] > 0, memory
assert r["memory"]["peak"] == memory[-1]
assert sum(r["time"][n] for n in names) <= r["time"]["total"]
rows = [l.split() for l in open("table") if l.startswith("  ") and len(l.split()) in (3, 4) and l.split()[0].isalpha()]
rows = [row for row in rows if row[0] in names + ["total"] and row[1][0].isdigit()]
assert [row[0] for row in rows] == names + ["total"], rows
for row, name in zip(rows, names):
    # Reports are made before the file is written, so theirs lack what that takes.
    most = math.inf if name == "write" else 0.06
    assert -0.06 <= float(row[1]) - 1e3 * r["time"][name] <= most, (row, r["time"][name])
    assert -0.06 <= float(row[2]) - 1e-6 * r["memory"][name] <= most, row
added = sum(float(row[3]) for row in rows[:-1])
assert abs(added - float(rows[-1][2])) < 1, added
P
check 'the table says what the report says' python3 check.py
finish
