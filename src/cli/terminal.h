// Text for people on a terminal: lines of at most 80 columns, digits in groups, colors where they are wanted.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum
{
	terminal_width = 80,
	terminal_height = 50,
};

/// @return how many columns a UTF-8 text takes, if each character takes one
int text_columns( const char* text );

/// Makes a question mark of each byte that is of no character of UTF-8.
void clean_text( char* text );

/// Makes a name fit: what would change the terminal becomes a question mark, and a long one loses its middle.
/// @param columns  at least 8
/// @param out      receives it, of at most `columns` characters
void fit_name( const char* name, int columns, char* out, size_t size );

/// Where text for people goes.
typedef struct page
{
	FILE* file;  ///< where to
	bool colors; ///< whether escape codes may be used
	int column;  ///< where the line is
	int indent;  ///< where lines of this row begin
	bool empty;  ///< nothing stands in this row yet
	int lines;   ///< so many have ended
} page;

/// @return a page with colors if the file is a terminal, unless the environment says NO_COLOR or TERM=dumb
page page_on( FILE* file );

/// What a piece of text is like.
typedef enum paint
{
	paint_plain = 0,
	paint_strong,  ///< a heading
	paint_warning, ///< what one should look at
	paint_good,    ///< what got better
	paint_picture, ///< of bars
} paint;

/// Begins a row with a label in its margin, which continues `indent` columns from the left.
void begin_row( page* p, const char* label, int indent );

/// Adds an item to the row, behind a comma unless it is the first: on the next line if this one has no room.
#if defined( __GNUC__ )
__attribute__( ( format( printf, 3, 4 ) ) )
#endif
void add_item( page* p, paint how, const char* format, ... );

/// The same without a comma, behind a blank or none.
#if defined( __GNUC__ )
__attribute__( ( format( printf, 3, 4 ) ) )
#endif
void add_words( page* p, paint how, const char* format, ... );

/// Ends the row.
void end_row( page* p );

/// Prints a text in the place where the row is, whatever its length.
void put_text( page* p, paint how, const char* text );
