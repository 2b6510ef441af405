// Clips in the pipeline: which vertices are merged, which triangles stay, which pose is the mesh, and how options apply to all
// samples. Expected values are counted by hand or closed forms.

#include "clips.h"

#include <math.h>

static bv_status build( fixture* f, const bvb_mesh* mesh, const bvb_clip* clip,
                        const bvb_asset_options* options, bvb_asset* out, bvb_error* error )
{
	bvb_scene scene = { .mesh = *mesh, .clip = clip };
	bvb_source source = { .name = "clip.glb", .format = "glb" };
	return bvb_asset_build( &scene, &source, options, f->arena, out, error );
}

// A clip of three samples, 0, 1 and 2 s, of positions that `at` returns.
static bvb_clip* clip_of( fixture* f, uint32_t vertices, bv_vec3 at( uint32_t vertex, uint32_t sample ) )
{
	enum
	{
		samples = 3,
	};
	bvb_clip* clip = bvb_arena_allocate( f->arena, 1, sizeof *clip );
	*clip = ( bvb_clip ){ "c", 0, 2, samples, 1, vertices, NULL, NULL };
	clip->frames = bvb_arena_allocate( f->arena, (size_t)samples * vertices, sizeof *clip->frames );
	clip->swept = bvb_arena_allocate( f->arena, vertices, sizeof *clip->swept );
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		bv_aabb box = { at( v, 0 ), at( v, 0 ) };
		for ( uint32_t s = 0; s < samples; ++s )
		{
			bv_vec3 p = at( v, s );
			clip->frames[s * vertices + v] = p;
			box.lower =
				( bv_vec3 ){ fmin( box.lower.x, p.x ), fmin( box.lower.y, p.y ), fmin( box.lower.z, p.z ) };
			box.upper =
				( bv_vec3 ){ fmax( box.upper.x, p.x ), fmax( box.upper.y, p.y ), fmax( box.upper.z, p.z ) };
		}
		clip->swept[v] = box;
	}
	return clip;
}

// Two triangles of a soup that share the edge x = 1 and part from the second sample on, and a third one that stays with the first.
static const bv_vec3 quad[9] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 1, 0, 0 }, { 2, 0, 0 },
	                             { 1, 1, 0 }, { 0, 0, 0 }, { 1, 1, 0 }, { 0, 1, 0 } };
static const uint32_t soup[3][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 } };

static bv_vec3 parting( uint32_t vertex, uint32_t sample )
{
	bv_vec3 p = quad[vertex];
	bool leaves = vertex / 3 == 1;
	return ( bv_vec3 ){ p.x + ( leaves ? sample : 0 ), p.y, p.z };
}

static void only_vertices_that_stay_together_are_merged( void** state )
{
	fixture* f = *state;
	bvb_asset asset;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
	assert_int_equal( build( f, &mesh, clip_of( f, 9, parting ), &options, &asset, NULL ), bv_ok );
	assert_int_equal( asset.record.mesh.triangle_count, 3 );
	assert_int_equal( asset.record.mesh.vertex_count, 7 ); // 4 of the two that stay, 3 of the one that leaves
	assert_int_equal( asset.record.merged_vertices, 2 );
	assert_true( asset.clip.moves && asset.clip.record == 0 );
}

// Sums in another order differ by some units in the last place; those are the same vertex.
static bv_vec3 rounded( uint32_t vertex, uint32_t sample )
{
	bv_vec3 p = quad[vertex];
	double error = vertex / 3 == 1 ? 0x1p-52 * sample : 0;
	return ( bv_vec3 ){ p.x * ( 1 + error ) + sample, p.y * ( 1 - error ), p.z };
}

static void roundings_do_not_part_vertices( void** state )
{
	fixture* f = *state;
	bvb_asset asset;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
	assert_int_equal( build( f, &mesh, clip_of( f, 9, rounded ), &options, &asset, NULL ), bv_ok );
	assert_int_equal( asset.record.mesh.vertex_count, 5 );
}

// The second triangle has no area at the first sample, the third one never has any.
static bv_vec3 unfolding( uint32_t vertex, uint32_t sample )
{
	bv_vec3 p = quad[vertex];
	return vertex == 5 && sample == 0 ? ( bv_vec3 ){ 1.5, 0, 0 }
	       : vertex / 3 == 2          ? ( bv_vec3 ){ p.x, p.x, 0 }
	                                  : p;
}

static void the_mesh_is_the_first_pose_with_all_triangles( void** state )
{
	fixture* f = *state;
	bvb_asset asset;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
	assert_int_equal( build( f, &mesh, clip_of( f, 9, unfolding ), &options, &asset, NULL ), bv_ok );
	assert_int_equal( asset.clip.record, 1 );
	assert_int_equal( asset.record.mesh.triangle_count, 2 );
	assert_int_equal( asset.record.removed_degenerate, 1 );
}

static bv_vec3 in_turns( uint32_t vertex, uint32_t sample )
{
	return vertex / 3 == sample ? quad[0] : quad[vertex];
}

static void a_clip_without_such_a_pose_is_an_error( void** state )
{
	fixture* f = *state;
	bvb_asset asset;
	bvb_error error;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
	assert_int_equal( build( f, &mesh, clip_of( f, 9, in_turns ), &options, &asset, &error ),
	                  bv_error_input );
	assert_string_equal( error.message,
	                     "clip 'c': no sample has all triangles that have an area at some sample: "
	                     "face 0 of the source has none at sample 0" );
}

static void duplicates_are_dropped_if_they_stay_together( void** state )
{
	fixture* f = *state;
	static const uint32_t twice[4][3] = { { 0, 1, 2 }, { 3, 4, 5 }, { 6, 7, 8 }, { 2, 0, 1 } };
	bvb_asset asset;
	bvb_asset_options options = plain_options();
	bvb_mesh mesh = mesh_of( f, quad, 9, twice, 4 );
	assert_int_equal( build( f, &mesh, clip_of( f, 9, parting ), &options, &asset, NULL ), bv_ok );
	assert_int_equal( asset.record.mesh.triangle_count, 3 );
	assert_int_equal( asset.record.removed_duplicate, 1 );
}

static bv_vec3 point_of( const bvb_clip_asset* c, const uint16_t code[3] )
{
	return ( bv_vec3 ){ c->origin.x + c->step * code[0], c->origin.y + c->step * code[1],
		                c->origin.z + c->step * code[2] };
}

// Up along z, centimeters, twice as large: ( x, y, z ) becomes 0.02 ( x, z, -y ). The box of the root encloses that of all samples,
// by less than a step and the rounding of positions.
static void options_of_the_record_apply_to_all_samples( void** state )
{
	fixture* f = *state;
	for ( int form = 0; form < 2; ++form )
	{
		bvb_asset asset;
		bvb_asset_options options = plain_options();
		options.record.up = bvb_up_z;
		options.record.units = bvb_units_centimeter;
		options.record.scale = 2;
		options.record.positions = (bvb_position_form)form;
		bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
		assert_int_equal( build( f, &mesh, clip_of( f, 9, parting ), &options, &asset, NULL ), bv_ok );
		bv_vec3 lower = point_of( &asset.clip, asset.clip.boxes[0].lower );
		bv_vec3 upper = point_of( &asset.clip, asset.clip.boxes[0].upper );
		double slack = asset.clip.step + 1e-8;
		assert_true( lower.x <= 0 && lower.x >= -slack && upper.x >= 0.08 && upper.x <= 0.08 + slack );
		assert_true( lower.z <= -0.02 && lower.z >= -0.02 - slack && upper.z >= 0 && upper.z <= slack );
		assert_true( lower.y <= 0 && upper.y >= 0 && upper.y <= slack );
	}
}

// The pose of the file is normalized: its box is 2 x 1, so it is moved by ( -1, -0.5 ) and divided by sqrt( 5 ) / 2. The same is done
// to the others.
static void normalizing_moves_all_samples_alike( void** state )
{
	fixture* f = *state;
	bvb_asset asset;
	bvb_asset_options options = plain_options();
	options.record.normalize = true;
	bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
	assert_int_equal( build( f, &mesh, clip_of( f, 9, parting ), &options, &asset, NULL ), bv_ok );
	bv_vec3 upper = point_of( &asset.clip, asset.clip.boxes[0].upper );
	double expected = ( 4 - 1 ) / ( sqrt( 5 ) / 2 );
	assert_true( upper.x >= expected - 1e-12 && upper.x <= expected + asset.clip.step + 1e-6 );
}

static void options_that_clean_poses_differently_are_rejected( void** state )
{
	fixture* f = *state;
	bvb_asset asset;
	bvb_asset_options options[3] = { plain_options(), plain_options(), plain_options() };
	options[0].record.weld = 0.1;
	options[1].record.drop_non_finite = true;
	options[2].sections = 1u << bvb_section_mesh;
	bvb_mesh mesh = mesh_of( f, quad, 9, soup, 3 );
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( build( f, &mesh, clip_of( f, 9, parting ), &options[i], &asset, NULL ),
		                  bv_error_argument );
	}
	bvb_clip* other = clip_of( f, 9, parting );
	other->vertex_count = 8;
	bvb_asset_options plain = plain_options();
	assert_int_equal( build( f, &mesh, other, &plain, &asset, NULL ), bv_error_argument );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( only_vertices_that_stay_together_are_merged ),
		fixture_test( roundings_do_not_part_vertices ),
		fixture_test( the_mesh_is_the_first_pose_with_all_triangles ),
		fixture_test( a_clip_without_such_a_pose_is_an_error ),
		fixture_test( duplicates_are_dropped_if_they_stay_together ),
		fixture_test( options_of_the_record_apply_to_all_samples ),
		fixture_test( normalizing_moves_all_samples_alike ),
		fixture_test( options_that_clean_poses_differently_are_rejected ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
