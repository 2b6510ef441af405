// Our sphere trees: spheres that are known in closed form, how far any protrudes, the best few of a shape, on which side points are, what is
// covered, hard sets.

#include "offline/literature/spheres/regroup.h"
#include "spheres.h"

#include <stdio.h>

enum
{
	// No more than 4096 leaves, which are merged without making groups better: that takes a second or two for each tree.
	plain_depth = 12,
};

// The options of a tree with at most so many levels; in `make thorough` as many as any tree may have.
static bvlit_sphere_options options_within( uint32_t depth )
{
	bvlit_sphere_options options = sphere_options();
	options.max_depth = is_thorough() ? BV_MAX_DEPTH : depth;
	return options;
}

// How far a sphere protrudes from an axis-aligned box about the origin, by sampling.
static double protrusion( const bv_sphere* s, double x, double y, double z )
{
	double greatest = 0;
	for ( int i = 0; i <= 60; ++i )
	{
		for ( int j = 0; j < 120; ++j )
		{
			double a = M_PI * i / 60;
			double b = M_PI * j / 60;
			double dx = fmax( fabs( s->center.x + s->radius * sin( a ) * cos( b ) ) - x, 0 );
			double dy = fmax( fabs( s->center.y + s->radius * sin( a ) * sin( b ) ) - y, 0 );
			double dz = fmax( fabs( s->center.z + s->radius * cos( a ) ) - z, 0 );
			greatest = fmax( greatest, sqrt( dx * dx + dy * dy + dz * dz ) );
		}
	}
	return greatest;
}

static bvb_mesh centered_box( fixture* f, double x, double y, double z )
{
	bvb_mesh mesh = box_mesh( f, 2 * x, 2 * y, 2 * z );
	bv_aabb box = bvb_fit_aabb( mesh.positions, mesh.vertex_count );
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i].x -= ( box.lower.x + box.upper.x ) / 2;
		mesh.positions[i].y -= ( box.lower.y + box.upper.y ) / 2;
		mesh.positions[i].z -= ( box.lower.z + box.upper.z ) / 2;
	}
	return mesh;
}

// About the middle, half the diagonal less half the shortest side is how far the sphere protrudes, and nothing is better: any other
// center is farther from some corner and not deeper.
static void the_sphere_round_a_box_is_about_its_middle( void** state )
{
	fixture* f = *state;
	static const double half[][3] = { { 1, 1, 1 }, { 2, 0.5, 0.5 }, { 2, 2, 0.25 } };
	for ( int i = 0; i < 3; ++i )
	{
		const double* h = half[i];
		bvb_mesh mesh = centered_box( f, h[0], h[1], h[2] );
		bvlit_sphere_options options = options_within( i < 2 ? plain_depth : BV_MAX_DEPTH );
		bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_merged, &mesh, &options );
		const bv_sphere* root = &tree.nodes[0].sphere;
		double diagonal = sqrt( h[0] * h[0] + h[1] * h[1] + h[2] * h[2] );
		double best = diagonal - fmin( h[0], fmin( h[1], h[2] ) );
		assert_true( protrusion( root, h[0], h[1], h[2] ) < best * 1.02 );
		assert_true( fabs( root->radius - diagonal ) < 0.05 * diagonal );
		check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 40 );
	}
}

// A square patch of side s in the middle of a cube's side is enclosed by the sphere about the cube's middle, or nearly: it protrudes by
// sqrt( 1 + s^2 / 2 ) - 1, where the least sphere round the patch would by s / sqrt( 2 ), twenty times as much for
// the 16 by 16 patches of a side in a tree of 12 levels, and 45 times for the 32 by 32 of a tree of 8192 leaves.
static void patches_are_enclosed_from_inside( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = centered_box( f, 1, 1, 1 );
	uint32_t rows = is_thorough() ? 32 : 16;
	bvlit_sphere_options options = options_within( plain_depth );
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_merged, &mesh, &options );
	uint32_t leaves = 0;
	uint32_t inner = 0;
	double mean = 0;
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		if ( node->children == 0 )
		{
			double error = protrusion( &node->sphere, 1, 1, 1 );
			leaves += 1;
			inner += node->sphere.radius > 0.5;
			mean += error;
		}
	}
	// Each of rows^3 octants that is not inside. Their least spheres would protrude by `least` on average, or more.
	double least = 2.0 / rows / sqrt( 2 );
	printf( "%u leaves, %u about points deep inside, protrude by %.5f\n", leaves, inner, mean / leaves );
	assert_true( leaves == rows * rows * rows - ( rows - 2 ) * ( rows - 2 ) * ( rows - 2 ) );
	assert_true( inner > leaves / 8 );
	assert_true( mean / leaves < 0.226 * least );
}

// A cut of n spheres protrudes by about a quarter of what one of n / 4 does where the surface is round.
static void more_spheres_are_closer( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 20 );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_merged, &mesh, &options );
	bvb_hausdorff_target* target;
	bvb_winding* winding;
	bvb_error error;
	assert_int_equal( bvb_hausdorff_target_create( &mesh, NULL, 0, f->arena, &target, &error ), bv_ok );
	assert_int_equal( bvb_winding_create( &mesh, f->arena, &winding, &error ), bv_ok );
	bvb_hausdorff_options measure = bvb_hausdorff_options_default();
	measure.measure = bvb_hausdorff_outside;
	measure.inside = winding;
	measure.relative = 0.05;
	double mean[2] = { 0, 0 };
	uint32_t count[2] = { 0, 0 };
	uint32_t* level = calloc( tree.node_count, sizeof *level );
	for ( uint32_t i = 0; i < tree.node_count; ++i )
	{
		const bvlit_sphere_node* node = tree.nodes + i;
		for ( uint32_t k = 0; k < node->children; ++k )
		{
			level[node->first_child + k] = level[i] + 1;
		}
		int which = level[i] == 2 ? 0 : level[i] == 6 ? 1 : -1;
		if ( which >= 0 )
		{
			bvb_hausdorff found;
			assert_int_equal( bvb_hausdorff_sphere( target, &node->sphere, &measure, &found ), bv_ok );
			mean[which] += found.upper;
			count[which] += 1;
		}
	}
	free( level );
	assert_true( mean[1] / count[1] < 0.4 * mean[0] / count[0] );
	check_sphere_tree( &mesh, &tree, BV_MAX_DEPTH, 8 );
}

// Two thin rods side by side, far from each other.
static bvb_mesh two_rods( fixture* f, double one, double other, double width )
{
	bvb_mesh a = box_mesh( f, one, width, width );
	bvb_mesh b = box_mesh( f, other, width, width );
	bvb_mesh both = {
		.positions = bvb_arena_allocate( f->arena, 16, sizeof *both.positions ),
		.triangles = bvb_arena_allocate( f->arena, 24, sizeof *both.triangles ),
		.vertex_count = 16,
		.triangle_count = 24,
	};
	for ( int i = 0; i < 8; ++i )
	{
		both.positions[i] = a.positions[i];
		both.positions[8 + i] = b.positions[i];
		both.positions[8 + i].y += one;
	}
	for ( int i = 0; i < 36; ++i )
	{
		both.triangles[i / 3].corner[i % 3] = a.triangles[i / 3].corner[i % 3];
		both.triangles[12 + i / 3].corner[i % 3] = 8 + b.triangles[i / 3].corner[i % 3];
	}
	return both;
}

// The greatest protrusion of so many spheres: from the root, the one that protrudes most makes room for its children.
static double protrusion_of_cut( fixture* f, const bvb_mesh* mesh, const bvlit_sphere_tree* tree,
                                 uint32_t most )
{
	bvb_hausdorff_target* target;
	bvb_winding* winding;
	bvb_error error;
	assert_int_equal( bvb_hausdorff_target_create( mesh, NULL, 0, f->arena, &target, &error ), bv_ok );
	assert_int_equal( bvb_winding_create( mesh, f->arena, &winding, &error ), bv_ok );
	bvb_hausdorff_options measure = bvb_hausdorff_options_default();
	measure.measure = bvb_hausdorff_outside;
	measure.inside = winding;
	uint32_t open[16] = { 0 };
	double greatest = 0;
	for ( uint32_t count = 1;; ++count )
	{
		uint32_t worst = 0;
		greatest = 0;
		for ( uint32_t i = 0; i < count; ++i )
		{
			bvb_hausdorff found;
			const bv_sphere* sphere = &tree->nodes[open[i]].sphere;
			assert_int_equal( bvb_hausdorff_sphere( target, sphere, &measure, &found ), bv_ok );
			worst = found.upper > greatest ? i : worst;
			greatest = fmax( greatest, found.upper );
		}
		if ( count == most )
		{
			return greatest;
		}
		uint32_t first = tree->nodes[open[worst]].first_child;
		assert_int_equal( tree->nodes[open[worst]].children, 2 );
		open[worst] = first;
		open[count] = first + 1;
	}
}

// Rods of five and three units are best enclosed by eight spheres of one unit each: no sphere holds some of both rods and protrudes less
// than the half of the way between them, and of eight pieces of eight units one is no shorter than one unit. About the middle of a piece of
// length l and of a rod of width w the sphere protrudes by sqrt( l^2 / 4 + w^2 / 2 ) - w / 2, and none round it by less than
// l / 2 - w. Merging pairs of octants makes quarters of the longer rod: 5 / 4.
static void eight_spheres_of_two_rods_are_of_one_length( void** state )
{
	fixture* f = *state;
	double w = 0.04;
	bvb_mesh mesh = two_rods( f, 5, 3, w );
	bvlit_sphere_options options = sphere_options();
	bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_merged, &mesh, &options );
	double best = sqrt( 0.25 + w * w / 2 ) - w / 2;
	double found = protrusion_of_cut( f, &mesh, &tree, 8 );
	assert_true( found >= 0.5 - w );
	assert_true( found < best * 1.1 );
}

// Small triangles on a line, each a leaf with its sphere.
typedef struct beads
{
	bvb_mesh mesh;
	bvlit_leaf_surface surface;
	bvlit_known_sides sides;
	bvlit_patch patch[16];
	const bvlit_patch* list[16];
	uint32_t next[16];
	uint32_t first_point[17];
	bv_vec3 points[48];
} beads;

static void make_beads( fixture* f, const double* x, uint32_t count, beads* b )
{
	static const bv_vec3 none;
	*b = ( beads ){ .mesh.vertex_count = 0 };
	b->mesh.vertex_count = 3 * count;
	b->mesh.triangle_count = count;
	b->mesh.positions = b->points;
	b->mesh.triangles = bvb_arena_allocate( f->arena, count, sizeof *b->mesh.triangles );
	for ( uint32_t i = 0; i < 3 * count; ++i )
	{
		b->points[i] = ( bv_vec3 ){ x[i / 3], i % 3 == 1 ? 0.001 : 0, i % 3 == 2 ? 0.001 : 0 };
		b->mesh.triangles[i / 3].corner[i % 3] = i;
		b->first_point[i / 3 + 1] = 3 * ( i / 3 + 1 );
	}
	assert_int_equal( bvlit_leaf_surface_create( &b->mesh, f->arena, &b->surface ), bv_ok );
	b->surface.leaf_count = count;
	b->surface.points = b->points;
	b->surface.first_point = b->first_point;
	b->surface.next = b->next;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvlit_patch_of_leaf( &b->surface, i, b->patch + i );
		bvlit_patch_enclose( &b->surface, &b->sides, b->patch + i, &none, 0, none );
		b->list[i] = b->patch + i;
	}
}

// The two that are nearest to each other would leave the two that are farthest.
static void pairs_are_the_best_of_all( void** state )
{
	beads b;
	static const double even[] = { 1, 2.9, 0, 1.9 };
	uint32_t partner[5];
	make_beads( *state, even, 4, &b );
	bvlit_match( &b.surface, &b.sides, b.list, 4, partner );
	static const uint32_t best[] = { 2, 3, 0, 1 };
	assert_memory_equal( partner, best, sizeof best );

	// Of an odd number the one that is far from all stays single.
	static const double odd[] = { 1, 9, 2.9, 0, 1.9 };
	make_beads( *state, odd, 5, &b );
	bvlit_match( &b.surface, &b.sides, b.list, 5, partner );
	static const uint32_t alone[] = { 3, 1, 4, 0, 2 };
	assert_memory_equal( partner, alone, sizeof alone );
}

// Three clumps of beads, the beads of each first in all groups. Then the clumps are divisions of two groups each, whose halves are the
// beads next to each other.
static void groups_become_clumps( void** state )
{
	fixture* f = *state;
	beads b;
	static const double x[] = { 0, 0.1, 1, 1.1, 10, 10.1, 11, 11.1, 20, 20.1, 21, 21.1 };
	make_beads( f, x, 12, &b );
	uint32_t group[12];
	uint32_t clump[12];
	uint32_t half[12];
	for ( uint32_t i = 0; i < 12; ++i )
	{
		group[i] = i % 3;
		clump[i] = i / 4;
		half[i] = 2 * ( i / 4 ) + i % 2;
	}
	bvlit_groups groups = { &b.surface, &b.sides, 1, b.list, 12, NULL, group, 3 };
	assert_true( bvlit_regroup( &groups, f->arena ) );
	groups = ( bvlit_groups ){ &b.surface, &b.sides, 1, b.list, 12, clump, half, 6 };
	assert_true( bvlit_regroup( &groups, f->arena ) );
	for ( int i = 0; i < 12; ++i )
	{
		for ( int k = 0; k < 12; ++k )
		{
			assert_int_equal( group[i] == group[k], i / 4 == k / 4 );
			assert_int_equal( half[i] == half[k], i / 2 == k / 2 );
		}
	}
}

// A closed surface, and one with a third of it away: the winding number is what both are judged by. Terms of the first order leave a few
// hundredths.
static void sides_are_those_of_the_winding_number( void** state )
{
	fixture* f = *state;
	for ( int open = 0; open < 2; ++open )
	{
		bvb_mesh mesh = bumpy_ball( f, 16 );
		mesh.triangle_count = open ? mesh.triangle_count * 2 / 3 : mesh.triangle_count;
		bvlit_sides* sides;
		bvb_winding* winding;
		bvb_error error;
		assert_int_equal( bvlit_sides_create( &mesh, f->arena, &sides ), bv_ok );
		assert_int_equal( bvb_winding_create( &mesh, f->arena, &winding, &error ), bv_ok );
		assert_int_equal( bvb_winding_is_closed( winding ), !open );
		int inside = 0;
		int certain = 0;
		for ( int i = 0; i < 4000; ++i )
		{
			bv_vec3 p = random_point( f );
			p = ( bv_vec3 ){ 3 * p.x - 1.5, 3 * p.y - 1.5, 3 * p.z - 1.5 };
			double number = bvb_winding_number( winding, p );
			if ( fabs( number - 0.5 ) > 0.03 )
			{
				assert_int_equal( bvlit_is_inside( sides, p ), number >= 0.5 );
				certain += 1;
				inside += number >= 0.5;
			}
		}
		assert_true( certain > 3500 && inside > 200 && inside < certain - 200 );
	}
}

static void check_radii( const bvb_mesh* mesh, const bvlit_sphere_tree* tree )
{
	bv_aabb box = bvb_fit_aabb( mesh->positions, mesh->vertex_count );
	bv_vec3 size = bv_sub( box.upper, box.lower );
	for ( uint32_t i = 0; i < tree->node_count; ++i )
	{
		assert_true( tree->nodes[i].sphere.radius < sqrt( bv_dot( size, size ) ) );
	}
}

// The winding number of an open surface is at least a half also beside its holes. No center goes out that way.
static void spheres_of_open_surfaces_stay( void** state )
{
	fixture* f = *state;
	for ( uint32_t part = 5; part < 20; part += 4 )
	{
		bvb_mesh mesh = bumpy_ball( f, 12 );
		mesh.triangle_count = mesh.triangle_count * part / 20;
		bvlit_sphere_options options = options_within( plain_depth );
		bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_merged, &mesh, &options );
		check_radii( &mesh, &tree );
	}
}

// Where the best parts are looked for there are levels for all of them; with fewer there is a tree all the same.
static void few_levels_are_enough( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = bumpy_ball( f, 12 );
	static const uint32_t depths[] = { 0, 1, 5, 9, 10, 11, 13 };
	for ( size_t i = 0; i < sizeof depths / sizeof *depths; ++i )
	{
		bvlit_sphere_options options = sphere_options();
		options.max_depth = depths[i];
		bvlit_sphere_tree tree = make_spheres( f, bvlit_spheres_merged, &mesh, &options );
		check_sphere_tree( &mesh, &tree, depths[i], 40 );
	}
}

static void hard_meshes_are_covered( void** state )
{
	check_hard_meshes( *state, bvlit_spheres_merged, "sphere-merge", 40, 5 );
}

// Closed, and as an open tray with groups that are made better, also with a third of a ball away in `make thorough`.
static void threads_change_nothing( void** state )
{
	fixture* f = *state;
	bvb_mesh tray = box_mesh( f, 1, 1, 0.125 );
	bvb_mesh ball = bumpy_ball( f, 8 );
	bvb_mesh open = ball;
	open.triangle_count = open.triangle_count * 2 / 3;
	tray.triangle_count -= 2;
	const bvb_mesh meshes[] = { ball, tray, open };
	for ( int i = 0; i < ( is_thorough() ? 3 : 2 ); ++i )
	{
		bvlit_sphere_options options = options_within( i == 1 ? BV_MAX_DEPTH : plain_depth );
		bvlit_sphere_tree one = make_spheres( f, bvlit_spheres_merged, &meshes[i], &options );
		options.team = 3;
		bvlit_sphere_tree other = make_spheres( f, bvlit_spheres_merged, &meshes[i], &options );
		assert_same_spheres( &one, &other );
		check_radii( &meshes[i], &one );
	}
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( the_sphere_round_a_box_is_about_its_middle ),
		fixture_test( patches_are_enclosed_from_inside ),
		fixture_test( more_spheres_are_closer ),
		fixture_test( eight_spheres_of_two_rods_are_of_one_length ),
		fixture_test( pairs_are_the_best_of_all ),
		fixture_test( groups_become_clumps ),
		fixture_test( sides_are_those_of_the_winding_number ),
		fixture_test( spheres_of_open_surfaces_stay ),
		fixture_test( few_levels_are_enough ),
		fixture_test( hard_meshes_are_covered ),
		fixture_test( threads_change_nothing ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
