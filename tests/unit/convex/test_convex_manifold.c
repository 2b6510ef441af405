// Contact points of pairs of convex shapes: against closed forms and signed distance functions, in both orders, moved together, and
// from step to step. Polytopes against rational arithmetic: test_convex_manifold_exact.c.

#include "support.h"

#include "bv/contact.h"

#include "tests/hull_graph.h"
#include "tests/reference/convex_rests.h"
#include "tests/reference/random.h"

#include <inttypes.h>

static bv_manifold manifold_of( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                                double speculative )
{
	bv_manifold m;
	bv_manifold_options options = { .speculative = speculative };
	assert_int_equal( bv_convex_manifold( a, b, at, &options, &m ), bv_ok );
	assert_true( m.lower <= m.upper );
	assert_true( m.count <= BV_MANIFOLD_CONTACTS );
	assert_true( m.count > 0 || !( m.upper <= speculative && m.upper > -INFINITY ) );
	for ( uint32_t i = 0; i < m.count; ++i )
	{
		const bv_contact* c = m.contact + i;
		for ( uint32_t k = 0; k < i; ++k )
		{
			assert_true( m.contact[k].identity != c->identity );
		}
		for ( int which = 0; which < 2; ++which )
		{
			bv_contact_feature f = bv_contact_feature_of( c->identity, which );
			assert_true( f == bv_contact_vertex || f == bv_contact_edge || f == bv_contact_face );
		}
	}
	return m;
}

static void assert_near( bv_vec3 a, bv_vec3 b, double bar )
{
	assert_true( bv_length( bv_sub( a, b ) ) <= bar );
}

// Two contacts have the same place and what else there is.
static void assert_contact( const bv_contact* c, bv_vec3 position, double separation, double bar )
{
	assert_near( c->position, position, bar );
	assert_true( fabs( c->separation - separation ) <= bar );
}

// A contact at a place.
static void assert_has( const bv_manifold* m, bv_vec3 position, double separation )
{
	uint32_t nearest = 0;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		bool is_nearer = bv_length( bv_sub( m->contact[i].position, position ) ) <
		                 bv_length( bv_sub( m->contact[nearest].position, position ) );
		nearest = is_nearer ? i : nearest;
	}
	assert_true( m->count > 0 );
	assert_contact( m->contact + nearest, position, separation, 1e-12 );
}

static bv_vec3 vec( double x, double y, double z )
{
	return ( bv_vec3 ){ x, y, z };
}

static const bv_vec3 zero = { 0, 0, 0 };

static bv_convex box_of( double x, double y, double z )
{
	return bv_convex_box( zero, vec( x, y, z ) );
}

// Of balls at a distance d with radii r and s: d - r - s, on the line through both centers.
static void balls_touch_between_their_centers( void** state )
{
	(void)state;
	bv_convex a = bv_convex_sphere( zero, 1 );
	bv_convex b = bv_convex_sphere( zero, 2 );
	for ( int i = 0; i < 4; ++i )
	{
		double d = 2.5 + 0.25 * i;
		bv_transform at = bv_transform_translation( d, 0, 0 );
		bv_manifold m = manifold_of( &a, &b, &at, 1 );
		assert_int_equal( m.count, 1 );
		assert_near( m.normal, vec( 1, 0, 0 ), 1e-12 );
		assert_contact( m.contact, vec( 0.5 * ( 1 + ( d - 2 ) ), 0, 0 ), d - 3, 1e-12 );
		assert_near( m.contact->point[0], vec( 1, 0, 0 ), 1e-12 );
		assert_near( m.contact->point[1], vec( d - 2, 0, 0 ), 1e-12 );
	}
	bv_transform at = bv_transform_translation( 3.5, 0, 0 );
	assert_int_equal( manifold_of( &a, &b, &at, 0.25 ).count, 0 );
}

// The rectangle in which both faces overlap.
static void boxes_touch_at_the_corners_of_what_their_faces_have_in_common( void** state )
{
	(void)state;
	bv_convex a = box_of( 1, 1, 1 );
	bv_convex b = box_of( 2, 0.5, 0.5 );
	bv_transform at = bv_transform_translation( 1.5, 0.75, 1.4 );
	bv_manifold m = manifold_of( &a, &b, &at, 0 );
	assert_int_equal( m.count, 4 );
	assert_near( m.normal, vec( 0, 0, 1 ), 1e-12 );
	for ( int i = 0; i < 4; ++i )
	{
		assert_has( &m, vec( i & 1 ? 1 : -0.5, i & 2 ? 1 : 0.25, 0.95 ), -0.1 );
	}
	// A stack of equal boxes: corner on corner.
	at = bv_transform_translation( 0, 0, 2 );
	m = manifold_of( &a, &a, &at, 0 );
	assert_int_equal( m.count, 4 );
	for ( int i = 0; i < 4; ++i )
	{
		assert_has( &m, vec( i & 1 ? 1 : -1, i & 2 ? 1 : -1, 1 ), 0 );
		assert_int_equal( bv_contact_feature_of( m.contact[i].identity, 0 ), bv_contact_vertex );
		assert_int_equal( bv_contact_feature_of( m.contact[i].identity, 1 ), bv_contact_vertex );
	}
}

// Turned by 45 degrees, both edges are at right angles to each other and to the normal.
static void crossing_edges_touch_where_they_cross( void** state )
{
	(void)state;
	bv_convex a = box_of( 1, 1, 1 );
	bv_obb edge = {
		.axis = { { 1, 0, 0 }, { 0, sqrt( 0.5 ), sqrt( 0.5 ) }, { 0, -sqrt( 0.5 ), sqrt( 0.5 ) } },
		.half_extents = { 1, 1, 1 }
	};
	bv_convex b = bv_convex_obb( &edge );
	edge = ( bv_obb ){
		.axis = { { sqrt( 0.5 ), 0, -sqrt( 0.5 ) }, { 0, 1, 0 }, { sqrt( 0.5 ), 0, sqrt( 0.5 ) } },
		.half_extents = { 1, 1, 1 }
	};
	bv_convex c = bv_convex_obb( &edge );
	bv_transform at = bv_transform_translation( 0.25, 0.5, 1 + sqrt( 2 ) - 0.125 );
	bv_manifold m = manifold_of( &a, &b, &at, 0 ); // an edge on a face: both ends of what is above it
	assert_int_equal( m.count, 2 );
	assert_has( &m, vec( 1, 0.5, 1 - 0.0625 ), -0.125 );
	assert_has( &m, vec( -0.75, 0.5, 1 - 0.0625 ), -0.125 );
	at = bv_transform_translation( 0.25, 0.5, 2 * sqrt( 2 ) - 0.125 );
	m = manifold_of( &c, &b, &at, 0 );
	assert_int_equal( m.count, 1 );
	assert_has( &m, vec( 0, 0.5, sqrt( 2 ) - 0.0625 ), -0.125 );
	assert_int_equal( bv_contact_feature_of( m.contact->identity, 0 ), bv_contact_edge );
	assert_int_equal( bv_contact_feature_of( m.contact->identity, 1 ), bv_contact_edge );
}

static void capsules_and_cylinders_lie_on_two_points( void** state )
{
	(void)state;
	bv_convex table = box_of( 1, 1, 1 );
	bv_convex capsule = bv_convex_capsule( vec( -1, 0, 0 ), vec( 1, 0, 0 ), 0.5 );
	bv_convex cylinder = bv_convex_cylinder( vec( -1, 0, 0 ), vec( 1, 0, 0 ), 0.5 );
	bv_transform at = bv_transform_translation( 0.5, 0.25, 1.49 );
	bv_convex floor = bv_convex_half_space( vec( 0, 0, 3 ), 3 );
	for ( int i = 0; i < 4; ++i )
	{
		bool on_floor = i & 1;
		bv_manifold m = manifold_of( on_floor ? &floor : &table, i & 2 ? &capsule : &cylinder, &at, 0 );
		assert_int_equal( m.count, 2 );
		assert_has( &m, vec( -0.5, 0.25, 0.995 ), -0.01 );
		assert_has( &m, vec( on_floor ? 1.5 : 1, 0.25, 0.995 ), -0.01 );
	}
	// Two that are parallel, or nearly so, rest on the ends of what they have in common.
	at = bv_transform_translation( 0.5, 0, 0.99 );
	bv_manifold m = manifold_of( &capsule, &capsule, &at, 0 );
	assert_int_equal( m.count, 2 );
	assert_has( &m, vec( -0.5, 0, 0.495 ), -0.01 );
	assert_has( &m, vec( 1, 0, 0.495 ), -0.01 );
	assert_int_equal( bv_transform_from_axis_angle( vec( 0, 0, 1 ), 0.01, vec( 0, 0, 0.99 ), &at ), bv_ok );
	m = manifold_of( &capsule, &capsule, &at, 0 );
	assert_true( m.count >= 3 );
	for ( uint32_t i = 0; i < m.count; ++i )
	{
		assert_true( m.contact[i].separation >= -0.01 - 1e-12 && m.contact[i].separation < -0.0098 );
	}
	assert_int_equal( bv_transform_from_axis_angle( vec( 0, 0, 1 ), 0.5, vec( 0, 0, 0.99 ), &at ), bv_ok );
	m = manifold_of( &capsule, &capsule, &at, 0 );
	assert_int_equal( m.count, 1 );
	assert_has( &m, vec( 0, 0, 0.495 ), -0.01 );
}

// Four corners of a square in the circle: the largest area that four of its points can have.
static void flat_ends_stand_on_four_points_of_their_rims( void** state )
{
	(void)state;
	bv_convex table = box_of( 3, 3, 1 );
	bv_convex solid[2] = { bv_convex_cylinder( vec( 0, 0, -1 ), vec( 0, 0, 1 ), 0.5 ),
		                   bv_convex_cone( vec( 0, 0, -1 ), vec( 0, 0, 1 ), 0.5 ) };
	bv_transform at = bv_transform_translation( 0.25, 0.5, 1.99 );
	for ( int i = 0; i < 2; ++i )
	{
		bv_manifold m = manifold_of( &table, solid + i, &at, 0 );
		assert_int_equal( m.count, 4 );
		bv_vec3 sum = zero;
		for ( int k = 0; k < 4; ++k )
		{
			bv_vec3 way = bv_sub( m.contact[k].position, vec( 0.25, 0.5, 0.995 ) );
			assert_true( fabs( bv_length( way ) - 0.5 ) < 1e-12 && fabs( way.z ) < 1e-12 );
			sum = bv_add( sum, way );
			for ( int j = 0; j < k; ++j )
			{
				assert_true( bv_length( bv_sub( m.contact[k].position, m.contact[j].position ) ) > 0.7 );
			}
		}
		assert_near( sum, zero, 1e-12 );
	}
	// Tilted, the deepest point of the rim is one of them.
	assert_int_equal( bv_transform_from_axis_angle( vec( 1, 2, 0 ), 0.03, vec( 0, 0, 1.99 ), &at ), bv_ok );
	for ( int i = 0; i < 2; ++i )
	{
		bv_manifold m = manifold_of( &table, solid + i, &at, 1 );
		assert_int_equal( m.count, 4 );
		double expected = 0.99 - cos( 0.03 ) - 0.5 * sin( 0.03 );
		double least = INFINITY;
		for ( int k = 0; k < 4; ++k )
		{
			least = fmin( least, m.contact[k].separation );
		}
		assert_true( fabs( least - expected ) < 1e-6 );
	}
}

// @return the distance of a point from a triangle or less, in the plane of the axis of something round
static double distance_in_plane( double x, double y, const double corner[][2], int count )
{
	double least = INFINITY;
	bool is_inside = true;
	for ( int i = 0; i < count; ++i )
	{
		const double* p = corner[i];
		const double* q = corner[( i + 1 ) % count];
		double way[2] = { q[0] - p[0], q[1] - p[1] };
		double from[2] = { x - p[0], y - p[1] };
		double part = ( way[0] * from[0] + way[1] * from[1] ) / ( way[0] * way[0] + way[1] * way[1] );
		part = fmin( fmax( part, 0 ), 1 );
		least = fmin( least, hypot( from[0] - part * way[0], from[1] - part * way[1] ) );
		is_inside &= way[0] * from[1] - way[1] * from[0] >= 0;
	}
	return is_inside ? -least : least;
}

// The signed distance of a point from a shape, to first order for ellipsoids.
static double distance_from( const bv_convex* s, bv_vec3 p )
{
	bv_vec3 from = bv_sub( p, s->corner[0] );
	switch ( s->kind )
	{
	case bv_convex_of_half_space:
		return bv_dot( s->normal, p ) / bv_length( s->normal ) - s->offset / bv_length( s->normal ) -
		       s->radius;
	case bv_convex_of_corners:
	{
		bv_vec3 way = s->count == 2 ? bv_sub( s->corner[1], s->corner[0] ) : zero;
		double part = s->count == 2 ? bv_dot( from, way ) / bv_dot( way, way ) : 0;
		return bv_length( bv_sub( from, bv_scale( fmin( fmax( part, 0 ), 1 ), way ) ) ) - s->radius;
	}
	case bv_convex_of_box:
	{
		double outside[3];
		double most = -INFINITY;
		from = bv_sub( p, s->box.center );
		for ( int k = 0; k < 3; ++k )
		{
			double over = fabs( bv_dot( from, s->box.axis[k] ) ) - s->box.half_extents[k];
			most = fmax( most, over );
			outside[k] = fmax( over, 0 );
		}
		double length = sqrt( outside[0] * outside[0] + outside[1] * outside[1] + outside[2] * outside[2] );
		return ( most > 0 ? length : most ) - s->radius;
	}
	case bv_convex_of_ellipsoid:
	{
		from = bv_sub( p, s->box.center );
		double value = 0;
		double slope = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double part = bv_dot( from, s->box.axis[k] ) / s->box.half_extents[k];
			value += part * part;
			slope += part * part / ( s->box.half_extents[k] * s->box.half_extents[k] );
		}
		return ( value - 1 ) / ( 2 * sqrt( slope ) );
	}
	default:
	{
		bv_vec3 way = bv_sub( s->corner[1], s->corner[0] );
		double height = bv_length( way );
		double along = bv_dot( from, way ) / height;
		double across = bv_length( bv_sub( from, bv_scale( along / height, way ) ) );
		bool is_cone = s->kind == bv_convex_of_cone;
		double profile[4][2] = { { -s->disc, 0 }, { s->disc, 0 }, { s->disc, height }, { -s->disc, height } };
		profile[2][0] = is_cone ? 0 : profile[2][0];
		return distance_in_plane( across, along, (const double( * )[2])profile, is_cone ? 3 : 4 ) - s->radius;
	}
	}
}

enum
{
	round_kinds = 8,
};

// A shape with its lower side at the height 0, or its upper side if it is turned over, and about 1 in size.
static bv_convex round_shape( uint64_t* seed, uint32_t kind, bool is_lower )
{
	double r = 0.3 + 0.3 * next_random( seed ) * 0x1p-31;
	double up = is_lower ? -1 : 1;
	bv_obb box = { .center = { 0, 0, up * 0.5 },
		           .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		           .half_extents = { r, 0.7, 0.5 } };
	switch ( kind )
	{
	case 0: return bv_convex_sphere( vec( 0, 0, up * r ), r );
	case 1: return bv_convex_capsule( vec( -0.7, 0.2, up * r ), vec( 0.6, 0, up * r ), r );
	case 2: return bv_convex_obb( &box );
	case 3: return bv_convex_cylinder( vec( 0, 0, 0 ), vec( 0, 0, up ), r );
	case 4: return bv_convex_cylinder( vec( -0.7, 0.2, up * r ), vec( 0.6, 0, up * r ), r );
	case 5: return bv_convex_cone( vec( 0, 0, 0 ), vec( 0, 0, up ), r );
	case 6: return bv_convex_ellipsoid( &box );
	default: return bv_convex_half_space( vec( 0, 0, -up ), 0 );
	}
}

typedef struct round_pair
{
	bv_convex shape[2];
	bv_transform at;
	double radius;
} round_pair;

static round_pair round_pair_of( uint64_t index )
{
	uint64_t seed = index * UINT64_C( 0x9E3779B97F4A7C15 ) + 7;
	next_random( &seed );
	uint32_t kinds[2] = { (uint32_t)( index % round_kinds ),
		                  (uint32_t)( index / round_kinds % round_kinds ) };
	round_pair out = { .shape = { round_shape( &seed, kinds[0], true ),
		                          round_shape( &seed, kinds[1], false ) } };
	for ( int which = 0; which < 2; ++which )
	{
		out.shape[which].radius += next_random( &seed ) % 3 == 0 && kinds[which] != 6 ? 0.1 : 0;
	}
	static const double tilts[] = { 0, 0, 0, 1e-9, 1e-6, 1e-4, 1e-2, 0.03, 0.2 };
	static const double gaps[] = { 0, -1e-9, 1e-6, -1e-3, 0.01, -0.05 };
	double tilt = tilts[next_random( &seed ) % 9];
	double gap = gaps[next_random( &seed ) % 6];
	double spin = 3.2 * random_coordinate( &seed );
	bv_vec3 lean = random_direction( &seed );
	lean.z = 0;
	bv_quaternion turn;
	bv_quaternion tip;
	bv_quaternion_from_axis_angle( vec( 0, 0, 1 ), spin, &turn );
	bv_quaternion_from_axis_angle( lean, tilt, &tip );
	double aside = next_random( &seed ) % 4 ? 0.4 : 0;
	bv_vec3 way = { aside * random_coordinate( &seed ), aside * random_coordinate( &seed ), gap };
	bv_transform_from_quaternion( bv_quaternion_multiply( tip, turn ), way, &out.at );
	return out;
}

// What can be seen from a point of the other shape.
static bv_vec3 in_b( const bv_transform* at, bv_vec3 p )
{
	bv_transform back = bv_transform_inverse( at );
	return bv_transform_point( &back, p );
}

static void points_are_on_both_surfaces_and_opposite_each_other( void** state )
{
	(void)state;
	uint32_t count = is_thorough() ? 200000 : 10000;
	uint32_t wrong = 0;
	double worst[3] = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		round_pair pair = round_pair_of( i );
		bv_manifold m = manifold_of( pair.shape, pair.shape + 1, &pair.at, i % 2 ? 0 : 0.5 );
		double least = INFINITY;
		for ( uint32_t k = 0; k < m.count; ++k )
		{
			const bv_contact* c = m.contact + k;
			double error[3] = { fabs( distance_from( pair.shape, c->point[0] ) ),
				                fabs( distance_from( pair.shape + 1, in_b( &pair.at, c->point[1] ) ) ), 0 };
			bv_vec3 between = bv_sub( c->point[1], c->point[0] );
			error[2] = bv_length( bv_sub( between, bv_scale( c->separation, m.normal ) ) );
			for ( int e = 0; e < 3; ++e )
			{
				worst[e] = fmax( worst[e], error[e] );
			}
			bool is_wrong = error[0] > 1e-6 || error[1] > 1e-6 || error[2] > 1e-3;
			least = fmin( least, c->separation );
			if ( is_wrong )
			{
				print_error( "pair %u, contact %u of %u: %.2g %.2g %.2g, kinds %u %u\n", i, k, m.count,
				             error[0], error[1], error[2], i % round_kinds, i / round_kinds % round_kinds );
				++wrong;
			}
			assert_near( c->position, bv_scale( 0.5, bv_add( c->point[0], c->point[1] ) ), 1e-12 );
		}
		if ( m.count > 0 && !( least >= m.lower - 1e-6 && least <= m.upper + 1e-6 ) )
		{
			print_error( "pair %u: the deepest point is at %.9g, from %.9g to %.9g\n", i, least, m.lower,
			             m.upper );
			++wrong;
		}
	}
	print_message( "surfaces %.2g %.2g, opposite %.2g\n", worst[0], worst[1], worst[2] );
	assert_int_equal( wrong, 0 );
}

static uint64_t swapped( uint64_t identity )
{
	return identity << 32 | identity >> 32;
}

// How two manifolds of the same pair differ.
typedef struct difference
{
	double normal;
	double place;
	double separation;
	bool other;   // other contacts
	bool renamed; // other identities
} difference;

static uint32_t nearest_to( const bv_manifold* m, const bv_transform* to, bv_vec3 at )
{
	uint32_t nearest = 0;
	double least = INFINITY;
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		double distance = bv_length( bv_sub( bv_transform_point( to, m->contact[i].position ), at ) );
		nearest = distance < least ? i : nearest;
		least = fmin( least, distance );
	}
	return nearest;
}

// @param to  from coordinates of the second to those of the first
static difference compare( const bv_manifold* a, const bv_manifold* b, const bv_transform* to, bool swap )
{
	difference d = { .other = a->count != b->count };
	bv_transform turn = *to;
	turn.pose.translation = zero;
	bv_vec3 normal = bv_transform_point( &turn, b->normal );
	d.normal = bv_length( swap ? bv_add( a->normal, normal ) : bv_sub( a->normal, normal ) );
	for ( uint32_t i = 0; i < a->count && !d.other; ++i )
	{
		const bv_contact* c = a->contact + i;
		uint32_t match = 0;
		while ( match < b->count &&
		        c->identity != ( swap ? swapped( b->contact[match].identity ) : b->contact[match].identity ) )
		{
			++match;
		}
		if ( match == b->count )
		{
			d.renamed = true;
			match = nearest_to( b, to, c->position );
		}
		const bv_contact* e = b->contact + match;
		bv_vec3 position = bv_transform_point( to, e->position );
		d.place = fmax( d.place, bv_length( bv_sub( c->position, position ) ) );
		d.separation = fmax( d.separation, fabs( c->separation - e->separation ) );
		for ( int which = 0; which < 2; ++which )
		{
			bv_vec3 point = bv_transform_point( to, e->point[swap ? 1 - which : which] );
			d.place = fmax( d.place, bv_length( bv_sub( c->point[which], point ) ) );
		}
	}
	return d;
}

static bool is_slight( const difference* d, double size )
{
	return !d->other && d->normal < 1e-6 && d->place < 1e-6 * size && d->separation < 1e-6 * size;
}

static bv_transform random_pose( uint64_t* seed, double far )
{
	bv_transform out;
	bv_vec3 way = { far * random_coordinate( seed ), far * random_coordinate( seed ),
		            far * random_coordinate( seed ) };
	bv_transform_from_axis_angle( random_direction( seed ), 3 * random_coordinate( seed ), way, &out );
	return out;
}

typedef struct changes
{
	uint32_t pairs;
	uint32_t other;     // contacts or normals
	uint32_t renamed;   // the same contacts, but not the same features
	uint32_t ambiguous; // of the others, pairs whose distance is attained along both normals
	double normal;
	double place;
} changes;

static void count_change( const bv_manifold* a, const bv_manifold* b, const difference* d, double size,
                          uint64_t index, const char* what, changes* t )
{
	++t->pairs;
	if ( is_slight( d, size ) )
	{
		t->normal = fmax( t->normal, d->normal );
		t->place = fmax( t->place, d->place / size );
		t->renamed += d->renamed;
		return;
	}
	// The interval says that both directions are as good.
	bool is_ambiguous = d->normal >= 1e-6 && fabs( a->lower - b->lower ) <= 1e-9 * size;
	++t->other;
	t->ambiguous += is_ambiguous;
	if ( !is_ambiguous )
	{
		print_error( "%s, pair %" PRIu64 ": %u and %u contacts%s, normal %.2g place %.2g separation %.2g\n",
		             what, index, a->count, b->count, d->other ? " are others" : "", d->normal,
		             d->place / size, d->separation / size );
	}
}

static void change_order_and_place( const bv_convex shape[2], const bv_convex moved[2],
                                    const bv_transform* at, const bv_transform* moved_at,
                                    const bv_transform* from_moved, double speculative, double size,
                                    uint64_t index, changes t[2] )
{
	bv_transform back = bv_transform_inverse( at );
	bv_manifold m = manifold_of( shape, shape + 1, at, speculative );
	bv_manifold other = manifold_of( shape + 1, shape, &back, speculative );
	difference d = compare( &m, &other, at, true );
	count_change( &m, &other, &d, size, index, "exchange", t );
	other = manifold_of( moved, moved + 1, moved_at, speculative );
	d = compare( &m, &other, from_moved, false );
	count_change( &m, &other, &d, size, index, "motion", t + 1 );
}

static void exchange_and_motion_change_nothing_of_polytopes( void** state )
{
	(void)state;
	convex_rest* rest = malloc( sizeof *rest );
	assert_non_null( rest );
	changes t[2] = { { 0 }, { 0 } };
	uint32_t count = is_thorough() ? 100000 : 5000;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint64_t seed = i + 1;
		convex_rest_make( i, rest );
		// In other coordinates both shapes have other numbers: not as far away as the digits would be different ones.
		bv_transform pose = random_pose( &seed, rest->size );
		bv_transform back = bv_transform_inverse( &pose );
		bv_vec3 points[2][convex_rest_corners];
		bv_convex moved[2] = { rest->shape[0], rest->shape[1] };
		for ( int which = 0; which < 2; ++which )
		{
			for ( uint32_t k = 0; k < moved[which].count; ++k )
			{
				bv_vec3 p = rest->points[which][k];
				p = which == 1 ? bv_transform_point( &rest->placement, p ) : p;
				points[which][k] = bv_transform_point( &pose, p );
			}
			moved[which].points = points[which];
		}
		double speculative = i % 3 == 0 ? 0 : i % 3 == 1 ? 0.02 * rest->size : 2 * rest->size;
		if ( !rest->is_far )
		{
			change_order_and_place( rest->shape, moved, &rest->placement, NULL, &back, speculative,
			                        rest->size, i, t );
		}
	}
	for ( int k = 0; k < 2; ++k )
	{
		print_message( "%u pairs, %u others, %u of them ambiguous, %u renamed; normal %.2g, place %.2g\n",
		               t[k].pairs, t[k].other, t[k].ambiguous, t[k].renamed, t[k].normal, t[k].place );
	}
	assert_int_equal( t[0].other, t[0].ambiguous );
	assert_int_equal( t[1].other, t[1].ambiguous );
	// Whether a needle's side is a face is decided by rounding.
	assert_true( t[0].renamed <= t[0].pairs / 1000 && t[1].renamed <= t[1].pairs / 1000 );
	free( rest );
}

// Normals of curved surfaces are found by iteration, in another order to other digits. Two half-spaces are left out: one of all points of
// the slab between them is the contact.
static void exchange_changes_little_of_curved_shapes( void** state )
{
	(void)state;
	uint32_t count = is_thorough() ? 200000 : 10000;
	uint32_t pairs = 0;
	uint32_t other = 0;
	uint32_t above[2] = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		round_pair pair = round_pair_of( i );
		bv_transform back = bv_transform_inverse( &pair.at );
		bv_manifold m = manifold_of( pair.shape, pair.shape + 1, &pair.at, i % 2 ? 0 : 0.5 );
		bv_manifold swapped = manifold_of( pair.shape + 1, pair.shape, &back, i % 2 ? 0 : 0.5 );
		if ( i % round_kinds == 7 && i / round_kinds % round_kinds == 7 )
		{
			continue;
		}
		difference d = compare( &m, &swapped, &pair.at, true );
		double off = d.other ? 0 : fmax( d.normal, d.place );
		++pairs;
		other += d.other;
		above[0] += off > 1e-6;
		above[1] += off > 1e-3;
	}
	print_message( "%u pairs: %u with another number of contacts, %u off by 1e-6 or more, %u by 1e-3\n",
	               pairs, other, above[0], above[1] );
	assert_true( 1000 * other <= pairs );
	assert_true( 20 * above[0] <= pairs );
	assert_true( 1000 * above[1] <= pairs );
}

// A prism whose lower side is in the plane z = 0, or its upper one.
typedef struct prism
{
	uint32_t sides;
	bv_vec3 points[32];
	bv_convex shape;
} prism;

static void make_prism( uint32_t sides, double radius, double up, prism* out )
{
	out->sides = sides;
	for ( uint32_t i = 0; i < sides; ++i )
	{
		double angle = 2 * 3.141592653589793 * ( i + 0.3 * sin( i ) ) / sides;
		out->points[i] = vec( radius * cos( angle ), 0.8 * radius * sin( angle ), 0 );
		out->points[sides + i] = vec( out->points[i].x, out->points[i].y, up );
	}
	out->shape = bv_convex_points( out->points, 2 * sides, 0 );
}

// Corners of the polygon that two faces have in common, without tolerances. A label says which corner of the one or the
// other face it is, or which sides cross.
typedef struct labels
{
	uint32_t count;
	uint32_t label[64];
	long double at[64][2];
} labels;

static long double left_of( long double p[2], long double q[2], long double x[2] )
{
	return ( q[0] - p[0] ) * ( x[1] - p[1] ) - ( q[1] - p[1] ) * ( x[0] - p[0] );
}

static void label( uint32_t name, long double x, long double y, labels* out )
{
	out->label[out->count] = name;
	out->at[out->count][0] = x;
	out->at[out->count++][1] = y;
}

static void find_labels( long double face[2][16][2], const uint32_t sides[2], labels* out )
{
	out->count = 0;
	for ( int which = 0; which < 2; ++which )
	{
		long double( *other )[2] = face[1 - which];
		for ( uint32_t i = 0; i < sides[which]; ++i )
		{
			bool is_inside = true;
			for ( uint32_t k = 0; k < sides[1 - which]; ++k )
			{
				is_inside &= left_of( other[k], other[( k + 1 ) % sides[1 - which]], face[which][i] ) > 0;
			}
			if ( is_inside )
			{
				label( 1000 + 100 * (uint32_t)which + i, face[which][i][0], face[which][i][1], out );
			}
		}
	}
	for ( uint32_t i = 0; i < sides[0]; ++i )
	{
		long double* p = face[0][i];
		long double* q = face[0][( i + 1 ) % sides[0]];
		for ( uint32_t k = 0; k < sides[1]; ++k )
		{
			long double* c = face[1][k];
			long double* d = face[1][( k + 1 ) % sides[1]];
			long double a[2] = { left_of( c, d, p ), left_of( c, d, q ) };
			if ( ( a[0] > 0 ) != ( a[1] > 0 ) && ( left_of( p, q, c ) > 0 ) != ( left_of( p, q, d ) > 0 ) )
			{
				long double part = a[0] / ( a[0] - a[1] );
				label( 16 * i + k, p[0] + part * ( q[0] - p[0] ), p[1] + part * ( q[1] - p[1] ), out );
			}
		}
	}
}

static uint32_t label_at( const labels* l, const double at[2] )
{
	for ( uint32_t i = 0; i < l->count; ++i )
	{
		if ( hypotl( l->at[i][0] - at[0], l->at[i][1] - at[1] ) < 1e-6L )
		{
			return l->label[i];
		}
	}
	return UINT32_MAX;
}

static bool has_label( const labels* l, uint32_t name )
{
	for ( uint32_t i = 0; i < l->count; ++i )
	{
		if ( l->label[i] == name )
		{
			return true;
		}
	}
	return false;
}

static bool has_identity( const bv_manifold* m, uint64_t identity )
{
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		if ( m->contact[i].identity == identity )
		{
			return true;
		}
	}
	return false;
}

// How far along the path the upper one is: about 1e-4 of its size per step, sideways and turning, tilting and bouncing a little.
static bv_transform place_on_path( uint32_t step, double tilt )
{
	double t = 1e-4 * step;
	bv_quaternion spin;
	bv_quaternion lean;
	bv_quaternion_from_axis_angle( vec( 0, 0, 1 ), t, &spin );
	bv_quaternion_from_axis_angle( vec( cos( 0.37 * t ), sin( 0.37 * t ), 0 ), tilt * sin( 1.3 * t ), &lean );
	bv_vec3 way = { 0.8 * sin( 1.1 * t ), 0.7 * sin( 0.83 * t + 1 ), 1e-3 * sin( 7 * t ) };
	bv_transform at;
	bv_transform_from_quaternion( bv_quaternion_multiply( lean, spin ), way, &at );
	return at;
}

typedef struct steps
{
	uint64_t kept;  // corners of the exact polygon that are contacts in one step and corners in the next
	uint64_t lost;  // of them, those that are no contacts in the next
	uint64_t named; // contacts with a label
	uint64_t unnamed;
	uint64_t wrong; // labels with two identities
	double turn;    // of the normal in one step, degrees
} steps;

static void walk( const prism* a, const prism* b, double tilt, uint32_t count, bv_convex_cache* cache,
                  steps* out )
{
	uint64_t identity_of[2048] = { 0 };
	const uint32_t sides[2] = { a->sides, b->sides };
	bv_manifold last = { .count = 0 };
	uint32_t last_label[BV_MANIFOLD_CONTACTS] = { 0 };
	for ( uint32_t step = 0; step < count; ++step )
	{
		bv_transform at = place_on_path( step, tilt );
		bv_manifold m;
		bv_manifold_options options = { .speculative = 0.05, .distance.cache = cache };
		assert_int_equal( bv_convex_manifold( &a->shape, &b->shape, &at, &options, &m ), bv_ok );
		// Along the normal onto the plane z = 0. Both faces are counterclockwise from above.
		long double face[2][16][2];
		for ( uint32_t i = 0; i < 16; ++i )
		{
			bv_vec3 p = a->points[i % sides[0]];
			bv_vec3 q = bv_transform_point( &at, b->points[i % sides[1]] );
			face[0][i][0] = p.x;
			face[0][i][1] = p.y;
			face[1][i][0] = q.x - (long double)m.normal.x / m.normal.z * q.z;
			face[1][i][1] = q.y - (long double)m.normal.y / m.normal.z * q.z;
		}
		labels l;
		find_labels( face, sides, &l );
		for ( uint32_t i = 0; i < last.count; ++i )
		{
			if ( last_label[i] != UINT32_MAX && has_label( &l, last_label[i] ) )
			{
				++out->kept;
				out->lost += !has_identity( &m, last.contact[i].identity );
			}
		}
		for ( uint32_t i = 0; i < m.count; ++i )
		{
			bv_vec3 p = m.contact[i].position;
			double flat[2] = { p.x - m.normal.x / m.normal.z * p.z, p.y - m.normal.y / m.normal.z * p.z };
			last_label[i] = label_at( &l, flat );
			uint32_t name = last_label[i];
			out->named += name != UINT32_MAX;
			out->unnamed += name == UINT32_MAX;
			if ( name != UINT32_MAX )
			{
				uint64_t known = identity_of[name];
				out->wrong += known != 0 && known != m.contact[i].identity;
				identity_of[name] = m.contact[i].identity;
			}
		}
		if ( step > 0 )
		{
			double sine = bv_length( bv_cross( last.normal, m.normal ) );
			out->turn = fmax( out->turn, 57.29577951308232 * sine );
		}
		last = m;
	}
}

static void identities_remain_from_step_to_step( void** state )
{
	(void)state;
	steps t = { 0 };
	uint32_t count = is_thorough() ? 100000 : 10000;
	static const uint32_t sides[][2] = { { 4, 4 }, { 3, 5 }, { 6, 8 }, { 12, 4 } };
	static const double tilts[] = { 0, 1e-6, 1e-3 };
	for ( int i = 0; i < 12; ++i )
	{
		prism a;
		prism b;
		bv_convex_cache cache = { .count = 0 };
		make_prism( sides[i / 3][0], 1, -1, &a );
		make_prism( sides[i / 3][1], 0.8, 1, &b );
		walk( &a, &b, tilts[i % 3], count, i % 2 ? &cache : NULL, &t );
	}
	print_message( "%" PRIu64 " corners kept, %" PRIu64 " of them lost, %" PRIu64 " with labels, %" PRIu64
	               " without, %" PRIu64 " with two identities; normals turn by %.2g degrees\n",
	               t.kept, t.lost, t.named, t.unnamed, t.wrong, t.turn );
	assert_true( t.kept > 20 * (uint64_t)count );
	assert_true( 1000 * t.lost <= t.kept );
	assert_int_equal( t.wrong, 0 );
	assert_true( t.turn <= 0.1 );
}

// The region that a disc and a rectangle have in common, from 720 points of its border: the largest of their quadrilaterals is that of
// brute force among every fourth of them.
static void contacts_of_discs_have_the_largest_area( void** state )
{
	(void)state;
	bv_convex table = box_of( 1, 1, 1 );
	bv_convex drum = bv_convex_cylinder( vec( 0, 0, -1 ), vec( 0, 0, 1 ), 0.6 );
	double worst = 1;
	for ( int place = 0; place < 12; ++place )
	{
		double x = 0.25 * ( place % 4 ) + 0.3;
		double y = 0.3 * ( place / 4 ) + 0.4;
		bv_transform at = bv_transform_translation( x, y, 1.99 );
		bv_manifold m = manifold_of( &table, &drum, &at, 0 );
		double border[90][2];
		for ( int i = 0; i < 90; ++i )
		{
			// From a point of the region to its border.
			double angle = i * 2 * 3.141592653589793 / 90;
			double from[2] = { fmin( x, 0.9 ), fmin( y, 0.9 ) };
			double way[2] = { cos( angle ), sin( angle ) };
			double low = 0;
			double high = 3;
			for ( int k = 0; k < 50; ++k )
			{
				double middle = 0.5 * ( low + high );
				double p[2] = { from[0] + middle * way[0], from[1] + middle * way[1] };
				bool is_inside = hypot( p[0] - x, p[1] - y ) <= 0.6 && fabs( p[0] ) <= 1 && fabs( p[1] ) <= 1;
				low = is_inside ? middle : low;
				high = is_inside ? high : middle;
			}
			border[i][0] = from[0] + low * way[0];
			border[i][1] = from[1] + low * way[1];
		}
		double best = 0;
		for ( int p = 0; p < 90; ++p )
		{
			for ( int r = p + 2; r < 90; ++r )
			{
				double side[2] = { 0, 0 };
				for ( int q = 0; q < 90; ++q )
				{
					double area = ( border[r][0] - border[p][0] ) * ( border[q][1] - border[p][1] ) -
					              ( border[r][1] - border[p][1] ) * ( border[q][0] - border[p][0] );
					side[area > 0] = fmax( side[area > 0], fabs( area ) );
				}
				best = fmax( best, 0.5 * ( side[0] + side[1] ) );
			}
		}
		double found = 0;
		assert_int_equal( m.count, 4 );
		for ( int order = 0; order < 3; ++order )
		{
			static const int orders[3][4] = { { 0, 1, 2, 3 }, { 0, 2, 1, 3 }, { 0, 1, 3, 2 } };
			double area = 0;
			for ( int k = 0; k < 4; ++k )
			{
				bv_vec3 p = m.contact[orders[order][k]].position;
				bv_vec3 q = m.contact[orders[order][( k + 1 ) % 4]].position;
				area += 0.5 * ( p.x * q.y - p.y * q.x );
			}
			found = fmax( found, fabs( area ) );
		}
		worst = fmin( worst, found / best );
	}
	print_message( "%.4f of the best area\n", worst );
	assert_true( worst >= 0.95 );
}

static void invalid_arguments_are_rejected( void** state )
{
	(void)state;
	bv_convex box = box_of( 1, 1, 1 );
	bv_transform at = bv_transform_translation( 1, 0, 0 );
	bv_manifold before;
	memset( &before, 0x5a, sizeof before );
	bv_manifold m = before;
	bv_convex bad = box;
	bad.box.center.y = NAN;
	bv_transform bad_at = at;
	bad_at.pose.translation.z = NAN;
	bv_manifold_options bad_options = { .speculative = NAN };
	assert_int_equal( bv_convex_manifold( &bad, &box, &at, NULL, &m ), bv_error_argument );
	assert_int_equal( bv_convex_manifold( &box, &bad, &at, NULL, &m ), bv_error_argument );
	assert_int_equal( bv_convex_manifold( &box, &box, &bad_at, NULL, &m ), bv_error_argument );
	assert_int_equal( bv_convex_manifold( &box, &box, &at, &bad_options, &m ), bv_error_argument );
	bad_options.speculative = -1;
	assert_int_equal( bv_convex_manifold( &box, &box, &at, &bad_options, &m ), bv_error_argument );
	bad_options = ( bv_manifold_options ){ .distance.tolerance = 2 };
	assert_int_equal( bv_convex_manifold( &box, &box, &at, &bad_options, &m ), bv_error_argument );
	assert_int_equal( bv_convex_manifold( NULL, &box, &at, NULL, &m ), bv_error_argument );
	assert_int_equal( bv_convex_manifold( &box, &box, &at, NULL, NULL ), bv_error_argument );
	bv_convex ball = bv_convex_sphere( zero, 1 );
	bad_options = ( bv_manifold_options ){ .distance.method = bv_convex_method_sat };
	bv_convex cone = bv_convex_cone( zero, vec( 0, 0, 1 ), 1 );
	assert_int_equal( bv_convex_manifold( &ball, &cone, &at, &bad_options, &m ), bv_error_unsupported );
	assert_memory_equal( &m, &before, sizeof m );
	bv_manifold_options defaults = bv_manifold_options_default();
	bv_manifold_options none = { .speculative = 0 };
	assert_memory_equal( &defaults, &none, sizeof none );
}

// The boxes of a stack in a cache of any other pair, and with none.
static void caches_change_no_contacts( void** state )
{
	(void)state;
	convex_rest* rest = malloc( sizeof *rest );
	bv_convex_cache cache = { .count = 0 };
	assert_non_null( rest );
	bv_transform same = bv_transform_identity();
	changes t = { 0 };
	for ( uint32_t i = 0; i < 2000; ++i )
	{
		convex_rest_make( i, rest );
		bv_manifold_options options = { .speculative = rest->size, .distance.cache = &cache };
		bv_manifold m = manifold_of( rest->shape, rest->shape + 1, &rest->placement, rest->size );
		for ( int k = 0; k < 2; ++k )
		{
			bv_manifold again;
			assert_int_equal(
				bv_convex_manifold( rest->shape, rest->shape + 1, &rest->placement, &options, &again ),
				bv_ok );
			difference d = compare( &m, &again, &same, false );
			count_change( &m, &again, &d, rest->is_far ? 100 * rest->size : rest->size, i, "cache", &t );
		}
	}
	assert_int_equal( t.other, t.ambiguous );
	free( rest );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( balls_touch_between_their_centers ),
		cmocka_unit_test( boxes_touch_at_the_corners_of_what_their_faces_have_in_common ),
		cmocka_unit_test( crossing_edges_touch_where_they_cross ),
		cmocka_unit_test( capsules_and_cylinders_lie_on_two_points ),
		cmocka_unit_test( flat_ends_stand_on_four_points_of_their_rims ),
		cmocka_unit_test( points_are_on_both_surfaces_and_opposite_each_other ),
		cmocka_unit_test( exchange_and_motion_change_nothing_of_polytopes ),
		cmocka_unit_test( exchange_changes_little_of_curved_shapes ),
		cmocka_unit_test( identities_remain_from_step_to_step ),
		cmocka_unit_test( contacts_of_discs_have_the_largest_area ),
		cmocka_unit_test( invalid_arguments_are_rejected ),
		cmocka_unit_test( caches_change_no_contacts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
