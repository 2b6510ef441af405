// The tree over the open edges of a surface. See openings.h.

#include "offline/mesh/openings.h"

#include "offline/base/arena.h"
#include "offline/base/sets.h"
#include "offline/base/system.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	leaf_edges = 6, // in a leaf at most
};

// In units of a cap's longest side. Next to one of its sides much of an angle is rounding; of what is farther
// away the error stays below some 2^-52 / margin.
static const double margin = 0x1p-8;

// The normal of a triangle whose height is a smaller part of its sides is mostly rounding.
static const double thin = 0x1p-20;

// A place where more edges of a node begin than end, or the other way.
typedef struct loose_end
{
	uint32_t vertex;
	int32_t net; // how many more end there
} loose_end;

// An edge while the tree is made.
typedef struct sorted_edge
{
	uint32_t from;
	uint32_t to;
	int32_t times;
	uint32_t set; // of edges that hang together; they have the same number
	uint32_t key; // to split by
	bv_vec3 middle;
	bv_vec3 middle_of_set;
} sorted_edge;

typedef struct openings_builder
{
	const bv_vec3* positions;
	bvmesh_openings* out;
	sorted_edge* edges;
	loose_end* ends;   // a stack of sorted lists
	loose_end* merged; // as much room
	uint32_t end_count;
	uint32_t node_room;
	uint32_t cap_room;
	bvb_arena* arena;
} openings_builder;

static int compare_places( const void* first, const void* second, void* positions )
{
	const bv_vec3* p = positions;
	uint32_t a = **(uint32_t* const*)first;
	uint32_t b = **(uint32_t* const*)second;
	int order = bvmath_compare( p[a], p[b] );
	return order != 0 ? order : ( a > b ) - ( a < b );
}

// Vertices at one place become the first of them.
static bool join_places( openings_builder* b, uint32_t count, bvb_arena* scratch )
{
	uint32_t** order = bvb_arena_allocate( scratch, 2 * (size_t)count, sizeof *order );
	if ( !order )
	{
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		order[2 * i] = &b->edges[i].from;
		order[2 * i + 1] = &b->edges[i].to;
	}
	bvbase_sort_with( order, 2 * (size_t)count, sizeof *order, compare_places, (void*)b->positions );
	uint32_t first = *order[0];
	for ( uint32_t i = 0; i < 2 * count; ++i )
	{
		bool same = bvmath_compare( b->positions[first], b->positions[*order[i]] ) == 0;
		first = same ? first : *order[i];
		*order[i] = first;
	}
	return true;
}

static int by_key( const void* first, const void* second )
{
	const sorted_edge* a = first;
	const sorted_edge* b = second;
	return a->key != b->key     ? ( a->key < b->key ? -1 : 1 )
	       : a->set != b->set   ? ( a->set < b->set ? -1 : 1 )
	       : a->from != b->from ? ( a->from < b->from ? -1 : 1 )
	                            : ( a->to > b->to ) - ( a->to < b->to );
}

static bv_vec3 place_of( const sorted_edge* e, bool by_set )
{
	return by_set ? e->middle_of_set : e->middle;
}

// Sorts a range along the longest side of its middles' box.
static void sort_range( sorted_edge* edges, uint32_t count, bool by_set )
{
	bv_vec3 low = place_of( edges, by_set );
	bv_vec3 high = low;
	for ( uint32_t i = 0; i < count; ++i )
	{
		low = bvmath_least( low, place_of( edges + i, by_set ) );
		high = bvmath_greatest( high, place_of( edges + i, by_set ) );
	}
	bv_vec3 size = bv_sub( high, low );
	int axis = size.y > size.x ? 1 : 0;
	axis = size.z > bvmath_component( size, axis ) ? 2 : axis;
	double length = bvmath_component( size, axis );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double x = bvmath_component( place_of( edges + i, by_set ), axis ) - bvmath_component( low, axis );
		edges[i].key = length > 0 ? (uint32_t)( x / length * 0xffffffffu ) : 0;
	}
	qsort( edges, count, sizeof *edges, by_key );
}

// Sorts a range and halves it, between sets of edges if it has several: cut sets have loose ends.
// @return how many edges are in the first half
static uint32_t split_range( sorted_edge* edges, uint32_t count )
{
	bool several = false;
	for ( uint32_t i = 1; i < count && !several; ++i )
	{
		several = edges[i].set != edges[0].set;
	}
	sort_range( edges, count, several );
	uint32_t low = count / 2;
	uint32_t high = low;
	while ( several && low > 0 && edges[low - 1].set == edges[low].set )
	{
		--low;
	}
	while ( several && high < count && edges[high - 1].set == edges[high].set )
	{
		++high;
	}
	return low > 0 && ( high == count || count / 2 - low <= high - count / 2 ) ? low : high;
}

// Finds which edges hang together, and where these sets are.
static bool find_sets( openings_builder* b, uint32_t count, uint32_t vertex_count, bvb_arena* scratch )
{
	uint32_t* parent = bvb_arena_allocate( scratch, vertex_count, sizeof *parent );
	bv_vec3* sum = bvb_arena_allocate( scratch, vertex_count, sizeof *sum );
	uint32_t* members = bvb_arena_allocate( scratch, vertex_count, sizeof *members );
	if ( !parent || !sum || !members )
	{
		return false;
	}
	for ( uint32_t v = 0; v < vertex_count; ++v )
	{
		parent[v] = v;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvbase_join_sets( parent, b->edges[i].from, b->edges[i].to );
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		sorted_edge* e = b->edges + i;
		e->set = bvbase_set_of( parent, e->from );
		sum[e->set] = bv_add( sum[e->set], e->middle );
		members[e->set] += 1;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		sorted_edge* e = b->edges + i;
		e->middle_of_set = bv_scale( 1.0 / members[e->set], sum[e->set] );
	}
	return true;
}

static void insert_end( openings_builder* b, uint32_t base, uint32_t vertex, int32_t net )
{
	uint32_t i = b->end_count;
	while ( i > base && b->ends[i - 1].vertex > vertex )
	{
		--i;
	}
	if ( i > base && b->ends[i - 1].vertex == vertex )
	{
		b->ends[i - 1].net += net;
		return;
	}
	memmove( b->ends + i + 1, b->ends + i, ( b->end_count - i ) * sizeof *b->ends );
	b->ends[i] = ( loose_end ){ vertex, net };
	b->end_count += 1;
}

static void drop_joined( openings_builder* b, uint32_t base )
{
	uint32_t kept = base;
	for ( uint32_t i = base; i < b->end_count; ++i )
	{
		b->ends[kept] = b->ends[i];
		kept += b->ends[i].net != 0;
	}
	b->end_count = kept;
}

// Merges the ends from `middle` to the stack's top into those from `base` to `middle`.
static void merge_ends( openings_builder* b, uint32_t base, uint32_t middle )
{
	uint32_t count = 0;
	for ( uint32_t i = base, k = middle; i < middle || k < b->end_count; )
	{
		bool left = i < middle && ( k == b->end_count || b->ends[i].vertex <= b->ends[k].vertex );
		loose_end next = left ? b->ends[i++] : b->ends[k++];
		if ( left && k < b->end_count && b->ends[k].vertex == next.vertex )
		{
			next.net += b->ends[k++].net;
		}
		if ( next.net != 0 )
		{
			b->merged[count++] = next;
		}
	}
	memcpy( b->ends + base, b->merged, count * sizeof *b->ends );
	b->end_count = base + count;
}

static bool put_cap( openings_builder* b, bv_vec3 p, bv_vec3 q, bv_vec3 r, double times )
{
	bvmesh_openings* o = b->out;
	if ( bvmath_compare( p, q ) == 0 || bvmath_compare( q, r ) == 0 || bvmath_compare( r, p ) == 0 )
	{
		return true;
	}
	if ( o->cap_count == b->cap_room )
	{
		uint32_t room = b->cap_room > 0 ? 2 * b->cap_room : 64;
		bvmesh_cap* wider = bvb_arena_allocate( b->arena, room, sizeof *wider );
		if ( !wider )
		{
			return false;
		}
		if ( o->cap_count > 0 )
		{
			memcpy( wider, o->caps, o->cap_count * sizeof *wider );
		}
		bvbase_arena_release( b->arena, o->caps );
		o->caps = wider;
		b->cap_room = room;
	}
	bvmesh_cap cap = { .corner = { p, q, r }, .times = times };
	bv_vec3 u = bv_sub( q, p );
	bv_vec3 v = bv_sub( r, p );
	bv_vec3 w = bv_sub( r, q );
	bv_vec3 normal = bv_cross( u, v );
	double area = bvmath_length( normal );
	double longest = bvmath_max( bv_dot( u, u ), bvmath_max( bv_dot( v, v ), bv_dot( w, w ) ) );
	cap.margin = margin * sqrt( longest );
	bv_vec3 room = { cap.margin, cap.margin, cap.margin };
	cap.lower = bv_sub( bvmath_least( p, bvmath_least( q, r ) ), room );
	cap.upper = bv_add( bvmath_greatest( p, bvmath_greatest( q, r ) ), room );
	if ( area > thin * longest )
	{
		cap.normal = bv_scale( 1 / area, normal );
	}
	o->caps[o->cap_count++] = cap;
	return true;
}

// The integral of |x|^2 along the line from a to b, over its length.
static double mean_square_of_line( bv_vec3 a, bv_vec3 b )
{
	return ( bv_dot( a, a ) + bv_dot( a, b ) + bv_dot( b, b ) ) / 3;
}

static void add_edge( bvmesh_opening* n, const bvmesh_open_edge* e )
{
	bv_vec3 a = bv_sub( e->from, n->center );
	bv_vec3 b = bv_sub( e->to, n->center );
	bv_vec3 side = bv_scale( e->times, bv_sub( e->to, e->from ) );
	bv_vec3 middle = bv_scale( 0.5, bv_add( a, b ) );
	double length = bvmath_length( side );
	n->radius = bvmath_max( n->radius, bvmath_max( bvmath_length( a ), bvmath_length( b ) ) );
	n->current = bv_add( n->current, side );
	for ( int k = 0; k < 3; ++k )
	{
		n->moment[k] = bv_add( n->moment[k], bv_scale( bvmath_component( middle, k ), side ) );
	}
	n->length += length;
	n->length_spread += length * mean_square_of_line( a, b );
}

static void add_cap( bvmesh_opening* n, const bvmesh_cap* cap )
{
	bv_vec3 a = bv_sub( cap->corner[0], n->center );
	bv_vec3 b = bv_sub( cap->corner[1], n->center );
	bv_vec3 c = bv_sub( cap->corner[2], n->center );
	bv_vec3 area = bv_scale( 0.5 * cap->times, bv_cross( bv_sub( b, a ), bv_sub( c, a ) ) );
	bv_vec3 sum = bv_add( a, bv_add( b, c ) );
	bv_vec3 middle = bv_scale( 1.0 / 3, sum );
	n->area = bv_add( n->area, area );
	n->area_xx += middle.x * area.x;
	n->area_yy += middle.y * area.y;
	n->area_zz += middle.z * area.z;
	n->area_xy += 0.5 * ( middle.x * area.y + middle.y * area.x );
	n->area_xz += 0.5 * ( middle.x * area.z + middle.z * area.x );
	n->area_yz += 0.5 * ( middle.y * area.z + middle.z * area.y );
	double squares = bv_dot( a, a ) + bv_dot( b, b ) + bv_dot( c, c ) + bv_dot( sum, sum );
	n->area_spread += bvmath_length( area ) * squares / 12;
	n->radius = bvmath_max(
		n->radius, bvmath_max( bvmath_length( a ), bvmath_max( bvmath_length( b ), bvmath_length( c ) ) ) );
	n->box.lower = bvmath_least( n->box.lower, cap->lower );
	n->box.upper = bvmath_greatest( n->box.upper, cap->upper );
}

// What a node is seen as from far away.
static void find_moments( const openings_builder* b, uint32_t first, uint32_t count, uint32_t first_cap,
                          bvmesh_opening* n )
{
	const bvmesh_openings* o = b->out;
	n->box = ( bv_aabb ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	bv_vec3 balance = { 0, 0, 0 };
	for ( uint32_t i = first; i < first + count; ++i )
	{
		const bvmesh_open_edge* e = o->edges + i;
		add_edge( n, e );
		bv_vec3 middle = bv_sub( bv_scale( 0.5, bv_add( e->from, e->to ) ), n->center );
		balance = bv_add( balance, bv_scale( e->times * bvmath_length( bv_sub( e->to, e->from ) ), middle ) );
	}
	for ( uint32_t i = first_cap; i < o->cap_count; ++i )
	{
		add_cap( n, o->caps + i );
	}
	// Rounding of the sums is far less than the rest that this adds.
	n->length_moment = bvmath_length( balance ) + 0x1p-48 * n->length * n->radius;
	n->radius *= 1 + 0x1p-48;
}

// The middle of a range of edges, weighted with their lengths.
static bv_vec3 center_of( const openings_builder* b, uint32_t first, uint32_t count )
{
	bv_vec3 sum = { 0, 0, 0 };
	double weight = 0;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		const bvmesh_open_edge* e = b->out->edges + i;
		double length = e->times * bvmath_length( bv_sub( e->to, e->from ) );
		sum = bv_add( sum, bv_scale( 0.5 * length, bv_add( e->from, e->to ) ) );
		weight += length;
	}
	return weight > 0 ? bv_scale( 1 / weight, sum ) : b->out->edges[first].from;
}

static bool fill_leaf( openings_builder* b, uint32_t first, uint32_t count, bvmesh_opening* n )
{
	bvmesh_openings* o = b->out;
	uint32_t base = b->end_count;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		const sorted_edge* e = b->edges + i;
		o->edges[i] = ( bvmesh_open_edge ){ b->positions[e->from], b->positions[e->to], e->times };
		insert_end( b, base, e->from, -e->times );
		insert_end( b, base, e->to, e->times );
	}
	drop_joined( b, base );
	n->center = center_of( b, first, count );
	n->first_edge = first;
	n->edge_count = count;
	n->first_cap = o->cap_count;
	bool good = true;
	for ( uint32_t i = first; i < first + count && good; ++i )
	{
		good = put_cap( b, n->center, o->edges[i].from, o->edges[i].to, o->edges[i].times );
	}
	n->cap_count = o->cap_count - n->first_cap;
	return good;
}

// Connects the loose ends of a child with the center of its parent.
static bool connect_child( openings_builder* b, uint32_t first_end, uint32_t end, bv_vec3 of_child,
                           bv_vec3 of_parent )
{
	bool good = true;
	for ( uint32_t i = first_end; i < end && good; ++i )
	{
		good = put_cap( b, of_child, b->positions[b->ends[i].vertex], of_parent, b->ends[i].net );
	}
	return good;
}

static bool new_node( openings_builder* b, uint32_t* index )
{
	bvmesh_openings* o = b->out;
	if ( o->node_count == b->node_room )
	{
		uint32_t room = b->node_room > 0 ? 2 * b->node_room : 16;
		bvmesh_opening* wider = bvb_arena_allocate( b->arena, room, sizeof *wider );
		if ( !wider )
		{
			return false;
		}
		if ( o->node_count > 0 )
		{
			memcpy( wider, o->nodes, o->node_count * sizeof *wider );
			bvbase_arena_release( b->arena, o->nodes );
		}
		o->nodes = wider;
		b->node_room = room;
	}
	*index = o->node_count++;
	return true;
}

static bool build( openings_builder* b, uint32_t first, uint32_t count );

// Makes both children of a node, and what connects them with it.
static bool build_children( openings_builder* b, uint32_t index, uint32_t first, uint32_t count )
{
	bvmesh_openings* o = b->out;
	uint32_t base = b->end_count;
	uint32_t half = split_range( b->edges + first, count );
	if ( !build( b, first, half ) )
	{
		return false;
	}
	uint32_t middle = b->end_count;
	uint32_t right = o->node_count;
	if ( !build( b, first + half, count - half ) )
	{
		return false;
	}
	bvmesh_opening* n = o->nodes + index;
	n->center = center_of( b, first, count );
	n->first_cap = o->cap_count;
	bool good = connect_child( b, base, middle, o->nodes[index + 1].center, n->center ) &&
	            connect_child( b, middle, b->end_count, o->nodes[right].center, n->center );
	n->cap_count = o->cap_count - n->first_cap;
	merge_ends( b, base, middle );
	return good;
}

// Makes the node of a range and all below it, and leaves its loose ends on the stack.
static bool build( openings_builder* b, uint32_t first, uint32_t count )
{
	bvmesh_openings* o = b->out;
	uint32_t index;
	uint32_t first_cap = o->cap_count;
	bool good = new_node( b, &index );
	if ( good )
	{
		good = count <= leaf_edges ? fill_leaf( b, first, count, o->nodes + index )
		                           : build_children( b, index, first, count );
	}
	if ( good )
	{
		o->nodes[index].next = o->node_count;
		find_moments( b, first, count, first_cap, o->nodes + index );
	}
	return good;
}

bool bvmesh_openings_create( const bv_vec3* positions, uint32_t vertex_count, const bvmesh_net_edge* boundary,
                             uint32_t count, bvb_arena* arena, bvb_arena* scratch, bvmesh_openings* out )
{
	*out = ( bvmesh_openings ){ 0 };
	if ( count == 0 )
	{
		return true;
	}
	openings_builder b = { .positions = positions, .out = out, .arena = arena };
	out->edges = bvb_arena_allocate( arena, count, sizeof *out->edges );
	out->edge_count = count;
	b.edges = bvb_arena_allocate( scratch, count, sizeof *b.edges );
	b.ends = bvb_arena_allocate( scratch, 2 * (size_t)count, sizeof *b.ends );
	b.merged = bvb_arena_allocate( scratch, 2 * (size_t)count, sizeof *b.merged );
	if ( !out->edges || !b.edges || !b.ends || !b.merged )
	{
		return false;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bvmesh_net_edge* e = boundary + i;
		bool forward = e->net > 0;
		b.edges[i] = ( sorted_edge ){
			.from = forward ? e->lesser : e->greater,
			.to = forward ? e->greater : e->lesser,
			.times = forward ? e->net : -e->net,
			.middle = bv_scale( 0.5, bv_add( positions[e->lesser], positions[e->greater] ) ),
		};
	}
	return join_places( &b, count, scratch ) && find_sets( &b, count, vertex_count, scratch ) &&
	       build( &b, 0, count );
}
