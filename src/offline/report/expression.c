// Expressions over a report: from text to a tree, by recursive descent. See expression.h.

#include "offline/report/expression.h"

#include "offline/base/error.h"
#include "offline/base/number.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// Where parsing is.
typedef struct expression_parser
{
	const char* text;
	uint32_t at;
	int depth;
	bvb_arena* arena;
	bvb_error* error;
} expression_parser;

bv_status bvreport_expression_fail( bvb_error* error, uint32_t at, const char* format, ... )
{
	char message[1024];
	va_list arguments;
	va_start( arguments, format );
	vsnprintf( message, sizeof message, format, arguments );
	va_end( arguments );
	return bvbase_fail( error, bv_error_argument, "at character %u: %s", at + 1, message );
}

static bool is_digit( char c )
{
	return c >= '0' && c <= '9';
}

static bool is_letter( char c )
{
	return ( c >= 'a' && c <= 'z' ) || ( c >= 'A' && c <= 'Z' ) || c == '_';
}

static bool is_word( char c )
{
	return is_letter( c ) || is_digit( c );
}

static void skip_blanks( expression_parser* p )
{
	p->at += (uint32_t)strspn( p->text + p->at, " \t\r\n" );
}

static char peek( expression_parser* p )
{
	skip_blanks( p );
	return p->text[p->at];
}

static uint32_t word_length( const char* text )
{
	uint32_t length = 0;
	while ( is_word( text[length] ) )
	{
		length += 1;
	}
	return length;
}

// Takes a word if it stands here by itself.
static bool take_word( expression_parser* p, const char* word )
{
	skip_blanks( p );
	uint32_t length = word_length( p->text + p->at );
	bool found = length == strlen( word ) && memcmp( p->text + p->at, word, length ) == 0;
	p->at += found ? length : 0;
	return found;
}

static bool take( expression_parser* p, char c )
{
	bool found = peek( p ) == c;
	p->at += found;
	return found;
}

static bv_status unexpected( expression_parser* p, const char* wanted )
{
	char c = peek( p );
	const char* meant = strncmp( p->text + p->at, "&&", 2 ) == 0   ? "and"
	                    : strncmp( p->text + p->at, "||", 2 ) == 0 ? "or"
	                    : c == '!' && p->text[p->at + 1] != '='    ? "not"
	                                                               : NULL;
	if ( meant )
	{
		return bvreport_expression_fail( p->error, p->at, "write '%s'", meant );
	}
	return c ? bvreport_expression_fail( p->error, p->at, "expected %s, found '%.*s'", wanted,
	                                     is_word( c ) ? (int)word_length( p->text + p->at ) : 1,
	                                     p->text + p->at )
	         : bvreport_expression_fail( p->error, p->at, "%s is missing at the end", wanted );
}

static bvreport_expression_node* make( expression_parser* p, bvreport_expression_kind kind, uint32_t begin )
{
	bvreport_expression_node* e = bvb_arena_allocate( p->arena, 1, sizeof *e );
	if ( e )
	{
		e->kind = kind;
		e->begin = begin;
		e->end = p->at;
	}
	return e;
}

static bv_status parse_any( expression_parser* p, bvreport_expression_node** out );

static bv_status deeper( expression_parser* p )
{
	return ++p->depth <= bvreport_expression_deepest
	           ? bv_ok
	           : bvreport_expression_fail( p->error, p->at, "nested more deeply than %d levels",
	                                       bvreport_expression_deepest );
}

static bv_status parse_number( expression_parser* p, bvreport_expression_node** out )
{
	uint32_t begin = p->at;
	double number;
	const char* end = bvbase_read_number( p->text + p->at, p->text + strlen( p->text ), &number );
	if ( !end || is_word( *end ) || *end == '.' || !isfinite( number ) )
	{
		return bvreport_expression_fail( p->error, begin, "'%.*s' is not a number",
		                                 (int)strcspn( p->text + begin, " \t\r\n()[],<>=!+*/" ),
		                                 p->text + begin );
	}
	p->at = (uint32_t)( end - p->text );
	if ( *end == '%' )
	{
		number /= 100;
		p->at += 1;
	}
	*out = make( p, bvreport_expression_number, begin );
	if ( !*out )
	{
		return bvbase_fail_memory( p->error );
	}
	( *out )->number = number;
	return bv_ok;
}

// In single or double quotes; a backslash lets the next character stand for itself.
static bv_status read_string( expression_parser* p, const char** out )
{
	uint32_t begin = p->at;
	char quote = p->text[p->at++];
	char* copy = bvb_arena_allocate( p->arena, strlen( p->text + begin ), 1 );
	char* to = copy;
	while ( copy && p->text[p->at] && p->text[p->at] != quote )
	{
		p->at += p->text[p->at] == '\\' && p->text[p->at + 1];
		*to++ = p->text[p->at++];
	}
	if ( !copy )
	{
		return bvbase_fail_memory( p->error );
	}
	if ( !p->text[p->at] )
	{
		return bvreport_expression_fail( p->error, begin, "the string is not terminated" );
	}
	p->at += 1;
	*out = copy;
	return bv_ok;
}

static bv_status copy_word( expression_parser* p, const char** out )
{
	uint32_t length = word_length( p->text + p->at );
	char* copy = bvb_arena_allocate( p->arena, length + 1, 1 );
	if ( !copy )
	{
		return bvbase_fail_memory( p->error );
	}
	memcpy( copy, p->text + p->at, length );
	p->at += length;
	*out = copy;
	return bv_ok;
}

// Behind an opening bracket: an index, a key in quotes, or nothing, for all items.
static bv_status read_bracket( expression_parser* p, bvreport_expression_step* step )
{
	char c = peek( p );
	if ( c == '\'' || c == '"' )
	{
		bv_status status = read_string( p, &step->key );
		if ( status != bv_ok )
		{
			return status;
		}
	}
	else if ( c == ']' )
	{
		step->all = true;
	}
	else
	{
		bool negative = take( p, '-' );
		uint32_t digits = (uint32_t)strspn( p->text + p->at, "0123456789" );
		if ( digits == 0 || digits > 9 )
		{
			return unexpected( p, "an index, a key in quotes or ']'" );
		}
		for ( uint32_t i = 0; i < digits; ++i )
		{
			step->index = 10 * step->index + ( p->text[p->at++] - '0' );
		}
		step->index = negative ? -step->index : step->index;
		if ( negative && step->index == 0 )
		{
			return bvreport_expression_fail( p->error, step->begin, "the last item is [-1]" );
		}
	}
	return take( p, ']' ) ? bv_ok : unexpected( p, "']'" );
}

static bv_status parse_step( expression_parser* p, bvreport_expression_step* step )
{
	bv_status status;
	step->begin = p->at;
	if ( p->text[p->at] == '[' )
	{
		p->at += 1;
		status = read_bracket( p, step );
	}
	else
	{
		p->at += p->text[p->at] == '.';
		status = is_word( p->text[p->at] ) ? copy_word( p, &step->key ) : unexpected( p, "a key" );
	}
	step->end = p->at;
	return status;
}

static bv_status parse_path( expression_parser* p, bvreport_expression_node** out )
{
	uint32_t begin = p->at;
	bvreport_expression_step* first = NULL;
	bvreport_expression_step** last = &first;
	do
	{
		bvreport_expression_step* step = bvb_arena_allocate( p->arena, 1, sizeof *step );
		bv_status status = step ? parse_step( p, step ) : bvbase_fail_memory( p->error );
		if ( status != bv_ok )
		{
			return status;
		}
		*last = step;
		last = &step->next;
	} while ( p->text[p->at] == '.' || p->text[p->at] == '[' );
	*out = make( p, bvreport_expression_path, begin );
	if ( !*out )
	{
		return bvbase_fail_memory( p->error );
	}
	( *out )->steps = first;
	return bv_ok;
}

static bv_status parse_call( expression_parser* p, bvreport_expression_node** out )
{
	uint32_t begin = p->at;
	const char* name = NULL;
	bv_status status = copy_word( p, &name );
	if ( status == bv_ok && !bvreport_expression_has_function( name ) )
	{
		return bvreport_expression_fail(
			p->error, begin, "unknown function %s (known: abs, count, max, mean, min, sum)", name );
	}
	status = status == bv_ok ? deeper( p ) : status;
	bvreport_expression_node* first = NULL;
	bvreport_expression_node** last = &first;
	take( p, '(' );
	do
	{
		status = status == bv_ok ? parse_any( p, last ) : status;
		if ( status != bv_ok )
		{
			return status;
		}
		last = &( *last )->next;
	} while ( take( p, ',' ) );
	if ( !take( p, ')' ) )
	{
		return unexpected( p, "',' or ')'" );
	}
	p->depth -= 1;
	*out = make( p, bvreport_expression_call, begin );
	if ( !*out )
	{
		return bvbase_fail_memory( p->error );
	}
	( *out )->text = name;
	( *out )->first = first;
	return bv_ok;
}

static bv_status parse_parentheses( expression_parser* p, bvreport_expression_node** out )
{
	bv_status status = deeper( p );
	uint32_t begin = p->at++;
	status = status == bv_ok ? parse_any( p, out ) : status;
	if ( status == bv_ok && !take( p, ')' ) )
	{
		status = unexpected( p, "an operator or ')'" );
	}
	if ( status == bv_ok && ( *out )->kind >= bvreport_expression_negate )
	{
		( *out )->begin = begin; // what is quoted of it later begins and ends with them
		( *out )->end = p->at;
	}
	p->depth -= 1;
	return status;
}

static bv_status parse_literal( expression_parser* p, bvreport_expression_kind kind, uint32_t begin,
                                double number, const char* text, bvreport_expression_node** out )
{
	*out = make( p, kind, begin );
	if ( !*out )
	{
		return bvbase_fail_memory( p->error );
	}
	( *out )->number = number;
	( *out )->text = text;
	return bv_ok;
}

static bv_status parse_primary( expression_parser* p, bvreport_expression_node** out )
{
	char c = peek( p );
	uint32_t begin = p->at;
	if ( is_digit( c ) || ( c == '.' && is_digit( p->text[begin + 1] ) ) )
	{
		return parse_number( p, out );
	}
	if ( c == '(' )
	{
		return parse_parentheses( p, out );
	}
	if ( c == '\'' || c == '"' )
	{
		const char* text = NULL;
		bv_status status = read_string( p, &text );
		return status == bv_ok ? parse_literal( p, bvreport_expression_string, begin, 0, text, out ) : status;
	}
	if ( !is_letter( c ) )
	{
		return unexpected( p, "a value" );
	}
	if ( take_word( p, "true" ) || take_word( p, "false" ) )
	{
		return parse_literal( p, bvreport_expression_truth, begin, c == 't', NULL, out );
	}
	if ( take_word( p, "null" ) )
	{
		return parse_literal( p, bvreport_expression_null, begin, 0, NULL, out );
	}
	static const char* const reserved[] = { "and", "or", "not" };
	for ( size_t i = 0; i < sizeof reserved / sizeof *reserved; ++i )
	{
		if ( take_word( p, reserved[i] ) )
		{
			p->at = begin;
			return unexpected( p, "a value" );
		}
	}
	uint32_t length = word_length( p->text + begin );
	length += (uint32_t)strspn( p->text + begin + length, " \t\r\n" );
	return p->text[begin + length] == '(' ? parse_call( p, out ) : parse_path( p, out );
}

static bv_status parse_prefixed( expression_parser* p, bvreport_expression_kind kind, uint32_t begin,
                                 bv_status ( *parse )( expression_parser* p, bvreport_expression_node** out ),
                                 bvreport_expression_node** out )
{
	bvreport_expression_node* operand = NULL;
	bv_status status = deeper( p );
	status = status == bv_ok ? parse( p, &operand ) : status;
	p->depth -= 1;
	if ( status != bv_ok )
	{
		return status;
	}
	*out = make( p, kind, begin );
	if ( !*out )
	{
		return bvbase_fail_memory( p->error );
	}
	( *out )->first = operand;
	( *out )->end = operand->end; // blanks may have been passed over since
	return bv_ok;
}

static bv_status parse_unary( expression_parser* p, bvreport_expression_node** out )
{
	skip_blanks( p );
	uint32_t begin = p->at;
	return take( p, '-' ) ? parse_prefixed( p, bvreport_expression_negate, begin, parse_unary, out )
	                      : parse_primary( p, out );
}

// Makes one node of two.
static bv_status join( expression_parser* p, bvreport_expression_kind kind, const char* operation,
                       bvreport_expression_node* right, bvreport_expression_node** left )
{
	bvreport_expression_node* e = make( p, kind, ( *left )->begin );
	if ( !e )
	{
		return bvbase_fail_memory( p->error );
	}
	snprintf( e->operation, sizeof e->operation, "%s", operation );
	e->first = *left;
	e->first->next = right;
	e->end = right->end; // blanks may have been passed over since
	*left = e;
	return bv_ok;
}

// Operands with any of some operators of one character between, from left to right.
static bv_status parse_calculation( expression_parser* p, const char* operators,
                                    bv_status ( *parse )( expression_parser* p,
                                                          bvreport_expression_node** out ),
                                    bvreport_expression_node** out )
{
	bv_status status = parse( p, out );
	while ( status == bv_ok && peek( p ) && strchr( operators, peek( p ) ) )
	{
		char operation[2] = { p->text[p->at++], 0 };
		bvreport_expression_node* right = NULL;
		status = parse( p, &right );
		status = status == bv_ok ? join( p, bvreport_expression_calculate, operation, right, out ) : status;
	}
	return status;
}

static bv_status parse_product( expression_parser* p, bvreport_expression_node** out )
{
	return parse_calculation( p, "*/", parse_unary, out );
}

static bv_status parse_sum( expression_parser* p, bvreport_expression_node** out )
{
	return parse_calculation( p, "+-", parse_product, out );
}

static const char* take_comparison( expression_parser* p )
{
	static const char* const signs[] = { "<=", ">=", "==", "!=", "<", ">" };
	skip_blanks( p );
	for ( size_t i = 0; i < sizeof signs / sizeof *signs; ++i )
	{
		if ( strncmp( p->text + p->at, signs[i], strlen( signs[i] ) ) == 0 )
		{
			p->at += (uint32_t)strlen( signs[i] );
			return signs[i];
		}
	}
	return NULL;
}

static bv_status parse_comparison( expression_parser* p, bvreport_expression_node** out )
{
	bv_status status = parse_sum( p, out );
	if ( status == bv_ok && peek( p ) == '=' && p->text[p->at + 1] != '=' )
	{
		return bvreport_expression_fail( p->error, p->at, "use == for equality" );
	}
	const char* sign = status == bv_ok ? take_comparison( p ) : NULL;
	if ( !sign )
	{
		return status;
	}
	bvreport_expression_node* right = NULL;
	status = parse_sum( p, &right );
	status = status == bv_ok ? join( p, bvreport_expression_compare, sign, right, out ) : status;
	uint32_t at = p->at;
	return status == bv_ok && take_comparison( p )
	           ? bvreport_expression_fail( p->error, at, "join comparisons with 'and': 1 < x and x < 2" )
	           : status;
}

static bv_status parse_not( expression_parser* p, bvreport_expression_node** out )
{
	skip_blanks( p );
	uint32_t begin = p->at;
	return take_word( p, "not" ) ? parse_prefixed( p, bvreport_expression_not, begin, parse_not, out )
	                             : parse_comparison( p, out );
}

static bv_status parse_words( expression_parser* p, const char* word, bvreport_expression_kind kind,
                              bv_status ( *parse )( expression_parser* p, bvreport_expression_node** out ),
                              bvreport_expression_node** out )
{
	bv_status status = parse( p, out );
	while ( status == bv_ok && take_word( p, word ) )
	{
		bvreport_expression_node* right = NULL;
		status = parse( p, &right );
		status = status == bv_ok ? join( p, kind, "", right, out ) : status;
	}
	return status;
}

static bv_status parse_and( expression_parser* p, bvreport_expression_node** out )
{
	return parse_words( p, "and", bvreport_expression_and, parse_not, out );
}

static bv_status parse_any( expression_parser* p, bvreport_expression_node** out )
{
	return parse_words( p, "or", bvreport_expression_or, parse_and, out );
}

bv_status bvreport_expression_parse( const char* text, bvb_arena* arena, const bvreport_expression_node** out,
                                     bvb_error* error )
{
	expression_parser p = { .text = text, .arena = arena, .error = error };
	if ( strlen( text ) > bvreport_expression_longest )
	{
		return bvbase_fail( error, bv_error_argument, "the expression is longer than %d characters",
		                    bvreport_expression_longest );
	}
	bvreport_expression_node* root = NULL;
	bv_status status = parse_any( &p, &root );
	if ( status == bv_ok && peek( &p ) )
	{
		status = unexpected( &p, "an operator" );
	}
	*out = root;
	return status;
}
