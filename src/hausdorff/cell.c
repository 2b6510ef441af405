// Convex cells and their cuts. See cell.h.

#include "hausdorff/cell.h"

#include "base/core/vec.h"

#include <math.h>

static void add_corner( bvb_cell* cell, bv_vec3 p, uint32_t sides, bool inside )
{
	int i = cell->corner.count++;
	cell->corner.x[i] = p.x;
	cell->corner.y[i] = p.y;
	cell->corner.z[i] = p.z;
	cell->sides[i] = sides;
	cell->inside |= inside ? 1u << i : 0;
}

bvb_cell bvb_cell_of_box( bv_vec3 center, const bv_vec3 axis[3], const double half_extents[3] )
{
	bvb_cell cell = { .dimension = 0 };
	for ( int i = 0; i < 3; ++i )
	{
		cell.dimension += half_extents[i] > 0;
	}
	for ( uint32_t signs = 0; signs < 8; ++signs )
	{
		bv_vec3 corner = center;
		uint32_t sides = 0;
		bool repeated = false;
		for ( int i = 0; i < 3; ++i )
		{
			bool upper = signs >> i & 1;
			repeated = repeated || ( upper && !( half_extents[i] > 0 ) );
			sides |= half_extents[i] > 0 ? 1u << ( 2 * i + upper ) : 0;
			corner = bv_add( corner, bv_scale( upper ? half_extents[i] : -half_extents[i], axis[i] ) );
		}
		if ( !repeated )
		{
			add_corner( &cell, corner, sides, true );
		}
	}
	return cell;
}

bvb_cell bvb_cell_of_polygon( const bv_vec3* corner, int count )
{
	bvb_cell cell = { .dimension = 2 };
	for ( int i = 0; i < count; ++i )
	{
		add_corner( &cell, corner[i], 1u << i | 1u << ( i + 1 ) % count, true );
	}
	return cell;
}

bv_vec3 bvb_cell_middle( const bvb_cell* cell )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		sum = bv_add( sum, bvb_cell_corner( cell, i ) );
	}
	return bv_scale( 1.0 / cell->corner.count, sum );
}

double bvb_cell_radius( const bvb_cell* cell, bv_vec3 middle )
{
	double square = 0;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		bv_vec3 d = bv_sub( bvb_cell_corner( cell, i ), middle );
		square = bv_max( square, bv_dot( d, d ) );
	}
	return sqrt( square );
}

static bool is_inside( const bvb_cell* cell, int corner )
{
	return cell->inside >> corner & 1;
}

// Where the edge from i to j meets the plane, at `i` for t = 0.
static bv_vec3 between( const bvb_cell* cell, int i, int j, double t )
{
	bv_vec3 a = bvb_cell_corner( cell, i );
	return bv_add( a, bv_scale( t, bv_sub( bvb_cell_corner( cell, j ), a ) ) );
}

static void add_cut_corner( bvb_cut* cut, int part, bv_vec3 p, uint32_t sides, bool inside, int from )
{
	cut->from[part][cut->part[part].corner.count] = (int8_t)from;
	add_corner( &cut->part[part], p, sides, inside );
}

// The corners that are not beyond the plane by more than `near`: below it for part 0, above it for part 1.
static bool keep_side( const bvb_cell* cell, const double* height, double near, uint32_t side, int part, bvb_cut* out )
{
	bvb_cell* kept = &out->part[part];
	kept->corner.count = 0;
	kept->inside = 0;
	kept->dimension = cell->dimension;
	bool beyond = false;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = part ? -height[i] : height[i];
		beyond = beyond || h > near;
		if ( h <= near )
		{
			uint32_t on = h >= -near ? side : 0;
			add_cut_corner( out, part, bvb_cell_corner( cell, i ), cell->sides[i] | on, is_inside( cell, i ), i );
		}
	}
	return beyond;
}

bool bvb_cell_cut( const bvb_cell* cell, const bvb_plane* plane, double radius, bvb_cut* out )
{
	uint32_t used = 0;
	double height[bvb_cell_corners];
	int count = cell->corner.count;
	for ( int i = 0; i < count; ++i )
	{
		height[i] = bv_dot( plane->normal, bvb_cell_corner( cell, i ) ) - plane->offset;
		used |= cell->sides[i];
	}
	uint32_t side = ~used & ( used + 1 );
	double near = 0x1p-40 * radius;
	out->fresh.count = 0;
	if ( side == 0 || !keep_side( cell, height, near, side, 0, out ) || !keep_side( cell, height, near, side, 1, out ) )
	{
		return false;
	}
	for ( int i = 0; i < count; ++i )
	{
		for ( int j = 0; height[i] < -near && j < count; ++j )
		{
			uint32_t shared = cell->sides[i] & cell->sides[j];
			if ( height[j] > near && __builtin_popcount( shared ) >= cell->dimension - 1 )
			{
				if ( out->part[0].corner.count == bvb_cell_corners || out->part[1].corner.count == bvb_cell_corners )
				{
					return false;
				}
				bv_vec3 p = between( cell, i, j, height[i] / ( height[i] - height[j] ) );
				bool inside = is_inside( cell, i ) && is_inside( cell, j );
				int fresh = out->fresh.count++;
				out->fresh.x[fresh] = p.x;
				out->fresh.y[fresh] = p.y;
				out->fresh.z[fresh] = p.z;
				add_cut_corner( out, 0, p, shared | side, inside, bvb_cell_corners + fresh );
				add_cut_corner( out, 1, p, shared | side, inside, bvb_cell_corners + fresh );
			}
		}
	}
	return true;
}

bvb_extents bvb_cell_extents( const bvb_cell* cell, const bv_vec3 axis[3] )
{
	bvb_extents e;
	for ( int i = 0; i < 3; ++i )
	{
		e.lower[i] = INFINITY;
		e.upper[i] = -INFINITY;
		for ( int k = 0; k < cell->corner.count; ++k )
		{
			double d = bv_dot( axis[i], bvb_cell_corner( cell, k ) );
			e.lower[i] = bv_min( e.lower[i], d );
			e.upper[i] = bv_max( e.upper[i], d );
		}
	}
	return e;
}
