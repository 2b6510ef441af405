// Certified errors of deformed files are not below what measuring them finds, and hardly above it if a similarity is all that happened.

#include "tests/unit/deform/bent_meshes.h"

#include "bvbuild/hausdorff.h"

// A file as bent_file makes it, with errors.
static const bv_file* file_with_errors( fixture* f, int mesh, int volumes )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.leaf_triangles = 1 + (uint32_t)( mesh + volumes ) % 4;
	options.hierarchy.volume_types = bent_types( volumes );
	options.hierarchy.collapse = volumes % 2 ? 8 : 0;
	options.sections |= 1u << bvb_section_errors;
	options.errors.relative = 0.1;
	bvb_mesh source = bent_mesh( f, mesh );
	return build_file( f, &source, &options );
}

// What a visit of the nodes compares them with.
typedef struct comparison
{
	const bvb_tree_errors* found;
	double sum; // of quotients of bounds
	uint32_t count;
	double worst; // quotient
} comparison;

static bool compare_node( void* context, const bv_node_info* node )
{
	comparison* c = context;
	const bvb_node_error* e = c->found->nodes + node->index;
	assert_true( node->has_errors );
	assert_true( node->solid_upper >= e->solid_lower );
	assert_true( node->surface_upper >= e->surface_lower );
	if ( e->solid_upper > 0 )
	{
		double quotient = node->solid_upper / e->solid_upper;
		c->sum += quotient;
		c->count += 1;
		c->worst = fmax( c->worst, quotient );
	}
	return true;
}

static bvb_tree_errors measure( fixture* f, const bv_file* file )
{
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	bvb_tree_errors found;
	bvb_error error = { "" };
	options.threads = 1;
	if ( bvb_hausdorff_file( file, &options, f->arena, &found, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	return found;
}

static void assert_interval_has( bv_interval stored, bv_interval found )
{
	assert_true( stored.lower <= found.upper && stored.upper >= found.lower );
}

static comparison compare( fixture* f, const bent* b )
{
	const bv_file* file = bvw_deform_file( b->deform );
	bvb_tree_errors found = measure( f, file );
	comparison c = { .found = &found };
	bv_file_visit_nodes( file, compare_node, &c );
	bv_file_errors all;
	assert_true( bv_file_get_errors( file, &all ) );
	assert_interval_has( all.solid, found.solid );
	assert_interval_has( all.surface, found.surface );
	assert_interval_has( all.all.solid.mean, found.all.solid.mean );
	assert_interval_has( all.all.solid.max, found.all.solid.max );
	for ( uint32_t i = 0; i < found.level_count; ++i )
	{
		bv_level_errors level;
		assert_true( bv_file_get_level_errors( file, i, &level ) );
		assert_interval_has( level.level.solid.mean, found.levels[i].level.solid.mean );
		assert_interval_has( level.level.solid.max, found.levels[i].level.solid.max );
		assert_interval_has( level.cut.solid.mean, found.levels[i].cut.solid.mean );
		assert_interval_has( level.cut.surface.max, found.levels[i].cut.surface.max );
	}
	return c;
}

static const bvw_deform_options with_errors[2] = {
	{ .errors = true },
	{ .errors = true, .frames = bvw_deform_turn },
};

static void errors_hold_after_any_deformation( void** state )
{
	fixture* f = *state;
	static const int kinds[] = { deform_noise, deform_affine, deform_part, deform_wave, deform_spike };
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		for ( int round = 0; round < ( is_thorough() ? 40 : 4 ); ++round )
		{
			const bv_file* file = file_with_errors( f, ( volumes + 3 * round ) % 8, volumes );
			bent b = bend_file( f, file, with_errors + round % 2 );
			for ( int k = 0; k < 2; ++k )
			{
				reset_positions( &b );
				deform( f, &b, kinds[( round + k ) % 5] );
				refit_all( &b );
				compare( f, &b );
			}
			end_bent( &b );
		}
	}
}

// Turned about an axis by an angle, scaled and moved.
static void move_similarly( fixture* f, bent* b, double scale, double angle )
{
	double c = scale * cos( angle );
	double s = scale * sin( angle );
	double m[3][3] = { { c, -s, 0 }, { s, c, 0 }, { 0, 0, scale } };
	move_affinely( f, b, m );
}

static void similarities_hardly_change_errors( void** state )
{
	fixture* f = *state;
	static const int types[] = { bv_volume_obb, bv_volume_aabb };
	for ( int t = 0; t < 2; ++t )
	{
		const bv_file* file = file_with_errors( f, 2, types[t] );
		for ( int turns = 0; turns < 2; ++turns )
		{
			bent b = bend_file( f, file, with_errors + turns );
			for ( int i = 0; i < 6; ++i )
			{
				// Frames that stay are those of meshes that do not turn.
				double angle = turns && types[t] == bv_volume_obb ? 0.3 + i : 0;
				reset_positions( &b );
				move_similarly( f, &b, i % 2 ? 0.2 : 5, angle );
				refit_all( &b );
				comparison c = compare( f, &b );
				assert_true( c.sum / c.count < 1.2 );
				assert_true( c.worst < 1.6 );
			}
			end_bent( &b );
		}
	}
}

static void errors_do_not_depend_on_lists( void** state )
{
	fixture* f = *state;
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		const bv_file* file = file_with_errors( f, 2, volumes );
		bent some = bend_file( f, file, with_errors + volumes % 2 );
		bent all = bend_file( f, file, with_errors + volumes % 2 );
		for ( int i = 0; i < 10; ++i )
		{
			uint32_t list[8];
			for ( int k = 0; k < 8; ++k )
			{
				list[k] = (uint32_t)( random_bits( f ) % some.vertices );
				some.positions[3 * list[k] + (uint32_t)k % 3] += 0.1 * some.diagonal * random_sign( f );
			}
			memcpy( all.positions, some.positions, 3 * some.vertices * sizeof *some.positions );
			bvw_vertices v = vertices_of( &some );
			assert_int_equal( bvw_deform_refit( some.deform, &v, list, 8, NULL ), bv_ok );
			refit_all( &all );
			assert_same_images( &some, &all );
		}
		end_bent( &some );
		end_bent( &all );
	}
}

static void measured_errors_are_stored_until_the_next_refit( void** state )
{
	fixture* f = *state;
	const bv_file* file = file_with_errors( f, 2, bv_volume_rss );
	bent b = bend_file( f, file, with_errors );
	bent none = bend_file( f, file, NULL );
	deform( f, &b, deform_wave );
	refit_all( &b );
	bvb_tree_errors found = measure( f, bvw_deform_file( b.deform ) );
	const float* surface = &found.nodes[0].surface_upper;
	const float* solid = &found.nodes[0].solid_upper;
	uint32_t stride = sizeof *found.nodes;
	assert_true( compare( f, &b ).worst > 1.1 );
	assert_int_equal( bvw_deform_set_errors( b.deform, surface, solid, stride ), bv_ok );
	assert_true( compare( f, &b ).worst < 1.08 );

	assert_int_equal( bvw_deform_set_errors( none.deform, surface, solid, stride ), bv_error_argument );
	assert_int_equal( bvw_deform_set_errors( b.deform, NULL, solid, stride ), bv_error_argument );
	assert_int_equal( bvw_deform_set_errors( b.deform, surface, solid, stride + 1 ), bv_error_argument );
	found.nodes[1].solid_upper = -1;
	assert_int_equal( bvw_deform_set_errors( b.deform, surface, solid, stride ), bv_error_argument );
	found.nodes[1].solid_upper = NAN;
	assert_int_equal( bvw_deform_set_errors( b.deform, surface, solid, stride ), bv_error_argument );
	assert_true( compare( f, &b ).worst < 1.08 );

	refit_all( &b );
	assert_true( compare( f, &b ).worst > 1.1 );
	end_bent( &b );
	end_bent( &none );
}

static void files_without_errors_have_none_to_keep( void** state )
{
	fixture* f = *state;
	const bv_file* file = bent_file( f, 2, 0 );
	void* memory = bvb_arena_allocate( f->arena, 1 << 20, 1 );
	bvw_deform* d = NULL;
	assert_int_equal( bvw_deform_bytes( file, with_errors ), 0 );
	assert_int_equal( bvw_deform_begin( file, with_errors, memory, 1 << 20, &d ), bv_error_argument );
	assert_null( d );
}

// What a visit of the nodes compares with the point where all vertices are.
typedef struct point_comparison
{
	const bvb_tree_errors* found;
	bv_vec3 at;
} point_comparison;

// The point of a box that is farthest from a point is a corner.
static bool error_is_that_of_a_point( void* context, const bv_node_info* node )
{
	const point_comparison* c = context;
	const bvb_node_error* e = c->found->nodes + node->index;
	bv_aabb box = node->volume.aabb;
	double x = fmax( box.upper.x - c->at.x, c->at.x - box.lower.x );
	double y = fmax( box.upper.y - c->at.y, c->at.y - box.lower.y );
	double z = fmax( box.upper.z - c->at.z, c->at.z - box.lower.z );
	double expected = sqrt( x * x + y * y + z * z );
	assert_true( e->solid_lower <= expected * ( 1 + 1e-12 ) && expected <= e->solid_upper * ( 1 + 1e-12 ) );
	assert_true( node->solid_upper >= expected * ( 1 - 1e-12 ) );
	return true;
}

// A mesh that grows from a point during a step: boxes are large, and triangles are points.
static void triangles_that_are_points_can_be_measured( void** state )
{
	fixture* f = *state;
	bvw_deform_options options = { .errors = true, .motion = true };
	bent b = bend_file( f, file_with_errors( f, 2, bv_volume_aabb ), &options );
	double* later = bvb_arena_allocate( f->arena, 3 * (size_t)b.vertices, sizeof *later );
	memcpy( later, b.positions, 3 * sizeof *later * b.vertices );
	deform( f, &b, deform_point );
	bvw_vertices from = vertices_of( &b );
	bvw_vertices to = { .positions = later, .count = b.vertices };
	assert_int_equal( bvw_deform_refit_motion( b.deform, &from, &to, NULL, NULL ), bv_ok );
	const bv_file* file = bvw_deform_file( b.deform );
	bvb_tree_errors found = measure( f, file );
	point_comparison c = { .found = &found, .at = bv_file_get_vertex( file, 0 ) };
	bv_file_visit_nodes( file, error_is_that_of_a_point, &c );
	end_bent( &b );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( errors_hold_after_any_deformation ),
		fixture_test( similarities_hardly_change_errors ),
		fixture_test( errors_do_not_depend_on_lists ),
		fixture_test( measured_errors_are_stored_until_the_next_refit ),
		fixture_test( files_without_errors_have_none_to_keep ),
		fixture_test( triangles_that_are_points_can_be_measured ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
