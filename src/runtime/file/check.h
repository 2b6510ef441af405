// What the checks of check.c share: they are run once, when a file is opened.

#pragma once

#include "runtime/file/view.h"

/// What the checks of a section may rely on: sections checked before. Null are those that the file does not
/// have.
typedef struct bvfile_content
{
	const bvfile_header* header;       ///< of the file, to find any other section
	const bvfile_mesh* mesh;           ///< never null; not yet checked for ORGN and MESH itself
	const void* positions;             ///< of the mesh
	const bvfile_hull* hull;           ///< for those that need it
	const bvfile_hierarchy* hierarchy; ///< for those that need it
	const bvfile_parts* parts;         ///< for those that need it
	uint16_t version;                  ///< of the section that is checked
} bvfile_content;

/// The check of a section, whose place and hash are right already.
/// @param bytes  its size
/// @return null when all is well, else what is wrong
typedef const char* bvfile_check( const char* section, uint64_t bytes, const bvfile_content* content );

// bvfile_check_origin, bvfile_check_mesh, ...
#define BVFILE_ROW( section, ... ) bvfile_check bvfile_check_##section;
BVFILE_SECTIONS( BVFILE_ROW )
#undef BVFILE_ROW

/// The header, and that the section table is whole.
/// @param status  receives what kind of wrong it is
/// @return null when all is well, else what is wrong
const char* bvfile_check_header( const char* base, size_t size, bv_status* status );

/// The section table: where sections are, their hashes, and that those that must be there and must be known
/// are.
/// @param base    a file whose header is checked
/// @param status  receives what kind of wrong it is
/// @return null when all is well, else what is wrong
const char* bvfile_check_table( const char* base, size_t size, bv_status* status );

/// @return whether all bytes are 0
static inline bool bvfile_all_zero( const void* memory, uint64_t count )
{
	const uint8_t* byte = (const uint8_t*)memory;
	for ( uint64_t i = 0; i < count; ++i )
	{
		if ( byte[i] )
		{
			return false;
		}
	}
	return true;
}

/// @return whether all are numbers
static inline bool bvfile_all_finite( const float* value, size_t count )
{
	// Of what is not finite the exponent is all ones. The greatest of whole numbers is found several at a
	// time, where a sum of floats, which must keep its order, goes one by one.
	int32_t most = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		int32_t bits;
		memcpy( &bits, value + i, sizeof bits );
		bits &= INT32_MAX;
		most = bits > most ? bits : most;
	}
	return most < 0x7f800000;
}

/// @return whether all are numbers
static inline bool bvfile_all_finite_double( const double* value, size_t count )
{
	// The sum of zero multiples is zero unless one of them is not finite.
	double sum = 0;
	for ( size_t i = 0; i < count; ++i )
	{
		sum += 0 * value[i];
	}
	return sum == 0;
}

/// @return whether none is as great as the limit
static inline bool bvfile_all_below( const uint32_t* index, uint64_t count, uint32_t limit )
{
	uint32_t largest = 0;
	for ( uint64_t i = 0; i < count; ++i )
	{
		largest = index[i] > largest ? index[i] : largest;
	}
	return count == 0 || largest < limit;
}

/// @param rotation  x, y, z, w
/// @return whether it is near enough to a unit quaternion
static inline bool bvfile_is_rotation( const float rotation[4] )
{
	double square = 0;
	for ( int i = 0; i < 4; ++i )
	{
		square += (double)rotation[i] * rotation[i];
	}
	return square >= 0.5 && square <= 2;
}

/// @return whether it is a box
static inline bool bvfile_is_box( const bvvol_packed_obb* box )
{
	const float* h = box->half_extents;
	return bvfile_all_finite( box->center, 3 ) && bvfile_all_finite( h, 3 ) && h[0] >= 0 && h[1] >= 0 &&
	       h[2] >= 0 && bvfile_is_rotation( box->rotation );
}
