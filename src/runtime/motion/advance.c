// Conservative advancement with planes. See advance.h.
//
// Everything is in the first object's coordinates at the time of the step, with the origin of the pair (pair.h). A point r
// relative to the pivot moves along the normal n by t * dot( n, cross( spin, r ) ) = t * dot( cross( n, spin ), r ), and what is
// seen of it from a frame that turns with `lead` about the origin is less by the same with `lead`. The point that is farthest
// after that time is therefore the support point along n + t * cross( n, spin - lead ).
//
// Remainder: in that frame, which also moves with the mean of the velocities, the acceleration is at most that in the world,
// a, and 2 |lead| v + |lead|^2 y, where v is the speed and y the distance from the origin. After a time t these are at most
// v + t a and y + t v + t^2 a / 2.
//
// Rounding: poses are off by bvmotion_span_reach of a single time, their combination by less than 2^-49 of what it
// is made of, and bvconvex_pair's own rounding covers the rest along a unit vector.

#include "runtime/motion/advance.h"

#include "runtime/convex/pair.h"
#include "runtime/math/matrix.h"
#include "runtime/math/wide.h"
#include "runtime/motion/motion.h"
#include "runtime/motion/rates.h"
#include "runtime/motion/sequence.h"

#include <math.h>

enum
{
	most_steps = 1 << 16,
	most_small_steps = 1024, // one after another that are shorter than a quarter of the width
	trials = 3,              // of times between those that are free and not, a step
};

// How an object moves, in the coordinates of the step.
typedef struct body_rates
{
	bv_vec3 spin;
	bv_vec3 velocity;    // of the pivot, less the mean of both
	bv_vec3 pivot;       // relative to the origin
	double speed;        // greatest one of its points, with what is not known
	double unknown;      // of it
	double acceleration; // greatest one
	double distance;     // greatest one from the origin
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

typedef struct advance_search
{
	const bvmotion_shapes* shapes;
	bvmotion_contact* out;
	bv_transform placed[2];
	bv_transform between;
	double doubt; // by how much the second may be off as seen from the first, in the first one's coordinates
	uint32_t name[4][2]; // of the last simplex
	int names;
	bool is_sharp; // both shapes are polytopes without a radius, and no separation is asked for
	double now;
	double until; // rates of the present time hold until then
} advance_search;

static bv_status place( advance_search* s, double time )
{
	s->doubt = 0;
	for ( int i = 0; i < 2; ++i )
	{
		bvmotion_span span;
		bv_status status = bvmotion_span_begin( s->shapes->motion[i], time, time, time, &span );
		if ( status != bv_ok )
		{
			return status;
		}
		const bv_sphere* ball = &s->shapes->ball[i];
		s->placed[i] = span.at;
		s->doubt += bvmotion_span_reach( &span, ball->center, ball->radius );
		s->doubt += 0x1p-49 * ( span.at.scale * ( bvmath_norm1( ball->center ) + ball->radius ) );
	}
	bv_vec3 apart = bv_sub( s->placed[1].pose.translation, s->placed[0].pose.translation );
	s->between = bv_transform_between( &s->placed[0], &s->placed[1] );
	s->doubt = ( s->doubt + 0x1p-49 * bvmath_norm1( apart ) ) / s->placed[0].scale;
	++s->out->steps;
	return bv_transform_is_valid( &s->between ) ? bv_ok : bv_error_argument;
}

// A direction of the world in the first object's coordinates.
static bv_vec3 to_first( const advance_search* s, bv_vec3 along )
{
	bv_vec3 out = bvmath_rotate_back( &s->placed[0].pose, along );
	out.x = s->placed[0].mirror ? -out.x : out.x;
	return out;
}

static void begin( const advance_search* s, const bvconvex_pair* pair, bvconvex_gjk_simplex* start )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	start->count = 0;
	for ( int i = 0; i < s->names && pair->polytopes; ++i )
	{
		start->vertex[start->count++] = bvconvex_pair_vertex( pair, s->name[i] );
	}
	if ( start->count == 0 )
	{
		bv_vec3 along = bvconvex_pair_middle( pair );
		along = bvmath_norm1( along ) > 0 ? along : ( bv_vec3 ){ 1, 0, 0 };
		start->vertex[start->count++] = bvconvex_gjk_support( &pair->search, along, none );
	}
	pair->search.solve( start );
}

// @param relative  as for bvconvex_gjk_continue
static void measure( advance_search* s, const bvconvex_pair* pair, double enough, double relative,
                     bvconvex_gjk_result* out )
{
	out->lower = 0;
	out->along = ( bv_vec3 ){ 0, 0, 0 };
	begin( s, pair, out->room );
	bvconvex_gjk_continue( &pair->search, enough, relative, out );
	s->names = out->nearest->count < 4 ? out->nearest->count : 0;
	for ( int i = 0; i < s->names; ++i )
	{
		s->name[i][0] = out->nearest->vertex[i].name[0];
		s->name[i][1] = out->nearest->vertex[i].name[1];
	}
}

static void describe( advance_search* s, const bvconvex_pair* pair, const bvconvex_gjk_result* found )
{
	bvmotion_contact* out = s->out;
	const bvconvex_gjk_simplex* nearest = found->nearest;
	out->at = s->now;
	bvconvex_gjk_describe( nearest, out->point );
	for ( int i = 0; i < 2; ++i )
	{
		out->corners[i] = 0;
		for ( int k = 0; k < nearest->count; ++k )
		{
			uint32_t name = nearest->vertex[k].name[i];
			out->corners[i] |= name < 32 ? 1u << name : 0;
		}
	}
	for ( int i = 0; i < 2; ++i )
	{
		out->point[i] = bv_add( out->point[i], pair->origin );
	}
	if ( !bvmath_is_zero( found->along ) )
	{
		out->normal = found->along;
		out->point[0] = bv_add( out->point[0], bv_scale( pair->one_radius[0], out->normal ) );
		out->point[1] = bv_sub( out->point[1], bv_scale( pair->one_radius[1], out->normal ) );
	}
}

// @return the end of the interval for which the rates hold
static double get_rates( const advance_search* s, const bvconvex_pair* pair, body_rates body[2] )
{
	double until = s->shapes->to;
	double inverse_scale = 1 / s->placed[0].scale;
	for ( int i = 0; i < 2; ++i )
	{
		bvmotion_rates rates;
		bvmotion_rates_at( s->shapes->motion[i], s->now, &until, &rates );
		const bv_sphere* ball = &s->shapes->ball[i];
		double scale = s->placed[i].scale * inverse_scale;
		double arm = scale * ( bvmath_length_up( bv_sub( ball->center, rates.pivot ) ) + ball->radius );
		bv_vec3 pivot = i == 0 ? rates.pivot : bv_transform_point( &s->between, rates.pivot );
		bv_vec3 center = i == 0 ? ball->center : bv_transform_point( &s->between, ball->center );
		body_rates* b = body + i;
		b->spin = bv_scale( s->placed[0].mirror ? -1 : 1, to_first( s, rates.spin ) );
		b->velocity = bv_scale( inverse_scale, to_first( s, rates.velocity ) );
		b->pivot = bv_sub( pivot, pair->origin );
		b->unknown = rates.speed * inverse_scale + arm * rates.turn;
		b->speed = b->unknown + arm * bvmath_length_up( rates.spin );
		b->acceleration = rates.bend * inverse_scale + arm * rates.curl;
		b->distance = bvmath_length_up( bv_sub( center, pair->origin ) ) + scale * ball->radius;
	}
	bv_vec3 mean = bv_scale( 0.5, bv_add( body[0].velocity, body[1].velocity ) );
	for ( int i = 0; i < 2; ++i )
	{
		body[i].velocity = bv_sub( body[i].velocity, mean );
		body[i].speed += bvmath_length_up( body[i].velocity );
	}
	return until;
}

// The part of a vector at right angles to the normal.
static bv_vec3 across( bv_vec3 normal, bv_vec3 v )
{
	return bv_sub( v, bv_scale( bv_dot( normal, v ), normal ) );
}

// Shapes without their radii that are no farther apart touch.
static double margin_of( const advance_search* s, const bvconvex_pair* pair )
{
	return pair->radius + s->shapes->separation / s->placed[0].scale;
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

static void set_plane( const advance_search* s, const bvconvex_pair* pair, const bvconvex_gjk_result* found,
                       const body_rates body[2], bv_vec3 lead, plane* p )
{
	double turns = bvmath_length_up( lead );
	double size = 0;
	p->normal = found->along;
	p->drift = p->linear = p->remains[0] = p->remains[1] = p->remains[2] = 0;
	p->margin = margin_of( s, pair ) * ( 1 + 0x1p-50 );
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
		size +=
			( b->speed + bvmath_norm1( b->velocity ) ) + bvmath_norm1( b->spin ) * bvmath_norm1( b->pivot );
		size += turns * b->distance;
	}
	// What rounding errors add to velocities, per unit of time.
	p->linear = p->linear * ( 1 + 0x1p-40 ) + 0x1p-46 * size;
	for ( int i = 0; i < 3; ++i )
	{
		p->remains[i] *= 1 + 0x1p-40;
	}
	p->rounding = pair->rounding + s->doubt;
}

// @param far  receives the points of both shapes that are nearest to the plane after that time; may be null
// @return a number that is not above the gap along the plane's normal after a time
static double gap_after( const bvconvex_pair* pair, const plane* p, double time, bv_vec3 far[2] )
{
	bv_vec3 to = bv_add( p->normal, bv_scale( time, p->turn[0] ) );
	bv_vec3 from = bv_negate( bv_add( p->normal, bv_scale( time, p->turn[1] ) ) );
	bv_vec3 a = pair->search.support[0]( pair->search.shape[0], &to, p->near[0] ).at;
	bv_vec3 b = pair->search.support[1]( pair->search.shape[1], &from, p->near[1] ).at;
	double between = ( -bv_dot( from, b ) - bv_dot( to, a ) ) + time * p->drift;
	double turned = bvmath_norm1( p->turn[0] ) + bvmath_norm1( p->turn[1] );
	double remains = p->remains[0] + time * ( p->remains[1] + time * p->remains[2] );
	if ( far )
	{
		far[0] = a;
		far[1] = b;
	}
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
// @param far  nearest points at the begin
// @return the gap is not known to be positive after this time
static double last_time( const plane* p, double gap, const bv_vec3 far[2] )
{
	double slope = ( bv_dot( p->turn[1], far[1] ) - bv_dot( p->turn[0], far[0] ) ) + p->drift - p->linear;
	return root_of( gap, slope, p->remains[0] );
}

// The chord of a concave function is below it.
// @param gap   at the begin, above 0
// @param high  not below 0
// @return a time up to which the shapes are certainly apart
static double free_time( const bvconvex_pair* pair, const plane* p, double gap, double high )
{
	double low = 0;
	double at_low = gap;
	double at_high = gap_after( pair, p, high, NULL );
	double sure = high;
	for ( int i = 0; !( at_high > 0 ); ++i )
	{
		sure = low + ( high - low ) * ( at_low / ( at_low - at_high ) );
		double next = sure + 0.5 * ( high - sure );
		if ( i == trials || !( sure < 0.9 * high && next > sure && next < high ) )
		{
			return sure * ( 1 - 0x1p-48 );
		}
		double there = gap_after( pair, p, next, NULL );
		low = there > 0 ? next : low;
		at_low = there > 0 ? there : at_low;
		high = there > 0 ? high : next;
		at_high = there > 0 ? at_high : there;
	}
	return sure;
}

static bv_status begin_pair( advance_search* s, double time, bvconvex_pair_room* room, bvconvex_pair* pair )
{
	bv_status status = place( s, time );
	if ( status != bv_ok )
	{
		return status;
	}
	return bvconvex_pair_begin( s->shapes->shape[0], s->shapes->shape[1], &s->between, room, pair )
	           ? bv_ok
	           : bv_error_argument;
}

// How far the origin is from a face of a tetrahedron, on the side of the fourth vertex; below 0 on the other.
static double inside_of( bv_vec3 a, bv_vec3 b, bv_vec3 c, bv_vec3 fourth )
{
	bv_vec3 normal = bv_normalize( bv_cross( bv_sub( b, a ), bv_sub( c, a ) ) );
	double height = bv_dot( normal, bv_sub( fourth, a ) );
	double origin = -bv_dot( normal, a );
	return height > 0 ? origin : -origin;
}

static bv_vec3 vertex_along( const bvconvex_pair* pair, bv_vec3 along )
{
	const uint32_t none[2] = { BVCONVEX_NO_POINT, BVCONVEX_NO_POINT };
	return bvconvex_gjk_support( &pair->search, bv_negate( along ), none ).at;
}

// Whether a ball around the origin, which is on a triangle, is in two tetrahedra on both sides of it.
static bool is_between_two( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, double radius )
{
	bv_vec3 v[3] = { s->vertex[0].at, s->vertex[1].at, s->vertex[2].at };
	bv_vec3 normal = bv_normalize( bv_cross( bv_sub( v[1], v[0] ), bv_sub( v[2], v[0] ) ) );
	for ( int side = -1; side <= 1; side += 2 )
	{
		bv_vec3 top = vertex_along( pair, bv_scale( side, normal ) );
		bool holds = side * bv_dot( normal, bv_sub( top, v[0] ) ) > radius;
		for ( int i = 0; i < 3; ++i )
		{
			holds = holds && inside_of( top, v[i], v[( i + 1 ) % 3], v[( i + 2 ) % 3] ) > radius;
		}
		if ( !holds )
		{
			return false;
		}
	}
	return true;
}

// Whether it, on a segment, is in four tetrahedra around that.
static bool is_between_four( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, double radius )
{
	bv_vec3 v[2] = { s->vertex[0].at, s->vertex[1].at };
	bv_vec3 along = bv_sub( v[1], v[0] );
	bv_vec3 other =
		fabs( along.x ) < 0.5 * bv_length( along ) ? ( bv_vec3 ){ 1, 0, 0 } : ( bv_vec3 ){ 0, 1, 0 };
	bv_vec3 u = bv_normalize( bv_cross( along, other ) );
	bv_vec3 w = bv_normalize( bv_cross( along, u ) );
	bv_vec3 ring[4] = { vertex_along( pair, u ), vertex_along( pair, w ),
		                vertex_along( pair, bv_negate( u ) ), vertex_along( pair, bv_negate( w ) ) };
	bool holds = true;
	for ( int i = 0; i < 4 && holds; ++i )
	{
		bv_vec3 p = ring[i];
		bv_vec3 q = ring[( i + 1 ) % 4];
		bv_vec3 across = bv_normalize( bv_cross( along, bv_sub( p, v[0] ) ) );
		holds = bv_dot( across, bv_sub( q, v[0] ) ) > radius && inside_of( v[0], p, q, v[1] ) > radius &&
		        inside_of( v[1], p, q, v[0] ) > radius;
	}
	return holds;
}

// Whether a ball around the origin is in the difference of the shapes. Where both are symmetric, the origin is often on a side
// or an edge of the last simplex.
// @param doubt  radius of the ball; more than vertices are off
static bool contains_origin( const bvconvex_pair* pair, const bvconvex_gjk_simplex* s, double doubt )
{
	if ( s->count == 4 )
	{
		return bvconvex_gjk_is_inside( doubt, s );
	}
	return s->square <= doubt * doubt && ( ( s->count == 3 && is_between_two( pair, s, 4 * doubt ) ) ||
	                                       ( s->count == 2 && is_between_four( pair, s, 4 * doubt ) ) );
}

// Whether the shapes certainly touch at a time.
BVSIMD_NOINLINE bool meet( advance_search* s, double time, bv_status* status )
{
	bvconvex_pair_room room;
	bvconvex_pair pair;
	bvconvex_gjk_result found;
	*status = begin_pair( s, time, &room, &pair );
	if ( *status != bv_ok )
	{
		return false;
	}
	double margin = margin_of( s, &pair ) * ( 1 - 0x1p-50 );
	double doubt = pair.rounding + s->doubt;
	measure( s, &pair, margin, 0.01, &found );
	return contains_origin( &pair, found.nearest, doubt ) || sqrt( found.nearest->square ) + doubt <= margin;
}

// Three vertices of the difference at a time, and where the origin is seen from their triangle.
typedef struct difference_triangle
{
	double height; // of the vertices above the origin, along the normal
	double inside; // distance of the origin's foot from the nearest side, below 0 outside
	double doubt;
} difference_triangle;

BVSIMD_NOINLINE bv_status look_from( advance_search* s, double time, uint32_t name[3][2],
                                     difference_triangle* out )
{
	bvconvex_pair_room room;
	bvconvex_pair pair;
	bv_vec3 v[3];
	bv_status status = begin_pair( s, time, &room, &pair );
	if ( status != bv_ok )
	{
		return status;
	}
	for ( int i = 0; i < 3; ++i )
	{
		v[i] = bvconvex_pair_vertex( &pair, name[i] ).at;
	}
	bv_vec3 normal = bv_normalize( bv_cross( bv_sub( v[1], v[0] ), bv_sub( v[2], v[0] ) ) );
	out->height = bv_dot( normal, v[0] );
	out->doubt = pair.rounding + s->doubt;
	out->inside = INFINITY;
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 outward = bv_normalize( bv_cross( bv_sub( v[( i + 1 ) % 3], v[i] ), normal ) );
		out->inside = bvmath_min( out->inside, bv_dot( outward, v[i] ) );
	}
	return bv_ok;
}

// Whether three vertices of the difference pass the origin between two times, which proves a contact also of shapes without
// volume: their triangle has the origin on one side at the first time and on the other at the second. No vertex moves by
// more than a distance, so that the triangle contains the origin when it is in its plane: a disc in the triangle around the
// foot remains at least as large, less twice that distance, and its center is not farther from the origin than the first height
// and that distance.
BVSIMD_NOINLINE bool pass( advance_search* s, double from, double to, uint32_t name[3][2], bv_status* status )
{
	difference_triangle before;
	difference_triangle after;
	double moved = 0;
	*status = look_from( s, from, name, &before );
	for ( int i = 0; i < 2 && *status == bv_ok; ++i )
	{
		bvmotion_span span;
		const bv_sphere* ball = &s->shapes->ball[i];
		*status = bvmotion_span_begin( s->shapes->motion[i], from, to, from, &span );
		moved += bvmotion_span_reach( &span, ball->center, ball->radius ) / s->placed[0].scale;
	}
	*status = *status == bv_ok ? look_from( s, to, name, &after ) : *status;
	if ( *status != bv_ok )
	{
		return false;
	}
	double margin = fabs( before.height ) + 6 * moved + 8 * ( before.doubt + after.doubt );
	return before.height * after.height < 0 && fabs( before.height ) > 4 * before.doubt &&
	       fabs( after.height ) > 4 * after.doubt && before.inside > margin;
}

// One step from the present time.
// @return how far it goes, not below 0; below 0 if the shapes may touch now
BVSIMD_NOINLINE double step( advance_search* s, bv_status* status )
{
	static const double relative = 0.01;
	bvconvex_pair_room room;
	bvconvex_pair pair;
	bvconvex_gjk_result found;
	plane p;
	*status = begin_pair( s, s->now, &room, &pair );
	if ( *status != bv_ok )
	{
		return -1;
	}
	s->is_sharp = pair.polytopes && pair.radius == 0 && s->shapes->separation == 0;
	// As near as that the distance matters, and not as a part of all of it.
	measure( s, &pair, margin_of( s, &pair ), relative, &found );
	describe( s, &pair, &found );
	if ( bvmath_is_zero( found.along ) )
	{
		return -1;
	}
	body_rates body[2];
	s->until = get_rates( s, &pair, body );
	double most = s->until - s->now;
	set_plane( s, &pair, &found, body, ( bv_vec3 ){ 0, 0, 0 }, &p );
	bv_vec3 far[2];
	double gap = gap_after( &pair, &p, 0, far );
	if ( !( gap > 0 ) )
	{
		return -1;
	}
	double last = last_time( &p, gap, far );
	bv_vec3 lead = lead_of( found.along, found.nearest, body );
	if ( last < most && !bvmath_is_zero( lead ) )
	{
		plane turning;
		set_plane( s, &pair, &found, body, lead, &turning );
		double other = last_time( &turning, gap, far );
		if ( other > last )
		{
			p = turning;
			last = other;
		}
	}
	return free_time( &pair, &p, gap, bvmath_min( last, most ) );
}

bool bvmotion_ball_of( const bv_convex* shape, bv_sphere* out )
{
	bvconvex_prepared prepared;
	if ( !shape || shape->kind == bv_convex_of_half_space || !bvconvex_shape_read( shape, &prepared ) )
	{
		return false;
	}
	double lower[3];
	double upper[3];
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 along = { i == 0, i == 1, i == 2 };
		bv_vec3 against = bv_negate( along );
		upper[i] = bv_dot( along, bvconvex_shape_support( &prepared, &along, BVCONVEX_NO_POINT ).at );
		lower[i] = bv_dot( along, bvconvex_shape_support( &prepared, &against, BVCONVEX_NO_POINT ).at );
	}
	bv_vec3 least = { lower[0], lower[1], lower[2] };
	bv_vec3 most = { upper[0], upper[1], upper[2] };
	bv_vec3 half = bv_scale( 0.5, bv_sub( most, least ) );
	out->center = bv_add( least, half );
	out->radius = bvmath_length_up( half ) * ( 1 + 0x1p-48 ) + 0x1p-45 * prepared.reach;
	return true;
}

// Whether a part of a sequence begins at a time, after the present one.
static bool begins_at( const advance_search* s, double time )
{
	bool begins = false;
	for ( int i = 0; i < 2; ++i )
	{
		const bv_motion* m = s->shapes->motion[i];
		begins = begins || bvmotion_part_at( m, time ).motion != bvmotion_part_at( m, s->now ).motion;
	}
	return begins;
}

// Tries to prove a contact soon after the present time.
static bool prove( advance_search* s, bool touches, bool may_pass, bv_status* status )
{
	const bvmotion_shapes* shapes = s->shapes;
	uint32_t name[3][2];
	memcpy( name, s->name, sizeof name );
	double later = bvmath_min( s->now + 0.75 * shapes->width, shapes->proof );
	bool meets_now = touches && s->now == shapes->from && meet( s, s->now, status );
	bool meets_later = *status == bv_ok && !meets_now && meet( s, later, status );
	if ( *status == bv_ok && may_pass && !meets_now && !meets_later )
	{
		meets_later = pass( s, s->now, later, name, status );
	}
	s->out->upper = meets_now ? s->now : meets_later ? later : INFINITY;
	return *status == bv_ok && ( meets_now || meets_later );
}

bv_status bvmotion_advance( const bvmotion_shapes* shapes, bvmotion_contact* out )
{
	advance_search s = { .shapes = shapes, .out = out, .now = shapes->from };
	bv_status status = bv_ok;
	int small = 0;
	*out = ( bvmotion_contact ){ .found = true, .upper = INFINITY };
	while ( out->steps < most_steps )
	{
		double forward = step( &s, &status );
		if ( status != bv_ok )
		{
			return status;
		}
		out->lower = s.now;
		if ( forward >= 0 && s.now + forward >= shapes->to )
		{
			if ( s.now < shapes->to && begins_at( &s, shapes->to ) )
			{
				s.now = shapes->to;
				continue;
			}
			out->found = false;
			out->certain = true;
			out->lower = shapes->to;
			return bv_ok;
		}
		bool is_small = !( forward > 0.25 * shapes->width );
		small = is_small ? small + 1 : 0;
		if ( is_small && forward >= 0 && s.now + forward >= s.until )
		{
			// A part of a sequence ends.
			small = 0;
			s.now = s.until;
			continue;
		}
		if ( is_small )
		{
			bool may_pass = forward >= 0 && s.is_sharp && s.names == 3;
			// Of many small steps only some, so that these do not take twice as long.
			bool tries = small < 32 || ( small & ( small - 1 ) ) == 0;
			if ( tries && prove( &s, forward < 0, may_pass, &status ) )
			{
				out->certain = true;
				return bv_ok;
			}
			if ( status != bv_ok )
			{
				return status;
			}
			if ( forward < 0 || small > most_small_steps )
			{
				return bv_ok;
			}
		}
		s.now = s.now + forward >= s.until ? s.until : bvmath_sum_down( s.now, forward );
	}
	out->lower = s.now;
	return bv_ok;
}
