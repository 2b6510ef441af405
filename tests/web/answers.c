// Prints what libbv and libbvworld answer for files, with all bits: answers.mjs prints the same by the npm package.
//
//   answers FILE.bvh...

#include "bv/bv.h"
#include "bvworld/bvworld.h"
#include "tests/web/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t state;

// From 0 to 1, exactly the number of answers.mjs.
static double unit( void )
{
	state = state * 1664525u + 1013904223u;
	return ( state >> 8 ) / 16777216.0;
}

static void put( double x )
{
	uint64_t bits;
	x = x != x ? 0.5 : x; // The bits of NaN are not defined.
	memcpy( &bits, &x, sizeof bits );
	printf( " %" PRIx64, bits );
}

static void put3( bv_vec3 v )
{
	put( v.x );
	put( v.y );
	put( v.z );
}

static void put_surface( const bv_surface_point* p )
{
	put( p->triangle );
	put( p->feature );
	put3( bv_vec3_make( p->weight[0], p->weight[1], p->weight[2] ) );
	put3( p->point );
	put3( p->local );
	put3( p->normal );
}

static void end( const char* what, bv_status status )
{
	static const char* const names[] = { "",       "argument", "input",   "unsupported", "output",
		                                 "memory", "limit",    "damaged", "internal" };
	printf( " %s%s%s\n", what, status ? ": " : "", names[status] );
}

static uint64_t sum;

static void begin_sum( void )
{
	sum = 0;
}

static void add( double x )
{
	uint64_t bits;
	memcpy( &bits, &x, sizeof bits );
	sum = ( sum * 31 + bits ) & 0xffffffffffffu;
}

static void end_sum( void )
{
	printf( " %" PRIx64, sum );
}

static void add_mass( const bv_mass* mass )
{
	put( mass->mass );
	put3( mass->center_of_mass );
	for ( int i = 0; i < 3; ++i )
	{
		put3( bv_vec3_make( mass->inertia[i][0], mass->inertia[i][1], mass->inertia[i][2] ) );
	}
}

static void describe_surface( const bv_file* file, const char* name, uint32_t vertices, uint32_t triangles,
                              bv_vec3 ( *position )( const bv_file*, uint32_t ),
                              void ( *triangle )( const bv_file*, uint32_t, uint32_t[3] ) )
{
	begin_sum();
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		bv_vec3 p = position( file, i );
		add( p.x );
		add( p.y );
		add( p.z );
	}
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t corner[3];
		triangle( file, i, corner );
		add( corner[0] );
		add( corner[1] );
		add( corner[2] );
	}
	put( vertices );
	put( triangles );
	end_sum();
	end( name, bv_ok );
}

static void describe_parts( const bv_file* file )
{
	bv_part part;
	for ( uint32_t i = 0; bv_file_get_part( file, i, &part ); ++i )
	{
		const uint32_t* neighbors;
		uint32_t count = bv_file_get_part_neighbors( file, i, &neighbors );
		begin_sum();
		for ( uint32_t k = 0; k < part.vertices; ++k )
		{
			bv_vec3 p = bv_file_get_part_vertex( file, i, k );
			add( p.x );
			add( p.y );
			add( p.z );
		}
		for ( uint32_t k = 0; k < part.faces; ++k )
		{
			uint32_t corner[3];
			bv_file_get_part_triangle( file, i, k, corner );
			add( corner[0] );
			add( corner[1] );
			add( corner[2] );
		}
		for ( uint32_t k = 0; k < count; ++k )
		{
			add( neighbors[k] );
		}
		end_sum();
		put( part.concavity.lower );
		put( part.concavity.upper );
		add_mass( &part.mass );
		end( "part", bv_ok );
	}
}

static void describe( const bv_file* file )
{
	bv_mesh_info m = bv_file_get_mesh( file );
	bv_hierarchy_info tree = bv_file_get_hierarchy( file );
	const double counts[] = { m.vertices, m.triangles, m.edges,    m.components,
		                      m.closed,   m.manifold,  m.oriented, m.area };
	for ( size_t i = 0; i < sizeof counts / sizeof *counts; ++i )
	{
		put( counts[i] );
	}
	put( tree.nodes );
	put( tree.depth );
	bv_text tool = bv_file_get_origin( file ).tool;
	printf( " %.*s", (int)tool.length, tool.data );
	end( "info", bv_ok );
	if ( m.has_triangles )
	{
		describe_surface( file, "mesh", m.vertices, m.triangles, bv_file_get_vertex, bv_file_get_triangle );
	}
	bv_hull_info hull = bv_file_get_hull( file );
	if ( hull.vertices > 0 )
	{
		describe_surface( file, "hull", hull.vertices, hull.kind == bv_hull_polyhedron ? hull.faces : 0,
		                  bv_file_get_hull_position, bv_file_get_hull_triangle );
	}
	bv_proxy proxy;
	if ( bv_file_get_proxy( file, &proxy ) )
	{
		describe_surface( file, "proxy", proxy.vertices, proxy.triangles, bv_file_get_proxy_vertex,
		                  bv_file_get_proxy_triangle );
	}
	describe_parts( file );
	bv_file_bounds b;
	if ( bv_file_get_bounds( file, &b ) )
	{
		put3( b.aabb.lower );
		put3( b.aabb.upper );
		put3( b.sphere.center );
		put( b.sphere.radius );
		put3( b.obb.center );
		for ( int i = 0; i < 3; ++i )
		{
			put3( b.obb.axis[i] );
		}
		put3( bv_vec3_make( b.obb.half_extents[0], b.obb.half_extents[1], b.obb.half_extents[2] ) );
		put3( b.capsule.ends[0] );
		put3( b.capsule.ends[1] );
		put( b.capsule.radius );
		end( "bounds", bv_ok );
	}
	bv_recognized r;
	if ( bv_file_get_recognized( file, &r ) )
	{
		put( r.tolerance );
		put( r.best );
		for ( int i = 0; i < bv_primitive_kinds; ++i )
		{
			bv_primitive p;
			if ( bv_file_get_primitive( file, (bv_primitive_kind)i, &p ) )
			{
				put( p.error.lower );
				put( p.error.upper );
			}
		}
		end( "primitives", bv_ok );
	}
	for ( int of = bv_mass_of_solid; of <= bv_mass_of_hull; ++of )
	{
		bv_mass mass;
		if ( bv_file_get_mass( file, (bv_mass_of)of, &mass ) )
		{
			add_mass( &mass );
			end( "mass", bv_ok );
		}
	}
	bv_body body;
	if ( bv_file_get_body( file, &body ) )
	{
		add_mass( &body.mass );
		put( body.of );
		put( body.density );
		end( "body", bv_ok );
	}
	bv_triangle_source source;
	if ( bv_file_get_source( file, 0, &source ) )
	{
		printf( " %u %.*s|%.*s|%.*s", (unsigned)source.face, (int)source.object.length, source.object.data,
		        (int)source.group.length, source.group.data, (int)source.material.length,
		        source.material.data );
		end( "source", bv_ok );
	}
}

static bv_vec3 lower, upper;

static bv_vec3 somewhere( void )
{
	double x = lower.x + ( upper.x - lower.x ) * ( 2 * unit() - 0.5 );
	double y = lower.y + ( upper.y - lower.y ) * ( 2 * unit() - 0.5 );
	double z = lower.z + ( upper.z - lower.z ) * ( 2 * unit() - 0.5 );
	return bv_vec3_make( x, y, z );
}

// A turn by a quaternion of small integers whose length is whole: 1, 2, 2, 4 over 5, in any order of signs.
static bv_transform pose( void )
{
	double s[4];
	for ( int i = 0; i < 4; ++i )
	{
		s[i] = unit() < 0.5 ? -0.2 : 0.2;
	}
	bv_quaternion q = { 1 * s[0], 2 * s[1], 2 * s[2], 4 * s[3] };
	double scale = unit() < 0.3 ? 1 : 0.5 + unit();
	bv_vec3 t;
	t.x = ( upper.x - lower.x ) * ( unit() - 0.5 );
	t.y = ( upper.y - lower.y ) * ( unit() - 0.5 );
	t.z = ( upper.z - lower.z ) * ( unit() - 0.5 );
	bv_transform out = bv_transform_identity();
	if ( bv_transform_from_trs( t, q, scale, &out ) != bv_ok )
	{
		printf( "a pose is wrong\n" );
	}
	return out;
}

static bv_vec3 way( void )
{
	bv_vec3 from = somewhere();
	return bv_sub( somewhere(), from );
}

static double extent( void )
{
	return ( ( upper.x - lower.x ) + ( upper.y - lower.y ) ) + ( upper.z - lower.z );
}

// Shapes of the size of the file.
static bv_convex shape( int kind, const bv_file* file )
{
	bv_vec3 a = somewhere();
	bv_vec3 b = somewhere();
	double r = extent() * 0.05 * ( 1 + unit() );
	bv_vec3 half = bv_vec3_make( r, 2 * r, 0.5 * r );
	static bv_vec3 points[6];
	switch ( kind )
	{
	case 0: return bv_convex_sphere( a, r );
	case 1: return bv_convex_capsule( a, b, r );
	case 2: return bv_convex_box( a, half );
	case 3: return bv_convex_cylinder( a, b, r );
	case 4: return bv_convex_cone( a, b, r );
	case 5: return bv_convex_triangle( a, b, somewhere() );
	case 6: return bv_convex_segment( a, b );
	case 7:
		for ( int i = 0; i < 6; ++i )
		{
			points[i] = somewhere();
		}
		return bv_convex_points( points, 6, 0.25 * r );
	default: return bv_convex_hull( file );
	}
}

enum
{
	shape_kinds = 8, // Without the hull of a file.
};

static bool add_pair( void* context, uint32_t a, uint32_t b )
{
	(void)context;
	add( a );
	add( b );
	return true;
}

static bool add_triangle( void* context, uint32_t a )
{
	(void)context;
	add( a );
	return true;
}

static void cast_rays( const bv_file* file )
{
	double rays[60 * 6];
	for ( int i = 0; i < 60; ++i )
	{
		bv_vec3 from = somewhere();
		bv_vec3 to = somewhere();
		bv_ray ray = { from, bv_sub( to, from ), i % 3 == 0 ? 0.125 : 0, i % 5 == 0 ? 1 : 0 };
		bv_ray_options options = { .no_fronts = i % 7 == 1, .no_backs = i % 7 == 2 };
		bv_transform placement = pose();
		bv_ray_result r = { 0 };
		bv_status status = bv_mesh_cast_ray( file, i % 2 ? &placement : NULL, &ray, &options, &r );
		if ( status == bv_ok && r.found )
		{
			put( r.time );
			put( r.back );
			put_surface( &r.at );
		}
		end( "ray", status );
		memcpy( rays + 6 * i, &ray.origin, 24 );
		memcpy( rays + 6 * i + 3, &ray.direction, 24 );
	}
	static bv_ray_result results[60];
	bv_rays batch = {
		60, { rays, 48, bv_number_double }, { rays + 3, 48, bv_number_double }, { NULL, 0, 0 }, { NULL, 0, 0 }
	};
	bv_status status = bv_mesh_cast_rays( file, NULL, &batch, NULL, results, NULL );
	begin_sum();
	for ( int i = 0; status == bv_ok && i < 60; ++i )
	{
		const bv_ray_result* r = results + i;
		add( r->found ? r->time : INFINITY );
		add( r->found ? r->at.triangle : 4294967295.0 );
		add( r->found ? r->at.point.y : 0 );
		add( r->found ? r->at.normal.z : 0 );
		add( r->found && r->back );
	}
	end_sum();
	end( "rays", status );
}

static void ask_points( const bv_file* file )
{
	for ( int i = 0; i < 30; ++i )
	{
		bv_vec3 p = somewhere();
		bv_transform placement = pose();
		const bv_transform* to = i % 2 ? &placement : NULL;
		bv_closest_options options = { i % 4 == 0 ? extent() * 0.1 : 0 };
		bv_closest_result r = { 0 };
		bv_status status = bv_mesh_closest_point( file, to, p, &options, &r );
		if ( status == bv_ok && r.found )
		{
			put( r.distance );
			put( r.back );
			put_surface( &r.at );
		}
		end( "closest", status );
		bv_contains_result in = { 0 };
		status = bv_mesh_contains( file, to, p, NULL, &in );
		put( in.side );
		end( "contains", status );
	}
}

static void ask_pairs( const bv_file* file, const bv_file* other )
{
	for ( int i = 0; i < 10; ++i )
	{
		bv_transform to = pose();
		bv_collide_options options = { .callback = add_pair };
		bv_collide_result met;
		begin_sum();
		bv_status status = bv_mesh_collide( file, other, &to, &options, &met );
		end_sum();
		end( "collide", status );
		static uint64_t scratch[BV_DISTANCE_SCRATCH_AMPLE / 8];
		bv_distance_options o = { .limit = i % 3 == 0 ? extent() * 0.2 : 0,
			                      .relative = i % 5 == 0 ? 0.01 : 0,
			                      .scratch = scratch,
			                      .scratch_bytes = sizeof scratch };
		bv_distance_result r = { 0 };
		status = bv_mesh_distance( file, other, &to, &o, &r );
		if ( status == bv_ok && r.found )
		{
			put( r.distance );
			put_surface( &r.a );
			put_surface( &r.b );
		}
		end( "distance", status );
	}
}

static void ask_shapes( const bv_file* file )
{
	for ( int i = 0; i < 3 * shape_kinds; ++i )
	{
		bv_convex s = shape( i % shape_kinds, file );
		bv_transform placement = pose();
		const bv_transform* to = i % 2 ? &placement : NULL;
		bv_overlap_options options = { .callback = add_triangle };
		bv_overlap_result o;
		begin_sum();
		bv_status status = bv_mesh_overlap_convex( file, to, &s, &options, &o );
		end_sum();
		end( "overlap", status );
		bv_mesh_convex_result d = { 0 };
		status = bv_mesh_distance_convex( file, to, &s, NULL, &d );
		if ( status == bv_ok && d.found )
		{
			put( d.lower );
			put( d.upper );
			put3( d.point );
			put3( d.normal );
			put_surface( &d.at );
		}
		end( "shape distance", status );
		bv_vec3 motion = way();
		bv_cast_result c = { 0 };
		status = bv_mesh_cast_convex( file, to, &s, motion, NULL, &c );
		if ( status == bv_ok && c.found )
		{
			put( c.at_start );
			put( c.time );
			put( c.back );
			put3( c.normal );
			put_surface( &c.at );
		}
		end( "shape cast", status );
		bv_sphere ball = { .center = somewhere() };
		ball.radius = extent() * 0.2 * unit();
		begin_sum();
		status = bv_mesh_overlap_sphere( file, to, &ball, &options, &o );
		end_sum();
		end( "overlap ball", status );
		bv_vec3 p = somewhere();
		bv_aabb box = { p, bv_add( p, bv_vec3_make( ball.radius, 2 * ball.radius, 0.5 * ball.radius ) ) };
		begin_sum();
		status = bv_mesh_overlap_aabb( file, to, &box, &options, &o );
		end_sum();
		end( "overlap box", status );
	}
}

static void put_sweep( bv_status status, const bv_sweep_result* r )
{
	if ( status == bv_ok )
	{
		put( r->found );
		put( r->certain );
		put( r->complete );
		put( r->lower );
		put( r->upper );
		put( r->triangle[0] );
		put( r->triangle[1] );
		put3( r->point[0] );
		put3( r->point[1] );
		put3( r->normal );
	}
	end( "sweep", status );
}

static void sweep( const bv_file* file, const bv_file* other )
{
	for ( int i = 0; i < 6; ++i )
	{
		bv_transform start = pose();
		bv_transform to = pose();
		bv_motion a;
		bv_motion b;
		to.scale = start.scale; // As in answers.mjs.
		bv_status status = i % 3 == 0 ? bv_motion_slerp( &start, &to, bv_vec3_make( 0, 0, 0 ), &a )
		                   : i % 3 == 1
		                       ? bv_motion_screw_between( &start, &to, &a )
		                       : bv_motion_screw( &start, somewhere(), bv_vec3_make( 1, 2, 3 ), 2, 0.5, &a );
		bv_transform still = pose();
		status = status ? status : bv_motion_still( &still, &b );
		static uint64_t scratch[BV_SWEEP_SCRATCH_AMPLE / 8];
		bv_sweep_options options = { .separation = i % 2 ? extent() * 0.01 : 0,
			                         .scratch = scratch,
			                         .scratch_bytes = sizeof scratch };
		bv_sweep_result r;
		put_sweep( status ? status : bv_sweep_meshes( file, &a, other, &b, &options, &r ), &r );
		bv_convex s = shape( i, file );
		put_sweep( status ? status : bv_sweep_convex_mesh( &s, &a, other, &b, &options, &r ), &r );
	}
}

static void ask_convex( const bv_file* file )
{
	static uint64_t scratch[BV_CONVEX_SCRATCH_AMPLE / 8];
	bool has_hull = bv_file_get_hull( file ).vertices > 0;
	for ( int i = 0; i < 64; ++i )
	{
		bv_convex a = shape( i % shape_kinds, file );
		int kind = i / shape_kinds;
		bv_convex b = kind == 7 && has_hull ? shape( shape_kinds, file ) : shape( kind % 7, file );
		bv_transform to = pose();
		bv_convex_options options = { .scratch = scratch, .scratch_bytes = sizeof scratch };
		bv_convex_overlap_result o = { 0 };
		bv_status status = bv_convex_overlap( &a, &b, &to, NULL, &o );
		put( o.overlaps );
		end( "convex overlap", status );
		bv_convex_result d;
		status = bv_convex_distance( &a, &b, &to, &options, &d );
		if ( status == bv_ok )
		{
			put( d.lower );
			put( d.upper );
			put3( d.point[0] );
			put3( d.point[1] );
			put3( d.normal );
		}
		end( "convex distance", status );
		bv_vec3 motion = way();
		bv_convex_cast_result c;
		status = bv_convex_cast( &a, &b, &to, motion, bv_vec3_make( 0, 0, 0 ), NULL, &c );
		if ( status == bv_ok && c.found )
		{
			put( c.lower );
			put( c.upper );
			put3( c.point[0] );
			put3( c.point[1] );
			put3( c.normal );
		}
		end( "convex cast", status );
		bv_manifold_options mo = { .speculative = extent() * 0.1, .distance = options };
		bv_manifold m;
		status = bv_convex_manifold( &a, &b, &to, &mo, &m );
		if ( status == bv_ok )
		{
			put( m.lower );
			put( m.upper );
			put3( m.normal );
			for ( uint32_t k = 0; k < m.count; ++k )
			{
				put3( m.contact[k].position );
				put3( m.contact[k].point[0] );
				put3( m.contact[k].point[1] );
				put( m.contact[k].separation );
				put( (double)( m.contact[k].identity >> 32 ) );
				put( (double)( m.contact[k].identity & 0xffffffffu ) );
			}
		}
		end( "contacts", status );
	}
}

enum
{
	objects = 200,
};

// A scene of one file in many places, which move.
static void ask_scene( const bv_file* file )
{
	bvw_broadphase_options options = { .objects = objects, .pairs = 20000, .method = bvw_method_tree };
	size_t bytes = bvw_broadphase_bytes( &options );
	void* memory = malloc( bytes );
	bvw_broadphase* world;
	bvw_instance instances[objects];
	bv_status status = bvw_broadphase_begin( memory, bytes, &options, &world );
	for ( uint32_t i = 0; i < objects && status == bv_ok; ++i )
	{
		bvw_object object = { .category = 0 };
		bv_transform to = pose();
		to.pose.translation = bv_scale( 8, to.pose.translation );
		instances[i] = ( bvw_instance ){ 0, to };
		status = bvw_file_box( file, &to, &object.box );
		status = status ? status : bvw_broadphase_add( world, i, &object );
	}
	bvw_scene scene = { world, &file, 1, objects, instances };
	for ( int step = 0; step < 4 && status == bv_ok; ++step )
	{
		for ( uint32_t i = 0; i < objects / 4; ++i )
		{
			uint32_t k = (uint32_t)( unit() * objects );
			bv_transform to = pose();
			bv_aabb box;
			to.pose.translation = bv_scale( 8, to.pose.translation );
			instances[k].placement = to;
			status = bvw_file_box( file, &to, &box );
			status = status ? status : bvw_broadphase_move( world, k, &box );
		}
		bvw_changes changes;
		status = status ? status : bvw_broadphase_update( world, &changes );
		begin_sum();
		for ( uint32_t i = 0; status == bv_ok && i < changes.begun_count; ++i )
		{
			add_pair( NULL, changes.begun[i].a, changes.begun[i].b );
		}
		for ( uint32_t i = 0; status == bv_ok && i < changes.ended_count; ++i )
		{
			add_pair( NULL, changes.ended[i].a, changes.ended[i].b );
		}
		end_sum();
		end( "update", status );
		for ( int i = 0; i < 20; ++i )
		{
			bv_vec3 from = bv_scale( 4, somewhere() );
			bv_ray ray = { from, bv_sub( bv_scale( 4, somewhere() ), from ), 0, 0 };
			bvw_hit hit;
			bv_ray_result r;
			bvw_found found = { 0 };
			bv_status s = bvw_scene_cast_ray( &scene, &ray, NULL, &hit, &r, 1, &found );
			if ( s == bv_ok && found.count > 0 )
			{
				put( hit.number );
				put( r.time );
				put_surface( &r.at );
			}
			end( "scene ray", s );
			bv_convex ball = bv_convex_sphere( from, extent() * 0.02 );
			bv_cast_result c;
			found.count = 0;
			s = bvw_scene_cast_convex( &scene, &ball, ray.direction, NULL, &hit, &c, &found );
			if ( s == bv_ok && found.count > 0 )
			{
				put( hit.number );
				put( c.time );
				put3( c.normal );
			}
			end( "scene cast", s );
		}
	}
	free( memory );
}

int main( int count, char** arguments )
{
	const bv_file* before = NULL;
	for ( int i = 1; i < count; ++i )
	{
		const bv_file* file = load( arguments[i] );
		bv_file_bounds bounds;
		state = (uint32_t)i;
		lower = bv_vec3_make( -1, -1, -1 );
		upper = bv_vec3_make( 1, 1, 1 );
		if ( bv_file_get_bounds( file, &bounds ) )
		{
			lower = bounds.aabb.lower;
			upper = bounds.aabb.upper;
		}
		printf( "%s\n", strrchr( arguments[i], '/' ) + 1 );
		describe( file );
		cast_rays( file );
		ask_points( file );
		ask_pairs( file, file );
		ask_pairs( file, before ? before : file );
		ask_shapes( file );
		sweep( file, before ? before : file );
		ask_convex( file );
		ask_scene( file );
		before = file;
	}
	return 0;
}
