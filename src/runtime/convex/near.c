// Intervals in twice the precision. See near.h.

#include "runtime/convex/near.h"

#include <math.h>

static bvmath_wide3 wide_box_corner( const bv_obb* box, uint32_t index )
{
	bvmath_wide3 out = bvmath_wide3_of( box->center );
	for ( int i = 0; i < 3; ++i )
	{
		bvmath_wide3 axis = bvmath_wide3_of( box->axis[i] );
		out = bvmath_wide3_add( &out, index >> i & 1 ? box->half_extents[i] : -box->half_extents[i], &axis );
	}
	return out;
}

static bvmath_wide3 wide_own_corner( const bvconvex_body* body, uint32_t name )
{
	if ( body->own.convex->kind == bv_convex_of_box )
	{
		return wide_box_corner( &body->own.convex->box, name );
	}
	bv_vec3 stored[2];
	bvconvex_shape_stored_corner( &body->own, name, stored );
	bvmath_wide3 own = bvmath_wide3_of( stored[0] );
	bvmath_wide3 offset = bvmath_wide3_of( stored[1] );
	return bvmath_is_zero( stored[1] ) ? own : bvmath_wide3_add( &own, 1, &offset );
}

static bvmath_wide3 wide_corner( const bvconvex_body* body, uint32_t name )
{
	bvmath_wide3 own = wide_own_corner( body, name );
	if ( !body->placed )
	{
		return own;
	}
	const bvvol_similarity* placed = body->placed;
	if ( placed->scale != 1 )
	{
		bvmath_wide3 none = bvmath_wide3_of( ( bv_vec3 ){ 0, 0, 0 } );
		own = bvmath_wide3_add( &none, placed->scale, &own );
	}
	bvmath_wide3 out = bvmath_wide3_of( placed->translation );
	for ( int i = 0; i < 3; ++i )
	{
		out.x[i] = bvmath_wide_add( out.x[i], bvmath_wide3_dot( placed->turn.row[i], &own ) );
	}
	return out;
}

bvmath_wide3 bvconvex_near_vertex( const bvconvex_pair* pair, const uint32_t name[2] )
{
	bvmath_wide3 a = wide_corner( pair->body, name[0] );
	bvmath_wide3 b = wide_corner( pair->body + 1, name[1] );
	return bvmath_wide3_add( &a, -1, &b );
}

// What the sums here are off by.
static double rounding_of( const bvconvex_pair* pair )
{
	return 0x1p-45 * pair->rounding + 0x1p-890;
}

static double value_of( bvmath_wide x )
{
	return x.high + x.low;
}

// @return the greatest product with a point of a body
static bvmath_wide greatest( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near )
{
	enum
	{
		most = 16,
	};
	const bvconvex_body* body = pair->body + which;
	uint32_t name[most];
	double doubt = 2 * pair->rounding * bvmath_norm1( along );
	uint32_t count = bvconvex_body_highest( body, along, near, doubt, name, most );
	bool all = count > most;
	bvmath_wide best = { -INFINITY, 0 };
	for ( uint32_t i = 0; i < ( all ? body->own.corners : count ); ++i )
	{
		bvmath_wide3 at = wide_corner( body, all ? i : name[i] );
		bvmath_wide height = bvmath_wide3_dot( along, &at );
		height = bvmath_wide_sum( height.high, height.low );
		bool higher = height.high > best.high || ( height.high == best.high && height.low > best.low );
		best = higher ? height : best;
	}
	return best;
}

double bvconvex_near_support( const bvconvex_pair* pair, bv_vec3 along, const uint32_t near[2] )
{
	bvmath_wide a = greatest( pair, 0, along, near[0] );
	bvmath_wide b = greatest( pair, 1, bv_negate( along ), near[1] );
	double height = value_of( bvmath_wide_add( a, b ) ) / bv_length( along );
	return height + 0x1p-50 * fabs( height ) + 2 * rounding_of( pair );
}

// Of rounded edges: they are known to 2^-52 of themselves.
static bv_vec3 cross_of( const bvmath_wide3 corner[3] )
{
	bvmath_wide3 u = bvmath_wide3_add( corner + 1, -1, corner );
	bvmath_wide3 v = bvmath_wide3_add( corner + 2, -1, corner );
	return bv_cross( bvmath_wide3_round( &u ), bvmath_wide3_round( &v ) );
}

double bvconvex_near_height( const bvconvex_pair* pair, const uint32_t* const names[3], bv_vec3* normal )
{
	bvmath_wide3 corner[3];
	for ( int i = 0; i < 3; ++i )
	{
		corner[i] = bvconvex_near_vertex( pair, names[i] );
	}
	*normal = cross_of( corner );
	double length = bv_length( *normal );
	double least = INFINITY;
	for ( int i = 0; i < 3 && length > 0; ++i )
	{
		least = bvmath_min( least, value_of( bvmath_wide3_dot( *normal, corner + i ) ) / length );
	}
	return length > 0 ? least - 0x1p-50 * fabs( least ) - 2 * rounding_of( pair ) : 0;
}

// Moves a point of an edge to where it is nearest to the origin. The second step removes the rounding error of the first.
// @param weight  of the edge's end
static bvmath_wide3 slide( bvmath_wide3 point, const bvmath_wide3* edge, bvmath_wide* weight )
{
	bv_vec3 along = bvmath_wide3_round( edge );
	double square = bv_dot( along, along );
	for ( int i = 0; i < 2 && square > 0; ++i )
	{
		double by = -value_of( bvmath_wide3_dot( along, &point ) ) / square;
		point = bvmath_wide3_add( &point, by, edge );
		*weight = bvmath_wide_add( *weight, ( bvmath_wide ){ by, 0 } );
	}
	return point;
}

// Weights that are off by a unit in the last place are those of a point that is off by as much of the shapes' size.
static bool is_in_simplex( bvmath_wide second, double third )
{
	bvmath_wide first = bvmath_wide_add( ( bvmath_wide ){ 1, 0 }, bvmath_wide_negate( second ) );
	first = bvmath_wide_add( first, ( bvmath_wide ){ -third, 0 } );
	return value_of( first ) >= 0 && value_of( second ) >= 0 && third >= 0;
}

void bvconvex_near_distance( const bvconvex_pair* pair, bvconvex_gjk_simplex* s, bvconvex_near_gap* out )
{
	bvmath_wide3 corner[3];
	bvmath_wide3 edge[2];
	bvmath_wide3 point;
	corner[0] = bvconvex_near_vertex( pair, s->vertex[0].name );
	point = corner[0];
	for ( int i = 1; i < s->count; ++i )
	{
		corner[i] = bvconvex_near_vertex( pair, s->vertex[i].name );
		edge[i - 1] = bvmath_wide3_add( corner + i, -1, corner );
		point = bvmath_wide3_add( &point, s->weight[i], edge + i - 1 );
	}
	bv_vec3 along;
	bvmath_wide second = { s->count > 1 ? s->weight[1] : 0, 0 };
	double third = s->count > 2 ? s->weight[2] : 0;
	if ( s->count == 3 )
	{
		along = cross_of( corner );
		along = value_of( bvmath_wide3_dot( along, corner ) ) < 0 ? bv_negate( along ) : along;
	}
	else
	{
		point = s->count == 2 ? slide( point, edge, &second ) : point;
		along = bvmath_wide3_round( &point );
	}
	s->nearest = bvmath_wide3_round( &point );
	double length = bv_length( s->nearest );
	out->upper =
		is_in_simplex( second, third ) ? length * ( 1 + 0x1p-50 ) + 2 * rounding_of( pair ) : INFINITY;
	out->lower =
		bv_length( along ) > 0 ? -bvconvex_near_support( pair, bv_negate( along ), s->vertex[0].name ) : 0;
	out->along = bv_negate( bv_normalize( along ) );
}
