// Boxes of nodes over a clip, and their errors. See clip.h.
//
// A box encloses, for each corner of each triangle of the node, the box that the corner's vertex of the source never
// leaves in the segment, and so the triangles. Boxes are rounded outward to a grid of 2^16 steps for the whole clip.
//
// The error of a box bounds how far a point of the box is from the triangles of the node, each at the time at which they
// are nearest. Let f(x) be the least of
//
//   - the distance from x to some triangles of the node at some samples in the segment, and
//   - for each child, the distance from x to its box plus the error of that box: any point of the child's box is within
//     the error of a triangle of the child, which is one of the node.
//
// f(x) is an upper bound of that distance, and it changes by at most |x - y| from x to y. So over a cell with the center
// c and the half diagonal h it is at most f(c) + h. The box is cut into cells, always the one with the largest bound.

#include "offline/asset/clip.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "offline/tree/tree.h"
#include "runtime/math/round.h"
#include "runtime/math/vec.h"
#include "runtime/triangle/nearest.h"

#include <math.h>
#include <string.h>

enum
{
	most_cells = 64,      // of a box of an inner node
	few_cells = 24,       // of a box of a leaf, of which there are most
	most_triangles = 10,  // of a node, that distances are measured to
	most_samples = 4,     // at which they are
	most_code = 65535,    // of the grid
	parallel_nodes = 256, // of a level, which are worth a second thread
};

// Distances are sums of few rounded numbers. Positions have errors below 2^-40 of the largest coordinate: the bound that
// readers of clips have for their own, which boxes are widened by, is less.
static const double rounding = 0x1p-40;

typedef struct box_maker
{
	const bvasset_clip* clip;
	const bvb_mesh* mesh; // in the order of the tree
	const bvb_tree* tree;
	bvb_clip_asset* out;
	uint32_t* corners; // of the scene, three for each triangle
	double largest;    // coordinate
} box_maker;

static bv_aabb empty_box( void )
{
	return ( bv_aabb ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
}

static void add_box( bv_aabb* to, const bv_aabb* from )
{
	to->lower = bvmath_least( to->lower, from->lower );
	to->upper = bvmath_greatest( to->upper, from->upper );
}

static double segment_time( const bvb_clip* c, uint32_t segment )
{
	return segment == c->segments ? c->end : c->start + ( c->end - c->start ) * segment / c->segments;
}

static bool is_in_segment( const bvb_clip* c, uint32_t sample, uint32_t segment )
{
	double time = bvb_clip_time( c, sample );
	return time >= segment_time( c, segment ) && time <= segment_time( c, segment + 1 );
}

// The box of a triangle in a segment, and at the pose of record if that is then.
static bv_aabb box_of_triangle( const box_maker* m, uint32_t triangle, uint32_t segment )
{
	bv_aabb box = empty_box();
	bool recorded = is_in_segment( m->clip->scene->clip, m->clip->record, segment );
	for ( int k = 0; k < 3; ++k )
	{
		bv_aabb swept = bvasset_clip_swept( m->clip, m->corners[3 * (size_t)triangle + (size_t)k], segment );
		bv_vec3 p = m->mesh->positions[m->mesh->triangles[triangle].corner[k]];
		bv_aabb at = { p, p };
		add_box( &box, &swept );
		if ( recorded )
		{
			add_box( &box, &at );
		}
	}
	return box;
}

// Children follow their parents, so the last node comes first.
static void find_boxes( const box_maker* m, uint32_t segment, bv_aabb* boxes )
{
	for ( uint32_t i = m->tree->node_count; i-- > 0; )
	{
		const bvorder_stored_node* node = m->tree->nodes + i;
		boxes[i] = empty_box();
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			add_box( boxes + i, boxes + node->first_child + k );
		}
		for ( uint32_t t = 0; t < node->triangles && node->children == 0; ++t )
		{
			bv_aabb box = box_of_triangle( m, node->first_triangle + t, segment );
			add_box( boxes + i, &box );
		}
	}
}

// The finest grid of powers of two on which the box of the whole clip has numbers, as for positions of files.
static void choose_grid( const bv_aabb* box, bvb_clip_asset* out )
{
	bv_vec3 size = bv_sub( box->upper, box->lower );
	double largest = bvmath_max( size.x, bvmath_max( size.y, size.z ) );
	double reach = bvmath_max( bvmath_norm1( box->lower ), bvmath_norm1( box->upper ) );
	int exponent;
	frexp( bvmath_max( largest / most_code, BVB_MIN_EXTENT ), &exponent );
	for ( ;; ++exponent )
	{
		double step = ldexp( 1.0, exponent );
		bv_vec3 origin = { floor( box->lower.x / step ) * step, floor( box->lower.y / step ) * step,
			               floor( box->lower.z / step ) * step };
		bv_vec3 span = bv_sub( box->upper, origin );
		double most = bvmath_max( span.x, bvmath_max( span.y, span.z ) );
		if ( reach / step < 0x1p50 && ceil( most / step ) < most_code )
		{
			out->origin = origin;
			out->step = step;
			return;
		}
	}
}

// Outward. Differences of coordinates and the origin, both within 2^51 steps, may round to a whole number; the step
// beside it is taken then, as far as the grid goes: its ends are beyond the whole clip.
static bvb_clip_box round_box( const bvb_clip_asset* out, const bv_aabb* box )
{
	bvb_clip_box code = { .error = 0 };
	for ( int k = 0; k < 3; ++k )
	{
		double origin = bvmath_component( out->origin, k );
		double lower = floor( ( bvmath_component( box->lower, k ) - origin ) / out->step );
		double upper = ceil( ( bvmath_component( box->upper, k ) - origin ) / out->step );
		lower =
			lower > 0 && origin + lower * out->step > bvmath_component( box->lower, k ) ? lower - 1 : lower;
		upper = upper < most_code && origin + upper * out->step < bvmath_component( box->upper, k )
		            ? upper + 1
		            : upper;
		code.lower[k] = (uint16_t)bvmath_max( lower, 0 );
		code.upper[k] = (uint16_t)bvmath_min( upper, most_code );
	}
	return code;
}

static bv_aabb decode( const bvb_clip_asset* out, const bvb_clip_box* code )
{
	bv_vec3 lower = { code->lower[0], code->lower[1], code->lower[2] };
	bv_vec3 upper = { code->upper[0], code->upper[1], code->upper[2] };
	return ( bv_aabb ){ bv_add( out->origin, bv_scale( out->step, lower ) ),
		                bv_add( out->origin, bv_scale( out->step, upper ) ) };
}

static void round_boxes( const box_maker* m, const bv_aabb* boxes, bvb_clip_box* out )
{
	for ( uint32_t i = 0; i < m->tree->node_count; ++i )
	{
		out[i] = round_box( m->out, boxes + i );
	}
}

// What the bound f of a node is made of.
typedef struct box_target
{
	bvtri_framed_triangle triangles[most_triangles * most_samples];
	int triangle_count;
	bv_aabb boxes[BVB_MAX_CHILDREN]; // of children
	double errors[BVB_MAX_CHILDREN];
	int child_count;
} box_target;

// @param set  0 for the whole clip, or one more than a segment
static void find_samples( const box_maker* m, uint32_t set, uint32_t* samples, uint32_t* count )
{
	const bvb_clip* c = m->clip->scene->clip;
	uint32_t first = 0;
	uint32_t end = c->samples;
	if ( set > 0 )
	{
		while ( first + 1 < c->samples && !is_in_segment( c, first, set - 1 ) )
		{
			first += 1;
		}
		end = first;
		while ( end < c->samples && is_in_segment( c, end, set - 1 ) )
		{
			end += 1;
		}
	}
	uint32_t all = end - first;
	*count = all < most_samples ? all : most_samples;
	for ( uint32_t i = 0; i < *count; ++i )
	{
		samples[i] = *count > 1 ? first + (uint32_t)( (uint64_t)i * ( all - 1 ) / ( *count - 1 ) ) : first;
	}
}

static void aim( const box_maker* m, uint32_t index, uint32_t set, const uint32_t* samples,
                 uint32_t sample_count, box_target* out )
{
	const bvorder_stored_node* node = m->tree->nodes + index;
	const bvb_clip_box* boxes = m->out->boxes + (size_t)set * m->tree->node_count;
	uint32_t used = node->triangles < most_triangles ? node->triangles : most_triangles;
	out->triangle_count = 0;
	out->child_count = 0;
	for ( uint32_t i = 0; i < used; ++i )
	{
		uint32_t t = node->first_triangle + (uint32_t)( (uint64_t)i * node->triangles / used );
		for ( uint32_t k = 0; k < sample_count; ++k )
		{
			bv_vec3 corner[3];
			for ( int c = 0; c < 3; ++c )
			{
				corner[c] =
					bvasset_clip_position( m->clip, m->corners[3 * (size_t)t + (size_t)c], samples[k] );
			}
			bvtri_frame_triangle( corner, &out->triangles[out->triangle_count++] );
		}
	}
	for ( uint32_t k = 0; k < node->children && k < BVB_MAX_CHILDREN; ++k )
	{
		const bvb_clip_box* child = boxes + node->first_child + k;
		out->boxes[out->child_count] = decode( m->out, child );
		out->errors[out->child_count++] = child->error;
	}
}

static double distance_to_box( bv_vec3 p, const bv_aabb* box )
{
	bv_vec3 d = bv_sub( p, bvmath_least( bvmath_greatest( p, box->lower ), box->upper ) );
	return sqrt( bv_dot( d, d ) );
}

static double bound_at( const box_target* t, bv_vec3 p )
{
	double least = INFINITY;
	for ( int i = 0; i < t->triangle_count; ++i )
	{
		bvtri_nearest near;
		bvtri_nearest_in_frame( p, &t->triangles[i], &near );
		bv_vec3 d = bv_sub( p, near.point );
		least = bvmath_min( least, bv_dot( d, d ) );
	}
	least = sqrt( least );
	for ( int i = 0; i < t->child_count; ++i )
	{
		least = bvmath_min( least, distance_to_box( p, &t->boxes[i] ) + t->errors[i] );
	}
	return least;
}

// A part of a box.
typedef struct box_cell
{
	bv_vec3 center;
	double half[3];
	double bound;
} box_cell;

static void bound_cell( const box_target* t, box_cell* c )
{
	c->bound = bound_at( t, c->center ) +
	           sqrt( c->half[0] * c->half[0] + c->half[1] * c->half[1] + c->half[2] * c->half[2] );
}

static double measure_error( const box_target* t, const bv_aabb* box )
{
	int most = t->child_count > 0 ? most_cells : few_cells;
	box_cell cells[most_cells];
	int count = 1;
	bv_vec3 size = bv_sub( box->upper, box->lower );
	cells[0] = ( box_cell ){ bv_add( box->lower, bv_scale( 0.5, size ) ),
		                     { size.x / 2, size.y / 2, size.z / 2 },
		                     0 };
	bound_cell( t, &cells[0] );
	for ( ;; )
	{
		int worst = 0;
		for ( int i = 1; i < count; ++i )
		{
			worst = cells[i].bound > cells[worst].bound ? i : worst;
		}
		box_cell* c = &cells[worst];
		int axis = c->half[0] >= c->half[1] ? ( c->half[0] >= c->half[2] ? 0 : 2 )
		                                    : ( c->half[1] >= c->half[2] ? 1 : 2 );
		if ( count == most || !( c->half[axis] > 0 ) )
		{
			return c->bound;
		}
		box_cell other = *c;
		double half = c->half[axis] / 2;
		double move[3] = { 0, 0, 0 };
		move[axis] = half;
		c->half[axis] = other.half[axis] = half;
		bv_vec3 shift = { move[0], move[1], move[2] };
		c->center = bv_sub( c->center, shift );
		other.center = bv_add( other.center, shift );
		bound_cell( t, c );
		bound_cell( t, &other );
		cells[count++] = other;
	}
}

static void find_error( const box_maker* m, uint32_t index, uint32_t set, const uint32_t* samples,
                        uint32_t count )
{
	box_target target;
	bvb_clip_box* code = m->out->boxes + (size_t)set * m->tree->node_count + index;
	bv_aabb box = decode( m->out, code );
	aim( m, index, set, samples, count, &target );
	double error = measure_error( &target, &box );
	code->error = bvmath_float_up( error * ( 1 + rounding ) + rounding * m->largest );
}

// Nodes by level, the deepest first: children before parents.
typedef struct box_levels
{
	uint32_t* nodes;
	uint32_t first[BV_MAX_DEPTH + 2];
	int count;
} box_levels;

static bool find_levels( const bvb_tree* tree, bvb_arena* scratch, box_levels* out )
{
	uint8_t* level = bvb_arena_allocate( scratch, tree->node_count, sizeof *level );
	uint32_t sizes[BV_MAX_DEPTH + 1] = { 0 };
	out->nodes = bvb_arena_allocate( scratch, tree->node_count, sizeof *out->nodes );
	if ( !level || !out->nodes )
	{
		return false;
	}
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		const bvorder_stored_node* node = tree->nodes + i;
		sizes[level[i]] += 1;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			level[node->first_child + k] = level[i] + 1;
		}
	}
	out->count = BV_MAX_DEPTH + 1;
	out->first[0] = 0;
	for ( int i = 0; i < out->count; ++i )
	{
		out->first[i + 1] = out->first[i] + sizes[BV_MAX_DEPTH - i];
	}
	uint32_t next[BV_MAX_DEPTH + 2];
	memcpy( next, out->first, sizeof next );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		out->nodes[next[BV_MAX_DEPTH - level[i]]++] = i;
	}
	return true;
}

static void find_errors( const box_maker* m, const box_levels* levels, uint32_t set, int team )
{
	uint32_t samples[most_samples];
	uint32_t count;
	find_samples( m, set, samples, &count );
	for ( int i = 0; i < levels->count; ++i )
	{
		uint32_t end = levels->first[i + 1];
#pragma omp parallel for schedule( dynamic, 32 ) \
	num_threads( team ) if ( team > 1 && end - levels->first[i] >= parallel_nodes )
		for ( uint32_t k = levels->first[i]; k < end; ++k )
		{
			find_error( m, levels->nodes[k], set, samples, count );
		}
	}
}

static bool find_corners( box_maker* m, bvb_arena* scratch )
{
	m->corners = bvb_arena_allocate( scratch, 3 * (size_t)m->mesh->triangle_count, sizeof *m->corners );
	for ( size_t i = 0; m->corners && i < 3 * (size_t)m->mesh->triangle_count; ++i )
	{
		m->corners[i] = m->clip->scene->mesh.triangles[m->mesh->origin[i / 3]].corner[i % 3];
	}
	return m->corners;
}

static uint16_t nearest_code( double x, double origin, double step )
{
	return (uint16_t)bvmath_min( bvmath_max( floor( ( x - origin ) / step + 0.5 ), 0 ), most_code );
}

static bool store_frames( const box_maker* m, bvb_arena* arena, bvb_arena* scratch )
{
	bvb_clip_asset* out = m->out;
	uint32_t count = m->mesh->vertex_count;
	uint32_t* vertices = bvb_arena_allocate( scratch, count, sizeof *vertices );
	out->frames = bvb_arena_allocate( arena, (size_t)out->samples * count, sizeof *out->frames );
	if ( !vertices || !out->frames )
	{
		return false;
	}
	bvasset_clip_find_vertices( m->clip, m->mesh, vertices );
	for ( uint32_t s = 0; s < out->samples; ++s )
	{
		for ( uint32_t v = 0; v < count; ++v )
		{
			bv_vec3 p = bvasset_clip_position( m->clip, vertices[v], s );
			uint16_t* code = out->frames[(size_t)s * count + v];
			code[0] = nearest_code( p.x, out->origin.x, out->step );
			code[1] = nearest_code( p.y, out->origin.y, out->step );
			code[2] = nearest_code( p.z, out->origin.z, out->step );
		}
	}
	return true;
}

// At all samples each vertex is where it is at the first one.
static bool is_still( const box_maker* m )
{
	const bvb_clip* c = m->clip->scene->clip;
	for ( size_t i = 0; i < 3 * (size_t)m->mesh->triangle_count; ++i )
	{
		bv_vec3 p = bvasset_clip_position( m->clip, m->corners[i], 0 );
		for ( uint32_t s = 1; s < c->samples; ++s )
		{
			bv_vec3 d = bv_sub( bvasset_clip_position( m->clip, m->corners[i], s ), p );
			if ( bvmath_norm1( d ) > rounding * m->largest )
			{
				return false;
			}
		}
	}
	return true;
}

static bool enclose( box_maker* m, bool frames, uint32_t threads, bvb_arena* arena, bvb_arena* scratch )
{
	bvb_clip_asset* out = m->out;
	uint32_t nodes = m->tree->node_count;
	box_levels levels;
	bv_aabb* whole = bvb_arena_allocate( scratch, nodes, sizeof *whole );
	bv_aabb* boxes = bvb_arena_allocate( scratch, (size_t)nodes * out->segments, sizeof *boxes );
	out->sets = out->segments > 1 ? 1 + out->segments : 1;
	out->boxes = bvb_arena_allocate( arena, (size_t)nodes * out->sets, sizeof *out->boxes );
	if ( !whole || !boxes || !out->boxes || !find_corners( m, scratch ) ||
	     !find_levels( m->tree, scratch, &levels ) )
	{
		return false;
	}
	for ( uint32_t s = 0; s < out->segments; ++s )
	{
		find_boxes( m, s, boxes + (size_t)s * nodes );
		for ( uint32_t i = 0; i < nodes; ++i )
		{
			whole[i] = s == 0 ? boxes[i] : whole[i];
			add_box( whole + i, boxes + (size_t)s * nodes + i );
		}
	}
	m->largest = bvmath_max( bvmath_norm1( whole[0].lower ), bvmath_norm1( whole[0].upper ) );
	choose_grid( whole, out );
	round_boxes( m, whole, out->boxes );
	for ( uint32_t s = 0; s + 1 < out->sets; ++s )
	{
		round_boxes( m, boxes + (size_t)s * nodes, out->boxes + (size_t)( s + 1 ) * nodes );
	}
	int team = bvbase_thread_team_in( arena, threads );
	for ( uint32_t set = 0; set < out->sets; ++set )
	{
		find_errors( m, &levels, set, team );
	}
	out->moves = !is_still( m );
	return !frames || store_frames( m, arena, scratch );
}

bv_status bvasset_clip_enclose( const bvasset_clip* c, const bvb_mesh* mesh, const bvb_tree* tree,
                                bool frames, uint32_t threads, bvb_arena* arena, bvb_clip_asset* out,
                                bvb_error* error )
{
	const bvb_clip* clip = c->scene->clip;
	box_maker m = { .clip = c, .mesh = mesh, .tree = tree, .out = out };
	out->name = clip->name;
	out->start = clip->start;
	out->end = clip->end;
	out->samples = clip->samples;
	out->segments = clip->segments;
	out->record = c->record;
	bvb_arena* scratch = bvbase_arena_create_scratch( arena );
	bool good = scratch && enclose( &m, frames, threads, arena, scratch );
	bvb_arena_destroy( scratch );
	return good ? bv_ok : bvbase_fail_memory( error );
}
