// Digests of what queries of convex pairs find, which must be the same from each compiler and on each machine: of all kinds
// of shapes, methods, contact points and casts, with caches and without. Numbers are made by operations that IEEE fixes alone.

#pragma once

#include "bv/contact.h"
#include "bv/convex.h"
#include "bv/file.h"

#include "tests/reference/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	digest_pairs = 10000,
	digest_ring = 12, // corners of a bipyramid between its apexes
	digest_points = 40,
};

typedef struct digest
{
	uint64_t hash; // FNV-1a
	uint64_t supports;
	int refused;
} digest;

static void digest_bits( digest* d, uint64_t bits )
{
	for ( int i = 0; i < 8; ++i )
	{
		d->hash = ( d->hash ^ ( bits >> ( 8 * i ) & 255 ) ) * UINT64_C( 0x100000001b3 );
	}
}

static void digest_numbers( digest* d, const double* x, int count )
{
	for ( int i = 0; i < count; ++i )
	{
		uint64_t bits;
		memcpy( &bits, x + i, sizeof bits );
		digest_bits( d, bits );
	}
}

static void digest_vector( digest* d, bv_vec3 v )
{
	digest_numbers( d, ( const double[] ){ v.x, v.y, v.z }, 3 );
}

// What shapes refer to, in a place of its own for each of a pair.
typedef struct digest_room
{
	bv_vec3 points[digest_points];
	uint32_t first[digest_ring + 3];
	uint32_t neighbors[6 * digest_ring];
	double radius[3];
} digest_room;

static bv_vec3 digest_ellipsoid( const void* context, bv_vec3 d )
{
	const double* r = (const double*)context;
	bv_vec3 u = { r[0] * d.x, r[1] * d.y, r[2] * d.z };
	double s = 1 / sqrt( u.x * u.x + u.y * u.y + u.z * u.z );
	return ( bv_vec3 ){ r[0] * ( s * u.x ), r[1] * ( s * u.y ), r[2] * ( s * u.z ) };
}

static bv_vec3 digest_corner( uint64_t* seed, bool on_lattice )
{
	double c[3];
	for ( int k = 0; k < 3; ++k )
	{
		double x = random_coordinate( seed );
		c[k] = on_lattice ? 0.5 * rint( 2 * x ) : x;
	}
	return ( bv_vec3 ){ c[0], c[1], c[2] };
}

// The corners of the ring are on a circle by the tangent of half the angle.
static bv_convex digest_bipyramid( uint64_t* seed, digest_room* room )
{
	uint32_t filled = 0;
	for ( uint32_t i = 0; i < digest_ring; ++i )
	{
		double t = 2 * ( (double)( i % ( digest_ring / 2 ) ) + 0.5 ) / ( digest_ring / 2 ) - 1;
		double sign = i < digest_ring / 2 ? 1 : -1;
		room->points[i] =
			( bv_vec3 ){ sign * ( 1 - t * t ) / ( 1 + t * t ), sign * 2 * t / ( 1 + t * t ), 0 };
		room->first[i] = filled;
		room->neighbors[filled++] = ( i + 1 ) % digest_ring;
		room->neighbors[filled++] = digest_ring;
		room->neighbors[filled++] = ( i + digest_ring - 1 ) % digest_ring;
		room->neighbors[filled++] = digest_ring + 1;
	}
	for ( uint32_t apex = 0; apex < 2; ++apex )
	{
		double height = 0.5 + 0.25 * random_coordinate( seed );
		room->points[digest_ring + apex] = ( bv_vec3 ){ 0, 0, apex ? -height : height };
		room->first[digest_ring + apex] = filled;
		for ( uint32_t i = 0; i < digest_ring; ++i )
		{
			room->neighbors[filled++] = apex ? digest_ring - 1 - i : i;
		}
	}
	room->first[digest_ring + 2] = filled;
	return bv_convex_graph( room->points, digest_ring + 2, room->first, room->neighbors );
}

static bv_convex digest_of_points( uint64_t* seed, bool on_lattice, digest_room* room )
{
	uint32_t count = 1 + next_random( seed ) % digest_points;
	for ( uint32_t i = 0; i < count; ++i )
	{
		room->points[i] = digest_corner( seed, on_lattice );
	}
	return bv_convex_points( room->points, count, 0 );
}

static bv_convex digest_shape( uint64_t* seed, const bv_file* file, digest_room* room )
{
	uint32_t kind = next_random( seed ) % ( file ? 16 : 14 );
	bool on_lattice = next_random( seed ) % 2;
	bv_vec3 p = digest_corner( seed, on_lattice );
	bv_vec3 q = digest_corner( seed, on_lattice );
	bv_vec3 r = digest_corner( seed, on_lattice );
	bv_obb frame = { .center = p,
		             .axis = { { 0.6, 0.8, 0 }, { -0.8, 0.6, 0 }, { 0, 0, 1 } },
		             .half_extents = { fabs( q.x ) + 0.125, fabs( q.y ) + 0.125, fabs( q.z ) + 0.125 } };
	double radius = fabs( r.x ) + 0.125;
	q.x += q.x == p.x && q.y == p.y && q.z == p.z ? 0.5 : 0; // ends differ
	bv_convex out;
	switch ( kind )
	{
	case 0: return bv_convex_point( p );
	case 1: return bv_convex_segment( p, q );
	case 2: return bv_convex_triangle( p, q, r );
	case 3: return bv_convex_box( p, ( bv_vec3 ){ fabs( q.x ), fabs( q.y ), fabs( q.z ) } );
	case 4: return bv_convex_obb( &frame );
	case 5: return bv_convex_sphere( p, radius );
	case 6: return bv_convex_capsule( p, q, radius );
	case 7: return bv_convex_cylinder( p, q, radius );
	case 8: return bv_convex_cone( p, q, radius );
	case 9: return bv_convex_ellipsoid( &frame );
	case 10: return digest_of_points( seed, on_lattice, room );
	case 11: return digest_bipyramid( seed, room );
	case 12:
		memcpy( room->radius, frame.half_extents, sizeof room->radius );
		return bv_convex_support( digest_ellipsoid, room->radius );
	case 13:
		out = next_random( seed ) % 2 ? bv_convex_half_space( ( bv_vec3 ){ q.x, q.y, q.z + 3 }, p.x )
		                              : digest_of_points( seed, on_lattice, room );
		out.radius = out.kind == bv_convex_of_half_space ? 0 : radius;
		return out;
	case 14: return bv_convex_hull( file );
	default:
		out = bv_convex_part( file, next_random( seed ) % 4 );
		return bv_file_get_decomposition( file ).parts > 0 ? out : bv_convex_primitive( file );
	}
}

// Lattice vectors and quarter turns, or any; every fourth with a scale or a mirror.
static bv_transform digest_placement( uint64_t* seed )
{
	uint32_t kind = next_random( seed ) % 8;
	bv_vec3 at = digest_corner( seed, kind % 2 );
	bv_transform t = bv_transform_translation( 1.5 * at.x, 1.5 * at.y, 1.5 * at.z );
	if ( kind >= 4 )
	{
		bv_vec3 x = random_direction( seed );
		bv_vec3 z = bv_cross( x, random_direction( seed ) );
		double length = bv_length( z );
		z = length > 0.1 ? bv_scale( 1 / length, z )
		                 : bv_normalize( bv_cross( x, ( bv_vec3 ){ x.y, x.z, -x.x } ) );
		bv_vec3 y = bv_cross( z, x );
		const bv_vec3 row[3] = { x, y, z };
		memcpy( t.pose.rotation, row, sizeof row );
	}
	else if ( kind == 2 )
	{
		t.pose.translation.x += 0x1p-40 * random_coordinate( seed );
	}
	t.scale = kind == 7 ? 0.75 : 1;
	t.mirror = kind == 6;
	return t;
}

typedef struct digests
{
	digest distance[bv_convex_methods];
	digest overlap[bv_convex_methods];
	digest cast[bv_convex_cast_methods];
	digest manifold;
} digests;

static void digest_distance( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                             const bv_convex_options* o, digest* d )
{
	bv_convex_result r;
	if ( bv_convex_distance( a, b, at, o, &r ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	digest_numbers( d, ( const double[] ){ r.lower, r.upper }, 2 );
	digest_vector( d, r.point[0] );
	digest_vector( d, r.point[1] );
	digest_vector( d, r.normal );
	digest_bits( d, r.supports );
	d->supports += r.supports;
}

static void digest_overlap( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                            const bv_convex_options* o, digest* d )
{
	bv_convex_overlap_result r;
	if ( bv_convex_overlap( a, b, at, o, &r ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	digest_bits( d, (uint64_t)r.overlaps << 1 | r.certain );
	digest_vector( d, r.axis );
	digest_bits( d, r.supports );
	d->supports += r.supports;
}

static void digest_cast( const bv_convex* a, const bv_convex* b, const bv_transform* at, bv_vec3 motion,
                         const bv_convex_cast_options* o, digest* d )
{
	bv_convex_cast_result r;
	if ( bv_convex_cast( a, b, at, ( bv_vec3 ){ 0.25, 0, 0 }, motion, o, &r ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	digest_bits( d, (uint64_t)r.found << 2 | (uint64_t)r.certain << 1 | r.at_start );
	digest_numbers( d, ( const double[] ){ r.lower, r.upper }, 2 );
	digest_vector( d, r.point[0] );
	digest_vector( d, r.point[1] );
	digest_vector( d, r.normal );
	digest_bits( d, r.supports );
	d->supports += r.supports;
}

static void digest_manifold( const bv_convex* a, const bv_convex* b, const bv_transform* at,
                             bv_convex_cache* cache, digest* d )
{
	bv_manifold m;
	bv_manifold_options o = { .speculative = 0.25, .distance.cache = cache };
	if ( bv_convex_manifold( a, b, at, &o, &m ) != bv_ok )
	{
		d->refused += 1;
		return;
	}
	digest_numbers( d, ( const double[] ){ m.lower, m.upper }, 2 );
	digest_vector( d, m.normal );
	digest_bits( d, m.count );
	for ( uint32_t i = 0; i < m.count; ++i )
	{
		const bv_contact* c = m.contact + i;
		digest_vector( d, c->position );
		digest_vector( d, c->point[0] );
		digest_vector( d, c->point[1] );
		digest_numbers( d, &c->separation, 1 );
		digest_bits( d, c->identity );
	}
	d->supports += m.supports;
}

// By the default and by one of the others in turn; then a little farther on, with what the cache has.
static void digest_pair( uint64_t* seed, int index, const bv_file* file, digests* out )
{
	static digest_room room[2];
	bv_convex a = digest_shape( seed, file, room );
	bv_convex b = digest_shape( seed, file, room + 1 );
	bv_transform at = digest_placement( seed );
	bv_vec3 motion = bv_scale( -2, at.pose.translation );
	bv_convex_cache kept = { .count = 0 };
	bv_transform beside = at;
	for ( int frame = 0; frame < 3; ++frame ) // the first without a cache
	{
		digest_manifold( &a, &b, &beside, frame > 0 ? &kept : NULL, &out->manifold );
		beside.pose.translation.y += 0.03125 * frame;
	}
	const bv_convex_method methods[2] = { bv_convex_method_default,
		                                  (bv_convex_method)( 1 + index % ( bv_convex_methods - 1 ) ) };
	for ( int k = 0; k < 2; ++k )
	{
		bv_convex_method m = methods[k];
		bv_convex_cache cache = { .count = 0 };
		bv_convex_options o = { .method = m, .tolerance = index % 5 == 0 ? 1e-10 : 0 };
		bv_transform next = at;
		digest_distance( &a, &b, &at, &o, out->distance + m );
		digest_overlap( &a, &b, &at, &o, out->overlap + m );
		o.cache = &cache;
		for ( int frame = 0; frame < 2; ++frame )
		{
			digest_distance( &a, &b, &next, &o, out->distance + m );
			digest_overlap( &a, &b, &next, &o, out->overlap + m );
			next.pose.translation.y += 0.03125;
		}
		bv_convex_cast_method c =
			(bv_convex_cast_method)( k * ( 1 + index % ( bv_convex_cast_methods - 1 ) ) );
		bv_convex_cast_options options = { .method = c, .cache = index % 2 ? &cache : NULL };
		digest_cast( &a, &b, &at, motion, &options, out->cast + c );
	}
}

static void print_digest( const char* what, const char* query, const char* method, const digest* d )
{
	printf( "%s %s, %s: %016" PRIx64 ", %" PRIu64 " supports, %d unsupported\n", what, query, method, d->hash,
	        d->supports, d->refused );
}

// @param what  a word that lines begin with
// @param file  null for none
static void print_convex_digests( const char* what, const bv_file* file, int pairs )
{
	static digests all;
	uint64_t seed = 1;
	memset( &all, 0, sizeof all );
	for ( int i = 0; i < pairs; ++i )
	{
		digest_pair( &seed, i, file, &all );
	}
	for ( int m = 0; m < bv_convex_methods; ++m )
	{
		print_digest( what, "distance", bv_convex_method_name( (bv_convex_method)m ), all.distance + m );
		print_digest( what, "overlap", bv_convex_method_name( (bv_convex_method)m ), all.overlap + m );
	}
	print_digest( what, "manifold", "default", &all.manifold );
	for ( int m = 0; m < bv_convex_cast_methods; ++m )
	{
		print_digest( what, "cast", bv_convex_cast_method_name( (bv_convex_cast_method)m ), all.cast + m );
	}
}
