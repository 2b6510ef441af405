// Binned SAH for axis-aligned boxes, fast: the tree that the frame makes with the splitter `sah`, to the last bit. I. Wald, "On
// fast construction of SAH-based bounding volume hierarchies", 2007.
//
// Each face is a box of 32 bytes that moves along with its set, so that all passes read memory in order; a child's box comes
// out of the bins, and the bounds of its midpoints out of the pass that sorts faces to both sides. Whatever this can't do as the
// frame does (sets whose boxes have one midpoint, sets that the depth limit wants halved) is left to the splitters on a copy of
// the set; other degrees, other volumes, and corners that are no binary32 numbers are left to the frame.

#include "base/offline/arena.h"
#include "hierarchy/lanes.h"
#include "hierarchy/sah.h"
#include "hierarchy/split.h"

#include <math.h>
#include <string.h>

enum
{
	task_faces = 4096, // below this a set is not worth a task of its own
	few_faces = 64,    // below this a set is copied to the stack
};

// A face's box. The fourth lanes of both halves take part in nothing.
typedef union item
{
	struct
	{
		bvb_float4 lower;
		bvb_float4 upper;
	};
	struct
	{
		float low[3];
		uint32_t face;
		float high[3];
		uint32_t unused;
	};
} item;

// Where boxes are: the sum of both corners.
typedef struct place
{
	bvb_double2 xy;
	bvb_double2 z;
} place;

// Least and greatest places of a set.
typedef struct places
{
	place lower;
	place upper;
} places;

// A box around some.
typedef struct box
{
	bvb_float4 lower;
	bvb_float4 upper;
} box;

// Of one axis.
typedef struct bins
{
	box box[bvb_sah_most_bins];
	uint32_t count[bvb_sah_most_bins];
} bins;

typedef struct frame
{
	const bvb_build* build;
	bool* gaps;     // set when a leaf holds several faces, with an atomic write
	item* items[2]; // the faces in the tree's order so far; sorting a set goes from one to the other
} frame;

// A node to be built. Its items are in items[side].
typedef struct task
{
	uint32_t index; // of the node
	uint32_t level; // of the node
	uint32_t free;  // where nodes below it have room
	int side;
	box box;
	places places;
} task;

// A way to cut. Faces are below it whose bin is below `limit`.
typedef struct cut
{
	double cost; // infinite where there is none
	int axis;
	uint32_t limit;
	uint32_t below; // how many faces
} cut;

static const box no_box = { { INFINITY, INFINITY, INFINITY, 0 }, { -INFINITY, -INFINITY, -INFINITY, 0 } };

static const places no_places = { { { INFINITY, INFINITY }, { INFINITY, INFINITY } },
	                              { { -INFINITY, -INFINITY }, { -INFINITY, -INFINITY } } };

static void grow( box* b, bvb_float4 lower, bvb_float4 upper )
{
	b->lower = bvb_least4( b->lower, lower );
	b->upper = bvb_greatest4( b->upper, upper );
}

static double half_area( const box* b )
{
	bvb_double2 xy = bvb_widen_low( b->upper ) - bvb_widen_low( b->lower );
	bvb_double2 z = bvb_widen_high( b->upper ) - bvb_widen_high( b->lower );
	return bvb_sah_half_area( xy[0], xy[1], z[0] );
}

static place place_of( const item* i )
{
	return ( place ){ bvb_widen_low( i->lower ) + bvb_widen_low( i->upper ),
		              bvb_widen_high( i->lower ) + bvb_widen_high( i->upper ) };
}

static void add_place( places* p, place by )
{
	p->lower.xy = bvb_least2( p->lower.xy, by.xy );
	p->lower.z = bvb_least2( p->lower.z, by.z );
	p->upper.xy = bvb_greatest2( p->upper.xy, by.xy );
	p->upper.z = bvb_greatest2( p->upper.z, by.z );
}

static double along( const place* p, int axis )
{
	return axis == 2 ? p->z[0] : p->xy[axis];
}

// The bins of one axis: the cheapest cut between two.
static void cheapest( const bins* of, uint32_t count, uint32_t faces, int axis, cut* best )
{
	double above[bvb_sah_most_bins];
	uint32_t side = 0;
	box b = no_box;
	for ( uint32_t i = count; i-- > 1; )
	{
		grow( &b, of->box[i].lower, of->box[i].upper );
		side += of->count[i];
		above[i] = side ? side * half_area( &b ) : 0;
	}
	side = 0;
	b = no_box;
	for ( uint32_t i = 1; i < count; ++i )
	{
		grow( &b, of->box[i - 1].lower, of->box[i - 1].upper );
		side += of->count[i - 1];
		double both = ( side ? side * half_area( &b ) : 0 ) + above[i];
		if ( both < best->cost && side > 0 && side < faces )
		{
			*best = ( cut ){ both, axis, i, side };
		}
	}
}

static void join( const box* boxes, uint32_t count, box* out )
{
	*out = no_box;
	for ( uint32_t i = 0; i < count; ++i )
	{
		grow( out, boxes[i].lower, boxes[i].upper );
	}
}

// What maps places to bins.
typedef struct grid
{
	place lower;
	place scale;
	uint32_t bins;
} grid;

static grid grid_of( const places* p, uint32_t count )
{
	grid g = { .lower = p->lower, .bins = bvb_sah_bins( count ) };
	g.scale.xy = ( bvb_double2 ){ bvb_sah_scale( p->lower.xy[0], p->upper.xy[0], g.bins ),
		                          bvb_sah_scale( p->lower.xy[1], p->upper.xy[1], g.bins ) };
	g.scale.z = ( bvb_double2 ){ bvb_sah_scale( p->lower.z[0], p->upper.z[0], g.bins ), 0 };
	return g;
}

static void add_to_bin( bins* of, double at, uint32_t last, const item* i )
{
	uint32_t k = (uint32_t)(int32_t)at;
	k = k < last ? k : last;
	grow( of->box + k, i->lower, i->upper );
	of->count[k] += 1;
}

// Sorts faces into bins. Returns the cheapest cut, and the boxes around the faces below and above it.
static cut cut_bins( const item* items, uint32_t count, const grid* g, box child[2] )
{
	bins of[3];
	for ( int axis = 0; axis < 3; ++axis )
	{
		for ( uint32_t i = 0; i < g->bins; ++i )
		{
			of[axis].box[i] = no_box;
			of[axis].count[i] = 0;
		}
	}
	uint32_t last = g->bins - 1;
	for ( uint32_t i = 0; i < count; ++i )
	{
		place p = place_of( items + i );
		bvb_double2 xy = ( p.xy - g->lower.xy ) * g->scale.xy;
		bvb_double2 z = ( p.z - g->lower.z ) * g->scale.z;
		add_to_bin( of + 0, xy[0], last, items + i );
		add_to_bin( of + 1, xy[1], last, items + i );
		add_to_bin( of + 2, z[0], last, items + i );
	}
	cut best = { .cost = INFINITY };
	for ( int axis = 0; axis < 3; ++axis )
	{
		if ( along( &g->scale, axis ) > 0 )
		{
			cheapest( of + axis, g->bins, count, axis, &best );
		}
	}
	if ( best.cost < INFINITY )
	{
		join( of[best.axis].box, best.limit, child + 0 );
		join( of[best.axis].box + best.limit, g->bins - best.limit, child + 1 );
	}
	return best;
}

// Sorts faces to both sides of a cut, each side in the old order. Every face is written to where it belongs without asking, since
// no processor foresees the answers.
static void sort_by_bins( const item* from, uint32_t count, const grid* g, const cut* c, item* to,
                          places child[2] )
{
	places sides[2] = { no_places, no_places };
	uint32_t next[2] = { 0, c->below };
	double lower = along( &g->lower, c->axis );
	double scale = along( &g->scale, c->axis );
	for ( uint32_t i = 0; i < count; ++i )
	{
		place p = place_of( from + i );
		uint32_t k = bvb_sah_bin( along( &p, c->axis ), lower, scale, g->bins );
		uint32_t side = k >= c->limit;
		to[next[side]++] = from[i];
		add_place( sides + side, p );
	}
	child[0] = sides[0];
	child[1] = sides[1];
}

// Small sets: every cut between two places.
static cut cut_between_all( const item* items, uint32_t count, uint8_t below[bvb_sah_sweep], box child[2] )
{
	double key[3][bvb_sah_sweep];
	for ( uint32_t i = 0; i < count; ++i )
	{
		place p = place_of( items + i );
		key[0][i] = p.xy[0];
		key[1][i] = p.xy[1];
		key[2][i] = p.z[0];
	}
	cut best = { .cost = INFINITY };
	uint8_t best_order[bvb_sah_sweep];
	for ( int axis = 0; axis < 3; ++axis )
	{
		uint8_t order[bvb_sah_sweep];
		double sorted[bvb_sah_sweep];
		for ( uint32_t i = 0; i < count; ++i )
		{
			uint32_t at = i;
			double k = key[axis][i];
			for ( ; at > 0 && sorted[at - 1] > k; --at )
			{
				sorted[at] = sorted[at - 1];
				order[at] = order[at - 1];
			}
			sorted[at] = k;
			order[at] = (uint8_t)i;
		}
		if ( !( sorted[0] < sorted[count - 1] ) )
		{
			continue;
		}
		double above[bvb_sah_sweep];
		box b = no_box;
		for ( uint32_t i = count; i-- > 1; )
		{
			grow( &b, items[order[i]].lower, items[order[i]].upper );
			above[i] = ( count - i ) * half_area( &b );
		}
		b = no_box;
		bool better = false;
		for ( uint32_t i = 1; i < count; ++i )
		{
			grow( &b, items[order[i - 1]].lower, items[order[i - 1]].upper );
			double both = i * half_area( &b ) + above[i];
			if ( both < best.cost && sorted[i - 1] < sorted[i] )
			{
				best = ( cut ){ both, axis, 0, i };
				better = true;
			}
		}
		if ( better )
		{
			memcpy( best_order, order, sizeof order );
		}
	}
	if ( best.cost < INFINITY )
	{
		child[0] = no_box;
		child[1] = no_box;
		for ( uint32_t i = 0; i < count; ++i )
		{
			const item* at = items + best_order[i];
			below[best_order[i]] = i < best.below;
			grow( child + ( i >= best.below ), at->lower, at->upper );
		}
	}
	return best;
}

// Two faces: all cuts between them cost the same, so that the first axis that tells them apart has it. Returns whether one does.
static bool part_two( const item* from, item* to, box child[2], places sides[2] )
{
	place a = place_of( from );
	place b = place_of( from + 1 );
	int axis = a.xy[0] != b.xy[0] ? 0 : a.xy[1] != b.xy[1] ? 1 : 2;
	double difference = along( &b, axis ) - along( &a, axis );
	int second = !( difference < 0 );
	to[!second] = from[0];
	to[second] = from[1];
	for ( int i = 0; i < 2; ++i )
	{
		child[i] = ( box ){ to[i].lower, to[i].upper };
		place p = i == second ? b : a;
		sides[i] = ( places ){ p, p };
	}
	return difference != 0;
}

static void sort_few( const item* from, uint32_t count, const uint8_t below[], const cut* c, item* to,
                      places child[2] )
{
	uint32_t next[2] = { 0, c->below };
	child[0] = no_places;
	child[1] = no_places;
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = !below[i];
		to[next[side]++] = from[i];
		add_place( child + side, place_of( from + i ) );
	}
}

static void fail( const bvb_build* build )
{
#pragma omp atomic write
	*build->failed = true;
}

// Whether `levels` more levels of halving bring `count` faces into leaves of the wanted size.
static bool fits_below( const bvb_build* build, uint32_t count, uint32_t levels )
{
	return levels >= 32 || ( (uint64_t)build->options->leaf_triangles << levels ) >= count;
}

static bool is_too_deep( const bvb_build* build, uint32_t count, uint32_t below, uint32_t levels )
{
	uint32_t more = below < count - below ? count - below : below;
	return !fits_below( build, more, levels - 1 ) && fits_below( build, count, levels );
}

static bvb_face face_at( const bvb_build* build, uint32_t index )
{
	const uint32_t* c = build->mesh->triangles[index].corner;
	const bv_vec3* p = build->mesh->positions;
	return bvb_face_of( ( bv_vec3[3] ){ p[c[0]], p[c[1]], p[c[2]] } );
}

// What a splitter needs to divide a set that is not the frame's.
typedef struct copy
{
	bvb_face* faces;
	bv_vec3* corners;
	double* keys;
	uint32_t* order;
	uint8_t* part;
} copy;

// Lets a splitter cut a set in two. Returns how many faces are below, 0 when it can't; child and places are filled.
static uint32_t cut_by_splitter( const frame* f, const item* from, uint32_t count, const box* around,
                                 bvb_split_function* split, const copy* room, item* to, box child[2],
                                 places sides[2] )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		room->faces[i] = face_at( f->build, from[i].face );
		room->order[i] = i;
	}
	bv_volume volume = { .type = bv_volume_aabb };
	volume.aabb = ( bv_aabb ){ { around->lower[0], around->lower[1], around->lower[2] },
		                       { around->upper[0], around->upper[1], around->upper[2] } };
	bvb_face_set set = {
		.build = f->build,
		.worker = bvb_build_worker( f->build ),
		.list = { room->faces, room->order, count, room->corners, f->build->node_box },
		.volume = &volume,
		.keys = room->keys,
	};
	if ( !split( &set, 2, NULL, room->part ) )
	{
		fail( f->build );
		return 0;
	}
	uint32_t next[2] = { 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		next[1] += room->part[i] == 0;
	}
	uint32_t below = next[1];
	for ( uint32_t i = 0; i < 2; ++i )
	{
		child[i] = no_box;
		sides[i] = no_places;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t side = room->part[i];
		to[next[side]++] = from[i];
		grow( child + side, from[i].lower, from[i].upper );
		add_place( sides + side, place_of( from + i ) );
	}
	return below == count ? 0 : below;
}

// Not inlined: its room must not be on the stack once for each level.
__attribute__( ( noinline ) ) static uint32_t cut_slowly( const frame* f, const item* from, uint32_t count,
                                                          const box* around, bvb_split_function* split,
                                                          item* to, box child[2], places sides[2] )
{
	if ( count < few_faces )
	{
		bvb_face faces[few_faces];
		bv_vec3 corners[3 * few_faces];
		double keys[few_faces];
		uint32_t order[few_faces];
		uint8_t part[few_faces];
		copy room = { faces, corners, keys, order, part };
		return cut_by_splitter( f, from, count, around, split, &room, to, child, sides );
	}
	bvb_arena* arena = bvb_arena_create_scratch( bvb_build_worker( f->build )->arena );
	copy room = { 0 };
	if ( arena )
	{
		room.faces = bvb_arena_allocate( arena, count, sizeof *room.faces );
		room.corners = bvb_arena_allocate( arena, 3 * (size_t)count, sizeof *room.corners );
		room.keys = bvb_arena_allocate( arena, count, sizeof *room.keys );
		room.order = bvb_arena_allocate( arena, count, sizeof *room.order );
		room.part = bvb_arena_allocate( arena, count, sizeof *room.part );
	}
	uint32_t below = 0;
	if ( room.faces && room.corners && room.keys && room.order && room.part )
	{
		below = cut_by_splitter( f, from, count, around, split, &room, to, child, sides );
	}
	else
	{
		fail( f->build );
	}
	bvb_arena_destroy( arena );
	return below;
}

// Sorts a node's faces into those of its children, in the other of the two arrays. Returns how many are in the
// first, 0 for a leaf.
static uint32_t divide( const frame* f, const task* t, box child[2], places sides[2] )
{
	const bvb_stored_node* node = f->build->tree->nodes + t->index;
	uint32_t count = node->triangles;
	uint32_t levels = f->build->options->max_depth - t->level;
	const item* from = f->items[t->side] + node->first_triangle;
	item* to = f->items[!t->side] + node->first_triangle;
	if ( count <= f->build->options->leaf_triangles || levels == 0 )
	{
		return 0;
	}
	if ( count == 2 && part_two( from, to, child, sides ) )
	{
		return 1;
	}
	uint8_t below[bvb_sah_sweep];
	bool few = count <= bvb_sah_sweep;
	grid g = { .bins = 0 };
	cut c;
	if ( few )
	{
		c = cut_between_all( from, count, below, child );
	}
	else
	{
		g = grid_of( &t->places, count );
		c = cut_bins( from, count, &g, child );
	}
	uint32_t first = c.cost < INFINITY ? c.below : 0;
	if ( first == 0 )
	{
		first = cut_slowly( f, from, count, &t->box, bvb_split_sah, to, child, sides );
	}
	else if ( !is_too_deep( f->build, count, first, levels ) )
	{
		few ? sort_few( from, count, below, &c, to, sides ) : sort_by_bins( from, count, &g, &c, to, sides );
		return first;
	}
	if ( first > 0 && is_too_deep( f->build, count, first, levels ) )
	{
		first = cut_slowly( f, from, count, &t->box, bvb_split_median, to, child, sides );
	}
	return first;
}

static void set_node( const frame* f, uint32_t index, uint32_t first, uint32_t count, const box* b )
{
	bvb_tree* tree = f->build->tree;
	float stored[6] = { b->lower[0], b->lower[1], b->lower[2], b->upper[0], b->upper[1], b->upper[2] };
	tree->nodes[index] =
		( bvb_stored_node ){ .first_triangle = first, .triangles = count, .type = bv_volume_aabb };
	memcpy( tree->volumes + (size_t)tree->stride * index, stored, sizeof stored );
}

static void make_leaf( const frame* f, const bvb_stored_node* node, int side )
{
	uint32_t first = node->first_triangle;
	for ( uint32_t i = 0; i < node->triangles; ++i )
	{
		f->build->order[first + i] = f->items[side][first + i].face;
	}
	if ( node->triangles > 1 )
	{
#pragma omp atomic write
		*f->gaps = true;
	}
}

// Builds what is below a node in nodes[free ...]: all descendants of a set of n faces have room in 2n - 2 nodes,
// so that every task knows its place beforehand.
static void build( const frame* f, const task* t )
{
	bvb_stored_node* node = f->build->tree->nodes + t->index;
	box boxes[2];
	places sides[2];
	uint32_t below = divide( f, t, boxes, sides );
	if ( below == 0 )
	{
		make_leaf( f, node, t->side );
		return;
	}
	node->first_child = t->free;
	node->children = 2;
	uint32_t first = node->first_triangle;
	uint32_t free = t->free + 2;
	for ( uint32_t i = 0; i < 2; ++i )
	{
		task child = { t->free + i, t->level + 1, free, !t->side, boxes[i], sides[i] };
		uint32_t faces = i == 0 ? below : node->triangles - below;
		set_node( f, child.index, first, faces, boxes + i );
		if ( faces == 1 )
		{
			make_leaf( f, f->build->tree->nodes + child.index, child.side );
		}
		else if ( i == 0 && faces >= task_faces )
		{
#pragma omp task firstprivate( child )
			build( f, &child );
		}
		else
		{
			build( f, &child );
		}
		first += faces;
		free += 2 * faces - 2;
	}
}

// The frame's way, with the splitter of the same name.
static bv_status build_by_frame( const bvb_build* job )
{
	bvb_hierarchy_options options = *job->options;
	options.splitter = "sah";
	bvb_build copied = *job;
	copied.options = &options;
	return bvb_build_topdown( &copied );
}

static bool is_exact( bv_vec3 p )
{
	return (double)(float)p.x == p.x && (double)(float)p.y == p.y && (double)(float)p.z == p.z;
}

bool bvb_build_sah_is_bare( const bvb_mesh* mesh, const bvb_hierarchy_options* options )
{
	bool bare = options->degree == 2 && options->volume_types == 1u << bv_volume_aabb;
	for ( uint32_t i = 0; bare && i < mesh->vertex_count; ++i )
	{
		bare = is_exact( mesh->positions[i] );
	}
	return bare;
}

// Adding 0 makes +0 of -0.
static bvb_float4 corner_of( bv_vec3 p )
{
	return ( bvb_float4 ){ (float)p.x + 0.0f, (float)p.y + 0.0f, (float)p.z + 0.0f, 0 };
}

// Makes the items and what is around all.
static void make_items( const bvb_build* job, item* items, task* root )
{
	const bvb_mesh* mesh = job->mesh;
	root->box = no_box;
	root->places = no_places;
	for ( uint32_t i = 0; i < job->count; ++i )
	{
		const uint32_t* corner = mesh->triangles[i].corner;
		bvb_float4 a = corner_of( mesh->positions[corner[0]] );
		bvb_float4 b = corner_of( mesh->positions[corner[1]] );
		bvb_float4 c = corner_of( mesh->positions[corner[2]] );
		item made;
		made.lower = bvb_least4( bvb_least4( a, b ), c );
		made.upper = bvb_greatest4( bvb_greatest4( a, b ), c );
		grow( &root->box, made.lower, made.upper );
		add_place( &root->places, place_of( &made ) );
		made.face = i;
		items[i] = made;
	}
}

// Leaves of one face each leave no gaps, but where a set can't be cut: then the nodes are in canonical order at once, and can
// stay where they are.
bv_status bvb_build_sah( const bvb_build* job )
{
	if ( !job->bare )
	{
		return build_by_frame( job );
	}
	bool stay = job->options->leaf_triangles == 1;
	bool gaps = false;
	frame f = { .build = job, .gaps = &gaps };
	for ( int i = 0; i < 2; ++i )
	{
		f.items[i] = bvb_arena_allocate( job->scratch, job->count, sizeof *f.items[i] );
	}
	if ( !f.items[0] || !f.items[1] || !bvb_build_make_room( job, stay ? job->keep : job->scratch ) )
	{
		return bv_error_memory;
	}
	task root = { .free = 1 };
	make_items( job, f.items[0], &root );
	set_node( &f, 0, 0, job->count, &root.box );
#pragma omp parallel num_threads( job->team ) if ( job->team > 1 )
#pragma omp single
	build( &f, &root );
	if ( stay && gaps )
	{
		bvb_tree_close_gaps( job->tree );
	}
	else if ( stay )
	{
		job->tree->node_count = 2 * job->count - 1;
	}
	return bv_ok;
}
