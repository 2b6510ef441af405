// Parts whose volumes grow with each face: J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section
// 3.8.1.
//
// A k-DOP grows exactly. An oriented box grows in its frame. A ball becomes that of its support and the new
// corners, with which Welzl's move to front begins: the least one, if no other corner sticks out. From time
// to time a part is fitted afresh; the thesis does so, starting from the volume before, for every face.
//
// Two things cost too much to be tried for every face and part. Rectangle swept spheres stand in the oriented
// box, with its thickness as theirs. The Hausdorff distance is replaced by the diameter, which it can't
// exceed.

#include "offline/literature/insertion.h"

#include "bvbuild/fit.h"
#include "bvbuild/hierarchy.h"
#include "offline/fit/sphere.h"
#include "runtime/volume/kinds.h"

#include <string.h>

static bool uses( const bvlit_growth* growth, bv_volume_type type )
{
	return growth->types >> type & 1;
}

bvlit_growth bvlit_growth_begin( const bvhier_face_set* set )
{
	bvlit_growth g = {
		.list = &set->list,
		.origin = set->list.faces[set->list.order[0]].midpoint,
		.quality = set->build->quality,
		.types = set->build->options->volume_types,
	};
	if ( g.quality.measure == bvb_quality_hausdorff )
	{
		g.quality.measure = bvb_quality_diameter;
	}
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		const bvvol_kind* kind = bvvol_kind_of( (bv_volume_type)type );
		if ( uses( &g, (bv_volume_type)type ) )
		{
			uint32_t directions = kind->form == bvvol_form_slabs ? BV_KDOP_DIRECTIONS : kind->planes / 2u;
			g.box = g.box || kind->extents > 0;
			g.ball = g.ball || kind->form == bvvol_form_ball;
			g.directions = directions > g.directions ? directions : g.directions;
		}
	}
	return g;
}

static void add_to_box( const bv_vec3 axis[3], bv_vec3 p, bvlit_shape* s )
{
	for ( int k = 0; k < 3; ++k )
	{
		double along = bv_dot( axis[k], p );
		s->low[k] = bvmath_min( s->low[k], along );
		s->high[k] = bvmath_max( s->high[k], along );
	}
}

static void add_to_dop( uint32_t directions, bv_vec3 p, bvlit_shape* s )
{
	for ( uint32_t k = 0; k < directions; ++k )
	{
		double along = bv_dot( bv_kdop_direction( k ), p );
		s->dop_low[k] = bvmath_min( s->dop_low[k], along );
		s->dop_high[k] = bvmath_max( s->dop_high[k], along );
	}
}

static void set_ball( const bv_vec3* points, const bvfit_ball* ball, bvlit_shape* s )
{
	bv_vec3 support[4];
	for ( uint32_t i = 0; i < ball->support_count; ++i )
	{
		support[i] = points[ball->support[i]];
	}
	memcpy( s->support, support, sizeof support );
	s->supports = ball->support_count;
	s->center = bv_add( ball->origin, ball->center );
	s->radius = ball->radius;
}

static void add_to_ball( const bv_vec3 corner[3], bvlit_shape* s )
{
	bool inside = true;
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 d = bv_sub( corner[k], s->center );
		inside = inside && bv_dot( d, d ) <= s->radius * s->radius;
	}
	if ( !inside )
	{
		bv_vec3 points[7];
		memcpy( points, corner, 3 * sizeof *points );
		memcpy( points + 3, s->support, s->supports * sizeof *points );
		bvfit_ball ball = { .support_count = 0 };
		bvfit_least_ball( points, 3 + s->supports, &ball );
		double before = s->radius;
		set_ball( points, &ball, s );
		s->radius = bvmath_max( s->radius, before );
	}
}

// The corners of a face, relative to the origin.
static void get_corners( const bvlit_growth* growth, uint32_t face, bv_vec3 corner[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bv_sub( growth->list->faces[face].corner[k], growth->origin );
	}
}

static void add_face( const bvlit_growth* growth, const bv_vec3 axis[3], const bv_vec3 corner[3],
                      bvlit_shape* s )
{
	for ( int k = 0; k < 3; ++k )
	{
		if ( growth->box )
		{
			add_to_box( axis, corner[k], s );
		}
		add_to_dop( growth->directions, corner[k], s );
	}
	if ( growth->ball )
	{
		add_to_ball( corner, s );
	}
}

// The swept rectangle in a box that is as thick as the box and as long, and as broad; or the swept segment that
// is as broad as the box, and as long.
static void sweep( const double half[3], uint32_t extents, bvvol_parts* out )
{
	int axes[3];
	bvhier_longest_axes( half, axes );
	out->radius = half[axes[extents]];
	for ( uint32_t i = 0; i < extents; ++i )
	{
		out->extents[i] = half[axes[i]] - out->radius;
	}
}

static void set_bounds( const bvlit_shape* s, const bvvol_kind* kind, bv_volume* out )
{
	kind->begin( out );
	bvvol_bounds bounds = kind->bounds( out );
	for ( uint32_t k = 0; k < BV_KDOP_DIRECTIONS; ++k )
	{
		if ( bv_kdop_uses( kind->planes, k ) )
		{
			bounds.lower[k] = s->dop_low[k];
			bounds.upper[k] = s->dop_high[k];
		}
	}
}

// Only sizes count here, not places.
static bv_volume volume_of( const bvlit_shape* s, bv_volume_type type )
{
	const bvvol_kind* kind = bvvol_kind_of( type );
	bv_volume v = { .type = type };
	if ( kind->planes > 0 )
	{
		set_bounds( s, kind, &v );
		return v;
	}
	bvvol_parts parts = { .radius = s->radius, .rotation = { 0, 0, 0, 1 } };
	for ( int k = 0; k < 3; ++k )
	{
		parts.extents[k] = ( s->high[k] - s->low[k] ) / 2;
	}
	if ( kind->extents > 0 && kind->has_radius )
	{
		sweep( ( const double[3] ){ parts.extents[0], parts.extents[1], parts.extents[2] }, kind->extents,
		       &parts );
	}
	kind->join( &parts, &v );
	return v;
}

// Of the best type.
static double quality_of( const bvlit_growth* growth, const bvlit_shape* s )
{
	double best = -1;
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		if ( uses( growth, (bv_volume_type)type ) )
		{
			bv_volume v = volume_of( s, (bv_volume_type)type );
			double good = 0;
			bvhier_quality_of( &growth->quality, NULL, &v, NULL, NULL, &good );
			best = best < 0 || good < best ? good : best;
		}
	}
	return best;
}

static bool is_grown( const bvlit_growth* growth, const bvlit_shape* before, const bvlit_shape* after )
{
	bool grown = after->radius > before->radius;
	for ( int k = 0; k < 3 && growth->box; ++k )
	{
		grown = grown || after->low[k] < before->low[k] || after->high[k] > before->high[k];
	}
	for ( uint32_t k = 0; k < growth->directions; ++k )
	{
		grown = grown || after->dop_low[k] < before->dop_low[k] || after->dop_high[k] > before->dop_high[k];
	}
	return grown;
}

double bvlit_part_with( const bvlit_growth* growth, const bvlit_growing_part* part, uint32_t face,
                        bvlit_shape* out )
{
	bv_vec3 corner[3];
	get_corners( growth, face, corner );
	*out = part->shape;
	add_face( growth, part->axis, corner, out );
	return is_grown( growth, &part->shape, out ) ? bvmath_max( quality_of( growth, out ), part->quality )
	                                             : part->quality;
}

// The intervals along axes of all corners.
static void measure( const bvlit_growth* growth, const bv_vec3 axis[3], const bv_vec3* points, uint32_t count,
                     bvlit_shape* s )
{
	for ( int k = 0; k < 3 && growth->box; ++k )
	{
		s->low[k] = s->high[k] = bv_dot( axis[k], points[0] );
	}
	for ( uint32_t i = 1; i < count && growth->box; ++i )
	{
		add_to_box( axis, points[i], s );
	}
}

static void fit_ball( const bv_vec3* points, uint32_t count, uint32_t supports, bvlit_shape* s )
{
	bvfit_ball ball = { .support_count = supports };
	for ( uint32_t i = 0; i < supports; ++i )
	{
		ball.support[i] = i;
	}
	bvfit_least_ball( points, count, &ball );
	set_ball( points, &ball, s );
}

void bvlit_part_fit( const bvlit_growth* growth, bvlit_growing_part* part, const uint32_t* faces,
                     uint32_t count, bv_vec3* room )
{
	uint32_t supports = growth->ball ? part->shape.supports : 0;
	memcpy( room, part->shape.support, supports * sizeof *room );
	for ( uint32_t i = 0; i < count; ++i )
	{
		get_corners( growth, faces[i], room + supports + 3 * (size_t)i );
	}
	if ( growth->ball )
	{
		fit_ball( room, 3 * count + supports, supports, &part->shape );
	}
	part->quality = quality_of( growth, &part->shape );
	if ( growth->box )
	{
		bvvol_packed_obb packed = growth->list->box->fit( growth->list->faces, faces, count );
		bv_obb box = bvvol_obb_unpack( &packed );
		bvlit_shape turned = part->shape;
		measure( growth, box.axis, room + supports, 3 * count, &turned );
		double good = quality_of( growth, &turned );
		if ( good < part->quality )
		{
			part->shape = turned;
			part->quality = good;
			memcpy( part->axis, box.axis, sizeof part->axis );
		}
	}
	part->fitted = part->quality;
}

void bvlit_part_begin( const bvlit_growth* growth, uint32_t face, bvlit_growing_part* part )
{
	static const bv_vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bv_vec3 corner[3];
	get_corners( growth, face, corner );
	part->faces = 1;
	part->shape.supports = 0;
	part->shape.radius = 0;
	memcpy( part->axis, upright, sizeof upright );
	measure( growth, upright, corner, 3, &part->shape );
	for ( uint32_t k = 0; k < growth->directions; ++k )
	{
		part->shape.dop_low[k] = part->shape.dop_high[k] = bv_dot( bv_kdop_direction( k ), corner[0] );
	}
	add_to_dop( growth->directions, corner[1], &part->shape );
	add_to_dop( growth->directions, corner[2], &part->shape );
	bv_vec3 room[7];
	bvlit_part_fit( growth, part, &face, 1, room );
}

double bvlit_part_distance( const bvlit_growth* growth, const bvlit_growing_part* part, uint32_t face )
{
	const bvlit_shape* s = &part->shape;
	bv_vec3 middle = s->center;
	if ( growth->box )
	{
		middle = ( bv_vec3 ){ 0, 0, 0 };
		for ( int k = 0; k < 3; ++k )
		{
			middle = bv_add( middle, bv_scale( ( s->low[k] + s->high[k] ) / 2, part->axis[k] ) );
		}
	}
	else if ( growth->directions > 0 )
	{
		middle = ( bv_vec3 ){ ( s->dop_low[0] + s->dop_high[0] ) / 2, ( s->dop_low[1] + s->dop_high[1] ) / 2,
			                  ( s->dop_low[2] + s->dop_high[2] ) / 2 };
	}
	bv_vec3 d = bv_sub( bv_sub( growth->list->faces[face].midpoint, growth->origin ), middle );
	return bv_dot( d, d );
}
