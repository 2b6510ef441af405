// The check of TRIS. See check.h.
//
// A cluster's codes and references are each looked at by one loop that finds the greatest, which compilers
// make vector instructions of: a million triangles take well below a millisecond.

#include "runtime/file/check.h"

static uint32_t greatest_code( const uint8_t* code, size_t count )
{
	uint8_t most = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		most = code[i] > most ? code[i] : most;
	}
	return most;
}

static uint32_t greatest_short( const uint16_t* reference, size_t count )
{
	uint16_t most = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		most = reference[i] > most ? reference[i] : most;
	}
	return most;
}

static uint32_t greatest_long( const uint32_t* reference, size_t count )
{
	uint32_t most = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		most = reference[i] > most ? reference[i] : most;
	}
	return most;
}

// Of whole clusters the length is known here, so that the loop is unrolled.
static uint32_t greatest_of( const uint8_t* code, uint32_t triangles )
{
	return triangles == bvfile_cluster_triangles ? greatest_code( code, 3 * bvfile_cluster_triangles )
	                                             : greatest_code( code, 3 * (size_t)triangles );
}

static const char* check_cluster( const bvfile_triangles_view* v, const bvfile_mesh* mesh, uint32_t index )
{
	bvfile_cluster end = { mesh->vertices, v->head->references };
	bvfile_cluster at = v->clusters[index];
	if ( index + 1 < v->head->clusters )
	{
		end = v->clusters[index + 1];
	}
	uint32_t first = index * bvfile_cluster_triangles;
	uint32_t left = mesh->triangles - first;
	uint32_t count = left < bvfile_cluster_triangles ? left : bvfile_cluster_triangles;
	if ( at.first_new > end.first_new || at.first_reference > end.first_reference ||
	     end.first_reference > v->head->references || end.first_new > mesh->vertices )
	{
		return "a cluster's vertices do not follow those of the previous cluster";
	}
	uint32_t references = end.first_reference - at.first_reference;
	uint64_t vertices = (uint64_t)references + ( end.first_new - at.first_new );
	if ( greatest_of( v->codes + 3 * (size_t)first, count ) >= vertices )
	{
		return "a triangle refers to a vertex outside its cluster";
	}
	if ( references > 0 )
	{
		uint32_t most =
			v->head->width == 2
				? greatest_short( (const uint16_t*)v->references + at.first_reference, references )
				: greatest_long( (const uint32_t*)v->references + at.first_reference, references );
		if ( most >= at.first_new )
		{
			return "a cluster refers to a vertex that no earlier cluster defines";
		}
	}
	return NULL;
}

const char* bvfile_check_triangles( const char* section, uint64_t bytes, const bvfile_content* content )
{
	const bvfile_mesh* mesh = content->mesh;
	const bvfile_triangles* head = (const bvfile_triangles*)section;
	uint32_t clusters = ( mesh->triangles - 1 ) / bvfile_cluster_triangles + 1;
	uint32_t width = mesh->vertices <= bvfile_short_vertices ? 2 : 4;
	if ( bytes < sizeof *head || head->clusters != clusters || head->width != width ||
	     !bvfile_all_zero( head->reserved, sizeof head->reserved ) ||
	     bytes != sizeof *head + sizeof( bvfile_cluster ) * (uint64_t)clusters +
	                  width * (uint64_t)head->references + 3 * (uint64_t)mesh->triangles )
	{
		return "the triangle section has the wrong size";
	}
	bvfile_triangles_view v = bvfile_triangles_view_of( section );
	if ( v.clusters[0].first_new != 0 || v.clusters[0].first_reference != 0 )
	{
		return "a cluster's vertices do not follow those of the previous cluster";
	}
	const char* wrong = NULL;
	for ( uint32_t i = 0; i < clusters && !wrong; ++i )
	{
		wrong = check_cluster( &v, mesh, i );
	}
	return wrong;
}
