// Contacts of many triangles, joined into manifolds by their normals. See contacts_join.h.
//
// The contact with the least separation begins a group, which all contacts of its mesh with nearly the same normal belong to. Of
// the group at most four are kept, as of a pair of convex shapes.

#include "runtime/tree/contacts_join.h"

#include "runtime/convex/closed.h"
#include "runtime/convex/manifold.h"

// @return the contact with the least separation that has no group; the number of contacts if there is none
static uint32_t find_first( const bvtree_touches* q )
{
	uint32_t first = q->count;
	for ( uint32_t i = 0; i < q->count; ++i )
	{
		const bvtree_touch* t = q->touch + i;
		if ( t->group == 0 &&
		     ( first == q->count || t->contact.at.separation < q->touch[first].contact.at.separation ) )
		{
			first = i;
		}
	}
	return first;
}

// Contacts of a group in the plane of its normal.
typedef struct group
{
	bvconvex_touches touches; // the first number of a feature is that of the contact
	bv_vec3 origin;
	bv_vec3 axis[2];
} group;

static bvconvex_touch touch_of( const group* g, const bvtree_touch* t, uint32_t index )
{
	bv_vec3 from = bv_sub( t->contact.at.position, g->origin );
	return ( bvconvex_touch ){
		.x = bv_dot( g->axis[0], from ),
		.y = bv_dot( g->axis[1], from ),
		.separation = t->contact.at.separation,
		.feature = { index, index },
	};
}

// Contacts in the same place, of triangles that have it in common, are one: the one that is in the group already, which is not
// less deep.
static void take( group* g, const bvconvex_touch* t )
{
	bool is_new = g->touches.count < bvconvex_touches_most;
	for ( uint32_t i = 0; i < g->touches.count && is_new; ++i )
	{
		double x = g->touches.at[i].x - t->x;
		double y = g->touches.at[i].y - t->y;
		double lower = t->separation - g->touches.at[i].separation;
		is_new = !( x * x + y * y <= g->touches.equal * g->touches.equal && lower >= -g->touches.equal );
	}
	if ( is_new )
	{
		g->touches.at[g->touches.count++] = *t;
	}
}

// Of more contacts than there is room for: those that are farthest along directions.
static void take_outermost( const bvtree_touches* q, group* g, uint32_t number )
{
	enum
	{
		ways = 64,
	};
	for ( int k = 0; k < ways; ++k )
	{
		// Directions on a square: no angles are needed.
		double at = ( k % 16 - 8 ) / 8.0;
		double x = k / 16 == 0 ? 1 : k / 16 == 1 ? -at : k / 16 == 2 ? -1 : at;
		double y = k / 16 == 0 ? at : k / 16 == 1 ? 1 : k / 16 == 2 ? -at : -1;
		bvconvex_touch best = { .x = 0 };
		double most = -INFINITY;
		for ( uint32_t i = 0; i < q->count; ++i )
		{
			if ( q->touch[i].group == number )
			{
				bvconvex_touch t = touch_of( g, q->touch + i, i );
				double far = x * t.x + y * t.y;
				best = far > most ? t : best;
				most = bvmath_max( most, far );
			}
		}
		take( g, &best );
	}
}

static bool is_same( bv_vec3 a, bv_vec3 b )
{
	return bv_dot( a, b ) > BVTREE_NEAR_COSINE;
}

// Not inlined: a group is not on the stack while distances are found.
BVSIMD_NOINLINE void join_group( bvtree_touches* q, uint32_t first, uint32_t number, bv_mesh_manifold* out )
{
	group g;
	const bvtree_touch* deepest = q->touch + first;
	bv_vec3 normal = deepest->contact.normal;
	uint32_t count = 0;
	double size = 0;
	g.origin = deepest->contact.at.position;
	g.axis[0] = bvconvex_any_normal( normal );
	g.axis[1] = bv_cross( normal, g.axis[0] );
	for ( uint32_t i = 0; i < q->count; ++i )
	{
		bvtree_touch* t = q->touch + i;
		if ( t->group == 0 && t->mesh == deepest->mesh && is_same( t->contact.normal, normal ) )
		{
			t->group = number;
			size = bvmath_max( size, bv_length( bv_sub( t->contact.at.position, g.origin ) ) );
			++count;
		}
	}
	q->touch[first].group = number;
	if ( !out )
	{
		return;
	}
	g.touches.count = 0;
	g.touches.size = size;
	g.touches.equal = 0x1p-26 * size + q->slack;
	bvconvex_touch t = touch_of( &g, deepest, first );
	take( &g, &t );
	if ( count > bvconvex_touches_most )
	{
		take_outermost( q, &g, number );
	}
	for ( uint32_t i = 0; i < q->count && count <= bvconvex_touches_most; ++i )
	{
		if ( q->touch[i].group == number )
		{
			t = touch_of( &g, q->touch + i, i );
			take( &g, &t );
		}
	}
	bvconvex_touches_choose( &g.touches, q->speculative + q->slack, 0 );
	out->mesh = deepest->mesh;
	out->count = g.touches.count;
	out->normal = normal;
	for ( uint32_t i = 0; i < out->count; ++i )
	{
		out->contact[i] = q->touch[g.touches.at[i].feature[0]].contact;
	}
}

void bvtree_touches_join( bvtree_touches* q, uint32_t triangles, const bv_mesh_contacts_room* room,
                          bv_mesh_contacts_result* result )
{
	uint32_t groups = 0;
	for ( uint32_t first = find_first( q ); first < q->count; first = find_first( q ) )
	{
		join_group( q, first, groups + 1, groups < room->capacity ? room->manifolds + groups : NULL );
		++groups;
	}
	uint32_t count = groups < room->capacity ? groups : room->capacity;
	*result = ( bv_mesh_contacts_result ){
		.count = count,
		.dropped = groups - count,
		.triangles = triangles,
	};
}
