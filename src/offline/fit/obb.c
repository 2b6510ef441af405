// Oriented boxes: the table of methods, what makes one box better than another, and from points to a stored box.
//
// A method is one file and one row. All but the principal axes, which are what their names say, are compared with the
// axis-aligned box: much of what people model stands upright.

#include "offline/fit/obb.h"

#include "offline/base/arena.h"
#include "offline/fit/obb_method.h"

#include <math.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

typedef struct method
{
	const char* name;
	const char* summary;
	bvfit_obb_method_function* find;
	bool needs_hull;
	bool as_named; // its frame is the result whatever else is better
} method;

// Of the first one all points count.
static const method methods[] = {
	{ "pca-points", "principal axes of the points", bvfit_obb_pca_points, false, true },
	{ "pca-vertices", "principal axes of the hull's corners", bvfit_obb_pca_vertices, true, true },
	{ "pca-hull", "principal axes of the hull's surface (Gottschalk 1996)", bvfit_obb_pca_hull, true, true },
	{ "pca-min", "smallest rectangle seen along the last of these axes (Barequet 1996)", bvfit_obb_pca_min,
	  true, true },
	{ "pca-max", "the same along the first axis", bvfit_obb_pca_max, true, true },
	{ "pca-all", "the same along each axis; best of the three", bvfit_obb_pca_all, true, true },
	{ "dito", "DiTO-14: extremal points along seven directions (Larsson, Kallberg 2011)", bvfit_obb_dito,
	  false, false },
	{ "refined", "the best of several methods, refined by local search (Nelder, Mead 1965)",
	  bvfit_obb_refined, true, false },
	{ "optimal", "minimum volume, by a search over pairs of hull edges (O'Rourke 1985)", bvfit_obb_optimal,
	  true, false },
};

enum
{
	method_count = sizeof methods / sizeof methods[0],
};

const char* bvb_box_objective_name( uint32_t objective )
{
	static const char* const words[] = { "volume", "area", "diameter" };
	return objective < sizeof words / sizeof *words ? words[objective] : NULL;
}

const char* bvb_obb_method_name( uint32_t index, const char** summary )
{
	if ( index >= method_count )
	{
		return NULL;
	}
	if ( summary )
	{
		*summary = methods[index].summary;
	}
	return methods[index].name;
}

bvb_obb_options bvb_obb_options_default( void )
{
	return ( bvb_obb_options ){ .method = "optimal" };
}

bvfit_box_cost bvfit_box_cost_of( const double length[3], bvb_box_objective objective )
{
	// What is thinner than this is flat and its thickness mere rounding, by which no box is to be preferred.
	double least = 0x1p-40 * bvmath_max( bvmath_max( length[0], length[1] ), length[2] );
	double a = length[0] > least ? length[0] : 0;
	double b = length[1] > least ? length[1] : 0;
	double c = length[2] > least ? length[2] : 0;
	double volume = a * b * c;
	if ( objective == bvb_box_volume && volume > 0 )
	{
		return ( bvfit_box_cost ){ volume, 0, 0 };
	}
	double area = 2 * ( ( a * b + b * c ) + c * a );
	double diagonal = sqrt( ( a * a + b * b ) + c * c );
	switch ( objective )
	{
	case bvb_box_area: return ( bvfit_box_cost ){ area, 0, area > 0 ? 0 : diagonal };
	case bvb_box_diameter: return ( bvfit_box_cost ){ diagonal, 0, 0 };
	default: return ( bvfit_box_cost ){ 0, area, area > 0 ? 0 : diagonal };
	}
}

bool bvfit_box_cost_less( bvfit_box_cost a, bvfit_box_cost b )
{
	if ( a.first != b.first )
	{
		return a.first < b.first;
	}
	return a.second != b.second ? a.second < b.second : a.third < b.third;
}

#ifdef __SSE2__
// Two points at a time. The same bits as below: sums are in the same order, and the order of minima is none.
void bvfit_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] )
{
	__m128d lower[3] = { _mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd() };
	__m128d upper[3] = { _mm_setzero_pd(), _mm_setzero_pd(), _mm_setzero_pd() };
	__m128d origin[3] = { _mm_set1_pd( points[0].x ), _mm_set1_pd( points[0].y ),
		                  _mm_set1_pd( points[0].z ) };
	for ( uint32_t i = count & 1; i < count; i += 2 )
	{
		const bv_vec3* p = points + i;
		__m128d x = _mm_sub_pd( _mm_set_pd( p[1].x, p[0].x ), origin[0] );
		__m128d y = _mm_sub_pd( _mm_set_pd( p[1].y, p[0].y ), origin[1] );
		__m128d z = _mm_sub_pd( _mm_set_pd( p[1].z, p[0].z ), origin[2] );
		for ( int k = 0; k < 3; ++k )
		{
			__m128d in_plane = _mm_add_pd( _mm_mul_pd( _mm_set1_pd( axis[k].x ), x ),
			                               _mm_mul_pd( _mm_set1_pd( axis[k].y ), y ) );
			__m128d along = _mm_add_pd( in_plane, _mm_mul_pd( _mm_set1_pd( axis[k].z ), z ) );
			lower[k] = _mm_min_pd( lower[k], along );
			upper[k] = _mm_max_pd( upper[k], along );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		double ends[2][2];
		_mm_storeu_pd( ends[0], lower[k] );
		_mm_storeu_pd( ends[1], upper[k] );
		length[k] = bvmath_max( ends[1][0], ends[1][1] ) - bvmath_min( ends[0][0], ends[0][1] );
	}
}
#else
void bvfit_box_lengths( const bv_vec3* points, uint32_t count, const bv_vec3 axis[3], double length[3] )
{
	double lower[3] = { 0, 0, 0 };
	double upper[3] = { 0, 0, 0 };
	for ( uint32_t i = 1; i < count; ++i )
	{
		bv_vec3 d = bv_sub( points[i], points[0] );
		for ( int k = 0; k < 3; ++k )
		{
			double p = bv_dot( axis[k], d );
			lower[k] = bvmath_min( lower[k], p );
			upper[k] = bvmath_max( upper[k], p );
		}
	}
	for ( int k = 0; k < 3; ++k )
	{
		length[k] = upper[k] - lower[k];
	}
}
#endif

static bvvol_packed_obb enclose( const bvfit_box_problem* problem, const bv_vec3 axis[3] )
{
	bvfit_span span = bvfit_span_begin( axis, problem->points[0] );
	for ( uint32_t i = 0; i < problem->count; ++i )
	{
		bvfit_span_add( &span, problem->points[i] );
	}
	return bvfit_span_end( &span );
}

static bvfit_box_cost cost_of( const bvvol_packed_obb* box, bvb_box_objective objective )
{
	double length[3];
	for ( int i = 0; i < 3; ++i )
	{
		length[i] = 2 * (double)box->half_extents[i];
	}
	return bvfit_box_cost_of( length, objective );
}

// Longest side first, as principal axes come.
static void order_axes( const double length[3], bv_vec3 axis[3] )
{
	int order[3] = { 0, 1, 2 };
	for ( int i = 0; i < 3; ++i )
	{
		int k = i == 1 ? 1 : 0;
		if ( length[order[k]] < length[order[k + 1]] )
		{
			int first = order[k];
			order[k] = order[k + 1];
			order[k + 1] = first;
		}
	}
	bv_vec3 longest = axis[order[0]];
	bv_vec3 middle = axis[order[1]];
	axis[0] = longest;
	axis[1] = middle;
	axis[2] = bv_cross( longest, middle );
}

static bv_status find_box( const method* m, const bvfit_box_problem* problem, bvvol_packed_obb* out )
{
	bv_vec3 axis[3];
	bv_status status = m->find( problem, axis );
	if ( status != bv_ok || m->as_named )
	{
		*out = status == bv_ok ? enclose( problem, axis ) : *out;
		return status;
	}
	double length[3];
	bvfit_box_lengths( problem->points, problem->count, axis, length );
	order_axes( length, axis );
	bvvol_packed_obb turned = enclose( problem, axis );
	bvvol_packed_obb upright = enclose( problem, ( bv_vec3[3] ){ { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } } );
	bool better = bvfit_box_cost_less( cost_of( &turned, problem->objective ),
	                                   cost_of( &upright, problem->objective ) );
	*out = better ? turned : upright;
	return bv_ok;
}

bool bvfit_obb_needs_inner( const char* name )
{
	return strcmp( name, methods[0].name ) == 0;
}

static const method* find_method( const char* name )
{
	for ( int i = 0; i < method_count; ++i )
	{
		if ( strcmp( methods[i].name, name ) == 0 )
		{
			return methods + i;
		}
	}
	return NULL;
}

bv_status bvb_fit_obb( const bv_vec3* points, uint32_t count, const bvb_hull* hull,
                       const bvb_obb_options* options, bvb_arena* scratch, bv_obb* out )
{
	bvb_obb_options defaults = bvb_obb_options_default();
	options = options ? options : &defaults;
	const method* m = find_method( options->method );
	if ( count == 0 || !m || options->objective > bvb_box_diameter )
	{
		return bv_error_argument;
	}
	bvb_hull own;
	if ( m->needs_hull && !hull )
	{
		bv_status status = bvb_hull_compute( points, count, scratch, &own, NULL );
		if ( status != bv_ok )
		{
			return status;
		}
		hull = &own;
	}
	bvfit_box_problem problem = {
		.points = points,
		.count = count,
		.hull = m->needs_hull ? hull : NULL,
		.objective = options->objective,
		.scratch = scratch,
	};
	bvvol_packed_obb box;
	bv_status status = find_box( m, &problem, &box );
	if ( status == bv_ok )
	{
		*out = bvvol_obb_unpack( &box );
	}
	return status;
}

bv_status bvb_fit_obb_along( const bv_vec3* points, uint32_t count, bv_vec3 direction, bvb_arena* scratch,
                             bv_obb* out )
{
	bv_vec3 axis[3] = { [2] = direction };
	double size[2];
	bv_status status =
		count > 0 ? bvfit_fit_rectangle( points, count, scratch, axis, size ) : bv_error_argument;
	if ( status == bv_ok )
	{
		bvvol_packed_obb box = enclose( &( bvfit_box_problem ){ .points = points, .count = count }, axis );
		*out = bvvol_obb_unpack( &box );
	}
	return status;
}
