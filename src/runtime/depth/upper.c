// Translations that separate, and shorter ones near them.
//
// The local search follows PolyDepth (Je, Tang, Lee, Lee, Kim 2012). Where two meshes touch, the normal of the contact
// gives a half-space of translations that keep them apart, as far as this contact goes. The shortest translation in all of these
// half-spaces is where the search goes on: if it separates, from there straight back to the first contact; if not, the
// meshes are moved towards it until they touch, which gives one more half-space. First contacts are those of bv_sweep_meshes, which
// are never late. What is returned was proven in the placement itself, and not by these steps.

#include "runtime/depth/query.h"

#include "runtime/math/range.h"
#include "runtime/math/vec.h"
#include "runtime/simd/bits.h"

enum
{
	most_rounds = 10,
	most_of_sweep =
		1
		<< 16, // tests of one sweep: where objects pass each other within rounding errors, it takes many steps
	most_cut = 4, // sweeps that ended that way
};

static void set_best( bvdepth_query* q, bv_vec3 way, double length )
{
	q->best.upper = length;
	q->best.way = way;
	q->best.apart = bvdepth_moved( q, way );
	q->best.touches = false;
}

bool bvdepth_accept( bvdepth_query* q, bv_vec3 way )
{
	double length = bvmath_length_up( way );
	if ( !( length < q->best.upper ) || bvdepth_judge( q, way ) != bvdepth_apart )
	{
		return false;
	}
	set_best( q, way, length );
	return true;
}

static double gap_along( const bvdepth_query* q, int axis, bool up )
{
	const bvdepth_solid* a = q->solid;
	return up ? bvmath_component( a->upper, axis ) - bvmath_component( q->lower, axis )
	          : bvmath_component( q->upper, axis ) - bvmath_component( a->lower, axis );
}

static bool is_in_range( const bvdepth_query* q, bv_vec3 way )
{
	return bvmath_is_in_range( bvdepth_moved( q, way ).pose.translation ) && bvmath_is_in_range( way );
}

// Boxes that are farther apart than all rounding need no other proof.
void bvdepth_separate_boxes( bvdepth_query* q )
{
	for ( int i = 0; i < 6; ++i )
	{
		double length = gap_along( q, i / 2, i % 2 == 0 ) + 64 * q->error;
		double along = i % 2 == 0 ? length : -length;
		bv_vec3 way = { i / 2 == 0 ? along : 0, i / 2 == 1 ? along : 0, i / 2 == 2 ? along : 0 };
		if ( length >= 0 && length * ( 1 + 0x1p-50 ) < q->best.upper && is_in_range( q, way ) )
		{
			set_best( q, way, length * ( 1 + 0x1p-50 ) );
		}
	}
}

bool bvdepth_leave_along( const bvdepth_query* q, bv_vec3 direction, bv_vec3* way )
{
	double largest = bvmath_largest( direction );
	if ( !( largest > 0 && largest < INFINITY ) )
	{
		return false;
	}
	direction = bv_normalize( bv_scale( 1 / largest, direction ) );
	double length = INFINITY;
	for ( int k = 0; k < 3; ++k )
	{
		double d = bvmath_component( direction, k );
		if ( fabs( d ) > 0x1p-20 )
		{
			length = bvmath_min( length, ( gap_along( q, k, d > 0 ) + 64 * q->error ) / fabs( d ) );
		}
	}
	*way = bv_scale( length * ( 1 + 0x1p-20 ), direction );
	return length > 0 && is_in_range( q, *way );
}

// Moves b between two translations.
// @return whether there is a contact, which q->sweep then has
BVSIMD_NOINLINE bool sweep( bvdepth_query* q, bv_vec3 from, bv_vec3 to )
{
	q->place[0] = bv_transform_identity();
	q->place[1] = bvdepth_moved( q, from );
	q->place[2] = bvdepth_moved( q, to );
	uint64_t left = bvdepth_tests_left( q );
	const bv_sweep_options options = { .most_tests = left > 0 && left < most_of_sweep ? left : most_of_sweep,
		                               .scratch = q->sweep_memory,
		                               .scratch_bytes = sizeof q->sweep_memory };
	if ( bv_motion_still( q->place, &q->still ) != bv_ok ||
	     bv_motion_slerp( q->place + 1, q->place + 2, ( bv_vec3 ){ 0, 0, 0 }, &q->way ) != bv_ok ||
	     bvmotion_sweep_meshes_in( q->sweep_state, q->solid[0].file, &q->still, q->solid[1].file, &q->way,
	                               &options, &q->sweep ) != bv_ok )
	{
		return false;
	}
	q->tests.volumes += q->sweep.volume_tests;
	q->tests.triangles += q->sweep.triangle_tests + q->sweep.steps;
	q->cut_sweeps += !q->sweep.complete;
	return q->sweep.found && q->sweep.complete;
}

static bv_vec3 between( bv_vec3 from, bv_vec3 to, double time )
{
	return bv_add( from, bv_scale( time, bv_sub( to, from ) ) );
}

// Takes the place just before the contact. What touches to rounding counts as overlapping, so a little more room may be needed.
BVSIMD_NOINLINE bv_vec3 stop_before( bvdepth_query* q, bv_vec3 from, bv_vec3 to )
{
	double time = q->sweep.lower;
	bv_vec3 at = between( from, to, time );
	double room = 0;
	for ( int i = 0; i < 4; ++i )
	{
		bv_vec3 stop = between( from, to, bvmath_max( 0, time - room ) );
		if ( !( bvmath_length_up( stop ) < q->best.upper ) )
		{
			break;
		}
		if ( bvdepth_accept( q, stop ) )
		{
			q->best.touches = true;
			q->best.normal = q->sweep.normal;
			for ( int k = 0; k < 2; ++k )
			{
				q->best.triangle[k] = q->sweep.triangle[k];
				q->best.feature[k] = q->sweep.feature[k];
				q->best.point[k] = q->sweep.point[k];
			}
			return stop;
		}
		room = room > 0 ? 64 * room : 0x1p-28;
	}
	return at;
}

static void add_plane( bvdepth_query* q, bv_vec3 at )
{
	uint32_t i = q->planes < bvdepth_planes ? q->planes++ : 0;
	for ( uint32_t k = i; i == 0 && q->planes == bvdepth_planes && k + 1 < bvdepth_planes; ++k )
	{
		q->normal[k] = q->normal[k + 1];
		q->height[k] = q->height[k + 1];
		i = k + 1;
	}
	q->normal[i] = q->sweep.normal;
	q->height[i] = bv_dot( q->sweep.normal, at );
}

static bool fits_planes( const bvdepth_query* q, bv_vec3 t )
{
	for ( uint32_t i = 0; i < q->planes; ++i )
	{
		if ( !( bv_dot( q->normal[i], t ) >= q->height[i] - 0x1p-30 * bvmath_length( t ) ) )
		{
			return false;
		}
	}
	return true;
}

// The translation that is in all of one, two or three planes, and nearest to 0.
static bool meet_planes( const bvdepth_query* q, const uint32_t* plane, int count, bv_vec3* out )
{
	bv_vec3 basis[3];
	bv_vec3 t = { 0, 0, 0 };
	for ( int i = 0; i < count; ++i )
	{
		bv_vec3 n = q->normal[plane[i]];
		bv_vec3 e = n;
		for ( int k = 0; k < i; ++k )
		{
			e = bv_sub( e, bv_scale( bv_dot( n, basis[k] ), basis[k] ) );
		}
		double length = bvmath_length( e );
		if ( !( length > 0x1p-10 ) )
		{
			return false;
		}
		basis[i] = bv_scale( 1 / length, e );
		t = bv_add( t, bv_scale( ( q->height[plane[i]] - bv_dot( n, t ) ) / length, basis[i] ) );
	}
	*out = t;
	return true;
}

static void try_planes( const bvdepth_query* q, const uint32_t* plane, int count, double* least,
                        bv_vec3* out )
{
	bv_vec3 t;
	if ( meet_planes( q, plane, count, &t ) && bvmath_length( t ) < *least && fits_planes( q, t ) )
	{
		*least = bvmath_length( t );
		*out = t;
	}
}

// The shortest translation in all half-spaces is in one, two or three of the planes.
BVSIMD_NOINLINE bool find_shortest( const bvdepth_query* q, bv_vec3* out )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < q->planes; ++i )
	{
		try_planes( q, ( uint32_t[] ){ i }, 1, &least, out );
		for ( uint32_t k = i + 1; k < q->planes; ++k )
		{
			try_planes( q, ( uint32_t[] ){ i, k }, 2, &least, out );
			for ( uint32_t m = k + 1; m < q->planes; ++m )
			{
				try_planes( q, ( uint32_t[] ){ i, k, m }, 3, &least, out );
			}
		}
	}
	return least < INFINITY;
}

void bvdepth_improve( bvdepth_query* q )
{
	bv_vec3 from = q->candidate;
	bv_vec3 to = { 0, 0, 0 };
	q->planes = 0;
	for ( int i = 0; i < most_rounds && q->cut_sweeps < most_cut && !bvdepth_is_over( q ) &&
	                 ( i == 0 || !bvdepth_is_reached( q ) );
	      ++i )
	{
		if ( !sweep( q, from, to ) || !( bv_dot( q->sweep.normal, q->sweep.normal ) > 0.5 ) )
		{
			break;
		}
		bv_vec3 at = stop_before( q, from, to );
		bv_vec3 next;
		add_plane( q, at );
		if ( !find_shortest( q, &next ) || !( bvmath_length( next ) < 0.9995 * q->best.upper ) )
		{
			break;
		}
		// Not on the planes themselves, where rounding decides.
		next = bv_add( bv_scale( 1 + 0x1p-12, next ),
		               bv_scale( 0x1p-14 * bvmath_length( next ), q->sweep.normal ) );
		if ( bvdepth_accept( q, next ) )
		{
			from = next;
			to = ( bv_vec3 ){ 0, 0, 0 };
		}
		else
		{
			from = bv_add( at, bv_scale( 0x1p-6 * bvmath_length( at ), q->sweep.normal ) );
			to = next;
		}
	}
}
