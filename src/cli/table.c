// Tables of numbers. See table.h.

#include "cli/table.h"

#include "offline/base/error.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum
{
	max_fields = 64,
};

// What is wanted, and where each of the columns stands in a line.
typedef struct table_columns
{
	const char* path;
	const char* const* names;
	int count;
	int field[max_fields];
} table_columns;

// Rows in memory that grows.
typedef struct table_rows
{
	double* values;
	uint32_t* lines;
	size_t room;
	uint32_t count;
} table_rows;

// Cuts a line at its commas, in place, and the white space off each field. Returns the number of fields.
static int cut( char* line, char* fields[max_fields] )
{
	int count = 0;
	for ( char* rest = line; rest && count < max_fields; )
	{
		char* field = strsep( &rest, "," );
		field += strspn( field, " \t\r\n" );
		size_t length = strlen( field );
		while ( length > 0 && strchr( " \t\r\n", field[length - 1] ) )
		{
			--length;
		}
		field[length] = 0;
		fields[count++] = field;
	}
	return count;
}

static bv_status read_head( char* line, table_columns* where, bvb_error* error )
{
	char* fields[max_fields];
	int count = cut( line, fields );
	for ( int i = 0; i < where->count; ++i )
	{
		int k = 0;
		while ( k < count && strcmp( fields[k], where->names[i] ) != 0 )
		{
			k += 1;
		}
		if ( k == count )
		{
			return bvbase_fail( error, bv_error_input, "%s:1: column %s is missing", where->path,
			                    where->names[i] );
		}
		where->field[i] = k;
	}
	return bv_ok;
}

static bv_status read_row( uint32_t number, char* line, const table_columns* where, double* out,
                           bvb_error* error )
{
	char* fields[max_fields];
	int count = cut( line, fields );
	for ( int i = 0; i < where->count; ++i )
	{
		const char* text = where->field[i] < count ? fields[where->field[i]] : "";
		char* end;
		out[i] = strtod( text, &end );
		if ( end == text || *end || !isfinite( out[i] ) )
		{
			return bvbase_fail( error, bv_error_input, "%s:%u: %s is not a number", where->path, number,
			                    where->names[i] );
		}
	}
	return bv_ok;
}

static bool make_room( table_rows* r, int width )
{
	if ( r->count < r->room )
	{
		return true;
	}
	size_t room = r->room ? 2 * r->room : 256;
	double* values = realloc( r->values, room * (size_t)width * sizeof *values );
	r->values = values ? values : r->values;
	uint32_t* lines = realloc( r->lines, room * sizeof *lines );
	r->lines = lines ? lines : r->lines;
	r->room = values && lines ? room : r->room;
	return values && lines;
}

static bv_status read_lines( FILE* file, table_columns* where, const char* what, char** line,
                             size_t* capacity, table_rows* out, bvb_error* error )
{
	uint32_t number = 0;
	while ( getline( line, capacity, file ) > 0 )
	{
		if ( number == UINT32_MAX )
		{
			return bvbase_fail( error, bv_error_limit, "%s: too many lines", where->path );
		}
		number += 1;
		if ( number > 1 && strspn( *line, " \t\r\n" ) == strlen( *line ) )
		{
			continue;
		}
		if ( !make_room( out, where->count ) )
		{
			return bvbase_fail_memory( error );
		}
		double* row = out->values + out->count * (size_t)where->count;
		bv_status status =
			number == 1 ? read_head( *line, where, error ) : read_row( number, *line, where, row, error );
		if ( status != bv_ok )
		{
			return status;
		}
		if ( number > 1 )
		{
			out->lines[out->count++] = number;
		}
	}
	if ( ferror( file ) )
	{
		return bvbase_fail( error, bv_error_input, "%s: %s", where->path, strerror( errno ) );
	}
	return out->count ? bv_ok : bvbase_fail( error, bv_error_input, "%s: no %s", where->path, what );
}

static bv_status keep( const table_rows* read, size_t width, bvb_arena* arena, table* out, bvb_error* error )
{
	size_t count = read->count;
	*out = ( table ){
		.values = bvb_arena_allocate( arena, count, width * sizeof *out->values ),
		.lines = bvb_arena_allocate( arena, count, sizeof *out->lines ),
		.rows = read->count,
	};
	if ( !out->values || !out->lines )
	{
		return bvbase_fail_memory( error );
	}
	memcpy( out->values, read->values, count * width * sizeof *out->values );
	memcpy( out->lines, read->lines, count * sizeof *out->lines );
	return bv_ok;
}

bv_status read_table( const char* path, const char* const* names, int count, const char* what,
                      bvb_arena* arena, table* out, bvb_error* error )
{
	struct stat info;
	FILE* file = fopen( path, "re" );
	if ( !file || fstat( fileno( file ), &info ) != 0 || S_ISDIR( info.st_mode ) )
	{
		bvbase_fail( error, bv_error_input, "%s: %s", path, file ? "is a directory" : strerror( errno ) );
		if ( file )
		{
			fclose( file );
		}
		return bv_error_input;
	}

	table_columns where = { .path = path, .names = names, .count = count };
	char* line = NULL;
	size_t capacity = 0;
	table_rows read = { 0 };
	bv_status status = read_lines( file, &where, what, &line, &capacity, &read, error );
	if ( status == bv_ok )
	{
		status = keep( &read, (size_t)count, arena, out, error );
	}
	free( read.values );
	free( read.lines );
	free( line );
	fclose( file );
	return status;
}
