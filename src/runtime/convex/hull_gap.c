// GJK between a convex hull and a triangle. See hull_gap.h.
//
// Rounding: points are taken relative to a corner of the triangle. The error of the dot product of a point
// with v is less than 4 * 2^-53 |v| |point|. The error of the difference of two such products, divided by
// |v|, is less than 12 * 2^-53 |point|. 32 * 2^-53 |point| is subtracted from the lower bound.

#include "runtime/convex/hull_gap.h"

#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>

enum
{
	most_steps = 96,   // of GJK; it takes 5 to 20
	most_advances = 64 // of Newton's method; each halves what is left at worst, where hulls graze
};

// A corner of the hull minus one of the triangle.
typedef struct vertex
{
	bv_vec3 at;
	uint32_t point;
	int corner;
} vertex;

// Some of them, and the point of their hull that is nearest to the origin.
typedef struct simplex
{
	vertex vertex[4];
	double weight[4];
	int count;
	bv_vec3 nearest;
	double square; // of its length
} simplex;

typedef struct search
{
	const bvconvex_hull* hull;
	bv_vec3 shift; // takes the hull's points to coordinates relative to the first corner
	bv_vec3 corner[3];
	double rounding; // bounds what is computed along a unit vector
} search;

static void begin_search( const bvconvex_hull* hull, const bv_vec3 corner[3], search* s )
{
	s->hull = hull;
	s->shift = bv_sub( hull->offset, corner[0] );
	double extent = 0;
	for ( int k = 0; k < 3; ++k )
	{
		s->corner[k] = bv_sub( corner[k], corner[0] );
		extent = bv_max( extent, bv_norm1( s->corner[k] ) );
	}
	double size = 0;
	for ( uint32_t i = 0; i < hull->count; ++i )
	{
		size = bv_max( size, bv_norm1( bv_add( hull->points[i], s->shift ) ) );
	}
	s->rounding = 0x1p-48 * ( extent + size );
}

static bv_vec3 point_of( const search* s, uint32_t index )
{
	return bv_add( s->hull->points[index], s->shift );
}

// The vertex that is least along v.
static inline vertex support( const search* s, bv_vec3 v )
{
	vertex best = { .point = 0 };
	double least = bv_dot( v, point_of( s, 0 ) );
	for ( uint32_t i = 1; i < s->hull->count; ++i )
	{
		double at = bv_dot( v, point_of( s, i ) );
		if ( at < least )
		{
			least = at;
			best.point = i;
		}
	}
	double greatest = bv_dot( v, s->corner[0] );
	for ( int k = 1; k < 3; ++k )
	{
		double at = bv_dot( v, s->corner[k] );
		if ( at > greatest )
		{
			greatest = at;
			best.corner = k;
		}
	}
	best.at = bv_sub( point_of( s, best.point ), s->corner[best.corner] );
	return best;
}

static void solve_segment( simplex* s )
{
	bvtri_nearest_pair near;
	bv_vec3 along = bv_sub( s->vertex[1].at, s->vertex[0].at );
	bvtri_nearest_on_segments( s->vertex[0].at, along, ( bv_vec3 ){ 0, 0, 0 }, ( bv_vec3 ){ 0, 0, 0 },
	                           &near );
	s->weight[0] = 1 - near.s;
	s->weight[1] = near.s;
	s->nearest = near.a;
	s->square = near.square;
}

// Takes the nearest point of one of the faces if it is nearer than what is known.
static void solve_face( simplex* s, int i, int j, int k )
{
	const bv_vec3 corner[3] = { s->vertex[i].at, s->vertex[j].at, s->vertex[k].at };
	bvtri_nearest near;
	bvtri_nearest_on_triangle( ( bv_vec3 ){ 0, 0, 0 }, corner, &near );
	if ( near.square < s->square )
	{
		s->weight[0] = s->weight[1] = s->weight[2] = s->weight[3] = 0;
		s->weight[i] = near.weight[0];
		s->weight[j] = near.weight[1];
		s->weight[k] = near.weight[2];
		s->nearest = near.point;
		s->square = near.square;
	}
}

// Whether the origin is inside of a tetrahedron, beyond doubt: in flat ones all four volumes are rounding.
static bool contains_origin( simplex* s )
{
	bv_vec3 a = s->vertex[0].at;
	bv_vec3 b = s->vertex[1].at;
	bv_vec3 c = s->vertex[2].at;
	bv_vec3 d = s->vertex[3].at;
	bv_vec3 bc = bv_cross( b, c );
	bv_vec3 da = bv_cross( d, a );
	double volume[4] = { bv_dot( bc, d ), -bv_dot( da, c ), bv_dot( da, b ), -bv_dot( bc, a ) };
	double size = bv_max( bv_max( bv_norm1( a ), bv_norm1( b ) ), bv_max( bv_norm1( c ), bv_norm1( d ) ) );
	double doubt = 0x1p-48 * ( size * size * size );
	bool positive = volume[0] > doubt && volume[1] > doubt && volume[2] > doubt && volume[3] > doubt;
	bool negative = volume[0] < -doubt && volume[1] < -doubt && volume[2] < -doubt && volume[3] < -doubt;
	if ( positive || negative )
	{
		double sum = ( volume[0] + volume[1] ) + ( volume[2] + volume[3] );
		for ( int i = 0; i < 4; ++i )
		{
			s->weight[i] = volume[i] / sum;
		}
		s->nearest = ( bv_vec3 ){ 0, 0, 0 };
		s->square = 0;
	}
	return positive || negative;
}

static void drop_idle( simplex* s )
{
	int kept = 0;
	for ( int i = 0; i < s->count; ++i )
	{
		if ( s->weight[i] > 0 )
		{
			s->vertex[kept] = s->vertex[i];
			s->weight[kept++] = s->weight[i];
		}
	}
	s->count = kept;
}

static void solve( simplex* s )
{
	s->square = INFINITY;
	s->weight[0] = s->weight[1] = s->weight[2] = s->weight[3] = 0;
	if ( s->count == 1 )
	{
		s->weight[0] = 1;
		s->nearest = s->vertex[0].at;
		s->square = bv_dot( s->nearest, s->nearest );
	}
	else if ( s->count == 2 )
	{
		solve_segment( s );
	}
	else if ( s->count == 3 )
	{
		solve_face( s, 0, 1, 2 );
	}
	else if ( !contains_origin( s ) )
	{
		solve_face( s, 0, 1, 2 );
		solve_face( s, 0, 1, 3 );
		solve_face( s, 0, 2, 3 );
		solve_face( s, 1, 2, 3 );
	}
	drop_idle( s );
}

// A simplex with one more vertex. The rest of it is for solve to set: a copy of all would take as long as
// that.
static void grow( const simplex* s, const vertex* more, simplex* out )
{
	for ( int i = 0; i < s->count; ++i )
	{
		out->vertex[i] = s->vertex[i];
	}
	out->vertex[s->count] = *more;
	out->count = s->count + 1;
}

static bool has( const simplex* s, const vertex* v )
{
	bool found = false;
	for ( int i = 0; i < s->count; ++i )
	{
		found = found || ( s->vertex[i].point == v->point && s->vertex[i].corner == v->corner );
	}
	return found;
}

static void describe( const search* s, const simplex* nearest, bv_vec3 origin, bvconvex_hull_gap* out )
{
	bv_vec3 of_hull = { 0, 0, 0 };
	bv_vec3 of_triangle = { 0, 0, 0 };
	out->weight[0] = out->weight[1] = out->weight[2] = 0;
	for ( int i = 0; i < nearest->count; ++i )
	{
		const vertex* v = nearest->vertex + i;
		of_hull = bv_add( of_hull, bv_scale( nearest->weight[i], point_of( s, v->point ) ) );
		of_triangle = bv_add( of_triangle, bv_scale( nearest->weight[i], s->corner[v->corner] ) );
		out->weight[v->corner] += nearest->weight[i];
	}
	out->upper = sqrt( nearest->square );
	out->point[0] = bv_add( of_hull, origin );
	out->point[1] = bv_add( of_triangle, origin );
}

// The way from the origin to the nearest point. Of points next to the origin that is mostly rounding, but known to be normal to the
// face or the side that they are on.
static bv_vec3 direction_of( const search* s, const simplex* nearest )
{
	bv_vec3 v = nearest->nearest;
	double near = 0x1p36 * s->rounding;
	if ( nearest->square > near * near || nearest->count < 2 )
	{
		return v;
	}
	bv_vec3 side = bv_sub( nearest->vertex[1].at, nearest->vertex[0].at );
	bv_vec3 across = v;
	if ( nearest->count == 2 )
	{
		for ( int i = 0; i < 2; ++i )
		{
			across = bv_sub( across, bv_scale( bv_dot( across, side ) / bv_dot( side, side ), side ) );
		}
	}
	else if ( nearest->count == 3 )
	{
		across = bv_cross( side, bv_sub( nearest->vertex[2].at, nearest->vertex[0].at ) );
		across = bv_dot( across, v ) < 0 ? bv_negate( across ) : across;
	}
	return bv_dot( across, v ) > 0 ? across : v;
}

void bvconvex_hull_triangle_gap( const bvconvex_hull* hull, const bv_vec3 corner[3], double enough,
                                 double relative, bvconvex_hull_gap* out )
{
	search s;
	begin_search( hull, corner, &s );
	simplex pair[2];
	simplex* now = pair;
	now->count = 1;
	now->vertex[0] = support( &s, s.shift );
	solve( now );
	*out = ( bvconvex_hull_gap ){ .lower = 0 };
	for ( int step = 0; step < most_steps; ++step )
	{
		double upper = sqrt( now->square );
		if ( !( upper > s.rounding && upper > enough ) )
		{
			break;
		}
		bv_vec3 along = direction_of( &s, now );
		double length = sqrt( bv_dot( along, along ) );
		vertex next = support( &s, along );
		double lower = bv_dot( along, next.at ) / length - s.rounding;
		if ( lower > out->lower )
		{
			out->lower = lower;
			out->along = bv_scale( -1 / length, along );
		}
		if ( ( out->lower > enough && upper - out->lower <= relative * ( upper - enough ) ) ||
		     has( now, &next ) )
		{
			break;
		}
		simplex* grown = now == pair ? pair + 1 : pair;
		grow( now, &next, grown );
		solve( grown );
		if ( !( grown->square < now->square ) )
		{
			break;
		}
		now = grown;
	}
	describe( &s, now, corner[0], out );
}

bool bvconvex_hull_meets_triangle( const bvconvex_hull* hull, double radius, bv_vec3 motion, double limit,
                                   double tolerance, const bv_vec3 corner[3], bvconvex_hull_cast* out )
{
	// The last step leaves a hundredth of what is left, so that few are taken and none is wasted on exactness.
	static const double relative = 0.01;
	search s;
	begin_search( hull, corner, &s );
	tolerance = bv_max( tolerance, 16 * s.rounding + 0x1p-44 * radius );
	bv_vec3 along = { 0, 0, 0 };
	out->time = 0;
	for ( int advance = 0; advance < most_advances; ++advance )
	{
		bvconvex_hull moved = *hull;
		moved.offset = bv_add( hull->offset, bv_scale( out->time, motion ) );
		bvconvex_hull_triangle_gap( &moved, corner, radius + tolerance, relative, &out->gap );
		if ( !( out->gap.lower > radius ) || out->gap.upper <= radius + tolerance )
		{
			bvconvex_hull_triangle_gap( &moved, corner, 0, 0, &out->gap );
			out->gap.along = out->gap.lower > 0 ? out->gap.along : along;
			break;
		}
		along = out->gap.along;

		// The slab closes at this speed or a lower one.
		double speed = bv_dot( out->gap.along, motion ) + 0x1p-50 * bv_norm1( motion );
		double rest = ( out->gap.lower - radius ) * ( 1 - 0x1p-50 );
		if ( !( speed > 0 ) || !( rest <= speed * ( limit - out->time ) ) )
		{
			return false;
		}
		double time = out->time + rest / speed;
		if ( time == out->time )
		{
			break;
		}
		out->time = time;
	}
	return true;
}
