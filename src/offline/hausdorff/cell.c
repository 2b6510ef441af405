// Convex cells and their cuts. See cell.h.

#include "offline/hausdorff/cell.h"

#include "offline/hausdorff/row.h"
#include "runtime/math/vec.h"

#include <math.h>

static void add_corner( bvhaus_cell* cell, bv_vec3 p, uint32_t sides )
{
	int i = cell->corner.count++;
	cell->corner.x[i] = p.x;
	cell->corner.y[i] = p.y;
	cell->corner.z[i] = p.z;
	cell->sides[i] = sides;
	cell->inside |= 1u << i;
}

static void begin_cell( bvhaus_cell* cell, int dimension )
{
	cell->corner.count = 0;
	cell->inside = 0;
	cell->dimension = dimension;
}

static void end_cell( bvhaus_cell* cell )
{
	bvhaus_pad_points( &cell->corner, 0, cell->corner.count );
}

void bvhaus_cell_make_box( bv_vec3 center, const bv_vec3 axis[3], const double half_extents[3],
                           bvhaus_cell* out )
{
	begin_cell( out, 0 );
	add_corner( out, center, 0 );
	for ( int i = 0; i < 3; ++i )
	{
		// Each direction of some length doubles the corners.
		if ( half_extents[i] > 0 )
		{
			bv_vec3 half = bv_scale( half_extents[i], axis[i] );
			int count = out->corner.count;
			for ( int k = 0; k < count; ++k )
			{
				bv_vec3 p = bvhaus_cell_corner( out, k );
				uint32_t sides = out->sides[k];
				out->corner.x[k] = p.x - half.x;
				out->corner.y[k] = p.y - half.y;
				out->corner.z[k] = p.z - half.z;
				out->sides[k] = sides | 1u << 2 * i;
				add_corner( out, bv_add( p, half ), sides | 2u << 2 * i );
			}
			out->dimension += 1;
		}
	}
	end_cell( out );
}

void bvhaus_cell_make_polygon( const bv_vec3* corner, int count, bvhaus_cell* out )
{
	begin_cell( out, 2 );
	for ( int i = 0; i < count; ++i )
	{
		add_corner( out, corner[i], 1u << i | 1u << ( i + 1 ) % count );
	}
	end_cell( out );
}

bv_vec3 bvhaus_cell_middle( const bvhaus_cell* cell )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		sum = bv_add( sum, bvhaus_cell_corner( cell, i ) );
	}
	return bv_scale( 1.0 / cell->corner.count, sum );
}

double bvhaus_cell_radius( const bvhaus_cell* cell, bv_vec3 middle )
{
	double square[bvhaus_row];
	int i = 0;
	do
	{
		for ( int lane = i; lane < i + bvhaus_lanes; ++lane )
		{
			bv_vec3 d = bv_sub( bvhaus_cell_corner( cell, lane ), middle );
			square[lane] = bv_dot( d, d );
		}
		i += bvhaus_lanes;
	} while ( i < cell->corner.count );
	return sqrt( bvhaus_row_largest( square, i ) );
}

// Where the edge from i to j meets the plane, at `i` for t = 0.
static bv_vec3 between( const bvhaus_cell* cell, int i, int j, double t )
{
	bv_vec3 a = bvhaus_cell_corner( cell, i );
	return bv_add( a, bv_scale( t, bv_sub( bvhaus_cell_corner( cell, j ), a ) ) );
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

// An edge that a plane cuts.
typedef struct cell_edge
{
	uint8_t below;
	uint8_t above;
} cell_edge;

// Edges from below the plane to above it. Returns how many, at most `most`; more when there are more.
static int find_edges( const bvhaus_cell* cell, uint32_t below, uint32_t above, int most,
                       cell_edge edges[bvhaus_row] )
{
	int count = 0;
	for ( uint32_t left = below; left != 0; left &= left - 1 )
	{
		int i = lowest_bit( left );
		for ( uint32_t right = above; right != 0; right &= right - 1 )
		{
			int j = lowest_bit( right );
			if ( count > most )
			{
				return count;
			}
			edges[count] = ( cell_edge ){ (uint8_t)i, (uint8_t)j };
			count += is_edge( cell->sides[i] & cell->sides[j], cell->dimension );
		}
	}
	return count;
}

bool bvhaus_cell_cut( bvhaus_cell* cell, const bvhaus_plane* plane, double radius, bvhaus_cut* out )
{
	bvhaus_points* p = &cell->corner;
	double height[bvhaus_row];
	double depth[bvhaus_row];
	uint32_t used = 0;
	int fresh = bvhaus_cell_fresh( cell );
	for ( int i = 0; i < fresh; ++i )
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
	uint32_t all = bvhaus_cell_all( cell );
	uint32_t above = bvhaus_row_above( height, p->count, near ) & all;
	uint32_t below = bvhaus_row_above( depth, p->count, near ) & all;
	uint32_t side = ~used & ( used + 1 );
	out->corners[0] = all & ~above;
	out->corners[1] = all & ~below;
	if ( side == 0 || below == 0 || above == 0 )
	{
		return false;
	}
	cell_edge edges[bvhaus_row];
	int most = bvhaus_cell_corners - fresh;
	cell->inside &= all;
	out->fresh = find_edges( cell, below, above, most, edges );
	if ( out->fresh > most )
	{
		return false;
	}
	for ( int k = 0; k < out->fresh; ++k )
	{
		int i = edges[k].below;
		int j = edges[k].above;
		bv_vec3 q = between( cell, i, j, height[i] / ( height[i] - height[j] ) );
		p->x[fresh + k] = q.x;
		p->y[fresh + k] = q.y;
		p->z[fresh + k] = q.z;
		cell->sides[fresh + k] = ( cell->sides[i] & cell->sides[j] ) | side;
		cell->inside |= ( cell->inside >> i & cell->inside >> j & 1 ) << ( fresh + k );
	}
	bvhaus_pad_points( p, fresh, out->fresh );
	for ( uint32_t on = all & ~( below | above ); on != 0; on &= on - 1 )
	{
		cell->sides[lowest_bit( on )] |= side;
	}
	uint32_t cut = ( ( 1u << out->fresh ) - 1 ) << fresh;
	out->corners[0] |= cut;
	out->corners[1] |= cut;
	return true;
}

// Forgets sides on which a single corner lies: no edge is on them, and their bits are needed for others.
static void forget_sides( bvhaus_cell* cell )
{
	uint32_t once = 0;
	uint32_t twice = 0;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		twice |= once & cell->sides[i];
		once |= cell->sides[i];
	}
	for ( int i = 0; i < cell->corner.count && once != twice; ++i )
	{
		cell->sides[i] &= twice;
	}
}

// Lists the corners of a part.
static int list_corners( uint32_t corners, uint8_t from[bvhaus_row] )
{
	int count = 0;
	for ( uint32_t left = corners; left != 0; left &= left - 1 )
	{
		from[count++] = (uint8_t)lowest_bit( left );
	}
	for ( int i = count; i % bvhaus_lanes != 0; ++i )
	{
		from[i] = from[0];
	}
	return count;
}

void bvhaus_cell_make_part( const bvhaus_cell* cell, const bvhaus_cut* cut, int part,
                            uint8_t from[bvhaus_row], bvhaus_cell* out )
{
	int count = list_corners( cut->corners[part], from );
	bvhaus_row_take( cell->corner.x, from, count, out->corner.x );
	bvhaus_row_take( cell->corner.y, from, count, out->corner.y );
	bvhaus_row_take( cell->corner.z, from, count, out->corner.z );
	out->corner.count = count;
	out->dimension = cell->dimension;
	out->inside = 0;
	for ( int i = 0; i < count; ++i )
	{
		out->sides[i] = cell->sides[from[i]];
		out->inside |= ( cell->inside >> from[i] & 1 ) << i;
	}
	forget_sides( out );
}

void bvhaus_triangle_walls( const bvhaus_framed_triangle* t, bvhaus_plane wall[3] )
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

bvhaus_extents bvhaus_cell_extents( const bvhaus_cell* cell, const bv_vec3 axis[3] )
{
	bvhaus_extents e;
	for ( int i = 0; i < 3; ++i )
	{
		e.lower[i] = INFINITY;
		e.upper[i] = -INFINITY;
		for ( int k = 0; k < cell->corner.count; ++k )
		{
			double d = bv_dot( axis[i], bvhaus_cell_corner( cell, k ) );
			e.lower[i] = bvmath_min( e.lower[i], d );
			e.upper[i] = bvmath_max( e.upper[i], d );
		}
	}
	return e;
}
