// Axis-aligned boxes. See kinds.h.

#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

static void begin( bv_volume* out )
{
	(void)out;
}

static bvvol_bounds bounds( bv_volume* volume )
{
	return ( bvvol_bounds ){ &volume->aabb.lower.x, &volume->aabb.upper.x };
}

static void rounded( const bv_volume* volume, bvvol_rounded* out )
{
	bvvol_upright_rounded( volume->aabb.lower, volume->aabb.upper, out );
}

static void scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out )
{
	const bv_aabb* box = &volume->aabb;
	*out = *volume;
	out->aabb = ( bv_aabb ){ bv_scale( scale, box->lower ), bv_scale( scale, box->upper ) };
	if ( mirror )
	{
		double lower = -out->aabb.upper.x;
		out->aabb.upper.x = -out->aabb.lower.x;
		out->aabb.lower.x = lower;
	}
}

static bv_vec3 center( const bv_volume* volume )
{
	return bv_scale( 0.5, bv_add( volume->aabb.lower, volume->aabb.upper ) );
}

static void half_lengths( const bv_volume* volume, double half[3] )
{
	const bv_aabb* box = &volume->aabb;
	half[0] = ( box->upper.x - box->lower.x ) / 2;
	half[1] = ( box->upper.y - box->lower.y ) / 2;
	half[2] = ( box->upper.z - box->lower.z ) / 2;
}

static bool encloses( const bv_volume* volume, bv_vec3 p )
{
	const bv_aabb* box = &volume->aabb;
	return box->lower.x <= p.x && p.x <= box->upper.x && box->lower.y <= p.y && p.y <= box->upper.y &&
	       box->lower.z <= p.z && p.z <= box->upper.z;
}

const bvvol_kind bvvol_kind_aabb = {
	.name = "aabb",
	.form = bvvol_form_upright,
	BVVOL_BOUNDED( 6 ),
	.begin = begin,
	.bounds = bounds,
	.rounded = rounded,
	.scaled = scaled,
	.center = center,
	.half_lengths = half_lengths,
	.encloses = encloses,
};
