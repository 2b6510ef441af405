// Scene trees against recomputation from scratch: transforms in the world in binary128, and for each node the sets of nodes that it
// moves and that move it, as J. Eckstein 1998, appendix B, keeps them. The model has no transforms relative to parents.

#include "queries.h"

#include "bvworld/scene_tree.h"

#include "tests/reference/quad.h"

enum
{
	most = 12, // nodes
	steps = 25,
};

// x -> m x + t.
typedef struct affine
{
	quad m[3][3];
	quad t[3];
} affine;

typedef struct model
{
	uint32_t used; // a bit for each node, as below
	affine world[most];
	uint32_t moves[most];    // what moves with a node, itself included
	uint32_t moved_by[most]; // the nodes above
	uint32_t parent[most];
	double size; // greatest coordinate so far
} model;

static affine affine_of( const bv_transform* t )
{
	affine out;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out.m[i][k] = (quad)t->scale * t->pose.rotation[i][k] * ( k == 0 && t->mirror ? -1 : 1 );
		}
	}
	out.t[0] = t->pose.translation.x;
	out.t[1] = t->pose.translation.y;
	out.t[2] = t->pose.translation.z;
	return out;
}

static affine product( const affine* a, const affine* b )
{
	affine out;
	for ( int i = 0; i < 3; ++i )
	{
		out.t[i] = a->t[i];
		for ( int k = 0; k < 3; ++k )
		{
			out.m[i][k] = a->m[i][0] * b->m[0][k] + a->m[i][1] * b->m[1][k] + a->m[i][2] * b->m[2][k];
			out.t[i] += a->m[i][k] * b->t[k];
		}
	}
	return out;
}

static affine inverse( const affine* a )
{
	affine out;
	quad det = 0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int p = ( k + 1 ) % 3;
			int q = ( k + 2 ) % 3;
			int r = ( i + 1 ) % 3;
			int s = ( i + 2 ) % 3;
			out.m[i][k] = a->m[p][r] * a->m[q][s] - a->m[p][s] * a->m[q][r];
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		det += a->m[0][k] * out.m[k][0];
	}
	for ( int i = 0; i < 3; ++i )
	{
		out.t[i] = 0;
		for ( int k = 0; k < 3; ++k )
		{
			out.m[i][k] /= det;
			out.t[i] -= out.m[i][k] * a->t[k];
		}
	}
	return out;
}

static bool has( uint32_t set, uint32_t number )
{
	return set >> number & 1;
}

// T' = T_rel T for a node and all that it moves.
static void move_all( model* m, uint32_t number, const affine* by )
{
	for ( uint32_t i = 0; i < most; ++i )
	{
		if ( has( m->moves[number], i ) )
		{
			m->world[i] = product( by, m->world + i );
			for ( int k = 0; k < 3; ++k )
			{
				m->size = fmax( m->size, fabs( (double)m->world[i].t[k] ) );
			}
		}
	}
}

static affine parent_world( const model* m, uint32_t number )
{
	bv_transform identity = bv_transform_identity();
	return m->parent[number] == BVW_NO_NODE ? affine_of( &identity ) : m->world[m->parent[number]];
}

static void model_set_world( model* m, uint32_t number, const affine* world )
{
	affine back = inverse( m->world + number );
	affine by = product( world, &back );
	move_all( m, number, &by );
}

static void model_set_local( model* m, uint32_t number, const bv_transform* local )
{
	affine parent = parent_world( m, number );
	affine own = affine_of( local );
	affine world = product( &parent, &own );
	model_set_world( m, number, &world );
}

static void model_move_local( model* m, uint32_t number, const bv_transform* by )
{
	affine parent = parent_world( m, number );
	affine back = inverse( &parent );
	affine own = affine_of( by );
	affine moved = product( &parent, &own );
	moved = product( &moved, &back );
	move_all( m, number, &moved );
}

static void model_detach( model* m, uint32_t number )
{
	uint32_t above = m->moved_by[number];
	for ( uint32_t i = 0; i < most; ++i )
	{
		m->moves[i] &= has( above, i ) ? ~m->moves[number] : UINT32_MAX;
	}
	for ( uint32_t i = 0; i < most; ++i )
	{
		m->moved_by[i] &= has( m->moves[number], i ) ? ~above : UINT32_MAX;
	}
	m->parent[number] = BVW_NO_NODE;
}

static void model_attach( model* m, uint32_t number, uint32_t parent )
{
	model_detach( m, number );
	if ( parent == BVW_NO_NODE )
	{
		return;
	}
	uint32_t above = m->moved_by[parent] | 1u << parent;
	for ( uint32_t i = 0; i < most; ++i )
	{
		m->moved_by[i] |= has( m->moves[number], i ) ? above : 0;
		m->moves[i] |= has( above, i ) ? m->moves[number] : 0;
	}
	m->parent[number] = parent;
}

static void model_add( model* m, uint32_t number, uint32_t parent, const bv_transform* local )
{
	bv_transform identity = bv_transform_identity();
	m->used |= 1u << number;
	m->world[number] = affine_of( &identity );
	m->moves[number] = 1u << number;
	m->moved_by[number] = 0;
	m->parent[number] = BVW_NO_NODE;
	model_attach( m, number, parent );
	model_set_local( m, number, local );
}

static void model_remove( model* m, uint32_t number )
{
	for ( uint32_t i = 0; i < most; ++i )
	{
		if ( has( m->used, i ) && m->parent[i] == number )
		{
			model_attach( m, i, m->parent[number] );
		}
	}
	model_detach( m, number );
	m->used &= ~( 1u << number );
}

static bv_transform random_by( fixture* f )
{
	double scale = random_unit( f ) < 0.2 ? 0.7 + 0.7 * random_unit( f ) : 1;
	return random_transform( f, scale, random_unit( f ) < 0.1, bv_scale( 3, random_around( f ) ) );
}

static uint32_t random_of( fixture* f, uint32_t count )
{
	return (uint32_t)( random_unit( f ) * count );
}

// @return whether the tree and the model did the same
static bool take_step( fixture* f, bvw_scene_tree* tree, model* m )
{
	uint32_t number = random_of( f, most );
	uint32_t other = random_of( f, most + 2 );
	other = other < most ? other : BVW_NO_NODE;
	bool is_used = has( m->used, number );
	bool is_parent = other == BVW_NO_NODE || has( m->used, other );
	bv_transform by = random_by( f );
	affine world = affine_of( &by );
	bv_status expected = is_used ? bv_ok : bv_error_argument;
	switch ( random_of( f, 8 ) )
	{
	case 0:
	case 1:
		expected = !is_used && is_parent ? bv_ok : bv_error_argument;
		if ( expected == bv_ok )
		{
			model_add( m, number, other, &by );
		}
		return bvw_scene_tree_add( tree, number, other, &by ) == expected;
	case 2:
		if ( is_used && random_unit( f ) < 0.3 )
		{
			model_remove( m, number );
			return bvw_scene_tree_remove( tree, number ) == bv_ok;
		}
		return is_used || bvw_scene_tree_remove( tree, number ) == bv_error_argument;
	case 3:
		if ( is_used )
		{
			model_set_local( m, number, &by );
		}
		return bvw_scene_tree_set_local( tree, number, &by ) == expected;
	case 4:
		if ( is_used )
		{
			model_set_world( m, number, &world );
		}
		return bvw_scene_tree_set_world( tree, number, &by ) == expected;
	case 5:
		if ( is_used )
		{
			model_move_local( m, number, &by );
		}
		return bvw_scene_tree_move_local( tree, number, &by ) == expected;
	case 6:
		if ( is_used )
		{
			move_all( m, number, &world );
		}
		return bvw_scene_tree_move_world( tree, number, &by ) == expected;
	default:
		if ( is_used && is_parent && !( other < most && has( m->moves[number], other ) ) )
		{
			model_attach( m, number, other );
			return bvw_scene_tree_attach( tree, number, other ) == bv_ok;
		}
		return bvw_scene_tree_attach( tree, number, other ) == bv_error_argument;
	}
}

static double difference( const affine* a, const affine* b )
{
	double most_off = 0;
	for ( int i = 0; i < 3; ++i )
	{
		most_off = fmax( most_off, fabs( (double)( a->t[i] - b->t[i] ) ) );
		for ( int k = 0; k < 3; ++k )
		{
			most_off = fmax( most_off, fabs( (double)( a->m[i][k] - b->m[i][k] ) ) );
		}
	}
	return most_off;
}

static void assert_node( bvw_scene_tree* tree, const model* m, uint32_t number )
{
	bvw_scene_node node;
	uint32_t below[most];
	uint32_t count = 0;
	uint32_t set = 0;
	if ( !has( m->used, number ) )
	{
		assert_int_equal( bvw_scene_tree_get( tree, number, &node ), bv_error_argument );
		return;
	}
	assert_int_equal( bvw_scene_tree_get( tree, number, &node ), bv_ok );
	affine world = affine_of( &node.world );
	assert_true( difference( &world, m->world + number ) <= 1e-12 * ( 1 + m->size ) );
	assert_true( node.parent == m->parent[number] );
	assert_int_equal( bvw_scene_tree_subtree( tree, number, below, most, &count ), bv_ok );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_true( i == 0 ? below[0] == number : has( set, m->parent[below[i]] ) );
		set |= 1u << below[i];
	}
	assert_true( set == m->moves[number] );
}

static void all_operations_equal_recomputation( void** state )
{
	fixture* f = *state;
	static _Alignas( 8 ) char memory[65536];
	uint32_t sequences = is_thorough() ? 1000000 : 20000;
	for ( uint32_t round = 0; round < sequences; ++round )
	{
		bvw_scene_tree* tree;
		model m = { .size = 0 };
		assert_int_equal( bvw_scene_tree_begin( memory, sizeof memory, most, &tree ), bv_ok );
		for ( int i = 0; i < steps; ++i )
		{
			assert_true( take_step( f, tree, &m ) );
			if ( random_unit( f ) < 0.1 )
			{
				assert_node( tree, &m, random_of( f, most ) );
			}
		}
		for ( uint32_t i = 0; i < most; ++i )
		{
			assert_node( tree, &m, i );
		}
	}
}

// What was read before makes no difference, as transforms are always computed from the top.
static void bits_do_not_depend_on_reading( void** state )
{
	fixture* f = *state;
	static _Alignas( 8 ) char memory[2][65536];
	for ( int round = 0; round < 200; ++round )
	{
		bvw_scene_tree* tree[2];
		bvw_scene_node node[2];
		for ( int i = 0; i < 2; ++i )
		{
			assert_int_equal( bvw_scene_tree_begin( memory[i], sizeof memory[i], most, tree + i ), bv_ok );
		}
		for ( uint32_t i = 0; i < most; ++i )
		{
			bv_transform by = random_by( f );
			uint32_t parent = i > 0 ? random_of( f, i ) : BVW_NO_NODE;
			bvw_scene_tree_add( tree[0], i, parent, &by );
			bvw_scene_tree_add( tree[1], i, parent, &by );
		}
		for ( int i = 0; i < 50; ++i )
		{
			bv_transform by = random_by( f );
			uint32_t number = random_of( f, most );
			bvw_scene_tree_set_local( tree[0], number, &by );
			bvw_scene_tree_set_local( tree[1], number, &by );
			bvw_scene_tree_get( tree[1], random_of( f, most ), node );
		}
		for ( uint32_t i = 0; i < most; ++i )
		{
			assert_int_equal( bvw_scene_tree_get( tree[0], i, node ), bv_ok );
			assert_int_equal( bvw_scene_tree_get( tree[1], i, node + 1 ), bv_ok );
			assert_memory_equal( &node[0].world.pose, &node[1].world.pose, sizeof( bv_pose ) );
		}
	}
}

static void updates_list_what_moved( void** state )
{
	(void)state;
	static _Alignas( 8 ) char memory[65536];
	bvw_scene_tree* tree;
	uint32_t changed[8];
	uint32_t count = 0;
	assert_int_equal( bvw_scene_tree_begin( memory, sizeof memory, 8, &tree ), bv_ok );
	bvw_scene_tree_add( tree, 4, BVW_NO_NODE, NULL );
	bvw_scene_tree_add( tree, 2, 4, NULL );
	bvw_scene_tree_add( tree, 7, 2, NULL );
	bvw_scene_tree_add( tree, 1, 4, NULL );
	assert_int_equal( bvw_scene_tree_update( tree, changed, 3, &count ), bv_error_memory );
	assert_int_equal( count, 4 );
	assert_int_equal( bvw_scene_tree_update( tree, changed, 8, &count ), bv_ok );
	const uint32_t all[] = { 1, 2, 4, 7 };
	assert_int_equal( count, 4 );
	assert_memory_equal( changed, all, sizeof all );

	bv_transform by = bv_transform_translation( 1, 2, 3 );
	bvw_scene_node node;
	bvw_scene_tree_move_local( tree, 2, &by );
	bvw_scene_tree_get( tree, 7, &node );
	bvw_scene_tree_move_local( tree, 2, &by );
	const uint32_t some[] = { 2, 7 };
	assert_int_equal( bvw_scene_tree_update( tree, changed, 8, &count ), bv_ok );
	assert_int_equal( count, 2 );
	assert_memory_equal( changed, some, sizeof some );
	assert_int_equal( bvw_scene_tree_update( tree, NULL, 0, &count ), bv_ok );
	assert_int_equal( count, 0 );
	bvw_scene_tree_get( tree, 7, &node );
	assert_true( node.world.pose.translation.z == 6 );
}

// A chain far deeper than any stack of calls, and a tree that grows.
static void depth_costs_no_stack( void** state )
{
	(void)state;
	enum
	{
		many = 200000
	};
	char* memory = malloc( bvw_scene_tree_bytes( many ) );
	char* larger = malloc( bvw_scene_tree_bytes( 2 * many ) );
	assert_true( memory && larger );
	bvw_scene_tree* tree;
	bvw_scene_tree* copy;
	bv_transform step = bv_transform_translation( 1, 0, 0 );
	bvw_scene_node node;
	assert_int_equal( bvw_scene_tree_begin( memory, bvw_scene_tree_bytes( many ), many, &tree ), bv_ok );
	for ( uint32_t i = 0; i < many; ++i )
	{
		assert_int_equal( bvw_scene_tree_add( tree, i, i == 0 ? BVW_NO_NODE : i - 1, &step ), bv_ok );
	}
	assert_int_equal( bvw_scene_tree_get( tree, many - 1, &node ), bv_ok );
	assert_true( node.world.pose.translation.x == many );
	assert_int_equal( bvw_scene_tree_copy( tree, larger, bvw_scene_tree_bytes( many - 1 ), many - 1, &copy ),
	                  bv_error_limit );
	assert_int_equal( bvw_scene_tree_copy( tree, larger, bvw_scene_tree_bytes( 2 * many ), 2 * many, &copy ),
	                  bv_ok );
	assert_int_equal( bvw_scene_tree_add( copy, 2 * many - 1, many - 1, &step ), bv_ok );
	assert_int_equal( bvw_scene_tree_get( copy, 2 * many - 1, &node ), bv_ok );
	assert_true( node.world.pose.translation.x == many + 1 );
	free( memory );
	free( larger );
}

static void wrong_arguments_change_nothing( void** state )
{
	(void)state;
	static _Alignas( 8 ) char memory[65536];
	static char before[65536];
	bvw_scene_tree* tree = NULL;
	assert_int_equal( bvw_scene_tree_bytes( 0 ), 0 );
	assert_int_equal( bvw_scene_tree_bytes( BVW_MAX_NODES + 1 ), 0 );
	assert_int_equal( bvw_scene_tree_begin( memory + 4, sizeof memory - 4, 4, &tree ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_begin( memory, bvw_scene_tree_bytes( 4 ) - 1, 4, &tree ),
	                  bv_error_memory );
	assert_null( tree );
	assert_int_equal( bvw_scene_tree_begin( memory, sizeof memory, 4, &tree ), bv_ok );
	bv_transform small = bv_transform_identity();
	small.scale = 0x1p-90;
	bv_transform invalid = bv_transform_identity();
	invalid.scale = NAN;
	bv_transform far = bv_transform_translation( 1e300, 0, 0 );
	assert_int_equal( bvw_scene_tree_add( tree, 0, BVW_NO_NODE, &small ), bv_ok );
	assert_int_equal( bvw_scene_tree_add( tree, 1, 0, NULL ), bv_ok );
	bvw_scene_tree_update( tree, NULL, 0, NULL );
	memcpy( before, memory, sizeof memory );
	uint32_t count;
	bvw_scene_node node;
	bv_transform identity = bv_transform_identity();
	assert_int_equal( bvw_scene_tree_add( tree, 1, 0, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_add( tree, 4, 0, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_add( tree, 2, 3, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_add( tree, 2, 0, &invalid ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_add( tree, 2, 0, &far ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_add( NULL, 2, 0, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_set_local( tree, 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_set_world( tree, 1, &invalid ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_move_local( tree, 3, &identity ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_attach( tree, 0, 1 ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_attach( tree, 0, 0 ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_attach( tree, 1, 3 ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_remove( tree, 3 ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_get( tree, 3, &node ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_get( tree, 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_scene_tree_subtree( tree, 3, NULL, 0, &count ), bv_error_argument );
	// A scale of 2^20 in a parent's of 2^-90 is out of range.
	bv_transform large = bv_transform_identity();
	large.scale = 0x1p20;
	assert_int_equal( bvw_scene_tree_set_world( tree, 1, &large ), bv_error_unsupported );
	assert_memory_equal( memory, before, sizeof memory );

	// The transform in the world is out of range, and says so.
	assert_int_equal( bvw_scene_tree_set_local( tree, 1, &small ), bv_ok );
	assert_int_equal( bvw_scene_tree_get( tree, 1, &node ), bv_error_unsupported );
	assert_int_equal( bvw_scene_tree_subtree( tree, 0, &count, 1, &count ), bv_error_memory );
}

// Rotations are those nearest to what was passed, and errors leave nothing half done.
static void rotations_are_orthonormal_and_errors_change_nothing( void** state )
{
	(void)state;
	static _Alignas( 8 ) char memory[65536];
	static char before[65536];
	bvw_scene_tree* tree;
	bvw_scene_node node;
	uint32_t count = 7;
	assert_int_equal( bvw_scene_tree_begin( memory, sizeof memory, 8, &tree ), bv_ok );
	bv_transform skew = bv_transform_identity();
	skew.pose.rotation[0][1] = 5e-5;
	assert_int_equal( bvw_scene_tree_add( tree, 0, BVW_NO_NODE, &skew ), bv_ok );
	assert_int_equal( bvw_scene_tree_get( tree, 0, &node ), bv_ok );
	double( *r )[3] = node.local.pose.rotation;
	assert_true( fabs( r[0][0] * r[0][1] + r[1][0] * r[1][1] + r[2][0] * r[2][1] ) < 1e-15 );
	assert_true( fabs( r[0][1] - 2.5e-5 ) < 1e-9 );

	// A child that cannot be a child of its grandparent keeps its parent.
	bv_transform large = bv_transform_identity();
	bv_transform small = bv_transform_identity();
	large.scale = 0x1p90;
	small.scale = 0x1p-90;
	assert_int_equal( bvw_scene_tree_add( tree, 1, BVW_NO_NODE, &large ), bv_ok );
	assert_int_equal( bvw_scene_tree_add( tree, 2, 1, &small ), bv_ok );
	assert_int_equal( bvw_scene_tree_add( tree, 3, 2, &small ), bv_ok );
	assert_int_equal( bvw_scene_tree_add( tree, 4, 2, NULL ), bv_ok );
	bvw_scene_tree_update( tree, NULL, 0, NULL );
	memcpy( before, memory, sizeof memory );
	assert_int_equal( bvw_scene_tree_remove( tree, 2 ), bv_error_unsupported );
	bv_transform far = bv_transform_identity();
	far.scale = 0x1p20;
	assert_int_equal( bvw_scene_tree_move_local( tree, 1, &far ), bv_error_unsupported );
	assert_memory_equal( memory, before, sizeof memory );
	assert_int_equal( bvw_scene_tree_update( tree, NULL, 0, &count ), bv_ok );
	assert_int_equal( count, 0 );

	// Nodes that are gone are not listed.
	bv_transform by = bv_transform_translation( 1, 0, 0 );
	assert_int_equal( bvw_scene_tree_move_local( tree, 0, &by ), bv_ok );
	assert_int_equal( bvw_scene_tree_remove( tree, 0 ), bv_ok );
	assert_int_equal( bvw_scene_tree_update( tree, NULL, 0, &count ), bv_ok );
	assert_int_equal( count, 0 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown( all_operations_equal_recomputation, fixture_setup,
		                                 fixture_teardown ),
		cmocka_unit_test_setup_teardown( bits_do_not_depend_on_reading, fixture_setup, fixture_teardown ),
		cmocka_unit_test( updates_list_what_moved ),
		cmocka_unit_test( depth_costs_no_stack ),
		cmocka_unit_test( wrong_arguments_change_nothing ),
		cmocka_unit_test( rotations_are_orthonormal_and_errors_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
