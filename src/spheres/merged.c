// Sphere trees from the leaves up, each sphere made to protrude from the shape as little as it can, by a bound that is certain. Ours; kin to
// the variational spheres of R. Wang and others, "Variational sphere set approximation for solid objects", The Visual Computer 22, 2006,
// whose measure is the volume outside.
//
// A sphere about c with the radius r protrudes from the shape by no more than r - d( c ), where d is the distance from c to the
// surface, positive inside of the shape and negative outside: the ball about c with the radius d( c ) is inside, and each point of the sphere is
// within r - d( c ) of that. (J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.5, has it for convex polyhedra, where
// it is the distance itself.) So what is to be small is the distance from c to the farthest point that is to be enclosed, less d( c ):
// one distance query for each c that is tried, and nothing is sampled. Centres are moved along the surface's normal first, into
// the shape, where large spheres lie close to flat patches, and then by steps along the axes that are halved where none helps.
//
// Leaves are the octants of the surface. Neighbours on a space-filling curve through the centres are merged where each is the other's best
// (as D. Meister, J. Bittner 2018 do with boxes), which is the one that the sphere round both protrudes least with. Centres are
// near each other also where patches are on two sides of a plate, so that a sphere comes to cover both.

#include "spheres/octree.h"

#include "base/core/vec.h"
#include "base/offline/sort.h"
#include "bvbuild/hausdorff.h"
#include "fit/sphere.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	leaves_at_least = 1024,
	leaves_at_most = 1 << 14,
	axes = 13, // supports are kept along these directions and against them
	supports = 2 * axes,
	window = 24,    // places to either side on the curve
	few = 192,      // so few are all each other's neighbours
	few_pairs = 16, // fewer than one of so many: others merge too
	halvings = 12,  // of steps
	rounds = 4,     // of looking for a farther point and moving again
	code_bits = 21,
};

#define NO_NODE UINT32_MAX

// What rounding may take from a sphere, in units of its radius and of coordinates.
static const double slack = 0x1p-48;

typedef struct node
{
	uint32_t child[2]; // NO_NODE twice for a leaf
	uint32_t cell;     // of a leaf: that of the octree
	uint32_t first;    // leaves below: a list through `next`
	uint32_t last;
	uint32_t height;
	uint32_t support[supports]; // points that reach farthest
	bv_vec3 center;
	double radius; // round all points below
	double depth;  // d( center ): distance to the surface, negative outside
} node;

// What each thread asks for distances.
typedef struct probe
{
	bvb_arena* arena;
	bvb_hausdorff_target* target;
	bv_status status;
} probe;

typedef struct merging
{
	const bvb_mesh* mesh;
	const bvb_octree* octree;
	const bvb_winding* winding;
	int team;
	bv_vec3* points;       // corners of the pieces, leaf by leaf
	uint32_t* first_point; // of each leaf, and the end
	bv_vec3* normal;       // of each leaf, not of unit length
	uint32_t* next;        // of each leaf
	node* nodes;
	uint32_t leaf_count;
	uint32_t node_count;
	uint32_t* part; // nodes without a parent, in the order of the curve
	uint32_t part_count;
	uint32_t* partner; // of each part, by place
	uint32_t* merged;  // of each part
	bvb_sort_entry* entries;
	bvb_sort_entry* other;
} merging;

static const bv_vec3 directions[axes] = {
	{ 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 },  { 1, -1, 0 }, { 1, 0, 1 },  { 1, 0, -1 },
	{ 0, 1, 1 }, { 0, 1, -1 }, { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, 1 }, { -1, 1, 1 },
};

static double distance( bv_vec3 a, bv_vec3 b )
{
	bv_vec3 d = bv_sub( a, b );
	return sqrt( bv_dot( d, d ) );
}

// A centre that is tried.
typedef struct trial
{
	bv_vec3 center;
	double depth;
	double error; // distance of the farthest point less depth
} trial;

// @param near    a centre whose depth is known: where no triangle is between, both are on one side; may be null
// @param wanted  where it is not deeper than this, it does not matter on which side it is
static double depth_of( const merging* m, probe* p, bv_vec3 center, const trial* near, double wanted )
{
	bvb_hausdorff_options options = bvb_hausdorff_options_default();
	bvb_hausdorff found;
	bv_sphere point = { center, 0 };
	options.relative = 0;
	bv_status status = bvb_hausdorff_sphere( p->target, &point, &options, &found );
	if ( status != bv_ok )
	{
		p->status = p->status == bv_ok ? status : p->status;
		return 0;
	}
	if ( found.lower <= wanted )
	{
		return -found.upper;
	}
	bool beside = near && distance( near->center, center ) < fabs( near->depth );
	bool inside = beside ? near->depth > 0 : bvb_winding_number( m->winding, center ) >= 0.5;
	return inside ? found.lower : -found.upper;
}

// The farthest of a node's points, and how far it is.
static double reach_of_all( const merging* m, const node* n, bv_vec3 center, uint32_t* farthest )
{
	double square = -1;
	for ( uint32_t leaf = n->first; leaf != NO_NODE; leaf = leaf == n->last ? NO_NODE : m->next[leaf] )
	{
		for ( uint32_t i = m->first_point[leaf]; i < m->first_point[leaf + 1]; ++i )
		{
			bv_vec3 d = bv_sub( m->points[i], center );
			double s = bv_dot( d, d );
			*farthest = s > square ? i : *farthest;
			square = bv_max( square, s );
		}
	}
	return sqrt( square );
}

static double reach_of( const bv_vec3* points, uint32_t count, bv_vec3 center )
{
	double square = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], center );
		square = bv_max( square, bv_dot( d, d ) );
	}
	return sqrt( square );
}

static trial try_center( const merging* m, probe* p, const bv_vec3* points, uint32_t count, bv_vec3 center,
                         const trial* near )
{
	double reach = reach_of( points, count, center );
	double depth = depth_of( m, p, center, near, near ? reach - near->error : -INFINITY );
	return ( trial ){ center, depth, reach - depth };
}

static bool improve( const merging* m, probe* p, const bv_vec3* points, uint32_t count, bv_vec3 center,
                     trial* best )
{
	// The depth can't grow by more than the way.
	double bound = reach_of( points, count, center ) - best->depth - distance( center, best->center );
	if ( bound >= best->error )
	{
		return false;
	}
	trial t = try_center( m, p, points, count, center, best );
	bool better = t.error < best->error;
	*best = better ? t : *best;
	return better;
}

// Steps along a line that double as long as they help.
static void slide( const merging* m, probe* p, const bv_vec3* points, uint32_t count, bv_vec3 direction,
                   double step, trial* best )
{
	for ( int side = -1; side <= 1; side += 2 )
	{
		bv_vec3 from = best->center;
		for ( double s = side * step;
		      improve( m, p, points, count, bv_add( from, bv_scale( s, direction ) ), best ); s *= 2 )
		{
		}
	}
}

static void settle( const merging* m, probe* p, const bv_vec3* points, uint32_t count, double step,
                    trial* best )
{
	for ( int i = 0; i < halvings; ++i, step *= 0.5 )
	{
		for ( bool moved = true; moved; )
		{
			moved = false;
			for ( int k = 0; k < 6; ++k )
			{
				double s = k < 3 ? step : -step;
				bv_vec3 way = { k % 3 == 0 ? s : 0, k % 3 == 1 ? s : 0, k % 3 == 2 ? s : 0 };
				trial before = *best;
				bool better = improve( m, p, points, count, bv_add( best->center, way ), best );
				moved = moved || ( better && best->error < before.error - 1e-3 * fabs( before.error ) );
			}
		}
	}
}

static bv_vec3 center_of_least_ball( const bv_vec3* points, uint32_t count )
{
	bvb_ball ball = { .support_count = 0 };
	bvb_least_ball( points, count, &ball );
	return bv_add( ball.origin, ball.center );
}

// Finds a node's sphere, from several centres to begin with.
static void place( const merging* m, probe* p, node* n, const bv_vec3* starts, uint32_t start_count,
                   bv_vec3 normal )
{
	bv_vec3 points[supports + rounds];
	uint32_t count = supports;
	for ( uint32_t i = 0; i < supports; ++i )
	{
		points[i] = m->points[n->support[i]];
	}
	bv_vec3 middle = center_of_least_ball( points, supports );
	double size = reach_of( points, supports, middle );
	double length = sqrt( bv_dot( normal, normal ) );
	trial best = try_center( m, p, points, count, middle, NULL );
	for ( uint32_t i = 0; i < start_count; ++i )
	{
		improve( m, p, points, count, starts[i], &best );
	}
	for ( int i = 0; i < rounds; ++i )
	{
		if ( length > 0 && size > 0 )
		{
			slide( m, p, points, count, bv_scale( 1 / length, normal ), 0.25 * size, &best );
		}
		settle( m, p, points, count, 0.25 * ( size + fabs( best.depth ) ), &best );

		// All points, of which supports are only some.
		uint32_t farthest = n->support[0];
		n->radius = reach_of_all( m, n, best.center, &farthest );
		if ( n->radius - best.depth <= best.error * ( 1 + 1e-3 ) || i + 1 == rounds )
		{
			break;
		}
		points[count++] = m->points[farthest];
		best.error = reach_of( points, count, best.center ) - best.depth;
	}
	n->center = best.center;
	n->depth = best.depth;
	n->radius += slack * ( n->radius + bv_norm1( n->center ) );
}

static void add_support( const merging* m, node* n, uint32_t point, bool first )
{
	for ( int k = 0; k < axes; ++k )
	{
		double at = bv_dot( directions[k], m->points[point] );
		bool high = first || at > bv_dot( directions[k], m->points[n->support[2 * k]] );
		bool low = first || at < bv_dot( directions[k], m->points[n->support[2 * k + 1]] );
		n->support[2 * k] = high ? point : n->support[2 * k];
		n->support[2 * k + 1] = low ? point : n->support[2 * k + 1];
	}
}

static void make_leaf( const merging* m, probe* p, uint32_t leaf )
{
	node* n = m->nodes + leaf;
	n->child[0] = n->child[1] = NO_NODE;
	n->first = n->last = leaf;
	n->height = 0;
	for ( uint32_t i = m->first_point[leaf]; i < m->first_point[leaf + 1]; ++i )
	{
		add_support( m, n, i, i == m->first_point[leaf] );
	}
	place( m, p, n, NULL, 0, m->normal[leaf] );
}

static void join( merging* m, uint32_t a, uint32_t b )
{
	node* n = m->nodes + m->node_count++;
	const node* left = m->nodes + a;
	const node* right = m->nodes + b;
	*n = ( node ){ .child = { a, b }, .first = left->first, .last = right->last };
	n->height = 1 + ( left->height > right->height ? left->height : right->height );
	m->next[left->last] = right->first;
	memcpy( n->support, left->support, sizeof n->support );
	for ( int k = 0; k < supports; ++k )
	{
		add_support( m, n, right->support[k], false );
	}
}

static void place_joined( const merging* m, probe* p, uint32_t index )
{
	node* n = m->nodes + index;
	const node* a = m->nodes + n->child[0];
	const node* b = m->nodes + n->child[1];
	const bv_vec3 starts[] = { a->center, b->center, bv_scale( 0.5, bv_add( a->center, b->center ) ) };
	place( m, p, n, starts, 3, bv_sub( b->center, a->center ) );
}

// How far the sphere round both would protrude at least, of those about three centres; beyond `most` that is all that is known.
static double cost_of( const merging* m, probe* p, const node* a, const node* b, double most )
{
	bv_vec3 points[2 * supports];
	for ( int i = 0; i < supports; ++i )
	{
		points[i] = m->points[a->support[i]];
		points[supports + i] = m->points[b->support[i]];
	}
	double cost = reach_of( points, 2 * supports, a->center ) - a->depth;
	cost = bv_min( cost, reach_of( points, 2 * supports, b->center ) - b->depth );
	bv_vec3 middle = bv_scale( 0.5, bv_add( a->center, b->center ) );
	double reach = reach_of( points, 2 * supports, middle );
	double deepest = bv_min( a->depth, b->depth ) + 0.5 * distance( a->center, b->center );
	if ( reach - deepest < bv_min( cost, most ) )
	{
		trial near = { a->center, a->depth, 0 };
		cost = bv_min( cost, reach - depth_of( m, p, middle, &near, reach - cost ) );
	}
	return cost;
}

static uint64_t code_of( bv_vec3 p )
{
	uint64_t x = (uint64_t)p.x;
	uint64_t y = (uint64_t)p.y;
	uint64_t z = (uint64_t)p.z;
	uint64_t code = 0;
	for ( int bit = code_bits - 1; bit >= 0; --bit )
	{
		code = code << 3 | ( x >> bit & 1 ) << 2 | ( y >> bit & 1 ) << 1 | ( z >> bit & 1 );
	}
	return code;
}

static void sort_parts( merging* m )
{
	bv_vec3 lower = m->nodes[m->part[0]].center;
	bv_vec3 upper = lower;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		lower = bv_least( lower, m->nodes[m->part[i]].center );
		upper = bv_greatest( upper, m->nodes[m->part[i]].center );
	}
	bv_vec3 size = bv_sub( upper, lower );
	double longest = bv_max( size.x, bv_max( size.y, size.z ) );
	double scale = longest > 0 ? ( ( 1 << code_bits ) - 1 ) / longest : 0;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		bv_vec3 at = bv_scale( scale, bv_sub( m->nodes[m->part[i]].center, lower ) );
		m->entries[i] = ( bvb_sort_entry ){ code_of( at ), m->part[i] };
	}
	bvb_sort( m->entries, m->other, m->part_count );
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		m->part[i] = m->entries[i].value;
	}
}

static uint32_t best_partner( const merging* m, probe* p, uint32_t i )
{
	uint32_t radius = m->part_count <= few ? few : window;
	uint32_t from = i < radius ? 0 : i - radius;
	uint32_t to = m->part_count - i <= radius ? m->part_count - 1 : i + radius;
	double least = INFINITY;
	uint32_t best = i == from ? to : from;
	for ( uint32_t k = from; k <= to; ++k )
	{
		const node* a = m->nodes + m->part[i < k ? i : k];
		const node* b = m->nodes + m->part[i < k ? k : i];
		double cost = k == i ? INFINITY : cost_of( m, p, a, b, least );
		best = cost < least ? k : best;
		least = bv_min( least, cost );
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
static uint32_t pair_up( const merging* m, bool all )
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
static bool are_low_enough( const merging* m, uint32_t pairs, uint32_t max_depth )
{
	uint32_t highest = 0;
	for ( uint32_t i = 0; i < m->part_count; ++i )
	{
		uint32_t height = m->nodes[m->part[i]].height + ( m->merged[i] != NO_NODE );
		highest = height > highest ? height : highest;
	}
	return highest + levels_for( m->part_count - pairs ) <= max_depth;
}

static void choose_pairs( merging* m, uint32_t max_depth )
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

static uint32_t merge_pairs( merging* m )
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

static bool begin_probe( const merging* m, bvb_arena* owner, probe* p )
{
	bvb_error error;
	*p = ( probe ){ .arena = bvb_arena_create_scratch( owner ), .status = bv_error_memory };
	if ( p->arena )
	{
		p->status = bvb_hausdorff_target_create( m->mesh, NULL, 0, p->arena, &p->target, &error );
	}
	return p->status == bv_ok;
}

static void merge_all( merging* m, probe* probes, uint32_t max_depth )
{
	while ( m->part_count > 1 )
	{
		int64_t count = m->part_count;
		sort_parts( m );
#pragma omp parallel num_threads( m->team ) if ( m->team > 1 )
		{
			probe* own = probes + omp_get_thread_num();
#pragma omp for schedule( dynamic, 8 )
			for ( int64_t i = 0; i < count; ++i )
			{
				m->partner[i] = best_partner( m, own, (uint32_t)i );
			}
		}
		choose_pairs( m, max_depth );
		int64_t first = merge_pairs( m );
		int64_t end = m->node_count;
#pragma omp parallel num_threads( m->team ) if ( m->team > 1 )
		{
			probe* own = probes + omp_get_thread_num();
#pragma omp for schedule( dynamic, 4 )
			for ( int64_t i = first; i < end; ++i )
			{
				place_joined( m, own, (uint32_t)i );
			}
		}
	}
}

static void make_leaves( merging* m, probe* probes )
{
	int64_t count = m->leaf_count;
#pragma omp parallel num_threads( m->team ) if ( m->team > 1 )
	{
		probe* own = probes + omp_get_thread_num();
#pragma omp for schedule( dynamic, 4 )
		for ( int64_t i = 0; i < count; ++i )
		{
			make_leaf( m, own, (uint32_t)i );
		}
	}
	for ( uint32_t i = 0; i < m->leaf_count; ++i )
	{
		m->part[i] = i;
	}
	m->part_count = m->leaf_count;
	m->node_count = m->leaf_count;
}

// Twice the area of a piece along its normal.
static bv_vec3 normal_of( const bvb_piece* piece )
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

static bool list_leaves( merging* m, bvb_arena* arena )
{
	const bvb_octree* o = m->octree;
	size_t most = 0;
	for ( uint32_t i = 0; i < o->cell_count; ++i )
	{
		m->leaf_count += o->cells[i].children == 0;
		most += o->cells[i].children == 0 ? (size_t)bvb_piece_corners * o->cells[i].faces : 0;
	}
	size_t nodes = 2 * (size_t)m->leaf_count - 1;
	m->points = most < UINT32_MAX ? bvb_arena_allocate_unset( arena, most, sizeof *m->points ) : NULL;
	m->first_point = bvb_arena_allocate( arena, m->leaf_count + 1u, sizeof *m->first_point );
	m->normal = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->normal );
	m->next = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->next );
	m->nodes = bvb_arena_allocate( arena, nodes, sizeof *m->nodes );
	m->part = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->part );
	m->partner = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->partner );
	m->merged = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->merged );
	m->entries = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->entries );
	m->other = bvb_arena_allocate( arena, m->leaf_count, sizeof *m->other );
	if ( !m->points || !m->first_point || !m->normal || !m->next || !m->nodes || !m->part || !m->partner ||
	     !m->merged || !m->entries || !m->other )
	{
		return false;
	}
	uint32_t leaf = 0;
	uint32_t points = 0;
	for ( uint32_t i = 0; i < o->cell_count; ++i )
	{
		const bvb_octree_cell* cell = o->cells + i;
		for ( uint32_t k = 0; cell->children == 0 && k < cell->faces; ++k )
		{
			bvb_piece piece;
			bvb_piece_of_face( m->mesh, o->face[cell->first_face + k], &cell->box, &piece );
			memcpy( m->points + points, piece.corner, piece.count * sizeof *piece.corner );
			points += piece.count;
			m->normal[leaf] = bv_add( m->normal[leaf], normal_of( &piece ) );
		}
		if ( cell->children == 0 )
		{
			m->nodes[leaf++].cell = i;
			m->first_point[leaf] = points;
		}
	}
	return true;
}

// From the root, level by level.
static bv_status hand_over( const merging* m, bvb_arena* arena, bvb_sphere_tree* out )
{
	uint32_t* from = bvb_arena_allocate( arena, m->node_count, sizeof *from );
	uint32_t faces = 0;
	for ( uint32_t i = 0; i < m->leaf_count; ++i )
	{
		faces += m->octree->cells[m->nodes[i].cell].faces;
	}
	*out = ( bvb_sphere_tree ){ .node_count = 1 };
	out->nodes = bvb_arena_allocate( arena, m->node_count, sizeof *out->nodes );
	out->face = bvb_arena_allocate( arena, faces, sizeof *out->face );
	if ( !from || !out->nodes || !out->face )
	{
		return bv_error_memory;
	}
	from[0] = m->node_count - 1;
	for ( uint32_t i = 0; i < out->node_count; ++i )
	{
		const node* n = m->nodes + from[i];
		bvb_sphere_node* to = out->nodes + i;
		*to = ( bvb_sphere_node ){ .sphere = { n->center, n->radius } };
		if ( n->child[0] != NO_NODE )
		{
			to->first_child = out->node_count;
			to->children = 2;
			from[out->node_count++] = n->child[0];
			from[out->node_count++] = n->child[1];
			continue;
		}
		const bvb_octree_cell* cell = m->octree->cells + n->cell;
		to->first_face = out->face_count;
		to->faces = cell->faces;
		memcpy( out->face + out->face_count, m->octree->face + cell->first_face,
		        cell->faces * sizeof *out->face );
		out->face_count += cell->faces;
	}
	return bv_ok;
}

bv_status bvb_spheres_merged( const bvb_mesh* mesh, const bvb_sphere_options* options, bvb_arena* arena,
                              bvb_sphere_tree* out )
{
	uint32_t most = mesh->triangle_count < leaves_at_least  ? leaves_at_least
	                : mesh->triangle_count > leaves_at_most ? leaves_at_most
	                                                        : mesh->triangle_count;
	most = options->max_depth < 14 && most > 1u << options->max_depth ? 1u << options->max_depth : most;
	bvb_octree octree;
	bvb_winding* winding;
	bvb_error error;
	merging m = { .mesh = mesh, .octree = &octree, .team = options->team };
	bv_status status = bvb_octree_create_even( mesh, options->max_depth, most, arena, &octree );
	status = status == bv_ok ? bvb_winding_create( mesh, arena, &winding, &error ) : status;
	probe* probes = bvb_arena_allocate( arena, (size_t)options->team, sizeof *probes );
	status = status == bv_ok && ( !probes || !list_leaves( &m, arena ) ) ? bv_error_memory : status;
	if ( status != bv_ok )
	{
		return status;
	}
	m.winding = winding;
	for ( int i = 0; i < options->team; ++i )
	{
		status = begin_probe( &m, arena, probes + i ) ? status : bv_error_memory;
	}
	if ( status == bv_ok )
	{
		make_leaves( &m, probes );
		merge_all( &m, probes, options->max_depth );
		status = hand_over( &m, arena, out );
	}
	for ( int i = 0; i < options->team; ++i )
	{
		status = status == bv_ok ? probes[i].status : status;
		bvb_arena_destroy( probes[i].arena );
	}
	return status;
}
