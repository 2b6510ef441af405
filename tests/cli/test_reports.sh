#!/bin/sh
# Reports against an independent computation: tests/report measures what is exported, and compares it with what the report says.
# $REPORT_MESHES are other meshes than the samples; then wrong numbers are not tried.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/../kaitai/prepare.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

python=
for candidate in python3 /usr/bin/python3; do
	[ -n "$python" ] || ! $candidate -c 'import numpy, scipy' 2> /dev/null || python=$candidate
done
check 'numpy and scipy are missing (make deps installs them)' test -n "$python"
prepare_parser "$root" || fail "$reason"
[ $failed = 0 ] || finish

schema=
if [ -e "$root/formats/report/schema.json" ] && $python -c 'import jsonschema' 2> /dev/null; then
	schema=$root/formats/report/schema.json
fi

# judged OPTION...: all reports are right.
judged()
{
	$python "$root/tests/report/check_reports.py" --build "$BUILD" --parser "$kaitai" --schema "$schema" "$@" > "$scratch/log" 2>&1
	code=$?
	[ $code = 0 ] || sed 's/^/    /' "$scratch/log"
	check 'the reports' test $code = 0
}

if [ -n "${REPORT_MESHES-}" ]; then
	# shellcheck disable=SC2086
	judged --samples 5000 $REPORT_MESHES
	grep -v ': good' "$scratch/log"
	finish
fi

"$BUILD/make_samples" "$scratch" > /dev/null || fail 'make_samples'
judged --samples 1000 --first 1 "$scratch/crate.obj" "$scratch/stair.obj" "$scratch/cup.obj" "$scratch/broken.obj"
judged --samples 1000 --wrong-numbers "$scratch/crate.obj"
judged --samples 0 --wrong-numbers --first 1 "$scratch/crate.obj"

# A number that is wrong in the program: one is told of a level of another file.
run 0 "$bvbuild" -q "$scratch/crate.obj" -o "$scratch/file.bvh"
cat > "$scratch/bvinspect" <<P
#!/bin/sh
"$bvinspect" "\$@" | sed 's/"double_sided":	0/"double_sided":	1/'
P
chmod +x "$scratch/bvinspect"
ln -s "$bvbuild" "$scratch/bvbuild"
run 1 $python "$root/tests/report/check_reports.py" --build "$scratch" --parser "$kaitai" --samples 0 "$scratch/crate.obj"
check 'a wrong count is told of' grep -q 'mesh.double_sided: 1 and not 0$' "$scratch/out"
finish
