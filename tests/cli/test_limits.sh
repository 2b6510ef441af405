#!/bin/sh
# Limits that a shell, a container or a scheduler sets: memory, threads and stack. A build is done or ends with 5 and one
# line, and nothing is left behind then.
# shellcheck disable=SC2154,SC3045,SC2086

. "$(dirname "$0")/lib.sh"
few_threads=$(dirname "$0")/few_threads.c
"${CC:-cc}" -shared -fPIC -o "$scratch/few_threads.so" "$few_threads" -ldl || fail 'few_threads'
cd "$scratch" || exit 1

torus 24 24 > torus.obj
torus 6 5 > small.obj
run 0 "$bvbuild" -q torus.obj -o whole.bvh
run 0 "$bvbuild" -q small.obj -o parts.bvh --decompose --simplify 1% --report parts.html
mkdir out.d

# limited WHAT COMMAND...: the command, which writes to out.d, is done and the file is $wanted, or it runs out of memory.
limited()
{
	what=$1
	shift
	rm -f out.d/*
	"$@" > out 2> err
	got=$?
	ended="$ended $got"
	left=$(ls out.d)
	if [ $got = 0 ] && [ "$left" ] && [ ! -s err ] && cmp -s out.d/*.bvh "$wanted"; then
		pass
	elif [ $got = 5 ] && [ ! "$left" ] && [ "$(wc -l < err)" = 1 ]; then
		pass
	else
		fail "$what: exit code $got, $(wc -l < err) lines, left: $left"
		head -n 3 err | sed 's/^/    /'
	fi
}

# Address space, from what the program itself takes to enough for all threads. Sanitizers take terabytes of it.
if [ -z "${SAN:-}" ]; then
	ended=
	for mib in 11 16 20 30 45 60 75 90 105 120 200; do
		wanted=whole.bvh
		limited "$mib MiB" prlimit --as=$((mib << 20)) "$bvbuild" -q torus.obj -o out.d/torus.bvh --threads 8
		wanted=parts.bvh
		limited "$mib MiB, parts" prlimit --as=$((mib << 20)) "$bvbuild" -q small.obj -o out.d/small.bvh --threads 8 \
			--decompose --simplify 1% --report out.d/small.html
	done
	# A file that is sound is not called damaged where memory runs out while it is measured again.
	for mib in 12 13 14 15 16 18 20; do
		prlimit --as=$((mib << 20)) "$bvinspect" --verify -q parts.bvh > out 2> err
		got=$?
		check "verified in $mib MiB: exit code $got" test $got = 0 -o $got = 5
	done
	check "both were seen:$ended" test "${ended#* 5}" != "$ended" -a "${ended#* 0}" != "$ended"
fi

# Threads: as many as can be started are used, and the result is the same.
for most in 0 1 2 3 6 7; do
	run 0 env MOST=$most LD_PRELOAD=./few_threads.so "$bvbuild" -q torus.obj -o few.bvh --threads 8 --force
	check "$most threads: nothing is said" test ! -s err
	check "$most threads: the same" cmp -s whole.bvh few.bvh
done
for most in 1 3; do
	run 0 env MOST=$most LD_PRELOAD=./few_threads.so "$bvbuild" -q small.obj -o few.bvh --threads 4 --force --decompose --simplify 1%
	check "$most threads: the same parts" cmp -s parts.bvh few.bvh
done
run 0 env MOST=0 LD_PRELOAD=./few_threads.so "$bvinspect" --verify whole.bvh
for setting in OMP_STACKSIZE=16k OMP_STACKSIZE=100G OMP_THREAD_LIMIT=2 OMP_NESTED=true; do
	run 0 env $setting "$bvbuild" -q torus.obj -o few.bvh --threads 4 --force
	check "$setting: the same" cmp -s whole.bvh few.bvh
done

# Stacks of 128 KiB and less.
for kib in 64 128; do
	(
		ulimit -s $kib
		failed=0
		run 0 "$bvbuild" -q torus.obj -o stack.bvh --threads 4 --force
		check "a stack of $kib KiB: the same" cmp -s whole.bvh stack.bvh
		run 0 "$bvbuild" -q small.obj -o stack.bvh --decompose --simplify 1% --report stack.html --force
		run 0 "$bvbuild" -q small.obj -o best.bvh --preset best
		run 0 "$bvbuild" -q small.obj -o mixed.bvh --builder topdown --splitter sah --volume mixed
		run 0 "$bvbuild" -q small.obj torus.obj -o out.d/ --jobs 2
		for what in --verify --json '--html page.html' '--compare whole.bvh' '--collide whole.bvh' '--distance whole.bvh'; do
			run 0 "$bvinspect" parts.bvh $what
		done
		run 1 "$bvbuild" --wrong
		[ $failed = 0 ]
	) || fail "a stack of $kib KiB"
done
( failed=0; ulimit -s 128; run 5 env MOST=0 LD_PRELOAD=./few_threads.so "$bvbuild" -q torus.obj -o none.bvh
	says 'bvbuild: out of memory: no stack of 8 MiB'; [ $failed = 0 ] ) || fail 'no stack'

finish
