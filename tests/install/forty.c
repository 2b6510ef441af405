// A program from the headers alone, in C and C++11: two meshes, a model matrix, a ray, points in a solid, and a
// convex part against a mesh.
//
//   forty A.bvh B.bvh X
//
// B is placed in the coordinates of A: a quarter turn about z, twice the size, moved to (X, 0, 0.25). Exit code: 1 if
// a file cannot be used.

#include <bv/bv.h>

#include <stdio.h>
#include <stdlib.h>

// Files are used where they are read to: memory of a megabyte each, which is aligned to 8 bytes.
static uint64_t memory[2][1 << 17];

static const bv_file* open_file( const char* path, uint64_t* memory_of_file )
{
	FILE* stream = fopen( path, "rb" );
	size_t size = stream ? fread( memory_of_file, 1, sizeof memory[0], stream ) : 0;
	const bv_file* file;
	if ( bv_file_open( memory_of_file, size, &file ) != bv_ok )
	{
		exit( 1 );
	}
	fclose( stream );
	return file;
}

int main( int count, char** arguments )
{
	if ( count != 4 )
	{
		return 1;
	}
	const bv_file *a = open_file( arguments[1], memory[0] ), *b = open_file( arguments[2], memory[1] );
	const float model[16] = { 0, 2, 0, 0, -2, 0, 0, 0, 0, 0, 2, 0, (float)atof( arguments[3] ), 0, 0.25f, 1 };
	bv_transform b_in_a;
	bv_distance_result apart;
	bv_collide_result met;
	if ( bv_transform_from_matrixf( model, &b_in_a ) != bv_ok ||
	     bv_mesh_collide( a, b, &b_in_a, NULL, &met ) != bv_ok ||
	     bv_mesh_distance( a, b, &b_in_a, NULL, &apart ) != bv_ok )
	{
		return 1;
	}
	printf( "meshes: %s, distance %g\n", met.pairs > 0 ? "meet" : "apart", apart.distance );

	bv_ray ray = { { 0.5, 0.25, 10 }, { 0, 0, -1 }, 0, 0 };
	bv_ray_result hit;
	if ( bv_mesh_cast_ray( a, NULL, &ray, NULL, &hit ) == bv_ok && hit.found )
	{
		printf( "ray: after %g, normal %g %g %g\n", hit.time, hit.at.normal.x, hit.at.normal.y,
		        hit.at.normal.z );
	}

	// A point in the cube a, and the origin of b.
	const bv_vec3 points[2] = { { 0.5, 0.25, 0.25 }, b_in_a.pose.translation };
	static const char* const sides[] = { "unknown", "outside", "inside" };
	for ( int i = 0; i < 2; ++i )
	{
		bv_contains_result side;
		if ( bv_mesh_contains( a, NULL, points[i], NULL, &side ) == bv_ok )
		{
			printf( "point: %s, distance %g\n", sides[side.side], side.distance );
		}
	}

	// A part of b is in coordinates of b, and so are the answers.
	bv_convex part = bv_convex_part( b, 0 );
	bv_transform a_in_b = bv_transform_inverse( &b_in_a );
	bv_overlap_result overlap;
	bv_mesh_convex_result gap;
	if ( bv_mesh_overlap_convex( a, &a_in_b, &part, NULL, &overlap ) == bv_ok &&
	     bv_mesh_distance_convex( a, &a_in_b, &part, NULL, &gap ) == bv_ok )
	{
		printf( "part: %u triangles, distance %g to %g\n", (unsigned)overlap.triangles, gap.lower,
		        gap.upper );
	}
	return 0;
}
