// Sets every byte of small files to every value it can have (a fourth of the values by default, all in `make
// values`) and repairs the checksums. Files that pass the checks are read and queried as the fuzzer does, in
// a block of exactly their size. Builds with sanitizers prove that nothing behind the end of the block is
// read.

#include "bvh_damage.h"
#include "every_value.h"

#include "tests/fuzz/read_all.h"

// Whether the byte is of a section that queries look at: others are only read.
static bool is_queried( bvb_bytes original, size_t at )
{
	static const bvfile_section sections[] = { bvfile_section_mesh, bvfile_section_positions,
		                                       bvfile_section_triangles, bvfile_section_nodes };
	bool inside = false;
	for ( size_t i = 0; i < sizeof sections / sizeof *sections; ++i )
	{
		const bvfile_entry* entry = entry_of( original, sections[i] );
		inside = inside || ( at >= entry->offset && at - entry->offset < entry->bytes );
	}
	return inside;
}

static void query( const bv_file* file, uint64_t seed )
{
	uint8_t asked[64];
	for ( size_t i = 0; i < sizeof asked; ++i, seed = seed * 6364136223846793005u + 1442695040888963407u )
	{
		asked[i] = (uint8_t)( seed >> 56 );
	}
	numbers n = numbers_begin( asked, sizeof asked );
	subject s = subject_of( file );
	query_all( &n, &s, &s );
}

// With one bit changed, one more or less, at the ends of its range, and each fourth value: or all of them.
static bool is_tried( uint8_t was, int value )
{
	int flipped = was ^ value;
	bool one_bit = ( flipped & ( flipped - 1 ) ) == 0;
	bool near = value == (uint8_t)( was + 1 ) || value == (uint8_t)( was - 1 );
	return one_bit || near || value == 0 || value == 255 || value % 4 == 3 || is_thorough();
}

// @return how many changes are not refused
static uint32_t change_every_byte( bvb_bytes original )
{
	uint32_t accepted = 0;
	bvb_bytes bytes = { malloc( original.size ), original.size };
	uint8_t* b = bytes.data;
	for ( size_t i = 0; i < bytes.size; ++i )
	{
		bool queried = is_queried( original, i );
		for ( int value = 0; value < 256; ++value )
		{
			const char* reason;
			memcpy( bytes.data, original.data, bytes.size );
			if ( !is_tried( b[i], value ) || !is_tried_here( i, (size_t)value ) )
			{
				continue;
			}
			b[i] = (uint8_t)value;
			repair( bytes );
			if ( open_status( bytes, &reason ) == bv_ok )
			{
				accepted += 1;
				read_all( (const bv_file*)bytes.data );
				if ( queried )
				{
					query( (const bv_file*)bytes.data, i << 8 | (uint32_t)value );
				}
			}
		}
	}
	free( bytes.data );
	return accepted;
}

// Of one triangle with all sections there are.
static void every_value_of_every_byte_of_a_leaf_is_refused_or_harmless( void** state )
{
	fixture* f = *state;
	bvb_asset_options options = plain_options();
	options.sections = ( 1u << bvb_section_count ) - 1;
	options.errors.relative = 0.5;
	options.recognize.value = 0.01;
	bvb_mesh mesh = soup_create( f, 1 );
	mesh.positions[1].x = mesh.positions[2].y = 1;
	assert_true( change_every_byte( build_bytes( f, &mesh, &options ) ) > 1000 );
}

// Of two triangles, with nodes of both forms of boxes.
static void every_value_of_every_byte_of_a_tree_is_refused_or_harmless( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 2; ++round )
	{
		bvb_asset_options options = plain_options();
		options.sections = 1u << bvb_section_mesh | 1u << bvb_section_tree;
		options.record.positions = round ? bvb_positions_quantized : bvb_positions_float;
		options.hierarchy.volume_types = 1u << ( round ? bv_volume_aabb : bv_volume_obb );
		bvb_mesh mesh = soup_create( f, 2 );
		mesh.positions[1].x = mesh.positions[2].y = 1;
		for ( int k = 0; k < 3; ++k )
		{
			mesh.positions[3 + k] = ( bv_vec3 ){ k, 2, k * k };
		}
		assert_true( change_every_byte( build_bytes( f, &mesh, &options ) ) > 1000 );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( every_value_of_every_byte_of_a_leaf_is_refused_or_harmless ),
		fixture_test( every_value_of_every_byte_of_a_tree_is_refused_or_harmless ),
	};
	return cmocka_run_group_tests_name( "every value of every byte of a file", tests, NULL, NULL );
}
