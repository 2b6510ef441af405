// Poses of skinned meshes: how long it takes to move volumes by their bones, to skin what is near a small region, and to skin and refit
// everything, and how much larger volumes become that way.
//
//   bench_skin [--quick] [-o CSV]
//
// A tube of 50 bones along it, of two bones per vertex, bent like a snake; and a ball of 50 bones in it, of the four nearest per vertex, each
// turned about itself. Exit code 1 if poses near a region take more than a third of the time of an exact refit.

#include "bv/inspect.h"
#include "bvbuild/bvbuild.h"
#include "bvworld/skin.h"
#include "tests/bench/measure.h"
#include "tests/bench/random.h"
#include "tests/bench/verdict.h"

#include <math.h>

enum
{
	bones = 50,
	slots = 4,
	bodies = 2,
};

typedef struct body
{
	const char* name;
	bvb_mesh mesh;
} body;

static void fail( const char* message )
{
	fprintf( stderr, "bench_skin: %s\n", message );
	exit( 2 );
}

static void* allocate( size_t count, size_t size )
{
	void* p = calloc( count, size );
	if ( !p )
	{
		fail( "no memory" );
	}
	return p;
}

static bvb_mesh grid_mesh( uint32_t rows, uint32_t columns )
{
	bvb_mesh mesh = {
		.positions = allocate( ( rows + 1 ) * columns, sizeof *mesh.positions ),
		.triangles = allocate( 2 * rows * columns, sizeof *mesh.triangles ),
		.vertex_count = ( rows + 1 ) * columns,
		.triangle_count = 2 * rows * columns,
	};
	bvb_triangle* t = mesh.triangles;
	for ( uint32_t i = 0; i < rows; ++i )
	{
		for ( uint32_t k = 0; k < columns; ++k )
		{
			uint32_t at = i * columns + k;
			uint32_t next = i * columns + ( k + 1 ) % columns;
			*t++ = ( bvb_triangle ){ { at, next, at + columns } };
			*t++ = ( bvb_triangle ){ { next, next + columns, at + columns } };
		}
	}
	return mesh;
}

static body make_body( int index, bool quick )
{
	const double pi = 3.14159265358979323846;
	uint32_t columns = quick ? 40 : 125;
	uint32_t rows = quick ? 125 : 400;
	body b = { index ? "ball, 4 bones per vertex" : "tube, 2 bones per vertex", grid_mesh( rows, columns ) };
	for ( uint32_t i = 0; i < b.mesh.vertex_count; ++i )
	{
		double a = 2 * pi * ( i % columns ) / columns;
		double t = (double)( i / columns ) / rows;
		double r = 1 + 0.1 * sin( 40 * t ) * cos( 3 * a );
		double s = r * sin( pi * ( 0.01 + 0.98 * t ) );
		b.mesh.positions[i] = index == 0 ? ( bv_vec3 ){ 20 * t, r * cos( a ), r * sin( a ) }
		                                 : ( bv_vec3 ){ s * cos( a ), s * sin( a ), r * cos( pi * t ) };
	}
	return b;
}

typedef struct pairs
{
	uint8_t ( *bone )[slots];
	float ( *weight )[slots];
	bv_vec3 center[bones];
} pairs;

static void weigh_ball( pairs* p, uint32_t vertex, bv_vec3 at )
{
	for ( uint32_t i = 0; i < bones; ++i )
	{
		bv_vec3 d = bv_sub( at, p->center[i] );
		float w = (float)( 1 / ( 1e-6 + bv_dot( d, d ) * bv_dot( d, d ) ) );
		uint32_t k = slots;
		for ( ; k > 0 && p->weight[vertex][k - 1] < w; --k )
		{
			if ( k < slots )
			{
				p->weight[vertex][k] = p->weight[vertex][k - 1];
				p->bone[vertex][k] = p->bone[vertex][k - 1];
			}
		}
		if ( k < slots )
		{
			p->weight[vertex][k] = w;
			p->bone[vertex][k] = (uint8_t)i;
		}
	}
}

static pairs weigh( const bv_file* file, int index )
{
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	pairs p = { allocate( vertices, sizeof *p.bone ),
		        allocate( vertices, sizeof *p.weight ),
		        { { 0, 0, 0 } } };
	for ( uint32_t i = 0; i < bones; ++i )
	{
		double z = 1 - 2 * ( i + 0.5 ) / bones;
		double r = sqrt( 1 - z * z );
		p.center[i] = index == 0 ? ( bv_vec3 ){ 20.0 * i / bones, 0, 0 }
		                         : ( bv_vec3 ){ 0.8 * r * cos( 2.4 * i ), 0.8 * r * sin( 2.4 * i ), 0.8 * z };
	}
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		bv_vec3 at = bv_file_get_vertex( file, i );
		if ( index == 1 )
		{
			weigh_ball( &p, i, at );
			continue;
		}
		double along = fmin( fmax( at.x / 20 * bones - 0.5, 0 ), bones - 1.001 );
		double t = fmin( fmax( 3 * ( along - floor( along ) ) - 1, 0 ), 1 );
		p.bone[i][0] = (uint8_t)along;
		p.bone[i][1] = (uint8_t)( along + 1 );
		p.weight[i][0] = (float)( 1 - t );
		p.weight[i][1] = (float)t;
	}
	return p;
}

static void pose( const pairs* p, int index, double angle, double matrices[bones][16] )
{
	bv_transform chain = bv_transform_identity();
	for ( uint32_t i = 0; i < bones; ++i )
	{
		bv_transform t = bv_transform_identity();
		bv_vec3 axis = { index ? sin( 5.0 * i ) : 0, sin( 0.1 * i ), cos( 0.1 * i ) };
		bv_transform_from_axis_angle( axis, angle, ( bv_vec3 ){ 0, 0, 0 }, &t );
		t.pose.translation = bv_sub( p->center[i], bv_transform_point( &t, p->center[i] ) );
		if ( index == 0 )
		{
			chain = bv_transform_compose( &chain, &t );
			t = chain;
		}
		bv_transform_to_matrix( &t, matrices[i] );
	}
}

static double area_of( const bv_volume* v )
{
	const double pi = 3.14159265358979323846;
	double e[3];
	switch ( v->type )
	{
	case bv_volume_sphere: return 4 * pi * v->sphere.radius * v->sphere.radius;
	case bv_volume_rss:
		return 8 * v->rss.half_extents[0] * v->rss.half_extents[1] +
		       4 * pi * v->rss.radius * ( v->rss.half_extents[0] + v->rss.half_extents[1] + v->rss.radius );
	case bv_volume_obb:
	case bv_volume_prism:
		memcpy( e, v->type == bv_volume_obb ? v->obb.half_extents : v->prism.box.half_extents, sizeof e );
		return 8 * ( e[0] * e[1] + e[1] * e[2] + e[2] * e[0] );
	case bv_volume_aabb:
		e[0] = v->aabb.upper.x - v->aabb.lower.x;
		e[1] = v->aabb.upper.y - v->aabb.lower.y;
		e[2] = v->aabb.upper.z - v->aabb.lower.z;
		break;
	default:
		// The geometric mean of all widths stands for a k-DOP.
		e[0] = 0;
		for ( uint32_t i = 0; i < BV_KDOP_DIRECTIONS; ++i )
		{
			if ( bv_kdop_uses( v->kdop.k, i ) )
			{
				double width = v->kdop.upper[i] - v->kdop.lower[i];
				e[0] += width / bv_length( bv_kdop_direction( i ) ) / ( v->kdop.k / 2 );
			}
		}
		e[1] = e[2] = e[0];
	}
	return 2 * ( e[0] * e[1] + e[1] * e[2] + e[2] * e[0] );
}

typedef struct areas
{
	double leaves;
	double inner;
} areas;

static bool add_area( void* context, const bv_node_info* node )
{
	areas* a = context;
	*( node->children > 0 ? &a->inner : &a->leaves ) += area_of( &node->volume );
	return true;
}

static areas areas_of( const bv_file* file )
{
	areas a = { 0, 0 };
	bv_file_visit_nodes( file, add_area, &a );
	return a;
}

typedef struct timing
{
	double pose;
	double region; // after a pose
	double near;   // alone
	double refit;
	double skin; // alone
} timing;

static timing time_poses( bvw_skin* skin, const pairs* p, int index, uint32_t vertices, int repeats )
{
	double( *m )[16] = allocate( bones, sizeof *m );
	double* time[5];
	for ( int i = 0; i < 5; ++i )
	{
		time[i] = allocate( (size_t)repeats, sizeof **time );
	}
	bv_vec3* positions = allocate( vertices, sizeof *positions );
	bvw_bones given = { .matrices = m[0], .count = bones };
	for ( int i = 0; i < repeats; ++i )
	{
		pose( p, index, 0.02 + 0.1 * i / repeats, m );
		double start = core_now();
		bvw_skin_pose( skin, &given, NULL );
		time[0][i] = core_now() - start;
		bvw_skin_get_positions( skin, vertices / 2, 1, positions );
		bv_aabb region = { bv_sub( positions[0], ( bv_vec3 ){ 0.1, 0.1, 0.1 } ),
			               bv_add( positions[0], ( bv_vec3 ){ 0.1, 0.1, 0.1 } ) };
		start = core_now();
		bvw_skin_exact( skin, &region, NULL );
		time[1][i] = core_now() - start;
		start = core_now();
		bvw_skin_near( skin, &given, &region, 1, NULL );
		time[4][i] = core_now() - start;
		start = core_now();
		bvw_skin_refit( skin, &given, NULL );
		time[2][i] = core_now() - start;
		start = core_now();
		bvw_skin_get_positions( skin, 0, vertices, positions );
		time[3][i] = core_now() - start;
	}
	return ( timing ){
		.pose = median( time[0], repeats ),
		.region = median( time[1], repeats ),
		.near = median( time[4], repeats ),
		.refit = median( time[2], repeats ),
		.skin = median( time[3], repeats ),
	};
}

static void* take( size_t bytes )
{
	if ( bytes == 0 )
	{
		fail( "the mesh cannot be skinned" );
	}
	return allocate( bytes, 1 );
}

static bvw_deform* begin_deform( const bv_file* file, const bvw_deform_options* options )
{
	bvw_deform* deform = NULL;
	size_t size = bvw_deform_bytes( file, options );
	bvw_deform_begin( file, options, take( size ), size, &deform );
	return deform;
}

static void run( verdicts* v, int index, int type, bool quick )
{
	bvb_arena* arena = bvb_arena_create();
	body b = make_body( index, quick );
	bvb_asset_options options = bvb_asset_options_default();
	options.hierarchy.volume_types = 1u << type;
	options.errors.relative = 0;
	options.recognize.value = 0;
	bvb_error error = { "" };
	bvb_asset asset;
	bvb_bytes bytes;
	bvb_source source = { .name = "body.obj", .format = "obj" };
	bvb_scene scene = { .mesh = b.mesh };
	const bv_file* file;
	if ( bvb_asset_build( &scene, &source, &options, arena, &asset, &error ) != bv_ok ||
	     bvb_asset_encode( &asset, arena, &bytes, &error ) != bv_ok ||
	     bv_file_open( bytes.data, bytes.size, &file ) != bv_ok )
	{
		fail( error.message );
	}
	pairs p = weigh( file, index );
	uint32_t vertices = bv_file_get_mesh( file ).vertices;
	bvw_weights weights = {
		.set = { .bones = p.bone, .weights = p.weight[0], .bone_bytes = 1, .count = slots },
		.vertices = vertices,
		.bones = bones,
	};
	bvw_deform_options turn = { .frames = bvw_deform_turn };
	bvw_deform* turning = begin_deform( file, &turn );
	bvw_deform* keeping = begin_deform( file, NULL );
	double start = core_now();
	size_t size = bvw_skin_bytes( keeping, &weights );
	bvw_skin* skin = NULL;
	bvw_skin_begin( keeping, &weights, take( size ), size, &skin );
	double begin = core_now() - start;
	timing t = time_poses( skin, &p, index, vertices, quick ? 7 : 21 );
	double m[bones][16];
	pose( &p, index, 0.1, m );
	bvw_bones given = { .matrices = m[0], .count = bones };
	bvw_skin_pose( skin, &given, NULL );
	areas posed = areas_of( bvw_skin_file( skin ) );
	bvw_skin_exact( skin, NULL, NULL );
	areas kept = areas_of( bvw_skin_file( skin ) );
	bvw_skin* other = NULL;
	bvw_skin_begin( turning, &weights, take( size ), size, &other );
	bvw_skin_refit( other, &given, NULL );
	areas turned = areas_of( bvw_skin_file( other ) );
	uint32_t nodes = bv_file_get_hierarchy( file ).nodes;
	printf( "| %s | %s | %u | %.0f | %.1f | %.2f | %.3f | %.3f | %.2f | %.2f | %.2f | %.1f | %.2f | %.2f | "
	        "%.2f |\n",
	        b.name, bv_volume_type_name( (bv_volume_type)type ), nodes, (double)size / nodes, 1e3 * begin,
	        1e3 * t.pose, 1e3 * t.region, 1e3 * t.near, 1e3 * t.skin, 1e3 * t.refit, t.refit / t.pose,
	        t.refit / t.near, posed.leaves / kept.leaves, posed.inner / kept.inner,
	        ( turned.leaves + turned.inner ) / ( kept.leaves + kept.inner ) );
	const char* name = bv_volume_type_name( (bv_volume_type)type );
	write_figure( v, b.name, name, 0, t.pose );
	write_figure( v, b.name, name, 1, t.refit );
	write_figure( v, b.name, name, 2, ( posed.leaves + posed.inner ) / ( kept.leaves + kept.inner ) );
	write_figure( v, b.name, name, 3, t.near );
	require( v, 3 * t.near < t.refit, "poses near a region take a third of the time of an exact refit" );
	bvb_arena_destroy( arena );
}

int main( int count, char** arguments )
{
	verdicts v = { .count = 0 };
	bool quick;
	if ( !begin_verdicts( &v, count, arguments, &quick ) )
	{
		return 2;
	}
	printf( "One thread, processor time in ms, medians. Areas: volumes of a pose / those of an exact refit. "
	        "Last column: an exact refit "
	        "that turns frames / one that keeps them.\n\n"
	        "| mesh | volumes | nodes | bytes per node | begin | pose | then a region | near a region | skin "
	        "| skin and refit | "
	        "refit / pose | refit / near | area of leaves | of inner nodes | turned |\n"
	        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
	        "| ---: |\n" );
	for ( int i = 0; i < bodies; ++i )
	{
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			run( &v, i, type, quick );
		}
	}
	return v.missed > 0;
}
