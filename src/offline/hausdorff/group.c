// Distances of points to eight triangles at once. See group.h.

#include "offline/hausdorff/group.h"

#include "runtime/math/vec.h"

#include <string.h>

enum
{
	lanes = bvhaus_lanes_of_group,
};

// As in distance.c.
#if defined( __GNUC__ ) && !defined( __clang__ ) && defined( __x86_64__ ) && defined( __linux__ ) && \
	!defined( __SANITIZE_ADDRESS__ )
#define bvb_for_wide_vectors __attribute__( ( target_clones( "avx2", "default" ) ) )
#else
#define bvb_for_wide_vectors
#endif

// What is smaller has no inverse that is a number.
static const float least_square = 0x1p-100f;

// In units of the frame, far beyond all that matters.
static const float far_away = 0x1p20f;

static void set_vector( float to[3][lanes], int lane, bv_vec3 v )
{
	to[0][lane] = (float)v.x;
	to[1][lane] = (float)v.y;
	to[2][lane] = (float)v.z;
}

static inline float least_of( float a, float b )
{
	return a < b ? a : b;
}

static inline float largest_of( float a, float b )
{
	return a > b ? a : b;
}

static inline void turn( float v[3][lanes], float axis[3][3] )
{
	for ( int i = 0; i < lanes; ++i )
	{
		float x = v[0][i];
		float y = v[1][i];
		float z = v[2][i];
		v[0][i] = ( x * axis[0][0] + y * axis[0][1] ) + z * axis[0][2];
		v[1][i] = ( x * axis[1][0] + y * axis[1][1] ) + z * axis[1][2];
		v[2][i] = ( x * axis[2][0] + y * axis[2][1] ) + z * axis[2][2];
	}
}

// From axes and origins in the mesh's directions.
bvb_for_wide_vectors static void turn_frames( bvhaus_group_frames* restrict f,
                                              float origin[restrict 3][lanes], float axis[restrict 3][3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		for ( int i = 0; i < lanes; ++i )
		{
			f->at[k][i] = -( ( origin[0][i] * f->axis[k][0][i] + origin[1][i] * f->axis[k][1][i] ) +
			                 origin[2][i] * f->axis[k][2][i] );
		}
		turn( f->axis[k], axis );
	}
}

static void finish_frames( bvhaus_group_frames* f, float origin[3][lanes], const bvhaus_local_frame* frame )
{
	float axis[3][3];
	for ( int k = 0; k < 3; ++k )
	{
		axis[k][0] = (float)frame->axis[k].x;
		axis[k][1] = (float)frame->axis[k].y;
		axis[k][2] = (float)frame->axis[k].z;
	}
	turn_frames( f, origin, axis );
}

double bvhaus_triangle_group_set( bvhaus_triangle_group* g, const bvhaus_framed_triangle* const* triangles,
                                  int count, const bvhaus_local_frame* frame )
{
	float origin[3][lanes] = { 0 };
	double reach = 0;
	memset( g, 0, sizeof *g );
	for ( int i = 0; i < count; ++i )
	{
		const bvhaus_framed_triangle* t = triangles[i];
		bv_vec3 o = bv_scale( frame->scale, bv_sub( t->origin, frame->center ) );
		reach = bvmath_max( reach, bvmath_norm1( o ) + frame->scale * t->length );
		set_vector( origin, i, o );
		set_vector( g->frame.axis[0], i, t->u );
		set_vector( g->frame.axis[1], i, t->v );
		set_vector( g->frame.axis[2], i, t->normal );
		g->length[i] = (float)( frame->scale * t->length );
		g->apex_u[i] = (float)( frame->scale * t->apex_u );
		g->apex_v[i] = (float)( frame->scale * t->apex_v );
	}
	finish_frames( &g->frame, origin, frame );
	for ( int i = 0; i < lanes; ++i )
	{
		float end = g->apex_u[i] - g->length[i];
		float v = g->apex_v[i] * g->apex_v[i];
		float a = g->apex_u[i] * g->apex_u[i] + v;
		float b = end * end + v;
		g->inverse_square_a[i] = a > least_square ? 1 / a : 0;
		g->inverse_square_b[i] = b > least_square ? 1 / b : 0;
	}
	for ( int i = count; i < lanes; ++i )
	{
		g->frame.at[2][i] = far_away;
	}
	return reach;
}

double bvhaus_box_group_set( bvhaus_box_group* g, const bvhaus_solid_box* const* boxes, const double* errors,
                             int count, const bvhaus_local_frame* frame )
{
	float origin[3][lanes] = { 0 };
	double reach = 0;
	memset( g, 0, sizeof *g );
	for ( int i = 0; i < count; ++i )
	{
		const bvhaus_solid_box* b = boxes[i];
		bv_vec3 o = bv_scale( frame->scale, bv_sub( b->center, frame->center ) );
		double extent = frame->scale * ( ( b->half_extents[0] + b->half_extents[1] ) + b->half_extents[2] );
		double error = frame->scale * errors[i];
		reach = bvmath_max( reach, bvmath_norm1( o ) + extent );
		set_vector( origin, i, o );
		for ( int k = 0; k < 3; ++k )
		{
			set_vector( g->frame.axis[k], i, b->axis[k] );
			g->half[k][i] = (float)( frame->scale * b->half_extents[k] );
		}

		// One that is not known yet is no help.
		g->error[i] = error < far_away ? (float)error : far_away;
	}
	finish_frames( &g->frame, origin, frame );
	for ( int i = count; i < lanes; ++i )
	{
		g->error[i] = far_away;
	}
	return reach;
}

static inline float clamp( float x, float upper )
{
	return least_of( 0.5f * ( x + fabsf( x ) ), upper );
}

// As bvhaus_square_in_plane.
static inline float square_in_plane( const bvhaus_triangle_group* g, int i, float s, float r )
{
	float on_side = s - clamp( s, g->length[i] );
	float square = on_side * on_side + r * r;

	float along = clamp( ( s * g->apex_u[i] + r * g->apex_v[i] ) * g->inverse_square_a[i], 1 );
	float du = s - along * g->apex_u[i];
	float dv = r - along * g->apex_v[i];
	square = least_of( square, du * du + dv * dv );

	float end_u = g->apex_u[i] - g->length[i];
	float end_s = s - g->length[i];
	along = clamp( ( end_s * end_u + r * g->apex_v[i] ) * g->inverse_square_b[i], 1 );
	du = end_s - along * end_u;
	dv = r - along * g->apex_v[i];
	square = least_of( square, du * du + dv * dv );

	float inside =
		least_of( least_of( r, s * g->apex_v[i] - r * g->apex_u[i] ), r * end_u - end_s * g->apex_v[i] );
	return ( ( inside >= 0 ) & ( g->apex_v[i] > 0 ) ) ? 0 : square;
}

bvb_for_wide_vectors void bvhaus_triangle_group_squares( const bvhaus_triangle_group* restrict g,
                                                         const bvhaus_segments* segments,
                                                         float ( *restrict most )[lanes],
                                                         float ( *restrict least )[2][lanes] )
{
	const bvhaus_group_frames* f = &g->frame;
	float low = segments->low;
	float high = segments->high;
	for ( int k = 0; k < segments->count; ++k )
	{
		float x = segments->x[k];
		float y = segments->y[k];
		float ends[2][lanes];
		for ( int i = 0; i < lanes; ++i )
		{
			float s = ( x * f->axis[0][0][i] + y * f->axis[0][1][i] ) + f->at[0][i];
			float r = ( x * f->axis[1][0][i] + y * f->axis[1][1][i] ) + f->at[1][i];
			float h = ( x * f->axis[2][0][i] + y * f->axis[2][1][i] ) + f->at[2][i];
			float h_low = h + low * f->axis[2][2][i];
			float h_high = h + high * f->axis[2][2][i];
			float a = square_in_plane( g, i, s + low * f->axis[0][2][i], r + low * f->axis[1][2][i] );
			float b = square_in_plane( g, i, s + high * f->axis[0][2][i], r + high * f->axis[1][2][i] );
			a += h_low * h_low;
			b += h_high * h_high;
			most[k][i] = largest_of( a, b );
			ends[0][i] = a;
			ends[1][i] = b;
		}
		for ( int i = 0; i < lanes && least; ++i )
		{
			least[k][0][i] = least_of( ends[0][i], least[k][0][i] );
			least[k][1][i] = least_of( ends[1][i], least[k][1][i] );
		}
	}
}

static inline float beside( float x, float half )
{
	float over = fabsf( x ) - half;
	return 0.5f * ( over + fabsf( over ) );
}

bvb_for_wide_vectors void bvhaus_box_group_squares( const bvhaus_box_group* restrict g,
                                                    const bvhaus_segments* segments,
                                                    float ( *restrict most )[lanes],
                                                    float ( *restrict least )[2][lanes] )
{
	const bvhaus_group_frames* f = &g->frame;
	float low = segments->low;
	float high = segments->high;
	for ( int k = 0; k < segments->count; ++k )
	{
		float x = segments->x[k];
		float y = segments->y[k];
		float ends[2][lanes];
		for ( int i = 0; i < lanes; ++i )
		{
			float s = ( x * f->axis[0][0][i] + y * f->axis[0][1][i] ) + f->at[0][i];
			float r = ( x * f->axis[1][0][i] + y * f->axis[1][1][i] ) + f->at[1][i];
			float t = ( x * f->axis[2][0][i] + y * f->axis[2][1][i] ) + f->at[2][i];
			float s_low = beside( s + low * f->axis[0][2][i], g->half[0][i] );
			float r_low = beside( r + low * f->axis[1][2][i], g->half[1][i] );
			float t_low = beside( t + low * f->axis[2][2][i], g->half[2][i] );
			float s_high = beside( s + high * f->axis[0][2][i], g->half[0][i] );
			float r_high = beside( r + high * f->axis[1][2][i], g->half[1][i] );
			float t_high = beside( t + high * f->axis[2][2][i], g->half[2][i] );
			float a = sqrtf( ( s_low * s_low + r_low * r_low ) + t_low * t_low ) + g->error[i];
			float b = sqrtf( ( s_high * s_high + r_high * r_high ) + t_high * t_high ) + g->error[i];
			a *= a;
			b *= b;
			most[k][i] = largest_of( a, b );
			ends[0][i] = a;
			ends[1][i] = b;
		}
		for ( int i = 0; i < lanes && least; ++i )
		{
			least[k][0][i] = least_of( ends[0][i], least[k][0][i] );
			least[k][1][i] = least_of( ends[1][i], least[k][1][i] );
		}
	}
}
