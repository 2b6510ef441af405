// VRML text. See parse.h; the format is that of ISO/IEC 14772-1:1997, "The Virtual Reality Modeling Language",
// annex A. Fields are not checked against the types of nodes: which value a field has follows from its text.

#include "formats/vrml/parse.h"

#include "offline/base/error.h"
#include "offline/base/number.h"
#include "offline/base/system.h"
#include "offline/import/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	deepest = 1024, // nodes in each other
};

// A node whose body is read, and the field whose value is a list of nodes.
typedef struct parse_level
{
	uint32_t node;
	uint32_t field; // BVVRML_NONE between fields
	bool in_list;
} parse_level;

typedef struct parser
{
	bvvrml_graph* graph;
	bvimport_text text;
	uint32_t depth;
	parse_level level[deepest];
} parser;

static bv_status fail_memory( const bvvrml_graph* g )
{
	return bvbase_fail( g->error, bv_error_limit,
	                    "%s: the scene needs too much memory (raise the limit with --import-memory)",
	                    g->file );
}

// Room for one more.
static bv_status grow( bvvrml_graph* g, void** items, uint64_t count, uint64_t* room, size_t size )
{
	if ( count < *room )
	{
		return bv_ok;
	}
	uint64_t larger = *room ? 2 * *room : 64;
	if ( ( larger - *room ) * size > g->memory_left || count >= BVVRML_NONE / 2 )
	{
		return fail_memory( g );
	}
	void* grown = bvbase_memory_resize( *items, (size_t)larger, size );
	if ( !grown )
	{
		return bvbase_fail_memory( g->error );
	}
	g->memory_left -= ( larger - *room ) * size;
	*items = grown;
	*room = larger;
	return bv_ok;
}

#define GROW( g, array, count, room ) \
	grow( g, (void**)&( g )->array, ( g )->count, &( g )->room, sizeof *( g )->array )

static bv_status add_node( bvvrml_graph* g, bvvrml_span type, bvvrml_span name, uint64_t line, uint32_t* out )
{
	bv_status status = GROW( g, nodes, node_count, node_room );
	if ( status == bv_ok )
	{
		*out = (uint32_t)g->node_count;
		g->nodes[g->node_count++] = ( bvvrml_node ){ type, name, line, BVVRML_NONE, BVVRML_NONE, true };
	}
	return status;
}

static bv_status add_field( bvvrml_graph* g, uint32_t node, bvvrml_span name, uint32_t* out )
{
	bv_status status = GROW( g, fields, field_count, field_room );
	if ( status != bv_ok )
	{
		return status;
	}
	*out = (uint32_t)g->field_count++;
	g->fields[*out] = ( bvvrml_field ){ .name = name,
		                                .first_number = g->number_count,
		                                .first_child = BVVRML_NONE,
		                                .last_child = BVVRML_NONE,
		                                .next = BVVRML_NONE };
	bvvrml_node* n = &g->nodes[node];
	*( n->last_field == BVVRML_NONE ? &n->first_field : &g->fields[n->last_field].next ) = *out;
	n->last_field = *out;
	return bv_ok;
}

static bv_status add_child( bvvrml_graph* g, uint32_t field, uint32_t node )
{
	bv_status status = GROW( g, children, child_count, child_room );
	if ( status != bv_ok )
	{
		return status;
	}
	uint32_t child = (uint32_t)g->child_count++;
	g->children[child] = ( bvvrml_child ){ node, BVVRML_NONE };
	bvvrml_field* f = &g->fields[field];
	*( f->last_child == BVVRML_NONE ? &f->first_child : &g->children[f->last_child].next ) = child;
	f->last_child = child;
	return bv_ok;
}

static bool is( bvvrml_span s, const char* text )
{
	return bvimport_text_is( s.data, s.length, text );
}

static uint64_t hash_name( bvvrml_span name )
{
	uint64_t hash = 14695981039346656037u; // Fowler, Noll and Vo
	for ( size_t i = 0; i < name.length; ++i )
	{
		hash = ( hash ^ (unsigned char)name.data[i] ) * 1099511628211u;
	}
	return hash ^ hash >> 32;
}

// Where the name is, or belongs.
static uint32_t* find_slot( const bvvrml_graph* g, bvvrml_span name )
{
	uint64_t at = hash_name( name ) & ( g->slot_count - 1 );
	while ( g->slots[at] )
	{
		bvvrml_span own = g->nodes[g->slots[at] - 1].name;
		if ( own.length == name.length && memcmp( own.data, name.data, name.length ) == 0 )
		{
			break;
		}
		at = ( at + 1 ) & ( g->slot_count - 1 );
	}
	return &g->slots[at];
}

static bv_status grow_names( bvvrml_graph* g )
{
	if ( 2 * g->name_count < g->slot_count )
	{
		return bv_ok;
	}
	uint64_t old_count = g->slot_count;
	uint32_t* old = g->slots;
	uint64_t larger = old_count ? 2 * old_count : 64;
	if ( larger * sizeof *old > g->memory_left )
	{
		return fail_memory( g );
	}
	g->slots = calloc( (size_t)larger, sizeof *old );
	if ( !g->slots )
	{
		g->slots = old;
		return bvbase_fail_memory( g->error );
	}
	g->memory_left -= ( larger - old_count ) * sizeof *old;
	g->slot_count = larger;
	for ( uint64_t i = 0; i < old_count; ++i )
	{
		if ( old[i] )
		{
			*find_slot( g, g->nodes[old[i] - 1].name ) = old[i];
		}
	}
	free( old );
	return bv_ok;
}

// A name means the last node that has got it.
static bv_status set_name( bvvrml_graph* g, uint32_t node )
{
	bv_status status = grow_names( g );
	if ( status == bv_ok )
	{
		uint32_t* slot = find_slot( g, g->nodes[node].name );
		g->name_count += !*slot;
		*slot = node + 1;
	}
	return status;
}

// Tokens.

// Commas are blanks, and comments end with a line, also one that a carriage return ends.
static void skip_space( parser* p )
{
	bvimport_text* t = &p->text;
	for ( ;; )
	{
		bvimport_text_skip_space( t, 0 );
		if ( t->cursor == t->end || ( *t->cursor != ',' && *t->cursor != '#' ) )
		{
			return;
		}
		bool comment = *t->cursor++ == '#';
		while ( comment && t->cursor < t->end && *t->cursor != '\n' && *t->cursor != '\r' )
		{
			++t->cursor;
		}
	}
}

static bool at( parser* p, char c )
{
	return p->text.cursor < p->text.end && *p->text.cursor == c;
}

static bv_status fail_here( const parser* p, const char* what )
{
	return p->text.cursor < p->text.end
	           ? bvimport_text_fail_token( &p->text, p->text.cursor, what )
	           : bvimport_text_fail( &p->text, bv_error_input, "the file ends within a node" );
}

static bool is_word( char c )
{
	return (unsigned char)c > ' ' && c != 0x7f && !strchr( "\"#',.[\\]{}", c );
}

// Names may contain any character except a few. Names of interface fields contain a dot.
static bvvrml_span read_word( parser* p )
{
	const char* word = p->text.cursor;
	while ( p->text.cursor < p->text.end && is_word( *p->text.cursor ) )
	{
		++p->text.cursor;
	}
	return ( bvvrml_span ){ word, (size_t)( p->text.cursor - word ) };
}

static bv_status read_string( parser* p, bvvrml_span* out )
{
	const char* first = ++p->text.cursor;
	bvimport_text begin = p->text;
	for ( ; p->text.cursor < p->text.end && *p->text.cursor != '"'; ++p->text.cursor )
	{
		p->text.cursor += *p->text.cursor == '\\' && p->text.end - p->text.cursor > 1;
		p->text.line += *p->text.cursor == '\n';
	}
	*out = ( bvvrml_span ){ first, (size_t)( p->text.cursor - first ) };
	if ( p->text.cursor == p->text.end )
	{
		return bvimport_text_fail( &begin, bv_error_input, "a string does not end" );
	}
	++p->text.cursor;
	return bv_ok;
}

static bool begins_number( char c )
{
	return bvimport_text_is_digit( c ) || c == '-' || c == '+' || c == '.';
}

static bv_status add_number( parser* p, uint32_t field, double value )
{
	bvvrml_graph* g = p->graph;
	bvvrml_field* f = &g->fields[field];
	if ( f->first_child != BVVRML_NONE )
	{
		return bvimport_text_fail( &p->text, bv_error_input, "a field has nodes and numbers" );
	}
	bv_status status = GROW( g, numbers, number_count, number_room );
	if ( status == bv_ok )
	{
		g->numbers[g->number_count++] = value;
		++f->number_count;
	}
	return status;
}

static int hex_digit( char c )
{
	return c >= '0' && c <= '9'                     ? c - '0'
	       : ( c | 32 ) >= 'a' && ( c | 32 ) <= 'f' ? ( c | 32 ) - 'a' + 10
	                                                : -1;
}

// Whole numbers may be hexadecimal.
static bv_status read_number( parser* p, uint32_t field )
{
	const char* s = p->text.cursor;
	const char* end = p->text.end;
	double value = 0;
	const char* after;
	if ( end - s > 2 && s[0] == '0' && ( s[1] == 'x' || s[1] == 'X' ) )
	{
		for ( after = s + 2; after < end && hex_digit( *after ) >= 0; ++after )
		{
			value = 16 * value + hex_digit( *after );
		}
		after = after > s + 2 ? after : NULL;
	}
	else
	{
		after = bvbase_read_number( s, end, &value );
	}
	if ( !after || ( after < end && is_word( *after ) ) )
	{
		return fail_here( p, "is not a number" );
	}
	p->text.cursor = after;
	return add_number( p, field, value );
}

// Skips from an opening bracket or brace to the matching closing one.
static bv_status skip_brackets( parser* p )
{
	bvimport_text begin = p->text;
	uint64_t open = 0;
	do
	{
		skip_space( p );
		if ( p->text.cursor == p->text.end )
		{
			return bvimport_text_fail( &begin, bv_error_input, "'%c' is not closed", *begin.cursor );
		}
		char c = *p->text.cursor;
		bvvrml_span unused;
		if ( c == '"' )
		{
			bv_status status = read_string( p, &unused );
			if ( status != bv_ok )
			{
				return status;
			}
			continue;
		}
		open += c == '[' || c == '{';
		open -= c == ']' || c == '}';
		++p->text.cursor;
	} while ( open > 0 );
	return bv_ok;
}

// Statements.

static bv_status expect_word( parser* p, bvvrml_span* out )
{
	skip_space( p );
	*out = read_word( p );
	return out->length > 0 ? bv_ok : fail_here( p, "instead of a name" );
}

// PROTO NAME [ interface ] { body }, EXTERNPROTO NAME [ interface ] url
static bv_status skip_prototype( parser* p, bool external )
{
	bvvrml_span name;
	bv_status status = expect_word( p, &name );
	for ( int i = 0; i < 2 && status == bv_ok; ++i )
	{
		skip_space( p );
		if ( i == 1 && external && at( p, '"' ) )
		{
			return read_string( p, &name );
		}
		status = at( p, i == 0 || external ? '[' : '{' ) ? skip_brackets( p )
		                                                 : fail_here( p, "is unexpected in a prototype" );
	}
	return status;
}

// ROUTE NODE.FIELD TO NODE.FIELD
static bv_status skip_route( parser* p )
{
	static const char* const parts[] = { NULL, ".", NULL, "TO", NULL, ".", NULL };
	for ( size_t i = 0; i < sizeof parts / sizeof *parts; ++i )
	{
		bvvrml_span word;
		if ( parts[i] && *parts[i] == '.' )
		{
			skip_space( p );
			if ( !at( p, '.' ) )
			{
				return fail_here( p, "is unexpected in a route" );
			}
			++p->text.cursor;
			continue;
		}
		bv_status status = expect_word( p, &word );
		if ( status != bv_ok )
		{
			return status;
		}
		if ( parts[i] && !is( word, parts[i] ) )
		{
			p->text.cursor = word.data;
			return fail_here( p, "is unexpected in a route" );
		}
	}
	return bv_ok;
}

// The body of a script, or of another node whose statements are not all fields.
static bool has_interface( bvvrml_span type )
{
	return is( type, "Script" );
}

// TYPE { ... }, of which the body is read by the loop, perhaps behind DEF NAME.
static bv_status begin_node( parser* p, bvvrml_span type, bvvrml_span name, uint32_t field )
{
	bvvrml_graph* g = p->graph;
	uint64_t line = p->text.line;
	skip_space( p );
	if ( !at( p, '{' ) )
	{
		return fail_here( p, "instead of '{'" );
	}
	uint32_t node;
	bv_status status = add_node( g, type, name, line, &node );
	status = status == bv_ok && name.length > 0 ? set_name( g, node ) : status;
	if ( status == bv_ok && g->fields[field].number_count > 0 )
	{
		return bvimport_text_fail( &p->text, bv_error_input, "a field has nodes and numbers" );
	}
	status = status == bv_ok ? add_child( g, field, node ) : status;
	if ( status != bv_ok || has_interface( type ) )
	{
		g->nodes[g->node_count - 1].is_open = false;
		return status == bv_ok ? skip_brackets( p ) : status;
	}
	if ( p->depth == deepest )
	{
		return bvimport_text_fail( &p->text, bv_error_limit, "more than %d nodes in each other", deepest );
	}
	++p->text.cursor;
	p->level[p->depth++] = ( parse_level ){ node, BVVRML_NONE, false };
	return bv_ok;
}

// DEF NAME TYPE, USE NAME, NULL or TYPE, behind that word.
static bv_status read_node( parser* p, bvvrml_span word, uint32_t field )
{
	bvvrml_graph* g = p->graph;
	bvvrml_span name = { word.data, 0 };
	bv_status status;
	if ( is( word, "NULL" ) )
	{
		return bv_ok;
	}
	if ( is( word, "USE" ) )
	{
		status = expect_word( p, &name );
		uint32_t* slot = status == bv_ok && g->slot_count > 0 ? find_slot( g, name ) : NULL;
		if ( status == bv_ok && ( !slot || !*slot ) )
		{
			p->text.cursor = name.data;
			return fail_here( p, "is used before DEF" );
		}
		return status == bv_ok ? add_child( g, field, *slot - 1 ) : status;
	}
	if ( is( word, "DEF" ) )
	{
		status = expect_word( p, &name );
		status = status == bv_ok ? expect_word( p, &word ) : status;
		if ( status != bv_ok )
		{
			return status;
		}
	}
	return begin_node( p, word, name, field );
}

// A value that is no list, or an item of one; the field ends with it unless it is one of several numbers.
static bv_status read_value( parser* p, parse_level* level )
{
	bvvrml_graph* g = p->graph;
	uint32_t field = level->field;
	if ( at( p, '"' ) )
	{
		bvvrml_span text;
		bv_status status = read_string( p, &text );
		g->fields[field].text = g->fields[field].text.data ? g->fields[field].text : text;
		return status;
	}
	if ( p->text.cursor < p->text.end && begins_number( *p->text.cursor ) )
	{
		return read_number( p, field );
	}
	bvvrml_span word = read_word( p );
	if ( word.length == 0 )
	{
		return fail_here( p, "is unexpected in a field" );
	}
	if ( is( word, "TRUE" ) || is( word, "FALSE" ) )
	{
		return add_number( p, field, is( word, "TRUE" ) );
	}
	return is( word, "IS" ) ? expect_word( p, &word ) : read_node( p, word, field );
}

// Whether the value continues: only a value of several numbers is written without brackets.
static bool has_more( const parser* p )
{
	return p->text.cursor < p->text.end && begins_number( *p->text.cursor );
}

// Between fields of a node.
static bv_status read_body( parser* p, parse_level* level )
{
	bvvrml_graph* g = p->graph;
	if ( at( p, '}' ) )
	{
		++p->text.cursor;
		g->nodes[level->node].is_open = false;
		--p->depth;
		return bv_ok;
	}
	bvvrml_span word;
	bv_status status = expect_word( p, &word );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( is( word, "ROUTE" ) )
	{
		return skip_route( p );
	}
	if ( is( word, "PROTO" ) || is( word, "EXTERNPROTO" ) )
	{
		return skip_prototype( p, *word.data == 'E' );
	}
	uint32_t field;
	status = add_field( g, level->node, word, &field );
	if ( status != bv_ok )
	{
		return status;
	}
	skip_space( p );
	level->field = field;
	level->in_list = at( p, '[' );
	p->text.cursor += level->in_list;
	return bv_ok;
}

// Within a field of a node.
static bv_status read_field( parser* p, parse_level* level )
{
	if ( level->in_list && at( p, ']' ) )
	{
		++p->text.cursor;
		level->field = BVVRML_NONE;
		return bv_ok;
	}
	bv_status status = read_value( p, level );
	skip_space( p );
	if ( status == bv_ok && !level->in_list && !has_more( p ) )
	{
		level->field = BVVRML_NONE;
	}
	return status;
}

// The roots are the children of the first node, which have no brackets.
static bv_status read_root( parser* p )
{
	bvvrml_span word;
	bv_status status = expect_word( p, &word );
	return status != bv_ok             ? status
	       : is( word, "ROUTE" )       ? skip_route( p )
	       : is( word, "PROTO" )       ? skip_prototype( p, false )
	       : is( word, "EXTERNPROTO" ) ? skip_prototype( p, true )
	                                   : read_node( p, word, 0 );
}

static bv_status read_all( parser* p )
{
	bvvrml_graph* g = p->graph;
	bvvrml_span nothing = { "", 0 };
	bvvrml_span children = { "children", strlen( "children" ) };
	uint32_t root;
	uint32_t field;
	bv_status status = add_node( g, nothing, nothing, 1, &root );
	status = status == bv_ok ? add_field( g, root, children, &field ) : status;
	while ( status == bv_ok )
	{
		skip_space( p );
		if ( p->depth == 0 && p->text.cursor == p->text.end )
		{
			return p->text.cut ? bvimport_text_fail_binary( &p->text ) : bv_ok;
		}
		parse_level* level = p->depth > 0 ? &p->level[p->depth - 1] : NULL;
		status = !level                        ? read_root( p )
		         : level->field == BVVRML_NONE ? read_body( p, level )
		                                       : read_field( p, level );
	}
	return status;
}

bv_status bvvrml_parse( bvvrml_graph* g, const char* data, size_t size )
{
	parser* p = malloc( sizeof *p );
	if ( !p )
	{
		return bvbase_fail_memory( g->error );
	}
	p->graph = g;
	p->depth = 0;
	p->text = bvimport_text_begin( g->file, data, size, "VRML", g->error );
	bv_status status = read_all( p );
	if ( status == bv_ok && p->text.filled )
	{
		bvimport_notes_add( &g->notes, 0, BVIMPORT_TEXT_FILLED );
	}
	free( p );
	return status;
}

const bvvrml_field* bvvrml_find( const bvvrml_graph* g, uint32_t node, const char* name )
{
	const bvvrml_field* found = NULL;
	for ( uint32_t i = g->nodes[node].first_field; i != BVVRML_NONE; i = g->fields[i].next )
	{
		found = is( g->fields[i].name, name ) ? &g->fields[i] : found;
	}
	return found;
}

bool bvvrml_is( const bvvrml_graph* g, uint32_t node, const char* type )
{
	return is( g->nodes[node].type, type );
}

bv_status bvvrml_get_numbers( const bvvrml_graph* g, uint32_t node, const char* name, int count, double* out )
{
	const bvvrml_field* f = bvvrml_find( g, node, name );
	if ( !f )
	{
		return bv_ok;
	}
	if ( f->number_count != (uint64_t)count )
	{
		return bvvrml_fail( g, node, bv_error_input, "%s has %llu numbers instead of %d", name,
		                    (unsigned long long)f->number_count, count );
	}
	memcpy( out, g->numbers + f->first_number, (size_t)count * sizeof *out );
	return bv_ok;
}

bv_status bvvrml_fail( const bvvrml_graph* g, uint32_t node, bv_status status, const char* format, ... )
{
	char text[256];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( text, sizeof text, format, arguments );
	va_end( arguments );
	return bvbase_fail( g->error, status, "%s:%llu: %s", g->file, (unsigned long long)g->nodes[node].line,
	                    text );
}

void bvvrml_free( bvvrml_graph* g )
{
	free( g->nodes );
	free( g->fields );
	free( g->children );
	free( g->numbers );
	free( g->slots );
}
