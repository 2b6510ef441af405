// Boxes of a hierarchy's nodes. All but the plainest method compare what they find with the box along the
// principal axes of the node's surface and with the axis-aligned box: each of the three is the least on many
// sets.

#include "offline/fit/obb_node.h"

#include "bvbuild/hierarchy.h"
#include "offline/fit/dito.h"
#include "offline/fit/obb.h"
#include "offline/fit/refine.h"

#include <string.h>

// What is left to gain beyond this is half a percent, at three times the time.
static const bvfit_refine_effort node_effort = { .rounds = 1, .turns = 9, .evaluations = 40, .size = 0.1 };

static void surface_axes( const bvfit_face* faces, const uint32_t* order, uint32_t count, bv_vec3 axis[3] )
{
	bvfit_surface s = bvfit_surface_begin( faces[order[0]].corner[0] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfit_surface_add_mean( &s, faces + order[i] );
	}
	bvfit_surface_end_mean( &s );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvfit_surface_add_moments( &s, faces + order[i] );
	}
	bvfit_surface_axes( &s, axis );
}

static bvvol_packed_obb enclose( const bvfit_face* faces, const uint32_t* order, uint32_t count,
                                 const bv_vec3 axis[3] )
{
	bvfit_span span = bvfit_span_begin( axis, faces[order[0]].corner[0] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bvfit_span_add( &span, faces[order[i]].corner[k] );
		}
	}
	return bvfit_span_end( &span );
}

// The least box of one triangle is known, and its principal axes are not always those.
static bvvol_packed_obb enclose_triangle( const bvfit_face* face )
{
	bv_vec3 axis[3];
	bvfit_triangle_axes( face->corner, axis );
	return enclose( face, &( uint32_t ){ 0 }, 1, axis );
}

static bvvol_packed_obb fit_pca( const bvfit_face* faces, const uint32_t* order, uint32_t count )
{
	if ( count == 1 )
	{
		return enclose_triangle( faces + order[0] );
	}
	bv_vec3 axis[3];
	surface_axes( faces, order, count, axis );
	return enclose( faces, order, count, axis );
}

// Stored frames are rounded, which makes flat sets some 1e-7 of their length thick. Of two rounded frames
// that show a set no thicker than this, the one with less area is better, whatever its rounding.
static const double stored_flat = 0x1p-21;

static bvfit_box_cost cost_of( const bvvol_packed_obb* box, bvb_box_objective objective, double flat )
{
	double length[3];
	double longest = 0;
	for ( int i = 0; i < 3; ++i )
	{
		length[i] = 2 * (double)box->half_extents[i];
		longest = bvmath_max( longest, length[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		length[i] = length[i] > flat * longest ? length[i] : 0;
	}
	return bvfit_box_cost_of( length, objective );
}

static bool smaller( const bvvol_packed_obb* a, const bvvol_packed_obb* b, bvb_box_objective objective,
                     double flat )
{
	return bvfit_box_cost_less( cost_of( a, objective, flat ), cost_of( b, objective, flat ) );
}

// The axis-aligned box from what DiTO-14 knows of the coordinate axes.
static bvvol_packed_obb upright_box( const bvvol_dito* dito, bv_vec3 origin )
{
	static const bv_vec3 axis[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bvfit_span span = bvfit_span_begin( axis, origin );
	for ( int i = 0; i < 3; ++i )
	{
		bvfit_span_add( &span, dito->lowest[i] );
		bvfit_span_add( &span, dito->highest[i] );
	}
	return bvfit_span_end( &span );
}

static bvvol_dito find_extremal_points( const bvfit_face* faces, const uint32_t* order, uint32_t count )
{
	bvvol_dito dito;
	bvvol_dito_begin( &dito, faces[order[0]].corner[0] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bvvol_dito_add( &dito, faces[order[i]].corner[k] );
		}
	}
	return dito;
}

static bvvol_packed_obb fit_dito_to( const bvfit_face* faces, const uint32_t* order, uint32_t count,
                                     bvb_box_objective objective )
{
	if ( count == 1 )
	{
		return enclose_triangle( faces + order[0] );
	}
	bvvol_packed_obb best = fit_pca( faces, order, count );
	bvvol_dito dito = find_extremal_points( faces, order, count );
	bv_vec3 axis[3];
	bvfit_dito_axes( &dito, objective, axis );
	bvvol_packed_obb turned = enclose( faces, order, count, axis );
	best = smaller( &turned, &best, objective, stored_flat ) ? turned : best;
	bvvol_packed_obb upright = upright_box( &dito, faces[order[0]].corner[0] );
	return smaller( &upright, &best, objective, 0 ) ? upright : best;
}

// @return false when there are too many distinct corners
static bool collect_corners( const bvfit_face* faces, const uint32_t* order, uint32_t count, bvfit_few* out )
{
	bvfit_few_begin( out );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			if ( !bvfit_few_add( out, faces[order[i]].corner[k] ) )
			{
				return false;
			}
		}
	}
	return true;
}

static void collect_extremes( const bvfit_face* faces, const uint32_t* order, uint32_t count, bvfit_few* out )
{
	bvfit_extremes extremes;
	bvfit_extremes_begin( &extremes, faces[order[0]].corner[0] );
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bvfit_extremes_add( &extremes, faces[order[i]].corner[k] );
		}
	}
	bvfit_few_begin( out );
	bvfit_few_add_extremes( out, &extremes );
}

static bvvol_packed_obb fit_refined_to( const bvfit_face* faces, const uint32_t* order, uint32_t count,
                                        bvb_box_objective objective )
{
	bvvol_packed_obb best = fit_dito_to( faces, order, count, objective );
	if ( count == 1 )
	{
		return best;
	}
	bvfit_few few;
	if ( !collect_corners( faces, order, count, &few ) )
	{
		collect_extremes( faces, order, count, &few );
	}
	bv_obb turned = bvvol_obb_unpack( &best );
	bvfit_refine_few( &few, node_effort, objective, turned.axis );
	bvvol_packed_obb box = enclose( faces, order, count, turned.axis );
	return smaller( &box, &best, objective, 0 ) ? box : best;
}

static bvvol_packed_obb fit_dito( const bvfit_face* faces, const uint32_t* order, uint32_t count )
{
	return fit_dito_to( faces, order, count, bvb_box_volume );
}

static bvvol_packed_obb fit_dito_area( const bvfit_face* faces, const uint32_t* order, uint32_t count )
{
	return fit_dito_to( faces, order, count, bvb_box_area );
}

static bvvol_packed_obb fit_refined( const bvfit_face* faces, const uint32_t* order, uint32_t count )
{
	return fit_refined_to( faces, order, count, bvb_box_volume );
}

static bvvol_packed_obb fit_refined_area( const bvfit_face* faces, const uint32_t* order, uint32_t count )
{
	return fit_refined_to( faces, order, count, bvb_box_area );
}

static const bvfit_node_box node_boxes[] = {
	{ "pca", "principal axes of the node's surface (Gottschalk 1996)", fit_pca, false },
	{ "dito", "smallest volume of principal axes, DiTO-14 (Larsson, Kallberg 2011) and axis-aligned box",
	  fit_dito, false },
	{ "dito-area", "smallest surface area of the same three", fit_dito_area, true },
	{ "refined", "the box of dito, refined by local search for smallest volume (slow)", fit_refined, false },
	{ "refined-area", "the box of dito-area, refined by local search for smallest surface area (slow)",
	  fit_refined_area, false },
};

enum
{
	node_box_count = sizeof node_boxes / sizeof node_boxes[0],
};

const bvfit_node_box* bvfit_node_box_find( const char* name )
{
	for ( int i = 0; i < node_box_count; ++i )
	{
		if ( strcmp( node_boxes[i].name, name ) == 0 )
		{
			return node_boxes + i;
		}
	}
	return NULL;
}

const char* bvb_node_box_name( uint32_t index, const char** summary )
{
	if ( index >= node_box_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = node_boxes[index].summary;
	}
	return node_boxes[index].name;
}
