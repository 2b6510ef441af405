// k-DOPs with 14, 18 and 26 planes. See kinds.h.

#include "runtime/math/vec.h"
#include "runtime/volume/kinds.h"
#include "runtime/volume/reach.h"

static void begin14( bv_volume* out )
{
	out->kdop = ( bv_kdop ){ .k = 14 };
}

static void begin18( bv_volume* out )
{
	out->kdop = ( bv_kdop ){ .k = 18 };
}

static void begin26( bv_volume* out )
{
	out->kdop = ( bv_kdop ){ .k = 26 };
}

static bvvol_bounds bounds( bv_volume* volume )
{
	return ( bvvol_bounds ){ volume->kdop.lower, volume->kdop.upper };
}

static void rounded( const bv_volume* volume, bvvol_rounded* out )
{
	const double* l = volume->kdop.lower;
	const double* u = volume->kdop.upper;
	bvvol_upright_rounded( ( bv_vec3 ){ l[0], l[1], l[2] }, ( bv_vec3 ){ u[0], u[1], u[2] }, out );
}

// Which direction is the reflection of another one, or its opposite.
static uint32_t find_direction( bv_vec3 d, bool* opposite )
{
	uint32_t i = 0;
	for ( ;; ++i )
	{
		bv_vec3 e = bv_kdop_direction( i );
		double cosine = bv_dot( d, e );
		if ( cosine * cosine == bv_dot( d, d ) * bv_dot( e, e ) )
		{
			*opposite = cosine < 0;
			return i;
		}
	}
}

static void scaled( const bv_volume* volume, double scale, bool mirror, bv_volume* out )
{
	const bv_kdop* kdop = &volume->kdop;
	*out = ( bv_volume ){ .type = volume->type, .kdop = { .k = kdop->k } };
	for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
	{
		bool opposite;
		uint32_t from = find_direction( bvvol_reflected( bv_kdop_direction( i ), mirror ), &opposite );
		out->kdop.lower[i] = scale * ( opposite ? -kdop->upper[from] : kdop->lower[from] );
		out->kdop.upper[i] = scale * ( opposite ? -kdop->lower[from] : kdop->upper[from] );
	}
}

static bv_vec3 center( const bv_volume* volume )
{
	const bv_kdop* kdop = &volume->kdop;
	return ( bv_vec3 ){ ( kdop->lower[0] + kdop->upper[0] ) / 2, ( kdop->lower[1] + kdop->upper[1] ) / 2,
		                ( kdop->lower[2] + kdop->upper[2] ) / 2 };
}

static void half_lengths( const bv_volume* volume, double half[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		half[i] = ( volume->kdop.upper[i] - volume->kdop.lower[i] ) / 2;
	}
}

static bool encloses( const bv_volume* volume, bv_vec3 point )
{
	return bvvol_kdop_encloses( &volume->kdop, point );
}

#define KDOP_ROW( k )                       \
	const bvvol_kind bvvol_kind_kdop##k = { \
		.name = "kdop" #k,                  \
		.form = bvvol_form_slabs,           \
		BVVOL_BOUNDED( k ),                 \
		.begin = begin##k,                  \
		.bounds = bounds,                   \
		.rounded = rounded,                 \
		.scaled = scaled,                   \
		.center = center,                   \
		.half_lengths = half_lengths,       \
		.encloses = encloses,               \
	}

KDOP_ROW( 14 );
KDOP_ROW( 18 );
KDOP_ROW( 26 );
