// Sphere trees from the leaves up, each sphere made to protrude from the shape as little as it can (patch.c).
// Ours.
//
// Leaves are the octants of the surface. Neighbors on a space-filling curve through the centers are merged
// where each is the other's best (as D. Meister, J. Bittner 2018 do with boxes), which is the one that the
// sphere round both protrudes least with. Centers are near each other also where patches are on two sides of
// a plate, so that a sphere comes to cover both.
//
// Merging pairs makes small parts well and large ones badly. So when two thousand parts are left the 512
// units that they are merged to are made better by moving parts between them (regroup.c). The units are
// merged to the end once, and the eight parts that are best there are made better by moving units; then each
// of these is merged alone, and of all of them 64 parts are found and made better the same way, that stay
// within the eight. The tree is merged anew from the units within each of the 64, and so on up.

#include "offline/literature/spheres/octree.h"

#include "offline/base/zorder.h"
#include "offline/literature/spheres/patch.h"
#include "offline/literature/spheres/regroup.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	leaves_at_least = 8192,
	leaves_at_most = 1 << 14,
	window = 24,     // places to either side on the curve
	few = 192,       // so few are all each other's neighbors
	few_pairs = 16,  // fewer than one of so many: others merge too
	stages = 2,      // of cuts that are made better
	group_share = 2, // units for each group, at least
	most_units = 512,
	most_parts = 2048, // of which units are made
};

// Groups of each stage.
static const uint32_t stage_size[stages] = { 8, 64 };

#define NO_NODE UINT32_MAX

typedef struct merged_node
{
	uint32_t child[2]; // NO_NODE twice for a leaf
	uint32_t cell;     // of a leaf: that of the octree
	uint32_t height;
	bvlit_patch patch;
} merged_node;

typedef struct merged_merging
{
	bvlit_leaf_surface surface; // points are corners of the pieces
	const bvlit_octree* octree;
	int team;
	bvlit_known_sides* sides; // of each thread
	bv_vec3* normal;          // of each leaf, not of unit length
	merged_node* nodes;
	uint32_t node_count;
	uint32_t* part; // nodes without a parent, in the order of the curve
	uint32_t part_count;
	uint32_t* partner; // of each part, by place
	uint32_t* merged;  // of each part
	bv_vec3* place;    // centers of the parts
	bvbase_sort_entry* entries;
	bvbase_sort_entry* other;
} merged_merging;

static void make_leaf( const merged_merging* m, bvlit_known_sides* sides, uint32_t leaf )
{
	static const bv_vec3 none;
	merged_node* n = m->nodes + leaf;
	n->child[0] = n->child[1] = NO_NODE;
	n->height = 0;
	bvlit_patch_of_leaf( &m->surface, leaf, &n->patch );
	bvlit_patch_enclose( &m->surface, sides, &n->patch, &none, 0, m->normal[leaf] );
}

static void join( merged_merging* m, uint32_t a, uint32_t b )
{
	merged_node* n = m->nodes + m->node_count++;
	const merged_node* left = m->nodes + a;
	const merged_node* right = m->nodes + b;
	*n = ( merged_node ){ .child = { a, b }, .patch = left->patch };
	n->height = 1 + ( left->height > right->height ? left->height : right->height );
	bvlit_patch_append( &m->surface, &n->patch, &right->patch );
}

static void place_joined( const merged_merging* m, bvlit_known_sides* sides, uint32_t index )
{
	merged_node* n = m->nodes + index;
	bv_vec3 a = m->nodes[n->child[0]].patch.center;
	bv_vec3 b = m->nodes[n->child[1]].patch.center;
	const bv_vec3 starts[] = { a, b, bv_scale( 0.5, bv_add( a, b ) ) };
	bvlit_patch_enclose( &m->surface, sides, &n->patch, starts, 3, bv_sub( b, a ) );
}

static void sort_parts( merged_merging* m )
{
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		m->place[i] = m->nodes[m->part[i]].patch.center;
		m->partner[i] = m->part[i];
	}
	bvbase_sort_in_space( m->place, m->part_count, m->entries, m->other );
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		m->part[i] = m->partner[m->entries[i].value];
	}
}

static uint32_t best_partner( const merged_merging* m, bvlit_known_sides* sides, uint32_t i )
{
	uint32_t radius = m->part_count <= few ? few : window;
	double least = INFINITY;
	uint32_t best = i > 0 ? i - 1 : i + 1;

	// From the place itself outwards, so that the best is found early and others cost less.
	for ( uint32_t n = 0; n < 2 * radius; ++n )
	{
		uint32_t away = n / 2 + 1;
		uint32_t k = n % 2 == 0 ? i - away : i + away; // before the first it is large
		if ( k < m->part_count )
		{
			const merged_node* a = m->nodes + m->part[i < k ? i : k];
			const merged_node* b = m->nodes + m->part[i < k ? k : i];
			double cost = bvlit_patch_cost( &m->surface, sides, &a->patch, &b->patch, least );
			best = cost < least ? k : best;
			least = bvmath_min( least, cost );
		}
	}
	return best;
}

static uint32_t levels_for( uint32_t count )
{
	uint32_t levels = 0;
	for ( ; count > 1; count = count / 2 + count % 2 )
	{
		levels += 1;
	}
	return levels;
}

// @param all  whether each merges with its choice that is free, not only where both agree
// @return how many pairs there are
static uint32_t pair_up( const merged_merging* m, bool all )
{
	uint32_t pairs = 0;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		uint32_t k = m->partner[i];
		if ( m->merged[i] == NO_NODE && m->merged[k] == NO_NODE && ( all || m->partner[k] == i ) )
		{
			m->merged[i] = k;
			m->merged[k] = i;
			pairs += 1;
		}
	}
	return pairs;
}

// Whether the pairs leave levels enough to merge the rest side by side.
static bool are_low_enough( const merged_merging* m, uint32_t pairs, uint32_t max_depth )
{
	uint32_t highest = 0;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		uint32_t height = m->nodes[m->part[i]].height + ( pairs > 0 && m->merged[i] != NO_NODE );
		highest = height > highest ? height : highest;
	}
	return highest + levels_for( m->part_count - pairs ) <= max_depth;
}

static void choose_pairs( merged_merging* m, uint32_t max_depth )
{
	memset( m->merged, 0xff, m->part_count * sizeof *m->merged );
	uint32_t pairs = pair_up( m, false );
	if ( pairs < m->part_count / few_pairs || pairs == 0 )
	{
		pairs += pair_up( m, true );
	}
	if ( !are_low_enough( m, pairs, max_depth ) )
	{
		for ( uint32_t i = 0; i < m->part_count; ++i )
		{
			bool alone = i + 1 == m->part_count && i % 2 == 0;
			m->merged[i] = alone ? NO_NODE : i ^ 1u;
		}
	}
}

static uint32_t merge_pairs( merged_merging* m )
{
	uint32_t first = m->node_count;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		uint32_t k = m->merged[i];
		if ( k == NO_NODE )
		{
			m->part[kept++] = m->part[i];
		}
		else if ( k > i )
		{
			join( m, m->part[i], m->part[k] );
			m->part[kept++] = m->node_count - 1;
		}
	}
	m->part_count = kept;
	return first;
}

static void merge_and_place( merged_merging* m )
{
	int64_t first = merge_pairs( m );
	int64_t end = m->node_count;
#pragma omp parallel num_threads( m->team ) if ( m->team > 1 )
	{
		bvlit_known_sides* own = m->sides + omp_get_thread_num();
#pragma omp for schedule( dynamic, 4 )
		for ( int64_t i = first; i < end; ++i )
		{
			place_joined( m, own, (uint32_t)i );
		}
	}
}

static void merge_down_to( merged_merging* m, uint32_t count_wanted, uint32_t max_depth )
{
	while ( m->part_count > count_wanted )
	{
		int64_t count = m->part_count;
		sort_parts( m );
#pragma omp parallel num_threads( m->team ) if ( m->team > 1 )
		{
			bvlit_known_sides* own = m->sides + omp_get_thread_num();
#pragma omp for schedule( dynamic, 8 )
			for ( int64_t i = 0; i < count; ++i )
			{
				m->partner[i] = best_partner( m, own, (uint32_t)i );
			}
		}
		choose_pairs( m, max_depth );
		merge_and_place( m );
	}
}

// All merge in each round, so that what was the best of the first stage is a level.
static void merge_evenly( merged_merging* m )
{
	for ( uint32_t rounds = levels_for( m->part_count ); rounds > 0; --rounds )
	{
		const bvlit_patch* patch[bvlit_most_matched];
		for ( uint32_t i = 0; i < m->part_count; ++i )
		{
			patch[i] = &m->nodes[m->part[i]].patch;
		}
		bvlit_match( &m->surface, m->sides, patch, m->part_count, m->merged );
		for ( uint32_t i = 0; i < m->part_count; ++i )
		{
			m->merged[i] = m->merged[i] == i ? NO_NODE : m->merged[i];
		}
		merge_and_place( m );
	}
}

static void make_leaves( merged_merging* m )
{
	int64_t count = m->surface.leaf_count;
#pragma omp parallel num_threads( m->team ) if ( m->team > 1 )
	{
		bvlit_known_sides* own = m->sides + omp_get_thread_num();
#pragma omp for schedule( dynamic, 4 )
		for ( int64_t i = 0; i < count; ++i )
		{
			make_leaf( m, own, (uint32_t)i );
		}
	}
	for ( uint32_t i = 0; i < m->surface.leaf_count; ++i )
	{
		m->part[i] = i;
	}
	m->part_count = m->surface.leaf_count;
	m->node_count = m->surface.leaf_count;
}

// Twice the area of a piece along its normal.
static bv_vec3 normal_of( const bvlit_piece* piece )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 2; i < piece->count; ++i )
	{
		bv_vec3 a = bv_sub( piece->corner[i - 1], piece->corner[0] );
		bv_vec3 b = bv_sub( piece->corner[i], piece->corner[0] );
		sum = bv_add( sum, bv_cross( a, b ) );
	}
	return sum;
}

static bool list_leaves( merged_merging* m, bvb_arena* arena )
{
	const bvlit_octree* o = m->octree;
	size_t most = 0;
	for ( uint32_t i = 0; i < o->cell_count; ++i )
	{
		m->surface.leaf_count += o->cells[i].children == 0;
		most += o->cells[i].children == 0 ? (size_t)bvlit_piece_corners * o->cells[i].faces : 0;
	}
	size_t nodes = 2 * (size_t)m->surface.leaf_count - 1;
	m->surface.points =
		most < UINT32_MAX ? bvbase_arena_allocate_unset( arena, most, sizeof *m->surface.points ) : NULL;
	m->surface.first_point =
		bvb_arena_allocate( arena, m->surface.leaf_count + 1u, sizeof *m->surface.first_point );
	m->normal = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->normal );
	m->surface.next = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->surface.next );
	m->nodes = bvb_arena_allocate( arena, nodes, sizeof *m->nodes );
	m->part = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->part );
	m->partner = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->partner );
	m->merged = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->merged );
	m->place = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->place );
	m->entries = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->entries );
	m->other = bvb_arena_allocate( arena, m->surface.leaf_count, sizeof *m->other );
	if ( !m->surface.points || !m->surface.first_point || !m->normal || !m->surface.next || !m->nodes ||
	     !m->part || !m->partner || !m->merged || !m->place || !m->entries || !m->other )
	{
		return false;
	}
	uint32_t leaf = 0;
	uint32_t points = 0;
	for ( uint32_t i = 0; i < o->cell_count; ++i )
	{
		const bvlit_octree_cell* cell = o->cells + i;
		for ( uint32_t k = 0; cell->children == 0 && k < cell->faces; ++k )
		{
			bvlit_piece piece;
			bvlit_piece_of_face( m->surface.mesh, o->face[cell->first_face + k], &cell->box, &piece );
			memcpy( m->surface.points + points, piece.corner, piece.count * sizeof *piece.corner );
			points += piece.count;
			m->normal[leaf] = bv_add( m->normal[leaf], normal_of( &piece ) );
		}
		if ( cell->children == 0 )
		{
			m->nodes[leaf++].cell = i;
			m->surface.first_point[leaf] = points;
		}
	}
	return true;
}

// The tree made anew above these nodes, so that few spheres protrude little.
typedef struct regrouping
{
	merged_merging* m;
	bvb_arena* arena;
	uint32_t* unit; // nodes that stay
	uint32_t count;
	uint32_t below;          // what is made anew begins here
	uint32_t* group[stages]; // of each unit
	uint32_t* item;          // what the units are merged to so far
	uint32_t* item_unit;     // one of the units in it
	uint32_t items;
	uint32_t* label; // of nodes that stay
	const bvlit_patch** patch;
} regrouping;

static void begin_with_units( regrouping* r )
{
	r->m->node_count = r->below;
	r->items = r->count;
	for ( uint32_t i = 0; i < r->count; ++i )
	{
		r->item[i] = r->unit[i];
		r->item_unit[i] = i;
	}
}

static void merge_groups( regrouping* r, int stage, uint32_t max_depth )
{
	merged_merging* m = r->m;
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < r->items; ++i )
	{
		uint32_t unit = r->item_unit[i];
		m->part_count = 0;
		bool merged = r->item[i] == NO_NODE;
		for ( uint32_t k = i; !merged && k < r->items; ++k )
		{
			if ( r->item[k] != NO_NODE && r->group[stage][r->item_unit[k]] == r->group[stage][unit] )
			{
				m->part[m->part_count++] = r->item[k];
				r->item[k] = NO_NODE;
			}
		}
		if ( m->part_count > 0 )
		{
			merge_down_to( m, 1, max_depth );
			r->item[kept] = m->part[0];
			r->item_unit[kept++] = unit;
		}
	}
	r->items = kept;
}

// Divides trees, those that protrude most first, until there are so many.
static void divide_items( regrouping* r, uint32_t most )
{
	const merged_merging* m = r->m;
	while ( r->items < most )
	{
		uint32_t worst = NO_NODE;
		double greatest = -INFINITY;
		for ( uint32_t i = 0; i < r->items; ++i )
		{
			double error = bvlit_patch_error( &m->nodes[r->item[i]].patch );
			bool wanted = r->item[i] >= r->below && error > greatest;
			worst = wanted ? i : worst;
			greatest = wanted ? error : greatest;
		}
		if ( worst == NO_NODE )
		{
			break;
		}
		const merged_node* n = m->nodes + r->item[worst];
		r->item[worst] = n->child[0];
		r->item[r->items++] = n->child[1];
	}
}

static void mark( const regrouping* r, uint32_t index, uint32_t label )
{
	const merged_node* n = r->m->nodes + index;
	if ( index < r->below )
	{
		r->label[index] = label;
		return;
	}
	mark( r, n->child[0], label );
	mark( r, n->child[1], label );
}

static bool regroup_stage( regrouping* r, int stage, uint32_t groups_wanted )
{
	merged_merging* m = r->m;
	divide_items( r, groups_wanted );
	for ( uint32_t i = 0; i < r->items; ++i )
	{
		mark( r, r->item[i], i );
	}
	for ( uint32_t i = 0; i < r->count; ++i )
	{
		r->group[stage][i] = r->label[r->unit[i]];
	}
	bvlit_groups groups = {
		.surface = &m->surface,
		.sides = m->sides,
		.team = m->team,
		.patch = r->patch,
		.patch_count = r->count,
		.division = stage > 0 ? r->group[stage - 1] : NULL,
		.group = r->group[stage],
		.group_count = r->items,
	};
	return bvlit_regroup( &groups, r->arena );
}

static bool begin_regrouping( merged_merging* m, bvb_arena* arena, regrouping* r )
{
	uint32_t count = m->part_count;
	*r = ( regrouping ){
		.m = m,
		.arena = arena,
		.unit = bvb_arena_allocate( arena, count, sizeof *r->unit ),
		.count = count,
		.below = m->node_count,
		.item = bvb_arena_allocate( arena, count, sizeof *r->item ),
		.item_unit = bvb_arena_allocate( arena, count, sizeof *r->item_unit ),
		.label = bvb_arena_allocate( arena, m->node_count, sizeof *r->label ),
		.patch = bvb_arena_allocate( arena, count, sizeof *r->patch ),
	};
	bool good = r->unit && r->item && r->item_unit && r->label && r->patch;
	for ( int stage = 0; stage < stages; ++stage )
	{
		r->group[stage] = bvb_arena_allocate( arena, count, sizeof *r->group[stage] );
		good = good && r->group[stage];
	}
	for ( uint32_t i = 0; good && i < count; ++i )
	{
		r->unit[i] = m->part[i];
		r->patch[i] = &m->nodes[m->part[i]].patch;
	}
	return good;
}

// Merges all parts, first those of one group of the last stage, and so on up to the first one's. Groups are
// those that merging without any leads to, made better.
static bool merge_in_groups( merged_merging* m, uint32_t max_depth, bvb_arena* arena )
{
	regrouping r;
	if ( !begin_regrouping( m, arena, &r ) )
	{
		return false;
	}
	uint32_t depth[stages];
	int used = 0;
	for ( uint32_t above = 0; used < stages && group_share * stage_size[used] <= r.count; ++used )
	{
		above += levels_for( stage_size[used] );
		depth[used] = max_depth - above;
	}
	begin_with_units( &r );
	merge_down_to( m, 1, max_depth );
	r.items = 1;
	r.item[0] = m->part[0];
	for ( int stage = 0; stage < used; ++stage )
	{
		if ( !regroup_stage( &r, stage, stage_size[stage] ) )
		{
			return false;
		}
		begin_with_units( &r );
		merge_groups( &r, stage, depth[stage] );
	}
	for ( int stage = used - 2; stage >= 0; --stage )
	{
		merge_groups( &r, stage, depth[stage] );
	}
	if ( used > 0 )
	{
		memcpy( m->part, r.item, r.items * sizeof *r.item );
		m->part_count = r.items;
		merge_evenly( m );
		merge_down_to( m, 1, max_depth );
	}
	return true;
}

// Makes the units better that parts are merged to.
static bool regroup_units( merged_merging* m, uint32_t max_depth, bvb_arena* arena )
{
	regrouping r;
	if ( !begin_regrouping( m, arena, &r ) )
	{
		return false;
	}
	merge_down_to( m, most_units, max_depth );
	r.items = m->part_count;
	memcpy( r.item, m->part, r.items * sizeof *r.item );
	if ( !regroup_stage( &r, 0, most_units ) )
	{
		return false;
	}
	begin_with_units( &r );
	merge_groups( &r, 0, max_depth );
	memcpy( m->part, r.item, r.items * sizeof *r.item );
	m->part_count = r.items;
	return true;
}

// Whether parts can be merged in any groups when there are levels above them.
static bool has_room( const merged_merging* m, uint32_t max_depth, uint32_t above )
{
	return max_depth >= above && are_low_enough( m, 0, max_depth - above );
}

static bool merge_all( merged_merging* m, uint32_t max_depth, bvb_arena* arena )
{
	uint32_t above = 0;
	for ( int stage = 0; stage < stages; ++stage )
	{
		above += levels_for( stage_size[stage] );
	}
	merge_down_to( m, most_parts, max_depth );
	if ( m->part_count > most_units && has_room( m, max_depth, above ) &&
	     !regroup_units( m, max_depth - above, arena ) )
	{
		return false;
	}
	merge_down_to( m, most_units, max_depth );
	if ( has_room( m, max_depth, above ) )
	{
		return merge_in_groups( m, max_depth, arena );
	}
	merge_down_to( m, 1, max_depth );
	return true;
}

// From the root, level by level.
static bv_status hand_over( const merged_merging* m, bvb_arena* arena, bvlit_sphere_tree* out )
{
	uint32_t* from = bvb_arena_allocate( arena, m->node_count, sizeof *from );
	uint32_t faces = 0;
	for ( uint32_t i = 0; i < m->surface.leaf_count; ++i )
	{
		faces += m->octree->cells[m->nodes[i].cell].faces;
	}
	*out = ( bvlit_sphere_tree ){ .node_count = 1 };
	out->nodes = bvb_arena_allocate( arena, m->node_count, sizeof *out->nodes );
	out->face = bvb_arena_allocate( arena, faces, sizeof *out->face );
	if ( !from || !out->nodes || !out->face )
	{
		return bv_error_memory;
	}
	from[0] = m->part[0];
	for ( uint32_t i = 0; i < out->node_count; ++i )
	{
		const merged_node* n = m->nodes + from[i];
		bvlit_sphere_node* to = out->nodes + i;
		*to = ( bvlit_sphere_node ){ .sphere = { n->patch.center, n->patch.radius } };
		if ( n->child[0] != NO_NODE )
		{
			to->first_child = out->node_count;
			to->children = 2;
			from[out->node_count++] = n->child[0];
			from[out->node_count++] = n->child[1];
			continue;
		}
		const bvlit_octree_cell* cell = m->octree->cells + n->cell;
		to->first_face = out->face_count;
		to->faces = cell->faces;
		memcpy( out->face + out->face_count, m->octree->face + cell->first_face,
		        cell->faces * sizeof *out->face );
		out->face_count += cell->faces;
	}
	return bv_ok;
}

bv_status bvlit_spheres_merged( const bvb_mesh* mesh, const bvlit_sphere_options* options, bvb_arena* arena,
                                bvlit_sphere_tree* out )
{
	uint32_t most = mesh->triangle_count < leaves_at_least  ? leaves_at_least
	                : mesh->triangle_count > leaves_at_most ? leaves_at_most
	                                                        : mesh->triangle_count;
	most = options->max_depth < 14 && most > 1u << options->max_depth ? 1u << options->max_depth : most;
	bvlit_octree octree;
	merged_merging m = { .octree = &octree, .team = options->team };
	bv_status status = bvlit_octree_create_even( mesh, options->max_depth, most, arena, &octree );
	status = status == bv_ok ? bvlit_leaf_surface_create( mesh, arena, &m.surface ) : status;
	m.sides = bvb_arena_allocate( arena, (size_t)options->team, sizeof *m.sides );
	if ( status == bv_ok && m.sides && list_leaves( &m, arena ) )
	{
		make_leaves( &m );
		return merge_all( &m, options->max_depth, arena ) ? hand_over( &m, arena, out ) : bv_error_memory;
	}
	return status == bv_ok ? bv_error_memory : status;
}
