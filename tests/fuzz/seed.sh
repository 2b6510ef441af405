#!/bin/sh
# seed.sh TARGET BUILD: fills the corpus of a fuzz target with small real inputs, where it is still empty.
set -eu
corpus=$2/fuzz/$1.corpus
if [ -n "$(ls -A "$corpus")" ]; then
	exit 0
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Bytes that look random, the same ones for a seed.
numbers()
{
	printf "$(awk -v x="$1" 'BEGIN { for ( i = 0; i < 400; ++i ) { x = ( x * 69069 + 12345 ) % 4294967296; printf "\\%03o", int( x / 65536 ) % 256 } }')"
}

printf 'v 1 0 1\nv 1 0 -1\nv -1 0 -1\nf 1 2 3\n' > "$scratch/one.obj"
printf '# c\no a\nv 0 0 0\nv 1. 0 0 1\nv 1 .5e0 0\nv 0 1 0\nf 1//1 2/2 3/3/3 -1\nl 1 2\np 1\n' > "$scratch/quad.obj"
printf 'v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4 \\\n' > "$scratch/solid.obj"
printf 'OFF\n3 1 3\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n' > "$scratch/one.off"
printf '# c\nSTCNOFF 4 5 6\n0 0 0 0 0 1 1 0 0 1 0 0\n1 0 0 0 0 1 1 0 0 1 1 0\n1 1. 0 0 0 1 1 0 0 1 1 1\n0 1 0 0 0 1 1 0 0 1 0 1\n3 0 1 2\n4 0 1 2 3 255 0 0 # q\n2 0 1\n1 2 7\n3 2 1 0 .5 .5 .5 1\n' > "$scratch/all.off"
printf '4 2\r\n0 0\r\n0\r\n1e0 0 0\n0 1 0\n-.5 nan inf\n5\n0 1 2\n3 0\n3  3 2 1\n' > "$scratch/split.off"
"$2/make_samples" "$scratch"
case $1 in
fuzz_obj)
	cp "$scratch/one.obj" "$scratch/quad.obj" "$scratch/solid.obj" "$scratch/crate.obj" "$corpus"
	;;
fuzz_off)
	cp "$scratch/one.off" "$scratch/all.off" "$scratch/split.off" "$corpus"
	printf 'OFF BINARY\n\000\000\000\003\000\000\000\001' > "$corpus/binary.off"
	printf 'OFF\n353535235358 6 0\n0 0 0\n' > "$corpus/counts.off"
	;;
fuzz_ply)
	xyz='property float x\nproperty float y\nproperty float z\n'
	faces='element face 2\nproperty list uchar int vertex_indices\n'
	{
		printf "ply\nformat ascii 1.0\nelement vertex 4\n$xyz${faces}end_header\n"
		printf '0 0 0\n1 0 .5\n1 1 1e-1\n0 1 0\n3 0 1 2\n4 0 1 2 3\n'
	} > "$corpus/text.ply"
	{
		printf 'ply\nformat ascii 1.0\ncomment c\nelement tristrips 1\nproperty list int int vertex_index\nelement edge 1\n'
		printf "property int a\nelement vertex 3\nproperty uchar r\n${xyz}property list char double l\nend_header\n"
		printf '7 0 1 2 -1 2 1 0\n5\n9 0 0 0 1 8\n9 1 0 0 0\n9 0 nan 0 2 1 2\n'
	} > "$corpus/strips.ply"
	{
		printf "ply\nformat binary_little_endian 1.0\nelement vertex 3\n$xyz${faces}end_header\n"
		printf '\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0\0\0\0\0\0\0\0\0\0\0\200\077\0\0\0\0'
		printf '\3\0\0\0\0\1\0\0\0\2\0\0\0\3\2\0\0\0\1\0\0\0\0\0\0\0'
	} > "$corpus/little.ply"
	{
		printf 'ply\nformat binary_big_endian 1.0\nelement a 1\nproperty list uint short l\nelement vertex 4\nproperty char x\n'
		printf 'property ushort y\nproperty double z\nelement face 2\nproperty uchar m\nproperty list char ushort vertex_index\nend_header\n'
		printf '\0\0\0\1\0\5\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\1\0\1\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0'
		printf '\7\3\0\0\0\1\0\2\7\4\0\0\0\1\0\2\0\3'
	} > "$corpus/big.ply"
	;;
fuzz_gltf)
	# One of each feature, small enough to be mutated.
	python3 "$(dirname "$0")/../cli/make_gltf.py" "$scratch/gltf"
	python3 "$(dirname "$0")/../clips/make_clips.py" "$scratch/gltf"
	find "$scratch/gltf" -maxdepth 1 '(' -name '*.gltf' -o -name '*.glb' ')' -size -8k -exec cp {} "$corpus" ';'
	# Compressed data as it is, not in base64.
	python3 - "$scratch/gltf" "$corpus" <<- 'END'
		import base64, glob, json, os, struct, sys
		for name in glob.glob( sys.argv[1] + '/draco-*' ) + glob.glob( sys.argv[1] + '/meshopt-*' ):
		    document = json.load( open( name ) )
		    data = base64.b64decode( document['buffers'][0].pop( 'uri' ).split( ',' )[1] )
		    text = json.dumps( document ).encode()
		    text += b' ' * ( -len( text ) % 4 )
		    data += bytes( -len( data ) % 4 )
		    body = struct.pack( '<I4s', len( text ), b'JSON' ) + text + struct.pack( '<I4s', len( data ), b'BIN\0' ) + data
		    with open( sys.argv[2] + '/' + os.path.basename( name ) + '.glb', 'wb' ) as out:
		        out.write( struct.pack( '<4sII', b'glTF', 2, 12 + len( body ) ) + body )
	END
	;;
fuzz_3mf)
	mkdir "$scratch/3mf"
	python3 "$(dirname "$0")/../cli/make_3mf.py" "$scratch/3mf"
	for file in plain parts nested materials lattice range circle; do
		cp "$scratch/3mf/$file.3mf" "$corpus"
		unzip -p "$scratch/3mf/$file.3mf" 3D/3dmodel.model > "$corpus/$file.model"
	done
	;;
fuzz_vrml)
	mkdir "$scratch/vrml"
	python3 "$(dirname "$0")/../cli/make_vrml.py" "$scratch/vrml"
	find "$scratch/vrml" '(' -name '*.wrl' -o -name '*.wrz' ')' -size -8k -exec cp {} "$corpus" ';'
	;;
fuzz_stl)
	facet='facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n'
	printf "solid one\n${facet}endsolid one\n" > "$corpus/one.stl"
	printf '\357\273\277 SOLID a b\r\nFacet Normal -1.#IND nan 1.#QNAN0\r\nouter loop\r\nvertex .5 5. +1\r\nvertex -.5e1 1E+2 inf\r\nvertex nan 0 1e999\r\nend loop\r\nend facet\r\nend solid\r\n' > "$corpus/spellings.stl"
	printf "solid\nendsolid\nsolid a b\n${facet}${facet}endsolid\nsolid c\n${facet}endsolid c" > "$corpus/several.stl"
	printf "%-80s\001\000\000\000%-50s" 'solid x' y > "$corpus/binary.stl"
	printf "%-80s\002\000\000\000%-48s\000\000%-48s\000\000\000\000\000\000" x y z > "$corpus/padded.stl"
	printf "%-80s\377\377\377\377%-50s" x y > "$corpus/counts.stl"
	;;
fuzz_gate)
	number=0
	while read -r line; do
		number=$(( number + 1 ))
		printf '%s' "$line" > "$corpus/$number"
	done <<- 'END'
		max(a.b[].c) == 2 and not (n > 0 or s != 't')
		a.b[-1].d == 'x' or a.b[0].d == null
		sum(a.b[].c, 1, l[][]) / count(a.b) <= 150% + abs(-n) * mean(1, 2)
		degrees.2 > 2 and degrees["3"] == null and min(a.e) < 1e3 and t
		a.nope == 1 or z < 1 and false
	END
	printf 'x.y[0] < 2 and x.z == "\\""\n{"x": {"y": [1], "z": "\\""}}' > "$corpus/document"
	;;
fuzz_convex)
	# Numbers that shapes, placements and options are made of, two of them behind a file with a hull or with parts.
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		numbers $seed > "$corpus/asked.$seed"
	done
	cat tests/golden/1.0-hull.bvh "$corpus/asked.1" > "$corpus/hull"
	cat tests/golden/1.1-parts.bvh "$corpus/asked.2" > "$corpus/parts"
	;;
fuzz_compound)
	# As of fuzz_convex, with numbers enough for some unions.
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
		{
			numbers $(( 600 + seed ))
			numbers $(( 700 + seed ))
		} > "$corpus/asked.$seed"
	done
	cat tests/golden/1.0-hull.bvh "$corpus/asked.1" > "$corpus/hull"
	cat tests/golden/1.1-parts.bvh "$corpus/asked.2" > "$corpus/parts"
	;;
fuzz_broadphase)
	# Operations of every method: bytes 1 to 5 are whether coordinates are integers, and options.
	for method in 01 02 03 04 05 06 07 10 11; do # octal
		for seed in 1 2 3 4; do
			{
				printf "\\$(( seed % 2 * 2 ))00\\027\\$(( seed / 2 ))10\\0$method\\000"
				numbers $(( 8 * method + seed ))
				numbers $(( 100 + 8 * method + seed ))
				numbers $(( 200 + 8 * method + seed ))
			} > "$corpus/$method.$seed"
		done
	done
	;;
fuzz_contacts)
	# Operations of any kind. The first bytes are the most entries, threads, and whether there is a tolerance.
	for seed in 1 2 3 4 5 6 7 8; do
		{
			printf "\\$(( seed % 4 ))7\\00$(( seed % 5 ))\\377"
			numbers $(( 300 + seed ))
			numbers $(( 400 + seed ))
			numbers $(( 500 + seed ))
		} > "$corpus/operations.$seed"
	done
	;;
fuzz_particles)
	# Numbers of any kind. The first byte is whether they are integers, and in what unit.
	for kind in 000 001 002 003 004 240 241; do
		for seed in 1 2 3; do
			{
				printf "\\$kind"
				numbers $(( 10 * seed + 1 ))
				numbers $(( 10 * seed + 2 ))
			} > "$corpus/$kind.$seed"
		done
	done
	;;
fuzz_motion | fuzz_control | fuzz_deform | fuzz_deform_contact | fuzz_skin)
	# Numbers that motions, features and options are made of; and the same behind one small mesh, or two.
	for seed in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
		numbers $seed > "$corpus/asked.$seed"
	done
	# What bends also has a sheet of squares, and a tube.
	awk 'BEGIN { for ( i = 0; i < 25; ++i ) printf "v %d %d 0\n", i % 5, i / 5
		for ( i = 1; i < 20; ++i ) if ( i % 5 ) printf "f %d %d %d\nf %d %d %d\n", i, i + 1, i + 6, i, i + 6, i + 5
	}' > "$scratch/sheet.obj"
	awk 'BEGIN { for ( i = 0; i < 24; ++i ) printf "v %d %d %d\n", i / 4, ( i + 1 ) % 4 < 2, i % 4 < 2
		for ( i = 0; i < 20; ++i ) { n = i % 4 < 3 ? i + 1 : i - 3; printf "f %d %d %d %d\n", i + 1, n + 1, n + 5, i + 5 }
	}' > "$scratch/tube.obj"
	# Far away, where positions have an offset.
	awk '$1 == "v" { $2 += 1000; $3 -= 500 } { print }' "$scratch/sheet.obj" > "$scratch/far.obj"
	awk '$1 == "v" { $2 += 1300; $3 -= 500 } { print }' "$scratch/tube.obj" > "$scratch/farther.obj"
	meshes='one quad solid crate'
	case $1 in fuzz_deform_contact | fuzz_skin) meshes="$meshes sheet tube far farther" ;; esac
	seed=0
	for mesh in $meshes; do
		for volume in obb aabb sphere rss kdop14 prism mixed; do
			seed=$(( seed % 16 + 1 ))
			"$2/bvbuild" -q --volume $volume --positions $( [ $(( seed % 2 )) = 0 ] && echo float || echo quantized ) \
			  --sections none,mesh,tree -o "$scratch/$mesh.$volume.bvh" "$scratch/$mesh.obj"
			cat "$scratch/$mesh.$volume.bvh" "$corpus/asked.$seed" > "$corpus/$mesh.$volume"
			cat "$scratch/$mesh.$volume.bvh" "$scratch/one.obb.bvh" "$corpus/asked.$(( 17 - seed ))" > "$corpus/$mesh.$volume.one"
		done
		cat "$scratch/$mesh.obb.bvh" "$scratch/$mesh.kdop14.bvh" "$corpus/asked.$seed" > "$corpus/$mesh.two"
	done
	if [ "$1" = fuzz_deform_contact ]; then
		cat "$scratch/far.obb.bvh" "$scratch/farther.kdop14.bvh" "$corpus/asked.1" > "$corpus/far.two"
		cat "$scratch/tube.prism.bvh" "$scratch/far.rss.bvh" "$corpus/asked.2" > "$corpus/far.tube"
		cat "$scratch/far.aabb.bvh" "$scratch/sheet.mixed.bvh" "$corpus/asked.3" > "$corpus/far.sheet"
	fi
	# Poses have errors only while all vertices are skinned.
	for volume in $( [ "$1" = fuzz_skin ] && echo obb aabb rss ); do
		"$2/bvbuild" -q --volume $volume --sections none,mesh,tree,errors -o "$scratch/errors.bvh" "$scratch/sheet.obj"
		cat "$scratch/errors.bvh" "$corpus/asked.$seed" > "$corpus/errors.$volume"
	done
	cat tests/golden/1.0-hull.bvh "$corpus/asked.1" > "$corpus/hull"
	cat tests/golden/1.1-parts.bvh "$corpus/asked.2" > "$corpus/parts"
	;;
fuzz_bvh | fuzz_verify)
	# Smooth, with RINGS times SEGMENTS corners.
	ball()
	{
		awk -v rings="$1" -v segments="$2" 'BEGIN {
			pi = atan2( 0, -1 )
			for ( i = 0; i < rings; ++i ) for ( k = 0; k < segments; ++k ) {
				a = pi * ( i + 1 ) / ( rings + 1 ); b = 2 * pi * ( k + i / 2 ) / segments
				printf "v %.5f %.5f %.5f\n", sin( a ) * cos( b ), sin( a ) * sin( b ), cos( a )
			}
			for ( i = 0; i + 1 < rings; ++i ) for ( k = 0; k < segments; ++k ) {
				n = ( k + 1 ) % segments; at = i * segments + 1
				printf "f %d %d %d %d\n", at + k, at + segments + k, at + segments + n, at + n
			}
			printf "f"; for ( k = 0; k < segments; ++k ) printf " %d", k + 1; printf "\n"
			printf "f"; for ( k = segments; k > 0; --k ) printf " %d", ( rings - 1 ) * segments + k; printf "\n"
		}'
	}
	ball 4 6 > "$scratch/ball.obj"
	ball 13 20 > "$scratch/hull.obj"
	awk 'BEGIN { for ( i = 0; i < 9; ++i ) for ( k = 0; k < 9; ++k ) printf "v %d %d %.3f\n", i, k, sin( i * 3 + k * k )
		for ( i = 0; i < 8; ++i ) for ( k = 1; k < 9; ++k ) printf "f %d %d %d %d\n", 9 * i + k, 9 * i + k + 9, 9 * i + k + 10, 9 * i + k + 1
	}' > "$scratch/hills.obj"
	printf 'v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 1 0\nv 0 1 0\nf 1 2 5\nf 2 3 4\n' > "$scratch/flat.obj"
	awk 'BEGIN { for ( i = 0; i < 65539; ++i ) printf "v %d %d %d\n", int( i / 2 ), i % 2, i % 3
		for ( i = 1; i < 65538; i += 2 ) printf "f %d %d %d\n", i, i + 1, i + 2 }' > "$scratch/many.obj"
	awk 'BEGIN { for ( i = 0; i < 66; ++i ) { x = 2 ^ ( i - 33 ) * ( i % 2 ? 1 : -1 )
		printf "v %.17g 0 0\nv %.17g %.17g 0\nv %.17g 0 %.17g\nf %d %d %d\n", x, x, x / 4, x, x / 4, 3 * i + 1, 3 * i + 2, 3 * i + 3 }
	}' > "$scratch/chain.obj"
	all=edges,source,adjacency,hull-topology,radius,node-quality,node-faces,parts,part-triangles
	# Of many parts hardly any mutation opens, and proofs take long.
	few="--decompose=0 --max-parts 4 --decompose-effort 0"
	build()
	{
		name=$1
		shift
		"$bvbuild" -q "$@" -o "$corpus/$name.bvh"
	}
	bvbuild=$2/bvbuild
	for mesh in one quad solid flat ball crate broken; do
		build $mesh "$scratch/$mesh.obj"
		build $mesh.all $few --positions quantized --leaf-triangles 4 --sections $all "$scratch/$mesh.obj"
		build $mesh.hull --sections none,hull,bounds "$scratch/$mesh.obj"
		build $mesh.own --positions quantized --sections none,hull "$scratch/$mesh.obj"
		build $mesh.mesh --sections none,mesh,mass "$scratch/$mesh.obj"
		build $mesh.body --sections none,mesh,hull --mass 3 "$scratch/$mesh.obj"
		build $mesh.tree --sections none,mesh,tree "$scratch/$mesh.obj"
	done
	degree=2
	for volume in obb aabb sphere rss kdop14 kdop18 kdop26 prism mixed prism,obb obb,sphere aabb,kdop14 rss,kdop26; do
		# A whole and a bare one each, with as many children as the last of five had and one more.
		for form in float quantized; do
			build hills.$volume.$form --preset fast --builder topdown --volume $volume --positions $form --degree $degree \
			  --sections none,mesh,tree "$scratch/hills.obj"
			build ball.$volume.$form --volume $volume --positions $form --hausdorff 0.5 --collapse 8 \
			  --leaf-triangles $(( degree - 1 )) --sections node-quality "$scratch/ball.obj"
			degree=$(( degree % 5 + 2 ))
		done
		build hills.$volume.wide --volume $volume --hausdorff 0 --collapse 8 --leaf-triangles 40 --sections none,mesh,tree "$scratch/hills.obj"
		build one.$volume --volume $volume --sections none,mesh,tree "$scratch/one.obj"
		build quad.$volume --volume $volume --sections none,mesh,tree "$scratch/quad.obj"
	done
	for sections in mesh mesh,tree mesh,hull hull bounds mass mesh,tree,errors primitives mesh,edges mesh,source mesh,adjacency \
	  mesh,hull,hull-topology mesh,tree,radius mesh,tree,node-quality mesh,tree,node-faces; do
		build ball.only.$sections --sections none,$sections "$scratch/ball.obj"
	done
	for sections in parts mesh,parts,part-triangles; do
		build ball.only.$sections $few --sections none,$sections "$scratch/ball.obj"
	done
	for mesh in solid ball crate broken; do
		build $mesh.proxy --simplify 5% --sections none,mesh,proxy "$scratch/$mesh.obj"
		build $mesh.proxy.only --sections none,proxy "$scratch/$mesh.obj"
	done
	for section in mesh tree hull bounds mass errors primitives edges source adjacency hull-topology radius node-quality node-faces parts \
	  part-triangles; do
		build ball.without.$section $( [ $section = parts ] || echo $few ) --sections $all,-$section "$scratch/ball.obj"
	done
	build round --sections none,hull,hull-topology "$scratch/hull.obj"
	build round.mesh --sections none,mesh,hull --positions quantized "$scratch/hull.obj"
	build hills.parts $few --sections none,mesh,part-triangles "$scratch/hills.obj"

	# A notch, so that solid parts touch, and the same with a wall left out.
	printf 'v 0 0 0\nv 3 0 0\nv 3 1 0\nv 1 1 0\nv 1 2 0\nv 0 2 0\nv 0 0 1\nv 3 0 1\nv 3 1 1\nv 1 1 1\nv 1 2 1\nv 0 2 1
f 6 5 4 3 2 1\nf 7 8 9 10 11 12\nf 1 2 8 7\nf 2 3 9 8\nf 3 4 10 9\nf 4 5 11 10\nf 5 6 12 11\nf 6 1 7 12\n' > "$scratch/notch.obj"
	sed '$d' "$scratch/notch.obj" > "$scratch/open.obj"
	for mesh in notch open; do
		for mode in solid surface; do
			build $mesh.$mode $few --decompose-mode $mode --sections none,mesh,part-triangles "$scratch/$mesh.obj"
		done
	done
	build many --sections none,mesh,hull --positions quantized "$scratch/many.obj"
	cp "$(dirname "$0")"/../golden/*.bvh "$corpus"
	# As deep as trees may be.
	for volume in aabb obb mixed; do
		build chain.$volume --builder topdown --splitter kcenter --degree 2 --volume $volume --hausdorff 0 --sections none,mesh,tree "$scratch/chain.obj"
	done
	# A section that nobody knows, optional and required.
	for flags in 0 1; do
		python3 - "$corpus/quad.bvh" "$corpus/quad.unknown.$flags.bvh" $flags <<- 'END'
			import struct, sys
			old = open( sys.argv[1], 'rb' ).read()
			count, = struct.unpack_from( '<I', old, 32 )
			entries = [ struct.unpack_from( '<4sHHQQQ', old, 64 + 32 * i ) for i in range( count ) ]
			parts = [ ( e[:3], old[e[3]:e[3] + e[4]], e[5] ) for e in entries ]
			parts.insert( 1, ( ( b'ABCD', 7, int( sys.argv[3] ) ), b'what it holds', 0 ) )
			body, table, at = b'', b'', 64 + 32 * len( parts )
			for head, data, check in parts:
			    gap = -at % 64
			    table += struct.pack( '<4sHHQQQ', *head, at + gap, len( data ), check )
			    body += bytes( gap ) + data
			    at += gap + len( data )
			open( sys.argv[2], 'wb' ).write( old[:24] + struct.pack( '<QI', at, len( parts ) ) + bytes( 28 ) + table + body )
		END
	done
	# What is asked, and of what two files.
	if [ "$1" = fuzz_bvh ]; then
		for seed in 1 2 3 4 5 6 7; do
			numbers $seed > "$scratch/asked.$seed"
		done
		for file in "$corpus"/ball.*.float.bvh "$corpus"/ball.all.bvh; do
			for seed in 1 2 3 4 5 6; do
				cat "$file" "$scratch/asked.$seed" > "$file.$seed"
			done
		done
		seed=0
		for pair in 'ball.mixed.float hills.obb.wide' 'ball.obb.quantized ball.aabb.float' 'hills.kdop26.float ball.rss.float' \
		  'ball.kdop18.float ball.sphere.float' 'ball.prism.float hills.prism.float' 'hills.mixed.quantized one' 'hills.aabb.wide hills.obb.wide'; do
			seed=$(( seed + 1 ))
			cat "$corpus/${pair% *}.bvh" "$corpus/${pair#* }.bvh" "$scratch/asked.$seed" > "$corpus/pair.$seed"
			cat "$corpus/${pair% *}.bvh" "$scratch/asked.$seed" > "$corpus/asked.$seed"
		done
	fi
	;;
esac
