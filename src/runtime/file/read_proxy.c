// Reads the proxy mesh of a checked file. See bv/file.h.

#include "runtime/file/local.h"
#include "runtime/file/view.h"

static bvfile_proxy_view proxy_of( const bv_file* file )
{
	return bvfile_proxy_view_of( bvfile_find( (const bvfile_header*)file, bvfile_section_proxy ) );
}

bool bv_file_get_proxy( const bv_file* file, bv_proxy* proxy )
{
	const bvfile_proxy* head = proxy_of( file ).head;
	if ( head )
	{
		*proxy = ( bv_proxy ){
			.vertices = head->vertices,
			.triangles = head->triangles,
			.tolerance = head->tolerance,
			.from_proxy = head->from_proxy,
			.from_mesh = head->from_mesh,
			.enclosed = head->enclosed,
		};
	}
	return head;
}

bv_vec3 bvfile_local_proxy_vertex( const bv_file* file, uint32_t index )
{
	bvfile_proxy_view v = proxy_of( file );
	if ( !v.head || index >= v.head->vertices )
	{
		return ( bv_vec3 ){ 0, 0, 0 };
	}
	const double* p = v.positions[index];
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

void bv_file_get_proxy_triangle( const bv_file* file, uint32_t index, uint32_t corner[3] )
{
	bvfile_proxy_view v = proxy_of( file );
	bool there = v.head && index < v.head->triangles;
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = there ? v.triangles[index][k] : 0;
	}
}
