// Until when a plane separates two moving shapes. See plane.h.
//
// All coordinates are those of the first object at the moment, with the origin of the pair (pair.h). Relative to its pivot, a
// point r moves along the normal n by t * dot( n, cross( spin, r ) ) = t * dot( cross( n, spin ), r ). Seen from a frame that
// turns with `lead` about the origin, the motion is less by the same product with `lead`. After the time t, the farthest point
// is therefore the support point along n + t * cross( n, spin - lead ).
//
// Remainder: let the frame also move with the mean of both velocities. In it, the acceleration is at most
// a + 2 |lead| v + |lead|^2 y, with the acceleration a in the world, the speed v and the distance y from the origin. After the
// time t, v and y are at most v + t a and y + t v + t^2 a / 2.

#include "runtime/motion/plane.h"

#include "runtime/math/vec.h"
#include "runtime/motion/motion.h"

#include <math.h>

// How an object moves at the moment.
typedef struct body_rates
{
	bv_vec3 spin;
	bv_vec3 velocity;    // of the pivot, less the mean of both
	bv_vec3 pivot;       // relative to the origin
	double speed;        // greatest one of its points, with what is not known
	double unknown;      // of it
	double acceleration; // greatest one
	double distance;     // greatest one from the origin
	double size;         // of what its velocities are computed from
} body_rates;

// A plane between the shapes, and how points approach it.
typedef struct plane
{
	bv_vec3 normal;
	bv_vec3 turn[2];   // cross( normal, spin - lead )
	double drift;      // of the second away from the first
	double linear;     // of what is not known, per unit of time
	double remains[3]; // of the second, third and fourth power of time
	double rounding;
	double margin; // radii and separation
	uint32_t near[2];
} plane;

// @return the end of the interval for which the rates hold
static double get_rates( const bvmotion_moment* m, body_rates body[2] )
{
	double until = m->shapes->to;
	double inverse_scale = 1 / m->placed[0].scale;
	for ( int i = 0; i < 2; ++i )
	{
		bvmotion_rates rates;
		bvmotion_rates_at( m->shapes->motion[i], m->time, &until, &rates );
		const bv_sphere* ball = &m->shapes->ball[i];
		double scale = m->placed[i].scale * inverse_scale;
		double arm = scale * ( bvmath_length_up( bv_sub( ball->center, rates.pivot ) ) + ball->radius );
		bv_vec3 pivot = i == 0 ? rates.pivot : bv_transform_point( &m->between, rates.pivot );
		bv_vec3 center = i == 0 ? ball->center : bv_transform_point( &m->between, ball->center );
		body_rates* b = body + i;
		b->spin = bv_scale( m->placed[0].mirror ? -1 : 1, bvmotion_moment_direction( m, rates.spin ) );
		b->velocity = bv_scale( inverse_scale, bvmotion_moment_direction( m, rates.velocity ) );
		b->pivot = bv_sub( pivot, m->pair.origin );
		b->unknown = rates.speed * inverse_scale + arm * rates.turn;
		b->speed = b->unknown + arm * bvmath_length_up( rates.spin );
		b->acceleration = rates.bend * inverse_scale + arm * rates.curl;
		b->distance = bvmath_length_up( bv_sub( center, m->pair.origin ) ) + scale * ball->radius;
	}
	bv_vec3 mean = bv_scale( 0.5, bv_add( body[0].velocity, body[1].velocity ) );
	for ( int i = 0; i < 2; ++i )
	{
		body_rates* b = body + i;
		b->velocity = bv_sub( b->velocity, mean );
		b->speed += bvmath_length_up( b->velocity );
		b->size =
			( b->speed + bvmath_norm1( b->velocity ) ) + bvmath_norm1( b->spin ) * bvmath_norm1( b->pivot );
	}
	return until;
}

// The part of a vector at right angles to the normal.
static bv_vec3 across( bv_vec3 normal, bv_vec3 v )
{
	return bv_sub( v, bv_scale( bv_dot( normal, v ), normal ) );
}

// How points of one shape that are nearest lie: a face, an edge or a corner.
// @param along  receives the direction of an edge
// @return how many of them differ, up to 3
static int get_feature( const bvconvex_gjk_simplex* s, int which, bv_vec3* along )
{
	int count = 1;
	const bvconvex_gjk_vertex* first = s->vertex;
	for ( int i = 1; i < s->count; ++i )
	{
		const bvconvex_gjk_vertex* v = s->vertex + i;
		bool is_new = true;
		for ( int k = 0; k < i; ++k )
		{
			is_new = is_new && s->vertex[k].name[which] != v->name[which];
		}
		if ( is_new )
		{
			// at = first - second
			bv_vec3 change = bv_sub( v->first, first->first );
			*along = which == 0 ? change : bv_sub( change, bv_sub( v->at, first->at ) );
			++count;
		}
	}
	return count;
}

// With which angular velocity the normal turns so that the nearest features stay at right angles to it: for an edge e of a body
// with the spin w, dot( lead - w, cross( n, e ) ) = 0.
static bv_vec3 lead_of( bv_vec3 normal, const bvconvex_gjk_simplex* nearest, const body_rates body[2] )
{
	bv_vec3 edge[2] = { { 0, 0, 0 }, { 0, 0, 0 } };
	int count[2];
	for ( int i = 0; i < 2; ++i )
	{
		count[i] = get_feature( nearest, i, edge + i );
		if ( count[i] == 3 )
		{
			return across( normal, body[i].spin );
		}
	}
	bv_vec3 u[2];
	double height[2] = { 0, 0 };
	for ( int i = 0; i < 2; ++i )
	{
		u[i] = count[i] == 2 ? bv_normalize( bv_cross( normal, edge[i] ) ) : ( bv_vec3 ){ 0, 0, 0 };
		height[i] = bv_dot( u[i], body[i].spin );
	}
	double cosine = bv_dot( u[0], u[1] );
	double square = 1 - cosine * cosine;
	if ( count[0] == 1 || count[1] == 1 || square < 1e-4 )
	{
		return count[1] == 2 ? bv_scale( height[1], u[1] ) : bv_scale( height[0], u[0] );
	}
	double x = ( height[0] - cosine * height[1] ) / square;
	double y = ( height[1] - cosine * height[0] ) / square;
	return bv_add( bv_scale( x, u[0] ), bv_scale( y, u[1] ) );
}

static void set_plane( const bvmotion_moment* m, const bvconvex_gjk_result* found, const body_rates body[2],
                       bv_vec3 lead, plane* p )
{
	double turns = bvmath_length_up( lead );
	double size = 0;
	p->normal = found->along;
	p->drift = p->linear = p->remains[0] = p->remains[1] = p->remains[2] = 0;
	p->margin = m->margin * ( 1 + 0x1p-50 );
	for ( int i = 0; i < 2; ++i )
	{
		const body_rates* b = body + i;
		p->near[i] = found->nearest->vertex[found->nearest->count - 1].name[i];
		p->turn[i] = bv_cross( p->normal, bv_sub( b->spin, lead ) );
		double own = bv_dot( p->normal, b->velocity ) - bv_dot( bv_cross( p->normal, b->spin ), b->pivot );
		p->drift += i == 0 ? -own : own;
		p->linear += b->unknown;
		p->remains[0] += 0.5 * ( b->acceleration + turns * ( 2 * b->speed + turns * b->distance ) );
		p->remains[1] += 0.5 * turns * ( 2 * b->acceleration + turns * b->speed );
		p->remains[2] += 0.25 * turns * turns * b->acceleration;
		size += b->size + turns * b->distance;
	}
	// What rounding errors add to velocities, per unit of time.
	p->linear = p->linear * ( 1 + 0x1p-40 ) + 0x1p-46 * size;
	for ( int i = 0; i < 3; ++i )
	{
		p->remains[i] *= 1 + 0x1p-40;
	}
	p->rounding = m->rounding;
}

// @return a number that is not above the gap along the plane's normal after a time
static double gap_after( const bvconvex_pair* pair, const plane* p, double time )
{
	bv_vec3 to = bv_add( p->normal, bv_scale( time, p->turn[0] ) );
	bv_vec3 from = bv_negate( bv_add( p->normal, bv_scale( time, p->turn[1] ) ) );
	bv_vec3 a = pair->search.support[0]( pair->search.shape[0], &to, p->near[0] ).at;
	bv_vec3 b = pair->search.support[1]( pair->search.shape[1], &from, p->near[1] ).at;
	double between = ( -bv_dot( from, b ) - bv_dot( to, a ) ) + time * p->drift;
	double turned = bvmath_norm1( p->turn[0] ) + bvmath_norm1( p->turn[1] );
	double remains = p->remains[0] + time * ( p->remains[1] + time * p->remains[2] );
	return ( between - p->margin ) - time * ( p->linear + time * remains ) -
	       p->rounding * ( 1 + time * turned );
}

// Where a + b t - c t^2 is 0; a is above 0, and c not below.
static double root_of( double a, double b, double c )
{
	double root = sqrt( b * b + 4 * a * c );
	return b > 0 ? ( b + root ) / ( 2 * c ) : 2 * a / ( root - b );
}

// The tangent of a concave function is above it.
// @param near  nearest points of both shapes at the begin
// @return the gap is not known to be positive after this time
static double last_time( const plane* p, double gap, const bv_vec3 near[2] )
{
	double slope = ( bv_dot( p->turn[1], near[1] ) - bv_dot( p->turn[0], near[0] ) ) + p->drift - p->linear;
	return root_of( gap, slope, p->remains[0] );
}

// The chord of a concave function is below it.
// @param gap   at the begin, above 0
// @param high  not below 0
// @return a time up to which the shapes are certainly apart
static double free_time( const bvconvex_pair* pair, const plane* p, double gap, double high )
{
	double at_high = gap_after( pair, p, high );
	return at_high > 0 ? high : high * ( gap / ( gap - at_high ) ) * ( 1 - 0x1p-48 );
}

bvmotion_free bvmotion_plane_free( const bvmotion_moment* m, const bvconvex_gjk_result* found )
{
	const bvconvex_pair* pair = &m->pair;
	body_rates body[2];
	plane p;
	bv_vec3 near[2];
	bvmotion_free out = { .time = -1, .until = get_rates( m, body ) };
	double most = out.until - m->time;
	set_plane( m, found, body, ( bv_vec3 ){ 0, 0, 0 }, &p );
	double gap = ( found->lower - p.margin ) - p.rounding;
	if ( !( gap > 0 ) )
	{
		return out;
	}
	bvconvex_gjk_describe( found->nearest, near );
	double last = last_time( &p, gap, near );
	double time = free_time( pair, &p, gap, bvmath_min( last, most ) );
	bv_vec3 lead = lead_of( found->along, found->nearest, body );
	if ( time < most && !bvmath_is_zero( lead ) )
	{
		set_plane( m, found, body, lead, &p );
		double other = bvmath_min( last_time( &p, gap, near ), most );
		if ( other > time )
		{
			time = bvmath_max( time, free_time( pair, &p, gap, other ) );
		}
	}
	out.time = time > 0 ? time : 0; // numbers that overflow make NaN
	out.whole = time >= most;
	return out;
}
