// The smallest volume of a type around points, computed with the offline library's fits. See optimum.h.

#include "offline/assess/optimum.h"

#include "bvbuild/fit.h"
#include "offline/assess/nodes.h"
#include "offline/fit/obb_node.h"
#include "offline/fit/prism.h"
#include "offline/fit/volume.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"

#include <math.h>

// Of hulls with more the least box takes too long to find. Turned until no small turn makes it less, that of
// large ones was the least, too, whenever both were tried.
enum
{
	most_corners = 500,
};

bool bvassess_optimum_takes_hull( bv_volume_type type )
{
	return bvvol_kind_of( type )->planes == 0;
}

static void take_less( bvassess_optimum* best, const bv_volume* found )
{
	double volume = bvb_volume_of( found );
	best->area = bvmath_min( best->area, bvb_area_of( found ) );
	if ( volume < best->volume )
	{
		best->volume = volume;
		best->flat = bvassess_is_flat( found, 0x1p-22 );
	}
}

// The box that is least in volume need not be the one of the least area. That is searched around the hull's
// surface; where there is none, the least in volume is that of the least area.
static bv_status find_small_area( const bv_vec3* points, const bvb_hull* hull, bvb_arena* scratch,
                                  bvassess_optimum* out )
{
	bvfit_face* faces = bvb_arena_allocate( scratch, hull->face_count, sizeof *faces );
	uint32_t* order = bvb_arena_allocate( scratch, hull->face_count, sizeof *order );
	if ( !faces || !order )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < hull->face_count; ++i )
	{
		const uint32_t* corner = hull->faces[i].corner;
		const bv_vec3 at[3] = { points[hull->vertices[corner[0]]], points[hull->vertices[corner[1]]],
			                    points[hull->vertices[corner[2]]] };
		faces[i] = bvfit_face_of( at );
		order[i] = i;
	}
	if ( hull->kind == bv_hull_polyhedron )
	{
		bvvol_packed_obb box = bvfit_node_box_find( "refined-area" )->fit( faces, order, hull->face_count );
		bv_volume found = { .type = bv_volume_obb, .obb = bvvol_obb_unpack( &box ) };
		take_less( out, &found );
	}
	return bv_ok;
}

static bv_status find_box( const bv_vec3* points, uint32_t count, const bvb_hull* hull, bvb_arena* scratch,
                           bvassess_optimum* out )
{
	bv_volume found = { .type = bv_volume_obb };
	bvb_obb_options least = bvb_obb_options_default();
	least.method = hull->vertex_count > most_corners ? "refined" : least.method;
	bv_status status = bvb_fit_obb( points, count, hull, &least, scratch, &found.obb );
	if ( status != bv_ok )
	{
		return status;
	}
	take_less( out, &found );
	return find_small_area( points, hull, scratch, out );
}

bv_status bvassess_find_optimum( bv_volume_type type, const bv_vec3* points, uint32_t count,
                                 const bvb_hull* hull, bvb_arena* scratch, bvassess_optimum* out )
{
	*out = ( bvassess_optimum ){ .volume = INFINITY, .area = INFINITY };
	bv_volume found = { .type = type };
	if ( type == bv_volume_obb )
	{
		return find_box( points, count, hull, scratch, out );
	}
	if ( type == bv_volume_prism )
	{
		bvfit_prism_of_points( points, count, bvfit_prism_max, &found.prism );
		take_less( out, &found );
	}
	bv_status status = bvfit_volume_row_of( type )->of_points( points, count, &found );
	if ( status == bv_ok )
	{
		take_less( out, &found );
	}
	return status;
}
