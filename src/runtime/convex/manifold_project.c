// Projected features and surfaces above them. See manifold_project.h.

#include "runtime/convex/manifold_project.h"

static void swap_corners( bvconvex_projected* o, uint32_t i, uint32_t k )
{
	uint32_t name = o->name[i];
	double at[3] = { o->x[i], o->y[i], o->height[i] };
	o->name[i] = o->name[k];
	o->x[i] = o->x[k];
	o->y[i] = o->y[k];
	o->height[i] = o->height[k];
	o->name[k] = name;
	o->x[k] = at[0];
	o->y[k] = at[1];
	o->height[k] = at[2];
}

static void move_corner( bvconvex_projected* o, uint32_t from, uint32_t to )
{
	o->name[to] = o->name[from];
	o->x[to] = o->x[from];
	o->y[to] = o->y[from];
	o->height[to] = o->height[from];
}

static double distance_of( const bvconvex_projected* o, uint32_t i, uint32_t k )
{
	double x = o->x[k] - o->x[i];
	double y = o->y[k] - o->y[i];
	return sqrt( x * x + y * y );
}

// @return how far the corner k is to the left of the line from i to j; 0 for a line without a direction
static double left_of( const bvconvex_projected* o, uint32_t i, uint32_t j, uint32_t k )
{
	double length = distance_of( o, i, j );
	double x = o->x[j] - o->x[i];
	double y = o->y[j] - o->y[i];
	return length > 0 ? ( x * ( o->y[k] - o->y[i] ) - y * ( o->x[k] - o->x[i] ) ) / length : 0;
}

// Of corners in the same place only the one with the least name is kept.
static void drop_twins( bvconvex_projected* o )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		bool is_twin = false;
		for ( uint32_t k = 0; k < o->count && !is_twin; ++k )
		{
			is_twin = o->name[k] < o->name[i] && distance_of( o, i, k ) <= o->equal;
		}
		o->inside[i] = is_twin;
	}
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		if ( !o->inside[i] )
		{
			move_corner( o, i, count++ );
		}
	}
	o->count = count;
}

static bool comes_before( const bvconvex_projected* o, uint32_t i, uint32_t k )
{
	return o->x[i] < o->x[k] ||
	       ( o->x[i] == o->x[k] &&
	         ( o->y[i] < o->y[k] || ( o->y[i] == o->y[k] && o->name[i] < o->name[k] ) ) );
}

static double area_of( const bvconvex_projected* o )
{
	double area = 0;
	for ( uint32_t i = 2; i < o->count; ++i )
	{
		area += ( o->x[i - 1] - o->x[0] ) * ( o->y[i] - o->y[0] ) -
		        ( o->x[i] - o->x[0] ) * ( o->y[i - 1] - o->y[0] );
	}
	return area;
}

// Whether three corners are those of their hull, beyond doubt.
static bool is_triangle( const bvconvex_projected* o )
{
	double longest =
		bvmath_max( distance_of( o, 0, 1 ), bvmath_max( distance_of( o, 1, 2 ), distance_of( o, 2, 0 ) ) );
	return o->count == 3 && fabs( area_of( o ) ) > o->equal * longest;
}

// The hull of corners in any order: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
// Corners on sides to rounding are dropped.
BVSIMD_NOINLINE void order( bvconvex_projected* o )
{
	drop_twins( o );
	if ( o->count < 3 )
	{
		return;
	}
	for ( uint32_t i = 1; i < o->count; ++i )
	{
		for ( uint32_t k = i; k > 0 && comes_before( o, k, k - 1 ); --k )
		{
			swap_corners( o, k, k - 1 );
		}
	}
	uint8_t chain[2 * bvconvex_feature_most];
	uint32_t count = 0;
	uint32_t start = 0;
	for ( uint32_t step = 0; step < 2 * o->count - 1; ++step )
	{
		// First from left to right along the lower side, then back along the upper one.
		uint32_t k = step < o->count ? step : 2 * o->count - 2 - step;
		start = step == o->count ? count - 1 : start;
		while ( count >= start + 2 && !( left_of( o, chain[count - 2], chain[count - 1], k ) > o->equal ) )
		{
			--count;
		}
		chain[count++] = (uint8_t)k;
	}
	bvconvex_projected all = *o;
	o->count = count - 1;
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		o->name[i] = all.name[chain[i]];
		o->x[i] = all.x[chain[i]];
		o->y[i] = all.y[chain[i]];
		o->height[i] = all.height[chain[i]];
	}
}

static void turn_around( bvconvex_projected* o )
{
	for ( uint32_t i = 0; i < o->count / 2; ++i )
	{
		swap_corners( o, i, o->count - 1 - i );
	}
}

// Corners of flat shapes can be in the same place. The lesser name remains, whatever the order.
static void drop_equal( bvconvex_projected* o )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		bool is_new = count == 0 || distance_of( o, count - 1, i ) > o->equal;
		if ( is_new || o->name[i] < o->name[count - 1] )
		{
			move_corner( o, i, is_new ? count : count - 1 );
		}
		count += is_new ? 1 : 0;
	}
	while ( count > 1 && !( distance_of( o, count - 1, 0 ) > o->equal ) )
	{
		--count;
		if ( o->name[count] < o->name[0] )
		{
			move_corner( o, count, 0 );
		}
	}
	o->count = count;
}

static void find_sides( bvconvex_projected* o )
{
	o->sides = o->count >= 3 ? o->count : o->count == 2 ? 1 : 0;
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		uint32_t k = bvconvex_next_corner( o, i );
		o->length[i] = distance_of( o, i, k );
		o->along[i][0] = ( o->x[k] - o->x[i] ) / o->length[i];
		o->along[i][1] = ( o->y[k] - o->y[i] ) / o->length[i];
	}
}

void bvconvex_project( const bvconvex_contact_feature* f, const bvconvex_frame* frame, int sign, double equal,
                       bvconvex_projected* out )
{
	out->count = f->count;
	out->is_face = f->count == 0 || f->count >= 3;
	out->face = f->face;
	out->radius = f->radius;
	out->equal = equal;
	for ( uint32_t i = 0; i < f->count || i < 1; ++i )
	{
		bv_vec3 from = bv_sub( f->corner[i], frame->origin );
		out->name[i] = f->name[i];
		out->x[i] = bv_dot( frame->axis[0], from );
		out->y[i] = bv_dot( frame->axis[1], from );
		out->height[i] = sign * bv_dot( frame->axis[2], from );
	}
	for ( int k = 0; k < 3; ++k )
	{
		out->normal[k] = ( k == 2 ? sign : 1 ) * bv_dot( frame->axis[k], f->normal );
	}
	out->disc = f->disc;
	out->bend = f->bend;
	bv_vec3 to_center = bv_sub( f->center, frame->origin );
	for ( int k = 0; k < 3; ++k )
	{
		double up = k == 2 ? sign : 1;
		out->center[k] = up * bv_dot( frame->axis[k], to_center );
		out->inwards[k] = up * bv_dot( frame->axis[k], f->inwards );
	}
	out->slope[0] = -out->normal[0] / out->normal[2];
	out->slope[1] = -out->normal[1] / out->normal[2];
	if ( out->count >= 3 && !f->ordered && !is_triangle( out ) )
	{
		order( out );
	}
	if ( area_of( out ) < 0 )
	{
		turn_around( out );
	}
	drop_equal( out );
	find_sides( out );
}

// The height of a ball around a point of the core; -infinity beside the ball.
static double height_of_ball( const bvconvex_projected* o, double dx, double dy, double height )
{
	double square = o->radius * o->radius - ( dx * dx + dy * dy );
	return square >= 0 ? height + sqrt( square ) : -INFINITY;
}

// The height of a capsule around a side, or of the cylinder that the side bends around, between its ends. With the point (w, s), relative to
// the start of the side, on the cylinder around the line with direction d: |w|^2 + s^2 - (w * d + s h)^2 / |d|^2 = r^2, where h is
// the height of d.
static double height_of_capsule( const bvconvex_projected* o, uint32_t side, bool bends, double x, double y )
{
	uint32_t k = bvconvex_next_corner( o, side );
	double radius = o->radius + ( bends ? o->bend : 0 );
	double wx = x - o->x[side] - ( bends ? o->inwards[0] : 0 );
	double wy = y - o->y[side] - ( bends ? o->inwards[1] : 0 );
	double start = o->height[side] + ( bends ? o->inwards[2] : 0 );
	double rise = o->height[k] - o->height[side];
	double length = o->length[side];
	double square = length * length + rise * rise;
	double along = length * ( o->along[side][0] * wx + o->along[side][1] * wy );
	double a = length * length / square;
	double b = along * rise / square;
	double c = ( wx * wx + wy * wy ) - along * along / square - radius * radius;
	double root = b * b - a * c;
	if ( !( root >= 0 ) )
	{
		return -INFINITY;
	}
	double up = ( b + sqrt( root ) ) / a;
	double place = ( along + up * rise ) / square;
	if ( place >= 0 && place <= 1 )
	{
		return start + up;
	}
	if ( bends )
	{
		return -INFINITY;
	}
	uint32_t end = place > 1 ? k : side;
	return height_of_ball( o, x - o->x[end], y - o->y[end], o->height[end] );
}

// The height of the ball around the point of a circle at a part of the way from one of its points to another.
static double height_on_rim( const bvconvex_projected* o, const double ends[2][2], double part, double x,
                             double y )
{
	double at[2] = { ends[0][0] + part * ( ends[1][0] - ends[0][0] ),
		             ends[0][1] + part * ( ends[1][1] - ends[0][1] ) };
	double scale = 1 / bvconvex_part_of_disc( o, at[0], at[1] );
	double rim[2] = { o->center[0] + scale * ( at[0] - o->center[0] ),
		              o->center[1] + scale * ( at[1] - o->center[1] ) };
	double height =
		o->center[2] + o->slope[0] * ( rim[0] - o->center[0] ) + o->slope[1] * ( rim[1] - o->center[1] );
	double dx = x - rim[0];
	double dy = y - rim[1];
	double square = o->radius * o->radius - ( dx * dx + dy * dy );
	return square >= 0 ? height + sqrt( square ) : height - sqrt( dx * dx + dy * dy );
}

// The height of the balls around a circle, above a point of it or next to it: their centers are within some degrees of the
// point. It is searched for by thirds.
BVSIMD_NOINLINE double height_of_rim( const bvconvex_projected* o, double x, double y )
{
	enum
	{
		steps = 64,
	};
	double from[2] = { x - o->center[0], y - o->center[1] };
	const double wide = 0.3;
	const double ends[2][2] = { { x - wide * from[1], y + wide * from[0] },
		                        { x + wide * from[1], y - wide * from[0] } };
	double low = 0;
	double high = 1;
	for ( int i = 0; i < steps; ++i )
	{
		double first = low + ( high - low ) / 3;
		double second = high - ( high - low ) / 3;
		bool is_lower = height_on_rim( o, ends, first, x, y ) < height_on_rim( o, ends, second, x, y );
		low = is_lower ? first : low;
		high = is_lower ? high : second;
	}
	return height_on_rim( o, ends, 0.5 * ( low + high ), x, y );
}

static bool is_in_face( const bvconvex_projected* o, double x, double y )
{
	if ( o->disc > 0 )
	{
		return bvconvex_part_of_disc( o, x, y ) <= 1;
	}
	bool is_inside = o->count == 0 || o->count >= 3;
	for ( uint32_t i = 0; i < o->sides && is_inside; ++i )
	{
		is_inside = bvconvex_depth_in_side( o, i, x, y ) >= 0;
	}
	return is_inside;
}

double bvconvex_surface_height( const bvconvex_projected* o, double x, double y, double core )
{
	if ( !( o->radius + o->bend > 0 ) )
	{
		return core;
	}
	if ( o->is_face )
	{
		double under[2] = { x - o->radius * o->normal[0], y - o->radius * o->normal[1] };
		if ( is_in_face( o, under[0], under[1] ) )
		{
			return bvconvex_height_of_plane( o, under[0], under[1] ) + o->radius * o->normal[2];
		}
	}
	if ( o->disc > 0 )
	{
		return height_of_rim( o, x, y );
	}
	double most = -INFINITY;
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		most = bvmath_max( most, height_of_capsule( o, i, false, x, y ) );
	}
	if ( o->bend > 0 && o->count == 2 )
	{
		most = bvmath_max( most, height_of_capsule( o, 0, true, x, y ) );
	}
	for ( uint32_t i = 0; i < o->count && o->sides == 0; ++i )
	{
		most = bvmath_max( most, height_of_ball( o, x - o->x[i], y - o->y[i], o->height[i] ) );
	}
	return most > -INFINITY ? most : core + o->radius;
}
