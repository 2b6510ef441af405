// Certified errors of nodes after a refit, from those of the file. See bvworld/deform.h.
//
// Let V be a node's volume in the file, T its triangles there, and e the bound of the distance from any point of V to T. V' and T' are those
// after the refit. M is a similarity with a scale s: it takes the mean of the vertices of T to that of T', the frame of V to that of V', and
// lengths of T to those of T'. For a point x' of V' there is a point x of V with |x' - M x| <= h, the directed Hausdorff
// distance from V' to M V, and a point y of T with |x - y| <= e. The point y' of T' with the same barycentric coordinates as y is no farther
// from M y than the vertices of its triangle are from theirs: d. So x' is at most h + s e + d away from T'. If nothing moves, this is e, up
// to the rounding of volumes.
//
// It is never more than the diameter of V', because V' encloses T'.

#include "world/deform/deform.h"

#include "runtime/math/round.h"
#include "runtime/tree/refit_points.h"
#include "runtime/tree/refit_turn.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/rounded.h"

#include <math.h>
#include <string.h>

// Frames are orthonormal to 2^-47, and a distance is a sum of few products: errors are below this share of the coordinates that enter.
static const double rounding = 0x1p-40;

typedef struct similarity
{
	double turn[3][3]; // times the scale
	double scale;
	bv_vec3 from;
	bv_vec3 to;
} similarity;

static bv_vec3 moved( const similarity* m, bv_vec3 p )
{
	bv_vec3 d = bv_sub( p, m->from );
	return ( bv_vec3 ){
		m->to.x + ( ( m->turn[0][0] * d.x + m->turn[0][1] * d.y ) + m->turn[0][2] * d.z ),
		m->to.y + ( ( m->turn[1][0] * d.x + m->turn[1][1] * d.y ) + m->turn[1][2] * d.z ),
		m->to.z + ( ( m->turn[2][0] * d.x + m->turn[2][1] * d.y ) + m->turn[2][2] * d.z ),
	};
}

// Whether they are those of a frame: two axes that are far from all others can have taken the same one.
static bool is_frame( const bv_vec3 axis[3] )
{
	return bv_dot( bv_cross( axis[0], axis[1] ), axis[2] ) > 0.5;
}

// Puts the axes of the volume before in the order of those after, and reverses some, so that each is the one that the vertices took nearest
// to the one after. Nodes store a frame in one of 24 forms.
static void order_axes( const bvtree_refit_points* points, bvvol_rounded* before, const bvvol_rounded* after )
{
	const bvvol_rounded from = *before;
	bvvol_rounded ordered = from;
	bv_vec3 turned[3] = { from.axis[0], from.axis[1], from.axis[2] };
	bvtree_refit_turn( points, turned );
	for ( int i = 0; i < 3; ++i )
	{
		double most = 0;
		for ( int k = 0; k < 3; ++k )
		{
			double with = bv_dot( after->axis[i], turned[k] );
			if ( fabs( with ) > most )
			{
				most = fabs( with );
				ordered.axis[i] = bv_scale( with < 0 ? -1 : 1, from.axis[k] );
				ordered.half_extents[i] = from.half_extents[k];
			}
		}
	}
	*before = is_frame( ordered.axis ) ? ordered : from;
}

static similarity similarity_of( const bvw_deform* d, const bvtree_refit_points* points,
                                 const bvvol_rounded* before, const bvvol_rounded* after )
{
	bvtree_refit_spread spread = bvtree_refit_spread_of( points, d->reference );
	similarity m = { .scale = spread.growth, .from = spread.before, .to = spread.after };
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			for ( int a = 0; a < 3; ++a )
			{
				m.turn[i][k] += m.scale * ( bvmath_component( after->axis[a], i ) *
				                            bvmath_component( before->axis[a], k ) );
			}
		}
	}
	return m;
}

// @return the square of the distance
static double squared_distance_of( const similarity* m, const float before[3], const float after[3] )
{
	bv_vec3 p = moved( m, ( bv_vec3 ){ before[0], before[1], before[2] } );
	bv_vec3 d = bv_sub( ( bv_vec3 ){ after[0], after[1], after[2] }, p );
	return bv_dot( d, d );
}

// How far vertices are from where the motion takes them.
static float spread_of( const bvw_deform* d, const bvtree_refit_points* points, const similarity* m )
{
	double most = 0;
	for ( uint32_t i = 0; i < points->count; ++i )
	{
		uint32_t vertex = points->list[i];
		most = bvmath_max( most, squared_distance_of( m, d->reference[vertex], d->positions[vertex] ) );
	}
	most = sqrt( most );
	double size = ( m->scale + 1 ) * bvmath_norm1( m->from ) + bvmath_norm1( m->to );
	return bvmath_float_up( bvmath_min( most * ( 1 + rounding ) + rounding * size, 0x1p126 ) );
}

// From a box with rounded edges to another one that is moved to have the same axes.
static double excess_of( const bvvol_rounded* from, const bvvol_rounded* to, const similarity* m )
{
	bv_vec3 apart = bv_sub( from->center, moved( m, to->center ) );
	double sum = 0;
	for ( int i = 0; i < 3; ++i )
	{
		double reach = fabs( bv_dot( from->axis[i], apart ) ) + from->half_extents[i];
		double excess = bvmath_max( reach - m->scale * to->half_extents[i], 0 );
		sum += excess * excess;
	}
	return sqrt( sum ) + bvmath_max( from->radius - m->scale * to->radius, 0 );
}

// From a k-DOP to another one that is moved without turning: how much the other one has to grow about its center, times how far its points
// are from there.
static double growth_of( const bv_volume* from, const bv_volume* to, const similarity* m, double extent )
{
	const bvvol_kind* kind = bvvol_kind_of( from->type );
	bv_volume copies[2] = { *from, *to };
	bvvol_bounds a = kind->bounds( copies );
	bvvol_bounds b = kind->bounds( copies + 1 );
	bv_vec3 center = kind->center( to );
	double most = 0;
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		if ( bv_kdop_uses( kind->planes, i ) )
		{
			bv_vec3 direction = bv_kdop_direction( i );
			double at = bv_dot( direction, center );
			double to_at = bv_dot( direction, moved( m, center ) );
			double below = ( to_at + m->scale * ( b.lower[i] - at ) ) - a.lower[i];
			double above = a.upper[i] - ( to_at + m->scale * ( b.upper[i] - at ) );
			double room = m->scale * bvmath_min( at - b.lower[i], b.upper[i] - at );
			double excess = bvmath_max( below, above );
			most = bvmath_max( most, excess > 0 ? excess / bvmath_max( room, 0x1p-1000 ) : 0 );
		}
	}
	return most * ( m->scale * extent );
}

// The directed Hausdorff distance from the volume after the refit to the one before it, moved.
static double change_of( const bv_volume* after, const bvvol_rounded* after_box, const bv_volume* before,
                         const bvvol_rounded* before_box, const similarity* m )
{
	const bvvol_kind* kind = bvvol_kind_of( after->type );
	double extent = bvvol_rounded_extent( before_box );
	double size = m->scale * ( extent + bvmath_norm1( before_box->center ) + bvmath_norm1( m->from ) ) +
	              bvvol_rounded_extent( after_box ) + bvmath_norm1( after_box->center ) +
	              bvmath_norm1( m->to );
	double change = 0;
	if ( kind->tapered )
	{
		return INFINITY;
	}
	if ( kind->planes > 6 )
	{
		change = growth_of( after, before, m, extent );
	}
	else
	{
		change = excess_of( after_box, before_box, m );
	}
	return change * ( 1 + rounding ) + rounding * size;
}

static void set_error( bvw_deform* d, uint32_t number, uint32_t inner, const bv_volume* before,
                       const bv_volume* after, bool moves )
{
	if ( d->refit.by_boxes || ( d->errors.anew && d->errors.anew[number] ) )
	{
		// Where triangles are is not known, or the error in the file is that of others.
		double size = bvfile_size_of( after );
		d->errors.nodes[number][0] = bvfile_error_code( 2 * size * ( 1 + rounding ), size );
		d->errors.nodes[number][1] = d->errors.nodes[number][0];
		return;
	}
	bvvol_rounded before_box = bvvol_volume_rounded( before );
	bvvol_rounded after_box = bvvol_volume_rounded( after );
	bvtree_refit_points points = bvtree_refit_points_of( &d->refit, number, inner );
	if ( bvtree_refit_turns( &d->refit ) && bvvol_kind_of( after->type )->extents > 0 )
	{
		order_axes( &points, &before_box, &after_box );
	}
	similarity m = similarity_of( d, &points, &before_box, &after_box );
	if ( moves )
	{
		d->errors.spread[number] = spread_of( d, &points, &m );
	}
	double change = change_of( after, &after_box, before, &before_box, &m ) + d->errors.spread[number];
	double size = bvfile_size_of( after );
	double old = bvfile_size_of( before );
	for ( int i = 0; i < 2; ++i )
	{
		// Of the boundary, too, the bound is that of all points: it may be closer to the inside than to the boundary before.
		double error = m.scale * bvfile_error_value( d->errors.kept[number][1], old ) + change;
		d->errors.nodes[number][i] =
			bvfile_error_code( bvmath_min( error, 2 * size ) * ( 1 + rounding ), size );
	}
}

void bvwdeform_set_errors( bvw_deform* d, uint32_t index, uint32_t moves )
{
	const bvtree_refit* r = &d->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	const bvfile_packed_node* kept =
		(const bvfile_packed_node*)( d->errors.kept_words + r->inner[index].place );
	bvfile_node_frame after_frame = bvfile_node_frame_of( node, &r->head->grid );
	bvfile_node_frame before_frame = bvfile_node_frame_of( kept, &d->errors.kept_head->grid );
	bvfile_group after = bvfile_group_first( node );
	bvfile_group before = bvfile_group_first( kept );
	uint32_t next = index + 1;
	while ( after.count > 0 )
	{
		for ( uint32_t i = 0; i < after.count; ++i )
		{
			uint32_t lane = after.first + i;
			uint32_t inner = bvtree_refit_next_inner( r, node, lane, &next );
			bv_volume volumes[2];
			bvfile_lane_unpack( &before, i, &before_frame, volumes );
			bvfile_lane_unpack( &after, i, &after_frame, volumes + 1 );
			set_error( d, node->first_child + lane, inner, volumes, volumes + 1, moves >> lane & 1 );
		}
		after = bvfile_group_next( node, &after );
		before = bvfile_group_next( kept, &before );
	}
}

// Errors of all nodes as they were measured.
typedef struct measured_errors
{
	const char* surface;
	const char* solid;
	size_t stride;
} measured_errors;

static bool are_errors( const bvw_deform* d, const measured_errors* e )
{
	bool good = true;
	for ( uint32_t i = 0; i < d->counts.nodes; ++i )
	{
		good = good && *(const float*)(const void*)( e->surface + e->stride * i ) >= 0 &&
		       *(const float*)(const void*)( e->solid + e->stride * i ) >= 0;
	}
	return good;
}

static void take_error( bvw_deform* d, uint32_t number, const bv_volume* volume, const measured_errors* e )
{
	double size = bvfile_size_of( volume );
	double surface = *(const float*)(const void*)( e->surface + e->stride * number );
	double solid = *(const float*)(const void*)( e->solid + e->stride * number );
	d->errors.nodes[number][0] = bvfile_error_code( surface, size );
	d->errors.nodes[number][1] = bvfile_error_code( solid, size );
}

static void take_errors( bvw_deform* d, uint32_t index, const measured_errors* e )
{
	const bvtree_refit* r = &d->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &r->head->grid );
	for ( bvfile_group g = bvfile_group_first( node ); g.count > 0; g = bvfile_group_next( node, &g ) )
	{
		for ( uint32_t i = 0; i < g.count; ++i )
		{
			bv_volume volume;
			bvfile_lane_unpack( &g, i, &frame, &volume );
			take_error( d, node->first_child + g.first + i, &volume, e );
		}
	}
}

// Sums over a set of nodes.
typedef struct error_sums
{
	double sum[2];
	double most[2];
	double count;
} error_sums;

static void add( error_sums* sums, const double error[2] )
{
	for ( int i = 0; i < 2; ++i )
	{
		sums->sum[i] += error[i];
		sums->most[i] = bvmath_max( sums->most[i], error[i] );
	}
	sums->count += 1;
}

// Sums of few numbers that are not negative err by less than the factor.
static bv_errors_of errors_of( const error_sums* sums )
{
	double count = bvmath_max( sums->count, 1 );
	return ( bv_errors_of ){
		.surface = { .mean = { 0, sums->sum[0] / count * ( 1 + 0x1p-20 ) }, .max = { 0, sums->most[0] } },
		.solid = { .mean = { 0, sums->sum[1] / count * ( 1 + 0x1p-20 ) }, .max = { 0, sums->most[1] } },
	};
}

// All nodes, and those of each level, with the leaves above it.
typedef struct all_sums
{
	error_sums all;
	error_sums level[BV_MAX_DEPTH + 1];
	error_sums leaves[BV_MAX_DEPTH + 1];
} all_sums;

static void add_children( const bvw_deform* d, uint32_t index, all_sums* sums )
{
	const bvtree_refit* r = &d->refit;
	const bvfile_packed_node* node = bvtree_refit_inner_at( r, index );
	const uint8_t* kind = bvfile_node_kinds( node );
	bvfile_node_frame frame = bvfile_node_frame_of( node, &r->head->grid );
	uint32_t level = d->errors.levels[index] + 1u;
	for ( bvfile_group g = bvfile_group_first( node ); g.count > 0; g = bvfile_group_next( node, &g ) )
	{
		for ( uint32_t i = 0; i < g.count; ++i )
		{
			bv_volume volume;
			bvfile_lane_unpack( &g, i, &frame, &volume );
			const uint8_t* code = d->errors.nodes[node->first_child + g.first + i];
			double size = bvfile_size_of( &volume );
			const double error[2] = { bvfile_error_value( code[0], size ),
				                      bvfile_error_value( code[1], size ) };
			add( &sums->all, error );
			add( sums->level + level, error );
			if ( kind[g.first + i] % bvfile_kind_counts != bvfile_kind_inner )
			{
				add( sums->leaves + level, error );
			}
		}
	}
}

static void join( error_sums* to, const error_sums* from )
{
	for ( int i = 0; i < 2; ++i )
	{
		to->sum[i] += from->sum[i];
		to->most[i] = bvmath_max( to->most[i], from->most[i] );
	}
	to->count += from->count;
}

static bv_volume root_of( const bvfile_hierarchy* head )
{
	return bvvol_unpack( (bv_volume_type)head->root_type, head->root );
}

void bvwdeform_set_root_error( bvw_deform* d )
{
	const bvtree_refit* r = &d->refit;
	bv_volume before = root_of( d->errors.kept_head );
	bv_volume after = root_of( r->head );
	set_error( d, 0, r->inner_count > 0 ? 0 : BVTREE_REFIT_LEAF, &before, &after, true );
}

void bvwdeform_sum_errors( bvw_deform* d )
{
	const bvtree_refit* r = &d->refit;
	bvfile_errors* head = d->errors.head;
	bv_volume volume = root_of( r->head );
	double size = bvfile_size_of( &volume );
	const double root[2] = { bvfile_error_value( d->errors.nodes[0][0], size ),
		                     bvfile_error_value( d->errors.nodes[0][1], size ) };
	all_sums sums = { .all = { .count = 0 } };
	add( &sums.all, root );
	add( sums.level, root );
	for ( uint32_t i = 0; i < r->inner_count; ++i )
	{
		add_children( d, i, &sums );
	}
	head->surface = ( bv_interval ){ 0, root[0] };
	head->solid = ( bv_interval ){ 0, root[1] };
	head->all = errors_of( &sums.all );
	bv_level_errors* levels = (bv_level_errors*)( head + 1 );
	error_sums above = { .count = 0 };
	for ( uint32_t i = 0; i < head->levels; ++i )
	{
		error_sums cut = above;
		join( &cut, sums.level + i );
		join( &above, sums.leaves + i );
		levels[i].level = errors_of( sums.level + i );
		levels[i].cut = errors_of( &cut );
	}
}

bv_status bvw_deform_set_errors( bvw_deform* deform, const float* surface, const float* solid,
                                 uint32_t stride )
{
	measured_errors e = { (const char*)surface, (const char*)solid, stride > 0 ? stride : sizeof( float ) };
	bool is_aligned = ( (uintptr_t)surface | (uintptr_t)solid | stride ) % sizeof( float ) == 0;
	if ( !bvwdeform_is_valid( deform ) || !deform->errors.head || deform->refit.by_boxes || !surface ||
	     !solid || !is_aligned || !are_errors( deform, &e ) )
	{
		return bv_error_argument;
	}
	bv_volume root = root_of( deform->refit.head );
	take_error( deform, 0, &root, &e );
	for ( uint32_t i = 0; i < deform->counts.inner; ++i )
	{
		take_errors( deform, i, &e );
	}
	bvwdeform_sum_errors( deform );
	return bv_ok;
}
