// Sphere trees from an adaptive medial axis. Only the abstract and summaries of the papers were available,
// and the manual of the authors' toolkit of 2003. Numbers are from the manual where it has them.
//
// From the papers: the tree is made from the root down. Each sphere represents a part of the surface. The
// medial axis around that part is refined until its spheres protrude by at most a share of the parent's
// protrusion, and there are enough of them (medial_axis.c). They are reduced to the eight children by
// merging, by bursting and by expanding; the result with the smallest error is used (reduce.c). Each point of
// the part goes to one of the children and belongs to that child's part. The axis begins with a thousand
// spheres, each part has at least two hundred, and errors halve from level to level. The toolkit's
// optimizers, which move spheres afterwards, are not implemented.
//
// Differences: instead of points, pieces of faces cut by an octree are covered, so that no surface is
// omitted. They are grouped by octants if there are more than a thousand. A piece goes to the child with the
// smallest error for it, and the child's sphere is as large as its pieces require. The parent's center is a
// candidate, so that no child has to protrude more. Where no medial sphere is suitable, as on open sheets and
// thin parts, spheres about points of the surface are candidates, those of the worst covered points first.
// Where one sphere is best for all pieces, or at deep levels, pieces are divided along the octree's curve,
// each run with its best sphere. The last eight or fewer pieces become one leaf each. Voronoi diagrams are
// made incrementally, as in the papers, in exact arithmetic (src/offline/hull/tetrahedra.c). qhull would have
// to compute them again for all samples each time, and its trees may differ from machine to machine.
//
// Based on: G. Bradshaw, C. O'Sullivan, "Adaptive medial-axis approximation for sphere-tree construction",
// ACM Transactions on Graphics 23(1), 2004; "Sphere-tree construction using dynamic medial axis
// approximation", SCA 2002.

#include "offline/literature/spheres/medial_axis.h"
#include "offline/literature/spheres/reduce.h"
#include "offline/literature/spheres/sphere_tree.h"

#include "offline/base/sort.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	children_most = 8,
	root_spheres = 1000,
	least_spheres = 200,
	most_spheres = 1200, // that are reduced at a time
	most_patches = 1024,
	asked_edges = 1 << 22, // of open meshes: each sphere's center asks for all open edges
	fewest_samples = 256,
	directions = 13, // large patches keep the points that are farthest along these and against them
	patch_points = 2 * directions,
	surface_spheres = 64, // about points of the surface, at a time
	most_samples = 1 << 14,
	samples_at_a_time = 100,
	reduced_levels = 10, // below them pieces are divided along the curve
};

#define NONE UINT32_MAX

// By how much errors fall from a level to the next.
static const double error_factor = 2;

// So little of an error, or of a sphere's radius, is not worth to be asked for.
static const double negligible = 0x1p-8;

// Of the box's diagonal: spheres that protrude by less are good enough.
static const double error_floor = 0x1p-13;

typedef struct adaptive_medial_node
{
	bv_sphere sphere;
	double depth;   // of the center
	double error;   // radius less depth
	uint32_t first; // its pieces are a range of tree.order
	uint32_t pieces;
	uint32_t first_child;
	uint32_t children;
} adaptive_medial_node;

// What each thread has.
typedef struct adaptive_medial_worker
{
	bvb_arena* lasting;
	bvb_arena* scratch;
	bvlit_depth_probe probe;
} adaptive_medial_worker;

// The children that a node is to have.
typedef struct adaptive_medial_division
{
	bv_vec3 center[children_most];
	double depth[children_most];
	uint32_t count;
} adaptive_medial_division;

typedef struct tree
{
	const bvb_mesh* mesh;
	bvlit_face_pieces pieces;
	uint64_t* code;  // of each piece: the way to its octree cell, three bits a level
	uint32_t* order; // pieces, by node
	uint32_t* other; // room for as many
	uint8_t* child;  // of each place of the order: to which child it goes
	uint32_t* owner; // of each piece: the node
	bvlit_medial_axis axis;
	uint32_t* first_place; // of each node of a level, and the end
	uint32_t* places;      // of inner spheres, by the node whose pieces they touch
	adaptive_medial_node* nodes;
	uint32_t node_count;
	uint32_t max_depth;
	uint32_t most_samples;
	double floor;
	adaptive_medial_worker* workers;
	int team;
	bool failed;
} tree;

// What is reduced for one node.
typedef struct problem
{
	const tree* t;
	const adaptive_medial_node* n;
	adaptive_medial_worker* w;
	bvlit_reducible set;
	bv_vec3* center;
	double* depth;
	bv_vec3* points;
	uint32_t* first_point;
	bvlit_error_table table;
} problem;

static bool is_divided( const tree* t, const adaptive_medial_node* n, uint32_t depth )
{
	return n->pieces > 1 && depth < t->max_depth;
}

// The patches: pieces, or where there are too many those of octants as large as need be.

static uint32_t count_octants( const problem* p, int shift )
{
	const uint32_t* order = p->t->order + p->n->first;
	uint32_t count = 1;
	for ( uint32_t i = 1; i < p->n->pieces; ++i )
	{
		count += p->t->code[order[i]] >> shift != p->t->code[order[i - 1]] >> shift;
	}
	return count;
}

// The points that reach farthest in some directions, in the order they are in.
static uint32_t thin_out( bv_vec3* points, uint32_t count )
{
	static const bv_vec3 along[directions] = {
		{ 1, 0, 0 }, { 0, 1, 0 },  { 0, 0, 1 }, { 1, 1, 0 },  { 1, -1, 0 }, { 1, 0, 1 },  { 1, 0, -1 },
		{ 0, 1, 1 }, { 0, 1, -1 }, { 1, 1, 1 }, { 1, 1, -1 }, { 1, -1, 1 }, { -1, 1, 1 },
	};
	uint32_t kept[patch_points];
	for ( int k = 0; k < patch_points; ++k )
	{
		bv_vec3 way = bv_scale( k % 2 ? -1 : 1, along[k / 2] );
		kept[k] = 0;
		for ( uint32_t i = 1; i < count; ++i )
		{
			kept[k] = bv_dot( way, points[i] ) > bv_dot( way, points[kept[k]] ) ? i : kept[k];
		}
	}
	uint32_t left = bvbase_sort_unique( kept, patch_points );
	for ( uint32_t k = 0; k < left; ++k )
	{
		points[k] = points[kept[k]];
	}
	return left;
}

static bool make_patches( problem* p )
{
	const tree* t = p->t;
	const uint32_t* order = t->order + p->n->first;
	bool single = p->n->pieces <= most_patches;
	int shift = 0;
	while ( !single && count_octants( p, shift ) > most_patches )
	{
		shift += 3;
	}
	uint32_t most = 0;
	for ( uint32_t i = 0; i < p->n->pieces; ++i )
	{
		most += bvlit_corner_count( &t->pieces, order[i] );
	}
	p->points = bvbase_arena_allocate_unset( p->w->scratch, most, sizeof *p->points );
	p->first_point = bvb_arena_allocate( p->w->scratch, most_patches + 1u, sizeof *p->first_point );
	if ( !p->points || !p->first_point )
	{
		return false;
	}
	uint32_t patches = 0;
	uint32_t count = 0;
	for ( uint32_t i = 0; i < p->n->pieces; ++i )
	{
		uint32_t corners = bvlit_corner_count( &t->pieces, order[i] );
		memcpy( p->points + count, t->pieces.corners + t->pieces.first_corner[order[i]],
		        corners * sizeof *p->points );
		count += corners;
		bool last = i + 1 == p->n->pieces;
		if ( last || single || t->code[order[i]] >> shift != t->code[order[i + 1]] >> shift )
		{
			uint32_t first = p->first_point[patches];
			count =
				count - first > patch_points ? first + thin_out( p->points + first, count - first ) : count;
			p->first_point[++patches] = count;
		}
	}
	p->set.points = p->points;
	p->set.first_point = p->first_point;
	p->set.patch_count = patches;
	return true;
}

// The spheres to choose from: the parent's own, so that no child has to protrude more; medial ones, of more
// than there may be every so many; then some on the surface.

static bool take_medial_spheres( problem* p, const uint32_t* places, uint32_t count )
{
	uint32_t taken = count < most_spheres ? count : most_spheres;
	p->center = bvb_arena_allocate( p->w->scratch, taken + 1 + surface_spheres, sizeof *p->center );
	p->depth = bvb_arena_allocate( p->w->scratch, taken + 1 + surface_spheres, sizeof *p->depth );
	if ( !p->center || !p->depth )
	{
		return false;
	}
	p->center[0] = p->n->sphere.center;
	p->depth[0] = p->n->depth;
	for ( uint32_t i = 0; i < taken; ++i )
	{
		const bvlit_medial_sphere* s = p->t->axis.spheres + places[(uint64_t)i * count / taken];
		p->center[i + 1] = s->center;
		p->depth[i + 1] = s->depth;
	}
	p->set.center = p->center;
	p->set.depth = p->depth;
	p->set.sphere_count = taken + 1;
	return true;
}

static bv_vec3 middle_of_patch( const problem* p, uint32_t patch )
{
	bv_vec3 sum = { 0, 0, 0 };
	uint32_t count = p->first_point[patch + 1] - p->first_point[patch];
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum = bv_add( sum, bv_scale( 1.0 / count, p->points[p->first_point[patch] + i] ) );
	}
	return sum;
}

// Until all patches are covered well enough, or where that is no help.
static bool take_surface_spheres( problem* p )
{
	uint32_t patches = p->set.patch_count;
	double* least = bvb_arena_allocate( p->w->scratch, patches, sizeof *least );
	if ( !least || bvlit_error_table_create( &p->set, surface_spheres, p->w->scratch, &p->table ) != bv_ok )
	{
		return false;
	}
	for ( uint32_t k = 0; k < patches; ++k )
	{
		least[k] = INFINITY;
		for ( uint32_t s = 0; s < p->set.sphere_count; ++s )
		{
			least[k] = bvmath_min( least[k], p->table.error[(size_t)s * patches + k] );
		}
	}
	for ( int i = 0; i < surface_spheres; ++i )
	{
		uint32_t worst = 0;
		for ( uint32_t k = 1; k < patches; ++k )
		{
			worst = least[k] > least[worst] ? k : worst;
		}
		if ( least[worst] <= bvmath_max( p->n->error / error_factor, p->t->floor ) )
		{
			break;
		}
		uint32_t s = p->set.sphere_count;
		p->center[s] = middle_of_patch( p, worst );
		p->depth[s] = bvlit_depth_of( &p->w->probe, p->center[s], negligible * least[worst] );
		const double* row = bvlit_error_table_add( &p->set, &p->table, s );
		if ( row[worst] >= least[worst] )
		{
			break;
		}
		p->set.sphere_count += 1;
		for ( uint32_t k = 0; k < patches; ++k )
		{
			least[k] = bvmath_min( least[k], row[k] );
		}
	}
	return true;
}

// @return how many children have pieces
static uint32_t assign( const problem* p, const adaptive_medial_division* d )
{
	const tree* t = p->t;
	uint32_t used = 0;
	bool has[children_most] = { false };
	for ( uint32_t i = p->n->first; i < p->n->first + p->n->pieces; ++i )
	{
		double least = INFINITY;
		t->child[i] = 0;
		for ( uint32_t k = 0; k < d->count; ++k )
		{
			double error = bvlit_reach_of_piece( &t->pieces, t->order[i], d->center[k] ) - d->depth[k];
			t->child[i] = error < least ? (uint8_t)k : t->child[i];
			least = bvmath_min( least, error );
		}
		used += !has[t->child[i]];
		has[t->child[i]] = true;
	}
	return used;
}

static double reach_of_run( const tree* t, uint32_t first, uint32_t end, bv_vec3 center, double most )
{
	double reach = 0;
	for ( uint32_t i = first; i < end && reach < most; ++i )
	{
		reach = bvmath_max( reach, bvlit_reach_of_piece( &t->pieces, t->order[i], center ) );
	}
	return reach;
}

static bool place_run( const problem* p, uint32_t first, uint32_t end, uint32_t k,
                       adaptive_medial_division* out )
{
	const tree* t = p->t;
	uint32_t count = 0;
	for ( uint32_t i = first; i < end; ++i )
	{
		count += bvlit_corner_count( &t->pieces, t->order[i] );
	}
	bv_vec3* points = bvbase_arena_allocate_unset( p->w->scratch, count, sizeof *points );
	if ( !points )
	{
		return false;
	}
	count = 0;
	for ( uint32_t i = first; i < end; ++i )
	{
		uint32_t corners = bvlit_corner_count( &t->pieces, t->order[i] );
		memcpy( points + count, t->pieces.corners + t->pieces.first_corner[t->order[i]],
		        corners * sizeof *points );
		count += corners;
		t->child[i] = (uint8_t)k;
	}
	double error = INFINITY;
	for ( uint32_t s = 0; s < p->set.sphere_count; ++s )
	{
		double reach = reach_of_run( t, first, end, p->center[s], error + p->depth[s] );
		if ( reach - p->depth[s] < error )
		{
			error = reach - p->depth[s];
			out->center[k] = p->center[s];
			out->depth[k] = p->depth[s];
		}
	}
	bv_sphere least = bvlit_least_sphere( points, count );
	double wanted = bvmath_max( least.radius - error, negligible * least.radius );
	double depth = bvlit_depth_of( &p->w->probe, least.center, wanted );
	if ( least.radius - depth < error )
	{
		out->center[k] = least.center;
		out->depth[k] = depth;
	}
	return true;
}

static bool divide_along_curve( const problem* p, adaptive_medial_division* out )
{
	uint64_t pieces = p->n->pieces;
	out->count = pieces < children_most ? (uint32_t)pieces : children_most;
	bool done = true;
	for ( uint32_t k = 0; k < out->count && done; ++k )
	{
		uint32_t first = p->n->first + (uint32_t)( k * pieces / out->count );
		uint32_t end = p->n->first + (uint32_t)( ( k + 1 ) * pieces / out->count );
		done = place_run( p, first, end, k, out );
	}
	return done;
}

static bool reduce( problem* p, adaptive_medial_division* out )
{
	bvlit_reduced left;
	if ( !make_patches( p ) || !take_surface_spheres( p ) ||
	     bvlit_reduce_best( &p->set, &p->table, children_most, p->w->scratch, &left ) != bv_ok )
	{
		return false;
	}
	out->count = left.count;
	memcpy( out->center, left.center, sizeof left.center );
	memcpy( out->depth, left.depth, sizeof left.depth );
	return assign( p, out ) > 1 || divide_along_curve( p, out );
}

static bool divide( tree* t, adaptive_medial_worker* w, const adaptive_medial_node* n, uint32_t depth,
                    const uint32_t* places, uint32_t count, adaptive_medial_division* out )
{
	problem p = { .t = t, .n = n, .w = w };
	p.set.depth_of = bvlit_depth_of;
	p.set.context = &w->probe;
	bvbase_arena_reset( w->scratch );
	return take_medial_spheres( &p, places, count ) &&
	       ( n->pieces > children_most && depth < reduced_levels ? reduce( &p, out )
	                                                             : divide_along_curve( &p, out ) );
}

// Which inner spheres touch pieces of which node of a level.

// The nodes among begin .. end - 1 whose pieces a sphere touches, each once.
static int touched_nodes( const tree* t, uint32_t place, uint32_t begin, uint32_t end, uint32_t out[4] )
{
	int count = 0;
	for ( int k = 0; k < 4; ++k )
	{
		uint32_t owner = t->owner[t->axis.piece[t->axis.diagram.cells[place].corner[k]]];
		bool listed = owner < begin || owner >= end;
		for ( int i = 0; i < count; ++i )
		{
			listed = listed || out[i] == owner;
		}
		if ( !listed )
		{
			out[count++] = owner;
		}
	}
	return count;
}

static bool is_inner( const tree* t, uint32_t place )
{
	return t->axis.diagram.cells[place].alive && t->axis.spheres[place].inside;
}

static void list_places( tree* t, uint32_t begin, uint32_t end )
{
	uint32_t touched[4];
	memset( t->first_place, 0, ( end - begin + 1 ) * sizeof *t->first_place );
	for ( uint32_t i = 0; i < t->axis.diagram.cell_count; ++i )
	{
		int count = is_inner( t, i ) ? touched_nodes( t, i, begin, end, touched ) : 0;
		for ( int k = 0; k < count; ++k )
		{
			t->first_place[touched[k] - begin] += 1;
		}
	}
	// Where each list ends; filling it from there leaves where it begins.
	for ( uint32_t i = 1; i <= end - begin; ++i )
	{
		t->first_place[i] += t->first_place[i - 1];
	}
	for ( uint32_t i = t->axis.diagram.cell_count; i-- > 0; )
	{
		int count = is_inner( t, i ) ? touched_nodes( t, i, begin, end, touched ) : 0;
		for ( int k = 0; k < count; ++k )
		{
			t->places[--t->first_place[touched[k] - begin]] = i;
		}
	}
}

static uint32_t least_of( uint32_t a, uint32_t b )
{
	return a < b ? a : b;
}

// The axis about all nodes of a level, one after the other. What samples there may be yet are shared among
// them.
static void refine( tree* t, uint32_t begin, uint32_t end, uint32_t depth )
{
	for ( uint32_t i = begin; i < end; ++i )
	{
		const adaptive_medial_node* n = t->nodes + i;
		uint32_t left = t->most_samples - ( t->axis.diagram.point_count - bvhull_far_points );
		uint32_t share = left / ( end - i );
		bvlit_refinement r = {
			.owner = t->owner,
			.region = i,
			.members = t->order + n->first,
			.member_count = n->pieces,
			.places = t->places + t->first_place[i - begin],
			.place_count = t->first_place[i - begin + 1] - t->first_place[i - begin],
			.error = n->error / error_factor,
			.least_error = t->floor,
			.least_spheres = i == 0 ? root_spheres : least_spheres,
			.most_samples = i == 0 ? root_spheres : least_of( share, samples_at_a_time ),
		};
		if ( is_divided( t, n, depth ) )
		{
			// Of the smallest parts not more than there is to choose between.
			r.least_spheres = least_of( r.least_spheres, 2 * n->pieces );
			bvlit_medial_axis_refine( &t->axis, &r );
		}
	}
}

static void divide_all( tree* t, uint32_t begin, uint32_t end, uint32_t depth,
                        adaptive_medial_division* divisions )
{
#pragma omp parallel for schedule( dynamic, 1 ) num_threads( t->team ) if ( t->team > 1 )
	for ( uint32_t i = begin; i < end; ++i )
	{
		const uint32_t* first = t->first_place + ( i - begin );
		adaptive_medial_division* d = divisions + ( i - begin );
		d->count = 0;
		if ( is_divided( t, t->nodes + i, depth ) &&
		     !divide( t, t->workers + omp_get_thread_num(), t->nodes + i, depth, t->places + first[0],
		              first[1] - first[0], d ) )
		{
#pragma omp atomic write
			t->failed = true;
		}
	}
}

// The pieces of one child after the other, each in the order they had.
static void add_children( tree* t, uint32_t index, const adaptive_medial_division* d )
{
	adaptive_medial_node* n = t->nodes + index;
	uint32_t placed = n->first;
	memcpy( t->other + n->first, t->order + n->first, n->pieces * sizeof *t->order );
	n->first_child = t->node_count;
	for ( uint32_t k = 0; k < d->count; ++k )
	{
		adaptive_medial_node* c = t->nodes + t->node_count;
		double reach = 0;
		*c = ( adaptive_medial_node ){ .first = placed };
		for ( uint32_t i = n->first; i < n->first + n->pieces; ++i )
		{
			if ( t->child[i] == k )
			{
				uint32_t piece = t->other[i];
				t->order[placed++] = piece;
				t->owner[piece] = t->node_count;
				reach = bvmath_max( reach, bvlit_reach_of_piece( &t->pieces, piece, d->center[k] ) );
			}
		}
		c->pieces = placed - c->first;
		c->sphere = bvlit_grown_sphere( d->center[k], reach );
		c->depth = d->depth[k];
		c->error = c->sphere.radius - c->depth;
		t->node_count += c->pieces > 0;
	}
	n->children = t->node_count - n->first_child;
}

static bool grow( tree* t, bvb_arena* arena )
{
	adaptive_medial_division* divisions = bvb_arena_allocate( arena, t->pieces.count, sizeof *divisions );
	if ( !divisions )
	{
		return false;
	}
	uint32_t begin = 0;
	for ( uint32_t depth = 0; begin < t->node_count && !t->failed; ++depth )
	{
		uint32_t end = t->node_count;
		list_places( t, begin, end );
		refine( t, begin, end, depth );
		list_places( t, begin, end );
		divide_all( t, begin, end, depth, divisions );
		for ( uint32_t i = begin; i < end && !t->failed; ++i )
		{
			if ( is_divided( t, t->nodes + i, depth ) )
			{
				add_children( t, i, divisions + ( i - begin ) );
			}
		}
		begin = end;
	}
	return !t->failed;
}

static void set_codes( tree* t, uint64_t* code_of_cell )
{
	const bvlit_octree* o = &t->pieces.octree;
	for ( uint32_t i = 0; i < o->cell_count; ++i )
	{
		const bvlit_octree_cell* cell = o->cells + i;
		for ( uint32_t k = 0; k < cell->children; ++k )
		{
			code_of_cell[cell->first_child + k] = code_of_cell[i] << 3 | k;
		}
		for ( uint32_t k = 0; cell->children == 0 && k < cell->faces; ++k )
		{
			t->code[t->pieces.first_piece[i] + k] = code_of_cell[i];
		}
	}
}

static bool make_root( tree* t, bvb_arena* arena )
{
	uint32_t count = t->pieces.count;
	uint64_t* code_of_cell = bvb_arena_allocate( arena, t->pieces.octree.cell_count, sizeof *code_of_cell );
	t->code = bvb_arena_allocate( arena, count, sizeof *t->code );
	t->order = bvb_arena_allocate( arena, count, sizeof *t->order );
	t->other = bvb_arena_allocate( arena, count, sizeof *t->other );
	t->child = bvb_arena_allocate( arena, count, sizeof *t->child );
	t->owner = bvb_arena_allocate( arena, count, sizeof *t->owner );
	t->nodes = bvb_arena_allocate( arena, 2 * (size_t)count, sizeof *t->nodes );
	t->first_place = bvb_arena_allocate( arena, count + 1u, sizeof *t->first_place );
	t->places = bvb_arena_allocate( arena, 4 * (size_t)t->axis.diagram.room, sizeof *t->places );
	if ( !code_of_cell || !t->code || !t->order || !t->other || !t->child || !t->owner || !t->nodes ||
	     !t->first_place || !t->places )
	{
		return false;
	}
	set_codes( t, code_of_cell );
	for ( uint32_t i = 0; i < count; ++i )
	{
		t->order[i] = i;
	}
	bv_sphere all = bvlit_least_sphere( t->pieces.corners, t->pieces.first_corner[count] );
	double depth = bvlit_depth_of( &t->workers[0].probe, all.center, 0 );
	t->nodes[0] = ( adaptive_medial_node ){
		.sphere = all, .depth = depth, .error = all.radius - depth, .pieces = count
	};
	t->node_count = 1;
	t->floor = error_floor * all.radius;
	return true;
}

// Nodes are in the order of levels, as they were made.
static bool hand_over( const tree* t, bvb_arena* arena, bvlit_sphere_tree* out )
{
	*out = ( bvlit_sphere_tree ){ .node_count = t->node_count };
	out->nodes = bvb_arena_allocate( arena, t->node_count, sizeof *out->nodes );
	out->face = bvb_arena_allocate( arena, t->pieces.count, sizeof *out->face );
	if ( !out->nodes || !out->face )
	{
		return false;
	}
	for ( uint32_t i = 0; i < t->node_count; ++i )
	{
		const adaptive_medial_node* n = t->nodes + i;
		bvlit_sphere_node* to = out->nodes + i;
		*to = ( bvlit_sphere_node ){ .sphere = n->sphere, .children = n->children };
		if ( n->children > 0 )
		{
			to->first_child = n->first_child;
			continue;
		}
		uint32_t* faces = out->face + out->face_count;
		for ( uint32_t k = 0; k < n->pieces; ++k )
		{
			faces[k] = t->pieces.face[t->order[n->first + k]];
		}
		to->first_face = out->face_count;
		to->faces = bvbase_sort_unique( faces, n->pieces );
		out->face_count += to->faces;
	}
	return true;
}

static bool begin_worker( const bvb_mesh* mesh, const bvb_winding* winding, bvb_arena* owner,
                          adaptive_medial_worker* w )
{
	w->lasting = bvbase_arena_create_scratch( owner );
	w->scratch = bvbase_arena_create_scratch( owner );
	return w->lasting && w->scratch &&
	       bvlit_depth_probe_create( mesh, winding, w->lasting, &w->probe ) == bv_ok;
}

static uint32_t samples_for( const bvb_winding* winding )
{
	uint32_t affordable = asked_edges / ( bvb_winding_open_edges( winding ) + 1 );
	return affordable < fewest_samples ? fewest_samples : least_of( affordable, most_samples );
}

bv_status bvlit_spheres_adaptive_medial( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                         bvb_arena* arena, bvlit_sphere_tree* out )
{
	bvb_winding* winding;
	bvb_error error;
	tree t = { .mesh = mesh, .max_depth = options->max_depth, .team = options->team };
	bv_status status = bvlit_cut_faces( mesh, 0, arena, &t.pieces );
	status = status == bv_ok ? bvb_winding_create( mesh, arena, &winding, &error ) : status;
	t.workers = bvb_arena_allocate( arena, (size_t)options->team, sizeof *t.workers );
	if ( status != bv_ok || !t.workers )
	{
		return status != bv_ok ? status : bv_error_memory;
	}
	t.most_samples = samples_for( winding );
	bool done = true;
	for ( int i = 0; i < options->team; ++i )
	{
		done = begin_worker( mesh, winding, arena, t.workers + i ) && done;
	}
	done = done &&
	       bvlit_medial_axis_create( mesh, &t.pieces, &t.workers[0].probe, t.most_samples, arena, &t.axis ) ==
	           bv_ok &&
	       make_root( &t, arena ) && grow( &t, arena ) && hand_over( &t, arena, out );
	for ( int i = 0; i < options->team; ++i )
	{
		bvb_arena_destroy( t.workers[i].lasting );
		bvb_arena_destroy( t.workers[i].scratch );
	}
	return done ? bv_ok : bv_error_memory;
}
