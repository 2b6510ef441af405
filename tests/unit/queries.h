// What the tests of queries share: random meshes, places to put them, files of all forms, and where their triangles are.

#pragma once

#include "support.h"

#include "bv/mesh.h"

static inline bv_vec3 plus( bv_vec3 a, double s, bv_vec3 b )
{
	return ( bv_vec3 ){ a.x + s * b.x, a.y + s * b.y, a.z + s * b.z };
}

static inline bv_vec3 minus( bv_vec3 a, bv_vec3 b )
{
	return plus( a, -1, b );
}

static inline double dot( bv_vec3 a, bv_vec3 b )
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline double length( bv_vec3 a )
{
	return sqrt( dot( a, a ) );
}

static inline bv_vec3 normal_of( const bv_vec3 t[3] )
{
	bv_vec3 u = minus( t[1], t[0] );
	bv_vec3 v = minus( t[2], t[0] );
	return ( bv_vec3 ){ u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
}

// From -1 to 1.
static inline bv_vec3 random_around( fixture* f )
{
	return plus( ( bv_vec3 ){ -1, -1, -1 }, 2, random_point( f ) );
}

// A soup in a cube of side 1 about `center`, sizes over two decades; a third of it needles.
static inline bvb_mesh random_soup( fixture* f, uint32_t count, bv_vec3 center )
{
	bvb_mesh mesh = soup_create( f, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		double size = 0.5 * pow( 10, -2 * random_unit( f ) );
		bv_vec3 at = plus( center, 0.5, random_around( f ) );
		bv_vec3* corner = mesh.positions + 3 * i;
		for ( int k = 0; k < 3; ++k )
		{
			corner[k] = plus( at, size, random_around( f ) );
		}
		if ( i % 3 == 0 )
		{
			corner[2] =
				plus( plus( corner[0], random_unit( f ), minus( corner[1], corner[0] ) ), 1e-5, corner[2] );
		}
	}
	return mesh;
}

// Each triangle a second time, seen from behind: what is found of one is found of the other as well.
static inline bvb_mesh with_twins( fixture* f, const bvb_mesh* mesh )
{
	bvb_mesh twins = *mesh;
	twins.triangle_count = 2 * mesh->triangle_count;
	twins.triangles = bvb_arena_allocate( f->arena, twins.triangle_count, sizeof *twins.triangles );
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		const uint32_t* c = mesh->triangles[i].corner;
		twins.triangles[2 * i] = mesh->triangles[i];
		twins.triangles[2 * i + 1] = ( bvb_triangle ){ { c[0], c[2], c[1] } };
	}
	return twins;
}

static inline bv_transform random_transform( fixture* f, double scale, bool mirror, bv_vec3 translation )
{
	double q[4];
	double norm = 0;
	for ( int i = 0; i < 4; ++i )
	{
		q[i] = random_unit( f ) - 0.5;
		norm += q[i] * q[i];
	}
	double s = 2 / norm;
	double x = q[0], y = q[1], z = q[2], w = q[3];
	return ( bv_transform ){
		.pose = { .rotation = { { 1 - s * ( y * y + z * z ), s * ( x * y - w * z ), s * ( x * z + w * y ) },
		                        { s * ( x * y + w * z ), 1 - s * ( x * x + z * z ), s * ( y * z - w * x ) },
		                        { s * ( x * z - w * y ), s * ( y * z + w * x ), 1 - s * ( x * x + y * y ) } },
		          .translation = translation },
		.scale = scale,
		.mirror = mirror,
	};
}

// By the definition in bv/base.h.
static inline bv_vec3 placed( const bv_transform* t, bv_vec3 p )
{
	const double( *r )[3] = t->pose.rotation;
	double x = t->scale * ( t->mirror ? -p.x : p.x );
	double y = t->scale * p.y;
	double z = t->scale * p.z;
	return ( bv_vec3 ){ r[0][0] * x + r[0][1] * y + r[0][2] * z + t->pose.translation.x,
		                r[1][0] * x + r[1][1] * y + r[1][2] * z + t->pose.translation.y,
		                r[2][0] * x + r[2][1] * y + r[2][2] * z + t->pose.translation.z };
}

// A triangle of a file, where the transform puts it.
static inline void get_placed( const bv_file* file, uint32_t triangle, const bv_transform* t, bv_vec3 out[3] )
{
	uint32_t corner[3];
	bv_file_get_triangle( file, triangle, corner );
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = placed( t, bv_file_get_vertex( file, corner[k] ) );
	}
}

// A file of the mesh: the round decides on the form of positions, the volumes, the size of leaves, and whether nodes have two children,
// up to eight of them where that is worth it, or six.
static inline const bv_file* file_of_round( fixture* f, const bvb_mesh* mesh, int round )
{
	bvb_asset_options options = plain_options();
	options.record.positions = round % 2 == 0 ? bvb_positions_float : bvb_positions_quantized;
	options.hierarchy.leaf_triangles = 1 + (uint32_t)round % 3;
	options.hierarchy.volume_types = round % 8 == 7 ? ( 1u << bv_volume_types ) - 1 : 1u << round % 8;
	int children = ( round / 8 + round ) % 3;
	options.hierarchy.collapse = children == 1 ? 8 : 0;
	options.hierarchy.degree = children == 2 ? BVB_MAX_DEGREE : 2;
	return build_file( f, mesh, &options );
}

// A point is where its weights say, in both coordinates.
static inline void assert_surface_point( const bv_file* file, const bv_surface_point* at,
                                         const bv_transform* t, double error )
{
	bv_transform none = bv_transform_identity();
	bv_vec3 local[3];
	bv_vec3 outside[3];
	get_placed( file, at->triangle, &none, local );
	get_placed( file, at->triangle, t, outside );
	bv_vec3 of_local = { 0, 0, 0 };
	bv_vec3 of_placed = { 0, 0, 0 };
	double sum = 0;
	for ( int k = 0; k < 3; ++k )
	{
		assert_true( at->weight[k] >= -1e-12 );
		sum += at->weight[k];
		of_local = plus( of_local, at->weight[k], local[k] );
		of_placed = plus( of_placed, at->weight[k], outside[k] );
	}
	assert_true( fabs( sum - 1 ) < 1e-12 );
	assert_true( length( minus( of_local, at->local ) ) <= error / t->scale );
	assert_true( length( minus( of_placed, at->point ) ) <= error );
}
