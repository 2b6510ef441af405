// Values of options: read, checked and stored as the option's row says.

#include "offline/options/options.h"

#include "offline/base/error.h"
#include "offline/base/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A whole text of that length that is a finite number.
static bool read_number( const char* text, size_t length, double* out )
{
	const char* text_end = text + length;
	return bvbase_read_number( text, text_end, out ) == text_end && isfinite( *out );
}

bv_status bvopt_fail_unknown( bvb_error* error, const char* what, const char* name, int length,
                              const bvbase_suggestion* s )
{
	const char* near = bvbase_get_suggestion( s );
	return bvbase_fail( error, bv_error_argument, "unknown %s '%.*s' (%s%s%s)", what, length, name,
	                    near ? "did you mean '" : "--help=all lists all", near ? near : "",
	                    near ? "'?" : "" );
}

bool bvopt_takes_value( const bvasset_option* o )
{
	return o->argument || o->type == bvasset_option_word;
}

bool bvopt_may_lack_value( const bvasset_option* o )
{
	return !bvopt_takes_value( o ) || ( o->argument && *o->argument == '[' );
}

void bvopt_get_argument( const bvasset_option* o, char* out, size_t size )
{
	char word[bvasset_option_word_bytes];
	size_t length = 0;
	snprintf( out, size, "%s", o->argument ? o->argument : "" );
	for ( uint32_t i = 0; !o->argument && length < size && bvasset_option_get_word( o, i, word ); ++i )
	{
		length += (size_t)snprintf( out + length, size - length, "%s%s", i > 0 ? "|" : "", word );
	}
}

// One of a table, or none.
static bv_status parse_name( const bvasset_option* o, const char* text, const char** out, bvb_error* error )
{
	if ( o->may_be_none && strcmp( text, "none" ) == 0 )
	{
		*out = NULL;
		return bv_ok;
	}
	bvbase_suggestion s = bvbase_suggestion_for( text, strlen( text ) );
	for ( uint32_t i = 0; o->names( i, NULL ); ++i )
	{
		if ( strcmp( o->names( i, NULL ), text ) == 0 )
		{
			*out = o->names( i, NULL );
			return bv_ok;
		}
		bvbase_suggest( &s, o->names( i, NULL ) );
	}
	return bvopt_fail_unknown( error, o->called ? o->called : o->name, text, (int)strlen( text ), &s );
}

// One of a few words, which the message lists.
static bv_status parse_word( const bvasset_option* o, const char* text, uint32_t* out, bvb_error* error )
{
	enum
	{
		most_words = 16,
	};
	char words[most_words][bvasset_option_word_bytes];
	char all[128] = "";
	uint32_t count = 0;
	bvbase_suggestion s = bvbase_suggestion_for( text, strlen( text ) );
	while ( count < most_words && bvasset_option_get_word( o, count, words[count] ) )
	{
		if ( strcmp( words[count], text ) == 0 )
		{
			*out = o->first + count;
			return bv_ok;
		}
		bvbase_suggest( &s, words[count++] );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const char* between = i == 0 ? "" : i + 1 < count ? ", " : " or ";
		size_t length = strlen( all );
		snprintf( all + length, sizeof all - length, "%s%s", between, words[i] );
	}
	const char* near = bvbase_get_suggestion( &s );
	return bvbase_fail( error, bv_error_argument, "--%s takes %s, not '%s'%s%s%s", o->name, all, text,
	                    near ? " (did you mean '" : "", near ? near : "", near ? "'?)" : "" );
}

bv_status bvopt_parse_integer( const char* name, const char* text, uint32_t least, uint32_t most,
                               uint32_t* out, bvb_error* error )
{
	uint64_t value = 0;
	bool good = *text != 0;
	for ( const char* c = text; *c && good; ++c )
	{
		value = 10 * value + (uint64_t)( *c - '0' );
		good = *c >= '0' && *c <= '9' && value <= most;
	}
	if ( !good || value < least )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes a whole number from %u to %u, not '%s'",
		                    name, least, most, text );
	}
	*out = (uint32_t)value;
	return bv_ok;
}

// As people write powers of ten: 1e9, not 1e+09.
static void print_limit( double limit, char out[32] )
{
	snprintf( out, 32, "%g", limit );
	char* exponent = strchr( out, 'e' );
	if ( exponent )
	{
		char* digits = exponent + 1 + strspn( exponent + 1, "+" );
		char* sign = *digits == '-' ? digits++ : NULL;
		digits += strspn( digits, "0" );
		memmove( exponent + 1 + ( sign != NULL ), digits, strlen( digits ) + 1 );
	}
}

static bv_status check_most( const bvasset_option* o, const char* text, double value, bvb_error* error )
{
	char limit[32];
	if ( o->most == 0 || value <= o->most )
	{
		return bv_ok;
	}
	if ( o->unit )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes at most %.0f %s", o->name, o->most,
		                    o->unit );
	}
	print_limit( o->most, limit );
	return bvbase_fail( error, bv_error_argument, "--%s takes at most %s, not '%s'", o->name, limit, text );
}

// Finite, above 0.
static bv_status parse_positive( const bvasset_option* o, const char* text, double* out, bvb_error* error )
{
	double value;
	if ( !read_number( text, strlen( text ), &value ) || value <= 0 )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes a number above 0, not '%s'", o->name,
		                    text );
	}
	*out = value;
	return check_most( o, text, value, error );
}

// Finite, not below 0.
static bv_status parse_real( const bvasset_option* o, const char* text, double* out, bvb_error* error )
{
	double value;
	bool good = read_number( text, strlen( text ), &value ) && value >= 0;
	if ( o->least > 0 && !( good && ( value == 0 || ( value >= o->least && value <= o->most ) ) ) )
	{
		char least[32];
		char most[32];
		print_limit( o->least, least );
		print_limit( o->most, most );
		return bvbase_fail( error, bv_error_argument, "--%s takes 0, or a number from %s to %s, not '%s'",
		                    o->name, least, most, text );
	}
	if ( !good )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes a number of at least 0, not '%s'", o->name,
		                    text );
	}
	*out = value + 0.0; // no -0
	return check_most( o, text, value, error );
}

// A number that may be followed by a percent sign.
static bv_status parse_length( const bvasset_option* o, const char* text, bvb_tolerance* out,
                               bvb_error* error )
{
	double value;
	size_t length = strlen( text );
	bool percent = length > 0 && text[length - 1] == '%';
	if ( !read_number( text, length - percent, &value ) || value < 0 )
	{
		return bvbase_fail( error, bv_error_argument, "--%s takes a length, or N%%, or 0, not '%s'", o->name,
		                    text );
	}
	*out = ( bvb_tolerance ){ value + 0.0, percent }; // no -0
	return percent && value > 100
	           ? bvbase_fail( error, bv_error_argument, "--%s takes at most 100%%, not '%s'", o->name, text )
	           : bv_ok;
}

static bv_status parse_count( const bvasset_option* o, const char* text, uint32_t* out, bvb_error* error )
{
	return bvopt_parse_integer( o->name, text, (uint32_t)o->least, (uint32_t)o->most, out, error );
}

static bv_status parse_count64( const bvasset_option* o, const char* text, uint64_t* out, bvb_error* error )
{
	uint32_t value = 0;
	bv_status status = parse_count( o, text, &value, error );
	*out = ( o->factor ? o->factor : 1 ) * value;
	return status;
}

static bv_status parse_path( const bvasset_option* o, const char* text, const char** out, bvb_error* error )
{
	*out = text;
	return *text ? bv_ok : bvbase_fail( error, bv_error_argument, "--%s needs a name", o->name );
}

static bv_status parse( const bvasset_option* o, void* at, const char* text, bvb_error* error )
{
	switch ( o->type )
	{
	case bvasset_option_text: *(const char**)at = text; return bv_ok;
	case bvasset_option_path: return parse_path( o, text, at, error );
	case bvasset_option_count: return parse_count( o, text, at, error );
	case bvasset_option_count64: return parse_count64( o, text, at, error );
	case bvasset_option_positive: return parse_positive( o, text, at, error );
	case bvasset_option_real: return parse_real( o, text, at, error );
	case bvasset_option_length: return parse_length( o, text, at, error );
	case bvasset_option_word: return parse_word( o, text, at, error );
	case bvasset_option_name: return parse_name( o, text, at, error );
	case bvasset_option_flag: *(bool*)at = true; return bv_ok;
	case bvasset_option_other: return bv_ok;
	}
	return bv_ok;
}

bv_status bvopt_store_value( const bvasset_option* o, void* settings, const char* value, bvb_error* error )
{
	void* at = (char*)settings + o->offset;
	bool stores = value || o->type == bvasset_option_flag || o->type == bvasset_option_text;
	bv_status status = stores ? parse( o, at, value, error ) : bv_ok;
	return status == bv_ok && o->apply ? o->apply( settings, value, error ) : status;
}
