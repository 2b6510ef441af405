// Orientation of a surface: the sign of its volume relative to the center of its box. With this reference
// point the sign for open surfaces does not depend on their position.

#include "bvbuild/mesh.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "runtime/math/box.h"
#include "runtime/math/vec.h"

static bool faces_inwards( const bvb_mesh* mesh )
{
	// Of the box, so that what has no volume but by rounding stays as it is.
	static const double least = 0x1p-20;
	if ( mesh->vertex_count == 0 )
	{
		return false;
	}
	bv_aabb box = bvmath_box_of_points( mesh->positions, mesh->vertex_count );
	bv_vec3 middle = bv_add( bv_scale( 0.5, box.lower ), bv_scale( 0.5, box.upper ) );
	double size = bvmath_norm1( bv_sub( box.upper, box.lower ) );
	double volume = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count && size > 0; ++t )
	{
		bv_vec3 at[3];
		for ( int k = 0; k < 3; ++k )
		{
			// Scaled, so that products stay in range.
			at[k] = bv_scale( 1 / size, bv_sub( mesh->positions[mesh->triangles[t].corner[k]], middle ) );
		}
		volume += bv_dot( at[0], bv_cross( at[1], at[2] ) );
	}
	return volume < -6 * least;
}

bv_status bvb_mesh_face_outwards( bvb_mesh* mesh, bvb_arena* arena, bvb_error* error )
{
	if ( !faces_inwards( mesh ) )
	{
		return bv_ok;
	}
	bvb_triangle* turned = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *turned );
	if ( !turned )
	{
		return bvbase_fail_memory( error );
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		const uint32_t* c = mesh->triangles[t].corner;
		turned[t] = ( bvb_triangle ){ { c[0], c[2], c[1] } };
	}
	mesh->triangles = turned;
	return bv_ok;
}
