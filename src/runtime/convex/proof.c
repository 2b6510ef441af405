// Bounds of the signed distance of two convex shapes. See proof.h.

#include "runtime/convex/proof.h"

#include "runtime/convex/exact.h"

#include <math.h>

void bvconvex_proof_begin( bvconvex_proof* out )
{
	*out = ( bvconvex_proof ){ .lower = -INFINITY, .upper = INFINITY };
}

bvconvex_gjk_vertex bvconvex_proof_slab( const bvconvex_pair* pair, bv_vec3 along, const uint32_t near[2],
                                         bvconvex_proof* proof )
{
	static const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	bvconvex_gjk_vertex far = bvconvex_gjk_support( &pair->search, bv_negate( along ), near ? near : none );
	double length = bv_length( along );
	double lower = -bv_dot( along, far.at ) / length - pair->rounding;
	if ( lower > proof->lower )
	{
		proof->lower = lower;
		proof->normal = bv_scale( 1 / length, along );
	}
	proof->supports += 1;
	return far;
}

// The least distance of the origin from the faces of a tetrahedron around it; 0 or less if it may be outside.
static double depth_inside( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s )
{
	double least = s->count == 4 ? INFINITY : 0;
	for ( int i = 0; i < 4 && least > 0; ++i )
	{
		bv_vec3 a = s->vertex[( i + 1 ) % 4].at;
		bv_vec3 b = s->vertex[( i + 2 ) % 4].at;
		bv_vec3 c = s->vertex[( i + 3 ) % 4].at;
		bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
		normal = bv_dot( normal, bv_sub( s->vertex[i].at, a ) ) > 0 ? bv_negate( normal ) : normal;
		double length = bv_length( normal );
		double height =
			bvmath_min( bv_dot( normal, a ), bvmath_min( bv_dot( normal, b ), bv_dot( normal, c ) ) );
		least = bvmath_min( least, length > 0 ? height / length - pair->rounding : 0 );
	}
	return least;
}

void bvconvex_proof_simplex( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, bvconvex_proof* proof )
{
	double inside = depth_inside( pair, s );
	double upper = inside > 0 ? -inside : sqrt( s->square ) + pair->rounding;
	proof->meets = proof->meets || inside > 0;
	if ( upper < proof->upper )
	{
		proof->upper = upper;
		proof->point[0] = ( bv_vec3 ){ 0, 0, 0 };
		for ( int i = 0; i < s->count; ++i )
		{
			proof->point[0] = bv_add( proof->point[0], bv_scale( s->weight[i], s->vertex[i].first ) );
		}
		proof->point[1] = bv_sub( proof->point[0], s->nearest );
	}
}

typedef struct proof_points
{
	const bvconvex_gjk_vertex* vertex;
	uint32_t count;
} proof_points;

static bvconvex_support support_of_points( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)near;
	const proof_points* p = shape;
	uint32_t best = 0;
	for ( uint32_t i = 1; i < p->count; ++i )
	{
		best = bv_dot( *along, p->vertex[i].at ) > bv_dot( *along, p->vertex[best].at ) ? i : best;
	}
	return ( bvconvex_support ){ p->vertex[best].at, best };
}

static bvconvex_support support_of_origin( const void* shape, const bv_vec3* along, uint32_t near )
{
	(void)shape;
	(void)along;
	(void)near;
	return ( bvconvex_support ){ { 0, 0, 0 }, 0 };
}

// The origin is in a triangle. With the vertices that are farthest on both sides of it there is a tetrahedron on each
// side, and each contains half of a ball around the origin.
static double depth_of_bipyramid( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s,
                                  const proof_points* points )
{
	bv_vec3 normal =
		bv_cross( bv_sub( s->vertex[1].at, s->vertex[0].at ), bv_sub( s->vertex[2].at, s->vertex[0].at ) );
	double least = s->count == 3 ? INFINITY : 0;
	for ( int side = 0; side < 2 && least > 0; ++side )
	{
		bv_vec3 along = side ? bv_negate( normal ) : normal;
		bv_vec3 apex = support_of_points( points, &along, 0 ).at;
		for ( int i = 0; i < 3; ++i )
		{
			bv_vec3 a = s->vertex[i].at;
			bv_vec3 b = s->vertex[( i + 1 ) % 3].at;
			bv_vec3 across = bv_cross( bv_sub( b, a ), bv_sub( apex, a ) );
			across =
				bv_dot( across, bv_sub( s->vertex[( i + 2 ) % 3].at, a ) ) > 0 ? bv_negate( across ) : across;
			double length = bv_length( across );
			double height =
				bvmath_min( bv_dot( across, apex ), bvmath_min( bv_dot( across, a ), bv_dot( across, b ) ) );
			least = bvmath_min( least, length > 0 ? height / length - pair->rounding : 0 );
		}
		least = bv_dot( along, bv_sub( apex, s->vertex[0].at ) ) > pair->rounding * bv_length( along ) ? least
		                                                                                               : 0;
	}
	// The triangle is off the origin by no more than what GJK ends with.
	return least - 2 * pair->rounding;
}

void bvconvex_proof_points( const bvconvex_pair* pair, const bvconvex_gjk_vertex* vertices, uint32_t count,
                            bvconvex_gjk_simplex* nearest, bvconvex_proof* proof )
{
	proof_points points = { vertices, count };
	bvconvex_gjk_pair search = {
		{ support_of_points, support_of_origin }, { &points, NULL }, pair->rounding, bvconvex_gjk_solve
	};
	bvconvex_gjk_vertex first = { vertices[0].at, { 0, 0 }, vertices[0].at };
	bvconvex_gjk_result found;
	bvconvex_gjk_distance( &search, &first, 0, 0, &found );
	*nearest = *found.nearest;
	double depth = 0;
	if ( nearest->square <= pair->rounding * pair->rounding )
	{
		depth = depth_of_bipyramid( pair, nearest, &points );
	}
	for ( int i = 0; i < nearest->count; ++i )
	{
		nearest->vertex[i] = vertices[nearest->vertex[i].name[0]];
	}
	bvconvex_proof_simplex( pair, nearest, proof );
	if ( depth > 0 )
	{
		proof->meets = true;
		proof->upper = bvmath_min( proof->upper, -depth );
	}
}

void bvconvex_proof_decide( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start,
                            bvconvex_proof* proof )
{
	if ( proof->meets || !pair->polytopes )
	{
		return;
	}
	bvconvex_exact_gap gap;
	bvconvex_exact_distance( pair, start, NULL, &gap );
	if ( !gap.known )
	{
		return;
	}
	proof->meets = gap.meets;
	if ( gap.meets )
	{
		proof->upper = bvmath_min( proof->upper, 0 );
		return;
	}
	proof->lower = gap.lower;
	proof->upper = gap.upper;
	proof->normal = gap.along;
	bvconvex_exact_describe( pair, &gap, proof->point );
}

void bvconvex_proof_take_depth( const bvconvex_depth* depth, bool whole, bvconvex_proof* proof )
{
	bool overlap = depth->lower > 0;
	proof->meets = proof->meets || overlap;
	proof->upper = overlap ? bvmath_min( proof->upper, -depth->lower ) : proof->upper;
	if ( whole && -depth->upper >= proof->lower )
	{
		proof->lower = -depth->upper;
		proof->normal = depth->normal;
	}
	bool agrees = fabs( depth->upper + proof->lower ) <= 1e-6 * depth->upper &&
	              bv_dot( depth->normal, proof->normal ) > 1 - 1e-9;
	if ( overlap && ( whole || agrees ) )
	{
		proof->point[0] = depth->point[0];
		proof->point[1] = depth->point[1];
	}
}

void bvconvex_proof_depth( const bvconvex_pair* pair, const bvconvex_gjk_simplex* start, double relative,
                           bool whole, bvconvex_proof* proof )
{
	bvconvex_depth depth;
	bvconvex_epa( pair, start, relative, NULL, &depth );
	bvconvex_proof_take_depth( &depth, whole, proof );
}

void bvconvex_proof_distance( const bvconvex_pair* pair, const bvconvex_proof* proof, bv_convex_result* out )
{
	double doubt = 0x1p-51 * pair->radius;
	double upper = proof->meets ? bvmath_min( proof->upper, 0 ) : proof->upper;
	out->lower = bvmath_min( proof->lower, upper ) - pair->radius - doubt;
	out->upper = upper - pair->radius + doubt;
	out->normal = proof->normal;
	out->point[0] = bv_add( proof->point[0], bv_scale( pair->one_radius[0], out->normal ) );
	out->point[1] = bv_sub( proof->point[1], bv_scale( pair->one_radius[1], out->normal ) );
	out->supports = proof->supports;
}

bool bvconvex_proof_overlap( const bvconvex_pair* pair, const bvconvex_proof* proof,
                             bv_convex_overlap_result* out )
{
	double radius = pair->radius * ( 1 + 0x1p-51 );
	bool apart = proof->lower > radius;
	out->overlaps = !apart;
	out->certain = apart || proof->meets || proof->upper <= pair->radius * ( 1 - 0x1p-51 );
	out->axis = apart ? proof->normal : ( bv_vec3 ){ 0, 0, 0 };
	out->supports = proof->supports;
	return out->certain;
}

void bvconvex_proof_remember( bv_convex_cache* cache, bv_vec3 axis )
{
	if ( cache )
	{
		cache->axis[0] = axis.x;
		cache->axis[1] = axis.y;
		cache->axis[2] = axis.z;
	}
}

bv_vec3 bvconvex_proof_remembered( const bv_convex_cache* cache )
{
	bv_vec3 axis = { 0, 0, 0 };
	if ( cache )
	{
		axis = ( bv_vec3 ){ cache->axis[0], cache->axis[1], cache->axis[2] };
	}
	double size = bvmath_norm1( axis );
	return size > 0.5 && size < 2 ? axis : ( bv_vec3 ){ 0, 0, 0 };
}

static bvconvex_support round_support( const void* shape, const bv_vec3* along, uint32_t near )
{
	const bvconvex_round_body* body = shape;
	bvconvex_support out = body->support( body->shape, along, near );
	double length = bv_length( *along );
	if ( body->radius > 0 && length > 0 )
	{
		out.at = bv_add( out.at, bv_scale( body->radius / length, *along ) );
		out.name = bvconvex_name_of( out.at ); // points of a sphere differ with the direction
	}
	return out;
}

void bvconvex_round( const bvconvex_pair* pair, const double radius[2], bvconvex_round_pair* out )
{
	out->pair = *pair;
	out->pair.radius = out->pair.one_radius[0] = out->pair.one_radius[1] = 0;
	out->pair.rounding += 0x1p-47 * ( radius[0] + radius[1] );
	out->pair.search.rounding = out->pair.rounding;
	out->pair.polytopes = pair->polytopes && radius[0] + radius[1] == 0;
	for ( int k = 0; k < 2; ++k )
	{
		out->body[k] = ( bvconvex_round_body ){ pair->search.support[k], pair->search.shape[k], radius[k] };
		out->pair.search.support[k] = round_support;
		out->pair.search.shape[k] = out->body + k;
	}
}
