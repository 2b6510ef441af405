// EPA that guesses spheres.
//
// Based on: Leemann 2017, chapter 10 (sphere shells). A difference of shapes with curved surfaces is near to a sphere where it is
// near to the origin. The sphere through a face and the vertex in front of it gives the point of that sphere that is
// nearest to the origin, and the search ends at once if the difference ends there, too. In print, the support point in that
// direction has to be that very point; here it has to be as high, and it is an upper bound of the depth in any case. A guess may exceed the lower bound by a
// twentieth, as in the engine that is described.
//
// The polytope is far from the sphere when the search ends: its lower bound of the depth is that of the last face.

#include "runtime/convex/epa.h"
#include "runtime/convex/proof.h"

#include <math.h>

// A guess that is farther from the face than this is not one of its own sphere.
static const double most_rise = 1.0488; // sqrt( 1.1 )

// With d the last vertex and v_i = d - x_i, the center is d + m where 2 m * v_i = -|v_i|^2 for all three.
static double guess_sphere( const bv_vec3 vertex[4], double lower, double upper, bv_vec3* along )
{
	bv_vec3 v[3];
	double half[3];
	for ( int i = 0; i < 3; ++i )
	{
		v[i] = bv_sub( vertex[3], vertex[i] );
		half[i] = -0.5 * bv_dot( v[i], v[i] );
	}
	const bv_vec3 across[3] = { bv_cross( v[1], v[2] ), bv_cross( v[2], v[0] ), bv_cross( v[0], v[1] ) };
	double volume = bv_dot( v[0], across[0] );
	double size = bv_length( v[0] ) * bv_length( v[1] ) * bv_length( v[2] );
	if ( !( fabs( volume ) > 0x1p-30 * size ) )
	{
		return 0;
	}
	bv_vec3 to_center =
		bv_add( bv_add( bv_scale( half[0] / volume, across[0] ), bv_scale( half[1] / volume, across[1] ) ),
	            bv_scale( half[2] / volume, across[2] ) );
	bv_vec3 center = bv_add( vertex[3], to_center );
	double distance = bv_length( center );
	double depth = bv_length( to_center ) - distance;
	*along = bv_negate( center );
	return distance > 0 && depth >= lower && depth <= upper && depth <= most_rise * lower ? depth : 0;
}

static void find( const bvconvex_pair* pair, double enough, double relative, bvconvex_gjk_simplex* nearest,
                  bvconvex_proof* proof )
{
	bvconvex_gjk_result found;
	bvconvex_proof_begin( proof );
	bvconvex_gjk_vertex first = bvconvex_proof_slab( pair, ( bv_vec3 ){ 1, 0, 0 }, NULL, proof );
	bvconvex_gjk_distance( &pair->search, &first, enough, relative, &found );
	*nearest = *found.nearest;
	bvconvex_proof_simplex( pair, nearest, proof );
	if ( found.lower > 0 && found.lower > proof->lower )
	{
		proof->lower = found.lower;
		proof->normal = found.along;
	}
}

void bvconvex_shell_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bvconvex_proof proof;
	bvconvex_gjk_simplex nearest;
	find( pair, 0, asked->relative, &nearest, &proof );
	if ( !( proof.lower > 0 ) )
	{
		bvconvex_depth depth;
		bvconvex_epa_guided( pair, &nearest, asked->relative, guess_sphere, &depth );
		bvconvex_proof_take_depth( &depth, true, &proof );
		bvconvex_proof_decide( pair, &nearest, &proof );
	}
	bvconvex_proof_distance( pair, &proof, out );
}

void bvconvex_shell_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                             bv_convex_overlap_result* out )
{
	bvconvex_proof proof;
	bvconvex_gjk_simplex nearest;
	find( pair, pair->radius, asked->relative, &nearest, &proof );
	if ( !bvconvex_proof_overlap( pair, &proof, out ) )
	{
		bvconvex_proof_decide( pair, &nearest, &proof );
		bvconvex_proof_overlap( pair, &proof, out );
	}
}
