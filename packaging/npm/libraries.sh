#!/bin/sh
# Compiles the libraries that the builder needs to WebAssembly, from Debian's source packages, by Emscripten.
#
#   sh packaging/npm/libraries.sh FOLDER    FOLDER receives include, licenses and libraries.a; sources are in FOLDER/source
#
# Only what the builder links: hulls (qhull), JSON (cJSON), XML (expat), ZIP (minizip), inflate (zlib), pictures of reports (libpng).
set -eu

mkdir -p "$1/source" "$1/include" "$1/licenses" "$1/objects"
root=$(cd "$1" && pwd)
options="-Oz -w -msimd128 -ffp-contract=off -fno-fast-math -ffile-prefix-map=$root=."

. "$(dirname "$0")/../sources.sh"
begin_sources

# compile PACKAGE OPTIONS FILE...: objects of files in the package's folder.
compile()
{
	package=$1
	more=$2
	shift 2
	for file in "$@"; do
		# shellcheck disable=SC2086
		emcc $options $more -I"$root/include" -c "$root/source/$package/$file" -o "$root/objects/$package-$(basename "$file" .c).o" ||
			fail "cannot compile $file of $package"
	done
}

for package in zlib qhull cjson expat minizip libpng1.6 xxhash; do
	source_of "$package" > /dev/null
done
source=$root/source
mkdir -p "$root/include/libqhull_r" "$root/include/cjson" "$root/include/minizip"
cp "$source/zlib/zlib.h" "$source/zlib/zconf.h" "$source/xxhash/xxhash.h" "$source"/expat/expat/lib/expat*.h "$source"/libpng1.6/png.h \
	"$source"/libpng1.6/pngconf.h "$root/include"
cp "$source/libpng1.6/scripts/pnglibconf.h.prebuilt" "$root/include/pnglibconf.h"
cp "$source"/qhull/src/libqhull_r/*.h "$root/include/libqhull_r"
: > "$root/include/expat_config.h"
# Headers of Assimp, for what is declared with its types and left out.
cp -r /usr/include/assimp "$root/include"
cp "$source/cjson/cJSON.h" "$root/include/cjson"
cp "$source"/minizip/*.h "$root/include/minizip"

compile zlib '' adler32.c crc32.c compress.c deflate.c inffast.c inflate.c inftrees.c trees.c zutil.c
# shellcheck disable=SC2046
compile qhull '' $(cd "$source/qhull" && echo src/libqhull_r/*.c)
compile cjson '' cJSON.c
# Hashes of names need no salt: a file can only make its own import slow.
compile expat '-DXML_POOR_ENTROPY -DXML_NS -DXML_DTD -DXML_CONTEXT_BYTES=1024 -DHAVE_MEMMOVE -DBYTEORDER=1234' expat/lib/xmlparse.c expat/lib/xmlrole.c expat/lib/xmltok.c
compile minizip '-DUSE_FILE32API -DNOCRYPT -DNOUNCRYPT' unzip.c ioapi.c
compile libpng1.6 '' png.c pngerror.c pngget.c pngmem.c pngset.c pngtrans.c pngwio.c pngwrite.c pngwtran.c pngwutil.c
rm -f "$root/libraries.a"
emar rcs "$root/libraries.a" "$root"/objects/*.o
