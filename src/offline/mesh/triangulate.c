// Triangulation of polygons: a fan for strictly convex polygons, otherwise ear clipping (Meisters 1975;
// caching of ears as in O'Rourke, Computational Geometry in C, 1998, section 1.4; bridges to holes as in
// Held's FIST, 2001).
//
// The polygon is projected along the largest component of its Newell normal. Orientation tests of the
// projection are exact (expansions as in Shewchuk 1997), so that a simple polygon always has an ear. A corner
// that lies on a straight edge is not cut off as a degenerate triangle while another ear exists, because a
// neighboring face may use it.

#include "bvbuild/mesh.h"
#include "offline/base/exact.h"
#include "runtime/math/vec.h"

#include <math.h>

// The corners that are left form a ring. The links carry a flag each in their highest bit.
typedef struct triangulate_polygon
{
	const bv_vec3* positions;
	const uint32_t* corner;
	uint32_t count;
	uint32_t start; // the ring's corner 0 in the list
	bool backwards; // through the list
	uint32_t* next;
	uint32_t* previous;
	int axis_u;
	int axis_v;
	double scale;
	uint64_t work;
} triangulate_polygon;

#define FLAG 0x80000000u

enum
{
	most_without_ear = 64, // a few crossings in a large polygon must not spoil the rest of it
};

static uint32_t corner_of( const triangulate_polygon* p, uint32_t i )
{
	uint64_t k = (uint64_t)p->start + ( p->backwards ? p->count - i : i );
	return p->corner[k % p->count];
}

static bv_vec3 position_of( const triangulate_polygon* p, uint32_t i )
{
	return p->positions[corner_of( p, i )];
}

static bvbase_vec2 at( const triangulate_polygon* p, uint32_t i )
{
	bv_vec3 position = position_of( p, i );
	return ( bvbase_vec2 ){ p->scale * bvmath_component( position, p->axis_u ),
		                    p->scale * bvmath_component( position, p->axis_v ) };
}

static uint32_t next( const triangulate_polygon* p, uint32_t i )
{
	return p->next[i] & ~FLAG;
}

static uint32_t previous( const triangulate_polygon* p, uint32_t i )
{
	return p->previous[i] & ~FLAG;
}

static bool is_ear( const triangulate_polygon* p, uint32_t i )
{
	return ( p->next[i] & FLAG ) != 0;
}

// Reflex, straight or without an angle.
static bool is_blunt( const triangulate_polygon* p, uint32_t i )
{
	return ( p->previous[i] & FLAG ) != 0;
}

static bool same( bvbase_vec2 a, bvbase_vec2 b )
{
	return a.u == b.u && a.v == b.v;
}

static double turn_at( const triangulate_polygon* p, uint32_t i )
{
	return bvbase_orient2d( at( p, previous( p, i ) ), at( p, i ), at( p, next( p, i ) ) );
}

// Whether a side of corner `i`, which coincides with the tip `b`, runs into the ear.
static bool enters_at_tip( const triangulate_polygon* p, uint32_t i, bvbase_vec2 a, bvbase_vec2 b,
                           bvbase_vec2 c )
{
	bvbase_vec2 side[2] = { at( p, previous( p, i ) ), at( p, next( p, i ) ) };
	for ( int k = 0; k < 2; ++k )
	{
		if ( bvbase_orient2d( a, b, side[k] ) > 0 && bvbase_orient2d( b, c, side[k] ) > 0 )
		{
			return true;
		}
	}
	return false;
}

// The ends of a bridge to a hole are there twice and must not block each other. What enters an ear at `a` or
// `c` cannot leave it through the polygon's own sides, so another corner inside gives it away.
static bool blocks( const triangulate_polygon* p, uint32_t i, bvbase_vec2 a, bvbase_vec2 b, bvbase_vec2 c )
{
	bvbase_vec2 x = at( p, i );
	if ( same( x, b ) )
	{
		return enters_at_tip( p, i, a, b, c );
	}
	return !same( x, a ) && !same( x, c ) && bvbase_orient2d( a, b, x ) >= 0 &&
	       bvbase_orient2d( b, c, x ) >= 0 && bvbase_orient2d( c, a, x ) >= 0;
}

static void classify( triangulate_polygon* p, uint32_t i )
{
	p->previous[i] = previous( p, i ) | ( turn_at( p, i ) > 0 ? 0 : FLAG );
}

// Only a blunt corner has to be looked for: if any corner lies in the triangle then a blunt one does.
static bool find_whether_ear( triangulate_polygon* p, uint32_t i )
{
	uint32_t before = previous( p, i );
	uint32_t after = next( p, i );
	bvbase_vec2 a = at( p, before );
	bvbase_vec2 b = at( p, i );
	bvbase_vec2 c = at( p, after );

	// There and back again: what is left where the boundary touched itself.
	if ( same( a, c ) )
	{
		p->next[i] |= FLAG;
		return true;
	}
	p->next[i] &= ~FLAG;
	if ( is_blunt( p, i ) )
	{
		return false;
	}
	double lowest_u = fmin( a.u, fmin( b.u, c.u ) );
	double lowest_v = fmin( a.v, fmin( b.v, c.v ) );
	double highest_u = fmax( a.u, fmax( b.u, c.u ) );
	double highest_v = fmax( a.v, fmax( b.v, c.v ) );

	for ( uint32_t j = next( p, after ); j != before; j = next( p, j ) )
	{
		++p->work;
		if ( is_blunt( p, j ) )
		{
			bvbase_vec2 x = at( p, j );
			if ( x.u >= lowest_u && x.u <= highest_u && x.v >= lowest_v && x.v <= highest_v &&
			     blocks( p, j, a, b, c ) )
			{
				return false;
			}
		}
	}
	p->next[i] |= FLAG;
	return true;
}

// From `start` around the ring, the first cached ear, or `start` itself when `*found` becomes false.
static uint32_t cached_ear( const triangulate_polygon* p, uint32_t start, bool* found )
{
	uint32_t i = start;
	do
	{
		if ( is_ear( p, i ) )
		{
			*found = true;
			return i;
		}
		i = next( p, i );
	} while ( i != start );
	*found = false;
	return start;
}

static bool refresh_ears( triangulate_polygon* p, uint32_t start )
{
	bool any = false;
	uint32_t i = start;
	do
	{
		any |= find_whether_ear( p, i );
		i = next( p, i );
	} while ( i != start );
	return any;
}

// No simple polygon comes here. Best is a corner without area, then one that turns the right way.
static uint32_t least_bad_corner( const triangulate_polygon* p, uint32_t start )
{
	uint32_t best = start;
	uint32_t i = start;
	do
	{
		if ( !is_blunt( p, i ) )
		{
			best = i;
		}
		else if ( turn_at( p, i ) == 0 )
		{
			return i;
		}
		i = next( p, i );
	} while ( i != start );
	return best;
}

static bvb_triangle ear_triangle( const triangulate_polygon* p, uint32_t i )
{
	return ( bvb_triangle ){ { corner_of( p, previous( p, i ) ), corner_of( p, i ),
		                       corner_of( p, next( p, i ) ) } };
}

static void unlink_corner( triangulate_polygon* p, uint32_t i )
{
	uint32_t before = previous( p, i );
	uint32_t after = next( p, i );
	p->next[before] = after | ( p->next[before] & FLAG );
	p->previous[after] = before | ( p->previous[after] & FLAG );
}

static void clip_ears( triangulate_polygon* p, bvb_triangle* out )
{
	uint32_t count = p->count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		p->next[i] = i + 1 < count ? i + 1 : 0;
		p->previous[i] = i > 0 ? i - 1 : count - 1;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		classify( p, i );
	}
	refresh_ears( p, 0 );

	// Clipping changes no ear but the two neighbors of a simple polygon, which therefore takes less than 2
	// n^2 steps. Where corners coincide it may change others: all are looked at again when none is left.
	// Whatever takes more steps, or has no ear time and again, is no simple polygon, and the rest of it is
	// cut up as it comes.
	uint64_t work_limit = 2 * (uint64_t)count * count + 256 * (uint64_t)count;
	int without_ear = 0;
	uint32_t i = 1;
	for ( uint32_t left = count; left > 3; --left )
	{
		bool found = false;
		bool looking = p->work <= work_limit && without_ear < most_without_ear;
		if ( looking )
		{
			i = cached_ear( p, i, &found );
			if ( !found && refresh_ears( p, i ) )
			{
				i = cached_ear( p, i, &found );
			}
			if ( !found )
			{
				i = least_bad_corner( p, i );
				++without_ear;
			}
		}
		*out++ = ear_triangle( p, i );

		uint32_t before = previous( p, i );
		uint32_t after = next( p, i );
		unlink_corner( p, i );
		if ( looking )
		{
			classify( p, before );
			classify( p, after );
			find_whether_ear( p, before );
			find_whether_ear( p, after );
		}

		// Every other corner, so that the triangles do not all share one.
		i = next( p, after );
	}
	*out = ear_triangle( p, i );
}

// A polygon that turns left everywhere but more than once around, a star, is no better served by cutting
// ears.
static bool is_strictly_convex( const triangulate_polygon* p )
{
	bvbase_vec2 a = at( p, p->count - 2 );
	bvbase_vec2 b = at( p, p->count - 1 );
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		bvbase_vec2 c = at( p, i );
		if ( !( bvbase_orient2d( a, b, c ) > 0 ) )
		{
			return false;
		}
		a = b;
		b = c;
	}
	return true;
}

// Scaled by a power of two to about 1, so that no product of two coordinates over- or underflows.
static bool choose_projection( triangulate_polygon* p )
{
	double largest = 0;
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		bv_vec3 x = position_of( p, i );
		if ( !isfinite( x.x ) || !isfinite( x.y ) || !isfinite( x.z ) )
		{
			return false;
		}
		largest = fmax( largest, fmax( fabs( x.x ), fmax( fabs( x.y ), fabs( x.z ) ) ) );
	}
	int exponent;
	frexp( largest, &exponent );
	p->scale = ldexp( 1, -( exponent < -1000 ? -1000 : exponent > 1020 ? 1020 : exponent ) );

	bv_vec3 normal = { 0 };
	bv_vec3 first = bv_scale( p->scale, position_of( p, 0 ) );
	bv_vec3 a = { 0 };
	for ( uint32_t i = 1; i < p->count; ++i )
	{
		bv_vec3 b = bv_sub( bv_scale( p->scale, position_of( p, i ) ), first );
		normal = bv_add( normal, bv_cross( a, b ) );
		a = b;
	}

	bv_vec3 size = { fabs( normal.x ), fabs( normal.y ), fabs( normal.z ) };
	int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
	double along = bvmath_component( normal, axis );
	p->axis_u = ( axis + ( along > 0 ? 1 : 2 ) ) % 3;
	p->axis_v = ( axis + ( along > 0 ? 2 : 1 ) ) % 3;
	return along != 0;
}

// Lexicographic order of positions.
static int compare_positions( bv_vec3 a, bv_vec3 b )
{
	for ( int k = 0; k < 3; ++k )
	{
		double x = bvmath_component( a, k );
		double y = bvmath_component( b, k );
		if ( x != y )
		{
			return x < y ? -1 : 1;
		}
	}
	return 0;
}

// Compares the `count` positions from corner `i` of one ring on with those from corner `j` of another on.
static int compare_runs( const triangulate_polygon* a, uint32_t i, const triangulate_polygon* b, uint32_t j,
                         uint32_t count )
{
	int order = 0;
	for ( uint32_t k = 0; k < count && order == 0; ++k )
	{
		order = compare_positions( position_of( a, ( i + k ) % a->count ),
		                           position_of( b, ( j + k ) % b->count ) );
	}
	return order;
}

// Begins the ring so that no other beginning gives a lesser sequence of positions. Two candidates race; where
// one falls behind after k equal positions, none of the k corners behind it can win (Shiloach 1979).
static void start_least( triangulate_polygon* p )
{
	uint32_t i = 0;
	uint32_t j = 1;
	for ( uint32_t k = 0; i < p->count && j < p->count && k < p->count; )
	{
		int order = compare_runs( p, ( i + k ) % p->count, p, ( j + k ) % p->count, 1 );
		if ( order == 0 )
		{
			++k;
			continue;
		}
		*( order > 0 ? &i : &j ) += k + 1;
		j += i == j;
		k = 0;
	}
	uint32_t least = i < j ? i : j;
	p->start = p->backwards ? p->count - least : least;
}

// Of all sequences of positions that the ring has in either direction the least: the two sides of a sheet,
// listed from different corners and in opposite directions, are then cut along the same diagonals.
static void choose_ring( triangulate_polygon* p )
{
	uint32_t alike = 1;
	for ( uint32_t i = 1; i < p->count; ++i )
	{
		int order = compare_positions( p->positions[p->corner[i]], p->positions[p->corner[p->start]] );
		p->start = order < 0 ? i : p->start;
		alike = order < 0 ? 1 : alike + ( order == 0 );
	}

	// In nearly all polygons the least position is there once and tells its two neighbors apart.
	int order = compare_positions( position_of( p, p->count - 1 ), position_of( p, 1 ) );
	p->backwards = order < 0;
	if ( alike > 1 || order == 0 )
	{
		triangulate_polygon other = *p;
		p->start = other.start = 0;
		p->backwards = false;
		other.backwards = true;
		start_least( p );
		start_least( &other );
		*p = compare_runs( &other, 0, p, 0, p->count ) < 0 ? other : *p;
	}
}

uint64_t bvb_triangulate( const bv_vec3* positions, const uint32_t* corner, uint32_t count, uint32_t* scratch,
                          bvb_triangle* out )
{
	triangulate_polygon p = {
		.positions = positions,
		.corner = corner,
		.count = count,
		.next = scratch,
		.previous = scratch + count,
		.work = count,
	};
	if ( count > 3 )
	{
		choose_ring( &p );
	}
	if ( count > 3 && choose_projection( &p ) && !is_strictly_convex( &p ) )
	{
		clip_ears( &p, out );
	}
	else
	{
		for ( uint32_t i = 2; i < count; ++i )
		{
			out[i - 2] =
				( bvb_triangle ){ { corner_of( &p, 0 ), corner_of( &p, i - 1 ), corner_of( &p, i ) } };
		}
	}
	for ( uint32_t i = 0; i + 2 < count && p.backwards; ++i )
	{
		uint32_t second = out[i].corner[1];
		out[i].corner[1] = out[i].corner[2];
		out[i].corner[2] = second;
	}
	return p.work;
}
