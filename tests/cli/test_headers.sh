#!/bin/sh
# Programs that are written from the public headers alone: tests/install/forty.c as C and as C++11, and the examples in the headers.
. "$(dirname "$0")/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$scratch" || exit 1

# Neither sanitizers' runtimes nor those of OpenMP mix: the compiler is the one that made the libraries.
sanitize=${SAN:+-fsanitize=address,undefined}
cc=gcc
cxx=g++
if "$bvbuild" --version | grep -q '^  compiler .*[Cc]lang'; then
	cc=clang
	cxx=clang++
fi

# Both meshes are a cube from -1 to 1. That of b, placed twice as large, reaches from x = X - 2 to X + 2. So the distance is X - 3, or
# half of that in coordinates of b. For X = 2.5 the part meets all faces of a except the one at x = -1: 10 triangles. The first point is 0.5 from the face x = 1, the second X - 1.
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
run 0 "$bvbuild" -q cube.obj -o cube.bvh --decompose=5%
cat > apart << 'END'
meshes: apart, distance 2
ray: after 9, normal 0 0 1
point: inside, distance 0.5
point: outside, distance 4
part: 0 triangles, distance 1 to 1
END
cat > meet << 'END'
meshes: meet, distance 0
ray: after 9, normal 0 0 1
point: inside, distance 0.5
point: outside, distance 1.5
part: 10 triangles, distance 0 to 0
END
for compiler in "$cc -std=c11 -x c" "$cxx -std=c++11 -x c++"; do
	# shellcheck disable=SC2086
	check "$compiler" $compiler -Wall -Wextra -Wpedantic -Werror -Wshadow $sanitize -I"$root/include" "$root/tests/install/forty.c" \
		-x none "$BUILD/libbv.a" -lm -o forty
	./forty cube.bvh cube.bvh 5 > got
	check "$compiler: apart" diff apart got
	./forty cube.bvh cube.bvh 2.5 > got
	check "$compiler: in contact" diff meet got
	run 1 ./forty cube.bvh cube.obj 5
done

# BV_MAX_LENGTH is 2^200 in C++11, which has no hexadecimal constants for it.
cat > most.cpp << 'END'
#include <bv/base.h>
int main()
{
	return BV_MAX_LENGTH == std::ldexp( 1.0, 200 ) ? 0 : 1;
}
END
check 'most.cpp' $cxx -std=c++11 -Wpedantic -Werror -include cmath -I"$root/include" most.cpp -o most
run 0 ./most

check 'examples in the headers run' env LIBRARIES="$BUILD" CC="$cc $sanitize" sh "$root/tests/headers_examples.sh"
finish
