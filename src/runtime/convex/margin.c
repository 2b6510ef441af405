// EPA between shapes that are enlarged by a margin.
//
// Based on: Leemann 2017, chapters 6 to 9, and the engine that it describes: GJK for shapes that are farther apart than
// both margins, EPA between the enlarged shapes for all others, less the margins. Shapes that touch or are a little apart
// then are as far from the end of an overlap as others. In print, "apart" is concluded from the lower bound of the
// depth; here bounds keep their sides.
//
// The enlarged difference has curved edges, of which a polytope is only an approximation. A relative width of the depth
// is one of the depth with the margins: intervals of shapes next to each other are as wide as that part of the margins.

#include "runtime/convex/epa.h"
#include "runtime/convex/proof.h"

#include <math.h>

// Of each shape, relative to the mean extent of the difference: 1e-4 for bodies of size 10.
static const double relative_margin = 1e-5;

static double margin_of( const bvconvex_pair* pair, bvconvex_proof* proof, bvconvex_gjk_vertex* first )
{
	double size = 0;
	for ( int i = 0; i < 6; ++i )
	{
		double sign = i % 2 ? -1 : 1;
		bv_vec3 axis = { i / 2 == 0 ? sign : 0, i / 2 == 1 ? sign : 0, i / 2 == 2 ? sign : 0 };
		*first = bvconvex_proof_slab( pair, axis, NULL, proof );
		size += bv_dot( axis, first->at );
	}
	return relative_margin / 6 * size + 64 * pair->rounding;
}

BVSIMD_NOINLINE void take_enlarged( const bvconvex_pair* pair, double margin, double relative,
                                    const bvconvex_gjk_simplex* start, bvconvex_proof* proof )
{
	bvconvex_round_pair round;
	bvconvex_depth depth;
	bvconvex_round( pair, ( const double[] ){ margin, margin }, &round );
	bvconvex_epa( &round.pair, start, relative, NULL, &depth );
	double slack = 4 * round.pair.rounding;
	double lower = 2 * margin - depth.upper - slack;
	double upper = 2 * margin - depth.lower + slack;
	if ( lower > proof->lower )
	{
		proof->lower = lower;
		proof->normal = depth.normal;
	}
	if ( depth.lower > 0 )
	{
		proof->meets = proof->meets || upper <= 0;
		proof->upper = bvmath_min( proof->upper, upper );
		proof->point[0] = bv_sub( depth.point[0], bv_scale( margin, depth.normal ) );
		proof->point[1] = bv_add( depth.point[1], bv_scale( margin, depth.normal ) );
	}
}

// GJK without margins.
// @return the distance, as far as it is above `enough`
BVSIMD_NOINLINE double take_distance( const bvconvex_pair* pair, const bvconvex_gjk_vertex* first,
                                      double enough, double relative, bvconvex_gjk_simplex* nearest,
                                      bvconvex_proof* proof )
{
	bvconvex_gjk_result found;
	bvconvex_gjk_distance( &pair->search, first, enough, relative, &found );
	*nearest = *found.nearest;
	bvconvex_proof_simplex( pair, nearest, proof );
	if ( found.lower > proof->lower && found.lower > 0 )
	{
		proof->lower = found.lower;
		proof->normal = found.along;
	}
	return found.lower;
}

// Finds the distance. Its memory is free again when take_enlarged needs most of the stack.
// @param margin  receives the margin of the enlarged shapes
// @return whether they are to be enlarged
BVSIMD_NOINLINE bool needs_margin( const bvconvex_pair* pair, double relative, double enough,
                                   bvconvex_gjk_simplex* nearest, bvconvex_proof* proof, double* margin )
{
	bvconvex_gjk_vertex first;
	bvconvex_proof_begin( proof );
	*margin = margin_of( pair, proof, &first );
	if ( pair->rounding < 0x1p-195 &&
	     pair->rounding > 0 ) // products of the enlarged shapes' coordinates would vanish
	{
		nearest->vertex[0] = first;
		nearest->count = 1;
		bvconvex_gjk_solve( nearest );
		bvconvex_proof_simplex( pair, nearest, proof );
		return false;
	}
	double lower = take_distance( pair, &first, bvmath_max( enough, 2 * *margin ), relative, nearest, proof );
	return !( lower > 2 * *margin );
}

static void find( const bvconvex_pair* pair, double relative, double enough, bvconvex_gjk_simplex* nearest,
                  bvconvex_proof* proof )
{
	double margin;
	if ( needs_margin( pair, relative, enough, nearest, proof, &margin ) )
	{
		take_enlarged( pair, margin, relative, nearest, proof );
	}
}

void bvconvex_margin_distance( const bvconvex_pair* pair, const bvconvex_asked* asked, bv_convex_result* out )
{
	bvconvex_proof proof;
	bvconvex_gjk_simplex nearest;
	find( pair, asked->relative, 0, &nearest, &proof );
	if ( !( proof.lower > 0 ) )
	{
		bvconvex_proof_decide( pair, &nearest, &proof );
	}
	bvconvex_proof_distance( pair, &proof, out );
}

void bvconvex_margin_overlap( const bvconvex_pair* pair, const bvconvex_asked* asked,
                              bv_convex_overlap_result* out )
{
	bvconvex_proof proof;
	bvconvex_gjk_simplex nearest;
	find( pair, asked->relative, pair->radius, &nearest, &proof );
	if ( !bvconvex_proof_overlap( pair, &proof, out ) )
	{
		bvconvex_proof_decide( pair, &nearest, &proof );
		bvconvex_proof_overlap( pair, &proof, out );
	}
}
