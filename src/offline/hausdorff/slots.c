// Triangles and nodes in slots. See slots.h.

#include "offline/hausdorff/slots.h"

#include "offline/hausdorff/eight.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	lanes = bvhaus_lanes_of_group,
	most_children = 64,
	most_ends = 16, // edges that are looked at together
};

static const float no_error[lanes];

void bvhaus_slots_begin( bvhaus_slots* s, const bvhaus_index* index, const bvhaus_local_frame* frame )
{
	s->index = index;
	s->frame = *frame;
	s->reach = 0;
	s->used = s->needed = 0;
}

// Returns a slot's number, -1 when there is no room.
static int take_slot( bvhaus_slots* s )
{
	s->used = s->used == UINT32_MAX ? s->needed : s->used;
	if ( s->used == UINT32_MAX )
	{
		return -1;
	}
	int at = __builtin_ctz( ~s->used );
	s->used |= 1u << at;
	s->needed |= 1u << at;
	return at;
}

static double set_triangles( bvhaus_slots* s, bvhaus_slot* slot, int count )
{
	const bvhaus_framed_triangle* triangles[lanes];
	for ( int i = 0; i < count; ++i )
	{
		triangles[i] = bvhaus_ref_triangle( s->index, slot->ref[i] );
	}
	slot->error = no_error;
	return bvhaus_triangle_group_set( &slot->triangles, triangles, count, &s->frame );
}

static double set_boxes( bvhaus_slots* s, bvhaus_slot* slot, int count )
{
	const bvhaus_solid_box* boxes[lanes];
	double errors[lanes];
	for ( int i = 0; i < count; ++i )
	{
		boxes[i] = s->index->solid_boxes + slot->ref[i];
		errors[i] = s->index->nodes[slot->ref[i]].error;
	}
	slot->error = slot->boxes.error;
	return bvhaus_box_group_set( &slot->boxes, boxes, errors, count, &s->frame );
}

// Adds what is of one kind. Returns the slots; none when there is no room.
static uint32_t fill_slots( bvhaus_slots* s, bvhaus_index_ref owner, const bvhaus_index_ref* refs, int count,
                            bool has_boxes )
{
	uint32_t added = 0;
	for ( int first = 0; first < count; first += lanes )
	{
		int at = take_slot( s );
		if ( at < 0 )
		{
			return 0;
		}
		int n = count - first < lanes ? count - first : lanes;
		bvhaus_slot* slot = s->slot + at;
		slot->owner = owner;
		slot->has_boxes = has_boxes;
		for ( int i = 0; i < lanes; ++i )
		{
			slot->ref[i] = i < n ? refs[first + i] : BVHAUS_NO_REF;
		}
		double reach = has_boxes ? set_boxes( s, slot, n ) : set_triangles( s, slot, n );
		s->reach = bvmath_max( s->reach, reach );
		added |= 1u << at;
	}
	return added;
}

static uint32_t find_slots( const bvhaus_slots* s, bvhaus_index_ref owner )
{
	uint32_t found = 0;
	for ( uint32_t left = s->used; left != 0; left &= left - 1 )
	{
		found |= s->slot[__builtin_ctz( left )].owner == owner ? left & -left : 0;
	}
	return found;
}

// Of a list the node with most triangles, if they need more than one slot and its children have room in its
// place; else -1.
static int find_largest( const bvhaus_slots* s, const bvhaus_index_ref* refs, int count )
{
	int largest = -1;
	uint32_t most = lanes;
	for ( int i = 0; i < count; ++i )
	{
		const bvhaus_index_node* node = bvhaus_ref_is_triangle( refs[i] ) ? NULL : s->index->nodes + refs[i];
		if ( node && node->triangles > most && count - 1 + (int)node->child_count <= lanes )
		{
			largest = i;
			most = node->triangles;
		}
	}
	return largest;
}

// Puts a node's children in place of what is last in a list.
static int put_children( const bvhaus_slots* s, bvhaus_index_ref ref, bvhaus_index_ref* refs, int count )
{
	const bvhaus_index_node* node = s->index->nodes + ref;
	for ( uint32_t i = 0; i < node->child_count; ++i )
	{
		refs[count++] = s->index->children[node->first_child + i];
	}
	return count;
}

// Lists what is below a node: its children, or theirs where these are few.
static int list_below( const bvhaus_slots* s, bvhaus_index_ref ref, bvhaus_index_ref* refs )
{
	int count = put_children( s, ref, refs, 0 );
	for ( ;; )
	{
		int at = find_largest( s, refs, count );
		if ( at < 0 )
		{
			return count;
		}
		bvhaus_index_ref largest = refs[at];
		refs[at] = refs[--count];
		count = put_children( s, largest, refs, count );
	}
}

// Adds those of a list that are of one kind. Returns whether there was room.
static bool add_kind( bvhaus_slots* s, bvhaus_index_ref owner, const bvhaus_index_ref* refs, int count,
                      bool has_boxes, uint32_t* slots )
{
	bvhaus_index_ref kind[most_children];
	int found = 0;
	for ( int i = 0; i < count; ++i )
	{
		if ( bvhaus_ref_is_triangle( refs[i] ) != has_boxes )
		{
			kind[found++] = refs[i];
		}
	}
	uint32_t added = found > 0 ? fill_slots( s, owner, kind, found, has_boxes ) : 0;
	*slots |= added;
	return added || found == 0;
}

uint32_t bvhaus_slots_open( bvhaus_slots* s, bvhaus_index_ref ref )
{
	const bvhaus_index_node* node = s->index->nodes + ref;
	bvhaus_index_ref refs[most_children];
	uint32_t slots = find_slots( s, ref );
	if ( slots )
	{
		return slots;
	}
	if ( node->triangles <= lanes )
	{
		for ( uint32_t i = 0; i < node->triangles; ++i )
		{
			refs[i] = ( node->first_triangle + i ) | BVHAUS_REF_TRIANGLE;
		}
		return fill_slots( s, ref, refs, (int)node->triangles, false );
	}
	if ( node->child_count > most_children )
	{
		return 0;
	}
	int count = list_below( s, ref, refs );
	bool whole =
		add_kind( s, ref, refs, count, false, &slots ) && add_kind( s, ref, refs, count, true, &slots );
	return whole ? slots : 0;
}

static void look_with( const bvhaus_slot* slot, const bvhaus_segments* edges, float ( *most )[lanes],
                       float ( *least )[2][lanes] )
{
	if ( slot->has_boxes )
	{
		bvhaus_box_group_squares( &slot->boxes, edges, most, least );
	}
	else
	{
		bvhaus_triangle_group_squares( &slot->triangles, edges, most, least );
	}
}

void bvhaus_slots_look( bvhaus_slots* s, const bvhaus_segments* edges, int first, uint32_t which,
                        float ( *least )[2] )
{
	float by_lane[most_ends][2][lanes];
	for ( int i = 0; i < edges->count; ++i )
	{
		for ( int k = 0; k < lanes; ++k )
		{
			by_lane[i][0][k] = by_lane[i][1][k] = INFINITY;
		}
	}
	for ( uint32_t left = which; left != 0; left &= left - 1 )
	{
		int k = __builtin_ctz( left );
		look_with( s->slot + k, edges, s->most[k] + first, by_lane );
	}
	for ( int i = 0; i < edges->count; ++i )
	{
		bvhaus_eight_least( by_lane[i][0], &least[i][0] );
		bvhaus_eight_least( by_lane[i][1], &least[i][1] );
	}
}

void bvhaus_slots_look_at( bvhaus_slots* s, const bvhaus_segments* edges, const uint8_t* number,
                           uint32_t which )
{
	float most[most_ends][lanes];
	for ( uint32_t left = which; left != 0; left &= left - 1 )
	{
		int k = __builtin_ctz( left );
		look_with( s->slot + k, edges, most, NULL );
		for ( int i = 0; i < edges->count; ++i )
		{
			memcpy( s->most[k][number[i]], most[i], sizeof most[i] );
		}
	}
}
