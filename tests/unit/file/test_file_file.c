// Files survive a round trip, and damaged files are rejected, with valid and with invalid checksums.

#include "bvh_damage.h"
#include "clips.h"
#include "every_value.h"

#include "bv/mesh.h"
#include "tests/use_file.h"

#include <stdio.h>
#include <unistd.h>

// The box with all optional sections: its first two triangles are one object, face 5, of the group "lid"; the
// others another object, without a group, of a material.
static bvb_bytes full_file_of( fixture* f, bvb_position_form form, uint32_t volume_types, uint32_t collapse )
{
	static const char* objects[] = { "top", "r\xc3\xa9st" };
	static const char* groups[] = { "lid" };
	static const char* materials[] = { "unused", "oak" };
	static bvb_segment segments[] = { { 0, 0, BVB_NO_NAME, 0 }, { 2, 1, 1, BVB_NO_NAME } };
	static uint32_t faces[12] = { 5, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 };
	bvb_scene scene = {
		.mesh = box_mesh( f, 1, 2, 3 ),
		.faces = faces,
		.segments = segments,
		.segment_count = 2,
		.objects = objects,
		.object_count = 2,
		.groups = groups,
		.group_count = 1,
		.materials = materials,
		.material_count = 2,
	};
	scene.clip = swaying_clip( f, &scene.mesh, 3, 2 );
	bvb_source source = { .name = "test.obj", .format = "obj" };
	bvb_asset_options options = bvb_asset_options_default();
	options.sections |= ( 1u << bvb_section_count ) - 1;
	options.record.positions = form;
	options.hierarchy.volume_types = volume_types;
	options.hierarchy.collapse = collapse;
	options.hierarchy.leaf_triangles = collapse ? 2 : 1;
	options.errors.relative = 0.1;
	options.density = 2;
	options.clip.frames = true;
	bvb_asset asset;
	bvb_bytes bytes;
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, NULL ), bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
	assert_int_equal( ( (const bvfile_header*)bytes.data )->section_count, bvfile_section_count );
	return bytes;
}

static bvb_bytes full_file( fixture* f )
{
	return full_file_of( f, bvb_positions_float, 1 << bv_volume_obb | 1 << bv_volume_aabb, 0 );
}

// Closed forms for a box of sides 1, 2, 3 with a corner in the origin.
static void what_goes_in_comes_out( void** state )
{
	fixture* f = *state;
	const bvb_position_form forms[] = { bvb_positions_float, bvb_positions_quantized };
	for ( int i = 0; i < 2; ++i )
	{
		const bv_file* file = open_bytes( small_file( f, forms[i] ) );
		bv_mesh_info mesh = bv_file_get_mesh( file );
		assert_int_equal( mesh.vertices, 8 );
		assert_int_equal( mesh.triangles, 12 );
		assert_int_equal( mesh.edges, 18 );
		assert_int_equal( mesh.components, 1 );
		assert_true( mesh.closed && mesh.manifold && mesh.double_sided == 0 );
		assert_true( fabs( mesh.area - 22 ) < 1e-12 );
		assert_true( mesh.largest_displacement <= ( i ? 2e-6 : 0 ) );

		bv_mass mass;
		assert_true( bv_file_get_mass( file, bv_mass_of_solid, &mass ) );
		assert_true( fabs( mass.mass - 6 ) < 1e-12 );
		assert_true( fabs( mass.center_of_mass.z - 1.5 ) < 1e-12 );
		assert_true( fabs( mass.inertia[0][0] - 6.0 / 12 * ( 4 + 9 ) ) < 1e-11 );

		bv_file_bounds bounds;
		assert_true( bv_file_get_bounds( file, &bounds ) );
		assert_true( bounds.aabb.lower.x == 0 && bounds.aabb.upper.z == 3 );
		assert_true( fabs( bounds.sphere.radius - sqrt( 14 ) / 2 ) < 1e-6 );
		assert_true( fabs( bv_obb_volume( &bounds.obb ) - 6 ) < 1e-5 );

		// The box 1 x 2 x 3 itself: no slanted side cuts it. Radii are at least half its thickness.
		assert_int_equal( bounds.kdop.k, 26 );
		assert_true( bounds.kdop.lower[12] == -3 && bounds.kdop.upper[3] == 6 );
		assert_true( bounds.capsule.radius >= 0.5 && bounds.rss.radius >= 0.5 );
		assert_true( bv_capsule_volume( &bounds.capsule ) <= bv_sphere_volume( &bounds.sphere ) );

		bv_hull_info hull = bv_file_get_hull( file );
		assert_int_equal( hull.kind, bv_hull_polyhedron );
		assert_int_equal( hull.vertices, 8 );
		assert_int_equal( hull.faces, 12 );
		assert_true( fabs( hull.volume - 6 ) < 1e-12 );

		bv_file_origin origin = bv_file_get_origin( file );
		assert_int_equal( origin.source_name.length, 8 );
		assert_memory_equal( origin.source_name.data, "test.obj", 8 );
		assert_int_equal( origin.source_hash[1], 2 );
		assert_non_null(
			strstr( origin.parameters.data, i ? "positions=quantized\n" : "positions=float\n" ) );

		bv_hierarchy_info tree = bv_file_get_hierarchy( file );
		assert_int_equal( tree.leaves, 12 );
		assert_int_equal( tree.nodes, 23 );
		assert_int_equal( bv_file_get_section( file, bvfile_section_count ).bytes, 0 );
		assert_string_equal( bv_file_get_section( file, 0 ).name, "ORGN" );
		bv_vec3 outside = bv_file_get_vertex( file, 8 );
		assert_true( outside.x == 0 && outside.y == 0 && outside.z == 0 );
	}
}

static void expect_text( bv_text text, const char* expected )
{
	assert_int_equal( text.length, strlen( expected ) );
	assert_memory_equal( text.data, expected, text.length );
}

static void parameters_are_taken_one_by_one( void** state )
{
	(void)state;
	static const char all[] = "weld=0.5\nflag\n\nempty=\n=none\nname=a=b\nweld=2";
	static const char* const expected[][2] = { { "weld", "0.5" }, { "flag", "" }, { "", "" },
		                                       { "empty", "" },   { "", "none" }, { "name", "a=b" },
		                                       { "weld", "2" } };
	bv_text rest = { all, sizeof all - 1 };
	bv_text name;
	bv_text value;
	for ( size_t i = 0; i < sizeof expected / sizeof *expected; ++i )
	{
		assert_true( bvb_next_parameter( &rest, &name, &value ) );
		expect_text( name, expected[i][0] );
		expect_text( value, expected[i][1] );
	}
	assert_false( bvb_next_parameter( &rest, &name, &value ) );

	bv_text text = { all, sizeof all - 1 };
	assert_true( bvb_find_parameter( text, ( bv_text ){ "weld", 4 }, &value ) );
	expect_text( value, "0.5" );
	assert_true( bvb_find_parameter( text, ( bv_text ){ "name", 4 }, &value ) );
	expect_text( value, "a=b" );
	assert_false( bvb_find_parameter( text, ( bv_text ){ "wel", 3 }, &value ) );
	assert_false( bvb_find_parameter( text, ( bv_text ){ "welds", 5 }, &value ) );
	assert_false( bvb_find_parameter( ( bv_text ){ NULL, 0 }, ( bv_text ){ "weld", 4 }, &value ) );
}

static void every_truncation_is_refused( void** state )
{
	fixture* f = *state;
	bvb_bytes bytes = full_file( f );
	const char* reason;
	for ( size_t size = 0; size < bytes.size; ++size )
	{
		// In a block of exactly that size, so that a sanitizer sees a read behind its end.
		void* part = malloc( size ? size : 1 );
		memcpy( part, bytes.data, size );
		assert_int_not_equal( open_status( ( bvb_bytes ){ part, size }, &reason ), bv_ok );
		free( part );
	}
	bvb_bytes longer = copy_of( f, bytes );
	longer.size += 1;
	assert_int_equal( open_status( longer, &reason ), bv_error_damaged );
}

static void every_changed_byte_is_refused( void** state )
{
	fixture* f = *state;
	bvb_bytes bytes = copy_of( f, full_file( f ) );
	unsigned char* b = bytes.data;
	for ( size_t i = 0; i < bytes.size; ++i )
	{
		for ( int bit = 0; bit < 8; ++bit )
		{
			const char* reason;
			b[i] ^= (unsigned char)( 1 << bit );
			assert_int_not_equal( open_status( bytes, &reason ), bv_ok );
			b[i] ^= (unsigned char)( 1 << bit );
		}
	}
	const char* reason;
	assert_int_equal( open_status( bytes, &reason ), bv_ok );
}

static void verify_safely( const bv_file* file )
{
	bvb_arena* arena = bvb_arena_create();
	bvb_verify_result proved;
	bvb_error error;
	bv_status status = bvb_file_verify( file, arena, &proved, &error );
	assert_true( status == bv_ok || status == bv_error_damaged );
	bvb_arena_destroy( arena );
}

// What opened, which for each byte are several files, is read whole and asked everything.
static uint32_t use_changed( bvb_bytes original, bvb_bytes bytes )
{
	unsigned char* b = bytes.data;
	uint32_t accepted = 0;
	for ( size_t i = 8; i < bytes.size; ++i )
	{
		const unsigned char values[] = { 0, 1, 0x7f, 0x80, 0xff, (unsigned char)( b[i] + 1 ) };
		for ( size_t k = 0; k < sizeof values; ++k )
		{
			if ( !is_tried_here( i, k ) )
			{
				continue;
			}
			memcpy( bytes.data, original.data, bytes.size );
			b[i] = values[k];
			repair( bytes );
			const char* reason;
			if ( open_status( bytes, &reason ) == bv_ok )
			{
				int step = 1 + (int)( accepted % use_steps );
				assert_true( use_file( (const bv_file*)bytes.data, 1000, step, NULL ) );
				accepted += 1;

				// Measuring all errors again takes longer than all the rest, so that more of them are in `make thorough`.
				if ( accepted % ( is_thorough() ? 16 : 64 ) == 0 )
				{
					verify_safely( (const bv_file*)bytes.data );
				}
			}
		}
	}
	return accepted;
}

// With the checksums put right, a changed byte may give a valid file; whatever it gives must be safe to use. Together the
// files have all sections, both kinds of positions and volumes of all types.
static void changed_bytes_with_right_checksums_are_refused_or_harmless( void** state )
{
	fixture* f = *state;
	static const struct
	{
		bvb_position_form form;
		uint32_t volume_types;
		uint32_t collapse;
	} files[] = {
		{ bvb_positions_float, 1 << bv_volume_obb | 1 << bv_volume_aabb, 0 },
		{ bvb_positions_quantized, ( 1 << bv_volume_types ) - 1, 8 },
		{ bvb_positions_float, 1 << bv_volume_sphere, 8 },
		{ bvb_positions_float, 1 << bv_volume_rss, 8 },
		{ bvb_positions_quantized, 1 << bv_volume_kdop26, 8 },
	};
	for ( size_t i = 0; i < sizeof files / sizeof *files; ++i )
	{
		bvb_bytes original = full_file_of( f, files[i].form, files[i].volume_types, files[i].collapse );
		assert_true( use_changed( original, copy_of( f, original ) ) > 100 );
	}
}

static void break_section_name( bvb_bytes b )
{
	entry_of( b, bvfile_section_hull )->name[0] = '\x7f';
}
static void break_section_offset( bvb_bytes b )
{
	entry_of( b, bvfile_section_hull )->offset += 64;
}
static void break_section_size( bvb_bytes b )
{
	entry_of( b, bvfile_section_nodes )->bytes = UINT64_MAX;
}
static void break_padding( bvb_bytes b )
{
	bvfile_entry* e = entry_of( b, bvfile_section_origin );
	( (char*)b.data )[e->offset + e->bytes] = 1;
}
static void break_reserved( bvb_bytes b )
{
	( (bvfile_header*)b.data )->reserved[3] = 1;
}
static void break_text( bvb_bytes b )
{
	*( (char*)section_of( b, bvfile_section_origin ) + sizeof( bvfile_origin ) ) = '\x1b';
}
static void break_counts( bvb_bytes b )
{
	( (bvfile_mesh*)section_of( b, bvfile_section_mesh ) )->vertices = 0;
}
static void break_number( bvb_bytes b )
{
	( (bvfile_masses*)section_of( b, bvfile_section_mass ) )->mass[1].mass = NAN;
}
static void break_position( bvb_bytes b )
{
	( (float*)section_of( b, bvfile_section_positions ) )[5] = INFINITY;
}
static void break_triangle( bvb_bytes b )
{
	triangle_codes_of( b )[7] = 8;
}
static void break_bounds( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->aabb_lower[1] = 5;
}
static void break_hull( bvb_bytes b )
{
	( (uint16_t*)( (bvfile_hull*)section_of( b, bvfile_section_hull ) + 1 ) )[0] = 8;
}
static void break_hull_kind( bvb_bytes b )
{
	( (bvfile_hull*)section_of( b, bvfile_section_hull ) )->kind = 4;
}
static void break_hull_face( bvb_bytes b )
{
	bvfile_hull* hull = section_of( b, bvfile_section_hull );
	( (uint8_t*)( hull + 1 ) )[2 * hull->vertices + 5] = 8;
}
static void break_hull_counts( bvb_bytes b )
{
	// The same bytes, cut into vertices and faces another way: 8 * 2 + 12 * 3 = 23 * 2 + 2 * 3, which are fewer
	// faces than a polyhedron has.
	bvfile_hull* hull = section_of( b, bvfile_section_hull );
	hull->vertices += 15;
	hull->faces -= 10;
}
static void break_hull_volume( bvb_bytes b )
{
	( (bvfile_hull*)section_of( b, bvfile_section_hull ) )->volume = NAN;
}
static void break_section_version( bvb_bytes b )
{
	entry_of( b, bvfile_section_mesh )->version = 0;
}
static void break_inertia( bvb_bytes b )
{
	( (bvfile_masses*)section_of( b, bvfile_section_mass ) )->mass[2].inertia[2][2] = INFINITY;
}
static void break_grid( bvb_bytes b )
{
	( (bvfile_mesh*)section_of( b, bvfile_section_mesh ) )->grid_step = 1;
}
static void break_flag( bvb_bytes b )
{
	( (bvfile_mesh*)section_of( b, bvfile_section_mesh ) )->closed = 2;
}
static void break_sphere( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->sphere_radius = -1;
}
static void break_kdop( bvb_bytes b )
{
	bvfile_bounds* bounds = section_of( b, bvfile_section_bounds );
	bounds->kdop_lower[12] = nextafterf( bounds->kdop_upper[12], INFINITY );
}
static void break_kdop_number( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->kdop_upper[12] = INFINITY;
}
static void break_capsule( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->capsule_radius = -1;
}
static void break_capsule_end( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->capsule_ends[1][2] = NAN;
}
static void break_rss( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->rss.half_extents[2] = -1;
}
static void break_reserved_bounds( bvb_bytes b )
{
	( (bvfile_bounds*)section_of( b, bvfile_section_bounds ) )->reserved = 1;
}
static void each_kind_of_damage_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "an entry of the section table is invalid", break_section_name },
		{ "a section is outside the file or out of place", break_section_offset },
		{ "a section is outside the file or out of place", break_section_size },
		{ "bytes between sections are not zero", break_padding },
		{ "reserved bytes of the header are not zero", break_reserved },
		{ "a text of the origin section is not valid UTF-8 or has control characters", break_text },
		{ "a count of the mesh section is out of range", break_counts },
		{ "a number of the mass section is not finite", break_number },
		{ "a position is not finite", break_position },
		{ "a triangle refers to a vertex outside its cluster", break_triangle },
		{ "a bounding volume is invalid", break_bounds },
		{ "the hull refers to a vertex that does not exist", break_hull },
		{ "a count of the hull section is out of range", break_hull_kind },
		{ "the hull refers to a vertex that does not exist", break_hull_face },
		{ "a count of the hull section is out of range", break_hull_counts },
		{ "the hull's volume is out of range", break_hull_volume },
		{ "an entry of the section table is invalid", break_section_version },
		{ "a number of the mass section is not finite", break_inertia },
		{ "a number of the mesh section is out of range", break_grid },
		{ "a flag of the mesh section is invalid", break_flag },
		{ "a bounding volume is invalid", break_sphere },
		{ "a bounding volume is invalid", break_kdop },
		{ "a bounding volume is invalid", break_kdop_number },
		{ "a bounding volume is invalid", break_capsule },
		{ "a bounding volume is invalid", break_capsule_end },
		{ "a bounding volume is invalid", break_rss },
		{ "a bounding volume is invalid", break_reserved_bounds },
	};
	expect_refused( f, small_file( f, bvb_positions_float ), damages, sizeof damages / sizeof *damages );
}

static bvfile_source* source_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_source );
}
static bvfile_source_view source_view_of( bvb_bytes b )
{
	return bvfile_source_view_of( section_of( b, bvfile_section_source ), 12 );
}
static void break_edge( bvb_bytes b )
{
	( (uint16_t*)section_of( b, bvfile_section_edges ) )[3] |= 7 << 3;
}
static void break_edge_bits( bvb_bytes b )
{
	( (uint16_t*)section_of( b, bvfile_section_edges ) )[11] |= 1 << 9;
}
static void break_source_reserved( bvb_bytes b )
{
	source_of( b )->reserved = 1;
}
static void break_source_size( bvb_bytes b )
{
	source_of( b )->names += 1;
}
static void break_combination( bvb_bytes b )
{
	( (uint32_t*)source_view_of( b ).combination )[4] = source_of( b )->combinations;
}
static void break_combined_name( bvb_bytes b )
{
	( (uint32_t*)source_view_of( b ).combinations )[1] = source_of( b )->names;
}
static void break_name_end( bvb_bytes b )
{
	( (uint32_t*)source_view_of( b ).name_ends )[0] = 100;
}
static void break_name_order( bvb_bytes b )
{
	( (uint32_t*)source_view_of( b ).name_ends )[1] = 1;
}
static void break_last_name( bvb_bytes b )
{
	( (uint32_t*)source_view_of( b ).name_ends )[source_of( b )->names - 1] -= 1;
}
static void break_name( bvb_bytes b )
{
	( (char*)source_view_of( b ).text )[1] = '\n';
}
static void repeat_section( bvb_bytes b )
{
	memcpy( entry_of( b, bvfile_section_source )->name, "EDGE", 4 );
}

static void damage_of_optional_sections_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "an edge's kind is unknown", break_edge },
		{ "an edge's kind is unknown", break_edge_bits },
		{ "the source section has the wrong size", break_source_reserved },
		{ "the source section has the wrong size", break_source_size },
		{ "the source section refers to a combination that does not exist", break_combination },
		{ "the source section refers to a name that does not exist", break_combined_name },
		{ "a name of the source section is not valid UTF-8 or has control characters", break_name_end },
		{ "a name of the source section is not valid UTF-8 or has control characters", break_name_order },
		{ "a name of the source section is not valid UTF-8 or has control characters", break_last_name },
		{ "a name of the source section is not valid UTF-8 or has control characters", break_name },
		{ "a section occurs twice", repeat_section },
	};
	expect_refused( f, full_file( f ), damages, sizeof damages / sizeof *damages );
}

static bool is_text_of( bv_text text, const char* expected )
{
	return text.length == strlen( expected ) && memcmp( text.data, expected, text.length ) == 0;
}

// Triangles are in the tree's order; their corners tell which of the box's they are.
static void triangles_know_where_they_come_from( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( full_file( f ) );
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	uint32_t found = 0;
	for ( uint32_t i = 0; i < 12; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		for ( uint32_t t = 0; t < 12; ++t )
		{
			bool same = true;
			for ( int k = 0; k < 3; ++k )
			{
				bv_vec3 a = bv_file_get_vertex( file, corner[k] );
				bv_vec3 b = box.positions[box.triangles[t].corner[k]];
				same = same && a.x == b.x && a.y == b.y && a.z == b.z;
			}
			if ( same )
			{
				bv_triangle_source s;
				assert_true( bv_file_get_source( file, i, &s ) );
				assert_int_equal( s.face, t < 2 ? 5 : t + 4 );
				assert_true( is_text_of( s.object, t < 2 ? "top" : "r\xc3\xa9st" ) );
				assert_true( is_text_of( s.group, t < 2 ? "lid" : "" ) );
				assert_true( is_text_of( s.material, t < 2 ? "" : "oak" ) );
				++found;
			}
		}
	}
	assert_int_equal( found, 12 );
	bv_triangle_source unused;
	assert_false( bv_file_get_source( file, 12, &unused ) );
	assert_false( bv_file_get_source( open_bytes( small_file( f, bvb_positions_float ) ), 0, &unused ) );
}

// Each side of the box's triangles is convex but the diagonals, which join corners two coordinates apart.
static void sides_know_their_edges( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( full_file( f ) );
	bv_edge_kind kind;
	for ( uint32_t i = 0; i < 12; ++i )
	{
		uint32_t corner[3];
		bv_file_get_triangle( file, i, corner );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			bv_vec3 a = bv_file_get_vertex( file, corner[k] );
			bv_vec3 b = bv_file_get_vertex( file, corner[( k + 1 ) % 3] );
			int apart = ( a.x != b.x ) + ( a.y != b.y ) + ( a.z != b.z );
			assert_true( bv_file_get_edge( file, i, k, &kind ) );
			assert_int_equal( kind, apart == 2 ? bv_edge_flat : bv_edge_convex );
		}
	}
	assert_false( bv_file_get_edge( file, 0, 3, &kind ) );
	assert_false( bv_file_get_edge( file, 12, 0, &kind ) );
	assert_false( bv_file_get_edge( open_bytes( small_file( f, bvb_positions_float ) ), 0, 0, &kind ) );
}

static void null_and_misaligned_memory_is_the_callers_mistake( void** state )
{
	fixture* f = *state;
	bvb_bytes bytes = copy_of( f, small_file( f, bvb_positions_float ) );
	const bv_file* file = (const bv_file*)bytes.data;
	assert_int_equal( bv_file_open( NULL, 100, &file ), bv_error_argument );
	assert_null( file );
	assert_int_equal( bv_file_open( (char*)bytes.data + 4, bytes.size, &file ), bv_error_argument );
	assert_int_equal( bv_file_open( bytes.data, bytes.size, NULL ), bv_error_argument );
}

static void names_that_are_not_clean_text_are_cleaned( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
	bvb_asset_options options = bvb_asset_options_default();
	// Plain, two-byte, a lone continuation byte, a control character, an overlong slash, a surrogate, the
	// last plane's end.
	bvb_source source = { .name = "a\xc3\xa9\x80\n\xc0\xaf\xed\xa0\x80\xf4\x8f\xbf\xbf", .format = "obj" };
	bvb_asset asset;
	bvb_bytes bytes;
	bvb_error error;
	assert_int_equal(
		bvb_asset_build( &( bvb_scene ){ .mesh = mesh }, &source, &options, f->arena, &asset, &error ),
		bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_ok );
	bv_text name = bv_file_get_origin( open_bytes( bytes ) ).source_name;
	const char expected[] = "a\xc3\xa9"
							"\xef\xbf\xbd"
							"\xef\xbf\xbd"
							"\xef\xbf\xbd\xef\xbf\xbd"
							"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"
							"\xf4\x8f\xbf\xbf";
	assert_int_equal( name.length, sizeof expected - 1 );
	assert_memory_equal( name.data, expected, name.length );
}

static void an_open_mesh_has_no_mass( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = bvb_asset_options_default();
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	mesh.triangle_count = 11;
	const bv_file* file = build_file( f, &mesh, &options );
	bv_mass mass;
	assert_false( bv_file_get_mass( file, bv_mass_of_solid, &mass ) );
	assert_false( bv_file_get_mesh( file ).closed );
}

static void mapping_reports_what_is_wrong( void** state )
{
	fixture* f = *state;
	char folder[] = "/tmp/bvbuild-test-XXXXXX";
	char path[64];
	bvb_mapping mapping;
	bvb_error error;
	assert_non_null( mkdtemp( folder ) );
	snprintf( path, sizeof path, "%s/a.bvh", folder );

	assert_int_equal( bvb_file_map( path, &mapping, &error ), bv_error_input );
	assert_int_equal( bvb_file_map( folder, &mapping, &error ), bv_error_input );
	assert_non_null( strstr( error.message, "is a directory" ) );
	assert_int_equal( bvb_write_file( path, "", 0, &error ), bv_ok );
	assert_int_equal( bvb_file_map( path, &mapping, &error ), bv_error_damaged );
	assert_int_equal( bvb_write_file( path, "hello, world", 12, &error ), bv_ok );
	assert_int_equal( bvb_file_map( path, &mapping, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "not a .bvh file" ) );

	bvb_bytes bytes = small_file( f, bvb_positions_float );
	assert_int_equal( bvb_write_file( path, bytes.data, bytes.size, &error ), bv_ok );
	assert_int_equal( bvb_file_map( path, &mapping, &error ), bv_ok );
	assert_int_equal( mapping.size, bytes.size );
	const bv_file* file;
	assert_int_equal( bvb_file_read( path, f->arena, &file, &error ), bv_ok );
	assert_memory_equal( file, mapping.file, bytes.size );
	bvb_file_unmap( &mapping );

	// Into too little memory, and what is no file.
	bvb_arena* little = bvb_arena_create_limited( 16 );
	assert_int_equal( bvb_file_read( path, little, &file, &error ), bv_error_memory );
	assert_null( file );
	bvb_arena_destroy( little );
	assert_int_equal( bvb_file_read( folder, f->arena, &file, &error ), bv_error_input );
	assert_int_equal( bvb_write_file( path, "hello, world", 12, &error ), bv_ok );
	assert_int_equal( bvb_file_read( path, f->arena, &file, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "not a .bvh file" ) );
	unlink( path );
	rmdir( folder );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_goes_in_comes_out ),
		fixture_test( every_truncation_is_refused ),
		fixture_test( every_changed_byte_is_refused ),
		fixture_test( changed_bytes_with_right_checksums_are_refused_or_harmless ),
		fixture_test( each_kind_of_damage_is_named ),
		fixture_test( damage_of_optional_sections_is_named ),
		fixture_test( triangles_know_where_they_come_from ),
		fixture_test( sides_know_their_edges ),
		fixture_test( null_and_misaligned_memory_is_the_callers_mistake ),
		fixture_test( parameters_are_taken_one_by_one ),
		fixture_test( names_that_are_not_clean_text_are_cleaned ),
		fixture_test( an_open_mesh_has_no_mass ),
		fixture_test( mapping_reports_what_is_wrong ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
