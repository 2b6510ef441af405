// Contacts of edges of one body with edges of another one. See contacts_meshes.h.
//
// The normal is at right angles to both edges. It counts if the triangles of both edges are behind it: these are the faces of
// the Minkowski difference that two edges make (edge-edge contacts: Eckstein 1998, section 5.2).

#include "runtime/tree/contacts_meshes.h"

// Two edges, and where they are nearest to each other along their common normal.
typedef struct edge_pair
{
	const bvtree_near* near[2];
	uint32_t edge[2];
	bv_vec3 start[2];
	bv_vec3 way[2];
	bv_vec3 normal; // unit vector from the meshes to the body, once both triangles are behind it
	bv_vec3 point[2];
	double separation;
} edge_pair;

// @return the first corner of a vertex in the sorted list
static uint32_t find_corner( const bvtree_mesh_side* s, uint32_t mesh, uint32_t vertex )
{
	uint32_t low = 0;
	for ( uint32_t high = 3 * s->count; low < high; )
	{
		uint32_t middle = low + ( high - low ) / 2;
		const bvtree_mesh_record* r = s->corner + middle;
		bool is_before = r->mesh < mesh || ( r->mesh == mesh && r->a < vertex );
		low = is_before ? middle + 1 : low;
		high = is_before ? high : middle;
	}
	return low;
}

static bool is_corner_of( const bvtree_mesh_side* s, uint32_t i, uint32_t mesh, uint32_t vertex )
{
	return i < 3 * s->count && s->corner[i].mesh == mesh && s->corner[i].a == vertex;
}

// Whether two triangles with a common edge are flat, or concave as seen from their front.
// @param third  the corner of the other one that is not on the edge
static bool is_hidden( const bvtree_near* t, const bvtree_near* other, bv_vec3 third, bool has_front )
{
	bv_vec3 way = bv_sub( third, t->corner[0] );
	double height = bv_dot( t->normal, way );
	double flat = BVTREE_FLAT_SINE * bv_length( way );
	bool is_above = height > flat && has_front;
	bool is_level = fabs( height ) <= flat && bv_dot( t->normal, other->normal ) > 0.5;
	return bv_dot( t->normal, t->normal ) > 0 && ( is_above || is_level );
}

static bool has_own_contacts( const bvtree_mesh_side* s, const bvtree_near* t, uint32_t edge )
{
	uint32_t from = t->vertex[edge];
	uint32_t to = t->vertex[( edge + 1 ) % 3];
	uint32_t others = 0;
	bool hidden = false;
	bool is_first = true;
	for ( uint32_t i = find_corner( s, t->mesh, from ); is_corner_of( s, i, t->mesh, from ); ++i )
	{
		const bvtree_near* other = s->near + s->corner[i].b / 3;
		uint32_t k = s->corner[i].b % 3;
		bool is_next = other->vertex[( k + 1 ) % 3] == to;
		if ( other != t && ( is_next || other->vertex[( k + 2 ) % 3] == to ) )
		{
			hidden =
				is_hidden( t, other, other->corner[is_next ? ( k + 2 ) % 3 : ( k + 1 ) % 3], s->has_front );
			is_first &= t < other;
			++others;
		}
	}
	// With a third triangle, neither flat nor concave says anything.
	return is_first && !( others == 1 && hidden );
}

void bvtree_mesh_contacts_mark_edges( bvtree_mesh_side* side )
{
	for ( uint32_t i = 0; i < 3 * side->count; ++i )
	{
		bvtree_near* t = side->near + i / 3;
		t->state |= has_own_contacts( side, t, i % 3 ) ? (uint32_t)bvtree_near_edge << i % 3 : 0;
	}
}

// Edges at smaller angles touch along a line, which ends at vertices.
static const double least_sine = 0x1p-10;

// Where both are nearest to each other, if that is inside of both.
// @param normal  at right angles to both
static bool cross( const bvtree_mesh_contacts* q, const bv_vec3 start[2], const bv_vec3 way[2],
                   bv_vec3 normal, bv_vec3 point[2] )
{
	bv_vec3 between = bv_sub( start[1], start[0] );
	for ( int i = 0; i < 2; ++i )
	{
		bv_vec3 across = bv_cross( way[1 - i], normal );
		double length = bv_length( way[i] );
		double t = bv_dot( between, across ) / bv_dot( way[i], across );
		if ( !( t * length > q->slack && ( 1 - t ) * length > q->slack ) )
		{
			return false;
		}
		point[i] = bv_add( start[i], bv_scale( t, way[i] ) );
		between = bv_negate( between );
	}
	return true;
}

// Whether the third corner of a triangle is behind the plane through an edge.
static bool is_behind( const bvtree_near* t, uint32_t edge, bv_vec3 normal )
{
	bv_vec3 third = bv_sub( t->corner[( edge + 2 ) % 3], t->corner[edge] );
	return bv_dot( normal, third ) <= BVTREE_FLAT_SINE * bv_length( third );
}

static bool find_normal( const bvtree_mesh_contacts* q, edge_pair* e )
{
	bv_vec3 normal = bv_cross( e->way[0], e->way[1] );
	double sine = bv_length( normal );
	if ( !( sine > least_sine * bv_length( e->way[0] ) * bv_length( e->way[1] ) ) )
	{
		return false;
	}
	normal = bv_scale( 1 / sine, normal );
	double along = bv_dot( normal, bv_sub( e->start[1], e->start[0] ) );
	for ( int sign = 1; sign >= -1; sign -= 2 )
	{
		e->normal = bv_scale( sign, normal );
		e->separation = sign * along;
		if ( e->separation <= q->speculative + q->slack && e->separation >= -q->depth - q->slack &&
		     is_behind( e->near[0], e->edge[0], e->normal ) &&
		     is_behind( e->near[1], e->edge[1], bv_negate( e->normal ) ) )
		{
			return true;
		}
	}
	return false;
}

// Whether the surface goes on in the plane of the triangle behind one of its edges.
static bool is_flat( const bvtree_surface* s, const bvtree_near* t, uint32_t edge, bv_vec3 point )
{
	double reach = bvtree_surface_reach( s, t );
	bv_vec3 along = bv_sub( t->corner[( edge + 1 ) % 3], t->corner[edge] );
	bv_vec3 inwards = bv_cross( bv_scale( t->winding, t->normal ), along );
	double length = bv_length( inwards );
	if ( !( length > 0 ) )
	{
		return false;
	}
	bv_vec3 beyond = bv_sub( point, bv_scale( 4 * reach / length, inwards ) );
	bool found = false;
	for ( uint32_t i = 0; i < s->count && !found; ++i )
	{
		const bvtree_near* other = bvtree_surface_at( s, i );
		bv_vec3 turn = bv_cross( other->normal, t->normal );
		bvtri_nearest at;
		found = bv_dot( turn, turn ) <= BVTREE_FLAT_SINE * BVTREE_FLAT_SINE &&
		        bvtree_surface_meets( other, beyond, reach, &at );
	}
	return found;
}

// Whether a side has the normal at its edge.
static bool has_contact( const bvtree_mesh_contacts* q, const edge_pair* e, int which )
{
	bvtree_surface s = bvtree_mesh_contacts_beside( q, 1 - which, e->near[1 - which] );
	const bvtree_near* t = e->near[which];
	bv_vec3 normal = which == 0 ? e->normal : bv_negate( e->normal );
	bool faces;
	return !is_flat( &s, t, e->edge[which], e->point[which] ) &&
	       bvtree_surface_allows( &s, t, e->point[which], normal, &faces ) &&
	       ( faces || !q->side[which].has_front );
}

static bvtree_mesh_spot spot_of( const edge_pair* e )
{
	bvtree_mesh_spot spot = {
		.maker = bvtree_mesh_edges,
		.normal = e->normal,
		.separation = e->separation,
	};
	for ( int i = 0; i < 2; ++i )
	{
		spot.near[i] = e->near[i];
		spot.feature[i] = (bv_feature)( bv_feature_edge_0 + e->edge[i] );
		spot.point[i] = e->point[i];
	}
	return spot;
}

static void look_at_edges( bvtree_mesh_contacts* q, bvtree_near* a, bvtree_near* b )
{
	for ( uint32_t k = 0; k < 9 && !q->is_full; ++k )
	{
		edge_pair e = { .near = { a, b }, .edge = { k / 3, k % 3 } };
		if ( !( a->state & (uint32_t)bvtree_near_edge << k / 3 ) ||
		     !( b->state & (uint32_t)bvtree_near_edge << k % 3 ) )
		{
			continue;
		}
		for ( int i = 0; i < 2; ++i )
		{
			e.start[i] = e.near[i]->corner[e.edge[i]];
			e.way[i] = bv_sub( e.near[i]->corner[( e.edge[i] + 1 ) % 3], e.start[i] );
		}
		if ( !find_normal( q, &e ) || !cross( q, e.start, e.way, e.normal, e.point ) ||
		     !has_contact( q, &e, 0 ) || !has_contact( q, &e, 1 ) )
		{
			continue;
		}
		const bv_vec3 none = { 0, 0, 0 };
		bvtree_mesh_spot spot = spot_of( &e );
		if ( e.separation >= -q->slack || bvtree_mesh_contacts_overlap( q, &spot, none ) )
		{
			bvtree_mesh_contacts_add( q, &spot );
		}
	}
}

void bvtree_mesh_contacts_of_edges( bvtree_mesh_contacts* q )
{
	const bvtree_mesh_side* s = q->side;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		for ( uint32_t k = s->first[i]; k < s->first[i + 1] && !q->is_full; ++k )
		{
			bvtree_near* b = q->side[1].near + s->other[k];
			if ( !bvtree_mesh_contacts_skip( q, 0, s->near + i ) )
			{
				look_at_edges( q, s->near + i, b );
			}
		}
	}
}
