// bvorder_order_mesh: triangles in the order given, vertices by first use, for any number of threads.

#include "support.h"

#include "offline/tree/tree.h"

enum
{
	triangle_count = 20000, // enough for two threads to share them
	vertex_count = 12000,   // some of which no triangle has
};

static bvb_mesh make_mesh( fixture* f, const uint32_t* corners )
{
	bvb_mesh mesh = { .vertex_count = vertex_count, .triangle_count = triangle_count };
	mesh.positions = bvb_arena_allocate( f->arena, vertex_count, sizeof *mesh.positions );
	mesh.triangles = bvb_arena_allocate( f->arena, triangle_count, sizeof *mesh.triangles );
	mesh.origin = bvb_arena_allocate( f->arena, triangle_count, sizeof *mesh.origin );
	for ( uint32_t i = 0; i < vertex_count; ++i )
	{
		mesh.positions[i] = ( bv_vec3 ){ i, 0, 0 };
	}
	memcpy( mesh.triangles, corners, triangle_count * sizeof *mesh.triangles );
	for ( uint32_t i = 0; i < triangle_count; ++i )
	{
		mesh.origin[i] = 7 * i;
	}
	return mesh;
}

// By the definition: positions tell which vertex it was; new numbers begin with 0 and grow by one where they are new.
static void check_mesh( const bvb_mesh* mesh, const uint32_t* corners, const uint32_t* order )
{
	uint32_t used = 0;
	for ( uint32_t i = 0; i < triangle_count; ++i )
	{
		assert_int_equal( mesh->origin[i], 7 * order[i] );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			uint32_t number = mesh->triangles[i].corner[k];
			assert_true( number <= used );
			used += number == used;
			assert_true( mesh->positions[number].x == corners[3 * order[i] + k] );
		}
	}
	assert_int_equal( mesh->vertex_count, used );
}

static void vertices_are_numbered_by_first_use( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		uint32_t* corners = bvb_arena_allocate( f->arena, 3 * triangle_count, sizeof *corners );
		uint32_t* order = bvb_arena_allocate( f->arena, triangle_count, sizeof *order );
		for ( uint32_t i = 0; i < 3 * triangle_count; ++i )
		{
			// Many triangles of few vertices in odd rounds.
			corners[i] = (uint32_t)( random_bits( f ) % ( round % 2 ? 40 : vertex_count ) );
		}
		for ( uint32_t i = 0; i < triangle_count; ++i )
		{
			uint32_t k = (uint32_t)( random_bits( f ) % ( i + 1 ) );
			order[i] = order[k];
			order[k] = i;
		}
		bvb_mesh mesh = make_mesh( f, corners );
		assert_true( bvorder_order_mesh( &mesh, order, 1 + round % 9, f->arena ) );
		check_mesh( &mesh, corners, order );
	}
}

static void too_little_memory_is_told( void** state )
{
	fixture* f = *state;
	uint32_t* corners = bvb_arena_allocate( f->arena, 3 * triangle_count, sizeof *corners );
	uint32_t* order = bvb_arena_allocate( f->arena, triangle_count, sizeof *order );
	bvb_mesh mesh = make_mesh( f, corners );
	for ( int team = 1; team <= 5; team += 2 )
	{
		bvb_arena* little = bvb_arena_create_limited( 100000 );
		assert_false( bvorder_order_mesh( &mesh, order, team, little ) );
		bvb_arena_destroy( little );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( vertices_are_numbered_by_first_use ),
		fixture_test( too_little_memory_is_told ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
