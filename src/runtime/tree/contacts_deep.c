// Contacts of meshes that overlap: where a point is, which of several ways out count, and which triangles none of them leads out. See
// contacts_meshes.h.
//
// Inside or outside is decided by the nearest point: J. A. Baerentzen, H. Aanaes, "Signed distance computation using the angle weighted
// pseudonormal", 2005. Of several ways out of one overlap the shortest counts, as in penetration depth: each contact is dropped
// that a shorter one ends.

#include "runtime/tree/contacts_meshes.h"

#include "runtime/triangle/pair.h"

bvtree_surface bvtree_mesh_contacts_beside( const bvtree_mesh_contacts* q, int which,
                                            const bvtree_near* near )
{
	const bvtree_mesh_side* s = q->side + which;
	size_t i = (size_t)( near - s->near );
	return ( bvtree_surface ){
		.near = q->side[1 - which].near,
		.index = s->other + s->first[i],
		.count = s->first[i + 1] - s->first[i],
		.tolerance = q->tolerance,
		.slack = q->slack,
		.size = q->size,
	};
}

bool bvtree_mesh_contacts_skip( const bvtree_mesh_contacts* q, int which, const bvtree_near* t )
{
	return which == 0 && q->sides == bv_mesh_front_only &&
	       bv_dot( t->normal, bv_sub( q->middle, t->corner[0] ) ) < 0;
}

// @return the nearest triangle of those that come after `last`; null if there is none
static const bvtree_near* find_after( const bvtree_mesh_contacts* q, int which, const bvtree_surface* surface,
                                      bv_vec3 point, double most, const bvtree_near* last, double last_square,
                                      bvtri_nearest* out )
{
	const bvtree_near* found = NULL;
	double bound = most;
	for ( uint32_t i = 0; i < surface->count; ++i )
	{
		const bvtree_near* t = bvtree_surface_at( surface, i );
		bvtri_nearest at;
		if ( bvtree_near_gap( t, point ) > bound || bvtree_mesh_contacts_skip( q, which, t ) )
		{
			continue;
		}
		bvtri_nearest_on_triangle( point, t->corner, &at );
		bool is_new = !last || at.square > last_square || ( at.square == last_square && t > last );
		if ( is_new && at.square <= most * most && ( !found || at.square < out->square ) )
		{
			found = t;
			*out = at;
			bound = sqrt( at.square );
		}
	}
	return found;
}

bool bvtree_mesh_contacts_nearest( const bvtree_mesh_contacts* q, int which, const bvtree_surface* surface,
                                   bv_vec3 point, double most, bvtree_mesh_nearest* out )
{
	bvtri_nearest at = { .square = -1 };
	const bvtree_near* near = NULL;
	double last = -1;
	do
	{
		near = find_after( q, which, surface, point, most, near, last, &at );
		last = at.square;
	} while ( near && bvtree_surface_has_opposite( surface, near, at.point ) );
	if ( !near )
	{
		return false;
	}
	out->near = near;
	out->at = at;
	out->distance = sqrt( at.square );
	out->pseudonormal = bvtree_surface_pseudonormal( surface, near, at.point );
	double height = bv_dot( bv_sub( point, at.point ), out->pseudonormal );
	out->place = out->distance <= q->touch ? 0 : height < 0 ? -1 : 1;
	// Beside the border of an open surface is not behind it.
	if ( out->place < 0 && at.feature != bv_feature_face && bvtree_surface_ends( surface, near, at.point ) )
	{
		out->place = 1;
	}
	return true;
}

// @return false if the memory is full
static bool has_room( bvtree_mesh_contacts* q, size_t bytes )
{
	char* from = (char*)( q->touches.touch + q->touches.count );
	q->is_full |= (size_t)( (char*)( q->deep ) - from ) < bytes;
	return !q->is_full;
}

static void add( bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot )
{
	const bvtree_near* a = spot->near[0];
	const bvtree_near* b = spot->near[1];
	if ( !has_room( q, sizeof( bvtree_touch ) ) )
	{
		return;
	}
	bvtree_touch* touch = q->touches.touch + q->touches.count++;
	uint64_t identity = bvtree_near_identity( a, spot->feature[0] );
	*touch = ( bvtree_touch ){
		.contact.at.position = bv_scale( 0.5, bv_add( spot->point[0], spot->point[1] ) ),
		.contact.at.point = { spot->point[0], spot->point[1] },
		.contact.at.separation = spot->separation,
		.contact.at.identity = identity << 32 | bvtree_near_identity( b, spot->feature[1] ),
		.contact.normal = spot->normal,
		.contact.triangle = a->triangle,
		.contact.feature = spot->feature[0],
		.contact.triangle_b = b->triangle,
		.contact.feature_b = spot->feature[1],
		.mesh = a->mesh,
	};
}

void bvtree_mesh_contacts_add( bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot )
{
	if ( spot->separation >= -q->slack )
	{
		add( q, spot );
	}
	else if ( has_room( q, sizeof *spot ) )
	{
		*--q->deep = *spot;
		q->deep_count += 1;
	}
}

// Whether a point of one side is inside of the other one when the body has been moved.
static bool is_inside( const bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot, int which, bv_vec3 moved )
{
	bvtree_surface s = bvtree_mesh_contacts_beside( q, which, spot->near[which] );
	bv_vec3 point = bv_add( spot->point[which], which == 1 ? moved : bv_negate( moved ) );
	bvtree_mesh_nearest nearest;
	return bvtree_mesh_contacts_nearest( q, 1 - which, &s, point, q->depth + q->touch, &nearest ) &&
	       nearest.place < 0;
}

// Whether corners of a triangle are on both sides of another one's plane.
static bool is_across( const bvtree_near* a, const bvtree_near* b, bv_vec3 moved, double touch )
{
	bool above = false;
	bool below = false;
	for ( int k = 0; k < 3; ++k )
	{
		double height = bv_dot( b->normal, bv_sub( bv_add( a->corner[k], moved ), b->corner[0] ) );
		above |= height > touch;
		below |= height < -touch;
	}
	return above && below;
}

// @param moved  what b has been moved by
static bool cross( const bvtree_mesh_contacts* q, const bvtree_near* a, const bvtree_near* b, bv_vec3 moved )
{
	if ( !is_across( a, b, bv_negate( moved ), q->touch ) || !is_across( b, a, moved, q->touch ) )
	{
		return false;
	}
	bv_vec3 corner[3];
	for ( int k = 0; k < 3; ++k )
	{
		corner[k] = bv_add( b->corner[k], moved );
	}
	return bvtri_triangles_intersect( a->corner, corner );
}

static bool do_fans_cross( const bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot, bv_vec3 moved )
{
	bvtree_surface side[2] = { bvtree_mesh_contacts_beside( q, 1, spot->near[1] ),
		                       bvtree_mesh_contacts_beside( q, 0, spot->near[0] ) };
	bool found = false;
	for ( uint32_t i = 0; i < side[0].count && !found; ++i )
	{
		const bvtree_near* a = bvtree_surface_at( side, i );
		bvtri_nearest at;
		if ( !( a->state & bvtree_near_crosses ) ||
		     !bvtree_surface_meets( a, spot->point[0], bvtree_surface_reach( side, spot->near[0] ), &at ) )
		{
			continue;
		}
		for ( uint32_t k = 0; k < side[1].count && !found; ++k )
		{
			const bvtree_near* b = bvtree_surface_at( side + 1, k );
			double reach = bvtree_surface_reach( side + 1, spot->near[1] );
			found = ( b->state & bvtree_near_crosses ) &&
			        bvtree_surface_meets( b, spot->point[1], reach, &at ) && cross( q, a, b, moved );
		}
	}
	return found;
}

bool bvtree_mesh_contacts_overlap( const bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot,
                                   bv_vec3 moved )
{
	return ( spot->maker != bvtree_mesh_vertex_of_body && is_inside( q, spot, 0, moved ) ) ||
	       ( spot->maker != bvtree_mesh_vertex_of_meshes && is_inside( q, spot, 1, moved ) ) ||
	       do_fans_cross( q, spot, moved );
}

void bvtree_mesh_contacts_mark( bvtree_mesh_contacts* q )
{
	const bv_vec3 none = { 0, 0, 0 };
	for ( uint32_t i = 0; i < q->pairs; ++i )
	{
		bvtree_near* a = q->side[0].near + q->pair[i].a;
		bvtree_near* b = q->side[1].near + q->pair[i].b;
		if ( !bvtree_mesh_contacts_skip( q, 0, a ) && cross( q, a, b, none ) )
		{
			a->state |= bvtree_near_crosses;
			b->state |= bvtree_near_crosses;
			q->crosses = true;
		}
	}
}

// A little more than the way, so that what touches does not count as crossing.
static bv_vec3 way_out( const bvtree_mesh_contacts* q, const bvtree_way* w )
{
	return bv_scale( w->depth + q->touch, w->normal );
}

// @param same  ways are the same if their angle has more than this cosine: then the longer one remains
static void add_way( bvtree_ways* ways, double same, bv_vec3 normal, double depth )
{
	uint32_t k = 0;
	while ( k < ways->count && !( bv_dot( ways->way[k].normal, normal ) > same ) )
	{
		++k;
	}
	if ( k < bvtree_most_ways && ( k == ways->count || depth > ways->way[k].depth ) )
	{
		ways->way[k] = ( bvtree_way ){ normal, depth };
		ways->count += k == ways->count;
	}
}

// What contacts push the body by: one way for all normals that are nearly the same, as in manifolds.
static void list_exits( const bvtree_mesh_contacts* q, bvtree_ways* out )
{
	out->count = 0;
	for ( uint32_t i = 0; i < q->touches.count; ++i )
	{
		const bv_mesh_contact* c = &q->touches.touch[i].contact;
		if ( c->at.separation <= 0 )
		{
			add_way( out, BVTREE_NEAR_COSINE, c->normal, -c->at.separation );
		}
	}
}

// Whether a triangle of one side neither crosses the other side, nor has a corner inside of it, when the body has been moved.
static bool is_out( const bvtree_mesh_contacts* q, int which, const bvtree_near* t, bv_vec3 moved )
{
	bvtree_surface s = bvtree_mesh_contacts_beside( q, which, t );
	for ( uint32_t i = 0; i < s.count; ++i )
	{
		const bvtree_near* other = bvtree_surface_at( &s, i );
		if ( ( other->state & bvtree_near_crosses ) &&
		     ( which == 0 ? cross( q, t, other, moved ) : cross( q, other, t, moved ) ) )
		{
			return false;
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		bv_vec3 point = bv_add( t->corner[k], which == 1 ? moved : bv_negate( moved ) );
		bvtree_mesh_nearest nearest;
		if ( bvtree_mesh_contacts_nearest( q, 1 - which, &s, point, q->depth + q->touch, &nearest ) &&
		     nearest.place < 0 )
		{
			return false;
		}
	}
	return true;
}

// Marks the triangles that the way of a contact leads out of the other side.
static void mark_ended( const bvtree_mesh_contacts* q, const bvtree_ways* exits, int which )
{
	for ( uint32_t i = 0; i < q->side[which].count; ++i )
	{
		bvtree_near* t = q->side[which].near + i;
		bool is_ended = false;
		for ( uint32_t k = 0; k < exits->count && ( t->state & bvtree_near_crosses ) && !is_ended; ++k )
		{
			is_ended = is_out( q, which, t, way_out( q, exits->way + k ) );
		}
		t->state |= is_ended ? bvtree_near_ends : 0;
	}
}

uint64_t bvtree_mesh_contacts_unresolved( bvtree_mesh_contacts* q )
{
	const bv_vec3 none = { 0, 0, 0 };
	uint64_t count = 0;
	bvtree_ways exits;
	list_exits( q, &exits );
	mark_ended( q, &exits, 0 );
	mark_ended( q, &exits, 1 );
	for ( uint32_t i = 0; i < q->pairs; ++i )
	{
		const bvtree_near* a = q->side[0].near + q->pair[i].a;
		const bvtree_near* b = q->side[1].near + q->pair[i].b;
		bool both = ( a->state & b->state & bvtree_near_crosses ) != 0;
		bool is_ended = ( ( a->state | b->state ) & bvtree_near_ends ) != 0;
		count += both && !is_ended && cross( q, a, b, none );
	}
	return count;
}

// Normals of one way, to rounding.
static const double same_way = 1 - 0x1p-40;

static bool is_left( const bvtree_mesh_contacts* q, const bvtree_mesh_spot* spot )
{
	bool found = false;
	for ( uint32_t i = 0; i < q->ways.count && !found; ++i )
	{
		const bvtree_way* w = q->ways.way + i;
		bool is_same = bv_dot( w->normal, spot->normal ) > same_way;
		found = !is_same && !bvtree_mesh_contacts_overlap( q, spot, way_out( q, w ) );
	}
	return found;
}

static bool comes_before( const bvtree_mesh_spot* x, const bvtree_mesh_spot* y )
{
	if ( x->separation != y->separation )
	{
		return x->separation > y->separation;
	}
	return x->near[0] != y->near[0] ? x->near[0] < y->near[0] : x->near[1] < y->near[1];
}

static void sink( bvtree_mesh_spot* spot, uint32_t at, uint32_t count )
{
	const bvtree_mesh_spot moved = spot[at];
	for ( uint32_t next = 2 * at + 1; next < count; next = 2 * at + 1 )
	{
		next += next + 1 < count && comes_before( spot + next, spot + next + 1 );
		if ( !comes_before( &moved, spot + next ) )
		{
			break;
		}
		spot[at] = spot[next];
		at = next;
	}
	spot[at] = moved;
}

static void sort( bvtree_mesh_spot* spot, uint32_t count )
{
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sink( spot, i - 1, count );
	}
	for ( uint32_t i = count; i > 1; --i )
	{
		const bvtree_mesh_spot last = spot[i - 1];
		spot[i - 1] = spot[0];
		spot[0] = last;
		sink( spot, 0, i - 1 );
	}
}

void bvtree_mesh_contacts_add_deep( bvtree_mesh_contacts* q )
{
	sort( q->deep, q->deep_count );
	for ( uint32_t i = 0; i < q->deep_count && !q->is_full; ++i )
	{
		const bvtree_mesh_spot* spot = q->deep + i;
		if ( !is_left( q, spot ) )
		{
			add( q, spot );
			add_way( &q->ways, same_way, spot->normal, -spot->separation );
		}
	}
}
