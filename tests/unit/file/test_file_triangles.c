// Triangles in clusters: what goes in comes out, at every width and length, and each rule is checked.

#include "bvh_damage.h"

static bvb_asset build_asset( fixture* f, const bvb_mesh* mesh, bvb_asset_options options )
{
	bvb_asset asset;
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_error error = { "" };
	bvb_scene scene = { .mesh = *mesh };
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
	return asset;
}

// A tree that takes no time: what is looked at here does not depend on it.
static bvb_asset_options quick_options( void )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.builder = "topdown";
	options.hierarchy.splitter = "median";
	options.hierarchy.leaf_triangles = 16;
	return options;
}

static void expect_the_triangles_of( const bv_file* file, const bvb_mesh* mesh )
{
	assert_int_equal( bv_file_get_mesh( file ).triangles, mesh->triangle_count );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		assert_memory_equal( corner, mesh->triangles[i].corner, sizeof corner );
	}
	uint32_t none[3] = { 7, 7, 7 };
	bv_file_get_triangle( file, mesh->triangle_count, none );
	assert_true( none[0] == 0 && none[1] == 0 && none[2] == 0 );
}

// The mesh of record, which the writer was given, is what must come out.
static void what_goes_in_comes_out( void** state )
{
	fixture* f = *state;
	for ( uint32_t size = 2; size < 40; size += 3 )
	{
		bvb_mesh mesh = bumpy_ball( f, size );
		bvb_asset asset = build_asset( f, &mesh, quick_options() );
		bvb_bytes bytes;
		assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
		expect_the_triangles_of( open_bytes( bytes ), &asset.record.mesh );
	}
}

// No vertex is shared: no cluster has references, and whole ones have 192 vertices.
static void a_soup_comes_out_whatever_its_last_cluster( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 1; count <= 194; count += count % 64 == 2 ? 61 : 1 )
	{
		bvb_mesh mesh = soup_create( f, count );
		for ( uint32_t i = 0; i < 3 * count; ++i )
		{
			mesh.positions[i] = random_point( f );
		}
		bvb_asset asset = build_asset( f, &mesh, quick_options() );
		bvb_bytes bytes;
		assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
		expect_the_triangles_of( open_bytes( bytes ), &asset.record.mesh );
		const bvfile_triangles* head = section_of( bytes, bvfile_section_triangles );
		assert_int_equal( head->references, 0 );
		assert_int_equal( entry_of( bytes, bvfile_section_triangles )->bytes,
		                  16 + 8 * ( ( count + 63 ) / 64 ) + 3 * count );
	}
}

// A grid of 256 by 256 vertices, and one with one row more: the last that fits two bytes and the first that does not.
static void references_take_four_bytes_only_when_they_must( void** state )
{
	fixture* f = *state;
	for ( uint32_t rows = 256; rows <= 257; ++rows )
	{
		bvb_mesh mesh = {
			.positions = bvb_arena_allocate( f->arena, 256 * (size_t)rows, sizeof *mesh.positions ),
			.triangles = bvb_arena_allocate( f->arena, 510 * (size_t)rows, sizeof *mesh.triangles ),
			.vertex_count = 256 * rows,
		};
		for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
		{
			mesh.positions[i] = ( bv_vec3 ){ i % 256, i / 256, 0 };
			if ( i % 256 < 255 && i / 256 < rows - 1 )
			{
				mesh.triangles[mesh.triangle_count++] = ( bvb_triangle ){ { i, i + 1, i + 256 } };
				mesh.triangles[mesh.triangle_count++] = ( bvb_triangle ){ { i + 1, i + 257, i + 256 } };
			}
		}
		bvb_asset asset = build_asset( f, &mesh, quick_options() );
		bvb_bytes bytes;
		assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
		const bvfile_triangles* head = section_of( bytes, bvfile_section_triangles );
		assert_int_equal( head->width, rows == 256 ? 2 : 4 );
		assert_true( head->references > 0 );
		expect_the_triangles_of( open_bytes( bytes ), &asset.record.mesh );
	}
}

static void vertices_must_be_numbered_by_first_use( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset asset = build_asset( f, &mesh, quick_options() );
	bvb_error error = { "" };
	bvb_bytes bytes;
	uint32_t* corner = asset.record.mesh.triangles[0].corner;
	corner[1] = 2;
	corner[2] = 1;
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_error_argument );
	assert_string_equal( error.message, "the mesh's vertices are not numbered by first use" );
	corner[1] = 1;
	corner[2] = 2;
	asset.record.mesh.vertex_count += 1;
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_error_argument );
}

// A strip of 66 triangles, i, i + 1, i + 2, written by hand as the specification says: of the 68 vertices the first cluster
// has 66, and the second refers to its last two.
enum
{
	strip_triangles = 66,
	strip_bytes = 16 + 2 * 8 + 2 * 2 + 3 * strip_triangles,
};

static bvb_bytes strip_file( fixture* f )
{
	uint8_t* section = bvb_arena_allocate( f->arena, strip_bytes, 1 );
	section[0] = 2;   // clusters
	section[4] = 2;   // references
	section[8] = 2;   // bytes of each
	section[24] = 66; // first vertex that only the second cluster has
	section[32] = 64; // the references, of two bytes each
	section[34] = 65;
	for ( uint8_t i = 0; i < strip_triangles; ++i )
	{
		for ( uint8_t k = 0; k < 3; ++k )
		{
			section[36 + 3 * i + k] = (uint8_t)( i + k - ( i < 64 ? 0 : 64 ) );
		}
	}
	piece pieces[bvfile_max_sections];
	take_apart( small_file( f, bvb_positions_float ), pieces );
	bvfile_mesh* mesh = bvb_arena_allocate( f->arena, 1, sizeof *mesh );
	memcpy( mesh, pieces[1].data, sizeof *mesh );
	mesh->triangles = strip_triangles;
	mesh->vertices = strip_triangles + 2;
	float* positions = bvb_arena_allocate( f->arena, 3 * (size_t)mesh->vertices, sizeof *positions );
	pieces[1].data = mesh;
	pieces[2] = ( piece ){ "POSN", 1, 1, positions, 12 * mesh->vertices };
	pieces[3] = ( piece ){ "TRIS", 1, 1, section, strip_bytes };
	return put_together( f, pieces, 4 );
}

static void a_section_written_by_hand_is_read( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( strip_file( f ) );
	for ( uint32_t i = 0; i < strip_triangles; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		assert_true( corner[0] == i && corner[1] == i + 1 && corner[2] == i + 2 );
	}
}

static bvfile_triangles* head_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_triangles );
}
static bvfile_cluster* cluster_of( bvb_bytes b, int index )
{
	return (bvfile_cluster*)( head_of( b ) + 1 ) + index;
}
static uint16_t* references_of( bvb_bytes b )
{
	return (uint16_t*)cluster_of( b, 2 );
}
static void count_clusters_wrong( bvb_bytes b )
{
	head_of( b )->clusters = 1;
}
static void count_references_wrong( bvb_bytes b )
{
	head_of( b )->references += 1;
}
static void count_many_references( bvb_bytes b )
{
	head_of( b )->references = UINT32_MAX;
}
static void widen( bvb_bytes b )
{
	// Two references of four bytes are as long as four of two.
	head_of( b )->width = 4;
	head_of( b )->references = 1;
}
static void narrow( bvb_bytes b )
{
	head_of( b )->width = 1;
	head_of( b )->references = 4;
}
static void use_reserved( bvb_bytes b )
{
	head_of( b )->reserved[6] = 1;
}
static void begin_with_another_vertex( bvb_bytes b )
{
	cluster_of( b, 0 )->first_new = 1;
}
static void begin_with_another_reference( bvb_bytes b )
{
	cluster_of( b, 0 )->first_reference = 1;
}
static void begin_behind_all_vertices( bvb_bytes b )
{
	cluster_of( b, 1 )->first_new = 69;
}
static void begin_behind_all_references( bvb_bytes b )
{
	cluster_of( b, 1 )->first_reference = 3;
}
static void begin_far_behind_all_references( bvb_bytes b )
{
	cluster_of( b, 1 )->first_reference = UINT32_MAX;
}
static void have_one_vertex_less( bvb_bytes b )
{
	cluster_of( b, 1 )->first_new -= 1;
}
static void give_references_to_the_first_cluster( bvb_bytes b )
{
	cluster_of( b, 1 )->first_reference = 2;
}
static void use_a_code_too_great( bvb_bytes b )
{
	triangle_codes_of( b )[191] = 66;
}
static void use_a_code_too_great_in_the_last_cluster( bvb_bytes b )
{
	triangle_codes_of( b )[197] = 4;
}
static void refer_to_a_new_vertex( bvb_bytes b )
{
	references_of( b )[1] = 66;
}
static void refer_to_the_greatest_number( bvb_bytes b )
{
	references_of( b )[0] = 0xffff;
}

static void each_rule_is_checked( void** state )
{
	fixture* f = *state;
	static const char size[] = "the triangle section has the wrong size";
	static const char order[] = "a cluster's vertices do not follow those of the previous cluster";
	static const char code[] = "a triangle refers to a vertex outside its cluster";
	static const char reference[] = "a cluster refers to a vertex that no earlier cluster defines";
	static const damage damages[] = {
		{ size, count_clusters_wrong },
		{ size, count_references_wrong },
		{ size, count_many_references },
		{ size, widen },
		{ size, narrow },
		{ size, use_reserved },
		{ order, begin_with_another_vertex },
		{ order, begin_with_another_reference },
		{ order, begin_behind_all_vertices },
		{ order, begin_behind_all_references },
		{ order, begin_far_behind_all_references },
		{ code, have_one_vertex_less },
		{ reference, give_references_to_the_first_cluster },
		{ code, use_a_code_too_great },
		{ code, use_a_code_too_great_in_the_last_cluster },
		{ reference, refer_to_a_new_vertex },
		{ reference, refer_to_the_greatest_number },
	};
	expect_refused( f, strip_file( f ), damages, sizeof damages / sizeof *damages );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_goes_in_comes_out ),
		fixture_test( a_soup_comes_out_whatever_its_last_cluster ),
		fixture_test( references_take_four_bytes_only_when_they_must ),
		fixture_test( vertices_must_be_numbered_by_first_use ),
		fixture_test( a_section_written_by_hand_is_read ),
		fixture_test( each_rule_is_checked ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
