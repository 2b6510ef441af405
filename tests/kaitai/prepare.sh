# Makes the independent reader: formats/bvh/bvh.ksy, compiled by Kaitai Struct, and the scripts beside this one, in
# $BUILD/kaitai. Needs node and npm, which fetches the versions below once. To be sourced; expects $BUILD.
# shellcheck shell=sh

kaitai=$BUILD/kaitai
packages='kaitai-struct-compiler@0.11.0 kaitai-struct@0.11.0 js-yaml@4.1.0'

# prepare_parser ROOT: the parser of the project in that folder. Where it can't be made, $reason says why.
prepare_parser()
{
	command -v node > /dev/null || { reason='node is missing (make deps installs it)'; return 1; }
	mkdir -p "$kaitai"
	if [ "$(cat "$kaitai/packages" 2> /dev/null)" != "$packages" ]; then
		command -v npm > /dev/null || { reason='npm is missing (make deps installs it)'; return 1; }
		# shellcheck disable=SC2086
		if ! timeout 300 npm install --prefix "$kaitai" --no-audit --no-fund --ignore-scripts $packages > "$kaitai/npm.log" 2>&1; then
			sed 's/^/    /' "$kaitai/npm.log"
			reason="npm could not install $packages"
			return 1
		fi
		echo "$packages" > "$kaitai/packages"
	fi
	export NODE_PATH="$kaitai/node_modules"
	cp "$1"/tests/kaitai/*.js "$kaitai" || { reason='the scripts are missing'; return 1; }
	node "$kaitai/compile.js" "$1/formats/bvh/bvh.ksy" "$kaitai" || { reason='bvh.ksy does not compile'; return 1; }
}
