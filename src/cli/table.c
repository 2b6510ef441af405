// Tables of numbers. See table.h.

#include "cli/table.h"

#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/text_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

// A line's values.
typedef struct table_line
{
	uint32_t number; // in the file, from 1
	int count;
	char* fields[most_table_fields];
} table_line;

typedef struct table_reader
{
	const char* path;
	const table_form* form;
	bvb_error* error;
	char* rest;                    // lines that were not read yet; null at the end
	uint32_t number;               // of the last line that was read
	char separator;                // ' ' for any blanks; 0 as long as no line was cut
	int column[most_table_fields]; // which column a value is; -1: none
	int needed;                    // values up to the last one that is a column
	table* out;
	uint32_t room; // of its rows
} table_reader;

static bool is_blank( char c )
{
	return c == ' ' || c == '\t';
}

// @return the next line, without its end; null at the end of the file
static char* next_line( table_reader* r )
{
	char* line = r->rest;
	if ( line )
	{
		char* end = line + strcspn( line, "\r\n" );
		r->rest = end[0] == '\r' && end[1] == '\n' ? end + 2 : *end ? end + 1 : NULL;
		*end = 0;
		r->number += 1;
	}
	return line;
}

// Semicolons before commas, since numbers of some countries have commas in them.
static char find_separator( const char* line )
{
	bool quoted = false;
	char found = ' ';
	for ( ; *line; ++line )
	{
		quoted = quoted != ( *line == '"' );
		if ( !quoted && ( *line == ';' || ( *line == ',' && found == ' ' ) ) )
		{
			found = *line;
		}
	}
	return found;
}

// Takes the quotes off a value, in place. A quote within it is written twice.
// @param end  receives what is behind it
// @return false if there is no second quote
static bool unquote( char* field, char** end )
{
	char* to = field;
	for ( char* from = field + 1; *from; ++from )
	{
		if ( *from == '"' && from[1] != '"' )
		{
			*to = 0;
			*end = from + 1;
			return true;
		}
		from += *from == '"';
		*to++ = *from;
	}
	return false;
}

// A value without quotes. It ends at the separator, or where a comment begins: at a # behind a blank, if the
// line is complete there, so that names may have one.
static char* find_end( char* field, char separator, bool complete )
{
	char* at = field;
	for ( ; *at; ++at )
	{
		if ( separator == ' ' ? is_blank( *at ) : *at == separator )
		{
			break;
		}
		if ( *at == '#' && complete && at > field && is_blank( at[-1] ) )
		{
			break;
		}
	}
	return at;
}

// Cuts the value at `*at` out of a line, in place, without the blanks around it.
// @param at        receives the next value; null at the end of the line
// @param complete  whether a comment may follow
// @return null, or what is wrong
static const char* cut_field( char** at, char separator, bool complete, char** field )
{
	*field = *at;
	bool quoted = **at == '"';
	if ( quoted && !unquote( *field, at ) )
	{
		return "the quote is not closed";
	}
	const char* skipped = separator == ' ' ? "" : " \t";
	char* end = quoted ? *at + strspn( *at, skipped ) : find_end( *at, separator, complete );
	bool ends = !*end || *end == '#';
	if ( quoted && !ends && *end != separator && !( separator == ' ' && is_blank( *end ) ) )
	{
		return "text behind a quoted value";
	}
	for ( char* back = end; !quoted && back > *field && is_blank( back[-1] ); --back )
	{
		back[-1] = 0;
	}
	*end = 0;
	*at = ends ? NULL : end + 1;
	return NULL;
}

// Cuts a line into its values.
// @param needed  values that a line has at least, before a comment; 0 if that is not known
static bv_status cut_line( const table_reader* r, char* text, char separator, int needed, table_line* out,
                           bvb_error* error )
{
	out->count = 0;
	out->number = r->number;
	for ( char* at = text; at; )
	{
		at += strspn( at, " \t" );
		bool comment = *at == '#' && out->count >= needed;
		if ( comment || ( !*at && separator == ' ' ) )
		{
			break;
		}
		if ( out->count == most_table_fields )
		{
			return bvbase_fail( error, bv_error_limit, "%s:%u: more than %d columns", r->path, r->number,
			                    (int)most_table_fields );
		}
		const char* fault = cut_field( &at, separator, out->count + 1 >= needed, out->fields + out->count );
		out->count += 1;
		if ( fault )
		{
			return bvbase_fail( error, bv_error_input, "%s:%u: column %d: %s", r->path, r->number, out->count,
			                    fault );
		}
	}

	// A separator at the end of a line adds no column.
	out->count -= out->count > 1 && !*out->fields[out->count - 1];
	return bv_ok;
}

static bool read_number( const char* text, double* out )
{
	const char* end = text + strlen( text );
	return *text && bvbase_read_number( text, end, out ) == end;
}

static bool has_number( const table_line* line )
{
	double ignored;
	for ( int i = 0; i < line->count; ++i )
	{
		if ( read_number( line->fields[i], &ignored ) )
		{
			return true;
		}
	}
	return false;
}

// @param names  one or several names, with '|' between
static bool is_name_of( const char* names, const char* field )
{
	size_t field_length = strlen( field );
	for ( const char* name = names; name; )
	{
		const char* end = strchr( name, '|' );
		size_t length = end ? (size_t)( end - name ) : strlen( name );
		bool at_end =
			length < field_length && memchr( name, '.', length ) && field[field_length - length - 1] == '.';
		if ( ( length == field_length || at_end ) &&
		     strncasecmp( field + field_length - length, name, length ) == 0 )
		{
			return true;
		}
		name = end ? end + 1 : NULL;
	}
	return false;
}

// @return what is behind the prefix; null if the field does not begin with it
static const char* skip_prefix( const char* prefix, const char* field )
{
	for ( ; *prefix; ++prefix, ++field )
	{
		char c = *field >= 'A' && *field <= 'Z' ? (char)( *field - 'A' + 'a' ) : *field;
		if ( c != *prefix && !( c == '.' && *prefix == '_' ) )
		{
			return NULL;
		}
	}
	return field;
}

static int count_groups( const table_form* form )
{
	return form->groups ? form->group_count : 1;
}

static int find_column( const table_form* form, const char* field )
{
	for ( int g = 0; g < count_groups( form ); ++g )
	{
		const char* name = form->groups ? skip_prefix( form->groups[g], field ) : field;
		for ( int i = 0; i < form->count && name; ++i )
		{
			if ( is_name_of( form->columns[i], name ) )
			{
				return g * form->count + i;
			}
		}
	}
	return -1;
}

static int count_columns( const table_form* form, const table_line* line )
{
	int known = 0;
	for ( int i = 0; i < line->count; ++i )
	{
		known += find_column( form, line->fields[i] ) >= 0;
	}
	return known;
}

static bool is_label( const table_form* form, const char* field )
{
	return !*field || !form->labels || is_name_of( form->labels, field );
}

static bv_status use_header( table_reader* r, const table_line* line, bvb_arena* arena )
{
	table* t = r->out;
	t->head = line->number;
	t->fields = line->count;
	for ( int i = 0; i < line->count; ++i )
	{
		char* field = line->fields[i];
		int column = find_column( r->form, field );
		int before = column >= 0 ? t->field[column] : -1;
		if ( before >= 0 )
		{
			return bvbase_fail( r->error, bv_error_input,
			                    "%s:%u: columns %d and %d mean the same: '%.40s' and '%.40s'", r->path,
			                    line->number, before + 1, i + 1, line->fields[before], field );
		}
		r->column[i] = column;
		if ( column >= 0 )
		{
			r->needed = i + 1;
			t->field[column] = i;
		}
		else if ( !t->unused && !is_label( r->form, field ) )
		{
			char* name = bvb_arena_allocate( arena, strlen( field ) + 1, 1 );
			if ( !name )
			{
				return bvbase_fail_memory( r->error );
			}
			t->unused = strcpy( name, field );
		}
	}
	return bv_ok;
}

static bv_status use_order( table_reader* r, const table_line* line )
{
	char known[64] = "";
	for ( int k = 0; k < r->form->order_count; ++k )
	{
		const table_order* order = r->form->orders + k;
		size_t length = strlen( known );
		snprintf( known + length, sizeof known - length, "%s%d",
		          k == 0                         ? ""
		          : k + 1 < r->form->order_count ? ", "
		                                         : " or ",
		          order->fields );
		if ( order->fields != line->count )
		{
			continue;
		}
		r->out->fields = r->needed = line->count;
		for ( int i = 0; i < line->count; ++i )
		{
			r->column[i] = order->column[i];
			if ( order->column[i] >= 0 )
			{
				r->out->field[order->column[i]] = i;
			}
		}
		return bv_ok;
	}
	if ( r->form->order_count == 0 )
	{
		return bvbase_fail( r->error, bv_error_input, "%s:%u: no header; %s need one that names the columns",
		                    r->path, line->number, r->form->what );
	}
	return bvbase_fail(
		r->error, bv_error_input, "%s:%u: %d value%s and no header; without a header %s have %s values",
		r->path, line->number, line->count, bvbase_plural( (uint64_t)line->count ), r->form->what, known );
}

// A comment above the first row may be its header, as numpy.savetxt and the trajectories of robots have it.
// One that seems to be a header and does not fit is an error: the order of the values matters.
static bv_status use_comment( table_reader* r, char* comment, uint32_t number, const table_line* row,
                              bvb_arena* arena )
{
	enum
	{
		least_known = 3,
	};
	table_line line;
	if ( !comment || cut_line( r, comment, find_separator( comment ), 0, &line, NULL ) != bv_ok ||
	     count_columns( r->form, &line ) < least_known )
	{
		return use_order( r, row );
	}
	line.number = number;
	if ( line.count != row->count )
	{
		return bvbase_fail( r->error, bv_error_input,
		                    "%s:%u: the comment names %d columns, and line %u has %d values", r->path, number,
		                    line.count, row->number, row->count );
	}
	return use_header( r, &line, arena );
}

static size_t table_width( const table_form* form )
{
	return (size_t)count_groups( form ) * (size_t)form->count;
}

static bv_status make_room( table_reader* r, bvb_arena* arena )
{
	table* t = r->out;
	if ( t->rows < r->room )
	{
		return bv_ok;
	}
	uint32_t room = r->room ? 2 * r->room : 256;
	size_t width = table_width( r->form );
	double* values = room > r->room ? bvb_arena_allocate( arena, room, width * sizeof *values ) : NULL;
	uint32_t* lines = values ? bvb_arena_allocate( arena, room, sizeof *lines ) : NULL;
	if ( !lines )
	{
		return bvbase_fail_memory( r->error );
	}
	if ( t->rows > 0 )
	{
		memcpy( values, t->values, t->rows * width * sizeof *values );
		memcpy( lines, t->lines, t->rows * sizeof *lines );
	}
	t->values = values;
	t->lines = lines;
	r->room = room;
	return bv_ok;
}

// A column as the header calls it.
static const char* name_column( const table_form* form, int column, char out[32] )
{
	const char* name = form->columns[column % form->count];
	snprintf( out, 32, "%s%.*s", form->groups ? form->groups[column / form->count] : "",
	          (int)strcspn( name, "|" ), name );
	return out;
}

static bv_status add_row( table_reader* r, const table_line* line, bvb_arena* arena )
{
	char name[32];
	bv_status status = make_room( r, arena );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( line->count > r->out->fields )
	{
		return bvbase_fail( r->error, bv_error_input, "%s:%u: %d values for %d columns", r->path,
		                    line->number, line->count, r->out->fields );
	}
	double* row = r->out->values + r->out->rows * table_width( r->form );
	for ( int i = 0; i < r->needed; ++i )
	{
		if ( r->column[i] < 0 )
		{
			continue;
		}
		const char* field = i < line->count ? line->fields[i] : "";
		double* value = row + r->column[i];
		if ( !*field )
		{
			return bvbase_fail( r->error, bv_error_input, "%s:%u: column %d: %s has no value", r->path,
			                    line->number, i + 1, name_column( r->form, r->column[i], name ) );
		}
		if ( !read_number( field, value ) || !isfinite( *value ) )
		{
			return bvbase_fail( r->error, bv_error_input, "%s:%u: column %d: %s is not a number: '%.40s'",
			                    r->path, line->number, i + 1, name_column( r->form, r->column[i], name ),
			                    field );
		}
	}
	r->out->lines[r->out->rows++] = line->number;
	return bv_ok;
}

static bv_status read_lines( table_reader* r, bvb_arena* arena )
{
	char* comment = NULL;
	uint32_t comment_line = 0;
	bv_status status = bv_ok;
	for ( char* text; status == bv_ok && ( text = next_line( r ) ); )
	{
		text += strspn( text, " \t\v\f" );
		bool first = r->separator == 0;
		if ( *text == '#' && first )
		{
			comment = text + 1;
			comment_line = r->number;
		}
		if ( *text == '#' || !*text )
		{
			continue;
		}
		table_line line;
		r->separator = first ? find_separator( text ) : r->separator;
		status = cut_line( r, text, r->separator, r->needed, &line, r->error );
		if ( status == bv_ok && first && !has_number( &line ) )
		{
			status = use_header( r, &line, arena );
			continue;
		}
		if ( status == bv_ok && first )
		{
			status = use_comment( r, comment, comment_line, &line, arena );
		}
		status = status == bv_ok ? add_row( r, &line, arena ) : status;
	}
	if ( status == bv_ok && r->out->rows == 0 && r->needed == 0 && r->out->unused )
	{
		return bvbase_fail( r->error, bv_error_input,
		                    "%s:%u: '%.40s' is neither a number nor the name of a column", r->path,
		                    r->out->head, r->out->unused );
	}
	if ( status == bv_ok && r->out->rows == 0 )
	{
		status = bvbase_fail( r->error, bv_error_input, "%s: no %s", r->path, r->form->what );
	}
	return status;
}

bv_status read_table( const char* path, const table_form* form, bvb_arena* arena, table* out,
                      bvb_error* error )
{
	char* text;
	bv_status status = bvbase_read_text_file( path, arena, &text, error );
	*out = ( table ){ .rows = 0 };
	for ( int i = 0; i < most_table_columns; ++i )
	{
		out->field[i] = -1;
	}
	table_reader r = { .path = path, .form = form, .error = error, .rest = text, .out = out };
	return status == bv_ok ? read_lines( &r, arena ) : status;
}

bv_status require_columns( const char* path, const table_form* form, const table* t, int first, int count,
                           bvb_error* error )
{
	for ( int i = first; i < first + count; ++i )
	{
		if ( t->field[i] < 0 )
		{
			char name[32];
			return bvbase_fail( error, bv_error_input, "%s:%u: column %s is missing", path, t->head,
			                    name_column( form, i, name ) );
		}
	}
	return bv_ok;
}
