// What the JavaScript of the npm package calls. Numbers go in and out by an array that both sides see, so that no layout of a struct
// is known to JavaScript. Uses the public headers only.
//
// Placements are in the first numbers of the array: a column-major matrix, or translation, quaternion and scale. Other arguments begin
// at `at_arguments`. Results begin at 0. Functions return a bv_status unless they say otherwise.

#include "bv/bv.h"
#include "bvworld/bvworld.h"

#include <stdlib.h>
#include <string.h>

#define EXPORT( name ) __attribute__( ( export_name( #name ) ) ) name

enum
{
	at_arguments = 16,
	number_count = 512,
	most_rays = 16384, // Results of a batch are in memory at a time.
};

static double numbers[number_count];

double* EXPORT( numbers_at )( void );
double* EXPORT( numbers_at )( void )
{
	return numbers;
}

const char* EXPORT( status_text )( int status );
const char* EXPORT( status_text )( int status )
{
	return bv_status_text( (bv_status)status );
}

// Vectors, placements.

static bv_vec3 vector( int at )
{
	return bv_vec3_make( numbers[at], numbers[at + 1], numbers[at + 2] );
}

static int put_vector( int at, bv_vec3 v )
{
	numbers[at] = v.x;
	numbers[at + 1] = v.y;
	numbers[at + 2] = v.z;
	return at + 3;
}

typedef enum placement_kind
{
	placement_none = 0,
	placement_matrix,
	placement_parts, // Translation, quaternion, scale.
} placement_kind;

static bv_status placement_at( int at, int kind, bv_transform* out )
{
	if ( kind == placement_matrix )
	{
		return bv_transform_from_matrix( numbers + at, out );
	}
	if ( kind == placement_parts )
	{
		bv_quaternion q = { numbers[at + 3], numbers[at + 4], numbers[at + 5], numbers[at + 6] };
		return bv_transform_from_trs( vector( at ), q, numbers[at + 7], out );
	}
	*out = bv_transform_identity();
	return bv_ok;
}

/// @return bv_ok if queries take the placement. Their own status does not say which of the arguments is invalid
int EXPORT( placement_check )( int at, int kind );
int EXPORT( placement_check )( int at, int kind )
{
	bv_transform t;
	bv_status status = placement_at( at, kind, &t );
	if ( status )
	{
		return (int)status;
	}
	bv_vec3 by = t.pose.translation;
	return fmax( fmax( fabs( by.x ), fabs( by.y ) ), fabs( by.z ) ) <= BV_MAX_LENGTH ? bv_ok
	                                                                                 : bv_error_argument;
}

// Lists of 32-bit numbers that queries fill. The memory is kept for the next query.

typedef struct list
{
	uint32_t* of;
	uint32_t count;
	uint32_t capacity;
	bool full; // There was no memory for more.
} list;

static list found;

static bool push( uint32_t number )
{
	if ( found.count == found.capacity )
	{
		uint32_t capacity = found.capacity > 0 ? 2 * found.capacity : 1024;
		uint32_t* more = capacity < UINT32_MAX / 8 ? realloc( found.of, sizeof *more * capacity ) : NULL;
		if ( !more )
		{
			found.full = true;
			return false;
		}
		found.of = more;
		found.capacity = capacity;
	}
	found.of[found.count++] = number;
	return true;
}

static bool push_triangle( void* context, uint32_t triangle )
{
	(void)context;
	return push( triangle );
}

static bool push_pair( void* context, uint32_t a, uint32_t b )
{
	(void)context;
	return push( a ) && push( b );
}

static void begin_list( void )
{
	found.count = 0;
	found.full = false;
}

static bv_status end_list( bv_status status )
{
	return status == bv_ok && found.full ? bv_error_memory : status;
}

const uint32_t* EXPORT( list_at )( void );
const uint32_t* EXPORT( list_at )( void )
{
	return found.of;
}

uint32_t EXPORT( list_count )( void );
uint32_t EXPORT( list_count )( void )
{
	return found.count;
}

// Files. A file is at the address of its bytes.

int EXPORT( file_open )( const void* bytes, size_t size );
int EXPORT( file_open )( const void* bytes, size_t size )
{
	const bv_file* file;
	const char* reason = NULL;
	bv_status status = bv_file_open_explained( bytes, size, &file, &reason );
	numbers[0] = (double)(uintptr_t)reason;
	return (int)status;
}

static int put_text( int at, bv_text text )
{
	numbers[at] = (double)(uintptr_t)text.data;
	numbers[at + 1] = (double)text.length;
	return at + 2;
}

void EXPORT( file_info )( const bv_file* file );
void EXPORT( file_info )( const bv_file* file )
{
	bv_mesh_info m = bv_file_get_mesh( file );
	bv_file_origin origin = bv_file_get_origin( file );
	bv_file_info info = bv_file_get_info( file );
	bv_hierarchy_info tree = bv_file_get_hierarchy( file );
	const double all[] = { m.vertices,
		                   m.triangles,
		                   m.edges,
		                   m.components,
		                   m.closed,
		                   m.manifold,
		                   m.oriented,
		                   m.area,
		                   m.has_triangles,
		                   bv_file_get_hull( file ).vertices,
		                   bv_file_get_decomposition( file ).parts,
		                   tree.nodes,
		                   tree.depth,
		                   info.version_major,
		                   info.version_minor,
		                   (double)info.bytes };
	memcpy( numbers, all, sizeof all );
	int at = (int)( sizeof all / sizeof *all );
	at = put_vector( at, bv_file_get_offset( file ) );
	at = put_text( at, origin.tool );
	at = put_text( at, origin.source_name );
	at = put_text( at, origin.source_format );
	put_text( at, origin.parameters );
}

/// @return whether the file has it
int EXPORT( file_source )( const bv_file* file, uint32_t triangle );
int EXPORT( file_source )( const bv_file* file, uint32_t triangle )
{
	bv_triangle_source source;
	if ( !bv_file_get_source( file, triangle, &source ) )
	{
		return 0;
	}
	numbers[0] = source.face;
	put_text( put_text( put_text( 1, source.object ), source.group ), source.material );
	return 1;
}

// Which surface of a file is copied.
typedef enum surface
{
	surface_mesh = 0,
	surface_hull,
	surface_proxy,
	surface_part, // And its number.
} surface;

void EXPORT( surface_size )( const bv_file* file, int which );
void EXPORT( surface_size )( const bv_file* file, int which )
{
	uint32_t vertices = 0;
	uint32_t triangles = 0;
	bv_part part;
	bv_proxy proxy;
	if ( which == surface_mesh )
	{
		bv_mesh_info mesh = bv_file_get_mesh( file );
		vertices = mesh.has_triangles ? mesh.vertices : 0;
		triangles = mesh.has_triangles ? mesh.triangles : 0;
	}
	else if ( which == surface_hull )
	{
		bv_hull_info hull = bv_file_get_hull( file );
		vertices = hull.vertices;
		triangles = hull.kind == bv_hull_polyhedron ? hull.faces : 0;
	}
	else if ( which == surface_proxy && bv_file_get_proxy( file, &proxy ) )
	{
		vertices = proxy.vertices;
		triangles = proxy.triangles;
	}
	else if ( which >= surface_part && bv_file_get_part( file, (uint32_t)( which - surface_part ), &part ) )
	{
		vertices = part.vertices;
		triangles = part.faces;
	}
	numbers[0] = vertices;
	numbers[1] = triangles;
}

void EXPORT( surface_copy )( const bv_file* file, int which, uint32_t vertices, uint32_t triangles,
                             double* position, uint32_t* corner );
void EXPORT( surface_copy )( const bv_file* file, int which, uint32_t vertices, uint32_t triangles,
                             double* position, uint32_t* corner )
{
	uint32_t part = (uint32_t)( which - surface_part );
	for ( uint32_t i = 0; i < vertices; ++i )
	{
		bv_vec3 p = which == surface_mesh    ? bv_file_get_vertex( file, i )
		            : which == surface_hull  ? bv_file_get_hull_position( file, i )
		            : which == surface_proxy ? bv_file_get_proxy_vertex( file, i )
		                                     : bv_file_get_part_vertex( file, part, i );
		position[3 * i] = p.x;
		position[3 * i + 1] = p.y;
		position[3 * i + 2] = p.z;
	}
	for ( uint32_t i = 0; i < triangles; ++i )
	{
		uint32_t* to = corner + 3 * i;
		if ( which == surface_mesh )
		{
			bv_file_get_triangle( file, i, to );
		}
		else if ( which == surface_hull )
		{
			bv_file_get_hull_triangle( file, i, to );
		}
		else if ( which == surface_proxy )
		{
			bv_file_get_proxy_triangle( file, i, to );
		}
		else
		{
			bv_file_get_part_triangle( file, part, i, to );
		}
	}
}

static int put_mass( int at, const bv_mass* mass )
{
	numbers[at] = mass->mass;
	at = put_vector( at + 1, mass->center_of_mass );
	memcpy( numbers + at, mass->inertia, sizeof mass->inertia );
	return at + 9;
}

static int put_interval( int at, bv_interval interval )
{
	numbers[at] = interval.lower;
	numbers[at + 1] = interval.upper;
	return at + 2;
}

/// Concavity, volume, mass properties; the list receives the neighbors.
void EXPORT( part_info )( const bv_file* file, uint32_t index );
void EXPORT( part_info )( const bv_file* file, uint32_t index )
{
	bv_part part;
	begin_list();
	if ( bv_file_get_part( file, index, &part ) )
	{
		put_mass( put_interval( 0, part.concavity ), &part.mass );
		const uint32_t* neighbors;
		uint32_t count = bv_file_get_part_neighbors( file, index, &neighbors );
		for ( uint32_t i = 0; i < count; ++i )
		{
			push( neighbors[i] );
		}
	}
}

/// @return whether the file has it
int EXPORT( file_mass )( const bv_file* file, int of );
int EXPORT( file_mass )( const bv_file* file, int of )
{
	bv_mass mass;
	bool has = bv_file_get_mass( file, (bv_mass_of)of, &mass );
	if ( has )
	{
		put_mass( 0, &mass );
	}
	return has;
}

int EXPORT( file_body )( const bv_file* file );
int EXPORT( file_body )( const bv_file* file )
{
	bv_body body;
	bool has = bv_file_get_body( file, &body );
	if ( has )
	{
		int at = put_mass( 0, &body.mass );
		numbers[at] = body.of;
		numbers[at + 1] = body.density;
		numbers[at + 2] = body.from_mass;
	}
	return has;
}

static int put_obb( int at, const bv_obb* box )
{
	at = put_vector( at, box->center );
	for ( int i = 0; i < 3; ++i )
	{
		at = put_vector( at, box->axis[i] );
	}
	memcpy( numbers + at, box->half_extents, sizeof box->half_extents );
	return at + 3;
}

static int put_ball( int at, const bv_sphere* ball )
{
	at = put_vector( at, ball->center );
	numbers[at] = ball->radius;
	return at + 1;
}

static int put_rod( int at, const bv_vec3 ends[2], double radius )
{
	at = put_vector( put_vector( at, ends[0] ), ends[1] );
	numbers[at] = radius;
	return at + 1;
}

int EXPORT( file_bounds )( const bv_file* file );
int EXPORT( file_bounds )( const bv_file* file )
{
	bv_file_bounds b;
	bool has = bv_file_get_bounds( file, &b );
	if ( has )
	{
		int at = put_vector( put_vector( 0, b.aabb.lower ), b.aabb.upper );
		at = put_obb( put_ball( at, &b.sphere ), &b.obb );
		put_rod( at, b.capsule.ends, b.capsule.radius );
	}
	return has;
}

int EXPORT( file_primitive )( const bv_file* file, int kind );
int EXPORT( file_primitive )( const bv_file* file, int kind )
{
	bv_primitive p;
	bool has = bv_file_get_primitive( file, (bv_primitive_kind)kind, &p );
	if ( has )
	{
		int at = put_interval( put_interval( put_interval( 0, p.error ), p.from_surface ), p.from_mesh );
		at = kind == bv_primitive_box       ? put_obb( at, &p.box )
		     : kind == bv_primitive_sphere  ? put_ball( at, &p.sphere )
		     : kind == bv_primitive_capsule ? put_rod( at, p.capsule.ends, p.capsule.radius )
		                                    : put_rod( at, p.cylinder.ends, p.cylinder.radius );
	}
	return has;
}

int EXPORT( file_recognized )( const bv_file* file );
int EXPORT( file_recognized )( const bv_file* file )
{
	bv_recognized r;
	bool has = bv_file_get_recognized( file, &r );
	if ( has )
	{
		numbers[0] = r.tolerance;
		numbers[1] = r.best;
	}
	return has;
}

// Queries of a file. Flags say what the options have.

enum
{
	flag_first = 1, // Or any.
	flag_no_fronts = 2,
	flag_no_backs = 4,
};

static int put_surface( int at, const bv_surface_point* p )
{
	numbers[at] = p->triangle;
	numbers[at + 1] = p->feature;
	memcpy( numbers + at + 2, p->weight, sizeof p->weight );
	return put_vector( put_vector( put_vector( at + 5, p->point ), p->local ), p->normal );
}

static int put_tests( int at, uint64_t volumes, uint64_t triangles )
{
	numbers[at] = (double)volumes;
	numbers[at + 1] = (double)triangles;
	return at + 2;
}

static bv_ray_options ray_options( int flags )
{
	return ( bv_ray_options ){ .any = flags & flag_first,
		                       .no_fronts = flags & flag_no_fronts,
		                       .no_backs = flags & flag_no_backs };
}

/// Origin, direction, from, to.
int EXPORT( cast_ray )( const bv_file* file, int kind, int flags );
int EXPORT( cast_ray )( const bv_file* file, int kind, int flags )
{
	const double* n = numbers + at_arguments;
	bv_ray ray = { vector( at_arguments ), vector( at_arguments + 3 ), n[6], n[7] };
	bv_ray_options options = ray_options( flags );
	bv_transform to;
	bv_ray_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bv_mesh_cast_ray( file, kind ? &to : NULL, &ray, &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.found;
		numbers[1] = r.time;
		numbers[2] = r.back;
		put_surface( put_tests( 3, r.volume_tests, r.triangle_tests ), &r.at );
	}
	return (int)status;
}

typedef struct hits
{
	double* time;
	uint32_t* triangle;
	double* point;
	double* normal;
	uint8_t* back;
} hits;

static void keep_hit( const bv_ray_result* r, hits* to )
{
	*to->time++ = r->found ? r->time : INFINITY;
	*to->triangle++ = r->found ? r->at.triangle : UINT32_MAX;
	*to->back++ = r->found && r->back;
	bv_vec3 point = r->found ? r->at.point : bv_vec3_make( 0, 0, 0 );
	bv_vec3 normal = r->found ? r->at.normal : bv_vec3_make( 0, 0, 0 );
	memcpy( to->point, &point, sizeof point );
	memcpy( to->normal, &normal, sizeof normal );
	to->point += 3;
	to->normal += 3;
}

/// @param rays  origin and direction of each
/// @param time  infinity for rays that hit nothing
/// numbers[0] receives the index of the first invalid ray, -1 if the error is of another kind
int EXPORT( cast_rays )( const bv_file* file, int kind, int flags, uint32_t count, const double* rays,
                         double* time, uint32_t* triangle, double* point, double* normal, uint8_t* back );
int EXPORT( cast_rays )( const bv_file* file, int kind, int flags, uint32_t count, const double* rays,
                         double* time, uint32_t* triangle, double* point, double* normal, uint8_t* back )
{
	bv_ray_options options = ray_options( flags );
	bv_transform to;
	bv_status status = placement_at( 0, kind, &to );
	numbers[0] = -1;
	if ( status )
	{
		return (int)status;
	}
	uint32_t block = count < most_rays ? count : most_rays;
	bv_ray_result* results = block > 0 ? malloc( sizeof *results * block ) : NULL;
	if ( block > 0 && !results )
	{
		return bv_error_memory;
	}
	hits out = { time, triangle, point, normal, back };
	for ( uint32_t first = 0; first < count && status == bv_ok; first += block )
	{
		uint32_t some = count - first < block ? count - first : block;
		const double* from = rays + 6 * (size_t)first;
		const ptrdiff_t stride = 6 * sizeof *rays;
		bv_rays batch = { .count = some,
			              .origin = { from, stride, bv_number_double },
			              .direction = { from + 3, stride, bv_number_double },
			              .from = { NULL, 0, bv_number_double },
			              .to = { NULL, 0, bv_number_double } };
		size_t invalid;
		status = bv_mesh_cast_rays( file, kind ? &to : NULL, &batch, &options, results, &invalid );
		numbers[0] = status && invalid != SIZE_MAX ? (double)( first + invalid ) : -1;
		for ( uint32_t i = 0; i < some && status == bv_ok; ++i )
		{
			keep_hit( results + i, &out );
		}
	}
	free( results );
	return (int)status;
}

/// Point, limit.
int EXPORT( closest_point )( const bv_file* file, int kind );
int EXPORT( closest_point )( const bv_file* file, int kind )
{
	bv_closest_options options = { .limit = numbers[at_arguments + 3] };
	bv_transform to;
	bv_closest_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status
	                : bv_mesh_closest_point( file, kind ? &to : NULL, vector( at_arguments ), &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.found;
		numbers[1] = r.distance;
		numbers[2] = r.back;
		put_surface( put_tests( 3, r.volume_tests, r.triangle_tests ), &r.at );
	}
	return (int)status;
}

/// Point, limit.
int EXPORT( contains )( const bv_file* file, int kind );
int EXPORT( contains )( const bv_file* file, int kind )
{
	bv_contains_options options = { .limit = numbers[at_arguments + 3] };
	bv_transform to;
	bv_contains_result r;
	bv_status status = placement_at( 0, kind, &to );
	status =
		status ? status : bv_mesh_contains( file, kind ? &to : NULL, vector( at_arguments ), &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.side;
		numbers[1] = r.distance;
	}
	return (int)status;
}

/// Limit, relative, absolute.
int EXPORT( distance )( const bv_file* a, const bv_file* b, int kind );
int EXPORT( distance )( const bv_file* a, const bv_file* b, int kind )
{
	const double* n = numbers + at_arguments;
	static uint64_t scratch[BV_DISTANCE_SCRATCH_AMPLE / 8];
	bv_distance_options options = {
		.limit = n[0], .relative = n[1], .absolute = n[2], .scratch = scratch, .scratch_bytes = sizeof scratch
	};
	bv_transform to;
	bv_distance_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bv_mesh_distance( a, b, &to, &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.found;
		numbers[1] = r.distance;
		int at = put_tests( 2, r.volume_tests, r.triangle_tests );
		put_surface( put_surface( at, &r.a ), &r.b );
	}
	return (int)status;
}

/// The list receives pairs of triangles.
int EXPORT( collide )( const bv_file* a, const bv_file* b, int kind, int flags );
int EXPORT( collide )( const bv_file* a, const bv_file* b, int kind, int flags )
{
	bv_collide_options options = { .first = flags & flag_first, .callback = push_pair };
	bv_transform to;
	bv_collide_result r;
	begin_list();
	bv_status status = placement_at( 0, kind, &to );
	status = end_list( status ? status : bv_mesh_collide( a, b, &to, &options, &r ) );
	if ( status == bv_ok )
	{
		put_tests( 0, r.volume_tests, r.triangle_tests );
	}
	return (int)status;
}

static bv_overlap_options overlap_options( int flags )
{
	begin_list();
	return ( bv_overlap_options ){ .first = flags & flag_first, .callback = push_triangle };
}

/// Center, radius.
int EXPORT( overlap_sphere )( const bv_file* file, int kind, int flags );
int EXPORT( overlap_sphere )( const bv_file* file, int kind, int flags )
{
	bv_sphere ball = { vector( at_arguments ), numbers[at_arguments + 3] };
	bv_overlap_options options = overlap_options( flags );
	bv_transform to;
	bv_overlap_result r;
	bv_status status = placement_at( 0, kind, &to );
	return (int)end_list( status ? status
	                             : bv_mesh_overlap_sphere( file, kind ? &to : NULL, &ball, &options, &r ) );
}

/// Lower and upper corner.
int EXPORT( overlap_box )( const bv_file* file, int kind, int flags );
int EXPORT( overlap_box )( const bv_file* file, int kind, int flags )
{
	bv_aabb box = { vector( at_arguments ), vector( at_arguments + 3 ) };
	bv_overlap_options options = overlap_options( flags );
	bv_transform to;
	bv_overlap_result r;
	bv_status status = placement_at( 0, kind, &to );
	return (int)end_list( status ? status
	                             : bv_mesh_overlap_aabb( file, kind ? &to : NULL, &box, &options, &r ) );
}

int EXPORT( overlap_convex )( const bv_file* file, const bv_convex* shape, int kind, int flags );
int EXPORT( overlap_convex )( const bv_file* file, const bv_convex* shape, int kind, int flags )
{
	bv_overlap_options options = overlap_options( flags );
	bv_transform to;
	bv_overlap_result r;
	bv_status status = placement_at( 0, kind, &to );
	return (int)end_list( status ? status
	                             : bv_mesh_overlap_convex( file, kind ? &to : NULL, shape, &options, &r ) );
}

/// Limit.
int EXPORT( distance_convex )( const bv_file* file, const bv_convex* shape, int kind );
int EXPORT( distance_convex )( const bv_file* file, const bv_convex* shape, int kind )
{
	bv_mesh_convex_options options = { .limit = numbers[at_arguments] };
	bv_transform to;
	bv_mesh_convex_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bv_mesh_distance_convex( file, kind ? &to : NULL, shape, &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.found;
		numbers[1] = r.lower;
		numbers[2] = r.upper;
		put_surface( put_vector( put_vector( 3, r.point ), r.normal ), &r.at );
	}
	return (int)status;
}

/// Motion, limit, tolerance.
int EXPORT( cast_convex )( const bv_file* file, const bv_convex* shape, int kind );
int EXPORT( cast_convex )( const bv_file* file, const bv_convex* shape, int kind )
{
	const double* n = numbers + at_arguments;
	bv_cast_options options = { .limit = n[3], .tolerance = n[4] };
	bv_transform to;
	bv_cast_result r;
	bv_status status = placement_at( 0, kind, &to );
	status =
		status ? status
			   : bv_mesh_cast_convex( file, kind ? &to : NULL, shape, vector( at_arguments ), &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.found;
		numbers[1] = r.at_start;
		numbers[2] = r.time;
		numbers[3] = r.back;
		put_surface( put_vector( 4, r.normal ), &r.at );
	}
	return (int)status;
}

// Convex shapes: in memory of malloc, points behind the struct.

/// @param kind   "points" with `count` of them, or another shape by numbers
/// @param points  coordinates, copied
/// @return null if there is no memory
bv_convex* EXPORT( convex_points )( const double* points, uint32_t count, double radius );
bv_convex* EXPORT( convex_points )( const double* points, uint32_t count, double radius )
{
	size_t bytes = sizeof( bv_vec3 ) * (size_t)count;
	bv_convex* shape = count < UINT32_MAX / 64 ? malloc( sizeof *shape + bytes ) : NULL;
	if ( shape )
	{
		memcpy( shape + 1, points, bytes );
		*shape = bv_convex_points( (const bv_vec3*)( shape + 1 ), count, radius );
	}
	return shape;
}

static bv_obb box_of( const double* n )
{
	bv_obb box = { .center = { n[0], n[1], n[2] } };
	for ( int i = 0; i < 3; ++i )
	{
		box.axis[i] = bv_vec3_make( n[3 + 3 * i], n[4 + 3 * i], n[5 + 3 * i] );
		box.half_extents[i] = n[12 + i];
	}
	return box;
}

/// The shapes of fixed size, in the order of the names in convex.js.
bv_convex* EXPORT( convex_make )( int kind );
bv_convex* EXPORT( convex_make )( int kind )
{
	bv_convex* shape = malloc( sizeof *shape );
	bv_obb box = box_of( numbers );
	const double* n = numbers;
	bv_vec3 a = vector( 0 );
	bv_vec3 b = vector( 3 );
	if ( !shape )
	{
		return NULL;
	}
	switch ( kind )
	{
	case 0: *shape = bv_convex_point( a ); break;
	case 1: *shape = bv_convex_sphere( a, n[3] ); break;
	case 2: *shape = bv_convex_segment( a, b ); break;
	case 3: *shape = bv_convex_capsule( a, b, n[6] ); break;
	case 4: *shape = bv_convex_triangle( a, b, vector( 6 ) ); break;
	case 5: *shape = bv_convex_box( a, b ); break;
	case 6: *shape = bv_convex_obb( &box ); break;
	case 7: *shape = bv_convex_cylinder( a, b, n[6] ); break;
	case 8: *shape = bv_convex_cone( a, b, n[6] ); break;
	case 9: *shape = bv_convex_ellipsoid( &box ); break;
	default: *shape = bv_convex_half_space( a, n[3] ); break;
	}
	return shape;
}

/// Which: 0 the hull, 1 the recognized primitive, 2 and more a part.
bv_convex* EXPORT( convex_of_file )( const bv_file* file, uint32_t which );
bv_convex* EXPORT( convex_of_file )( const bv_file* file, uint32_t which )
{
	bv_convex* shape = malloc( sizeof *shape );
	if ( shape )
	{
		*shape = which == 0   ? bv_convex_hull( file )
		         : which == 1 ? bv_convex_primitive( file )
		                      : bv_convex_part( file, which - 2 );
	}
	return shape;
}

void EXPORT( convex_round )( bv_convex* shape, double radius );
void EXPORT( convex_round )( bv_convex* shape, double radius )
{
	shape->radius = radius;
}

/// @return bv_ok if queries take the shape
int EXPORT( convex_check )( const bv_convex* shape );
int EXPORT( convex_check )( const bv_convex* shape )
{
	bv_convex other = bv_convex_point( bv_vec3_make( 0, 0, 0 ) );
	bv_convex_overlap_result r;
	return (int)bv_convex_overlap( shape, &other, NULL, NULL, &r );
}

int EXPORT( convex_overlap )( const bv_convex* a, const bv_convex* b, int kind );
int EXPORT( convex_overlap )( const bv_convex* a, const bv_convex* b, int kind )
{
	bv_transform to;
	bv_convex_overlap_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bv_convex_overlap( a, b, &to, NULL, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.overlaps;
		numbers[1] = r.certain;
	}
	return (int)status;
}

static uint64_t polytope[BV_CONVEX_SCRATCH_AMPLE / 8];

static bv_convex_options convex_options( double tolerance )
{
	return (
		bv_convex_options ){ .tolerance = tolerance, .scratch = polytope, .scratch_bytes = sizeof polytope };
}

/// Tolerance.
int EXPORT( convex_distance )( const bv_convex* a, const bv_convex* b, int kind );
int EXPORT( convex_distance )( const bv_convex* a, const bv_convex* b, int kind )
{
	bv_convex_options options = convex_options( numbers[at_arguments] );
	bv_transform to;
	bv_convex_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bv_convex_distance( a, b, &to, &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.lower;
		numbers[1] = r.upper;
		put_vector( put_vector( put_vector( 2, r.point[0] ), r.point[1] ), r.normal );
	}
	return (int)status;
}

/// Motion of a, motion of b, limit, tolerance.
int EXPORT( convex_cast )( const bv_convex* a, const bv_convex* b, int kind );
int EXPORT( convex_cast )( const bv_convex* a, const bv_convex* b, int kind )
{
	const double* n = numbers + at_arguments;
	bv_convex_cast_options options = { .limit = n[6], .tolerance = n[7] };
	bv_transform to;
	bv_convex_cast_result r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status
	                : bv_convex_cast( a, b, &to, vector( at_arguments ), vector( at_arguments + 3 ), &options,
	                                  &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.found;
		numbers[1] = r.certain;
		numbers[2] = r.at_start;
		numbers[3] = r.lower;
		numbers[4] = r.upper;
		put_vector( put_vector( put_vector( 5, r.point[0] ), r.point[1] ), r.normal );
	}
	return (int)status;
}

/// Speculative distance. Identities are two numbers each.
int EXPORT( convex_contacts )( const bv_convex* a, const bv_convex* b, int kind );
int EXPORT( convex_contacts )( const bv_convex* a, const bv_convex* b, int kind )
{
	bv_manifold_options options = { .speculative = numbers[at_arguments], .distance = convex_options( 0 ) };
	bv_transform to;
	bv_manifold r;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bv_convex_manifold( a, b, &to, &options, &r );
	if ( status == bv_ok )
	{
		numbers[0] = r.count;
		numbers[1] = r.lower;
		numbers[2] = r.upper;
		int at = put_vector( 3, r.normal );
		for ( uint32_t i = 0; i < r.count; ++i )
		{
			const bv_contact* c = r.contact + i;
			at = put_vector( put_vector( put_vector( at, c->position ), c->point[0] ), c->point[1] );
			numbers[at] = c->separation;
			numbers[at + 1] = (double)( c->identity >> 32 );
			numbers[at + 2] = (double)( c->identity & 0xffffffffu );
			at += 3;
		}
	}
	return (int)status;
}

// Motions: from one placement to another, or a screw.

enum
{
	at_motions = 64,
	motion_size = 64, // Numbers of one motion.
	at_end = 16,      // Within it: the placement at the end, or point, axis, angle, shift.
	at_pivot = 32,
	at_sweep = 256,
};

typedef enum motion_kind
{
	motion_still = 0,
	motion_slerp,
	motion_nlerp,
	motion_screw_between,
	motion_screw,
} motion_kind;

static bv_status motion_of( int index, int kind, int start_kind, int end_kind, bv_motion* out )
{
	int at = at_motions + index * motion_size;
	bv_transform start;
	bv_transform end;
	bv_status status = placement_at( at, start_kind, &start );
	if ( status )
	{
		return status;
	}
	if ( kind == motion_still )
	{
		return bv_motion_still( &start, out );
	}
	if ( kind == motion_screw )
	{
		const double* n = numbers + at + at_end;
		return bv_motion_screw( &start, vector( at + at_end ), vector( at + at_end + 3 ), n[6], n[7], out );
	}
	status = placement_at( at + at_end, end_kind, &end );
	return status                 ? status
	       : kind == motion_slerp ? bv_motion_slerp( &start, &end, vector( at + at_pivot ), out )
	       : kind == motion_nlerp ? bv_motion_nlerp( &start, &end, vector( at + at_pivot ), out )
	                              : bv_motion_screw_between( &start, &end, out );
}

static bv_status motion_at( int index, int kinds, bv_motion* out )
{
	return motion_of( index, kinds & 7, kinds >> 3 & 7, kinds >> 6, out );
}

/// @return bv_ok if the motion can be made
int EXPORT( motion_check )( int index, int kinds );
int EXPORT( motion_check )( int index, int kinds )
{
	bv_motion made;
	return (int)motion_at( index, kinds, &made );
}

/// From, limit, tolerance, separation at `at_sweep`. Objects are files or shapes; a shape is first if there is only one.
/// @param shapes   how many of them are shapes: 0, 1 or 2
/// @param kinds_a  kind of motion, of its start, of its end: 1, 8 and 64 times
int EXPORT( sweep )( const void* a, const void* b, int shapes, int kinds_a, int kinds_b );
int EXPORT( sweep )( const void* a, const void* b, int shapes, int kinds_a, int kinds_b )
{
	static uint64_t scratch[BV_SWEEP_SCRATCH_AMPLE / 8];
	const double* n = numbers + at_sweep;
	bv_sweep_options options = { .from = n[0],
		                         .limit = n[1],
		                         .tolerance = n[2],
		                         .separation = n[3],
		                         .scratch = scratch,
		                         .scratch_bytes = sizeof scratch };
	bv_motion motion_a;
	bv_motion motion_b;
	bv_sweep_result r;
	bv_status status = motion_at( 0, kinds_a, &motion_a );
	status = status ? status : motion_at( 1, kinds_b, &motion_b );
	status = status        ? status
	         : shapes == 0 ? bv_sweep_meshes( a, &motion_a, b, &motion_b, &options, &r )
	         : shapes == 1 ? bv_sweep_convex_mesh( a, &motion_a, b, &motion_b, &options, &r )
	                       : bv_sweep_convexes( a, &motion_a, b, &motion_b, &options, &r );
	if ( status == bv_ok )
	{
		const double all[] = { r.found, r.certain,     r.complete,    r.at_start,   r.lower,
			                   r.upper, r.triangle[0], r.triangle[1], r.feature[0], r.feature[1] };
		memcpy( numbers, all, sizeof all );
		int at = (int)( sizeof all / sizeof *all );
		put_vector( put_vector( put_vector( at, r.point[0] ), r.point[1] ), r.normal );
	}
	return (int)status;
}

// Scenes: one block of memory with all arrays.

typedef struct scene
{
	bvw_broadphase* world;
	bvw_scene of;
	const bv_file** files;
	bvw_instance* instances;
	bvw_pair* pairs;
	uint32_t most_pairs;
} scene;

void EXPORT( scene_free )( scene* s );
void EXPORT( scene_free )( scene* s )
{
	if ( s )
	{
		free( s->world );
		free( s->files );
		free( s->instances );
		free( s->pairs );
		free( s );
	}
}

/// Moving share, margin. numbers[0] receives the address.
int EXPORT( scene_new )( uint32_t objects, uint32_t pairs );
int EXPORT( scene_new )( uint32_t objects, uint32_t pairs )
{
	bvw_broadphase_options options = {
		.objects = objects, .pairs = pairs, .method = bvw_method_tree, .margin = numbers[at_arguments]
	};
	size_t bytes = bvw_broadphase_bytes( &options );
	if ( bytes == 0 )
	{
		return bv_error_argument;
	}
	scene* s = calloc( 1, sizeof *s );
	uint32_t most = pairs > 0 ? pairs : 4 * objects + 64;
	void* memory = s ? malloc( bytes ) : NULL;
	bool all = memory && ( s->files = malloc( sizeof *s->files * objects ) ) &&
	           ( s->instances = malloc( sizeof *s->instances * objects ) ) &&
	           ( s->pairs = malloc( sizeof *s->pairs * most ) );
	bv_status status = all ? bvw_broadphase_begin( memory, bytes, &options, &s->world ) : bv_error_memory;
	if ( status )
	{
		free( memory );
		scene_free( s );
		return (int)status;
	}
	s->most_pairs = most;
	for ( uint32_t i = 0; i < objects; ++i )
	{
		s->files[i] = NULL;
		s->instances[i] = ( bvw_instance ){ BVW_NO_FILE, bv_transform_identity() };
	}
	s->of = ( bvw_scene ){ s->world, s->files, objects, objects, s->instances };
	numbers[0] = (double)(uintptr_t)s;
	return bv_ok;
}

/// Category, mask, group; 53 bits of the first two. An object has the file of its own number.
int EXPORT( scene_add )( scene* s, uint32_t number, const bv_file* file, int kind );
int EXPORT( scene_add )( scene* s, uint32_t number, const bv_file* file, int kind )
{
	const double* n = numbers + at_arguments;
	bvw_object object = { .category = (uint64_t)n[0], .mask = (uint64_t)n[1], .group = (uint32_t)n[2] };
	bvw_instance instance = { number, bv_transform_identity() };
	bv_status status = placement_at( 0, kind, &instance.placement );
	status = status ? status : bvw_file_box( file, &instance.placement, &object.box );
	status = status ? status : bvw_broadphase_add( s->world, number, &object );
	if ( status == bv_ok )
	{
		s->files[number] = file;
		s->instances[number] = instance;
	}
	return (int)status;
}

int EXPORT( scene_move )( scene* s, uint32_t number, int kind );
int EXPORT( scene_move )( scene* s, uint32_t number, int kind )
{
	bv_transform to;
	bv_aabb box;
	bv_status status = placement_at( 0, kind, &to );
	status = status ? status : bvw_file_box( s->files[number], &to, &box );
	status = status ? status : bvw_broadphase_move( s->world, number, &box );
	if ( status == bv_ok )
	{
		s->instances[number].placement = to;
	}
	return (int)status;
}

int EXPORT( scene_remove )( scene* s, uint32_t number );
int EXPORT( scene_remove )( scene* s, uint32_t number )
{
	bv_status status = bvw_broadphase_remove( s->world, number );
	if ( status == bv_ok )
	{
		s->instances[number].file = BVW_NO_FILE;
		s->files[number] = NULL;
	}
	return (int)status;
}

static void push_pairs( const bvw_pair* pairs, uint32_t count )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		push_pair( NULL, pairs[i].a, pairs[i].b );
	}
}

/// The list receives pairs that began, then those that ended; numbers[0] how many began.
/// @return bv_error_limit if there are more pairs than the scene has room for
int EXPORT( scene_update )( scene* s );
int EXPORT( scene_update )( scene* s )
{
	bvw_changes changes;
	begin_list();
	bv_status status = bvw_broadphase_update( s->world, &changes );
	if ( status == bv_ok )
	{
		push_pairs( changes.begun, changes.begun_count );
		push_pairs( changes.ended, changes.ended_count );
		numbers[0] = changes.begun_count;
	}
	return (int)( status == bv_error_memory ? bv_error_limit : end_list( status ) );
}

int EXPORT( scene_pairs )( scene* s );
int EXPORT( scene_pairs )( scene* s )
{
	uint32_t count = 0;
	begin_list();
	bv_status status = bvw_broadphase_pairs( s->world, s->pairs, s->most_pairs, &count );
	if ( status == bv_ok )
	{
		push_pairs( s->pairs, count );
	}
	return (int)end_list( status );
}

/// Lower and upper corner. The list receives numbers of objects.
int EXPORT( scene_overlap )( scene* s );
int EXPORT( scene_overlap )( scene* s )
{
	bv_aabb box = { vector( at_arguments ), vector( at_arguments + 3 ) };
	begin_list();
	uint32_t* of = malloc( sizeof *of * s->of.instance_count );
	bvw_found r;
	bv_status status =
		of ? bvw_broadphase_overlap( s->world, &box, NULL, of, s->of.instance_count, &r ) : bv_error_memory;
	for ( uint32_t i = 0; status == bv_ok && i < r.count; ++i )
	{
		push( of[i] );
	}
	free( of );
	return (int)end_list( status );
}

/// Origin, direction, from, to. The first object that is hit.
int EXPORT( scene_cast_ray )( scene* s, int flags );
int EXPORT( scene_cast_ray )( scene* s, int flags )
{
	const double* n = numbers + at_arguments;
	bv_ray ray = { vector( at_arguments ), vector( at_arguments + 3 ), n[6], n[7] };
	bvw_cast_options options = { .any = flags & flag_first };
	bvw_hit hit;
	bv_ray_result r;
	bvw_found count;
	bv_status status = bvw_scene_cast_ray( &s->of, &ray, &options, &hit, &r, 1, &count );
	if ( status == bv_ok )
	{
		numbers[0] = count.count > 0;
		if ( count.count > 0 )
		{
			numbers[1] = r.time;
			numbers[2] = r.back;
			numbers[3] = hit.number;
			put_surface( 5, &r.at );
		}
	}
	return (int)status;
}

/// Motion. The first object that is hit.
int EXPORT( scene_cast_convex )( scene* s, const bv_convex* shape );
int EXPORT( scene_cast_convex )( scene* s, const bv_convex* shape )
{
	bvw_hit hit;
	bv_cast_result r;
	bvw_found count;
	bv_status status = bvw_scene_cast_convex( &s->of, shape, vector( at_arguments ), NULL, &hit, &r, &count );
	if ( status == bv_ok )
	{
		numbers[0] = count.count > 0;
		if ( count.count > 0 )
		{
			numbers[1] = r.at_start;
			numbers[2] = r.time;
			numbers[3] = hit.number;
			put_surface( put_vector( 4, r.normal ), &r.at );
		}
	}
	return (int)status;
}
