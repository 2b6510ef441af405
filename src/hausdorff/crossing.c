// Triangles that pass through a region. See crossing.h.

#include "hausdorff/crossing.h"

#include "base/core/vec.h"

// Whether a cell lies on one side of a plane, or touches it.
static bool is_one_sided( const bvb_cell* cell, const bvb_plane* plane, double near )
{
	bool below = true;
	bool above = true;
	for ( int i = 0; i < cell->corner.count; ++i )
	{
		double h = bv_dot( plane->normal, bvb_cell_corner( cell, i ) ) - plane->offset;
		below = below && h <= near;
		above = above && h >= -near;
	}
	return below || above;
}

static bool is_apart( const bvb_extents* e, const bvb_framed_triangle* t, const bv_vec3 axis[3], double near )
{
	for ( int i = 0; i < 3; ++i )
	{
		double a = bv_dot( axis[i], t->origin );
		double b = a + t->length * bv_dot( axis[i], t->u );
		double c = a + ( t->apex_u * bv_dot( axis[i], t->u ) + t->apex_v * bv_dot( axis[i], t->v ) );
		double lower = bv_min( a, bv_min( b, c ) );
		double upper = bv_max( a, bv_max( b, c ) );
		if ( lower >= e->upper[i] - near || upper <= e->lower[i] + near )
		{
			return true;
		}
	}
	return false;
}

bvb_crossing bvb_region_find_crossing( const bvb_region* r, const bvb_index* index, const bv_vec3 axis[3],
                                       double slack, bvb_plane* out )
{
	enum
	{
		most_visits = 96,
	};
	bvb_index_ref stack[most_visits + bvb_most_rows + 16];
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
	bvb_extents extents = bvb_cell_extents( &r->cell, axis );
	for ( int visits = 0; top > 0; ++visits )
	{
		if ( visits == most_visits )
		{
			return bvb_crossing_unknown;
		}
		bvb_index_ref ref = stack[--top];
		if ( bvb_index_distance( index, ref, r->middle ) > r->radius + slack )
		{
			continue;
		}
		if ( !bvb_ref_is_triangle( ref ) )
		{
			const bvb_index_node* node = index->nodes + ref;
			for ( uint32_t i = 0; i < node->child_count && i < 8; ++i )
			{
				stack[top++] = index->children[node->first_child + i];
			}
			if ( node->child_count > 8 || top > most_visits + bvb_most_rows )
			{
				return bvb_crossing_unknown;
			}
			continue;
		}
		const bvb_framed_triangle* t = bvb_ref_triangle( index, ref );
		bvb_plane plane;
		plane.normal = bv_cross( t->u, t->v );
		plane.offset = bv_dot( plane.normal, t->origin );
		if ( !is_one_sided( &r->cell, &plane, near ) && !is_apart( &extents, t, axis, near ) )
		{
			*out = plane;
			return bvb_crossing_known;
		}
	}
	return bvb_crossing_none;
}
