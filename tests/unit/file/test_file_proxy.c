// Proxies in files survive a round trip, invalid ones are rejected, and verification finds false statements
// about them.

#include "bvh_damage.h"

#include "runtime/math/vec.h"

#include <math.h>

static bvb_bytes file_with( fixture* f, const bvb_mesh* mesh, double percent, bvb_position_form form,
                            bool has_mesh )
{
	bvb_asset_options options = plain_options();
	options.record.positions = form;
	options.simplify = ( bvb_tolerance ){ percent, true };
	options.sections = 1u << bvb_section_proxy | ( has_mesh ? 1u << bvb_section_mesh : 0 );
	return build_bytes( f, mesh, &options );
}

static double off( const bv_proxy* proxy )
{
	return fmax( proxy->from_mesh.upper, proxy->from_proxy.upper );
}

// A box stays a box, whose corners are known; a ball gets far fewer triangles, and the more the farther it may be off.
static void a_proxy_is_read_back( void** state )
{
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	for ( int form = 0; form < 2; ++form )
	{
		const bv_file* file = open_bytes( file_with( f, &box, 0, (bvb_position_form)form, form == 0 ) );
		bv_proxy proxy;
		double sum = 0;
		uint32_t corner[3];
		assert_int_equal( bv_file_get_info( file ).version_minor, 2 );
		assert_true( bv_file_get_proxy( file, &proxy ) );
		assert_true( proxy.vertices == 8 && proxy.triangles == 12 && proxy.enclosed == 12 );
		assert_true( proxy.tolerance == 0 && off( &proxy ) < 1e-9 );
		for ( uint32_t i = 0; i < proxy.vertices; ++i )
		{
			bv_vec3 p = bv_file_get_proxy_vertex( file, i );
			assert_true( ( p.x == 0 || p.x == 1 ) && ( p.y == 0 || p.y == 2 ) && ( p.z == 0 || p.z == 3 ) );
			sum += p.x + p.y + p.z;
		}
		assert_true( sum == 4 * ( 1 + 2 + 3 ) );
		bv_file_get_proxy_triangle( file, 12, corner );
		assert_true( corner[0] == 0 && corner[1] == 0 && corner[2] == 0 );
		assert_true( bv_file_get_proxy_vertex( file, 8 ).z == 0 );
	}
	bvb_mesh ball = bumpy_ball( f, 14 );
	uint32_t before = ball.triangle_count;
	for ( int percent = 1; percent <= 9; percent *= 3 )
	{
		bvb_bytes bytes = file_with( f, &ball, percent, bvb_positions_quantized, true );
		bv_proxy proxy;
		bvb_error error = { "" };
		assert_true( bv_file_get_proxy( open_bytes( bytes ), &proxy ) );
		assert_true( proxy.triangles < before && proxy.enclosed == ball.triangle_count );
		assert_true( off( &proxy ) <= proxy.tolerance );
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		before = proxy.triangles;
	}
}

// Far from the origin rounding is larger than any part of the diagonal: what is written is held true there too.
static void what_is_written_far_away_is_true( void** state )
{
	fixture* f = *state;
	static const double offsets[] = { 10, 1000, 1e5 };
	static const double percents[] = { 0, 1e-9, 1 };
	for ( int i = 0; i < 9; ++i )
	{
		bvb_mesh meshes[2] = { box_mesh( f, 1, 1, 1 ), bumpy_ball( f, 8 ) };
		for ( int k = 0; k < 2; ++k )
		{
			for ( uint32_t v = 0; v < meshes[k].vertex_count; ++v )
			{
				bv_vec3* p = meshes[k].positions + v;
				*p = bv_add( *p, bv_scale( offsets[i / 3], ( bv_vec3 ){ 1, -1, k } ) );
				*p = ( bv_vec3 ){ (float)p->x, (float)p->y, (float)p->z };
			}
			bvb_bytes bytes = file_with( f, meshes + k, percents[i % 3], bvb_positions_float, true );
			bv_proxy proxy;
			bvb_error error = { "" };
			assert_true( bv_file_get_proxy( open_bytes( bytes ), &proxy ) );
			assert_true( off( &proxy ) <= fmax( proxy.tolerance, 0x1p-30 * offsets[i / 3] ) );
			assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		}
	}
}

static void without_a_proxy_nothing_is_said_of_one( void** state )
{
	fixture* f = *state;
	const bv_file* file = open_bytes( small_file( f, bvb_positions_float ) );
	bv_proxy proxy;
	uint32_t corner[3] = { 7, 7, 7 };
	assert_int_equal( bv_file_get_info( file ).version_minor, 0 );
	assert_false( bv_file_get_proxy( file, &proxy ) );
	assert_true( bv_file_get_proxy_vertex( file, 0 ).x == 0 );
	bv_file_get_proxy_triangle( file, 0, corner );
	assert_true( corner[0] == 0 && corner[1] == 0 && corner[2] == 0 );
}

static bvfile_proxy* head_of( bvb_bytes b )
{
	return section_of( b, bvfile_section_proxy );
}
static double* positions_of( bvb_bytes b )
{
	return (double*)( head_of( b ) + 1 );
}
static uint32_t* triangles_of( bvb_bytes b )
{
	return (uint32_t*)( positions_of( b ) + 3 * head_of( b )->vertices );
}
static void break_vertices( bvb_bytes b )
{
	head_of( b )->vertices += 1;
}
static void break_triangles( bvb_bytes b )
{
	head_of( b )->triangles = UINT32_MAX;
}
// The same bytes: 24 each of a vertex less, 12 of two triangles more.
static void break_counts( bvb_bytes b )
{
	head_of( b )->vertices -= 1;
	head_of( b )->triangles += 2;
}
static void break_few_vertices( bvb_bytes b )
{
	head_of( b )->vertices = 2;
	head_of( b )->triangles += 2 * 6;
}
static void break_enclosed( bvb_bytes b )
{
	head_of( b )->enclosed = 13;
}
static void break_reserved( bvb_bytes b )
{
	head_of( b )->reserved = 1;
}
static void break_tolerance( bvb_bytes b )
{
	head_of( b )->tolerance = -1;
}
static void break_tolerance_nan( bvb_bytes b )
{
	head_of( b )->tolerance = NAN;
}
static void break_tolerance_infinite( bvb_bytes b )
{
	head_of( b )->tolerance = INFINITY;
}
static void break_from_proxy( bvb_bytes b )
{
	head_of( b )->from_proxy = ( bv_interval ){ 2, 1 };
}
static void break_from_mesh( bvb_bytes b )
{
	head_of( b )->from_mesh.upper = NAN;
}
static void break_position( bvb_bytes b )
{
	positions_of( b )[23] = NAN;
}
static void break_far( bvb_bytes b )
{
	positions_of( b )[0] = -0x1p123;
}
static void break_index( bvb_bytes b )
{
	triangles_of( b )[0] = 1;
}
static void break_last_index( bvb_bytes b )
{
	triangles_of( b )[35] = 8;
}
static void break_twice( bvb_bytes b )
{
	triangles_of( b )[35] = triangles_of( b )[34];
}

static void what_is_wrong_is_refused( void** state )
{
	static const damage damages[] = {
		{ "the proxy section has the wrong size", break_vertices },
		{ "the proxy section has the wrong size", break_triangles },
		{ "a count of the proxy section is out of range", break_counts },
		{ "a count of the proxy section is out of range", break_few_vertices },
		{ "a count of the proxy section is out of range", break_enclosed },
		{ "a count of the proxy section is out of range", break_reserved },
		{ "a distance of the proxy section is invalid", break_tolerance },
		{ "a distance of the proxy section is invalid", break_tolerance_nan },
		{ "a distance of the proxy section is invalid", break_tolerance_infinite },
		{ "a distance of the proxy section is invalid", break_from_proxy },
		{ "a distance of the proxy section is invalid", break_from_mesh },
		{ "a vertex of the proxy mesh is out of range", break_position },
		{ "a vertex of the proxy mesh is out of range", break_far },
		{ "the proxy mesh's vertices are not numbered by first use", break_index },
		{ "the proxy mesh's vertices are not numbered by first use", break_last_index },
		{ "a triangle of the proxy mesh refers to the same vertex twice", break_twice },
	};
	fixture* f = *state;
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	expect_refused( f, file_with( f, &box, 0, bvb_positions_float, true ), damages,
	                sizeof damages / sizeof *damages );
}

// A vertex that only one triangle has is lost when that triangle takes another one.
static void a_vertex_without_triangles_is_refused( void** state )
{
	fixture* f = *state;
	static const bv_vec3 corners[4] = { { 0, 0, 0 }, { 1, 0, 0 }, { 1, 1, 0 }, { 0, 1, 1 } };
	static const uint32_t triangles[2][3] = { { 0, 1, 2 }, { 0, 2, 3 } };
	bvb_mesh sheet = mesh_of( f, corners, 4, triangles, 2 );
	bvb_bytes bytes = copy_of( f, file_with( f, &sheet, 0, bvb_positions_float, true ) );
	const char* reason;
	assert_int_equal( head_of( bytes )->triangles, 2 );
	memcpy( triangles_of( bytes ) + 3, triangles_of( bytes ), 3 * sizeof( uint32_t ) );
	repair( bytes );
	assert_int_equal( open_status( bytes, &reason ), bv_error_damaged );
	assert_string_equal( reason, "a vertex of the proxy mesh is not used" );
}

// What opens but is not true.
static void lie_too_near( bvb_bytes b )
{
	head_of( b )->from_proxy.lower *= 0.5;
	head_of( b )->from_proxy.upper *= 0.9;
}
static void lie_too_far( bvb_bytes b )
{
	head_of( b )->from_mesh.lower = head_of( b )->from_mesh.upper = head_of( b )->tolerance;
}
static void lie_beyond( bvb_bytes b )
{
	head_of( b )->tolerance *= 0.5;
}
static void lie_moved( bvb_bytes b )
{
	positions_of( b )[0] *= 0.5;
	positions_of( b )[1] *= 0.5;
	positions_of( b )[2] *= 0.5;
}
// With vertices numbered by first use again.
static void lie_turned_over( bvb_bytes b )
{
	uint32_t* t = triangles_of( b );
	double positions[8][3];
	uint32_t number[8];
	uint32_t next = 0;
	memcpy( positions, positions_of( b ), sizeof positions );
	memset( number, 0xff, sizeof number );
	for ( uint32_t i = 0; i < 3 * head_of( b )->triangles; ++i )
	{
		if ( i % 3 == 1 )
		{
			uint32_t second = t[i];
			t[i] = t[i + 1];
			t[i + 1] = second;
		}
		uint32_t* own = number + t[i];
		if ( *own == UINT32_MAX )
		{
			memcpy( positions_of( b ) + 3 * next, positions[t[i]], sizeof positions[0] );
			*own = next++;
		}
		t[i] = *own;
	}
}
static void lie_flat( bvb_bytes b )
{
	double* p = positions_of( b );
	memcpy( p + 3, p, 3 * sizeof *p );
}

static void what_is_untrue_is_found_out( void** state )
{
	static const struct
	{
		const char* message;
		void ( *apply )( bvb_bytes bytes );
	} lies[] = {
		{ "the stored distance from the proxy mesh to the mesh is wrong", lie_too_near },
		{ "the stored distance from the mesh to the proxy mesh is wrong", lie_too_far },
		{ "the proxy mesh is farther from the mesh than its tolerance", lie_beyond },
		{ "the stored distance from the proxy mesh to the mesh is wrong", lie_moved },
		{ "triangle 0 of the proxy mesh has no area", lie_flat },
	};
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 12 );
	bvb_bytes bytes = file_with( f, &ball, 3, bvb_positions_float, true );
	bvb_error error = { "" };
	assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	for ( size_t i = 0; i < sizeof lies / sizeof *lies; ++i )
	{
		bvb_bytes untrue = copy_of( f, bytes );
		lies[i].apply( untrue );
		repair( untrue );
		assert_int_equal( verify_status( f, untrue, &error ), bv_error_damaged );
		assert_string_equal( error.message, lies[i].message );
	}

	// A box: distances stay what they are when it is turned over, but it encloses nothing then.
	bvb_mesh box = box_mesh( f, 1, 2, 3 );
	bvb_bytes inside_out = copy_of( f, file_with( f, &box, 0, bvb_positions_float, true ) );
	lie_turned_over( inside_out );
	repair( inside_out );
	assert_int_equal( verify_status( f, inside_out, &error ), bv_error_damaged );
	assert_string_equal( error.message, "the proxy mesh encloses 0 triangles, not 12 as stored" );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( a_proxy_is_read_back ),
		fixture_test( what_is_written_far_away_is_true ),
		fixture_test( without_a_proxy_nothing_is_said_of_one ),
		fixture_test( what_is_wrong_is_refused ),
		fixture_test( a_vertex_without_triangles_is_refused ),
		fixture_test( what_is_untrue_is_found_out ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
