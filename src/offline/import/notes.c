// Warnings of a reader. See notes.h.

#include "offline/import/notes.h"

#include "offline/base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void bvimport_notes_add( bvimport_notes* n, uint64_t losses, const char* format, ... )
{
	if ( n->warnings == 0 || ( losses > 0 && n->losses == 0 ) )
	{
		va_list arguments;
		va_start( arguments, format );
		vsnprintf( n->text, sizeof n->text, format, arguments );
		va_end( arguments );
	}
	n->warnings += losses > 0 ? losses : 1;
	n->losses += losses;
}

bv_status bvimport_notes_deliver( const bvimport_notes* n, bvb_arena* arena, bvb_import* out,
                                  bvb_error* error )
{
	out->warnings = n->warnings;
	out->losses = n->losses;
	out->warning = NULL;
	if ( n->warnings > 0 )
	{
		size_t room = strlen( n->text ) + 1;
		char* text = bvb_arena_allocate( arena, room, 1 );
		if ( !text )
		{
			return bvbase_fail_memory( error );
		}
		out->warning = memcpy( text, n->text, room );
	}
	return bv_ok;
}
