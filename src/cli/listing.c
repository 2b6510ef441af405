// Several files side by side. See listing.h.

#include "cli/listing.h"

#include "cli/terminal.h"
#include "offline/base/error.h"
#include "offline/base/number.h"

#include <cjson/cJSON.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A column that is there by default.
typedef struct standard_column
{
	const char* title; // of the table
	const char* expression;
} standard_column;

// Together with a name they take 80 columns.
static const standard_column standard[] = {
	{ "triangles", "mesh.triangles" },
	{ "closed", "mesh.closed" },
	{ "B/tri", "file.bytes_per_triangle" },
	{ "nodes", "hierarchy.nodes" },
	{ "cost", "hierarchy.cost.expected" },
	{ "error %", "hierarchy.hausdorff.solid.mean.relative.upper * 100" },
	{ "parts", "decomposition.parts" },
};

enum
{
	standard_count = sizeof standard / sizeof standard[0],
	widest_name = 40,
	cell_bytes = 256,
};

static int column_count( const listing_settings* s )
{
	return s->column_count ? s->column_count : standard_count;
}

static const char* column( const listing_settings* s, int i )
{
	return s->column_count ? s->columns[i] : standard[i].expression;
}

static const char* title( const listing_settings* s, int i )
{
	return s->column_count ? s->columns[i] : standard[i].title;
}

// The comma that ends an expression: not within brackets or a string. Null for the last one.
static char* find_comma( char* text )
{
	int depth = 0;
	for ( char quote = 0; *text; ++text )
	{
		if ( quote )
		{
			text += *text == '\\' && text[1];
			quote = *text == quote ? 0 : quote;
		}
		else if ( *text == '\'' || *text == '"' )
		{
			quote = *text;
		}
		else if ( *text == ',' && depth == 0 )
		{
			return text;
		}
		depth += quote ? 0 : ( *text == '(' || *text == '[' ) - ( *text == ')' || *text == ']' );
	}
	return NULL;
}

static bv_status add_column( listing_settings* s, const char* text, bvb_error* error )
{
	if ( s->column_count == max_columns )
	{
		return bvbase_fail( error, bv_error_argument, "--columns takes at most %d expressions", max_columns );
	}
	bvb_arena* scratch = bvb_arena_create();
	bv_status status = scratch ? bvb_expression_check( text, scratch, error ) : bvbase_fail_memory( error );
	bvb_arena_destroy( scratch );
	if ( status == bv_error_argument )
	{
		bvb_error inner = *error;
		return bvbase_fail( error, status, "--columns %s", inner.message );
	}
	s->columns[s->column_count++] = text;
	return status;
}

bv_status set_columns( listing_settings* s, const char* value, bvb_error* error )
{
	free( s->text );
	s->text = strdup( value );
	s->column_count = 0;
	bv_status status = s->text ? bv_ok : bvbase_fail_memory( error );
	for ( char* text = s->text; text && status == bv_ok; )
	{
		char* comma = find_comma( text );
		if ( comma )
		{
			*comma = 0;
		}
		text += strspn( text, " " );
		for ( size_t length = strlen( text ); length > 0 && text[length - 1] == ' '; --length )
		{
			text[length - 1] = 0;
		}
		status = add_column( s, text, error );
		text = comma ? comma + 1 : NULL;
	}
	return status;
}

bool has_equal_columns( const listing_settings* s )
{
	for ( int i = 0; i < s->column_count; ++i )
	{
		for ( int k = 0; k < i; ++k )
		{
			if ( strcmp( s->columns[i], s->columns[k] ) == 0 )
			{
				return true;
			}
		}
	}
	return false;
}

static bool wants_reports( const listing_settings* s )
{
	return s->form == listing_jsonl && s->column_count == 0;
}

int get_columns( const listing_settings* s, const char** out )
{
	int count = wants_reports( s ) ? -1 : column_count( s );
	for ( int i = 0; i < count; ++i )
	{
		out[i] = column( s, i );
	}
	return count;
}

// JSON and terminals take UTF-8, and names of files are any bytes. Returns null when out of memory.
static char* clean_name( const char* text, bvb_arena* arena )
{
	char* clean = bvb_arena_allocate( arena, strlen( text ) + 1, 1 );
	if ( clean )
	{
		strcpy( clean, text );
		clean_text( clean );
	}
	return clean;
}

bv_status make_row( const listing_settings* s, const char* path, const char* json, bvb_arena* arena,
                    listing_row* out, bvb_error* error )
{
	*out = ( listing_row ){ .path = path, .json = json };
	if ( s->form == listing_table )
	{
		out->name = clean_name( path, arena );
		if ( !out->name )
		{
			return bvbase_fail_memory( error );
		}
	}
	if ( wants_reports( s ) )
	{
		return bv_ok;
	}
	int count = column_count( s );
	bvb_report* report;
	bvb_value* values = bvb_arena_allocate( arena, (size_t)count, sizeof *values );
	bv_status status = values ? bvb_report_read( json, &report, error ) : bvbase_fail_memory( error );
	if ( status != bv_ok )
	{
		return status;
	}
	for ( int i = 0; i < count && status == bv_ok; ++i )
	{
		status = bvb_report_evaluate( report, column( s, i ), arena, values + i, error );
	}
	bvb_report_free( report );
	out->values = values;
	if ( status == bv_error_argument )
	{
		bvb_error inner = *error;
		return bvbase_fail( error, status, "%s: --columns %s", path, inner.message );
	}
	return status;
}

// In quotes where it has to be.
static void print_csv_text( const char* text )
{
	bool plain = text[strcspn( text, ",\"\r\n" )] == 0;
	fputs( plain ? "" : "\"", stdout );
	for ( ; *text; ++text )
	{
		fputs( *text == '"' ? "\"" : "", stdout );
		putchar( *text );
	}
	fputs( plain ? "" : "\"", stdout );
}

static void print_csv_value( const bvb_value* v )
{
	char number[BVBASE_NUMBER_BYTES];
	switch ( v->kind )
	{
	case bvb_value_null: break;
	case bvb_value_truth: fputs( v->number ? "true" : "false", stdout ); break;
	case bvb_value_string: print_csv_text( v->text ); break;
	case bvb_value_number:
		bvbase_print_number( number, v->number );
		fputs( number, stdout );
		break;
	}
}

void print_head( const listing_settings* s )
{
	if ( s->form == listing_csv )
	{
		printf( "path" );
		for ( int i = 0; i < column_count( s ); ++i )
		{
			putchar( ',' );
			print_csv_text( column( s, i ) );
		}
		putchar( '\n' );
	}
}

// A string of JSON. Returns null when out of memory.
static char* quote_json( const char* text, bvb_arena* arena )
{
	char* clean = clean_name( text, arena );
	if ( !clean )
	{
		return NULL;
	}
	cJSON* item = cJSON_CreateString( clean );
	char* printed = item ? cJSON_PrintUnformatted( item ) : NULL;
	cJSON_Delete( item );
	char* copy = printed ? bvb_arena_allocate( arena, strlen( printed ) + 1, 1 ) : NULL;
	if ( copy )
	{
		strcpy( copy, printed );
	}
	cJSON_free( printed );
	return copy;
}

static bool print_json_value( const bvb_value* v, bvb_arena* arena )
{
	const char* text = v->kind == bvb_value_string ? quote_json( v->text, arena ) : "";
	if ( v->kind == bvb_value_null )
	{
		fputs( "null", stdout );
	}
	else if ( v->kind == bvb_value_string )
	{
		fputs( text ? text : "", stdout );
	}
	else
	{
		print_csv_value( v );
	}
	return text;
}

// The report as it is, in one line, with the path in front.
static bool print_json_line( const listing_row* row, bvb_arena* arena )
{
	char* path = quote_json( row->path, arena );
	char* line = bvb_arena_allocate( arena, strlen( row->json ) + 1, 1 );
	if ( !path || !line )
	{
		return false;
	}
	strcpy( line, row->json );
	cJSON_Minify( line );
	printf( "{\"path\":%s,%s\n", path, line + 1 );
	return true;
}

static bool print_json_columns( const listing_settings* s, const listing_row* row, bvb_arena* arena )
{
	char* path = quote_json( row->path, arena );
	bool good = path;
	printf( "{\"path\":%s", good ? path : "" );
	for ( int i = 0; i < column_count( s ) && good; ++i )
	{
		char* key = quote_json( column( s, i ), arena );
		printf( ",%s:", key ? key : "" );
		good = key && print_json_value( row->values + i, arena );
	}
	printf( "}\n" );
	return good;
}

bv_status print_row( const listing_settings* s, const listing_row* row, bvb_arena* arena, bvb_error* error )
{
	if ( s->form == listing_jsonl )
	{
		bool good = row->values ? print_json_columns( s, row, arena ) : print_json_line( row, arena );
		return good ? bv_ok : bvbase_fail_memory( error );
	}
	print_csv_text( row->path );
	for ( int i = 0; i < column_count( s ); ++i )
	{
		putchar( ',' );
		print_csv_value( row->values + i );
	}
	putchar( '\n' );
	return bv_ok;
}

static void print_cell( const bvb_value* v, char out[cell_bytes] )
{
	switch ( v->kind )
	{
	case bvb_value_null: strcpy( out, "-" ); break;
	case bvb_value_truth: strcpy( out, v->number ? "yes" : "no" ); break;
	case bvb_value_number: strcpy( out, bvbase_shorten( v->number, 4 ).text ); break;
	case bvb_value_string: fit_name( v->text, widest_name, out, cell_bytes ); break;
	}
}

// Texts begin at the left, all else ends at the right.
static void put_cell( const char* text, int width, bool left )
{
	int blanks = width - text_columns( text );
	printf( "%*s%s%*s", left || blanks < 0 ? 0 : blanks, "", text, left && blanks > 0 ? blanks : 0, "" );
}

static int widest( const listing_settings* s, const listing_row* rows, int count, int i, bool* left )
{
	int width = text_columns( title( s, i ) );
	*left = false;
	for ( int k = 0; k < count; ++k )
	{
		char cell[cell_bytes];
		print_cell( rows[k].values + i, cell );
		int columns = text_columns( cell );
		width = columns > width ? columns : width;
		*left = *left || rows[k].values[i].kind == bvb_value_string;
	}
	return width;
}

void print_rows( const listing_settings* s, const listing_row* rows, int count )
{
	char name[4 * widest_name];
	int width[max_columns];
	bool left[max_columns];
	int names = (int)strlen( "file" );
	for ( int k = 0; k < count; ++k )
	{
		fit_name( rows[k].name, widest_name, name, sizeof name );
		names = text_columns( name ) > names ? text_columns( name ) : names;
	}
	int all = 0;
	for ( int i = 0; i < column_count( s ); ++i )
	{
		width[i] = widest( s, rows, count, i, left + i );
		all += width[i] + 2;
	}

	// Names give way, if there is anything to be gained by that.
	int room = terminal_width - all;
	names = names > room && room >= 12 ? room : names;
	put_cell( "file", names, true );
	for ( int i = 0; i < column_count( s ); ++i )
	{
		printf( "  " );
		put_cell( title( s, i ), width[i], left[i] );
	}
	printf( "\n" );
	for ( int k = 0; k < count; ++k )
	{
		fit_name( rows[k].name, names, name, sizeof name );
		put_cell( name, names, true );
		for ( int i = 0; i < column_count( s ); ++i )
		{
			char cell[cell_bytes];
			print_cell( rows[k].values + i, cell );
			printf( "  " );
			put_cell( cell, width[i], left[i] );
		}
		printf( "\n" );
	}
}
