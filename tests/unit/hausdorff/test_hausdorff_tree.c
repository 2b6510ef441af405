// Errors of every node of a tree, against dense samples of the decoded boxes and counts made anew.

#include "shapes.h"
#include "support.h"
#include "tests/reference/sampling.h"

// A bumpy sheet with some triangles strewn about: flat patches, curved ones, and none at all.
static bvb_mesh bumpy( fixture* f, uint32_t steps )
{
	bvb_arena* arena = f->arena;
	uint32_t strewn = steps;
	bvb_mesh m = { .vertex_count = ( steps + 1 ) * ( steps + 1 ) + 3 * strewn,
		           .triangle_count = 2 * steps * steps + strewn };
	m.positions = bvb_arena_allocate( arena, m.vertex_count, sizeof *m.positions );
	m.triangles = bvb_arena_allocate( arena, m.triangle_count, sizeof *m.triangles );
	uint32_t vertex = 0;
	for ( uint32_t i = 0; i <= steps; ++i )
	{
		for ( uint32_t k = 0; k <= steps; ++k )
		{
			double height = i > steps / 2 ? (float)( random_unit( f ) / steps ) : 0;
			m.positions[vertex++] = ( bv_vec3 ){ (float)i / (float)steps, (float)k / (float)steps, height };
		}
	}
	uint32_t triangle = 0;
	for ( uint32_t i = 0; i < steps; ++i )
	{
		for ( uint32_t k = 0; k < steps; ++k )
		{
			uint32_t a = i * ( steps + 1 ) + k;
			m.triangles[triangle++] = ( bvb_triangle ){ { a, a + steps + 1, a + 1 } };
			m.triangles[triangle++] = ( bvb_triangle ){ { a + 1, a + steps + 1, a + steps + 2 } };
		}
	}
	for ( uint32_t i = 0; i < strewn; ++i )
	{
		for ( uint32_t k = 0; k < 3; ++k )
		{
			m.triangles[triangle].corner[k] = vertex;
			m.positions[vertex++] =
				( bv_vec3 ){ (float)random_unit( f ), (float)random_unit( f ), (float)random_unit( f ) };
		}
		triangle += 1;
	}
	return m;
}

static volume* volume_of( const bv_volume* v )
{
	switch ( v->type )
	{
	case bv_volume_obb: return volume_of_obb( &v->obb );
	case bv_volume_aabb: return volume_of_aabb( &v->aabb );
	case bv_volume_sphere: return volume_of_sphere( &v->sphere );
	case bv_volume_rss: return volume_of_rss( &v->rss );
	case bv_volume_prism: return volume_of_prism( &v->prism );
	default: return volume_of_kdop( &v->kdop );
	}
}

static bvb_tree* tree_of( bvb_arena* arena, bvb_mesh* mesh, uint32_t leaf_triangles )
{
	bvb_hierarchy_options options = box_tree_options();
	options.leaf_triangles = leaf_triangles;
	bvb_tree* tree;
	assert_int_equal( bvb_hierarchy_build( mesh, &options, arena, &tree, NULL ), bv_ok );
	return tree;
}

static void assert_node_holds( const bvb_mesh* mesh, const bvb_node* node, const bvb_node_error* e,
                               const bvb_tree_errors_options* options )
{
	double diagonal = bvb_diameter_of( &node->volume );
	double rounding = 1e-6 * diagonal; // of binary32
	nearest_faces faces;
	volume* v = volume_of( &node->volume );
	assert_non_null( v );
	assert_true( nearest_prepare( mesh, node->first_triangle, node->triangles, &faces ) );
	for ( int surface = 0; surface < 2; ++surface )
	{
		double lower = surface ? e->surface_lower : e->solid_lower;
		double upper = surface ? e->surface_upper : e->solid_upper;
		sampling_options s = sampling_options_default();
		s.measure = surface ? bvb_hausdorff_surface : bvb_hausdorff_solid;
		s.samples = 300;
		s.climb = 100;
		sampling_result found;
		assert_true( sampling_farthest( v, &faces, &s, &found ) );
		assert_true( found.distance <= upper );
		assert_true( lower <= upper );
		assert_true( upper <= lower * ( 1 + options->relative ) + rounding ||
		             upper <= lower + options->floor * diagonal + rounding );

		// Climbing from the best sample finds the peak or comes near it.
		assert_true( lower <= found.distance * 1.25 + options->floor * diagonal );
	}
	nearest_free( &faces );
	volume_free( v );
}

static void every_nodes_intervals_hold_what_samples_find( void** state )
{
	fixture* f = *state;
	static const uint32_t leaf_sizes[] = { 1, 5, 1000000 };
	for ( uint32_t i = 0; i < 3; ++i )
	{
		bvb_arena* arena = f->arena;
		bvb_mesh mesh = bumpy( f, 8 );
		bvb_tree* tree = tree_of( arena, &mesh, leaf_sizes[i] );
		bvb_tree_errors_options options = { .relative = 0.02, .floor = 0.002 };
		bvb_tree_errors errors;
		assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ), bv_ok );
		assert_int_equal( errors.node_count, bvb_tree_node_count( tree ) );
		for ( uint32_t k = 0; k < errors.node_count; ++k )
		{
			bvb_node node = bvb_tree_node( tree, k );
			assert_node_holds( &mesh, &node, errors.nodes + k, &options );
		}
	}
}

// Trees of every type, and of the best type for each node; besides samples, the intervals of each node's own triangles alone
// must meet those of the tree.
static void intervals_of_volumes_of_any_type_hold_what_samples_find( void** state )
{
	fixture* f = *state;
	for ( int type = 0; type <= bv_volume_types; ++type )
	{
		bvb_mesh mesh = bumpy( f, 4 );
		bvb_hierarchy_options how = box_tree_options();
		how.volume_types = type < bv_volume_types ? 1u << type : ( 1u << bv_volume_types ) - 1;
		how.leaf_triangles = 1 + (uint32_t)type % 3;
		bvb_tree* tree;
		assert_int_equal( bvb_hierarchy_build( &mesh, &how, f->arena, &tree, NULL ), bv_ok );
		bvb_tree_errors_options options = { .relative = 0.02, .floor = 0.002 };
		bvb_tree_errors errors;
		assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, f->arena, &errors, NULL ), bv_ok );
		for ( uint32_t k = 0; k < errors.node_count; ++k )
		{
			bvb_node node = bvb_tree_node( tree, k );
			const bvb_node_error* e = errors.nodes + k;
			assert_node_holds( &mesh, &node, e, &options );

			uint32_t* own = bvb_arena_allocate( f->arena, node.triangles, sizeof *own );
			for ( uint32_t i = 0; i < node.triangles; ++i )
			{
				own[i] = node.first_triangle + i;
			}
			bvb_hausdorff_target* target;
			assert_int_equal(
				bvb_hausdorff_target_create( &mesh, own, node.triangles, f->arena, &target, NULL ), bv_ok );
			for ( int surface = 0; surface < 2; ++surface )
			{
				bvb_hausdorff_options alone = bvb_hausdorff_options_default();
				alone.measure = surface ? bvb_hausdorff_surface : bvb_hausdorff_solid;
				alone.absolute = 1e-4;
				bvb_hausdorff found;
				assert_int_equal( bvb_hausdorff_volume( target, &node.volume, &alone, &found ), bv_ok );
				assert_true( found.lower <= ( surface ? e->surface_upper : e->solid_upper ) );
				assert_true( found.upper >= ( surface ? e->surface_lower : e->solid_lower ) );
			}
		}
	}
}

// Thin strips aslant, side by side, of four triangles each, which make a leaf: boxes along the axes round them would be large.
static void leaves_of_several_triangles_are_measured_in_their_own_boxes( void** state )
{
	fixture* f = *state;
	enum
	{
		strips = 24,
	};
	bvb_mesh mesh = soup_create( f, 4 * strips );
	for ( uint32_t i = 0; i < strips; ++i )
	{
		for ( uint32_t k = 0; k < 4; ++k )
		{
			double along = 0.25 * k;
			bv_vec3 a = { i + 10 * along, 10 * along, 0 };
			bv_vec3 b = { i + 10 * along + 2.5, 10 * along + 2.5, 0 };
			bv_vec3 c = { i + 10 * along + 1.25, 10 * along + 1.25, 0.0625 };
			set_triangle( &mesh, 4 * i + k, a, b, c );
		}
	}
	bvb_tree* tree = tree_of( f->arena, &mesh, 4 );
	bvb_tree_errors_options options = { .relative = 0.02, .floor = 0.002 };
	bvb_tree_errors errors;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, f->arena, &errors, NULL ), bv_ok );
	for ( uint32_t k = 0; k < errors.node_count; ++k )
	{
		bvb_node node = bvb_tree_node( tree, k );
		assert_node_holds( &mesh, &node, errors.nodes + k, &options );
	}
	bvb_hausdorff_target* target;
	assert_int_equal( bvb_hausdorff_target_of_tree( &mesh, tree, &errors, f->arena, &target, NULL ), bv_ok );
	bv_aabb between = { { 10, 5, 0 }, { 20, 5, 0 } };
	bvb_hausdorff r;
	assert_int_equal( bvb_hausdorff_aabb( target, &between, NULL, &r ), bv_ok );
	assert_true( r.lower <= sqrt( 0.125 ) && sqrt( 0.125 ) <= r.upper && r.upper <= 1.011 * r.lower );
}

// Loose tolerances leave a wide gap between a node's lower and its upper error: only the upper one bounds nodes above.
static void loose_intervals_hold_what_samples_find( void** state )
{
	fixture* f = *state;
	static const double relative[] = { 1, 3 };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = bumpy( f, 14 );
		bvb_tree* tree = tree_of( f->arena, &mesh, 1 );
		bvb_tree_errors_options options = { .relative = relative[i], .floor = 0 };
		bvb_tree_errors errors;
		assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, f->arena, &errors, NULL ), bv_ok );
		for ( uint32_t k = 0; k < errors.node_count; ++k )
		{
			bvb_node node = bvb_tree_node( tree, k );
			if ( node.triangles > 32 )
			{
				assert_node_holds( &mesh, &node, errors.nodes + k, &options );
			}
		}
	}
}

// A closed plate that is thin beside the floor: in its middle, where such boxes are measured, half its thickness away; its
// surface no distance at all.
static void the_surface_of_a_thin_plate_is_no_distance_away( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 2, 2, 0.0078125 );
	bvb_tree* tree = tree_of( f->arena, &mesh, 1 );
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	bvb_tree_errors errors;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, f->arena, &errors, NULL ), bv_ok );
	assert_true( errors.nodes[0].surface_lower <= 1e-9 );
	assert_true( errors.nodes[0].solid_lower <= 0.00390626 && 0.00390625 <= errors.nodes[0].solid_upper );
}

// The box of one triangle: the farthest of its eight corners.
static void a_leaf_of_one_triangle_is_as_far_as_its_farthest_corner( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = f->arena;
	bvb_mesh mesh = bumpy( f, 6 );
	bvb_tree* tree = tree_of( arena, &mesh, 1 );
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	bvb_tree_errors errors;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ), bv_ok );
	for ( uint32_t i = 0; i < errors.node_count; ++i )
	{
		bvb_node node = bvb_tree_node( tree, i );
		if ( node.children > 0 )
		{
			continue;
		}
		nearest_faces faces;
		assert_true( nearest_prepare( &mesh, node.first_triangle, 1, &faces ) );
		double farthest = 0;
		for ( int k = 0; k < 8; ++k )
		{
			bv_vec3 p = node.volume.obb.center;
			for ( int j = 0; j < 3; ++j )
			{
				double e = k >> j & 1 ? node.volume.obb.half_extents[j] : -node.volume.obb.half_extents[j];
				p.x += e * node.volume.obb.axis[j].x;
				p.y += e * node.volume.obb.axis[j].y;
				p.z += e * node.volume.obb.axis[j].z;
			}
			farthest = fmax( farthest, nearest_distance( &faces, p, NULL ) );
		}
		const bvb_node_error* e = errors.nodes + i;
		assert_true( e->solid_lower <= farthest && farthest <= e->solid_upper );
		assert_true( e->solid_upper <= farthest * ( 1 + 1e-6 ) + 1e-12 );
		assert_true( e->surface_lower == e->solid_lower && e->surface_upper == e->solid_upper );
		nearest_free( &faces );
	}
}

// The sides of a cube's box lie on the cube; its middle is half a side away.
static void the_box_of_a_hollow_cube_is_far_inside_and_near_on_its_surface( void** state )
{
	fixture* f = *state;
	cubes c = { 0 };
	fill_cubes( &c, ( const int[] ){ 0, 0, 0 }, ( const int[] ){ 4, 4, 4 }, true );
	bvb_mesh mesh = surface_of_cubes( f, &c );
	bvb_tree* tree = tree_of( f->arena, &mesh, 1 );
	bv_obb box = { .center = { 2, 2, 2 },
		           .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		           .half_extents = { 2, 2, 2 },
		           .rotation = { 0, 0, 0, 1 } };
	bvb_tree_improve_root( tree, 1u << bv_volume_obb, &box );
	bvb_tree_errors_options options = { .relative = 0.01, .floor = 0.001 };
	bvb_tree_errors errors;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, f->arena, &errors, NULL ), bv_ok );
	assert_true( errors.solid.lower <= 2 && errors.solid.upper >= 2 && errors.solid.upper <= 2.03 );
	assert_true( errors.surface.lower <= 1e-6 && errors.surface.upper <= 0.02 );
}

static void threads_do_not_change_a_bit( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = f->arena;
	bvb_mesh mesh = bumpy( f, 60 );
	bvb_tree* tree = tree_of( arena, &mesh, 1 );
	bvb_tree_errors first;
	for ( uint32_t threads = 1; threads < 8; threads += 3 )
	{
		bvb_tree_errors_options options = bvb_tree_errors_options_default();
		options.threads = threads;
		bvb_tree_errors errors;
		assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ), bv_ok );
		if ( threads == 1 )
		{
			first = errors;
		}
		assert_memory_equal( errors.nodes, first.nodes, errors.node_count * sizeof *errors.nodes );
		assert_memory_equal( errors.levels, first.levels, errors.level_count * sizeof *errors.levels );
		assert_memory_equal( &errors.all, &first.all, sizeof errors.all );
		assert_true( errors.regions == first.regions );
	}
}

static uint32_t level_of( const bvb_tree* tree, uint32_t index )
{
	uint32_t level = 0;
	for ( uint32_t i = index; i-- > 0; )
	{
		bvb_node n = bvb_tree_node( tree, i );
		if ( n.children > 0 && index >= n.first_child && index < n.first_child + n.children )
		{
			index = i;
			level += 1;
		}
	}
	return level;
}

static void assert_near( double value, double expected )
{
	assert_true( fabs( value - expected ) <= 1e-12 * fabs( expected ) );
}

// A cut: the nodes of a level, and leaves above it.
static void levels_and_cuts_are_those_of_their_nodes( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = f->arena;
	bvb_mesh mesh = bumpy( f, 7 );
	bvb_tree* tree = tree_of( arena, &mesh, 2 );
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	bvb_tree_errors errors;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ), bv_ok );
	uint32_t deepest = 0;
	for ( uint32_t level = 0; level < errors.level_count; ++level )
	{
		double sum[2] = { 0, 0 };
		double max[2] = { 0, 0 };
		uint32_t count[2] = { 0, 0 };
		uint32_t triangles = 0;
		for ( uint32_t i = 0; i < errors.node_count; ++i )
		{
			uint32_t here = level_of( tree, i );
			bvb_node node = bvb_tree_node( tree, i );
			deepest = here > deepest ? here : deepest;
			bool in[2] = { here == level, here == level || ( here < level && node.children == 0 ) };
			for ( int k = 0; k < 2; ++k )
			{
				sum[k] += in[k] ? errors.nodes[i].solid_upper : 0;
				max[k] = in[k] ? fmax( max[k], errors.nodes[i].solid_upper ) : max[k];
				count[k] += in[k];
			}
			triangles += in[1] ? node.triangles : 0;
		}
		assert_int_equal( triangles, mesh.triangle_count );
		const bv_level_errors* l = errors.levels + level;
		assert_near( l->level.solid.mean.upper, sum[0] / count[0] );
		assert_near( l->cut.solid.mean.upper, sum[1] / count[1] );
		assert_true( l->level.solid.max.upper == max[0] && l->cut.solid.max.upper == max[1] );
		assert_true( l->level.solid.mean.lower <= l->level.solid.mean.upper );
		assert_true( l->cut.surface.max.lower <= l->cut.surface.max.upper );
	}
	assert_int_equal( errors.level_count, deepest + 1 );
}

// Of every node: a tighter tolerance gives an interval that meets the looser one.
static void tighter_tolerances_agree_with_looser_ones( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = f->arena;
	bvb_mesh mesh = bumpy( f, 12 );
	bvb_tree* tree = tree_of( arena, &mesh, 1 );
	bvb_tree_errors_options loose = { .relative = 0.5, .floor = 0.05 };
	bvb_tree_errors_options tight = { .relative = 0.001, .floor = 1e-4 };
	bvb_tree_errors a;
	bvb_tree_errors b;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &loose, arena, &a, NULL ), bv_ok );
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &tight, arena, &b, NULL ), bv_ok );
	for ( uint32_t i = 0; i < a.node_count; ++i )
	{
		assert_true( a.nodes[i].solid_lower <= b.nodes[i].solid_upper );
		assert_true( b.nodes[i].solid_lower <= a.nodes[i].solid_upper );
		assert_true( a.nodes[i].surface_lower <= b.nodes[i].surface_upper );
		assert_true( b.nodes[i].surface_lower <= a.nodes[i].surface_upper );
	}
	assert_true( a.regions < b.regions );
}

// A target over a measured tree and one with an index of its own know the same triangles.
static void a_measured_tree_makes_the_same_target( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = f->arena;
	bvb_mesh mesh = bumpy( f, 9 );
	for ( uint32_t leaf = 1; leaf < 8; leaf += 6 )
	{
		bvb_tree* tree = tree_of( arena, &mesh, leaf );
		bvb_tree_errors_options options = bvb_tree_errors_options_default();
		bvb_tree_errors errors;
		bvb_hausdorff_target* target[2];
		assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ), bv_ok );
		assert_int_equal( bvb_hausdorff_target_of_tree( &mesh, tree, &errors, arena, &target[0], NULL ),
		                  bv_ok );
		assert_int_equal( bvb_hausdorff_target_create( &mesh, NULL, 0, arena, &target[1], NULL ), bv_ok );
		bv_sphere ball = { { 0.4, 0.5, 0.3 }, 0.9 };
		for ( int measure = 0; measure < 2; ++measure )
		{
			bvb_hausdorff_options o = bvb_hausdorff_options_default();
			o.measure = (bvb_hausdorff_measure)measure;
			bvb_hausdorff found[2];
			assert_int_equal( bvb_hausdorff_sphere( target[0], &ball, &o, &found[0] ), bv_ok );
			assert_int_equal( bvb_hausdorff_sphere( target[1], &ball, &o, &found[1] ), bv_ok );
			assert_true( found[0].lower <= found[1].upper && found[1].lower <= found[0].upper );
			assert_true( found[0].upper <= found[0].lower * 1.011 );
		}
	}
}

// A cube of 3 x 3 x 3 cells. Cells of a k-DOP of 26 planes that have no room for one more side stay as they are, with bounds
// above what is tolerated; what is below these then need not be refined, and once was for ever.
static void measuring_ends_where_a_cell_has_too_many_sides( void** state )
{
	fixture* f = *state;
	bvb_mesh cube = soup_create( f, 108 );
	uint32_t at = 0;
	for ( int i = 0; i < 54; ++i )
	{
		int axis = i / 18;
		int side = i / 9 % 2;
		double corner[4][3];
		for ( int k = 0; k < 4; ++k )
		{
			corner[k][axis] = side;
			corner[k][( axis + 1 ) % 3] = (float)( ( i / 3 % 3 + ( k == 1 || k == 2 ) ) / 3.0 );
			corner[k][( axis + 2 ) % 3] = (float)( ( i % 3 + ( k >= 2 ) ) / 3.0 );
		}
		for ( int k = 0; k < 6; ++k )
		{
			static const int of_triangles[2][6] = { { 2, 1, 0, 3, 2, 0 }, { 0, 1, 2, 0, 2, 3 } };
			const double* c = corner[of_triangles[side][k]];
			cube.positions[at++] = ( bv_vec3 ){ c[0], c[1], c[2] };
		}
	}
	bvb_hierarchy_options how = box_tree_options();
	how.splitter = "kmeans";
	how.volume_types = 1u << bv_volume_kdop26;
	bvb_tree* tree;
	assert_int_equal( bvb_hierarchy_build( &cube, &how, f->arena, &tree, NULL ), bv_ok );
	bvb_tree_errors_options options = bvb_tree_errors_options_default();
	bvb_tree_errors errors;
	assert_int_equal( bvb_hausdorff_tree( &cube, tree, &options, f->arena, &errors, NULL ), bv_ok );
	assert_true( errors.regions < 1000000 );
}

static void bad_options_and_want_of_memory_are_errors( void** state )
{
	fixture* f = *state;
	bvb_arena* arena = f->arena;
	bvb_mesh mesh = bumpy( f, 8 );
	bvb_tree* tree = tree_of( arena, &mesh, 1 );
	static const double relative[] = { 0, -1, NAN, INFINITY };
	bvb_tree_errors errors;
	for ( int i = 0; i < 4; ++i )
	{
		bvb_tree_errors_options options = { .relative = relative[i], .floor = 0.01 };
		assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ),
		                  bv_error_argument );
	}
	bvb_tree_errors_options options = { .relative = 0.1, .floor = NAN };
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &errors, NULL ), bv_error_argument );
	options.floor = 0.01;
	bvb_tree_errors whole;
	assert_int_equal( bvb_hausdorff_tree( &mesh, tree, &options, arena, &whole, NULL ), bv_ok );
	uint32_t failed = 0;
	for ( size_t limit = 0; limit < ( 1u << 20 ); limit += 1u << 16 )
	{
		bvb_arena* small = bvb_arena_create_limited( limit );
		bv_status status = bvb_hausdorff_tree( &mesh, tree, &options, small, &errors, NULL );
		failed += status == bv_error_memory;
		assert_true( status == bv_ok || status == bv_error_memory );
		assert_true( status != bv_ok ||
		             memcmp( errors.nodes, whole.nodes, errors.node_count * sizeof *errors.nodes ) == 0 );
		bvb_arena_destroy( small );
	}
	assert_true( failed > 2 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_nodes_intervals_hold_what_samples_find ),
		fixture_test( intervals_of_volumes_of_any_type_hold_what_samples_find ),
		fixture_test( leaves_of_several_triangles_are_measured_in_their_own_boxes ),
		fixture_test( loose_intervals_hold_what_samples_find ),
		fixture_test( the_surface_of_a_thin_plate_is_no_distance_away ),
		fixture_test( a_leaf_of_one_triangle_is_as_far_as_its_farthest_corner ),
		fixture_test( the_box_of_a_hollow_cube_is_far_inside_and_near_on_its_surface ),
		fixture_test( threads_do_not_change_a_bit ),
		fixture_test( levels_and_cuts_are_those_of_their_nodes ),
		fixture_test( tighter_tolerances_agree_with_looser_ones ),
		fixture_test( a_measured_tree_makes_the_same_target ),
		fixture_test( measuring_ends_where_a_cell_has_too_many_sides ),
		fixture_test( bad_options_and_want_of_memory_are_errors ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
