// Cells of round and many-sided shapes. See shape.h.

#include "offline/hausdorff/shape.h"

#include "offline/base/frame.h"
#include "runtime/math/vec.h"

#include <math.h>

// Of the radius.
static const double least_away = 0x1p-20;

enum
{
	most_planes = 3, // a cell is cut by at a time
};

// From the center or the axis to the point. Twice, because of a thin cylinder's points the first difference
// is mostly rounding.
static bv_vec3 outward( const bvhaus_shape* shape, bv_vec3 point )
{
	bv_vec3 v = bv_sub( point, shape->center );
	for ( int i = 0; i < 2 && shape->kind == bvhaus_shape_cylinder; ++i )
	{
		v = bv_sub( v, bv_scale( bv_dot( v, shape->axis ), shape->axis ) );
	}
	return v;
}

static double offset_of( const bvhaus_shape* shape, uint32_t plane, bool inner )
{
	return inner && shape->inner ? shape->inner[plane] : shape->planes[plane].offset;
}

// More than rounding hides of heights in a cell.
static double margin_of( const bvhaus_shape* shape, const bvhaus_cell* cell, double radius )
{
	double reach = bvmath_norm1( shape->center ) + bvmath_norm1( bvhaus_cell_corner( cell, 0 ) );
	return 0x1p-40 * ( radius + shape->radius ) + 0x1p-48 * reach;
}

// How far a point is from the shape: negative inside of it. Of a polytope, by its inner planes or the others.
static double height( const bvhaus_shape* shape, bv_vec3 point, bool inner )
{
	if ( shape->kind != bvhaus_shape_polytope )
	{
		return bvmath_length( outward( shape, point ) ) - shape->radius;
	}
	double highest = -INFINITY;
	for ( uint32_t i = 0; i < shape->plane_count; ++i )
	{
		highest =
			bvmath_max( highest, bv_dot( shape->planes[i].normal, point ) - offset_of( shape, i, inner ) );
	}
	return highest;
}

// Whether a point is not above any inner plane, or any other surface.
static bool is_inside( const bvhaus_shape* shape, bv_vec3 point )
{
	if ( shape->kind != bvhaus_shape_polytope )
	{
		return height( shape, point, true ) <= 0;
	}
	bool inside = true;
	for ( uint32_t i = 0; i < shape->plane_count && inside; ++i )
	{
		inside = bv_dot( shape->planes[i].normal, point ) - offset_of( shape, i, true ) <= 0;
	}
	return inside;
}

// A half-space that holds the shape but not a point outside of it.
static bvhaus_plane supporting_plane( const bvhaus_shape* shape, bv_vec3 point )
{
	if ( shape->kind != bvhaus_shape_polytope )
	{
		bv_vec3 v = outward( shape, point );
		bv_vec3 normal = bv_scale( 1 / bvmath_length( v ), v );
		return ( bvhaus_plane ){ normal, bv_dot( normal, shape->center ) + shape->radius };
	}
	uint32_t farthest = 0;
	double highest = -INFINITY;
	for ( uint32_t i = 0; i < shape->plane_count; ++i )
	{
		double h = bv_dot( shape->planes[i].normal, point ) - shape->planes[i].offset;
		farthest = h > highest ? i : farthest;
		highest = bvmath_max( highest, h );
	}
	return shape->planes[farthest];
}

// A half-space that holds the part of the surface that is in the cell. Directions from the center to the
// points of a cell are within the largest angle of those to its corners, as long as that is less than a right
// one: a cone is convex then. A corner at the center has no direction.
static bool inner_plane( const bvhaus_shape* shape, const bvhaus_cell* cell, double margin,
                         bvhaus_plane* out )
{
	bv_vec3 v = outward( shape, bvhaus_cell_middle( cell ) );
	bv_vec3 normal = bv_scale( 1 / bvmath_length( v ), v );
	double least = 1;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		bv_vec3 w = outward( shape, bvhaus_cell_corner( cell, i ) );
		double away = bvmath_length( w );
		if ( away <= least_away * shape->radius + margin )
		{
			return false;
		}
		least = bvmath_min( least, bv_dot( normal, w ) / away );
	}
	if ( !( least > 0.1 ) )
	{
		return false;
	}
	out->normal = bv_negate( normal );
	out->offset = -( bv_dot( normal, shape->center ) + shape->radius * least - margin );
	return true;
}

// Leaves what is below the plane.
static bool trim( bvhaus_cell* cell, const bvhaus_plane* plane, double radius, bvhaus_cut* spare )
{
	if ( !bvhaus_cell_cut( cell, plane, radius, spare ) )
	{
		return false;
	}
	bvhaus_cell part;
	uint8_t from[bvhaus_row];
	bvhaus_cell_make_part( cell, spare, 0, from, &part );
	*cell = part;
	return true;
}

// The corner that is farthest outside; -1 when none is.
static int farthest_corner( const bvhaus_shape* shape, const bvhaus_cell* cell, double* highest )
{
	int at = -1;
	*highest = 0;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = height( shape, bvhaus_cell_corner( cell, i ), false );
		if ( h > *highest )
		{
			*highest = h;
			at = i;
		}
	}
	return at;
}

static bool is_within( const bvhaus_shape* shape, const bvhaus_cell* cell, double margin )
{
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		if ( height( shape, bvhaus_cell_corner( cell, i ), false ) > -margin )
		{
			return false;
		}
	}
	return true;
}

static bool is_beyond( const bvhaus_cell* cell, const bvhaus_plane* plane, double margin )
{
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		if ( bv_dot( plane->normal, bvhaus_cell_corner( cell, i ) ) - plane->offset <= margin )
		{
			return false;
		}
	}
	return true;
}

bool bvhaus_shape_tighten( const bvhaus_shape* shape, bvhaus_cell* cell, bvhaus_cut* spare )
{
	double radius = bvhaus_cell_radius( cell, bvhaus_cell_middle( cell ) );
	double margin = margin_of( shape, cell, radius );
	for ( int i = 0; i < most_planes; ++i )
	{
		double highest;
		int at = farthest_corner( shape, cell, &highest );
		if ( highest <= 0x1p-8 * radius )
		{
			break;
		}
		bvhaus_plane plane = supporting_plane( shape, bvhaus_cell_corner( cell, at ) );
		if ( is_beyond( cell, &plane, margin ) )
		{
			return false;
		}
		if ( !trim( cell, &plane, radius, spare ) )
		{
			break;
		}
	}
	bvhaus_plane inner;
	if ( shape->hollow )
	{
		if ( is_within( shape, cell, margin ) )
		{
			return false;
		}
		if ( inner_plane( shape, cell, margin, &inner ) )
		{
			if ( is_beyond( cell, &inner, margin ) )
			{
				return false;
			}
			trim( cell, &inner, radius, spare );
		}
	}
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		bool counts = !shape->hollow && is_inside( shape, bvhaus_cell_corner( cell, i ) );
		cell->inside = ( cell->inside & ~( 1u << i ) ) | ( counts ? 1u << i : 0 );
	}
	return true;
}

bv_vec3 bvhaus_shape_project( const bvhaus_shape* shape, bv_vec3 point )
{
	double h = height( shape, point, true );
	if ( !shape->hollow && h <= 0 )
	{
		return point;
	}
	if ( shape->kind != bvhaus_shape_polytope )
	{
		bv_vec3 v = outward( shape, point );
		double far = bvmath_length( v );
		if ( far > shape->radius / 16 )
		{
			return bv_sub( point, bv_scale( h / far, v ) );
		}

		// Near the center or the axis a direction is little but rounding, which would be made larger: another
		// one will do.
		bool cylinder = shape->kind == bvhaus_shape_cylinder;
		bv_vec3 foot = cylinder ? bv_sub( point, v ) : shape->center;
		bool either = cylinder && !( bvmath_norm1( shape->across ) > 0 );
		bv_vec3 across = either     ? bvbase_perpendicular( shape->axis )
		                 : cylinder ? shape->across
		                            : shape->axis;
		return bv_add( foot, bv_scale( shape->radius, across ) );
	}

	// Towards the center until all planes are passed.
	bv_vec3 way = bv_sub( point, shape->center );
	double share = 1;
	for ( uint32_t i = 0; i < shape->plane_count; ++i )
	{
		double reach = bv_dot( shape->planes[i].normal, way );
		double room = offset_of( shape, i, true ) - bv_dot( shape->planes[i].normal, shape->center );
		if ( reach > room )
		{
			share = bvmath_min( share, bvmath_max( room, 0 ) / reach );
		}
	}
	return bv_add( shape->center, bv_scale( share, way ) );
}
