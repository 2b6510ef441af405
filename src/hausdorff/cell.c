// Convex cells and their cuts. See cell.h.

#include "hausdorff/cell.h"

#include "base/core/vec.h"
#include "hausdorff/row.h"

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

static void begin_cell( bvb_cell* cell, int dimension )
{
	cell->corner.count = 0;
	cell->inside = 0;
	cell->dimension = dimension;
}

void bvb_cell_make_box( bv_vec3 center, const bv_vec3 axis[3], const double half_extents[3], bvb_cell* out )
{
	begin_cell( out, 0 );
	add_corner( out, center, 0, true );
	for ( int i = 0; i < 3; ++i )
	{
		// Each direction of some length doubles the corners.
		if ( half_extents[i] > 0 )
		{
			bv_vec3 half = bv_scale( half_extents[i], axis[i] );
			int count = out->corner.count;
			for ( int k = 0; k < count; ++k )
			{
				bv_vec3 p = bvb_cell_corner( out, k );
				uint32_t sides = out->sides[k];
				out->corner.x[k] = p.x - half.x;
				out->corner.y[k] = p.y - half.y;
				out->corner.z[k] = p.z - half.z;
				out->sides[k] = sides | 1u << 2 * i;
				add_corner( out, bv_add( p, half ), sides | 2u << 2 * i, true );
			}
			out->dimension += 1;
		}
	}
	bvb_pad_points( &out->corner );
}

void bvb_cell_make_polygon( const bv_vec3* corner, int count, bvb_cell* out )
{
	begin_cell( out, 2 );
	for ( int i = 0; i < count; ++i )
	{
		add_corner( out, corner[i], 1u << i | 1u << ( i + 1 ) % count, true );
	}
	bvb_pad_points( &out->corner );
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

// Whether two corners that share these sides are joined by an edge.
static bool is_edge( uint32_t shared, int dimension )
{
	return dimension == 3 ? ( shared & ( shared - 1 ) ) != 0 : dimension < 2 || shared != 0;
}

static int lowest_bit( uint32_t bits )
{
	return __builtin_ctz( bits );
}

// New corners where edges lead from below the plane to above it. Returns whether there is room for them in both parts.
static bool cut_edges( const bvb_cell* cell, const double* height, uint32_t below, uint32_t above,
                       bvb_cut* out )
{
	bvb_points* fresh = &out->fresh;
	for ( uint32_t left = below; left != 0; left &= left - 1 )
	{
		int i = lowest_bit( left );
		for ( uint32_t right = above; right != 0; right &= right - 1 )
		{
			int j = lowest_bit( right );
			uint32_t shared = cell->sides[i] & cell->sides[j];
			if ( is_edge( shared, cell->dimension ) )
			{
				int k = fresh->count;
				if ( bvb_cell_fresh( cell ) + k == bvb_cell_corners )
				{
					return false;
				}
				bv_vec3 p = between( cell, i, j, height[i] / ( height[i] - height[j] ) );
				fresh->x[k] = p.x;
				fresh->y[k] = p.y;
				fresh->z[k] = p.z;
				out->sides[k] = shared | out->side;
				out->inside |= ( cell->inside >> i & cell->inside >> j & 1 ) << k;
				fresh->count += 1;
			}
		}
	}
	return true;
}

// Lists the corners of a part.
static int list_corners( uint32_t corners, uint8_t from[bvb_row] )
{
	int count = 0;
	for ( uint32_t left = corners; left != 0; left &= left - 1 )
	{
		from[count++] = (uint8_t)lowest_bit( left );
	}
	for ( int i = count; i % bvb_lanes != 0; ++i )
	{
		from[i] = from[0];
	}
	return count;
}

bool bvb_cell_cut( const bvb_cell* cell, const bvb_plane* plane, double radius, bvb_cut* out )
{
	const bvb_points* p = &cell->corner;
	double height[bvb_row];
	double depth[bvb_row];
	uint32_t used = 0;
	int count = bvb_whole_groups( p->count );
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 corner = { p->x[i], p->y[i], p->z[i] };
		height[i] = bv_dot( plane->normal, corner ) - plane->offset;
		depth[i] = -height[i];
	}
	for ( int i = 0; i < p->count; ++i )
	{
		used |= cell->sides[i];
	}
	double near = 0x1p-44 * radius;
	uint32_t all = ( 1u << p->count ) - 1;
	uint32_t above = bvb_row_above( height, p->count, near ) & all;
	uint32_t below = bvb_row_above( depth, p->count, near ) & all;
	out->on = all & ~( below | above );
	out->side = ~used & ( used + 1 );
	out->fresh.count = 0;
	out->inside = 0;
	if ( out->side == 0 || below == 0 || above == 0 || !cut_edges( cell, height, below, above, out ) )
	{
		return false;
	}
	bvb_pad_points( &out->fresh );
	uint32_t fresh = ( ( 1u << out->fresh.count ) - 1 ) << bvb_cell_fresh( cell );
	out->corners[0] = ( all & ~above ) | fresh;
	out->corners[1] = ( all & ~below ) | fresh;
	out->count[0] = list_corners( out->corners[0], out->from[0] );
	out->count[1] = list_corners( out->corners[1], out->from[1] );
	return true;
}

// Forgets sides on which a single corner lies: no edge is on them, and their bits are needed for others.
static void forget_sides( bvb_cell* cell )
{
	uint32_t once = 0;
	uint32_t twice = 0;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		twice |= once & cell->sides[i];
		once |= cell->sides[i];
	}
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		cell->sides[i] &= twice;
	}
}

void bvb_cell_make_part( const bvb_cell* cell, const bvb_cut* cut, int part, bvb_cell* out )
{
	int old = bvb_cell_fresh( cell );
	begin_cell( out, cell->dimension );
	for ( int i = 0; i < cut->count[part]; ++i )
	{
		int from = cut->from[part][i];
		if ( from < old )
		{
			uint32_t on = cut->on >> from & 1 ? cut->side : 0;
			add_corner( out, bvb_cell_corner( cell, from ), cell->sides[from] | on, is_inside( cell, from ) );
		}
		else
		{
			int k = from - old;
			bv_vec3 p = { cut->fresh.x[k], cut->fresh.y[k], cut->fresh.z[k] };
			add_corner( out, p, cut->sides[k], cut->inside >> k & 1 );
		}
	}
	forget_sides( out );
	bvb_pad_points( &out->corner );
}

void bvb_triangle_walls( const bvb_framed_triangle* t, bvb_plane wall[3] )
{
	// Outward normals of the three sides in the triangle's plane, and how far out the sides are.
	double end = t->apex_u - t->length;
	double length_a = sqrt( t->apex_u * t->apex_u + t->apex_v * t->apex_v );
	double length_b = sqrt( end * end + t->apex_v * t->apex_v );
	double normal[3][2] = { { 0, -1 },
		                    { -t->apex_v / length_a, t->apex_u / length_a },
		                    { t->apex_v / length_b, -end / length_b } };
	double offset[3] = { 0, 0, normal[2][0] * t->length };
	for ( int i = 0; i < 3; ++i )
	{
		wall[i].normal = bv_add( bv_scale( normal[i][0], t->u ), bv_scale( normal[i][1], t->v ) );
		wall[i].offset = bv_dot( wall[i].normal, t->origin ) + offset[i];
	}
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
