// The polytope that EPA ends with, in a cache. See kept.h.

#include "runtime/convex/kept.h"

enum
{
	most_kept = 24,
	most_faces_kept = BVCONVEX_SURFACE_FACES( most_kept ),
};

// @param number  of the vertex in the cache; bvconvex_surface_none if it is not there yet
// @return false if there is no room
static bool store_vertex( const bvconvex_gjk_vertex* v, uint16_t* number, bv_convex_cache* cache )
{
	if ( *number != bvconvex_surface_none )
	{
		return true;
	}
	if ( cache->count == most_kept )
	{
		return false;
	}
	*number = (uint16_t)cache->count;
	memcpy( cache->name[cache->count++], v->name, sizeof *cache->name );
	return true;
}

static bool store_face( bvconvex_surface* p, const bvconvex_surface_face* f, bv_convex_cache* cache )
{
	if ( cache->faces == most_faces_kept )
	{
		return false;
	}
	for ( int k = 0; k < 3; ++k )
	{
		bvconvex_surface_vertex* v = p->vertex + f->vertex[k];
		if ( !store_vertex( &v->of, &v->begins, cache ) )
		{
			return false;
		}
		cache->face[cache->faces][k] = (uint8_t)v->begins;
	}
	++cache->faces;
	return true;
}

void bvconvex_kept_store( bvconvex_surface* p, const bvconvex_surface_face* first, bv_convex_cache* cache )
{
	int before = (int)( first - p->face );
	bool fits = true;
	cache->count = cache->faces = 0;
	for ( int i = -1; i < p->faces && fits; ++i )
	{
		int face = i < 0 ? before : i;
		bool counts = i != before && bvconvex_surface_is_used( p, face );
		fits = !counts || store_face( p, p->face + face, cache );
	}
	cache->faces = fits ? cache->faces : 0;
}
