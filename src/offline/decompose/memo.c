// Open addressing, at most half full.

#include "offline/decompose/memo.h"

#include "offline/base/arena.h"

#include <string.h>

static bvdecomp_memo_entry* slot_of( const bvdecomp_memo* memo, uint64_t a, uint64_t b )
{
	uint64_t hash = ( a * 0x9e3779b97f4a7c15u ^ b ) * 0xc2b2ae3d27d4eb4fu;
	uint32_t at = (uint32_t)( hash >> 32 ) & ( memo->room - 1 );
	while ( memo->entries[at].a != 0 && ( memo->entries[at].a != a || memo->entries[at].b != b ) )
	{
		at = ( at + 1 ) & ( memo->room - 1 );
	}
	return memo->entries + at;
}

const bvdecomp_memo_entry* bvdecomp_memo_find( const bvdecomp_memo* memo, uint64_t a, uint64_t b )
{
	const bvdecomp_memo_entry* entry = memo->room > 0 ? slot_of( memo, a, b ) : NULL;
	return entry && entry->a != 0 ? entry : NULL;
}

static bool grow( bvdecomp_memo* memo, bvb_arena* arena )
{
	bvdecomp_memo wider = { .room = memo->room ? 2 * memo->room : 256, .count = memo->count };
	wider.entries = bvb_arena_allocate( arena, wider.room, sizeof *wider.entries );
	if ( !wider.entries )
	{
		return false;
	}
	for ( uint32_t i = 0; i < memo->room; ++i )
	{
		const bvdecomp_memo_entry* entry = memo->entries + i;
		if ( entry->a != 0 )
		{
			*slot_of( &wider, entry->a, entry->b ) = *entry;
		}
	}
	*memo = wider;
	return true;
}

bool bvdecomp_memo_keep( bvdecomp_memo* memo, bvb_arena* arena, uint64_t a, uint64_t b,
                         const double value[3] )
{
	if ( 2 * memo->count >= memo->room && !grow( memo, arena ) )
	{
		return false;
	}
	bvdecomp_memo_entry* entry = slot_of( memo, a, b );
	entry->a = a;
	entry->b = b;
	memcpy( entry->value, value, sizeof entry->value );
	++memo->count;
	return true;
}
