#!/bin/sh
# include/bv and src/runtime are libbv, and nothing else is: copied elsewhere they build by the fragment for make and by CMake, with
# gcc, clang and MinGW, for programs in C and C++ that open a file and cast a ray. With include/bvworld and src/world beside them
# libbvworld is built, too, and libbv is the same without.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch" || exit 1
unset MAKEFLAGS

# A cube of half size 1: the ray from x = 5 meets it after 4.
cat > cube.obj << 'END'
v -1 -1 -1
v 1 -1 -1
v 1 1 -1
v -1 1 -1
v -1 -1 1
v 1 -1 1
v 1 1 1
v -1 1 1
f 1 4 3 2
f 5 6 7 8
f 1 2 6 5
f 2 3 7 6
f 3 4 8 7
f 4 1 5 8
END
run 0 "$bvbuild" -q cube.obj -o cube.bvh
echo 'hit at 4' > expected
cat > pairs.expected << 'END'
1: 0 and 1 touch
3: 0 and 2 touch
4: 0 and 1 are apart
END

mkdir -p game/bv/include game/bv/src
cp -r "$root/include/bv" game/bv/include
cp -r "$root/src/runtime" game/bv/src
cp "$root/tests/install/cast.c" game
# All headers by themselves, as C++.
{
	(cd "$root/include" && ls bv/*.h) | sed 's/.*/#include <&>/'
	cat << 'END'
#include <cstdio>
#include <cstdlib>

int main( int count, char** arguments )
{
	std::FILE* stream = count == 2 ? std::fopen( arguments[1], "rb" ) : NULL;
	void* memory = std::malloc( 1 << 20 );
	std::size_t size = stream && memory ? std::fread( memory, 1, 1 << 20, stream ) : 0;
	const bv_file* file;
	if ( bv_file_open( memory, size, &file ) != bv_ok )
	{
		return 1;
	}
	bv_ray ray = bv_ray();
	ray.origin.x = 5;
	ray.origin.y = 0.1;
	ray.origin.z = 0.2;
	ray.direction.x = -1;
	ray.to = 100;
	bv_ray_result hit;
	if ( bv_mesh_cast_ray( file, NULL, &ray, NULL, &hit ) != bv_ok || !hit.found )
	{
		return 2;
	}
	std::printf( "hit at %g\n", hit.time );
	std::fclose( stream );
	std::free( memory );
	return 0;
}
END
} > game/cast.cpp

# The Makefile of a game. Its first target stays the default, and what it compiles with cannot spoil results.
cat > game/Makefile << 'END'
include bv/src/runtime/libbv.mk
all: $(BV_BUILD)/cast $(if $(CXX),$(BV_BUILD)/castxx)
$(BV_BUILD)/cast: cast.c $(BV_LIBRARY)
	$(CC) -std=c11 $(WARNINGS) $(BV_CPPFLAGS) $^ -lm -o $@
$(BV_BUILD)/castxx: cast.cpp $(BV_LIBRARY)
	$(CXX) -std=c++11 $(WARNINGS) $(BV_CPPFLAGS) $^ -lm -o $@
END
warnings='-Wall -Wextra -Wpedantic -Werror'
# by_make FOLDER CC CXX PREFIX-OF-TOOLS CFLAGS
by_make()
{
	check "make with $2" sh -c 'make -s -j2 -C game BV_BUILD="$1" CC="$2" CXX="$3" AR="$4ar" CFLAGS="$6 $5" WARNINGS="$6" > log 2>&1 ||
		{ cat log; false; }' - "$1" "$2" "$3" "$4" "$5" "$warnings"
	# What the library needs of the system; the compiler's own begins with two underscores. On Windows it is called by an address.
	"$4nm" -u "game/$1/libbv.a" | sed -n 's/^ *[Uw] \+\(__imp_\)\?//p' | LC_ALL=C sort -u > needed
	"$4nm" --defined-only "game/$1/libbv.a" | awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u > defined
	LC_ALL=C comm -23 needed defined > system
	check "$2: libbv defines its functions" grep -qx bv_mesh_cast_ray defined
	check "$2: libbv has nothing of libbvworld" sh -c '! grep -q bvw defined'
	check "$2: libbv needs nothing but $(tr '\n' ' ' < system)" test -z "$(grep -vxE \
		'mem(cpy|set|move|cmp)|str(len|cmp)|sqrtf?|fmaf?|fabsf?|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__cpu_(model|indicator_init)|\.refptr\..*|___chkstk_ms' system)"
}
# CMake, below, takes clang.
for compiler in gcc:g++:-ffast-math ${BV_THOROUGH:+clang:clang++:-O0}; do
	flags=${compiler##*:}
	compiler=${compiler%:*}
	by_make "${compiler%:*}" "${compiler%:*}" "${compiler#*:}" '' "-O0 $flags"
	for program in cast castxx; do
		"game/${compiler%:*}/$program" cube.bvh > got
		check "make with ${compiler%:*}: $program runs" diff expected got
	done
	check "${compiler%:*}: nothing is made again" make -s -q -C game BV_BUILD="${compiler%:*}" CC="${compiler%:*}" CXX="${compiler#*:}"
done
by_make mingw x86_64-w64-mingw32-gcc "$(command -v x86_64-w64-mingw32-g++ || true)" x86_64-w64-mingw32- '-O1 -ffast-math'
check 'a program for Windows is linked' sh -c 'x86_64-w64-mingw32-objdump -f game/mingw/cast* | grep -q pei-x86-64'
check '-ffast-math would be noticed' sh -c \
	'! gcc -ffast-math -std=c17 -Igame/bv/include -Igame/bv/src -fsyntax-only game/bv/src/runtime/file/hash.c 2> err && grep -q "exact arithmetic" err'

# libbvworld beside it. The objects of libbv are made already.
mkdir -p world/bv/include world/bv/src
cp -r "$root/include/bvworld" world/bv/include
cp -r "$root/src/world" world/bv/src
cp -r game/bv/include/bv world/bv/include
cp -r game/bv/src/runtime world/bv/src
cp "$root/tests/install/pairs.c" world
cat > world/Makefile << 'END'
include bv/src/runtime/libbv.mk
include bv/src/world/libbvworld.mk
all: $(BV_BUILD)/pairs
$(BV_BUILD)/pairs: pairs.c $(BVW_LIBRARY)
	$(CC) -std=c11 $(WARNINGS) $(BV_CPPFLAGS) $^ $(LIBBV) -lm -o $@
END
for compiler in gcc ${BV_THOROUGH:+clang} x86_64-w64-mingw32-gcc; do
	made=$compiler
	tools=${compiler%gcc}
	[ "$tools" != clang ] || tools=
	[ -d "game/$made" ] || made=mingw
	# clang warns of options that override each other.
	flags="$warnings -O1 -ffast-math"
	[ $compiler != clang ] || flags="$warnings -O1"
	[ $compiler != gcc ] || flags="$warnings -O0 -ffast-math"
	check "make of libbvworld with $compiler" sh -c 'make -s -j2 -C world BV_BUILD="$1" CC="$1" AR="$2ar" LIBBV="../game/$3/libbv.a" \
		CFLAGS="$4" WARNINGS="$5" > log 2>&1 || { cat log; false; }' - "$compiler" "$tools" "$made" "$flags" "$warnings"
	{ "${tools}nm" --defined-only "world/$compiler/libbvworld.a"; "${tools}nm" --defined-only "game/$made/libbv.a"; } |
		awk 'NF == 3 { print $3 }' | LC_ALL=C sort -u > defined
	"${tools}nm" -u "world/$compiler/libbvworld.a" | sed -n 's/^ *[Uw] \+\(__imp_\)\?//p' | LC_ALL=C sort -u > needed
	LC_ALL=C comm -23 needed defined > system
	check "$compiler: libbvworld defines its functions" grep -qx bvw_broadphase_update defined
	check "$compiler: libbvworld needs nothing but libbv and $(tr '\n' ' ' < system)" test -z "$(grep -vxE \
		'mem(cpy|set|move|cmp)|sqrtf?|fmaf?|fabsf?|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail|__cpu_(model|indicator_init)|\.refptr\..*|___chkstk_ms' system)"
done
for compiler in gcc ${BV_THOROUGH:+clang}; do
	world/$compiler/pairs > got
	check "make with $compiler: the program with libbvworld runs" diff pairs.expected got
done

# CMake, with its file beside the two folders: as a part of the project, fetched, and installed.
cp "$root/CMakeLists.txt" game/bv
cp "$root/CMakeLists.txt" world/bv
# project FOLDER HOW: a project that gets libbv in this way
project()
{
	mkdir -p "$1"
	cp game/cast.c game/cast.cpp "$1"
	cat > "$1/CMakeLists.txt" << END
cmake_minimum_required(VERSION 3.16)
project($1 C CXX)
set(CMAKE_CXX_STANDARD 11)
$2
add_executable(cast cast.c)
target_link_libraries(cast PRIVATE bv::bv)
add_executable(castxx cast.cpp)
target_link_libraries(castxx PRIVATE bv::bv)
END
}
# by_cmake FOLDER [ARGUMENT...]
by_cmake()
{
	folder=$1
	shift
	check "cmake, $folder" sh -c '{ cmake -G Ninja -S "$0" -B "$0/build" -D CMAKE_C_FLAGS=-O0 "$@" && cmake --build "$0/build"; } > log 2>&1 ||
		{ cat log; false; }' "$folder" "$@"
	for program in cast castxx; do
		"$folder/build/$program" cube.bvh > got
		check "cmake, $folder: $program runs" diff expected got
	done
}
project subdirectory "add_subdirectory($scratch/game/bv bv)"
project fetched "include(FetchContent)
FetchContent_Declare(bv SOURCE_DIR $scratch/game/bv)
FetchContent_MakeAvailable(bv)"
# The build of both is that of libbv by itself, below: what matters is that the target is found.
for how in subdirectory fetched; do
	check "cmake configures $how" sh -c 'cmake -G Ninja -S "$0" -B "$0/build" -D BUILD_SHARED_LIBS=ON > log 2>&1 || { cat log; false; }' $how
	check "BUILD_SHARED_LIBS makes a shared library, $how" grep -q 'libbv\.so' $how/build/build.ninja
	if [ "${BV_THOROUGH:-}" ]; then
		by_cmake $how -D BUILD_SHARED_LIBS=ON
		check "the program is linked with it, $how" sh -c 'ldd "$0/build/cast" | grep -q "libbv.so.0"' $how
	fi
done
check 'a project that has libbv in it does not install it' sh -c 'rules=subdirectory/build/bv/cmake_install.cmake; test -s $rules && ! grep -q libbv $rules'
check 'without the folders of libbvworld there is no target for it' sh -c '! grep -q bvworld subdirectory/build/build.ninja'
check 'libbv is built and installed by itself, libbvworld with it' sh -c '{ CC=clang CXX=clang++ cmake -G Ninja -S world/bv -B alone -D CMAKE_C_FLAGS=-O0 \
	-D CMAKE_BUILD_TYPE= \
	-D CMAKE_INSTALL_PREFIX="$1/prefix" && cmake --build alone --target install; } > log 2>&1 || { cat log; false; }' - "$scratch"
project found 'find_package(bv 0.1 REQUIRED)'
by_cmake found -D CMAKE_PREFIX_PATH="$scratch/prefix"
# A program with libbvworld, which is in the same package.
mkdir scene
cp "$root/tests/install/pairs.c" scene
cat > scene/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.16)
project(scene C)
find_package(bv 0.1 REQUIRED)
add_executable(pairs pairs.c)
target_link_libraries(pairs PRIVATE bv::world)
END
check 'cmake finds libbvworld' sh -c '{ cmake -G Ninja -S scene -B scene/build -D CMAKE_PREFIX_PATH="$1/prefix" &&
	cmake --build scene/build; } > log 2>&1 || { cat log; false; }' - "$scratch"
scene/build/pairs > got
check 'the program with libbvworld of CMake runs' diff pairs.expected got
project newer 'find_package(bv 0.2 REQUIRED)'
run 1 cmake -G Ninja -S newer -B newer/build -D CMAKE_PREFIX_PATH="$scratch/prefix"
check 'another minor version is not found' grep -q 'version: 0.1.0' err
finish
