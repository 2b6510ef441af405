// Rectangle swept spheres. See kinds.h.

#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

#include <string.h>

static void join( const bvvol_parts* parts, bv_volume* out )
{
	bv_rss* rss = &out->rss;
	bvvol_rotation_axes( parts->rotation, rss->axis );
	rss->center = parts->center;
	memcpy( rss->half_extents, parts->extents, sizeof rss->half_extents );
	rss->radius = parts->radius;
	memcpy( rss->rotation, parts->rotation, sizeof rss->rotation );
}

static void part( const bv_volume* volume, bvvol_parts* out )
{
	const bv_rss* rss = &volume->rss;
	out->center = rss->center;
	memcpy( out->extents, rss->half_extents, sizeof rss->half_extents );
	out->radius = rss->radius;
	memcpy( out->rotation, rss->rotation, sizeof out->rotation );
}

static void rounded( const bv_volume* volume, bvvol_rounded* out )
{
	const bv_rss* rss = &volume->rss;
	*out = ( bvvol_rounded ){
		.center = rss->center,
		.axis = { rss->axis[0], rss->axis[1], rss->axis[2] },
		.half_extents = { rss->half_extents[0], rss->half_extents[1], 0 },
		.radius = rss->radius,
	};
	bvvol_rounded_set_slack( out );
}

static void scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out )
{
	const bv_rss* rss = &volume->rss;
	*out = *volume;
	out->rss.center = bv_scale( scale, bvvol_reflected( rss->center, mirror ) );
	for ( int i = 0; i < 3; ++i )
	{
		out->rss.axis[i] = bvvol_reflected( rss->axis[i], mirror );
	}
	out->rss.half_extents[0] *= scale;
	out->rss.half_extents[1] *= scale;
	out->rss.radius *= scale;
}

static bv_vec3 center( const bv_volume* volume )
{
	return volume->rss.center;
}

static void half_lengths( const bv_volume* volume, double half[3] )
{
	const bv_rss* rss = &volume->rss;
	half[0] = rss->half_extents[0] + rss->radius;
	half[1] = rss->half_extents[1] + rss->radius;
	half[2] = rss->radius;
}

static bool encloses( const bv_volume* volume, bv_vec3 point )
{
	return bvvol_rss_reach( &volume->rss, point ) <= volume->rss.radius;
}

const bvvol_kind bvvol_kind_rss = {
	.name = "rss",
	BVVOL_FRAMED( 2, true ),
	.turns = 2,
	.kept = 2,
	.join = join,
	.part = part,
	.rounded = rounded,
	.scaled = scaled,
	.center = center,
	.half_lengths = half_lengths,
	.encloses = encloses,
};
