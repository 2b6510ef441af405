// Oriented boxes of all nodes, eight nodes at once. See fit_boxes.h.
//
// From the leaves to the root: what a node's faces add up to is that of its children put together, so that
// frames of inner nodes are found without looking at faces again. Only the measuring along these frames takes
// a pass over all faces of each inner node. Nodes of one height do not depend on each other: they share
// lanes. A subtree of some thousand faces is a piece of work for one thread, with coordinates of its own in
// binary32; nodes above all pieces come last.

#include "offline/hierarchy/fit_boxes.h"

#include "offline/base/arena.h"
#include "offline/hierarchy/fit_sets.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <omp.h>
#include <string.h>

enum
{
	piece_faces = 4096, // a subtree with more is no piece
	shared_batches = 4, // of a thread, so that none waits long for the last one
	block_faces = 256,  // whose corners are measured together
	heights = BV_MAX_DEPTH + 1,
};

// A node smaller than this part of its piece is measured in coordinates of its own.
static const double small_part = 0x1p-7;

// What all pieces share.
typedef struct fit_boxes_fit
{
	bvb_tree* tree;
	const bvb_mesh* mesh; // in the tree's order
	const bvfit_box_level* level;
	int team;
} fit_boxes_fit;

// Some nodes of the tree that hang together, parents before children.
typedef struct fit_boxes_piece
{
	const fit_boxes_fit* f;
	uint32_t count;
	uint32_t* node;       // of the tree
	uint32_t* child;      // the place of the first child among these; 0 where there is none
	uint8_t* height;      // above the lowest
	uint32_t* sorted;     // places, by height
	bvhier_fit_sums* sum; // of each node
	bvhier_fit_units own; // of points
	float* points[3];     // all corners from first_face on; null where there are none
	uint32_t first_face;
	uint32_t begin[heights + 1]; // in sorted, of each height
} fit_boxes_piece;

static bv_vec3 corner_of( const fit_boxes_fit* f, uint32_t face, int k )
{
	return f->mesh->positions[f->mesh->triangles[face].corner[k]];
}

// A box in lanes' coordinates: the middle between the ends along each axis.
typedef struct fit_boxes_found
{
	double code[3];
	double center[3];
	double half[3];
} fit_boxes_found;

// bvmath_float_up of positive numbers. Whether it rounds up by itself is not to be foreseen, so there is no
// branch.
static float float_up( double x )
{
	float nearest = (float)x;
	uint32_t bits;
	memcpy( &bits, &nearest, sizeof bits );
	bits += (double)nearest < x;
	memcpy( &nearest, &bits, sizeof bits );
	return nearest;
}

// The root's quaternion is stored elsewhere, and of length 1: rounded to binary32, with u = 2^-24, it moves
// an axis by 4u in each part, and a point along it by 12u, for which there is another margin. Centers move to
// binary32 numbers, and extents follow them as far as any axis may point there.
static void store( const fit_boxes_fit* f, uint32_t node, const fit_boxes_found* b,
                   const bvhier_fit_units* u )
{
	const double origin[3] = { u->origin.x, u->origin.y, u->origin.z };
	bvvol_packed_obb* box = (bvvol_packed_obb*)(void*)( f->tree->volumes + (size_t)f->tree->stride * node );
	for ( int i = 0; i < 3; ++i )
	{
		box->rotation[i] = (float)b->code[i];
	}
	box->rotation[3] = bvfile_rotation_w;
	double margin = bvfit_box_margin;
	if ( node == 0 )
	{
		const double* q = b->code;
		double w = bvfile_rotation_w;
		double length = sqrt( ( q[0] * q[0] + q[1] * q[1] ) + ( q[2] * q[2] + w * w ) );
		for ( int i = 0; i < 4; ++i )
		{
			box->rotation[i] = (float)( box->rotation[i] / length );
		}
		margin *= 2;
	}
	double moved = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double center = origin[i] + b->center[i] * u->back;
		float rounded = (float)center + 0.0f;
		box->center[i] = rounded;
		moved += fabs( rounded - center ) + 0x1p-50 * fabs( origin[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		box->half_extents[i] = float_up( ( b->half[i] + margin ) * u->back + moved );
	}
	f->tree->nodes[node].type = bv_volume_obb;
}

static void fit_leaves( const fit_boxes_piece* p, const uint32_t* places, uint32_t count )
{
	const fit_boxes_fit* f = p->f;
	bvfit_box_sets sets;
	bvfit_box_sums sum;
	bvfit_box_turns turns;
	bvfit_box_spans spans;
	bvhier_fit_lane lanes[bvfit_box_lanes];
	bvhier_face_range of[bvfit_box_lanes];
	for ( uint32_t lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		const bvorder_stored_node* node = f->tree->nodes + p->node[places[lane < count ? lane : 0]];
		of[lane] = ( bvhier_face_range ){ node->first_triangle, node->triangles };
	}
	bvhier_fit_sets_put( f->mesh, of, &sets, lanes );
	f->level->add( &sets, &sum );
	f->level->turn( &sets, &sum, &turns );
	f->level->choose( &sets, &sum, &turns, &spans );
	for ( uint32_t lane = 0; lane < count; ++lane )
	{
		fit_boxes_found b;
		for ( int i = 0; i < 3; ++i )
		{
			b.code[i] = spans.code[i][lane];
			b.center[i] = spans.center[i][lane];
			b.half[i] = spans.half[i][lane];
		}
		bvhier_fit_sums_get( &sum, (int)lane, lanes + lane, f->mesh, p->sum + places[lane] );
		store( f, p->node[places[lane]], &b, &lanes[lane].units );
	}
}

// What a leaf of more faces than a lane has room for adds up to.
static void add_large_leaf( const fit_boxes_piece* p, uint32_t place )
{
	const fit_boxes_fit* f = p->f;
	const bvorder_stored_node* node = f->tree->nodes + p->node[place];
	for ( uint32_t done = 0; done < node->triangles; done += bvfit_box_faces )
	{
		uint32_t left = node->triangles - done;
		bvfit_box_sets sets;
		bvfit_box_sums sum;
		bvhier_fit_sums two[2] = { p->sum[place] };
		bvhier_fit_lane lanes[bvfit_box_lanes];
		bvhier_face_range of[bvfit_box_lanes];
		for ( int lane = 0; lane < bvfit_box_lanes; ++lane )
		{
			of[lane] = ( bvhier_face_range ){ node->first_triangle + done,
				                              left < bvfit_box_faces ? left : bvfit_box_faces };
		}
		bvhier_fit_sets_put( f->mesh, of, &sets, lanes );
		f->level->add( &sets, &sum );
		bvhier_fit_sums_get( &sum, 0, lanes, f->mesh, two + ( done > 0 ) );
		bvhier_fit_sums_join( two, done > 0 ? 2 : 1, p->sum + place );
	}
}

// Axes of one set, and how far its points are along them.
typedef struct measures
{
	float axes[3 * bvfit_box_measures];
	float lower[bvfit_box_measures];
	float upper[bvfit_box_measures];
} measures;

// Measures faces in units of a node's own.
static void measure_faces( const fit_boxes_fit* f, uint32_t first, uint32_t count, const bvhier_fit_units* u,
                           measures* m )
{
	float x[3][3 * block_faces];
	const float* const points[3] = { x[0], x[1], x[2] };
	for ( uint32_t done = 0; done < count; done += block_faces )
	{
		uint32_t faces = count - done < block_faces ? count - done : block_faces;
		uint32_t corners = 0;
		for ( uint32_t k = 0; k < faces; ++k )
		{
			for ( int i = 0; i < 3; ++i )
			{
				bv_vec3 d = bv_scale( u->scale, bv_sub( corner_of( f, first + done + k, i ), u->origin ) );
				x[0][corners] = (float)d.x;
				x[1][corners] = (float)d.y;
				x[2][corners] = (float)d.z;
				corners += 1;
			}
		}
		for ( ; corners < bvfit_box_lanes; ++corners )
		{
			x[0][corners] = x[0][0], x[1][corners] = x[1][0], x[2][corners] = x[2][0];
		}
		f->level->measure( points, corners, m->axes, m->lower, m->upper );
	}
}

// The same by all threads; by one where nodes of one height are already shared out among them. The least of
// all is the same in whatever order they are asked.
static void measure_together( const fit_boxes_fit* f, const bvorder_stored_node* node,
                              const bvhier_fit_units* u, measures* m )
{
	int64_t blocks = ( (int64_t)node->triangles + piece_faces - 1 ) / piece_faces;
#pragma omp parallel for schedule( dynamic ) num_threads( f->team ) if ( f->team > 1 && !omp_in_parallel() )
	for ( int64_t i = 0; i < blocks; ++i )
	{
		uint32_t done = (uint32_t)i * piece_faces;
		uint32_t left = node->triangles - done;
		measures own;
		memcpy( own.axes, m->axes, sizeof own.axes );
		for ( int k = 0; k < bvfit_box_measures; ++k )
		{
			own.lower[k] = INFINITY;
			own.upper[k] = -INFINITY;
		}
		measure_faces( f, node->first_triangle + done, left < piece_faces ? left : piece_faces, u, &own );
#pragma omp critical( bvhier_fit_boxes )
		for ( int k = 0; k < bvfit_box_measures; ++k )
		{
			m->lower[k] = own.lower[k] < m->lower[k] ? own.lower[k] : m->lower[k];
			m->upper[k] = own.upper[k] > m->upper[k] ? own.upper[k] : m->upper[k];
		}
	}
}

// A node whose frames are known.
// @return the units of what was measured
static bvhier_fit_units measure( const fit_boxes_piece* p, uint32_t place, measures* m )
{
	const fit_boxes_fit* f = p->f;
	const bvorder_stored_node* node = f->tree->nodes + p->node[place];
	const bvhier_fit_sums* s = p->sum + place;
	bool enough = 3 * node->triangles >= bvfit_box_lanes;
	if ( p->points[0] && enough && bvhier_fit_size( s ) * p->own.scale > small_part )
	{
		uint32_t first = 3 * ( node->first_triangle - p->first_face );
		const float* const points[3] = { p->points[0] + first, p->points[1] + first, p->points[2] + first };
		f->level->measure( points, 3 * node->triangles, m->axes, m->lower, m->upper );
		return p->own;
	}
	bvhier_fit_units u = bvhier_fit_units_of( s->origin, bvhier_fit_size( s ) );
	if ( p->points[0] )
	{
		measure_faces( f, node->first_triangle, node->triangles, &u, m );
	}
	else
	{
		measure_together( f, node, &u, m );
	}
	return u;
}

static double area_of( const double lower[3], const double upper[3] )
{
	const double length[3] = { upper[0] - lower[0], upper[1] - lower[1], upper[2] - lower[2] };
	return ( length[0] * length[1] + length[1] * length[2] ) + length[2] * length[0];
}

// Takes a frame's box if it is the least so far.
// @param axes  three parts each, of its three axes
static void offer( const double lower[3], const double upper[3], const float* axes, const double code[3],
                   double* least, fit_boxes_found* best )
{
	double area = area_of( lower, upper );
	if ( !( area < *least ) )
	{
		return;
	}
	*least = area;
	memset( best->center, 0, sizeof best->center );
	for ( int i = 0; i < 3; ++i )
	{
		double middle = ( lower[i] + upper[i] ) / 2;
		best->code[i] = code[i];
		best->half[i] = ( upper[i] - lower[i] ) / 2;
		for ( int k = 0; k < 3; ++k )
		{
			best->center[k] += middle * axes[3 * i + k];
		}
	}
}

static void fit_inner_node( const fit_boxes_piece* p, uint32_t place, const bvfit_box_turns* turns, int lane )
{
	static const float upright[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
	static const double none[3] = { 0, 0, 0 };
	measures m;
	for ( int k = 0; k < bvfit_box_measures; ++k )
	{
		m.lower[k] = INFINITY;
		m.upper[k] = -INFINITY;
		for ( int i = 0; i < 3; ++i )
		{
			m.axes[3 * k + i] = turns->axis[k][i][lane];
		}
	}
	bvhier_fit_units u = measure( p, place, &m );
	const bvhier_fit_sums* s = p->sum + place;
	const double origin[3] = { u.origin.x, u.origin.y, u.origin.z };
	double least = INFINITY;
	fit_boxes_found best;
	for ( int k = -1; k < bvfit_box_frames; ++k )
	{
		double lower[3];
		double upper[3];
		double code[3];
		for ( int i = 0; i < 3; ++i )
		{
			lower[i] = k < 0 ? ( s->lower[i] - origin[i] ) * u.scale : m.lower[3 * k + i];
			upper[i] = k < 0 ? ( s->upper[i] - origin[i] ) * u.scale : m.upper[3 * k + i];
			code[i] = k < 0 ? 0 : turns->code[k][i][lane];
		}
		offer( lower, upper, k < 0 ? upright : m.axes + 9 * k, k < 0 ? none : code, &least, &best );
	}
	store( p->f, p->node[place], &best, &u );
}

// Those of leaves are known.
static void fit_batch( const fit_boxes_piece* p, const uint32_t* places, uint32_t count )
{
	const fit_boxes_fit* f = p->f;
	bvfit_box_sums sum;
	bvfit_box_turns turns;
	for ( uint32_t lane = 0; lane < bvfit_box_lanes; ++lane )
	{
		uint32_t place = places[lane < count ? lane : 0];
		uint32_t children = f->tree->nodes[p->node[place]].children;
		bvhier_fit_sums* s = p->sum + place;
		if ( children && lane < count )
		{
			bvhier_fit_sums_join( p->sum + p->child[place], children, s );
		}
		bvhier_fit_units u = bvhier_fit_units_of( s->origin, bvhier_fit_size( s ) );
		bvhier_fit_sums_put( s, &u, f->mesh, &sum, (int)lane );
	}
	f->level->turn( NULL, &sum, &turns );
	for ( uint32_t lane = 0; lane < count; ++lane )
	{
		fit_inner_node( p, places[lane], &turns, (int)lane );
	}
}

static uint32_t batches_of( const fit_boxes_piece* p, int height )
{
	return ( p->begin[height + 1] - p->begin[height] + bvfit_box_lanes - 1 ) / bvfit_box_lanes;
}

static void fit_batch_of( const fit_boxes_piece* p, int height, uint32_t batch )
{
	uint32_t i = p->begin[height] + batch * bvfit_box_lanes;
	uint32_t left = p->begin[height + 1] - i;
	fit_batch( p, p->sorted + i, left < bvfit_box_lanes ? left : bvfit_box_lanes );
}

static void fit_batches( const fit_boxes_piece* p, int height, uint32_t batches )
{
	for ( uint32_t i = 0; i < batches; ++i )
	{
		fit_batch_of( p, height, i );
	}
}

static void fit_inner_nodes( const fit_boxes_piece* p )
{
	for ( int height = 1; height < heights; ++height )
	{
		fit_batches( p, height, batches_of( p, height ) );
	}
}

// By all threads, which share batches where there are enough of them, and otherwise faces.
static void fit_top_nodes( const fit_boxes_piece* p )
{
	int team = p->f->team;
	for ( int height = 1; height < heights; ++height )
	{
		uint32_t batches = batches_of( p, height );
		if ( team == 1 || batches < (uint32_t)team * shared_batches )
		{
			// Not a region of one thread: OpenMP starts new threads for those within it.
			fit_batches( p, height, batches );
			continue;
		}
#pragma omp parallel for schedule( dynamic ) num_threads( team )
		for ( uint32_t i = 0; i < batches; ++i )
		{
			fit_batch_of( p, height, i );
		}
	}
}

// Lanes are best filled with leaves of as many faces.
// @return whether there are larger ones, whose boxes are those of inner nodes
static bool fit_small_leaves( const fit_boxes_piece* p )
{
	const bvorder_stored_node* nodes = p->f->tree->nodes;
	uint32_t batch[bvfit_box_faces + 1][bvfit_box_lanes];
	uint32_t filled[bvfit_box_faces + 1] = { 0 };
	bool large = false;
	for ( uint32_t i = p->begin[0]; i < p->begin[1]; ++i )
	{
		uint32_t place = p->sorted[i];
		uint32_t faces = nodes[p->node[place]].triangles;
		if ( faces > bvfit_box_faces )
		{
			add_large_leaf( p, place );
			large = true;
			continue;
		}
		batch[faces][filled[faces]++] = place;
		if ( filled[faces] == bvfit_box_lanes )
		{
			fit_leaves( p, batch[faces], bvfit_box_lanes );
			filled[faces] = 0;
		}
	}
	uint32_t rest[( bvfit_box_faces + 1 ) * bvfit_box_lanes];
	uint32_t count = 0;
	for ( int k = 1; k <= bvfit_box_faces; ++k )
	{
		memcpy( rest + count, batch[k], filled[k] * sizeof *rest );
		count += filled[k];
	}
	for ( uint32_t i = 0; i < count; i += bvfit_box_lanes )
	{
		fit_leaves( p, rest + i, count - i < bvfit_box_lanes ? count - i : bvfit_box_lanes );
	}
	return large;
}

static void fit_large_leaves( const fit_boxes_piece* p )
{
	for ( uint32_t i = p->begin[0]; i < p->begin[1]; ++i )
	{
		if ( p->f->tree->nodes[p->node[p->sorted[i]]].triangles > bvfit_box_faces )
		{
			fit_batch( p, p->sorted + i, 1 );
		}
	}
}

// The children that take part: of the nodes above all pieces those with more than piece_faces faces have
// some.
static uint32_t children_of( const fit_boxes_fit* f, uint32_t node, bool top )
{
	const bvorder_stored_node* n = f->tree->nodes + node;
	return top && n->triangles <= piece_faces ? 0 : n->children;
}

static uint32_t count_nodes( const fit_boxes_fit* f, uint32_t node, bool top )
{
	uint32_t count = 1;
	for ( uint32_t k = 0; k < children_of( f, node, top ); ++k )
	{
		count += count_nodes( f, f->tree->nodes[node].first_child + k, top );
	}
	return count;
}

static bool make_room( const fit_boxes_fit* f, uint32_t nodes, uint32_t faces, bvb_arena* arena,
                       fit_boxes_piece* out )
{
	*out = ( fit_boxes_piece ){ .f = f };
	out->node = bvbase_arena_allocate_unset( arena, nodes, sizeof *out->node );
	out->child = bvbase_arena_allocate_unset( arena, nodes, sizeof *out->child );
	out->height = bvbase_arena_allocate_unset( arena, nodes, sizeof *out->height );
	out->sorted = bvbase_arena_allocate_unset( arena, nodes, sizeof *out->sorted );
	out->sum = bvbase_arena_allocate_unset( arena, nodes, sizeof *out->sum );
	bool good = out->node && out->child && out->height && out->sorted && out->sum;
	for ( int i = 0; i < 3 && faces; ++i )
	{
		out->points[i] = bvbase_arena_allocate_unset( arena, 3 * (size_t)faces, sizeof *out->points[i] );
		good = good && out->points[i];
	}
	return good;
}

static void sort_by_height( fit_boxes_piece* p )
{
	uint32_t next[heights];
	memset( p->begin, 0, sizeof p->begin );
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		p->begin[p->height[i] + 1] += 1;
	}
	for ( int k = 0; k < heights; ++k )
	{
		p->begin[k + 1] += p->begin[k];
	}
	memcpy( next, p->begin, sizeof next );
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		p->sorted[next[p->height[i]]++] = i;
	}
}

// Lists the nodes below one. There is room for them.
static void list_nodes( uint32_t root, bool top, fit_boxes_piece* p )
{
	const bvorder_stored_node* nodes = p->f->tree->nodes;
	p->first_face = nodes[root].first_triangle;
	p->count = 1;
	p->node[0] = root;
	for ( uint32_t i = 0; i < p->count; ++i )
	{
		uint32_t children = children_of( p->f, p->node[i], top );
		p->child[i] = children ? p->count : 0;
		for ( uint32_t k = 0; k < children; ++k )
		{
			p->node[p->count++] = nodes[p->node[i]].first_child + k;
		}
	}
	for ( uint32_t i = p->count; i-- > 0; )
	{
		uint8_t height = 0;
		uint32_t children = p->child[i] ? nodes[p->node[i]].children : 0;
		for ( uint32_t k = 0; k < children; ++k )
		{
			uint8_t below = p->height[p->child[i] + k];
			height = below >= height ? (uint8_t)( below + 1 ) : height;
		}
		p->height[i] = height;
	}
	sort_by_height( p );
}

// All corners in binary32, relative to one end of what is around all leaves.
static void make_points( fit_boxes_piece* p )
{
	const fit_boxes_fit* f = p->f;
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = p->begin[0]; i < p->begin[1]; ++i )
	{
		const bvhier_fit_sums* s = p->sum + p->sorted[i];
		for ( int k = 0; k < 3; ++k )
		{
			lower[k] = bvmath_min( lower[k], s->lower[k] );
			upper[k] = bvmath_max( upper[k], s->upper[k] );
		}
	}

	// Twice as large as it must be: leaves were rounded.
	double size = bvmath_max( upper[0] - lower[0], bvmath_max( upper[1] - lower[1], upper[2] - lower[2] ) );
	p->own = bvhier_fit_units_of( ( bv_vec3 ){ lower[0], lower[1], lower[2] }, 2 * size );
	uint32_t corner = 0;
	for ( uint32_t i = 0; i < f->tree->nodes[p->node[0]].triangles; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 d =
				bv_scale( p->own.scale, bv_sub( corner_of( f, p->first_face + i, k ), p->own.origin ) );
			p->points[0][corner] = (float)d.x;
			p->points[1][corner] = (float)d.y;
			p->points[2][corner] = (float)d.z;
			corner += 1;
		}
	}
}

// A whole subtree, in a room that is large enough.
static void fit_piece( fit_boxes_piece* p, uint32_t root, bvhier_fit_sums* out )
{
	list_nodes( root, false, p );
	bool large = fit_small_leaves( p );
	if ( p->count > 1 || large )
	{
		make_points( p );
	}
	if ( large )
	{
		fit_large_leaves( p );
	}
	fit_inner_nodes( p );
	*out = p->sum[0];
}

// Whether there was memory.
static bool fit_pieces( const fit_boxes_piece* top, bvb_arena* scratch )
{
	const fit_boxes_fit* f = top->f;
	bool failed = false;
	uint32_t nodes = 1;
	uint32_t faces = 1;
#pragma omp parallel for schedule( dynamic ) num_threads( f->team ) reduction( max : nodes, faces )
	for ( uint32_t i = 0; i < top->begin[1]; ++i )
	{
		uint32_t root = top->node[top->sorted[i]];
		uint32_t count = count_nodes( f, root, false );
		nodes = count > nodes ? count : nodes;
		faces = f->tree->nodes[root].triangles > faces ? f->tree->nodes[root].triangles : faces;
	}
#pragma omp parallel num_threads( f->team ) if ( f->team > 1 )
	{
		fit_boxes_piece p;
		bvb_arena* arena = bvbase_arena_create_scratch( scratch );
		bool good = arena && make_room( f, nodes, faces, arena, &p );
#pragma omp for schedule( dynamic, 1 )
		for ( uint32_t i = 0; i < top->begin[1]; ++i )
		{
			uint32_t place = top->sorted[i];
			if ( good )
			{
				fit_piece( &p, top->node[place], top->sum + place );
			}
		}
		if ( !good )
		{
#pragma omp atomic write
			failed = true;
		}
		bvb_arena_destroy( arena );
	}
	return !failed;
}

bv_status bvhier_fit_boxes( bvb_tree* tree, const bvb_mesh* mesh, int team, bvb_arena* scratch )
{
	fit_boxes_fit f = { .tree = tree, .mesh = mesh, .level = bvfit_box_level_best(), .team = team };
	fit_boxes_piece top;
	if ( !make_room( &f, count_nodes( &f, 0, true ), 0, scratch, &top ) )
	{
		return bv_error_memory;
	}
	list_nodes( 0, true, &top );
	if ( !fit_pieces( &top, scratch ) )
	{
		return bv_error_memory;
	}
	fit_top_nodes( &top );
	return bv_ok;
}
