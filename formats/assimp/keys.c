// Keys of animations. See keys.h.
//
// glTF wants times that ascend. A jump between two keys at one time becomes a very fast change, in the time
// from the number of binary32 before.

#include "formats/assimp/keys.h"

#include "offline/base/system.h"

#include <math.h>
#include <string.h>

static int compare_keys( const void* a, const void* b, void* context )
{
	const bvassimp_key* left = a;
	const bvassimp_key* right = b;
	(void)context;
	return left->time != right->time ? ( left->time > right->time ? 1 : -1 )
	                                 : ( left->number > right->number ) - ( left->number < right->number );
}

static bool is_finite( const bvassimp_key* key, uint32_t width )
{
	bool finite = isfinite( (float)key->time );
	for ( uint32_t i = 0; i < width; ++i )
	{
		finite = finite && isfinite( key->value[i] );
	}
	return finite;
}

// What the reader takes for unit quaternions keeps its digits.
static void normalize( bvassimp_key* key, bvassimp_faults* faults )
{
	double square = 0;
	for ( int i = 0; i < 4; ++i )
	{
		square += (double)key->value[i] * key->value[i];
	}
	if ( square > 0.51 && square < 1.9 )
	{
		return;
	}
	double length = sqrt( square );
	faults->zero += !( length > 0 );
	for ( int i = 0; i < 4; ++i )
	{
		key->value[i] = length > 0 ? (float)( key->value[i] / length ) : (float)( i == 3 );
	}
}

static bool are_equal( const bvassimp_key* a, const bvassimp_key* b, uint32_t width )
{
	for ( uint32_t i = 0; i < width; ++i )
	{
		if ( a->value[i] != b->value[i] )
		{
			return false;
		}
	}
	return true;
}

// Adds a key behind those that are clean, at the same time as the last one or later.
static uint32_t append( bvassimp_key* keys, uint32_t count, const bvassimp_key* key, uint32_t width )
{
	bvassimp_key* last = count > 0 ? &keys[count - 1] : NULL;
	if ( !last || last->time < key->time )
	{
		keys[count] = *key;
		return count + 1;
	}
	if ( are_equal( last, key, width ) )
	{
		return count;
	}
	double before = nextafterf( (float)key->time, -INFINITY );
	if ( count > 1 && last[-1].time < before )
	{
		last->time = before;
		keys[count] = *key;
		return count + 1;
	}
	// Nothing comes before, or it is the third at this time.
	memcpy( last->value, key->value, sizeof last->value );
	return count;
}

uint32_t bvassimp_keys_clean( bvassimp_key* keys, uint32_t count, uint32_t width, bool rotation,
                              bvassimp_faults* faults )
{
	uint32_t finite = 0;
	bool sorted = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( is_finite( &keys[i], width ) )
		{
			sorted = sorted && ( finite == 0 || keys[finite - 1].time <= keys[i].time );
			keys[finite++] = keys[i];
		}
	}
	faults->not_finite += count - finite;
	if ( !sorted )
	{
		faults->unsorted += 1;
		bvbase_sort_with( keys, finite, sizeof *keys, compare_keys, NULL );
	}
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < finite; ++i )
	{
		bvassimp_key key = keys[i];
		key.time = (float)key.time;
		if ( rotation )
		{
			normalize( &key, faults );
		}
		kept = append( keys, kept, &key, width );
	}
	return kept;
}

uint32_t bvassimp_keys_add( bvassimp_container* c, const bvassimp_key* keys, uint32_t count, uint32_t width )
{
	uint8_t* to;
	uint32_t times = bvassimp_container_accessor( c, bvassimp_element_number, count, &to );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvassimp_store_float( to + 4 * (size_t)i, (float)keys[i].time );
	}
	bvassimp_container_accessor( c, width == 3 ? bvassimp_element_vector : bvassimp_element_four, count,
	                             &to );
	for ( size_t i = 0; i < count * (size_t)width; ++i )
	{
		bvassimp_store_float( to + 4 * i, keys[i / width].value[i % width] );
	}
	return times;
}
