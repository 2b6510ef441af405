// Whether triangles are near a mesh. See near.h.
//
// All of a triangle is near one of the mesh's if its corners are, because the distance from a convex set is a
// convex function; else it is cut in two.

#include "offline/simplify/near.h"

#include "runtime/math/vec.h"

#include "offline/simplify/cut.h"

#include <math.h>

enum
{
	most_parts = 1 << 15, // of a triangle
	deepest = 512,
};

bool bvsimplify_is_point_near( const bvsimplify_near* near, bv_vec3 point )
{
	bvhaus_nearest none = { INFINITY, BVHAUS_NO_REF };
	return bvhaus_index_within( near->index, near->index->root, point, near->tolerance, none ).distance <=
	       near->tolerance;
}

static double square_length( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return bv_dot( d, d );
}

static bool is_part_near( const bvsimplify_near* near, const bv_vec3 c[3], bvhaus_index_ref known, int depth,
                          uint32_t* budget )
{
	bv_vec3 middle = bv_scale( 1.0 / 3, bv_add( c[0], bv_add( c[1], c[2] ) ) );
	bvhaus_nearest nearest = { known == BVHAUS_NO_REF ? INFINITY
		                                              : bvhaus_index_distance( near->index, known, middle ),
		                       known };
	nearest = bvhaus_index_nearest( near->index, near->index->root, middle, nearest );
	double radius = 0;
	double farthest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		radius = bvmath_max( radius, square_length( c[k], middle ) );
		farthest = bvmath_max( farthest, bvhaus_index_distance( near->index, nearest.ref, c[k] ) );
	}
	radius = sqrt( radius );
	if ( farthest <= near->tolerance || nearest.distance + radius <= near->tolerance )
	{
		return true;
	}
	if ( nearest.distance > near->tolerance || radius < near->least || depth == deepest || *budget == 0 )
	{
		return false;
	}
	*budget -= 1;
	bvsimplify_cut cut =
		bvsimplify_find_cut( c, bvhaus_ref_triangle( near->index, nearest.ref ), near->tolerance );
	int end = ( cut.side + 1 ) % 3;
	bv_vec3 apex = c[( cut.side + 2 ) % 3];
	bv_vec3 one[3] = { apex, c[cut.side], cut.point };
	bv_vec3 other[3] = { apex, cut.point, c[end] };
	bool is_near = bvhaus_index_distance( near->index, nearest.ref, cut.point ) <= near->tolerance ||
	               bvsimplify_is_point_near( near, cut.point );
	return is_near && is_part_near( near, one, nearest.ref, depth + 1, budget ) &&
	       is_part_near( near, other, nearest.ref, depth + 1, budget );
}

bool bvsimplify_is_triangle_near( const bvsimplify_near* near, const bv_vec3 corner[3] )
{
	uint32_t budget = most_parts;
	return is_part_near( near, corner, BVHAUS_NO_REF, 0, &budget );
}
