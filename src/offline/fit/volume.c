// The table of volume types. See volume.h.

#include "offline/fit/volume.h"

#include "bvbuild/fit.h"
#include "offline/fit/prism.h"
#include "offline/fit/rss_node.h"
#include "runtime/volume/kinds.h"

#include <math.h>

static const double pi = 0x1.921fb54442d18p+1;

// By the row's own function for points.
static void fit_points( const bvfit_face_list* list, bv_volume* out );

static void fit_obb( const bvfit_face_list* list, bv_volume* out )
{
	bvvol_packed_obb box = list->box->fit( list->faces, list->order, list->count );
	out->obb = bvvol_obb_unpack( &box );
}

static void fit_aabb( const bvfit_face_list* list, bv_volume* out )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const bv_vec3* p = list->faces[list->order[i]].corner;
		for ( int k = 0; k < 3; ++k )
		{
			lower = bvmath_least( lower, p[k] );
			upper = bvmath_greatest( upper, p[k] );
		}
	}
	const bv_vec3 ends[2] = { lower, upper };
	out->aabb = bvb_fit_aabb( ends, 2 );
}

static void fit_rss( const bvfit_face_list* list, bv_volume* out )
{
	out->rss = bvfit_rss_of_node( list );
}

static double box_area( const double h[3] )
{
	return 8 * ( ( h[0] * h[1] + h[1] * h[2] ) + h[2] * h[0] );
}

static double box_diameter( const double h[3] )
{
	return 2 * sqrt( ( h[0] * h[0] + h[1] * h[1] ) + h[2] * h[2] );
}

static double obb_volume( const bv_volume* v )
{
	return bv_obb_volume( &v->obb );
}

static double obb_area( const bv_volume* v )
{
	return box_area( v->obb.half_extents );
}

static double obb_diameter( const bv_volume* v )
{
	return box_diameter( v->obb.half_extents );
}

static void get_half( const bv_aabb* box, double half[3] )
{
	half[0] = ( box->upper.x - box->lower.x ) / 2;
	half[1] = ( box->upper.y - box->lower.y ) / 2;
	half[2] = ( box->upper.z - box->lower.z ) / 2;
}

static double aabb_volume( const bv_volume* v )
{
	return bv_aabb_volume( &v->aabb );
}

static double aabb_area( const bv_volume* v )
{
	double half[3];
	get_half( &v->aabb, half );
	return box_area( half );
}

static double aabb_diameter( const bv_volume* v )
{
	double half[3];
	get_half( &v->aabb, half );
	return box_diameter( half );
}

static double sphere_volume( const bv_volume* v )
{
	return bv_sphere_volume( &v->sphere );
}

static double sphere_area( const bv_volume* v )
{
	return 4 * pi * ( v->sphere.radius * v->sphere.radius );
}

static double sphere_diameter( const bv_volume* v )
{
	return 2 * v->sphere.radius;
}

static double rss_volume( const bv_volume* v )
{
	return bv_rss_volume( &v->rss );
}

// Two rectangles, half cylinders along the four sides and quarter balls at the corners.
static double rss_area( const bv_volume* v )
{
	double a = v->rss.half_extents[0];
	double b = v->rss.half_extents[1];
	double r = v->rss.radius;
	return 8 * ( a * b ) + 4 * pi * r * ( ( a + b ) + r );
}

static double rss_diameter( const bv_volume* v )
{
	double a = v->rss.half_extents[0];
	double b = v->rss.half_extents[1];
	return 2 * ( sqrt( a * a + b * b ) + v->rss.radius );
}

static double kdop_volume( const bv_volume* v )
{
	return bvb_kdop_volume( &v->kdop );
}

static double kdop_area( const bv_volume* v )
{
	return bvb_kdop_area( &v->kdop );
}

static double kdop_diameter( const bv_volume* v )
{
	return bvb_kdop_diameter( &v->kdop );
}

static double prism_volume( const bv_volume* v )
{
	return bv_prism_volume( &v->prism );
}

// Of a slanted side of the triangle.
static double slant_of( const double h[3] )
{
	return sqrt( h[0] * h[0] + 4 * ( h[1] * h[1] ) );
}

static double prism_area( const bv_volume* v )
{
	const double* h = v->prism.box.half_extents;
	return 4 * ( h[0] * h[1] + ( h[0] + slant_of( h ) ) * h[2] );
}

// From a corner of the base to one at the other end: of the base or of the tip.
static double prism_diameter( const bv_volume* v )
{
	const double* h = v->prism.box.half_extents;
	double side = bvmath_max( 2 * h[0], slant_of( h ) );
	return sqrt( side * side + 4 * ( h[2] * h[2] ) );
}

static bv_status aabb_of_points( const bv_vec3* points, uint32_t count, bv_volume* out )
{
	out->aabb = bvb_fit_aabb( points, count );
	return bv_ok;
}

static bv_status sphere_of_points( const bv_vec3* points, uint32_t count, bv_volume* out )
{
	return bvb_fit_sphere( points, count, &out->sphere );
}

static bv_status rss_of_points( const bv_vec3* points, uint32_t count, bv_volume* out )
{
	return bvb_fit_rss( points, count, &out->rss );
}

static bv_status kdop_of_points( const bv_vec3* points, uint32_t count, bv_volume* out )
{
	return bvb_fit_kdop( points, count, bvvol_kind_of( out->type )->planes, &out->kdop );
}

static bv_status prism_of_points( const bv_vec3* points, uint32_t count, bv_volume* out )
{
	bvfit_prism_of_points( points, count, bvfit_prism_min, &out->prism );
	return bv_ok;
}

// Oriented boxes: Gottschalk, Lin, Manocha 1996. Balls: Welzl 1991. Rectangle swept spheres: Larsen,
// Gottschalk, Lin, Manocha 1999. k-DOPs: Klosowski et al. 1998. Prisms over isosceles triangles: Barequet et
// al. 1996.
static const bvfit_volume_row rows[] = {
	[bv_volume_obb] = { "oriented boxes", fit_obb, NULL, obb_volume, obb_area, obb_diameter, true },
	[bv_volume_aabb] = { "axis-aligned boxes", fit_aabb, aabb_of_points, aabb_volume, aabb_area,
	                     aabb_diameter, true },
	[bv_volume_sphere] = { "spheres", fit_points, sphere_of_points, sphere_volume, sphere_area,
	                       sphere_diameter, true },
	[bv_volume_rss] = { "rectangle swept spheres", fit_rss, rss_of_points, rss_volume, rss_area, rss_diameter,
	                    true },
	[bv_volume_kdop14] = { "polytopes with 14 fixed directions (k-DOPs)", fit_points, kdop_of_points,
	                       kdop_volume, kdop_area, kdop_diameter, true },
	[bv_volume_kdop18] = { "polytopes with 18 fixed directions", fit_points, kdop_of_points, kdop_volume,
	                       kdop_area, kdop_diameter, true },
	[bv_volume_kdop26] = { "polytopes with 26 fixed directions", fit_points, kdop_of_points, kdop_volume,
	                       kdop_area, kdop_diameter, true },
	[bv_volume_prism] = { "prisms along an axis", fit_points, prism_of_points, prism_volume, prism_area,
	                      prism_diameter, false },
};

_Static_assert( sizeof rows / sizeof *rows == bv_volume_types, "each type has a row" );

static void fit_points( const bvfit_face_list* list, bv_volume* out )
{
	bv_vec3* to = list->corners;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const bvfit_face* face = list->faces + list->order[i];
		for ( int k = 0; k < 3; ++k )
		{
			*to++ = face->corner[k];
		}
	}
	rows[out->type].of_points( list->corners, 3 * list->count, out );
}

const bvfit_volume_row* bvfit_volume_row_of( bv_volume_type type )
{
	return rows + type;
}

double bvb_volume_of( const bv_volume* volume )
{
	return rows[volume->type].volume( volume );
}

double bvb_area_of( const bv_volume* volume )
{
	return rows[volume->type].area( volume );
}

double bvb_diameter_of( const bv_volume* volume )
{
	return rows[volume->type].diameter( volume );
}
