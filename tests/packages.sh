#!/bin/sh
# Debian packages as a user meets them: lintian has nothing to say, they install where only what they depend on is, the tools run
# from there, programs are built with what is there, and nothing is left when they are removed: packages.sh FOLDER.
set -eu
folder=$(realpath "$1")
tests=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
ls "$folder"/*.deb | grep -v -- '-dbgsym_' > packages

# Words are not looked for in programs: what compares "element" has a part of it in its machine code, which is no word.
not_root=$([ "$(id -u)" = 0 ] && echo --allow-root || true)
lintian $not_root --display-info --pedantic --suppress-tags spelling-error-in-binary "$folder"/*.changes > said 2>&1 || true
if [ -s said ]; then
	echo 'packages: lintian says:'
	cat said
	exit 1
fi

# A system of its own, in which nothing is installed but what the packages depend on, as far as this one has it.
system=$scratch/system
mkdir -p "$system/var/lib/dpkg/info" "$system/var/lib/dpkg/updates" "$system/var/lib/dpkg/triggers"
touch "$system/var/lib/dpkg/available"
for package in $(xargs -I FILE dpkg-deb -f FILE Depends < packages | tr ',|' '\n\n' | sed 's/(.*//; s/:any//' | sort -u); do
	dpkg-query -s "$package" 2> /dev/null | sed 's/^\(Depends\|Pre-Depends\|Recommends\):.*/X-&/' && echo
done > "$system/var/lib/dpkg/status"
in_system()
{
	dpkg --root="$system" --force-not-root --force-script-chrootless --log="$scratch/log" "$@" > dpkg.out 2>&1 ||
		{ cat dpkg.out && exit 1; }
}
(cd "$system" && find . | sort) > before
# Debian's py3compile and py3clean know only the system that they are in.
mkdir python-tools
printf '#!/bin/sh\nexec /usr/bin/python3 -m compileall -q "%s/usr/lib/python3/dist-packages/bvbuild"\n' "$system" > python-tools/py3compile
printf '#!/bin/sh\nrm -rf "%s/usr/lib/python3/dist-packages/bvbuild/__pycache__"\n' "$system" > python-tools/py3clean
chmod +x python-tools/*
export PATH="$scratch/python-tools:$PATH"
in_system --install $(cat packages)

# The documentation is there, uncompressed, so that links between pages work.
for page in README index gates formats bvh-format report-keys; do
	test -s "$system/usr/share/doc/bvbuild/$page.md"
done
test -s "$system/usr/share/doc/bvbuild/bvh.ksy"

# The tools run, and know where their man pages are.
PATH=$system/usr/bin:$PATH
for tool in bvbuild bvinspect; do
	test "$(command -v $tool)" = "$system/usr/bin/$tool"
	$tool --version > version
	grep -q "^$tool " version
	man --warnings -l "$system/usr/share/man/man1/$tool.1.gz" > /dev/null
done
printf 'v 0 0 0\nv 0 4 0\nv 0 0 4\nf 1 2 3\n' > one.obj
bvbuild -q one.obj -o one.bvh
bvinspect -q --verify one.bvh

# Programs in C and C++ with what pkg-config says, and with what CMake finds. The triangle is met after 5.
libraries=$(dirname "$system"/usr/lib/*/libbv.so)
export PKG_CONFIG_SYSROOT_DIR="$system" PKG_CONFIG_PATH="$libraries/pkgconfig" LD_LIBRARY_PATH="$libraries"
gcc "$tests/install/cast.c" $(pkg-config --cflags --libs bv) -o cast
gcc "$tests/install/pairs.c" $(pkg-config --cflags --libs bvworld) -o pairs
g++ -std=c++11 "$tests/install/build.cpp" $(pkg-config --cflags --libs bvbuild) -o build
mkdir project
cp "$tests/install/cast.c" "$tests/install/pairs.c" "$tests/install/build.cpp" project
cat > project/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.20)
project(with_packages C CXX)
set(CMAKE_CXX_STANDARD 11)
find_package(bvbuild 0.1 REQUIRED COMPONENTS bv bvworld bvbuild tools)
add_executable(cast cast.c)
target_link_libraries(cast PRIVATE bvbuild::bv)
add_executable(pairs pairs.c)
target_link_libraries(pairs PRIVATE bvbuild::bvworld)
add_executable(build build.cpp)
target_link_libraries(build PRIVATE bvbuild::bvbuild)
END
cmake -S project -B made -D CMAKE_PREFIX_PATH="$system/usr" > cmake.log && cmake --build made >> cmake.log || { cat cmake.log && exit 1; }
for program in ./ made/; do
	test "$("$program"cast one.bvh)" = 'hit at 5'
	"$program"pairs | grep -qx '3: 0 and 2 touch'
	test "$("$program"build one.obj built.bvh)" = 'hit at 5'
	cmp one.bvh built.bvh
done

# Python with its package, but without its own folders: numpy is that of this system.
printf 'import bvbuild\nmesh = bvbuild.build("one.obj")\nmesh.save("python.bvh")\nprint("hit at", float(mesh.cast_rays([5, 1, 1], [-1, 0, 0]).time))\n' > cast.py
export PYTHONPATH="$system/usr/lib/python3/dist-packages" PYTHONDONTWRITEBYTECODE=1
test "$(/usr/bin/python3 cast.py)" = 'hit at 5.0'
cmp one.bvh python.bvh
cp "$tests/../samples/python/scan.py" "$tests/../samples/python/README.md" .
/usr/bin/python3 scan.py scan.png > printed 2> timed
awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' README.md | diff - printed
/usr/bin/python3 "$tests/python/check_picture.py" scan.png
(cd "$libraries" && ls libbv.so.0 libbvbuild.so.0 libbvworld.so.0 > /dev/null)

in_system --purge $(xargs -I FILE dpkg-deb -f FILE Package < packages)
(cd "$system" && find . | sort) > after
diff before after | grep -v '/var/lib/dpkg' | grep '^[<>]' > left || true
if [ -s left ]; then
	echo 'packages: left behind:'
	cat left
	exit 1
fi
echo "packages: $(wc -l < packages) packages install, work, and go away again"
