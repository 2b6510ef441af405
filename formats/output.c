// A file on its way out. See output.h.

#include "formats/output.h"

#include "base/offline/arena.h"
#include "base/offline/error.h"
#include "base/offline/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	first_room = 1 << 16,
};

static void make_room( bvb_output* o, size_t count )
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

void bvb_output_bytes( bvb_output* o, const void* bytes, size_t count )
{
	make_room( o, count );
	if ( !o->failed && count > 0 )
	{
		memcpy( o->data + o->length, bytes, count );
		o->length += count;
	}
}

void bvb_output_text( bvb_output* o, const char* text )
{
	bvb_output_bytes( o, text, strlen( text ) );
}

void bvb_output_count( bvb_output* o, uint64_t value )
{
	char text[BVB_NUMBER_BYTES];
	snprintf( text, sizeof text, "%" PRIu64, value );
	bvb_output_text( o, text );
}

void bvb_output_number( bvb_output* o, double value )
{
	char text[BVB_NUMBER_BYTES];
	bvb_print_number( text, value );
	bvb_output_text( o, text );
}

void bvb_output_float( bvb_output* o, float value )
{
	char text[BVB_NUMBER_BYTES];
	bvb_print_float( text, value );
	bvb_output_text( o, text );
}

void bvb_output_pad( bvb_output* o, char byte )
{
	while ( o->length % 4 != 0 && !o->failed )
	{
		bvb_output_bytes( o, &byte, 1 );
	}
}

bv_status bvb_output_finish( bvb_output* o, bvb_arena* arena, const void** data, size_t* size,
                             bvb_error* error )
{
	bool good = !o->failed && bvb_arena_adopt( arena, o->data, o->room );
	*data = good ? o->data : NULL;
	*size = good ? o->length : 0;
	if ( !good )
	{
		free( o->data );
	}
	*o = ( bvb_output ){ 0 };
	return good ? bv_ok : bvb_fail_memory( error );
}
