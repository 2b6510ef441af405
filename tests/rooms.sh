#!/bin/sh
# Checks that every room includes only what the table of rooms in docs/architecture.md allows. A quoted header is public (bv/, bvbuild/),
# in the file's own folder, or in a room that the table lists: `base` stands for both rooms of src/base and for the public headers.
set -eu

find src formats include -name '*.[ch]' | LC_ALL=C sort | xargs awk '
	BEGIN {
		page = "docs/architecture.md"
		while ( ( getline line < page ) > 0 )
		{
			heading = line ~ /^## / ? line : heading
			cells = split( line, cell, "|" )
			room = cell[2]
			if ( heading != "## Rooms" || cells != 5 || !match( room, /`[^`]*`/ ) )
				continue
			room = substr( room, RSTART + 1, RLENGTH - 2 )
			list_of = cell[4]
			gsub( /[`,]/, " ", list_of )
			gsub( / base /, " base/core base/offline bv bvbuild ", list_of )
			gsub( / core /, " base/core ", list_of )
			allowed[room] = list_of
			++rooms
		}
		if ( rooms < 20 ) { print page ": the table of rooms has " rooms + 0 " rows"; failed = 1; exit 1 }
	}
	# The row of a folder: its own, or that of all formats.
	function rooms_of( room ) {
		return room in allowed ? allowed[room] : room ~ /^formats\// ? allowed["formats/*"] : ""
	}
	function folder( path ) { return match( path, /.*\// ) ? substr( path, 1, RLENGTH - 1 ) : "." }
	FNR == 1 {
		room = folder( FILENAME )
		own = room
		sub( /^src\//, "", own )
		count = split( rooms_of( room ), list, " " )
		if ( !count ) { print FILENAME ": the room " room " has no row in docs/architecture.md"; wrong = 1 }
		list[++count] = own
		# libbv is what a game links: nothing of the offline library, of POSIX, or that allocates.
		runtime = FILENAME ~ /^(src\/base\/core|src\/runtime)\/[^\/]*\.[ch]$/ || FILENAME ~ /^formats\/bvh\/(check|read)[^\/]*\.c$/
	}
	# With -Isrc, angle brackets find headers of rooms too.
	/^[ \t]*#[ \t]*include[ \t]*["<]/ && count > 1 {
		split( $0, part, /["<>]/ )
		from = folder( part[2] )
		is_system = /</ && !( from in allowed ) && from !~ /^(base|bvbuild|formats)(\/|$)/
		good = 0
		for ( i = 1; i <= count && !good; ++i ) good = from == list[i] || index( from, list[i] "/" ) == 1
		if ( !good && !is_system ) { print FILENAME ": includes " part[2] ", which its room may not"; wrong = 1 }
	}
	runtime && ( /#[ \t]*include[ \t]*<(unistd|sys\/|fcntl|stdlib|stdio|pthread|omp)/ || /#[ \t]*include[ \t]*["<](bvbuild|base\/offline)/ || /(^|[^A-Za-z0-9_])(malloc|calloc|realloc|aligned_alloc|posix_memalign|strdup|free)\(/ ) {
		print FILENAME ":" FNR ": is part of libbv and may not use this: " $0
		wrong = 1
	}
	END { exit wrong || failed }'
