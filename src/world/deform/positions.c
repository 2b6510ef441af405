// Positions that a caller gives: whether they can be taken, how they are stored, and where listed vertices were before.

#include "runtime/simd/bits.h"
#include "world/deform/deform.h"

#include <math.h>
#include <string.h>

static uint32_t number_size( const bvw_vertices* v )
{
	return v->positions ? sizeof( double ) : sizeof( float );
}

static size_t stride_of( const bvw_vertices* v )
{
	return v->stride > 0 ? v->stride : 3 * number_size( v );
}

static uint32_t number_of( const bvw_vertices* v, uint32_t vertex )
{
	return v->index ? v->index[vertex] : vertex;
}

static bv_vec3 position_of( const bvw_vertices* v, size_t stride, uint32_t number )
{
	if ( v->positions )
	{
		const double* p = (const double*)(const void*)( (const char*)v->positions + stride * number );
		return ( bv_vec3 ){ p[0], p[1], p[2] };
	}
	const float* p = (const float*)(const void*)( (const char*)v->floats + stride * number );
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

// Written so that a NaN fails.
static bool is_in_range( bv_vec3 p, bv_vec3 offset )
{
	return ( fabs( p.x - offset.x ) <= BVW_MAX_POSITION ) & ( fabs( p.y - offset.y ) <= BVW_MAX_POSITION ) &
	       ( fabs( p.z - offset.z ) <= BVW_MAX_POSITION );
}

// Whether positions are plain arrays that are stored as they are.
static bool are_plain( const bvw_deform* deform, const bvw_vertices* v )
{
	const bv_vec3* o = &deform->offset;
	return !v->index && stride_of( v ) == 3 * number_size( v ) && o->x == 0 && o->y == 0 && o->z == 0;
}

// As bits, absolute values are in the order of numbers, and NaN is beyond all of them. A difference below 0 has its highest bit set.
static bool are_doubles_in_range( const double* numbers, size_t count )
{
	double most = BVW_MAX_POSITION;
	uint64_t most_bits;
	uint64_t beyond = 0;
	memcpy( &most_bits, &most, sizeof most_bits );
	for ( size_t i = 0; i < count; ++i )
	{
		uint64_t bits;
		memcpy( &bits, numbers + i, sizeof bits );
		beyond |= most_bits - ( bits & ~UINT64_C( 0 ) >> 1 );
	}
	return beyond >> 63 == 0;
}

static bool are_floats_in_range( const float* numbers, size_t count )
{
	float most = (float)BVW_MAX_POSITION;
	uint32_t most_bits;
	uint32_t beyond = 0;
	memcpy( &most_bits, &most, sizeof most_bits );
	for ( size_t i = 0; i < count; ++i )
	{
		uint32_t bits;
		memcpy( &bits, numbers + i, sizeof bits );
		beyond |= most_bits - ( bits & ~UINT32_C( 0 ) >> 1 );
	}
	return beyond >> 31 == 0;
}

static bool are_numbers_in_range( const bvw_vertices* v, size_t first, size_t end )
{
	return v->positions ? are_doubles_in_range( v->positions + first, end - first )
	                    : are_floats_in_range( v->floats + first, end - first );
}

bool bvwdeform_are_in_range( const bvw_deform* deform, const bvw_vertices* v, const uint32_t* listed,
                             uint32_t first, uint32_t end )
{
	if ( !listed && are_plain( deform, v ) )
	{
		return end <= v->count && are_numbers_in_range( v, 3 * (size_t)first, 3 * (size_t)end );
	}
	size_t stride = stride_of( v );
	for ( uint32_t i = first; i < end; ++i )
	{
		uint32_t vertex = listed ? listed[i] : i;
		uint32_t number = number_of( v, vertex );
		// It is stored there then.
		bvsimd_prefetch( deform->positions + vertex );
		if ( number >= v->count || !is_in_range( position_of( v, stride, number ), deform->offset ) )
		{
			return false;
		}
	}
	return true;
}

bool bvwdeform_are_arrays( const bvw_deform* deform, const bvw_vertices* from, bool listed )
{
	if ( !from || ( from->positions != NULL ) == ( from->floats != NULL ) )
	{
		return false;
	}
	uint32_t size = number_size( from );
	bool is_aligned = ( (uintptr_t)from->positions | (uintptr_t)from->floats ) % size == 0;
	return is_aligned && from->stride % size == 0 && ( from->stride == 0 || from->stride >= 3 * size ) &&
	       ( listed || from->index || from->count == deform->counts.vertices );
}

// No zero has a sign, so that minima do not depend on an order.
static void store( bv_vec3 p, bv_vec3 offset, float to[3] )
{
	to[0] = (float)( p.x - offset.x ) + 0.0f;
	to[1] = (float)( p.y - offset.y ) + 0.0f;
	to[2] = (float)( p.z - offset.z ) + 0.0f;
}

static void store_numbers( const bvw_vertices* v, size_t first, size_t end, float* to )
{
	for ( size_t i = first; i < end && v->positions; ++i )
	{
		to[i] = (float)v->positions[i] + 0.0f;
	}
	for ( size_t i = first; i < end && v->floats; ++i )
	{
		to[i] = v->floats[i] + 0.0f;
	}
}

void bvwdeform_store( const bvw_deform* deform, const bvw_vertices* from, uint32_t first, uint32_t end,
                      float ( *to )[3] )
{
	if ( are_plain( deform, from ) )
	{
		store_numbers( from, 3 * (size_t)first, 3 * (size_t)end, to[0] );
		return;
	}
	size_t stride = stride_of( from );
	for ( uint32_t i = first; i < end; ++i )
	{
		store( position_of( from, stride, number_of( from, i ) ), deform->offset, to[i] );
	}
}

void bvwdeform_store_listed( const bvw_deform* deform, const bvw_vertices* from, const uint32_t* listed,
                             uint32_t count, float ( *to )[3] )
{
	size_t stride = stride_of( from );
	for ( uint32_t i = 0; i < count; ++i )
	{
		store( position_of( from, stride, number_of( from, listed[i] ) ), deform->offset, to[listed[i]] );
	}
}

void bvwdeform_keep_listed( const bvw_deform* deform, const uint32_t* listed, uint32_t count )
{
	for ( uint32_t i = 0; i < count && count <= deform->lists.most_before; ++i )
	{
		memcpy( deform->lists.before[i], deform->positions[listed[i]], sizeof *deform->positions );
	}
}
