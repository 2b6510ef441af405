// Where support features face each other: the intersection of their projections along the normal. See manifold.h.
//
// The corners of the intersection of two convex polygons are the corners of each that are inside of the other, and the
// points where sides cross. Both polygons are treated alike. Whether a corner is inside of a side, outside, or on it to
// rounding is decided once. Sides cross only if both ends of each are clearly at different sides of the other; in all other
// cases one of the ends is on the other side, and is found as a corner. A corner that is on a corner is found twice, with
// the same identity.

#include "runtime/convex/manifold_project.h"

// Where a point is in a projected feature.
typedef struct place
{
	uint32_t feature; // 0 for outside
	double height;    // of the core
} place;

static place at_corner( const bvconvex_projected* o, uint32_t i )
{
	return ( place ){ bvconvex_identity_of_corner( o->name[i] ), o->height[i] };
}

static place at_side( const bvconvex_projected* o, uint32_t side, double x, double y )
{
	double at = bvconvex_place_on_side( o, side, x, y );
	return ( place ){ bvconvex_identity_of_edge( o->name[side], o->name[bvconvex_next_corner( o, side )] ),
		              bvconvex_height_on_side( o, side, at ) };
}

static place at_face( const bvconvex_projected* o, double x, double y )
{
	return ( place ){ o->face, bvconvex_height_of_plane( o, x, y ) };
}

// The feature that a point is nearest to, for points that are not known to be inside.
static place nearest_place( const bvconvex_projected* o, double x, double y, double rough )
{
	if ( o->count == 0 )
	{
		return at_face( o, x, y );
	}
	uint32_t corner = 0;
	for ( uint32_t i = 1; i < o->count; ++i )
	{
		bool is_nearer =
			bvconvex_distance_from_corner( o, i, x, y ) < bvconvex_distance_from_corner( o, corner, x, y );
		corner = is_nearer ? i : corner;
	}
	if ( o->count == 1 || bvconvex_distance_from_corner( o, corner, x, y ) <= rough )
	{
		return at_corner( o, corner );
	}
	uint32_t side = 0;
	bool is_inside = o->count >= 3;
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		is_inside &= bvconvex_depth_in_side( o, i, x, y ) > rough;
		side = bvconvex_distance_from_side( o, i, x, y ) < bvconvex_distance_from_side( o, side, x, y )
		           ? i
		           : side;
	}
	return is_inside ? at_face( o, x, y ) : at_side( o, side, x, y );
}

// @param on  the sides that the point is on
static place place_on_border( const bvconvex_projected* o, uint32_t on, double x, double y )
{
	place found = { 0, 0 };
	for ( uint32_t i = 0; i < o->count; ++i )
	{
		if ( bvconvex_distance_from_corner( o, i, x, y ) <= 2 * o->equal )
		{
			return at_corner( o, i );
		}
	}
	// A point on several sides and on no corner is in a needle.
	for ( uint32_t i = 0; i < o->sides; ++i )
	{
		if ( on >> i & 1 && bvconvex_distance_from_side( o, i, x, y ) <= 2 * o->equal )
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
static void compare_corner( bvconvex_projected* o, uint32_t corner, const bvconvex_projected* with )
{
	uint32_t inside = 0;
	uint32_t outside = 0;
	for ( uint32_t i = 0; i < with->sides; ++i )
	{
		double depth = bvconvex_depth_in_side( with, i, o->x[corner], o->y[corner] );
		inside |= (uint32_t)( depth > o->equal ) << i;
		outside |= (uint32_t)( depth < -o->equal ) << i;
	}
	o->inside[corner] = inside;
	o->outside[corner] = outside;
}

static place place_of_corner( const bvconvex_projected* o, uint32_t corner, const bvconvex_projected* in )
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

static void take( const bvconvex_projected o[2], double x, double y, const place at[2],
                  bvconvex_touches* out )
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
	t->height[0] = bvconvex_surface_height( o, x, y, at[0].height );
	t->height[1] = -bvconvex_surface_height( o + 1, x, y, at[1].height );
	t->separation = t->height[1] - t->height[0] + 0.0; // not -0
	t->feature[0] = at[0].feature;
	t->feature[1] = at[1].feature;
}

static void take_corners( const bvconvex_projected o[2], int which, bvconvex_touches* out )
{
	const bvconvex_projected* own = o + which;
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

static bool parts( const bvconvex_projected* o, uint32_t i, uint32_t k, uint32_t side )
{
	uint32_t opposite = ( o->inside[i] & o->outside[k] ) | ( o->outside[i] & o->inside[k] );
	return opposite >> side & 1;
}

static void take_crossing( const bvconvex_projected o[2], uint32_t i, uint32_t k, bvconvex_touches* out )
{
	uint32_t next = bvconvex_next_corner( o, i );
	double from = bvconvex_depth_in_side( o + 1, k, o->x[i], o->y[i] );
	double to = bvconvex_depth_in_side( o + 1, k, o->x[next], o->y[next] );
	double part = from / ( from - to );
	double x = o->x[i] + part * ( o->x[next] - o->x[i] );
	double y = o->y[i] + part * ( o->y[next] - o->y[i] );
	const place at[2] = { at_side( o, i, x, y ), at_side( o + 1, k, x, y ) };
	take( o, x, y, at, out );
}

static void take_crossings( const bvconvex_projected o[2], bvconvex_touches* out )
{
	for ( uint32_t i = 0; i < o[0].sides; ++i )
	{
		uint32_t next = bvconvex_next_corner( o, i );
		for ( uint32_t k = 0; k < o[1].sides; ++k )
		{
			if ( parts( o, i, next, k ) && parts( o + 1, k, bvconvex_next_corner( o + 1, k ), i ) )
			{
				take_crossing( o, i, k, out );
			}
		}
	}
}

// The sides of capsules and cylinders, or one of these and an edge, that are nearly parallel: the shapes rest on both ends of the
// part that they have in common, and not only on the point where they cross. An end is next to the line below the round
// shape, at most by a twentieth of the radius, where the surface is lower by a thousandth of that.
static void take_ends_of_parallels( const bvconvex_projected o[2], bvconvex_touches* out )
{
	const double most_aside = 0.05;
	for ( int which = 0; which < 2; ++which )
	{
		const bvconvex_projected* own = o + which;
		const bvconvex_projected* other = o + 1 - which;
		double radius = other->radius + other->bend;
		// A ball is as round on the line of a sharp edge as at its end. A cylinder has no surface beyond its end.
		bool is_other_sharp = !( radius > 0 );
		radius = is_other_sharp && !( own->bend > 0 ) ? own->radius : radius;
		for ( uint32_t i = 0; i < 2; ++i )
		{
			double x = own->x[i];
			double y = own->y[i];
			double at = other->along[0][0] * ( x - other->x[0] ) + other->along[0][1] * ( y - other->y[0] );
			double aside = bvconvex_depth_in_side( other, 0, x, y );
			bool is_beside = at >= -other->equal && at <= other->length[0] + other->equal &&
			                 fabs( aside ) > other->equal && fabs( aside ) <= most_aside * radius;
			if ( is_beside )
			{
				double way = is_other_sharp ? aside : 0;
				place places[2];
				places[which] = at_corner( own, i );
				places[1 - which] = at_side( other, 0, x, y );
				take( o, x + way * other->along[0][1], y - way * other->along[0][0], places, out );
			}
		}
	}
}

// Does not depend on how the corners are ordered, or turned.
static double size_of( const bvconvex_contact_feature* f )
{
	bv_vec3 middle = { 0, 0, 0 };
	double size = 0;
	for ( uint32_t i = 0; i < f->count; ++i )
	{
		middle = bv_add( middle, bv_scale( 1.0 / f->count, f->corner[i] ) );
	}
	for ( uint32_t i = 0; i < f->count; ++i )
	{
		size = bvmath_max( size, bv_length( bv_sub( f->corner[i], middle ) ) );
	}
	return 2 * size;
}

// The point of a feature that is nearest to another one, with the height of the surface.
typedef struct witness_point
{
	uint32_t feature;
	double x;
	double y;
	double height;
} witness_point;

// @param known  the deepest point of the core, and its height. It counts where the feature is somewhere else
static witness_point witness_of( const bvconvex_projected* o, double x, double y, const double known[3],
                                 double size )
{
	double rough = 1e-6 * size + o->equal;
	place at = nearest_place( o, x, y, rough );
	witness_point out = { .feature = at.feature, .x = x, .y = y };
	if ( o->disc > 0 && o->count > 2 )
	{
		double scale = bvmath_min( 1, 1 / bvconvex_part_of_disc( o, x, y ) );
		out.x = o->center[0] + scale * ( x - o->center[0] );
		out.y = o->center[1] + scale * ( y - o->center[1] );
		at.height = bvconvex_height_of_plane( o, out.x, out.y );
	}
	else if ( at.feature >> 30 != bv_contact_face )
	{
		uint32_t side = 0;
		for ( uint32_t i = 1; i < o->sides; ++i )
		{
			side = bvconvex_distance_from_side( o, i, x, y ) < bvconvex_distance_from_side( o, side, x, y )
			           ? i
			           : side;
		}
		double along = o->sides > 0 ? bvconvex_place_on_side( o, side, x, y ) : 0;
		out.x = o->x[side] + ( o->sides > 0 ? along * o->along[side][0] : 0 );
		out.y = o->y[side] + ( o->sides > 0 ? along * o->along[side][1] : 0 );
		at.height = o->sides > 0 ? bvconvex_height_on_side( o, side, along ) : o->height[0];
	}
	out.height = bvconvex_surface_height( o, out.x, out.y, at.height );
	double off[2] = { out.x - known[0], out.y - known[1] };
	if ( !( sqrt( off[0] * off[0] + off[1] * off[1] ) <= 1e-3 * ( size + o->radius ) + o->equal ) )
	{
		out.x = known[0];
		out.y = known[1];
		out.height = known[2] + o->radius;
	}
	return out;
}

// Where the distance has the deepest point, if the features do not meet there: the normals of curved surfaces are not known exactly,
// and both points can be beside each other. Each is on its surface.
static void take_witness( const bvconvex_projected o[2], const bvconvex_frame* frame,
                          const bv_vec3 witness[2], bvconvex_touches* out )
{
	double known[2][3];
	for ( int i = 0; i < 6; ++i )
	{
		double at = bv_dot( frame->axis[i % 3], bv_sub( witness[i / 3], frame->origin ) );
		known[i / 3][i % 3] = i == 5 ? -at : at;
	}
	double x = 0.5 * ( known[0][0] + known[1][0] );
	double y = 0.5 * ( known[0][1] + known[1][1] );
	witness_point a = witness_of( o, x, y, known[0], out->size );
	witness_point b = witness_of( o + 1, x, y, known[1], out->size );
	uint32_t i = 0;
	while ( i < out->count && ( out->at[i].feature[0] != a.feature || out->at[i].feature[1] != b.feature ) )
	{
		++i;
	}
	i = i == bvconvex_touches_most ? i - 1 : i;
	out->count = i == out->count ? out->count + 1 : out->count;
	bvconvex_touch* t = out->at + i;
	t->x = 0.5 * ( a.x + b.x );
	t->y = 0.5 * ( a.y + b.y );
	t->height[0] = a.height;
	t->height[1] = -b.height;
	t->separation = t->height[1] - t->height[0] + 0.0;
	t->feature[0] = out->witness[0] = a.feature;
	t->feature[1] = out->witness[1] = b.feature;
	out->aside[0] = b.x - t->x;
	out->aside[1] = b.y - t->y;
}

void bvconvex_features_meet( const bvconvex_contact_feature feature[2], const bvconvex_frame* frame,
                             const bv_vec3 witness[2], double upper, double rounding, bvconvex_touches* out )
{
	bvconvex_projected o[2];
	out->count = 0;
	out->witness[0] = out->witness[1] = 0;
	out->size = bvmath_max( size_of( feature ), size_of( feature + 1 ) );
	out->equal = 0x1p-32 * out->size + 4 * rounding;
	bvconvex_project( feature, frame, 1, out->equal, o );
	bvconvex_project( feature + 1, frame, -1, out->equal, o + 1 );
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
	if ( o[0].count == 2 && o[1].count == 2 )
	{
		take_ends_of_parallels( o, out );
	}
	double least = INFINITY;
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		least = bvmath_min( least, out->at[i].separation );
	}
	double size = out->size + bvmath_max( o[0].radius, o[1].radius );
	if ( !( least <= upper + 5e-7 * size + out->equal ) )
	{
		take_witness( o, frame, witness, out );
	}
}
