// Stands in for the recogniser until it is there.

#include "bvbuild/fit.h"
#include "bvbuild/recognise.h"

#include "base/offline/error.h"

const char* bvb_primitive_name( bvb_primitive_kind kind )
{
	static const char* const names[] = { "box", "sphere", "capsule", "cylinder" };
	return names[kind];
}

bv_status bvb_recognise( const bvb_mesh* mesh, const bvb_hull* hull, bvb_hausdorff_target* target,
                         double tolerance, bvb_arena* scratch, bvb_primitive out[bvb_primitive_kinds],
                         bvb_primitive_kind* best, bvb_error* error )
{
	(void)target;
	bv_obb box;
	bv_sphere sphere;
	bv_capsule capsule;
	bvb_obb_options options = bvb_obb_options_default();
	bv_status status = bvb_fit_obb( mesh->positions, mesh->vertex_count, hull, &options, scratch, &box );
	status = status == bv_ok ? bvb_fit_sphere( mesh->positions, mesh->vertex_count, &sphere ) : status;
	status = status == bv_ok ? bvb_fit_capsule( mesh->positions, mesh->vertex_count, &capsule ) : status;
	if ( status != bv_ok )
	{
		return bvb_fail_memory( error );
	}
	bv_vec3 end = { sphere.center.x, sphere.center.y, (float)( sphere.center.z + sphere.radius ) };
	for ( int i = 0; i < bv_primitive_kinds; ++i )
	{
		double upper = 4 * sphere.radius;
		out[i] = ( bv_primitive ){
			.kind = (bv_primitive_kind)i,
			.box = box,
			.sphere = sphere,
			.capsule = capsule,
			.cylinder = { { sphere.center, end }, sphere.radius },
			.from_surface = { 0, upper },
			.from_mesh = { 0, upper },
			.error = { 0, upper },
		};
	}
	*best = out[bv_primitive_sphere].error.upper <= tolerance ? bv_primitive_sphere : bv_primitive_kinds;
	return bv_ok;
}
