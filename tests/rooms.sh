#!/bin/sh
# Checks that every room includes only what the table of rooms in docs/architecture.md allows, which this repeats. A quoted header is
# public (bv/, bvbuild/), in the file's own folder, or in a room that is listed here.
set -eu

find src formats include -name '*.[ch]' | LC_ALL=C sort | xargs awk '
	BEGIN {
		offline = "base/core base/offline bv bvbuild"
		allowed["src/base/core"] = "base/core bv"
		allowed["src/base/offline"] = offline
		allowed["src/runtime"] = "base/core bv formats/bvh"
		allowed["src/mesh"] = offline
		allowed["src/hull"] = offline
		allowed["src/fit"] = offline " hull"
		allowed["src/tree"] = offline
		allowed["src/hausdorff"] = offline " tree"
		allowed["src/decompose"] = offline " hull"
		allowed["src/simplify"] = offline " hausdorff"
		allowed["src/recognize"] = offline " fit"
		allowed["src/spheres"] = offline " fit hausdorff hull mesh"
		allowed["src/hierarchy"] = offline " fit spheres tree"
		allowed["src/assess"] = offline " fit"
		allowed["src/asset"] = offline " fit hull"
		allowed["src/cli"] = offline " formats"
		allowed["formats/bvh"] = offline " formats tree"
		allowed["formats"] = offline " formats"
		allowed["include/bv"] = "bv"
		allowed["include/bvbuild"] = "bv bvbuild"
	}
	# The row of a folder: its own, or that of all formats.
	function rooms_of( room ) {
		return room in allowed ? allowed[room] : room ~ /^formats\// ? allowed["formats"] : ""
	}
	function folder( path ) { return match( path, /.*\// ) ? substr( path, 1, RLENGTH - 1 ) : "." }
	FNR == 1 {
		room = folder( FILENAME )
		own = room
		sub( /^src\//, "", own )
		count = split( rooms_of( room ), list, " " )
		if ( !count ) { print FILENAME ": the room " room " has no row in tests/rooms.sh"; wrong = 1 }
		list[++count] = own
		# libbv is what a game links: nothing of the offline library, of POSIX, or that allocates.
		runtime = FILENAME ~ /^(src\/base\/core|src\/runtime)\/[^\/]*\.c$/ || FILENAME ~ /^formats\/bvh\/(check|read)[^\/]*\.c$/
	}
	/^#include "/ && count > 1 {
		split( $0, part, "\"" )
		from = folder( part[2] )
		good = 0
		for ( i = 1; i <= count && !good; ++i ) good = from == list[i] || index( from, list[i] "/" ) == 1
		if ( !good ) { print FILENAME ": includes " part[2] ", which its room may not"; wrong = 1 }
	}
	runtime && ( /#include <(unistd|sys\/|fcntl|stdlib|stdio|pthread|omp)/ || /#include "(bvbuild|base\/offline)/ || /(^|[^A-Za-z0-9_])(malloc|calloc|realloc|free)\(/ ) {
		print FILENAME ":" FNR ": is part of libbv and may not use this: " $0
		wrong = 1
	}
	END { exit wrong }'
