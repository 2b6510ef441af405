// The least prism along a principal axis: a "pie slice" of G. Barequet, B. Chazelle, L. J. Guibas, J. S. B.
// Mitchell, A. Tal, "BOXTREE: A hierarchical representation for surfaces in 3D", Eurographics 1996, as J.
// Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.2.5, describes it: of the points'
// covariance one eigenvector is the prism's direction, and the least isosceles triangle round what is seen
// along it is swept along that.
//
// How the least triangle is found is ours. Of all triangles of one shape the least has a side that lies on
// one of the silhouette: between directions where that is so, its size goes like a cosine. So either the base
// lies on a side, and the best shape is found exactly, see prism.h; or a leg does, and shapes are tried, and
// from the best of them on golden sections.

#include "offline/fit/prism.h"

#include "bvbuild/fit.h"
#include "offline/fit/obb.h"
#include "offline/fit/rectangle.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/volume/prisms.h"

#include <math.h>
#include <string.h>

// An isosceles triangle round points in the plane, its base along x and its tip above.
typedef struct triangle_round
{
	double base;   // y of the base: the least of the points
	double left;   // x of the base's ends
	double right;  // not below left
	double height; // of the tip above the base, not negative
} triangle_round;

enum
{
	slopes = 4,              // directions in half a right angle
	directions = 8 * slopes, // all round
	ratio_steps = 24,        // of golden sections, where the base lies on a side ...
	shapes = 8,              // that are tried where a leg does, and ...
	shape_steps = 8,         // ... sections from the best of them on
};

static const double golden = 0x1.3c6ef372fe94fp-1; // (sqrt(5) - 1) / 2

// Of the least that is known.
static const double worth_improving = 1.25;

// The ends of the base of the triangle whose legs go inwards by c for each unit of height.
static void get_base( const double* x, const double* y, uint32_t count, double base, double c, double* left,
                      double* right )
{
	*left = INFINITY;
	*right = -INFINITY;
	for ( uint32_t i = 0; i < count; ++i )
	{
		double inwards = c * ( y[i] - base );
		*left = bvmath_min( *left, x[i] - inwards );
		*right = bvmath_max( *right, x[i] + inwards );
	}
}

static triangle_round triangle_of_ratio( const double* x, const double* y, uint32_t count, double base,
                                         double share )
{
	triangle_round t = { .base = base };
	double c = share / ( 1 - share );
	get_base( x, y, count, base, c, &t.left, &t.right );
	t.height = ( t.right - t.left ) / ( 2 * c );
	return t;
}

// Of several without area, the shorter.
static double cost_of( const triangle_round* t )
{
	double width = t->right - t->left;
	double size = width + t->height;
	return width * t->height + 0x1p-20 * ( size * size );
}

// The least in area of all such triangles: with c half the base over the height, its base is a convex
// function W of c and its area W^2 / 4c, which has one minimum, found by golden sections.
// @param x, y   the points' coordinates
// @param count  at least 1
static triangle_round triangle_round_points( const double* x, const double* y, uint32_t count )
{
	double base = y[0];
	for ( uint32_t i = 1; i < count; ++i )
	{
		base = bvmath_min( base, y[i] );
	}
	double from = 0;
	double to = 1;
	double share[2] = { 1 - golden, golden };
	triangle_round t[2] = { triangle_of_ratio( x, y, count, base, share[0] ),
		                    triangle_of_ratio( x, y, count, base, share[1] ) };
	for ( int i = 0; i < ratio_steps; ++i )
	{
		int worse = cost_of( t ) <= cost_of( t + 1 );
		*( worse ? &to : &from ) = share[worse];
		share[worse] = share[!worse];
		t[worse] = t[!worse];
		share[!worse] = worse ? to - golden * ( to - from ) : from + golden * ( to - from );
		t[!worse] = triangle_of_ratio( x, y, count, base, share[!worse] );
	}
	return cost_of( t ) <= cost_of( t + 1 ) ? t[0] : t[1];
}

// What is seen along the prism: the corners of its outline, counter-clockwise. Of many points those count
// that are extremal in directions all round.
typedef struct silhouette
{
	double x[directions];
	double y[directions];
	uint32_t count;
} silhouette;

// Not of unit length, counter-clockwise.
static void get_direction( int index, double* x, double* y )
{
	double along = slopes;
	double across = index % ( 2 * slopes ) - slopes;
	int quarter = index / ( 2 * slopes );
	*x = quarter == 0 ? along : quarter == 1 ? -across : quarter == 2 ? -along : across;
	*y = quarter == 0 ? across : quarter == 1 ? along : quarter == 2 ? -across : -along;
}

// Directions all round what is seen when it is made as high as it is wide.
static void get_normals( const bv_vec3 axis[3], const bv_vec3* points, uint32_t count,
                         bv_vec3 normal[directions] )
{
	double lower[2] = { 0, 0 };
	double upper[2] = { 0, 0 };
	for ( uint32_t i = 1; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], points[0] );
		for ( int k = 0; k < 2; ++k )
		{
			lower[k] = bvmath_min( lower[k], bv_dot( axis[k], d ) );
			upper[k] = bvmath_max( upper[k], bv_dot( axis[k], d ) );
		}
	}
	double width = upper[0] - lower[0];
	double height = upper[1] - lower[1];
	double larger = bvmath_max( width, height );
	for ( int k = 0; k < directions; ++k )
	{
		double x;
		double y;
		get_direction( k, &x, &y );
		x *= width > 0x1p-40 * larger ? larger / width : 1;
		y *= height > 0x1p-40 * larger ? larger / height : 1;
		normal[k] = bv_add( bv_scale( x, axis[0] ), bv_scale( y, axis[1] ) );
	}
}

static void find_extremal( const bv_vec3 axis[3], const bv_vec3* points, uint32_t count,
                           uint32_t which[directions] )
{
	double most[directions];
	bv_vec3 normal[directions];
	get_normals( axis, points, count, normal );
	for ( int k = 0; k < directions; ++k )
	{
		most[k] = -INFINITY;
		which[k] = 0;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], points[0] );
		for ( int k = 0; k < directions; ++k )
		{
			double at = bv_dot( normal[k], d );
			which[k] = at > most[k] ? i : which[k];
			most[k] = bvmath_max( most[k], at );
		}
	}
}

static void find_silhouette( const bv_vec3 axis[3], const bv_vec3* points, uint32_t count, silhouette* out )
{
	uint32_t which[directions];
	bvbase_vec2 seen[directions];
	bvbase_vec2 ring[directions + 1];
	bool few = count <= directions;
	if ( !few )
	{
		find_extremal( axis, points, count, which );
	}
	uint32_t candidates = few ? count : directions;
	for ( uint32_t i = 0; i < candidates; ++i )
	{
		bv_vec3 d = bv_sub( points[few ? i : which[i]], points[0] );
		seen[i] = ( bvbase_vec2 ){ bv_dot( axis[0], d ), bv_dot( axis[1], d ) };
	}
	out->count = bvfit_convex_ring( seen, candidates, ring );
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		out->x[i] = ring[i].u;
		out->y[i] = ring[i].v;
	}
}

// A triangle with its tip in a direction of unit length, and what it costs.
typedef struct tip
{
	double x;
	double y;
	double cost;
} tip;

// The silhouette with the tip upwards.
static void turn( const silhouette* s, double x, double y, double across[directions], double up[directions] )
{
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		across[i] = y * s->x[i] - x * s->y[i];
		up[i] = x * s->x[i] + y * s->y[i];
	}
}

static void take( tip* best, double x, double y, double cost )
{
	*best = cost < best->cost ? ( tip ){ x, y, cost } : *best;
}

// The base lies on a side, of which this is the normal outwards.
static void try_base( const silhouette* s, double x, double y, tip* best )
{
	double across[directions];
	double up[directions];
	turn( s, -x, -y, across, up );
	triangle_round t = triangle_round_points( across, up, s->count );
	take( best, -x, -y, cost_of( &t ) );
}

// A leg does, the right one or the left one, and the triangle has a given shape.
// @return what it costs
static double try_leg( const silhouette* s, double x, double y, int side, double share, tip* best )
{
	double across[directions];
	double up[directions];
	double c = share / ( 1 - share );
	double length = sqrt( 1 + c * c );
	double tip_x = ( c * x - side * y ) / length;
	double tip_y = ( c * y + side * x ) / length;
	turn( s, tip_x, tip_y, across, up );
	double base = INFINITY;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		base = bvmath_min( base, up[i] );
	}
	triangle_round t = triangle_of_ratio( across, up, s->count, base, share );
	double cost = cost_of( &t );
	take( best, tip_x, tip_y, cost );
	return cost;
}

static void try_legs( const silhouette* s, double x, double y, int side, tip* best )
{
	double least = INFINITY;
	double middle = 0;
	for ( int i = 1; i < shapes; ++i )
	{
		double cost = try_leg( s, x, y, side, (double)i / shapes, best );
		middle = cost < least ? (double)i / shapes : middle;
		least = bvmath_min( least, cost );
	}
	if ( least > worth_improving * best->cost )
	{
		return;
	}
	double from = middle - 1.0 / shapes;
	double to = middle + 1.0 / shapes;
	double at[2] = { to - golden * ( to - from ), from + golden * ( to - from ) };
	double cost[2] = { try_leg( s, x, y, side, at[0], best ), try_leg( s, x, y, side, at[1], best ) };
	for ( int i = 0; i < shape_steps; ++i )
	{
		int worse = cost[0] <= cost[1];
		*( worse ? &to : &from ) = at[worse];
		at[worse] = at[!worse];
		cost[worse] = cost[!worse];
		at[!worse] = worse ? to - golden * ( to - from ) : from + golden * ( to - from );
		cost[!worse] = try_leg( s, x, y, side, at[!worse], best );
	}
}

static tip find_tip( const silhouette* s )
{
	tip best = { 0, 1, INFINITY };
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		uint32_t next = i + 1 < s->count ? i + 1 : 0;
		double x = s->y[next] - s->y[i];
		double y = s->x[i] - s->x[next];
		double length = sqrt( x * x + y * y );
		if ( length > 0 )
		{
			try_base( s, x / length, y / length, &best );
			try_legs( s, x / length, y / length, 1, &best );
			try_legs( s, x / length, y / length, -1, &best );
		}
	}
	return best;
}

static bv_vec3 point_at( const void* points, uint32_t index )
{
	return ( (const bv_vec3*)points )[index];
}

// A height that is rounded up needs a base of its own.
static void round_up( bv_obb* box, const bv_vec3* points, uint32_t count, double half_height )
{
	bvvol_point_list list = { points, point_at, count };
	bvvol_prism_extents( box, &list, half_height, box->half_extents );
	box->half_extents[1] = bvmath_float_up( box->half_extents[1] );
	box->half_extents[0] = bvmath_float_up( bvvol_prism_half_base( box, &list, box->half_extents[1] ) );
	box->half_extents[2] = bvmath_float_up( box->half_extents[2] );
}

// Fits a prism with given axes: the third is the prism's, the second points to the tip.
// @param axis  orthonormal, right-handed
static void prism_in_frame( const bv_vec3 axis[3], const bv_vec3* points, uint32_t count, bv_prism* out )
{
	silhouette seen;
	bvfit_span span = bvfit_span_begin( axis, points[0] );
	for ( uint32_t i = 1; i < count; ++i )
	{
		bvfit_span_add( &span, points[i] );
	}
	find_silhouette( span.axis, points, count, &seen );
	triangle_round t = triangle_round_points( seen.x, seen.y, seen.count );
	bvvol_packed_obb packed = span.box;
	bv_vec3 center = points[0];
	center = bv_add( center, bv_scale( 0.5 * ( t.left + t.right ), span.axis[0] ) );
	center = bv_add( center, bv_scale( t.base + 0.5 * t.height, span.axis[1] ) );
	center = bv_add( center, bv_scale( 0.5 * ( span.lower[2] + span.upper[2] ), span.axis[2] ) );
	packed.center[0] = (float)center.x + 0.0f;
	packed.center[1] = (float)center.y + 0.0f;
	packed.center[2] = (float)center.z + 0.0f;
	out->box = bvvol_obb_unpack( &packed );
	round_up( &out->box, points, count, 0.5 * t.height );
}

void bvfit_prism_of_points( const bv_vec3* points, uint32_t count, bvfit_prism_rule rule, bv_prism* out )
{
	bv_vec3 principal[3];
	bvfit_point_axes( points, NULL, count, principal );
	bvfit_prism_along( principal[rule == bvfit_prism_max ? 0 : 2], principal[1], points, count, out );
}

void bvfit_prism_along( bv_vec3 along, bv_vec3 across, const bv_vec3* points, uint32_t count, bv_prism* out )
{
	silhouette seen;
	const bv_vec3 frame[3] = { across, bv_cross( along, across ), along };
	find_silhouette( frame, points, count, &seen );
	tip best = find_tip( &seen );
	const bv_vec3 axis[3] = { bv_sub( bv_scale( best.y, frame[0] ), bv_scale( best.x, frame[1] ) ),
		                      bv_add( bv_scale( best.x, frame[0] ), bv_scale( best.y, frame[1] ) ), along };
	prism_in_frame( axis, points, count, out );
}

bv_status bvb_fit_prism( const bv_vec3* points, uint32_t count, bv_prism* out )
{
	if ( count == 0 )
	{
		return bv_error_argument;
	}
	bvfit_prism_of_points( points, count, bvfit_prism_min, out );
	return bv_ok;
}
