// The polytope that EPA ends with, in a cache. See kept.h.

#include "runtime/convex/kept.h"

#include "runtime/simd/bits.h"

enum
{
	most_kept = 24,
	most_faces_kept = BVCONVEX_SURFACE_FACES( most_kept ),
	no_face = UINT8_MAX,
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

bool bvconvex_kept_is_of( const bvconvex_pair* pair, const bv_convex_cache* cache )
{
	bool good = cache->faces >= 4 && cache->faces <= most_faces_kept && cache->count <= most_kept;
	for ( uint32_t i = 0; i < cache->count && good; ++i )
	{
		good = cache->name[i][0] < pair->body[0].own.corners && cache->name[i][1] < pair->body[1].own.corners;
	}
	return good;
}

// Makes faces neighbors that have an edge in common.
// @return false if the surface is not closed
BVSIMD_NOINLINE bool join( bvconvex_surface* p )
{
	uint8_t face_from[most_kept][most_kept]; // the face that has the edge from one vertex to another
	memset( face_from, no_face, sizeof face_from );
	for ( int i = 0; i < 3 * p->faces; ++i )
	{
		const bvconvex_surface_face* f = p->face + i / 3;
		uint8_t* face = &face_from[f->vertex[i % 3]][f->vertex[( i + 1 ) % 3]];
		if ( *face != no_face )
		{
			return false;
		}
		*face = (uint8_t)( i / 3 );
	}
	for ( int i = 0; i < 3 * p->faces; ++i )
	{
		bvconvex_surface_face* f = p->face + i / 3;
		uint8_t face = face_from[f->vertex[( i + 1 ) % 3]][f->vertex[i % 3]];
		if ( face == no_face )
		{
			return false;
		}
		f->neighbor[i % 3] = face;
	}
	return true;
}

bool bvconvex_kept_restore( const bv_convex_cache* cache, bvconvex_surface* p )
{
	const bvconvex_pair* pair = p->difference.pair;
	bvconvex_surface_clear( p );
	for ( uint32_t i = 0; i < cache->count; ++i )
	{
		p->vertex[bvconvex_surface_free_vertex( p )].of = bvconvex_pair_vertex( pair, cache->name[i] );
	}
	for ( uint32_t i = 0; i < cache->faces; ++i )
	{
		const uint8_t* v = cache->face[i];
		if ( !( v[0] < cache->count && v[1] < cache->count && v[2] < cache->count ) )
		{
			return false;
		}
		int made = bvconvex_surface_add_face( p, ( const uint16_t[] ){ v[0], v[1], v[2] } );
		if ( !( p->face[made].height > pair->rounding ) )
		{
			return false;
		}
	}
	return join( p );
}
