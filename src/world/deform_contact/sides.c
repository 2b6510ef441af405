// The meshes that are compared, and boxes around what they have. See contact.h.
//
// Boxes of a mesh that bends are those of its refit: bounds of stored positions, without rounding. Boxes of what is placed are rounded
// outward to binary32. The slack of a volume that is moved, 2^-44 of all coordinates and extents, covers the few roundings of a box around
// it and that of placed vertices, which are off by 2^-50 of these (see bvvol_similarity_move, bvvol_similarity_apply).

#include "world/deform_contact/contact.h"

#include "runtime/math/range.h"
#include "runtime/math/round.h"
#include "runtime/tree/place.h"
#include "runtime/tree/surface.h"
#include "runtime/volume/kinds.h"

#include <float.h>
#include <math.h>

static float float_down( double x )
{
	return x < -FLT_MAX ? -INFINITY : x > FLT_MAX ? FLT_MAX : bvmath_float_down( x );
}

static float float_up( double x )
{
	return x > FLT_MAX ? INFINITY : x < -FLT_MAX ? -FLT_MAX : bvmath_float_up( x );
}

float bvwtouch_reach( double distance )
{
	return float_up( distance );
}

void bvwtouch_side_of( const bvw_deform* deform, const bvw_owners* owners, bool moves, bvwtouch_side* out )
{
	out->view = bvfile_view_of( bvw_deform_file( deform ) );
	out->source = bvtree_leaf_source_of( &out->view );
	out->from = deform->positions;
	out->to = moves ? deform->later : NULL;
	out->boxes = deform->refit.boxes;
	out->owned = owners ? bvwtouch_owned( owners ) : NULL;
	out->placed = NULL;
}

// @return false if a placement is invalid
static bool place( const bv_file* first, const bv_file* file, const bv_transform* start,
                   const bv_transform* end, bvvol_similarity placed[2], bvwtouch_side* out )
{
	bv_transform storage[2];
	if ( !bvtree_is_placement( start ) || !bvtree_is_placement( end ) )
	{
		return false;
	}
	end = end ? end : start;
	start = bvtree_place( first, file, start, storage );
	end = bvtree_place( first, file, end, storage + 1 );
	out->placed = start || end ? placed : NULL;
	if ( !bvtree_is_placement( start ) || !bvtree_is_placement( end ) )
	{
		return false;
	}
	if ( out->placed )
	{
		bvvol_similarity_begin( start, placed );
		bvvol_similarity_begin( end, placed + 1 );
	}
	return true;
}

static bool same_offset( const bvw_deform* a, const bvw_deform* b )
{
	return a->offset.x == b->offset.x && a->offset.y == b->offset.y && a->offset.z == b->offset.z;
}

static bool side_of_deform( const bvw_deform* first, const bvw_deform* d, const bvw_owners* owners,
                            bvvol_similarity placed[2], bvwtouch_side* out )
{
	if ( !bvwdeform_is_valid( d ) || !d->refit.later )
	{
		return false;
	}
	bvwtouch_side_of( d, owners, true, out );
	if ( !bvwtouch_are_owners( owners, &out->view ) )
	{
		return false;
	}
	if ( same_offset( first, d ) )
	{
		return true;
	}
	out->boxes = NULL;
	return place( bvw_deform_file( first ), bvw_deform_file( d ), NULL, NULL, placed, out );
}

bool bvwtouch_side_of_other( const bvw_deform* deform, const bvw_deform_other* other,
                             bvvol_similarity placed[2], bvwtouch_side* out )
{
	if ( other->deform )
	{
		return side_of_deform( deform, other->deform, other->owners, placed, out );
	}
	out->view = other->file ? bvfile_view_of( other->file ) : ( bvfile_view ){ .header = NULL };
	if ( !out->view.hierarchy || !bvwtouch_are_owners( other->owners, &out->view ) )
	{
		return false;
	}
	out->source = bvtree_leaf_source_of( &out->view );
	out->from = NULL;
	out->to = NULL;
	out->boxes = NULL;
	out->owned = bvwtouch_owned( other->owners );
	return place( bvw_deform_file( deform ), other->file, other->start, other->end, placed, out );
}

static void begin_box( double lower[3], double upper[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		lower[i] = INFINITY;
		upper[i] = -INFINITY;
	}
}

static void end_box( const double lower[3], const double upper[3], bvtree_refit_box* out )
{
	*out = ( bvtree_refit_box ){ .lower = { 0 } };
	for ( int i = 0; i < 3; ++i )
	{
		out->lower[i] = float_down( lower[i] );
		out->upper[i] = float_up( upper[i] );
	}
}

static void add_rounded( const bvvol_rounded* box, double lower[3], double upper[3] )
{
	const double center[3] = { box->center.x, box->center.y, box->center.z };
	for ( int i = 0; i < 3; ++i )
	{
		double reach = box->radius + box->slack;
		for ( int k = 0; k < 3; ++k )
		{
			reach += fabs( bvmath_component( box->axis[k], i ) ) * box->half_extents[k];
		}
		lower[i] = bvmath_min( lower[i], center[i] - reach );
		upper[i] = bvmath_max( upper[i], center[i] + reach );
	}
}

static void make_box( const bvwtouch_side* s, const bv_volume* volume, bvtree_refit_box* out )
{
	double lower[3];
	double upper[3];
	begin_box( lower, upper );
	bvvol_rounded own = bvvol_volume_rounded( volume );
	for ( int i = 0; i < 2; ++i )
	{
		const bvvol_similarity* to = s->placed ? s->placed + i : &bvvol_similarity_identity;
		bvvol_rounded moved;
		bvvol_similarity_move( to, &own, &moved );
		add_rounded( &moved, lower, upper );
	}
	end_box( lower, upper, out );
}

void bvwtouch_make_boxes( const bvwtouch_side* s, const bvfile_packed_node* packed, bvtree_refit_box* out )
{
	if ( !packed )
	{
		bv_volume root = bvfile_root_volume( &s->view );
		make_box( s, &root, out );
		return;
	}
	bvfile_node_frame frame = bvfile_node_frame_of( packed, &s->view.hierarchy->grid );
	for ( bvfile_group group = bvfile_group_first( packed ); group.count > 0;
	      group = bvfile_group_next( packed, &group ) )
	{
		for ( uint32_t i = 0; i < group.count; ++i )
		{
			bv_volume volume;
			bvfile_lane_unpack( &group, i, &frame, &volume );
			make_box( s, &volume, out + group.first + i );
		}
	}
}

void bvwtouch_make_point_box( const bvwtouch_side* s, uint32_t vertex, bvtree_refit_box* out )
{
	double lower[3];
	double upper[3];
	begin_box( lower, upper );
	for ( int end = 0; end < 2; ++end )
	{
		bv_vec3 p = bvwtouch_position( s, vertex, end == 1 );
		for ( int i = 0; i < 3; ++i )
		{
			lower[i] = bvmath_min( lower[i], bvmath_component( p, i ) );
			upper[i] = bvmath_max( upper[i], bvmath_component( p, i ) );
		}
	}
	end_box( lower, upper, out );
}

void bvwtouch_load_triangle( const bvwtouch_side* s, uint32_t number, bvwtouch_triangle* out )
{
	bool is_stored = s->from && !s->placed;
	bvtree_leaf_vertices( &s->source, number, out->vertex );
	out->number = number;
	for ( int k = 0; k < 3; ++k )
	{
		uint32_t vertex = out->vertex[k];
		if ( !is_stored )
		{
			bvwtouch_make_point_box( s, vertex, out->corner + k );
			continue;
		}
		bvsimd_floats a = bvsimd_floats_load( s->from[vertex] );
		bvsimd_floats b = bvsimd_floats_load( s->to ? s->to[vertex] : s->from[vertex] );
		bvsimd_floats_store( out->corner[k].lower, bvsimd_floats_min( a, b ) );
		bvsimd_floats_store( out->corner[k].upper, bvsimd_floats_max( a, b ) );
	}
	bvwtouch_join( out->corner, out->corner + 1, &out->box );
	bvwtouch_join( &out->box, out->corner + 2, &out->box );
}
