#!/bin/sh
# Installs what `make installable` has built, or takes it away again: install.sh install|uninstall. What goes where is listed
# once, for both.
#
# `make` sets BUILD, VERSION, DESTDIR, PREFIX, the folders named below, and STRIP to anything for programs and libraries
# without debugging information. Folders may have blanks in their names.
set -eu
action=$1
soversion=${VERSION%%.*}
bv_cmake=$(dirname "$CMAKEDIR")/bv
# Several installations of one build may run at once.
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT

# put MODE FILE FOLDER [NAME]
put()
{
	target=$DESTDIR$3/${4:-$(basename "$2")}
	if [ "$action" = uninstall ]; then
		rm -f "$target"
		return
	fi
	install -d "$DESTDIR$3"
	install -m "$1" "$2" "$target"
	echo "$target"
	if [ -n "$STRIP" ]; then
		case "$target" in
		*.a) strip --strip-debug --enable-deterministic-archives "$target" ;;
		*.so.* | */bin/*) strip "$target" ;;
		esac
	fi
}

# link_to FILE FOLDER NAME
link_to()
{
	rm -f "$DESTDIR$2/$3"
	if [ "$action" = install ]; then
		ln -s "$1" "$DESTDIR$2/$3"
		echo "$DESTDIR$2/$3"
	fi
}

# fill FILE.in: what is written @NAME@ in it, filled in; prints the path of the result. Folders below PREFIX are written
# relative to it, or in CMake's files to those, so that an installation may be moved.
fill()
{
	filled=$made/$(basename "$1" .in)
	sed -e "s|@VERSION@|$VERSION|g" -e "s|@SOVERSION@|$soversion|g" -e "s|@DRACO@|${DRACO:+-ldraco -lstdc++ }|g" -e "s|@DRACO_NAMES@|${DRACO:+draco stdc++ }|g" -e "s|@PREFIX@|$PREFIX|g" \
		-e "s|@LIBDIR@|$(below_prefix "$LIBDIR")|g" -e "s|@INCLUDEDIR@|$(below_prefix "$INCLUDEDIR")|g" \
		-e "s|@BIN_FROM_HERE@|$(from_cmake "$BINDIR")|g" -e "s|@LIB_FROM_HERE@|$(from_cmake "$LIBDIR")|g" \
		-e "s|@BVBUILD_FROM_BV@|../$(basename "$CMAKEDIR")|g" -e "s|@INCLUDE_FROM_HERE@|$(from_cmake "$INCLUDEDIR")|g" "$1" > "$filled"
	echo "$filled"
}
below_prefix()
{
	case "$1" in
	"$PREFIX"/*) echo "\${prefix}/${1#"$PREFIX"/}" ;;
	*) echo "$1" ;;
	esac
}
from_cmake()
{
	realpath -m --relative-to="$CMAKEDIR" "$1"
}

for tool in bvbuild bvinspect; do
	put 755 "$BUILD/$tool" "$BINDIR"
	put 644 "$BUILD/install/$tool.1" "$MANDIR/man1"
	put 644 "$BUILD/install/$tool.bash" "$BASHDIR" $tool
	put 644 "$BUILD/install/$tool.zsh" "$ZSHDIR" _$tool
	put 644 "$BUILD/install/$tool.fish" "$FISHDIR"
done
for library in bv bvworld bvbuild; do
	put 644 "$BUILD/lib$library.a" "$LIBDIR"
	put 644 "$BUILD/lib$library.so.$VERSION" "$LIBDIR"
	link_to "lib$library.so.$VERSION" "$LIBDIR" "lib$library.so.$soversion"
	link_to "lib$library.so.$soversion" "$LIBDIR" "lib$library.so"
	for header in include/$library/*.h; do
		put 644 "$header" "$INCLUDEDIR/$library"
	done
	put 644 "$(fill packaging/pkg-config/$library.pc.in)" "$PKGCONFIGDIR"
done
put 644 "$(fill packaging/cmake/bvbuildConfig.cmake.in)" "$CMAKEDIR"
put 644 "$(fill packaging/cmake/bvbuildConfigVersion.cmake.in)" "$CMAKEDIR"
put 644 packaging/cmake/bvbuildAddCollision.cmake "$CMAKEDIR"
put 644 "$(fill packaging/cmake/bvConfig.cmake.in)" "$bv_cmake"
put 644 "$(fill packaging/cmake/bvbuildConfigVersion.cmake.in)" "$bv_cmake" bvConfigVersion.cmake

# Documentation: all pages in one folder. links.sed points their links to the installed names; of a link to a file that is not
# installed only the text remains.
page()
{
	# Within docs/, README.md is the index.
	case "$1" in
	docs/*) sed -E "s@\]\(README\.md@](index.md@g" "$1" ;;
	*) cat "$1" ;;
	esac | sed -E -f packaging/links.sed > "$made/$2"
	put 644 "$made/$2" "$DOCDIR"
}
for file in docs/*.md; do
	case "$file" in
	docs/README.md) page "$file" index.md ;;
	*) page "$file" "$(basename "$file")" ;;
	esac
done
for file in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md; do
	test ! -f "$file" || page "$file" "$file"
done
page formats/bvh/README.md bvh-format.md
page formats/report/README.md report-keys.md
page formats/README.md exports.md
page formats/html/README.md html-report.md
put 644 formats/bvh/bvh.ksy "$DOCDIR"
put 644 formats/report/schema.json "$DOCDIR" report.schema.json
for file in docs/images/*; do
	test ! -f "$file" || put 644 "$file" "$DOCDIR/images"
done

# Folders that are nobody else's.
if [ "$action" = uninstall ]; then
	for folder in "$DOCDIR/images" "$DOCDIR" "$INCLUDEDIR/bv" "$INCLUDEDIR/bvworld" "$INCLUDEDIR/bvbuild" "$bv_cmake" "$CMAKEDIR"; do
		rmdir "$DESTDIR$folder" 2> /dev/null || true
	done
fi
