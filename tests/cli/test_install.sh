#!/bin/sh
# What `make install` installs is all that others need: libraries that export what the headers say, programs in C and C++ built by
# pkg-config and CMake, man pages, completion. `make uninstall` takes all of it away again.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
installed=$root/tests/install
cd "$scratch" || exit 1
sanitize=${SAN:+-fsanitize=address,undefined}

# The make that runs this script hands its options on, but not its jobs.
MAKEFLAGS=$(echo "${MAKEFLAGS-}" | sed 's/--jobserver-[a-z]*=[^ ]*//; s/\(^\| \)-j[0-9]*//')
export MAKEFLAGS
make_here()
{
	make -s --no-print-directory -C "$root" "$@" BUILD="$BUILD" SAN="$SAN" > make.log 2>&1 || { cat make.log && false; }
}

# Into a prefix, with libraries where Debian has them; and into another, which is then used from where it says nothing of, with
# blanks in its path.
prefix=$scratch/usr
check 'make install' make_here install PREFIX="$prefix" LIBDIR="$prefix/lib/arch"
check 'make install DESTDIR' make_here install prefix=/opt/bv DESTDIR="$scratch/moved to"
moved="$scratch/moved to/opt/bv"
check 'all is below DESTDIR' test "$(ls "$scratch/moved to")" = opt
(cd "$prefix" && find . ! -type d | sort) > files
grep '^./share/doc/bvbuild/' files > documents
check 'as many files are installed as there are headers, documents and 30 others' \
	test "$(wc -l < files)" = $((30 + $(ls "$root"/include/*/*.h | wc -l) + $(wc -l < documents)))
check 'every page, image and top-level document is installed, the specification, the keys and 4 other files of formats/' \
	test "$(wc -l < documents)" = $((6 + $(ls "$root"/docs/*.md "$root"/docs/images/* "$root"/*.md | wc -l)))
for page in README index cli gates formats reports bvh-format report-keys; do
	check "$page.md is installed" test -s "$prefix/share/doc/bvbuild/$page.md"
done
for tool in bvbuild bvinspect; do
	{ "$prefix/bin/$tool" --help; "$prefix/bin/$tool" --help=all; cat "$prefix/share/man/man1/$tool.1"; } | sed 's/\\-/-/g' > text
	grep -oE '[a-z-]+\.md' text | sort -u > pages
	check "$tool names pages of the documentation" test "$(wc -l < pages)" -ge 5
	for page in $(cat pages); do
		check "$tool names $page, which is installed" test -s "$prefix/share/doc/bvbuild/$page"
	done
	check "$tool names no other place of pages" test -z "$(grep -oE '/usr/share/doc[^ ]*|formats/[a-z]*/README' text)"
done
check 'links between installed pages lead somewhere' \
	/usr/bin/python3 "$root/tests/cli/run_docs.py" links "$prefix"/share/doc/bvbuild/*.md
check 'bvh.ksy is installed' cmp "$root/formats/bvh/bvh.ksy" "$prefix/share/doc/bvbuild/bvh.ksy"
check 'no file tells where it was built' sh -c '! grep -rlF "$1" "$2/share" "$2/lib/arch/cmake" "$2/lib/arch/pkgconfig"' - "$root/" "$prefix"
check 'CMake files and man pages have nothing left to fill in' sh -c '! grep -rn --exclude-dir=doc "@[A-Z_]*@" "$1"/lib/arch/*/ "$1"/share' - "$prefix"

# Shared libraries: the functions that the compiler finds declared in the headers are exported, with versions, and nothing else.
for library in bv bvworld bvbuild; do
	sh "$root/packaging/symbols.sh" $library > declared
	nm -D --defined-only "$prefix/lib/arch/lib$library.so" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort > exported
	least=60
	[ $library != bvworld ] || least=14
	check "lib$library.so exports something" test "$(wc -l < declared)" -ge $least
	check "lib$library.so exports what include/$library declares (make symbols adds what is missing)" \
		diff declared "$(sed 's/@@.*//' exported > names && echo names)"
	version=$(echo $library | tr a-z A-Z)_0
	check "lib$library.so: all functions have a version" test "$(grep -c "@@$version\.[0-9]*\$" exported)" = "$(wc -l < exported)"
	readelf -dW "$prefix/lib/arch/lib$library.so" > dynamic
	check "lib$library.so.0 is its name" grep -q "soname: \[lib$library\.so\.0\]" dynamic
	check "lib$library.so is independent of its place" sh -c '! grep -E "TEXTREL|RPATH|RUNPATH" dynamic | grep -qv "\[/usr/lib/llvm-[0-9]*/lib\]"'
done
for library in bv bvworld; do
	readelf -dW "$prefix/lib/arch/lib$library.so" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -v '^lib[a-z]*san\.so' > needed
	check "lib$library.so needs libc and libm alone" test -z "$(grep -vxE 'libc\.so\.6|libm\.so\.6' needed)"
done

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
echo 'hit at 4' > expected
cat > pairs.expected << 'END'
1: 0 and 1 touch
3: 0 and 2 touch
4: 0 and 1 are apart
END
run 0 "$prefix/bin/bvbuild" -q cube.obj -o cube.bvh

# What clang makes of OpenMP needs clang's runtime, which only clang links static libraries with; gcc's is known to both.
by_clang=$("$bvbuild" --version | grep -c '^  compiler .*[Cc]lang')
static_cxx=g++
if [ "$by_clang" = 1 ]; then
	static_cxx=
	export CC=clang CXX=clang++
fi

# Nor do sanitizers' runtimes mix: then only the compiler that made the libraries is tried.
other_cc=clang
other_cxx=clang++
if [ -n "$SAN" ] && [ "$by_clang" = 0 ]; then
	other_cc=gcc
	other_cxx=
fi

# compiled LIBRARIES PATH-TO-RUN-WITH PKG-CONFIG-OPTION...: the programs build by pkg-config, run, and make what the tool makes.
warnings='-Wall -Wextra -Wpedantic -Werror'
compiled()
{
	lib=$1
	run_path=$2
	shift 2
	export PKG_CONFIG_PATH="$lib/pkgconfig"
	rm -f cast pairs build built.bvh
	bv=$(pkg-config "$@" --cflags --libs bv) && world=$(pkg-config "$@" --cflags --libs bvworld) && bvbuild_flags=$(pkg-config "$@" --cflags --libs bvbuild) || fail "pkg-config $*"
	for compiler in "${CC:-gcc} -std=c11" "$other_cc -std=c17"; do
		check "$compiler, $*" sh -c "$compiler $warnings $sanitize '$installed/cast.c' $bv -lm -o cast"
		LD_LIBRARY_PATH=$run_path ./cast cube.bvh > got
		check "$compiler, $*: the program runs" diff expected got
		check "$compiler, $*: libbvworld" sh -c "$compiler $warnings $sanitize '$installed/pairs.c' $world -o pairs"
		LD_LIBRARY_PATH=$run_path ./pairs > got
		check "$compiler, $*: the program with libbvworld runs" diff pairs.expected got
	done
	for compiler in $cxx $other_cxx; do
		check "$compiler, $*" sh -c "$compiler -std=c++11 $warnings $sanitize '$installed/build.cpp' $bvbuild_flags -o build"
		LD_LIBRARY_PATH=$run_path ./build cube.obj built.bvh > got
		check "$compiler, $*: the program runs" diff expected got
		check "$compiler, $*: and makes the tool's file" cmp cube.bvh built.bvh
	done
}
cxx=g++
compiled "$prefix/lib/arch" "$prefix/lib/arch"
check 'programs are linked with the shared library' sh -c 'LD_LIBRARY_PATH=$1 ldd build | grep -q "libbvbuild.so.0 => $1"' - "$prefix/lib/arch"
compiled "$moved/lib" "$moved/lib" --define-prefix

# Without shared libraries beside them, the static ones are linked; libbv's also into a program that is static as a whole, which
# sanitizers cannot be.
cp -r "$prefix" static
rm static/lib/arch/lib*.so*
sed -i "s|^prefix=.*|prefix=$scratch/static|" static/lib/arch/pkgconfig/*.pc
cxx=$static_cxx
compiled "$scratch/static/lib/arch" /nowhere --static
check 'programs are linked with the static library' sh -c '! ldd build | grep -q libbv'
if [ -z "$SAN" ]; then
	check 'a static program' sh -c "gcc -static '$installed/cast.c' $bv -lm -o cast"
	./cast cube.bvh > got
	check 'a static program runs' diff expected got
	check 'a static program with libbvworld' sh -c "gcc -static '$installed/pairs.c' $world -o pairs"
	./pairs > got
	check 'a static program with libbvworld runs' diff pairs.expected got
fi

# CMake: two generators, shared and static libraries, a prefix that was moved. Collision data is made while the project is built;
# what has changed is made again, and nothing else.
mkdir -p project/meshes
cp "$installed/cmake/CMakeLists.txt" "$installed/cast.c" "$installed/pairs.c" "$installed/build.cpp" project
cp cube.obj project/meshes
cp cube.obj 'project/two words.obj'
echo '{ "options": { "preset": "fast" } }' > project/settings.json

# built FOLDER: builds the project there; prints what collision data was made, without the folder that goes round its name.
built()
{
	cmake --build "$1" > build.log 2>&1 || { cat build.log; return 1; }
	sed -n 's/.*Building collision data //p' build.log | LC_ALL=C sort
}
# makes FOLDER WHAT [LINE...]: these are made now.
makes()
{
	built "$1" > got
	what="CMake, $1: $2"
	shift 2
	if [ $# -gt 0 ]; then printf '%s\n' "$@"; fi > lines
	check "$what" diff lines got
}
both='made here/meshes/cube.bvh
made here/two words.bvh'
for generator in Ninja 'Unix Makefiles'; do
	for linking in shared static; do
		folder="$linking by $generator"
		check "cmake -G $generator, $linking" sh -c 'cmake -G "$1" -S project -B "$2" -D CMAKE_PREFIX_PATH="$3" \
			-D bvbuild_USE_STATIC_LIBS="$4" -D CMAKE_C_FLAGS="$5" -D CMAKE_CXX_FLAGS="$5" > cmake.log 2>&1 || { cat cmake.log; false; }' - \
			"$generator" "$folder" "$moved" "$([ $linking = static ] && echo ON)" "$sanitize"
		makes "$folder" 'all is made at first' cube.bvh "$both"
		makes "$folder" 'and nothing when nothing has changed'
		"$folder/cast" cube.bvh > got
		check "CMake, $folder: the C program runs" diff expected got
		"$folder/pairs" > got
		check "CMake, $folder: the C program with libbvworld runs" diff pairs.expected got
		"$folder/build" cube.obj built.bvh > got
		check "CMake, $folder: the C++ program runs" diff expected got
		check "CMake, $folder: linked as asked for" test "$(ldd "$folder/cast" | grep -c libbv)" = $([ $linking = shared ] && echo 1 || echo 0)
		check "CMake, $folder: libbvworld is linked as asked for" \
			test "$(ldd "$folder/pairs" | grep -c libbvworld)" = $([ $linking = shared ] && echo 1 || echo 0)
		check "CMake, $folder: collision data is what the tool makes" \
			sh -c '"$1/bin/bvbuild" -q "project/two words.obj" --preset fast --positions quantized -o words.bvh && cmp words.bvh "$2/made here/two words.bvh"' - "$prefix" "$folder"
		printf '%s;%s\n' "$PWD/$folder/made here/two words.bvh" "$PWD/$folder/made here/meshes/cube.bvh" > lines
		sort -u "$folder/made.txt" > got
		check "CMake, $folder: the function tells of its outputs" diff lines got
	done
	sleep 0.01
	echo '# changed' >> 'project/two words.obj'
	makes "$folder" 'an edited mesh' 'made here/two words.bvh'
	makes "$folder" 'and nothing after that'
	echo ' ' >> project/settings.json
	makes "$folder" 'edited settings' "$both"
	makes "$folder" 'and nothing after those'
	stat -c %Y.%y "$folder/cube.bvh" > before
	touch project/meshes/cube.obj
	makes "$folder" 'a touched mesh is looked at' cube.bvh 'made here/meshes/cube.bvh'
	stat -c %Y.%y "$folder/cube.bvh" > after
	check "CMake, $folder: its file keeps its time for Ninja and gets another one for Make" \
		test "$(cmp -s before after && echo Ninja || echo 'Unix Makefiles')" = "$generator"
	makes "$folder" 'and not again'
done

# A package that is not there, or of another version, is not found, in words.
mkdir ask
cat > ask/CMakeLists.txt << 'END'
cmake_minimum_required(VERSION 3.20)
project(ask NONE)
find_package(bvbuild ${WANTED} QUIET)
message("asked: ${bvbuild_FOUND} ${bvbuild_NOT_FOUND_MESSAGE}")
END
# asked PREFIX ARGUMENTS: whether a call of find_package with these finds what is there.
asked()
{
	rm -rf asked
	cmake -S ask -B asked -D bvbuild_DIR="$1/lib/arch/cmake/bvbuild" -D "WANTED=$2" 2>&1 | sed -n 's/ $//; s/^asked: //p'
}
rm -r static/bin static/lib/arch/libbvbuild.a static/lib/arch/libbvworld.a
check 'the same minor version is found' test "$(asked "$prefix" 0.1.0)" = 1
check 'another minor version is not' test "$(asked "$prefix" 0.0.9)" = 0
check 'nor a later one' test "$(asked "$prefix" 0.2)" = 0
check 'a range is found' test "$(asked "$prefix" '0.0.5...<0.2')" = 1
check 'unless it ends before' test "$(asked "$prefix" '0.0.5...<0.1')" = 0
check 'the runtime alone is found' test "$(asked "$scratch/static" '0.1;COMPONENTS;bv')" = 1
check 'a missing library is named' test "$(asked "$scratch/static" '0.1;COMPONENTS;bv;bvworld')" = \
	'0 its component bvworld is not installed'
check 'a missing component is named' test "$(asked "$scratch/static" '0.1;COMPONENTS;bv;tools')" = \
	'0 its component tools is not installed'

# Man pages: no fault found, and every option and every name that it takes is there.
for tool in bvbuild bvinspect; do
	page=$prefix/share/man/man1/$tool.1
	mandoc -T lint -W warning "$page" > lint
	check "$tool.1: mandoc has nothing to say" test ! -s lint
	groff -man -Tutf8 -ww -z "$page" 2> lint
	check "$tool.1: groff has nothing to say" test ! -s lint
	MANWIDTH=100 man --warnings -l "$page" 2> lint > shown
	check "$tool.1: man has nothing to say" test ! -s lint
	"$BUILD/$tool" --help=all > help
	check "$tool.1 has as many options as --help" \
		test "$(grep -cE '^\.TP$' "$page")" -ge "$(grep -cE '^  (   |-.,) --[a-z]' help)"
	grep -oE '^  (   |-.,) --[a-z-]+' help | grep -oE -- '--[a-z-]+' > options
	for option in $(cat options); do
		check "$tool.1 has $option" grep -qE -- "^ +(-., )?$option( |\[|\$)" shown
		for shell in bash zsh fish; do
			case $shell in
			bash) file=$prefix/share/bash-completion/completions/$tool ;;
			zsh) file=$prefix/share/zsh/site-functions/_$tool ;;
			fish) file=$prefix/share/fish/vendor_completions.d/$tool.fish ;;
			esac
			text=$option
			[ $shell = fish ] && text="-l ${option#--}"
			check "$shell completes $option of $tool" grep -qE -- "(^|[^a-z-])$text([^a-z-]|\$)" "$file"
		done
	done
done

# What completion offers the parser takes; where all words are in the argument it knows no others.
cat > values.awk << 'END'
END { for ( i = 1; i <= count; ++i ) if ( values[long[i]] != "" ) print long[i], argument[i], values[long[i]] }
END
"$BUILD/bvbuild" --help=all | awk -f "$root/packaging/help.awk" -f values.awk > values
check 'values are known of many options' test "$(wc -l < values)" -ge 15
while read -r option form words; do
	# That prints help, whatever else is wrong.
	[ "$option" = --help ] && continue
	for word in $words; do
		run 1 "$bvbuild" "$option=$word"
		check "$option takes $word" sh -c '! grep -qE " takes .*, not |unknown " err'
	done
	case $form in
	*[A-Z]*) ;;
	*)
		run 1 "$bvbuild" "$option=nonsense"
		check "$option takes nothing else" test \
			"$(sed 's/.* takes \(.*\), not .*/\1/; s/,//g; s/ or / /' err | tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' ')" = \
			"$(echo "$words" | tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' ')"
		;;
	esac
done < values

# Completion, by the tabulator of a shell in a terminal.
mkdir typed
(cd typed && touch 'rock face.bvh' rock.txt poses.csv)
completes()
{
	check "$1 completes '$2'" sh -c 'cd typed && /usr/bin/python3 "$1/complete.py" "$2" "$3" "$4" "$5"' - \
		"$installed" "$1" "$prefix/share" "$2" "$3"
}
for shell in bash zsh; do
	completes $shell 'bvbuild --pres' 'bvbuild --preset'
	completes $shell 'bvbuild --preset=fa' '--preset=fast'
	completes $shell 'bvbuild --preset bal' '--preset balanced'
	completes $shell 'bvbuild --sections mesh,tr' '--sections mesh,tree'
	completes $shell 'bvinspect --verify ro' "--verify rock\\ face.bvh"
	completes $shell 'bvinspect --poses po' '--poses poses.csv'
done
fish_completes()
{
	PATH=$prefix/bin:$PATH fish --no-config -c "set fish_complete_path '$prefix/share/fish/vendor_completions.d'
		cd typed; complete -C '$1'" | cut -f 1 > got
	check "fish completes '$1'" grep -qxF -- "$2" got
}
fish_completes 'bvbuild --pres' '--preset'
fish_completes 'bvbuild --preset=fa' '--preset=fast'
fish_completes 'bvbuild --preset ' 'balanced'
fish_completes 'bvbuild --sections mesh,tr' 'mesh,tree'
fish_completes 'bvinspect --verify ' 'rock face.bvh'

# --version says what the program is made of, with the versions that Debian's packages have; Assimp's own number may lag behind.
for tool in bvbuild bvinspect; do
	run 0 "$prefix/bin/$tool" --version
	check "$tool --version begins with the version" sh -c 'head -n 1 out | grep -qx "$1 0\.[0-9]*\.[0-9]*"' - $tool
	check "$tool --version: Assimp" grep -qE "^  Assimp +$(pkg-config --modversion assimp)\$" out
	check "$tool --version: qhull" grep -qE "^  qhull +$(pkg-config --modversion qhull_r) " out
	check "$tool --version: cJSON" grep -qE "^  cJSON +$(pkg-config --modversion libcjson)\$" out
	check "$tool --version: expat" grep -qE "^  expat +$(pkg-config --modversion expat)\$" out
	check "$tool --version: libpng" grep -qE "^  libpng +$(pkg-config --modversion libpng)\$" out
	check "$tool --version: SIMD" grep -qE '^  SIMD +(scalar|sse2|neon|avx2)$' out
	check "$tool --version: formats" grep -qE "^  formats +\.bvh 1\.0 to 1\.[1-9], reports $("$bvinspect" --json cube.bvh |
		sed -n 's/.*"schema":[^"]*"\([^"]*\)".*/\1/p')\$" out
done

# Stripped, the tools still run. Taken away, nothing is left but folders that others use as well.
check 'make install-strip' make_here install-strip PREFIX="$scratch/small"
check 'they are smaller' test "$(stat -c %s small/bin/bvbuild)" -lt "$(stat -c %s usr/bin/bvbuild)"
run 0 small/bin/bvbuild -q cube.obj -o small.bvh
check 'and run' cmp cube.bvh small.bvh
check 'make uninstall' make_here uninstall PREFIX="$prefix" LIBDIR="$prefix/lib/arch"
check 'no file is left' test -z "$(find "$prefix" ! -type d)"
check 'nor a folder of ours' test -z "$(find "$prefix" -name '*bv*')"
finish
