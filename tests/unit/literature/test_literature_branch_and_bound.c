// Branch and bound against all divisions there are, one by one (tests/reference/partitions.h), and its lower bounds against
// fits of larger sets. Qualities are those of the public fits; how several count together is computed here.

#include "offline/literature/lower_bound.h"
#include "offline/literature/split_branch_and_bound.h"
#include "split_sets.h"
#include "tests/reference/partitions.h"

enum
{
	rows = 6,
	set_most = 12, // faces
	subsets = 1 << set_most,
};

static const char* const names[rows] = { "branch-and-bound",          "branch-and-bound-random",
	                                     "branch-and-bound-estimate", "branch-and-bound-estimate-random",
	                                     "branch-and-bound-gain",     "branch-and-bound-gain-random" };

static const bvb_quality_measure measures[3] = { bvb_quality_area, bvb_quality_volume, bvb_quality_diameter };

// A set, and the quality of each of its subsets by the bits of their faces.
typedef struct exhaustion
{
	bvb_hierarchy_options options;
	uint32_t count;
	double quality[subsets];
	double least; // of all divisions so far
} exhaustion;

static void list_faces( const splitting* s, uint32_t bits, uint32_t* order, bvfit_face_list* list )
{
	*list = s->set.list;
	list->order = order;
	list->count = 0;
	for ( uint32_t i = 0; i < s->set.list.count; ++i )
	{
		if ( bits >> i & 1 )
		{
			order[list->count++] = s->set.list.order[i];
		}
	}
}

static double quality_of( const splitting* s, uint32_t bits )
{
	uint32_t order[most_faces];
	bvfit_face_list list;
	double quality;
	list_faces( s, bits, order, &list );
	bvhier_build_fit( &s->build, s->set.worker, &list, &quality );
	return quality;
}

static double together( const exhaustion* e, const uint32_t* part, uint32_t parts )
{
	double sum = 0;
	double greatest = 0;
	for ( uint32_t k = 0; k < parts; ++k )
	{
		sum += e->quality[part[k]];
		greatest = fmax( greatest, e->quality[part[k]] );
	}
	return e->options.aggregate == bvb_aggregate_max ? greatest : sum / parts;
}

static void look_at( void* context, const uint8_t* part, uint32_t parts )
{
	exhaustion* e = context;
	uint32_t bits[set_most] = { 0 };
	for ( uint32_t i = 0; i < e->count; ++i )
	{
		bits[part[i]] |= 1u << i;
	}
	e->least = fmin( e->least, together( e, bits, parts ) );
}

// The quality of what a splitter says.
static double divided_quality( const exhaustion* e, const uint8_t* part )
{
	uint32_t bits[BVB_MAX_DEGREE] = { 0 };
	uint32_t used[BVB_MAX_DEGREE];
	uint32_t parts = 0;
	for ( uint32_t i = 0; i < e->count; ++i )
	{
		bits[part[i]] |= 1u << i;
	}
	for ( uint32_t k = 0; k < BVB_MAX_DEGREE; ++k )
	{
		if ( bits[k] )
		{
			used[parts++] = bits[k];
		}
	}
	assert_true( parts >= 2 );
	return together( e, used, parts );
}

static exhaustion exhaustion_of( uint32_t types, bvb_quality_measure measure, bvb_aggregate aggregate )
{
	exhaustion e = { .options = box_tree_options(), .least = INFINITY };
	e.options.volume_types = types;
	e.options.quality = measure;
	e.options.aggregate = aggregate;
	e.options.search_budget = UINT64_MAX;
	return e;
}

static void fit_all_subsets( exhaustion* e, const splitting* s )
{
	e->count = s->set.list.count;
	for ( uint32_t bits = 1; bits < 1u << e->count; ++bits )
	{
		e->quality[bits] = quality_of( s, bits );
	}
}

// Every row finds the best division of a mesh's triangles, into at most so many parts.
static void check_all_rows( fixture* f, const bvb_mesh* mesh, uint32_t types, uint32_t most_degree,
                            bool hausdorff )
{
	for ( int measure = 0; measure < ( hausdorff ? 1 : 3 ); ++measure )
	{
		for ( int aggregate = 0; aggregate < 2; ++aggregate )
		{
			exhaustion e = exhaustion_of( types, hausdorff ? bvb_quality_hausdorff : measures[measure],
			                              (bvb_aggregate)aggregate );
			splitting s;
			splitting_begin( f, mesh, &e.options, &s );
			fit_all_subsets( &e, &s );
			for ( uint32_t degree = 2; degree <= most_degree; ++degree )
			{
				e.least = INFINITY;
				partitions_each( e.count, 2, degree, look_at, &e );
				for ( int row = 0; row < rows; ++row )
				{
					splitting_divide( &s, names[row], degree );
					double found = divided_quality( &e, s.part );
					assert_true( found >= e.least * ( 1 - 1e-12 ) && found <= e.least * ( 1 + 1e-9 ) );
				}
			}
			splitting_end( &s );
		}
	}
}

// Of 4 things there are 1, 7, 6 and 1 divisions into 1 to 4 parts: Stirling's numbers; of 12 into up to 4: 1 + 2047 + 86526
// + 611501.
static void count_one( void* context, const uint8_t* part, uint32_t parts )
{
	(void)part;
	( (uint32_t*)context )[parts] += 1;
}

static void the_reference_visits_every_division( void** state )
{
	(void)state;
	uint32_t visits[5] = { 0 };
	partitions_each( 4, 1, 4, count_one, visits );
	assert_int_equal( visits[1], 1 );
	assert_int_equal( visits[2], 7 );
	assert_int_equal( visits[3], 6 );
	assert_int_equal( visits[4], 1 );
	memset( visits, 0, sizeof visits );
	partitions_each( 12, 2, 4, count_one, visits );
	assert_int_equal( visits[1], 0 );
	assert_int_equal( visits[2], 2047 );
	assert_int_equal( visits[3], 86526 );
	assert_int_equal( visits[4], 611501 );
}

static void boxes_of_up_to_twelve_faces_are_divided_best( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 12, 0.3 );
	check_all_rows( f, &mesh, 1u << bv_volume_aabb, 4, false );
	mesh = random_soup( f, 9, 1 );
	check_all_rows( f, &mesh, 1u << bv_volume_aabb, 4, false );
}

static void balls_of_up_to_twelve_faces_are_divided_best( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 12, 0.3 );
	check_all_rows( f, &mesh, 1u << bv_volume_sphere, 4, false );
	mesh = random_soup( f, 9, 1 );
	check_all_rows( f, &mesh, 1u << bv_volume_sphere, 4, false );
}

static void polytopes_of_up_to_twelve_faces_are_divided_best( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 12, 0.3 );
	check_all_rows( f, &mesh, 1u << bv_volume_kdop14, 4, false );
	mesh = random_soup( f, 9, 1 );
	check_all_rows( f, &mesh, 1u << bv_volume_kdop14, 4, false );
}

static void oriented_boxes_as_fitted_are_divided_best( void** state )
{
	fixture* f = *state;
	for ( uint32_t count = 2; count <= 10; count += 4 )
	{
		bvb_mesh mesh = random_soup( f, count, 0.3 );
		check_all_rows( f, &mesh, 1u << bv_volume_obb, 4, false );
	}
}

static void small_sets_of_every_type_are_divided_best( void** state )
{
	fixture* f = *state;
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		for ( uint32_t count = 2; count <= ( type == bv_volume_rss || type == bv_volume_prism ? 5 : 7 );
		      ++count )
		{
			bvb_mesh mesh = random_soup( f, count, count % 2 ? 0.1 : 1 );
			check_all_rows( f, &mesh, 1u << type, BVB_MAX_DEGREE, false );
		}
	}
}

static void sets_with_several_types_are_divided_best( void** state )
{
	fixture* f = *state;
	static const uint32_t types[] = { 1u << bv_volume_aabb | 1u << bv_volume_kdop14,
		                              1u << bv_volume_obb | 1u << bv_volume_sphere | 1u << bv_volume_aabb };
	for ( int i = 0; i < 2; ++i )
	{
		bvb_mesh mesh = random_soup( f, 8, 0.3 );
		check_all_rows( f, &mesh, types[i], 4, false );
	}
}

static void distances_of_tiny_sets_are_divided_best( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 6, 0.3 );
	check_all_rows( f, &mesh, 1u << bv_volume_obb, 4, true );
	check_all_rows( f, &mesh, 1u << bv_volume_aabb, 4, true );
}

// Where bounds are as good as qualities, and where nothing is: faces in one place, in one plane, one within another, far
// from the origin, one giant.
static void degenerate_sets_are_divided_best( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 8 );
	for ( int kind = 0; kind < 5; ++kind )
	{
		for ( uint32_t i = 0; i < 24; ++i )
		{
			bv_vec3 p = random_point( f );
			double size = kind == 2 ? 1 << i / 3 : kind == 4 && i < 3 ? 100 : 1;
			bv_vec3 corner = { i % 3 == 1, i % 3 == 2, kind == 1 ? 0 : 0.25 * ( i % 3 ) };
			corner = kind == 1 || kind >= 3 ? ( bv_vec3 ){ p.x, p.y, kind == 1 ? 0 : p.z } : corner;
			double far = kind == 3 ? 1e6 : 0;
			mesh.positions[i] = ( bv_vec3 ){ far + size * corner.x, size * corner.y - far, size * corner.z };
		}
		check_all_rows( f, &mesh, 1u << bv_volume_aabb, 4, false );
		check_all_rows( f, &mesh, 1u << bv_volume_kdop18, 3, false );
		check_all_rows( f, &mesh, 1u << bv_volume_sphere, 3, false );
		check_all_rows( f, &mesh, 1u << bv_volume_obb, 3, false );
	}
}

// Places 0, 1, 2, 3, 50 along x: the fifth apart leaves boxes of length 3 and 0, any other division one of 47 at least.
static void a_face_far_away_is_a_part_by_itself( void** state )
{
	fixture* f = *state;
	const bv_vec3 at[5] = { { 50, 0, 0 }, { 1, 0, 0 }, { 3, 0, 0 }, { 0, 0, 0 }, { 2, 0, 0 } };
	bvb_mesh mesh = triangles_round( f, at, 5, 0.01 );
	for ( int row = 0; row < rows; ++row )
	{
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			exhaustion e = exhaustion_of( 1u << type, bvb_quality_area, bvb_aggregate_mean );
			uint8_t part[5];
			divide_mesh( f, &mesh, &e.options, names[row], 2, part );
			assert_true( same_partition( part, ( uint8_t[] ){ 1, 0, 0, 0, 0 }, 5 ) );
			divide_mesh( f, &mesh, &e.options, "median", 2, part );
			assert_false( same_partition( part, ( uint8_t[] ){ 1, 0, 0, 0, 0 }, 5 ) );
		}
	}
}

// Six groups of two: six parts are the groups, and of fewer none has a part of one.
static void every_degree_is_honored( void** state )
{
	fixture* f = *state;
	bv_vec3 at[12];
	for ( int i = 0; i < 12; ++i )
	{
		at[i] = ( bv_vec3 ){ 10 * ( i % 6 ) + 0.1 * (double)( i / 6 ), i % 3, 0 };
	}
	bvb_mesh mesh = triangles_round( f, at, 12, 0.2 );
	for ( int row = 0; row < rows; ++row )
	{
		for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
		{
			exhaustion e = exhaustion_of( 1u << bv_volume_aabb, bvb_quality_diameter, bvb_aggregate_mean );
			uint8_t part[12];
			divide_mesh( f, &mesh, &e.options, names[row], degree, part );
			bool used[BVB_MAX_DEGREE] = { false };
			for ( int i = 0; i < 12; ++i )
			{
				used[part[i]] = true;
				assert_int_equal( part[i], part[i % 6] );
			}
			for ( uint32_t k = 0; k < degree; ++k )
			{
				assert_true( used[k] );
			}
		}
	}
}

// Two large faces in one place and a small one: with areas A, A and almost 0 two parts have the mean A / 2, three have
// 2 A / 3.
static void fewer_parts_than_allowed_may_be_best( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = soup_create( f, 3 );
	for ( uint32_t i = 0; i < 3; ++i )
	{
		double size = i == 2 ? 1e-3 : 1;
		bv_vec3* p = mesh.positions + 3 * i;
		p[0] = ( bv_vec3 ){ i == 2 ? 5 : 0, 0, 0 };
		p[1] = ( bv_vec3 ){ p[0].x + size, 0, 0 };
		p[2] = ( bv_vec3 ){ p[0].x, size, 0 };
	}
	for ( int row = 0; row < rows; ++row )
	{
		exhaustion e = exhaustion_of( 1u << bv_volume_aabb, bvb_quality_area, bvb_aggregate_mean );
		uint8_t part[3];
		divide_mesh( f, &mesh, &e.options, names[row], 3, part );
		assert_int_equal( part[0], part[1] );
		assert_int_not_equal( part[0], part[2] );
	}
}

// No division of the table's other splitters is better, whatever the budget; without one it is the heuristic's.
static void budgets_only_cost_quality( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 20; ++round )
	{
		bvb_mesh mesh = random_soup( f, 12, 0.3 );
		exhaustion e = exhaustion_of( 1u << bv_volume_aabb, bvb_quality_area, bvb_aggregate_mean );
		splitting s;
		splitting_begin( f, &mesh, &e.options, &s );
		fit_all_subsets( &e, &s );
		splitting_divide( &s, "kmeans", 3 );
		double heuristic = divided_quality( &e, s.part );
		for ( int row = 0; row < rows; ++row )
		{
			double last = heuristic;
			for ( uint64_t budget = 0; budget <= 1000; budget = 10 * budget + ( budget == 0 ) )
			{
				s.options.search_budget = budget;
				splitting_divide( &s, names[row], 3 );
				double found = divided_quality( &e, s.part );
				assert_true( budget == 0 ? found == heuristic : found <= last );
				last = found;
			}
		}
		splitting_end( &s );
	}
}

static void odd_sets_do_no_harm( void** state )
{
	fixture* f = *state;
	for ( int row = 0; row < rows; ++row )
	{
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			exhaustion e = exhaustion_of( 1u << type, bvb_quality_area, bvb_aggregate_mean );
			check_odd_sets( f, &e.options, names[row] );
		}
	}
}

// Coordinates at random, so that no two divisions are equally good. (Far from the origin stored volumes are, after rounding.)
static void the_order_of_faces_changes_nothing( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, 12, 0.1 );
	for ( int row = 0; row < rows; ++row )
	{
		for ( uint32_t degree = 2; degree <= 4; ++degree )
		{
			exhaustion e = exhaustion_of( 1u << bv_volume_aabb, bvb_quality_area, bvb_aggregate_mean );
			assert_true( ignores_order( f, &mesh, &e.options, names[row], degree ) );
		}
	}
}

// In a single place, which the heuristic can't divide, the search finds parts all the same.
static void small_sets_are_always_divided( void** state )
{
	fixture* f = *state;
	const bv_vec3 at[5] = { { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 }, { 1, 2, 3 } };
	bvb_mesh mesh = triangles_round( f, at, 5, 1 );
	for ( int row = 0; row < rows; ++row )
	{
		for ( int type = 0; type < bv_volume_types; ++type )
		{
			exhaustion e = exhaustion_of( 1u << type, bvb_quality_area, bvb_aggregate_mean );
			uint8_t part[5];
			divide_mesh( f, &mesh, &e.options, names[row], 3, part );
			assert_true( count_parts( part, 5 ) >= 2 );
		}
	}
}

static void large_sets_are_left_to_the_heuristic( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = random_soup( f, most_faces, 0.01 );
	uint8_t expected[most_faces];
	uint8_t part[most_faces];
	for ( uint32_t degree = 2; degree <= BVB_MAX_DEGREE; ++degree )
	{
		divide_mesh( f, &mesh, NULL, "kmeans", degree, expected );
		divide_mesh( f, &mesh, NULL, names[0], degree, part );
		assert_memory_equal( part, expected, sizeof part );
	}
}

// Every limit of memory ends in a tree or in bv_error_memory. Six parts of sixteen balls take lists of open problems.
static void running_out_of_memory_is_an_error_like_any_other( void** state )
{
	fixture* f = *state;
	exhaustion e = exhaustion_of( 1u << bv_volume_sphere, bvb_quality_area, bvb_aggregate_mean );
	e.options.splitter = names[1];
	e.options.degree = BVB_MAX_DEGREE;
	e.options.threads = 1;
	const bvb_mesh soup = random_soup( f, 16, 1 );
	int failures = 0;
	bool done = false;
	for ( size_t limit = 0; !done; limit += 20000 )
	{
		bvb_mesh mesh = soup;
		mesh.positions = bvb_arena_allocate( f->arena, 48, sizeof *mesh.positions );
		mesh.triangles = bvb_arena_allocate( f->arena, 16, sizeof *mesh.triangles );
		memcpy( mesh.positions, soup.positions, 48 * sizeof *mesh.positions );
		memcpy( mesh.triangles, soup.triangles, 16 * sizeof *mesh.triangles );
		bvb_arena* arena = bvb_arena_create_limited( limit );
		bvb_tree* tree;
		bvb_error error;
		bv_status status = bvb_hierarchy_build( &mesh, &e.options, arena, &tree, &error );
		assert_true( status == bv_ok || status == bv_error_memory );
		assert_int_equal( status == bv_ok, tree != NULL );
		failures += status == bv_error_memory;
		done = status == bv_ok;
		bvb_arena_destroy( arena );
	}
	assert_true( failures >= 20 );
}

// A random subset, and one that contains it.
static void random_nested( fixture* f, uint32_t count, uint32_t* inner, uint32_t* outer )
{
	do
	{
		*outer = (uint32_t)random_bits( f ) & ( ( 1u << count ) - 1 );
		*inner = *outer & (uint32_t)( random_bits( f ) >> 20 );
	} while ( *inner == 0 );
}

static bvb_mesh set_of_kind( fixture* f, int kind, uint32_t count )
{
	bvb_mesh mesh = random_soup( f, count, kind % 2 ? 0.05 : 1 );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		bv_vec3* p = mesh.positions + i;
		*p = ( bv_vec3 ){ p->x + p->y, p->y - p->x, kind / 2 == 1 ? 0 : kind / 2 == 2 ? 1e-3 * p->z : p->z };
	}
	move_mesh( &mesh, ( bv_vec3 ){ kind / 6 == 1 ? 1000 : 0, 0, kind / 6 == 1 ? -3000 : 0 } );
	return mesh;
}

static void no_larger_set_falls_short_of_a_lower_bound( void** state )
{
	fixture* f = *state;
	for ( int round = 0; round < 12 * bv_volume_types * 3; ++round )
	{
		int type = round / 12 % bv_volume_types;
		bvb_mesh mesh = set_of_kind( f, round % 12, 10 );
		exhaustion e =
			exhaustion_of( 1u << type, measures[round / 12 / bv_volume_types], bvb_aggregate_mean );
		splitting s;
		splitting_begin( f, &mesh, &e.options, &s );
		for ( int pair = 0; pair < ( type == bv_volume_rss || type == bv_volume_prism ? 20 : 200 ); ++pair )
		{
			uint32_t inner;
			uint32_t outer;
			uint32_t order[10];
			bvfit_face_list list;
			random_nested( f, 10, &inner, &outer );
			list_faces( &s, inner, order, &list );
			double bound = bvlit_lower_bound( &s.build, &list );
			double quality = quality_of( &s, outer );
			assert_true( bound >= 0 && bound <= quality * ( 1 + 1e-12 ) );
			if ( bvlit_inner_faces_are_free( &s.build ) )
			{
				assert_true( quality_of( &s, inner ) - bvlit_quality_rounding( &s.build, &s.volume ) <=
				             quality );
			}
		}
		splitting_end( &s );
	}
}

static double bound_of_all( fixture* f, const bvb_mesh* mesh, bv_volume_type type,
                            bvb_quality_measure measure )
{
	exhaustion e = exhaustion_of( 1u << type, measure, bvb_aggregate_mean );
	splitting s;
	splitting_begin( f, mesh, &e.options, &s );
	double bound = bvlit_lower_bound( &s.build, &s.set.list );
	splitting_end( &s );
	return bound;
}

static void assert_near( double a, double b )
{
	assert_true( fabs( a - b ) <= 1e-9 * fabs( b ) );
}

// The surface of a box of 3 x 4 x 12, whose diagonal is 13. Of axis-aligned boxes and balls the bound is the quality. The
// tetrahedron that is found has three mutually orthogonal edges or four diagonals: a sixth or a third of the box.
static void lower_bounds_of_a_box_are_what_they_are_said_to_be( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = box_mesh( f, 3, 4, 12 );
	const double pi = 3.14159265358979323846;
	assert_near( bound_of_all( f, &mesh, bv_volume_aabb, bvb_quality_area ), 192 );
	assert_near( bound_of_all( f, &mesh, bv_volume_aabb, bvb_quality_volume ), 144 );
	assert_near( bound_of_all( f, &mesh, bv_volume_kdop26, bvb_quality_area ), 192 );
	assert_near( bound_of_all( f, &mesh, bv_volume_kdop14, bvb_quality_diameter ), 13 );
	assert_near( bound_of_all( f, &mesh, bv_volume_sphere, bvb_quality_area ), pi * 169 );
	assert_near( bound_of_all( f, &mesh, bv_volume_sphere, bvb_quality_volume ), pi / 6 * 2197 );
	assert_near( bound_of_all( f, &mesh, bv_volume_rss, bvb_quality_diameter ), 13 );
	assert_near( bound_of_all( f, &mesh, bv_volume_obb, bvb_quality_diameter ), 13 );
	double volume = bound_of_all( f, &mesh, bv_volume_obb, bvb_quality_volume );
	assert_true( volume >= 71.999 && volume <= 144 );
	assert_near( bound_of_all( f, &mesh, bv_volume_rss, bvb_quality_volume ), volume / 3 );
}

// The rectangle round a right triangle of sides 3 and 4 has twice its area of 6, and two sides.
static void the_bound_of_a_triangle_is_its_rectangle( void** state )
{
	fixture* f = *state;
	const bv_vec3 p[3] = { { 1, 1, 1 }, { 4, 1, 1 }, { 1, 1, 5 } };
	const uint32_t t[1][3] = { { 0, 1, 2 } };
	bvb_mesh mesh = mesh_of( f, p, 3, t, 1 );
	assert_near( bound_of_all( f, &mesh, bv_volume_obb, bvb_quality_area ), 24 );
	assert_near( bound_of_all( f, &mesh, bv_volume_rss, bvb_quality_area ), 12 );
	assert_true( bound_of_all( f, &mesh, bv_volume_obb, bvb_quality_hausdorff ) == 0 );
}

// What is said of faces within a set's volumes is so for any larger set.
static void inner_faces_change_no_larger_set( void** state )
{
	fixture* f = *state;
	static const uint32_t types[] = { 1u << bv_volume_aabb, 1u << bv_volume_kdop14, 1u << bv_volume_kdop26,
		                              1u << bv_volume_aabb | 1u << bv_volume_kdop18 };
	uint32_t met = 0;
	for ( int round = 0; round < 40; ++round )
	{
		bvb_mesh mesh = random_soup( f, 10, 0.3 );
		exhaustion e = exhaustion_of( types[round % 4], bvb_quality_area, bvb_aggregate_mean );
		splitting s;
		splitting_begin( f, &mesh, &e.options, &s );
		assert_true( bvlit_inner_faces_are_free( &s.build ) );
		for ( int pair = 0; pair < 20; ++pair )
		{
			uint32_t inner;
			uint32_t outer;
			uint32_t order[10];
			bvfit_face_list list;
			random_nested( f, 10, &inner, &outer );
			list_faces( &s, inner, order, &list );
			uint32_t free = (uint32_t)bvlit_inner_faces( &s.build, &list, s.set.list.order, 10 );
			assert_int_equal( free & inner, inner );
			met += free != inner;
			assert_true( quality_of( &s, outer | free ) == quality_of( &s, outer ) );
		}
		splitting_end( &s );
	}
	assert_true( met >= 100 );
	for ( int type = 0; type < bv_volume_types; ++type )
	{
		bool nested = type != bv_volume_obb && type != bv_volume_sphere && type != bv_volume_rss &&
		              type != bv_volume_prism;
		exhaustion e =
			exhaustion_of( 1u << type | 1u << bv_volume_aabb, bvb_quality_volume, bvb_aggregate_mean );
		bvb_mesh mesh = box_mesh( f, 1, 1, 1 );
		splitting s;
		splitting_begin( f, &mesh, &e.options, &s );
		assert_int_equal( bvlit_inner_faces_are_free( &s.build ), nested );
		splitting_end( &s );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_reference_visits_every_division ),
		fixture_test( boxes_of_up_to_twelve_faces_are_divided_best ),
		fixture_test( balls_of_up_to_twelve_faces_are_divided_best ),
		fixture_test( polytopes_of_up_to_twelve_faces_are_divided_best ),
		fixture_test( oriented_boxes_as_fitted_are_divided_best ),
		fixture_test( small_sets_of_every_type_are_divided_best ),
		fixture_test( sets_with_several_types_are_divided_best ),
		fixture_test( distances_of_tiny_sets_are_divided_best ),
		fixture_test( degenerate_sets_are_divided_best ),
		fixture_test( a_face_far_away_is_a_part_by_itself ),
		fixture_test( every_degree_is_honored ),
		fixture_test( fewer_parts_than_allowed_may_be_best ),
		fixture_test( budgets_only_cost_quality ),
		fixture_test( odd_sets_do_no_harm ),
		fixture_test( the_order_of_faces_changes_nothing ),
		fixture_test( small_sets_are_always_divided ),
		fixture_test( large_sets_are_left_to_the_heuristic ),
		fixture_test( running_out_of_memory_is_an_error_like_any_other ),
		fixture_test( no_larger_set_falls_short_of_a_lower_bound ),
		fixture_test( lower_bounds_of_a_box_are_what_they_are_said_to_be ),
		fixture_test( the_bound_of_a_triangle_is_its_rectangle ),
		fixture_test( inner_faces_change_no_larger_set ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
