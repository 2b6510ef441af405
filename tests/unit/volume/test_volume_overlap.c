// Overlap of volumes of every two types under a pose. What is expected is known from how pairs are made: with a common
// point, touching in one point, or moved apart from there along the direction in which both are outermost, which makes
// their distance that of the move.

#include "support.h"

#include "runtime/math/matrix.h"
#include "runtime/math/vec.h"
#include "runtime/volume/pairs.h"
#include "tests/reference/volumes.h"

// A volume, and of k-DOPs the corners.
typedef struct body
{
	bv_volume volume;
	volume* shape;
	const bv_vec3* corner;
	uint32_t corners;
} body;

static double random_within( fixture* f, double most )
{
	return most * ( 2 * random_unit( f ) - 1 );
}

static bv_vec3 random_vector( fixture* f, double most )
{
	double x = random_within( f, most );
	double y = random_within( f, most );
	return ( bv_vec3 ){ x, y, random_within( f, most ) };
}

static bv_vec3 unit( bv_vec3 v )
{
	return bv_scale( 1 / sqrt( bv_dot( v, v ) ), v );
}

static bv_pose random_rotation( fixture* f )
{
	bv_vec3 x = unit( random_vector( f, 1 ) );
	bv_vec3 z = unit( bv_cross( x, random_vector( f, 1 ) ) );
	bv_vec3 y = bv_cross( z, x );
	return ( bv_pose ){ .rotation = { { x.x, y.x, z.x }, { x.y, y.y, z.y }, { x.z, y.z, z.z } } };
}

// An extent over three decades, now and then 0.
static double random_extent( fixture* f )
{
	return random_unit( f ) < 0.1 ? 0 : pow( 10, -3 * random_unit( f ) );
}

static bv_kdop random_kdop( fixture* f, uint32_t k )
{
	bv_kdop kdop = { .k = k };
	bv_vec3 center = random_vector( f, 2 );
	double size[3];
	for ( int i = 0; i < 3; ++i )
	{
		size[i] = pow( 10, -2 * random_unit( f ) );
	}
	for ( int n = 0; n < 12; ++n )
	{
		bv_vec3 p = random_vector( f, 1 );
		p = bv_add( center, ( bv_vec3 ){ size[0] * p.x, size[1] * p.y, size[2] * p.z } );
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			double at = bv_kdop_uses( k, i ) ? bv_dot( bv_kdop_direction( i ), p ) : 0;
			kdop.lower[i] = n == 0 ? at : fmin( kdop.lower[i], at );
			kdop.upper[i] = n == 0 ? at : fmax( kdop.upper[i], at );
		}
	}
	return kdop;
}

static body random_body( fixture* f, bv_volume_type type )
{
	body b = { .volume = { .type = type } };
	bv_pose frame = random_rotation( f );
	bv_vec3 axis[3];
	for ( int i = 0; i < 3; ++i )
	{
		axis[i] = ( bv_vec3 ){ frame.rotation[0][i], frame.rotation[1][i], frame.rotation[2][i] };
	}
	bv_vec3 center = random_vector( f, 2 );
	double h[3] = { random_extent( f ), random_extent( f ), random_extent( f ) };
	switch ( type )
	{
	case bv_volume_obb:
		b.volume.obb = ( bv_obb ){ center, { axis[0], axis[1], axis[2] }, { h[0], h[1], h[2] }, { 0 } };
		break;
	case bv_volume_aabb:
		b.volume.aabb = ( bv_aabb ){ center, bv_add( center, ( bv_vec3 ){ h[0], h[1], h[2] } ) };
		break;
	case bv_volume_sphere: b.volume.sphere = ( bv_sphere ){ center, h[0] }; break;
	case bv_volume_prism:
		b.volume.prism.box = ( bv_obb ){ center, { axis[0], axis[1], axis[2] }, { h[0], h[1], h[2] }, { 0 } };
		break;
	case bv_volume_rss:
		b.volume.rss = ( bv_rss ){ center, { axis[0], axis[1], axis[2] }, { h[0], h[1] }, h[2], { 0 } };
		break;
	default:
		b.volume.kdop = random_kdop( f, type == bv_volume_kdop14 ? 14 : type == bv_volume_kdop18 ? 18 : 26 );
		b.shape = volume_of_kdop( &b.volume.kdop );
		assert_non_null( b.shape );
		b.corner = volume_corners( b.shape, &b.corners );
		break;
	}
	return b;
}

static void forget( body* b )
{
	if ( b->shape )
	{
		volume_free( b->shape );
	}
}

static double sign( double x )
{
	return x < 0 ? -1 : 1;
}

static bv_vec3 of_box( bv_vec3 center, const bv_vec3* axis, const double* half, int count, bv_vec3 d )
{
	for ( int i = 0; i < count; ++i )
	{
		center = bv_add( center, bv_scale( sign( bv_dot( axis[i], d ) ) * half[i], axis[i] ) );
	}
	return center;
}

// A prism's corner, of all six: base and tip at either end.
static bv_vec3 of_prism( const bv_obb* box, bv_vec3 d )
{
	const double* h = box->half_extents;
	bv_vec3 best = box->center;
	double most = -INFINITY;
	for ( int i = 0; i < 6; ++i )
	{
		double along[3] = { i % 3 == 0   ? -h[0]
			                : i % 3 == 1 ? h[0]
			                             : 0,
			                i % 3 == 2 ? h[1] : -h[1], i < 3 ? h[2] : -h[2] };
		bv_vec3 p = box->center;
		for ( int k = 0; k < 3; ++k )
		{
			p = bv_add( p, bv_scale( along[k], box->axis[k] ) );
		}
		best = bv_dot( d, p ) > most ? p : best;
		most = fmax( most, bv_dot( d, p ) );
	}
	return best;
}

// The point of a body that is outermost along a direction of length 1.
static bv_vec3 outermost( const body* b, bv_vec3 d )
{
	const bv_volume* v = &b->volume;
	switch ( v->type )
	{
	case bv_volume_obb: return of_box( v->obb.center, v->obb.axis, v->obb.half_extents, 3, d );
	case bv_volume_aabb:
		return ( bv_vec3 ){ d.x < 0 ? v->aabb.lower.x : v->aabb.upper.x,
			                d.y < 0 ? v->aabb.lower.y : v->aabb.upper.y,
			                d.z < 0 ? v->aabb.lower.z : v->aabb.upper.z };
	case bv_volume_prism: return of_prism( &v->prism.box, d );
	case bv_volume_sphere: return bv_add( v->sphere.center, bv_scale( v->sphere.radius, d ) );
	case bv_volume_rss:
		return bv_add( of_box( v->rss.center, v->rss.axis, v->rss.half_extents, 2, d ),
		               bv_scale( v->rss.radius, d ) );
	default: break;
	}
	uint32_t best = 0;
	for ( uint32_t i = 1; i < b->corners; ++i )
	{
		best = bv_dot( d, b->corner[i] ) > bv_dot( d, b->corner[best] ) ? i : best;
	}
	return b->corner[best];
}

// A mean of outermost points with random weights.
static bv_vec3 random_member( fixture* f, const body* b )
{
	double weights = 0;
	bv_vec3 sum = { 0, 0, 0 };
	for ( int i = 0; i < 4; ++i )
	{
		double weight = pow( random_unit( f ), 3 ) + 1e-9;
		sum = bv_add( sum, bv_scale( weight, outermost( b, unit( random_vector( f, 1 ) ) ) ) );
		weights += weight;
	}
	return bv_scale( 1 / weights, sum );
}

static bool overlap( const body* a, const body* b, const bv_pose* pose )
{
	bvvol_placement placement;
	bvvol_placement_begin( pose, 1u << a->volume.type, 1u << b->volume.type, 0, &placement );
	return bvvol_overlap( &a->volume, &b->volume, &placement );
}

// Gives the pose the translation that moves q to p.
static void bring( bv_pose* pose, bv_vec3 q, bv_vec3 p )
{
	pose->translation = bv_sub( p, bvmath_rotate( pose, q ) );
}

typedef void pair_check( fixture* f, const body* a, const body* b );

enum
{
	bodies = 24,
};

static void for_all_pairs( fixture* f, int times, pair_check* check )
{
	body body_of[bv_volume_types][bodies];
	for ( int i = 0; i < bv_volume_types * bodies; ++i )
	{
		body_of[i / bodies][i % bodies] = random_body( f, (bv_volume_type)( i / bodies ) );
	}
	for ( int i = 0; i < bv_volume_types * bv_volume_types * times; ++i )
	{
		int pair = i / times;
		check( f, &body_of[pair / bv_volume_types][random_bits( f ) % bodies],
		       &body_of[pair % bv_volume_types][random_bits( f ) % bodies] );
	}
	for ( int i = 0; i < bv_volume_types * bodies; ++i )
	{
		forget( &body_of[i / bodies][i % bodies] );
	}
}

static void fail_pair( const body* a, const body* b, const char* what )
{
	fail_msg( "%s, %s: %s", bv_volume_type_name( a->volume.type ), bv_volume_type_name( b->volume.type ),
	          what );
}

static void check_common( fixture* f, const body* a, const body* b )
{
	bv_pose pose = random_rotation( f );
	for ( int i = 0; i < 3 && random_unit( f ) < 0.5; ++i )
	{
		pose.rotation[i][( i + 1 ) % 3] += random_within( f, 2e-5 );
	}
	bring( &pose, random_member( f, b ), random_member( f, a ) );
	if ( !overlap( a, b, &pose ) )
	{
		fail_pair( a, b, "a common point, but disjoint" );
	}
}

static void pairs_with_a_common_point_overlap( void** state )
{
	for_all_pairs( *state, 1000, check_common );
}

// The two touch where both are outermost along a direction of the first.
static bv_vec3 touch( fixture* f, const body* a, const body* b, bv_pose* pose )
{
	*pose = random_rotation( f );
	bv_vec3 d = unit( random_vector( f, 1 ) );
	bring( pose, outermost( b, bv_negate( bvmath_rotate_back( pose, d ) ) ), outermost( a, d ) );
	return d;
}

static void check_touching( fixture* f, const body* a, const body* b )
{
	bv_pose pose;
	touch( f, a, b, &pose );
	if ( !overlap( a, b, &pose ) )
	{
		fail_pair( a, b, "touching, but disjoint" );
	}
}

static void pairs_that_touch_overlap( void** state )
{
	for_all_pairs( *state, 1000, check_touching );
}

static bool is_kdop( const body* b )
{
	return b->volume.type >= bv_volume_kdop14 && b->volume.type <= bv_volume_kdop26;
}

// Half extents and radii are 1 at most. Of k-DOPs' pairs about one in five is taken to overlap at a gap of 0.001, against
// round volumes most, and one in a thousand at 0.1; rectangle swept spheres a thousandth at 1e-5, for want of steps.
static double least_gap( const body* a, const body* b )
{
	bool rss = a->volume.type == bv_volume_rss || b->volume.type == bv_volume_rss;
	return is_kdop( a ) || is_kdop( b ) ? 0.4 : rss ? 1e-3 : 1e-5;
}

static void check_apart( fixture* f, const body* a, const body* b )
{
	bv_pose pose;
	bv_vec3 d = touch( f, a, b, &pose );
	pose.translation = bv_add( pose.translation, bv_scale( least_gap( a, b ), d ) );
	if ( overlap( a, b, &pose ) )
	{
		fail_pair( a, b, "apart, but overlapping" );
	}
}

static void pairs_that_are_apart_are_disjoint( void** state )
{
	for_all_pairs( *state, 1000, check_apart );
}

// Without a rotation the planes of two k-DOPs of a kind are parallel: they are apart along one of their directions, or
// are taken to overlap.
static void kdops_side_by_side_are_compared_by_their_intervals( void** state )
{
	fixture* f = *state;
	int disjoint = 0;
	for ( int i = 0; i < 300; ++i )
	{
		bv_volume_type type = (bv_volume_type)( bv_volume_kdop14 + i % 3 );
		body a = random_body( f, type );
		body b = random_body( f, type );
		bv_pose pose = bv_pose_identity();
		bring( &pose, outermost( &b, unit( random_vector( f, 1 ) ) ),
		       outermost( &a, unit( random_vector( f, 1 ) ) ) );
		pose.translation = bv_add( pose.translation, random_vector( f, 0.1 ) );
		bool apart = false;
		for ( uint32_t k = 0; k < BV_KDOP_DIRECTIONS; ++k )
		{
			double shift = bv_dot( bv_kdop_direction( k ), pose.translation );
			apart = apart || ( bv_kdop_uses( a.volume.kdop.k, k ) &&
			                   ( a.volume.kdop.upper[k] < b.volume.kdop.lower[k] + shift - 1e-9 ||
			                     a.volume.kdop.lower[k] > b.volume.kdop.upper[k] + shift + 1e-9 ) );
		}
		disjoint += apart;
		assert_int_equal( overlap( &a, &b, &pose ), !apart );
		forget( &a );
		forget( &b );
	}
	assert_in_range( disjoint, 30, 270 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( pairs_with_a_common_point_overlap ),
		fixture_test( pairs_that_touch_overlap ),
		fixture_test( pairs_that_are_apart_are_disjoint ),
		fixture_test( kdops_side_by_side_are_compared_by_their_intervals ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
