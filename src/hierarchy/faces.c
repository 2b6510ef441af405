// What builders and splitters ask of a triangle. See faces.h.

#include "hierarchy/faces.h"

#include "base/core/vec.h"

#include <math.h>

bvb_face* bvb_faces_create( const bvb_mesh* mesh, bvb_arena* arena )
{
	bvb_face* faces = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *faces );
	for ( uint32_t i = 0; faces && i < mesh->triangle_count; ++i )
	{
		bvb_face* face = faces + i;
		for ( int k = 0; k < 3; ++k )
		{
			face->corner[k] = mesh->positions[mesh->triangles[i].corner[k]];
		}
		bv_vec3 u = bv_sub( face->corner[1], face->corner[0] );
		bv_vec3 v = bv_sub( face->corner[2], face->corner[0] );
		bv_vec3 normal = bv_cross( u, v );

		// The area of a sliver may round to 0; as a weight it must not, or a set of slivers has no mean.
		double longest = bv_max( bv_dot( u, u ), bv_dot( v, v ) );
		face->area = bv_max( sqrt( bv_dot( normal, normal ) ) / 2, 0x1p-60 * longest );

		// Relative to a corner, so that the mean of far away corners keeps its digits.
		face->midpoint = bv_add( face->corner[0], bv_scale( 1.0 / 3, bv_add( u, v ) ) );
	}
	return faces;
}
