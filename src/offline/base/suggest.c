// Edit distances between short names. See suggest.h.
//
// Based on: F. J. Damerau, "A technique for computer detection and correction of spelling errors", 1964:
// insertions, deletions, substitutions and transpositions of adjacent letters each count one (optimal string
// alignment).

#include "offline/base/suggest.h"

#include <stdbool.h>
#include <string.h>

enum
{
	longest = 48, // names beyond this are not compared
};

static char lower( char c )
{
	return (char)( c >= 'A' && c <= 'Z' ? c | 0x20 : c );
}

static unsigned least( unsigned a, unsigned b )
{
	return a < b ? a : b;
}

// The rows of the table for the last three letters of `a`; entry k compares with the first k letters of `b`.
static unsigned edit_distance( const char* a, size_t a_length, const char* b, size_t b_length )
{
	unsigned rows[3][longest + 1];
	for ( size_t k = 0; k <= b_length; ++k )
	{
		rows[0][k] = (unsigned)k;
	}
	for ( size_t i = 1; i <= a_length; ++i )
	{
		unsigned* row = rows[i % 3];
		const unsigned* before = rows[( i + 2 ) % 3];
		const unsigned* two_before = rows[( i + 1 ) % 3];
		row[0] = (unsigned)i;
		for ( size_t k = 1; k <= b_length; ++k )
		{
			row[k] = least( before[k - 1] + ( lower( a[i - 1] ) != lower( b[k - 1] ) ),
			                least( before[k], row[k - 1] ) + 1 );
			if ( i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] )
			{
				row[k] = least( row[k], two_before[k - 2] + 1 );
			}
		}
	}
	return rows[a_length % 3][b_length];
}

bvbase_suggestion bvbase_suggestion_for( const char* typed, size_t length )
{
	return ( bvbase_suggestion ){ .typed = typed, .length = length };
}

void bvbase_suggest( bvbase_suggestion* s, const char* known )
{
	size_t length = strlen( known );
	if ( s->length > longest || length > longest )
	{
		return;
	}
	// The beginning of a name is as near as a name with one letter wrong.
	bool begins = s->length > 2 && s->length < length && memcmp( s->typed, known, s->length ) == 0;
	unsigned distance = begins ? 1 : edit_distance( s->typed, s->length, known, length );
	if ( !s->nearest || distance < s->distance )
	{
		s->nearest = known;
		s->distance = distance;
	}
}

const char* bvbase_get_suggestion( const bvbase_suggestion* s )
{
	// One error in three letters is a misspelling, two are another word.
	return s->nearest && s->distance <= s->length / 3 ? s->nearest : NULL;
}
