// Pairs of triangles of a mesh that bends, compared with integers, with convex shapes, and with collisions of two meshes. See
// fuzz_deform_contact.c.

#pragma once

#include "cloths.h"

#include "bv/convex.h"

enum
{
	most_distances = 50,
};

// Coordinates as integers, in a unit that is a power of 2.
// @return whether all of them are at most most_integer
static inline bool take_whole( const cloth* c, int64_t ( *out )[3] )
{
	double most = 0;
	for ( uint32_t i = 0; i < 3 * c->vertices; ++i )
	{
		most = fmax( most, fabs( ( &c->from[i / 3].x )[i % 3] ) );
	}
	int exponent = 0;
	frexp( most, &exponent );
	bool is_whole = true;
	for ( uint32_t i = 0; i < 3 * c->vertices; ++i )
	{
		double x = ldexp( ( &c->from[i / 3].x )[i % 3], 9 - exponent );
		is_whole = is_whole && x == floor( x );
		out[i / 3][i % 3] = (int64_t)floor( x );
	}
	return is_whole;
}

static inline int64_t product_of( const int64_t a[3], const int64_t b[3], const int64_t c[3] )
{
	return a[0] * ( b[1] * c[2] - b[2] * c[1] ) + a[1] * ( b[2] * c[0] - b[0] * c[2] ) +
	       a[2] * ( b[0] * c[1] - b[1] * c[0] );
}

static inline void cross_of( const int64_t a[3], const int64_t b[3], int64_t out[3] )
{
	for ( int i = 0; i < 3; ++i )
	{
		out[i] = a[( i + 1 ) % 3] * b[( i + 2 ) % 3] - a[( i + 2 ) % 3] * b[( i + 1 ) % 3];
	}
}

static inline int64_t dot_of( const int64_t a[3], const int64_t b[3] )
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

// Whether 0 is in a tetrahedron that has a volume.
static inline bool is_in_tetrahedron( const int64_t* p[4] )
{
	int64_t part[4] = { product_of( p[1], p[2], p[3] ), -product_of( p[0], p[2], p[3] ),
		                product_of( p[0], p[1], p[3] ), -product_of( p[0], p[1], p[2] ) };
	int64_t all = part[0] + part[1] + part[2] + part[3];
	bool is_in = all != 0;
	for ( int i = 0; i < 4; ++i )
	{
		is_in = is_in && ( all > 0 ? part[i] >= 0 : part[i] <= 0 );
	}
	return is_in;
}

// Whether 0 is in a triangle that has an area, or on a segment.
static inline bool is_in_triangle( const int64_t* p[3] )
{
	int64_t part[3][3];
	int64_t all[3];
	for ( int i = 0; i < 3; ++i )
	{
		cross_of( p[( i + 1 ) % 3], p[( i + 2 ) % 3], part[i] );
	}
	for ( int i = 0; i < 3; ++i )
	{
		all[i] = part[0][i] + part[1][i] + part[2][i];
	}
	bool is_in = dot_of( all, p[0] ) == 0 && dot_of( all, all ) > 0;
	for ( int i = 0; i < 3; ++i )
	{
		int64_t none[3];
		cross_of( p[i], p[( i + 1 ) % 3], none );
		bool is_on = none[0] == 0 && none[1] == 0 && none[2] == 0 && dot_of( p[i], p[( i + 1 ) % 3] ) <= 0;
		if ( is_on )
		{
			return true;
		}
		is_in = is_in && dot_of( all, part[i] ) >= 0;
	}
	return is_in;
}

// Two triangles intersect if 0 is in the convex hull of the differences of their corners, and then it is in a simplex of these
// (Caratheodory). In integers, without rounding.
static inline bool intersect_exactly( int64_t ( *at )[3], const uint32_t a[3], const uint32_t b[3] )
{
	int64_t difference[9][3];
	uint32_t above[3] = { 0, 0, 0 };
	uint32_t below[3] = { 0, 0, 0 };
	for ( int i = 0; i < 27; ++i )
	{
		difference[i / 3][i % 3] = at[a[i / 9]][i % 3] - at[b[i / 3 % 3]][i % 3];
		above[i % 3] += difference[i / 3][i % 3] > 0;
		below[i % 3] += difference[i / 3][i % 3] < 0;
	}
	for ( int i = 0; i < 3; ++i )
	{
		if ( above[i] == 9 || below[i] == 9 )
		{
			return false;
		}
	}
	for ( int i = 0; i < 9; ++i )
	{
		for ( int j = i; j < 9; ++j )
		{
			for ( int k = j; k < 9; ++k )
			{
				const int64_t* p[4] = { difference[i], difference[j], difference[k] };
				if ( is_in_triangle( p ) )
				{
					return true;
				}
				for ( int l = k + 1; l < 9 && i < j && j < k; ++l )
				{
					p[3] = difference[l];
					if ( is_in_tetrahedron( p ) )
					{
						return true;
					}
				}
			}
		}
	}
	return false;
}

// What a query of pairs of triangles found.
typedef struct pair_list
{
	const cloth* of;
	double separation;
	uint64_t count;
	uint64_t most;
	uint8_t found[most_triangles][most_triangles]; // 1, and 2 more if they meet
	bv_interval distance[most_triangles][most_triangles];
} pair_list;

static inline bool are_neighbors( const cloth* c, uint32_t a, uint32_t b )
{
	bool shares = false;
	for ( int i = 0; i < 9; ++i )
	{
		shares = shares || c->triangle[a][i / 3] == c->triangle[b][i % 3];
	}
	return shares;
}

// Of the coordinates of two triangles, by which rounding errors are measured.
static inline double size_of_pair( const cloth* c, uint32_t a, uint32_t b )
{
	double size = 0;
	bv_vec3 first = c->from[c->triangle[a][0]];
	for ( int i = 0; i < 6; ++i )
	{
		bv_vec3 p = bv_sub( c->from[c->triangle[i < 3 ? a : b][i % 3]], first );
		size = fmax( size, fmax( fmax( fabs( p.x ), fabs( p.y ) ), fabs( p.z ) ) );
	}
	return size;
}

static inline bool add_pair( void* context, const bvw_self_pair* pair )
{
	pair_list* list = context;
	const cloth* c = list->of;
	uint32_t a = pair->triangle[0];
	uint32_t b = pair->triangle[1];
	expect( a < b && b < c->triangles && !are_neighbors( c, a, b ) && list->found[a][b] == 0 );
	expect( pair->distance.lower >= 0 && pair->distance.lower <= pair->distance.upper );
	expect( pair->feature[0] < bv_features && pair->feature[1] < bv_features );
	if ( list->separation == 0 )
	{
		static const bv_vec3 none;
		expect( pair->meets && pair->distance.upper == 0 );
		expect( memcmp( pair->point, &none, sizeof none ) == 0 );
		expect( memcmp( pair->point + 1, &none, sizeof none ) == 0 );
	}
	else
	{
		bv_vec3 by = bv_sub( pair->point[0], pair->point[1] );
		bv_vec3 offset = bv_file_get_offset( c->mesh.file );
		double far = fabs( offset.x ) + fabs( offset.y ) + fabs( offset.z ) +
		             fabs( c->from[c->triangle[a][0]].x ) + fabs( c->from[c->triangle[a][0]].y ) +
		             fabs( c->from[c->triangle[a][0]].z );
		double error = 0x1p-40 * ( size_of_pair( c, a, b ) + far );
		double apart = hypot( hypot( by.x, by.y ), by.z );
		expect( apart >= pair->distance.lower - error && apart <= pair->distance.upper + error );
		expect( !pair->meets || pair->distance.lower == 0 );
	}
	list->found[a][b] = pair->meets ? 3 : 1;
	list->distance[a][b] = pair->distance;
	list->count += 1;
	return list->count < list->most;
}

// Distances, by a function that shares nothing with those of meshes.
static inline void check_distance( const pair_list* list, uint32_t a, uint32_t b )
{
	const cloth* c = list->of;
	bv_convex triangle[2];
	for ( int i = 0; i < 2; ++i )
	{
		const uint32_t* corner = c->triangle[i ? b : a];
		triangle[i] = bv_convex_triangle( c->from[corner[0]], c->from[corner[1]], c->from[corner[2]] );
	}
	bv_convex_result r;
	expect( bv_convex_distance( triangle, triangle + 1, NULL, NULL, &r ) == bv_ok );
	double error = 0x1p-40 * size_of_pair( c, a, b );
	if ( list->found[a][b] == 0 )
	{
		expect( fmax( r.upper, 0 ) + error > list->separation );
	}
	else if ( list->separation > 0 )
	{
		expect( r.lower - error <= list->distance[a][b].upper );
		expect( fmax( r.upper, 0 ) + error >= list->distance[a][b].lower );
		expect( r.lower - 2 * error <= list->separation );
	}
}

typedef struct collided
{
	uint8_t found[most_triangles][most_triangles];
} collided;

static inline bool add_collided( void* context, uint32_t a, uint32_t b )
{
	collided* c = context;
	c->found[a][b] = 1;
	return true;
}

// The same mesh twice has the same pairs of triangles that intersect, and more that have no area.
static inline void check_collided( const pair_list* list )
{
	const cloth* c = list->of;
	const bv_file* file = bvw_deform_file( c->deform );
	collided all = { .found = { { 0 } } };
	bv_collide_options options = { .callback = add_collided, .context = &all };
	bv_collide_result r;
	expect( bv_mesh_collide( file, file, NULL, &options, &r ) == bv_ok );
	for ( uint32_t i = 0; i < c->triangles * c->triangles; ++i )
	{
		uint32_t a = i / c->triangles;
		uint32_t b = i % c->triangles;
		expect( !( list->found[a][b] & 2 ) || all.found[a][b] );
	}
}

static inline void check_pairs( const pair_list* list )
{
	const cloth* c = list->of;
	int64_t at[most_vertices][3];
	bool is_whole = take_whole( c, at );
	uint32_t distances = 0;
	for ( uint32_t i = 0; i < c->triangles * c->triangles; ++i )
	{
		uint32_t a = i / c->triangles;
		uint32_t b = i % c->triangles;
		if ( a >= b || are_neighbors( c, a, b ) )
		{
			continue;
		}
		if ( is_whole )
		{
			bool meets = intersect_exactly( at, c->triangle[a], c->triangle[b] );
			expect( ( ( list->found[a][b] & 2 ) != 0 ) == meets );
		}
		if ( distances < most_distances && ( list->found[a][b] > 0 || i % 16 == 0 ) )
		{
			check_distance( list, a, b );
			distances += 1;
		}
	}
	check_collided( list );
}

static inline void collide_self( numbers* n, const cloth* c )
{
	uint8_t kind = take_byte( n );
	pair_list* list = calloc( 2, sizeof *list );
	expect( list );
	list->of = c;
	list->most = UINT64_MAX;
	list->separation = kind % 4 < 2 ? 0 : kind % 4 == 2 ? ldexp( c->mesh.of.size, -( kind / 4 % 32 ) ) : 1;
	list->separation = kind > 240 ? take_number( n, &c->mesh.of ) : list->separation;
	bvw_self_collide_options options = bvw_self_collide_options_default();
	options.separation = list->separation;
	options.callback = add_pair;
	options.context = list;
	bvw_self_collide_result r;
	bvw_self_collide_result before;
	memset( &r, kind, sizeof r );
	memcpy( &before, &r, sizeof r );
	bv_status status = bvw_deform_self_collide( c->deform, &options, &r );
	if ( !( list->separation >= 0 && list->separation <= BV_MAX_LENGTH ) )
	{
		expect( status == bv_error_argument && memcmp( &before, &r, sizeof r ) == 0 && list->count == 0 );
		free( list );
		return;
	}
	expect( status == bv_ok && r.complete && r.pairs == list->count );
	expect( r.exact_tests >= r.pairs && r.triangle_tests >= r.exact_tests );
	check_pairs( list );
	if ( list->count > 0 )
	{
		list[1].of = c;
		list[1].separation = list->separation;
		list[1].most = 1 + take_byte( n ) % list->count;
		options.context = list + 1;
		expect( bvw_deform_self_collide( c->deform, &options, &r ) == bv_ok );
		expect( r.pairs == list[1].most && list[1].count == r.pairs && !r.complete );
	}
	free( list );
}
