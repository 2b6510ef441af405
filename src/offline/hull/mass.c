// Mass properties of hulls: those of the solid bounded by their triangles.

#include "bvbuild/hull.h"
#include "offline/base/error.h"

bv_status bvb_hull_mass( const bv_vec3* points, const bvb_hull* hull, bvb_arena* scratch, bv_mass* out,
                         bvb_error* error )
{
	*out = ( bv_mass ){ 0 };
	if ( hull->kind != bv_hull_polyhedron )
	{
		return bvbase_fail( error, bv_error_argument, "only a hull with volume has mass" );
	}
	bvb_mesh mesh = { .vertex_count = hull->vertex_count,
		              .triangle_count = hull->face_count,
		              .triangles = hull->faces };
	mesh.positions = bvb_arena_allocate( scratch, hull->vertex_count, sizeof *mesh.positions );
	if ( !mesh.positions )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t v = 0; v < hull->vertex_count; ++v )
	{
		mesh.positions[v] = points[hull->vertices[v]];
	}
	return bvb_mass_of_solid( &mesh, out )
	           ? bv_ok
	           : bvbase_fail( error, bv_error_argument, "the hull's volume is out of range" );
}
