// A file on its way out. See output.h.

#include "offline/export/output.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	first_room = 1 << 16,
};

static void make_room( bvexport_output* o, size_t count )
{
	if ( o->failed || count <= o->room - o->length )
	{
		return;
	}
	size_t room = o->room ? 2 * o->room : first_room;
	room = room - o->length < count ? o->length + count : room;
	char* data = realloc( o->data, room );
	o->failed = !data;
	o->data = data ? data : o->data;
	o->room = data ? room : o->room;
}

void bvexport_output_bytes( bvexport_output* o, const void* bytes, size_t count )
{
	make_room( o, count );
	if ( !o->failed && count > 0 )
	{
		memcpy( o->data + o->length, bytes, count );
		o->length += count;
	}
}

void bvexport_output_text( bvexport_output* o, const char* text )
{
	bvexport_output_bytes( o, text, strlen( text ) );
}

void bvexport_output_count( bvexport_output* o, uint64_t value )
{
	char text[BVBASE_NUMBER_BYTES];
	snprintf( text, sizeof text, "%" PRIu64, value );
	bvexport_output_text( o, text );
}

void bvexport_output_number( bvexport_output* o, double value )
{
	char text[BVBASE_NUMBER_BYTES];
	bvbase_print_number( text, value );
	bvexport_output_text( o, text );
}

void bvexport_output_float( bvexport_output* o, float value )
{
	char text[BVBASE_NUMBER_BYTES];
	bvbase_print_float( text, value );
	bvexport_output_text( o, text );
}

void bvexport_output_pad( bvexport_output* o, char byte )
{
	while ( o->length % 4 != 0 && !o->failed )
	{
		bvexport_output_bytes( o, &byte, 1 );
	}
}

bv_status bvexport_output_finish( bvexport_output* o, bvb_arena* arena, const void** data, size_t* size,
                                  bvb_error* error )
{
	bool good = !o->failed && bvbase_arena_adopt( arena, o->data, o->room );
	*data = good ? o->data : NULL;
	*size = good ? o->length : 0;
	if ( !good )
	{
		free( o->data );
	}
	*o = ( bvexport_output ){ 0 };
	return good ? bv_ok : bvbase_fail_memory( error );
}
