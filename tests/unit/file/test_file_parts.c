// Convex parts in the file: what is written is read, and each rule is checked.

#include "bvh_damage.h"
#include "parts.h"

static bvb_bytes row_bytes( fixture* f )
{
	bvb_mesh mesh = row_mesh( f );
	bvb_decomposition d = row_decomposition( f );
	return bytes_with( f, &mesh, &d, all_of_parts );
}

static void expect_part( const bv_file* file, uint32_t index, const bvb_part* expected, bool triangles )
{
	bv_part part;
	const uint32_t* list;
	assert_true( bv_file_get_part( file, index, &part ) );
	assert_int_equal( part.vertices, expected->vertex_count );
	assert_int_equal( part.faces, expected->face_count );
	assert_memory_equal( &part.box, &expected->box, sizeof part.box );
	assert_memory_equal( &part.mass, &expected->mass, sizeof part.mass );
	assert_memory_equal( &part.concavity, &expected->concavity, sizeof part.concavity );
	for ( uint32_t i = 0; i < part.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_part_vertex( file, index, i );
		assert_memory_equal( &p, expected->positions + i, sizeof p );
	}
	for ( uint32_t i = 0; i < part.faces; ++i )
	{
		uint32_t corner[3];
		bv_file_get_part_triangle( file, index, i, corner );
		assert_memory_equal( corner, expected->faces[i].corner, sizeof corner );
	}
	assert_int_equal( bv_file_get_part_neighbors( file, index, &list ), expected->neighbor_count );
	assert_memory_equal( list, expected->neighbors, expected->neighbor_count * sizeof *list );
	assert_int_equal( bv_file_get_part_triangles( file, index, &list ),
	                  triangles ? expected->triangle_count : 0 );
	assert_true( !triangles ||
	             memcmp( list, expected->triangles, expected->triangle_count * sizeof *list ) == 0 );
}

static void what_is_written_is_read( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = row_mesh( f );
	bvb_decomposition d = row_decomposition( f );
	d.out_of_time = true;
	for ( int triangles = 0; triangles < 2; ++triangles )
	{
		bvb_sections sections = triangles ? all_of_parts : 1u << bvb_section_parts;
		const bv_file* file = open_bytes( bytes_with( f, &mesh, &d, sections ) );
		bv_decomposition_info info = bv_file_get_decomposition( file );
		assert_true( info.parts == row_parts && info.vertices == 8 * row_parts &&
		             info.faces == 12 * row_parts );
		assert_true( info.solid && info.out_of_time && info.tolerance == 0.5 && info.uncovered == 0x1p-30 );
		assert_true( info.concavity.lower == 0.25 && info.concavity.upper == 0.25 );
		assert_int_equal( info.has_triangles, triangles );
		for ( uint32_t i = 0; i < row_parts; ++i )
		{
			expect_part( file, i, d.parts + i, triangles );
		}
	}
}

static void beyond_the_last_there_is_nothing( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( row_bytes( f ) );
	bv_part part;
	const uint32_t* list;
	uint32_t corner[3] = { 7, 7, 7 };
	static const uint32_t none[3] = { 0, 0, 0 };
	assert_false( bv_file_get_part( file, row_parts, &part ) );
	assert_int_equal( bv_file_get_part_neighbors( file, row_parts, &list ), 0 );
	assert_null( list );
	assert_int_equal( bv_file_get_part_triangles( file, row_parts, &list ), 0 );
	assert_null( list );
	for ( int beyond = 0; beyond < 2; ++beyond )
	{
		bv_vec3 p = bv_file_get_part_vertex( file, beyond ? 0 : row_parts, beyond ? 8 : 0 );
		assert_true( p.x == 0 && p.y == 0 && p.z == 0 );
		bv_file_get_part_triangle( file, beyond ? 0 : row_parts, beyond ? 12 : 0, corner );
		assert_memory_equal( corner, none, sizeof corner );
	}
}

static bool find_any( void* context, uint32_t part )
{
	(void)part;
	*(bool*)context = true;
	return true;
}

static void a_file_without_parts_says_so( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_asset_options options = plain_options();
	const bv_file* file = build_file( f, &mesh, &options );
	bv_part part;
	const uint32_t* list;
	bool found = false;
	assert_int_equal( bv_file_get_decomposition( file ).parts, 0 );
	assert_false( bv_file_get_part( file, 0, &part ) );
	assert_int_equal( bv_file_get_part_neighbors( file, 0, &list ), 0 );
	assert_int_equal( bv_file_get_part_triangles( file, 0, &list ), 0 );
	assert_true( bv_file_visit_parts( file, NULL, find_any, &found ) );
	assert_false( found );
	assert_int_equal( bv_file_get_info( file ).version_minor, 0 );
}

// Readers of version 1.0 pass them over.
static void files_with_parts_are_of_version_1_1( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( row_bytes( f ) );
	assert_int_equal( bv_file_get_info( file ).version_minor, 1 );
	uint32_t found = 0;
	for ( uint32_t i = 0; i < bv_file_get_info( file ).section_count; ++i )
	{
		bv_section_info section = bv_file_get_section( file, i );
		if ( strcmp( section.name, "PART" ) == 0 || strcmp( section.name, "PTRI" ) == 0 )
		{
			assert_true( section.known && !section.required );
			found += 1;
		}
	}
	assert_int_equal( found, 2 );
}

// What a visit finds, up to so many.
typedef struct found_parts
{
	uint32_t part[64];
	uint32_t count;
	uint32_t most;
} found_parts;

static bool find_part( void* context, uint32_t part )
{
	found_parts* found = context;
	found->part[found->count++] = part;
	return found->count < found->most;
}

static bool meet( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && a->lower.y <= b->upper.y && a->lower.z <= b->upper.z &&
	       b->lower.x <= a->upper.x && b->lower.y <= a->upper.y && b->lower.z <= a->upper.z;
}

// Boxes of random size at random places, on a grid so coarse that many of them only touch; against all of them one by one.
static void a_visit_finds_the_parts_whose_boxes_meet( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 1; count <= 33; ++count )
	{
		bvb_part* parts = bvb_arena_allocate( f->arena, count, sizeof *parts );
		for ( uint32_t i = 0; i < count; ++i )
		{
			bv_vec3 lower = { (double)( random_bits( f ) % 9 ), (double)( random_bits( f ) % 9 ),
				              (double)( random_bits( f ) % 9 ) };
			bv_vec3 upper = { lower.x + 1, lower.y + 1 + (double)( random_bits( f ) % 3 ), lower.z + 2 };
			parts[i] = part_of_mesh( moved_box( f, lower, upper ) );
		}
		bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
		bvb_decomposition d = decomposition_of( f, parts, count );
		const bv_file* file = open_bytes( bytes_with( f, &mesh, &d, 1u << bvb_section_parts ) );
		for ( int round = 0; round < 50; ++round )
		{
			bv_vec3 at = { (double)( random_bits( f ) % 12 ), (double)( random_bits( f ) % 12 ),
				           (double)( random_bits( f ) % 12 ) };
			double size = (double)( random_bits( f ) % 4 );
			bv_aabb box = { at, { at.x + size, at.y + size, at.z + size } };
			found_parts found = { .most = 64 };
			uint32_t expected = 0;
			assert_true( bv_file_visit_parts( file, &box, find_part, &found ) );
			for ( uint32_t i = 0; i < count; ++i )
			{
				if ( meet( &parts[i].box, &box ) )
				{
					assert_true( expected < found.count && found.part[expected] == i );
					expected += 1;
				}
			}
			assert_int_equal( found.count, expected );
		}
		found_parts all = { .most = 64 };
		assert_true( bv_file_visit_parts( file, NULL, find_part, &all ) );
		assert_int_equal( all.count, count );
		found_parts first = { .most = 1 };
		assert_false( bv_file_visit_parts( file, NULL, find_part, &first ) );
		assert_int_equal( first.count, 1 );
	}
}

// Faces that do not close a part have no place in a file, nor has another hierarchy.
static void what_has_no_place_is_not_written( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = row_mesh( f );
	for ( int wrong = 0; wrong < 3; ++wrong )
	{
		bvb_scene scene = { .mesh = mesh };
		bvb_source source = { .name = "parts", .format = "test" };
		bvb_asset_options options = plain_options();
		bvb_asset asset;
		bvb_bytes bytes;
		bvb_error error = { "" };
		assert_int_equal( bvb_asset_build( &scene, &source, &options, f->arena, &asset, &error ), bv_ok );
		asset.decomposition = row_decomposition( f );
		asset.decomposition.parts[2].face_count -= wrong == 0;
		asset.decomposition.parts[3].vertex_count = wrong == 1 ? 3 : 8;
		asset.decomposition.node_count -= wrong == 2;
		assert_int_equal( bvb_asset_encode( &asset, f->arena, &bytes, &error ), bv_error_argument );
		assert_string_equal( error.message, "the parts are not closed polyhedra in a hierarchy" );
	}
}

static bvfile_parts* head_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_parts );
}

static bvfile_part* parts_of( bvb_bytes b )
{
	return (bvfile_part*)( head_of( b ) + 1 );
}

static bvfile_part_node* nodes_of( bvb_bytes b )
{
	return (bvfile_part_node*)( parts_of( b ) + row_parts );
}

static float* positions_of( bvb_bytes b )
{
	return (float*)( nodes_of( b ) + 2 * row_parts - 1 );
}

// 1; 0, 2; 1, 3; 2, 4; 3
static uint32_t* neighbors_of( bvb_bytes b )
{
	return (uint32_t*)( positions_of( b ) + 3 * 8 * row_parts );
}

static uint8_t* faces_of( bvb_bytes b )
{
	return (uint8_t*)( neighbors_of( b ) + 2 * ( row_parts - 1 ) );
}

// One more than there are parts, then the triangles.
static uint32_t* triangles_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_part_triangles );
}

static void break_no_parts( bvb_bytes b )
{
	head_of( b )->parts = 0;
}
static void break_many_parts( bvb_bytes b )
{
	head_of( b )->parts = 4097;
}
static void break_few_vertices( bvb_bytes b )
{
	head_of( b )->vertices = 4 * row_parts - 1;
}
static void break_many_vertices( bvb_bytes b )
{
	head_of( b )->vertices = 255 * row_parts + 1;
}
static void break_many_neighbors( bvb_bytes b )
{
	head_of( b )->neighbors = row_parts * ( row_parts - 1 ) + 1;
}
static void break_vertices( bvb_bytes b )
{
	head_of( b )->vertices += 1;
}
static void break_neighbors( bvb_bytes b )
{
	head_of( b )->neighbors -= 1;
}
static void break_parts( bvb_bytes b )
{
	head_of( b )->parts += 1;
}
static void break_solid( bvb_bytes b )
{
	head_of( b )->solid = 2;
}
static void break_time( bvb_bytes b )
{
	head_of( b )->out_of_time = 255;
}
static void break_reserved( bvb_bytes b )
{
	head_of( b )->reserved[1] = 1;
}
static void break_tolerance( bvb_bytes b )
{
	head_of( b )->tolerance = -1;
}
static void break_uncovered( bvb_bytes b )
{
	head_of( b )->uncovered = INFINITY;
}
static void break_uncovered_sign( bvb_bytes b )
{
	head_of( b )->uncovered = -0x1p-1000;
}
static void break_whole( bvb_bytes b )
{
	head_of( b )->concavity.upper = 0.5;
}
static void break_whole_lower( bvb_bytes b )
{
	head_of( b )->concavity.lower = 0;
}
static void break_first_vertex( bvb_bytes b )
{
	parts_of( b )[0].first_vertex = 1;
}
static void break_order( bvb_bytes b )
{
	parts_of( b )[2].first_vertex = 7;
}
static void break_range( bvb_bytes b )
{
	parts_of( b )[4].first_vertex = UINT32_MAX;
}
static void break_corners( bvb_bytes b )
{
	parts_of( b )[4].first_vertex = 8 * row_parts - 3;
}
static void break_first_neighbor( bvb_bytes b )
{
	parts_of( b )[0].first_neighbor = 1;
}
static void break_neighbor_order( bvb_bytes b )
{
	parts_of( b )[3].first_neighbor = 2;
}
static void break_neighbor_range( bvb_bytes b )
{
	parts_of( b )[3].first_neighbor = 2 * ( row_parts - 1 ) + 1;
}
static void break_mass( bvb_bytes b )
{
	parts_of( b )[1].mass.mass = 0;
}
static void break_inertia( bvb_bytes b )
{
	parts_of( b )[1].mass.inertia[2][1] = NAN;
}
static void break_interval( bvb_bytes b )
{
	parts_of( b )[1].concavity.upper = -1;
}
static void break_interval_order( bvb_bytes b )
{
	parts_of( b )[1].concavity.lower = 0.002;
}
static void break_interval_number( bvb_bytes b )
{
	parts_of( b )[1].concavity.upper = INFINITY;
}
static void break_box( bvb_bytes b )
{
	parts_of( b )[3].lower[1] = 0.5f;
}
static void break_box_too_large( bvb_bytes b )
{
	parts_of( b )[3].upper[2] = 5;
}
static void break_position( bvb_bytes b )
{
	positions_of( b )[17] = NAN;
}
static void break_corner( bvb_bytes b )
{
	faces_of( b )[5] = 8;
}
static void break_side( bvb_bytes b )
{
	faces_of( b )[0] = faces_of( b )[1];
}
static void break_turn( bvb_bytes b )
{
	uint8_t* face = faces_of( b ) + 9;
	uint8_t corner = face[0];
	face[0] = face[1];
	face[1] = corner;
}
static void break_face( bvb_bytes b )
{
	faces_of( b )[7] = faces_of( b )[7] == 7 ? 6 : 7;
}

// Two tetrahedra back to back over four of the eight corners, each edge of which has two faces.
static void break_unused( bvb_bytes b )
{
	static const uint8_t faces[36] = { 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3, 4, 6, 5, 4, 5, 0,
		                               5, 6, 0, 6, 4, 0, 1, 2, 4, 1, 4, 5, 2, 1, 5, 4, 2, 5 };
	memcpy( faces_of( b ), faces, sizeof faces );
}
static void break_neighbor( bvb_bytes b )
{
	neighbors_of( b )[1] = row_parts;
}
static void break_self( bvb_bytes b )
{
	neighbors_of( b )[0] = 0;
}
static void break_ascent( bvb_bytes b )
{
	neighbors_of( b )[1] = 2;
}
static void break_mutual( bvb_bytes b )
{
	neighbors_of( b )[0] = 3;
}
static void break_root( bvb_bytes b )
{
	nodes_of( b )[0].next -= 1;
}
static void break_back( bvb_bytes b )
{
	nodes_of( b )[1].next = 1;
}
static void break_ahead( bvb_bytes b )
{
	nodes_of( b )[1].next += 1;
}
static void break_beyond( bvb_bytes b )
{
	nodes_of( b )[1].next = UINT32_MAX;
}
static void break_leaf( bvb_bytes b )
{
	bvfile_part_node* node = nodes_of( b );
	while ( node->part == BVFILE_NO_PART )
	{
		++node;
	}
	node->next += 1;
}
static void break_leaf_box( bvb_bytes b )
{
	bvfile_part_node* node = nodes_of( b );
	while ( node->part != 3 )
	{
		++node;
	}
	node->upper[0] = 3.5f;
}
static void break_leaf_part( bvb_bytes b )
{
	for ( uint32_t i = 0; i < 2 * row_parts - 1; ++i )
	{
		uint32_t* part = &nodes_of( b )[i].part;
		*part = *part == 1 ? 2 : *part == 2 ? 1 : *part;
	}
}
static void break_no_leaf( bvb_bytes b )
{
	nodes_of( b )[2 * row_parts - 2].part = BVFILE_NO_PART;
}
static void break_inner_part( bvb_bytes b )
{
	nodes_of( b )[0].part = 0;
}
static void break_child_box( bvb_bytes b )
{
	nodes_of( b )[0].lower[0] = 0;
}
static void break_node_number( bvb_bytes b )
{
	nodes_of( b )[0].upper[1] = INFINITY;
}
static void break_triangle_start( bvb_bytes b )
{
	triangles_of( b )[0] = 1;
}
static void break_triangle_order( bvb_bytes b )
{
	triangles_of( b )[2] = 11;
}
static void break_triangle_range( bvb_bytes b )
{
	triangles_of( b )[3] = UINT32_MAX;
}
static void break_triangle( bvb_bytes b )
{
	triangles_of( b )[row_parts + 1 + 59] = 12 * row_parts;
}
static void break_triangle_twice( bvb_bytes b )
{
	triangles_of( b )[row_parts + 1 + 5] = 4;
}
static void break_triangle_size( bvb_bytes b )
{
	triangles_of( b )[row_parts] -= 1;
}

static void damage_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "a count of the part section is out of range", break_no_parts },
		{ "a count of the part section is out of range", break_many_parts },
		{ "a count of the part section is out of range", break_few_vertices },
		{ "a count of the part section is out of range", break_many_vertices },
		{ "a count of the part section is out of range", break_many_neighbors },
		{ "the part section has the wrong size", break_vertices },
		{ "the part section has the wrong size", break_neighbors },
		{ "the part section has the wrong size", break_parts },
		{ "a flag of the part section is invalid", break_solid },
		{ "a flag of the part section is invalid", break_time },
		{ "a flag of the part section is invalid", break_reserved },
		{ "a number of the part section is out of range", break_tolerance },
		{ "a number of the part section is out of range", break_uncovered },
		{ "a number of the part section is out of range", break_uncovered_sign },
		{ "the decomposition's concavity is not that of its worst part", break_whole },
		{ "the decomposition's concavity is not that of its worst part", break_whole_lower },
		{ "a part's counts are out of range", break_first_vertex },
		{ "a part's counts are out of range", break_order },
		{ "a part's counts are out of range", break_range },
		{ "a part's counts are out of range", break_corners },
		{ "a part's counts are out of range", break_first_neighbor },
		{ "a part's counts are out of range", break_neighbor_order },
		{ "a part's counts are out of range", break_neighbor_range },
		{ "a part's mass is not positive and finite", break_mass },
		{ "a part's mass is not positive and finite", break_inertia },
		{ "an interval of the part section is invalid", break_interval },
		{ "an interval of the part section is invalid", break_interval_order },
		{ "an interval of the part section is invalid", break_interval_number },
		{ "a part's box is not the bounding box of its vertices", break_box },
		{ "a part's box is not the bounding box of its vertices", break_box_too_large },
		{ "a position is not finite", break_position },
		{ "a part's faces do not form a closed surface", break_corner },
		{ "a part's faces do not form a closed surface", break_side },
		{ "a part's faces do not form a closed surface", break_turn },
		{ "a part's faces do not form a closed surface", break_face },
		{ "a part's faces do not form a closed surface", break_unused },
		{ "the neighbors of a part are invalid", break_neighbor },
		{ "the neighbors of a part are invalid", break_self },
		{ "the neighbors of a part are invalid", break_ascent },
		{ "the neighbors of a part are invalid", break_mutual },
		{ "the hierarchy over the parts is invalid", break_root },
		{ "the hierarchy over the parts is invalid", break_back },
		{ "the hierarchy over the parts is invalid", break_ahead },
		{ "the hierarchy over the parts is invalid", break_beyond },
		{ "the hierarchy over the parts is invalid", break_leaf },
		{ "the hierarchy over the parts is invalid", break_leaf_box },
		{ "the hierarchy over the parts is invalid", break_leaf_part },
		{ "the hierarchy over the parts is invalid", break_no_leaf },
		{ "the hierarchy over the parts is invalid", break_inner_part },
		{ "the hierarchy over the parts is invalid", break_child_box },
		{ "the hierarchy over the parts is invalid", break_node_number },
		{ "the triangle list of a part is invalid", break_triangle_start },
		{ "the triangle list of a part is invalid", break_triangle_order },
		{ "the triangle list of a part is invalid", break_triangle_range },
		{ "the triangle list of a part is invalid", break_triangle },
		{ "the triangle list of a part is invalid", break_triangle_twice },
		{ "the section of the parts' triangles has the wrong size", break_triangle_size },
	};
	expect_refused( f, row_bytes( f ), damages, sizeof damages / sizeof *damages );
}

// Each length but the right one, of a section that lies at the end.
static void a_section_that_is_cut_is_refused( void** state )
{
	fixture* f = *state;
	bvb_bytes bytes = row_bytes( f );
	piece pieces[bvfile_max_sections];
	uint32_t count = take_apart( bytes, pieces );
	assert_string_equal( pieces[count - 2].name, "PART" );
	for ( int of = 1; of <= 2; ++of )
	{
		piece* cut = pieces + count - of;
		uint64_t whole = cut->bytes;
		for ( cut->bytes = 1; cut->bytes < whole; ++cut->bytes )
		{
			const char* reason;
			assert_int_equal( open_status( put_together( f, pieces, count ), &reason ), bv_error_damaged );
		}
	}
}

static void lists_of_triangles_need_parts( void** state )
{
	fixture* f = *state;
	piece pieces[bvfile_max_sections];
	uint32_t count = take_apart( row_bytes( f ), pieces );
	pieces[count - 2] = pieces[count - 1];
	const char* reason;
	assert_int_equal( open_status( put_together( f, pieces, count - 1 ), &reason ), bv_error_damaged );
	assert_string_equal( reason, "a section that another section needs is missing" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( what_is_written_is_read ),
		fixture_test( beyond_the_last_there_is_nothing ),
		fixture_test( a_file_without_parts_says_so ),
		fixture_test( files_with_parts_are_of_version_1_1 ),
		fixture_test( a_visit_finds_the_parts_whose_boxes_meet ),
		fixture_test( what_has_no_place_is_not_written ),
		fixture_test( damage_is_named ),
		fixture_test( a_section_that_is_cut_is_refused ),
		fixture_test( lists_of_triangles_need_parts ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
