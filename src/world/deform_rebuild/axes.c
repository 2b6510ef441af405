// New axes for volumes that have some: of the candidates of DiTO-14 (runtime/volume/dito.h), the principal axes and the coordinate axes, those
// around whose extremal points the box has the least surface. A refit finds extents along axes of bvtree_refit.kept, turned as the vertices
// have turned, so these are the new axes, turned back.

#include "runtime/file/snap.h"
#include "runtime/math/eigen.h"
#include "runtime/math/vec.h"
#include "runtime/simd/floats.h"
#include "runtime/tree/refit_points.h"
#include "runtime/tree/refit_turn.h"
#include "runtime/volume/dito.h"
#include "runtime/volume/kinds.h"
#include "world/deform_rebuild/rebuild.h"

#include <math.h>
#include <string.h>

enum
{
	point_groups = ( bvvol_dito_points + 3 ) / 4,
};

// The extremal points, four at a time, and the best candidate so far.
typedef struct axes_choice
{
	bvsimd_floats point[point_groups][3];
	bv_vec3 axis[3];
	double length[3]; // of the box
	double surface;
} axes_choice;

// Binary32 is enough to choose.
static axes_choice begin_choice( const bv_vec3 point[bvvol_dito_points] )
{
	axes_choice out = { .surface = INFINITY };
	float p[3][4 * point_groups] = { { 0 } };
	for ( int i = 0; i < bvvol_dito_points; ++i )
	{
		p[0][i] = (float)point[i].x;
		p[1][i] = (float)point[i].y;
		p[2][i] = (float)point[i].z;
	}
	for ( int i = 0; i < point_groups; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			out.point[i][k] = bvsimd_floats_load( p[k] + 4 * i );
		}
	}
	return out;
}

static double length_along( const axes_choice* s, bv_vec3 axis )
{
	bvsimd_floats lower = bvsimd_floats_all( 0 );
	bvsimd_floats upper = lower;
	for ( int i = 0; i < point_groups; ++i )
	{
		bvsimd_floats x = bvsimd_floats_multiply( bvsimd_floats_all( (float)axis.x ), s->point[i][0] );
		bvsimd_floats y = bvsimd_floats_multiply( bvsimd_floats_all( (float)axis.y ), s->point[i][1] );
		bvsimd_floats z = bvsimd_floats_multiply( bvsimd_floats_all( (float)axis.z ), s->point[i][2] );
		bvsimd_floats along = bvsimd_floats_add( bvsimd_floats_add( x, y ), z );
		lower = bvsimd_floats_min( lower, along );
		upper = bvsimd_floats_max( upper, along );
	}
	float ends[2][4];
	bvsimd_floats_store( ends[0], lower );
	bvsimd_floats_store( ends[1], upper );
	double least = bvmath_min( bvmath_min( ends[0][0], ends[0][1] ), bvmath_min( ends[0][2], ends[0][3] ) );
	double most = bvmath_max( bvmath_max( ends[1][0], ends[1][1] ), bvmath_max( ends[1][2], ends[1][3] ) );
	return most - least;
}

static void weigh( axes_choice* s, const bv_vec3 axis[3] )
{
	double length[3];
	for ( int k = 0; k < 3; ++k )
	{
		length[k] = length_along( s, axis[k] );
	}
	double surface = length[0] * length[1] + length[1] * length[2] + length[2] * length[0];
	if ( surface < s->surface )
	{
		s->surface = surface;
		memcpy( s->axis, axis, sizeof s->axis );
		memcpy( s->length, length, sizeof length );
	}
}

static bv_vec3 position_of( const float p[3] )
{
	return ( bv_vec3 ){ p[0], p[1], p[2] };
}

// What is known of the vertices of a node.
typedef struct point_set
{
	bvvol_dito dito;
	bv_vec3 from; // that moments are relative to
	double count;
	double sum[3];
	double square[3][3];
} point_set;

static void add( point_set* set, bv_vec3 p )
{
	const double d[3] = { p.x - set->from.x, p.y - set->from.y, p.z - set->from.z };
	bvvol_dito_add( &set->dito, p );
	set->count += 1;
	for ( int i = 0; i < 3; ++i )
	{
		set->sum[i] += d[i];
		for ( int k = 0; k < 3; ++k )
		{
			set->square[i][k] += d[i] * d[k];
		}
	}
}

static point_set set_of( const bvtree_refit_points* points )
{
	const bvtree_refit* r = points->refit;
	point_set set = { .from = position_of( r->positions[points->list[0]] ) };
	bvvol_dito_begin( &set.dito, set.from );
	for ( uint32_t i = 0; i < points->count; ++i )
	{
		add( &set, position_of( r->positions[points->list[i]] ) );
		if ( r->later )
		{
			add( &set, position_of( r->later[points->list[i]] ) );
		}
	}
	return set;
}

static void find_principal_axes( const point_set* set, bv_vec3 axis[3] )
{
	double m[3][3];
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			m[i][k] = set->square[i][k] - set->sum[i] * set->sum[k] / set->count;
		}
	}
	bvmath_eigen_symmetric( m, axis );
}

// The longest axis first, and right-handed: rectangle swept spheres are thin along the third one.
static void order_axes( axes_choice* best )
{
	for ( int i = 0; i < 3; ++i )
	{
		int k = i % 2;
		if ( best->length[k] < best->length[k + 1] )
		{
			double length = best->length[k];
			bv_vec3 axis = best->axis[k];
			best->length[k] = best->length[k + 1];
			best->length[k + 1] = length;
			best->axis[k] = best->axis[k + 1];
			best->axis[k + 1] = bv_scale( -1, axis );
		}
	}
}

static void find_axes( const bvtree_refit_points* points, bv_vec3 axis[3] )
{
	static const bv_vec3 upright[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	point_set set = set_of( points );
	bvvol_dito_candidates c;
	bvvol_dito_list( &set.dito, &c );
	axes_choice best = begin_choice( c.point );
	weigh( &best, upright );
	for ( uint32_t i = 0; i < c.count; ++i )
	{
		weigh( &best, c.axis[i] );
	}
	bv_vec3 principal[3];
	find_principal_axes( &set, principal );
	weigh( &best, principal );
	bvvol_dito_orthogonal( best.axis );
	order_axes( &best );
	memcpy( axis, best.axis, sizeof best.axis );
}

// As they were when the vertices were where they are in the file.
static void turn_back( const bvtree_refit_points* points, bv_vec3 axis[3] )
{
	bv_vec3 turned[3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
	bvtree_refit_turn( points, turned );
	for ( int i = 0; i < 3; ++i )
	{
		bv_vec3 a = axis[i];
		axis[i] = ( bv_vec3 ){ bv_dot( turned[0], a ), bv_dot( turned[1], a ), bv_dot( turned[2], a ) };
	}
}

static void set_axes( const bv_vec3 axis[3], bv_volume* volume )
{
	const bvvol_kind* kind = bvvol_kind_of( volume->type );
	if ( kind->tapered )
	{
		memcpy( volume->prism.box.axis, axis, sizeof volume->prism.box.axis );
		bvfile_snap_prism_turn( &volume->prism );
		return;
	}
	bvvol_parts parts;
	kind->part( volume, &parts );
	bvfile_snap_axes( kind, axis, parts.rotation );
	kind->join( &parts, volume );
}

// The axes of another volume of the same type, which a node has.
static void take_axes( const bv_volume* from, bv_volume* to )
{
	const bvvol_kind* kind = bvvol_kind_of( to->type );
	if ( kind->tapered )
	{
		memcpy( to->prism.box.axis, from->prism.box.axis, sizeof to->prism.box.axis );
		return;
	}
	bvvol_parts parts[2];
	kind->part( from, parts );
	kind->part( to, parts + 1 );
	memcpy( parts[1].rotation, parts[0].rotation, sizeof parts[1].rotation );
	kind->join( parts + 1, to );
}

static void fit_axes( const bvw_deform* d, uint32_t number, uint32_t inner, bv_volume* volume )
{
	bvtree_refit_points points = bvtree_refit_points_of( &d->refit, number, inner );
	bv_vec3 axis[3];
	find_axes( &points, axis );
	if ( bvtree_refit_turns( &d->refit ) )
	{
		turn_back( &points, axis );
	}
	set_axes( axis, volume );
}

void bvwrebuild_fit_axes( bvw_deform* d, uint32_t index, uint32_t lanes )
{
	const bvtree_refit* r = &d->refit;
	const bvfile_packed_node* node = (const bvfile_packed_node*)( r->kept + r->inner[index].place );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &r->kept_head->grid );
	uint32_t next = index + 1;
	for ( bvfile_group g = bvfile_group_first( node ); g.count > 0; g = bvfile_group_next( node, &g ) )
	{
		for ( uint32_t i = 0; i < g.count; ++i )
		{
			uint32_t lane = g.first + i;
			uint32_t inner = bvtree_refit_next_inner( r, node, lane, &next );
			if ( lanes >> lane & 1 && bvvol_kind_of( g.type )->extents > 0 )
			{
				bv_volume volume;
				bvfile_lane_unpack( &g, i, &frame, &volume );
				fit_axes( d, node->first_child + lane, inner, &volume );
				bvfile_lane_pack( &g, i, &frame, &volume, (uint8_t*)g.data );
			}
		}
	}
}

void bvwrebuild_fit_root_axes( bvw_deform* d )
{
	bvfile_hierarchy* kept = d->rebuild.axes.head;
	bv_volume volume = bvvol_unpack( (bv_volume_type)kept->root_type, kept->root );
	if ( bvvol_kind_of( volume.type )->extents > 0 )
	{
		fit_axes( d, 0, 0, &volume );
		bvvol_pack( &volume, kept->root );
	}
}

void bvwrebuild_write_axes( bvw_deform* d, uint32_t index, uint32_t lanes )
{
	const bvtree_refit* r = &d->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	const bvfile_packed_node* kept = (const bvfile_packed_node*)( r->kept + r->inner[index].place );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &r->head->grid );
	bvfile_node_frame kept_frame = bvfile_node_frame_of( kept, &r->kept_head->grid );
	bvfile_group to = bvfile_group_first( node );
	bvfile_group from = bvfile_group_first( kept );
	while ( to.count > 0 )
	{
		for ( uint32_t i = 0; i < to.count; ++i )
		{
			if ( lanes >> ( to.first + i ) & 1 && bvvol_kind_of( to.type )->extents > 0 )
			{
				bv_volume before;
				bv_volume after;
				bvfile_lane_unpack( &from, i, &kept_frame, &before );
				bvfile_lane_unpack( &to, i, &frame, &after );
				take_axes( &before, &after );
				bvfile_lane_pack( &to, i, &frame, &after, (uint8_t*)to.data );
			}
		}
		to = bvfile_group_next( node, &to );
		from = bvfile_group_next( kept, &from );
	}
}
