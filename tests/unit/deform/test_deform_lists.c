// Refits of vertices that are listed give the same bytes as refits of all, whatever was refitted before, and in whatever form positions
// are given.

#include "tests/unit/deform/bent_meshes.h"

#include <stdio.h>

// Positions in one of the forms that a caller can have them in.
typedef struct given
{
	bvw_vertices vertices;
	unsigned char* memory;
	uint32_t* index;
} given;

enum
{
	given_forms = 8, // bit 0: binary32; bit 1: with an index; bit 2: farther apart
};

// Positions that are not to be read are NaN. With an index they are stored in reverse order, behind one that belongs to no vertex.
static given give( const bent* b, int form, const bool* wanted )
{
	bool is_float = form & 1;
	bool has_index = form & 2;
	uint32_t size = is_float ? 4 : 8;
	uint32_t stride = 3 * size + ( form & 4 ? 5 * size : 0 );
	uint32_t count = b->vertices + ( has_index ? 1 : 0 );
	given g = { .memory = malloc( (size_t)stride * count ), .index = malloc( 4 * (size_t)b->vertices ) };
	memset( g.memory, 0xff, (size_t)stride * count );
	for ( uint32_t i = 0; i < b->vertices; ++i )
	{
		g.index[i] = has_index ? b->vertices - i : i;
		for ( uint32_t k = 0; k < 3; ++k )
		{
			double x = wanted && !wanted[i] ? NAN : b->positions[3 * i + k];
			float rounded = (float)x;
			unsigned char* to = g.memory + (size_t)stride * g.index[i] + size * (size_t)k;
			memcpy( to, is_float ? (void*)&rounded : (void*)&x, size );
		}
	}
	g.vertices = ( bvw_vertices ){ .stride = form & 4 ? stride : 0, .count = count };
	g.vertices.index = has_index ? g.index : NULL;
	g.vertices.floats = is_float ? (const float*)(const void*)g.memory : NULL;
	g.vertices.positions = is_float ? NULL : (const double*)(const void*)g.memory;
	return g;
}

static void end_given( given* g )
{
	free( g->memory );
	free( g->index );
}

static void refit_whole( bent* b, int form )
{
	given g = give( b, form, NULL );
	assert_int_equal( bvw_deform_refit( b->deform, &g.vertices, NULL, 0, NULL ), bv_ok );
	end_given( &g );
}

// A list of the vertices that moved, in any order, some of them repeated, and some that did not move.
static uint32_t list_moved( fixture* f, const bent* b, const double* before, bool* wanted, uint32_t* list )
{
	uint32_t count = 0;
	for ( uint32_t i = 0; i < b->vertices; ++i )
	{
		bool moved = memcmp( b->positions + 3 * (size_t)i, before + 3 * (size_t)i, 3 * sizeof *before ) != 0;
		wanted[i] = moved || random_bits( f ) % 50 == 0;
		for ( uint32_t k = wanted[i] ? 1 + ( random_bits( f ) % 8 == 0 ) : 0; k > 0; --k )
		{
			list[count++] = i;
		}
	}
	for ( uint32_t i = count; i > 1; --i )
	{
		uint32_t k = (uint32_t)( random_bits( f ) % i );
		uint32_t other = list[k];
		list[k] = list[i - 1];
		list[i - 1] = other;
	}
	return count;
}

static void refit_listed( fixture* f, bent* b, const double* before, int form, bvw_deform_report* report )
{
	bool* wanted = malloc( b->vertices );
	uint32_t* list = malloc( 2 * sizeof *list * b->vertices );
	uint32_t count = list_moved( f, b, before, wanted, list );
	given g = give( b, form, wanted );
	assert_int_equal( bvw_deform_refit( b->deform, &g.vertices, list, count, report ), bv_ok );
	assert_int_equal( report->vertices, count );
	assert_true( report->nodes <= b->before.count && ( count == 0 ) == ( report->nodes == 0 ) );
	end_given( &g );
	free( wanted );
	free( list );
}

static void round_to_floats( bent* b )
{
	for ( uint32_t i = 0; i < 3 * b->vertices; ++i )
	{
		b->positions[i] = (float)b->positions[i];
	}
}

// Moves vertices so that sometimes the grid changes, and sometimes the box of all vertices does not.
static void deform_a_little( fixture* f, bent* b, int step )
{
	size_t i = 3 * ( random_bits( f ) % b->vertices );
	switch ( step % 6 )
	{
	case 0: move_noisily( f, b, 0.01 + 2.0 / b->vertices, 0.1 * b->diagonal ); break;
	case 1: // far away
		b->positions[i] += 1e6 * b->diagonal;
		break;
	case 2: // and back, with all others
		reset_positions( b );
		break;
	case 3: move_noisily( f, b, 0.1, b->diagonal ); break;
	case 4: // nothing
		break;
	default: deform( f, b, (int)( random_bits( f ) % deform_kinds ) );
	}
}

static void listed_refits_give_the_bytes_of_whole_ones( void** state )
{
	fixture* f = *state;
	int steps = is_thorough() ? 240 : 12;
	uint64_t refits = 0;
	uint64_t partial = 0;
	for ( int mesh = 0; mesh < bent_meshes; ++mesh )
	{
		for ( int volumes = mesh % 2; volumes < bent_volumes; volumes += is_thorough() ? 1 : 2 )
		{
			const bv_file* file = bent_file( f, mesh, volumes );
			bvw_deform_options options = { .frames = bvw_deform_keep };
			options.frames = ( mesh + volumes ) % 3 == 0 ? bvw_deform_turn : bvw_deform_keep;
			bent all = bend_file( f, file, &options );
			bent some = bend_file( f, file, &options );
			double* before = malloc( 3 * sizeof *before * all.vertices );
			for ( int i = 0; i < steps; ++i )
			{
				memcpy( before, all.positions, 3 * sizeof *before * all.vertices );
				deform_a_little( f, &all, i );
				int form = (int)( random_bits( f ) % given_forms );
				if ( form & 1 )
				{
					round_to_floats( &all );
				}
				memcpy( some.positions, all.positions, 3 * sizeof *before * all.vertices );
				bvw_deform_report report;
				refit_whole( &all, form & 1 ? form : form & 6 );
				refit_listed( f, &some, before, form, &report );
				assert_same_images( &all, &some );
				partial += !report.whole;
				++refits;
			}

			// Neither depends on what was before.
			bent fresh = bend_file( f, file, &options );
			memcpy( fresh.positions, all.positions, 3 * sizeof *before * all.vertices );
			refit_whole( &fresh, 0 );
			assert_same_images( &all, &fresh );
			end_bent( &fresh );
			end_bent( &all );
			end_bent( &some );
			free( before );
		}
	}
	printf( "%llu lists, %llu did not change the grid\n", (unsigned long long)refits,
	        (unsigned long long)partial );
	assert_true( partial > refits / 4 && partial < refits );
}

// One vertex of a mesh that is not at its border: only the nodes that have it, and their ancestors.
static void one_vertex_refits_few_nodes( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 24 );
	bvb_asset_options options = plain_options();
	bent b = bend_file( f, build_file( f, &mesh, &options ), NULL );
	uint32_t most = 0;
	for ( uint32_t i = 0; i < b.vertices; i += 7 )
	{
		for ( int k = 0; k < 3; ++k )
		{
			b.positions[3 * i + (uint32_t)k] *= 0.999;
		}
		bvw_vertices v = vertices_of( &b );
		bvw_deform_report report;
		assert_int_equal( bvw_deform_refit( b.deform, &v, &i, 1, &report ), bv_ok );
		assert_int_equal( report.vertices, 1 );
		most = !report.whole && report.nodes > most ? report.nodes : most;
	}
	bvb_mesh now;
	check_bent( f, &b, &now );
	assert_true( most > 0 && most < b.before.count / 8 );
	end_bent( &b );
}

// The outermost vertex in a random direction, or along an axis.
static uint32_t outermost( fixture* f, const bent* b )
{
	int axis = (int)( random_bits( f ) % 6 );
	double d[3];
	for ( int k = 0; k < 3; ++k )
	{
		d[k] = axis < 3 ? k == axis : random_sign( f );
	}
	uint32_t found = 0;
	double most = -INFINITY;
	for ( uint32_t i = 0; i < b->vertices; ++i )
	{
		const double* p = b->positions + 3 * (size_t)i;
		double along = d[0] * p[0] + d[1] * p[1] + d[2] * p[2];
		found = along > most ? i : found;
		most = along > most ? along : most;
	}
	return found;
}

// Moves a few vertices, most of them by little.
// @return how many are in the list
static uint32_t move_few( fixture* f, bent* b, uint32_t* list )
{
	bool are_many = random_bits( f ) % 3 == 0;
	uint32_t count = 1 + (uint32_t)( random_bits( f ) % ( are_many ? 350 : 3 ) );
	for ( uint32_t i = 0; i < count; ++i )
	{
		list[i] = !are_many && i % 2 == 0 ? outermost( f, b ) : (uint32_t)( random_bits( f ) % b->vertices );
		list[i] = random_bits( f ) % 8 == 0 ? b->vertices - 1 : list[i];
		double* p = b->positions + 3 * (size_t)list[i];
		int kind = are_many ? 6 : (int)( random_bits( f ) % 8 );
		for ( int k = 0; k < 3; ++k )
		{
			double factor = kind < 4 ? 0.9 : kind == 5 ? 1.3 : 1 + 0.01 * random_sign( f );
			p[k] *= factor;
		}
		if ( kind == 7 && i > 0 )
		{
			// Two vertices that are as far out as each other.
			memcpy( p, b->positions + 3 * (size_t)list[i - 1], 3 * sizeof *p );
		}
	}
	return count;
}

// Large nodes are brought up to date by those vertices that moved: also where these were the outermost ones, or are now, where the box of a
// node changes, where they are listed twice, and after refits of other kinds.
static void few_vertices_of_large_nodes( void** state )
{
	fixture* f = *state;
	// Turned against the axes, so that vertices at the edges of a half are its outermost ones, but do not change its axis-aligned box.
	bvb_mesh mesh = sheet( f, ( bv_vec3 ){ 1, 1, 0 }, ( bv_vec3 ){ 2, 2, 0 }, ( bv_vec3 ){ -1, 1, 0 }, 56 );
	uint32_t list[350];
	for ( int volumes = 0; volumes < bent_volumes; ++volumes )
	{
		int steps = ( volumes == bv_volume_obb ? 60 : 6 ) * ( is_thorough() ? 10 : 1 );
		bvb_asset_options options = plain_options();
		options.record.positions = bvb_positions_float;
		options.hierarchy.collapse = 0;
		options.hierarchy.degree = 2;
		options.hierarchy.volume_types = bent_types( volumes );
		const bv_file* file = build_file( f, &mesh, &options );
		bvw_deform_options kept = { .motion = true };
		bent all = bend_file( f, file, &kept );
		bent some = bend_file( f, file, &kept );
		for ( int i = 0; i < steps; ++i )
		{
			if ( i % 3 == 0 )
			{
				reset_positions( &all );
				reset_positions( &some );
				refit_all( &some );
			}
			uint32_t count = move_few( f, &all, list );
			memcpy( some.positions, all.positions, 3 * sizeof *all.positions * all.vertices );
			bvw_vertices v = vertices_of( &some );
			if ( i % 15 == 14 )
			{
				bvw_vertices to = vertices_of( &all );
				assert_int_equal( bvw_deform_refit_motion( some.deform, &v, &to, NULL, NULL ), bv_ok );
			}
			assert_int_equal( bvw_deform_refit( some.deform, &v, list, count, NULL ), bv_ok );
			refit_all( &all );
			assert_same_images( &all, &some );
		}
		end_bent( &all );
		end_bent( &some );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( few_vertices_of_large_nodes ),
		fixture_test( listed_refits_give_the_bytes_of_whole_ones ),
		fixture_test( one_vertex_refits_few_nodes ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
