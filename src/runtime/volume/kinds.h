// The table of volume types: what libbv does with a volume of each type. Other files of libbv know no types,
// except where the section NODE has a version for some (runtime/file), and where oriented and axis-aligned
// boxes have code of their own for vector units (runtime/tree).
//
// Each type is a row in a file of its own, kind_<name>.c. Types are of two families, which differ in what
// files have of them. A framed volume has a center, a rotation, extents along its axes and a radius: see
// bvvol_parts. A bounded volume has a lower and an upper bound along some directions of bv_kdop_direction:
// see bvvol_bounds.
//
// CONTRIBUTING.md says how to add a type.

#pragma once

#include "runtime/volume/packed_obb.h"
#include "runtime/volume/rounded.h"

/// What pairs.c has code of its own for.
typedef enum bvvol_form
{
	bvvol_form_rounded = 0, ///< a box with rounded edges, or a prism
	bvvol_form_box,         ///< an oriented box
	bvvol_form_upright,     ///< an axis-aligned box
	bvvol_form_ball,        ///< a ball
	bvvol_form_slabs,       ///< a bv_kdop
	bvvol_forms,            ///< the number of forms
} bvvol_form;

/// What is stored of a framed volume.
typedef struct bvvol_parts
{
	bv_vec3 center;    ///< mesh units
	double extents[3]; ///< along the axes; as many as the kind has; the others are 0
	double radius;     ///< 0 unless the kind has one
	float rotation[4]; ///< a quaternion x, y, z, w; unused by a kind without extents
} bvvol_parts;

/// Where the bounds of a bounded volume are. Each array has a bound for every direction up to the last one
/// that bv_kdop_uses.
typedef struct bvvol_bounds
{
	double* lower;
	double* upper;
} bvvol_bounds;

/// A row of the table.
typedef struct bvvol_kind
{
	const char* name; ///< as options and reports have it

	bvvol_form form;
	uint8_t planes;   ///< of a bounded volume, see bv_kdop_uses; 0 of a framed one
	uint8_t extents;  ///< of a framed volume, 0 to 3
	bool has_radius;  ///< of a framed volume
	uint8_t floats;   ///< of the stored form, see bvvol_packed_bytes
	uint8_t bytes;    ///< in a node, see runtime/file/node.h
	bool tapered;     ///< see bvvol_rounded
	uint8_t turns;    ///< most of them that a node stores, see bvfile_rotation_cycled
	uint8_t kept;     ///< of a framed volume with a radius: the axis that keeps its place in a node
	uint8_t quarters; ///< most of them that a node stores, see bvfile_rotation_quartered

	/// Of framed volumes: makes one from its parts with the arithmetic that the format's specification fixes,
	/// and takes one apart.
	void ( *join )( const bvvol_parts* parts, bv_volume* out );
	void ( *part )( const bv_volume* volume, bvvol_parts* out );

	/// Of bounded volumes: makes one whose bounds are not set, and returns where they are.
	void ( *begin )( bv_volume* out );
	bvvol_bounds ( *bounds )( bv_volume* volume );

	/// The box with rounded edges that the volume is; of a k-DOP that of its first three slabs.
	void ( *rounded )( const bv_volume* volume, bvvol_rounded* out );

	/// A volume scaled about the origin, and before that reflected as bv_transform does. Its numbers are
	/// rounded once.
	void ( *scaled )( const bv_volume* volume, double scale, bool mirror, bv_volume* out );

	/// The center of a box around the volume along its own axes, of a k-DOP along the mesh's, and half the
	/// lengths of that box.
	bv_vec3 ( *center )( const bv_volume* volume );
	void ( *half_lengths )( const bv_volume* volume, double half[3] );

	/// Returns true only if the volume, with its decoded numbers, certainly encloses the point.
	bool ( *encloses )( const bv_volume* volume, bv_vec3 point );
} bvvol_kind;

/// The sizes of a framed volume. A node has 4 bytes for a center, 4 for a rotation, and a byte for each length.
#define BVVOL_FRAMED( count, radius )                                 \
	.extents = ( count ), .has_radius = ( radius ),                   \
	.floats = 3 + ( count ) + ( radius ) + ( ( count ) > 0 ? 4 : 0 ), \
	.bytes = 4 + ( count ) + ( radius ) + ( ( count ) > 0 ? 4 : 0 )

/// The sizes of a bounded volume. A node has a byte for each bound.
#define BVVOL_BOUNDED( k ) .planes = ( k ), .floats = ( k ), .bytes = ( k )

/// X( name ) for each type, in the order of bv_volume_type.
#define BVVOL_KINDS( X ) \
	X( obb ) X( aabb ) X( sphere ) X( rss ) X( kdop14 ) X( kdop18 ) X( kdop26 ) X( prism )

#define BVVOL_DECLARE( name ) extern const bvvol_kind bvvol_kind_##name;
BVVOL_KINDS( BVVOL_DECLARE )
#undef BVVOL_DECLARE

/// The rows, by type.
extern const bvvol_kind* const bvvol_kinds[bv_volume_types];

/// @return the row of a type
static inline const bvvol_kind* bvvol_kind_of( bv_volume_type type )
{
	return bvvol_kinds[type];
}

/// The rounded box of a volume: see bvvol_kind.
static inline bvvol_rounded bvvol_volume_rounded( const bv_volume* volume )
{
	bvvol_rounded v;
	bvvol_kind_of( volume->type )->rounded( volume, &v );
	return v;
}

/// @return the vector, reflected as bv_transform does if `mirror` is true
static inline bv_vec3 bvvol_reflected( bv_vec3 v, bool mirror )
{
	return ( bv_vec3 ){ mirror ? -v.x : v.x, v.y, v.z };
}

/// Half the lengths of a box around a volume: see bvvol_kind.
static inline void bvvol_half_lengths( const bv_volume* volume, double half[3] )
{
	bvvol_kind_of( volume->type )->half_lengths( volume, half );
}

enum
{
	bvvol_packed_most = 2 * BV_KDOP_DIRECTIONS * sizeof( float ), ///< no stored form is larger
};

/// @return the size of the stored form of a type, bytes, a multiple of 4. It is used for the root of a
///         hierarchy and for bounds, and consists of binary32 numbers: center, extents, radius and rotation
///         of a framed volume, lower and then upper bounds of a bounded one
uint32_t bvvol_packed_bytes( bv_volume_type type );

/// Decodes with the arithmetic that the format's specification fixes.
/// @param packed  bvvol_packed_bytes( type ), 4-byte aligned
bv_volume bvvol_unpack( bv_volume_type type, const void* packed );

/// @param volume  was decoded from a stored form, or fitted
/// @param packed  receives bvvol_packed_bytes( volume->type ), 4-byte aligned
void bvvol_pack( const bv_volume* volume, void* packed );
