# What the tests of samples/ share. Each copies its folder into a scratch one and there runs what the folder's README.md says first,
# as someone would who has installed all of it.
# shellcheck shell=sh

. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)

# Lets the recipes find what `make installed` has installed, as they would under /usr.
use_installed()
{
	usr=$BUILD/installed
	if ! [ -x "$usr/bin/bvbuild" ]; then
		fail "$usr: nothing is installed there (make installed)"
		finish
	fi
	mkdir "$scratch/bin"
	# A library with sanitizers in it needs them in what it is linked to. What wraps a compiler must not find these here.
	if [ -n "${SAN:-}" ]; then
		for name in cc c++ g++; do
			printf '#!/bin/sh\nPATH=%s\nexec %s -fsanitize=address,undefined "$@"\n' "'$PATH'" $name > "$scratch/bin/$name"
			chmod +x "$scratch/bin/$name"
		done
	fi
	PATH=$scratch/bin:$usr/bin:$PATH
	CPATH=$usr/include
	LIBRARY_PATH=$usr/lib
	LD_LIBRARY_PATH=$usr/lib
	PKG_CONFIG_PATH=$usr/lib/pkgconfig
	CMAKE_PREFIX_PATH=$usr
	export PATH CPATH LIBRARY_PATH LD_LIBRARY_PATH PKG_CONFIG_PATH CMAKE_PREFIX_PATH
	# What make hands down to scripts is not for the recipes' own builds.
	unset MAKEFLAGS MFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR CC CFLAGS
}

# needs PROGRAM...: ends the test where one is not installed, saying so.
needs()
{
	for program in "$@"; do
		if ! command -v "$program" > "$scratch/found"; then
			fail "$program is not installed: make deps"
			finish
		fi
	done
}

# first_command NAME: what samples/NAME/README.md says to run.
first_command()
{
	sed -n 's/^    \(.*\)/\1/p' "$root/samples/$1/README.md" | head -n 1
}

# shown NAME: what samples/NAME/README.md says that it prints.
shown()
{
	sed -n '/^```$/,/^```$/p' "$root/samples/$1/README.md" | sed -n '2,/^```$/p' | grep -v '^```$'
}

# recipe NAME: goes to a copy of samples/NAME, in a folder whose name has a blank.
recipe()
{
	cp -R "$root/samples/$1" "$scratch/a $1" && cd "$scratch/a $1" || finish
	# Meshes get other names, and then an entry matches nothing.
	[ ! -e collision.json ] || sed -i 's/^{$/{ "allow-unmatched": true,/' collision.json
}
