// Support features: the face, edge or corner of a shape that is farthest along a direction. See manifold.h.

#include "runtime/convex/manifold.h"

#include "runtime/convex/closed.h"
#include "runtime/math/matrix.h"

// Bits that tell what a feature is.
#define CORNER ( (uint32_t)bv_contact_vertex << 30 )
#define EDGE   ( (uint32_t)bv_contact_edge << 30 )
#define FACE   ( (uint32_t)bv_contact_face << 30 )

static const double least_cosine = 0.998629534754574;

static uint32_t mixed( uint64_t a, uint64_t b, uint64_t c )
{
	uint64_t m = a * UINT64_C( 0x9E3779B97F4A7C15 );
	m = ( ( m ^ m >> 29 ) + b ) * UINT64_C( 0xBF58476D1CE4E5B9 );
	m = ( ( m ^ m >> 32 ) + c ) * UINT64_C( 0x94D049BB133111EB );
	return (uint32_t)( m >> 34 );
}

uint32_t bvconvex_identity_of_corner( uint32_t name )
{
	return CORNER | ( name & ~FACE );
}

uint32_t bvconvex_identity_of_edge( uint32_t from, uint32_t to )
{
	uint32_t low = from < to ? from : to;
	uint32_t high = from < to ? to : from;
	return EDGE | ( high < 1u << 15 ? low << 15 | high : mixed( low, high, 0 ) );
}

// Two faces have two corners in common at most, so that three of them tell which one it is.
uint32_t bvconvex_identity_of_face( const uint32_t* name, uint32_t count )
{
	uint32_t least[3] = { UINT32_MAX, UINT32_MAX, UINT32_MAX };
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t n = name[i];
		for ( int k = 0; k < 3; ++k )
		{
			uint32_t larger = least[k] > n ? least[k] : n;
			least[k] = least[k] > n ? n : least[k];
			n = larger;
		}
	}
	return FACE | ( least[2] < 1u << 10 ? least[0] << 20 | least[1] << 10 | least[2]
	                                    : mixed( least[0], least[1], least[2] ) );
}

static void take_box_corner( const bvconvex_pair* pair, int which, uint32_t name,
                             bvconvex_contact_feature* out )
{
	bvconvex_feature_add( name, bvconvex_pair_corner( pair, which, name ), out );
}

static void take_box( const bvconvex_pair* pair, int which, bv_vec3 along, bvconvex_contact_feature* out )
{
	const bvconvex_body* body = pair->body + which;
	bv_vec3 axis[3];
	double slope[3];
	uint32_t corner = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		axis[k] = bvconvex_body_placed( body, body->own.convex->box.axis[k] );
		slope[k] = bv_dot( along, axis[k] );
		corner |= (uint32_t)( slope[k] > 0 ) << k;
	}
	for ( uint32_t k = 0; k < 3; ++k )
	{
		uint32_t i = ( k + 1 ) % 3;
		uint32_t j = ( k + 2 ) % 3;
		bv_vec3 normal = bv_normalize( bv_cross( axis[i], axis[j] ) );
		double cosine = bv_dot( normal, along );
		if ( fabs( cosine ) >= least_cosine )
		{
			uint32_t fixed = corner & 1u << k;
			take_box_corner( pair, which, fixed, out );
			take_box_corner( pair, which, fixed | 1u << i, out );
			take_box_corner( pair, which, fixed | 1u << i | 1u << j, out );
			take_box_corner( pair, which, fixed | 1u << j, out );
			out->ordered = true;
			out->normal = cosine < 0 ? bv_negate( normal ) : normal;
			return;
		}
	}
	uint32_t flattest = fabs( slope[0] ) <= fabs( slope[1] ) ? 0 : 1;
	flattest = fabs( slope[flattest] ) <= fabs( slope[2] ) ? flattest : 2;
	uint32_t across = 1u << flattest;
	bool is_edge = fabs( slope[flattest] ) <= BVCONVEX_FEATURE_SINE;
	take_box_corner( pair, which, is_edge ? corner & ~across : corner, out );
	if ( is_edge )
	{
		take_box_corner( pair, which, corner | across, out );
	}
}

// Names of points of cylinders and cones: points of the rims, those that are farthest along a direction, and the apex.
enum
{
	farthest_of_rim = 62,
	name_of_apex = 63,
	names_of_end = 64, // after these come those of the other end
};

// A cylinder or a cone in its own coordinates.
typedef struct turned
{
	const bvconvex_body* body;
	bv_vec3 end[2];
	bv_vec3 axis; // unit vector from the first to the second end
	double disc;
} turned;

static void take_own( const turned* t, uint32_t name, bv_vec3 own, bvconvex_contact_feature* out )
{
	bvconvex_feature_add( name, bvconvex_body_point( t->body, own ), out );
}

// A circle by points of it that turn with the shape, and the farthest one unless all are as far.
// @param farthest  unit vector from the center; 0 for none
static void take_rim( const turned* t, int end, bv_vec3 farthest, bvconvex_contact_feature* out )
{
	static const double cosine[6] = { 1,   0.96592582628906831, 0.86602540378443860, 0.70710678118654757,
		                              0.5, 0.25881904510252074 };
	bv_vec3 first = bvconvex_any_normal( t->axis );
	bv_vec3 second = bv_cross( t->axis, first );
	bv_vec3 way[bvconvex_rim_points];
	uint32_t nearest = 0;
	for ( uint32_t k = 0; k < bvconvex_rim_points; ++k )
	{
		double c = cosine[k % 6];
		double d = k % 6 == 0 ? 0 : cosine[6 - k % 6];
		bv_vec3 u = k / 6 % 2 == 0 ? first : second;
		bv_vec3 v = k / 6 % 2 == 0 ? second : bv_negate( first );
		double sign = k / 12 == 0 ? 1 : -1;
		way[k] = bv_add( bv_scale( sign * c, u ), bv_scale( sign * d, v ) );
		nearest = bv_dot( way[k], farthest ) > bv_dot( way[nearest], farthest ) ? k : nearest;
	}
	// After the nearest point or before it.
	double turn = bv_dot( t->axis, bv_cross( way[nearest], farthest ) );
	uint32_t after = turn >= 0 ? nearest : ( nearest + bvconvex_rim_points - 1 ) % bvconvex_rim_points;
	bool is_another = fabs( turn ) > 1e-6;
	uint32_t names = names_of_end * (uint32_t)end;
	for ( uint32_t k = 0; k < bvconvex_rim_points; ++k )
	{
		take_own( t, k + names, bv_add( t->end[end], bv_scale( t->disc, way[k] ) ), out );
		if ( is_another && k == after )
		{
			bv_vec3 at = bv_add( t->end[end], bv_scale( t->disc, farthest ) );
			take_own( t, farthest_of_rim + names, at, out );
		}
	}
	out->normal = bvconvex_body_placed( t->body, end == 0 ? bv_negate( t->axis ) : t->axis );
	out->ordered = true;
	out->disc = t->body->placed ? t->body->placed->scale * t->disc : t->disc;
	out->center = bvconvex_body_point( t->body, t->end[end] );
}

static void take_turned( const bvconvex_body* body, bv_vec3 along, bvconvex_contact_feature* out )
{
	const bv_convex* shape = body->own.convex;
	bool is_cone = shape->kind == bv_convex_of_cone;
	bv_vec3 way = bv_sub( shape->corner[1], shape->corner[0] );
	turned t = { body, { shape->corner[0], shape->corner[1] }, bv_normalize( way ), shape->disc };
	bv_vec3 own = bvconvex_body_direction( body, along );
	double slope = bv_dot( own, t.axis );
	bv_vec3 lateral = bv_sub( own, bv_scale( slope, t.axis ) );
	double across = bv_length( lateral );
	lateral = across > 1e-9 ? bv_scale( 1 / across, lateral ) : ( bv_vec3 ){ 0, 0, 0 };
	int end = slope > 0 ? 1 : 0;
	if ( fabs( slope ) >= least_cosine && !( is_cone && end == 1 ) )
	{
		take_rim( &t, end, lateral, out );
		return;
	}
	double height = bv_length( way );
	bv_vec3 to_rim = bv_scale( t.disc, lateral );
	double side =
		is_cone ? ( across * height + slope * t.disc ) / sqrt( height * height + t.disc * t.disc ) : across;
	bv_vec3 second = is_cone ? t.end[1] : bv_add( t.end[1], to_rim );
	uint32_t second_name = is_cone ? name_of_apex : names_of_end + farthest_of_rim;
	if ( side >= least_cosine )
	{
		take_own( &t, farthest_of_rim, bv_add( t.end[0], to_rim ), out );
		take_own( &t, second_name, second, out );
		double scale = body->placed ? body->placed->scale : 1;
		out->bend = is_cone ? 0 : scale * t.disc;
		out->inwards = bv_scale( -out->bend, bvconvex_body_placed( body, lateral ) );
		return;
	}
	bool is_second = is_cone ? slope * height > across * t.disc : end == 1;
	take_own( &t, is_second ? second_name : farthest_of_rim, is_second ? second : bv_add( t.end[0], to_rim ),
	          out );
}

static void take_plane( const bvconvex_body* body, bv_vec3 along, bvconvex_contact_feature* out )
{
	const bv_convex* shape = body->own.convex;
	double length = bv_length( shape->normal );
	out->corner[0] = bvconvex_body_point(
		body, bv_scale( shape->offset / length, bv_scale( 1 / length, shape->normal ) ) );
	out->normal = along;
	out->ordered = true;
	out->face = FACE;
}

void bvconvex_feature_find( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                            bv_vec3 witness, bvconvex_contact_feature* out )
{
	const bvconvex_body* body = pair->body + which;
	out->count = 0;
	out->ordered = false;
	out->normal = along;
	out->disc = out->bend = 0;
	out->center = out->inwards = ( bv_vec3 ){ 0, 0, 0 };
	out->radius = pair->one_radius[which];
	switch ( body->own.convex->kind )
	{
	case bv_convex_of_box: take_box( pair, which, along, out ); break;
	case bv_convex_of_cylinder:
	case bv_convex_of_cone: take_turned( body, along, out ); break;
	case bv_convex_of_half_space: take_plane( body, along, out ); return;
	case bv_convex_of_ellipsoid:
		bvconvex_feature_add( 0, pair->search.support[which]( body, &along, BVCONVEX_NO_POINT ).at, out );
		break;
	case bv_convex_of_support: bvconvex_feature_add( 0, witness, out ); break;
	default: bvconvex_feature_of_polytope( pair, which, along, near, out );
	}
	out->face = out->count > 2 ? bvconvex_identity_of_face( out->name, out->count ) : 0;
}
