// Where support features face each other: the intersection of their projections along the normal. See manifold.h.
//
// The corners of the intersection of two convex polygons are the corners of each that are inside of the other, and the
// points where sides cross. Both polygons are treated alike. Whether a corner is inside of a side, outside, or on it to
// rounding is decided once. Sides cross only if both ends of each are clearly at different sides of the other; in all other
// cases one of the ends is on the other side, and is found as a corner. A corner that is on a corner is found twice, with
// the same identity.
//
// A shape with a radius has a rounded surface above the feature of its core. The height of the surface is that of the offset
// plane, or of the cylinder or ball around a side. Above the projection of the core's feature this is the surface of the
// shape, because the normal is in the normal cone of the corner that the feature has been found from.

#include "runtime/convex/manifold.h"

// A projected feature. Heights are along its own direction, outwards.
typedef struct projected
{
	uint32_t count; // 0 for a plane
	uint32_t sides;
	uint32_t name[bvconvex_feature_most];
	double x[bvconvex_feature_most];
	double y[bvconvex_feature_most];
	double height[bvconvex_feature_most];
	double along[bvconvex_feature_most][2]; // unit vector from each corner to the next
	double length[bvconvex_feature_most];
	uint32_t
		inside[bvconvex_feature_most]; // of each of its corners, the sides of the other that it is inside of
	uint32_t outside[bvconvex_feature_most]; // and outside of; neither of those that it is on
	bool is_face;
	double slope[2];  // of a face: what the height changes by
	double normal[3]; // of a face
	uint32_t face;
	double radius;
	double equal; // lengths that differ by as much are equal
} projected;

static uint32_t next_of( const projected* o, uint32_t i )
{
	return i + 1 == o->count ? 0 : i + 1;
}

static void swap_corners( projected* o, uint32_t i, uint32_t k )
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

static void move_corner( projected* o, uint32_t from, uint32_t to )
{
	o->name[to] = o->name[from];
	o->x[to] = o->x[from];
	o->y[to] = o->y[from];
	o->height[to] = o->height[from];
}

static double distance_of( const projected* o, uint32_t i, uint32_t k )
{
	double x = o->x[k] - o->x[i];
	double y = o->y[k] - o->y[i];
	return sqrt( x * x + y * y );
}

// @return how far the corner k is to the left of the line from i to j; 0 for a line without a direction
static double left_of( const projected* o, uint32_t i, uint32_t j, uint32_t k )
{
	double length = distance_of( o, i, j );
	double x = o->x[j] - o->x[i];
	double y = o->y[j] - o->y[i];
	return length > 0 ? ( x * ( o->y[k] - o->y[i] ) - y * ( o->x[k] - o->x[i] ) ) / length : 0;
}

static bool comes_before( const projected* o, uint32_t i, uint32_t k )
{
	return o->x[i] < o->x[k] ||
	       ( o->x[i] == o->x[k] &&
	         ( o->y[i] < o->y[k] || ( o->y[i] == o->y[k] && o->name[i] < o->name[k] ) ) );
}

// The hull of corners in any order: A. M. Andrew, "Another efficient algorithm for convex hulls in two dimensions", 1979.
// Corners on sides to rounding are dropped.
BVSIMD_NOINLINE void order( projected* o )
{
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
	projected all = *o;
	o->count = count - 1;
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		o->name[i] = all.name[chain[i]];
		o->x[i] = all.x[chain[i]];
		o->y[i] = all.y[chain[i]];
		o->height[i] = all.height[chain[i]];
	}
}

static void turn_around( projected* o )
{
	for ( uint32_t i = 0; i < o->count / 2; ++i )
	{
		swap_corners( o, i, o->count - 1 - i );
	}
}

static double area_of( const projected* o )
{
	double area = 0;
	for ( uint32_t i = 2; i < o->count; ++i )
	{
		area += ( o->x[i - 1] - o->x[0] ) * ( o->y[i] - o->y[0] ) -
		        ( o->x[i] - o->x[0] ) * ( o->y[i - 1] - o->y[0] );
	}
	return area;
}

// Corners of flat shapes can be in the same place. The lesser name remains, whatever the order.
static void drop_equal( projected* o )
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

static void find_sides( projected* o )
{
	o->sides = o->count >= 3 ? o->count : o->count == 2 ? 1 : 0;
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		uint32_t k = next_of( o, i );
		o->length[i] = distance_of( o, i, k );
		o->along[i][0] = ( o->x[k] - o->x[i] ) / o->length[i];
		o->along[i][1] = ( o->y[k] - o->y[i] ) / o->length[i];
	}
}

// @param sign  1 for the shape that the normal leads out of, -1 for the other
static void project( const bvconvex_contact_feature* f, const bvconvex_frame* frame, int sign, double equal,
                     projected* out )
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
	out->slope[0] = -out->normal[0] / out->normal[2];
	out->slope[1] = -out->normal[1] / out->normal[2];
	if ( out->count >= 3 && !f->ordered )
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

static double height_of_plane( const projected* o, double x, double y )
{
	return o->height[0] + ( o->slope[0] * ( x - o->x[0] ) + o->slope[1] * ( y - o->y[0] ) );
}

static double limited( double x, double most )
{
	return x < 0 ? 0 : x > most ? most : x;
}

// Where on a side a point is, from 0 to the length of the side.
static double place_on_side( const projected* o, uint32_t side, double x, double y )
{
	double at = o->along[side][0] * ( x - o->x[side] ) + o->along[side][1] * ( y - o->y[side] );
	return limited( at, o->length[side] );
}

static double height_on_side( const projected* o, uint32_t side, double place )
{
	uint32_t k = next_of( o, side );
	return o->height[side] + place / o->length[side] * ( o->height[k] - o->height[side] );
}

// How far a point is inside of a side.
static double depth_of( const projected* o, uint32_t side, double x, double y )
{
	return o->along[side][0] * ( y - o->y[side] ) - o->along[side][1] * ( x - o->x[side] );
}

static double distance_from_corner( const projected* o, uint32_t i, double x, double y )
{
	double dx = x - o->x[i];
	double dy = y - o->y[i];
	return sqrt( dx * dx + dy * dy );
}

static double distance_from_side( const projected* o, uint32_t side, double x, double y )
{
	double place = place_on_side( o, side, x, y );
	double dx = x - ( o->x[side] + place * o->along[side][0] );
	double dy = y - ( o->y[side] + place * o->along[side][1] );
	return sqrt( dx * dx + dy * dy );
}

// The height of a ball around a point of the core; -infinity beside the ball.
static double height_of_ball( const projected* o, double dx, double dy, double height )
{
	double square = o->radius * o->radius - ( dx * dx + dy * dy );
	return square >= 0 ? height + sqrt( square ) : -INFINITY;
}

// The height of a capsule around a side. With the point (w, s), relative to the start of the side, on the cylinder around the
// line with direction d: |w|^2 + s^2 - (w * d + s h)^2 / |d|^2 = r^2, where h is the height of d.
static double height_of_capsule( const projected* o, uint32_t side, double x, double y )
{
	uint32_t k = next_of( o, side );
	double wx = x - o->x[side];
	double wy = y - o->y[side];
	double rise = o->height[k] - o->height[side];
	double length = o->length[side];
	double square = length * length + rise * rise;
	double along = length * ( o->along[side][0] * wx + o->along[side][1] * wy );
	double a = length * length / square;
	double b = along * rise / square;
	double c = ( wx * wx + wy * wy ) - along * along / square - o->radius * o->radius;
	double root = b * b - a * c;
	if ( !( root >= 0 ) )
	{
		return -INFINITY;
	}
	double up = ( b + sqrt( root ) ) / a;
	double place = ( along + up * rise ) / square;
	if ( place >= 0 && place <= 1 )
	{
		return o->height[side] + up;
	}
	uint32_t end = place > 1 ? k : side;
	return height_of_ball( o, x - o->x[end], y - o->y[end], o->height[end] );
}

// The height of the surface above a point of the feature.
// @param core  the height of the core there
static double surface_height( const projected* o, double x, double y, double core )
{
	if ( !( o->radius > 0 ) )
	{
		return core;
	}
	if ( o->is_face )
	{
		double under[2] = { x - o->radius * o->normal[0], y - o->radius * o->normal[1] };
		bool is_inside = true;
		for ( uint32_t i = 0; i < o->sides && is_inside; ++i )
		{
			is_inside = depth_of( o, i, under[0], under[1] ) >= 0;
		}
		if ( is_inside && ( o->count == 0 || o->count >= 3 ) )
		{
			return height_of_plane( o, under[0], under[1] ) + o->radius * o->normal[2];
		}
	}
	double most = -INFINITY;
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		most = bvmath_max( most, height_of_capsule( o, i, x, y ) );
	}
	for ( uint32_t i = 0; i < o->count && o->sides == 0; ++i )
	{
		most = bvmath_max( most, height_of_ball( o, x - o->x[i], y - o->y[i], o->height[i] ) );
	}
	return most > -INFINITY ? most : core + o->radius;
}

// Where a point is in a projected feature.
typedef struct place
{
	uint32_t feature; // 0 for outside
	double height;    // of the core
} place;

static place at_corner( const projected* o, uint32_t i )
{
	return ( place ){ bvconvex_identity_of_corner( o->name[i] ), o->height[i] };
}

static place at_side( const projected* o, uint32_t side, double x, double y )
{
	double at = place_on_side( o, side, x, y );
	return ( place ){ bvconvex_identity_of_edge( o->name[side], o->name[next_of( o, side )] ),
		              height_on_side( o, side, at ) };
}

static place at_face( const projected* o, double x, double y )
{
	return ( place ){ o->face, height_of_plane( o, x, y ) };
}

// The feature that a point is nearest to, for points that are not known to be inside.
static place nearest_place( const projected* o, double x, double y, double rough )
{
	if ( o->count == 0 )
	{
		return at_face( o, x, y );
	}
	uint32_t corner = 0;
	for ( uint32_t i = 1; i < o->count; ++i )
	{
		bool is_nearer = distance_from_corner( o, i, x, y ) < distance_from_corner( o, corner, x, y );
		corner = is_nearer ? i : corner;
	}
	if ( o->count == 1 || distance_from_corner( o, corner, x, y ) <= rough )
	{
		return at_corner( o, corner );
	}
	uint32_t side = 0;
	bool is_inside = o->count >= 3;
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		is_inside &= depth_of( o, i, x, y ) > rough;
		side = distance_from_side( o, i, x, y ) < distance_from_side( o, side, x, y ) ? i : side;
	}
	return is_inside ? at_face( o, x, y ) : at_side( o, side, x, y );
}

// @param on  the sides that the point is on
static place place_on_border( const projected* o, uint32_t on, double x, double y )
{
	place found = { 0, 0 };
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		if ( distance_from_corner( o, i, x, y ) <= 2 * o->equal )
		{
			return at_corner( o, i );
		}
	}
	// A point on several sides and on no corner is in a needle.
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		if ( on >> i & 1 && distance_from_side( o, i, x, y ) <= 2 * o->equal )
		{
			place at = at_side( o, i, x, y );
			found = found.feature == 0 || at.feature < found.feature ? at : found;
		}
	}
	return found;
}

static uint32_t bits_below( uint32_t count )
{
	return count >= 32 ? UINT32_MAX : ( 1u << count ) - 1;
}

// Finds out at which side of each side of the other feature a corner is.
static void compare_corner( projected* o, uint32_t corner, const projected* with )
{
	uint32_t inside = 0;
	uint32_t outside = 0;
	for ( uint32_t i = 0; i < with->sides; ++i )
	{
		double depth = depth_of( with, i, o->x[corner], o->y[corner] );
		inside |= (uint32_t)( depth > o->equal ) << i;
		outside |= (uint32_t)( depth < -o->equal ) << i;
	}
	o->inside[corner] = inside;
	o->outside[corner] = outside;
}

static place place_of_corner( const projected* o, uint32_t corner, const projected* in )
{
	double x = o->x[corner];
	double y = o->y[corner];
	if ( in->count == 0 )
	{
		return at_face( in, x, y );
	}
	// Both sides of a segment are outside.
	uint32_t all = bits_below( in->sides );
	if ( ( in->count >= 3 ? o->outside[corner] : o->outside[corner] | o->inside[corner] ) != 0 )
	{
		return ( place ){ 0, 0 };
	}
	uint32_t on = all & ~o->inside[corner];
	return in->count >= 3 && on == 0 ? at_face( in, x, y ) : place_on_border( in, on, x, y );
}

static void take( const projected o[2], double x, double y, const place at[2], bvconvex_touches* out )
{
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		const uint32_t* known = out->at[i].feature;
		if ( known[0] == at[0].feature && known[1] == at[1].feature )
		{
			return;
		}
	}
	if ( out->count == bvconvex_touches_most )
	{
		return;
	}
	bvconvex_touch* t = out->at + out->count++;
	t->x = x;
	t->y = y;
	t->height[0] = surface_height( o, x, y, at[0].height );
	t->height[1] = -surface_height( o + 1, x, y, at[1].height );
	t->separation = t->height[1] - t->height[0] + 0.0; // not -0
	t->feature[0] = at[0].feature;
	t->feature[1] = at[1].feature;
}

static void take_corners( const projected o[2], int which, bvconvex_touches* out )
{
	const projected* own = o + which;
	for ( uint32_t i = 0; i < own->count; ++i )
	{
		place at[2];
		at[which] = at_corner( own, i );
		at[1 - which] = place_of_corner( own, i, o + 1 - which );
		if ( at[1 - which].feature != 0 )
		{
			take( o, own->x[i], own->y[i], at, out );
		}
	}
}

static bool parts( const projected* o, uint32_t i, uint32_t k, uint32_t side )
{
	uint32_t opposite = ( o->inside[i] & o->outside[k] ) | ( o->outside[i] & o->inside[k] );
	return opposite >> side & 1;
}

static void take_crossing( const projected o[2], uint32_t i, uint32_t k, bvconvex_touches* out )
{
	uint32_t next = next_of( o, i );
	double from = depth_of( o + 1, k, o->x[i], o->y[i] );
	double to = depth_of( o + 1, k, o->x[next], o->y[next] );
	double part = from / ( from - to );
	double x = o->x[i] + part * ( o->x[next] - o->x[i] );
	double y = o->y[i] + part * ( o->y[next] - o->y[i] );
	const place at[2] = { at_side( o, i, x, y ), at_side( o + 1, k, x, y ) };
	take( o, x, y, at, out );
}

static void take_crossings( const projected o[2], bvconvex_touches* out )
{
	for ( uint32_t i = 0; i < o[0].sides; ++i )
	{
		uint32_t next = next_of( o, i );
		for ( uint32_t k = 0; k < o[1].sides; ++k )
		{
			if ( parts( o, i, next, k ) && parts( o + 1, k, next_of( o + 1, k ), i ) )
			{
				take_crossing( o, i, k, out );
			}
		}
	}
}

// The sides of capsules, or of a capsule and an edge, that are nearly parallel: the shapes rest on both ends of the part that
// they have in common, and not only on the point where they cross.
static void take_ends_of_parallels( const projected o[2], bvconvex_touches* out )
{
	const double most_aside = 0.05; // of the radii: the surface there is lower by a thousandth of that
	double radius = o[0].radius + o[1].radius;
	for ( int which = 0; which < 2; ++which )
	{
		const projected* own = o + which;
		const projected* other = o + 1 - which;
		for ( uint32_t i = 0; i < 2; ++i )
		{
			double x = own->x[i];
			double y = own->y[i];
			double at = other->along[0][0] * ( x - other->x[0] ) + other->along[0][1] * ( y - other->y[0] );
			double aside = depth_of( other, 0, x, y );
			bool is_beside = at >= -other->equal && at <= other->length[0] + other->equal &&
			                 fabs( aside ) > other->equal && fabs( aside ) <= most_aside * radius;
			if ( is_beside )
			{
				// Between both, nearer to the one with the smaller radius.
				double way = aside * own->radius / radius;
				place places[2];
				places[which] = at_corner( own, i );
				places[1 - which] = at_side( other, 0, x, y );
				take( o, x + way * other->along[0][1], y - way * other->along[0][0], places, out );
			}
		}
	}
}

static double size_of( const bvconvex_contact_feature* f )
{
	double size = 0;
	for ( uint32_t i = 1; i < f->count; ++i )
	{
		size = bvmath_max( size, bvmath_largest( bv_sub( f->corner[i], f->corner[0] ) ) );
	}
	return size;
}

// The deepest contact as the distance has it.
static void take_witness( const projected o[2], const bvconvex_frame* frame, const bv_vec3 witness[2],
                          bvconvex_touches* out )
{
	bv_vec3 from[2] = { bv_sub( witness[0], frame->origin ), bv_sub( witness[1], frame->origin ) };
	bv_vec3 middle = bv_scale( 0.5, bv_add( from[0], from[1] ) );
	double x = bv_dot( frame->axis[0], middle );
	double y = bv_dot( frame->axis[1], middle );
	double rough = 1e-6 * out->size + out->equal;
	const uint32_t feature[2] = { nearest_place( o, x, y, rough ).feature,
		                          nearest_place( o + 1, x, y, rough ).feature };
	uint32_t i = 0;
	while ( i < out->count && ( out->at[i].feature[0] != feature[0] || out->at[i].feature[1] != feature[1] ) )
	{
		++i;
	}
	i = i == bvconvex_touches_most ? i - 1 : i;
	out->count = i == out->count ? out->count + 1 : out->count;
	bvconvex_touch* t = out->at + i;
	t->x = x;
	t->y = y;
	t->height[0] = bv_dot( frame->axis[2], from[0] ) + o[0].radius;
	t->height[1] = bv_dot( frame->axis[2], from[1] ) - o[1].radius;
	t->separation = t->height[1] - t->height[0];
	t->feature[0] = feature[0];
	t->feature[1] = feature[1];
}

void bvconvex_features_meet( const bvconvex_contact_feature feature[2], const bvconvex_frame* frame,
                             const bv_vec3 witness[2], double upper, double rounding, bvconvex_touches* out )
{
	projected o[2];
	out->count = 0;
	out->size = bvmath_max( size_of( feature ), size_of( feature + 1 ) );
	out->equal = 0x1p-32 * out->size + 4 * rounding;
	project( feature, frame, 1, out->equal, o );
	project( feature + 1, frame, -1, out->equal, o + 1 );
	for ( int which = 0; which < 2; ++which )
	{
		for ( uint32_t i = 0; i < o[which].count; ++i )
		{
			compare_corner( o + which, i, o + 1 - which );
		}
	}
	take_corners( o, 0, out );
	take_corners( o, 1, out );
	take_crossings( o, out );
	if ( o[0].count == 2 && o[1].count == 2 && o[0].radius + o[1].radius > 0 )
	{
		take_ends_of_parallels( o, out );
	}
	double least = INFINITY;
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		least = bvmath_min( least, out->at[i].separation );
	}
	double size = out->size + bvmath_max( o[0].radius, o[1].radius );
	if ( !( least <= upper + 1e-7 * size + out->equal ) )
	{
		take_witness( o, frame, witness, out );
	}
}
