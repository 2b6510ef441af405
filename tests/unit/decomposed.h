// What every decomposition must be, judged by arithmetic that shares nothing with src: parts that are convex polyhedra with a
// mass, a box and neighbors; nodes that are a hierarchy; a cover without holes; certified distances that no sample exceeds.

#pragma once

#include "decomposed_meshes.h"

#include "tests/reference/nearest.h"
#include "tests/reference/quad.h"
#include "tests/reference/random.h"
#include "tests/reference/sampling.h"

// What rounding in binary64 may do to results, as a part of the sizes that go in.
static const double rounding = 1e-11;

// Of more than binary64's range; of a few digits.
static inline quad quad_root( quad squared )
{
	double scale = 1;
	for ( ; squared > 0 && squared < 0x1p-200; squared *= 0x1p200 )
	{
		scale *= 0x1p-100;
	}
	return (quad)sqrt( (double)squared ) * scale;
}

static inline bool same_bytes( const void* a, const void* b, size_t size )
{
	return size == 0 || memcmp( a, b, size ) == 0;
}

static inline bv_aabb box_of( const bv_vec3* points, uint32_t count )
{
	bv_aabb box = { points[0], points[0] };
	for ( uint32_t i = 1; i < count; ++i )
	{
		box.lower.x = fmin( box.lower.x, points[i].x );
		box.lower.y = fmin( box.lower.y, points[i].y );
		box.lower.z = fmin( box.lower.z, points[i].z );
		box.upper.x = fmax( box.upper.x, points[i].x );
		box.upper.y = fmax( box.upper.y, points[i].y );
		box.upper.z = fmax( box.upper.z, points[i].z );
	}
	return box;
}

// Of the box round a mesh.
static inline double diagonal_of( const bvb_mesh* mesh )
{
	bv_aabb box = box_of( mesh->positions, mesh->vertex_count );
	return length( plus( box.upper, -1, box.lower ) );
}

// The largest coordinate: what rounding goes by.
static inline double reach_of( const bvb_mesh* mesh )
{
	double reach = 0;
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		bv_vec3 p = mesh->positions[i];
		reach = fmax( reach, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
	}
	return reach;
}

static inline bvb_decomposition decompose( fixture* f, const bvb_mesh* mesh,
                                           const bvb_decompose_options* options )
{
	bvb_decomposition d;
	bvb_error error = { "" };
	bv_status status = bvb_decompose( mesh, options, f->arena, &d, &error );
	if ( status != bv_ok )
	{
		fail_msg( "%s: %s", bv_status_text( status ), error.message );
	}
	return d;
}

// Binary32 corners, each used by faces; faces that meet in pairs and close a ball. By Euler's formula V - E + F = 2.
static inline void check_surface( const bvb_part* part, uint32_t max_vertices )
{
	assert_true( part->vertex_count >= 4 && part->vertex_count <= max_vertices );
	assert_int_equal( part->face_count, 2 * part->vertex_count - 4 );
	for ( uint32_t i = 0; i < part->vertex_count; ++i )
	{
		bv_vec3 p = part->positions[i];
		assert_true( isfinite( p.x ) && isfinite( p.y ) && isfinite( p.z ) );
		assert_true( to_float( p.x ) == p.x && to_float( p.y ) == p.y && to_float( p.z ) == p.z );
		for ( uint32_t k = 0; k < i; ++k )
		{
			bv_vec3 q = part->positions[k];
			assert_false( p.x == q.x && p.y == q.y && p.z == q.z );
		}
	}

	// From corner a to corner b leads one side at most, and if there is one, there is one back.
	enum
	{
		most = BVB_MAX_PART_VERTICES,
	};
	static bool side[most][most];
	memset( side, 0, sizeof side );
	bool used[most] = { 0 };
	for ( uint32_t i = 0; i < 3 * part->face_count; ++i )
	{
		uint32_t a = part->faces[i / 3].corner[i % 3];
		uint32_t b = part->faces[i / 3].corner[( i + 1 ) % 3];
		assert_true( a < part->vertex_count && b < part->vertex_count && a != b );
		assert_false( side[a][b] );
		side[a][b] = true;
		used[a] = true;
	}
	for ( uint32_t a = 0; a < part->vertex_count; ++a )
	{
		assert_true( used[a] );
		for ( uint32_t b = 0; b < part->vertex_count; ++b )
		{
			assert_true( side[a][b] == side[b][a] );
		}
	}
}

// How far a corner is beyond the plane of a face, at most, in 113 bits, as a part of what formats/bvh/README.md lets it: the plane of a
// needle may be tilted by what rounding does to that little.
static inline double bulge_of( const bvb_part* part )
{
	double reach = 0;
	for ( uint32_t i = 0; i < part->vertex_count; ++i )
	{
		bv_vec3 p = part->positions[i];
		reach = fmax( reach, fmax( fabs( p.x ), fmax( fabs( p.y ), fabs( p.z ) ) ) );
	}
	double most = 0;
	for ( uint32_t i = 0; i < part->face_count; ++i )
	{
		const uint32_t* c = part->faces[i].corner;
		quad3 u = quad_difference( part->positions[c[1]], part->positions[c[0]] );
		quad3 v = quad_difference( part->positions[c[2]], part->positions[c[0]] );
		quad3 n = quad_cross( u, v );
		quad area = quad_root( quad_dot( n, n ) );
		quad longer = fmax( (double)quad_root( quad_dot( u, u ) ), (double)quad_root( quad_dot( v, v ) ) );
		assert_true( area > 0 );
		for ( uint32_t k = 0; k < part->vertex_count; ++k )
		{
			quad3 w = quad_difference( part->positions[k], part->positions[c[0]] );
			quad height = quad_dot( n, w ) / area;
			quad allowed = 0x1p-36 * reach * ( 1 + quad_root( quad_dot( w, w ) ) * longer / area );
			most = fmax( most, (double)( height / allowed ) );
		}
	}
	return most;
}

// Tetrahedra between the first corner and the faces, in 113 bits, against what the part says.
static inline void check_mass( const bvb_part* part, double diagonal )
{
	quad sum = 0;
	quad first[3] = { 0 };
	quad second[3][3] = { { 0 } };
	bv_vec3 origin = part->positions[0];
	for ( uint32_t i = 0; i < part->face_count; ++i )
	{
		quad p[3][3];
		for ( int k = 0; k < 3; ++k )
		{
			quad3 d = quad_difference( part->positions[part->faces[i].corner[k]], origin );
			p[k][0] = d.x;
			p[k][1] = d.y;
			p[k][2] = d.z;
		}
		quad v = ( p[0][0] * ( p[1][1] * p[2][2] - p[1][2] * p[2][1] ) +
		           p[0][1] * ( p[1][2] * p[2][0] - p[1][0] * p[2][2] ) +
		           p[0][2] * ( p[1][0] * p[2][1] - p[1][1] * p[2][0] ) ) /
		         6;
		sum += v;
		for ( int a = 0; a < 3; ++a )
		{
			quad sum_a = p[0][a] + p[1][a] + p[2][a];
			first[a] += v * sum_a / 4;
			for ( int b = 0; b < 3; ++b )
			{
				quad sum_b = p[0][b] + p[1][b] + p[2][b];
				quad products = p[0][a] * p[0][b] + p[1][a] * p[1][b] + p[2][a] * p[2][b];
				second[a][b] += v * ( products + sum_a * sum_b ) / 20;
			}
		}
	}
	double mass = (double)sum;
	assert_true( mass > 0 );
	assert_true( fabs( part->mass.mass - mass ) <= 1e-9 * mass );

	const double at[3] = { part->mass.center_of_mass.x, part->mass.center_of_mass.y,
		                   part->mass.center_of_mass.z };
	const double from[3] = { origin.x, origin.y, origin.z };
	quad center[3];
	for ( int a = 0; a < 3; ++a )
	{
		center[a] = first[a] / sum;
		assert_true( fabs( (double)( from[a] + center[a] - at[a] ) ) <=
		             1e-9 * diagonal + 0x1p-50 * fabs( at[a] ) );
	}
	quad moment[3][3];
	for ( int a = 0; a < 3; ++a )
	{
		for ( int b = 0; b < 3; ++b )
		{
			moment[a][b] = second[a][b] - sum * center[a] * center[b];
		}
	}
	quad trace = moment[0][0] + moment[1][1] + moment[2][2];
	for ( int a = 0; a < 3; ++a )
	{
		for ( int b = 0; b < 3; ++b )
		{
			double expected = (double)( ( a == b ? trace : 0 ) - moment[a][b] );
			assert_true( fabs( part->mass.inertia[a][b] - expected ) <= 1e-9 * (double)trace );
		}
	}
}

static inline void check_box( const bvb_part* part )
{
	bv_aabb least = box_of( part->positions, part->vertex_count );
	assert_true( part->box.lower.x == least.lower.x && part->box.lower.y == least.lower.y &&
	             part->box.lower.z == least.lower.z );
	assert_true( part->box.upper.x == least.upper.x && part->box.upper.y == least.upper.y &&
	             part->box.upper.z == least.upper.z );
}

static inline void check_ascending( const uint32_t* list, uint32_t count, uint32_t end )
{
	for ( uint32_t i = 0; i < count; ++i )
	{
		assert_true( list[i] < end );
		assert_true( i == 0 || list[i - 1] < list[i] );
	}
}

// How far two parts are apart along an axis, times the axis' length; below 0 they overlap along it.
static inline quad gap_along( const bvb_part* a, const bvb_part* b, quad3 axis )
{
	const bvb_part* parts[2] = { a, b };
	quad lower[2];
	quad upper[2];
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t k = 0; k < parts[i]->vertex_count; ++k )
		{
			quad at = quad_dot( axis, quad_difference( parts[i]->positions[k], a->positions[0] ) );
			lower[i] = k == 0 || at < lower[i] ? at : lower[i];
			upper[i] = k == 0 || at > upper[i] ? at : upper[i];
		}
	}
	return lower[1] - upper[0] > lower[0] - upper[1] ? lower[1] - upper[0] : lower[0] - upper[1];
}

typedef struct axes
{
	bv_vec3* axis; // not of unit length
	uint32_t count;
} axes;

static inline axes normals_of( fixture* f, const bvb_part* part )
{
	axes result = { bvb_arena_allocate( f->arena, part->face_count, sizeof *result.axis ), part->face_count };
	for ( uint32_t i = 0; i < part->face_count; ++i )
	{
		const uint32_t* c = part->faces[i].corner;
		bv_vec3 u = plus( part->positions[c[1]], -1, part->positions[c[0]] );
		bv_vec3 v = plus( part->positions[c[2]], -1, part->positions[c[0]] );
		result.axis[i] = ( bv_vec3 ){ u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
	}
	return result;
}

static inline axes edges_of( fixture* f, const bvb_part* part )
{
	axes result = { bvb_arena_allocate( f->arena, 3 * (size_t)part->face_count, sizeof *result.axis ), 0 };
	for ( uint32_t i = 0; i < 3 * part->face_count; ++i )
	{
		uint32_t a = part->faces[i / 3].corner[i % 3];
		uint32_t b = part->faces[i / 3].corner[( i + 1 ) % 3];
		if ( a < b )
		{
			result.axis[result.count++] = plus( part->positions[b], -1, part->positions[a] );
		}
	}
	return result;
}

// How far apart along this axis in mesh units, at least; in binary64 first, in 113 bits where that is near 0.
static inline double gap_at( const bvb_part* a, const bvb_part* b, bv_vec3 axis, double diagonal )
{
	double size = length( axis );
	if ( !( size > 0 ) )
	{
		return -INFINITY;
	}
	double lower[2] = { INFINITY, INFINITY };
	double upper[2] = { -INFINITY, -INFINITY };
	const bvb_part* parts[2] = { a, b };
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t k = 0; k < parts[i]->vertex_count; ++k )
		{
			double at = dot( axis, plus( parts[i]->positions[k], -1, a->positions[0] ) ) / size;
			lower[i] = fmin( lower[i], at );
			upper[i] = fmax( upper[i], at );
		}
	}
	double gap = fmax( lower[1] - upper[0], lower[0] - upper[1] );
	if ( fabs( gap ) < 1e-6 * diagonal )
	{
		gap = (double)gap_along( a, b, ( quad3 ){ axis.x, axis.y, axis.z } ) / size;
	}
	return gap;
}

// Two convex polyhedra without a common point are apart along a normal of a face or a common normal of two edges. The
// greatest gap along any of them; not above 0 when they meet.
static inline double gap_of_parts( fixture* f, const bvb_part* a, const bvb_part* b, double diagonal )
{
	axes normals[2] = { normals_of( f, a ), normals_of( f, b ) };
	axes edges[2] = { edges_of( f, a ), edges_of( f, b ) };
	double most = -INFINITY;
	for ( int i = 0; i < 2; ++i )
	{
		for ( uint32_t k = 0; k < normals[i].count; ++k )
		{
			most = fmax( most, gap_at( a, b, normals[i].axis[k], diagonal ) );
		}
	}
	for ( uint32_t i = 0; i < edges[0].count && most <= 0; ++i )
	{
		for ( uint32_t k = 0; k < edges[1].count && most <= 0; ++k )
		{
			bv_vec3 u = edges[0].axis[i];
			bv_vec3 v = edges[1].axis[k];
			bv_vec3 axis = { u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x };
			most = fmax( most, gap_at( a, b, axis, diagonal ) );
		}
	}
	return most;
}

static inline bool is_neighbor( const bvb_part* part, uint32_t other )
{
	for ( uint32_t i = 0; i < part->neighbor_count; ++i )
	{
		if ( part->neighbors[i] == other )
		{
			return true;
		}
	}
	return false;
}

static inline bool boxes_meet( const bv_aabb* a, const bv_aabb* b )
{
	return a->lower.x <= b->upper.x && b->lower.x <= a->upper.x && a->lower.y <= b->upper.y &&
	       b->lower.y <= a->upper.y && a->lower.z <= b->upper.z && b->lower.z <= a->upper.z;
}

// Mutual, and exactly those that meet; gaps that are only just there may count as none.
static inline void check_neighbors( fixture* f, const bvb_decomposition* d, double diagonal )
{
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		const bvb_part* part = &d->parts[i];
		check_ascending( part->neighbors, part->neighbor_count, d->part_count );
		assert_false( is_neighbor( part, i ) );
		for ( uint32_t k = 0; k < i; ++k )
		{
			const bvb_part* other = &d->parts[k];
			bool neighbors = is_neighbor( part, k );
			assert_true( is_neighbor( other, i ) == neighbors );
			double gap =
				boxes_meet( &part->box, &other->box ) ? gap_of_parts( f, part, other, diagonal ) : INFINITY;
			assert_true( gap > 0 ? !neighbors || gap <= 1e-9 * diagonal : neighbors );
		}
	}
}

static inline bool encloses( const bv_aabb* outer, const bv_aabb* inner )
{
	return outer->lower.x <= inner->lower.x && outer->lower.y <= inner->lower.y &&
	       outer->lower.z <= inner->lower.z && outer->upper.x >= inner->upper.x &&
	       outer->upper.y >= inner->upper.y && outer->upper.z >= inner->upper.z;
}

// @return the node behind the subtree of `index`
static inline uint32_t check_node( const bvb_decomposition* d, uint32_t index, uint32_t* parts )
{
	assert_true( index < d->node_count );
	const bvb_part_node* node = &d->nodes[index];
	const double numbers[6] = { node->box.lower.x, node->box.lower.y, node->box.lower.z,
		                        node->box.upper.x, node->box.upper.y, node->box.upper.z };
	for ( int i = 0; i < 6; ++i )
	{
		assert_true( to_float( numbers[i] ) == numbers[i] );
	}
	if ( node->part != BVB_NO_PART )
	{
		// Parts are in the order of the leaves.
		assert_int_equal( node->part, *parts );
		assert_true( *parts < d->part_count );
		assert_true( encloses( &node->box, &d->parts[*parts].box ) );
		*parts += 1;
		assert_int_equal( node->next, index + 1 );
		return index + 1;
	}
	uint32_t first = *parts;
	uint32_t end = check_node( d, check_node( d, index + 1, parts ), parts );
	for ( uint32_t i = first; i < *parts; ++i )
	{
		assert_true( encloses( &node->box, &d->parts[i].box ) );
	}
	assert_int_equal( node->next, end );
	return end;
}

static inline void check_nodes( const bvb_decomposition* d )
{
	uint32_t parts = 0;
	assert_int_equal( d->node_count, 2 * d->part_count - 1 );
	assert_int_equal( check_node( d, 0, &parts ), d->node_count );
	assert_int_equal( parts, d->part_count );
}

// All that parts are, whatever they are to cover.
static inline void check_parts( fixture* f, const bvb_mesh* mesh, const bvb_decompose_options* options,
                                const bvb_decomposition* d )
{
	double diagonal = diagonal_of( mesh );
	uint32_t vertices = 0;
	double lower = 0;
	double upper = 0;
	bool* made = calloc( mesh->triangle_count, sizeof *made );
	assert_true( d->part_count >= 1 && d->part_count <= options->max_parts );
	assert_true( d->tolerance == options->tolerance );
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		const bvb_part* part = &d->parts[i];
		check_surface( part, options->max_vertices );
		double bulge = bulge_of( part );
		if ( !( bulge <= 1 ) )
		{
			fail_msg( "a corner of part %u is beyond a face by %g times what rounding is taken to do", i,
			          bulge );
		}
		check_mass( part, diagonal );
		check_box( part );
		check_ascending( part->triangles, part->triangle_count, mesh->triangle_count );
		for ( uint32_t k = 0; k < part->triangle_count; ++k )
		{
			made[part->triangles[k]] = true;
		}
		assert_true( part->concavity.lower >= 0 && part->concavity.lower <= part->concavity.upper );
		assert_true( isfinite( part->concavity.upper ) );
		vertices += part->vertex_count;
		lower = fmax( lower, part->concavity.lower );
		upper = fmax( upper, part->concavity.upper );
	}
	for ( uint32_t i = 0; i < mesh->triangle_count; ++i )
	{
		assert_true( made[i] );
	}
	free( made );
	assert_int_equal( d->vertices, vertices );

	// The whole knows at least what its parts know.
	assert_true( d->concavity.lower >= lower && d->concavity.upper <= upper );
	assert_true( d->concavity.lower <= d->concavity.upper );
	assert_true( d->uncovered >= 0 && isfinite( d->uncovered ) );
	check_neighbors( f, d, diagonal );
	check_nodes( d );
}

// Parts ready for asking where points are.
typedef struct cover
{
	const bvb_decomposition* d;
	nearest_faces* faces;        // by part
	long double ( **planes )[4]; // by part and face, unit normals and offsets from `origin`
	bv_vec3 origin;
} cover;

static inline cover cover_create( fixture* f, const bvb_decomposition* d )
{
	cover c = {
		.d = d,
		.faces = bvb_arena_allocate( f->arena, d->part_count, sizeof *c.faces ),
		.planes = bvb_arena_allocate( f->arena, d->part_count, sizeof *c.planes ),
		.origin = d->parts[0].positions[0],
	};
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		const bvb_part* part = &d->parts[i];
		bvb_mesh surface = { .positions = part->positions,
			                 .triangles = part->faces,
			                 .vertex_count = part->vertex_count,
			                 .triangle_count = part->face_count };
		assert_true( nearest_prepare( &surface, 0, part->face_count, &c.faces[i] ) );
		c.planes[i] = bvb_arena_allocate( f->arena, part->face_count, sizeof *c.planes[i] );
		for ( uint32_t k = 0; k < part->face_count; ++k )
		{
			const uint32_t* corner = part->faces[k].corner;
			bv_vec3 a = part->positions[corner[0]];
			quad3 n = quad_cross( quad_difference( part->positions[corner[1]], a ),
			                      quad_difference( part->positions[corner[2]], a ) );
			quad size = quad_root( quad_dot( n, n ) );
			c.planes[i][k][0] = (long double)( n.x / size );
			c.planes[i][k][1] = (long double)( n.y / size );
			c.planes[i][k][2] = (long double)( n.z / size );
			c.planes[i][k][3] = (long double)( quad_dot( n, quad_difference( a, c.origin ) ) / size );
		}
	}
	return c;
}

static inline void cover_free( cover* c )
{
	for ( uint32_t i = 0; i < c->d->part_count; ++i )
	{
		nearest_free( &c->faces[i] );
	}
}

// How far a point is beyond the planes of a part, at most; not above 0 in the part, nor beyond it by no more than planes are known to:
// the distance to a face that is a sliver is not known as well.
static inline double beyond_planes( const cover* c, uint32_t part, bv_vec3 p )
{
	long double most = -INFINITY;
	long double x = (long double)p.x - c->origin.x;
	long double y = (long double)p.y - c->origin.y;
	long double z = (long double)p.z - c->origin.z;
	for ( uint32_t i = 0; i < c->d->parts[part].face_count; ++i )
	{
		const long double* plane = c->planes[part][i];
		long double at = plane[0] * x + plane[1] * y + plane[2] * z - plane[3];
		most = at > most ? at : most;
	}
	long double known = 0x1p-60L * ( fabsl( x ) + fabsl( y ) + fabsl( z ) );
	return most > 0 && most <= known ? 0 : (double)most;
}

static inline double distance_to_part( const cover* c, uint32_t part, bv_vec3 p )
{
	return beyond_planes( c, part, p ) <= 0 ? 0 : nearest_distance( &c->faces[part], p, NULL );
}

// The distance to the nearest part.
static inline double distance_to_parts( const cover* c, bv_vec3 p )
{
	double least = INFINITY;
	for ( uint32_t i = 0; i < c->d->part_count && least > 0; ++i )
	{
		if ( beyond_planes( c, i, p ) < least )
		{
			least = fmin( least, distance_to_part( c, i, p ) );
		}
	}
	return least;
}

static inline bv_vec3 point_of_triangle( const bvb_mesh* mesh, uint32_t triangle, double s, double t )
{
	const uint32_t* c = mesh->triangles[triangle].corner;
	bv_vec3 a = mesh->positions[c[0]];
	if ( s + t > 1 )
	{
		s = 1 - s;
		t = 1 - t;
	}
	bv_vec3 p = plus( a, s, plus( mesh->positions[c[1]], -1, a ) );
	return plus( p, t, plus( mesh->positions[c[2]], -1, a ) );
}

static inline int compare_indices( const void* left, const void* right )
{
	uint32_t a = *(const uint32_t*)left;
	uint32_t b = *(const uint32_t*)right;
	return ( a > b ) - ( a < b );
}

static inline bool is_inside( const nearest_faces* faces, bv_vec3 p )
{
	return nearest_winding( faces, p ) >= 0.5;
}

static inline bool is_closed( fixture* f, const bvb_mesh* mesh )
{
	bvb_topology topology;
	assert_int_equal( bvb_mesh_topology( mesh, f->arena, &topology, NULL, NULL ), bv_ok );
	return topology.closed;
}

// Every corner, `samples` random points of the surface and of the inside of what is solid and closed are in a part, or no farther from
// one than is said; and those of a triangle are in one of the parts that were made to cover it.
// @param mesh  facing outwards, if it is solid
static inline void check_cover( fixture* f, const bvb_mesh* mesh, const bvb_decomposition* d,
                                uint32_t samples )
{
	double slack = 1e-12 * diagonal_of( mesh ) + 0x1p-48 * reach_of( mesh );
	cover c = cover_create( f, d );
	for ( uint32_t i = 0; i < mesh->vertex_count; ++i )
	{
		assert_true( distance_to_parts( &c, mesh->positions[i] ) <= d->uncovered + slack );
	}
	for ( uint32_t i = 0; i < samples; ++i )
	{
		uint32_t triangle = (uint32_t)( random_unit( f ) * mesh->triangle_count );
		double s = random_unit( f );
		bv_vec3 p = point_of_triangle( mesh, triangle, s, random_unit( f ) );
		assert_true( distance_to_parts( &c, p ) <= d->uncovered + slack );
		double least = INFINITY;
		for ( uint32_t k = 0; k < d->part_count && least > d->uncovered + slack; ++k )
		{
			const bvb_part* part = &d->parts[k];
			if ( bsearch( &triangle, part->triangles, part->triangle_count, sizeof triangle,
			              compare_indices ) )
			{
				least = fmin( least, distance_to_part( &c, k, p ) );
			}
		}
		assert_true( least <= d->uncovered + slack );
	}
	nearest_faces faces;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	bv_aabb box = box_of( mesh->positions, mesh->vertex_count );
	bool has_inside = d->solid && is_closed( f, mesh );
	for ( uint32_t i = 0; has_inside && i < samples; ++i )
	{
		bv_vec3 u = random_point( f );
		bv_vec3 p = { box.lower.x + u.x * ( box.upper.x - box.lower.x ),
			          box.lower.y + u.y * ( box.upper.y - box.lower.y ),
			          box.lower.z + u.z * ( box.upper.z - box.lower.z ) };
		if ( is_inside( &faces, p ) && !( distance_to_parts( &c, p ) <= d->uncovered + slack ) )
		{
			fail_msg( "(%g, %g, %g) is inside and %g from all parts, not %g", p.x, p.y, p.z,
			          distance_to_parts( &c, p ), d->uncovered );
		}
	}
	nearest_free( &faces );
	cover_free( &c );
}

// Whether something is inside of an open mesh no farther from a point than `within`, by brute force: random places, and steps uphill from
// the best of these.
static inline bool is_near_inside( const nearest_faces* faces, bv_vec3 point, double within )
{
	uint64_t state = 1;
	double most = nearest_winding( faces, point );
	bv_vec3 best = { 0, 0, 0 };
	for ( int i = 0; i < 3000 && most < 0.5; ++i )
	{
		double size = i < 1000 ? 1 : ldexp( 1, -( i % 12 ) );
		bv_vec3 d = { best.x + within * size * random_coordinate( &state ),
			          best.y + within * size * random_coordinate( &state ),
			          best.z + within * size * random_coordinate( &state ) };
		double length = sqrt( d.x * d.x + d.y * d.y + d.z * d.z );
		double back = length > within ? within / length : 1;
		d = ( bv_vec3 ){ back * d.x, back * d.y, back * d.z };
		double w = nearest_winding( faces, ( bv_vec3 ){ point.x + d.x, point.y + d.y, point.z + d.z } );
		best = w > most ? d : best;
		most = fmax( most, w );
	}
	return most >= 0.5;
}

// Samples of a part, farthest first, by brute force: none is farther from the shape than is said, and some is nearly as far
// as it must be. Next to the opening of an open mesh it counts that something inside is near.
// @return the farthest
static inline double check_concavity_of_part( const bvb_decomposition* d, uint32_t index,
                                              const nearest_faces* faces, double slack, double missed,
                                              uint64_t samples )
{
	const bvb_part* part = &d->parts[index];
	uint32_t vertices[BVB_MAX_PART_VERTICES];
	for ( uint32_t i = 0; i < part->vertex_count; ++i )
	{
		vertices[i] = i;
	}
	bvb_hull hull = { .kind = bv_hull_polyhedron,
		              .vertices = vertices,
		              .vertex_count = part->vertex_count,
		              .faces = part->faces,
		              .face_count = part->face_count,
		              .volume = part->mass.mass };
	volume* v = volume_of_hull( part->positions, &hull );
	sampling_options options = sampling_options_default();
	options.measure = d->solid ? bvb_hausdorff_outside : bvb_hausdorff_solid;
	options.samples = samples;
	options.climb = 2000;
	options.seed = 1 + index;
	sampling_result farthest;
	assert_non_null( v );
	assert_true( sampling_farthest( v, faces, &options, &farthest ) );
	if ( farthest.distance < 0.8 * part->concavity.lower - missed )
	{
		// What stands off is only a little of the part.
		options.samples = 100 * samples;
		assert_true( sampling_farthest( v, faces, &options, &farthest ) );
	}
	volume_free( v );
	if ( farthest.distance > part->concavity.upper + slack && d->solid &&
	     is_near_inside( faces, farthest.point, part->concavity.upper + slack ) )
	{
		farthest.distance = part->concavity.upper;
	}
	if ( !( farthest.distance <= part->concavity.upper + slack &&
	        farthest.distance >= 0.8 * part->concavity.lower - missed ) )
	{
		fail_msg( "part %u: [%g, %g] is certified, a sample is at %g", index, part->concavity.lower,
		          part->concavity.upper, farthest.distance );
	}
	return farthest.distance;
}

// @param mesh  facing outwards, if it is solid
static inline void check_concavity( const bvb_mesh* mesh, const bvb_decomposition* d, uint64_t samples )
{
	double slack = 1e-12 * diagonal_of( mesh ) + 0x1p-48 * reach_of( mesh );

	// Samples find no dents of the size of a step of binary32.
	double missed = 0x1p-20 * reach_of( mesh );
	double farthest = 0;
	nearest_faces faces;
	assert_true( nearest_prepare( mesh, 0, mesh->triangle_count, &faces ) );
	for ( uint32_t i = 0; i < d->part_count; ++i )
	{
		farthest = fmax( farthest, check_concavity_of_part( d, i, &faces, slack, missed, samples ) );
	}
	nearest_free( &faces );
	assert_true( farthest <= d->concavity.upper + slack );
	assert_true( farthest >= 0.8 * d->concavity.lower - missed );
}

static inline void check_same_part( const bvb_part* a, const bvb_part* b )
{
	assert_int_equal( a->vertex_count, b->vertex_count );
	assert_int_equal( a->face_count, b->face_count );
	assert_int_equal( a->neighbor_count, b->neighbor_count );
	assert_int_equal( a->triangle_count, b->triangle_count );
	assert_true( same_bytes( a->positions, b->positions, a->vertex_count * sizeof *a->positions ) );
	assert_true( same_bytes( a->faces, b->faces, a->face_count * sizeof *a->faces ) );
	assert_true( same_bytes( a->neighbors, b->neighbors, a->neighbor_count * sizeof *a->neighbors ) );
	assert_true( same_bytes( a->triangles, b->triangles, a->triangle_count * sizeof *a->triangles ) );
	assert_true( same_bytes( &a->box, &b->box, sizeof a->box ) );
	assert_true( same_bytes( &a->mass, &b->mass, sizeof a->mass ) );
	assert_true( same_bytes( &a->concavity, &b->concavity, sizeof a->concavity ) );
}

// To the last bit.
static inline void check_same( const bvb_decomposition* a, const bvb_decomposition* b )
{
	assert_int_equal( a->part_count, b->part_count );
	assert_int_equal( a->node_count, b->node_count );
	for ( uint32_t i = 0; i < a->part_count; ++i )
	{
		check_same_part( &a->parts[i], &b->parts[i] );
	}
	for ( uint32_t i = 0; i < a->node_count; ++i )
	{
		assert_true( same_bytes( &a->nodes[i].box, &b->nodes[i].box, sizeof a->nodes[i].box ) );
		assert_int_equal( a->nodes[i].next, b->nodes[i].next );
		assert_int_equal( a->nodes[i].part, b->nodes[i].part );
	}
	assert_int_equal( a->solid, b->solid );
	assert_int_equal( a->out_of_time, b->out_of_time );
	assert_true( same_bytes( &a->concavity, &b->concavity, sizeof a->concavity ) );
	assert_true( same_bytes( &a->uncovered, &b->uncovered, sizeof a->uncovered ) );
	assert_int_equal( a->vertices, b->vertices );
	assert_int_equal( a->steps, b->steps );
}
