// Volumes that the file can hold. See bvb_tree_snap in bvbuild/hierarchy.h.
//
// First the frame of a node and the turns and centers of its children's volumes are put on their grids; then
// extents are measured from where the grids left them, and rounded up. So nothing is ever enclosed by what
// was there before rounding.

#include "offline/tree/snap.h"

#include "offline/base/arena.h"
#include "offline/base/error.h"
#include "offline/base/threads.h"
#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

#include <math.h>
#include <string.h>

enum
{
	part_nodes = 8192,   // that a thread takes at a time
	many_boxes = 8192,   // from so many nodes on aligned boxes are worth a second thread, ...
	many_volumes = 1024, // ... and from so many on others, which take four times as long
};

// Projections, here and in bvvol_obb_reach, err by less than 2^-50 of what they add.
static const double projection_margin = 0x1p-46;

typedef bvfile_snap_range range;

static const range nowhere = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };

// All stored forms begin with a center or with the least coordinates, behind which the greatest ones follow.
static range range_of( bv_volume_type type, const uint8_t* stored )
{
	uint32_t floats = bvvol_packed_bytes( type ) / sizeof( float );
	bool centered = bvvol_kind_of( type )->planes == 0;
	float ends[2][3];
	memcpy( ends[0], stored, sizeof ends[0] );
	memcpy( ends[1], stored + ( centered ? 0 : floats / 2 * sizeof( float ) ), sizeof ends[1] );
	return ( range ){ { ends[0][0], ends[0][1], ends[0][2] }, { ends[1][0], ends[1][1], ends[1][2] } };
}

static void grow( range* all, const range* one )
{
	for ( int i = 0; i < 3; ++i )
	{
		all->lower[i] = bvmath_min( all->lower[i], one->lower[i] );
		all->upper[i] = bvmath_max( all->upper[i], one->upper[i] );
	}
}

static range range_of_nodes( const bvb_tree* tree, uint32_t first, uint32_t count )
{
	range all = nowhere;
	for ( uint32_t i = first; i < first + count; ++i )
	{
		range one = range_of( tree->nodes[i].type, tree->volumes + (size_t)tree->stride * i );
		grow( &all, &one );
	}
	return all;
}

// All nodes but the root, by several threads.
static range range_of_all( const bvb_tree* tree, int team )
{
	range all = nowhere;
	uint32_t count = tree->node_count - 1;
	uint32_t parts = ( count - 1 ) / part_nodes + 1;
#pragma omp parallel for schedule( dynamic ) num_threads( team ) if ( team > 1 )
	for ( uint32_t i = 0; i < parts; ++i )
	{
		uint32_t first = 1 + i * part_nodes;
		uint32_t left = tree->node_count - first;
		range part = range_of_nodes( tree, first, left < part_nodes ? left : part_nodes );
#pragma omp critical( bvorder_snap_range )
		grow( &all, &part );
	}
	return all;
}

// A child on its way: everything is on its grid but the extents, which are what they must at least be.
typedef struct child
{
	const bvb_mesh* mesh;
	const bvorder_stored_node* node;
	bv_volume volume;
	double extents[3];
} child;

static bv_vec3 corner_of( const child* c, uint32_t index )
{
	const bvb_triangle* triangle = c->mesh->triangles + c->node->first_triangle + index / 3;
	return c->mesh->positions[triangle->corner[index % 3]];
}

// Centered anew between what is farthest along the rounded axes.
static void settle_obb( child* c, const bvfile_node_frame* frame )
{
	bv_obb* box = &c->volume.obb;
	bv_vec3 turned[3];
	bvvol_packed_obb packed = { .center = { 0 } };
	bvfile_snap_turn( box->axis, turned, packed.rotation );
	bv_vec3 from = box->center;
	bvvol_obb_unpack_to( &packed, box );
	double lower[3] = { INFINITY, INFINITY, INFINITY };
	double upper[3] = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t k = 0; k < 3 * c->node->triangles; ++k )
	{
		bv_vec3 p = bv_sub( corner_of( c, k ), from );
		for ( int i = 0; i < 3; ++i )
		{
			double along = bv_dot( box->axis[i], p );
			lower[i] = bvmath_min( lower[i], along );
			upper[i] = bvmath_max( upper[i], along );
		}
	}
	bv_vec3 middle = from;
	double reach = 0;
	for ( int i = 0; i < 3; ++i )
	{
		middle = bv_add( middle, bv_scale( ( lower[i] + upper[i] ) / 2, box->axis[i] ) );
		reach += bvmath_max( fabs( lower[i] ), fabs( upper[i] ) );
	}
	box->center = bvfile_snap_center( middle, frame );
	bv_vec3 moved = bv_sub( box->center, from );

	double margin = projection_margin * ( reach + bvmath_norm1( moved ) );
	for ( int i = 0; i < 3; ++i )
	{
		double along = bv_dot( box->axis[i], moved );
		c->extents[i] = bvmath_max( upper[i] - along, along - lower[i] ) + margin;
	}
}

static double radius_of( const child* c )
{
	uint32_t extents = bvvol_kind_of( c->volume.type )->extents;
	bvvol_rounded v = bvvol_volume_rounded( &c->volume );
	double radius = 0;
	for ( uint32_t k = 0; k < 3 * c->node->triangles; ++k )
	{
		radius = bvmath_max( radius, bvvol_rounded_reach( &v, extents, corner_of( c, k ) ) );
	}
	return radius;
}

// Turns the frame of a volume with a radius, so that the axis that its kind keeps stays where it is.
static void turn_round( const bvvol_kind* kind, const bvvol_rounded* v, bvvol_parts* parts )
{
	bv_vec3 turned[3];
	bv_vec3 axis[3];
	float rotation[4];
	bvfile_snap_turn( v->axis, turned, rotation );
	uint32_t turns = ( bvfile_snap_cycles( turned, v->axis[kind->kept] ) + 2 - kind->kept ) % 3;
	bvfile_rotation_cycled( rotation, turns, parts->rotation );
	bvvol_rotation_axes( parts->rotation, axis );
	if ( kind->extents == 2 && fabs( bv_dot( axis[0], v->axis[0] ) ) < fabs( bv_dot( axis[0], v->axis[1] ) ) )
	{
		double first = parts->extents[0];
		parts->extents[0] = parts->extents[1];
		parts->extents[1] = first;
	}
}

// Of a volume with a radius. That of a ball, which follows from its center alone, is its extent.
static void settle_round( child* c, const bvfile_node_frame* frame )
{
	const bvvol_kind* kind = bvvol_kind_of( c->volume.type );
	bvvol_rounded v = bvvol_volume_rounded( &c->volume );
	bvvol_parts parts = { .radius = 0 };
	kind->part( &c->volume, &parts );
	parts.center = bvfile_snap_center( parts.center, frame );
	if ( kind->extents > 0 )
	{
		turn_round( kind, &v, &parts );
	}
	memcpy( c->extents, parts.extents, sizeof c->extents );
	kind->join( &parts, &c->volume );
	c->extents[0] = kind->extents == 0 ? radius_of( c ) : c->extents[0];
}

static void finish_round( child* c, double unit )
{
	const bvvol_kind* kind = bvvol_kind_of( c->volume.type );
	bvvol_parts parts = { .radius = 0 };
	kind->part( &c->volume, &parts );
	for ( uint32_t i = 0; i < kind->extents; ++i )
	{
		parts.extents[i] = bvfile_snap_extent( c->extents[i], unit );
	}
	kind->join( &parts, &c->volume );
	parts.radius = bvfile_snap_extent( kind->extents > 0 ? radius_of( c ) : c->extents[0], unit );
	kind->join( &parts, &c->volume );
}

// A segment or rectangle that grows needs no larger radius.
static double largest_of_round( const child* c )
{
	const bvvol_kind* kind = bvvol_kind_of( c->volume.type );
	if ( kind->extents == 0 )
	{
		return c->extents[0];
	}
	child exact = *c;
	bvvol_parts parts = { .radius = 0 };
	kind->part( &c->volume, &parts );
	memcpy( parts.extents, c->extents, sizeof parts.extents );
	kind->join( &parts, &exact.volume );
	return bvmath_max( bvmath_max( c->extents[0], c->extents[1] ), radius_of( &exact ) * ( 1 + 0x1p-40 ) );
}

static bv_vec3 corner_at( const void* context, uint32_t index )
{
	return corner_of( context, index );
}

static void settle_prism( child* c, const bvfile_node_frame* frame )
{
	bvvol_point_list points = { c, corner_at, 3 * c->node->triangles };
	bvfile_snap_prism_turn( &c->volume.prism );
	bvfile_snap_prism( &c->volume.prism, &points, frame, c->extents );
}

static void settle_bounds( bv_volume* volume, const bvfile_node_frame* frame )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	bvvol_bounds bounds = kind->bounds( volume );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kind->planes, i ) )
		{
			bvfile_slab_scale s = bvfile_slab_scale_of( frame, kind->planes, i );
			bounds.lower[i] = bvfile_snap_bound( bounds.lower[i], &s, false );
			bounds.upper[i] = bvfile_snap_bound( bounds.upper[i], &s, true );
		}
	}
}

static void settle( child* c, const bvfile_node_frame* frame )
{
	const bvvol_kind* kind = bvvol_kind_of( c->volume.type );
	if ( kind->planes > 0 )
	{
		settle_bounds( &c->volume, frame );
	}
	else if ( kind->has_radius )
	{
		settle_round( c, frame );
	}
	else if ( kind->tapered )
	{
		settle_prism( c, frame );
	}
	else
	{
		settle_obb( c, frame );
	}
}

static void finish_prism( child* c, double unit )
{
	bvvol_point_list points = { c, corner_at, 3 * c->node->triangles };
	bvfile_snap_prism_extents( &c->volume.prism, &points, c->extents, unit );
}

static void finish( child* c, double unit )
{
	const bvvol_kind* kind = bvvol_kind_of( c->volume.type );
	if ( kind->has_radius )
	{
		finish_round( c, unit );
	}
	else if ( kind->tapered )
	{
		finish_prism( c, unit );
	}
	for ( int i = 0; i < 3 && kind->form == bvvol_form_box; ++i )
	{
		c->volume.obb.half_extents[i] = bvfile_snap_extent( c->extents[i], unit );
	}
}

static double largest_of_prism( const child* c )
{
	bvvol_point_list points = { c, corner_at, 3 * c->node->triangles };
	return bvfile_snap_prism_largest( &c->volume.prism, &points, c->extents );
}

// What the unit of extents must reach.
static double largest_extent( const child* c )
{
	const bvvol_kind* kind = bvvol_kind_of( c->volume.type );
	return kind->planes > 0   ? 0
	       : kind->has_radius ? largest_of_round( c )
	       : kind->tapered    ? largest_of_prism( c )
	                          : bvmath_max( c->extents[0], bvmath_max( c->extents[1], c->extents[2] ) );
}

static double norm1( const double x[3] )
{
	return ( fabs( x[0] ) + fabs( x[1] ) ) + fabs( x[2] );
}

// Whether a box's frame is one that nodes can hold as it is.
static bool is_rounded( const bvvol_packed_obb* box )
{
	bool rounded = box->rotation[3] == bvfile_rotation_w;
	for ( int i = 0; i < 3; ++i )
	{
		float part = box->rotation[i];
		rounded = rounded && part > -bvfile_rotation_bias && part < bvfile_rotation_bias &&
		          part == (float)(int32_t)part;
	}
	return rounded;
}

// A box of a child where it is stored.
static bvvol_packed_obb* stored_box( const bvb_tree* tree, uint32_t node )
{
	return (bvvol_packed_obb*)(void*)( tree->volumes + (size_t)tree->stride * node );
}

// What round_coordinate gives: multiplied by the inverse of a power of two instead of divided by that.
static inline double round_along( double x, double origin, double step, double inverse )
{
	double code = ( x - origin ) * inverse + 0.5;
	code = code < bvfile_code_range ? code : bvfile_code_range;
	return origin + step * (int32_t)( code > 0 ? code : 0 );
}

// Moves the box's center to the grid.
// @param extents  receives what the box's must be then at least
// @return the greatest of them
static double move_box( const bvfile_node_frame* frame, const double inverse[3], bvvol_packed_obb* packed,
                        double extents[3] )
{
	bv_obb box;
	bvvol_obb_unpack_to( packed, &box );
	const double* step = frame->step;
	bv_vec3 center = { round_along( box.center.x, frame->origin[0], step[0], inverse[0] ),
		               round_along( box.center.y, frame->origin[1], step[1], inverse[1] ),
		               round_along( box.center.z, frame->origin[2], step[2], inverse[2] ) };
	bv_vec3 moved = bv_sub( center, box.center );
	double margin = projection_margin * ( bvmath_norm1( moved ) + norm1( box.half_extents ) );
	double largest = 0;
	for ( int k = 0; k < 3; ++k )
	{
		extents[k] = box.half_extents[k] + fabs( bv_dot( box.axis[k], moved ) ) + margin;
		largest = bvmath_max( largest, extents[k] );
	}
	packed->center[0] = (float)center.x;
	packed->center[1] = (float)center.y;
	packed->center[2] = (float)center.z;
	return largest;
}

// Children with boxes in rounded frames: only their centers move, and what the boxes enclose need not be
// asked. Boxes are changed where they are stored: what is copied as a whole just behind its parts were
// written has to wait for them.
static bool snap_rounded( bvb_tree* tree, uint32_t index, int finest )
{
	const bvorder_stored_node* node = tree->nodes + index;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		if ( tree->nodes[node->first_child + i].type != bv_volume_obb ||
		     !is_rounded( stored_box( tree, node->first_child + i ) ) )
		{
			return false;
		}
	}
	bvfile_frame_codes* codes = tree->frames + index;
	range all = range_of_nodes( tree, node->first_child, node->children );
	bvfile_snap_make_frame( &tree->grid, &all, finest, codes );
	bvfile_node_frame frame = bvorder_frame( tree, index );
	const double inverse[3] = { 1 / frame.step[0], 1 / frame.step[1], 1 / frame.step[2] };
	double extents[BVFILE_LANES][3];
	double largest = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		double reach = move_box( &frame, inverse, stored_box( tree, node->first_child + i ), extents[i] );
		largest = bvmath_max( largest, reach );
	}
	double unit = bvfile_snap_unit( largest, codes );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		bvvol_packed_obb* packed = stored_box( tree, node->first_child + i );
		for ( int k = 0; k < 3; ++k )
		{
			packed->half_extents[k] = (float)bvfile_snap_extent( extents[i][k], unit );
		}
	}
	return true;
}

static void snap_children( bvb_tree* tree, const bvb_mesh* mesh, uint32_t index, int finest )
{
	const bvorder_stored_node* node = tree->nodes + index;
	bvfile_frame_codes* codes = tree->frames + index;
	range all = range_of_nodes( tree, node->first_child, node->children );
	bvfile_snap_make_frame( &tree->grid, &all, finest, codes );
	bvfile_node_frame frame = bvorder_frame( tree, index );
	child children[BVFILE_LANES];
	double largest = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		children[i] = ( child ){ .mesh = mesh,
			                     .node = tree->nodes + node->first_child + i,
			                     .volume = bvorder_volume( tree, node->first_child + i ) };
		settle( children + i, &frame );
		largest = bvmath_max( largest, largest_extent( children + i ) );
	}
	double unit = bvfile_snap_unit( largest, codes );
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		finish( children + i, unit );
		bvorder_set_volume( tree, node->first_child + i, &children[i].volume );
	}
}

static bool has_kdops( const bvb_tree* tree )
{
	bool found = false;
	for ( uint32_t i = 0; i < tree->node_count && !found; ++i )
	{
		found = bvvol_kind_of( tree->nodes[i].type )->form == bvvol_form_slabs;
	}
	return found;
}

bv_status bvb_tree_snap( bvb_tree* tree, const bvb_mesh* mesh, uint32_t threads, bvb_arena* arena,
                         bvb_error* error )
{
	tree->frames = bvb_arena_allocate( arena, tree->node_count, sizeof *tree->frames );
	if ( !tree->frames )
	{
		return bvbase_fail_memory( error );
	}
	if ( tree->node_count == 1 )
	{
		return bv_ok;
	}
	bool aligned = tree->stride == bvorder_stride( 1u << bv_volume_aabb );
	bool enough = tree->node_count >= ( aligned ? many_boxes : many_volumes );
	int team = enough ? bvbase_thread_team_in( arena, threads ) : 1;
	range all;
	bool boxes = bvorder_snap_range_of_boxes( tree, team, &all );
	all = boxes ? all : range_of_all( tree, team );
	int finest = bvfile_snap_finest( &all, !boxes && has_kdops( tree ) );
	tree->grid = bvfile_snap_grid( &all, finest, 0 );
	int count = (int)tree->node_count;
	boxes = boxes && bvorder_snap_boxes_can( &all, finest );
#pragma omp parallel for schedule( dynamic, 64 ) num_threads( team )
	for ( int i = 0; i < count; ++i )
	{
		if ( tree->nodes[i].children && boxes )
		{
			bvorder_snap_boxes( tree, (uint32_t)i, finest );
		}
		else if ( tree->nodes[i].children && !snap_rounded( tree, (uint32_t)i, finest ) )
		{
			snap_children( tree, mesh, (uint32_t)i, finest );
		}
	}
	return bv_ok;
}
