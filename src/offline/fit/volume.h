// The table of volume types, offline: how each is fitted and measured. The rows are in volume.c. What libbv
// knows of each is in runtime/volume/kinds.h.

#pragma once

#include "bv/shape.h"
#include "offline/fit/obb_node.h"

/// Faces to enclose: faces[order[0]] ... faces[order[count - 1]].
typedef struct bvfit_face_list
{
	const bvfit_face* faces;   ///< of the whole mesh
	const uint32_t* order;     ///< indices into faces
	uint32_t count;            ///< at least 1
	bv_vec3* corners;          ///< room for 3 * count points
	const bvfit_node_box* box; ///< how oriented boxes are fitted
} bvfit_face_list;

/// Fits a volume; may be called from several threads at once. Every result is what the stored form decodes
/// to, and encloses the faces exactly.
typedef void bvfit_volume_fit( const bvfit_face_list* list, bv_volume* out );

/// One row of the table.
typedef struct bvfit_volume_row
{
	const char* summary;   ///< in the plural, for --help
	bvfit_volume_fit* fit; ///< to faces

	/// To points: a small volume, not necessarily the smallest. Every result is what the stored form decodes to.
	/// Null for oriented boxes, see bvb_fit_obb.
	bv_status ( *of_points )( const bv_vec3* points, uint32_t count, bv_volume* out );

	double ( *volume )( const bv_volume* );   ///< cubic mesh units
	double ( *area )( const bv_volume* );     ///< square mesh units; of flat volumes both sides
	double ( *diameter )( const bv_volume* ); ///< mesh units

	bool mixed; ///< part of --volume mixed: all readers of the format know it
} bvfit_volume_row;

/// @return the row of a type
const bvfit_volume_row* bvfit_volume_row_of( bv_volume_type type );

/// Fits a volume of a type.
static inline bv_volume bvfit_volume_fit_type( bv_volume_type type, const bvfit_face_list* list )
{
	bv_volume volume = { .type = type };
	bvfit_volume_row_of( type )->fit( list, &volume );
	return volume;
}
