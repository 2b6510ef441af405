// Convex shapes in every method, at rest and moving: against exact arithmetic of polytopes, and integers.

#include "worlds.h"

#include "bvworld/queries.h"

#include "tests/reference/casts.h"
#include "tests/reference/convex_exact.h"

enum
{
	objects = 100,
	corners = 6,
};

static void fill( fleet* f, scene kind, uint32_t changes )
{
	for ( uint32_t i = 0; i < changes; ++i )
	{
		bvw_object o = draw_object( &f->random, kind, 8 );
		uint32_t number = draw_below( &f->random, objects );
		if ( model_has( &f->model, number ) )
		{
			fleet_move( f, number, &o.box );
		}
		else
		{
			fleet_add( f, number, &o );
		}
	}
	if ( draw_below( &f->random, 2 ) )
	{
		fleet_update( f );
	}
}

static uint32_t ask_overlap( fleet* f, const bv_convex* shape, const bv_transform* placement, uint32_t* out )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		bvw_found found = { .count = UINT32_MAX };
		assert_int_equal(
			bvw_broadphase_overlap_convex( f->world[i], shape, placement, NULL, f->numbers, objects, &found ),
			bv_ok );
		if ( i == 0 )
		{
			count = found.count;
			memcpy( out, f->numbers, count * sizeof *out );
		}
		if ( found.count != count || memcmp( f->numbers, out, count * sizeof *out ) != 0 )
		{
			fleet_fail( f, i, "bvw_broadphase_overlap_convex" );
		}
	}
	return count;
}

static bool has( const uint32_t* numbers, uint32_t count, uint32_t number )
{
	bool found = false;
	for ( uint32_t i = 0; i < count; ++i )
	{
		found = found || numbers[i] == number;
	}
	return found;
}

// The box of an object, infinite ones cut off far beyond all shapes.
static uint32_t corners_of( const model_object* o, double far, bv_vec3 out[8] )
{
	for ( int i = 0; i < 8; ++i )
	{
		double x[3];
		for ( int k = 0; k < 3; ++k )
		{
			x[k] = i >> k & 1 ? fmin( o->high[k], far ) : fmax( o->low[k], -far );
		}
		out[i] = ( bv_vec3 ){ x[0], x[1], x[2] };
	}
	return 8;
}

static bv_transform draw_placement( uint64_t* random, bool is_lattice )
{
	bv_transform t = bv_transform_identity();
	bv_vec3 to = { draw_below( random, 9 ), draw_below( random, 9 ), draw_below( random, 9 ) };
	bv_vec3 axis = { draw_unit( random ) - 0.5, draw_unit( random ) - 0.5, draw_unit( random ) - 0.5 };
	if ( is_lattice )
	{
		t = bv_transform_translation( to.x, to.y, to.z );
	}
	else
	{
		assert_int_equal( bv_transform_from_axis_angle( axis, 6 * draw_unit( random ), to, &t ), bv_ok );
		t.mirror = draw_below( random, 2 ) != 0;
	}
	return t;
}

// Of all objects whose boxes are near enough for the oracle's integers.
static void polytopes_touch_what_exact_arithmetic_says( void** state )
{
	(void)state;
	const scene kinds[] = { scene_uniform, scene_half_spaces, scene_points, scene_lattice,
		                    scene_flat,    scene_spot,        scene_far };
	convex_exact* exact = convex_exact_create();
	uint32_t touching = 0;
	uint32_t apart = 0;
	for ( uint32_t k = 0; k < sizeof kinds / sizeof *kinds; ++k )
	{
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 3 + k );
		for ( uint32_t round = 0; round < rounds( 5 ); ++round )
		{
			fill( &f, kinds[k], 60 );
			bool is_lattice = kinds[k] == scene_lattice || kinds[k] == scene_points;
			bv_vec3 corner[corners];
			for ( int i = 0; i < corners; ++i )
			{
				corner[i] = is_lattice ? ( bv_vec3 ){ draw_below( &f.random, 4 ), draw_below( &f.random, 4 ),
					                                  draw_below( &f.random, 4 ) }
				                       : draw_point( &f.random, 4 );
			}
			bv_convex shape = bv_convex_points( corner, 1 + draw_below( &f.random, corners ), 0 );
			if ( draw_below( &f.random, 4 ) == 0 )
			{
				shape = bv_convex_box( corner[0], corner[1] );
			}
			bv_transform placement = draw_placement( &f.random, is_lattice );
			if ( kinds[k] == scene_far )
			{
				placement.pose.translation =
					bv_add( placement.pose.translation, ( bv_vec3 ){ 1e7, -1e7, 1e7 } );
			}
			uint32_t found[objects];
			uint32_t count = ask_overlap( &f, &shape, &placement, found );
			for ( uint32_t i = 0; i < objects; ++i )
			{
				const model_object* o = f.model.object + i;
				if ( !o->serial )
				{
					assert_false( has( found, count, i ) );
					continue;
				}
				bv_vec3 box[8];
				bv_convex other = bv_convex_points( box, corners_of( o, 0x1p30, box ), 0 );
				convex_exact_result r;
				assert_true( convex_exact_compare( exact, &other, NULL, &shape, &placement, &r ) );
				assert_int_equal( has( found, count, i ), r.sign <= 0 );
				touching += r.sign <= 0;
				apart += r.sign > 0;
			}
		}
		fleet_free( &f );
	}
	convex_exact_destroy( exact );
	assert_true( touching > 100 && apart > 100 );
}

// Centers, radii and boxes are integers: the square of the distance is compared with that of the radius.
static void balls_touch_what_integers_say( void** state )
{
	(void)state;
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 9 );
	uint32_t grazed = 0;
	for ( uint32_t round = 0; round < rounds( 40 ); ++round )
	{
		fill( &f, scene_lattice, 40 );
		bv_vec3 c = { draw_below( &f.random, 12 ), draw_below( &f.random, 12 ), draw_below( &f.random, 12 ) };
		int64_t radius = draw_below( &f.random, 6 );
		bv_convex ball = bv_convex_sphere( c, (double)radius );
		uint32_t found[objects];
		uint32_t count = ask_overlap( &f, &ball, NULL, found );
		for ( uint32_t i = 0; i < objects; ++i )
		{
			const model_object* o = f.model.object + i;
			const int64_t center[] = { (int64_t)c.x, (int64_t)c.y, (int64_t)c.z };
			int64_t square = 0;
			for ( int k = 0; k < 3 && o->serial; ++k )
			{
				int64_t low = (int64_t)o->low[k] - center[k];
				int64_t high = center[k] - (int64_t)o->high[k];
				int64_t beside = low > 0 ? low : high > 0 ? high : 0;
				square += beside * beside;
			}
			bool touches = o->serial && square <= radius * radius;
			bool grazes = o->serial && square == radius * radius && radius > 0;
			grazed += grazes;
			assert_int_equal( has( found, count, i ), touches );
		}
	}
	assert_true( grazed > 20 );
	fleet_free( &f );
}

static uint32_t ask_cast( fleet* f, const bv_convex* shape, const bv_transform* placement, bv_vec3 motion,
                          bvw_hit* all )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		bvw_hit hits[objects];
		bvw_found found = { .count = UINT32_MAX };
		assert_int_equal(
			bvw_broadphase_cast_convex( f->world[i], shape, placement, motion, NULL, hits, objects, &found ),
			bv_ok );
		if ( i == 0 )
		{
			count = found.count;
			memcpy( all, hits, count * sizeof *hits );
		}
		bool is_same = found.count == count;
		bvw_hit first[3];
		assert_int_equal(
			bvw_broadphase_cast_convex( f->world[i], shape, placement, motion, NULL, first, 3, &found ),
			bv_ok );
		is_same = is_same && found.count == ( count < 3 ? count : 3 );
		for ( uint32_t k = 0; k < count && is_same; ++k )
		{
			const bvw_hit* h = k < 3 ? first + k : hits + k;
			is_same = hits[k].number == all[k].number && hits[k].time.lower == all[k].time.lower &&
			          hits[k].time.upper == all[k].time.upper && h->number == all[k].number &&
			          h->time.lower == all[k].time.lower;
		}
		if ( !is_same )
		{
			fleet_fail( f, i, "bvw_broadphase_cast_convex" );
		}
	}
	return count;
}

static cast_vec integers_of( bv_vec3 v )
{
	return ( cast_vec ){ { (int64_t)v.x, (int64_t)v.y, (int64_t)v.z } };
}

// Motions are at least 1 long: times of polytopes with integer corners of up to 12 are known to a millionth.
static void moving_polytopes_meet_what_integers_say( void** state )
{
	(void)state;
	const cast_ratio start = { 0, 1 };
	uint32_t met = 0;
	uint32_t passed = 0;
	for ( int half_spaces = 0; half_spaces < 2; ++half_spaces )
	{
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 21 + (uint32_t)half_spaces );
		for ( uint32_t round = 0; round < rounds( 12 ); ++round )
		{
			fill( &f, scene_lattice, 40 );
			if ( half_spaces && round == 0 )
			{
				bvw_object o = { .box = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, 1 } } };
				fleet_remove( &f, 0 );
				fleet_add( &f, 0, &o );
			}
			bv_vec3 corner[4];
			cast_vec own[4];
			bv_vec3 to = { draw_below( &f.random, 8 ), draw_below( &f.random, 8 ),
				           draw_below( &f.random, 8 ) };
			for ( int i = 0; i < 4; ++i )
			{
				corner[i] = ( bv_vec3 ){ draw_below( &f.random, 3 ), draw_below( &f.random, 3 ),
					                     draw_below( &f.random, 3 ) };
				own[i] = integers_of( bv_add( corner[i], to ) );
			}
			bv_vec3 motion = { draw_below( &f.random, 21 ) - 10.0, draw_below( &f.random, 21 ) - 10.0,
				               draw_below( &f.random, 21 ) - 10.5 + 0.5 };
			motion.x += motion.x == 0 && motion.y == 0 && motion.z == 0;
			bv_convex shape = bv_convex_points( corner, 4, 0 );
			bv_transform placement = bv_transform_translation( to.x, to.y, to.z );
			bvw_hit hits[objects];
			uint32_t count = ask_cast( &f, &shape, &placement, motion, hits );
			for ( uint32_t i = 0; i < objects; ++i )
			{
				const model_object* o = f.model.object + i;
				const bvw_hit* hit = NULL;
				for ( uint32_t k = 0; k < count; ++k )
				{
					hit = hits[k].number == i ? hits + k : hit;
				}
				if ( !o->serial )
				{
					assert_null( hit );
					continue;
				}
				bv_vec3 box[8];
				cast_vec other[8];
				corners_of( o, 100, box );
				for ( int k = 0; k < 8; ++k )
				{
					other[k] = integers_of( box[k] );
				}
				cast_ratio first;
				cast_ratio last;
				bool meets = cast_times( other, 8, own, 4, integers_of( motion ), &first, &last ) &&
				             cast_compare( 0, &last ) <= 0 && cast_compare( 1, &first ) >= 0;
				assert_int_equal( hit != NULL, meets );
				met += meets;
				passed += !meets;
				if ( meets )
				{
					const cast_ratio* time = cast_compare( 0, &first ) > 0 ? &start : &first;
					assert_true( cast_compare( hit->time.lower, time ) <= 0 );
					assert_true( cast_compare( hit->time.upper, time ) >= 0 );
					assert_true( hit->time.upper - hit->time.lower <= 1.01e-6 );
				}
			}
		}
		fleet_free( &f );
	}
	assert_true( met > 100 && passed > 100 );
}

static void invalid_shapes_are_refused( void** state )
{
	(void)state;
	fleet f = fleet_of( 2, 1, 1 );
	bvw_object o = { .box = { { 0, 0, 0 }, { 1, 1, 1 } } };
	fleet_add( &f, 0, &o );
	bv_convex ball = bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, 1 );
	bv_transform bad = bv_transform_identity();
	bad.scale = NAN;
	const bv_convex shapes[] = { bv_convex_sphere( ( bv_vec3 ){ NAN, 0, 0 }, 1 ),
		                         bv_convex_sphere( ( bv_vec3 ){ 0, 0, 0 }, -1 ),
		                         bv_convex_half_space( ( bv_vec3 ){ 0, 0, 1 }, 0 ),
		                         bv_convex_points( NULL, 3, 0 ) };
	bv_vec3 motion = { 1, 0, 0 };
	bvw_found found = { 78, 79 };
	bvw_hit hit = { .number = 77 };
	uint32_t number = 76;
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		const bvw_broadphase* w = f.world[i];
		for ( uint32_t k = 0; k < sizeof shapes / sizeof *shapes; ++k )
		{
			assert_int_equal( bvw_broadphase_overlap_convex( w, shapes + k, NULL, NULL, &number, 1, &found ),
			                  bv_error_argument );
			assert_int_equal(
				bvw_broadphase_cast_convex( w, shapes + k, NULL, motion, NULL, &hit, 1, &found ),
				bv_error_argument );
		}
		assert_int_equal( bvw_broadphase_overlap_convex( w, NULL, NULL, NULL, &number, 1, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_convex( w, NULL, NULL, motion, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_overlap_convex( w, &ball, &bad, NULL, &number, 1, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_convex( w, &ball, &bad, motion, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		motion.y = NAN;
		assert_int_equal( bvw_broadphase_cast_convex( w, &ball, NULL, motion, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		motion.y = 0;
		assert_true( number == 76 && hit.number == 77 && found.count == 78 && found.tests == 79 );
	}
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( polytopes_touch_what_exact_arithmetic_says ),
		cmocka_unit_test( balls_touch_what_integers_say ),
		cmocka_unit_test( moving_polytopes_meet_what_integers_say ),
		cmocka_unit_test( invalid_shapes_are_refused ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
