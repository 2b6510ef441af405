// Support features: the face, edge or corner of a shape that is farthest along a direction. See manifold.h.
//
// Of polytopes whose faces are not listed, a feature is found by tilting a plane. It lies on the farthest corner. The edge
// that it meets first when it tilts is the one of the least slope, and the faces at both sides of that edge are those that the
// plane meets when it turns around the edge. Of all corners as far along the normal of such a face, the hull is the face. Where
// neighbors are known, those of the farthest corner are enough: the others are inside of the cone that they span.

#include "runtime/convex/manifold.h"

#include "runtime/convex/closed.h"
#include "runtime/math/matrix.h"

// Bits that tell what a feature is.
#define CORNER ( (uint32_t)bv_contact_vertex << 30 )
#define EDGE   ( (uint32_t)bv_contact_edge << 30 )
#define FACE   ( (uint32_t)bv_contact_face << 30 )

static const double most_slope = 0.0524077792830412; // the tangent of 3 degrees
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

static void take_corner( uint32_t name, bv_vec3 at, bvconvex_contact_feature* out )
{
	out->name[out->count] = name;
	out->corner[out->count++] = at;
}

static void take_box_corner( const bvconvex_pair* pair, int which, uint32_t name,
                             bvconvex_contact_feature* out )
{
	take_corner( name, bvconvex_pair_corner( pair, which, name ), out );
}

static bv_vec3 placed_direction( const bvconvex_body* body, bv_vec3 own )
{
	return body->placed ? bvmath_times( &body->placed->turn, own ) : own;
}

static void take_box( const bvconvex_pair* pair, int which, bv_vec3 along, bvconvex_contact_feature* out )
{
	const bvconvex_body* body = pair->body + which;
	bv_vec3 axis[3];
	double slope[3];
	uint32_t corner = 0;
	for ( uint32_t k = 0; k < 3; ++k )
	{
		axis[k] = placed_direction( body, body->own.convex->box.axis[k] );
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

enum
{
	most_ways = 24, // that are kept
};

// The corners around one of a polytope, or all of them.
typedef struct surroundings
{
	const bvconvex_pair* pair;
	int which;
	bv_vec3 along;
	uint32_t name; // of the corner
	bv_vec3 at;
	uint32_t count;
	const uint32_t* neighbors; // null for all corners
	double rough;              // heights that differ by less are equal
	bv_vec3 way[most_ways];    // from the corner to the first of them
} surroundings;

static void find_surroundings( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                               surroundings* out )
{
	const bvconvex_prepared* s = &pair->body[which].own;
	const bvconvex_gjk_pair* search = &pair->search;
	bvconvex_support top = search->support[which]( search->shape[which], &along, near );
	out->pair = pair;
	out->which = which;
	out->along = along;
	out->name = top.name;
	out->at = top.at;
	out->count = s->first_neighbor ? s->first_neighbor[top.name + 1] - s->first_neighbor[top.name] : 0;
	out->neighbors = out->count > 0 ? s->neighbors + s->first_neighbor[top.name] : NULL;
	out->count = out->neighbors ? out->count : s->corners;
}

// @return the way to one of them; 0 for the corner itself and for one that a graph only says that it has
static bv_vec3 find_way( const surroundings* s, uint32_t index )
{
	uint32_t name = s->neighbors ? s->neighbors[index] : index;
	return name < s->pair->body[s->which].own.corners
	           ? bv_sub( bvconvex_pair_corner( s->pair, s->which, name ), s->at )
	           : ( bv_vec3 ){ 0, 0, 0 };
}

static bv_vec3 way_to( const surroundings* s, uint32_t index )
{
	return index < most_ways ? s->way[index] : find_way( s, index );
}

static uint32_t name_of( const surroundings* s, uint32_t index )
{
	return s->neighbors ? s->neighbors[index] : index;
}

static void measure( surroundings* s )
{
	double size = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 way = find_way( s, i );
		if ( i < most_ways )
		{
			s->way[i] = way;
		}
		size = bvmath_max( size, bv_dot( way, way ) );
	}
	s->rough = 0x1p-30 * sqrt( size ) + 4 * s->pair->rounding;
}

static bool is_flat( const surroundings* s, bv_vec3 way )
{
	double depth = bvmath_max( -bv_dot( way, s->along ), 0 );
	double square = bv_dot( way, way ) - depth * depth;
	return square > s->rough * s->rough && depth * depth <= most_slope * most_slope * square;
}

// Where slopes are equal to rounding, the edge to the farthest corner is the most certain one.
// @return its index; the number of corners around for none
static uint32_t flattest_edge( const surroundings* s )
{
	uint32_t best = s->count;
	double least = INFINITY;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 way = way_to( s, i );
		double depth = -bv_dot( way, s->along );
		double square = bv_dot( way, way ) - depth * depth;
		double length = square > 0 ? sqrt( square ) : 0;
		double slope = ( bvmath_max( depth, 0 ) + s->rough ) / length;
		bool is_flatter = slope < least && is_flat( s, way );
		best = is_flatter ? i : best;
		least = is_flatter ? slope : least;
	}
	return best;
}

// @param edge    a direction along the edge, of length 1
// @param normal  receives the unit normal of the face that is nearer to the direction
// @return false if neither side has one that is near enough
static bool turn_to_face( const surroundings* s, bv_vec3 edge, bv_vec3* normal )
{
	bv_vec3 up = bv_normalize( bv_sub( s->along, bv_scale( bv_dot( s->along, edge ), edge ) ) );
	bv_vec3 side = bv_cross( edge, up );
	bv_vec3 found[2];
	double least[2] = { INFINITY, INFINITY };
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		bv_vec3 way = way_to( s, i );
		double across = bv_dot( way, side );
		double depth =
			-bv_dot( way, up ); // below 0 by rounding, or for an edge that is the flattest to rounding only
		double slope = ( bvmath_max( depth, 0 ) + s->rough ) / fabs( across );
		int which = across > 0;
		if ( fabs( across ) > s->rough && slope < least[which] )
		{
			least[which] = slope;
			found[which] =
				bv_add( bv_scale( fabs( across ), up ), bv_scale( across > 0 ? depth : -depth, side ) );
		}
	}
	double best = -1;
	*normal = s->along;
	for ( int i = 0; i < 2; ++i )
	{
		bv_vec3 unit = least[i] < INFINITY ? bv_normalize( found[i] ) : ( bv_vec3 ){ 0, 0, 0 };
		double cosine = bv_dot( unit, s->along );
		*normal = cosine > best ? unit : *normal;
		best = bvmath_max( best, cosine );
	}
	return best >= least_cosine;
}

static bool is_above_all( const surroundings* s, bv_vec3 normal )
{
	bool is_above = true;
	for ( uint32_t i = 0; i < s->count && is_above; ++i )
	{
		is_above = bv_dot( normal, way_to( s, i ) ) <= s->rough;
	}
	return is_above;
}

// The face that is near enough need not be at the edge that is met first. A corner can be inside of a face: then planes through
// it can be below other corners.
BVSIMD_NOINLINE bool find_other_face( const surroundings* s, uint32_t edge, bv_vec3* normal )
{
	bool found = false;
	for ( uint32_t i = 0; i < s->count && !found; ++i )
	{
		bv_vec3 way = way_to( s, i );
		found = i != edge && is_flat( s, way ) && turn_to_face( s, bv_normalize( way ), normal ) &&
		        is_above_all( s, *normal );
	}
	return found;
}

// A face with too many corners for a list: all corners of the polytope that are next to its plane.
typedef struct crowded_face
{
	const surroundings* s;
	bv_vec3 normal;
	bv_vec3 axis[2]; // in the face; they turn with the shape
	double doubt;
} crowded_face;

// @return whether a corner is next to the plane
static bool place_in_face( const crowded_face* f, uint32_t name, double out[2] )
{
	bv_vec3 way = bv_sub( bvconvex_pair_corner( f->s->pair, f->s->which, name ), f->s->at );
	out[0] = bv_dot( way, f->axis[0] );
	out[1] = bv_dot( way, f->axis[1] );
	return bv_dot( way, f->normal ) >= -f->doubt;
}

// @return the corner that is farthest along a direction in the face
static uint32_t farthest_in_face( const crowded_face* f, double x, double y )
{
	uint32_t corners = f->s->pair->body[f->s->which].own.corners;
	uint32_t best = f->s->name;
	double most = -INFINITY;
	for ( uint32_t i = 0; i < corners; ++i )
	{
		double at[2];
		bool counts = place_in_face( f, i, at ) && x * at[0] + y * at[1] > most;
		best = counts ? i : best;
		most = counts ? x * at[0] + y * at[1] : most;
	}
	return best;
}

// The next corner of the face's hull, counterclockwise: all others are to the left of the way there. Of corners on one side the
// farthest.
static uint32_t next_around( const crowded_face* f, uint32_t from )
{
	uint32_t corners = f->s->pair->body[f->s->which].own.corners;
	double start[2];
	double way[2] = { 0, 0 };
	double length = 0;
	uint32_t best = from;
	place_in_face( f, from, start );
	for ( uint32_t i = 0; i < corners; ++i )
	{
		double at[2];
		if ( !place_in_face( f, i, at ) )
		{
			continue;
		}
		at[0] -= start[0];
		at[1] -= start[1];
		double distance = sqrt( at[0] * at[0] + at[1] * at[1] );
		double left = way[0] * at[1] - way[1] * at[0];
		bool is_beside = fabs( left ) <= f->doubt * length;
		bool is_better = length == 0 || ( is_beside ? distance > length : left < 0 );
		if ( distance > f->doubt && is_better )
		{
			best = i;
			way[0] = at[0];
			way[1] = at[1];
			length = distance;
		}
	}
	return best;
}

static void take_named( const crowded_face* f, uint32_t name, bvconvex_contact_feature* out )
{
	take_corner( name, bvconvex_pair_corner( f->s->pair, f->s->which, name ), out );
}

static bool are_in_one_place( bv_vec3 a, bv_vec3 b, double doubt )
{
	bv_vec3 way = bv_sub( a, b );
	return bv_dot( way, way ) <= 4 * doubt * doubt;
}

// Goes around the hull until it comes to where it has been: R. A. Jarvis, "On the identification of the convex hull of a finite set
// of points in the plane", 1973. The first point can be on a side.
// @return false if it has too many corners
static bool wrap( const crowded_face* f, bvconvex_contact_feature* out )
{
	uint32_t at = farthest_in_face( f, 1, 0 );
	out->count = 0;
	while ( out->count < bvconvex_feature_most )
	{
		take_named( f, at, out );
		at = next_around( f, at );
		bv_vec3 next = bvconvex_pair_corner( f->s->pair, f->s->which, at );
		uint32_t known = 0;
		while ( known < out->count && !are_in_one_place( out->corner[known], next, f->doubt ) )
		{
			++known;
		}
		if ( known < out->count )
		{
			out->count -= known;
			memmove( out->name, out->name + known, out->count * sizeof *out->name );
			memmove( out->corner, out->corner + known, out->count * sizeof *out->corner );
			return true;
		}
	}
	return false;
}

// Takes the corners of the hull of such a face or, if they are too many, those that are farthest along as many directions.
BVSIMD_NOINLINE void take_outermost( const surroundings* s, bv_vec3 normal, double doubt,
                                     bvconvex_contact_feature* out )
{
	static const double cosine[8] = { 1,
		                              0.98078528040323043,
		                              0.92387953251128674,
		                              0.83146961230254524,
		                              0.70710678118654757,
		                              0.55557023301960218,
		                              0.38268343236508978,
		                              0.19509032201612825 };
	const bvconvex_body* body = s->pair->body + s->which;
	bv_vec3 own = bvconvex_body_direction( body, normal );
	crowded_face face = { .s = s, .normal = normal, .doubt = doubt };
	face.axis[0] = placed_direction( body, bvconvex_any_normal( own ) );
	face.axis[1] = bv_cross( normal, face.axis[0] );
	if ( wrap( &face, out ) )
	{
		return;
	}
	out->count = 0;
	for ( int k = 0; k < bvconvex_feature_most; ++k )
	{
		// A quarter of a turn is eight directions.
		double c = cosine[k % 8];
		double d = k % 8 == 0 ? 0 : cosine[8 - k % 8];
		double sign = k / 16 == 0 ? 1 : -1;
		uint32_t name = k / 8 % 2 == 0 ? farthest_in_face( &face, sign * c, sign * d )
		                               : farthest_in_face( &face, -sign * d, sign * c );
		bool is_new = true;
		for ( uint32_t i = 0; i < out->count; ++i )
		{
			is_new &= out->name[i] != name;
		}
		if ( is_new )
		{
			take_named( &face, name, out );
		}
	}
}

static void take_polytope( const bvconvex_pair* pair, int which, bv_vec3 along, uint32_t near,
                           bvconvex_contact_feature* out )
{
	surroundings s;
	find_surroundings( pair, which, along, near, &s );
	measure( &s );
	uint32_t edge = flattest_edge( &s );
	if ( edge == s.count )
	{
		take_corner( s.name, s.at, out );
		return;
	}
	bv_vec3 way = way_to( &s, edge );
	bv_vec3 normal;
	if ( !turn_to_face( &s, bv_normalize( way ), &normal ) && !find_other_face( &s, edge, &normal ) )
	{
		take_corner( s.name, s.at, out );
		take_corner( name_of( &s, edge ), bv_add( s.at, way ), out );
		return;
	}
	double doubt = 2 * s.rough;
	const bvconvex_body* body = pair->body + which;
	double scale = body->placed ? body->placed->scale : 1;
	uint32_t count = bvconvex_shape_level( &body->own, bvconvex_body_direction( body, normal ), s.name,
	                                       doubt / scale, out->name, bvconvex_feature_most );
	out->normal = normal;
	if ( count > bvconvex_feature_most )
	{
		take_outermost( &s, normal, doubt, out );
		return;
	}
	out->count = count;
	for ( uint32_t i = 0; i < count; ++i )
	{
		out->corner[i] = bvconvex_pair_corner( pair, which, out->name[i] );
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
	take_corner( name, bvconvex_body_point( t->body, own ), out );
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
	out->normal = placed_direction( t->body, end == 0 ? bv_negate( t->axis ) : t->axis );
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
		out->inwards = bv_scale( -out->bend, placed_direction( body, lateral ) );
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
		take_corner( 0, pair->search.support[which]( body, &along, BVCONVEX_NO_POINT ).at, out );
		break;
	case bv_convex_of_support: take_corner( 0, witness, out ); break;
	default: take_polytope( pair, which, along, near, out );
	}
	out->face = bvconvex_identity_of_face( out->name, out->count );
}
