// Chooses the offset of a mesh. See offset.h.
//
// Stored volumes and positions are binary32 numbers: 24 bits. A mesh that is as far from 0 as 2^k times its
// size has 24 - k bits left for its shape. Up to 8 sizes the offset is 0: there a mesh loses at most 4 bits
// against one that is centered, and most meshes need no offset.
//
// An offset is a multiple of at least 4 sizes. A mesh that is within 2 sizes of 0 and is then moved by a round
// number has that number as its offset, and is stored as it was near 0.
//
// Exactness. A coordinate with an offset o is at least 7 sizes from 0 everywhere on the mesh, and no farther
// from o than 5.5 sizes. Both p and o are whole multiples of the last place of the smaller of them, so their
// difference is as well, and it has no more digits than p.

#include "offline/mesh/offset.h"

#include "runtime/math/vec.h"

#include <math.h>

static const double far_sizes = 8;
static const double unit_sizes = 4;

bv_aabb bvmesh_box_of_triangles( const bvb_mesh* mesh )
{
	bv_vec3 first = mesh->positions[mesh->triangles[0].corner[0]];
	bv_aabb e = { first, first };
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = mesh->positions[mesh->triangles[i].corner[k]];
			e.lower = bvmath_least( e.lower, p );
			e.upper = bvmath_greatest( e.upper, p );
		}
	}
	return e;
}

// The smallest number of 1, 2, 5, 10, 20, ... that is not below a length, because people recognize multiples
// of it. Below 1 and above 10^15, where such numbers are not exact, a power of two.
static double round_number( double length )
{
	if ( length <= 1 || length > 1e15 )
	{
		int exponent;
		double fraction = frexp( length, &exponent );
		return ldexp( 1, fraction == 0.5 ? exponent - 1 : exponent );
	}
	double decade = 1;
	while ( 10 * decade < length )
	{
		decade *= 10;
	}
	return 2 * decade >= length ? 2 * decade : 5 * decade >= length ? 5 * decade : 10 * decade;
}

static double choose( double lower, double upper, double size )
{
	bool is_far = bvmath_max( fabs( lower ), fabs( upper ) ) > far_sizes * size;
	double unit = round_number( unit_sizes * size );
	return is_far ? unit * floor( ( lower + ( upper - lower ) / 2 ) / unit + 0.5 ) : 0;
}

bv_vec3 bvmesh_choose_offset( const bv_aabb* e )
{
	bv_vec3 sides = bv_sub( e->upper, e->lower );
	double size = bvmath_max( bvmath_max( sides.x, sides.y ), sides.z );
	if ( !( size > 0 ) )
	{
		return ( bv_vec3 ){ 0, 0, 0 };
	}
	return ( bv_vec3 ){ choose( e->lower.x, e->upper.x, size ), choose( e->lower.y, e->upper.y, size ),
		                choose( e->lower.z, e->upper.z, size ) };
}
