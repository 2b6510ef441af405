// Distances from balls, capsules and cylinders that are turned and somewhere else, to meshes like them: the witness is a point
// of the surface, and searches end.

#include "primitive_meshes.h"

static bv_status measure( fixture* f, const bvb_mesh* mesh, const bv_primitive* p, double absolute,
                          bvb_hausdorff* out )
{
	bvb_hausdorff_target* target;
	bv_status status = bvb_hausdorff_target_create( mesh, NULL, 0, f->arena, &target, NULL );
	if ( status != bv_ok )
	{
		return status;
	}
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	options.measure = bvb_hausdorff_surface;
	options.absolute = absolute;
	options.max_regions = 1000000;
	switch ( p->kind )
	{
	case bv_primitive_sphere: return bvb_hausdorff_sphere( target, &p->sphere, &options, out );
	case bv_primitive_capsule: return bvb_hausdorff_capsule( target, &p->capsule, &options, out );
	default: return bvb_hausdorff_cylinder( target, &p->cylinder, &options, out );
	}
}

// A body a little smaller than the mesh that was made of it.
static bvb_mesh make( fixture* f, bv_primitive_kind kind, const placement* place, uint32_t columns,
                      bv_primitive* out )
{
	bool cylinder = kind == bv_primitive_cylinder;
	double half = kind == bv_primitive_sphere ? 0 : 0.5;
	bvb_mesh mesh = cylinder ? cylinder_mesh( f, 1, 1, columns, 1 )
	                         : capsule_mesh( f, 1, 2 * half, columns, columns / 4 );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = put( place, mesh.positions[i] );
	}
	double r = place->scale * ( 1 + cos( pi / columns ) ) / 2;
	bv_vec3 ends[2] = { put( place, ( bv_vec3 ){ 0, 0, -half } ), put( place, ( bv_vec3 ){ 0, 0, half } ) };
	*out = ( bv_primitive ){ .kind = kind, .sphere = { ends[0], r } };
	out->capsule = ( bv_capsule ){ { ends[0], ends[1] }, r };
	out->cylinder = ( bv_cylinder ){ { ends[0], ends[1] }, r };
	return mesh;
}

static void witnesses_are_points_of_the_surface( void** state )
{
	fixture* f = *state;
	for ( int i = 0; i < ( is_thorough() ? 60 : 30 ); ++i )
	{
		bv_primitive p;
		placement place = random_placement( f );
		bvb_mesh mesh = make( f, (bv_primitive_kind)( bv_primitive_sphere + i % 3 ), &place, 16, &p );
		bvb_hausdorff h;
		assert_int_equal( measure( f, &mesh, &p, 0.02, &h ), bv_ok );
		assert_true( primitive_distance( &p, h.witness ) < 1e-12 );
		assert_true( fabs( mesh_distance( &mesh, h.witness ) - h.lower ) < 1e-12 );
		assert_true( h.upper >= sample_surface( &mesh, &p, 12 ).most - 1e-12 );
	}
}

// Once upright and once turned; turned twice in `make thorough`.
static void searches_of_round_surfaces_end( void** state )
{
	fixture* f = *state;
	bool all = is_thorough();
	for ( int i = 0; i < ( all ? 9 : 6 ); ++i )
	{
		bv_primitive p;
		placement place = i < 3 ? upright() : random_placement( f );
		bvb_mesh mesh =
			make( f, (bv_primitive_kind)( bv_primitive_sphere + i % 3 ), &place, all ? 64 : 32, &p );
		for ( double absolute = 0.01; absolute > 0.0005; absolute /= 2 )
		{
			bvb_hausdorff h;
			assert_int_equal( measure( f, &mesh, &p, absolute, &h ), bv_ok );
			assert_true( h.upper <= fmax( h.lower * 1.01, h.lower + absolute ) + 1e-12 );
		}
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( witnesses_are_points_of_the_surface ),
		fixture_test( searches_of_round_surfaces_end ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
