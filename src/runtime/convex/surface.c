// A polytope that grows by one vertex at a time. See surface.h.

#include "runtime/convex/surface.h"

#include "runtime/simd/bits.h"

#include <math.h>

enum
{
	none = bvconvex_surface_none,
	block_size = bvconvex_surface_block_size,
};

static size_t bytes_of( size_t vertices )
{
	return vertices * sizeof( bvconvex_surface_vertex ) +
	       BVCONVEX_SURFACE_FACES( vertices ) * sizeof( bvconvex_surface_face ) +
	       BVCONVEX_SURFACE_BLOCKS( vertices ) * sizeof( bvconvex_surface_block );
}

void bvconvex_surface_use( void* memory, size_t bytes, bvconvex_surface* p )
{
	size_t each = bytes_of( bvconvex_surface_most ) / bvconvex_surface_most;
	size_t most = bytes / each < bvconvex_surface_most ? bytes / each + 1 : bvconvex_surface_most;
	while ( bytes_of( most ) > bytes )
	{
		--most;
	}
	p->most_vertices = (int)most;
	p->vertex = memory;
	p->face = (bvconvex_surface_face*)( p->vertex + most );
	p->block = (bvconvex_surface_block*)( p->face + BVCONVEX_SURFACE_FACES( most ) );
}

void bvconvex_surface_clear( bvconvex_surface* p )
{
	p->vertices = p->faces = p->used = p->free_block = 0;
}

int bvconvex_surface_free_vertex( bvconvex_surface* p )
{
	if ( p->vertices < p->most_vertices )
	{
		p->vertex[p->vertices].faces = 0;
		p->vertex[p->vertices].begins = none;
		return p->vertices++;
	}
	for ( int i = 0; i < p->most_vertices; ++i )
	{
		if ( p->vertex[i].faces == 0 )
		{
			return i;
		}
	}
	return none;
}

static int free_face( bvconvex_surface* p )
{
	while ( p->free_block * block_size < p->faces && p->block[p->free_block].used == UINT32_MAX )
	{
		++p->free_block;
	}
	int first = p->free_block * block_size;
	if ( first == p->faces )
	{
		p->block[p->free_block] = ( bvconvex_surface_block ){ INFINITY, first, 0 };
	}
	int i = first + (int)bvsimd_lowest_bit( ~p->block[p->free_block].used );
	p->faces = i + 1 > p->faces ? i + 1 : p->faces;
	return i;
}

int bvconvex_surface_add_face( bvconvex_surface* p, const uint16_t vertex[3] )
{
	int i = free_face( p );
	bvconvex_surface_face* f = p->face + i;
	bvconvex_surface_block* b = p->block + i / block_size;
	*f = ( bvconvex_surface_face ){ .vertex = { vertex[0], vertex[1], vertex[2] } };
	f->height =
		bvconvex_difference_height( &p->difference, bvconvex_surface_corner( p, f, 0 ),
	                                bvconvex_surface_corner( p, f, 1 ), bvconvex_surface_corner( p, f, 2 ) );
	for ( int k = 0; k < 3; ++k )
	{
		++p->vertex[vertex[k]].faces;
	}
	++p->used;
	b->used |= UINT32_C( 1 ) << i % block_size;
	if ( b->lowest >= 0 && ( f->height < b->least || ( f->height == b->least && i < b->lowest ) ) )
	{
		b->least = f->height;
		b->lowest = i;
	}
	return i;
}

static void drop_face( bvconvex_surface* p, int i )
{
	bvconvex_surface_face* f = p->face + i;
	int b = i / block_size;
	for ( int k = 0; k < 3; ++k )
	{
		--p->vertex[f->vertex[k]].faces;
	}
	--p->used;
	f->height = INFINITY;
	p->block[b].used &= ~( UINT32_C( 1 ) << i % block_size );
	p->block[b].lowest = p->block[b].lowest == i ? -1 : p->block[b].lowest;
	p->free_block = b < p->free_block ? b : p->free_block;
}

// Face i is the one without vertex i.
void bvconvex_surface_begin( bvconvex_surface* p )
{
	const bvconvex_surface_vertex* v = p->vertex;
	bool front = bvconvex_difference_side( &p->difference, &v[0].of, &v[1].of, &v[2].of, &v[3].of ) > 0;
	static const uint16_t outwards[2][4][3] = {
		{ { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } },
		{ { 1, 2, 3 }, { 0, 3, 2 }, { 0, 1, 3 }, { 0, 2, 1 } },
	};
	for ( int i = 0; i < 4; ++i )
	{
		const uint16_t* corner = outwards[front][i];
		bvconvex_surface_face* f = p->face + bvconvex_surface_add_face( p, corner );
		for ( int k = 0; k < 3; ++k )
		{
			f->neighbor[k] = corner[( k + 2 ) % 3];
		}
	}
}

static void find_lowest( const bvconvex_surface* p, int number )
{
	bvconvex_surface_block* b = p->block + number;
	int first = number * block_size;
	int end = first + block_size < p->faces ? first + block_size : p->faces;
	b->least = INFINITY;
	b->lowest = first;
	for ( int i = first; i < end; ++i )
	{
		if ( p->face[i].height < b->least )
		{
			b->least = p->face[i].height;
			b->lowest = i;
		}
	}
}

int bvconvex_surface_lowest( bvconvex_surface* p )
{
	int best = 0;
	double least = INFINITY;
	for ( int b = 0; b * block_size < p->faces; ++b )
	{
		if ( p->block[b].lowest < 0 )
		{
			find_lowest( p, b );
		}
		if ( p->block[b].least < least )
		{
			least = p->block[b].least;
			best = p->block[b].lowest;
		}
	}
	return best;
}

// @return which corner of a face a vertex is
static int place_of( const bvconvex_surface_face* f, int vertex )
{
	return f->vertex[0] == vertex ? 0 : f->vertex[1] == vertex ? 1 : 2;
}

// Lists the faces that a vertex sees, from one of them on.
// @return how many
static int find_visible( bvconvex_surface* p, int seen, const bvconvex_gjk_vertex* from )
{
	int found = 1;
	p->face[0].seen = (uint16_t)seen;
	p->face[seen].visible = true;
	for ( int i = 0; i < found; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			int j = p->face[p->face[i].seen].neighbor[k];
			if ( !p->face[j].visible && bvconvex_surface_sees( p, from, p->face + j ) )
			{
				p->face[j].visible = true;
				p->face[found++].seen = (uint16_t)j;
			}
		}
	}
	return found;
}

// Lists the edges between these faces and others, and marks the vertices where they begin.
// @return how many
static int find_border( bvconvex_surface* p, int found, bool* is_loop )
{
	int edges = 0;
	*is_loop = true;
	for ( int i = 0; i < found; ++i )
	{
		const bvconvex_surface_face* f = p->face + p->face[i].seen;
		for ( int k = 0; k < 3; ++k )
		{
			if ( p->face[f->neighbor[k]].visible )
			{
				continue;
			}
			if ( p->vertex[f->vertex[k]].begins != none )
			{
				*is_loop = false;
				return edges;
			}
			p->vertex[f->vertex[k]].begins = 0;
			p->vertex[edges].from = f->vertex[k];
			p->vertex[edges].beyond = f->neighbor[k];
			++edges;
		}
	}
	return edges;
}

static void replace( bvconvex_surface* p, int found, int edges, int vertex )
{
	static const int before[3] = { 2, 0, 1 };
	for ( int i = 0; i < found; ++i )
	{
		drop_face( p, p->face[i].seen );
	}
	for ( int i = 0; i < edges; ++i )
	{
		uint16_t from = p->vertex[i].from;
		bvconvex_surface_face* beyond = p->face + p->vertex[i].beyond;
		int side = before[place_of( beyond, from )]; // the edge, which begins where that of the border ends
		int made = bvconvex_surface_add_face(
			p, ( const uint16_t[] ){ from, beyond->vertex[side], (uint16_t)vertex } );
		p->face[made].neighbor[0] = p->vertex[i].beyond;
		beyond->neighbor[side] = (uint16_t)made;
		p->vertex[from].begins = (uint16_t)made;
	}
	for ( int i = 0; i < edges; ++i )
	{
		uint16_t here = p->vertex[p->vertex[i].from].begins;
		uint16_t next = p->vertex[p->face[here].vertex[1]].begins;
		p->face[here].neighbor[1] = next;
		p->face[next].neighbor[2] = here;
	}
}

bool bvconvex_surface_insert( bvconvex_surface* p, int seen, int vertex )
{
	bool is_loop;
	int found = find_visible( p, seen, &p->vertex[vertex].of );
	int edges = find_border( p, found, &is_loop );
	bool fits = p->used - found + edges <= BVCONVEX_SURFACE_FACES( p->most_vertices );
	bool good = is_loop && edges > 0 && fits;
	if ( good )
	{
		replace( p, found, edges, vertex );
	}
	for ( int i = 0; i < edges; ++i )
	{
		p->vertex[p->vertex[i].from].begins = none;
	}
	return good;
}
