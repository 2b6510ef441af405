// Arenas: memory that is freed all at once. Small requests share blocks; each large request has its own
// block.

#include "offline/base/arena.h"

#include "offline/base/system.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum
{
	alignment = 64,
	least_block = 1 << 12,
	most_block = 1 << 16,
};

typedef struct block
{
	struct block* next;
	size_t size;
	size_t used;
	bool shared;   // of several requests
	bool again;    // was taken back: it is not clear
	void* adopted; // freed with the block
} block;

struct bvb_arena
{
	block* blocks;
	size_t bytes;
	size_t limit;
	bvbase_team team;
	bool again;         // whether a block is one that was taken back
	atomic_bool failed; // whether there was no memory for this one, or for scratch of it
	atomic_bool* root;  // that of the arena that this one is scratch of, or its own
};

static size_t round_up( size_t size )
{
	return ( size + alignment - 1 ) & ~(size_t)( alignment - 1 );
}

bvb_arena* bvb_arena_create_limited( size_t bytes )
{
	bvb_arena* arena = malloc( sizeof *arena );
	if ( arena )
	{
		*arena = ( bvb_arena ){ .limit = bytes };
		arena->root = &arena->failed;
	}
	return arena;
}

bvb_arena* bvb_arena_create( void )
{
	return bvb_arena_create_limited( SIZE_MAX );
}

bvb_arena* bvbase_arena_create_scratch( const bvb_arena* owner )
{
	bvb_arena* arena = bvb_arena_create_limited( owner->limit - owner->bytes );
	if ( !arena )
	{
		atomic_store( owner->root, true );
		return NULL;
	}
	arena->team = owner->team;
	arena->root = owner->root;
	return arena;
}

void bvb_arena_destroy( bvb_arena* arena )
{
	if ( arena )
	{
		for ( block* b = arena->blocks; b; )
		{
			block* next = b->next;
			free( b->adopted );
			free( b );
			b = next;
		}
		free( arena );
	}
}

// Behind the newest block, which may have room left.
static void put_behind_newest( bvb_arena* arena, block* b )
{
	block** place = arena->blocks ? &arena->blocks->next : &arena->blocks;
	b->next = *place;
	*place = b;
}

static block* add_block( bvb_arena* arena, size_t size, bool shared, bool unset )
{
	size_t total = round_up( sizeof( block ) ) + size;
	if ( total < size || total > arena->limit - arena->bytes )
	{
		return NULL;
	}

	// calloc gives large blocks as untouched zero pages, where clearing them here would touch each twice.
	char* memory = unset ? malloc( total + alignment ) : calloc( 1, total + alignment );
	if ( !memory )
	{
		return NULL;
	}
	bvbase_memory_use_large_pages( memory, total + alignment );
	block* b = (block*)memory;
	*b = ( block ){ .next = arena->blocks, .size = size, .shared = shared };
	if ( shared )
	{
		arena->blocks = b;
	}
	else
	{
		put_behind_newest( arena, b );
	}
	arena->bytes += total;
	return b;
}

static void* first_of( const block* b )
{
	return (void*)round_up( (uintptr_t)b + sizeof( block ) );
}

static bool has_room( const block* b, size_t needed )
{
	return b && b->size - b->used >= needed;
}

// One with room that was taken back, or null.
static block* find_again( const bvb_arena* arena, size_t needed )
{
	block* b = arena->again ? arena->blocks : NULL;
	while ( b && !( b->again && has_room( b, needed ) ) )
	{
		b = b->next;
	}
	return b;
}

static void* allocate( bvb_arena* arena, size_t count, size_t size, bool unset )
{
	if ( size && count > ( SIZE_MAX / 2 ) / size )
	{
		return NULL;
	}
	size_t needed = round_up( count * size + ( count * size == 0 ) );

	block* b = has_room( arena->blocks, needed ) ? arena->blocks : find_again( arena, needed );
	if ( !b )
	{
		// As much again as there is: blocks are cleared, which for small tasks is most of the work.
		size_t usual = arena->bytes < least_block ? least_block : arena->bytes;
		usual = usual < most_block ? usual : most_block;
		bool shared = needed <= usual / 4;
		b = add_block( arena, shared ? usual : needed, shared, unset && !shared );
		if ( !b )
		{
			atomic_store( arena->root, true );
			return NULL;
		}
	}
	void* result = (char*)first_of( b ) + b->used;
	b->used += needed;
	if ( b->again && !unset )
	{
		memset( result, 0, needed );
	}
	return result;
}

void* bvb_arena_allocate( bvb_arena* arena, size_t count, size_t size )
{
	return allocate( arena, count, size, false );
}

void* bvbase_arena_allocate_unset( bvb_arena* arena, size_t count, size_t size )
{
	return allocate( arena, count, size, true );
}

bool bvbase_arena_adopt( bvb_arena* arena, void* memory, size_t bytes )
{
	block* b = malloc( sizeof *b );
	if ( !b || bytes > arena->limit - arena->bytes )
	{
		free( b );
		return false;
	}
	*b = ( block ){ .size = bytes, .used = bytes, .adopted = memory };
	put_behind_newest( arena, b );
	arena->bytes += bytes;
	return true;
}

void bvbase_arena_release( bvb_arena* arena, const void* memory )
{
	for ( block** place = &arena->blocks; *place; place = &( *place )->next )
	{
		block* b = *place;
		if ( memory && ( b->adopted == memory || ( !b->shared && !b->adopted && first_of( b ) == memory ) ) )
		{
			*place = b->next;
			arena->bytes -= b->adopted ? b->size : round_up( sizeof( block ) ) + b->size;
			free( b->adopted );
			free( b );
			return;
		}
	}
}

void bvbase_arena_reset( bvb_arena* arena )
{
	for ( block** place = &arena->blocks; *place; )
	{
		block* b = *place;
		if ( b->adopted )
		{
			*place = b->next;
			arena->bytes -= b->size;
			free( b->adopted );
			free( b );
			continue;
		}
		b->used = 0;
		b->shared = b->again = arena->again = true;
		place = &b->next;
	}
}

bool bvbase_arena_absorb( bvb_arena* arena, bvb_arena* other )
{
	if ( other->bytes > arena->limit - arena->bytes )
	{
		bvb_arena_destroy( other );
		return false;
	}
	while ( other->blocks )
	{
		block* b = other->blocks;
		other->blocks = b->next;
		put_behind_newest( arena, b );
	}
	arena->bytes += other->bytes;
	arena->again = arena->again || other->again;
	free( other );
	return true;
}

bool bvbase_arena_has_failed( const bvb_arena* arena )
{
	return atomic_load( arena->root );
}

bvbase_team* bvbase_arena_team( bvb_arena* arena )
{
	return &arena->team;
}

size_t bvb_arena_bytes( const bvb_arena* arena )
{
	return arena->bytes;
}
