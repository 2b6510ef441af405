// Faces that stand for what is below a node.

#include "bvh_damage.h"

static bvb_bytes faces_file( fixture* f, const bvb_mesh* mesh, bv_volume_type type )
{
	bvb_asset_options options = plain_options();
	options.hierarchy.volume_types = 1u << type;
	options.sections |= 1u << bvb_section_node_faces;
	return build_bytes( f, mesh, &options );
}

static bv_node_faces root_of( fixture* f, const bvb_mesh* mesh )
{
	bv_node_faces faces;
	assert_true( bv_file_get_node_faces( open_bytes( faces_file( f, mesh, bv_volume_obb ) ), 0, &faces ) );
	return faces;
}

static double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x - b.x, a.y - b.y, a.z - b.z };
}

// Extents to a millionth, of which the third is along the normal.
static void expect_box( const bv_node_faces* faces, double longer, double shorter, double along )
{
	const double* h = faces->box.half_extents;
	assert_true( fabs( fmax( h[0], h[1] ) - longer / 2 ) < 1e-6 );
	assert_true( fabs( fmin( h[0], h[1] ) - shorter / 2 ) < 1e-6 );
	assert_true( fabs( h[2] - along / 2 ) < 1e-6 );
}

// The least rectangle round a triangle with an obtuse angle has a side on the longest edge, here 4, and is as high: 1.
static void a_triangle_is_two_faces_in_one_plane( void** state )
{
	fixture* f = *state;
	static const bv_vec3 positions[] = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 1, 0 } };
	static const uint32_t triangle[1][3] = { { 0, 1, 2 } };
	bvb_mesh mesh = mesh_of( f, positions, 3, triangle, 1 );
	bv_node_faces faces = root_of( f, &mesh );
	assert_true( faces.two );
	expect_box( &faces, 4, 1, 0 );
	assert_true( faces.box.axis[2].z > 1 - 1e-12 );
}

// A roof over 2 by 1, ridge along y, whose left side is cut into `strips` and whose right side is not.
static bvb_mesh roof( fixture* f, double height, uint32_t strips )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, 2 * strips + 4, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, 2 * strips + 2, sizeof *mesh.triangles ),
		.vertex_count = 2 * strips + 4,
		.triangle_count = 2 * strips + 2,
	};
	for ( uint32_t i = 0; i <= strips + 1; ++i )
	{
		double x = i <= strips ? (double)i / strips - 1 : 1;
		mesh.positions[2 * i] = ( bv_vec3 ){ x, 0, height * ( 1 - fabs( x ) ) };
		mesh.positions[2 * i + 1] = ( bv_vec3 ){ x, 1, height * ( 1 - fabs( x ) ) };
	}
	for ( uint32_t i = 0; i <= strips; ++i )
	{
		mesh.triangles[2 * i] = ( bvb_triangle ){ { 2 * i, 2 * i + 2, 2 * i + 3 } };
		mesh.triangles[2 * i + 1] = ( bvb_triangle ){ { 2 * i, 2 * i + 3, 2 * i + 1 } };
	}
	return mesh;
}

// The faces are 2 by 1, one at height 0 and one at the ridge's. Two stand for the roof while that is below
// (1 + 1/2 + height/2) / 8, which is at a height of 1/5.
static void a_roof_is_two_faces_until_it_is_too_steep( void** state )
{
	fixture* f = *state;
	static const double heights[] = { 0.05, 0.199, 0.201, 1 };
	for ( int i = 0; i < 4; ++i )
	{
		bvb_mesh mesh = roof( f, heights[i], 1 );
		bv_node_faces faces = root_of( f, &mesh );
		assert_int_equal( faces.two, heights[i] < 0.2 );
		expect_box( &faces, 2, 1, heights[i] );
		assert_true( faces.box.axis[2].z > 1 - 1e-12 );
		assert_true( fabs( faces.box.center.z - heights[i] / 2 ) < 1e-6 );
	}
}

// By area the two sides count alike, however one of them is cut: the normal is up, as above.
static void the_mean_normal_does_not_depend_on_how_the_surface_is_cut( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = roof( f, 0.15, 16 );
	bv_node_faces faces = root_of( f, &mesh );
	assert_true( faces.two );
	assert_true( faces.box.axis[2].z > 1 - 1e-12 );
	expect_box( &faces, 2, 1, 0.15 );
}

// The areas of a closed surface, as vectors, add up to nothing. Of a box, the box itself is left.
static void a_closed_surface_is_a_box( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bv_node_faces faces = root_of( f, &mesh );
	const double* h = faces.box.half_extents;
	assert_false( faces.two );
	assert_true( fabs( 8 * h[0] * h[1] * h[2] - 6 ) < 1e-5 );
}

// However flat: a sheet with both its sides has no normal either.
static void both_sides_of_a_sheet_are_a_box( void** state )
{
	fixture* f = *state;
	static const bv_vec3 positions[] = { { 0, 0, 0 }, { 4, 0, 0 }, { 1, 2, 0 } };
	static const uint32_t triangles[2][3] = { { 0, 1, 2 }, { 0, 2, 1 } };
	bvb_mesh mesh = mesh_of( f, positions, 3, triangles, 2 );
	bv_node_faces faces = root_of( f, &mesh );
	assert_false( faces.two );
	assert_true( fmin( fmin( faces.box.half_extents[0], faces.box.half_extents[1] ),
	                   faces.box.half_extents[2] ) < 1e-6 );
}

// By brute force: all vertices below every node, and the normals of its triangles by area.
static bool expect_node( void* context, const bv_node_info* node )
{
	const bv_file* file = context;
	bv_node_faces faces;
	bv_vec3 sum = { 0, 0, 0 };
	double area = 0;
	assert_true( bv_file_get_node_faces( file, node->index, &faces ) );
	for ( uint32_t i = node->first_triangle; i < node->first_triangle + node->triangles; ++i )
	{
		uint32_t corner[3];
		bv_vec3 p[3];
		bv_file_get_triangle( file, i, corner );
		for ( int k = 0; k < 3; ++k )
		{
			p[k] = bv_file_get_vertex( file, corner[k] );
			for ( int a = 0; a < 3; ++a )
			{
				double reach = fabs( dot( faces.box.axis[a], minus( p[k], faces.box.center ) ) );
				assert_true( reach <= faces.box.half_extents[a] * ( 1 + 1e-12 ) );
			}
		}
		bv_vec3 u = minus( p[1], p[0] );
		bv_vec3 v = minus( p[2], p[0] );
		bv_vec3 n = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
		sum = ( bv_vec3 ){ sum.x + n.x, sum.y + n.y, sum.z + n.z };
		area += sqrt( dot( n, n ) );
	}
	double length = sqrt( dot( sum, sum ) );
	const double* h = faces.box.half_extents;
	bool has_normal = length > 0.001 * area;
	assert_true( !has_normal || dot( faces.box.axis[2], sum ) > ( 1 - 1e-12 ) * length );
	assert_int_equal( faces.two, has_normal && 2 * h[2] < ( h[0] + h[1] + h[2] ) / 8 );
	return true;
}

static void faces_are_across_the_mean_normal_and_enclose_what_is_below( void** state )
{
	fixture* f = *state;
	static const double shifts[] = { 0, 1000 };
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		for ( int i = 0; i < 2; ++i )
		{
			bvb_mesh mesh = bumpy_ball( f, 9 );
			for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
			{
				mesh.positions[k].x += shifts[i];
			}
			bvb_bytes bytes = faces_file( f, &mesh, (bv_volume_type)type );
			const bv_file* file = open_bytes( bytes );
			bv_node_faces none;
			bvb_error error;
			assert_true( bv_file_visit_nodes( file, expect_node, (void*)file ) );
			assert_false( bv_file_get_node_faces( file, bv_file_get_hierarchy( file ).nodes, &none ) );
			assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		}
	}
}

static void the_largest_and_the_least_meshes_have_faces_too( void** state )
{
	fixture* f = *state;
	static const double sizes[] = { 0x1p119, 0x1p-120 };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = roof( f, 0.1, 1 );
		bvb_error error;
		for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
		{
			bv_vec3* p = mesh.positions + k;
			*p = ( bv_vec3 ){ sizes[i] * p->x, sizes[i] * p->y, sizes[i] * p->z };
		}
		bv_node_faces faces = root_of( f, &mesh );
		assert_true( faces.two && faces.box.axis[2].z > 1 - 1e-12 );
		assert_int_equal( verify_status( f, faces_file( f, &mesh, bv_volume_obb ), &error ), bv_ok );
	}
}

static bvfile_faces_view view_of( bvb_bytes b )
{
	return bvfile_faces_view_of( section_of( b, bvfile_section_node_faces ), hierarchy_of( b )->nodes );
}
static bvvol_packed_obb* box_of( bvb_bytes b, uint32_t node )
{
	return (bvvol_packed_obb*)view_of( b ).boxes + node;
}
static uint8_t* two_of( bvb_bytes b, uint32_t node )
{
	return (uint8_t*)view_of( b ).two + node;
}
static void break_number( bvb_bytes b )
{
	box_of( b, 4 )->center[1] = NAN;
}
static void break_extent( bvb_bytes b )
{
	box_of( b, 0 )->half_extents[2] = -1;
}
static void break_rotation( bvb_bytes b )
{
	memset( box_of( b, 22 )->rotation, 0, sizeof box_of( b, 22 )->rotation );
}
static void break_flag( bvb_bytes b )
{
	*two_of( b, 22 ) = 2;
}
static void break_thin( bvb_bytes b )
{
	*two_of( b, 0 ) = 1;
}
static void break_share( bvb_bytes b )
{
	( (bvfile_faces*)section_of( b, bvfile_section_node_faces ) )->share = 0;
}
static void break_share_number( bvb_bytes b )
{
	( (bvfile_faces*)section_of( b, bvfile_section_node_faces ) )->share = NAN;
}

static void damage_is_named( void** state )
{
	fixture* f = *state;
	static const damage damages[] = {
		{ "a box in the section of the nodes' faces is invalid", break_number },
		{ "a box in the section of the nodes' faces is invalid", break_extent },
		{ "a box in the section of the nodes' faces is invalid", break_rotation },
		{ "a node that is not thin is represented by two faces", break_flag },
		{ "a node that is not thin is represented by two faces", break_thin },
		{ "the share of the nodes' faces is out of range", break_share },
		{ "the share of the nodes' faces is out of range", break_share_number },
	};
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes bytes = faces_file( f, &mesh, bv_volume_obb );
	expect_refused( f, bytes, damages, sizeof damages / sizeof *damages );

	// It is the last section, so that the file can end earlier.
	bvb_bytes shorter = copy_of( f, bytes );
	const char* reason;
	entry_of( shorter, bvfile_section_node_faces )->bytes -= 1;
	( (bvfile_header*)shorter.data )->file_bytes -= 1;
	shorter.size -= 1;
	repair( shorter );
	assert_int_equal( open_status( shorter, &reason ), bv_error_damaged );
	assert_string_equal( reason, "the section of the nodes' faces has the wrong size" );
}

static void narrow( bvb_bytes b )
{
	// By more than what rounding outward has added.
	box_of( b, 0 )->half_extents[1] *= 0.999f;
}
static void lower_a_face( bvb_bytes b )
{
	box_of( b, 0 )->half_extents[2] *= 0.99f;
}
static void widen( bvb_bytes b )
{
	box_of( b, 0 )->half_extents[0] *= 1.01f;
}
static void take_one_face( bvb_bytes b )
{
	*two_of( b, 0 ) = 0;
}
static void verify_finds_what_is_not_so( void** state )
{
	fixture* f = *state;
	static const damage lies[] = {
		{ "the faces of node 0 do not enclose triangle", narrow },
		{ "the faces of node 0 do not enclose triangle", lower_a_face },
		{ "the stored faces of node 0 differ from those of its triangles", widen },
		{ "the stored faces of node 0 differ from those of its triangles", take_one_face },
	};
	bvb_mesh mesh = roof( f, 0.19, 3 );
	bvb_bytes bytes = faces_file( f, &mesh, bv_volume_aabb );
	bvb_error error;
	assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	for ( size_t i = 0; i < sizeof lies / sizeof *lies; ++i )
	{
		bvb_bytes lie = copy_of( f, bytes );
		lies[i].apply( lie );
		repair( lie );
		assert_int_equal( verify_status( f, lie, &error ), bv_error_damaged );
		assert_non_null( strstr( error.message, lies[i].reason ) );
	}
}

// The head's share counts, not the writer's. At a height of 1 two faces stand for a roof if it is above 1 / (1 + 1/2 + 1/2),
// and the sides of the roof are flat whatever the share is.
static void another_share_is_as_good( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = roof( f, 1, 1 );
	bvb_bytes bytes = faces_file( f, &mesh, bv_volume_obb );
	bvb_error error;
	assert_int_equal( *two_of( bytes, 0 ), 0 );
	( (bvfile_faces*)section_of( bytes, bvfile_section_node_faces ) )->share = 0.51;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	*two_of( bytes, 0 ) = 1;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_triangle_is_two_faces_in_one_plane ),
		fixture_test( a_roof_is_two_faces_until_it_is_too_steep ),
		fixture_test( the_mean_normal_does_not_depend_on_how_the_surface_is_cut ),
		fixture_test( a_closed_surface_is_a_box ),
		fixture_test( both_sides_of_a_sheet_are_a_box ),
		fixture_test( faces_are_across_the_mean_normal_and_enclose_what_is_below ),
		fixture_test( the_largest_and_the_least_meshes_have_faces_too ),
		fixture_test( damage_is_named ),
		fixture_test( verify_finds_what_is_not_so ),
		fixture_test( another_share_is_as_good ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
