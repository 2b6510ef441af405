// The polytope of the last query. See resumed.h.
//
// It remains closed when it grows: the faces that are replaced have the same border as the new ones, counted with their directions,
// whichever faces a vertex is said to see.

#include "runtime/convex/resumed.h"

#include <math.h>

enum
{
	most_border = 48, // edges
};

static void put_vertex( bvconvex_resumed* p, uint32_t i, const uint32_t name[2], bv_vec3 at )
{
	p->x[i] = at.x;
	p->y[i] = at.y;
	p->z[i] = at.z;
	p->name[i][0] = name[0];
	p->name[i][1] = name[1];
	p->size = bvmath_max( p->size, bvmath_norm1( at ) );
}

// Always inline: gcc 12.2 finds, wrongly, that a call has no effect, and drops it.
BVSIMD_INLINE void measure_faces( bvconvex_resumed* p, uint32_t from )
{
	for ( uint32_t i = from; i < p->faces; ++i )
	{
		const uint8_t* corner = p->corner[i];
		bv_vec3 a = bvconvex_resumed_vertex( p, corner[0] );
		bv_vec3 b = bvconvex_resumed_vertex( p, corner[1] );
		bv_vec3 c = bvconvex_resumed_vertex( p, corner[2] );
		bv_vec3 normal = bv_cross( bv_sub( b, a ), bv_sub( c, a ) );
		double least =
			bvmath_min( bv_dot( normal, a ), bvmath_min( bv_dot( normal, b ), bv_dot( normal, c ) ) );
		p->normal[i] = normal;
		p->least[i] = least;
		p->square[i] = least * fabs( least ) / bv_dot( normal, normal );
	}
}

uint32_t bvconvex_resumed_lowest( const bvconvex_resumed* p )
{
	uint32_t best = 0;
	for ( uint32_t i = 1; i < p->faces; ++i )
	{
		best = p->square[i] < p->square[best] ? i : best;
	}
	return best;
}

// Whether each edge of a face is one of another face in the other direction.
static bool is_closed( const bv_convex_cache* cache )
{
	enum
	{
		most = 32, // vertices, not less than there can be
	};
	uint32_t to[most];   // by the start of an edge, a bit for its end
	uint32_t from[most]; // by its end, a bit for its start
	memset( to, 0, sizeof to );
	memset( from, 0, sizeof from );
	uint32_t used = 0;
	uint32_t wrong = 0;
	for ( uint32_t i = 0; i < cache->faces; ++i )
	{
		uint32_t a = cache->face[i][0];
		uint32_t b = cache->face[i][1];
		uint32_t c = cache->face[i][2];
		wrong |= ( a | b | c ) / most;
		a %= most;
		b %= most;
		c %= most;
		uint32_t a_bit = 1u << a;
		uint32_t b_bit = 1u << b;
		uint32_t c_bit = 1u << c;
		used |= a_bit | b_bit | c_bit;
		wrong |= ( to[a] & b_bit ) | ( to[b] & c_bit ) | ( to[c] & a_bit );
		to[a] |= b_bit;
		to[b] |= c_bit;
		to[c] |= a_bit;
		from[b] |= a_bit;
		from[c] |= b_bit;
		from[a] |= c_bit;
	}
	for ( uint32_t i = 0; i < cache->count; ++i )
	{
		wrong |= to[i] ^ from[i];
	}
	return ( wrong | used >> cache->count ) == 0;
}

static bool is_of_pair( const bvconvex_pair* pair, const bv_convex_cache* cache )
{
	bool good = cache->faces >= 4 && cache->faces <= bvconvex_resumed_faces_kept &&
	            cache->count <= bvconvex_resumed_kept;
	for ( uint32_t i = 0; i < cache->count && good; ++i )
	{
		good = cache->name[i][0] < pair->body[0].own.corners && cache->name[i][1] < pair->body[1].own.corners;
	}
	return good;
}

bool bvconvex_resumed_restore( const bvconvex_pair* pair, const bv_convex_cache* cache, bvconvex_resumed* p )
{
	if ( !is_of_pair( pair, cache ) || !is_closed( cache ) )
	{
		return false;
	}
	p->pair = pair;
	p->vertices = cache->count;
	p->faces = cache->faces;
	p->size = 0;
	p->grown = false;
	for ( uint32_t i = 0; i < p->vertices; ++i )
	{
		bv_vec3 a = bvconvex_resumed_corner( pair, 0, cache->name[i][0] );
		put_vertex( p, i, cache->name[i],
		            bv_sub( a, bvconvex_resumed_corner( pair, 1, cache->name[i][1] ) ) );
	}
	memcpy( p->corner, cache->face, p->faces * sizeof *p->corner );
	measure_faces( p, 0 );
	return true;
}

// @return its number; bvconvex_resumed_vertices if there is no room
static uint32_t number_of( bvconvex_resumed* p, const bvconvex_gjk_vertex* v )
{
	for ( uint32_t i = 0; i < p->vertices; ++i )
	{
		if ( p->name[i][0] == v->name[0] && p->name[i][1] == v->name[1] )
		{
			return i;
		}
	}
	if ( p->vertices < bvconvex_resumed_vertices )
	{
		put_vertex( p, p->vertices++, v->name, v->at );
		return p->vertices - 1;
	}
	return bvconvex_resumed_vertices;
}

typedef struct border
{
	uint32_t count;
	uint8_t edge[most_border][2];
} border;

// Edges in both directions cancel each other.
// @return false if there is no room
static bool add_edge( border* b, uint8_t from, uint8_t to )
{
	for ( uint32_t i = 0; i < b->count; ++i )
	{
		if ( b->edge[i][0] == to && b->edge[i][1] == from )
		{
			--b->count;
			b->edge[i][0] = b->edge[b->count][0];
			b->edge[i][1] = b->edge[b->count][1];
			return true;
		}
	}
	if ( b->count == most_border )
	{
		return false;
	}
	b->edge[b->count][0] = from;
	b->edge[b->count++][1] = to;
	return true;
}

static void drop_face( bvconvex_resumed* p, uint32_t i )
{
	uint32_t last = --p->faces;
	memcpy( p->corner[i], p->corner[last], sizeof *p->corner );
	p->normal[i] = p->normal[last];
	p->least[i] = p->least[last];
	p->square[i] = p->square[last];
}

// Faces without extent have no part in a surface.
bool bvconvex_resumed_insert( bvconvex_resumed* p, uint32_t seen, const bvconvex_gjk_vertex* next )
{
	uint32_t vertex = number_of( p, next );
	if ( vertex == bvconvex_resumed_vertices )
	{
		return false;
	}
	border b = { .count = 0 };
	double doubt = bvconvex_resumed_doubt( p );
	for ( uint32_t i = p->faces; i-- > 0; )
	{
		if ( i == seen || bv_dot( p->normal[i], next->at ) - p->least[i] > doubt )
		{
			const uint8_t corner[3] = { p->corner[i][0], p->corner[i][1], p->corner[i][2] };
			if ( !add_edge( &b, corner[0], corner[1] ) || !add_edge( &b, corner[1], corner[2] ) ||
			     !add_edge( &b, corner[2], corner[0] ) )
			{
				return false;
			}
			drop_face( p, i );
		}
	}
	uint32_t first = p->faces;
	for ( uint32_t i = 0; i < b.count; ++i )
	{
		if ( b.edge[i][0] == vertex || b.edge[i][1] == vertex )
		{
			continue;
		}
		if ( p->faces == bvconvex_resumed_faces )
		{
			return false;
		}
		p->corner[p->faces][0] = b.edge[i][0];
		p->corner[p->faces][1] = b.edge[i][1];
		p->corner[p->faces++][2] = (uint8_t)vertex;
	}
	measure_faces( p, first );
	p->grown = true;
	return p->faces >= 4;
}

static bool store_face( const bvconvex_resumed* p, uint32_t face, uint8_t* number, bv_convex_cache* cache )
{
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t v = p->corner[face][k];
		if ( number[v] == bvconvex_resumed_vertices )
		{
			if ( cache->count == bvconvex_resumed_kept )
			{
				return false;
			}
			number[v] = (uint8_t)cache->count;
			memcpy( cache->name[cache->count++], p->name[v], sizeof *cache->name );
		}
		cache->face[cache->faces][k] = number[v];
	}
	++cache->faces;
	return true;
}

void bvconvex_resumed_store( const bvconvex_resumed* p, uint32_t first, bv_convex_cache* cache )
{
	uint8_t number[bvconvex_resumed_vertices];
	memset( number, bvconvex_resumed_vertices, sizeof number );
	cache->count = cache->faces = 0;
	bool fits = p->faces <= bvconvex_resumed_faces_kept && store_face( p, first, number, cache );
	for ( uint32_t i = 0; i < p->faces && fits; ++i )
	{
		fits = i == first || store_face( p, i, number, cache );
	}
	cache->faces = fits ? cache->faces : 0;
}
