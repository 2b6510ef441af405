// Pairs in a matrix of bits, one for each two numbers. An update compares the matrix of the pairs that the method has found with that
// of the last update, word by word. For few objects, of which many touch.
//
// Row a has the bits of all b in the 64-bit words from that of a on.

#include "world/broadphase/pairs.h"

#include "world/broadphase/order.h"

#include <string.h>

enum
{
	word_bits = 64,
};

// Its part of the block: both matrices, then the bits of the changed objects.
typedef struct matrix_head
{
	uint64_t known_at; // uint64_t[words]: pairs reported
	uint64_t found_at; // likewise: pairs of this update
	uint64_t marks_at; // uint64_t: a bit for each object, if it is changed
	uint32_t known_count;
	uint32_t unused;
} matrix_head;

static matrix_head* head_of( const bvw_broadphase* world )
{
	return bvwphase_at( world, world->pairs_at );
}

static uint64_t words_of_row( const bvw_broadphase_options* options )
{
	return ( options->objects + (uint64_t)word_bits - 1 ) / word_bits;
}

// @return the words before those of a row, whose first one has the bit of `a` itself
static uint64_t start_of_row( uint64_t words, uint32_t a )
{
	uint64_t group = a / word_bits;
	uint64_t within = a % word_bits;
	uint64_t left_out = word_bits * ( group * ( group > 0 ? group - 1 : 0 ) / 2 ) + within * group;
	return a * words - left_out;
}

static uint64_t words_of( const bvw_broadphase_options* options )
{
	return start_of_row( words_of_row( options ), options->objects );
}

static uint64_t bytes( const bvw_broadphase_options* options )
{
	return sizeof( matrix_head ) + 8 * ( 2 * words_of( options ) + words_of_row( options ) );
}

static void begin( bvw_broadphase* world )
{
	matrix_head* h = head_of( world );
	uint64_t matrix_bytes = 8 * words_of( &world->options );
	h->known_at = world->pairs_at + sizeof( matrix_head );
	h->found_at = h->known_at + matrix_bytes;
	h->marks_at = h->found_at + matrix_bytes;
}

static uint64_t bit_of( uint32_t number )
{
	return UINT64_C( 1 ) << number % word_bits;
}

// @return the words of a row, so that [b / word_bits] is that of b
static uint64_t* row_of( const bvw_broadphase* world, uint64_t matrix_at, uint32_t a )
{
	uint64_t* words = bvwphase_at( world, matrix_at );
	return words + start_of_row( words_of_row( &world->options ), a ) - a / word_bits;
}

// Goes through the bits of a word from the lowest one.
static uint32_t take_lowest( uint64_t* bits )
{
	uint32_t at = bvwphase_lowest_bit( *bits );
	*bits &= *bits - 1;
	return at;
}

static uint32_t count_bits( uint64_t x )
{
	x -= x >> 1 & UINT64_C( 0x5555555555555555 );
	x = ( x & UINT64_C( 0x3333333333333333 ) ) + ( x >> 2 & UINT64_C( 0x3333333333333333 ) );
	x = ( x + ( x >> 4 ) ) & UINT64_C( 0x0F0F0F0F0F0F0F0F );
	return (uint32_t)( x * UINT64_C( 0x0101010101010101 ) >> 56 );
}

static void prepare( bvw_broadphase* world, const bvwphase_method* method )
{
	(void)method;
	const matrix_head* h = head_of( world );
	const uint32_t* changed = bvwphase_changed( world );
	uint64_t* marks = bvwphase_at( world, h->marks_at );
	memset( bvwphase_at( world, h->found_at ), 0, 8 * words_of( &world->options ) );
	memset( marks, 0, 8 * words_of_row( &world->options ) );
	for ( uint32_t i = 0; i < world->changed_count; ++i )
	{
		marks[changed[i] / word_bits] |= bit_of( changed[i] );
	}
}

static bool keep( bvw_broadphase* world, uint32_t a, uint32_t b, bool touches )
{
	(void)touches;
	uint32_t low = a < b ? a : b;
	uint32_t high = a < b ? b : a;
	row_of( world, head_of( world )->found_at, low )[high / word_bits] |= bit_of( high );
	return true;
}

static bool touch( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	const bvwphase_object* objects = bvwphase_objects( world );
	return bvwphase_boxes_touch( &objects[a].box, &objects[b].box );
}

// Of the known pairs of a word that were not found again, those that remain.
static uint64_t remaining( bvw_broadphase* world, const bvwphase_method* method, uint32_t a, uint32_t word,
                           uint64_t lost )
{
	const uint64_t* marks = bvwphase_at( world, head_of( world )->marks_at );
	uint64_t compared = marks[a / word_bits] & bit_of( a ) ? lost : lost & marks[word];
	uint64_t kept = lost & ~compared;
	if ( method->finds_known )
	{
		return kept;
	}
	while ( compared != 0 )
	{
		uint32_t b = word * word_bits + take_lowest( &compared );
		++world->tests;
		kept |= touch( world, a, b ) ? bit_of( b ) : 0;
	}
	return kept;
}

// Adds the known pairs that remain to those found.
// @return how many there are
static uint64_t complete( bvw_broadphase* world, const bvwphase_method* method )
{
	const matrix_head* h = head_of( world );
	uint64_t count = 0;
	for ( uint32_t a = 0; a < world->highest; ++a )
	{
		const uint64_t* known = row_of( world, h->known_at, a );
		uint64_t* found = row_of( world, h->found_at, a );
		for ( uint32_t w = a / word_bits; w * word_bits < world->highest; ++w )
		{
			uint64_t lost = known[w] & ~found[w];
			found[w] |= lost != 0 ? remaining( world, method, a, w, lost ) : 0;
			count += count_bits( found[w] );
		}
	}
	return count;
}

static bool finish( bvw_broadphase* world, const bvwphase_method* method, uint32_t* begun_count )
{
	matrix_head* h = head_of( world );
	bvw_pair* begun = bvwphase_begun( world );
	uint32_t ended_before = world->ended_count;
	uint64_t total = complete( world, method );
	if ( total > world->options.pairs )
	{
		return false;
	}
	*begun_count = 0;
	for ( uint32_t a = 0; a < world->highest; ++a )
	{
		const uint64_t* known = row_of( world, h->known_at, a );
		const uint64_t* found = row_of( world, h->found_at, a );
		for ( uint32_t w = a / word_bits; w * word_bits < world->highest; ++w )
		{
			uint64_t new_ones = found[w] & ~known[w];
			uint64_t lost = known[w] & ~found[w];
			while ( new_ones != 0 )
			{
				begun[( *begun_count )++] = ( bvw_pair ){ a, w * word_bits + take_lowest( &new_ones ) };
			}
			while ( lost != 0 )
			{
				bvwphase_end_pair( world, a, w * word_bits + take_lowest( &lost ) );
			}
		}
	}
	if ( ended_before > 0 )
	{
		bvwphase_sort_pairs( bvwphase_at( world, world->ended_at ), world->ended_count,
		                     bvwphase_at( world, world->sorting_at ) );
	}
	uint64_t swap = h->known_at;
	h->known_at = h->found_at;
	h->found_at = swap;
	h->known_count = (uint32_t)total;
	return true;
}

// Ends the known pairs of a row that are in a set.
static void end_bit( bvw_broadphase* world, uint64_t* row, uint32_t a, uint32_t b )
{
	row[b / word_bits] &= ~bit_of( b );
	--head_of( world )->known_count;
	bvwphase_end_pair( world, a, b );
}

static void fail( bvw_broadphase* world )
{
	const matrix_head* h = head_of( world );
	for ( uint32_t a = 0; a < world->highest; ++a )
	{
		uint64_t* known = row_of( world, h->known_at, a );
		for ( uint32_t w = a / word_bits; w * word_bits < world->highest; ++w )
		{
			for ( uint64_t bits = known[w]; bits != 0; )
			{
				uint32_t b = w * word_bits + take_lowest( &bits );
				if ( !touch( world, a, b ) )
				{
					end_bit( world, known, a, b );
				}
			}
		}
	}
}

static void drop( bvw_broadphase* world, uint32_t number )
{
	const matrix_head* h = head_of( world );
	for ( uint32_t a = 0; a < number; ++a )
	{
		uint64_t* known = row_of( world, h->known_at, a );
		if ( known[number / word_bits] & bit_of( number ) )
		{
			end_bit( world, known, a, number );
		}
	}
	uint64_t* known = row_of( world, h->known_at, number );
	for ( uint32_t w = number / word_bits; w * word_bits < world->highest; ++w )
	{
		for ( uint64_t bits = known[w]; bits != 0; )
		{
			end_bit( world, known, number, w * word_bits + take_lowest( &bits ) );
		}
	}
}

static bool has( const bvw_broadphase* world, uint32_t a, uint32_t b )
{
	return ( row_of( world, head_of( world )->known_at, a )[b / word_bits] & bit_of( b ) ) != 0;
}

static uint32_t list( const bvw_broadphase* world, bvw_pair* out )
{
	const matrix_head* h = head_of( world );
	uint32_t count = 0;
	for ( uint32_t a = 0; out && a < world->highest; ++a )
	{
		const uint64_t* known = row_of( world, h->known_at, a );
		for ( uint32_t w = a / word_bits; w * word_bits < world->highest; ++w )
		{
			for ( uint64_t bits = known[w]; bits != 0; )
			{
				out[count++] = ( bvw_pair ){ a, w * word_bits + take_lowest( &bits ) };
			}
		}
	}
	return h->known_count;
}

static void restore( bvw_broadphase* world, const bvw_pair* pairs, uint32_t count )
{
	matrix_head* h = head_of( world );
	for ( uint32_t i = 0; i < count; ++i )
	{
		row_of( world, h->known_at, pairs[i].a )[pairs[i].b / word_bits] |= bit_of( pairs[i].b );
	}
	h->known_count = count;
}

const bvwphase_keeper bvwphase_keeper_matrix = {
	.name = "matrix",
	.help = "a bit for each two objects: for few objects that touch many others",
	.most_objects = BVW_MAX_MATRIX_OBJECTS,
	.bytes = bytes,
	.begin = begin,
	.prepare = prepare,
	.keep = keep,
	.finish = finish,
	.fail = fail,
	.drop = drop,
	.has = has,
	.list = list,
	.restore = restore,
};
