// Patterns of shells (POSIX.1-2017, XCU 2.13). See match.h.
//
// Of several * only the last one needs to be tried at other places: what those before it took can stay.

#include "offline/base/match.h"

#include <stddef.h>
#include <string.h>

typedef unsigned char byte;

// Classes such as [:digit:], in the locale "C".
static bool is_in_class( const char* name, size_t length, byte c )
{
	bool upper = c >= 'A' && c <= 'Z';
	bool lower = c >= 'a' && c <= 'z';
	bool digit = c >= '0' && c <= '9';
	bool graph = c > ' ' && c < 0x7f;
	const struct
	{
		const char* name;
		bool is;
	} classes[] = {
		{ "alnum", upper || lower || digit },
		{ "alpha", upper || lower },
		{ "blank", c == ' ' || c == '\t' },
		{ "cntrl", c < ' ' || c == 0x7f },
		{ "digit", digit },
		{ "graph", graph },
		{ "lower", lower },
		{ "print", graph || c == ' ' },
		{ "punct", graph && !upper && !lower && !digit },
		{ "space", c == ' ' || ( c >= '\t' && c <= '\r' ) },
		{ "upper", upper },
		{ "xdigit", digit || ( c >= 'a' && c <= 'f' ) || ( c >= 'A' && c <= 'F' ) },
	};
	for ( size_t i = 0; i < sizeof classes / sizeof *classes; ++i )
	{
		if ( strlen( classes[i].name ) == length && memcmp( classes[i].name, name, length ) == 0 )
		{
			return classes[i].is;
		}
	}
	return false;
}

// One member of a set, from *at: a character, perhaps behind a backslash.
static byte take_member( const char** at )
{
	*at += **at == '\\' && ( *at )[1];
	return ( byte ) * ( *at )++;
}

// The set that begins behind a bracket.
// @return behind its end; null if it has none, so that the bracket is a character like others
static const char* match_set( const char* at, byte c, bool* is )
{
	bool negated = *at == '!' || *at == '^';
	at += negated;
	bool found = false;
	const char* first = at;
	while ( *at && ( *at != ']' || at == first ) )
	{
		const char* end = at[0] == '[' && at[1] == ':' ? strstr( at + 2, ":]" ) : NULL;
		if ( end )
		{
			found = found || is_in_class( at + 2, (size_t)( end - at - 2 ), c );
			at = end + 2;
			continue;
		}
		byte low = take_member( &at );
		byte high = low;
		if ( at[0] == '-' && at[1] && at[1] != ']' )
		{
			++at;
			high = take_member( &at );
		}
		found = found || ( c >= low && c <= high );
	}
	*is = found != negated;
	return *at ? at + 1 : NULL;
}

// @return the pattern behind what matches the character; null if it does not match
static const char* match_one( const char* pattern, byte c )
{
	bool is;
	const char* rest;
	switch ( *pattern )
	{
	case 0: return NULL;
	case '?': return pattern + 1;
	case '[':
		rest = match_set( pattern + 1, c, &is );
		if ( rest )
		{
			return is ? rest : NULL;
		}
		break;
	case '\\':
		if ( pattern[1] )
		{
			++pattern;
		}
		break;
	default: break;
	}
	return (byte)*pattern == c ? pattern + 1 : NULL;
}

bool bvbase_match( const char* pattern, const char* name, bool hidden )
{
	if ( hidden && *name == '.' && *pattern != '.' && !( pattern[0] == '\\' && pattern[1] == '.' ) )
	{
		return false;
	}
	const char* retry_pattern = NULL;
	const char* retry_name = NULL;
	while ( *name )
	{
		if ( *pattern == '*' )
		{
			retry_pattern = ++pattern;
			retry_name = name;
			continue;
		}
		const char* rest = match_one( pattern, (byte)*name );
		if ( rest )
		{
			pattern = rest;
			++name;
		}
		else if ( retry_pattern )
		{
			pattern = retry_pattern;
			name = ++retry_name;
		}
		else
		{
			return false;
		}
	}
	pattern += strspn( pattern, "*" );
	return *pattern == 0;
}
