// Pieces of a mesh's triangles. See pieces.h.

#include "offline/simplify/pieces.h"

#include "offline/simplify/cut.h"

#include <string.h>

enum
{
	piece_bits = 12,       // of a piece's number within its block
	most_blocks = 1 << 19, // so that numbers have room
	most_pieces = 32,      // of all triangles' pieces, for each triangle
	most_cuts = 4,         // of a change, for each piece that it takes away as a whole
	more_cuts = 64,        // and for all of them together
	deepest = 200,
};

static bvsimplify_piece* piece_of( const bvsimplify_pieces* p, uint32_t number )
{
	return p->blocks[number >> piece_bits] + ( number & ( ( 1u << piece_bits ) - 1 ) );
}

// @return its number; BVSIMPLIFY_NO_PIECE when out of memory
static uint32_t add_piece( bvsimplify_pieces* p )
{
	if ( p->spare != BVSIMPLIFY_NO_PIECE )
	{
		uint32_t number = p->spare;
		p->spare = piece_of( p, number )->next;
		return number;
	}
	if ( p->block_count == 0 || p->used == 1u << piece_bits )
	{
		bvsimplify_piece* block = p->block_count < p->most_blocks
		                              ? bvb_arena_allocate( p->arena, (size_t)1 << piece_bits, sizeof *block )
		                              : NULL;
		if ( !block )
		{
			return BVSIMPLIFY_NO_PIECE;
		}
		p->blocks[p->block_count++] = block;
		p->used = 0;
	}
	return ( ( p->block_count - 1 ) << piece_bits ) + p->used++;
}

// A piece that is not parted, of the given one's corners.
static uint32_t add_copy( bvsimplify_pieces* p, const bvsimplify_piece* like, uint32_t parent,
                          uint32_t depth )
{
	uint32_t number = add_piece( p );
	if ( number != BVSIMPLIFY_NO_PIECE )
	{
		*piece_of( p, number ) = ( bvsimplify_piece ){
			.corner = { like->corner[0], like->corner[1], like->corner[2] },
			.parent = parent,
			.half = { BVSIMPLIFY_NO_PIECE, BVSIMPLIFY_NO_PIECE },
			.next = BVSIMPLIFY_NO_PIECE,
			.depth = depth,
			.anew = BVSIMPLIFY_NO_PIECE,
			.next_top = BVSIMPLIFY_NO_PIECE,
		};
	}
	return number;
}

// A piece and all that it is parted into are spare.
static void remove_piece( bvsimplify_pieces* p, uint32_t number )
{
	bvsimplify_piece* piece = piece_of( p, number );
	for ( int k = 0; k < 2 && piece->half[k] != BVSIMPLIFY_NO_PIECE; ++k )
	{
		remove_piece( p, piece->half[k] );
	}
	piece->next = p->spare;
	p->spare = number;
}

bool bvsimplify_pieces_create( const bvb_mesh* mesh, double tolerance, bvb_arena* arena,
                               bvsimplify_pieces* out )
{
	uint32_t most = ( mesh->triangle_count >> piece_bits ) * most_pieces + 2 * most_pieces;
	most = most < most_blocks ? most : most_blocks;
	*out = ( bvsimplify_pieces ){
		.blocks = bvb_arena_allocate( arena, most, sizeof *out->blocks ),
		.most_blocks = most,
		.spare = BVSIMPLIFY_NO_PIECE,
		.top = BVSIMPLIFY_NO_PIECE,
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
		bvsimplify_piece whole;
		for ( int k = 0; k < 3; ++k )
		{
			whole.corner[k] = mesh->positions[mesh->triangles[t].corner[k]];
		}
		out->first[t] = add_copy( out, &whole, BVSIMPLIFY_NO_PIECE, 0 );
		if ( out->first[t] == BVSIMPLIFY_NO_PIECE )
		{
			return false;
		}
	}
	return true;
}

// Parts a piece in two.
static bool cut( bvsimplify_pieces* p, uint32_t number, const bvhaus_framed_triangle* at )
{
	bvsimplify_piece* piece = piece_of( p, number );
	bvsimplify_cut found = bvsimplify_find_cut( piece->corner, at, p->tolerance );
	if ( !( found.longest > p->least ) || piece->depth == deepest )
	{
		return false;
	}
	for ( int k = 0; k < 2; ++k )
	{
		piece->half[k] = add_copy( p, piece, number, piece->depth + 1 );
		if ( piece->half[k] == BVSIMPLIFY_NO_PIECE )
		{
			return false;
		}
		piece_of( p, piece->half[k] )->corner[( found.side + 1 - k ) % 3] = found.point;
	}
	return true;
}

// @return the face that all of a piece is near; `count` if each corner is near one; count + 1 if it is not
static uint32_t find_face( const bvsimplify_pieces* p, const bvsimplify_piece* piece,
                           const bvhaus_framed_triangle* faces, uint32_t count, uint32_t* nearest )
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
			bool is_near = bvhaus_triangle_square( faces + f, piece->corner[k] ) <= enough;
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

// Finds faces for a piece that is not parted yet.
static bool find_faces( bvsimplify_pieces* p, uint32_t number, const bvhaus_framed_triangle* faces,
                        uint32_t count, uint32_t* budget )
{
	bvsimplify_piece* piece = piece_of( p, number );
	uint32_t nearest = 0;
	piece->target = find_face( p, piece, faces, count, &nearest );
	if ( piece->target != count )
	{
		return piece->target < count;
	}
	if ( *budget == 0 || !cut( p, number, faces + nearest ) )
	{
		return false;
	}
	*budget -= 1;
	return find_faces( p, piece->half[0], faces, count, budget ) &&
	       find_faces( p, piece->half[1], faces, count, budget );
}

// What has both halves taken away is so as a whole.
static void take( bvsimplify_pieces* p, uint32_t number )
{
	bvsimplify_piece* piece = piece_of( p, number );
	piece->taken = p->change;
	while ( piece->parent != BVSIMPLIFY_NO_PIECE )
	{
		bvsimplify_piece* parent = piece_of( p, piece->parent );
		if ( piece_of( p, parent->half[0] )->taken != p->change ||
		     piece_of( p, parent->half[1] )->taken != p->change )
		{
			return;
		}
		parent->taken = p->change;
		piece = parent;
	}
}

// @return 1 if the largest piece that is taken away with this one was not known yet, else 0
static uint32_t put_together( bvsimplify_pieces* p, uint32_t number )
{
	bvsimplify_piece* piece = piece_of( p, number );
	while ( piece->parent != BVSIMPLIFY_NO_PIECE && piece_of( p, piece->parent )->taken == p->change )
	{
		number = piece->parent;
		piece = piece_of( p, number );
	}
	if ( piece->whole == p->change )
	{
		return 0;
	}
	piece->whole = p->change;
	piece->anew = BVSIMPLIFY_NO_PIECE;
	piece->next_top = p->top;
	p->top = number;
	return 1;
}

static uint32_t find_tops( bvsimplify_pieces* p, const uint32_t* old, uint32_t old_count )
{
	uint32_t count = 0;
	p->change += 1;
	p->top = BVSIMPLIFY_NO_PIECE;
	for ( uint32_t f = 0; f < old_count; ++f )
	{
		for ( uint32_t i = p->first[old[f]]; i != BVSIMPLIFY_NO_PIECE; i = piece_of( p, i )->next )
		{
			take( p, i );
		}
	}
	for ( uint32_t f = 0; f < old_count; ++f )
	{
		for ( uint32_t i = p->first[old[f]]; i != BVSIMPLIFY_NO_PIECE; i = piece_of( p, i )->next )
		{
			count += put_together( p, i );
		}
	}
	return count;
}

// Forgets what was found.
static void pieces_drop( bvsimplify_pieces* p )
{
	for ( uint32_t i = p->top; i != BVSIMPLIFY_NO_PIECE; i = piece_of( p, i )->next_top )
	{
		if ( piece_of( p, i )->anew != BVSIMPLIFY_NO_PIECE )
		{
			remove_piece( p, piece_of( p, i )->anew );
		}
	}
	p->top = BVSIMPLIFY_NO_PIECE;
}

bool bvsimplify_pieces_find( bvsimplify_pieces* p, const uint32_t* old, uint32_t old_count,
                             const bvhaus_framed_triangle* faces, uint32_t count )
{
	uint32_t budget = most_cuts * find_tops( p, old, old_count ) + more_cuts;
	for ( uint32_t i = p->top; i != BVSIMPLIFY_NO_PIECE; )
	{
		bvsimplify_piece* top = piece_of( p, i );
		top->anew = add_copy( p, top, top->parent, top->depth );
		if ( top->anew == BVSIMPLIFY_NO_PIECE || !find_faces( p, top->anew, faces, count, &budget ) )
		{
			pieces_drop( p );
			return false;
		}
		i = top->next_top;
	}
	return true;
}

static void give( bvsimplify_pieces* p, uint32_t number, const uint32_t* face )
{
	bvsimplify_piece* piece = piece_of( p, number );
	if ( piece->half[0] == BVSIMPLIFY_NO_PIECE )
	{
		uint32_t* list = p->first + face[piece->target];
		piece->next = *list;
		*list = number;
		return;
	}
	give( p, piece->half[0], face );
	give( p, piece->half[1], face );
}

void bvsimplify_pieces_keep( bvsimplify_pieces* p, const uint32_t* old, uint32_t old_count,
                             const uint32_t* number )
{
	for ( uint32_t f = 0; f < old_count; ++f )
	{
		p->first[old[f]] = BVSIMPLIFY_NO_PIECE;
	}
	uint32_t next;
	for ( uint32_t i = p->top; i != BVSIMPLIFY_NO_PIECE; i = next )
	{
		bvsimplify_piece* top = piece_of( p, i );
		uint32_t anew = top->anew;
		next = top->next_top;
		if ( top->parent != BVSIMPLIFY_NO_PIECE )
		{
			uint32_t* half = piece_of( p, top->parent )->half;
			half[half[0] == i ? 0 : 1] = anew;
		}
		remove_piece( p, i );
		give( p, anew, number );
	}
	p->top = BVSIMPLIFY_NO_PIECE;
}
