#!/bin/sh
# Makes Debian packages and their source package in a copy of the sources, of what is on the machine alone: deb.sh BUILD. They and
# what they say of themselves are left in BUILD/deb.
#
# The copy has debian/ at its top, where Debian's tools want it.
set -eu
build=$1
version=$(dpkg-parsechangelog -l packaging/debian/changelog -S Version)
copy=$build/deb/bvbuild-$version

rm -rf "$build/deb"
mkdir -p "$copy"
cp -r .clang-format LICENSE Makefile ./*.md docs formats include packaging samples src tests "$copy"
mv "$copy/packaging/debian" "$copy/debian"
cd "$copy"

# The caller's make has nothing to do with the package's.
unset MAKEFLAGS MAKELEVEL MAKEOVERRIDES CFLAGS LDFLAGS CPPFLAGS DESTDIR || true
dpkg-buildpackage --unsigned-source --unsigned-changes -j"$(nproc)" > ../build.log 2>&1 || { tail -n 40 ../build.log && exit 1; }
ls ../*.deb
