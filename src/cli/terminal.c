// Text for people on a terminal. See terminal.h.

#include "cli/terminal.h"

#include "offline/base/system.h"
#include "runtime/file/utf8.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static bool begins_character( char c )
{
	return ( c & 0xc0 ) != 0x80;
}

int text_columns( const char* text )
{
	int columns = 0;
	for ( ; *text; ++text )
	{
		columns += begins_character( *text );
	}
	return columns;
}

// Copies so many characters. Returns how many bytes that were.
static size_t copy_characters( const char* from, int count, char* to, size_t room )
{
	size_t length = 0;
	for ( ; from[length] && ( count > 0 || !begins_character( from[length] ) ); ++length )
	{
		count -= begins_character( from[length] );
		if ( length + 1 >= room )
		{
			break;
		}
		unsigned char c = (unsigned char)from[length];
		to[length] = c < 0x20 || c == 0x7f ? '?' : from[length];
	}
	to[length] = 0;
	return length;
}

void clean_text( char* text )
{
	size_t left = strlen( text );
	while ( left > 0 )
	{
		size_t length = bvfile_utf8_character( text, left );
		*text = length > 0 ? *text : '?';
		length = length > 0 ? length : 1;
		text += length;
		left -= length;
	}
}

void fit_name( const char* name, int columns, char* out, size_t size )
{
	int all = text_columns( name );
	if ( all <= columns )
	{
		copy_characters( name, columns, out, size );
		clean_text( out );
		return;
	}
	int head = ( columns - 3 ) / 3;
	int skipped = all - ( columns - 3 - head );
	const char* tail = name;
	for ( ; *tail && ( skipped > 0 || !begins_character( *tail ) ); ++tail )
	{
		skipped -= begins_character( *tail );
	}
	size_t length = copy_characters( name, head, out, size - 4 );
	length += (size_t)snprintf( out + length, size - length, "..." );
	copy_characters( tail, columns, out + length, size - length );
	clean_text( out );
}

page page_on( FILE* file )
{
	const char* no_color = getenv( "NO_COLOR" );
	bool colors = bvbase_terminal_has_colors( file ) && !( no_color && *no_color );
	return ( page ){ .file = file, .colors = colors };
}

void put_text( page* p, paint how, const char* text )
{
	static const char* const codes[] = { "", "\033[1m", "\033[33m", "\033[32m", "\033[36m" };
	bool painted = p->colors && how != paint_plain;
	fprintf( p->file, "%s%s%s", painted ? codes[how] : "", text, painted ? "\033[0m" : "" );
	p->column += text_columns( text );
}

void begin_row( page* p, const char* label, int indent )
{
	p->column = 0;
	p->indent = indent;
	p->empty = true;
	put_text( p, paint_plain, label );
}

static void put_piece( page* p, paint how, const char* between, const char* text )
{
	int column = p->column;
	if ( !p->empty )
	{
		fputs( between, p->file );
		column += (int)strlen( between );
		bool fits = column + 1 + text_columns( text ) <= terminal_width - 1;
		fputs( fits ? " " : "\n", p->file );
		p->column = fits ? column + 1 : 0;
		p->lines += !fits;
	}
	if ( p->column < p->indent )
	{
		fprintf( p->file, "%*s", p->indent - p->column, "" );
		p->column = p->indent;
	}
	put_text( p, how, text );
	p->empty = false;
}

void add_item( page* p, paint how, const char* format, ... )
{
	char text[1024];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	put_piece( p, how, ",", text );
}

void add_words( page* p, paint how, const char* format, ... )
{
	char text[1024];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	put_piece( p, how, "", text );
}

void end_row( page* p )
{
	fputs( "\n", p->file );
	p->column = 0;
	++p->lines;
}
