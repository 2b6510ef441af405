// bvb_file_verify: valid files that lie are found out.

#include "bvh_damage.h"

#include <stdio.h>

// Volumes shrunk by one unit in the last place of a tight extent, counts that are off by one: valid files
// that lie.
static void verify_finds_what_open_cannot( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_bytes good = small_file( f, bvb_positions_float );
	assert_int_equal( verify_status( f, good, &error ), bv_ok );

	bvb_bytes bytes = copy_of( f, good );
	float* extent = hierarchy_of( bytes )->root + 3;
	extent[0] = nextafterf( extent[0], 0 );
	extent[0] = nextafterf( extent[0], 0 );
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "the volume of node 0" ) );

	bytes = copy_of( f, good );
	bvfile_bounds* bounds = section_of( bytes, bvfile_section_bounds );
	bounds->sphere_radius *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "sphere" ) );

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvfile_section_bounds );
	bounds->aabb_upper[2] = nextafterf( 3, 0 );
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "axis-aligned" ) );

	bytes = copy_of( f, good );
	( (bvfile_mesh*)section_of( bytes, bvfile_section_mesh ) )->edges += 1;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );

	bytes = copy_of( f, good );
	triangle_codes_of( bytes )[0] = triangle_codes_of( bytes )[1];
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvfile_section_bounds );
	bounds->obb.half_extents[1] *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "oriented" ) );

	// Each of the 26 planes touches a corner.
	for ( int i = 0; i < 2 * BV_KDOP_DIRECTIONS; ++i )
	{
		bytes = copy_of( f, good );
		bounds = section_of( bytes, bvfile_section_bounds );
		float* side = ( i % 2 ? bounds->kdop_upper : bounds->kdop_lower ) + i / 2;
		*side = nextafterf( *side, i % 2 ? -INFINITY : INFINITY );
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
		assert_non_null( strstr( error.message, "k-DOP" ) );
	}

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvfile_section_bounds );
	bounds->capsule_radius *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "capsule" ) );

	bytes = copy_of( f, good );
	bounds = section_of( bytes, bvfile_section_bounds );
	bounds->rss.half_extents[2] *= 0.999999f;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "rectangle swept sphere" ) );
}

static void verify_finds_edges_and_volumes_that_differ( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_asset_options options = plain_options();
	options.sections = bvb_sections_default() | 1u << bvb_section_edges;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes good = build_bytes( f, &mesh, &options );
	assert_int_equal( verify_status( f, good, &error ), bv_ok );

	bvb_bytes bytes = copy_of( f, good );
	uint16_t* edges = section_of( bytes, bvfile_section_edges );
	edges[11] ^= bv_edge_flat << 2 * bvfile_edge_bits;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "triangle 11: the stored kind of edge 2 is wrong" ) );

	bytes = copy_of( f, good );
	bvfile_hull* hull = section_of( bytes, bvfile_section_hull );
	assert_true( hull->volume == 6 );
	hull->volume += 1e-9;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_non_null( strstr( error.message, "the hull's stored volume" ) );
}

// The root's volume of each type, one number of it a little less: for boxes and k-DOPs by a rounding step, since the fit of
// the mesh, of integer sides, is exact along the axes.
static void verify_finds_roots_of_every_type_that_are_too_small( void** state )
{
	fixture* f = *state;
	static const int which[bv_volume_types] = { 3, 3, 3, 5, 7, 9, 13, 3 };
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << type;
		bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
		bvb_bytes bytes = build_bytes( f, &mesh, &options );
		bvb_error error;
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
		bool exact = type == bv_volume_aabb || ( type >= bv_volume_kdop14 && type <= bv_volume_kdop26 );
		float* number = hierarchy_of( bytes )->root + which[type];
		*number = exact ? nextafterf( *number, -INFINITY ) : *number * 0.99999f;
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
		assert_non_null( strstr( error.message, "the volume of node 0" ) );
	}
}

// Which byte of a group says how far the first of `n` volumes reaches.
static uint32_t reach_of( bv_volume_type type, uint32_t n )
{
	switch ( type )
	{
	case bv_volume_obb:
	case bv_volume_prism: return 8 * n;
	case bv_volume_rss: return 10 * n;
	case bv_volume_sphere: return 4 * n;
	case bv_volume_aabb: return 3 * n;
	case bv_volume_kdop14: return 7 * n;
	case bv_volume_kdop18: return 9 * n;
	default: return 13 * n;
	}
}

// Every child of every node of every type, one code of it less by one: tight volumes do not enclose their triangles then. A
// volume may be loose by a step, but not most of them.
static void verify_finds_children_of_every_type_that_are_too_small( void** state )
{
	fixture* f = *state;
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << type;
		bvb_mesh mesh = bumpy_ball( f, 5 );
		bvb_bytes good = build_bytes( f, &mesh, &options );
		uint32_t found = 0;
		uint32_t tried = 0;
		for ( uint32_t place = 0; place < hierarchy_of( good )->node_words; )
		{
			bvb_bytes bytes = copy_of( f, good );
			bvfile_packed_node* node =
				(bvfile_packed_node*)( bvfile_node_words( hierarchy_of( bytes ) ) + place );
			place += bvfile_node_bytes( node ) / 4;
			bvfile_group group = bvfile_group_first( node );
			uint8_t* code = (uint8_t*)group.data + reach_of( group.type, group.count );
			if ( *code < 2 )
			{
				continue;
			}
			*code -= 1;
			repair( bytes );
			bvb_error error;
			const char* reason;
			if ( open_status( bytes, &reason ) != bv_ok )
			{
				continue;
			}
			bool damaged = verify_status( f, bytes, &error ) == bv_error_damaged;
			assert_true( !damaged || strstr( error.message, "the volume of node" ) );
			found += damaged;
			tried += 1;
		}
		assert_true( tried > 50 && found > tried * 3 / 4 );
	}
}

// Far from the origin coordinates have few bits left, and sums of three of them fewer still.
static void volumes_of_every_type_are_sound_far_from_the_origin( void** state )
{
	fixture* f = *state;
	static const double away[] = { 0, 50, 700, 1000, 3000, 1e4, 1e5, 1e6, 1e7 };
	for ( size_t i = 0; i < sizeof away / sizeof away[0]; ++i )
	{
		for ( int type = 0; type <= bv_volume_types; ++type )
		{
			bvb_asset_options options = plain_options();
			options.hierarchy.volume_types =
				type < bv_volume_types ? 1u << type : ( 1u << bv_volume_types ) - 1;
			bvb_mesh mesh = bumpy_ball( f, 10 );
			for ( uint32_t k = 0; k < mesh.vertex_count; ++k )
			{
				bv_vec3 p = mesh.positions[k];
				mesh.positions[k] = ( bv_vec3 ){ (float)( p.x + away[i] ), (float)( p.y + away[i] ),
					                             (float)( p.z + ( type % 2 ? -away[i] : away[i] ) ) };
			}
			bvb_error error = { "" };
			bvb_bytes bytes = build_bytes( f, &mesh, &options );
			if ( verify_status( f, bytes, &error ) != bv_ok )
			{
				fail_msg( "type %d, %g away: %s", type, away[i], error.message );
			}
		}
	}
}

// The mesh section says something that its triangles do not.
static void verify_recomputes_what_the_mesh_section_says( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_bytes good = small_file( f, bvb_positions_float );
	for ( int i = 0; i < 11; ++i )
	{
		bvb_bytes bytes = copy_of( f, good );
		bvfile_mesh* mesh = section_of( bytes, bvfile_section_mesh );
		bvfile_masses* masses = section_of( bytes, bvfile_section_mass );
		switch ( i )
		{
		case 0: mesh->components = 2; break;
		case 1: mesh->closed = 0; break;
		case 2: mesh->manifold = 0; break;
		case 3: mesh->double_sided = 1; break;
		case 4:
			masses->has[0] = 0;
			masses->mass[0] = ( bvfile_mass ){ 0 };
			break;
		case 5: masses->mass[0].mass = -masses->mass[0].mass; break;
		case 6: masses->mass[1].mass = -99; break;
		case 7: masses->mass[0].center_of_mass[1] += 1e-3; break;
		case 8: masses->mass[2].inertia[2][0] += 1e-3; break;
		case 9: mesh->area = 21; break;
		default: mesh->largest_displacement = -1; break;
		}
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	}
}

// One vertex more than the triangles use: the first triangle's first corner is made another's.
static void verify_finds_vertices_that_nothing_uses( void** state )
{
	fixture* f = *state;
	bvb_error error;
	bvb_asset_options options = bvb_asset_options_default();
	const bv_vec3 p[] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 5, 5, 5 }, { 6, 5, 5 }, { 5, 6, 5 } };
	const uint32_t t[][3] = { { 0, 1, 2 }, { 3, 4, 5 } };
	bvb_mesh mesh = mesh_of( f, p, 6, t, 2 );
	bvb_bytes bytes = build_bytes( f, &mesh, &options );
	triangle_codes_of( bytes )[0] = 5;
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	assert_string_equal( error.message, "no triangle uses vertex 0" );
}

static bvb_bytes measured_file( fixture* f, const bvb_mesh* mesh )
{
	bvb_asset_options options = plain_options();
	options.errors.relative = 0.1;
	options.recognize = ( bvb_tolerance ){ .value = 1, .percent = true };
	return build_bytes( f, mesh, &options );
}

static bvfile_errors* errors_of( bvb_bytes bytes )
{
	return section_of( bytes, bvfile_section_errors );
}

static uint8_t* codes_of( bvb_bytes bytes )
{
	return (uint8_t*)( (bv_level_errors*)( errors_of( bytes ) + 1 ) + errors_of( bytes )->levels );
}

static void expect_damaged( fixture* f, bvb_bytes bytes, const char* message )
{
	bvb_error error = { "" };
	repair( bytes );
	assert_int_equal( verify_status( f, bytes, &error ), bv_error_damaged );
	if ( !strstr( error.message, message ) )
	{
		fail_msg( "%s: not %s", error.message, message );
	}
}

// One code less is less than was measured. One more is still a bound.
static void verify_finds_errors_of_nodes_that_are_too_small( void** state )
{
	fixture* f = *state;
	bvb_error error = { "" };
	bvb_mesh mesh = bumpy_ball( f, 4 );
	bvb_bytes good = measured_file( f, &mesh );
	assert_int_equal( verify_status( f, good, &error ), bv_ok );
	for ( uint32_t i = 0; i < 2 * errors_of( good )->nodes; i += 1 + errors_of( good )->nodes / 10 )
	{
		bvb_bytes bytes = copy_of( f, good );
		char expected[64];
		snprintf( expected, sizeof expected, "the %s error of node %u exceeds the stored",
		          i % 2 ? "solid" : "surface", i / 2 );
		assert_true( codes_of( bytes )[i] > 0 );
		codes_of( bytes )[i] -= 1;
		expect_damaged( f, bytes, expected );

		codes_of( bytes )[i] += 2;
		repair( bytes );
		assert_int_equal( verify_status( f, bytes, &error ), bv_ok );
	}
}

// Each bound is moved outwards by a unit in the last place, or a lower one inwards where it is 0 already.
static void verify_finds_every_interval_of_errors_that_differs( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 3 );
	bvb_bytes good = measured_file( f, &mesh );
	size_t in_head =
		( offsetof( bvfile_errors, levels ) - offsetof( bvfile_errors, surface ) ) / sizeof( bv_interval );
	size_t of_level = sizeof( bv_level_errors ) / sizeof( bv_interval );
	for ( size_t i = 0; i < 2 * ( in_head + of_level * errors_of( good )->levels ); ++i )
	{
		bvb_bytes bytes = copy_of( f, good );
		bv_interval* in_levels = (bv_interval*)( errors_of( bytes ) + 1 );
		bv_interval* interval =
			i / 2 < in_head ? &errors_of( bytes )->surface + i / 2 : in_levels + ( i / 2 - in_head );
		assert_true( interval->upper > 0 );
		if ( i % 2 )
		{
			interval->upper = nextafter( interval->upper, INFINITY );
		}
		else
		{
			interval->lower = interval->lower > 0 ? nextafter( interval->lower, 0 ) : 0x1p-1074;
		}
		expect_damaged( f, bytes, i < 4 ? "root" : i / 2 < in_head ? "all nodes" : "of level" );
	}
}

// Tolerances that were not those of the measurement give other numbers.
static void verify_measures_with_the_tolerance_that_is_stored( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 6 );
	bvb_bytes bytes = measured_file( f, &mesh );
	errors_of( bytes )->relative = 1e-3;
	errors_of( bytes )->floor = 1e-4;
	expect_damaged( f, bytes, "error" );
}

static bvfile_primitives* primitives_of( bvb_bytes bytes )
{
	return section_of( bytes, bvfile_section_primitives );
}

// A ball that is a tenth larger, a box, a capsule and a cylinder that are moved: none is where its error says.
static void verify_finds_primitives_that_are_elsewhere( void** state )
{
	fixture* f = *state;
	bvb_error error = { "" };
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes good = measured_file( f, &mesh );
	assert_int_equal( verify_status( f, good, &error ), bv_ok );

	bvb_bytes bytes = copy_of( f, good );
	primitives_of( bytes )->box.center[0] += 1;
	expect_damaged( f, bytes, "primitive box" );
	bytes = copy_of( f, good );
	primitives_of( bytes )->sphere_radius *= 3;
	expect_damaged( f, bytes, "primitive sphere" );
	bytes = copy_of( f, good );
	primitives_of( bytes )->capsule_ends[1][1] += 10;
	expect_damaged( f, bytes, "primitive capsule" );
	bytes = copy_of( f, good );
	primitives_of( bytes )->cylinder_radius *= 10;
	expect_damaged( f, bytes, "primitive cylinder" );
}

// What a primitive is said to be off by is less than it is, or more.
static void verify_finds_errors_of_primitives_that_are_not_theirs( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 1, 2, 3 );
	bvb_bytes good = measured_file( f, &mesh );
	for ( int kind = bv_primitive_sphere; kind < bv_primitive_kinds; ++kind )
	{
		for ( int i = 0; i < 2; ++i )
		{
			bvb_bytes bytes = copy_of( f, good );
			bv_interval* error = primitives_of( bytes )->intervals[kind];
			error[0] = i ? ( bv_interval ){ 100, 101 } : ( bv_interval ){ 0, error->lower / 2 };
			error[2].lower = error[0].lower > error[1].lower ? error[0].lower : error[1].lower;
			error[2].upper = error[0].upper > error[1].upper ? error[0].upper : error[1].upper;
			expect_damaged( f, bytes, bvb_primitive_name( (bv_primitive_kind)kind ) );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( verify_finds_what_open_cannot ),
		fixture_test( verify_finds_edges_and_volumes_that_differ ),
		fixture_test( verify_finds_roots_of_every_type_that_are_too_small ),
		fixture_test( verify_finds_children_of_every_type_that_are_too_small ),
		fixture_test( volumes_of_every_type_are_sound_far_from_the_origin ),
		fixture_test( verify_recomputes_what_the_mesh_section_says ),
		fixture_test( verify_finds_vertices_that_nothing_uses ),
		fixture_test( verify_finds_errors_of_nodes_that_are_too_small ),
		fixture_test( verify_finds_every_interval_of_errors_that_differs ),
		fixture_test( verify_measures_with_the_tolerance_that_is_stored ),
		fixture_test( verify_finds_primitives_that_are_elsewhere ),
		fixture_test( verify_finds_errors_of_primitives_that_are_not_theirs ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
