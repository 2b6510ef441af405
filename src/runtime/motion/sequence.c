// Motions that follow each other. See sequence.h.
//
// A part of a sequence has a time of its own, from 0 to 1. If a span of time is within one part, bounds are those of the
// part. Otherwise each part is bounded by its displacement from a pose of its own, and by the difference of that pose to
// the pose at the time of reference. Both are linear in the distance of a point from one pivot, and the largest
// coefficients of all parts bound all of them.

#include "runtime/motion/sequence.h"

#include "runtime/math/matrix.h"

#include <math.h>

// More than the rounding errors of a part's own time, which are three in the last place of 1.
static const double time_error = 0x1p-50;

bool bvmotion_sequence_is_valid( const bv_motion* motion )
{
	if ( motion->count == 0 || !motion->parts || !motion->ends || !( motion->ends[motion->count - 1] == 1 ) )
	{
		return false;
	}
	double begin = 0;
	for ( uint32_t i = 0; i < motion->count; ++i )
	{
		const bv_motion* part = motion->parts + i;
		const bvmotion_kind* kind = bvmotion_kind_of( part->kind );
		if ( !kind || !kind->is_valid( part ) || !( motion->ends[i] > begin ) ||
		     bvmotion_scale( part ) != bvmotion_scale( motion ) || part->mirror != motion->mirror )
		{
			return false;
		}
		begin = motion->ends[i];
	}
	return true;
}

// The part that begins at a time or before and ends after it; the last one at time 1.
static uint32_t part_at( const bv_motion* motion, double time )
{
	uint32_t first = 0;
	uint32_t last = motion->count - 1;
	while ( first < last )
	{
		uint32_t middle = first + ( last - first ) / 2;
		if ( time < motion->ends[middle] )
		{
			last = middle;
		}
		else
		{
			first = middle + 1;
		}
	}
	return first;
}

static double begin_of( const bv_motion* motion, uint32_t part )
{
	return part > 0 ? motion->ends[part - 1] : 0;
}

// The part's own time.
static double local_time( const bv_motion* motion, uint32_t part, double time )
{
	double begin = begin_of( motion, part );
	return bvmath_max( 0, bvmath_min( ( time - begin ) / ( motion->ends[part] - begin ), 1 ) );
}

bvmotion_part bvmotion_part_at( const bv_motion* motion, double time )
{
	if ( motion->kind != bv_motion_of_sequence )
	{
		return ( bvmotion_part ){ motion, time, 1, 1 };
	}
	uint32_t i = part_at( motion, time );
	double length = motion->ends[i] - begin_of( motion, i );
	return ( bvmotion_part ){ motion->parts + i, local_time( motion, i, time ), 1 / length, motion->ends[i] };
}

bool bvmotion_has_joint( const bv_motion* motion, double after, double until )
{
	return motion->kind == bv_motion_of_sequence && part_at( motion, after ) != part_at( motion, until );
}

static double earlier( double time )
{
	return bvmath_max( 0, time - time_error );
}

static double later( double time )
{
	return bvmath_min( 1, time + time_error );
}

bv_status bvmotion_sequence_at( const bv_motion* motion, double time, bv_transform* out )
{
	uint32_t i = part_at( motion, time );
	const bvmotion_kind* kind = bvmotion_kind_of( motion->parts[i].kind );
	return kind->at( motion->parts + i, local_time( motion, i, time ), out );
}

// The difference of two poses of the object: how far it moves a point, and how much farther one at a distance of 1 from it.
typedef struct pose_change
{
	double place;
	double turn;
} pose_change;

// The norm of the difference of two rotations is 2 sin( a / 2 ), where a is the angle between them; the sum of its squares
// is 8 sin^2( a / 2 ). Both are orthonormal to BVMOTION_ROUNDING.
static pose_change change_of( const bv_transform* a, const bv_transform* b, bv_vec3 point )
{
	bvmath_matrix d;
	double squares = 0;
	for ( int i = 0; i < 3; ++i )
	{
		const double* from = a->pose.rotation[i];
		const double* to = b->pose.rotation[i];
		d.row[i] = bv_vec3_make( to[0] - from[0], to[1] - from[1], to[2] - from[2] );
		squares += bv_dot( d.row[i], d.row[i] );
	}
	bv_vec3 p = bvmotion_scaled( a->scale, a->mirror, point );
	bv_vec3 moved = bv_add( bvmath_times( &d, p ), bv_sub( b->pose.translation, a->pose.translation ) );
	double size =
		bvmath_norm1( p ) + bvmath_norm1( b->pose.translation ) + bvmath_norm1( a->pose.translation );
	return ( pose_change ){ squares == 0 && bvmath_is_zero( moved )
		                        ? 0
		                        : bvmath_length_up( moved ) + 0x1p-48 * size,
		                    squares == 0 ? 0 : sqrt( squares / 2 ) + BVMOTION_ROUNDING };
}

// Makes the bound of a part linear in the distance from the pivot of `all`, and takes the larger coefficients.
static void add_bound( const bvmotion_bound* part, pose_change change, bvmotion_bound* all )
{
	// The sum of the coordinates of S x is up to twice its length.
	double scale = all->scale;
	double pivots = scale * bvmath_length_up( bv_sub( part->pivot, all->pivot ) );
	double place = 2 * scale * bvmath_norm1( all->pivot );
	double turn = ( part->turn + 2 * part->rounding ) + change.turn;
	double across = ( ( part->turn * pivots + part->across ) + ( part->along + change.place ) ) +
	                ( part->slack + part->rounding * place );
	all->turn = bvmath_max( all->turn, ( 1 + 0x1p-48 ) * turn );
	all->across = bvmath_max( all->across, ( 1 + 0x1p-48 ) * across );
}

// `part` has the time of reference, and its pose `at`, at the part's own time `local`.
static bv_status bound_parts( const bv_motion* motion, double from, double to, uint32_t part, double local,
                              bvmotion_span* span )
{
	uint32_t first = part_at( motion, from );
	const pose_change none = { 0, 0 };
	span->bound = ( bvmotion_bound ){ .pivot = motion->parts[part].pivot,
		                              .scale = span->at.scale,
		                              .mirror = span->at.mirror };
	for ( uint32_t i = first;
	      i == first || ( i < motion->count && ( begin_of( motion, i ) < to || i <= part ) ); ++i )
	{
		const bv_motion* m = motion->parts + i;
		double begin = earlier( local_time( motion, i, from ) );
		double end = later( local_time( motion, i, to ) );
		bv_transform own = span->at;
		double middle = i == part ? local : begin + ( end - begin ) / 2;
		if ( i != part )
		{
			bv_status status = bvmotion_kind_of( m->kind )->at( m, middle, &own );
			if ( status != bv_ok )
			{
				return status;
			}
		}
		bvmotion_bound bound;
		bvmotion_kind_of( m->kind )->reach( m, begin, end, middle, &own, &bound );
		add_bound( &bound, i == part ? none : change_of( &span->at, &own, span->bound.pivot ), &span->bound );
	}
	return bv_ok;
}

bv_status bvmotion_sequence_span( const bv_motion* motion, double from, double to, double reference,
                                  bvmotion_span* out )
{
	uint32_t i = part_at( motion, reference );
	const bv_motion* part = motion->parts + i;
	const bvmotion_kind* kind = bvmotion_kind_of( part->kind );
	double local = local_time( motion, i, reference );
	bv_status status = kind->at( part, local, &out->at );
	if ( status != bv_ok )
	{
		return status;
	}
	if ( begin_of( motion, i ) <= from && to <= motion->ends[i] )
	{
		kind->reach( part, earlier( local_time( motion, i, from ) ), later( local_time( motion, i, to ) ),
		             local, &out->at, &out->bound );
		return bv_ok;
	}
	return bound_parts( motion, from, to, i, local, out );
}

// Whether a part begins where the one before it ends, to a rounding that is generous.
static bv_status check_joint( const bv_motion* motion, uint32_t part, bool* jumps )
{
	const bv_motion* before = motion->parts + part - 1;
	const bv_motion* after = motion->parts + part;
	bv_transform end;
	bv_transform begin;
	bv_status status = bvmotion_kind_of( before->kind )->at( before, 1, &end );
	status = status == bv_ok ? bvmotion_kind_of( after->kind )->at( after, 0, &begin ) : status;
	if ( status == bv_ok )
	{
		pose_change change = change_of( &end, &begin, after->pivot );
		double size = end.scale * bvmath_norm1( after->pivot ) + bvmath_norm1( begin.pose.translation );
		*jumps = change.turn > 0x1p-40 || change.place > 0x1p-40 * size;
	}
	return status;
}

// Of one part, in the sequence's time.
static void part_speed( const bv_motion* motion, uint32_t part, double from, double to, bvmotion_bound* out )
{
	const bv_motion* m = motion->parts + part;
	double begin = earlier( local_time( motion, part, from ) );
	bvmotion_kind_of( m->kind )->speed( m, begin, later( local_time( motion, part, to ) ), out );
	double times = ( 1 + 0x1p-50 ) / ( motion->ends[part] - begin_of( motion, part ) );
	out->turn *= times;
	out->across *= times;
	out->along *= times;
}

bv_status bvmotion_sequence_speed( const bv_motion* motion, double from, double to, bvmotion_bound* out )
{
	uint32_t first = part_at( motion, from );
	const pose_change none = { 0, 0 };
	part_speed( motion, first, from, to, out );
	if ( to <= motion->ends[first] )
	{
		return bv_ok;
	}
	const bvmotion_bound own = *out;
	*out = ( bvmotion_bound ){ .pivot = own.pivot, .scale = own.scale, .mirror = own.mirror };
	add_bound( &own, none, out );
	for ( uint32_t i = first + 1; i < motion->count && begin_of( motion, i ) < to; ++i )
	{
		bvmotion_bound bound;
		part_speed( motion, i, from, to, &bound );
		add_bound( &bound, none, out );
		bool jumps = false;
		bv_status status = check_joint( motion, i, &jumps );
		if ( status != bv_ok )
		{
			return status;
		}
		out->across = jumps ? INFINITY : out->across;
	}
	return bv_ok;
}
