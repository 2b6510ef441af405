// Binned SAH, first over runs of a space-filling curve and then, in sets that stay in the cache, over
// triangles. J. Pantaleoni, D. Luebke, "HLBVH: Hierarchical LBVH Construction for Real-Time Ray Tracing of
// Dynamic Geometry", 2010, section 4, cut the top of the tree so, over clusters of equal Morton codes, and
// leave the rest to the curve; here runs are short, those that a cut goes through are divided by it, and
// below them triangles are cut by the heuristic, too: I. Wald, "On fast construction of SAH-based bounding
// volume hierarchies", 2007.
//
// Nodes of the binary tree know what they cost least as one or several subtrees, so that the wide tree is
// read off it from the root down: binned_wide.c.

#include "offline/base/arena.h"
#include "offline/hierarchy/binary.h"
#include "offline/hierarchy/binned_runs.h"
#include "offline/hierarchy/builders.h"

#include <omp.h>
#include <string.h>

// In the table of builders.c.
bvhier_build_function bvhier_build_binned;
bvhier_bare_function bvhier_build_binned_is_bare;

enum
{
	parts = 256,       // sets that are a smaller part of all are not worth a task of their own
	fork_levels = 16,  // nor are those further down
	chunk_nodes = 256, // that a thread takes at a time
	levels_of_run = 4, // that it takes to halve one until its triangles are alone
};

// The nodes that a thread has taken and not used.
typedef struct spare
{
	uint32_t next;
	uint32_t end;
	uint32_t unused[14]; // no two threads write into one line of the cache
} spare;

// A node whose halves are built by different tasks. Neither waits for the other one, and what ends last goes
// on with the node: a thread that waits may take nothing but what is below its own task.
typedef struct fork
{
	struct fork* above;       // whose half it is; null for the root
	bvhier_binned_least* out; // there
	bvhier_binned_node* node;
	float chance;   // of a visit
	float leaf;     // what it costs as a leaf, infinite where it can't be one
	uint32_t ended; // how many halves have
	bvhier_binned_least costs[2];
} fork;

typedef struct binned_frame
{
	const bvhier_build* build;
	bvhier_binned_item* items; // of triangles, along the curve
	bvhier_binned_node* nodes;
	uint32_t* taken;     // how many nodes, with atomic writes
	spare* spares;       // by omp_get_thread_num()
	fork* forks;         // see make_forks; null for one thread
	uint32_t* forked;    // how many of them are taken, with atomic writes
	uint32_t fork_least; // triangles of a set that is worth one
	uint32_t* faces;     // in the binary tree's order
	bvhier_binned_prices prices;
	uint32_t run_most;  // triangles of a run
	uint32_t deep_most; // triangles that sets are halved down to where the depth is scarce
} binned_frame;

// A set to be built, of runs or of triangles.
typedef struct set
{
	bvhier_binned_item* items; // in `room`
	bvhier_binned_item* room;  // for `capacity` items
	bvhier_binned_item* other; // as much, for those of both halves
	uint32_t count;            // of items
	uint32_t capacity;
	uint32_t first; // triangle, in the order of the binary tree
	uint32_t level;
	uint32_t node;
} set;

static uint32_t take_nodes( const binned_frame* f )
{
	spare* s = f->spares + omp_get_thread_num();
	if ( s->next == s->end )
	{
#pragma omp atomic capture
		{
			s->next = *f->taken;
			*f->taken += chunk_nodes;
		}
		s->end = s->next + chunk_nodes;
	}
	s->next += 2;
	return s->next - 2;
}

static bvhier_binned_node* begin_node( const binned_frame* f, const set* s, uint32_t triangles,
                                       const bvhier_binned_bounds* b )
{
	bvhier_binned_node* node = f->nodes + s->node;
	bvbase_float4 lower = b->lower;
	bvbase_float4 upper = b->upper;
	memcpy( node->lower, &lower, sizeof node->lower );
	memcpy( node->upper, &upper, sizeof node->upper );
	node->first = s->first;
	node->count = triangles;
	return node;
}

// Whether `levels` more levels of halving bring so many items into leaves of `most`.
static bool fits_below( uint32_t count, uint32_t most, uint32_t levels )
{
	return levels >= 32 || ( (uint64_t)most << levels ) >= count;
}

// Divides a set, halving it where the depth is scarce and where all have one place.
static bvhier_binned_room divide( const set* s, const bvhier_binned_bounds* b, bvhier_binned_item* triangles,
                                  uint32_t most, uint32_t levels )
{
	bvhier_binned_room to = { .items = s->other, .capacity = s->capacity };
	bool cut = s->count > 2 && bvhier_binned_cut( s->items, s->count, b, triangles, &to );
	uint32_t more = to.below < to.above ? to.above : to.below;
	if ( !cut || ( !fits_below( more, most, levels - 1 ) && fits_below( s->count, most, levels ) ) )
	{
		to.below = s->count / 2;
		to.above = s->count - to.below;
		memcpy( to.items, s->items, to.below * sizeof *s->items );
		memcpy( to.items + to.capacity - to.above, s->items + to.below, to.above * sizeof *s->items );
	}
	return to;
}

// Both halves of a set, which share its room.
static void make_halves( const set* s, const bvhier_binned_room* to, uint32_t triangles_below, uint32_t child,
                         set half[2] )
{
	uint32_t count = to->below + to->above;
	uint32_t capacity = to->below + (uint32_t)( (uint64_t)( s->capacity - count ) * to->below / count );
	half[0] = ( set ){ s->other, s->other, s->room, to->below, capacity, s->first, s->level + 1, child };
	half[1] = ( set ){ s->other + s->capacity - to->above,
		               s->other + capacity,
		               s->room + capacity,
		               to->above,
		               s->capacity - capacity,
		               s->first + triangles_below,
		               s->level + 1,
		               child + 1 };
}

// Whether a set is not worth a look at its halves: they would cost two leaves' bytes.
static bool is_leaf( const binned_frame* f, uint32_t level, uint32_t triangles, float cost )
{
	const bvhier_binned_prices* p = &f->prices;
	return triangles == 1 || level == f->build->options->max_depth ||
	       ( triangles <= p->leaf_most && ( p->fixed || cost <= 2 * p->leaf_bytes ) );
}

static void build_triangles( const binned_frame* f, const set* s, bvhier_binned_least* out )
{
	bvhier_binned_bounds b = bvhier_binned_bounds_of( s->items, s->count );
	bvhier_binned_node* node = begin_node( f, s, s->count, &b );
	const bvhier_binned_prices* p = &f->prices;
	float chance = bvhier_binned_chance( p, &b );
	float leaf = bvhier_binned_leaf_cost( p, chance, s->count );
	if ( is_leaf( f, s->level, s->count, leaf ) )
	{
		for ( uint32_t i = 0; i < s->count; ++i )
		{
			f->faces[s->first + i] = s->items[i].first;
		}
		bvhier_binned_set_leaf( node, leaf, out );
		return;
	}
	bvhier_binned_room to = divide( s, &b, NULL, f->deep_most, f->build->options->max_depth - s->level );
	uint32_t child = take_nodes( f );
	set half[2];
	bvhier_binned_least costs[2];
	make_halves( s, &to, to.below, child, half );
	build_triangles( f, half, costs );
	build_triangles( f, half + 1, costs + 1 );
	node->child = child;
	bvhier_binned_choose( p, node, chance, s->count <= p->leaf_most ? leaf : INFINITY, costs, out );
}

// Takes the runs of a set apart.
static void build_opened( const binned_frame* f, const set* s, bvhier_binned_least* out )
{
	bvhier_binned_item room[2][bvhier_binned_open];
	set opened = *s;
	opened.items = opened.room = room[0];
	opened.other = room[1];
	opened.count = 0;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const bvhier_binned_item* run = s->items + i;
		memcpy( room[0] + opened.count, f->items + run->first, run->count * sizeof **room );
		opened.count += run->count;
	}
	opened.capacity = opened.count;
	build_triangles( f, &opened, out );
}

static void make_leaf_of_runs( const binned_frame* f, const set* s )
{
	uint32_t* to = f->faces + s->first;
	for ( uint32_t i = 0; i < s->count; ++i )
	{
		const bvhier_binned_item* run = s->items + i;
		for ( uint32_t k = 0; k < run->count; ++k )
		{
			*to++ = f->items[run->first + k].first;
		}
	}
}

static uint32_t triangles_of( const bvhier_binned_item* items, uint32_t count )
{
	uint32_t sum = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum += items[i].count;
	}
	return sum;
}

// Where runs have several triangles, there are enough levels for one leaf a run, and then to halve the run.
static bvhier_binned_room divide_runs( const binned_frame* f, const set* s, const bvhier_binned_bounds* b )
{
	uint32_t levels = f->build->options->max_depth - s->level;
	return f->run_most > 1 ? divide( s, b, f->items, 1, levels - levels_of_run )
	                       : divide( s, b, NULL, f->deep_most, levels );
}

// A set that is cut.
typedef struct branch
{
	bvhier_binned_node* node;
	float chance; // of a visit
	float leaf;   // what it costs as a leaf, infinite where it can't be one
	set half[2];
	uint32_t triangles[2]; // of each
} branch;

// Cuts a set of runs.
// @return false when nothing is left to do: it is a leaf, or small enough to be taken apart
static bool cut_runs( const binned_frame* f, const set* s, uint32_t triangles, branch* to,
                      bvhier_binned_least* out )
{
	if ( triangles <= bvhier_binned_open )
	{
		build_opened( f, s, out );
		return false;
	}
	bvhier_binned_bounds b = bvhier_binned_bounds_of( s->items, s->count );
	const bvhier_binned_prices* p = &f->prices;
	to->node = begin_node( f, s, triangles, &b );
	to->chance = bvhier_binned_chance( p, &b );
	to->leaf = bvhier_binned_leaf_cost( p, to->chance, triangles );
	if ( is_leaf( f, s->level, triangles, to->leaf ) )
	{
		make_leaf_of_runs( f, s );
		bvhier_binned_set_leaf( to->node, to->leaf, out );
		return false;
	}
	to->leaf = triangles <= p->leaf_most ? to->leaf : INFINITY;
	bvhier_binned_room room = divide_runs( f, s, &b );
	to->triangles[0] = triangles_of( room.items, room.below );
	to->triangles[1] = triangles - to->triangles[0];
	to->node->child = take_nodes( f );
	make_halves( s, &room, to->triangles[0], to->node->child, to->half );
	return true;
}

static void build_runs( const binned_frame* f, const set* s, uint32_t triangles, bvhier_binned_least* out )
{
	branch b;
	bvhier_binned_least costs[2];
	if ( cut_runs( f, s, triangles, &b, out ) )
	{
		build_runs( f, b.half, b.triangles[0], costs );
		build_runs( f, b.half + 1, b.triangles[1], costs + 1 );
		bvhier_binned_choose( &f->prices, b.node, b.chance, b.leaf, costs, out );
	}
}

// A half of a fork is built. The other one's costs are seen by whoever counts to two.
static void end_half( const binned_frame* f, fork* of )
{
	while ( of && __atomic_fetch_add( &of->ended, 1, __ATOMIC_ACQ_REL ) == 1 )
	{
		bvhier_binned_choose( &f->prices, of->node, of->chance, of->leaf, of->costs, of->out );
		of = of->above;
	}
}

static fork* take_fork( const binned_frame* f, const branch* b, fork* above, bvhier_binned_least* out )
{
	fork* taken = f->forks + __atomic_fetch_add( f->forked, 1, __ATOMIC_RELAXED );
	*taken = ( fork ){ .above = above, .out = out, .node = b->node, .chance = b->chance, .leaf = b->leaf };
	return taken;
}

// By all threads of the team.
static void build_together( const binned_frame* f, const set* s, uint32_t triangles, fork* above,
                            bvhier_binned_least* out )
{
	if ( triangles < f->fork_least || s->level >= fork_levels )
	{
		build_runs( f, s, triangles, out );
		end_half( f, above );
		return;
	}
	branch b;
	if ( !cut_runs( f, s, triangles, &b, out ) )
	{
		end_half( f, above );
		return;
	}
	fork* here = take_fork( f, &b, above, out );
	set first = b.half[0];
	uint32_t first_triangles = b.triangles[0];
#pragma omp task firstprivate( first, first_triangles, here )
	build_together( f, &first, first_triangles, here, here->costs );
	build_together( f, b.half + 1, b.triangles[1], here, here->costs + 1 );
}

static void build_all( const binned_frame* f, const set* all, bvhier_binned_least* out )
{
	if ( !f->forks )
	{
		build_runs( f, all, f->build->count, out );
		return;
	}
#pragma omp parallel num_threads( f->build->team )
#pragma omp single
	build_together( f, all, f->build->count, NULL, out );
}

// Sets of one level have no triangle in common.
static bool make_forks( const bvhier_build* build, binned_frame* f )
{
	if ( build->team == 1 )
	{
		return true;
	}
	uint32_t least = build->count / parts;
	f->fork_least = least > bvhier_binned_open ? least : bvhier_binned_open + 1;
	f->forks = bvbase_arena_allocate_unset( build->scratch, fork_levels * ( build->count / f->fork_least ),
	                                        sizeof *f->forks );
	f->forked = bvb_arena_allocate( build->scratch, 1, sizeof *f->forked );
	return f->forks && f->forked;
}

// The curve's room is free where it has no runs: nodes follow.
static void* make_room( const bvhier_build* build, binned_frame* f )
{
	size_t team = (size_t)build->team;
	size_t count = build->count;
	size_t nodes = ( 2 * count + team * chunk_nodes ) * sizeof *f->nodes;
	f->spares = bvb_arena_allocate( build->scratch, team, sizeof *f->spares );
	f->taken = bvb_arena_allocate( build->scratch, 1, sizeof *f->taken );
	f->faces = bvbase_arena_allocate_unset( build->scratch, count, sizeof *f->faces );
	void* room = bvbase_arena_allocate_unset( build->scratch, count * BVHIER_BINNED_CURVE_BYTES + nodes, 1 );
	return make_forks( build, f ) && f->spares && f->taken && f->faces ? room : NULL;
}

// Room for the wide tree, where there is none yet.
static bool make_tree_room( const bvhier_build* build, uint32_t count )
{
	bvb_tree* tree = build->tree;
	tree->node_count = count;
	if ( build->bare )
	{
		tree->nodes = bvbase_arena_allocate_unset( build->keep, count, sizeof *tree->nodes );
		tree->volumes = bvbase_arena_allocate_unset( build->keep, count, tree->stride );
	}
	return tree->nodes && tree->volumes;
}

// The most triangles that a leaf must have so that halving ends within the depth.
static uint32_t deepest_leaf( const bvhier_build* build )
{
	uint32_t depth = build->options->max_depth;
	uint32_t least = depth >= 32 ? 1 : ( ( build->count - 1 ) >> depth ) + 1;
	return least > build->options->leaf_triangles ? least : build->options->leaf_triangles;
}

static bv_status build_in( const bvhier_build* build )
{
	uint32_t depth = build->options->max_depth;
	bool scarce = depth <= levels_of_run || !fits_below( build->count, 1, depth - levels_of_run );
	binned_frame f = { .build = build,
		               .run_most = scarce ? 1 : bvhier_binned_run,
		               .deep_most = deepest_leaf( build ) };
	bvhier_binned_curve curve;
	void* room = make_room( build, &f );
	if ( !room || !bvhier_binned_curve_make( build, f.run_most, room, &curve ) )
	{
		return bv_error_memory;
	}
	bvhier_binned_bounds around = bvhier_binned_bounds_of( curve.runs, curve.run_count );
	f.prices = bvhier_binned_prices_make( build, &around );
	f.items = curve.items;
	f.nodes = (bvhier_binned_node*)( curve.runs + 2 * (size_t)curve.most );
	*f.taken = 1;
	set all = { .items = curve.runs,
		        .room = curve.runs,
		        .other = curve.runs + curve.most,
		        .count = curve.run_count,
		        .capacity = curve.most };
	bvhier_binned_least costs;
	build_all( &f, &all, &costs );
	if ( !make_tree_room( build, costs.nodes[1] ) )
	{
		return bv_error_memory;
	}
	bvhier_binned_emit( build, f.nodes, f.faces );
	return bv_ok;
}

// What is only needed for the tree's nodes is used again where their volumes are fitted and the mesh is put
// in order.
bv_status bvhier_build_binned( const bvhier_build* build )
{
	bvhier_build inner = *build;
	inner.scratch = bvbase_arena_create_scratch( build->scratch );
	bv_status status = inner.scratch ? build_in( &inner ) : bv_error_memory;
	if ( inner.scratch )
	{
		bvbase_arena_reset( inner.scratch );
		status = bvbase_arena_absorb( build->scratch, inner.scratch ) ? status : bv_error_memory;
	}
	if ( status == bv_ok && !build->bare )
	{
		bvhier_fit_nodes( build );
	}
	return status;
}

bool bvhier_build_binned_is_bare( const bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	(void)mesh;
	return options->volume_types == 1u << bv_volume_aabb;
}
