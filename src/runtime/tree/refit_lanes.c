// Nodes whose children all have oriented boxes, or all aligned ones, in binary32 and eight at a time. See refit.h and lanes_refit.h.
//
// Boxes are the same as those of refit.c, up to rounding to binary32 on the way, which margins cover.

#include "runtime/tree/refit_lanes.h"

#include "runtime/file/snap.h"
#include "runtime/simd/floats.h"
#include "runtime/tree/lanes.h"
#include "runtime/tree/refit_points.h"
#include "runtime/tree/refit_turn.h"

#include <string.h>

enum
{
	least_exponent = -100, // of steps, so that products of lengths with rounding errors remain normal numbers
	most_exponent = 100,   // of coordinates, so that their squares remain finite
};

bool bvtree_refit_is_common( const bvtree_refit* r, int finest )
{
	const bvtree_refit_box* box = r->boxes;
	float most = (float)bvfile_power_of_two( most_exponent );
	bool is_common = finest >= least_exponent;
	for ( int i = 0; i < 3; ++i )
	{
		is_common = is_common && box->lower[i] >= -most && box->upper[i] <= most;
	}
	return is_common;
}

static void write_frame( bvfile_packed_node* node, const bvfile_frame_codes* codes )
{
	memcpy( node->origin, codes->origin, sizeof node->origin );
	memcpy( node->exponent, codes->exponent, sizeof node->exponent );
	node->extent = codes->extent;
}

static bvtree_lane_frame lane_frame( const bvfile_frame_codes* codes, const bvfile_node_grid* grid )
{
	bvtree_lane_frame frame;
	for ( int i = 0; i < 3; ++i )
	{
		frame.origin[i] = (float)( grid->origin[i] + grid->step * codes->origin[i] );
		frame.step[i] = (float)bvfile_power_of_two( codes->exponent[i] - bvfile_step_bias );
		frame.inverse[i] = (float)bvfile_power_of_two( bvfile_step_bias - codes->exponent[i] );
	}
	return frame;
}

// What bounds are multiples of, by axis.
typedef struct bound_codes
{
	bvsimd_floats origin;
	bvsimd_floats unit;
	bvsimd_floats inverse;
} bound_codes;

static bound_codes bound_codes_of( const bvtree_lane_frame* frame )
{
	float from[3][4] = { { 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		from[0][i] = frame->origin[i];
		from[1][i] = bvfile_code_coarse * frame->step[i];
		from[2][i] = frame->inverse[i] / bvfile_code_coarse;
	}
	return ( bound_codes ){ bvsimd_floats_load( from[0] ), bvsimd_floats_load( from[1] ),
		                    bvsimd_floats_load( from[2] ) };
}

static bvsimd_floats nearest_code( const bound_codes* c, bvsimd_floats x )
{
	bvsimd_floats steps = bvsimd_floats_multiply( bvsimd_floats_subtract( x, c->origin ), c->inverse );
	return bvsimd_floats_whole( bvsimd_floats_add( steps, bvsimd_floats_all( 0.5f ) ) );
}

static bvsimd_floats bound_of( const bound_codes* c, bvsimd_floats code )
{
	return bvsimd_floats_add( c->origin, bvsimd_floats_multiply( c->unit, code ) );
}

static void store_codes( uint8_t to[4], bvsimd_floats code )
{
	code = bvsimd_floats_min( code, bvsimd_floats_all( bvfile_snap_extent_range ) );
	bvsimd_floats_store_bytes( to, bvsimd_floats_max( code, bvsimd_floats_all( 0 ) ) );
}

// Products and sums of origins and codes are exact (bvfile_snap_finest), so that comparisons give back what rounding took away.
static void round_outward( const bound_codes* c, const bvtree_refit_box* box, uint8_t code[2][4] )
{
	bvsimd_floats one = bvsimd_floats_all( 1 );
	bvsimd_floats from = bvsimd_floats_load( box->lower );
	bvsimd_floats to = bvsimd_floats_load( box->upper );
	bvsimd_floats lower = nearest_code( c, from );
	bvsimd_floats upper = nearest_code( c, to );
	bvsimd_floats_mask inside = bvsimd_floats_below( from, bound_of( c, lower ) );
	store_codes( code[0], bvsimd_floats_subtract( lower, bvsimd_floats_where( inside, one ) ) );
	inside = bvsimd_floats_below( bound_of( c, upper ), to );
	store_codes( code[1], bvsimd_floats_add( upper, bvsimd_floats_where( inside, one ) ) );
}

static void fit_aabbs( const bvtree_refit* r, uint32_t index, int finest, bvfile_packed_node* node,
                       uint8_t* data )
{
	uint32_t count = node->children;
	const bvtree_refit_box* all = r->boxes + r->inner[index].number;
	bvfile_snap_range range;
	for ( int i = 0; i < 3; ++i )
	{
		range.lower[i] = all->lower[i];
		range.upper[i] = all->upper[i];
	}
	bvfile_frame_codes codes = { .extent = 0 };
	bvfile_snap_make_frame( &r->head->grid, &range, finest, &codes );
	write_frame( node, &codes );
	bvtree_lane_frame frame = lane_frame( &codes, &r->head->grid );
	bound_codes c = bound_codes_of( &frame );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint8_t code[2][4];
		round_outward( &c, r->boxes + node->first_child + i, code );
		for ( uint32_t k = 0; k < 3; ++k )
		{
			data[count * k + i] = code[0][k];
			data[count * ( 3 + k ) + i] = code[1][k];
		}
	}
}

static void measure( const bvtree_refit_points* points, uint32_t lane, const bvtree_refit_unit* unit,
                     const bvtree_lane_refit* l, bvtree_refit_measure* out )
{
	// Not by way of memory: a vector cannot be loaded before the numbers in it have been stored.
	bvtree_refit_columns axes = {
		bvsimd_floats_of( l->axis[0][0][lane], l->axis[1][0][lane], l->axis[2][0][lane], 0 ),
		bvsimd_floats_of( l->axis[0][1][lane], l->axis[1][1][lane], l->axis[2][1][lane], 0 ),
		bvsimd_floats_of( l->axis[0][2][lane], l->axis[1][2][lane], l->axis[2][2][lane], 0 ),
	};
	bvtree_refit_measure_along( points, unit, &axes, 3, out );
}

// @param inner  index of the child; BVTREE_REFIT_LEAF for a leaf
static void load_lane( const bvtree_refit* r, uint32_t number, uint32_t inner, uint32_t lane,
                       bvtree_refit_what what, bvtree_lane_refit* l )
{
	bvtree_refit_unit unit = bvtree_refit_unit_of( r->boxes + number );
	bvtree_refit_measure* m = r->measures + (size_t)r->blocks * number;
	if ( what.all || what.moved >> lane & 1 )
	{
		bvtree_refit_points points = bvtree_refit_points_of( r, number, inner );
		points.by_box = r->by_boxes && !( what.exact >> lane & 1 );
		points.moved = what.all || what.resized >> lane & 1 ? NULL : r->moved;
		measure( &points, lane, &unit, l, m );
	}
	for ( int i = 0; i < 3; ++i )
	{
		l->center[i][lane] = unit.center[i];
		l->lower[i][lane] = m->lower[i];
		l->upper[i][lane] = m->upper[i];
	}
	l->inverse[lane] = unit.inverse;
	l->reach[lane] = unit.reach;
}

static double largest_extent( const bvtree_lane_refit* l, uint32_t count )
{
	// Of each axis by itself: the compiler makes branches of one maximum, and these are random.
	float largest[3] = { 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			largest[k] = l->extent[k][i] > largest[k] ? l->extent[k][i] : largest[k];
		}
	}
	return bvmath_max( bvmath_max( largest[0], largest[1] ), largest[2] );
}

// Two copies of fixed sizes, which may overlap: those of any size take longer than all else.
// @param count  2 to 8
static void write_row( uint8_t* to, const uint8_t from[8], uint32_t count )
{
	if ( count >= 4 )
	{
		memcpy( to, from, 4 );
		memcpy( to + count - 4, from + count - 4, 4 );
	}
	else
	{
		memcpy( to, from, 2 );
		to[count - 1] = from[count - 1];
	}
}

static void write_boxes( const bvtree_lane_refit* l, uint8_t code[3][8], uint32_t count, uint8_t* data )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t center =
			l->code[0][i] | l->code[1][i] << bvfile_code_bits | l->code[2][i] << ( 2 * bvfile_code_bits );
		memcpy( data + 4 * i, &center, sizeof center );
	}
	for ( uint32_t k = 0; k < 3; ++k )
	{
		write_row( data + ( 8 + k ) * count, code[k], count );
	}
}

static uint32_t rotation_word( const float rotation[4] )
{
	uint32_t word = 0;
	for ( int i = 0; i < 3; ++i )
	{
		word |= (uint32_t)( (int)rotation[i] + bvfile_rotation_bias ) << ( bvfile_code_bits * i );
	}
	return word;
}

// Turns the boxes of children that moved as their vertices have turned.
// @param kept  the group before any refit
static void turn_obbs( const bvtree_refit* r, uint32_t index, bvtree_refit_what what,
                       const bvfile_packed_node* node, const uint8_t* kept, uint8_t* data )
{
	uint32_t count = node->children;
	uint32_t next = index + 1;
	bvtree_lane_group group = { .data = kept, .count = count };
	bvtree_lane_refit l;
	r->lanes->refit_axes( &group, &l );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t inner = bvtree_refit_next_inner( r, node, i, &next );
		if ( what.all || what.moved >> i & 1 )
		{
			bvtree_refit_points points = bvtree_refit_points_of( r, node->first_child + i, inner );
			bv_vec3 axis[3];
			bv_vec3 turned[3];
			float rotation[4];
			for ( int k = 0; k < 3; ++k )
			{
				axis[k] = ( bv_vec3 ){ l.axis[k][0][i], l.axis[k][1][i], l.axis[k][2][i] };
			}
			bvtree_refit_turn( &points, axis );
			bvfile_snap_turn( axis, turned, rotation );
			uint32_t word = rotation_word( rotation );
			memcpy( data + 4 * ( count + i ), &word, sizeof word );
		}
	}
}

static void fit_obbs( const bvtree_refit* r, uint32_t index, int finest, bvtree_refit_what what,
                      bvfile_packed_node* node, uint8_t* data )
{
	uint32_t count = node->children;
	bvtree_lane_group group = { .data = data, .count = count };
	bvtree_lane_refit l;
	uint32_t next = index + 1;
	r->lanes->refit_axes( &group, &l );
	for ( uint32_t i = 0; i < count; ++i )
	{
		uint32_t inner = bvtree_refit_next_inner( r, node, i, &next );
		load_lane( r, node->first_child + i, inner, i, what, &l );
	}
	r->lanes->refit_centers( &l, count );
	bvfile_snap_range range;
	for ( int k = 0; k < 3; ++k )
	{
		float lower = l.middle[k][0];
		float upper = lower;
		for ( uint32_t i = 1; i < count; ++i )
		{
			lower = l.middle[k][i] < lower ? l.middle[k][i] : lower;
			upper = l.middle[k][i] > upper ? l.middle[k][i] : upper;
		}
		range.lower[k] = lower;
		range.upper[k] = upper;
	}
	bvfile_frame_codes codes;
	bvfile_snap_make_frame( &r->head->grid, &range, finest, &codes );
	bvtree_lane_frame frame = lane_frame( &codes, &r->head->grid );
	r->lanes->refit_settle( &l, count, &frame );
	double unit = bvfile_snap_unit( largest_extent( &l, count ), &codes );
	write_frame( node, &codes );
	uint8_t code[3][8];
	r->lanes->refit_extents( &l, count, (float)unit, code );
	write_boxes( &l, code, count, data );
}

bool bvtree_refit_lanes( const bvtree_refit* r, uint32_t index, int finest, bvtree_refit_what what )
{
	bvfile_packed_node* node = (bvfile_packed_node*)( r->words + r->inner[index].place );
	bvfile_group group = bvfile_group_first( node );
	if ( !r->is_common || group.count < node->children )
	{
		return false;
	}
	if ( group.type == bv_volume_aabb )
	{
		fit_aabbs( r, index, finest, node, (uint8_t*)group.data );
		return true;
	}
	if ( group.type == bv_volume_obb )
	{
		if ( bvtree_refit_turns( r ) )
		{
			const bvfile_packed_node* kept = (const bvfile_packed_node*)( r->kept + r->inner[index].place );
			turn_obbs( r, index, what, node, bvfile_group_first( kept ).data, (uint8_t*)group.data );
		}
		fit_obbs( r, index, finest, what, node, (uint8_t*)group.data );
		return true;
	}
	return false;
}
