// What tests of deformable meshes share: files to deform, deformations, and what every refit must give. Volumes are decoded by
// plain_nodes.h. Enclosure is decided in 113-bit arithmetic (trees.h), and once more by what `bvinspect --verify` proves it with.

#pragma once

#include "tests/unit/deform/plain_nodes.h"
#include "tests/unit/trees.h"

#include "bvworld/deform.h"
#include "offline/verify/verify.h"

enum
{
	guard_bytes = 64,
	guard_value = 0xa5,
};

// A deformable mesh in a block of exactly the size that it needs, between guards, and the positions that it should have.
typedef struct bent
{
	const bv_file* file;
	bvw_deform* deform;
	unsigned char* block; // with guards
	size_t bytes;         // without
	uint32_t vertices;
	double* positions; // x, y, z of each, with the offset
	double diagonal;   // of the file's vertices
	bool turns;        // frames turn
	plain_nodes before;
} bent;

static inline void* begin_block( size_t bytes, unsigned char** block )
{
	*block = malloc( bytes + 2 * guard_bytes );
	memset( *block, guard_value, bytes + 2 * guard_bytes );
	return *block + guard_bytes;
}

static inline void assert_guards( const bent* b )
{
	for ( int i = 0; i < guard_bytes; ++i )
	{
		assert_int_equal( b->block[i], guard_value );
		assert_int_equal( b->block[guard_bytes + b->bytes + (size_t)i], guard_value );
	}
}

static inline void reset_positions( bent* b )
{
	for ( uint32_t i = 0; i < b->vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( b->file, i );
		memcpy( b->positions + 3 * (size_t)i, &p, sizeof p );
	}
}

static inline bent bend_file( fixture* f, const bv_file* file, const bvw_deform_options* options )
{
	bent b = { .file = file, .bytes = bvw_deform_bytes( file, options ) };
	assert_true( b.bytes > 0 );
	void* memory = begin_block( b.bytes, &b.block );
	assert_int_equal( bvw_deform_begin( file, options, memory, b.bytes, &b.deform ), bv_ok );
	assert_ptr_equal( b.deform, memory );
	b.vertices = bv_file_get_mesh( file ).vertices;
	b.positions = bvb_arena_allocate( f->arena, 3 * (size_t)b.vertices, sizeof *b.positions );
	reset_positions( &b );
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t i = 0; i < b.vertices; ++i )
	{
		bv_vec3 p = bv_file_get_vertex( file, i );
		lower = ( bv_vec3 ){ fmin( lower.x, p.x ), fmin( lower.y, p.y ), fmin( lower.z, p.z ) };
		upper = ( bv_vec3 ){ fmax( upper.x, p.x ), fmax( upper.y, p.y ), fmax( upper.z, p.z ) };
	}
	b.diagonal =
		sqrt( ( upper.x - lower.x ) * ( upper.x - lower.x ) + ( upper.y - lower.y ) * ( upper.y - lower.y ) +
	          ( upper.z - lower.z ) * ( upper.z - lower.z ) );
	b.before = plain_nodes_of( f, file );
	b.turns = options && options->frames == bvw_deform_turn;
	return b;
}

static inline void end_bent( bent* b )
{
	assert_guards( b );
	free( b->block );
}

static inline bvw_vertices vertices_of( const bent* b )
{
	return ( bvw_vertices ){ .positions = b->positions, .count = b->vertices };
}

static inline void refit_all( bent* b )
{
	bvw_vertices v = vertices_of( b );
	bvw_deform_report report = { 0 };
	assert_int_equal( bvw_deform_refit( b->deform, &v, NULL, 0, &report ), bv_ok );
	assert_int_equal( report.vertices, b->vertices );
	assert_int_equal( report.nodes, b->before.count );
}

// The bytes of the file inside, which a refit may change.
static inline size_t image_bytes( const bent* b )
{
	uint64_t bytes;
	memcpy( &bytes, (const char*)bvw_deform_file( b->deform ) + 24, sizeof bytes );
	return (size_t)bytes;
}

static inline void assert_same_images( const bent* a, const bent* b )
{
	assert_int_equal( image_bytes( a ), image_bytes( b ) );
	assert_memory_equal( bvw_deform_file( a->deform ), bvw_deform_file( b->deform ), image_bytes( a ) );
}

// The kinds of deformation that `deform` knows.
enum
{
	deform_noise,  // a fraction of the vertices by up to the diagonal
	deform_affine, // turned, sheared and scaled
	deform_flat,   // to a plane
	deform_line,   // to a line
	deform_spike,  // one vertex far away
	deform_part,   // all vertices on one side of a plane move together
	deform_wave,   // a sine wave of the length of the diagonal
	deform_corners, // to the corners of a tetrahedron: oriented boxes are centered outside of axis-aligned ones
	deform_point,   // to one point
	deform_axis_plane, // to a plane of two axes
	deform_decades,    // each vertex nearer to 0 by a power of ten of its own, down to denormal numbers
	deform_kinds,
};

static inline double random_sign( fixture* f )
{
	return 2 * random_unit( f ) - 1;
}

static inline void move_noisily( fixture* f, bent* b, double fraction, double most )
{
	for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
	{
		if ( random_unit( f ) < fraction )
		{
			double size = most * pow( random_unit( f ), 3 ) / sqrt( 3 );
			for ( uint32_t k = 0; k < 3; ++k )
			{
				b->positions[i + k] += size * random_sign( f );
			}
		}
	}
}

// p = m p + t about the first vertex, with a matrix of random numbers of magnitude up to 1.
static inline void move_affinely( fixture* f, bent* b, double m[3][3] )
{
	double at[3] = { b->positions[0], b->positions[1], b->positions[2] };
	double to[3];
	for ( int k = 0; k < 3; ++k )
	{
		to[k] = at[k] + b->diagonal * random_sign( f );
	}
	for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
	{
		double p[3];
		for ( uint32_t k = 0; k < 3; ++k )
		{
			p[k] = b->positions[i + k] - at[k];
		}
		for ( uint32_t k = 0; k < 3; ++k )
		{
			b->positions[i + k] = to[k] + m[k][0] * p[0] + m[k][1] * p[1] + m[k][2] * p[2];
		}
	}
}

// Moves vertices by up to about the diagonal of the file.
static inline void deform( fixture* f, bent* b, int kind )
{
	double m[3][3];
	for ( int i = 0; i < 9; ++i )
	{
		m[i / 3][i % 3] = random_sign( f );
	}
	double d = b->diagonal;
	switch ( kind )
	{
	case deform_noise:
	{
		static const double fractions[] = { 0.01, 0.1, 0.5, 1 };
		move_noisily( f, b, fractions[random_bits( f ) % 4], d );
		break;
	}
	case deform_affine: move_affinely( f, b, m ); break;
	case deform_flat:
		for ( int k = 0; k < 3; ++k )
		{
			m[2][k] = m[0][k] - 2 * m[1][k];
		}
		move_affinely( f, b, m );
		break;
	case deform_line:
		for ( int k = 0; k < 3; ++k )
		{
			m[1][k] = 3 * m[0][k];
			m[2][k] = -m[0][k];
		}
		move_affinely( f, b, m );
		break;
	case deform_spike:
	{
		size_t i = 3 * ( random_bits( f ) % b->vertices );
		b->positions[i + random_bits( f ) % 3] += 50 * d * random_sign( f );
		break;
	}
	case deform_part:
		for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
		{
			const double* p = b->positions + i;
			bool moves = m[0][0] * ( p[0] - b->positions[0] ) + m[0][1] * ( p[1] - b->positions[1] ) > 0;
			for ( uint32_t k = 0; k < 3 && moves; ++k )
			{
				b->positions[i + k] += d * m[1][k];
			}
		}
		break;
	case deform_wave:
		for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
		{
			b->positions[i + 1] +=
				d * m[0][0] * sin( 6 * ( b->positions[i] - b->positions[0] ) / d + m[0][1] );
		}
		break;
	case deform_corners:
		for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
		{
			uint64_t corner = random_bits( f ) % 4;
			for ( uint32_t k = 0; k < 3; ++k )
			{
				b->positions[i + k] = corner < 3 ? d * m[corner][k] : 0;
			}
		}
		break;
	case deform_point:
		for ( uint32_t i = 3; i < 3 * b->vertices; ++i )
		{
			b->positions[i] = b->positions[i % 3];
		}
		break;
	case deform_decades:
		for ( uint32_t i = 0; i < 3 * b->vertices; i += 3 )
		{
			double scale = pow( 10, -45 * random_unit( f ) * random_unit( f ) );
			for ( uint32_t k = 0; k < 3; ++k )
			{
				b->positions[i + k] *= scale;
			}
		}
		break;
	default:
		for ( uint32_t i = random_bits( f ) % 3; i < 3 * b->vertices; i += 3 )
		{
			b->positions[i] = d * m[0][0];
		}
	}
}

// The mesh of a file, without its offset.
static inline bvb_mesh mesh_inside( fixture* f, const bv_file* file )
{
	bv_mesh_info info = bv_file_get_mesh( file );
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, info.vertices, sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, info.triangles, sizeof *mesh.triangles ),
		.vertex_count = info.vertices,
		.triangle_count = info.triangles,
	};
	const float* p = plain_positions( file );
	for ( uint32_t i = 0; i < info.vertices; ++i )
	{
		mesh.positions[i] = ( bv_vec3 ){ p[3 * i], p[3 * i + 1], p[3 * i + 2] };
	}
	for ( uint32_t i = 0; i < info.triangles; ++i )
	{
		bv_file_get_triangle( file, i, mesh.triangles[i].corner );
	}
	return mesh;
}

// A cheap test in binary64 that is right where it says yes.
static inline bool surely_holds( const bv_volume* v, bv_vec3 p )
{
	const double u = 0x1p-44;
	if ( v->type == bv_volume_obb )
	{
		bv_vec3 c = v->obb.center;
		double size = fabs( p.x ) + fabs( p.y ) + fabs( p.z ) + fabs( c.x ) + fabs( c.y ) + fabs( c.z );
		for ( int k = 0; k < 3; ++k )
		{
			bv_vec3 a = v->obb.axis[k];
			double at = a.x * ( p.x - c.x ) + a.y * ( p.y - c.y ) + a.z * ( p.z - c.z );
			if ( !( fabs( at ) + u * size < v->obb.half_extents[k] ) )
			{
				return false;
			}
		}
		return true;
	}
	return false;
}

static inline void assert_holds( const plain_node* node, uint32_t number, bv_vec3 p )
{
	if ( !surely_holds( &node->volume, p ) && !volume_holds( &node->volume, p ) )
	{
		fail_msg( "node %u, a %s of %u triangles, does not hold ( %.9g, %.9g, %.9g )", number,
		          bv_volume_type_name( node->volume.type ), node->triangles, p.x, p.y, p.z );
	}
}

static inline void assert_encloses( const plain_nodes* nodes, const bvb_mesh* mesh )
{
	for ( uint32_t i = 0; i < nodes->count; ++i )
	{
		const plain_node* node = nodes->node + i;
		for ( uint32_t k = 0; k < 3 * node->triangles; ++k )
		{
			const uint32_t* corner = mesh->triangles[node->first_triangle + k / 3].corner;
			assert_holds( node, i, mesh->positions[corner[k % 3]] );
		}
	}
}

// By what `bvinspect --verify` does with the nodes of a file, which has checksums as well.
static inline void assert_verifies( const bv_file* file, const bvb_mesh* mesh )
{
	bvb_verify_result result = { 0 };
	bvverify_verification v = { .file = file, .mesh = mesh, .result = &result };
	bvb_error error = { "" };
	if ( bvverify_section_nodes( &v, &error ) != bv_ok )
	{
		fail_msg( "%s", error.message );
	}
	assert_true( result.enclosures >= 3 * (uint64_t)mesh->triangle_count );
}

// Nodes have the triangles and the types that they had, and the axes if these are kept.
static inline void assert_same_tree( const plain_nodes* before, const plain_nodes* after, bool turns )
{
	assert_int_equal( before->count, after->count );
	for ( uint32_t i = 0; i < before->count; ++i )
	{
		const plain_node* a = before->node + i;
		const plain_node* b = after->node + i;
		assert_true( a->volume.type == b->volume.type && a->is_leaf == b->is_leaf && a->parent == b->parent );
		assert_int_equal( a->first_triangle, b->first_triangle );
		assert_int_equal( a->triangles, b->triangles );
		assert_true( turns || a->turned[1] == b->turned[1] );
		assert_true( turns || a->turned[0] >> 30 == b->turned[0] >> 30 );
	}
}

// Positions are stored as binary32 numbers about the offset of the file.
static inline void assert_stored( const bent* b )
{
	bv_mesh_info info = bv_file_get_mesh( bvw_deform_file( b->deform ) );
	assert_int_equal( info.vertices, b->vertices );
	const float* stored = plain_positions( bvw_deform_file( b->deform ) );
	bv_vec3 o = bv_file_get_offset( b->file );
	const double offset[3] = { o.x, o.y, o.z };
	for ( uint32_t i = 0; i < 3 * b->vertices; ++i )
	{
		float expected = (float)( b->positions[i] - offset[i % 3] );
		assert_true( stored[i] == expected );
	}
}

// All that any refit must give.
// @return the nodes as they are now, for other checks
static inline plain_nodes check_bent( fixture* f, const bent* b, bvb_mesh* mesh )
{
	const bv_file* file = bvw_deform_file( b->deform );
	*mesh = mesh_inside( f, file );
	plain_nodes nodes = plain_nodes_of( f, file );
	assert_same_tree( &b->before, &nodes, b->turns );
	assert_stored( b );
	assert_encloses( &nodes, mesh );
	assert_verifies( file, mesh );
	return nodes;
}
