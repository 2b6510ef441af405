// How far volumes are from the optimum: of volumes made larger by a known factor, against fits of all triangles of each node, and of
// bounds whose optimum is known.

#include "support.h"

// A root that is its own leaf: a volume around a box of 1 x 2 x 3, made larger.
static bvb_node single_node( const void* context, uint32_t index )
{
	(void)index;
	return ( bvb_node ){ .triangles = 12, .volume = *(const bv_volume*)context };
}

static const bv_file* file_of_root( fixture* f, const bv_volume* root )
{
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	return file_of_nodes( f, &mesh, single_node, root, 1 );
}

static bvb_fitnesses fitness_of( fixture* f, const bv_file* file, uint32_t nodes )
{
	bvb_fitnesses out;
	bvb_fitness_options options = { .nodes = nodes };
	assert_int_equal( bvb_assess_fitness( file, &options, f->arena, &out, NULL ), bv_ok );
	return out;
}

static void expect_ratios( fixture* f, const bv_volume* root, double volume, double area )
{
	bvb_fitnesses found = fitness_of( f, file_of_root( f, root ), 0 );
	const bvb_fitness* same[] = { &found.all, &found.type[root->type], &found.level[0] };
	for ( int i = 0; i < 3; ++i )
	{
		assert_true( same[i]->nodes == 1 && same[i]->measured == 1 && same[i]->flat == 0 );
		assert_true( same[i]->volume.worst == 0 && same[i]->area.worst == 0 );
		assert_true( fabs( same[i]->volume.mean / same[i]->volume.max - 1 ) < 1e-14 );
		assert_true( fabs( same[i]->area.mean / same[i]->area.max - 1 ) < 1e-14 );
		if ( !( fabs( same[i]->volume.max - volume ) < 1e-5 * volume &&
		        fabs( same[i]->area.max - area ) < 1e-5 * area ) )
		{
			fail_msg( "type %d: volume %g and not %g, area %g and not %g", root->type, same[i]->volume.max,
			          volume, same[i]->area.max, area );
		}
	}
	assert_true( found.level[1].nodes == 0 && found.level[1].measured == 0 );
}

static void larger_volumes_have_ratios_in_closed_form( void** state )
{
	fixture* f = *state;
	bv_volume box = { .type = bv_volume_aabb, .aabb = { { 0, 0, 0 }, { 1, 2, 3 } } };
	expect_ratios( f, &box, 1, 1 );
	box.aabb.upper.z = 4.5;
	expect_ratios( f, &box, 1.5, 31.0 / 22 );

	bv_volume ball = { .type = bv_volume_sphere,
		               .sphere = { { 0.5, 1, 1.5 }, (float)( 1.25 * sqrt( 3.5 ) ) } };
	expect_ratios( f, &ball, 1.25 * 1.25 * 1.25, 1.25 * 1.25 );

	bv_volume obb = { .type = bv_volume_obb,
		              .obb = { .center = { 0.5, 1, 1.5 },
		                       .axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		                       .half_extents = { 1, 1, 1.5 },
		                       .rotation = { 0, 0, 0, 1 } } };
	expect_ratios( f, &obb, 2, 32.0 / 22 );

	static const uint32_t kinds[] = { 14, 18, 26 };
	for ( int i = 0; i < 3; ++i )
	{
		bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
		bv_volume dop = { .type = (bv_volume_type)( bv_volume_kdop14 + i ) };
		assert_int_equal( bvb_fit_kdop( mesh.positions, 8, kinds[i], &dop.kdop ), bv_ok );
		expect_ratios( f, &dop, 1, 1 );
		for ( int k = 0; k < BV_KDOP_DIRECTIONS; ++k )
		{
			dop.kdop.lower[k] *= 2;
			dop.kdop.upper[k] *= 2;
		}
		expect_ratios( f, &dop, 8, 4 );
	}
}

// The best that is found is the library's own fit, whose volume has a closed form.
static void larger_swept_spheres_are_compared_with_the_best_found( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bv_volume rss = { .type = bv_volume_rss };
	assert_int_equal( bvb_fit_rss( mesh.positions, 8, &rss.rss ), bv_ok );
	expect_ratios( f, &rss, 1, 1 );
	bv_volume larger = rss;
	larger.rss.radius *= 2;
	expect_ratios( f, &larger, bvb_volume_of( &larger ) / bvb_volume_of( &rss ),
	               bvb_area_of( &larger ) / bvb_area_of( &rss ) );
}

// Of a square the least box has both sides' area, and no volume to compare with.
static void flat_optima_have_areas_only( void** state )
{
	fixture* f = *state;
	const bv_vec3 square[4] = { { 0, 0, 1 }, { 2, 0, 1 }, { 0, 2, 1 }, { 2, 2, 1 } };
	static const uint32_t corners[2][3] = { { 0, 1, 2 }, { 1, 3, 2 } };
	bvb_mesh mesh = mesh_of( f, square, 4, corners, 2 );
	bvb_asset_options options = plain_options();
	options.hierarchy.max_depth = 0;
	bvb_fitnesses found = fitness_of( f, build_file( f, &mesh, &options ), 0 );
	assert_true( found.all.nodes == 1 && found.all.measured == 1 && found.all.flat == 1 );
	assert_true( found.all.volume.mean == 0 && found.all.volume.max == 0 );
	assert_true( found.all.area.mean >= 1 && found.all.area.mean < 1 + 1e-6 );
}

typedef struct all_nodes
{
	bv_node_info* nodes;
	uint32_t count;
} all_nodes;

static bool take( void* context, const bv_node_info* node )
{
	all_nodes* all = context;
	all->nodes[node->index] = *node;
	all->count += 1;
	return true;
}

static const bv_file* mixed_file( fixture* f )
{
	bvb_mesh mesh = bumpy_ball( f, 7 );
	bvb_asset_options options = plain_options();
	options.hierarchy = bvb_hierarchy_options_default();
	options.hierarchy.volume_types = ( ( 1u << bv_volume_types ) - 1 ) & ~( 1u << bv_volume_kdop18 );
	return build_file( f, &mesh, &options );
}

// The least volume of the node's type around all corners of its triangles, looked at by themselves; 0 when it is flat, as that of
// leaves of one triangle.
static double least_volume( fixture* f, const bv_file* file, const bv_node_info* node )
{
	uint32_t count = 3 * node->triangles;
	bv_vec3* points = bvb_arena_allocate( f->arena, count, sizeof *points );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, node->first_triangle + i / 3, corner );
		points[i] = bv_file_get_vertex( file, corner[i % 3] );
	}
	bv_volume best = { .type = node->volume.type };
	switch ( best.type )
	{
	case bv_volume_obb:
		assert_int_equal( bvb_fit_obb( points, count, NULL, NULL, f->arena, &best.obb ), bv_ok );
		break;
	case bv_volume_aabb: best.aabb = bvb_fit_aabb( points, count ); break;
	case bv_volume_sphere: assert_int_equal( bvb_fit_sphere( points, count, &best.sphere ), bv_ok ); break;
	case bv_volume_prism: assert_int_equal( bvb_fit_prism( points, count, &best.prism ), bv_ok ); break;
	case bv_volume_rss: assert_int_equal( bvb_fit_rss( points, count, &best.rss ), bv_ok ); break;
	default: assert_int_equal( bvb_fit_kdop( points, count, node->volume.kdop.k, &best.kdop ), bv_ok ); break;
	}
	return bvb_volume_of( &best ) > 0x1p-22 * pow( bvb_area_of( &best ), 1.5 ) ? bvb_volume_of( &best ) : 0;
}

// Hulls of upper nodes come from those of lower ones, which must not change what is fitted to them. Rectangle swept spheres and
// prisms are a search, whose end depends on where it begins.
static void nodes_are_compared_with_fits_of_their_triangles( void** state )
{
	fixture* f = *state;
	const bv_file* file = mixed_file( f );
	all_nodes all = {
		.nodes = bvb_arena_allocate( f->arena, bv_file_get_hierarchy( file ).nodes, sizeof *all.nodes ),
	};
	bv_file_visit_nodes( file, take, &all );
	bvb_fitnesses found = fitness_of( f, file, 0 );
	assert_true( found.all.nodes == all.count && found.all.measured == all.count && all.count > 60 );

	uint64_t nodes = 0;
	int types = 0;
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		double inverse = 0;
		double most = 0;
		uint32_t counted = 0;
		uint32_t flat = 0;
		for ( uint32_t i = 0; i < all.count; ++i )
		{
			if ( (int)all.nodes[i].volume.type == type )
			{
				double own = bvb_volume_of( &all.nodes[i].volume );
				double least = least_volume( f, file, all.nodes + i );
				counted += 1;
				flat += least == 0;
				inverse += least == 0 ? 0 : fmin( least / own, 1 );
				most = fmax( most, least == 0 ? 0 : fmax( own / least, 1 ) );
			}
		}
		const bvb_fitness* of = &found.type[type];
		double tolerance = type == bv_volume_prism ? 0.05 : type == bv_volume_rss ? 0.02 : 1e-5;
		assert_true( of->nodes == counted && of->measured == counted && of->flat == flat );
		assert_true( counted == flat || fabs( of->volume.mean - ( counted - flat ) / inverse ) < tolerance );
		assert_true( counted == flat || fabs( of->volume.max - most ) < tolerance * most );
		assert_true( counted == 0 || ( of->area.mean >= 1 && of->area.max >= of->area.mean ) );
		assert_true( counted == flat || (int)all.nodes[of->volume.worst].volume.type == type );
		nodes += counted;
		types += counted > 0;
	}
	assert_true( nodes == all.count && types > 2 );
}

// The mean of all is the harmonic one of the levels' by their numbers of nodes, however few were looked at.
static void a_choice_of_nodes_stands_for_all( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 24 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	bvb_fitnesses all = fitness_of( f, file, 0 );
	bvb_fitnesses some = fitness_of( f, file, 16 );
	uint32_t depth = bv_file_get_hierarchy( file ).depth;
	double inverse = 0;
	for ( uint32_t i = 0; i <= depth; ++i )
	{
		uint64_t expected = all.level[i].nodes < 16 ? all.level[i].nodes : 16;
		assert_true( some.level[i].nodes == all.level[i].nodes && some.level[i].measured == expected );
		assert_true( some.level[i].area.max <= all.level[i].area.max * ( 1 + 1e-9 ) );
		inverse += (double)some.level[i].nodes / some.level[i].area.mean;
	}
	assert_true( some.all.nodes == all.all.nodes && all.all.measured == all.all.nodes );
	assert_true( fabs( some.all.area.mean - (double)some.all.nodes / inverse ) < 1e-9 );
	assert_true( fabs( some.all.area.mean / all.all.area.mean - 1 ) < 0.05 );
}

// Three levels of 1, 4 and 16 boxes around triangles of 1 x 2 x 3; each four of the last in a row are as long as it takes to have 1, 2,
// 4 and 8 times the volume.
static bvb_node node_of_rows( const void* context, uint32_t index )
{
	(void)context;
	bool leaf = index > 4;
	uint32_t of_row = index - 1;
	return ( bvb_node ){
		.first_child = leaf ? 0 : 4 * index + 1,
		.children = leaf ? 0 : 4,
		.first_triangle = leaf         ? index - 5
		                  : index == 0 ? 0
		                               : 4 * of_row,
		.triangles = leaf         ? 1
		             : index == 0 ? 16
		                          : 4,
		.volume = { .type = bv_volume_aabb,
		            .aabb = { { 0, 0, 0 }, { 1, 2, 3.0 * ( leaf ? 1u << ( index - 5 ) / 4 : 8 ) } } },
	};
}

// Wherever in a quarter it is: one leaf of each is looked at when four of the sixteen are. The first ones of the level would be all alike.
static void a_choice_of_nodes_is_spread_over_the_level( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 16 );
	for ( int i = 0; i < 16; ++i )
	{
		bv_vec3* p = mesh.positions + 3 * (size_t)i;
		p[0] = ( bv_vec3 ){ 0, 0, 0 };
		p[1] = ( bv_vec3 ){ 1, 2, 0 };
		p[2] = ( bv_vec3 ){ 0, i / 8.0, 3 };
	}
	const bv_file* file = file_of_nodes( f, &mesh, node_of_rows, NULL, 21 );
	for ( uint32_t most = 4; most <= 16; most *= 2 )
	{
		bvb_fitnesses found = fitness_of( f, file, most );
		const bvb_fitness* of = &found.level[2];
		double expected = 4 / ( 1 + 1.0 / 2 + 1.0 / 4 + 1.0 / 8 );
		assert_true( of->nodes == 16 && of->measured == most && of->flat == 0 );
		assert_true( fabs( of->volume.mean / expected - 1 ) < 0.03 && fabs( of->volume.max / 8 - 1 ) < 0.03 );
		assert_true( of->volume.worst >= 17 && of->volume.worst < 21 );
	}
}

static void any_number_of_threads_finds_the_same( void** state )
{
	fixture* f = *state;
	const bv_file* file = mixed_file( f );
	bvb_fitnesses* found = bvb_arena_allocate( f->arena, 3, sizeof *found );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		bvb_fitness_options options = bvb_fitness_options_default();
		options.threads = 2 * i + 1;
		assert_int_equal( bvb_assess_fitness( file, &options, f->arena, &found[i], NULL ), bv_ok );
		assert_memory_equal( &found[i], &found[0], sizeof *found );
	}
}

// A box that is turned has itself as the least oriented box, and a larger one as the file's when that is asked to be upright.
static void bounds_are_compared_with_known_optima( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( int i = 0; i < 8; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		*p = ( bv_vec3 ){ 0.6 * p->x - 0.8 * p->y, 0.8 * p->x + 0.6 * p->y, p->z };
	}
	bvb_asset_options options = plain_options();
	for ( int i = 0; i < 3; ++i )
	{
		options.sections = bvb_sections_default();
		options.sections =
			i == 1 ? bvb_sections_without( options.sections, bvb_section_hull ) : options.sections;
		options.obb.method = i == 2 ? "pca-points" : options.obb.method;
		const bv_file* file = build_file( f, &mesh, &options );
		bv_file_bounds own;
		bvb_bounds_optimum best;
		assert_true( bv_file_get_bounds( file, &own ) );
		assert_int_equal( bvb_assess_bounds( file, f->arena, &best, NULL ), bv_ok );
		assert_true( fabs( best.obb - 6 ) < 1e-5 );
		assert_true( fabs( best.aabb - 2.2 * 2 * 3 ) < 1e-5 );
		assert_true( fabs( best.sphere - 4.0 / 3 * 3.14159265358979 * pow( 3.5, 1.5 ) ) < 1e-4 );
		assert_true( best.kdop >= best.obb * ( 1 - 1e-6 ) && best.kdop <= best.aabb );
		assert_true( best.aabb <= bv_aabb_volume( &own.aabb ) && best.kdop <= bvb_kdop_volume( &own.kdop ) );
		assert_true( best.capsule <= bv_capsule_volume( &own.capsule ) && best.capsule > best.obb );
		assert_true( best.rss <= bv_rss_volume( &own.rss ) && best.rss > best.obb );
		assert_true( i < 2 || bv_obb_volume( &own.obb ) > 6 );
	}
}

// An octahedron is in a ball of radius 1 and a box of side 2. 614 radii from the origin, the file's ball has a
// center that is rounded by up to 3e-5: the optimum tells.
static void optima_far_from_the_origin_are_bounds( void** state )
{
	fixture* f = *state;
	static const double places[][3] = {
		{ 0, 0, 0 }, { 614.3, 0, 0 }, { 614.3, -614.7, 61.4 }, { 1e4, 1e4, 1e4 }
	};
	const double ball = 4.0 / 3 * 3.14159265358979323846;
	for ( size_t i = 0; i < sizeof places / sizeof *places; ++i )
	{
		static const bv_vec3 corners[] = { { 1, 0, 0 },  { 0, 1, 0 },  { 0, 0, 1 },
			                               { -1, 0, 0 }, { 0, -1, 0 }, { 0, 0, -1 } };
		bv_vec3 positions[6];
		bvb_triangle triangles[8];
		for ( int k = 0; k < 6; ++k )
		{
			// Binary32, and the differences exact.
			positions[k].x = (float)places[i][0] + corners[k].x;
			positions[k].y = (float)places[i][1] + corners[k].y;
			positions[k].z = (float)places[i][2] + corners[k].z;
		}
		for ( uint32_t k = 0; k < 8; ++k )
		{
			uint32_t x = k & 1 ? 3 : 0;
			uint32_t y = k & 2 ? 4 : 1;
			uint32_t z = k & 4 ? 5 : 2;
			bool turned = ( k & 1 ) ^ ( k >> 1 & 1 ) ^ ( k >> 2 );
			triangles[k] = ( bvb_triangle ){ { x, turned ? z : y, turned ? y : z } };
		}
		bvb_mesh mesh = {
			.positions = positions, .triangles = triangles, .vertex_count = 6, .triangle_count = 8
		};
		bvb_asset_options options = plain_options();
		options.sections = bvb_sections_default();
		const bv_file* file = build_file( f, &mesh, &options );
		bv_file_bounds own;
		bvb_bounds_optimum best;
		assert_true( bv_file_get_bounds( file, &own ) );
		assert_int_equal( bvb_assess_bounds( file, f->arena, &best, NULL ), bv_ok );
		assert_true( best.sphere <= ball && best.sphere > ball * ( 1 - 0x1p-38 ) );
		assert_true( best.aabb <= 8 && best.aabb > 8 * ( 1 - 0x1p-48 ) );

		// The cube with the axes ( 1, 2, 2 ) / 3, ( 2, 1, -2 ) / 3 and ( 2, -2, 1 ) / 3 has sides of 4 / 3.
		assert_true( best.obb <= 64.0 / 27 * ( 1 + 1e-6 ) );
		assert_true( i > 0 || bv_sphere_volume( &own.sphere ) < best.sphere * ( 1 + 1e-6 ) );
		assert_true( bv_sphere_volume( &own.sphere ) >= ball );
	}
}

static void what_cannot_be_measured_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	options.sections = 0;
	const bv_file* bare = build_file( f, &mesh, &options );
	const bv_file* file = mixed_file( f );
	bvb_fitnesses found;
	bvb_bounds_optimum best;
	bvb_error error = { "" };
	assert_int_equal( bvb_assess_fitness( bare, NULL, f->arena, &found, &error ), bv_error_argument );
	assert_true( error.message[0] != 0 );
	assert_int_equal( bvb_assess_bounds( bare, f->arena, &best, &error ), bv_error_argument );
	int refused = 0;
	for ( size_t room = 100; room < ( 1u << 24 ); room *= 3 )
	{
		bvb_arena* little = bvb_arena_create_limited( room );
		bv_status status = bvb_assess_fitness( file, NULL, little, &found, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		refused += status != bv_ok;
		status = bvb_assess_bounds( file, little, &best, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		refused += status != bv_ok;
		bvb_arena_destroy( little );
	}
	assert_true( refused > 5 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( larger_volumes_have_ratios_in_closed_form ),
		fixture_test( larger_swept_spheres_are_compared_with_the_best_found ),
		fixture_test( flat_optima_have_areas_only ),
		fixture_test( nodes_are_compared_with_fits_of_their_triangles ),
		fixture_test( a_choice_of_nodes_stands_for_all ),
		fixture_test( a_choice_of_nodes_is_spread_over_the_level ),
		fixture_test( any_number_of_threads_finds_the_same ),
		fixture_test( bounds_are_compared_with_known_optima ),
		fixture_test( optima_far_from_the_origin_are_bounds ),
		fixture_test( what_cannot_be_measured_is_an_error ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
