// New volumes for the children of a node. See refit.h.
//
// As when a file is written (runtime/file/snap.h), extents are measured from where the grids left centers and axes, and rounded up. Of a
// volume with a frame, the axes are those before any refit, turned as the vertices have turned if that is wanted. Along them,
//
// - an oriented box is the smallest one
// - a rectangle swept sphere is the smaller one of two: its rectangle is the middle layer of that box, whole or without a margin of half
//   its thickness. Its radius is the smallest for that rectangle
// - a prism has the slope it had, and is the smallest with it
// - a ball has its center in the middle of the axis-aligned box, and the smallest radius.

#include "runtime/tree/refit.h"

#include "runtime/file/snap.h"
#include "runtime/math/round.h"
#include "runtime/tree/refit_lanes.h"
#include "runtime/tree/refit_points.h"
#include "runtime/tree/refit_turn.h"
#include "runtime/volume/kinds.h"

#include <math.h>
#include <string.h>

uint32_t bvtree_refit_blocks_of( uint32_t types )
{
	uint32_t blocks = 0;
	for ( uint32_t i = 0; i < bv_volume_types; ++i )
	{
		const bvvol_kind* kind = bvvol_kind_of( (bv_volume_type)i );
		uint32_t rows = kind->planes > 0 ? kind->planes / 2u - 3 : kind->extents;
		uint32_t needed = ( rows + bvtree_refit_rows - 1 ) / bvtree_refit_rows;
		blocks = types >> i & 1 && needed > blocks ? needed : blocks;
	}
	return blocks;
}

// A volume on its way: everything is on its grid but the extents, which are what they must at least be.
typedef struct refit_child
{
	const bvvol_kind* kind;
	bv_volume volume;   // of a bounded kind, and of a prism
	bvvol_parts parts;  // of the other kinds
	bv_vec3 axis[3];    // likewise
	double extents[3];  // of a ball the first one is the radius
	double half_height; // of a prism, of the smallest one
	const bvtree_refit_box* box;
	bvtree_refit_unit unit;
	bvtree_refit_points points;
	bvtree_refit_measure* measure; // null if nothing of it is kept
	bool moved;
} refit_child;

static void begin_child( const bvtree_refit* r, uint32_t number, uint32_t inner, bv_volume_type type,
                         bool moved, refit_child* c )
{
	c->kind = bvvol_kind_of( type );
	c->volume.type = type;
	c->box = r->boxes + number;
	c->unit = bvtree_refit_unit_of( c->box );
	c->points = bvtree_refit_points_of( r, number, inner );
	c->measure = r->blocks > 0 ? r->measures + (size_t)r->blocks * number : NULL;
	c->moved = moved;
}

static bv_vec3 center_of( const refit_child* c )
{
	return ( bv_vec3 ){ c->unit.center[0], c->unit.center[1], c->unit.center[2] };
}

static double rounding_of( const refit_child* c )
{
	return BVTREE_REFIT_ROUNDING * c->unit.reach * (double)c->unit.inverse;
}

// The directions of a k-DOP behind the first three.
static void measure_slabs( refit_child* c, bvvol_bounds bounds )
{
	float columns[bvtree_refit_blocks][3][bvtree_refit_rows] = { { { 0 } } };
	uint32_t number[bvtree_refit_blocks * bvtree_refit_rows];
	uint32_t count = 0;
	for ( uint32_t i = 3; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( c->kind->planes, i ) )
		{
			bv_vec3 d = bv_kdop_direction( i );
			float( *column )[bvtree_refit_rows] = columns[count / bvtree_refit_rows];
			column[0][count % bvtree_refit_rows] = (float)d.x;
			column[1][count % bvtree_refit_rows] = (float)d.y;
			column[2][count % bvtree_refit_rows] = (float)d.z;
			number[count++] = i;
		}
	}
	for ( uint32_t k = 0; bvtree_refit_rows * k < count && c->moved; ++k )
	{
		uint32_t rows = count - bvtree_refit_rows * k;
		rows = rows < bvtree_refit_rows ? rows : bvtree_refit_rows;
		bvtree_refit_columns directions = bvtree_refit_columns_of( columns[k] );
		bvtree_refit_measure_along( &c->points, &c->unit, &directions, rows, c->measure + k );
	}
	double margin = rounding_of( c ) + 0x1p-50 * bvmath_norm1( center_of( c ) );
	for ( uint32_t k = 0; k < count; ++k )
	{
		const bvtree_refit_measure* m = c->measure + k / bvtree_refit_rows;
		double middle = bv_dot( bv_kdop_direction( number[k] ), center_of( c ) );
		bounds.lower[number[k]] =
			middle + ( m->lower[k % bvtree_refit_rows] * (double)c->unit.inverse - margin );
		bounds.upper[number[k]] =
			middle + ( m->upper[k % bvtree_refit_rows] * (double)c->unit.inverse + margin );
	}
}

static void fit_bounded( refit_child* c )
{
	c->kind->begin( &c->volume );
	bvvol_bounds bounds = c->kind->bounds( &c->volume );
	for ( int i = 0; i < 3; ++i )
	{
		bounds.lower[i] = c->box->lower[i];
		bounds.upper[i] = c->box->upper[i];
	}
	if ( c->kind->planes > 6 )
	{
		measure_slabs( c, bounds );
	}
}

static void measure_frame( refit_child* c )
{
	float columns[3][bvtree_refit_rows] = { { 0 } };
	for ( int k = 0; k < 3; ++k )
	{
		columns[0][k] = (float)c->axis[k].x;
		columns[1][k] = (float)c->axis[k].y;
		columns[2][k] = (float)c->axis[k].z;
	}
	bvtree_refit_columns axes = bvtree_refit_columns_of( columns );
	bvtree_refit_measure_along( &c->points, &c->unit, &axes, 3, c->measure );
}

// Moves the center to the middle of the smallest box along the axes.
// @param half  receives half the lengths of that box
static void fit_box( refit_child* c, double half[3] )
{
	double margin = rounding_of( c );
	c->parts.center = center_of( c );
	for ( int k = 0; k < 3; ++k )
	{
		double lower = c->measure->lower[k] * (double)c->unit.inverse;
		double upper = c->measure->upper[k] * (double)c->unit.inverse;
		c->parts.center = bv_add( c->parts.center, bv_scale( ( lower + upper ) / 2, c->axis[k] ) );
		half[k] = ( upper - lower ) / 2 + margin;
	}
}

// A quarter of the surface of a rectangle swept sphere.
static double area_of( const double half[2], double radius )
{
	const double pi = 0x1.921fb54442d18p+1;
	return 2 * half[0] * half[1] + pi * radius * ( half[0] + half[1] + radius );
}

static double radius_of( const refit_child* c, const double half[2] )
{
	return bvtree_refit_radius( &c->points, &c->unit, c->axis, c->parts.center, half );
}

static void fit_rectangle( refit_child* c )
{
	double whole[3];
	fit_box( c, whole );
	const double less[2] = { bvmath_max( whole[0] - whole[2], 0 ), bvmath_max( whole[1] - whole[2], 0 ) };
	bool is_less = area_of( less, radius_of( c, less ) ) < area_of( whole, whole[2] );
	memcpy( c->extents, is_less ? less : whole, sizeof less );
}

static bool is_ball( const bvvol_kind* kind )
{
	return kind->planes == 0 && kind->extents == 0;
}

// Turns the axes with the vertices, to axes that a node can hold.
static void turn( refit_child* c )
{
	bvtree_refit_turn( &c->points, c->axis );
	bvfile_snap_axes( c->kind, c->axis, c->parts.rotation );
	bvvol_rotation_axes( c->parts.rotation, c->axis );
}

static void turn_prism( refit_child* c )
{
	bvtree_refit_turn( &c->points, c->volume.prism.box.axis );
	bvfile_snap_prism_turn( &c->volume.prism );
}

// The smallest prism with the slope that it has can have its center far away from its vertices. It goes no farther beyond their box than the grid
// of all nodes reaches beyond the box of the root.
static void recenter_prism( refit_child* c )
{
	bv_vec3* center = &c->volume.prism.box.center;
	bvvol_point_list list = bvtree_refit_list( &c->points );
	*center = c->parts.center;
	c->half_height = bvfile_snap_prism_recenter( &c->volume.prism, &list );
	const float* lower = c->box->lower;
	const float* upper = c->box->upper;
	double beyond = 0;
	for ( int i = 0; i < 3; ++i )
	{
		beyond = bvmath_max( beyond, ( (double)upper[i] - lower[i] ) / 2 );
	}
	center->x = bvmath_max( lower[0] - beyond, bvmath_min( center->x, upper[0] + beyond ) );
	center->y = bvmath_max( lower[1] - beyond, bvmath_min( center->y, upper[1] + beyond ) );
	center->z = bvmath_max( lower[2] - beyond, bvmath_min( center->z, upper[2] + beyond ) );
	c->parts.center = *center;
}

// @param from  the volume before any refit, with its present frame if vertices did not move
static void fit_framed( refit_child* c, const bv_volume* from )
{
	c->parts = ( bvvol_parts ){ .center = center_of( c ) };
	if ( is_ball( c->kind ) )
	{
		c->axis[0] = ( bv_vec3 ){ 1, 0, 0 };
		c->axis[1] = ( bv_vec3 ){ 0, 1, 0 };
		c->axis[2] = ( bv_vec3 ){ 0, 0, 1 };
		return;
	}
	if ( c->kind->tapered )
	{
		c->volume = *from;
		if ( c->moved && bvtree_refit_turns( c->points.refit ) )
		{
			turn_prism( c );
		}
		recenter_prism( c );
		return;
	}
	bvvol_parts kept;
	c->kind->part( from, &kept );
	memcpy( c->parts.rotation, kept.rotation, sizeof kept.rotation );
	bvvol_rotation_axes( kept.rotation, c->axis );
	if ( c->moved && bvtree_refit_turns( c->points.refit ) )
	{
		turn( c );
	}
	if ( c->moved )
	{
		measure_frame( c );
	}
	if ( c->kind->has_radius )
	{
		fit_rectangle( c );
	}
	else
	{
		fit_box( c, c->extents );
	}
}

static void fit( refit_child* c, const bv_volume* from )
{
	if ( c->kind->planes > 0 )
	{
		fit_bounded( c );
	}
	else
	{
		fit_framed( c, from );
	}
}

// Coordinates that a node's frame must have codes of.
static void grow_range( refit_child* c, bvfile_snap_range* all )
{
	double center[3] = { c->parts.center.x, c->parts.center.y, c->parts.center.z };
	const double* lower = center;
	const double* upper = center;
	if ( c->kind->planes > 0 )
	{
		bvvol_bounds bounds = c->kind->bounds( &c->volume );
		lower = bounds.lower;
		upper = bounds.upper;
	}
	for ( int i = 0; i < 3; ++i )
	{
		all->lower[i] = bvmath_min( all->lower[i], lower[i] );
		all->upper[i] = bvmath_max( all->upper[i], upper[i] );
	}
}

static void settle_bounds( refit_child* c, const bvfile_node_frame* frame )
{
	bvvol_bounds bounds = c->kind->bounds( &c->volume );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( c->kind->planes, i ) )
		{
			bvfile_slab_scale s = bvfile_slab_scale_of( frame, c->kind->planes, i );
			bounds.lower[i] = bvfile_snap_bound( bounds.lower[i], &s, false );
			bounds.upper[i] = bvfile_snap_bound( bounds.upper[i], &s, true );
		}
	}
}

// What a box's extents must be about its center.
static void measure_extents( refit_child* c )
{
	bv_vec3 moved = bv_sub( c->parts.center, center_of( c ) );
	double margin = rounding_of( c ) + 0x1p-50 * bvmath_norm1( moved );
	for ( int k = 0; k < 3; ++k )
	{
		double along = bv_dot( c->axis[k], moved );
		double lower = c->measure->lower[k] * (double)c->unit.inverse;
		double upper = c->measure->upper[k] * (double)c->unit.inverse;
		c->extents[k] = bvmath_max( upper - along, along - lower ) + margin;
	}
}

static void settle( refit_child* c, const bvfile_node_frame* frame )
{
	if ( c->kind->planes > 0 )
	{
		settle_bounds( c, frame );
		return;
	}
	if ( c->kind->tapered )
	{
		bvvol_point_list list = bvtree_refit_list( &c->points );
		bvfile_snap_prism_place( &c->volume.prism, &list, frame, c->half_height, c->extents );
		return;
	}
	c->parts.center = bvfile_snap_center( c->parts.center, frame );
	if ( is_ball( c->kind ) )
	{
		c->extents[0] = radius_of( c, ( double[2] ){ 0, 0 } );
	}
	else if ( !c->kind->has_radius )
	{
		measure_extents( c );
	}
}

// What the unit of extents must reach. A rectangle that grows needs no larger radius.
static double largest_extent( const refit_child* c )
{
	const double* e = c->extents;
	if ( c->kind->planes > 0 )
	{
		return 0;
	}
	if ( c->kind->tapered )
	{
		bvvol_point_list list = bvtree_refit_list( &c->points );
		return bvfile_snap_prism_largest( &c->volume.prism, &list, e );
	}
	if ( is_ball( c->kind ) )
	{
		return e[0];
	}
	double third = c->kind->has_radius ? radius_of( c, e ) * ( 1 + 0x1p-16 ) : e[2];
	return bvmath_max( bvmath_max( e[0], e[1] ), third );
}

static void finish( refit_child* c, double unit )
{
	if ( c->kind->planes > 0 )
	{
		return;
	}
	if ( c->kind->tapered )
	{
		bvvol_point_list list = bvtree_refit_list( &c->points );
		bvfile_snap_prism_extents( &c->volume.prism, &list, c->extents, unit );
		return;
	}
	for ( uint32_t i = 0; i < c->kind->extents; ++i )
	{
		c->parts.extents[i] = bvfile_snap_extent( c->extents[i], unit );
	}
	if ( c->kind->has_radius )
	{
		double radius = is_ball( c->kind ) ? c->extents[0] : radius_of( c, c->parts.extents );
		c->parts.radius = bvfile_snap_extent( radius, unit );
	}
	c->kind->join( &c->parts, &c->volume );
}

// Prisms keep the slope that they had before any refit.
static void take_frame( bv_volume* to, const bv_volume* from )
{
	double half[3];
	memcpy( half, to->prism.box.half_extents, sizeof half );
	*to = *from;
	if ( bvvol_kind_of( to->type )->tapered )
	{
		memcpy( to->prism.box.half_extents, half, sizeof half );
	}
}

static bool same_frame( const bvfile_packed_node* node, const bvfile_frame_codes* codes )
{
	return memcmp( node->origin, codes->origin, sizeof codes->origin ) == 0 &&
	       memcmp( node->exponent, codes->exponent, sizeof codes->exponent ) == 0 &&
	       node->extent == codes->extent;
}

static void fit_any( const bvtree_refit* r, uint32_t index, int finest, bvtree_refit_what what )
{
	bvfile_packed_node* node = (bvfile_packed_node*)( r->words + r->inner[index].place );
	const bvfile_packed_node* kept = (const bvfile_packed_node*)( r->kept + r->inner[index].place );
	bvfile_node_frame kept_frame = bvfile_node_frame_of( kept, &r->kept_head->grid );
	bvfile_snap_range all = { { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	refit_child children[BVFILE_LANES];
	uint32_t next = index + 1;
	bvfile_node_frame present_frame = bvfile_node_frame_of( node, &r->head->grid );
	bvfile_group from = bvfile_group_first( kept );
	bvfile_group present = bvfile_group_first( node );
	while ( from.count > 0 )
	{
		for ( uint32_t i = 0; i < from.count; ++i )
		{
			uint32_t lane = from.first + i;
			bool moved = what.all || what.moved >> lane & 1;
			bv_volume before;
			bvfile_lane_unpack( &from, i, &kept_frame, &before );
			if ( !moved && bvtree_refit_turns( r ) )
			{
				bv_volume now;
				bvfile_lane_unpack( &present, i, &present_frame, &now );
				take_frame( &before, &now );
			}
			uint32_t inner = bvtree_refit_next_inner( r, node, lane, &next );
			begin_child( r, node->first_child + lane, inner, from.type, moved, children + lane );
			children[lane].points.by_box = r->by_boxes && !( what.exact >> lane & 1 );
			children[lane].points.moved = what.all || what.resized >> lane & 1 ? NULL : r->moved;
			fit( children + lane, &before );
			grow_range( children + lane, &all );
		}
		from = bvfile_group_next( kept, &from );
		present = bvfile_group_next( node, &present );
	}
	bvfile_frame_codes codes;
	bvfile_snap_make_frame( &r->head->grid, &all, finest, &codes );
	codes.extent = 0;
	bvfile_node_frame frame = bvfile_snap_frame_of( &codes, &r->head->grid );
	double largest = 0;
	for ( uint32_t i = 0; i < node->children; ++i )
	{
		settle( children + i, &frame );
		largest = bvmath_max( largest, largest_extent( children + i ) );
	}
	frame.extent = bvfile_snap_unit( largest, &codes );
	bool same = !what.all && !what.regrid && same_frame( node, &codes );
	memcpy( node->origin, codes.origin, sizeof node->origin );
	memcpy( node->exponent, codes.exponent, sizeof node->exponent );
	node->extent = codes.extent;
	bvfile_group group = bvfile_group_first( node );
	for ( ; group.count > 0; group = bvfile_group_next( node, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			refit_child* c = children + group.first + i;
			if ( c->moved || !same )
			{
				finish( c, frame.extent );
				bvfile_lane_pack( &group, i, &frame, &c->volume, (uint8_t*)group.data );
			}
		}
	}
}

void bvtree_refit_node( const bvtree_refit* r, uint32_t index, int finest, bvtree_refit_what what )
{
	if ( !bvtree_refit_lanes( r, index, finest, what ) )
	{
		fit_any( r, index, finest, what );
	}
}

static void round_bounds( refit_child* c )
{
	bvvol_bounds bounds = c->kind->bounds( &c->volume );
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( c->kind->planes, i ) )
		{
			bounds.lower[i] = bvmath_float_down( bounds.lower[i] ) + 0.0f;
			bounds.upper[i] = bvmath_float_up( bounds.upper[i] ) + 0.0f;
		}
	}
}

static bv_vec3 rounded_center( bv_vec3 center )
{
	return ( bv_vec3 ){ (float)center.x + 0.0f, (float)center.y + 0.0f, (float)center.z + 0.0f };
}

static void round_framed( refit_child* c )
{
	if ( c->kind->tapered )
	{
		bvvol_point_list list = bvtree_refit_list( &c->points );
		double* h = c->volume.prism.box.half_extents;
		// Its center is on no grid, and can be anywhere.
		bvfile_snap_prism( &c->volume.prism, &list, NULL, c->extents );
		memcpy( h, c->extents, sizeof c->extents );
		bvvol_prism_grow( &c->volume.prism, &list );
		return;
	}
	c->parts.center = rounded_center( c->parts.center );
	if ( is_ball( c->kind ) )
	{
		c->parts.radius = bvmath_float_up( radius_of( c, ( double[2] ){ 0, 0 } ) );
	}
	else if ( !c->kind->has_radius )
	{
		measure_extents( c );
	}
	for ( uint32_t i = 0; i < c->kind->extents; ++i )
	{
		c->parts.extents[i] = bvmath_float_up( c->extents[i] );
	}
	if ( c->kind->has_radius && !is_ball( c->kind ) )
	{
		c->parts.radius = bvmath_float_up( radius_of( c, c->parts.extents ) );
	}
	c->kind->join( &c->parts, &c->volume );
}

void bvtree_refit_root( const bvtree_refit* r, bool resized )
{
	bv_volume_type type = (bv_volume_type)r->kept_head->root_type;
	bv_volume before = bvvol_unpack( type, r->kept_head->root );
	refit_child c;
	begin_child( r, 0, r->inner_count > 0 ? 0 : BVTREE_REFIT_LEAF, type, true, &c );
	c.points.moved = resized ? NULL : r->moved;
	fit( &c, &before );
	if ( c.kind->planes > 0 )
	{
		round_bounds( &c );
	}
	else
	{
		round_framed( &c );
	}
	bvvol_pack( &c.volume, r->head->root );
}
