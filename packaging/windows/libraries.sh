#!/bin/sh
# Builds the libraries that the tools need for 64-bit Windows, as archives, from Debian's source packages.
#
#   sh packaging/windows/libraries.sh FOLDER    FOLDER receives include, lib and licenses; sources are in FOLDER/source
#
# Each library is built once: FOLDER/done has a file for it. The sources are of the release that this machine runs, with Debian's
# patches, so that meshes are read as on Linux. Assimp has all of its importers and no exporters.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1/source" "$1/build" "$1/include" "$1/lib" "$1/licenses" "$1/done"
root=$(cd "$1" && pwd)
# Dates in programs are those of the release, so that they are the same each time.
export SOURCE_DATE_EPOCH=1686398400
export BV_WINDOWS_ROOT="$root" CCACHE_BASEDIR="${CCACHE_BASEDIR:-$root}"
jobs=${JOBS:-2}
host=x86_64-w64-mingw32
common='-O2 -w -ffp-contract=off -fno-fast-math -ffile-prefix-map='"$root"'=.'

. "$here/../sources.sh"
begin_sources

# by_cmake PACKAGE TARGET OPTION...: an archive by the package's own rules; only the target is built.
by_cmake()
{
	package=$1
	target=$2
	shift 2
	folder=$(source_of "$package")
	cmake -S "$folder" -B "$root/build/$package" -DCMAKE_TOOLCHAIN_FILE="$here/toolchain.cmake" -DCMAKE_BUILD_TYPE=None \
		-DCMAKE_C_FLAGS="$common -I$root/include" -DCMAKE_CXX_FLAGS="$common -I$root/include" \
		-DCMAKE_C_COMPILER_LAUNCHER="$(command -v ccache || true)" -DCMAKE_CXX_COMPILER_LAUNCHER="$(command -v ccache || true)" \
		-DBUILD_SHARED_LIBS=OFF -DCMAKE_INSTALL_PREFIX="$root" "$@" > "$root/build/$package.log" 2>&1 &&
		cmake --build "$root/build/$package" --target "$target" -j "$jobs" >> "$root/build/$package.log" 2>&1 ||
		{ tail -n 30 "$root/build/$package.log" >&2; fail "cannot build $package"; }
}

archive()
{
	find "$root/build/$1" -name "$2" -exec cp {} "$root/lib/$3" \;
	[ -e "$root/lib/$3" ] || fail "$1 has made no $2"
}

build_zlib()
{
	cp /usr/$host/include/zlib.h /usr/$host/include/zconf.h "$root/include"
	cp /usr/$host/lib/libz.a "$root/lib"
	cp /usr/share/doc/libz-mingw-w64-dev/copyright "$root/licenses/zlib"
}

build_xxhash()
{
	cp "$(source_of xxhash)"/xxhash.h "$root/include"
}

build_cjson()
{
	by_cmake cjson cjson -DENABLE_CJSON_TEST=OFF -DENABLE_CUSTOM_COMPILER_FLAGS=OFF
	archive cjson libcjson.a libcjson.a
	mkdir -p "$root/include/cjson"
	cp "$(source_of cjson)/cJSON.h" "$root/include/cjson"
}

build_expat()
{
	# Its rules for CMake define XML_DTD without a value, which Debian's patches compare.
	folder=$(source_of expat)/expat/lib
	mkdir -p "$root/build/expat"
	printf '#define %s\n' 'XML_DTD 1' 'XML_GE 1' 'XML_NS 1' 'XML_CONTEXT_BYTES 1024' 'BYTEORDER 1234' 'HAVE_STDBOOL_H 1' > "$root/build/expat/expat_config.h"
	for file in xmlparse xmlrole xmltok; do
		# shellcheck disable=SC2086
		$host-gcc-posix $common -DXML_STATIC -I"$root/build/expat" -include stdbool.h -c "$folder/$file.c" -o "$root/build/expat-$file.o"
	done
	$host-ar rcsD "$root/lib/libexpat.a" "$root"/build/expat-*.o
	cp "$folder/expat.h" "$folder/expat_external.h" "$root/include"
}

build_qhull()
{
	by_cmake qhull qhullstatic_r
	archive qhull 'libqhullstatic_r*.a' libqhull_r.a
	cp -r "$(source_of qhull)/src/libqhull_r" "$root/include"
}

build_libpng()
{
	by_cmake libpng1.6 png_static -DPNG_SHARED=OFF -DPNG_TESTS=OFF -DZLIB_LIBRARY="$root/lib/libz.a" -DZLIB_INCLUDE_DIR="$root/include"
	archive libpng1.6 'libpng16*.a' libpng.a
	cp "$(source_of libpng1.6)"/png.h "$(source_of libpng1.6)"/pngconf.h "$root/build/libpng1.6/pnglibconf.h" "$root/include"
}

build_minizip()
{
	folder=$(source_of minizip)
	mkdir -p "$root/include/minizip"
	for file in unzip ioapi iowin32; do
		# shellcheck disable=SC2086
		$host-gcc-posix $common -I"$root/include" -c "$folder/$file.c" -o "$root/build/minizip-$file.o"
	done
	$host-ar rcsD "$root/lib/libminizip.a" "$root"/build/minizip-*.o
	cp "$folder"/*.h "$root/include/minizip"
}

build_meshoptimizer()
{
	by_cmake meshoptimizer meshoptimizer
	archive meshoptimizer 'libmeshoptimizer*.a' libmeshoptimizer.a
	cp "$(source_of meshoptimizer)/src/meshoptimizer.h" "$root/include"
}

build_draco()
{
	by_cmake draco draco_static -DDRACO_TESTS=OFF
	archive draco 'libdraco*.a' libdraco.a
	mkdir -p "$root/include/draco"
	(cd "$(source_of draco)/src/draco" && find . -name '*.h' -exec cp --parents {} "$root/include/draco" \;)
	cp "$root/build/draco/draco/draco_features.h" "$root/include/draco"
}

build_assimp()
{
	folder=$(source_of assimp)
	cp -r /usr/include/utf8cpp/utf8 /usr/include/utf8cpp/utf8.h /usr/include/stb "$root/include"
	cp /usr/share/doc/libutfcpp-dev/copyright "$root/licenses/utfcpp"
	cp /usr/share/doc/libstb-dev/copyright "$root/licenses/stb"

	# Compressed glTF never gets here: formats/gltf has readers of its own.
	sed -i -e '/^find_package(draco CONFIG REQUIRED)/d' -e '/^target_link_libraries(assimp \${DRACO_LIBRARIES})/d' "$folder/code/CMakeLists.txt"

	# Without pkg-config, which would find the libraries of this machine.
	by_cmake assimp assimp -DASSIMP_NO_EXPORT=ON -DASSIMP_BUILD_TESTS=OFF -DASSIMP_BUILD_ASSIMP_TOOLS=OFF -DASSIMP_BUILD_SAMPLES=OFF \
		-DASSIMP_INSTALL=OFF -DASSIMP_BUILD_ZLIB=OFF -DASSIMP_WARNINGS_AS_ERRORS=OFF -DASSIMP_BUILD_DRACO=OFF \
		-DZLIB_LIBRARY="$root/lib/libz.a" -DZLIB_INCLUDE_DIR="$root/include" -DPKG_CONFIG_EXECUTABLE=/bin/false \
		-DUNZIP_FOUND=TRUE -DUNZIP_INCLUDE_DIRS="$root/include/minizip" -DUNZIP_LIBRARIES="$root/lib/libminizip.a" \
		-DCMAKE_CXX_FLAGS="$common -I$root/include -I$root/include/minizip -D_FILE_OFFSET_BITS=64"
	archive assimp 'libassimp*.a' libassimp.a
	cp -r "$folder/include/assimp" "$root/include"
	cp "$root/build/assimp/include/assimp/config.h" "$root/include/assimp"
}

for library in zlib xxhash cjson expat qhull libpng minizip meshoptimizer draco assimp; do
	if ! [ -e "$root/done/$library" ]; then
		echo "windows $library"
		build_$library
		touch "$root/done/$library"
	fi
done
