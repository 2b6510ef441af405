// PRXY: the proxy.

#include "formats/bvh/write.h"
#include "offline/base/error.h"

#include <string.h>

bv_status bvfmt_prepare_proxy( bvfmt_writing* w, bvb_error* error )
{
	const bvb_simplified* proxy = &w->asset->simplified;
	uint32_t triangles = w->asset->record.mesh.triangle_count;
	return proxy->mesh.triangle_count > triangles || proxy->enclosed > triangles
	           ? bvbase_fail( error, bv_error_argument, "the proxy mesh has more triangles than the mesh" )
	           : bv_ok;
}

uint64_t bvfmt_size_proxy( const bvfmt_writing* w )
{
	const bvb_simplified* proxy = &w->asset->simplified;
	if ( proxy->mesh.triangle_count == 0 )
	{
		return 0;
	}
	return sizeof( bvfile_proxy ) + proxy->mesh.vertex_count * (uint64_t)( 3 * sizeof( double ) ) +
	       proxy->mesh.triangle_count * (uint64_t)( 3 * sizeof( uint32_t ) );
}

bv_status bvfmt_write_proxy( const bvfmt_writing* w, void* out, bvb_error* error )
{
	(void)error;
	const bvb_simplified* proxy = &w->asset->simplified;
	const bvb_mesh* mesh = &proxy->mesh;
	bvfile_proxy* head = out;
	*head = ( bvfile_proxy ){
		.vertices = mesh->vertex_count,
		.triangles = mesh->triangle_count,
		.enclosed = proxy->enclosed,
		.tolerance = proxy->tolerance,
		.from_proxy = proxy->from_proxy,
		.from_mesh = proxy->from_mesh,
	};
	double( *position )[3] = ( double( * )[3] )( head + 1 );
	uint32_t( *triangle )[3] = ( uint32_t( * )[3] )( position + mesh->vertex_count );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		position[i][0] = p.x;
		position[i][1] = p.y;
		position[i][2] = p.z;
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		memcpy( triangle[i], mesh->triangles[i].corner, sizeof triangle[i] );
	}
	return bv_ok;
}
