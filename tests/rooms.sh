#!/bin/sh
# Checks that every room includes only what README.md's table of rooms allows: the arrows of "How it is built inside".
# A header in quotes is public (bv/, bvbuild/), in one's own folder, or in a room that is listed here.
set -eu

allowed()
{
	case "$1" in
	src/base/core) echo 'base/core bv' ;;
	src/base/offline) echo 'base/core base/offline bv bvbuild' ;;
	src/runtime) echo 'base/core bv formats/bvh' ;;
	src/mesh) echo 'base/core base/offline bv bvbuild' ;;
	src/hull) echo 'base/core base/offline bv bvbuild' ;;
	src/fit) echo 'base/core base/offline bv bvbuild hull' ;;
	src/tree) echo 'base/core base/offline bv bvbuild' ;;
	src/hausdorff) echo 'base/core base/offline bv bvbuild tree' ;;
	src/decompose) echo 'base/core base/offline bv bvbuild hull' ;;
	src/simplify) echo 'base/core base/offline bv bvbuild hausdorff' ;;
	src/recognize) echo 'base/core base/offline bv bvbuild fit' ;;
	src/spheres) echo 'base/core base/offline bv bvbuild fit hausdorff hull mesh' ;;
	src/hierarchy) echo 'base/core base/offline bv bvbuild fit spheres tree' ;;
	src/assess) echo 'base/core base/offline bv bvbuild fit' ;;
	src/asset) echo 'base/core base/offline bv bvbuild fit hull' ;;
	src/cli) echo 'base/core base/offline bv bvbuild formats' ;;
	formats/bvh) echo 'base/core base/offline bv bvbuild formats tree' ;;
	formats*) echo 'base/core base/offline bv bvbuild formats' ;;
	include/bv) echo 'bv' ;;
	include/bvbuild) echo 'bv bvbuild' ;;
	*) echo 'no such room' ;;
	esac
}

wrong=0
for file in $(find src formats include -name '*.[ch]' | sort); do
	room=$(dirname "$file")
	rooms=$(allowed "$room")
	if [ "$rooms" = 'no such room' ]; then
		echo "$file: the room $room has no row in tests/rooms.sh"
		wrong=1
		continue
	fi
	for header in $(sed -n 's/^#include "\(.*\)".*/\1/p' "$file"); do
		from=$(dirname "$header")
		good=0
		for room_allowed in $rooms ${room#src/}; do
			case "$from" in
			"$room_allowed" | "$room_allowed"/*) good=1 ;;
			esac
		done
		if [ $good = 0 ]; then
			echo "$file: includes $header, which its room may not"
			wrong=1
		fi
	done
done

# The runtime is what a game links: nothing of the offline library, of POSIX, or that allocates.
for file in src/base/core/*.c src/runtime/*.c formats/bvh/check*.c formats/bvh/read*.c; do
	if grep -nE '#include (<(unistd|sys/|fcntl|stdlib|stdio|pthread|omp)|"(bvbuild|base/offline))|\b(malloc|calloc|realloc|free)\(' "$file"; then
		echo "$file: is part of libbv and may not use this"
		wrong=1
	fi
done
exit $wrong
