// Triangles that pass through a region. See crossing.h.

#include "offline/hausdorff/crossing.h"

#include "runtime/math/vec.h"

// In units of a region's radius. What a region has of a shorter triangle's plane says little of the surface
// in it: halves are settled sooner than slices between such planes, of which there are as many as triangles.
static const double least_length = 4;

// How a cell lies to a plane.
typedef enum crossing_side
{
	side_one,  // beside it, or touching it
	side_both, // on both sides
	side_in,   // in it
} crossing_side;

static crossing_side side_of( const bvhaus_cell* cell, const bvhaus_plane* plane, double near )
{
	bool below = false;
	bool above = false;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = bv_dot( plane->normal, bvhaus_cell_corner( cell, i ) ) - plane->offset;
		below = below || h < -near;
		above = above || h > near;
	}
	return below && above ? side_both : below || above ? side_one : side_in;
}

// Of a cell with an inside, what touches it is apart. All of a flat cell can lie on what it touches.
static bool is_apart( const bvhaus_region* r, const bvhaus_extents* e, const bvhaus_framed_triangle* t,
                      const bv_vec3 axis[3], double near )
{
	double room = r->cell.dimension == 3 ? near : -near;
	for ( int i = 0; i < 3; ++i )
	{
		double a = bv_dot( axis[i], t->origin );
		double b = a + t->length * bv_dot( axis[i], t->u );
		double c = a + ( t->apex_u * bv_dot( axis[i], t->u ) + t->apex_v * bv_dot( axis[i], t->v ) );
		double lower = bvmath_min( a, bvmath_min( b, c ) );
		double upper = bvmath_max( a, bvmath_max( b, c ) );
		if ( lower >= e->upper[i] - room || upper <= e->lower[i] + room )
		{
			return true;
		}
	}
	return false;
}

// A triangle in the plane of a flat cell parts it along its sides. Within the triangle there is no distance,
// beside it the triangle does not matter.
static bool parts_in_plane( const bvhaus_cell* cell, const bvhaus_framed_triangle* t, double near,
                            bvhaus_plane* out )
{
	bvhaus_plane wall[3];
	bvhaus_triangle_walls( t, wall );
	bool parts = false;
	for ( int i = 0; i < 3; ++i )
	{
		bool outside = true;
		for ( int k = 0; k < cell->corner.count; ++k )
		{
			outside =
				outside && bv_dot( wall[i].normal, bvhaus_cell_corner( cell, k ) ) >= wall[i].offset - near;
		}
		if ( outside )
		{
			return false;
		}
		if ( side_of( cell, &wall[i], near ) == side_both )
		{
			*out = wall[i];
			parts = true;
		}
	}
	return parts;
}

static bool is_crossed( const bvhaus_region* r, const bvhaus_framed_triangle* t, double near,
                        bvhaus_plane* out )
{
	bvhaus_plane plane;
	plane.normal = t->normal;
	plane.offset = bv_dot( plane.normal, t->origin );
	crossing_side s = side_of( &r->cell, &plane, near );
	if ( s == side_both )
	{
		*out = plane;
		return true;
	}
	return s == side_in && parts_in_plane( &r->cell, t, near, out );
}

bvhaus_crossing bvhaus_region_find_crossing( const bvhaus_region* r, const bvhaus_index* index,
                                             const bv_vec3 axis[3], double slack, bvhaus_plane* out )
{
	enum
	{
		most_visits = 96,
	};
	bvhaus_index_ref stack[most_visits + bvhaus_most_rows + 16];
	int top = 0;
	for ( int k = 0; k < r->rows && r->complete; ++k )
	{
		stack[top++] = r->row_ref[k];
	}
	for ( int i = 0; i < r->cover_count; ++i )
	{
		stack[top++] = r->cover[i].ref;
	}
	double near = 0x1p-40 * r->radius + slack;
	bvhaus_extents extents = bvhaus_cell_extents( &r->cell, axis );
	for ( int visits = 0; top > 0; ++visits )
	{
		if ( visits == most_visits )
		{
			return bvhaus_crossing_unknown;
		}
		bvhaus_index_ref ref = stack[--top];
		if ( bvhaus_index_distance( index, ref, r->middle ) > r->radius + slack )
		{
			continue;
		}
		if ( !bvhaus_ref_is_triangle( ref ) )
		{
			const bvhaus_index_node* node = bvhaus_index_opened( index, ref );
			for ( uint32_t i = 0; i < node->child_count && i < 8; ++i )
			{
				stack[top++] = index->children[node->first_child + i];
			}
			if ( node->child_count > 8 || top > most_visits + bvhaus_most_rows )
			{
				return bvhaus_crossing_unknown;
			}
			continue;
		}
		const bvhaus_framed_triangle* t = bvhaus_ref_triangle( index, ref );
		if ( !is_apart( r, &extents, t, axis, near ) && is_crossed( r, t, near, out ) )
		{
			return t->length < least_length * r->radius ? bvhaus_crossing_unknown : bvhaus_crossing_known;
		}
	}
	return bvhaus_crossing_none;
}
