// Pieces of a mesh's triangles. See pieces.h.

#include "simplify/pieces.h"

#include "simplify/cut.h"

#include <string.h>

enum
{
	piece_bits = 12, // of a piece's number within its block
	most_blocks = 1 << 14,
	most_cuts = 1 << 15, // of a face's pieces at once
};

static bvb_piece* piece_of( const bvb_pieces* p, uint32_t number )
{
	return p->blocks[number >> piece_bits] + ( number & ( ( 1u << piece_bits ) - 1 ) );
}

// @return its number; BVB_NO_PIECE when out of memory
static uint32_t add_piece( bvb_pieces* p )
{
	if ( p->block_count == 0 || p->used == 1u << piece_bits )
	{
		bvb_piece* block = p->block_count < most_blocks
		                       ? bvb_arena_allocate( p->arena, (size_t)1 << piece_bits, sizeof *block )
		                       : NULL;
		if ( !block )
		{
			return BVB_NO_PIECE;
		}
		p->blocks[p->block_count++] = block;
		p->used = 0;
	}
	return ( ( p->block_count - 1 ) << piece_bits ) + p->used++;
}

bool bvb_pieces_create( const bvb_mesh* mesh, double tolerance, bvb_arena* arena, bvb_pieces* out )
{
	*out = ( bvb_pieces ){
		.blocks = bvb_arena_allocate( arena, most_blocks, sizeof *out->blocks ),
		.first = bvb_arena_allocate( arena, mesh->triangle_count, sizeof *out->first ),
		.arena = arena,
		.tolerance = tolerance,
		.least = tolerance / 8,
	};
	if ( !out->blocks || !out->first )
	{
		return false;
	}
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		uint32_t number = add_piece( out );
		if ( number == BVB_NO_PIECE )
		{
			return false;
		}
		bvb_piece* piece = piece_of( out, number );
		piece->next = BVB_NO_PIECE;
		for ( int k = 0; k < 3; ++k )
		{
			piece->corner[k] = mesh->positions[mesh->triangles[t].corner[k]];
		}
		out->first[t] = number;
	}
	return true;
}

// Cuts a piece in two: it becomes the first, the other one follows it.
static bool cut( bvb_pieces* p, bvb_piece* piece, const bvb_framed_triangle* at )
{
	bvb_cut found = bvb_find_cut( piece->corner, at );
	uint32_t number = found.longest > p->least ? add_piece( p ) : BVB_NO_PIECE;
	if ( number == BVB_NO_PIECE )
	{
		return false;
	}
	bvb_piece* other = piece_of( p, number );
	*other = *piece;
	other->corner[found.side] = found.point;
	piece->corner[( found.side + 1 ) % 3] = found.point;
	piece->next = number;
	return true;
}

// @return the face that all of a piece is near; `count` if each corner is near one; count + 1 if it is not
static uint32_t find_face( const bvb_pieces* p, const bvb_piece* piece, const bvb_framed_triangle* faces,
                           uint32_t count, uint32_t* nearest )
{
	double enough = p->tolerance * p->tolerance;
	unsigned near = 0;
	int most = 0;
	for ( uint32_t f = 0; f < count; ++f )
	{
		unsigned here = 0;
		int corners = 0;
		for ( int k = 0; k < 3; ++k )
		{
			bool is_near = bvb_triangle_square( faces + f, piece->corner[k] ) <= enough;
			here |= (unsigned)is_near << k;
			corners += is_near;
		}
		if ( here == 7 )
		{
			return f;
		}
		near |= here;
		*nearest = corners > most ? f : *nearest;
		most = corners > most ? corners : most;
	}
	return near == 7 ? count : count + 1;
}

bool bvb_pieces_find( bvb_pieces* p, uint32_t face, const bvb_framed_triangle* faces, uint32_t count )
{
	uint32_t budget = most_cuts;
	for ( uint32_t i = p->first[face]; i != BVB_NO_PIECE; )
	{
		bvb_piece* piece = piece_of( p, i );
		uint32_t nearest = 0;
		piece->target = find_face( p, piece, faces, count, &nearest );
		if ( piece->target > count ||
		     ( piece->target == count && ( budget-- == 0 || !cut( p, piece, faces + nearest ) ) ) )
		{
			return false;
		}
		i = piece->target == count ? i : piece->next;
	}
	return true;
}

uint32_t bvb_pieces_take( bvb_pieces* p, uint32_t face )
{
	uint32_t first = p->first[face];
	p->first[face] = BVB_NO_PIECE;
	return first;
}

void bvb_pieces_give( bvb_pieces* p, uint32_t first, const uint32_t* number )
{
	for ( uint32_t i = first; i != BVB_NO_PIECE; )
	{
		bvb_piece* piece = piece_of( p, i );
		uint32_t next = piece->next;
		uint32_t* list = p->first + number[piece->target];
		piece->next = *list;
		*list = i;
		i = next;
	}
}
