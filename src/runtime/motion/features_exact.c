// First contact of moving features, by exact arithmetic.
//
// The four points are in one plane where a cubic in time is 0. At each root in the range, earliest first, it is decided
// whether the features touch, by signs of quadratics: the orientations of three of the points in the three projections
// along axes. With O(i, j, k) for the orientation of points i, j and k, a vertex 0 in the plane of a triangle 1 2 3 is in
// it if O(0, 1, 2), O(0, 2, 3) and O(0, 3, 1) have nowhere the sign opposite to that of O(1, 2, 3), in a projection in
// which that is not 0. Edges 0 1 and 2 3 meet if each has the ends of the other on both sides of its line, in a projection
// in which they are not parallel. Where there is no such projection, a point is on a segment.
//
// If the cubic is zero, the points are in one plane all the time. Then the features touch at the beginning, or a vertex
// meets an edge first: three quadratics are 0 at once. If these are zero, too, the three points are always on one line, and
// the vertex is on the edge at the beginning, or it meets a vertex first.
//
// Exact geometric computation after Yap 1997; polynomials of continuous collision after Provot 1997; Brochu, Edwards and
// Bridson 2012 have exact signs of parity instead of roots.

#include "runtime/motion/features.h"

#include "runtime/math/roots.h"

#include <math.h>
#include <stddef.h>

enum
{
	points = 4,
	axes = 3,
};

// A coordinate of a point as seen from another one, at time t: start + t * change.
typedef struct track
{
	bvmath_integer start;
	bvmath_integer change;
} track;

// Which points are left if one of the four is left out.
static const int others[points][3] = { { 1, 2, 3 }, { 0, 2, 3 }, { 0, 1, 3 }, { 0, 1, 2 } };

// What is computed of a pair.
typedef struct search
{
	bvmath_pool pool;
	track from_0[points][axes]; // of points 1 to 3 as seen from point 0
	bool edges;
	double limit;
	uint32_t tests;
	double lower; // of the first contact that was found
	double upper;
} search;

static double coordinate_of( const bv_vec3* p, int axis )
{
	return axis == 0 ? p->x : axis == 1 ? p->y : p->z;
}

// The difference of two coordinates of numbers that are multiples of 2^place.
static bvmath_integer difference_of( bvmath_pool* pool, double from, double to, int place )
{
	uint32_t used = pool->used;
	bvmath_integer a = bvmath_integer_of( pool, from, place );
	bvmath_integer b = bvmath_integer_of( pool, to, place );
	return bvmath_integer_keep( pool, used, bvmath_integer_subtract( pool, b, a ) );
}

// Coordinates become integers by a common power of 2.
static void read_points( const bvmotion_features* features, search* out )
{
	int place = INT32_MAX;
	for ( int i = 0; i < points * axes; ++i )
	{
		int start = bvmath_last_place( coordinate_of( &features->start[i / axes], i % axes ) );
		int end = bvmath_last_place( coordinate_of( &features->end[i / axes], i % axes ) );
		place = start < place ? start : place;
		place = end < place ? end : place;
	}
	bvmath_pool* pool = &out->pool;
	for ( int i = axes; i < points * axes; ++i )
	{
		int axis = i % axes;
		double start = coordinate_of( &features->start[i / axes], axis );
		double end = coordinate_of( &features->end[i / axes], axis );
		track* t = &out->from_0[i / axes][axis];
		t->start = difference_of( pool, coordinate_of( &features->start[0], axis ), start, place );
		uint32_t used = pool->used;
		bvmath_integer last = difference_of( pool, coordinate_of( &features->end[0], axis ), end, place );
		t->change = bvmath_integer_keep( pool, used, bvmath_integer_subtract( pool, last, t->start ) );
	}
}

// Point j as seen from point i.
static track track_of( search* s, int i, int j, int axis )
{
	const track* a = &s->from_0[i][axis];
	const track* b = &s->from_0[j][axis];
	if ( i == 0 )
	{
		return *b;
	}
	if ( j == 0 )
	{
		return ( track ){ bvmath_integer_negate( a->start ), bvmath_integer_negate( a->change ) };
	}
	return ( track ){ bvmath_integer_subtract( &s->pool, b->start, a->start ),
		              bvmath_integer_subtract( &s->pool, b->change, a->change ) };
}

static bvmath_polynomial difference( search* s, int i, int j, int axis )
{
	track t = track_of( s, i, j, axis );
	bvmath_polynomial out = { .coefficient = { t.start, t.change } };
	bvmath_polynomial_trim( &out, 1 );
	return out;
}

// Twice the signed area of three points in the projection along an axis.
static void orientation( search* s, const int point[3], int axis, bvmath_polynomial* out )
{
	bvmath_pool* pool = &s->pool;
	uint32_t used = pool->used;
	track ax = track_of( s, point[0], point[1], ( axis + 1 ) % axes );
	track ay = track_of( s, point[0], point[1], ( axis + 2 ) % axes );
	track bx = track_of( s, point[0], point[2], ( axis + 1 ) % axes );
	track by = track_of( s, point[0], point[2], ( axis + 2 ) % axes );
	bvmath_integer* c = out->coefficient;
	c[0] = bvmath_integer_cross( pool, ax.start, ay.start, bx.start, by.start );
	c[1] = bvmath_integer_add( pool, bvmath_integer_cross( pool, ax.start, ay.start, bx.change, by.change ),
	                           bvmath_integer_cross( pool, ax.change, ay.change, bx.start, by.start ) );
	c[2] = bvmath_integer_cross( pool, ax.change, ay.change, bx.change, by.change );
	bvmath_polynomial_keep( pool, used, 2, out );
}

// The determinant of points 1 to 3 as seen from point 0: it is 0 while all four are in one plane.
static void volume( search* s, bvmath_polynomial* out )
{
	bvmath_pool* pool = &s->pool;
	uint32_t before = pool->used;
	bvmath_polynomial area[axes];
	for ( int axis = 0; axis < axes; ++axis )
	{
		orientation( s, others[3], axis, &area[axis] );
	}
	for ( int k = 0; k <= 3; ++k )
	{
		uint32_t used = pool->used;
		bvmath_integer sum = { 0 };
		for ( int i = 0; i < 2 * axes; ++i )
		{
			int own = i / axes;
			int power = k - own;
			if ( power >= 0 && power <= 2 )
			{
				const track* t = &s->from_0[3][i % axes];
				bvmath_integer height = own == 0 ? t->start : t->change;
				sum = bvmath_integer_add(
					pool, sum, bvmath_integer_multiply( pool, area[i % axes].coefficient[power], height ) );
			}
		}
		out->coefficient[k] = bvmath_integer_keep( pool, used, sum );
	}
	bvmath_polynomial_keep( pool, before, 3, out );
}

// The sign of the orientation of three of the points.
static int side_at( search* s, const bvmath_root* at, int left_out, int axis )
{
	uint32_t used = s->pool.used;
	bvmath_polynomial area;
	orientation( s, others[left_out], axis, &area );
	int sign = bvmath_sign_at_root( &s->pool, at, &area );
	s->pool.used = used;
	++s->tests;
	return sign;
}

static int difference_at( search* s, const bvmath_root* at, int i, int j, int axis )
{
	uint32_t used = s->pool.used;
	bvmath_polynomial d = difference( s, i, j, axis );
	int sign = bvmath_sign_at_root( &s->pool, at, &d );
	s->pool.used = used;
	return sign;
}

// Of a point on the line of two others, or of three equal ones.
static bool is_between( search* s, const bvmath_root* at, int point, int one, int other )
{
	for ( int axis = 0; axis < axes; ++axis )
	{
		if ( difference_at( s, at, point, one, axis ) * difference_at( s, at, point, other, axis ) > 0 )
		{
			return false;
		}
	}
	return true;
}

// Whether three points are on one line.
static bool are_in_line( search* s, const bvmath_root* at, int left_out )
{
	return side_at( s, at, left_out, 0 ) == 0 && side_at( s, at, left_out, 1 ) == 0 &&
	       side_at( s, at, left_out, 2 ) == 0;
}

// A vertex and an edge that can meet.
typedef struct vertex_edge
{
	int vertex;
	int edge[2];
	int left_out;
} vertex_edge;

static const vertex_edge of_face[] = { { 0, { 1, 2 }, 3 }, { 0, { 2, 3 }, 1 }, { 0, { 1, 3 }, 2 } };
static const vertex_edge of_edges[] = {
	{ 0, { 2, 3 }, 1 }, { 1, { 2, 3 }, 0 }, { 2, { 0, 1 }, 3 }, { 3, { 0, 1 }, 2 }
};

// Whether a vertex is in a triangle, all in one plane.
static bool is_in_face( search* s, const bvmath_root* at )
{
	for ( int axis = 0; axis < axes; ++axis )
	{
		int face = side_at( s, at, 0, axis );
		if ( face != 0 )
		{
			return face * side_at( s, at, 3, axis ) >= 0 && face * side_at( s, at, 1, axis ) >= 0 &&
			       face * side_at( s, at, 2, axis ) <= 0;
		}
	}
	for ( int i = 0; i < 3; ++i )
	{
		const vertex_edge* v = &of_face[i];
		if ( are_in_line( s, at, v->left_out ) && is_between( s, at, 0, v->edge[0], v->edge[1] ) )
		{
			return true;
		}
	}
	return false;
}

// Whether two edges meet, all in one plane.
static bool do_edges_meet( search* s, const bvmath_root* at )
{
	for ( int axis = 0; axis < axes; ++axis )
	{
		int of_2 = side_at( s, at, 3, axis );
		int of_3 = side_at( s, at, 2, axis );
		int of_0 = side_at( s, at, 1, axis );
		int of_1 = side_at( s, at, 0, axis );
		if ( of_2 * of_3 > 0 || of_0 * of_1 > 0 )
		{
			return false;
		}
		if ( of_2 != of_3 )
		{
			return true;
		}
	}
	for ( int i = 0; i < 4; ++i )
	{
		const vertex_edge* v = &of_edges[i];
		if ( is_between( s, at, v->vertex, v->edge[0], v->edge[1] ) )
		{
			return true;
		}
	}
	return false;
}

// Whether a root is in the range; then it is bounded.
static bool is_in_range( search* s, const bvmath_roots* roots, int index, bvmath_root* out )
{
	*out = ( bvmath_root ){ .roots = roots, .index = index };
	bool is = bvmath_compare_root( &s->pool, roots, index, 0 ) >= 0 &&
	          bvmath_compare_root( &s->pool, roots, index, s->limit ) <= 0;
	if ( is )
	{
		bvmath_bound_root( &s->pool, s->limit, out );
	}
	return is;
}

// Keeps a contact unless an earlier one is known.
static void keep( search* s, const bvmath_root* at )
{
	s->lower = at->lower < s->lower ? at->lower : s->lower;
	s->upper = at->upper < s->upper ? at->upper : s->upper;
}

// Whether the features touch at a time at which all points are in one plane.
static bool do_touch( search* s, const bvmath_root* at )
{
	return s->edges ? do_edges_meet( s, at ) : is_in_face( s, at );
}

// All three differences of two vertices vanish when they meet.
static void find_at_vertex( search* s, int one, int other )
{
	for ( int axis = 0; axis < axes; ++axis )
	{
		bvmath_polynomial d = difference( s, one, other, axis );
		if ( d.degree >= 0 )
		{
			bvmath_roots roots;
			bvmath_roots_of( &s->pool, &d, &roots );
			bvmath_root root;
			const bvmath_root* at = &root;
			if ( roots.count > 0 && is_in_range( s, &roots, 0, &root ) &&
			     difference_at( s, at, one, other, 0 ) == 0 && difference_at( s, at, one, other, 1 ) == 0 &&
			     difference_at( s, at, one, other, 2 ) == 0 )
			{
				keep( s, at );
			}
			return;
		}
	}
}

// All three orientations vanish while a vertex is on the line of an edge.
static void find_on_edge( search* s, const vertex_edge* v )
{
	for ( int axis = 0; axis < axes; ++axis )
	{
		bvmath_polynomial area;
		orientation( s, others[v->left_out], axis, &area );
		if ( area.degree >= 0 )
		{
			bvmath_roots roots;
			bvmath_roots_of( &s->pool, &area, &roots );
			for ( int i = 0; i < roots.count; ++i )
			{
				bvmath_root root;
				const bvmath_root* at = &root;
				if ( is_in_range( s, &roots, i, &root ) && are_in_line( s, at, v->left_out ) &&
				     is_between( s, at, v->vertex, v->edge[0], v->edge[1] ) )
				{
					keep( s, at );
					return;
				}
			}
			return;
		}
	}
	find_at_vertex( s, v->vertex, v->edge[0] );
	find_at_vertex( s, v->vertex, v->edge[1] );
}

static void find_in_plane( search* s )
{
	bvmath_roots start;
	bvmath_roots_of_zero( &s->pool, &start );
	bvmath_root at = { .roots = &start };
	if ( do_touch( s, &at ) )
	{
		keep( s, &at );
		return;
	}
	int count = s->edges ? 4 : 3;
	for ( int i = 0; i < count; ++i )
	{
		uint32_t used = s->pool.used;
		find_on_edge( s, s->edges ? &of_edges[i] : &of_face[i] );
		s->pool.used = used;
	}
}

static void find( search* s )
{
	bvmath_polynomial cubic;
	volume( s, &cubic );
	if ( cubic.degree < 0 )
	{
		find_in_plane( s );
		return;
	}
	bvmath_roots roots;
	bvmath_roots_of( &s->pool, &cubic, &roots );
	for ( int i = 0; i < roots.count; ++i )
	{
		bvmath_root root;
		if ( is_in_range( s, &roots, i, &root ) && do_touch( s, &root ) )
		{
			keep( s, &root );
			return;
		}
	}
}

void bvmotion_find_exactly( const bvmotion_features* features, double limit, bv_feature_time* out )
{
	search s;
	bvmath_pool_begin( &s.pool );
	s.edges = features->edges;
	s.limit = limit;
	s.tests = 0;
	s.lower = INFINITY;
	s.upper = INFINITY;
	read_points( features, &s );
	find( &s );
	out->tests += s.tests;
	out->certain = !s.pool.full;
	out->found = s.pool.full || s.lower < INFINITY;
	out->lower = s.pool.full ? 0 : out->found ? s.lower : limit;
	out->upper = s.pool.full ? INFINITY : s.upper;
}
