// First contact of balls and capsules in closed form.
//
// Based on: T. Huotari, 2011, section 6.1, with the relative motion of the second shape as seen from the first. Balls are
// decided in exact arithmetic, touching included. With the difference c of the centers, the sum r of the radii, and the
// relative motion v, they meet where |t v - c|^2 = r^2. Without cancellation the first such time is
//
//   t = g / ( v * c + sqrt( ( v * c )^2 - v^2 g ) ),   g = c^2 - r^2.
//
// The difference of two capsules is a parallelogram, or a segment, with the radius of both: the ray enters it at a
// corner's ball, at a side's cylinder, or through one of two planes. What is found so is proven by a plane.

#include "runtime/convex/cast.h"

#include <math.h>

bool bvconvex_cast_takes_balls( const bvconvex_pair* pair )
{
	const bvconvex_body* body = pair->body;
	return pair->polytopes && body[0].own.corners <= 2 && body[1].own.corners <= 2 && pair->radius > 0;
}

// @param out  receives the sum of both radii
static void exact_radius( const bvconvex_pair* pair, bvmath_exact* out )
{
	bvmath_exact first;
	bvmath_exact second;
	bvmath_exact scale;
	bvmath_exact_set( pair->body[0].own.radius, &first );
	bvmath_exact_set( pair->body[1].own.radius, &second );
	bvmath_exact_set( pair->body[1].placed ? pair->body[1].placed->scale : 1, &scale );
	bvmath_exact_multiply( &scale, &second, out );
	bvmath_exact_add( out, &first, out );
}

// @param window  receives the width of the first window
// @return false if numbers are lost
static bool cast_two_balls( bvconvex_cast_search* s, double* window )
{
	const uint32_t name[2] = { 0, 0 };
	bvmath_exact3 center;
	bvmath_exact3 motion;
	bvmath_exact3 of_first;
	bvmath_exact along;
	bvmath_exact gap;
	bvmath_exact square;
	bvmath_exact root;
	bvconvex_pair_stop( s->pair );
	bvconvex_pair_exact_vertex( s->pair, name, &center );
	bvmath_exact3_set( s->motion.of[1], &motion );
	bvmath_exact3_set( s->motion.of[0], &of_first );
	bvmath_exact3_subtract( &motion, &of_first, &motion );
	exact_radius( s->pair, &root );
	bvmath_exact_multiply( &root, &root, &square );
	bvmath_exact3_dot( &center, &center, &gap );
	bvmath_exact_subtract( &gap, &square, &gap );
	bvmath_exact3_dot( &motion, &center, &along );
	bvmath_exact3_dot( &motion, &motion, &square );
	bvmath_exact_multiply( &square, &gap, &root );
	bvmath_exact_multiply( &along, &along, &square );
	bvmath_exact_subtract( &square, &root, &root );
	if ( root.lost || gap.lost || gap.sign <= 0 )
	{
		return false;
	}
	s->never = s->never || along.sign <= 0 || root.sign < 0;
	if ( s->never )
	{
		return true;
	}
	bvmath_exact gap_square;
	bvmath_exact_multiply( &gap, &gap, &gap_square );
	if ( gap_square.lost )
	{
		return false;
	}
	double time = 1 / ( bvmath_exact_root_of_ratio( &square, &gap_square ) +
	                    bvmath_exact_root_of_ratio( &root, &gap_square ) );
	s->lower = bvmath_max( s->lower, time * ( 1 - 0x1p-47 ) );
	s->never = s->lower > s->end;
	if ( time * ( 1 + 0x1p-47 ) < s->end )
	{
		s->upper = time * ( 1 + 0x1p-47 );
	}
	bv_vec3 c = bvconvex_pair_vertex( s->pair, name ).at;
	s->normal = bv_normalize( bv_sub( bv_scale( s->lower, s->relative ), c ) );
	*window = s->upper < INFINITY ? -1 : bvmath_max( s->width, 0x1p-45 * time );
	return true;
}

// When a ray comes as near to the origin as a radius; infinite if it does not.
static double entry( bv_vec3 from, bv_vec3 motion, double radius )
{
	double gap = bv_dot( from, from ) - radius * radius;
	double along = -bv_dot( motion, from );
	double root = along * along - bv_dot( motion, motion ) * gap;
	return along > 0 && root >= 0 ? gap / ( along + sqrt( root ) ) : INFINITY;
}

// What the ray enters first.
typedef struct first_entry
{
	bv_vec3 motion;
	double radius;
	double time;
	bv_vec3 foot; // nearest point of the difference
} first_entry;

static void try_corner( first_entry* e, bv_vec3 corner )
{
	double time = entry( bv_negate( corner ), e->motion, e->radius );
	if ( time < e->time )
	{
		e->time = time;
		e->foot = corner;
	}
}

static void try_side( first_entry* e, bv_vec3 corner, bv_vec3 side )
{
	double square = bv_dot( side, side );
	bv_vec3 across = bv_sub( e->motion, bv_scale( bv_dot( e->motion, side ) / square, side ) );
	bv_vec3 from = bv_add( bv_negate( corner ), bv_scale( bv_dot( corner, side ) / square, side ) );
	double time = square > 0 ? entry( from, across, e->radius ) : INFINITY;
	double at = bv_dot( bv_sub( bv_scale( time, e->motion ), corner ), side ) / square;
	if ( time < e->time && at >= 0 && at <= 1 )
	{
		e->time = time;
		e->foot = bv_add( corner, bv_scale( at, side ) );
	}
}

static void try_face( first_entry* e, bv_vec3 corner, bv_vec3 side, bv_vec3 other )
{
	bv_vec3 normal = bv_cross( side, other );
	double length = sqrt( bv_dot( normal, normal ) );
	double height = bv_dot( normal, corner );
	double speed = bv_dot( normal, e->motion );
	double time = ( fabs( height ) - e->radius * length ) / fabs( speed );
	if ( !( height * speed > 0 ) || !( time >= 0 && time < e->time ) )
	{
		return;
	}
	bv_vec3 at = bv_sub( bv_scale( time, e->motion ), corner );
	double u = bv_dot( bv_cross( at, other ), normal ) / ( length * length );
	double v = bv_dot( bv_cross( side, at ), normal ) / ( length * length );
	if ( u >= 0 && u <= 1 && v >= 0 && v <= 1 )
	{
		e->time = time;
		e->foot = bv_add( corner, bv_add( bv_scale( u, side ), bv_scale( v, other ) ) );
	}
}

double bvconvex_cast_balls( bvconvex_cast_search* s )
{
	const bvconvex_pair* pair = s->pair;
	uint32_t corners[2] = { pair->body[0].own.corners, pair->body[1].own.corners };
	double window = -1;
	if ( corners[0] == 1 && corners[1] == 1 && cast_two_balls( s, &window ) )
	{
		return window;
	}
	bvconvex_pair_stop( s->pair );
	bv_vec3 a[2] = { bvconvex_pair_corner( pair, 0, 0 ), bvconvex_pair_corner( pair, 0, corners[0] - 1 ) };
	bv_vec3 b[2] = { bvconvex_pair_corner( pair, 1, 0 ), bvconvex_pair_corner( pair, 1, corners[1] - 1 ) };
	bv_vec3 side[2] = { bv_sub( a[1], a[0] ), bv_sub( b[0], b[1] ) };
	first_entry e = { s->relative, pair->radius, INFINITY, { 0, 0, 0 } };
	for ( int i = 0; i < 2; ++i )
	{
		try_corner( &e, bv_sub( a[i], b[0] ) );
		try_corner( &e, bv_sub( a[i], b[1] ) );
		try_side( &e, bv_sub( a[0], b[i] ), side[0] );
		try_side( &e, bv_sub( a[i], b[0] ), side[1] );
	}
	try_face( &e, bv_sub( a[0], b[0] ), side[0], side[1] );
	bv_vec3 away = bv_sub( bv_scale( e.time, e.motion ), e.foot );
	bool found = e.time <= s->end && bv_dot( away, away ) > 0;
	if ( found )
	{
		bvconvex_cast_plane_along( s, bv_normalize( away ) );
	}
	return found ? s->width : s->end;
}
