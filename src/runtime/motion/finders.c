// Five finders of contacts between moving features, to be compared with the certified one.
//
// Eckstein 1998, chapter 5. A finder looks for a time at which a function of the plane, d, is 0, and asks whether the
// features touch there. Both forms of d are not divided by the length of the normal, so that they are continuous: divided,
// the edges' d changes its sign where they become parallel. What is changed in the finders:
//
//   - all: d may be 0 at the ends of the range, or of an interval between samples. Then the features are looked at there.
//   - regula falsi: Illinois' rule (Dowell, Jarratt 1971), with halving where that is faster, and a bound on steps. Whether
//     the features touch is asked at the root, not at the start of the interval, which is what is returned.
//   - quadratic: the sign of the second term of alpha, which both listings have wrong; alpha 0; no real roots.
//   - sampling: the last sample is the end of the range. An interval within one is a variable of its own.
//   - edges: that the distance is exactly 0 is not required of a root.

#include "runtime/motion/features.h"

#include "runtime/math/vec.h"

#include <math.h>

enum
{
	most_sides = 3,
	most_steps = 100,
};

// Values at a time, at most three, all of which are in a range where the features touch.
typedef struct sides
{
	int count;
	bool defined; // the normal is not 0
	double value[most_sides];
} sides;

// A search that goes on.
typedef struct course
{
	const bvmotion_search* search;
	uint32_t tests;
	bool has_ends; // `ends` are filled in
	sides ends[2]; // at times 0 and 1
} course;

static void move_points( course* c, double t, bv_vec3 out[4] )
{
	const bvmotion_features* features = &c->search->features;
	for ( int i = 0; i < 4; ++i )
	{
		out[i] = bv_add( bv_scale( 1 - t, features->start[i] ), bv_scale( t, features->end[i] ) );
	}
	++c->tests;
}

static bv_vec3 normal_of( bool edges, const bv_vec3 p[4] )
{
	return edges ? bv_cross( bv_sub( p[1], p[0] ), bv_sub( p[3], p[2] ) )
	             : bv_cross( bv_sub( p[2], p[1] ), bv_sub( p[3], p[1] ) );
}

// 0 where the points are in one plane.
static double distance_at( course* c, double t )
{
	bv_vec3 p[4];
	move_points( c, t, p );
	bool edges = c->search->features.edges;
	return bv_dot( normal_of( edges, p ), bv_sub( p[0], p[edges ? 2 : 1] ) );
}

// Whether a point is on a segment, to rounding.
static bool is_on_segment( bv_vec3 p, bv_vec3 a, bv_vec3 b )
{
	bv_vec3 side = bv_sub( b, a );
	bv_vec3 way = bv_sub( p, a );
	double along = bv_dot( way, side );
	double most = bv_dot( side, side );
	double size = bvmath_largest( side ) + bvmath_largest( way );
	return bvmath_largest( bv_cross( way, side ) ) <= 0x1p-40 * ( size * size ) && along >= 0 &&
	       along <= most && ( most > 0 || bvmath_is_zero( way ) );
}

// The prism's sides, negative inside; or parameters of the points of two lines that are nearest to each other.
static sides sides_at( course* c, double t, bv_vec3 p[4] )
{
	move_points( c, t, p );
	bool edges = c->search->features.edges;
	bv_vec3 n = normal_of( edges, p );
	double square = bv_dot( n, n );
	sides out = { .count = edges ? 2 : 3, .defined = square > 0 };
	if ( edges && out.defined )
	{
		bv_vec3 way = bv_cross( n, bv_sub( p[2], p[0] ) );
		out.value[0] = bv_dot( bv_sub( p[3], p[2] ), way ) / square;
		out.value[1] = bv_dot( bv_sub( p[1], p[0] ), way ) / square;
	}
	for ( int i = 1; i < 4 && !edges; ++i )
	{
		bv_vec3 side = bv_sub( p[i % 3 + 1], p[i] );
		out.value[i - 1] = bv_dot( bv_cross( side, n ), bv_sub( p[0], p[i] ) );
	}
	return out;
}

static bool are_inside( const sides* s )
{
	bool edges = s->count == 2;
	for ( int i = 0; i < s->count; ++i )
	{
		if ( edges ? !( s->value[i] >= 0 && s->value[i] <= 1 ) : !( s->value[i] <= 0 ) )
		{
			return false;
		}
	}
	return true;
}

// Features without a normal touch where a point is on a segment.
static bool degenerate_touch( bool edges, const bv_vec3 p[4] )
{
	return edges ? is_on_segment( p[0], p[2], p[3] ) || is_on_segment( p[1], p[2], p[3] ) ||
	                   is_on_segment( p[2], p[0], p[1] ) || is_on_segment( p[3], p[0], p[1] )
	             : is_on_segment( p[0], p[1], p[2] ) || is_on_segment( p[0], p[2], p[3] ) ||
	                   is_on_segment( p[0], p[3], p[1] );
}

static bool touch_at_positions( course* c, double t )
{
	bv_vec3 p[4];
	sides now = sides_at( c, t, p );
	return now.defined ? are_inside( &now ) : degenerate_touch( c->search->features.edges, p );
}

static bool touch_at( course* c, double t )
{
	if ( c->search->inside == bv_inside_exact )
	{
		return touch_at_positions( c, t );
	}
	if ( !c->has_ends )
	{
		bv_vec3 p[4];
		c->ends[0] = sides_at( c, 0, p );
		c->ends[1] = sides_at( c, 1, p );
		c->has_ends = true;
	}
	if ( !c->ends[0].defined || !c->ends[1].defined )
	{
		return touch_at_positions( c, t );
	}
	sides now = c->ends[0];
	for ( int i = 0; i < now.count; ++i )
	{
		now.value[i] += t * ( c->ends[1].value[i] - c->ends[0].value[i] );
	}
	return are_inside( &now );
}

// An interval of time, and d at its ends.
typedef struct secant
{
	double from;
	double to;
	double first;
	double last;
} secant;

static bool has_root( const secant* s )
{
	return s->first == 0 || s->last == 0 || ( s->first < 0 ) != ( s->last < 0 );
}

// Where the line through both values is 0. Both are not of one sign.
static double zero_of_line( const secant* s )
{
	double part = s->first != s->last ? s->first / ( s->first - s->last ) : 0;
	return s->from + part * ( s->to - s->from );
}

static secant whole_range( course* c )
{
	double limit = c->search->limit;
	return ( secant ){ 0, limit, distance_at( c, 0 ), distance_at( c, limit ) };
}

// @param time  of contact; infinite if none was found
static void report( const course* c, double time, bv_feature_time* out )
{
	bool found = time < INFINITY;
	*out = ( bv_feature_time ){
		.found = found, .lower = found ? time : c->search->limit, .upper = INFINITY, .tests = c->tests
	};
}

// The end of an interval, if the points are in one plane and touch then.
static double end_of( course* c, const secant* s )
{
	return s->last == 0 && touch_at( c, s->to ) ? s->to : INFINITY;
}

static double line_in( course* c, const secant* s )
{
	if ( !has_root( s ) )
	{
		return INFINITY;
	}
	double t = zero_of_line( s );
	return touch_at( c, t ) ? t : end_of( c, s );
}

void bvmotion_find_linear( const bvmotion_search* search, bv_feature_time* out )
{
	course c = { .search = search };
	secant s = whole_range( &c );
	report( &c, line_in( &c, &s ), out );
}

// The start of a short interval that has the root at which they touch.
static double regula_falsi_in( course* c, secant s )
{
	if ( !has_root( &s ) )
	{
		return INFINITY;
	}
	double root = s.to;
	int kept = 0; // which end remained at the last step: -1 the first one, 1 the last one
	double wide = s.to - s.from;
	double weight[2] = { s.first, s.last };
	for ( int step = 0;
	      step < most_steps && s.first != 0 && s.last != 0 && s.to - s.from > c->search->tolerance; ++step )
	{
		secant weighted = { s.from, s.to, weight[0], weight[1] };
		bool halves = step % 3 == 2 && s.to - s.from > 0.5 * wide;
		wide = step % 3 == 2 ? s.to - s.from : wide;
		root = halves ? s.from + 0.5 * ( s.to - s.from ) : zero_of_line( &weighted );
		double value = distance_at( c, root );
		if ( value == 0 )
		{
			return touch_at( c, root ) ? root : INFINITY;
		}
		bool replaces_first = ( value < 0 ) == ( s.first < 0 );
		*( replaces_first ? &s.from : &s.to ) = root;
		*( replaces_first ? &s.first : &s.last ) = value;
		weight[!replaces_first] = value;
		weight[replaces_first] *= kept == ( replaces_first ? 1 : -1 ) ? 0.5 : 1;
		kept = replaces_first ? 1 : -1;
	}
	root = s.first == 0 ? s.from : root;
	bool ends = s.last == 0 && s.first != 0;
	return !ends && touch_at( c, root ) ? s.from : end_of( c, &s );
}

void bvmotion_find_regula_falsi( const bvmotion_search* search, bv_feature_time* out )
{
	course c = { .search = search };
	report( &c, regula_falsi_in( &c, whole_range( &c ) ), out );
}

// The roots of a t^2 + b t + c from 0 to 1, the lesser one first.
static int roots_of_parabola( double a, double b, double c, double out[2] )
{
	double root[2];
	int count = 0;
	double size = fabs( a ) + fabs( b ) + fabs( c );
	a = size > 0 ? a / size : a;
	b = size > 0 ? b / size : b;
	c = size > 0 ? c / size : c;
	double square = b * b - 4 * ( a * c );
	if ( a == 0 )
	{
		root[0] = b != 0 ? -c / b : 0;
		count = b != 0 || c == 0;
	}
	else if ( square >= 0 )
	{
		double sum = -0.5 * ( b < 0 ? b - sqrt( square ) : b + sqrt( square ) );
		root[0] = sum / a;
		root[1] = sum != 0 ? c / sum : 0;
		count = 2;
	}
	int kept = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( root[i] >= 0 && root[i] <= 1 )
		{
			out[kept++] = root[i];
		}
	}
	if ( kept == 2 && out[1] < out[0] )
	{
		double later = out[0];
		out[0] = out[1];
		out[1] = later;
	}
	return kept;
}

void bvmotion_find_quadratic( const bvmotion_search* search, bv_feature_time* out )
{
	course c = { .search = search };
	secant s = whole_range( &c );

	// Times are parts of the range from here on.
	secant part = { 0, 1, s.first, s.last };
	double t = has_root( &part ) ? zero_of_line( &part ) : 0.5;
	t = t > 0 && t < 1 ? t : 0.5;
	double middle = distance_at( &c, t * s.to );
	double before = ( s.first - middle ) / t;
	double after = ( middle - s.last ) / ( t - 1 );
	double a = before + after;
	double b = -before + ( t * s.last - middle ) / ( t - 1 ) - s.first;
	double root[2];
	int count = roots_of_parabola( a, b, s.first, root );
	double found = INFINITY;
	for ( int i = 0; i < count && found == INFINITY; ++i )
	{
		found = touch_at( &c, root[i] * s.to ) ? root[i] * s.to : INFINITY;
	}
	report( &c, found, out );
}

typedef enum inner_finder
{
	inner_line,
	inner_regula_falsi,
} inner_finder;

static void find_in_samples( const bvmotion_search* search, inner_finder inner, bv_feature_time* out )
{
	course c = { .search = search };
	uint32_t last = search->samples - 1;
	double found = INFINITY;
	secant s = { .first = distance_at( &c, 0 ) };
	for ( uint32_t i = 1; i <= last && found == INFINITY; ++i )
	{
		s.to = i < last ? search->limit * ( (double)i / last ) : search->limit;
		s.last = distance_at( &c, s.to );
		found = inner == inner_line ? line_in( &c, &s ) : regula_falsi_in( &c, s );
		s.from = s.to;
		s.first = s.last;
	}
	report( &c, found, out );
}

void bvmotion_find_sampled( const bvmotion_search* search, bv_feature_time* out )
{
	find_in_samples( search, inner_line, out );
}

void bvmotion_find_sampled_regula_falsi( const bvmotion_search* search, bv_feature_time* out )
{
	find_in_samples( search, inner_regula_falsi, out );
}
