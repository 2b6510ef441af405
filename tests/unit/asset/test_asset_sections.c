// Files with some of the sections only: each set that hangs together makes a sound file of just that, and nothing else is
// computed.

#include "bvh_damage.h"
#include "parts.h"

#include "bv/mesh.h"

// What stands for each section in the file, and what it needs, by the specification.
static const struct
{
	const char* names[2];
	uint32_t needs;
} expected[bvb_section_count] = {
	[bvb_section_mesh] = { { "POSN", "TRIS" }, 0 },
	[bvb_section_tree] = { { "NODE" }, 1u << bvb_section_mesh },
	[bvb_section_hull] = { { "HULL" }, 0 },
	[bvb_section_bounds] = { { "BNDS" }, 0 },
	[bvb_section_mass] = { { "MASS" }, 0 },
	[bvb_section_errors] = { { "ERRS" }, 1u << bvb_section_tree },
	[bvb_section_primitives] = { { "PRIM" }, 0 },
	[bvb_section_edges] = { { "EDGE" }, 1u << bvb_section_mesh },
	[bvb_section_source] = { { "SRCE" }, 1u << bvb_section_mesh },
	[bvb_section_adjacency] = { { "ADJC" }, 1u << bvb_section_mesh },
	[bvb_section_radius] = { { "RADI" }, 1u << bvb_section_tree },
	[bvb_section_node_quality] = { { "NQAL" }, 1u << bvb_section_tree },
	[bvb_section_node_faces] = { { "NFAC" }, 1u << bvb_section_tree },
	[bvb_section_hull_topology] = { { "HTOP" }, 1u << bvb_section_hull },
	[bvb_section_parts] = { { "PART" }, 0 },
	[bvb_section_proxy] = { { "PRXY" }, 0 },
	[bvb_section_part_triangles] = { { "PTRI" }, 1u << bvb_section_parts | 1u << bvb_section_mesh },
};

static bool hangs_together( bvb_sections sections )
{
	bool good = true;
	for ( int i = 0; i < bvb_section_count; ++i )
	{
		good = good && ( !( sections >> i & 1 ) || !( expected[i].needs & ~sections ) );
	}
	return good;
}

static bool has_section( const bv_file* file, const char* name )
{
	bool found = false;
	for ( uint32_t i = 0; i < bv_file_get_info( file ).section_count; ++i )
	{
		found = found || strcmp( bv_file_get_section( file, i ).name, name ) == 0;
	}
	return found;
}

static bvb_asset_options options_of( bvb_sections sections )
{
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy = box_tree_options();
	options.decompose.threads = 1;
	options.sections = sections;
	return options;
}

static bvb_asset build_asset( fixture* f, const bvb_mesh* mesh, bvb_sections sections )
{
	bvb_asset asset;
	bvb_asset_options options = options_of( sections );
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_scene scene = { .mesh = *mesh };
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, NULL ), bv_ok );
	return asset;
}

static void expect_only( const bv_file* file, bvb_sections sections )
{
	uint32_t count = 2;
	assert_true( has_section( file, "ORGN" ) && has_section( file, "MESH" ) );
	for ( int i = 0; i < bvb_section_count; ++i )
	{
		for ( int k = 0; k < 2 && expected[i].names[k]; ++k )
		{
			assert_int_equal( has_section( file, expected[i].names[k] ), sections >> i & 1 );
			count += sections >> i & 1;
		}
	}
	assert_int_equal( bv_file_get_info( file ).section_count, count );
}

// Of a box of sides 1, 2, 3 by closed forms, or that it is not there.
static void expect_answers( const bv_file* file, bvb_sections sections )
{
	bv_file_bounds bounds;
	bv_mass mass;
	bv_file_errors errors;
	bv_level_errors level;
	bv_recognized recognized;
	bv_primitive primitive;
	bv_edge_kind kind;
	bv_triangle_source source;
	uint32_t corner[3];
	bv_mesh_info info = bv_file_get_mesh( file );
	assert_true( info.triangles == 12 && info.vertices == 8 && info.area == 22 && info.closed );
	assert_int_equal( info.has_triangles, sections >> bvb_section_mesh & 1 );
	bv_file_get_triangle( file, 0, corner );
	assert_int_equal( corner[0] + corner[1] + corner[2], info.has_triangles ? 0 + 1 + 2 : 0 );
	assert_int_equal( bv_file_get_hierarchy( file ).nodes, sections >> bvb_section_tree & 1 ? 23 : 0 );
	bv_hull_info hull = bv_file_get_hull( file );
	assert_int_equal( hull.vertices, sections >> bvb_section_hull & 1 ? 8 : 0 );
	assert_true( hull.vertices == 0 || ( hull.of_mesh == info.has_triangles && hull.volume == 6 ) );
	assert_int_equal( bv_file_get_bounds( file, &bounds ), sections >> bvb_section_bounds & 1 );
	assert_int_equal( bv_file_get_mass( file, bv_mass_of_solid, &mass ), sections >> bvb_section_mass & 1 );
	assert_int_equal( bv_file_get_errors( file, &errors ), sections >> bvb_section_errors & 1 );
	assert_int_equal( bv_file_get_level_errors( file, 0, &level ), sections >> bvb_section_errors & 1 );
	assert_int_equal( bv_file_get_recognized( file, &recognized ), sections >> bvb_section_primitives & 1 );
	assert_int_equal( bv_file_get_primitive( file, bv_primitive_box, &primitive ),
	                  sections >> bvb_section_primitives & 1 );
	assert_int_equal( bv_file_get_edge( file, 0, 0, &kind ), sections >> bvb_section_edges & 1 );
	bv_mesh_edge edge;
	double radius;
	assert_int_equal( bv_file_get_node_radius( file, 0, &radius ), sections >> bvb_section_radius & 1 );
	bv_node_quality quality;
	assert_int_equal( bv_file_get_node_quality( file, 0, &quality ),
	                  sections >> bvb_section_node_quality & 1 );
	bv_node_faces faces;
	assert_int_equal( bv_file_get_node_faces( file, 0, &faces ), sections >> bvb_section_node_faces & 1 );
	assert_int_equal( bv_file_get_mesh_edge( file, 17, &edge ), sections >> bvb_section_adjacency & 1 );
	assert_int_equal( bv_file_get_hull_topology( file ).polygons,
	                  sections >> bvb_section_hull_topology & 1 ? 6 : 0 );
	assert_int_equal( bv_file_get_source( file, 0, &source ), sections >> bvb_section_source & 1 );
	const uint32_t* triangles;
	assert_int_equal( bv_file_get_decomposition( file ).parts, sections >> bvb_section_parts & 1 );
	assert_int_equal( bv_file_get_part_triangles( file, 0, &triangles ),
	                  sections >> bvb_section_part_triangles & 1 ? 12 : 0 );

	bv_proxy proxy = { .enclosed = 0 };
	assert_int_equal( bv_file_get_proxy( file, &proxy ), sections >> bvb_section_proxy & 1 );
	assert_int_equal( proxy.triangles, sections >> bvb_section_proxy & 1 ? 12 : 0 );
	assert_int_equal( proxy.enclosed, sections >> bvb_section_proxy & 1 ? 12 : 0 );

	bv_pose pose = bv_pose_identity();
	bv_collide_result result;
	assert_int_equal( bv_mesh_collide( file, file, by_pose( &pose ), NULL, &result ),
	                  sections >> bvb_section_tree & 1 ? bv_ok : bv_error_argument );
}

static bool has_all_or_none( bvb_sections sections, bvb_sections some )
{
	return ( sections & some ) == some || ( sections & some ) == 0;
}

// Bounds, mass, primitives and proxies have nothing to do with meshes and parts, what tells of triangles nothing with trees, and what tells
// of nodes nothing with parts: there all of them are in the file or none, unless `make thorough` wants all sets.
static bool is_looked_at( bvb_sections sections )
{
	bool mesh = sections >> bvb_section_mesh & 1;
	bool tree = sections >> bvb_section_tree & 1;
	bool parts = sections >> bvb_section_parts & 1;
	bvb_sections whole = 1u << bvb_section_bounds | 1u << bvb_section_mass | 1u << bvb_section_primitives |
	                     1u << bvb_section_proxy;
	bvb_sections triangles = 1u << bvb_section_edges | 1u << bvb_section_source | 1u << bvb_section_adjacency;
	bvb_sections nodes = 1u << bvb_section_errors | 1u << bvb_section_radius |
	                     1u << bvb_section_node_quality | 1u << bvb_section_node_faces;
	return is_thorough() || ( ( !( mesh || parts ) || has_all_or_none( sections, whole ) ) &&
	                          ( !tree || has_all_or_none( sections, triangles ) ) &&
	                          ( !parts || has_all_or_none( sections, nodes ) ) );
}

// Making parts takes longer than all else together. So they are made where nothing else is wanted but the mesh, and told in all other
// sets.
static bvb_bytes build_set( fixture* f, const bvb_mesh* mesh, bvb_sections sections )
{
	bvb_sections parts = 1u << bvb_section_parts | 1u << bvb_section_part_triangles;
	bvb_asset_options options = options_of( sections );
	if ( !( sections & parts ) || !( sections & ~parts & ~( 1u << bvb_section_mesh ) ) )
	{
		return build_bytes( f, mesh, &options );
	}
	uint32_t triangles[12];
	bvb_part part = part_of_mesh( box_mesh( f, 1, 2, 3 ) );
	for ( uint32_t i = 0; i < 12; ++i )
	{
		triangles[i] = i;
	}
	part.triangles = triangles;
	part.triangle_count = 12;
	bvb_decomposition d = decomposition_of( f, &part, 1 );
	return bytes_of_parts( f, mesh, &d, &options );
}

static void each_set_that_hangs_together_makes_a_sound_file_of_just_that( void** state )
{
	fixture* f = *state;
	uint32_t files = 0;
	for ( bvb_sections sections = 0; sections < 1u << bvb_section_count; ++sections )
	{
		bvb_error error = { "" };
		bool good = hangs_together( sections );
		assert_int_equal( bvb_sections_check( sections, &error ), good ? bv_ok : bv_error_argument );
		if ( good && is_looked_at( sections ) )
		{
			fixture own = { bvb_arena_create(), 1 };
			bvb_mesh mesh = box_mesh( &own, 1, 2, 3 );
			bvb_bytes bytes = build_set( &own, &mesh, sections );
			const bv_file* file = open_bytes( bytes );
			char* text;
			expect_only( file, sections );
			expect_answers( file, sections );
			assert_int_equal( verify_status( &own, bytes, &error ), bv_ok );
			assert_int_equal( bvb_report_json( file, NULL, own.arena, &text, &error ), bv_ok );
			bvb_arena_destroy( own.arena );
			files += 1;
		}
	}
	// Of bounds, mass, primitives and proxy all sets, with a mesh or parts two of them; of the hull nothing, it, or its topology as well;
	// without a mesh nothing else; with it all sets of edges, source and adjacency, with a tree two of them, and nothing, or a tree
	// and all sets of errors, radius, quality and faces, with parts two of them. There the parts may have their triangles.
	bool all = is_thorough();
	uint32_t some = all ? 16 : 2;
	uint32_t of_triangles = all ? 8 : 2;
	uint32_t without_parts = 16 + some * ( 8 + of_triangles * 16 );
	uint32_t with_parts = some * ( 1 + 2 * ( 8 + of_triangles * some ) );
	assert_int_equal( files, 3 * ( without_parts + with_parts ) );
	(void)f;
}

static void a_section_without_what_it_needs_is_the_callers_mistake( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset asset;
	bvb_asset_options options = options_of( 1u << bvb_section_mesh | 1u << bvb_section_errors );
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_scene scene = { .mesh = mesh };
	bvb_error error;
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ),
	                  bv_error_argument );
	assert_string_equal( error.message, "the section 'errors' needs the section 'tree'" );
}

static void what_needs_a_section_is_left_out_with_it( void** state )
{
	(void)state;
	for ( bvb_sections sections = 0; sections < 1u << bvb_section_count; ++sections )
	{
		for ( int out = 0; out < bvb_section_count && hangs_together( sections ); ++out )
		{
			// The greatest subset without it that hangs together.
			bvb_sections left = sections & ~( 1u << out );
			bvb_sections before;
			do
			{
				before = left;
				for ( int i = 0; i < bvb_section_count; ++i )
				{
					left &= expected[i].needs & ~left ? ~( 1u << i ) : ~0u;
				}
			} while ( left != before );
			assert_int_equal( bvb_sections_without( sections, (bvb_section)out ), left );
		}
	}
}

static void what_is_not_wanted_is_not_computed( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset asset = build_asset( f, &mesh, 1u << bvb_section_hull );
	assert_null( asset.tree );
	assert_null( asset.primitives );
	assert_null( asset.errors.nodes );
	assert_null( asset.edges );
	assert_int_equal( asset.decomposition.part_count, 0 );
	assert_true( asset.bounds.sphere.radius == 0 && !asset.has_mass[bv_mass_of_surface] );
	assert_int_equal( asset.hull.vertex_count, 8 );

	asset = build_asset( f, &mesh, 1u << bvb_section_mesh | 1u << bvb_section_tree );
	assert_non_null( asset.tree );
	assert_null( asset.hull.vertices );
	assert_true( asset.bounds.sphere.radius == 0 );
}

// The root's box is that of the whole mesh, whether that is written for itself or not.
static void the_hierarchy_does_not_depend_on_what_else_is_wanted( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 9 );
	bvb_asset_options all = options_of( bvb_sections_default() );
	bvb_asset_options alone = options_of( 1u << bvb_section_mesh | 1u << bvb_section_tree );
	bvb_bytes a = build_bytes( f, &mesh, &all );
	bvb_bytes b = build_bytes( f, &mesh, &alone );
	const bvfile_section same[] = { bvfile_section_positions, bvfile_section_triangles,
		                            bvfile_section_nodes };
	for ( size_t i = 0; i < sizeof same / sizeof *same; ++i )
	{
		assert_int_equal( entry_of( a, same[i] )->bytes, entry_of( b, same[i] )->bytes );
		assert_memory_equal( section_of( a, same[i] ), section_of( b, same[i] ),
		                     entry_of( a, same[i] )->bytes );
	}
}

// Without triangles it is still known where the hull is: bounds that leave it out are found.
static void bounds_are_verified_against_a_hull_alone( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 6 );
	bvb_asset_options options = options_of( 1u << bvb_section_hull | 1u << bvb_section_bounds );
	for ( int form = 0; form < 2; ++form )
	{
		options.record.positions = form ? bvb_positions_quantized : bvb_positions_float;
		bvb_bytes bytes = build_bytes( f, &mesh, &options );
		bvb_error error;
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		bvfile_bounds* bounds = section_of( bytes, bvfile_section_bounds );
		bounds->sphere_radius *= 0.99f;
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
		assert_non_null( strstr( error.message, "the bounding sphere does not enclose vertex" ) );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( each_set_that_hangs_together_makes_a_sound_file_of_just_that ),
		fixture_test( a_section_without_what_it_needs_is_the_callers_mistake ),
		fixture_test( what_needs_a_section_is_left_out_with_it ),
		fixture_test( what_is_not_wanted_is_not_computed ),
		fixture_test( the_hierarchy_does_not_depend_on_what_else_is_wanted ),
		fixture_test( bounds_are_verified_against_a_hull_alone ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
