// Contacts of two compounds. See bv/compound.h and contacts.h.

#include "runtime/compound/contacts.h"

#include "runtime/convex/manifold_along.h"
#include "runtime/math/range.h"
#include "runtime/volume/boxes.h"

#include <string.h>

bv_compound_contacts_options bv_compound_contacts_options_default( void )
{
	return ( bv_compound_contacts_options ){ .speculative = 0 };
}

// A pair of subtrees that waits to be opened.
typedef struct contacts_waiting
{
	bvcomp_at at[2];
} contacts_waiting;

enum
{
	bytes_per_pair = sizeof( uint64_t ) + sizeof( double ),
};

// Each step replaces a pair by two that are one level deeper in one of the trees. These have fewer levels than leaves.
static uint64_t base_bytes( const bv_compound* a, const bv_compound* b )
{
	return sizeof( bvcomp_contacts ) + ( (uint64_t)a->leaves + b->leaves + 1 ) * sizeof( contacts_waiting );
}

static bool are_valid( const bv_compound* a, const bv_compound* b )
{
	return a && b && a->leaves > 0 && b->leaves > 0;
}

size_t bv_compound_contacts_bytes( const bv_compound* a, const bv_compound* b, uint32_t pairs )
{
	uint64_t bytes = are_valid( a, b ) ? base_bytes( a, b ) + bytes_per_pair * (uint64_t)pairs : 0;
	return bytes <= SIZE_MAX ? (size_t)bytes : 0;
}

// Whether a box reaches a half-space.
static bool reaches_plane( const bvcomp_plane* plane, const bvvol_rounded* box, double within )
{
	double half = 0;
	for ( int k = 0; k < 3; ++k )
	{
		half += box->half_extents[k] * fabs( bv_dot( plane->normal, box->axis[k] ) );
	}
	bv_vec3 from = bv_sub( box->center, plane->point );
	double rounding = 0x1p-48 * ( bvmath_norm1( box->center ) + bvmath_norm1( plane->point ) );
	return !( bv_dot( plane->normal, from ) - half >
	          within + plane->radius + box->radius + 2 * box->slack + rounding );
}

static bool is_unbounded( const bvcomp_side* side, bvcomp_at at )
{
	return at.item != BVCOMP_NONE && side->items[at.item].is_unbounded;
}

static bool boxes_are_near( const bvvol_rounded* a, const bvvol_rounded* b, double within )
{
	bvvol_cosines cosines;
	double offset[3];
	bv_vec3 between = bv_sub( b->center, a->center );
	for ( int i = 0; i < 3; ++i )
	{
		offset[i] = bv_dot( a->axis[i], between );
		for ( int j = 0; j < 3; ++j )
		{
			cosines.of[i][j] = bv_dot( a->axis[i], b->axis[j] );
			cosines.size[i][j] = fabs( cosines.of[i][j] );
		}
	}
	double slack = within + ( a->radius + b->radius ) + ( a->slack + b->slack );
	return bvvol_boxes_overlap( a->half_extents, b->half_extents, offset, &cosines, slack );
}

// @return false only if they are certainly farther apart than contacts are reported. Boxes without bounds are near all others
static bool are_near( const bvcomp_contacts* q, const contacts_waiting* w, double extent[2] )
{
	bvvol_rounded box[2];
	for ( int i = 0; i < 2; ++i )
	{
		bvcomp_box_of( q->side + i, w->at[i], box + i );
		extent[i] = bvmath_max( bvmath_max( box[i].half_extents[0], box[i].half_extents[1] ),
		                        box[i].half_extents[2] );
	}
	for ( int i = 0; i < 2; ++i )
	{
		if ( is_unbounded( q->side + i, w->at[i] ) )
		{
			bvcomp_plane plane = bvcomp_plane_of( q->side + i, q->side[i].items + w->at[i].item );
			return reaches_plane( &plane, box + 1 - i, q->speculative );
		}
	}
	return boxes_are_near( box, box + 1, q->speculative );
}

// @return bv_error_memory if there are more pairs than there is room for
BVSIMD_NOINLINE bv_status gather( bvcomp_contacts* q, contacts_waiting* waiting )
{
	const bvcomp_side* side = q->side;
	contacts_waiting* top = waiting;
	*top++ = ( contacts_waiting ){ { bvcomp_at_node( side, 0 ), bvcomp_at_node( side + 1, 0 ) } };
	while ( top > waiting )
	{
		contacts_waiting next = *--top;
		double extent[2];
		q->found.volume_tests += 1;
		if ( !are_near( q, &next, extent ) )
		{
			continue;
		}
		bool is_leaf[2] = { bvcomp_is_leaf( side, next.at[0] ), bvcomp_is_leaf( side + 1, next.at[1] ) };
		if ( is_leaf[0] && is_leaf[1] )
		{
			if ( q->pair_count == q->pair_most )
			{
				return bv_error_memory;
			}
			q->pairs[q->pair_count++] =
				(uint64_t)bvcomp_leaf_of( side, next.at[0] ) << 32 | bvcomp_leaf_of( side + 1, next.at[1] );
			continue;
		}
		int which = is_leaf[1] || ( !is_leaf[0] && !( extent[0] < extent[1] ) ) ? 0 : 1;
		bvcomp_at child[2];
		bvcomp_open( side + which, next.at[which], child );
		for ( int i = 0; i < 2; ++i )
		{
			*top = next;
			top++->at[which] = child[i];
		}
	}
	return bv_ok;
}

static void sift( uint64_t* pairs, uint32_t count, uint32_t at )
{
	uint64_t moved = pairs[at];
	for ( uint32_t child = 2 * at + 1; child < count; child = 2 * at + 1 )
	{
		child += child + 1 < count && pairs[child] < pairs[child + 1];
		if ( moved >= pairs[child] )
		{
			break;
		}
		pairs[at] = pairs[child];
		at = child;
	}
	pairs[at] = moved;
}

// Heapsort: neither recursion nor an order that takes long.
static void sort( uint64_t* pairs, uint32_t count )
{
	for ( uint32_t i = count / 2; i > 0; --i )
	{
		sift( pairs, count, i - 1 );
	}
	for ( uint32_t last = count; last > 1; --last )
	{
		uint64_t most = pairs[0];
		pairs[0] = pairs[last - 1];
		pairs[last - 1] = most;
		sift( pairs, last - 1, 0 );
	}
}

// Half of the diagonal of the box around a leaf, in coordinates of a; infinite for a half-space.
static double size_of( const bvcomp_side* side, const bvcomp_item* item, uint32_t leaf )
{
	if ( item->is_unbounded )
	{
		return INFINITY;
	}
	bv_vec3 half;
	if ( item->shape )
	{
		const double* h = item->box.half_extents;
		double radius = item->box.radius;
		half = ( bv_vec3 ){ h[0] + radius, h[1] + radius, h[2] + radius };
	}
	else
	{
		const bvfile_part* part = item->parts.parts + ( leaf - item->first );
		half.x = 0.5 * ( (double)part->upper[0] - (double)part->lower[0] );
		half.y = 0.5 * ( (double)part->upper[1] - (double)part->lower[1] );
		half.z = 0.5 * ( (double)part->upper[2] - (double)part->lower[2] );
	}
	return bvcomp_scale_of( side, item ) * bv_length( half );
}

void bvcomp_contacts_place( bvcomp_contacts* q, uint64_t pair )
{
	double size[2];
	for ( int i = 0; i < 2; ++i )
	{
		uint32_t leaf = (uint32_t)( i == 0 ? pair >> 32 : pair );
		q->leaf[i] = leaf;
		q->item[i] = bvcomp_item_of( q->side + i, leaf );
		q->shape[i] = bvcomp_shape_of( q->item[i], leaf );
		size[i] = size_of( q->side + i, q->item[i], leaf );
	}
	q->first = q->item[0]->placement;
	q->is_moved = !q->item[0]->is_identity;
	q->placement = bvcomp_placement_of( q->side + 1, q->item[1] );
	// Rounding errors of points are those of coordinates.
	double magnitude = bvmath_norm1( q->placement.pose.translation );
	magnitude += bvmath_norm1( q->first.pose.translation );
	for ( int i = 0; i < 2; ++i )
	{
		magnitude += q->item[i]->offset ? bvmath_norm1( *q->item[i]->offset ) : 0;
	}
	if ( q->is_moved )
	{
		q->placement = bv_transform_between( &q->first, &q->placement );
	}
	q->size = bvmath_min( size[0], size[1] );
	q->size = q->size < INFINITY ? q->size : 0;
	q->slack = 0x1p-32 * q->size + 0x1p-44 * magnitude;
}

BVSIMD_NOINLINE void move_manifold( bvcomp_contacts* q )
{
	bv_manifold* m = &q->manifold;
	const bv_transform* t = &q->first;
	m->lower = bvcomp_scaled_down( t->scale, m->lower );
	m->upper = bvcomp_scaled_up( t->scale, m->upper );
	m->normal = bv_transform_direction( t, m->normal );
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		bv_contact* c = m->contact + i;
		c->position = bv_transform_point( t, c->position );
		c->point[0] = bv_transform_point( t, c->point[0] );
		c->point[1] = bv_transform_point( t, c->point[1] );
		c->separation *= t->scale;
	}
}

static double own_speculative( const bvcomp_contacts* q )
{
	return bvmath_min( q->speculative / q->first.scale, BV_MAX_LENGTH );
}

bv_status bvcomp_contacts_find( bvcomp_contacts* q, bv_convex_cache* cache )
{
	q->options.speculative = own_speculative( q );
	q->options.distance.cache = cache;
	bv_status status = bv_convex_manifold( q->shape, q->shape + 1, &q->placement, &q->options, &q->manifold );
	if ( status == bv_ok && q->is_moved )
	{
		move_manifold( q );
	}
	q->found.supports += status == bv_ok ? q->manifold.supports : 0;
	return status;
}

void bvcomp_contacts_find_along( bvcomp_contacts* q, bv_vec3 normal )
{
	bv_vec3 own = normal;
	if ( q->is_moved )
	{
		bv_transform back = bv_transform_inverse( &q->first );
		own = bv_transform_direction( &back, normal );
	}
	bvconvex_manifold_along( q->shape, q->shape + 1, &q->placement, own, own_speculative( q ), &q->manifold );
	if ( q->is_moved )
	{
		move_manifold( q );
	}
	q->found.supports += q->manifold.supports;
}

void bvcomp_contacts_add_exit( bvcomp_contacts* q )
{
	uint32_t k = 0;
	while ( k < q->exit_count && !( bv_dot( q->exit[k].normal, q->manifold.normal ) > 1 - 0x1p-40 ) )
	{
		++k;
	}
	if ( k == bvcomp_most_exits )
	{
		return;
	}
	if ( k == q->exit_count )
	{
		q->exit[q->exit_count++] = ( bvcomp_exit ){ q->manifold.normal, 0 };
	}
	q->exit[k].depth = bvmath_max( q->exit[k].depth, -bvcomp_contacts_separation( &q->manifold ) );
}

static bool is_after( const bv_compound_contact* c, const uint32_t leaf[2] )
{
	return c->leaf_a != leaf[0] ? c->leaf_a > leaf[0] : c->leaf_b > leaf[1];
}

// @return the contact with the largest separation, the last one of several
static uint32_t find_farthest( const bvcomp_contacts* q )
{
	const bv_compound_contact* contacts = q->room->contacts;
	uint32_t farthest = 0;
	double most = bvcomp_contacts_separation( &contacts[0].manifold );
	for ( uint32_t i = 1; i < q->found.count; ++i )
	{
		double separation = bvcomp_contacts_separation( &contacts[i].manifold );
		if ( separation >= most )
		{
			farthest = i;
			most = separation;
		}
	}
	return farthest;
}

// Pairs come in order, except for those with turned normals.
void bvcomp_contacts_keep( bvcomp_contacts* q )
{
	bv_compound_contact* contacts = q->room->contacts;
	if ( q->found.count == q->room->capacity )
	{
		uint32_t farthest = find_farthest( q );
		q->found.dropped += 1;
		if ( !( bvcomp_contacts_separation( &q->manifold ) <
		        bvcomp_contacts_separation( &contacts[farthest].manifold ) ) )
		{
			return;
		}
		q->found.count -= 1;
		memmove( contacts + farthest, contacts + farthest + 1,
		         ( q->found.count - farthest ) * sizeof *contacts );
	}
	uint32_t at = q->found.count;
	while ( at > 0 && is_after( contacts + at - 1, q->leaf ) )
	{
		contacts[at] = contacts[at - 1];
		--at;
	}
	contacts[at].leaf_a = q->leaf[0];
	contacts[at].leaf_b = q->leaf[1];
	contacts[at].manifold = q->manifold;
	q->found.count += 1;
}

static bv_status look_at( bvcomp_contacts* q, uint32_t index )
{
	bvcomp_contacts_place( q, q->pairs[index] );
	bv_convex_cache* cache =
		q->cache_callback ? q->cache_callback( q->context, q->leaf[0], q->leaf[1] ) : NULL;
	bv_status status = bvcomp_contacts_find( q, cache );
	q->separation[index] = INFINITY;
	if ( status != bv_ok || q->manifold.count == 0 )
	{
		return status;
	}
	if ( q->tests_ghosts && !bvcomp_contacts_allow( q ) )
	{
		// Of leaves that are apart another one is nearer.
		q->found.ghosts += 1;
		double separation = bvcomp_contacts_separation( &q->manifold );
		q->separation[index] = separation <= q->slack ? separation : INFINITY;
		return bv_ok;
	}
	bvcomp_contacts_add_exit( q );
	bvcomp_contacts_keep( q );
	return bv_ok;
}

static bv_status search( bvcomp_contacts* q )
{
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < q->pair_count && status == bv_ok; ++i )
	{
		status = look_at( q, i );
	}
	return status == bv_ok && q->tests_ghosts ? bvcomp_contacts_turn( q ) : status;
}

static bool options_are_valid( const bv_compound_contacts_options* o, const bv_compound_room* room )
{
	return bvmath_is_length( o->speculative ) && bvmath_is_length( o->tolerance ) && room && room->contacts &&
	       room->capacity > 0 && room->scratch && (uintptr_t)room->scratch % 8 == 0;
}

// Not inlined: nothing of it is on the stack while contacts are found.
BVSIMD_NOINLINE bool begin( bvcomp_contacts* q, const bv_compound* a, const bv_compound* b,
                            const bv_transform* b_in_a, const bv_compound_contacts_options* o )
{
	q->speculative = o->speculative;
	q->tolerance = o->tolerance;
	q->cache_callback = o->cache;
	q->context = o->context;
	q->options = bv_manifold_options_default();
	q->found = ( bv_compound_contacts_result ){ .count = 0 };
	q->exit_count = q->pair_count = 0;
	if ( !bvcomp_side_begin( a, NULL, q->side ) || !bvcomp_side_begin( b, b_in_a, q->side + 1 ) )
	{
		return false;
	}
	q->tests_ghosts = !o->no_ghost_test && q->side[0].leaves + q->side[1].leaves > 2;
	return true;
}

bv_status bv_compound_contacts( const bv_compound* a, const bv_compound* b, const bv_transform* b_in_a,
                                const bv_compound_contacts_options* options, const bv_compound_room* room,
                                bv_compound_contacts_result* result )
{
	static const bv_compound_contacts_options defaults = { .speculative = 0 };
	const bv_compound_contacts_options* o = options ? options : &defaults;
	if ( !are_valid( a, b ) || !result || !options_are_valid( o, room ) )
	{
		return bv_error_argument;
	}
	uint64_t base = base_bytes( a, b );
	if ( room->scratch_bytes < base )
	{
		return bv_error_memory;
	}
	bvcomp_contacts* q = room->scratch;
	if ( !begin( q, a, b, b_in_a, o ) )
	{
		return bv_error_argument;
	}
	uint64_t most = ( room->scratch_bytes - base ) / bytes_per_pair;
	contacts_waiting* waiting = (contacts_waiting*)( q + 1 );
	q->room = room;
	q->pair_most = most < UINT32_MAX ? (uint32_t)most : UINT32_MAX;
	q->pairs = (uint64_t*)( waiting + ( (size_t)a->leaves + b->leaves + 1 ) );
	q->separation = (double*)( q->pairs + q->pair_most );
	bv_status status = gather( q, waiting );
	if ( status != bv_ok )
	{
		return status;
	}
	sort( q->pairs, q->pair_count );
	q->found.pairs = q->pair_count;
	status = search( q );
	if ( status == bv_ok )
	{
		*result = q->found;
	}
	return status;
}
