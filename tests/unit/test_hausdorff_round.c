// Surfaces of cylinders and capsules against meshes inscribed in them: no point of the surface is farther from the mesh than
// the tessellation allows, however near to the axis or to a centre the search looks.

#include "primitive_meshes.h"

// The mesh turned about the origin, and the primitive's ends with it, both as exact as binary64 is.
static void turn( fixture* f, bvb_mesh* mesh, double half, bv_vec3 ends[2] )
{
	placement place = random_placement( f );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		mesh->positions[i] = put( &place, mesh->positions[i] );
	}
	ends[0] = put( &place, ( bv_vec3 ){ 0, 0, -half } );
	ends[1] = put( &place, ( bv_vec3 ){ 0, 0, half } );
}

static double distance_to_segment( const bv_vec3 ends[2], bv_vec3 p )
{
	bv_vec3 along = plus( ends[1], -1, ends[0] );
	bv_vec3 from = plus( p, -1, ends[0] );
	double t = dot( from, along ) / dot( along, along );
	t = t < 0 ? 0 : t > 1 ? 1 : t;
	return length( plus( from, -t, along ) );
}

static bvb_hausdorff_options surface_options( double absolute )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.relative = 0.05;
	options.absolute = absolute;
	return options;
}

static bvb_hausdorff_target* target_of( fixture* f, const bvb_mesh* mesh )
{
	bvb_hausdorff_target* target;
	assert_int_equal( bvb_hausdorff_target_create( mesh, NULL, 0, f->arena, &target, NULL ), bv_ok );
	return target;
}

// Of a prism with n sides the middles of the sides are inside by the sagitta, and the discs stand out by no more.
static void surface_of_a_cylinder_is_as_near_as_its_prism( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 30; ++round )
	{
		const uint32_t columns = 32;
		double half = round % 2 ? 2 : 0.05;
		double sagitta = 1 - cos( pi / columns );
		bvb_mesh mesh = cylinder_mesh( f, 1, 2 * half, columns, 1 );
		bv_cylinder cylinder = { .radius = 1 };
		turn( f, &mesh, half, cylinder.ends );
		bvb_hausdorff_options options = surface_options( sagitta / 20 );
		bvb_hausdorff h;
		assert_int_equal( bvb_hausdorff_cylinder( target_of( f, &mesh ), &cylinder, &options, &h ), bv_ok );
		assert_true( h.lower <= sagitta + 1e-12 && h.upper >= sagitta - 1e-12 );
		assert_true( h.upper <= 1.1 * sagitta );
	}
}

// A tessellated ball is nowhere farther from its sphere than its largest triangle allows; the witness is on the capsule.
static void surface_of_a_capsule_is_as_near_as_its_mesh( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 30; ++round )
	{
		const uint32_t columns = 24;
		const uint32_t steps = 6;
		bvb_mesh mesh = capsule_mesh( f, 1, 3, columns, steps );
		bv_capsule capsule = { .radius = 1 };
		turn( f, &mesh, 1.5, capsule.ends );
		double most = 1 - cos( pi / columns ) * cos( pi / 4 / steps );
		bvb_hausdorff_options options = surface_options( most / 20 );
		bvb_hausdorff h;
		assert_int_equal( bvb_hausdorff_capsule( target_of( f, &mesh ), &capsule, &options, &h ), bv_ok );
		assert_true( fabs( distance_to_segment( capsule.ends, h.witness ) - 1 ) < 1e-12 );
		assert_true( h.lower <= 1.5 * most && h.upper >= 1 - cos( pi / columns ) );
		assert_true( h.upper <= 2 * most );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( surface_of_a_cylinder_is_as_near_as_its_prism ),
		fixture_test( surface_of_a_capsule_is_as_near_as_its_mesh ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
