// Balls. See kinds.h.

#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

static void join( const bvvol_parts* parts, bv_volume* out )
{
	out->sphere = ( bv_sphere ){ parts->center, parts->radius };
}

static void part( const bv_volume* volume, bvvol_parts* out )
{
	out->center = volume->sphere.center;
	out->radius = volume->sphere.radius;
}

static void rounded( const bv_volume* volume, bvvol_rounded* out )
{
	*out = ( bvvol_rounded ){
		.center = volume->sphere.center,
		.axis = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } },
		.radius = volume->sphere.radius,
	};
	bvvol_rounded_set_slack( out );
}

static void scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out )
{
	*out = *volume;
	out->sphere.center = bv_scale( scale, bvvol_reflected( volume->sphere.center, mirror ) );
	out->sphere.radius *= scale;
}

static bv_vec3 center( const bv_volume* volume )
{
	return volume->sphere.center;
}

static void half_lengths( const bv_volume* volume, double half[3] )
{
	half[0] = half[1] = half[2] = volume->sphere.radius;
}

static bool encloses( const bv_volume* volume, bv_vec3 point )
{
	return bvvol_distance_bound( point, volume->sphere.center ) <= volume->sphere.radius;
}

const bvvol_kind bvvol_kind_sphere = {
	.name = "sphere",
	.form = bvvol_form_ball,
	BVVOL_FRAMED( 0, true ),
	.join = join,
	.part = part,
	.rounded = rounded,
	.scaled = scaled,
	.center = center,
	.half_lengths = half_lengths,
	.encloses = encloses,
};
