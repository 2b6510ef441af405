#!/bin/sh
# What reports say in sentences: each finding is there for a mesh made to have it, nothing is said of a mesh that has none of it,
# and what README.md lists is all that can be found.
. "$(dirname "$0")/lib.sh"

# findings FILE: "severity key show", a line each, into $scratch/found.
findings()
{
	"$bvinspect" --json "$1" > "$scratch/report.json"
	awk '/"findings":/ { begun = 1 } begun { gsub( /[",]/, "" ) }
		$1 == "severity:" { severity = $2 } $1 == "key:" { key = $2 } $1 == "show:" { print severity, key, $2 }' \
		"$scratch/report.json" > "$scratch/found"
}

# finds "SEVERITY KEY SHOW" MESH [OPTION...]: a file made of it has that finding. SHOW is a pattern.
finds()
{
	wanted=$1
	mesh=$2
	shift 2
	if ! "$bvbuild" -q "$scratch/$mesh" -o "$scratch/file.bvh" "$@" 2> "$scratch/err"; then
		fail "$wanted: $(cat "$scratch/err")"
		return
	fi
	key=${wanted#* }
	echo "${key%% *}" >> "$scratch/seen"
	findings "$scratch/file.bvh"
	if grep -qx "$wanted" "$scratch/found"; then pass; else fail "$wanted of $mesh: $(tr '\n' ';' < "$scratch/found")"; fi
}

# finds_only "FINDING..." MESH [OPTION...]: these lines and no others.
finds_only()
{
	wanted=$1
	mesh=$2
	shift 2
	run 0 "$bvbuild" -q "$scratch/$mesh" -o "$scratch/file.bvh" "$@"
	findings "$scratch/file.bvh"
	printf '%b' "$wanted" > "$scratch/wanted"
	cut -d ' ' -f 2 "$scratch/wanted" >> "$scratch/seen"
	check "of $mesh nothing else is said: $(tr '\n' ';' < "$scratch/found")" cmp -s "$scratch/wanted" "$scratch/found"
}

# says_text KEY TEXT: of the last file that finding is this sentence.
says_text()
{
	got=$(sed -n "/\"key\":.*\"$1\"/{n;s/^[^:]*:.\"\(.*\)\",\$/\1/p;}" "$scratch/report.json")
	check "$1 says: $got" test "$got" = "$2"
}

# has_text KEY TEXT: of the last file the finding says this, among other things.
has_text()
{
	check "$1 says: $2" grep -qF -- "$2" "$scratch/report.json"
}

# shows KEY PYTHON: of the last file the finding's link is the value of this expression on the report `r`.
shows()
{
	check "the link of $1" python3 -c "
import json
r = json.load(open('$scratch/report.json'))
wanted = $2
got = [f['show'] for f in r['findings'] if f['key'] == '$1'][0]
assert got == wanted, (got, wanted)"
}

"$BUILD/make_samples" "$scratch" > /dev/null

# A cube, faces outwards, and what can be wrong with one.
cube_corners=$(box_obj 0 0 0 1 1 1 | grep '^v')
cube_faces=$(box_obj 0 0 0 1 1 1 | grep '^f')
cube()
{
	echo "$cube_corners"
	echo "$cube_faces"
}
cube > "$scratch/cube.obj"
{ echo "$cube_corners"; echo "$cube_faces" | awk '{ print "f", $5, $4, $3, $2 }'; } > "$scratch/inside_out.obj"
{ echo "$cube_corners"; echo "$cube_faces" | head -n 5; } > "$scratch/open.obj"
{ echo "$cube_corners"; echo "$cube_faces" | head -n 5; echo 'f 8 5 1 4'; } > "$scratch/flipped.obj"
{ cube; echo 'v 3 0 0'; echo 'f 2 3 9'; } > "$scratch/fin.obj"
{ cube; echo 'f 4 3 2 1'; echo 'f 1 1 2'; } > "$scratch/copies.obj"
{ cube; echo 'v 3 0 0'; echo 'v 4 0 0'; echo 'v 3 1 0'; echo 'f 9 10 11'; echo 'f 11 10 9'; } > "$scratch/sheet.obj"
{ cube; echo 'v nan 0 0'; echo 'f 1 2 9'; } > "$scratch/nan.obj"
{ cube | head -n 13; echo 'f 1 2'; echo 'o rest'; echo 'f 3'; echo 'f 4 1 5 8'; } > "$scratch/short.obj"
{ cube; echo "$cube_corners" | awk '{ print "v", $2 + 1, $3 + 1, $4 + 1 }'; echo "$cube_faces" | awk '{ print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8 }'; } \
	> "$scratch/pinched.obj"
{ cube | awk '$1 == "v" { print "v", 3 * $2, 3 * $3, 3 * $4; next } { print }'
cube | awk '$1 == "v" { print "v", 3 * $2 + .5, 3 * $3, 3 * $4; next } { print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8 }'; } > "$scratch/nested.obj"
# A torus of 384 triangles, in which hierarchies have the same faults as in larger samples.
torus 24 8 > "$scratch/torus.obj"

# A unit sphere of 32 meridians and 15 parallels.
awk 'BEGIN {
	pi = atan2( 0, -1 ); n = 32; rows = 15; print "v 0 0 1"
	for ( i = 1; i <= rows; ++i ) for ( k = 0; k < n; ++k ) {
		t = pi * i / ( rows + 1 ); p = 2 * pi * k / n
		print "v", sin( t ) * cos( p ), sin( t ) * sin( p ), cos( t )
	}
	last = 2 + rows * n; print "v 0 0 -1"
	for ( k = 0; k < n; ++k ) {
		m = ( k + 1 ) % n
		print "f", 1, 2 + k, 2 + m
		for ( i = 1; i < rows; ++i ) { a = 2 + ( i - 1 ) * n; print "f", a + k, a + n + k, a + n + m, a + m }
		print "f", last, last - n + m, last - n + k
	}
}' > "$scratch/ball.obj"
# The meshes of the findings about hierarchies and parts.
tree=torus.obj
deep=crate.obj
loose=terrain.obj
body=torus.obj
effort='--decompose-effort 0'
if [ "${BV_THOROUGH:-}" ]; then
	tree=knot.obj
	deep=gear.obj
	loose=knot.obj
	body=gear.obj
	effort=
fi
# With one face turned round.
awk '$1 == "f" && !done { print $1, $4, $3, $2; done = 1; next } { print }' "$scratch/knot.obj" > "$scratch/turned.obj"
ell 4 4 1 1 > "$scratch/l.obj"
# Triangles round one point, each larger than the one before; triangles each half as far as the one before; and a large one above
# a sheet of small ones.
awk 'BEGIN { for ( i = 1; i <= 40; ++i ) { print "v", -i, 0, 0; print "v", i, -i, 0; print "v", 0, i, 0; print "f -3 -2 -1" } }' \
	> "$scratch/rings.obj"
awk 'BEGIN { x = 1; for ( i = 1; i <= 100; ++i ) { print "v", x, 0, 0; print "v", x * 1.1, 0, 0; print "v", x, x * .1, 0;
	print "f -3 -2 -1"; x /= 2 } }' > "$scratch/halves.obj"
awk 'BEGIN { for ( i = 0; i < 40; ++i ) for ( k = 0; k < 40; ++k ) { print "v", i, k, 0; print "v", i + 1, k, 0; print "v", i, k + 1, 0;
	print "f -3 -2 -1" } print "v 0 0 5"; print "v 40 0 5"; print "v 0 40 5"; print "f -3 -2 -1" }' > "$scratch/sheets.obj"

heap > "$scratch/heap.obj"
# Blades that all meet at one point: their pairs near contact are more than a query may take.
awk 'BEGIN { n = 650; for ( i = 0; i < n; ++i ) { z = 1 - ( i + 0.5 ) / n; r = sqrt( 1 - z * z ); x = r * cos( 2.4 * i ); y = r * sin( 2.4 * i )
	print "v", x, y, z; print "v", -x, -y, -z; print "v", x + 0.001, y, z; print "f -3 -2 -1" } }' > "$scratch/blades.obj"
awk 'BEGIN { for ( i = 0; i < 700; ++i ) { x = i * 1e-6; print "v", x, 0, 0; print "v", 1 + x, 0, 0; print "v", x, 1, 0; print "f -3 -2 -1" } }' \
	> "$scratch/stack.obj"

finds_only 'good mesh.sound null\ngood hierarchy.tight null\ngood hull.convex null\ngood shape.recognised null\n' cube.obj
finds_only 'bad mesh.inside_out null\ngood mesh.sound null\ngood hierarchy.tight null\ngood shape.recognised null\n' inside_out.obj
says_text mesh.inside_out 'The surface faces inward: the enclosed volume is negative (-1).'
finds_only 'good mesh.sound null\n' l.obj --sections none,mesh
finds 'note mesh.open edges:boundary' open.obj
says_text mesh.open '4 of 17 edges belong to only one triangle: the mesh has holes or is an open sheet.'
finds 'bad mesh.flipped edges:flipped' flipped.obj
says_text mesh.flipped '4 of 18 edges join two triangles with opposite winding.'
finds 'note mesh.flipped edges:flipped' turned.obj --sections none,mesh
finds 'note mesh.non_manifold edges:non_manifold' fin.obj
finds 'note mesh.pinched null' pinched.obj
finds 'bad mesh.dropped null' copies.obj
says_text mesh.dropped '3 triangles of the source were dropped: 1 degenerate, 2 duplicate.'
finds 'note mesh.double_sided null' sheet.obj
finds 'bad mesh.not_finite null' nan.obj --drop-non-finite
says_text mesh.not_finite '1 triangle with NaN or infinite coordinates was dropped.'
finds 'bad mesh.skipped null' short.obj
says_text mesh.skipped 'Reading the source gave 2 warnings about missing geometry (first: line 14: face has 2 corners instead of 3 or more).'
shows mesh.skipped "None if r['tool']['parameters']['skipped'] == '2 line 14: face has 2 corners instead of 3 or more' else ''"
finds 'bad mesh.displaced null' halves.obj --weld 0.01
# Two cubes 2e6 apart have one offset: binary32 has steps of 1/8 there. Each by itself is exact.
awk 'BEGIN { for ( i = 0; i < 2; ++i ) { print "o cube" i
	for ( k = 0; k < 8; ++k ) printf "v %.9f %.9f %.9f\n", 0.3 + 2e6 * i + k % 2, 0.3 + int( k / 2 ) % 2, 0.3 + int( k / 4 )
	n = split( "1 3 4 1 4 2 5 6 8 5 8 7 1 2 6 1 6 5 3 7 8 3 8 4 1 5 7 1 7 3 2 4 8 2 8 6", c, " " )
	for ( k = 1; k < n; k += 3 ) print "f", c[k] + 8 * i, c[k + 1] + 8 * i, c[k + 2] + 8 * i } }' > "$scratch/apart.obj"
finds 'bad mesh.coarse null' apart.obj
run 6 "$bvbuild" -q "$scratch/apart.obj" -o "$scratch/apart.bvh" --strict
run 0 "$bvbuild" -q "$scratch/apart.obj" -o "$scratch/apart/" --strict --split objects
finds 'note hull.hollow null' l.obj
# 7 of 16 - 9 / 2 cubes.
says_text hull.hollow 'The hull has 64.3 % more volume than the mesh, so it fills hollow regions.'
finds 'note body.hull null' open.obj --density 1
says_text body.hull 'The mass is that of the convex hull, because the mesh encloses no volume.'
finds 'note mesh.overlapping null' nested.obj
# 27 + 27 of the hull of two cubes, half a unit apart along one edge: 3 by 3 by 3.5.
says_text mesh.overlapping 'Pieces of the mesh overlap: they enclose 71.4 % more volume than the hull, because overlaps are counted more than once.'
finds 'bad hierarchy.large_leaf node:[0-9]*' rings.obj --builder sah
says_text hierarchy.large_leaf 'A leaf has 40 triangles instead of at most 8, and queries test them all: they could not be separated.'
finds 'bad hierarchy.depth_limit node:[0-9]*' $deep --max-depth 2 --collapse 0
check 'the leaf is told of' grep -q 'the depth limit is 2 levels' "$scratch/report.json"
run 0 "$bvbuild" -q "$scratch/cube.obj" -o "$scratch/file.bvh" --max-depth 4 --collapse 0
findings "$scratch/file.bvh"
check 'a limit that cuts nothing off is no fault' test -s "$scratch/found" -a -z "$(grep depth_limit "$scratch/found")"
finds 'note hierarchy.deep level:[0-9]*' halves.obj --collapse 0 --leaf-triangles 1
finds 'note hierarchy.worst_leaf node:[0-9]*' sheets.obj
# The names of exported leaves have their errors.
depth=$(python3 -c "import json; print(json.load(open('$scratch/report.json'))['hierarchy']['depth'])")
run 0 "$bvinspect" "$scratch/file.bvh" --export "level=$depth,$scratch/leaves.obj"
worst=$(sed -n 's/^o node_\([0-9]*\)_.*_error_\(.*\)$/\2 \1/p' "$scratch/leaves.obj" | sort -g | tail -n 1 | cut -d ' ' -f 2)
shows hierarchy.worst_leaf "'node:$worst'"
finds 'bad hierarchy.overlap node:[0-9]*' $tree --splitter median --collapse 0
shows hierarchy.overlap "'node:%d' % r['hierarchy']['overlap']['worst'][0]"
finds 'note hierarchy.cost null' $tree --preset fast
ratio=$(python3 -c "import json; c = json.load(open('$scratch/report.json'))['hierarchy']['cost']; print('%.3g' % (c['measured']['cost'] / c['yardstick']['cost']))")
says_text hierarchy.cost "Queries near contact cost $ratio times as much as in the hierarchy of --preset balanced."
finds 'bad hierarchy.cost null' $tree --splitter median --node-box pca --collapse 0
finds 'good hierarchy.cheap null' $tree --preset best
finds 'bad hierarchy.given_up null' knot.obj --max-depth 0
says_text hierarchy.given_up '32 of 32 queries near contact were abandoned because they took too long; with --preset balanced it is 0.'
finds 'note hierarchy.given_up null' heap.obj
given_up=$(python3 -c "import json; c = json.load(open('$scratch/report.json'))['hierarchy']['cost']; print(c['measured']['given_up'])
assert c['yardstick']['given_up'] == c['measured']['given_up'] and c['yardstick']['ratio'] is None and c['measured']['cost'] is not None") ||
	fail 'there is a ratio of queries that were abandoned'
says_text hierarchy.given_up "$given_up of 32 queries near contact were abandoned because they took too long; the cost is the average of the others."
finds 'note hierarchy.given_up null' blades.obj
says_text hierarchy.given_up '32 of 32 queries near contact were abandoned because they took too long; the cost is unknown.'
if [ "${BV_THOROUGH:-}" ]; then
	finds 'note hierarchy.given_up null' stack.obj
	says_text hierarchy.given_up '32 of 32 queries near contact were abandoned because they took too long; the cost is unknown.'
fi
finds 'note hierarchy.loose node:[0-9]*' $loose --node-box pca --refit none
shows hierarchy.loose "'node:%d' % r['hierarchy']['fit']['area']['worst']"
finds 'note hierarchy.triangle_tests null' $tree --leaf-triangles 16 --collapse 0
finds 'good hierarchy.tight null' $tree
finds 'note hierarchy.no_errors null' cube.obj --hausdorff 0
python3 "$(dirname "$0")/../clips/make_clips.py" "$scratch/clips"
finds 'bad clip.still null' clips/still.glb --clip 0
has_text clip.still "The clip '' moves nothing of the mesh."
finds 'good clip.fit null' clips/popup.glb --clip Grow
finds 'note clip.fit null' clips/shuffle.glb --clip Shuffle --samples 13
# shellcheck disable=SC2086
finds 'bad parts.tolerance part:[0-9]*' $body --decompose=0.1% --max-parts 5 $effort
farthest="'part:%d' % max(enumerate(r['decomposition']['hulls']), key=lambda h: (h[1]['concavity']['lower'], -h[0]))[0]"
shows parts.tolerance "$farthest"
finds 'bad parts.tolerance part:[0-9]*' ball.obj --decompose=1% --max-parts 4 --max-part-vertices 8
has_text parts.tolerance 'It is limited by --max-parts 4 and --max-part-vertices 8.'
finds 'bad parts.tolerance part:[0-9]*' ball.obj --decompose=1% --max-parts 1 --max-part-vertices 32
has_text parts.tolerance 'It is limited by --max-parts 1 and --max-part-vertices 32.'
# shellcheck disable=SC2086
finds 'bad parts.tolerance part:[0-9]*' $body --decompose=0.1% --max-parts 3 --max-part-vertices 255 $effort
has_text parts.tolerance 'It is limited by --max-parts 3.'
finds 'good parts.worst part:[01]' l.obj --decompose=1%
# shellcheck disable=SC2086
finds 'note parts.worst part:[0-9]*' $body --decompose=0 --max-parts 7 $effort
shows parts.worst "$farthest"
finds 'note parts.out_of_time null' gear.obj --decompose=0.1% --time-budget 0.01 --sections none,mesh
finds 'bad parts.uncertain part:[0-9]*' gear.obj --decompose=20% --time-budget 0.01 --sections none,mesh
finds 'note file.large null' gear.obj --sections source,adjacency,node-faces,radius,node-quality

readme=$(dirname "$0")/../../formats/report/README.md
sed -n '/^| `findings\[\].key` | is there when/,/^$/p' "$readme" | sed 1,2d | cut -d '|' -f 2 | tr -d '` ' | tr ',' '\n' | grep . | sort \
	> "$scratch/listed"
sort -u "$scratch/seen" > "$scratch/sorted"
check "README.md lists what is tested here: $(diff "$scratch/listed" "$scratch/sorted")" cmp -s "$scratch/listed" "$scratch/sorted"

# What findings advise helps.
{ cube; cube | awk '$1 == "v" { print "v", $2 + 3, $3, $4; next } { print "f", $2 + 8, $3 + 8, $4 + 8, $5 + 8 }'; } > "$scratch/pair.obj"
check 'advice' python3 "$(dirname "$0")/check_advice.py" "$bvbuild" "$bvinspect" "$scratch"

# bvbuild tells of what is bad; --strict makes it an error.
cd "$scratch" || exit 1
run 0 "$bvbuild" copies.obj -o copies.bvh
check 'a bad finding is printed' grep -qxF 'bvbuild: copies.obj: 3 triangles of the source were dropped: 1 degenerate, 2 duplicate. (remove the copies in the source)' err
run 0 "$bvbuild" -q copies.obj -o copies.bvh --force
check '--quiet hides it' test ! -s err
run 6 "$bvbuild" copies.obj -o strict.bvh --strict
check 'nothing is written' test ! -e strict.bvh
run 6 "$bvbuild" -q copies.obj -o strict.bvh --strict
check 'an error is printed' grep -q '^bvbuild: strict.bvh: 3 triangles' err
run 6 "$bvbuild" -q copies.obj -o copies.bvh --strict
check 'an output that is up to date is looked at, too' test -s err
run 0 "$bvbuild" -q sheet.obj -o strict.bvh --strict
# What the reader skips is said once, for all outputs; the output is up to date all the same.
skipped='bvbuild: short.obj: geometry may be missing: the importer reported 2 warnings (first: line 14: face has 2 corners instead of 3 or more)'
run 0 "$bvbuild" short.obj -o short.bvh
check 'a loss is printed' grep -qxF "$skipped" err
run 0 "$bvbuild" short.obj -o short.bvh
says 'short.bvh: up to date'
run 6 "$bvbuild" -q short.obj -o new.bvh --strict
says "$skipped"
run 6 "$bvbuild" short.obj -o split/ --split objects --strict
says "$skipped"
check 'nothing is written of either' test ! -e new.bvh -a ! -e split
printf '{ "assets": [ { "match": "copies.obj", "options": { "strict": true } } ] }' > strict.json
run 6 "$bvbuild" copies.obj sheet.obj -o folder/ --config strict.json --keep-going
check 'by a configuration' test "$(cd folder && echo *)" = sheet.bvh

# What is dropped is said of each input, also if it comes from the cache; objects of which nothing is left are named.
{ printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\n'; awk 'BEGIN { for ( i = 0; i < 10000; ++i ) print "f 1 2 3" }'; } > same.obj
{ echo 'o Good'; cube; echo 'o Flat'; printf 'v 5 0 0\nv 6 0 0\nv 7 0 0\nf 9 10 11\n'; echo 'o Copy'; echo "$cube_faces"
	echo 'o Tiny'; cube | awk '$1 == "v" { print "v", $2 / 1e4 + 9, $3 / 1e4, $4 / 1e4; next } { print "f", $2 + 11, $3 + 11, $4 + 11, $5 + 11 }'; } > lost.obj
dropped='9,999 triangles of the source were dropped: 0 degenerate, 9,999 duplicate.'
for try in 1 2; do
	run 0 "$bvbuild" same.obj lost.obj -o lost$try/ --cache kept
	check 'what is dropped' grep -q "^bvbuild: same.obj: $dropped" err
	check 'of each input' grep -q '^bvbuild: lost.obj: 13 triangles of the source were dropped: 1 degenerate, 12 duplicate' err
	check 'an object is lost' grep -qx "bvbuild: lost.obj: nothing is left of object 'Flat': its triangle is without an area, equal to another, or not finite" err
	check 'and another' grep -q "^bvbuild: lost.obj: nothing is left of object 'Copy': all of its triangles" err
	check 'and no more' test "$(grep -c nothing err)" = 2
done
check 'the cache was used' grep -q 'same.bvh: .* from the cache' err
run 0 "$bvbuild" lost.obj -o lost.bvh --weld 0.01
check 'by --weld' grep -q "nothing is left of object 'Tiny'" err
run 0 "$bvbuild" lost.obj -o lost.bvh --object Good --object Tiny
check 'no object that was not chosen' test "$(grep -c nothing err)" = 0
awk 'BEGIN { print "o first\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3"; for ( i = 0; i < 20; ++i ) print "o copy" i "\nf 1 2 3" }' > twenty.obj
run 0 "$bvbuild" twenty.obj -o twenty.bvh
check 'the rest is counted' grep -qx 'bvbuild: twenty.obj: nothing is left of 12 more objects (--verbose names all)' err
run 0 "$bvbuild" -v --force twenty.obj -o twenty.bvh
check '--verbose names all' test "$(grep -c "nothing is left of object 'copy" err)" = 20
rm twenty.bvh
{ cube; echo 'o Flat'; printf 'v 5 0 0\nv 6 0 0\nv 7 0 0\nf 9 10 11\n'; } > one.obj
run 6 "$bvbuild" -q one.obj -o one.bvh --strict
says "bvbuild: one.bvh: nothing is left of object 'Flat': its triangle is without an area, equal to another, or not finite"
check 'and is an error' test ! -e one.bvh

# All of them, however many there are; each word of the report is there.
{ cube; echo 'f 4 3 2 1'; echo 'f 1 1 2'; echo 'v 3 0 0'; echo 'v 4 0 0'; echo 'v 3 1 0'; echo 'f 9 10 11'; echo 'f 11 10 9'; echo 'f 2 3 9'; } > many.obj
run 0 "$bvbuild" -q many.obj -o many.bvh --hausdorff 0
run 0 "$bvinspect" --findings many.bvh copies.bvh
check 'all findings' python3 - "$bvinspect" out << 'P'
import json, subprocess, sys
text = " ".join(open(sys.argv[2]).read().split())
for path in ("many.bvh", "copies.bvh"):
    r = json.loads(subprocess.run([sys.argv[1], "--json", path], capture_output=True, check=True).stdout)
    found = r["findings"]
    assert r["problems"] == sum(f["severity"] == "bad" for f in found) > 0
    assert "%s: %d findings" % (path, len(found)) in text
    for f in found:
        sentence = "%s %s: %s" % (f["severity"], f["key"], f["text"]) + (" -> " + f["advice"] if f["advice"] else "")
        assert sentence in text, sentence
assert len(found) > 3 or text.count(" note ") > 3
P
run 0 "$bvinspect" many.bvh
check 'the summary says how to see the rest' grep -q 'and [0-9]* more (see --findings)' out
run 1 "$bvinspect" --findings --json many.bvh

# The word for no bad finding, of many files.
run 0 "$bvbuild" -q cube.obj -o cube.bvh
run 0 "$bvinspect" cube.bvh --gate 'problems == 0'
run 6 "$bvinspect" cube.bvh copies.bvh many.bvh --gate 'problems == 0'
says 'bvinspect: copies.bvh: problems == 0 does not hold: it is 1
bvinspect: many.bvh: problems == 0 does not hold: it is 1'
run 6 "$bvbuild" -q copies.obj cube.obj -o gated/ --gate 'problems == 0' --keep-going
check 'and when building' test "$(ls gated)" = cube.bvh

finish
