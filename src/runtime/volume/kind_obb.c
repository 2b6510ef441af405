// Oriented boxes, and prisms, which are stored as the box that encloses them. See kinds.h.

#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

#include <string.h>

// A bv_prism has nothing but its box.
_Static_assert( offsetof( bv_volume, prism.box ) == offsetof( bv_volume, obb ),
                "a prism begins with its box" );

static void join( const bvvol_parts* parts, bv_volume* out )
{
	bv_obb* box = &out->obb;
	bvvol_rotation_axes( parts->rotation, box->axis );
	box->center = parts->center;
	memcpy( box->half_extents, parts->extents, sizeof box->half_extents );
	memcpy( box->rotation, parts->rotation, sizeof box->rotation );
}

static void part( const bv_volume* volume, bvvol_parts* out )
{
	const bv_obb* box = &volume->obb;
	out->center = box->center;
	memcpy( out->extents, box->half_extents, sizeof out->extents );
	memcpy( out->rotation, box->rotation, sizeof out->rotation );
}

static void rounded( const bv_volume* volume, bvvol_rounded* out )
{
	const bv_obb* box = &volume->obb;
	out->center = box->center;
	for ( int i = 0; i < 3; ++i )
	{
		out->axis[i] = box->axis[i];
		out->half_extents[i] = box->half_extents[i];
	}
	out->radius = 0;
	out->tapered = false;
	bvvol_rounded_set_slack( out );
}

static void prism_rounded( const bv_volume* volume, bvvol_rounded* out )
{
	rounded( volume, out );
	out->tapered = true;
}

static void scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out )
{
	const bv_obb* box = &volume->obb;
	*out = *volume;
	out->obb.center = bv_scale( scale, bvvol_reflected( box->center, mirror ) );
	for ( int i = 0; i < 3; ++i )
	{
		out->obb.axis[i] = bvvol_reflected( box->axis[i], mirror );
		out->obb.half_extents[i] *= scale;
	}
}

static bv_vec3 center( const bv_volume* volume )
{
	return volume->obb.center;
}

static void half_lengths( const bv_volume* volume, double half[3] )
{
	memcpy( half, volume->obb.half_extents, 3 * sizeof *half );
}

static bool encloses( const bv_volume* volume, bv_vec3 point )
{
	bv_vec3 reach = bvvol_obb_reach( &volume->obb, point );
	const double* half = volume->obb.half_extents;
	return reach.x <= half[0] && reach.y <= half[1] && reach.z <= half[2];
}

static bool prism_encloses( const bv_volume* volume, bv_vec3 point )
{
	return bvvol_prism_encloses( &volume->prism, point );
}

const bvvol_kind bvvol_kind_obb = {
	.name = "obb",
	.form = bvvol_form_box,
	BVVOL_FRAMED( 3, false ),
	.join = join,
	.part = part,
	.rounded = rounded,
	.scaled = scaled,
	.center = center,
	.half_lengths = half_lengths,
	.encloses = encloses,
};

const bvvol_kind bvvol_kind_prism = {
	.name = "prism",
	BVVOL_FRAMED( 3, false ),
	.tapered = true,
	.turns = 2,
	.quarters = 3,
	.join = join,
	.part = part,
	.rounded = prism_rounded,
	.scaled = scaled,
	.center = center,
	.half_lengths = half_lengths,
	.encloses = prism_encloses,
};
