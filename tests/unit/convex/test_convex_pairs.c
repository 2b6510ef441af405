// Signed distances of convex pairs: against integers of any length for polytopes, against closed forms for curved shapes.
// Many more polytopes: tests/bench/convex_oracle.c.

#include "support.h"

#include "bv/convex.h"

#include "tests/reference/convex_exact.h"
#include "tests/reference/convex_pairs.h"
#include "tests/reference/random.h"

#include <float.h>

static bv_convex_result distance_of( const bv_convex* a, const bv_convex* b, const bv_transform* placement,
                                     bv_convex_cache* cache )
{
	bv_convex_options options = { .cache = cache };
	bv_convex_result r;
	assert_int_equal( bv_convex_distance( a, b, placement, &options, &r ), bv_ok );
	assert_true( r.lower <= r.upper );
	assert_true( fabs( bv_length( r.normal ) - 1 ) < 1e-9 );
	return r;
}

static bv_convex_overlap_result overlap_of( const bv_convex* a, const bv_convex* b,
                                            const bv_transform* placement, bv_convex_cache* cache )
{
	bv_convex_options options = { .cache = cache };
	bv_convex_overlap_result r;
	assert_int_equal( bv_convex_overlap( a, b, placement, &options, &r ), bv_ok );
	return r;
}

// Nothing that is in a cache may be trusted.
static bv_convex_cache any_cache( uint64_t* seed )
{
	bv_convex_cache cache = { .count = next_random( seed ) % 6 };
	cache.axis[0] = random_coordinate( seed ) * ( next_random( seed ) % 4 ? 1 : 1e300 );
	cache.axis[1] = next_random( seed ) % 4 ? random_coordinate( seed ) : NAN;
	cache.axis[2] = random_coordinate( seed );
	for ( int i = 0; i < 8; ++i )
	{
		cache.name[i / 2][i % 2] =
			next_random( seed ) % 4 ? next_random( seed ) % 8 : next_random( seed ) * 2;
	}
	if ( next_random( seed ) % 2 )
	{
		// A tetrahedron, a bipyramid, or what is left of them when some index is wrong.
		static const uint8_t solid[2][6][3] = {
			{ { 0, 1, 2 }, { 0, 3, 1 }, { 1, 3, 2 }, { 2, 3, 0 } },
			{ { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 }, { 1, 0, 4 }, { 2, 1, 4 }, { 0, 2, 4 } },
		};
		uint32_t which = next_random( seed ) % 2;
		cache.count = 4 + which;
		cache.faces = next_random( seed ) % 8 ? 4 + 2 * which : next_random( seed ) * 2;
		memcpy( cache.face, solid[which], sizeof solid[which] );
		cache.name[4][0] = next_random( seed ) % 8;
		cache.name[4][1] = next_random( seed ) % 8;
		uint8_t* odd = &cache.face[next_random( seed ) % 6][next_random( seed ) % 3];
		*odd = next_random( seed ) % 4 ? *odd : (uint8_t)next_random( seed );
		if ( next_random( seed ) % 2 ) // inside out
		{
			for ( int i = 0; i < 6; ++i )
			{
				uint8_t first = cache.face[i][0];
				cache.face[i][0] = cache.face[i][1];
				cache.face[i][1] = first;
			}
		}
	}
	return cache;
}

static void intervals_contain_the_exact_distance_whatever_is_cached( void** state )
{
	(void)state;
	uint64_t seed = 1;
	convex_exact* memory = convex_exact_create();
	convex_pair* pair = malloc( sizeof *pair );
	uint64_t count = is_thorough() ? 100000 : 2000;
	assert_true( memory && pair );
	for ( uint64_t i = 0; i < count; ++i )
	{
		convex_pair_make( 7 * i, pair );
		const bv_transform* placement = pair->is_placed ? &pair->placement : NULL;
		convex_exact_result exact;
		assert_true( convex_exact_compare( memory, pair->shape, NULL, pair->shape + 1, placement, &exact ) );
		bv_convex_cache cache = any_cache( &seed );
		if ( i % 4 == 1 )
		{
			// The slab of a place where they are apart a little says nothing about this one.
			bv_transform nearby = placement ? *placement : bv_transform_identity();
			bv_convex_result first = distance_of( pair->shape, pair->shape + 1, placement, NULL );
			double step = 1e-9 * exact.size - fmin( first.lower, 0 );
			nearby.pose.translation = bv_add( nearby.pose.translation, bv_scale( step, first.normal ) );
			cache = ( bv_convex_cache ){ .count = 0 };
			overlap_of( pair->shape, pair->shape + 1, &nearby, &cache );
		}
		bv_convex_overlap_result o =
			overlap_of( pair->shape, pair->shape + 1, placement, i % 2 ? &cache : NULL );
		bv_convex_result r = distance_of( pair->shape, pair->shape + 1, placement, i % 3 ? &cache : NULL );
		assert_true( o.overlaps == ( exact.sign <= 0 ) && o.certain );
		assert_true( r.lower <= exact.upper && r.upper >= exact.lower );
		for ( bv_convex_method m = 1; m < bv_convex_methods; ++m )
		{
			bv_convex_options options = { .method = m, .cache = &cache };
			bv_status status = bv_convex_overlap( pair->shape, pair->shape + 1, placement, &options, &o );
			assert_true( status == bv_error_unsupported ||
			             ( status == bv_ok && ( !o.certain || o.overlaps == ( exact.sign <= 0 ) ) ) );
			cache = any_cache( &seed );
		}
		double bar = ( exact.sign > 0 ? 1e-6 : 1e-5 ) * fabs( exact.lower ) + 4 * DBL_EPSILON * exact.size;
		assert_true( r.upper - r.lower <= bar );
	}
	free( pair );
	convex_exact_destroy( memory );
}

// Pairs of the oracle whose normals are off by more than 1e-6: points that were found a long way out along them are off sideways.
static void points_are_as_far_apart_as_the_exact_depth( void** state )
{
	(void)state;
	static const uint64_t indices[] = { 961125, 1726383, 11629811 };
	convex_exact* memory = convex_exact_create();
	convex_pair* pair = malloc( sizeof *pair );
	assert_true( memory && pair );
	for ( size_t i = 0; i < sizeof indices / sizeof *indices; ++i )
	{
		convex_pair_make( indices[i], pair );
		const bv_transform back = bv_transform_inverse( &pair->placement );
		for ( int order = 0; order < 2; ++order )
		{
			const bv_transform* at = !pair->is_placed ? NULL : order ? &back : &pair->placement;
			const bv_convex* a = pair->shape + order;
			const bv_convex* b = pair->shape + 1 - order;
			convex_exact_result exact;
			assert_true( convex_exact_compare( memory, a, NULL, b, at, &exact ) );
			assert_int_equal( exact.sign, -1 );
			bv_convex_result r = distance_of( a, b, at, NULL );
			double between = bv_length( bv_sub( r.point[0], r.point[1] ) );
			double bar = 1e-5 * -exact.lower + 12 * DBL_EPSILON * exact.size;
			assert_true( fabs( between + exact.lower ) <= bar );
		}
	}
	free( pair );
	convex_exact_destroy( memory );
}

typedef struct hull_points
{
	bv_vec3 point[20];
} hull_points;

static bv_convex random_hull( uint64_t* seed, hull_points* room )
{
	for ( int i = 0; i < 20; ++i )
	{
		room->point[i] = random_direction( seed );
	}
	return bv_convex_points( room->point, 20, 0 );
}

// Some shapes of all families, about one unit large.
static uint32_t some_shapes( uint64_t* seed, hull_points* room, bv_convex out[8] )
{
	bv_obb box = { .axis = { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } },
		           .half_extents = { 1, 0.5, 0.25 } };
	out[0] = random_hull( seed, room );
	out[1] = bv_convex_obb( &box );
	out[2] = bv_convex_cylinder( bv_vec3_make( 0, -0.5, 0 ), bv_vec3_make( 0, 0.5, 0.2 ), 0.7 );
	out[3] = bv_convex_cone( bv_vec3_make( 0, -0.5, 0 ), bv_vec3_make( 0, 0.7, 0 ), 0.6 );
	out[4] = bv_convex_ellipsoid( &box );
	out[5] = bv_convex_capsule( bv_vec3_make( -0.5, 0, 0 ), bv_vec3_make( 0.5, 0, 0 ), 0.3 );
	out[6] = bv_convex_triangle( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 0, 0 ), bv_vec3_make( 0, 1, 0 ) );
	out[7] = out[1];
	out[7].radius = 0.2;
	return 8;
}

static bv_transform any_pose( uint64_t* seed, bv_vec3 translation )
{
	bv_quaternion q = { random_coordinate( seed ), random_coordinate( seed ), random_coordinate( seed ),
		                random_coordinate( seed ) };
	double length = sqrt( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
	bv_quaternion unit = { q.x / length, q.y / length, q.z / length, q.w / length };
	bv_transform out;
	assert_int_equal( bv_transform_from_quaternion( unit, translation, &out ), bv_ok );
	return out;
}

// The next query begins with the polytope that a depth was found with: in the same place less than half of the support
// points are enough, and one step farther on a third.
static void depths_begin_with_the_last_polytope( void** state )
{
	(void)state;
	uint64_t seed = 3;
	uint32_t cold = 0;
	uint32_t warm = 0;
	for ( int i = 0; i < 50; ++i )
	{
		hull_points room[2];
		bv_convex a = random_hull( &seed, room );
		bv_convex b = random_hull( &seed, room + 1 );
		bv_transform at = any_pose( &seed, bv_vec3_make( 0.9, 0.1, 0.2 ) );
		bv_convex_cache cache = { .count = 0 };
		bv_convex_result first = distance_of( &a, &b, &at, &cache );
		bv_convex_result again = distance_of( &a, &b, &at, &cache );
		assert_true( first.upper < 0 );
		assert_true( 2 * again.supports <= first.supports );
		assert_true( again.lower <= first.upper && first.lower <= again.upper );
		at.pose.translation.x += 0.01;
		bv_convex_result next = distance_of( &a, &b, &at, &cache );
		bv_convex_result alone = distance_of( &a, &b, &at, NULL );
		assert_true( next.lower <= alone.upper && alone.lower <= next.upper );
		assert_true( next.upper - next.lower <= 1e-5 * fabs( next.lower ) );
		cold += alone.supports;
		warm += next.supports;
	}
	assert_true( 3 * warm < cold );
}

// The lower bound of a depth rests on a closed surface around the origin: without the nearest face, or with another corner in
// place of one, the next face or a wrong one would be the nearest.
static void remembered_polytopes_are_not_believed( void** state )
{
	(void)state;
	uint64_t seed = 5;
	uint32_t count = is_thorough() ? 20000 : 4000;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		hull_points room[2];
		bv_convex a = random_hull( &seed, room );
		bv_convex b = random_hull( &seed, room + 1 );
		bv_transform at = any_pose( &seed, bv_vec3_make( 0.7, 0.1, 0.2 ) );
		bv_convex_cache cache = { .count = 0 };
		distance_of( &a, &b, &at, &cache );
		if ( cache.faces < 4 )
		{
			continue; // too large to be kept
		}
		++kept;
		uint32_t drop = i % 4 < 2 ? i % 4 : cache.faces;
		for ( uint32_t k = drop; k + 1 < cache.faces; ++k )
		{
			memcpy( cache.face[k], cache.face[k + 1], sizeof *cache.face );
		}
		cache.faces -= drop < cache.faces;
		for ( uint32_t k = 0; k < i % 5; ++k )
		{
			uint32_t corner = next_random( &seed ) % cache.count;
			cache.name[corner][0] = next_random( &seed ) % 20;
			cache.name[corner][1] = next_random( &seed ) % 20;
		}
		at.pose.translation.x += 0.2 * random_coordinate( &seed );
		bv_convex_result next = distance_of( &a, &b, &at, &cache );
		bv_convex_result alone = distance_of( &a, &b, &at, NULL );
		assert_true( next.lower <= alone.upper && alone.lower <= next.upper );
		assert_true( next.upper - next.lower <= 1e-5 * fabs( next.lower ) + 1e-15 );
	}
	assert_true( kept > 0.99 * count );
}

// A polytope is kept, then the second hull turns and moves so far that it need not be convex any more: a search that begins with it
// can end with a wide interval, or with the origin in front of a face.
typedef struct turned_pair
{
	bv_vec3 point[2][30];
	bv_convex shape[2];
	bv_transform at;
	bv_convex_cache cache; // of the place before
} turned_pair;

// @param flat  height of both hulls
static void make_turned_pair( uint64_t index, double flat, turned_pair* out )
{
	uint64_t seed = index;
	for ( int k = 0; k < 2; ++k )
	{
		for ( int i = 0; i < 30; ++i )
		{
			bv_vec3 d = random_direction( &seed );
			out->point[k][i] = bv_vec3_make( d.x, d.y, flat * d.z );
		}
		out->shape[k] = bv_convex_points( out->point[k], 30, 0 );
	}
	bv_quaternion q = { random_coordinate( &seed ), random_coordinate( &seed ), random_coordinate( &seed ),
		                1.5 };
	out->cache = ( bv_convex_cache ){ .count = 0 };
	for ( int place = 0; place < 2; ++place )
	{
		double length = sqrt( q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w );
		bv_quaternion unit = { q.x / length, q.y / length, q.z / length, q.w / length };
		bv_vec3 by = { 0.7 + 0.3 * place * random_coordinate( &seed ), 0.1, 0.2 };
		assert_int_equal( bv_transform_from_quaternion( unit, by, &out->at ), bv_ok );
		if ( place == 0 )
		{
			distance_of( out->shape, out->shape + 1, &out->at, &out->cache );
			q.x += 0.5 * random_coordinate( &seed );
			q.y += 0.5 * random_coordinate( &seed );
			q.z += 0.5 * random_coordinate( &seed );
		}
	}
}

static void kept_polytopes_of_turned_hulls_are_not_the_last_word( void** state )
{
	(void)state;
	for ( uint64_t i = 1; i <= 500; ++i )
	{
		turned_pair t;
		make_turned_pair( i, 1, &t );
		bv_convex_result r = distance_of( t.shape, t.shape + 1, &t.at, &t.cache );
		assert_true( r.upper - r.lower <= 1e-5 * fabs( r.lower ) + 1e-14 );
	}
}

// With a tolerance of 1 an interval from 0 is narrow enough. These are pairs of which the kept polytope proves no more, and those
// without a cache that they overlap.
static void kept_polytopes_prove_overlaps_or_are_not_used( void** state )
{
	(void)state;
	static const uint64_t indices[] = { 7019, 14151, 18457, 22753, 36294, 39891 };
	for ( size_t i = 0; i < sizeof indices / sizeof *indices; ++i )
	{
		turned_pair t;
		make_turned_pair( indices[i], 0.05, &t );
		assert_true( t.cache.faces >= 4 );
		bv_convex_options options = { .tolerance = 1, .cache = &t.cache };
		bv_convex_result r;
		assert_int_equal( bv_convex_distance( t.shape, t.shape + 1, &t.at, &options, &r ), bv_ok );
		assert_true( r.upper < 0 );
	}
}

// The faces of a great dodecahedron: planes through the five neighbors of each vertex of an icosahedron. The surface is closed
// and has the origin behind all faces, but it goes around it three times and has genus 4.
static uint32_t great_dodecahedron( const bv_vec3 vertex[12], uint8_t face[36][3] )
{
	bool used[12][12] = { { false } };
	uint32_t count = 0;
	for ( uint8_t i = 0; i < 12; ++i )
	{
		uint8_t ring[5];
		uint32_t found = 0;
		for ( uint8_t k = 0; k < 12 && found == 0; ++k )
		{
			if ( k != i && bv_dot( vertex[i], vertex[k] ) > 0 )
			{
				ring[found++] = k;
			}
		}
		for ( uint8_t k = 0; k < 12 && found < 5;
		      ++k ) // from each neighbor on to the next one, counterclockwise
		{
			bv_vec3 last = vertex[ring[found - 1]];
			bool follows = k != i && bv_dot( vertex[i], vertex[k] ) > 0 && bv_dot( last, vertex[k] ) > 0 &&
			               bv_dot( vertex[i], bv_cross( last, vertex[k] ) ) > 0.1;
			if ( follows )
			{
				ring[found++] = k;
				k = UINT8_MAX;
			}
		}
		// A fan whose diagonals are not those of another one.
		uint32_t first = 0;
		while ( used[ring[first]][ring[( first + 2 ) % 5]] || used[ring[first]][ring[( first + 3 ) % 5]] )
		{
			++first;
			assert_true( first < 5 );
		}
		for ( uint32_t k = 1; k < 4; ++k, ++count )
		{
			face[count][0] = ring[first];
			face[count][1] = ring[( first + k ) % 5];
			face[count][2] = ring[( first + k + 1 ) % 5];
			used[ring[first]][face[count][1]] = used[face[count][1]][ring[first]] = true;
		}
	}
	return count;
}

static void surfaces_of_several_sheets_are_not_believed( void** state )
{
	(void)state;
	uint64_t seed = 7;
	bv_vec3 point[1012];
	for ( int i = 0; i < 12; ++i )
	{
		double one = i & 1 ? -1 : 1;
		double golden = i & 2 ? -1.618 : 1.618;
		point[i] = i < 4   ? bv_vec3_make( 0, one, golden )
		           : i < 8 ? bv_vec3_make( golden, 0, one )
		                   : bv_vec3_make( one, golden, 0 );
	}
	for ( int i = 12; i < 1012; ++i )
	{
		point[i] = bv_scale( 2.2, random_direction( &seed ) );
	}
	bv_convex a = bv_convex_points( point, 1012, 0 );
	bv_convex b = bv_convex_point( bv_vec3_make( 0.05, 0.03, 0.02 ) );
	bv_convex_cache cache = { .count = 12 };
	for ( uint32_t i = 0; i < 12; ++i )
	{
		cache.name[i][0] = i;
	}
	cache.faces = great_dodecahedron( point, cache.face );
	assert_int_equal( cache.faces, 36 );
	bv_convex_result warm = distance_of( &a, &b, NULL, &cache );
	bv_convex_result cold = distance_of( &a, &b, NULL, NULL );
	assert_true( warm.lower <= cold.upper && cold.lower <= warm.upper );
}

// A translation by s changes a signed distance by at most s: there is no jump where one algorithm ends and another begins.
static void signed_distances_do_not_jump_along_paths( void** state )
{
	(void)state;
	uint64_t seed = 2;
	hull_points room;
	bv_convex shape[8];
	uint32_t shapes = some_shapes( &seed, &room, shape );
	int paths = is_thorough() ? 2000 : 60;
	for ( int path = 0; path < paths; ++path )
	{
		const bv_convex* a = shape + next_random( &seed ) % shapes;
		const bv_convex* b = shape + next_random( &seed ) % shapes;
		bv_vec3 way = random_direction( &seed );
		bv_transform at = any_pose( &seed, bv_scale( -3, way ) );
		bv_convex_cache cache = { .count = 0 };
		double step = 6.0 / 150;
		bv_convex_result last = distance_of( a, b, &at, &cache );
		for ( int i = 1; i <= 150; ++i )
		{
			at.pose.translation =
				bv_add( bv_scale( -3 + i * step, way ), bv_scale( 0.1, bv_vec3_make( 1, 0, 0 ) ) );
			double moved = i == 1 ? step + 0.1 : step;
			bv_convex_result now = distance_of( a, b, &at, &cache );
			assert_true( now.lower - last.upper <= moved + 1e-12 && last.lower - now.upper <= moved + 1e-12 );
			last = now;
		}
	}
}

// The depth's normal separates: moved by it the shapes touch. The distance's slab is as wide as the distance.
static void normals_separate_by_the_signed_distance( void** state )
{
	(void)state;
	uint64_t seed = 3;
	hull_points room;
	bv_convex shape[8];
	uint32_t shapes = some_shapes( &seed, &room, shape );
	for ( int round = 0; round < 300; ++round )
	{
		const bv_convex* a = shape + next_random( &seed ) % shapes;
		const bv_convex* b = shape + next_random( &seed ) % shapes;
		bv_transform at = any_pose( &seed, bv_scale( 1.2, random_direction( &seed ) ) );
		bv_convex_result r = distance_of( a, b, &at, NULL );
		at.pose.translation = bv_sub( at.pose.translation, bv_scale( r.lower, r.normal ) );
		bv_convex_result then = distance_of( a, b, &at, NULL );
		assert_true( then.upper >= -1e-12 );
		assert_true( fabs( then.lower ) <= 1e-5 );
	}
}

// Two capped solids of revolution, side by side and on top of each other.
static void curved_shapes_are_measured_in_closed_form( void** state )
{
	(void)state;
	bv_convex tower = bv_convex_cylinder( bv_vec3_make( 0, 0, -2 ), bv_vec3_make( 0, 0, 2 ), 1 );
	bv_obb radii = { .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } }, .half_extents = { 1, 2, 3 } };
	bv_convex egg = bv_convex_ellipsoid( &radii );
	bv_convex floor = bv_convex_box( bv_vec3_make( 0, 0, -50 ), bv_vec3_make( 50, 50, 50 ) );
	for ( int i = -8; i <= 8; ++i )
	{
		double gap = i / 16.0;
		bv_transform beside = bv_transform_translation( 2 + gap, 0, 0.5 );
		bv_convex_result r = distance_of( &tower, &tower, &beside, NULL );
		assert_true( r.lower <= gap + 1e-12 && r.upper >= gap - 1e-12 );
		assert_true( r.upper - r.lower <= 1e-5 * fabs( gap ) + 1e-8 );

		// An ellipsoid that is turned about x by the angle whose cosine is 3/5 reaches sqrt( (4/5 2)^2 + (3/5 3)^2 ) down.
		bv_transform on = bv_transform_identity();
		double down = sqrt( 1.6 * 1.6 + 1.8 * 1.8 );
		on.pose = ( bv_pose ){ { { 1, 0, 0 }, { 0, 0.6, -0.8 }, { 0, 0.8, 0.6 } }, { 3, 4, down + gap } };
		r = distance_of( &floor, &egg, &on, NULL );
		assert_true( r.lower <= gap + 1e-12 && r.upper >= gap - 1e-12 );
		assert_true( r.upper - r.lower <= 1e-5 * fabs( gap ) + 1e-8 );
		assert_true( i == 0 || overlap_of( &floor, &egg, &on, NULL ).overlaps == ( i < 0 ) );
	}
}

// The middle of the side of a cylinder, where all supports along the side's normal are at its ends.
static void points_of_ruled_sides_face_each_other( void** state )
{
	(void)state;
	bv_convex tower = bv_convex_cylinder( bv_vec3_make( 0, 0, -1 ), bv_vec3_make( 0, 0, 1 ), 1 );
	for ( int i = 1; i < 10; ++i )
	{
		bv_vec3 at = { 0.8 * ( 1 - 0.01 * i ), 0.6 * ( 1 - 0.01 * i ), 0.08 * i - 0.4 };
		bv_convex pin = bv_convex_point( at );
		bv_convex_result r = distance_of( &tower, &pin, NULL, NULL );
		bv_vec3 expected = { 0.8, 0.6, at.z };
		assert_true( bv_length( bv_sub( r.point[0], expected ) ) < 1e-4 );
		assert_true( bv_length( bv_sub( r.point[1], at ) ) < 1e-12 );
		assert_true( overlap_of( &tower, &pin, NULL, NULL ).certain );
	}
}

static void a_slab_of_the_last_query_decides_nothing_about_rounded_shapes( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_convex b = a;
	b.radius = 0.5;
	bv_convex_cache cache = { .count = 0 };
	bv_convex_options options = { .method = bv_convex_method_sat, .cache = &cache };
	bv_transform beside = bv_transform_translation( 2.6, 0, 0 );
	bv_transform corner = bv_transform_translation( 2.36, 2.36, 2.36 ); // 0.36 * sqrt( 3 ) is above 0.5
	bv_convex_overlap_result o;
	assert_int_equal( bv_convex_overlap( &a, &b, &beside, &options, &o ), bv_ok );
	assert_true( !o.overlaps );
	assert_int_equal( bv_convex_overlap( &a, &b, &corner, &options, &o ), bv_ok );
	assert_true( !o.overlaps );
}

static void tiny_shapes_are_not_decided( void** state )
{
	(void)state;
	bv_convex a = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0x1p-360, 0x1p-360, 0x1p-360 ) );
	bv_transform at = bv_transform_translation( 0x1p-360, 0, 0 );
	bv_convex_result r = distance_of( &a, &a, &at, NULL );
	assert_true( r.lower <= -0x1p-360 && r.upper >= -0x1p-360 );
	bv_convex_overlap_result o = overlap_of( &a, &a, &at, NULL );
	assert_true( o.overlaps && !o.certain );
}

// Products of subnormal coordinates vanish, and with them the bound of rounding errors.
static void subnormal_shapes_are_not_decided( void** state )
{
	(void)state;
	bv_convex a = bv_convex_point( bv_vec3_make( 0x1p-1040, 0, 0 ) );
	bv_convex b = bv_convex_point( bv_vec3_make( 0, 0, 0 ) );
	bv_convex_overlap_result r;
	assert_int_equal( bv_convex_overlap( &a, &b, NULL, NULL, &r ), bv_ok );
	assert_false( r.certain );
	assert_int_equal( bv_convex_overlap( &b, &b, NULL, NULL, &r ), bv_ok );
	assert_true( r.overlaps && r.certain );
}

// A coordinate of 2^-1022 beside one of 6e7: exact products have too many digits. The depth is that of the other order, which
// does not need them.
static void digits_that_are_lost_do_no_harm( void** state )
{
	(void)state;
	bv_convex box = bv_convex_box( bv_vec3_make( 0.6888427734375, 0.8114013671875, 0x1p-1022 ),
	                               bv_vec3_make( 1, 0.196685791015625, 0.246734619140625 ) );
	bv_convex segment = bv_convex_segment( bv_vec3_make( -0.375335693359375, 0.12603759765625, 0 ),
	                                       bv_vec3_make( -0.28948974609375, 0x1p-1022, 62328355.822405368 ) );
	bv_transform box_to_segment = {
		.pose = { { { -0.046399226679555428, -0.051715804736587725, 0.99758337361043981 },
		            { 0.85983566940550993, -0.51039149347510882, 0.013533107781536975 },
		            { 0.50845819236346057, 0.85838569357177386, 0.068148864185596958 } },
		          { -0.11184428359299486, 0.71066636702702102, -0.35263793117319161 } },
		.scale = 1,
	};
	bv_transform segment_to_box = bv_transform_inverse( &box_to_segment );
	bv_convex_result one = distance_of( &segment, &box, &box_to_segment, NULL );
	bv_convex_result other = distance_of( &box, &segment, &segment_to_box, NULL );
	assert_true( other.upper - other.lower < 1e-6 );
	assert_true( one.lower <= other.upper + 1e-8 && other.lower <= one.upper + 1e-8 );
	assert_true( bv_length( other.point[1] ) < 10 );
}

// The signed distance of two balls of radius 1 is that of their centers less 2.
static void radii_count_where_centers_are_tiny( void** state )
{
	(void)state;
	bv_convex a = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), 1 );
	bv_convex b = bv_convex_sphere( bv_vec3_make( 0x1p-166, 0, 0 ), 1 );
	bv_convex_overlap_result o = overlap_of( &a, &b, NULL, NULL );
	assert_true( o.overlaps && o.certain );
	bv_convex_result r = distance_of( &a, &b, NULL, NULL );
	assert_true( r.lower <= -2 && r.upper >= -2 && r.upper - r.lower < 1e-14 );
	bv_convex floor[2] = { bv_convex_half_space( bv_vec3_make( 1, 0, 0 ), 0x1p-166 ),
		                   bv_convex_half_space( bv_vec3_make( 0, 1, 0 ), 0 ) };
	assert_int_equal( bv_convex_distance( floor, floor + 1, NULL, NULL, &r ), bv_ok );
	assert_true( r.lower == -INFINITY && r.upper == -INFINITY );
}

// The slab of the last query counts only as far as it is wider than both radii: of balls, boxes that are scaled, and never of
// half-spaces.
static void slabs_of_the_last_query_are_compared_with_radii( void** state )
{
	(void)state;
	bv_convex ball = bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), 1 );
	bv_convex box = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	box.radius = 0.25;
	bv_convex floor = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), 0 );
	bv_convex_cache cache[3] = { { .count = 0 } };
	for ( int i = 0; i < 60; ++i )
	{
		double x = 4.5 - i / 16.0;
		bv_transform at = bv_transform_translation( x, 0, 0 );
		assert_true( overlap_of( &ball, &ball, &at, cache ).overlaps == ( x <= 2 ) );
		at.scale = 2;
		assert_true( overlap_of( &box, &box, &at, cache + 1 ).overlaps == ( x <= 1 + 2 + 0.25 + 0.5 ) );
		at = bv_transform_translation( 0, 0, x );
		assert_true( overlap_of( &floor, &ball, &at, cache + 2 ).overlaps == ( x <= 1 ) );
	}
}

// What is left of a distance when radii are subtracted is as certain as the width asks, and not only the distance.
static void small_distances_of_rounded_shapes_are_narrow( void** state )
{
	(void)state;
	uint64_t seed = 11;
	for ( int i = 0; i < 50; ++i )
	{
		hull_points room[2];
		bv_convex a = random_hull( &seed, room );
		bv_convex b = random_hull( &seed, room + 1 );
		bv_transform at = any_pose( &seed, bv_vec3_make( 3, 0.5, 0.2 ) );
		bv_convex_result cores = distance_of( &a, &b, &at, NULL );
		a.radius = b.radius = 0.5 * ( cores.lower - 1e-7 );
		bv_convex_result r = distance_of( &a, &b, &at, NULL );
		assert_true( r.upper - r.lower <= 1e-6 * 1.1e-6 + 1e-14 );
		assert_true( r.lower > 0 && r.upper < 1.1e-6 );
	}
}

static void radii_are_subtracted( void** state )
{
	(void)state;
	uint64_t seed = 4;
	hull_points room[2];
	bv_convex a = random_hull( &seed, room );
	bv_convex b = random_hull( &seed, room + 1 );
	for ( int round = 0; round < 200; ++round )
	{
		bv_transform at =
			any_pose( &seed, bv_scale( 3 * fabs( random_coordinate( &seed ) ), random_direction( &seed ) ) );
		at.scale = 0.5;
		bv_convex_result sharp = distance_of( &a, &b, &at, NULL );
		bv_convex round_a = a;
		bv_convex round_b = b;
		round_a.radius = 0.25;
		round_b.radius = 0.5; // half of it in coordinates of a
		bv_convex_result r = distance_of( &round_a, &round_b, &at, NULL );
		assert_true( r.lower <= sharp.upper - 0.5 + 1e-12 && r.upper >= sharp.lower - 0.5 - 1e-12 );
		assert_true( overlap_of( &round_a, &round_b, &at, NULL ).overlaps == ( r.lower <= 0 ) );
	}
}

static bv_vec3 nonsense( const void* context, bv_vec3 direction )
{
	static const double numbers[] = { NAN, INFINITY, 1e300, 0, -1, 1e-300 };
	const uint64_t* kind = context;
	uint64_t seed = *kind + (uint64_t)( 1000 * direction.x ) + (uint64_t)( 77 * direction.z );
	double x = numbers[next_random( &seed ) % 6];
	double y = *kind % 2 ? numbers[next_random( &seed ) % 6] : random_coordinate( &seed );
	return bv_vec3_make( x, y, *kind % 3 ? x : direction.y );
}

static void callbacks_that_return_nonsense_do_no_harm( void** state )
{
	(void)state;
	bv_convex crate = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	for ( uint64_t kind = 0; kind < 500; ++kind )
	{
		bv_convex odd = bv_convex_support( nonsense, &kind );
		bv_convex_result r = { .lower = 7 };
		bv_status status = bv_convex_distance( &crate, &odd, NULL, NULL, &r );
		assert_true( status == bv_error_argument ? r.lower == 7 : status == bv_ok && !( r.lower > r.upper ) );
		bv_convex_overlap_result o;
		status = bv_convex_overlap( &odd, &odd, NULL, NULL, &o );
		assert_true( status == bv_ok || status == bv_error_argument );
	}
}

static void bad_arguments_change_nothing( void** state )
{
	(void)state;
	bv_convex good = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, 1, 1 ) );
	bv_vec3 far = { 0x1p201, 0, 0 };
	bv_vec3 odd = { NAN, 0, 0 };
	const bv_vec3 first_odd[4] = { { NAN, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	const uint32_t first_neighbor[5] = { 0, 3, 6, 9, 12 };
	const uint32_t neighbors[12] = { 1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2 };
	const bv_convex bad[] = {
		bv_convex_points( NULL, 3, 0 ),
		bv_convex_points( &far, 0, 0 ),
		bv_convex_points( &far, 1, 0 ),
		bv_convex_points( &odd, 1, 0 ),
		bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), -1 ),
		bv_convex_sphere( bv_vec3_make( 0, 0, 0 ), NAN ),
		bv_convex_cylinder( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0, 0, 0 ), 1 ),
		bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 1, -1, 1 ) ),
		bv_convex_graph( &odd, 1, NULL, NULL ),
		bv_convex_graph( first_odd, 4, first_neighbor, neighbors ),
		{ .kind = bv_convex_kinds },
		{ .kind = bv_convex_of_support },
		{ .kind = bv_convex_of_hull },
	};
	bv_convex_result r = { .lower = 7 };
	bv_convex_overlap_result o = { .supports = 7 };
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		assert_int_equal( bv_convex_distance( bad + i, &good, NULL, NULL, &r ), bv_error_argument );
		assert_int_equal( bv_convex_distance( &good, bad + i, NULL, NULL, &r ), bv_error_argument );
		assert_int_equal( bv_convex_overlap( &good, bad + i, NULL, NULL, &o ), bv_error_argument );
	}
	bv_transform flat = bv_transform_identity();
	flat.scale = 0;
	bv_transform away = bv_transform_translation( 0x1p201, 0, 0 );
	bv_convex_options options[] = { { .method = bv_convex_methods },
		                            { .tolerance = -1 },
		                            { .tolerance = NAN } };
	assert_int_equal( bv_convex_distance( NULL, &good, NULL, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_distance( &good, &good, NULL, NULL, NULL ), bv_error_argument );
	assert_int_equal( bv_convex_distance( &good, &good, &flat, NULL, &r ), bv_error_argument );
	assert_int_equal( bv_convex_distance( &good, &good, &away, NULL, &r ), bv_error_argument );
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( bv_convex_distance( &good, &good, NULL, options + i, &r ), bv_error_argument );
	}
	assert_true( r.lower == 7 && o.supports == 7 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( intervals_contain_the_exact_distance_whatever_is_cached ),
		cmocka_unit_test( points_are_as_far_apart_as_the_exact_depth ),
		cmocka_unit_test( depths_begin_with_the_last_polytope ),
		cmocka_unit_test( remembered_polytopes_are_not_believed ),
		cmocka_unit_test( kept_polytopes_of_turned_hulls_are_not_the_last_word ),
		cmocka_unit_test( kept_polytopes_prove_overlaps_or_are_not_used ),
		cmocka_unit_test( surfaces_of_several_sheets_are_not_believed ),
		cmocka_unit_test( signed_distances_do_not_jump_along_paths ),
		cmocka_unit_test( normals_separate_by_the_signed_distance ),
		cmocka_unit_test( curved_shapes_are_measured_in_closed_form ),
		cmocka_unit_test( points_of_ruled_sides_face_each_other ),
		cmocka_unit_test( a_slab_of_the_last_query_decides_nothing_about_rounded_shapes ),
		cmocka_unit_test( tiny_shapes_are_not_decided ),
		cmocka_unit_test( subnormal_shapes_are_not_decided ),
		cmocka_unit_test( digits_that_are_lost_do_no_harm ),
		cmocka_unit_test( radii_count_where_centers_are_tiny ),
		cmocka_unit_test( slabs_of_the_last_query_are_compared_with_radii ),
		cmocka_unit_test( small_distances_of_rounded_shapes_are_narrow ),
		cmocka_unit_test( radii_are_subtracted ),
		cmocka_unit_test( callbacks_that_return_nonsense_do_no_harm ),
		cmocka_unit_test( bad_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
