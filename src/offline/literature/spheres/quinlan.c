// Binary trees of spheres by S. Quinlan, "Efficient distance computation between non-convex objects", ICRA
// 1994, and with the change of J. Eckstein, "Echtzeitfähige Kollisionserkennung", 1998, section 3.2.1.
//
// Quinlan covers each face with spheres of one size on a regular grid in its plane: these are the leaves. The
// least axis-aligned box round all of them is cut in half across its longest axis, each sphere belongs to the
// half where its center is, and so on. A node's sphere is the smaller of two that enclose its leaves'
// spheres: the least one round the spheres of its two children, and one about the mean of the leaves'
// centers. Such spheres are round spheres, not round faces, and a leaf is no face of its own. So Eckstein
// makes each face a leaf with its least sphere, and each node's sphere the least one round its faces.
//
// Ours: how fine the grid is, which the paper leaves to the user. Cells are squares, shrunk so that a whole
// number of them fits along the face's longest side and its height; their side is the diagonal of all halved
// as often as it takes until another halving would make more than four spheres for each face, or 1024. And
// where a half is empty, or has more leaves than the depth that is left can hold, it is the median that
// divides.

#include "offline/literature/spheres/sphere_tree.h"

#include "offline/base/sort.h"
#include "offline/fit/sphere.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <string.h>

enum
{
	spheres_per_face = 4,
	spheres_at_least = 1024,
};

// What rounding may take from a sphere, in units of its radius and of coordinates.
static const double slack = 0x1p-48;

// A leaf's sphere.
typedef struct patch
{
	bv_sphere sphere;
	uint32_t face;
} patch;

typedef struct quinlan_division
{
	const bvb_mesh* mesh;
	const bvlit_sphere_options* options;
	patch* patches; // by node: each has a range
	patch* other;   // room for as many
	bvbase_sort_entry* entries;
	bvbase_sort_entry* other_entries;
	uint32_t* first; // of each node: its range
	uint32_t* count;
	uint32_t* depth;
	bvlit_sphere_tree* tree;
} quinlan_division;

static double rounded_up( double radius, bv_vec3 center )
{
	return radius + slack * ( radius + bvmath_largest( center ) );
}

// A face in its plane: the longest side is the first axis, and the third corner is above it.
typedef struct flat_face
{
	bv_vec3 start;  // of the longest side
	bv_vec3 along;  // unit, of it
	bv_vec3 across; // unit, towards the third corner
	double length;  // of the longest side
	double foot;    // of the third corner, along
	double height;  // of it, across
} flat_face;

static flat_face lay_flat( const bvb_mesh* mesh, uint32_t face )
{
	const uint32_t* corner = mesh->triangles[face].corner;
	bv_vec3 p[3];
	double longest = -1;
	int start = 0;
	for ( int i = 0; i < 3; ++i )
	{
		p[i] = mesh->positions[corner[i]];
	}
	for ( int i = 0; i < 3; ++i )
	{
		double length = bvmath_length( bv_sub( p[( i + 1 ) % 3], p[i] ) );
		start = length > longest ? i : start;
		longest = bvmath_max( longest, length );
	}
	flat_face f = { .start = p[start], .length = longest };
	f.along = bv_scale( 1 / longest, bv_sub( p[( start + 1 ) % 3], f.start ) );
	bv_vec3 third = bv_sub( p[( start + 2 ) % 3], f.start );
	f.foot = bv_dot( third, f.along );
	bv_vec3 rest = bv_sub( third, bv_scale( f.foot, f.along ) );
	f.height = bvmath_length( rest );
	f.across = f.height > 0 ? bv_scale( 1 / f.height, rest ) : ( bv_vec3 ){ 0, 0, 0 };
	return f;
}

// How many cells of a side fit along a length; never more than can be counted.
static double cells_along( double length, double side )
{
	return bvmath_max( ceil( bvmath_min( length / side, 0x1p26 ) ), 1 );
}

// The cells of a face that it meets, which is widest at the lower end of a row: counted, and covered with
// spheres unless `out` is null.
static double cover_face( const bvb_mesh* mesh, uint32_t face, double side, patch* out )
{
	flat_face f = lay_flat( mesh, face );
	double columns = cells_along( f.length, side );
	double rows = cells_along( f.height, side );
	double width = f.length / columns;
	double height = f.height / rows;
	double radius = 0.5 * sqrt( width * width + height * height );
	double placed = 0;
	for ( double row = 0; row < rows; ++row )
	{
		double low = f.height > 0 ? row * height / f.height : 0;
		double from = low * f.foot;
		double to = f.length - low * ( f.length - f.foot );
		double first = bvmath_max( floor( from / width * ( 1 - slack ) ), 0 );
		double last = bvmath_min( floor( to / width * ( 1 + slack ) ), columns - 1 );
		for ( double column = first; out && column <= last; ++column )
		{
			bv_vec3 x = bv_scale( ( column + 0.5 ) * width, f.along );
			bv_vec3 y = bv_scale( ( row + 0.5 ) * height, f.across );
			bv_vec3 center = bv_add( f.start, bv_add( x, y ) );
			*out++ = ( patch ){ { center, rounded_up( radius, center ) }, face };
		}
		placed += last - first + 1;
	}
	return placed;
}

// How many spheres a grid makes; some number above `most` when it is more than that. Rows cost time too, and
// each has a sphere.
static double count_spheres( const bvb_mesh* mesh, double side, double most )
{
	double count = 0;
	for ( uint32_t i = 0; i < mesh->triangle_count && count <= most; ++i )
	{
		flat_face f = lay_flat( mesh, i );
		double least = cells_along( f.length, side ) + cells_along( f.height, side ) - 1;
		count += least > most ? least : cover_face( mesh, i, side, NULL );
	}
	return count;
}

static double diagonal_of( const bvb_mesh* mesh )
{
	bv_vec3 lower = mesh->positions[mesh->triangles[0].corner[0]];
	bv_vec3 upper = lower;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			lower = bvmath_least( lower, mesh->positions[mesh->triangles[i].corner[k]] );
			upper = bvmath_greatest( upper, mesh->positions[mesh->triangles[i].corner[k]] );
		}
	}
	return bvmath_length( bv_sub( upper, lower ) );
}

static bv_status cover_faces( const bvb_mesh* mesh, bvb_arena* arena, patch** out, uint32_t* count )
{
	double most = bvmath_max( spheres_at_least, (double)spheres_per_face * mesh->triangle_count );
	double side = diagonal_of( mesh );
	double spheres = count_spheres( mesh, side, most );
	for ( double finer; ( finer = count_spheres( mesh, 0.5 * side, most ) ) <= most; spheres = finer )
	{
		side *= 0.5;
	}
	*count = (uint32_t)spheres;
	*out = spheres <= UINT32_MAX / 2 ? bvb_arena_allocate( arena, (size_t)spheres, sizeof **out ) : NULL;
	if ( !*out )
	{
		return bv_error_memory;
	}
	patch* next = *out;
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		next += (uint32_t)cover_face( mesh, i, side, next );
	}
	return bv_ok;
}

// A number that has the order of the value.
static uint64_t ordered( double value )
{
	uint64_t bits;
	value += 0.0; // of two zeros one
	memcpy( &bits, &value, sizeof bits );
	return bits >> 63 ? ~bits : bits | UINT64_C( 1 ) << 63;
}

static void divide_at_median( quinlan_division* d, patch* p, uint32_t count, int axis )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		d->entries[i] = ( bvbase_sort_entry ){ ordered( bvmath_component( p[i].sphere.center, axis ) ), i };
		d->other[i] = p[i];
	}
	bvbase_sort( d->entries, d->other_entries, count );
	for ( uint32_t i = 0; i < count; ++i )
	{
		p[i] = d->other[d->entries[i].value];
	}
}

// @return how many come into the lower half; the patches are in order afterwards
static uint32_t divide_in_middle( quinlan_division* d, patch* p, uint32_t count, int axis, double middle )
{
	uint32_t low = 0;
	uint32_t high = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		if ( bvmath_component( p[i].sphere.center, axis ) < middle )
		{
			p[low++] = p[i];
		}
		else
		{
			d->other[high++] = p[i];
		}
	}
	memcpy( p + low, d->other, high * sizeof *p );
	return low;
}

// What a tree of so many levels below its root can hold.
static double room_in( const quinlan_division* d, uint32_t levels )
{
	return ldexp( d->options->leaf_faces, (int)levels );
}

static uint32_t divide( quinlan_division* d, patch* p, uint32_t count, uint32_t levels )
{
	bv_vec3 lower = p[0].sphere.center;
	bv_vec3 upper = lower;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bv_vec3 reach = { p[i].sphere.radius, p[i].sphere.radius, p[i].sphere.radius };
		lower = bvmath_least( lower, bv_sub( p[i].sphere.center, reach ) );
		upper = bvmath_greatest( upper, bv_add( p[i].sphere.center, reach ) );
	}
	bv_vec3 size = bv_sub( upper, lower );
	int axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2;
	double middle = 0.5 * bvmath_component( lower, axis ) + 0.5 * bvmath_component( upper, axis );
	uint32_t low = divide_in_middle( d, p, count, axis, middle );
	uint32_t larger = low > count - low ? low : count - low;
	if ( larger == count || larger > room_in( d, levels - 1 ) )
	{
		divide_at_median( d, p, count, axis );
		low = count / 2;
	}
	return low;
}

static void add_node( quinlan_division* d, uint32_t first, uint32_t count, uint32_t depth )
{
	uint32_t index = d->tree->node_count++;
	d->first[index] = first;
	d->count[index] = count;
	d->depth[index] = depth;
}

static void divide_all( quinlan_division* d, uint32_t count )
{
	add_node( d, 0, count, 0 );
	for ( uint32_t i = 0; i < d->tree->node_count; ++i )
	{
		bvlit_sphere_node* node = d->tree->nodes + i;
		uint32_t levels = d->options->max_depth - d->depth[i];
		*node = ( bvlit_sphere_node ){ .first_face = d->first[i], .faces = d->count[i] };
		if ( d->count[i] > d->options->leaf_faces && levels > 0 )
		{
			uint32_t low = divide( d, d->patches + d->first[i], d->count[i], levels );
			*node = ( bvlit_sphere_node ){ .first_child = d->tree->node_count, .children = 2 };
			add_node( d, d->first[i], low, d->depth[i] + 1 );
			add_node( d, d->first[i] + low, d->count[i] - low, d->depth[i] + 1 );
		}
	}
}

static bv_sphere around_two( const bv_sphere* a, const bv_sphere* b )
{
	bv_vec3 across = bv_sub( b->center, a->center );
	double distance = bvmath_length( across );
	if ( distance + b->radius <= a->radius )
	{
		return *a;
	}
	if ( distance + a->radius <= b->radius )
	{
		return *b;
	}
	double radius = 0.5 * ( distance + a->radius + b->radius );
	bv_vec3 center = bv_add( a->center, bv_scale( ( radius - a->radius ) / distance, across ) );
	return ( bv_sphere ){ center, rounded_up( radius, center ) };
}

static bv_sphere about_mean( const patch* p, uint32_t count )
{
	bv_vec3 sum = { 0, 0, 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		sum = bv_add( sum, bv_sub( p[i].sphere.center, p[0].sphere.center ) );
	}
	bv_sphere s = { bv_add( p[0].sphere.center, bv_scale( 1.0 / count, sum ) ), 0 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		double reach = bvmath_length( bv_sub( p[i].sphere.center, s.center ) ) + p[i].sphere.radius;
		s.radius = bvmath_max( s.radius, reach );
	}
	s.radius = rounded_up( s.radius, s.center );
	return s;
}

static void enclose_spheres( quinlan_division* d )
{
	for ( uint32_t i = d->tree->node_count; i-- > 0; )
	{
		bvlit_sphere_node* node = d->tree->nodes + i;
		const patch* p = d->patches + d->first[i];
		node->sphere = d->count[i] == 1 ? p->sphere : about_mean( p, d->count[i] );
		if ( node->children )
		{
			const bvlit_sphere_node* child = d->tree->nodes + node->first_child;
			bv_sphere both = around_two( &child[0].sphere, &child[1].sphere );
			node->sphere = both.radius < node->sphere.radius ? both : node->sphere;
		}
	}
}

static bv_sphere least_sphere( const bv_vec3* corners, uint32_t count )
{
	bvfit_ball ball = { .support_count = 0 };
	bvfit_least_ball( corners, count, &ball );
	bv_vec3 center = bv_add( ball.origin, ball.center );
	return ( bv_sphere ){ center, rounded_up( ball.radius, center ) };
}

static void corners_of( const bvb_mesh* mesh, uint32_t face, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = mesh->positions[mesh->triangles[face].corner[k]];
	}
}

static void enclose_faces( const quinlan_division* d, bv_vec3* corners )
{
	int64_t count = d->tree->node_count;
	for ( uint32_t i = 0; i < d->mesh->triangle_count; ++i )
	{
		corners_of( d->mesh, d->patches[i].face, corners + 3 * (size_t)i );
	}
#pragma omp parallel for schedule( dynamic, 16 ) num_threads( d->options->team ) if ( d->options->team > 1 )
	for ( int64_t i = 0; i < count; ++i )
	{
		d->tree->nodes[i].sphere = least_sphere( corners + 3 * (size_t)d->first[i], 3 * d->count[i] );
	}
}

static bv_status begin( quinlan_division* d, uint32_t count, bvb_arena* arena )
{
	size_t nodes = 2 * (size_t)count - 1;
	d->other = bvb_arena_allocate( arena, count, sizeof *d->other );
	d->entries = bvb_arena_allocate( arena, count, sizeof *d->entries );
	d->other_entries = bvb_arena_allocate( arena, count, sizeof *d->other_entries );
	d->first = bvb_arena_allocate( arena, nodes, sizeof *d->first );
	d->count = bvb_arena_allocate( arena, nodes, sizeof *d->count );
	d->depth = bvb_arena_allocate( arena, nodes, sizeof *d->depth );
	d->tree->nodes = bvb_arena_allocate( arena, nodes, sizeof *d->tree->nodes );
	d->tree->face = bvb_arena_allocate( arena, count, sizeof *d->tree->face );
	d->tree->face_count = count;
	d->tree->node_count = 0;
	bool all = d->other && d->entries && d->other_entries && d->first && d->count && d->depth &&
	           d->tree->nodes && d->tree->face;
	return all ? bv_ok : bv_error_memory;
}

static void list_faces( const quinlan_division* d )
{
	for ( uint32_t i = 0; i < d->tree->face_count; ++i )
	{
		d->tree->face[i] = d->patches[i].face;
	}
}

bv_status bvlit_spheres_quinlan( const bvb_mesh* mesh, const bvlit_sphere_options* options, bvb_arena* arena,
                                 bvlit_sphere_tree* out )
{
	quinlan_division d = { .mesh = mesh, .options = options, .tree = out };
	uint32_t count;
	bv_status status = cover_faces( mesh, arena, &d.patches, &count );
	status = status == bv_ok ? begin( &d, count, arena ) : status;
	if ( status == bv_ok )
	{
		divide_all( &d, count );
		enclose_spheres( &d );
		list_faces( &d );
	}
	return status;
}

bv_status bvlit_spheres_quinlan_faces( const bvb_mesh* mesh, const bvlit_sphere_options* options,
                                       bvb_arena* arena, bvlit_sphere_tree* out )
{
	quinlan_division d = { .mesh = mesh, .options = options, .tree = out };
	uint32_t count = mesh->triangle_count;
	d.patches = bvb_arena_allocate( arena, count, sizeof *d.patches );
	bv_vec3* corners = bvb_arena_allocate( arena, 3 * (size_t)count, sizeof *corners );
	if ( !d.patches || !corners || begin( &d, count, arena ) != bv_ok )
	{
		return bv_error_memory;
	}
	for ( uint32_t i = 0; i < count; ++i )
	{
		corners_of( mesh, i, corners );
		d.patches[i] = ( patch ){ least_sphere( corners, 3 ), i };
	}
	divide_all( &d, count );
	enclose_faces( &d, corners );
	list_faces( &d );
	return bv_ok;
}
