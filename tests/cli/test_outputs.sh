#!/bin/sh
# What is written where: no file of another kind is replaced, no input ever is, and names of outputs.
. "$(dirname "$0")/lib.sh"
cd "$scratch" || exit 1

printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n' > rock.obj
cp rock.obj teapot.obj
cp rock.obj kept.obj
run 0 "$bvbuild" -q rock.obj -o rock.bvh

unchanged()
{
	check "$1 is unchanged" cmp -s "$1" kept.obj
}

# Outputs end in .bvh.
run 1 "$bvbuild" -q rock.obj -o teapot.obj
says 'bvbuild: teapot.obj: an output ends in .bvh, or in / if it is a folder (--force-output takes any name)'
unchanged teapot.obj
run 1 "$bvbuild" -q -o teapot.obj rock.obj
unchanged teapot.obj
run 1 "$bvbuild" -q rock.obj -o rock.bin
check 'nothing is written' test ! -e rock.bin
run 0 "$bvbuild" -q rock.obj -o rock.bin --force-output
check 'any name' cmp -s rock.bin rock.bvh

# Only its own kind is replaced, by content.
cp kept.obj mesh.bvh
run 1 "$bvbuild" -q rock.obj -o mesh.bvh
says 'bvbuild: mesh.bvh: exists and is not a .bvh file, so it is not replaced (--force-output replaces it)'
unchanged mesh.bvh
run 0 "$bvbuild" -q rock.obj -o mesh.bvh --force-output
check 'replaced by force' cmp -s mesh.bvh rock.bvh
run 0 "$bvbuild" -q rock.obj -o mesh.bvh --scale 2
run 0 "$bvinspect" --verify mesh.bvh
: > empty.bvh
run 0 "$bvbuild" -q rock.obj -o empty.bvh
head -c 100 rock.bvh > cut.bvh
run 0 "$bvbuild" -q rock.obj -o cut.bvh
check 'a damaged .bvh file is replaced' cmp -s cut.bvh rock.bvh
mkdir -p target
cp kept.obj target/rock.bvh
run 1 "$bvbuild" -q rock.obj -o target/
unchanged target/rock.bvh
run 1 "$bvbuild" -q rock.obj -o target/ --cache cache
unchanged target/rock.bvh

# Of each kind: a source is refused, one that was written before is replaced.
for kind in '--report x.html' '--report x.json' '--depfile x.d' '--log x.log' '--emit-ninja x.ninja'; do
	name=${kind##* }
	to=o.bvh
	[ "$name" = x.ninja ] && to=o/
	cp kept.obj "$name"
	# shellcheck disable=SC2086
	run 1 "$bvbuild" -q rock.obj -o $to $kind
	unchanged "$name"
	check "$kind: no output" test ! -e o.bvh
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q rock.obj -o $to $kind --force-output
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q rock.obj -o $to $kind --force
	rm -f o.bvh
done
for kind in '--html y.html' '--export mesh,y.obj' '--export mesh,y.ply' '--export mesh,y.glb' '--export body,y.urdf'; do
	name=y.${kind##*.}
	cp kept.obj "$name"
	# shellcheck disable=SC2086
	run 1 "$bvinspect" rock.bvh $kind
	unchanged "$name"
	# shellcheck disable=SC2086
	run 0 "$bvinspect" rock.bvh $kind --force-output
	# shellcheck disable=SC2086
	run 0 "$bvinspect" rock.bvh $kind
done
run 1 "$bvinspect" rock.bvh --html teapot.obj
says 'bvinspect: teapot.obj: exists and is not a page of bvbuild, so it is not replaced (--force-output replaces it)'
unchanged teapot.obj

# A body is several files.
cp kept.obj z_mesh.obj
run 1 "$bvinspect" rock.bvh --export body=mesh,z.urdf
unchanged z_mesh.obj
check 'none of several files is written' test ! -e z.urdf

# What people write can look alike. Their first lines are those of bvbuild, or nearly so.
keep()
{
	name=$1
	shift
	cp "$name" "$name.kept"
	run 1 "$@" "$name"
	check "$name is refused" grep -q "^bvbuild: $name: exists and is not a.*, so it is not replaced" err
	check "$name is unchanged" cmp -s "$name" "$name.kept"
}
printf 'rock.bvh: rock.obj\n\tbvbuild $< -o $@\nclean:\n\trm rock.bvh\n' > Makefile
keep Makefile "$bvbuild" -q rock.obj -o rock.bvh --depfile
printf 'rock.bvh: rock.obj ; bvbuild rock.obj -o rock.bvh\n' > short.mk
keep short.mk "$bvbuild" -q rock.obj -o rock.bvh --depfile
printf 'rock.bvh: $(wildcard *.obj)\n' > names.mk
keep names.mk "$bvbuild" -q rock.obj -o rock.bvh --depfile
cp rock.obj 'a$(b).obj'
for again in '' --force; do
	# shellcheck disable=SC2086
	run 0 "$bvbuild" -q 'a$(b).obj' -o dollar.bvh --depfile dollar.d $again
done
printf '{"input":"rock.obj","output":"rock.bvh"}\n' > jobs.json
keep jobs.json "$bvbuild" -q rock.obj -o rock.bvh --log
printf '[{"schema":"bvbuild-report/1"}]\n' > all.json
keep all.json "$bvbuild" -q rock.obj -o rock.bvh --report
{
	echo '# bvbuild rock.obj -o rock.bvh'
	cat rock.obj
} > noted.obj
cp noted.obj noted.kept
run 1 "$bvinspect" rock.bvh --export mesh,noted.obj
check 'a mesh with a note is unchanged' cmp -s noted.obj noted.kept
printf '<?xml version="1.0"?>\n<robot name="r">\n  <!-- bvbuild made the meshes -->\n</robot>\n' > robot.urdf
cp robot.urdf robot.kept
run 1 "$bvinspect" rock.bvh --export body=mesh,robot.urdf
check 'a robot with a note is unchanged' cmp -s robot.urdf robot.kept

# Two exports are two files.
run 1 "$bvinspect" rock.bvh --export mesh,once.obj --export hull,./once.obj
says 'bvinspect: ./once.obj: two exports are written to it'
run 1 "$bvinspect" rock.bvh --export hull,once_mesh.obj --export body=mesh,once.urdf
says 'bvinspect: once_mesh.obj: two exports are written to it'
check 'none is written' test ! -e once.obj -a ! -e once_mesh.obj -a ! -e once.urdf

# An input is not replaced, whatever is forced.
run 1 "$bvbuild" -q rock.obj -o rock.obj --force-output
unchanged rock.obj
run 1 "$bvbuild" -q rock.obj -o a.bvh --report rock.obj --force-output
unchanged rock.obj
cp rock.bvh source.bvh
run 1 "$bvinspect" source.bvh --html source.bvh --force-output
check 'source.bvh is unchanged' cmp -s source.bvh rock.bvh

# Into a folder that does not exist: nothing is written.
for option in '--depfile none/x.d' '--report none/x.json' '--log none/x.log'; do
	# shellcheck disable=SC2086
	run 4 "$bvbuild" -q rock.obj -o none.bvh $option
	check "$option: no output" test ! -e none.bvh
done

# stdout.
run 0 "$bvbuild" -q rock.obj -o -
check 'the file is on stdout' cmp -s out rock.bvh || ls -la "$scratch"
run 1 "$bvbuild" -q rock.obj -o x.bvh --depfile -
says 'bvbuild: --depfile and --emit-ninja need a file: - is not one'
check 'nothing is named -' test ! -e ./- -a ! -e x.bvh
"$bvbuild" rock.obj -o - 2> said | cmp -s - rock.bvh
check 'the file is in a pipe' test $? = 0
check 'messages are on stderr' grep -q '^-: 1 triangle, ' said
run 4 sh -c '"$1" -q rock.obj -o - > /dev/full' sh "$bvbuild"
says 'bvbuild: standard output: No space left on device'
for option in '--depfile x2.d' '--emit-ninja x2.ninja' '--cache c2'; do
	# shellcheck disable=SC2086
	run 1 "$bvbuild" -q rock.obj -o - $option
	says 'bvbuild: -o - excludes --depfile, --emit-ninja and --cache'
done
run 1 "$bvbuild" -q rock.obj teapot.obj -o -
check 'no file has this name' test ! -e ./-

# stdin.
"$bvbuild" - --format obj -o - < teapot.obj 2> said > piped.bvh
check 'a mesh is read from a pipe' test $? = 0
check 'no file has this name' test ! -e ./-
run 0 "$bvinspect" --verify piped.bvh
run 0 "$bvinspect" piped.bvh
grep 'source  *stdin (obj), hash ' out > piped.source
run 0 "$bvbuild" -q teapot.obj -o teapot.bvh
run 0 "$bvinspect" teapot.bvh
check 'its hash is that of the file' grep -q "$(sed 's/.*hash //' piped.source)" out
run 0 sh -c '"$1" -q - --format obj -o piped.bvh --report piped.json < teapot.obj' sh "$bvbuild"
run 0 sh -c '"$1" - --format obj --list-objects < rock.obj' sh "$bvbuild"
run 2 sh -c 'printf "v 1 2\n" | "$1" - --format obj -o bad.bvh' sh "$bvbuild"
says 'bvbuild: stdin:1: vertex has 2 coordinates instead of 3'
run 2 sh -c '"$1" - --format obj -o bad.bvh < /dev/null' sh "$bvbuild"
says 'bvbuild: stdin: is empty'
run 2 sh -c '"$1" - --format obj -o bad.bvh <&-' sh "$bvbuild"
says 'bvbuild: standard input: Bad file descriptor'
run 1 "$bvbuild" - -o bad.bvh
says 'bvbuild: - needs --format'
run 1 "$bvbuild" rock.obj --format obj -o bad.bvh
says 'bvbuild: --format needs - as the input'
run 1 "$bvbuild" - rock.obj --format obj -o bad/ < rock.obj
says 'bvbuild: - must be the only input'
run 1 "$bvbuild" - --format fbx -o bad.bvh
says 'bvbuild: --format takes obj, stl, ply, off, gltf, glb, 3mf, wrl, wrz or vrml'
run 1 "$bvbuild" - --format obj -o bad/
says 'bvbuild: - needs a file as the output, or -'
for option in '--depfile x2.d' '--emit-ninja x2.ninja' '--cache c2' '--config c.json' '--root .' '--shard 1/2'; do
	# shellcheck disable=SC2086
	run 1 "$bvbuild" -q - --format obj -o bad.bvh $option
	says 'bvbuild: - excludes --depfile, --emit-ninja, --cache, --config, --root and --shard'
done
check 'nothing is left' test ! -e bad.bvh -a ! -e bad

# Names.
mkdir -p other
printf 'OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' > rock.off
cp rock.obj other/rock.obj
run 1 "$bvbuild" -q rock.obj rock.off -o names/
says 'bvbuild: rock.obj and rock.off would both be written to names/rock.bvh (--names full keeps their extensions)'
check 'nothing is written' test ! -e names
run 0 "$bvbuild" -q rock.obj rock.off teapot.obj -o names/ --keep-going
check 'those that are equal have full names' test "$(cd names && echo *)" = 'rock.obj.bvh rock.off.bvh teapot.bvh'
run 0 "$bvbuild" -q rock.obj rock.off teapot.obj -o full/ --names full
check 'all have full names' test "$(cd full && echo *)" = 'rock.obj.bvh rock.off.bvh teapot.obj.bvh'
run 0 "$bvbuild" -q rock.obj -o split/ --names full --split objects
check 'with objects' test "$(cd split && echo *)" = 'rock.obj.1.bvh'
run 1 "$bvbuild" -q rock.obj other/rock.obj -o both/ --keep-going
says 'bvbuild: rock.obj and other/rock.obj would both be written to both/rock.obj.bvh'
run 1 "$bvbuild" -q rock.obj -o both/ --names long
says "bvbuild: --names takes short or full, not 'long'"
run 0 "$bvbuild" -q rock.obj rock.off -o n/ --names full --emit-ninja n.ninja
check 'Ninja has the names' grep -q 'n/rock.off.bvh' n.ninja

finish
