// Cuts of convex polyhedra: halves are closed, and their volumes are what is known of the whole.

#include "support.h"

#include "runtime/convex/clip.h"

#include <string.h>

enum
{
	most_corners = 64,
	most_sides = 256,
	most_faces = 32,
};

typedef struct body
{
	bvconvex_polytope of;
	bv_vec3 corners[most_corners];
	uint32_t loops[most_sides];
	uint32_t first[most_faces + 1];
} body;

static const bvconvex_polytope_room plenty = { most_corners, most_sides, most_faces };

static void begin( body* b )
{
	b->of = ( bvconvex_polytope ){ .corners = b->corners, .loops = b->loops, .first = b->first };
}

static void make_cube( body* b )
{
	static const uint32_t loops[24] = {
		0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6
	};
	begin( b );
	b->of.corner_count = 8;
	b->of.face_count = 6;
	memcpy( b->loops, loops, sizeof loops );
	for ( uint32_t i = 0; i < 8; ++i )
	{
		b->corners[i] = ( bv_vec3 ){ i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1 };
	}
	for ( uint32_t i = 0; i <= 6; ++i )
	{
		b->first[i] = 4 * i;
	}
}

static double volume_of( const bvconvex_polytope* p )
{
	double sum = 0;
	for ( uint32_t face = 0; face < p->face_count; ++face )
	{
		const uint32_t* loop = p->loops + p->first[face];
		bv_vec3 a = p->corners[loop[0]];
		for ( uint32_t k = 2; k < p->first[face + 1] - p->first[face]; ++k )
		{
			bv_vec3 b = p->corners[loop[k - 1]];
			bv_vec3 c = p->corners[loop[k]];
			sum += a.x * ( b.y * c.z - b.z * c.y ) + a.y * ( b.z * c.x - b.x * c.z ) +
			       a.z * ( b.x * c.y - b.y * c.x );
		}
	}
	return fabs( sum ) / 6;
}

// Each side of a face runs against that of exactly one other.
static void assert_closed( const bvconvex_polytope* p )
{
	static uint8_t sides[most_corners][most_corners];
	memset( sides, 0, sizeof sides );
	for ( uint32_t face = 0; face < p->face_count; ++face )
	{
		const uint32_t* loop = p->loops + p->first[face];
		uint32_t length = p->first[face + 1] - p->first[face];
		assert_true( length >= 3 );
		for ( uint32_t k = 0; k < length; ++k )
		{
			assert_true( loop[k] < p->corner_count );
			++sides[loop[k]][loop[( k + 1 ) % length]];
		}
	}
	for ( int i = 0; i < most_corners; ++i )
	{
		for ( int k = 0; k < most_corners; ++k )
		{
			assert_true( sides[i][k] <= 1 && sides[i][k] == sides[k][i] );
		}
	}
}

static bool cut( const bvconvex_polytope* whole, bv_vec3 normal, double offset, bvconvex_clip_order order,
                 const bvconvex_polytope_room* room, body half[2] )
{
	double height[most_corners];
	bvconvex_crossing crossing[most_sides];
	uint32_t number[most_corners];
	bvconvex_clip clip = { .order = order, .crossing = crossing, .most = most_sides, .number = number };
	for ( uint32_t i = 0; i < whole->corner_count; ++i )
	{
		bv_vec3 p = whole->corners[i];
		height[i] = normal.x * p.x + normal.y * p.y + normal.z * p.z - offset;
	}
	begin( &half[0] );
	begin( &half[1] );
	return bvconvex_clip_find( whole, height, &clip ) && clip.plain &&
	       bvconvex_clip_half( whole, height, &clip, false, room, &half[0].of ) &&
	       bvconvex_clip_half( whole, height, &clip, true, room, &half[1].of );
}

static void halves_of_a_cube_have_the_volumes_of_boxes( void** state )
{
	body cube;
	body half[2];
	(void)state;
	make_cube( &cube );
	for ( int order = bvconvex_clip_as_before; order <= bvconvex_clip_with_old; ++order )
	{
		assert_true(
			cut( &cube.of, ( bv_vec3 ){ 0, 2, 0 }, 0.5, (bvconvex_clip_order)order, &plenty, half ) );
		assert_true( half[0].of.corner_count == 8 && half[0].of.face_count == 6 );
		assert_float_equal( volume_of( &half[0].of ), 5, 1e-14 );
		assert_float_equal( volume_of( &half[1].of ), 3, 1e-14 );
	}
	assert_false( cut( &cube.of, ( bv_vec3 ){ 0, 1, 0 }, 1, bvconvex_clip_as_before, &plenty, half ) );
}

static void halves_are_closed_and_add_up( void** state )
{
	fixture* f = *state;
	int cuts = 0;
	for ( int i = 0; i < 400; ++i )
	{
		body whole;
		body half[2];
		make_cube( &whole );
		for ( int k = 0; k < 6; ++k )
		{
			bv_vec3 n = random_point( f );
			n = ( bv_vec3 ){ n.x - 0.5, n.y - 0.5, n.z - 0.5 };
			bvconvex_clip_order order = i % 2 ? bvconvex_clip_as_before : bvconvex_clip_with_old;
			if ( !cut( &whole.of, n, 0.5 * random_unit( f ) - 0.2, order, &plenty, half ) )
			{
				continue;
			}
			++cuts;
			assert_closed( &half[0].of );
			assert_closed( &half[1].of );
			double sum = volume_of( &half[0].of ) + volume_of( &half[1].of );
			assert_float_equal( sum, volume_of( &whole.of ), 1e-13 );
			whole = half[i / 2 % 2];
			bvconvex_polytope of = whole.of;
			begin( &whole );
			whole.of.corner_count = of.corner_count;
			whole.of.face_count = of.face_count;
		}
	}
	assert_true( cuts > 1000 );
}

static void no_half_is_larger_than_its_room( void** state )
{
	const bvconvex_polytope_room small[3] = { { 7, most_sides, most_faces },
		                                      { most_corners, 23, most_faces },
		                                      { most_corners, most_sides, 5 } };
	body cube;
	body half[2];
	(void)state;
	make_cube( &cube );
	for ( int i = 0; i < 3; ++i )
	{
		assert_false( cut( &cube.of, ( bv_vec3 ){ 1, 0, 0 }, 0, bvconvex_clip_as_before, &small[i], half ) );
	}
	assert_true( cut( &cube.of, ( bv_vec3 ){ 1, 0, 0 }, 0, bvconvex_clip_as_before,
	                  &( const bvconvex_polytope_room ){ 8, 24, 6 }, half ) );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( halves_of_a_cube_have_the_volumes_of_boxes ),
		fixture_test( halves_are_closed_and_add_up ),
		fixture_test( no_half_is_larger_than_its_room ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
