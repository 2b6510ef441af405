// The hull in a file: indices of every width, and positions of its own.

#include "bvh_damage.h"

// Triangles whose corners are random points of the unit sphere, so that all of them are the hull's, up to rounding.
static bvb_mesh sphere_soup( fixture* f, uint32_t triangles )
{
	bvb_mesh mesh = soup_create( f, triangles );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		bv_vec3 p;
		double length;
		do
		{
			p = random_point( f );
			p = ( bv_vec3 ){ 2 * p.x - 1, 2 * p.y - 1, 2 * p.z - 1 };
			length = sqrt( p.x * p.x + p.y * p.y + p.z * p.z );
		} while ( length > 1 || length < 0.01 );
		mesh.positions[i] = ( bv_vec3 ){ p.x / length, p.y / length, p.z / length };
	}
	return mesh;
}

static bvb_asset build_asset( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset asset;
	bvb_asset_options options = plain_options();
	options.hierarchy.builder = "topdown";
	options.hierarchy.splitter = "median";
	options.hierarchy.leaf_triangles = 64;
	options.obb.method = "dito";
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_error error = { "" };
	bvb_scene scene = { .mesh = *mesh };
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
	return asset;
}

// What the writer was given, by size of the mesh: 12 points, 300, 66000 of which more than 65536 are the hull's.
static void what_goes_in_comes_out_at_every_width( void** state )
{
	fixture* f = *state;
	static const struct
	{
		uint32_t triangles;
		uint32_t vertex_bytes;
		uint32_t face_bytes;
	} sizes[] = { { 4, 2, 1 }, { 85, 2, 1 }, { 86, 2, 2 }, { 22200, 4, 4 } };
	for ( size_t i = 0; i < sizeof sizes / sizeof *sizes; ++i )
	{
		bvb_mesh mesh = sphere_soup( f, sizes[i].triangles );
		bvb_asset asset = build_asset( f, &mesh );
		bvb_bytes bytes;
		assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
		const bvb_hull* hull = &asset.hull;
		assert_int_equal( entry_of( bytes, bvfile_section_hull )->bytes,
		                  24 + sizes[i].vertex_bytes * hull->vertex_count +
		                      3 * sizes[i].face_bytes * hull->face_count );
		const bv_file* file = open_bytes( bytes );
		bv_hull_info info = bv_file_get_hull( file );
		assert_int_equal( info.vertices, hull->vertex_count );
		assert_int_equal( info.faces, hull->face_count );
		assert_true( info.of_mesh && info.volume == hull->volume );
		for ( uint32_t k = 0; k < hull->vertex_count; ++k )
		{
			bv_vec3 p = bv_file_get_hull_position( file, k );
			assert_int_equal( bv_file_get_hull_vertex( file, k ), hull->vertices[k] );
			assert_memory_equal( &p, &asset.record.mesh.positions[hull->vertices[k]], sizeof p );
		}
		for ( uint32_t k = 0; k < hull->face_count; ++k )
		{
			uint32_t corner[3];
			bv_file_get_hull_triangle( file, k, corner );
			assert_memory_equal( corner, hull->faces[k].corner, sizeof corner );
		}
		uint32_t none[3] = { 7, 7, 7 };
		bv_file_get_hull_triangle( file, hull->face_count, none );
		assert_true( none[0] == 0 && none[1] == 0 && none[2] == 0 );
		assert_int_equal( bv_file_get_hull_vertex( file, hull->vertex_count ), 0 );
	}
}

// A tetrahedron written by hand as the specification says, in a file without a mesh.
enum
{
	float_bytes = 24 + 4 * 12 + 4 * 3,
	grid_bytes = 24 + 4 * 8 + 4 * 3,
};

static const uint8_t tetrahedron[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };

static bvb_bytes own_file( fixture* f, bool quantized )
{
	static const float positions[4][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 4 } };
	uint64_t bytes = quantized ? grid_bytes : float_bytes;
	uint8_t* section = bvb_arena_allocate( f->arena, bytes, 1 );
	const double volume = 4;
	section[0] = 3; // a polyhedron
	section[1] = 1; // with positions of its own
	section[4] = 4; // vertices
	section[8] = 4; // faces
	memcpy( section + 16, &volume, sizeof volume );
	for ( int i = 0; i < 4 && quantized; ++i )
	{
		// In steps of 1/2 from ( -1, -2, -3 ).
		const float* p = positions[i];
		uint64_t x = (uint64_t)( 2 * ( p[0] + 1 ) );
		uint64_t y = (uint64_t)( 2 * ( p[1] + 2 ) );
		uint64_t code = x | y << 21 | (uint64_t)( 2 * ( p[2] + 3 ) ) << 42;
		memcpy( section + 24 + 8 * i, &code, sizeof code );
	}
	if ( !quantized )
	{
		memcpy( section + 24, positions, sizeof positions );
	}
	memcpy( section + bytes - sizeof tetrahedron, tetrahedron, sizeof tetrahedron );

	piece pieces[bvfile_max_sections];
	take_apart( small_file( f, bvb_positions_float ), pieces );
	bvfile_mesh* mesh = bvb_arena_allocate( f->arena, 1, sizeof *mesh );
	memcpy( mesh, pieces[1].data, sizeof *mesh );
	mesh->quantized = quantized;
	mesh->grid_step = quantized ? 0.5 : 0;
	for ( int i = 0; i < 3; ++i )
	{
		mesh->grid_origin[i] = quantized ? -1 - i : 0;
	}
	pieces[1].data = mesh;
	pieces[2] = ( piece ){ "HULL", 1, 1, section, bytes };
	return put_together( f, pieces, 3 );
}

static void a_hull_may_have_positions_of_its_own( void** state )
{
	fixture* f = *state;
	static const double expected[4][3] = { { 0, 0, 0 }, { 2, 0, 0 }, { 0, 3, 0 }, { 0, 0, 4 } };
	for ( int quantized = 0; quantized < 2; ++quantized )
	{
		const bv_file* file = open_bytes( own_file( f, quantized ) );
		bv_hull_info info = bv_file_get_hull( file );
		assert_int_equal( info.kind, bv_hull_polyhedron );
		assert_true( !info.of_mesh && info.volume == 4 );
		for ( uint32_t i = 0; i < 4; ++i )
		{
			bv_vec3 p = bv_file_get_hull_position( file, i );
			uint32_t corner[3];
			bv_file_get_hull_triangle( file, i, corner );
			assert_true( p.x == expected[i][0] && p.y == expected[i][1] && p.z == expected[i][2] );
			assert_int_equal( bv_file_get_hull_vertex( file, i ), 0 );
			for ( int k = 0; k < 3; ++k )
			{
				assert_int_equal( corner[k], tetrahedron[i][k] );
			}
		}
	}
}

static uint8_t* hull_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_hull );
}
static void refer_to_no_mesh( bvb_bytes b )
{
	hull_of( b )[1] = 0;
}
static void have_more_corners_than_the_mesh( bvb_bytes b )
{
	// 4 * 12 + 4 * 3 = 12 * 2 + 12 * 3
	hull_of( b )[1] = 0;
	hull_of( b )[4] = 12;
	hull_of( b )[8] = 12;
}
static void refer_to_no_mesh_with_the_same_bytes( bvb_bytes b )
{
	( (bvfile_mesh*)(void*)section_of( b, bvfile_section_mesh ) )->vertices = 12;
	have_more_corners_than_the_mesh( b );
}
static void have_volume_without_inside( bvb_bytes b )
{
	hull_of( b )[0] = 2;
	hull_of( b )[8] = 0;
}
static void have_negative_volume( bvb_bytes b )
{
	hull_of( b )[23] |= 0x80;
}
static void own_twice( bvb_bytes b )
{
	hull_of( b )[1] = 2;
}
static void use_reserved( bvb_bytes b )
{
	hull_of( b )[3] = 1;
}
static void use_second_reserved( bvb_bytes b )
{
	hull_of( b )[15] = 1;
}
static void have_a_face_more( bvb_bytes b )
{
	hull_of( b )[8] = 5;
}
static void break_position( bvb_bytes b )
{
	( (float*)( hull_of( b ) + 24 ) )[11] = INFINITY;
}
static void break_face( bvb_bytes b )
{
	hull_of( b )[float_bytes - 1] = 4;
}
static void break_grid_position( bvb_bytes b )
{
	hull_of( b )[24 + 31] |= 0x80;
}

static void each_rule_is_checked( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "the hull section has the wrong size", refer_to_no_mesh },
		{ "a count of the hull section is out of range", have_more_corners_than_the_mesh },
		{ "a section that another section needs is missing", refer_to_no_mesh_with_the_same_bytes },
		{ "the hull's volume is out of range", have_volume_without_inside },
		{ "the hull's volume is out of range", have_negative_volume },
		{ "a count of the hull section is out of range", own_twice },
		{ "a count of the hull section is out of range", use_reserved },
		{ "a count of the hull section is out of range", use_second_reserved },
		{ "the hull section has the wrong size", have_a_face_more },
		{ "a position is not finite", break_position },
		{ "the hull refers to a vertex that does not exist", break_face },
	};
	static const damage damage_of_grid[] = {
		{ "a quantized position is out of range", break_grid_position },
	};
	expect_refused( f, own_file( f, false ), damages, sizeof damages / sizeof *damages );
	expect_refused( f, own_file( f, true ), damage_of_grid, 1 );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_goes_in_comes_out_at_every_width ),
		fixture_test( a_hull_may_have_positions_of_its_own ),
		fixture_test( each_rule_is_checked ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
