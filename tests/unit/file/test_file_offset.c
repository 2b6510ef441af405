// Version 2 of MESH: where it is written, and what of it is damaged.

#include "bvh_damage.h"

#include <math.h>

// A box of sides 1, 2, 3, moved.
static bvb_bytes box_file( fixture* f, double x )
{
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x += x;
	}
	return build_bytes( f, &mesh, &options );
}

static void only_far_meshes_need_version_1_4( void** state )
{
	fixture* f = *state;
	const bv_file* near = open_bytes( box_file( f, 3 ) );
	const bv_file* far = open_bytes( box_file( f, 1e6 ) );
	assert_int_equal( bv_file_get_info( near ).version_minor, 0 );
	assert_int_equal( bv_file_get_info( far ).version_minor, 4 );
	assert_true( bv_file_get_offset( near ).x == 0 && bv_file_get_offset( far ).x == 1e6 );
}

// All other sections are those of the box where it was: an offset is all that far away changes.
static void far_files_differ_in_mesh_alone( void** state )
{
	fixture* f = *state;
	piece near[bvfile_max_sections];
	piece far[bvfile_max_sections];
	uint32_t count = take_apart( box_file( f, 0 ), near );
	assert_int_equal( take_apart( box_file( f, 1e9 ), far ), count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_string_equal( near[i].name, far[i].name );
		bool is_mesh = strcmp( far[i].name, "MESH" ) == 0;
		assert_int_equal( far[i].version, is_mesh ? 2 : near[i].version );
		assert_int_equal( far[i].bytes, near[i].bytes + ( is_mesh ? 24 : 0 ) );
		assert_memory_equal( far[i].data, near[i].data, near[i].bytes );
	}
}

static void expect( fixture* f, const piece* pieces, uint32_t count, const char* expected )
{
	const bv_file* file;
	const char* reason;
	bvb_bytes bytes = put_together( f, pieces, count );
	bv_status status = bv_file_open_explained( bytes.data, bytes.size, &file, &reason );
	assert_int_equal( status, bv_error_damaged );
	assert_string_equal( reason, expected );
}

static void damage_is_named( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = take_apart( box_file( f, 1e6 ), pieces );
	piece* mesh = pieces;
	while ( strcmp( mesh->name, "MESH" ) != 0 )
	{
		++mesh;
	}
	assert_int_equal( mesh->bytes, 168 );
	double words[21];
	memcpy( words, mesh->data, sizeof words );
	mesh->data = words;
	const double bad[] = { NAN, INFINITY, 0x1.8p121, -0x1.8p121 };
	static const char wrong[] = "the offset of the mesh section is out of range";
	for ( size_t i = 0; i < sizeof bad / sizeof *bad; ++i )
	{
		for ( int k = 18; k < 21; ++k )
		{
			double before = words[k];
			words[k] = bad[i];
			expect( f, pieces, count, wrong );
			words[k] = before;
		}
	}
	words[18] = 0;
	expect( f, pieces, count, wrong );
	words[18] = -0x1p121;
	open_bytes( put_together( f, pieces, count ) );
	mesh->version = 1;
	expect( f, pieces, count, "the mesh section has the wrong size" );
	mesh->bytes = 144;
	open_bytes( put_together( f, pieces, count ) );
	mesh->version = 2;
	expect( f, pieces, count, "the mesh section has the wrong size" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( only_far_meshes_need_version_1_4 ),
		fixture_test( far_files_differ_in_mesh_alone ),
		fixture_test( damage_is_named ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
