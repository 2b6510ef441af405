// Clips in files survive a round trip, invalid ones are rejected, and verification finds boxes that do not enclose what they
// have to.

#include "bvh_damage.h"
#include "clips.h"

#include <math.h>

enum
{
	samples = 9,
};

static bvb_bytes file_with( fixture* f, const bvb_mesh* mesh, uint32_t segments, bool frames,
                            uint32_t volume_types )
{
	bvb_scene scene = { .mesh = *mesh, .clip = swaying_clip( f, mesh, samples, segments ) };
	bvb_source source = { .name = "sway.glb", .format = "glb" };
	bvb_asset_options options = plain_options();
	options.clip.frames = frames;
	options.hierarchy.volume_types = volume_types;
	bvb_asset asset;
	bvb_bytes bytes;
	bvb_error error = { "" };
	assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
	assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, NULL ), bv_ok );
	return bytes;
}

static bvb_bytes box_file( fixture* f )
{
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	return file_with( f, &mesh, 2, true, 1u << bv_volume_obb );
}

// By the rule of swaying(): x goes from 0 to 1 + 3 / 2, at t = 1, and y and z stay.
static void a_clip_is_read_back( void** state )
{
	const bv_file* file = open_bytes( box_file( *state ) );
	bv_clip clip;
	bv_clip_box box;
	bv_clip_sample sample;
	bv_clip_candidate candidate;
	bv_vec3 p;
	assert_int_equal( bv_file_get_info( file ).version_minor, 5 );
	assert_true( bv_file_get_clip( file, &clip ) );
	assert_int_equal( clip.name.length, 5 );
	assert_memory_equal( clip.name.data, "sw\xc3\xa1y", 5 );
	assert_true( clip.start == 0 && clip.end == 2 && clip.samples == samples && clip.segments == 2 );
	assert_true( clip.record == 0 && clip.moves && clip.frames );
	for ( uint32_t s = 0; s < 3; ++s )
	{
		assert_true( bv_file_get_clip_box( file, 0, s < 2 ? s : BV_CLIP_WHOLE, &box ) );
		const double slack = clip.step + 1e-6;
		assert_true( box.box.lower.x <= 0 && box.box.lower.x >= -slack && box.box.lower.z <= 0 );
		assert_true( box.box.upper.x >= 2.5 && box.box.upper.x <= 2.5 + slack && box.box.upper.y >= 2 );
		assert_true( box.error >= 0 && box.error < 2 );
	}
	assert_false( bv_file_get_clip_box( file, 0, 2, &box ) );
	assert_false( bv_file_get_clip_box( file, bv_file_get_hierarchy( file ).nodes, 0, &box ) );
	double sum = 0;
	for ( uint32_t s = 0; s < samples; ++s )
	{
		assert_true( bv_file_get_clip_sample( file, s, &sample ) &&
		             sample.time == 2.0 * s / ( samples - 1 ) );
		sum += sample.cost;
		for ( uint32_t v = 0; v < 8; ++v )
		{
			bv_vec3 at = swaying( bv_file_get_vertex( file, v ), sample.time );
			assert_true( bv_file_get_clip_position( file, s, v, &p ) );
			assert_true( fabs( p.x - at.x ) <= clip.step && p.z == at.z );
		}
	}
	assert_true( bv_file_get_clip_candidate( file, clip.chosen, &candidate ) && candidate.cost == sum );
	assert_int_equal( candidate.nodes, bv_file_get_hierarchy( file ).nodes );
	assert_false( bv_file_get_clip_sample( file, samples, &sample ) );
	assert_false( bv_file_get_clip_position( file, samples, 0, &p ) );
	assert_false( bv_file_get_clip_position( file, 0, 8, &p ) );
	assert_false( bv_file_get_clip_candidate( file, clip.candidates, &candidate ) );
}

static void a_file_without_a_clip_says_so( void** state )
{
	const bv_file* file = open_bytes( small_file( *state, bvb_positions_float ) );
	bv_clip clip;
	bv_clip_box box;
	bv_vec3 p;
	assert_false( bv_file_get_clip( file, &clip ) );
	assert_false( bv_file_get_clip_box( file, 0, BV_CLIP_WHOLE, &box ) );
	assert_false( bv_file_get_clip_position( file, 0, 0, &p ) );
}

// Volumes of each type are fitted to each sample; verification proves the boxes.
static void clips_of_all_volume_types_are_verified( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	for ( int type = 0; type <= bv_volume_types; ++type )
	{
		uint32_t types = type < bv_volume_types ? 1u << type : ( 1u << bv_volume_prism ) - 1;
		bvb_error error = { "" };
		bvb_bytes bytes = file_with( f, &mesh, 1 + (uint32_t)type % 2, type % 3 == 0, types );
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	}
}

static bvfile_clip* clip_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_clip );
}

static bvfile_clip_view view_of( bvb_bytes b )
{
	return bvfile_clip_view_of( section_of( b, bvfile_section_clip ), hierarchy_of( b )->nodes, 8 );
}

static bvfile_clip_box* boxes_of( bvb_bytes b )
{
	return (bvfile_clip_box*)view_of( b ).boxes;
}

static void break_samples( bvb_bytes b )
{
	clip_of( b )->samples = 0;
}
static void break_many_samples( bvb_bytes b )
{
	clip_of( b )->samples = 4097;
}
static void break_segments( bvb_bytes b )
{
	clip_of( b )->segments = 0;
}
static void break_many_segments( bvb_bytes b )
{
	clip_of( b )->segments = samples;
}
static void break_record( bvb_bytes b )
{
	clip_of( b )->record = samples;
}
static void break_candidates( bvb_bytes b )
{
	clip_of( b )->candidates = 6;
}
static void break_chosen( bvb_bytes b )
{
	clip_of( b )->chosen = clip_of( b )->candidates;
}
static void break_moves( bvb_bytes b )
{
	clip_of( b )->moves = 2;
}
static void break_reserved( bvb_bytes b )
{
	clip_of( b )->reserved[5] = 1;
}
static void break_size( bvb_bytes b )
{
	clip_of( b )->has_frames = 0;
}
static void break_name_size( bvb_bytes b )
{
	clip_of( b )->name_bytes = UINT32_MAX;
}
static void break_start( bvb_bytes b )
{
	clip_of( b )->start = -1;
}
static void break_end( bvb_bytes b )
{
	clip_of( b )->end = 0;
}
static void break_infinite_end( bvb_bytes b )
{
	clip_of( b )->end = INFINITY;
}
static void break_step( bvb_bytes b )
{
	clip_of( b )->step *= 1.5;
}
static void break_large_step( bvb_bytes b )
{
	clip_of( b )->step = 0x1p121;
}
static void break_origin( bvb_bytes b )
{
	clip_of( b )->origin[1] += clip_of( b )->step / 2;
}
static void break_origin_nan( bvb_bytes b )
{
	clip_of( b )->origin[2] = NAN;
}
static void break_cost( bvb_bytes b )
{
	( (bvfile_clip_sample*)view_of( b ).samples )->cost = -1;
}
static void break_rebuilt( bvb_bytes b )
{
	( (bvfile_clip_sample*)view_of( b ).samples )[8].rebuilt = NAN;
}
static void break_candidate( bvb_bytes b )
{
	( (bvfile_clip_candidate*)view_of( b ).candidates )->sample = samples;
}
static void break_box( bvb_bytes b )
{
	boxes_of( b )[1].lower[2] = (uint16_t)( boxes_of( b )[1].upper[2] + 1 );
}
static void break_error( bvb_bytes b )
{
	boxes_of( b )[0].error = -1;
}
static void break_error_nan( bvb_bytes b )
{
	boxes_of( b )[0].error = NAN;
}
static void break_name( bvb_bytes b )
{
	( (char*)view_of( b ).name )[0] = '\n';
}
static void break_utf8( bvb_bytes b )
{
	( (char*)view_of( b ).name )[3] = 'a';
}

static void open_refuses_impossible_clips( void** state )
{
	static const char counts[] = "a count or a flag of the clip section is out of range";
	static const char sizes[] = "the clip section has the wrong size";
	static const char grids[] = "the time or the grid of the clip section is out of range";
	static const char costs[] = "a cost of the clip section is out of range";
	static const char boxes[] = "a box of the clip section is invalid";
	static const char names[] = "the name of the clip is not valid UTF-8 or has control characters";
	const damage damages[] = {
		{ counts, break_samples },  { counts, break_many_samples },
		{ counts, break_segments }, { counts, break_many_segments },
		{ counts, break_record },   { counts, break_candidates },
		{ counts, break_chosen },   { counts, break_moves },
		{ counts, break_reserved }, { sizes, break_size },
		{ sizes, break_name_size }, { grids, break_start },
		{ grids, break_end },       { grids, break_infinite_end },
		{ grids, break_step },      { grids, break_large_step },
		{ grids, break_origin },    { grids, break_origin_nan },
		{ costs, break_cost },      { costs, break_rebuilt },
		{ costs, break_candidate }, { boxes, break_box },
		{ boxes, break_error },     { boxes, break_error_nan },
		{ names, break_name },      { names, break_utf8 },
	};
	fixture* f = *state;
	expect_refused( f, box_file( f ), damages, sizeof damages / sizeof *damages );
}

// Each side of each box, moved inward by two steps, is noticed: by a vertex at a sample or by the box of a child.
static void verification_finds_each_box_that_is_too_small( void** state )
{
	fixture* f = *state;
	bvb_bytes bytes = box_file( f );
	uint32_t count = 3 * hierarchy_of( bytes )->nodes;
	for ( uint32_t i = 0; i < 6 * count; ++i )
	{
		bvb_error error = { "" };
		bvb_bytes copy = copy_of( f, bytes );
		bvfile_clip_box* box = boxes_of( copy ) + i / 6;
		uint16_t* side = i % 6 < 3 ? &box->lower[i % 3] : &box->upper[i % 3];
		*side = (uint16_t)( i % 6 < 3 ? *side + 2 : *side - 2 );
		repair( copy );
		const char* reason;
		if ( open_status( copy, &reason ) == bv_ok )
		{
			assert_int_equal( verify_status( f, copy, &error ), bv_error_damaged );
			assert_non_null( strstr( error.message, "over the clip" ) );
		}
	}
}

static void verification_finds_boxes_that_are_no_unions( void** state )
{
	fixture* f = *state;
	bvb_error error = { "" };
	bvb_bytes bytes = copy_of( f, box_file( f ) );
	boxes_of( bytes )->upper[0] += 1;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "is not the union" ) );
}

static void verification_finds_a_choice_that_is_not_the_best( void** state )
{
	fixture* f = *state;
	bvb_error error = { "" };
	bvb_bytes bytes = copy_of( f, box_file( f ) );
	( (bvfile_clip_sample*)view_of( bytes ).samples )[3].cost *= 2;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_string_equal( error.message, "the chosen hierarchy of the clip is not the one of least cost" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_clip_is_read_back ),
		fixture_test( a_file_without_a_clip_says_so ),
		fixture_test( clips_of_all_volume_types_are_verified ),
		fixture_test( open_refuses_impossible_clips ),
		fixture_test( verification_finds_each_box_that_is_too_small ),
		fixture_test( verification_finds_boxes_that_are_no_unions ),
		fixture_test( verification_finds_a_choice_that_is_not_the_best ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
