// What skins take: arrays of all forms, and which arguments are errors that change nothing.

#include "skinned.h"
#include "tests/unit/bvh_damage.h"

#include "bvworld/deform_contact.h"

static skinned small_skin( fixture* f )
{
	bvb_mesh mesh = tube_mesh( f, 12, 6 );
	bvb_asset_options options = plain_options();
	return skin_along( f, build_file( f, &mesh, &options ), 4, NULL );
}

// The same pairs as 32-bit bones, in other strides, with an index, and as floats in place of doubles.
static void forms_of_arrays_do_not_matter( void** state )
{
	fixture* f = *state;
	enum
	{
		slots = 3,
	};
	typedef struct record
	{
		uint32_t bone[slots];
		float color[2];
		float weight[slots];
		float normal[3];
	} record;
	bvb_mesh mesh = tube_mesh( f, 12, 6 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	skinned_arrays a = new_arrays( f, vertices );
	weigh_along( file, 4, &a );
	bvw_weights weights = weights_of( &a, vertices, 4 );
	weights.more = ( bvw_influences ){ .count = 0 };
	skinned s = skin_file( f, file, 4, &weights, NULL );
	record* records = bvb_arena_allocate( f->arena, vertices + 5, sizeof *records );
	uint32_t* index = bvb_arena_allocate( f->arena, vertices, sizeof *index );
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		index[i] = vertices + 4 - i;
		for ( int k = 0; k < slots; ++k )
		{
			records[index[i]].bone[k] = a.bone[i][k];
			records[index[i]].weight[k] = 0.25f * a.weight[i][k]; // divided by their sum
		}
	}
	bvw_weights other = {
		.set = { .bones = records->bone,
		         .weights = records->weight,
		         .bone_bytes = 4,
		         .count = slots,
		         .bones_stride = sizeof *records,
		         .weights_stride = sizeof *records },
		.vertices = vertices + 5,
		.bones = 4,
		.index = index,
	};
	skinned t = skin_file( f, file, 4, &other, NULL );
	float* floats = bvb_arena_allocate( f->arena, 20 * 4, sizeof *floats );
	for ( int kind = 0; kind < pose_kinds; ++kind )
	{
		pose_bones( f, &s, kind );
		for ( int i = 0; i < 64; ++i )
		{
			floats[20 * ( i / 16 ) + i % 16] = (float)s.matrices[i];
			s.matrices[i] = floats[20 * ( i / 16 ) + i % 16];
		}
		bvw_bones bones = bones_of( &s );
		bvw_bones same = { .floats = floats, .stride = 80, .count = 4 };
		assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
		assert_int_equal( bvw_skin_pose( t.skin, &same, NULL ), bv_ok );
		bv_vec3* expected = skinned_positions( f, &s );
		bv_vec3* positions = skinned_positions( f, &t );
		assert_memory_equal( positions, expected, vertices * sizeof *positions );
		bv_vec3 one;
		assert_int_equal( bvw_skin_get_positions( t.skin, vertices - 1, 9, &one ), 1 );
		assert_memory_equal( &one, expected + vertices - 1, sizeof one );
	}
}

static void wrong_weights_are_errors( void** state )
{
	fixture* f = *state;
	skinned s = small_skin( f );
	bvw_weights good = s.weights;
	uint16_t* bone = (uint16_t*)(void*)good.set.bones;
	float* weight = (float*)(void*)good.set.weights;
	size_t bytes = bvw_skin_bytes( s.deform, &good );
	void* memory = new_block( f, bytes );
	bvw_skin* out = NULL;
	assert_int_equal( bvw_skin_begin( s.deform, &good, memory, bytes - 1, &out ), bv_error_memory );
	assert_int_equal( bvw_skin_begin( NULL, &good, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bvw_skin_begin( s.deform, NULL, memory, bytes, &out ), bv_error_argument );
	assert_int_equal( bvw_skin_begin( s.deform, &good, NULL, bytes, &out ), bv_error_argument );
	assert_int_equal( bvw_skin_begin( s.deform, &good, (char*)memory + 4, bytes, &out ), bv_error_argument );
	assert_int_equal( bvw_skin_begin( s.deform, &good, memory, bytes, NULL ), bv_error_argument );
	enum
	{
		wrong_members = 16,
	};
	for ( int i = 0; i < wrong_members; ++i )
	{
		bvw_weights w = good;
		uint32_t index[1000] = { 0 };
		switch ( i )
		{
		case 0: w.set.bones = NULL; break;
		case 1: w.set.weights = NULL; break;
		case 2: w.set.bone_bytes = 3; break;
		case 3: w.set.count = 0; break;
		case 4: w.set.count = BVW_MAX_INFLUENCES + 1; break;
		case 5: w.set.bones_stride = 1; break;
		case 6: w.set.bones_stride = 8; break;
		case 7: w.set.weights_stride = 4; break;
		case 8: w.set.weights_stride = 22; break;
		case 9: w.more.bones = NULL; break;
		case 10: w.vertices = s.vertices - 1; break;
		case 11: w.vertices = s.vertices + 1; break;
		case 12: w.bones = 0; break;
		case 13: w.bones = BVW_MAX_BONES + 1; break;
		case 14: w.set.weights = (const float*)(const void*)( (const char*)w.set.weights + 2 ); break;
		default: w.index = index; index[s.vertices - 1] = s.vertices;
		}
		assert_int_equal( bvw_skin_bytes( s.deform, &w ), 0 );
		assert_int_equal( bvw_skin_begin( s.deform, &w, memory, bytes, &out ), bv_error_argument );
	}
	static const float wrong[] = { NAN, INFINITY, -INFINITY, -0x1p-149f };
	size_t at = skinned_slots * ( s.vertices / 2 );
	for ( int i = 0; i < 4; ++i )
	{
		float kept = weight[at + 3];
		weight[at + 3] = wrong[i];
		assert_int_equal( bvw_skin_begin( s.deform, &good, memory, bytes, &out ), bv_error_argument );
		weight[at + 3] = kept;
	}
	uint16_t kept = bone[at];
	weight[at] = 1;
	bone[at] = 4;
	assert_int_equal( bvw_skin_begin( s.deform, &good, memory, bytes, &out ), bv_error_argument );
	bone[at] = kept;
	weight[at] = weight[at + 1] = 0;
	assert_int_equal( bvw_skin_begin( s.deform, &good, memory, bytes, &out ), bv_error_argument );
	weight[at] = 0x1p-149f;
	bytes = bvw_skin_bytes( s.deform, &good );
	memory = new_block( f, bytes );
	assert_int_equal( bvw_skin_begin( s.deform, &good, memory, bytes, &out ), bv_ok );
	assert_ptr_equal( out, memory );
}

static size_t image_bytes( const bv_file* file )
{
	uint64_t bytes;
	memcpy( &bytes, (const char*)file + 24, sizeof bytes );
	return (size_t)bytes;
}

static void assert_wrong_bones( skinned* s, const bvw_bones* bones )
{
	assert_int_equal( bvw_skin_pose( s->skin, bones, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_refit( s->skin, bones, NULL ), bv_error_argument );
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	assert_int_equal( bvw_skin_near( s->skin, bones, &box, 1, NULL ), bv_error_argument );
}

static void wrong_bones_change_nothing( void** state )
{
	fixture* f = *state;
	skinned s = small_skin( f );
	bvw_bones good = bones_of( &s );
	assert_int_equal( bvw_skin_exact( s.skin, NULL, NULL ), bv_error_argument ); // no pose yet
	pose_bones( f, &s, pose_chain );
	assert_int_equal( bvw_skin_pose( s.skin, &good, NULL ), bv_ok );
	size_t size = image_bytes( bvw_skin_file( s.skin ) );
	size_t bytes = bvw_skin_bytes( s.deform, &s.weights );
	char* image = new_block( f, size );
	char* block = new_block( f, bytes );
	memcpy( image, bvw_skin_file( s.skin ), size );
	memcpy( block, s.skin, bytes );
	pose_bones( f, &s, pose_rigid );
	float floats[64] = { 0 };
	bvw_bones wrong[] = {
		{ .count = 4 },
		{ .matrices = s.matrices, .floats = floats, .count = 4 },
		{ .matrices = s.matrices, .count = 3 },
		{ .matrices = s.matrices, .count = 4, .stride = 120 },
		{ .matrices = s.matrices, .count = 4, .stride = 132 },
		{ .floats = floats, .count = 4, .stride = 60 },
		{ .floats = floats, .count = 4 }, // the last row is 0
		{ .matrices = (const double*)(const void*)( (const char*)s.matrices + 4 ), .count = 4 },
	};
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		assert_wrong_bones( &s, wrong + i );
	}
	assert_wrong_bones( &s, NULL );
	static const double values[] = { NAN, INFINITY, -INFINITY, 1e308, 0x1p123 };
	for ( int i = 0; i < 64; ++i )
	{
		double kept = s.matrices[i];
		for ( int k = 0; k < 5; ++k )
		{
			s.matrices[i] = values[k];
			assert_wrong_bones( &s, &good );
		}
		s.matrices[i] = kept;
	}
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	for ( int i = 0; i < 3; ++i )
	{
		bv_aabb bad = box;
		( &bad.upper.x )[i] = -1;
		assert_int_equal( bvw_skin_exact( s.skin, &bad, NULL ), bv_error_argument );
		( &bad.upper.x )[i] = NAN;
		assert_int_equal( bvw_skin_exact( s.skin, &bad, NULL ), bv_error_argument );
	}
	for ( int i = 0; i < 3; ++i )
	{
		bv_aabb two[2] = { box, box };
		( &two[1].lower.x )[i] = NAN;
		assert_int_equal( bvw_skin_near( s.skin, &good, two, 2, NULL ), bv_error_argument );
	}
	bv_aabb many[BVW_MAX_REGIONS + 1];
	for ( uint32_t i = 0; i <= BVW_MAX_REGIONS; ++i )
	{
		many[i] = box;
	}
	assert_int_equal( bvw_skin_near( s.skin, &good, many, BVW_MAX_REGIONS + 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_near( s.skin, &good, many, 0, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_near( s.skin, &good, NULL, 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_near( NULL, &good, many, 1, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_exact( NULL, &box, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_pose( NULL, &good, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_refit( NULL, &good, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_get_positions( NULL, 0, 1, &box.lower ), 0 );
	assert_int_equal( bvw_skin_get_positions( s.skin, s.vertices, 1, &box.lower ), 0 );
	assert_int_equal( bvw_skin_get_positions( s.skin, 0, 1, NULL ), 0 );
	assert_null( bvw_skin_file( NULL ) );
	assert_memory_equal( image, bvw_skin_file( s.skin ), size );
	assert_memory_equal( block, s.skin, bytes );
}

// Matrices of bones that no vertex has must be finite, but can move points anywhere.
static void unused_bones_can_be_far( void** state )
{
	fixture* f = *state;
	skinned s = small_skin( f );
	bvw_weights w = s.weights;
	w.bones = 300;
	skinned t = skin_file( f, s.file, 300, &w, NULL );
	bvw_bones bones = bones_of( &t );
	pose_bones( f, &t, pose_rigid );
	t.matrices[16 * 299] = 1e308;
	assert_int_equal( bvw_skin_pose( t.skin, &bones, NULL ), bv_ok );
	t.matrices[16 * 299] = NAN;
	assert_int_equal( bvw_skin_pose( t.skin, &bones, NULL ), bv_error_argument );
}

// What looks at all triangles needs all vertices.
static void functions_of_all_triangles_need_exact_poses( void** state )
{
	fixture* f = *state;
	skinned s = small_skin( f );
	bvw_bones bones = bones_of( &s );
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	pose_bones( f, &s, pose_chain );
	for ( int i = 0; i < 3; ++i )
	{
		assert_int_equal( i == 0   ? bvw_skin_pose( s.skin, &bones, NULL )
		                  : i == 1 ? bvw_skin_near( s.skin, &bones, &box, 1, NULL )
		                           : bvw_skin_refit( s.skin, &bones, NULL ),
		                  bv_ok );
		bvw_self_collide_result pairs;
		bvw_deform_quality_result quality;
		bv_status expected = i < 2 ? bv_error_argument : bv_ok;
		assert_int_equal( bvw_deform_self_collide( s.deform, NULL, &pairs ), expected );
		assert_int_equal( bvw_deform_quality( s.deform, &quality ), expected );
	}
}

// Of two skins of a mesh, the last pose counts. Before the first one, positions are those of the file.
static void the_last_pose_counts( void** state )
{
	fixture* f = *state;
	skinned s = small_skin( f );
	bvw_bones bones = bones_of( &s );
	size_t bytes = bvw_skin_bytes( s.deform, &s.weights );
	bvw_skin* other;
	assert_int_equal( bvw_skin_begin( s.deform, &s.weights, new_block( f, bytes ), bytes, &other ), bv_ok );
	bv_vec3* positions = skinned_positions( f, &s );
	for ( uint32_t i = 0; i < s.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( s.file, i );
		assert_memory_equal( positions + i, &p, sizeof p );
	}
	bv_aabb box = { { 0, 0, 0 }, { 1, 1, 1 } };
	pose_bones( f, &s, pose_chain );
	assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
	assert_int_equal( bvw_skin_exact( other, &box, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_exact( s.skin, &box, NULL ), bv_ok );
	assert_int_equal( bvw_skin_pose( other, &bones, NULL ), bv_ok );
	assert_int_equal( bvw_skin_exact( s.skin, &box, NULL ), bv_error_argument );
	assert_int_equal( bvw_skin_refit( s.skin, &bones, NULL ), bv_ok );
	assert_int_equal( bvw_skin_exact( s.skin, &box, NULL ), bv_ok );
	positions = skinned_positions( f, &s );
	bvw_vertices vertices = { .positions = &positions->x, .count = s.vertices };
	assert_int_equal( bvw_deform_refit( s.deform, &vertices, NULL, 0, NULL ), bv_ok );
	assert_int_equal( bvw_skin_exact( s.skin, NULL, NULL ), bv_error_argument );
}

// 65,536 bones, and as many pairs as a vertex can have.
static void limits_can_be_reached( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 4 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	size_t count = (size_t)vertices * BVW_MAX_INFLUENCES;
	uint32_t* bone = bvb_arena_allocate( f->arena, 2 * count, sizeof *bone );
	float* weight = bvb_arena_allocate( f->arena, 2 * count, sizeof *weight );
	for ( size_t i = 0; i < 2 * count; ++i )
	{
		bone[i] = i == 5 ? BVW_MAX_BONES - 1 : (uint32_t)( random_bits( f ) % BVW_MAX_BONES );
		weight[i] = 0x1.fffffep127f;
	}
	bvw_influences set = { .bones = bone, .weights = weight, .bone_bytes = 4, .count = BVW_MAX_INFLUENCES };
	bvw_weights weights = { .set = set, .more = set, .vertices = vertices, .bones = BVW_MAX_BONES };
	weights.more.bones = bone + count;
	weights.more.weights = weight + count;
	skinned s = skin_file( f, file, BVW_MAX_BONES, &weights, NULL );
	bvw_bones bones = bones_of( &s );
	pose_bones( f, &s, pose_rigid );
	assert_int_equal( bvw_skin_pose( s.skin, &bones, NULL ), bv_ok );
	bv_vec3* positions = skinned_positions( f, &s );
	assert_nodes_hold( bvw_skin_file( s.skin ), positions );
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		wide x[3];
		expected_position( &s, i, x );
		assert_true( fabs( (double)x[0] - positions[i].x ) < 1e-6 );
	}
}

// bvbuild writes none. A file with some can be opened, and bones must not take them out of the range.
static void vertices_without_triangles_stay( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = tube_mesh( f, 2, 4 );
	bvb_asset_options options = plain_options();
	bvb_bytes bytes = copy_of( f, build_bytes( f, &mesh, &options ) );
	uint8_t last = (uint8_t)( mesh.vertex_count - 1 );
	uint8_t* codes = triangle_codes_of( bytes );
	for ( uint32_t i = 0; i < 3 * mesh.triangle_count; ++i )
	{
		codes[i] = codes[i] == last ? 0 : codes[i];
	}
	repair( bytes );
	const bv_file* file = open_bytes( bytes );
	skinned_arrays a = new_arrays( f, mesh.vertex_count );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		a.bone[i][0] = i == last;
		a.weight[i][0] = 1;
	}
	bvw_weights weights = weights_of( &a, mesh.vertex_count, 2 );
	skinned s = skin_file( f, file, 2, &weights, NULL );
	pose_bones( f, &s, pose_rigid );
	s.matrices[16 + 12] = 1e300;
	bvw_bones bones = bones_of( &s );
	bv_aabb region = { { 4, -2, -2 }, { 5, 2, 2 } };
	for ( int i = 0; i < 4; ++i )
	{
		assert_int_equal( i == 0   ? bvw_skin_pose( s.skin, &bones, NULL )
		                  : i == 1 ? bvw_skin_exact( s.skin, NULL, NULL )
		                  : i == 2 ? bvw_skin_refit( s.skin, &bones, NULL )
		                           : bvw_skin_near( s.skin, &bones, &region, 1, NULL ),
		                  bv_ok );
		bv_vec3 rest = bv_file_get_vertex( file, last );
		bv_vec3 p = bv_file_get_vertex( bvw_skin_file( s.skin ), last );
		bv_vec3 q = skinned_positions( f, &s )[last];
		assert_memory_equal( &p, &rest, sizeof p );
		assert_memory_equal( &q, &rest, sizeof p );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( forms_of_arrays_do_not_matter ),
		fixture_test( wrong_weights_are_errors ),
		fixture_test( wrong_bones_change_nothing ),
		fixture_test( unused_bones_can_be_far ),
		fixture_test( the_last_pose_counts ),
		fixture_test( functions_of_all_triangles_need_exact_poses ),
		fixture_test( limits_can_be_reached ),
		fixture_test( vertices_without_triangles_stay ),
	};
	return cmocka_run_group_tests_name( "deform/skin_input", tests, NULL, NULL );
}
