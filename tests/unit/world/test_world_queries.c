// Rays and moving boxes of every method against rational arithmetic, and options of casts.

#include "worlds.h"

#include "tests/world_exact.h"

enum
{
	objects = 120,
};

static double draw_part_of( uint64_t* random, double length )
{
	switch ( draw_below( random, 8 ) )
	{
	case 0:
	case 1: return 0;
	case 2: return -length;
	case 3: return length * 0x1p-30;
	case 4: return length * ( draw_unit( random ) - 0.5 );
	default: return floor( 7 * draw_unit( random ) ) - 3;
	}
}

static double corner_of( uint64_t* random, double low, double high )
{
	double x = draw_below( random, 2 ) ? low : high;
	return isfinite( x ) ? x : 0;
}

static bv_vec3 draw_corner( uint64_t* random, const bv_aabb* b )
{
	double x = corner_of( random, b->lower.x, b->upper.x );
	double y = corner_of( random, b->lower.y, b->upper.y );
	return ( bv_vec3 ){ x, y, corner_of( random, b->lower.z, b->upper.z ) };
}

static bv_aabb box_of_some( fleet* f, scene kind )
{
	bvw_object o;
	uint32_t number = draw_below( &f->random, objects );
	return bvw_broadphase_get( f->world[0], number, &o ) ? o.box : draw_box( &f->random, kind, 8 );
}

// From one corner to another one, so that edges are grazed; along axes; anything.
static bv_vec3 draw_motion( fleet* f, scene kind, bv_vec3 from )
{
	if ( draw_below( &f->random, 2 ) )
	{
		bv_aabb to = box_of_some( f, kind );
		return bv_sub( draw_corner( &f->random, &to ), from );
	}
	double length = kind == scene_tiny ? 0x1p-1068 : kind == scene_huge ? 0x1p195 : 20;
	double x = draw_part_of( &f->random, length );
	double y = draw_part_of( &f->random, length );
	return ( bv_vec3 ){ x, y, draw_part_of( &f->random, length ) };
}

static bv_ray draw_ray( fleet* f, scene kind )
{
	bv_aabb box = box_of_some( f, kind );
	bv_ray ray = { .origin = draw_corner( &f->random, &box ) };
	if ( draw_below( &f->random, 3 ) == 0 )
	{
		box = draw_box( &f->random, kind, 8 );
		ray.origin = draw_corner( &f->random, &box );
	}
	ray.direction = draw_motion( f, kind, ray.origin );
	if ( draw_below( &f->random, 3 ) == 0 )
	{
		// Back to a corner from outside.
		ray.origin = bv_sub( ray.origin, ray.direction );
	}
	static const double ends[] = { 0, 1, 2, 0.5, 1, 3, 1e300, (double)INFINITY };
	ray.to = ends[draw_below( &f->random, 8 )];
	ray.from = draw_below( &f->random, 3 ) ? 0 : draw_unit( &f->random ) * 2;
	ray.from = draw_below( &f->random, 4 ) ? ray.from : 1;
	return ray;
}

static bool ray_is_valid( const bv_ray* r )
{
	const double all[] = { r->origin.x,    r->origin.y,    r->origin.z,
		                   r->direction.x, r->direction.y, r->direction.z };
	bool is_valid = true;
	for ( int k = 0; k < 6; ++k )
	{
		is_valid = is_valid && fabs( all[k] ) <= BV_MAX_LENGTH;
	}
	return is_valid && fabs( all[3] ) + fabs( all[4] ) + fabs( all[5] ) >= 1 / BV_MAX_LENGTH;
}

static bvw_filter draw_cast_filter( uint64_t* random )
{
	bvw_filter f = { 0, 0 };
	switch ( draw_below( random, 6 ) )
	{
	case 0: f.mask = 1; break;
	case 1: f.category = UINT64_C( 1 ) << draw_below( random, 64 ); break;
	case 2: f.mask = draw( random ); break;
	default: break;
	}
	return f;
}

// What a query casts: a ray, or a box.
typedef struct question
{
	bool is_ray;
	bv_ray ray;
	bv_aabb box;
	bv_vec3 motion;
} question;

static question draw_question( fleet* f, scene kind )
{
	question q = { .is_ray = draw_below( &f->random, 2 ) != 0 };
	if ( q.is_ray )
	{
		do
		{
			q.ray = draw_ray( f, kind );
		} while ( !ray_is_valid( &q.ray ) && kind != scene_tiny );
	}
	q.box = box_of_some( f, kind );
	q.motion = draw_motion( f, kind, draw_corner( &f->random, &q.box ) );
	q.motion = draw_below( &f->random, 16 ) ? q.motion : ( bv_vec3 ){ 0, 0, 0 };
	q.is_ray = q.is_ray && ray_is_valid( &q.ray );
	return q;
}

static bv_status ask( const bvw_broadphase* world, const question* q, const bvw_cast_options* options,
                      bvw_hit* hits, uint32_t most, bvw_found* found )
{
	return q->is_ray ? bvw_broadphase_cast_ray( world, &q->ray, options, hits, most, found )
	                 : bvw_broadphase_cast_box( world, &q->box, q->motion, options, hits, most, found );
}

static bool are_equal( const bvw_hit* a, const bvw_hit* b, uint32_t count )
{
	bool equal = true;
	for ( uint32_t i = 0; i < count && equal; ++i )
	{
		equal = a[i].number == b[i].number && a[i].time.lower == b[i].time.lower &&
		        a[i].time.upper == b[i].time.upper;
	}
	return equal;
}

// @param all  receives all hits
// @return how many
static uint32_t ask_all( fleet* f, const question* q, const bvw_cast_options* options, bvw_hit* all )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		bvw_hit hits[objects];
		memset( hits, 0, sizeof hits );
		bvw_found found = { .count = UINT32_MAX };
		assert_int_equal( ask( f->world[i], q, options, hits, objects, &found ), bv_ok );
		if ( i == 0 )
		{
			count = found.count;
			memcpy( all, hits, sizeof hits );
		}
		if ( found.count != count || !are_equal( hits, all, count ) )
		{
			fleet_fail( f, i, "other hits than the first method" );
		}
		assert_true( found.tests >= count );
	}
	return count;
}

// With every length of the array, the first ones of all.
static void check_first( fleet* f, const question* q, const bvw_cast_options* options, const bvw_hit* all,
                         uint32_t count )
{
	const uint32_t lengths[] = { 1, 2, 3 + draw_below( &f->random, 10 ) };
	for ( uint32_t i = 0; i < f->worlds; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bvw_hit hits[objects];
			memset( hits, 0xee, sizeof hits );
			bvw_found found;
			assert_int_equal( ask( f->world[i], q, options, hits, lengths[k], &found ), bv_ok );
			uint32_t expected = count < lengths[k] ? count : lengths[k];
			if ( found.count != expected || !are_equal( hits, all, expected ) )
			{
				fleet_fail( f, i, "the first hits" );
			}
			const uint8_t* behind = (const uint8_t*)( hits + lengths[k] );
			for ( size_t n = 0; n < ( objects - lengths[k] ) * sizeof *hits; ++n )
			{
				assert_int_equal( behind[n], 0xee );
			}
		}
		bvw_cast_options any = options ? *options : bvw_cast_options_default();
		any.any = true;
		bvw_hit hit = { .number = UINT32_MAX };
		bvw_found found;
		assert_int_equal( ask( f->world[i], q, &any, &hit, 1, &found ), bv_ok );
		assert_int_equal( found.count, count > 0 );
		bool is_one = count == 0;
		for ( uint32_t n = 0; n < count; ++n )
		{
			is_one = is_one || all[n].number == hit.number;
		}
		assert_true( is_one );
	}
}

static void shuffle_objects( fleet* f, scene kind, uint32_t changes )
{
	for ( uint32_t i = 0; i < changes; ++i )
	{
		uint32_t number = draw_below( &f->random, objects );
		bvw_object o = draw_object( &f->random, kind, 8 );
		if ( draw_below( &f->random, 8 ) == 0 )
		{
			fleet_remove( f, number );
		}
		else if ( model_has( &f->model, number ) )
		{
			fleet_move( f, number, &o.box );
		}
		else
		{
			fleet_add( f, number, &o );
		}
	}
}

static void rays_and_boxes_meet_what_exact_arithmetic_says( void** state )
{
	(void)state;
	uint32_t met = 0;
	for ( int kind = 0; kind < scenes; ++kind )
	{
		fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 31 + (uint32_t)kind );
		for ( uint32_t round = 0; round < rounds( 10 ); ++round )
		{
			shuffle_objects( &f, (scene)kind, 60 );
			if ( round % 3 != 1 )
			{
				fleet_update( &f );
			}
			for ( uint32_t i = 0; i < 20; ++i )
			{
				question q = draw_question( &f, (scene)kind );
				bvw_cast_options options = { .filter = draw_cast_filter( &f.random ) };
				bvw_hit all[objects];
				uint32_t count = ask_all( &f, &q, &options, all );
				exact_cast c = q.is_ray ? exact_cast_of_ray( &q.ray ) : exact_cast_of_box( &q.box, q.motion );
				if ( !exact_equals( &f.model, &c, &options.filter, all, count ) )
				{
					fail_msg( "scene %d: %s", kind, q.is_ray ? "ray" : "box" );
				}
				check_first( &f, &q, &options, all, count );
				met += count;
			}
		}
		fleet_free( &f );
	}
	assert_true( met > 5000 );
}

// Every direction of -1, 0 and 1 and more from every point of a lattice past touching boxes: corners, edges and faces are grazed.
static void grazing_rays_on_a_lattice_meet_what_they_touch( void** state )
{
	(void)state;
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 5 );
	for ( uint32_t i = 0; i < 60; ++i )
	{
		bv_vec3 c = { draw_below( &f.random, 5 ), draw_below( &f.random, 5 ), draw_below( &f.random, 5 ) };
		bv_vec3 to = { c.x + draw_below( &f.random, 3 ), c.y + draw_below( &f.random, 3 ),
			           c.z + draw_below( &f.random, 3 ) };
		bvw_object o = { .box = { c, to } };
		fleet_add( &f, i, &o );
	}
	fleet_update( &f );
	for ( uint32_t i = 0; i < rounds( 400 ); ++i )
	{
		question q = { .is_ray = true };
		q.ray.origin = ( bv_vec3 ){ draw_below( &f.random, 9 ) - 1.0, draw_below( &f.random, 9 ) - 1.0,
			                        draw_below( &f.random, 9 ) - 1.0 };
		q.ray.direction = ( bv_vec3 ){ draw_below( &f.random, 7 ) - 3.0, draw_below( &f.random, 7 ) - 3.0,
			                           draw_below( &f.random, 7 ) - 3.0 };
		q.ray.to = draw_below( &f.random, 3 );
		if ( !ray_is_valid( &q.ray ) )
		{
			continue;
		}
		bvw_hit all[objects];
		uint32_t count = ask_all( &f, &q, NULL, all );
		exact_cast c = exact_cast_of_ray( &q.ray );
		assert_true( exact_equals( &f.model, &c, NULL, all, count ) );
		check_first( &f, &q, NULL, all, count ); // many are met at the same time, such as 1/3
	}
	fleet_free( &f );
}

// Known answers: faces, edges and corners count, and so does the end of the range.
static void touching_counts( void** state )
{
	(void)state;
	fleet f = fleet_of( 2, 1, 1 );
	bvw_object o = { .box = { { 1, 1, 1 }, { 2, 2, 2 } } };
	bvw_object floor_of_world = { .box = { { -INFINITY, -INFINITY, -INFINITY }, { INFINITY, INFINITY, -5 } },
		                          .category = 2 };
	fleet_add( &f, 0, &o );
	fleet_add( &f, 1, &floor_of_world );
	const struct
	{
		bv_ray ray;
		int number; // -1: none
		double time;
	} cases[] = {
		{ { { 0, 1.5, 1.5 }, { 1, 0, 0 }, 0, 0 }, 0, 1 },
		{ { { 0, 1.5, 1.5 }, { 1, 0, 0 }, 0, 1 }, 0, 1 },
		{ { { 0, 1.5, 1.5 }, { 1, 0, 0 }, 0, 0x1.fffffffffffffp-1 }, -1, 0 },
		{ { { 0, 1.5, 1.5 }, { -1, 0, 0 }, 0, 0 }, -1, 0 },
		{ { { 0, 1, 1 }, { 2, 0, 0 }, 0, 0 }, 0, 0.5 },  // along an edge
		{ { { 0, 2, 1.5 }, { 1, 0, 0 }, 0, 0 }, 0, 1 },  // in the plane of a face
		{ { { 0, 0, 0 }, { 1, 1, 1 }, 0, 0 }, 0, 1 },    // into a corner
		{ { { 0, 2, 1.5 }, { 1, -1, 0 }, 0, 0 }, 0, 1 }, // into an edge
		{ { { 0, 2, 1.5 }, { 1, 1, 0 }, 0, 0 }, -1, 0 },
		{ { { 0, 3, 1.5 }, { 1, -1, 0 }, 0, 0 }, 0, 1 },                     // only through an edge
		{ { { 0, 3, 1.5 }, { 1, -0x1.fffffffffffffp-2, 0 }, 0, 0 }, -1, 0 }, // just above it
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0, 0 }, 0, 0 },                  // from inside
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0.25, 0 }, 0, 0.25 },
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0.5, 0 }, 0, 0.5 }, // its last point
		{ { { 1.5, 1.5, 1.5 }, { 0, 0, 1 }, 0.75, 0 }, -1, 0 },
		{ { { 1.5, 1.5, 0 }, { 0, 0, 1 }, 1.75, 1.25 }, -1, 0 }, // an empty range
		{ { { 9, 9, 0 }, { 0, 0, -2 }, 0, 0 }, 1, 2.5 },         // the floor
		{ { { 9, 9, -9 }, { 0, 0, 1 }, 0, 0 }, 1, 0 },
		{ { { 9, 9, 0 }, { 1, 1, -1e-300 }, 0, 0 }, 1, 5e300 },
		{ { { 9, 9, -5 }, { 1, 1, 0 }, 0, 0 }, 1, 0 },
	};
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		for ( uint32_t k = 0; k < sizeof cases / sizeof *cases; ++k )
		{
			bvw_hit hit = { .number = 7 };
			bvw_found found;
			assert_int_equal( bvw_broadphase_cast_ray( f.world[i], &cases[k].ray, NULL, &hit, 1, &found ),
			                  bv_ok );
			if ( (int)found.count != ( cases[k].number >= 0 ) )
			{
				fail_msg( "%s, case %u: %u hits", world_name( &f, i ), (unsigned)k, (unsigned)found.count );
			}
			if ( found.count > 0 )
			{
				assert_int_equal( hit.number, cases[k].number );
				assert_true( hit.time.lower <= cases[k].time && cases[k].time <= hit.time.upper );
				assert_true( hit.time.upper - hit.time.lower <= 0x1p-48 * cases[k].time );
			}
		}
	}
	fleet_free( &f );
}

// All at 1/3, which no number is: what is found first must not hide those with smaller numbers, which are of another size.
static void smaller_numbers_come_first_at_equal_times( void** state )
{
	(void)state;
	enum
	{
		large = 40,
		all = 100,
	};
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 1 );
	for ( uint32_t i = 0; i < all; ++i )
	{
		uint32_t number = ( i + large ) % all; // large ones last
		double half = number < large ? 10 : 0.5;
		bvw_object o = { .box = { { 32, -half, -half }, { 32 + 2 * half, half, half } } };
		fleet_add( &f, number, &o );
	}
	fleet_update( &f );
	question q = { .is_ray = true, .ray = { .direction = { 96, 0, 0 } } };
	for ( uint32_t w = 0; w < f.worlds; ++w )
	{
		const uint32_t lengths[] = { 1, large + 5 };
		for ( int k = 0; k < 2; ++k )
		{
			bvw_hit hits[objects];
			bvw_found found;
			assert_int_equal( ask( f.world[w], &q, NULL, hits, lengths[k], &found ), bv_ok );
			assert_int_equal( found.count, lengths[k] );
			for ( uint32_t i = 0; i < found.count; ++i )
			{
				assert_int_equal( hits[i].number, i );
			}
		}
	}
	fleet_free( &f );
}

// Groups of boxes at scales of 2^k along a ray that begins at the finest ones: at each level of the tree what is farther away waits.
static void deep_trees_are_walked_through( void** state )
{
	(void)state;
	enum
	{
		scales = 50,
		of_scale = 2,
	};
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 1 );
	for ( int down = 0; down < 2; ++down )
	{
		for ( uint32_t k = 0; k < scales; ++k )
		{
			uint32_t scale = down ? scales - 1 - k : k;
			for ( uint32_t n = 0; n < of_scale; ++n )
			{
				double at = ldexp( 1 + 0.25 * n, 2 * (int)scale );
				bvw_object o = { .box = { { at, -at, -at }, { 1.125 * at, at, at } } };
				fleet_add( &f, scale * of_scale + n, &o );
			}
			fleet_update( &f );
		}
		question q = { .is_ray = true, .ray = { .direction = { 1, 0, 0 } } };
		bvw_hit all[objects];
		uint32_t count = ask_all( &f, &q, NULL, all );
		assert_int_equal( count, scales * of_scale );
		for ( uint32_t i = 0; i < count; ++i )
		{
			assert_int_equal( all[i].number, i );
		}
		check_first( &f, &q, NULL, all, count );
		q.ray = ( bv_ray ){ .origin = { 0x1p110, 0, 0 }, .direction = { -1, 0x1p-40, 0 } };
		count = ask_all( &f, &q, NULL, all );
		check_first( &f, &q, NULL, all, count );
		for ( uint32_t i = 0; i < scales * of_scale; ++i )
		{
			fleet_remove( &f, i );
		}
		fleet_update( &f );
	}
	fleet_free( &f );
}

// A callback: shapes that are met later than their boxes, or not at all.
typedef struct shapes
{
	uint32_t calls;
	double end; // of the last call
	bool is_monotonous;
} shapes;

static bool meet_shape( void* context, double end, bvw_hit* hit )
{
	shapes* s = context;
	s->is_monotonous = s->is_monotonous && end <= s->end && hit->time.lower <= end;
	s->end = end;
	++s->calls;
	uint32_t kind = hit->number * 2654435761u >> 20;
	hit->time.lower = kind % 7 == 0   ? NAN
	                  : kind % 7 == 1 ? hit->time.lower - 1
	                                  : hit->time.lower + ldexp( kind % 64, -6 ) * ( hit->time.lower + 1 );
	hit->time.upper = hit->time.lower;
	hit->number = 12345;
	return kind % 5 != 0;
}

static int compare_hits( const void* left, const void* right )
{
	const bvw_hit* a = left;
	const bvw_hit* b = right;
	int by_time = ( a->time.lower > b->time.lower ) - ( a->time.lower < b->time.lower );
	return by_time ? by_time : ( a->number > b->number ) - ( a->number < b->number );
}

static void callbacks_decide_when_shapes_are_met( void** state )
{
	(void)state;
	fleet f = fleet_of( objects, objects * ( objects - 1 ) / 2, 77 );
	shuffle_objects( &f, scene_uniform, 300 );
	fleet_update( &f );
	uint32_t met = 0;
	uint32_t called_for_first = 0;
	uint32_t called_for_all = 0;
	for ( uint32_t i = 0; i < 100; ++i )
	{
		question q = draw_question( &f, scene_uniform );
		double to = q.is_ray ? q.ray.to > 0 ? q.ray.to : (double)INFINITY : 1;
		bvw_hit boxes[objects];
		uint32_t count = ask_all( &f, &q, NULL, boxes );
		bvw_hit expected[objects];
		memset( expected, 0, sizeof expected );
		uint32_t kept = 0;
		for ( uint32_t k = 0; k < count; ++k )
		{
			shapes one = { .end = INFINITY, .is_monotonous = true };
			bvw_hit hit = boxes[k];
			if ( meet_shape( &one, to, &hit ) && hit.time.lower <= to )
			{
				double lower = fmax( hit.time.lower, boxes[k].time.lower );
				expected[kept++] = ( bvw_hit ){ { lower, fmax( lower, hit.time.upper ) }, boxes[k].number };
			}
		}
		qsort( expected, kept, sizeof *expected, compare_hits );
		shapes s = { .end = INFINITY, .is_monotonous = true };
		bvw_cast_options options = { .callback = meet_shape, .context = &s };
		for ( uint32_t w = 0; w < f.worlds; ++w )
		{
			bvw_hit hits[objects];
			memset( hits, 0, sizeof hits );
			bvw_found found;
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, hits, objects, &found ), bv_ok );
			assert_int_equal( found.count, kept );
			assert_true( are_equal( hits, expected, kept ) );
			assert_int_equal( s.calls, count );
			assert_true( s.is_monotonous );
			called_for_all += s.calls;
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, hits, 1, &found ), bv_ok );
			assert_int_equal( found.count, kept > 0 );
			assert_true( are_equal( hits, expected, found.count ) );
			assert_true( s.is_monotonous );
			called_for_first += s.calls;
			// Without an array: a visitor.
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, NULL, 0, &found ), bv_ok );
			assert_int_equal( found.count, 0 );
			assert_int_equal( s.calls, count );
			// Any hit.
			options.any = true;
			s = ( shapes ){ .end = INFINITY, .is_monotonous = true };
			assert_int_equal( ask( f.world[w], &q, &options, hits, objects, &found ), bv_ok );
			assert_int_equal( found.count, kept > 0 );
			options.any = false;
		}
		met += kept;
	}
	assert_true( met > 300 && called_for_first < called_for_all );
	fleet_free( &f );
}

// Nodes without a wanted category are left out, and what is found is the same.
static void masks_prune( void** state )
{
	(void)state;
	enum
	{
		many = 4096,
	};
	bvw_broadphase_options options = { .objects = many };
	bvw_broadphase* world = begin_world( &options );
	uint64_t random = 3;
	for ( uint32_t i = 0; i < many; ++i )
	{
		bvw_object o = { .box = draw_box( &random, scene_uniform, 40 ), .category = i % 64 == 0 ? 2 : 1 };
		assert_int_equal( bvw_broadphase_add( world, i, &o ), bv_ok );
	}
	bvw_changes changes;
	assert_int_equal( bvw_broadphase_update( world, &changes ), bv_ok );
	bvw_hit hits[many];
	bvw_found all;
	bvw_found some;
	bv_aabb box = { { 0, 0, 0 }, { 8, 8, 8 } };
	bvw_cast_options masked = { .filter = { .mask = 2 } };
	assert_int_equal(
		bvw_broadphase_cast_box( world, &box, ( bv_vec3 ){ 32, 32, 32 }, NULL, hits, many, &all ), bv_ok );
	uint32_t expected = 0;
	for ( uint32_t i = 0; i < all.count; ++i )
	{
		expected += hits[i].number % 64 == 0;
	}
	assert_int_equal(
		bvw_broadphase_cast_box( world, &box, ( bv_vec3 ){ 32, 32, 32 }, &masked, hits, many, &some ),
		bv_ok );
	assert_int_equal( some.count, expected );
	assert_true( expected > 0 && some.tests * 4 < all.tests );
	free( world );
}

static void invalid_arguments_change_nothing( void** state )
{
	(void)state;
	fleet f = fleet_of( 2, 1, 1 );
	bvw_object o = { .box = { { 0, 0, 0 }, { 1, 1, 1 } } };
	fleet_add( &f, 0, &o );
	const bv_ray rays[] = {
		{ { NAN, 0, 0 }, { 1, 0, 0 }, 0, 0 },
		{ { 0, 0, INFINITY }, { 1, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, NAN, 1 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, -INFINITY, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, -1, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, NAN, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, INFINITY, 0 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, 0, -1 },
		{ { 0, 0, 0 }, { 1, 0, 0 }, 0, NAN },
		{ { 0, 0, 0 }, { 2 * BV_MAX_LENGTH, 0, 0 }, 0, 0 },
		{ { 0, 0, 0 }, { 0, 0x1p-201, 0 }, 0, 0 },
		{ { 2 * BV_MAX_LENGTH, 0, 0 }, { 1, 0, 0 }, 0, 0 },
	};
	const bv_ray good = { { 0, 0, 0 }, { 1, 0, 0 }, 0, 0 };
	const bv_aabb bad = { { 1, 0, 0 }, { 0, 1, 1 } };
	const bv_vec3 still = { 0, 0, 0 };
	for ( uint32_t i = 0; i < f.worlds; ++i )
	{
		const bvw_broadphase* w = f.world[i];
		bvw_hit hit = { .number = 77 };
		bvw_found found = { 78, 79 };
		for ( uint32_t k = 0; k < sizeof rays / sizeof *rays; ++k )
		{
			assert_int_equal( bvw_broadphase_cast_ray( w, rays + k, NULL, &hit, 1, &found ),
			                  bv_error_argument );
		}
		assert_int_equal( bvw_broadphase_cast_ray( NULL, &good, NULL, &hit, 1, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_ray( w, NULL, NULL, &hit, 1, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_ray( w, &good, NULL, NULL, 1, &found ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_ray( w, &good, NULL, &hit, 1, NULL ), bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_box( w, &bad, still, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		assert_int_equal( bvw_broadphase_cast_box( w, NULL, still, NULL, &hit, 1, &found ),
		                  bv_error_argument );
		assert_int_equal(
			bvw_broadphase_cast_box( w, &o.box, ( bv_vec3 ){ NAN, 0, 0 }, NULL, &hit, 1, &found ),
			bv_error_argument );
		assert_int_equal(
			bvw_broadphase_cast_box( w, &o.box, ( bv_vec3 ){ 0, INFINITY, 0 }, NULL, &hit, 1, &found ),
			bv_error_argument );
		assert_true( hit.number == 77 && found.count == 78 && found.tests == 79 );
		assert_int_equal( bvw_broadphase_cast_ray( w, &good, NULL, &hit, 1, &found ), bv_ok );
		assert_int_equal( found.count, 1 );
	}
	fleet_free( &f );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test( rays_and_boxes_meet_what_exact_arithmetic_says ),
		cmocka_unit_test( grazing_rays_on_a_lattice_meet_what_they_touch ),
		cmocka_unit_test( touching_counts ),
		cmocka_unit_test( smaller_numbers_come_first_at_equal_times ),
		cmocka_unit_test( deep_trees_are_walked_through ),
		cmocka_unit_test( callbacks_decide_when_shapes_are_met ),
		cmocka_unit_test( masks_prune ),
		cmocka_unit_test( invalid_arguments_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
