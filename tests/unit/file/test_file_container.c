// The container of a .bvh file: versions, which sections may be passed over and which may not, and where they must lie.
// The files here are put together by the specification and not by the writer.

#include "bvh_damage.h"

#include "bv/mesh.h"

enum
{
	no_flags = 0,
	is_required = 1,
};

static uint32_t index_of( const piece* pieces, const char* name )
{
	uint32_t i = 0;
	while ( strcmp( pieces[i].name, name ) != 0 )
	{
		++i;
	}
	return i;
}

// Of two files that they answer the same: counts, corners, hull, nodes, a query.
static void expect_the_same( const bv_file* a, const bv_file* b )
{
	bv_mesh_info mesh = bv_file_get_mesh( a );
	bv_mesh_info other = bv_file_get_mesh( b );
	assert_int_equal( mesh.vertices, other.vertices );
	assert_int_equal( mesh.triangles, other.triangles );
	for ( uint32_t i = 0; i < mesh.triangles; ++i )
	{
		uint32_t corner[2][3];
		bv_file_get_triangle( a, i, corner[0] );
		bv_file_get_triangle( b, i, corner[1] );
		assert_memory_equal( corner[0], corner[1], sizeof corner[0] );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 p = bv_file_get_vertex( a, corner[0][k] );
			bv_vec3 q = bv_file_get_vertex( b, corner[0][k] );
			assert_memory_equal( &p, &q, sizeof p );
		}
	}
	bv_hull_info hull = bv_file_get_hull( a );
	bv_hull_info hull_b = bv_file_get_hull( b );
	assert_int_equal( hull.vertices, hull_b.vertices );
	assert_true( hull.volume == hull_b.volume );
	assert_int_equal( bv_file_get_hierarchy( a ).nodes, bv_file_get_hierarchy( b ).nodes );
	bv_pose pose = bv_pose_identity();
	pose.translation.x = 0.5;
	bv_collide_result found[2];
	assert_int_equal( bv_mesh_collide( a, a, by_pose( &pose ), NULL, found ), bv_ok );
	assert_int_equal( bv_mesh_collide( b, b, by_pose( &pose ), NULL, found + 1 ), bv_ok );
	assert_memory_equal( found, found + 1, sizeof found[0] );
	assert_true( found[0].pairs > 0 );
}

// Shared by the tests below: the pieces of a small file, with room for more.
static uint32_t small_pieces( fixture* f, piece pieces[bvfile_max_sections] )
{
	return take_apart( small_file( f, bvb_positions_float ), pieces );
}

static void the_writer_lays_files_out_as_specified( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	bvb_bytes bytes = small_file( f, bvb_positions_quantized );
	bvb_bytes again = put_together( f, pieces, take_apart( bytes, pieces ) );
	assert_int_equal( bytes.size, again.size );
	assert_memory_equal( bytes.data, again.data, bytes.size );
}

static const char unknown[] = "of a later version";

static void an_unknown_section_that_is_not_required_is_passed_over( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	bvb_bytes original = small_file( f, bvb_positions_float );
	uint32_t count = take_apart( original, pieces );
	for ( uint32_t at = 0; at <= count; ++at )
	{
		piece more[bvfile_max_sections];
		memcpy( more, pieces, at * sizeof *more );
		more[at] = ( piece ){ "New!", 3, no_flags, unknown, sizeof unknown };
		memcpy( more + at + 1, pieces + at, ( count - at ) * sizeof *more );
		bvb_bytes bytes = put_together( f, more, count + 1 );
		( (bvfile_header*)bytes.data )->version_minor = 7;
		repair( bytes );

		const bv_file* file = open_bytes( bytes );
		expect_the_same( open_bytes( original ), file );
		assert_int_equal( bv_file_get_info( file ).version_minor, 7 );
		bv_section_info info = bv_file_get_section( file, at );
		assert_string_equal( info.name, "New!" );
		assert_int_equal( info.version, 3 );
		assert_true( !info.known && !info.required && info.bytes == sizeof unknown );
		bvb_error error;
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	}
}

static void an_unknown_section_that_is_required_is_not_supported( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	pieces[count++] = ( piece ){ "New!", 1, is_required, unknown, sizeof unknown };
	const char* reason;
	assert_int_equal( open_status( put_together( f, pieces, count ), &reason ), bv_error_unsupported );
	assert_string_equal( reason, "the file requires a section that this version does not support" );
}

// Damaged bytes are no reason to call for a newer program.
static void an_unknown_section_is_checked_for_damage_first( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	for ( int required = 0; required < 2; ++required )
	{
		pieces[count] = ( piece ){ "New!", 1, (uint16_t)required, unknown, sizeof unknown };
		bvb_bytes bytes = put_together( f, pieces, count + 1 );
		const char* reason;
		( (char*)bytes.data )[bytes.size - 1] ^= 1;
		assert_int_equal( open_status( bytes, &reason ), bv_error_damaged );
		assert_string_equal( reason, "a section does not match its checksum" );
	}
}

// Nor is a table that no version allows, wherever in it the unknown section stands.
static void an_unknown_section_excuses_no_table( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	uint32_t nodes = index_of( pieces, "NODE" );
	const piece asked = { "New!", 1, is_required, unknown, sizeof unknown };
	for ( int first = 0; first < 2; ++first )
	{
		piece with[bvfile_max_sections] = { 0 };
		memcpy( with + first, pieces, count * sizeof *with );
		with[first ? 0 : count] = asked;
		with[nodes + (uint32_t)first].flags = no_flags;
		const char* reason;
		assert_int_equal( open_status( put_together( f, with, count + 1 ), &reason ), bv_error_damaged );
		assert_string_equal( reason, "a section that other sections need is not marked as required" );

		// The origin is the first one.
		memcpy( with + first, pieces + 1, ( count - 1 ) * sizeof *with );
		with[first ? 0 : count - 1] = asked;
		assert_int_equal( open_status( put_together( f, with, count ), &reason ), bv_error_damaged );
		assert_string_equal( reason, "a mandatory section is missing" );
	}
}

static void a_newer_version_of_a_known_section_is_passed_over_unless_required( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	uint32_t bounds = index_of( pieces, "BNDS" );
	bv_file_bounds volumes;
	const char* reason;
	pieces[bounds].data = unknown;
	pieces[bounds].bytes = sizeof unknown;
	pieces[bounds].version += 1;
	bvb_bytes bytes = put_together( f, pieces, count );
	const bv_file* file = open_bytes( bytes );
	assert_false( bv_file_get_bounds( file, &volumes ) );
	assert_false( bv_file_get_section( file, bounds ).known );
	bvb_error error;
	assert_int_equal( verify_status( f, bytes, &error ), bv_ok );

	pieces[bounds].flags = is_required;
	assert_int_equal( open_status( put_together( f, pieces, count ), &reason ), bv_error_unsupported );
	assert_string_equal( reason, "the file requires a section that this version does not support" );

	// Even the origin, which every file has.
	count = small_pieces( f, pieces );
	pieces[0].version += 1;
	file = open_bytes( put_together( f, pieces, count ) );
	assert_int_equal( bv_file_get_origin( file ).tool.length, 0 );
}

// Whether a section that is known is marked as required makes no difference.
static void a_known_section_may_be_required( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	const bv_file* original = open_bytes( put_together( f, pieces, count ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		pieces[i].flags = is_required;
	}
	const bv_file* file = open_bytes( put_together( f, pieces, count ) );
	assert_true( bv_file_get_section( file, index_of( pieces, "BNDS" ) ).required );
	expect_the_same( original, file );
}

static void sections_may_stand_in_any_order( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	piece reversed[bvfile_max_sections] = { 0 };
	uint32_t count = small_pieces( f, pieces );
	for ( uint32_t i = 0; i < count; ++i )
	{
		reversed[i] = pieces[count - 1 - i];
	}
	expect_the_same( open_bytes( put_together( f, pieces, count ) ),
	                 open_bytes( put_together( f, reversed, count ) ) );
}

static void a_section_that_is_needed_may_not_be_missing( void** state )
{
	fixture* f = *state;
	static const char* const needed[][2] = {
		{ "ORGN", "a mandatory section is missing" },
		{ "MESH", "a mandatory section is missing" },
		{ "POSN", "a section that another section needs is missing" },
		{ "TRIS", "a section that another section needs is missing" },
		{ "BNDS", NULL },
	};
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	for ( size_t i = 0; i < sizeof needed / sizeof *needed; ++i )
	{
		piece left[bvfile_max_sections] = { 0 };
		uint32_t rest = 0;
		for ( uint32_t k = 0; k < count; ++k )
		{
			if ( strcmp( pieces[k].name, needed[i][0] ) != 0 )
			{
				left[rest++] = pieces[k];
			}
		}
		const char* reason;
		bv_status status = open_status( put_together( f, left, rest ), &reason );
		assert_int_equal( status, needed[i][1] ? bv_error_damaged : bv_ok );
		if ( status != bv_ok )
		{
			assert_string_equal( reason, needed[i][1] );
		}
	}
}

static void a_section_that_others_need_must_be_required( void** state )
{
	fixture* f = *state;
	static const char* const names[] = { "MESH", "POSN", "TRIS", "HULL", "NODE" };
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	for ( size_t i = 0; i < sizeof names / sizeof *names; ++i )
	{
		uint32_t k = index_of( pieces, names[i] );
		const char* reason;
		pieces[k].flags = no_flags;
		assert_int_equal( open_status( put_together( f, pieces, count ), &reason ), bv_error_damaged );
		assert_string_equal( reason, "a section that other sections need is not marked as required" );
		pieces[k].flags = is_required;
	}
}

static bvfile_entry* table_of( bvb_bytes b )
{
	return (bvfile_entry*)( (bvfile_header*)b.data + 1 );
}
static void repeat_known( bvb_bytes b )
{
	memcpy( table_of( b )[4].name, "MESH", 4 );
}
static void repeat_unknown( bvb_bytes b )
{
	uint32_t last = ( (bvfile_header*)b.data )->section_count - 1;
	memcpy( table_of( b )[last].name, "Odd1", 4 );
}
static void use_space( bvb_bytes b )
{
	table_of( b )[4].name[3] = ' ';
}
static void use_escape( bvb_bytes b )
{
	table_of( b )[4].name[0] = '\x1b';
}
static void use_high_byte( bvb_bytes b )
{
	table_of( b )[4].name[0] = '\xe9';
}
static void use_version_0( bvb_bytes b )
{
	table_of( b )[4].version = 0;
}
static void use_second_flag( bvb_bytes b )
{
	table_of( b )[4].flags |= 2;
}
static void use_last_flag( bvb_bytes b )
{
	table_of( b )[4].flags |= 0x8000;
}
static void empty_section( bvb_bytes b )
{
	table_of( b )[4].bytes = 0;
}
static void overlap( bvb_bytes b )
{
	table_of( b )[4].offset = table_of( b )[3].offset;
}
static void exchange( bvb_bytes b )
{
	bvfile_entry third = table_of( b )[3];
	table_of( b )[3] = table_of( b )[4];
	table_of( b )[4] = third;
}
static void leave_hole( bvb_bytes b )
{
	table_of( b )[4].offset += 64;
}
static void misalign( bvb_bytes b )
{
	table_of( b )[4].offset += 8;
}
static void begin_behind_the_end( bvb_bytes b )
{
	table_of( b )[4].offset = UINT64_MAX - 63;
}
static void end_behind_the_end( bvb_bytes b )
{
	table_of( b )[4].bytes = b.size;
}
static void end_beyond_numbers( bvb_bytes b )
{
	table_of( b )[4].bytes = UINT64_MAX - 64;
}
static void end_early( bvb_bytes b )
{
	table_of( b )[( (bvfile_header*)b.data )->section_count - 1].bytes -= 1;
}
static void fill_padding( bvb_bytes b )
{
	const bvfile_entry* e = table_of( b );
	( (char*)b.data )[e->offset + e->bytes] = 1;
}
static void fill_padding_of_table( bvb_bytes b )
{
	( (char*)b.data )[table_of( b )->offset - 1] = 1;
}
static void count_none( bvb_bytes b )
{
	( (bvfile_header*)b.data )->section_count = 0;
}
static void count_too_many( bvb_bytes b )
{
	( (bvfile_header*)b.data )->section_count = 65;
}

static void each_rule_of_the_container_is_checked( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "a section occurs twice", repeat_known },
		{ "a section occurs twice", repeat_unknown },
		{ "an entry of the section table is invalid", use_space },
		{ "an entry of the section table is invalid", use_escape },
		{ "an entry of the section table is invalid", use_high_byte },
		{ "an entry of the section table is invalid", use_version_0 },
		{ "an entry of the section table is invalid", use_second_flag },
		{ "an entry of the section table is invalid", use_last_flag },
		{ "an entry of the section table is invalid", empty_section },
		{ "a section is outside the file or out of place", overlap },
		{ "a section is outside the file or out of place", exchange },
		{ "a section is outside the file or out of place", leave_hole },
		{ "a section is outside the file or out of place", misalign },
		{ "a section is outside the file or out of place", begin_behind_the_end },
		{ "a section is outside the file or out of place", end_behind_the_end },
		{ "a section is outside the file or out of place", end_beyond_numbers },
		{ "the file is longer than its sections", end_early },
		{ "bytes between sections are not zero", fill_padding },
		{ "bytes between sections are not zero", fill_padding_of_table },
		{ "the length of the section table is out of range", count_none },
		{ "the length of the section table is out of range", count_too_many },
	};
	piece pieces[bvfile_max_sections];
	uint32_t count = small_pieces( f, pieces );
	pieces[count++] = ( piece ){ "Odd1", 1, no_flags, unknown, sizeof unknown };
	pieces[count++] = ( piece ){ "Odd2", 1, no_flags, unknown, sizeof unknown };

	// So many that there are bytes between the table and the first section.
	if ( count % 2 == 0 )
	{
		pieces[count++] = ( piece ){ "Odd3", 1, no_flags, unknown, sizeof unknown };
	}
	expect_refused( f, put_together( f, pieces, count ), damages, sizeof damages / sizeof *damages );
}

// 64 sections are the most, of which all but the known ones are passed over here.
static void a_file_has_64_sections_at_most( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections + 1] = { 0 };
	uint32_t count = small_pieces( f, pieces );
	for ( ; count <= bvfile_max_sections; ++count )
	{
		pieces[count] = ( piece ){ "Odd0", 1, no_flags, unknown, sizeof unknown };
		pieces[count].name[3] = (char)( '0' + count );
		const char* reason;
		bv_status status = open_status( put_together( f, pieces, count + 1 ), &reason );
		assert_int_equal( status, count + 1 <= bvfile_max_sections ? bv_ok : bv_error_damaged );
	}
}

static void other_major_versions_and_byte_orders_are_not_supported( void** state )
{
	fixture* f = *state;
	bvb_bytes bytes = copy_of( f, small_file( f, bvb_positions_float ) );
	bvfile_header* header = bytes.data;
	const char* reason;
	assert_int_equal( header->version_major, 1 );
	for ( uint16_t major = 0; major < 4; major += 2 )
	{
		header->version_major = major;
		assert_int_equal( open_status( bytes, &reason ), bv_error_unsupported );
		assert_string_equal( reason, "the file's format version is not 1.x" );
	}
	header->version_major = 1;
	header->byte_order = 0x04030201;
	assert_int_equal( open_status( bytes, &reason ), bv_error_unsupported );
	header->byte_order = 0x01020304;
	assert_int_equal( open_status( bytes, &reason ), bv_ok );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_writer_lays_files_out_as_specified ),
		fixture_test( an_unknown_section_that_is_not_required_is_passed_over ),
		fixture_test( an_unknown_section_that_is_required_is_not_supported ),
		fixture_test( an_unknown_section_is_checked_for_damage_first ),
		fixture_test( an_unknown_section_excuses_no_table ),
		fixture_test( a_newer_version_of_a_known_section_is_passed_over_unless_required ),
		fixture_test( a_known_section_may_be_required ),
		fixture_test( sections_may_stand_in_any_order ),
		fixture_test( a_section_that_is_needed_may_not_be_missing ),
		fixture_test( a_section_that_others_need_must_be_required ),
		fixture_test( each_rule_of_the_container_is_checked ),
		fixture_test( a_file_has_64_sections_at_most ),
		fixture_test( other_major_versions_and_byte_orders_are_not_supported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
