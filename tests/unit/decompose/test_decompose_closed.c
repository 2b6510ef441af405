// Open meshes that are closed before they are decomposed: what is certified is true of the open mesh, by brute force.

#include "decomposed.h"

#include "offline/decompose/closed.h"

static const double tolerance = 0.05; // of the diagonal

// Each triangle with corners of its own, which are off by up to `width` along each axis.
static bvb_mesh with_cracks( fixture* f, const bvb_mesh* closed, double width )
{
	bvb_mesh soup = soup_create( f, closed->triangle_count );
	uint64_t state = 1;
	for ( uint32_t i = 0; i < soup.vertex_count; ++i )
	{
		bv_vec3 p = closed->positions[closed->triangles[i / 3].corner[i % 3]];
		soup.positions[i] =
			( bv_vec3 ){ p.x + width * random_coordinate( &state ), p.y + width * random_coordinate( &state ),
			             p.z + width * random_coordinate( &state ) };
	}
	return record_of( f, &soup );
}

typedef struct opened
{
	bvb_mesh mesh;
	const char* name;
} opened;

static uint32_t open_meshes( fixture* f, opened* out )
{
	bvb_mesh ring = torus( f, 0.4, 24, 12 );
	bvb_mesh l = letter_l( f );
	out[0] = ( opened ){ with_cracks( f, &ring, 3e-4 ), "torus with wide cracks" };
	out[1] = ( opened ){ with_cracks( f, &ring, 1e-4 ), "torus with cracks" };
	out[2] = ( opened ){ with_cracks( f, &l, 1e-4 ), "letter with cracks" };
	return 3;
}

static bvdecomp_shape shape_of( fixture* f, const bvb_mesh* mesh )
{
	bvdecomp_shape shape;
	bvb_error error = { "" };
	assert_int_equal(
		bvdecomp_shape_create( mesh, bvb_decompose_solid, BVDECOMP_SHAPE_WORK, f->arena, &shape, &error ),
		bv_ok );
	return shape;
}

static bvdecomp_shape closed_shape( fixture* f, const bvb_mesh* mesh, double most )
{
	bvdecomp_shape shape = shape_of( f, mesh );
	bvb_error error = { "" };
	assert_false( bvb_winding_is_closed( shape.inside ) );
	assert_int_equal( bvdecomp_close_shape( &shape, most, INFINITY, f->arena, &error ), bv_ok );
	return shape;
}

// Random points near the surface that are inside of one solid and not of the other are near the other one.
static void solids_are_as_near_as_said( void** state )
{
	fixture* f = *state;
	opened meshes[3];
	uint32_t count = open_meshes( f, meshes );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double most = tolerance * diagonal_of( &meshes[i].mesh );
		bvdecomp_shape shape = closed_shape( f, &meshes[i].mesh, most );
		print_message( "%s: %u caps, %g and %g of %g\n", meshes[i].name,
		               shape.mesh.triangle_count - shape.triangle_count, shape.moved.added,
		               shape.moved.removed, most );
		assert_true( bvb_winding_is_closed( shape.inside ) );
		assert_true( shape.moved.added > 0 && shape.moved.added <= 0.26 * most );
		assert_true( shape.moved.removed > 0 && shape.moved.removed <= shape.moved.added );
		nearest_faces open;
		nearest_faces closed;
		assert_true( nearest_prepare( &meshes[i].mesh, 0, meshes[i].mesh.triangle_count, &open ) );
		assert_true( nearest_prepare( &shape.mesh, 0, shape.mesh.triangle_count, &closed ) );
		uint32_t caps = shape.mesh.triangle_count - shape.triangle_count;
		for ( uint32_t k = 0; k < 2000; ++k )
		{
			uint32_t cap = shape.triangle_count + (uint32_t)( random_unit( f ) * caps );
			double s = random_unit( f );
			bv_vec3 p = point_of_triangle( &shape.mesh, cap, s, random_unit( f ) * ( 1 - s ) );
			double off = k % 2 ? shape.moved.removed : 0;
			p = ( bv_vec3 ){ p.x + off * ( 2 * random_unit( f ) - 1 ),
				             p.y + off * ( 2 * random_unit( f ) - 1 ),
				             p.z + off * ( 2 * random_unit( f ) - 1 ) };
			bool in_open = nearest_winding( &open, p ) >= 0.5;
			bool in_closed = off == 0 || nearest_winding( &closed, p ) >= 0.5;
			assert_true( in_open || !in_closed || is_near_inside( &open, p, shape.moved.added ) ||
			             nearest_distance_exact( &open, p ) <= shape.moved.added );
			assert_true( !in_open || in_closed ||
			             nearest_distance_exact( &closed, p ) <= shape.moved.removed );
		}
		nearest_free( &open );
		nearest_free( &closed );
	}
}

// Both ends are widened, as far as the closed shape may be from the open one, and parts within the tolerance are still
// within it then.
static void certificates_hold_for_the_open_mesh( void** state )
{
	fixture* f = *state;
	opened meshes[3];
	uint32_t count = open_meshes( f, meshes );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvb_decompose_options options = bvb_decompose_options_default();
		options.mode = bvb_decompose_solid;
		options.threads = 1;
		options.effort = 0;
		options.max_parts = 24;
		options.tolerance = tolerance * diagonal_of( &meshes[i].mesh );
		bvb_decomposition d = decompose( f, &meshes[i].mesh, &options );
		print_message( "%s: %u parts, [%g, %g] of %g\n", meshes[i].name, d.part_count, d.concavity.lower,
		               d.concavity.upper, options.tolerance );
		assert_true( d.tolerance == options.tolerance );
		bvdecomp_shape closed = closed_shape( f, &meshes[i].mesh, options.tolerance );
		double least_width = closed.moved.added + closed.moved.removed;
		for ( uint32_t k = 0; k < d.part_count; ++k )
		{
			const bv_interval* part = &d.parts[k].concavity;
			assert_true( part->upper - part->lower >= ( 1 - 1e-9 ) * fmin( least_width, part->upper ) );
			assert_true( part->upper >= closed.moved.added );
		}
		assert_true( d.concavity.upper <= options.tolerance || d.part_count == options.max_parts );
		check_parts( f, &meshes[i].mesh, &options, &d );
		check_cover( f, &meshes[i].mesh, &d, 300 );
		check_concavity( &meshes[i].mesh, &d, 100 );
	}
}

// A block is nearly full if its slot has neither floor nor ceiling. Caps make the slot a room, whose middle is 1/2 from both of them. So
// closing removes a point of the open block that is 1/2 from the closed one.
static void removed_material_is_within_what_is_said( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = block_with_slot( f, 10, 1.7, 1 );
	bvdecomp_shape shape = closed_shape( f, &mesh, 8 * 0.85 * ( 1 + 1e-9 ) );
	const bv_vec3 middle = { 0, 0, 0 };
	nearest_faces open;
	nearest_faces closed;
	assert_true( bvb_winding_is_closed( shape.inside ) );
	assert_true( nearest_prepare( &mesh, 0, mesh.triangle_count, &open ) );
	assert_true( nearest_prepare( &shape.mesh, 0, shape.mesh.triangle_count, &closed ) );
	assert_true( nearest_winding( &open, middle ) > 0.5 && nearest_winding( &closed, middle ) < 0.5 );
	assert_true( shape.moved.removed >= 0.5 );
	nearest_free( &open );
	nearest_free( &closed );
}

// One part around two boxes would stand off by half the gap between them: 95% of the tolerance. Closing the cracks may move the boxes by
// an eighth of the tolerance, so that only two parts are certainly within it.
static void parts_that_fail_because_of_closing_are_cut( void** state )
{
	fixture* f = *state;
	bvb_mesh boxes = two_boxes( f, 0.25 );
	bvb_mesh mesh = with_cracks( f, &boxes, 1e-5 );
	bvb_decompose_options options = bvb_decompose_options_default();
	options.mode = bvb_decompose_solid;
	options.threads = 1;
	options.effort = 0;
	options.max_parts = 4;
	options.tolerance = 0.125 / 0.95;
	bvb_decomposition d = decompose( f, &mesh, &options );
	assert_true( bvb_winding_is_closed( closed_shape( f, &mesh, options.tolerance ).inside ) );
	assert_true( d.part_count > 1 && d.concavity.upper <= options.tolerance );
}

// The solid between two sheets ends where both have a hole.
static void openings_that_matter_stay_open( void** state )
{
	fixture* f = *state;
	bvb_mesh plate = box_mesh( f, 1, 1, 0.02 );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < plate.triangle_count; ++i )
	{
		const uint32_t* c = plate.triangles[i].corner;
		const bv_vec3* p = plate.positions;
		plate.triangles[kept] = plate.triangles[i];
		kept += !( p[c[0]].z == p[c[1]].z && p[c[1]].z == p[c[2]].z );
	}
	plate.triangle_count = kept;
	bvdecomp_shape shape = closed_shape( f, &plate, 0.02 );
	assert_false( bvb_winding_is_closed( shape.inside ) );
	assert_true( shape.moved.added == 0 && shape.mesh.triangle_count == kept );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( solids_are_as_near_as_said ),
		fixture_test( certificates_hold_for_the_open_mesh ),
		fixture_test( removed_material_is_within_what_is_said ),
		fixture_test( parts_that_fail_because_of_closing_are_cut ),
		fixture_test( openings_that_matter_stay_open ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
