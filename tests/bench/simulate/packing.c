// Bodies poured into a box until they rest (Leemann 2017, section on packing): solid fractions and depths, with closed forms and with
// iterative answers, with up to four contact points for each pair and with one.

#include "tests/bench/simulate/simulate.h"

enum
{
	walls = 5,
	lattice = 8, // points along each axis by which the volume of a body below a height is measured
	most_materials = 4,
	bins = 8, // decades of depth, from 1e-8
};

static const double most_off = 0.005;     // relative difference of solid fractions
static const double most_distance = 0.05; // Kolmogorov-Smirnov, of depths

typedef struct material
{
	const char* name;
	const char* file;
	int kinds; // of shapes, in equal shares
	int kind[2];
	bool has_closed_form;
	const char* printed[2]; // solid fractions, iterative and analytic
	const char* depths[2];
} material;

enum
{
	ball,
	ellipsoid,
	cube,
	shape_kinds,
};

static const material materials[most_materials] = {
	{ "balls", "balls", 1, { ball }, true, { "59.08", "59.28" }, { "0.36", "0.35" } },
	{ "ball-shaped ellipsoids", "ellipsoids", 1, { ellipsoid }, false, { "59.25", "-" }, { "0.37", "-" } },
	{ "balls and cubes", "mixed", 2, { ball, cube }, true, { "62.83", "62.23" }, { "0.57", "0.39" } },
	{ "cubes", "cubes", 1, { cube }, true, { "78.96", "71.72" }, { "9.50", "2.92" } },
};

static const sim_contacts_of ways[] = {
	{ .method = bv_convex_method_closed },
	{ .method = bv_convex_method_gjk },
	{ .method = bv_convex_method_gjk, .single = true },
};
static const char* const way_name[] = { "closed form", "GJK and EPA", "GJK and EPA, one contact" };

typedef struct packed
{
	double fraction;
	double mean_depth;
	double greatest_depth;
	double* depths; // sorted
	uint32_t pairs;
	double difference; // of depths by both ways in this state, at most
	double error;      // of solid fraction, from quarters of the box
	double speed;      // root mean square at the end
	double seconds;
} packed;

static double side_of( uint32_t bodies )
{
	return bodies > 1000 ? 15 : 7;
}

static void add_walls( sim_shape wall[walls], sim_body* body, double side )
{
	const bv_vec3 normal[walls] = { { 0, 0, 1 }, { 1, 0, 0 }, { -1, 0, 0 }, { 0, 1, 0 }, { 0, -1, 0 } };
	for ( int i = 0; i < walls; ++i )
	{
		wall[i] = sim_half_space( normal[i], i > 0 ? -side / 2 : 0 );
		body[i] = sim_make_body( wall + i, 1, bv_vec3_make( 0, 0, 0 ), bv_quaternion_identity() );
	}
}

static bv_vec3 lattice_point( const sim_body* b, int index, bool* inside )
{
	double at[3] = { index % lattice, index / lattice % lattice, index / lattice / lattice };
	bv_vec3 p = { ( at[0] + 0.5 ) / lattice - 0.5, ( at[1] + 0.5 ) / lattice - 0.5,
		          ( at[2] + 0.5 ) / lattice - 0.5 };
	*inside = b->shape->convex.kind == bv_convex_of_box || bv_dot( p, p ) <= 0.25;
	return bv_add( b->position, sim_times( b->rotation, p ) );
}

// The solid fraction between two heights, of all, and of each quarter of the box.
static void measure_fraction( const sim_world* w, double side, packed* out )
{
	uint32_t count = w->count - walls;
	double* heights = sim_allocate( count, sizeof *heights );
	for ( uint32_t i = 0; i < count; ++i )
	{
		heights[i] = w->body[walls + i].position.z;
	}
	qsort( heights, count, sizeof *heights, compare_numbers );
	double from = 1;
	double to = heights[count * 17 / 20];
	free( heights );
	double volume[4] = { 0 };
	for ( uint32_t i = walls; i < w->count; ++i )
	{
		const sim_body* b = w->body + i;
		int inside = 0;
		int counted[4] = { 0 };
		for ( int k = 0; k < lattice * lattice * lattice; ++k )
		{
			bool is_inside;
			bv_vec3 p = lattice_point( b, k, &is_inside );
			inside += is_inside;
			counted[( p.x > 0 ) + 2 * ( p.y > 0 )] += is_inside && p.z > from && p.z < to;
		}
		for ( int q = 0; q < 4; ++q )
		{
			volume[q] += b->shape->volume * counted[q] / inside;
		}
	}
	double quarter = side * side * ( to - from ) / 4;
	double square = 0;
	out->fraction = ( volume[0] + volume[1] + volume[2] + volume[3] ) / ( 4 * quarter );
	for ( int q = 0; q < 4; ++q )
	{
		square += pow( volume[q] / quarter - out->fraction, 2 );
	}
	out->error = sqrt( square / 12 );
}

// Depths of pairs of bodies that overlap by at least 1e-8, with both ways.
static void measure_depths( sim_world* w, const sim_options* options, bool has_closed_form, packed* out )
{
	out->depths = sim_allocate( options->most_pairs, sizeof *out->depths );
	uint32_t count;
	sim_collide( w );
	sim_require( bvw_broadphase_pairs( w->broad, w->pairs, options->most_pairs, &count ) == bv_ok,
	             "too many pairs" );
	const bv_convex_options closed = { .method = bv_convex_method_closed };
	const bv_convex_options iterative = { .method = bv_convex_method_gjk };
	double sum = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_pair p = w->pairs[i];
		if ( p.a < walls )
		{
			continue;
		}
		bv_transform at = bv_transform_between( &w->placed[p.a].placement, &w->placed[p.b].placement );
		const bv_convex* a = w->placed[p.a].shape ? w->placed[p.a].shape : &w->body[p.a].shape->convex;
		const bv_convex* b = w->placed[p.b].shape ? w->placed[p.b].shape : &w->body[p.b].shape->convex;
		bv_convex_result r;
		bv_convex_result other;
		sim_require( bv_convex_distance( a, b, &at, &iterative, &r ) == bv_ok, "a pair has no distance" );
		if ( has_closed_form )
		{
			sim_require( bv_convex_distance( a, b, &at, &closed, &other ) == bv_ok,
			             "a pair has no closed form" );
			if ( fmin( r.lower, other.lower ) < -1e-8 )
			{
				out->difference = fmax( out->difference, fabs( r.lower - other.lower ) );
			}
			r = options->contacts.method == bv_convex_method_closed ? other : r;
		}
		if ( -r.lower >= 1e-8 )
		{
			out->depths[out->pairs++] = -r.lower;
			sum += -r.lower;
		}
	}
	qsort( out->depths, out->pairs, sizeof *out->depths, compare_numbers );
	out->mean_depth = sum / out->pairs;
	out->greatest_depth = out->depths[out->pairs - 1];
}

static packed pack( const simulation* s, const material* m, int way, uint32_t bodies, uint64_t seed )
{
	double side = side_of( bodies );
	sim_shape shapes[shape_kinds] = { sim_sphere( 0.5 ), sim_round_ellipsoid( 0.5 ),
		                              sim_box( bv_vec3_make( 0.5, 0.5, 0.5 ) ) };
	sim_shape wall[walls];
	sim_body* body = sim_allocate( bodies + walls, sizeof *body );
	add_walls( wall, body, side );
	int columns = (int)( side / 1.75 );
	uint64_t random = seed;
	for ( uint32_t i = 0; i < bodies; ++i )
	{
		// By chance: in turns, each column would have a kind of its own.
		int kind = m->kind[m->kinds > 1 && sim_draw( &random ) < 0.5];
		const sim_shape* shape = shapes + kind;
		int layer = (int)i / ( columns * columns );
		int cell = (int)i % ( columns * columns );
		double cell_side = side / columns;
		bv_vec3 at = { ( cell % columns + 0.5 ) * cell_side - side / 2,
			           ( cell / columns + 0.5 ) * cell_side - side / 2,
			           1 + 1.85 * layer + 0.1 * sim_draw( &random ) };
		body[walls + i] = sim_make_body( shape, 1, at, sim_draw_turn( &random ) );
		body[walls + i].velocity = random_direction( &random );
	}
	sim_options options = { .contacts = ways[way],
		                    .time = 1.0 / 60,
		                    .substeps = 4,
		                    .gravity = { 0, 0, -9.81 },
		                    .friction = 0.3,
		                    .fastest = 10,
		                    .damping = 0.5,
		                    .speculative = 0.02,
		                    .most_pairs = 20 * bodies };
	double start = sim_seconds();
	sim_world w = sim_begin( &options, body, bodies + walls );
	int steps = s->quick ? 300 : 850;
	for ( int i = 0; i < steps; ++i )
	{
		sim_step( &w );
	}
	packed out = { .seconds = sim_seconds() - start };
	measure_fraction( &w, side, &out );
	measure_depths( &w, &options, m->has_closed_form, &out );
	for ( uint32_t i = walls; i < w.count; ++i )
	{
		out.speed += bv_dot( body[i].velocity, body[i].velocity ) / bodies;
	}
	out.speed = sqrt( out.speed );
	char name[100];
	snprintf( name, sizeof name, "packing-%s-%d.scene", m->file, way );
	write_scene( s, name, shapes, shape_kinds, &w );
	sim_end( &w );
	free( body );
	return out;
}

// The greatest difference of two cumulative distributions (Kolmogorov, Smirnov).
static double distance_of( const packed* a, const packed* b )
{
	double most = 0;
	uint32_t i = 0;
	uint32_t k = 0;
	while ( i < a->pairs && k < b->pairs )
	{
		if ( a->depths[i] <= b->depths[k] )
		{
			++i;
		}
		else
		{
			++k;
		}
		most = fmax( most, fabs( (double)i / a->pairs - (double)k / b->pairs ) );
	}
	return most;
}

static void print_packed( simulation* s, const material* m, int way, const packed* p )
{
	printf( "| %s | %s | %.2f | %.2f | %s | %u | %.3f | %s | %.4f | ", m->name, way_name[way],
	        100 * p->fraction, 100 * p->error, m->printed[way == 0], p->pairs, 1e3 * p->mean_depth,
	        m->depths[way == 0], p->greatest_depth );
	if ( m->has_closed_form )
	{
		printf( "%.1e", p->difference );
	}
	printf( " | %.1e | %.0f |\n", p->speed, p->seconds );
	fflush( stdout );
	write_figure( &s->v, m->name, "solid fraction", way, p->fraction );
	write_figure( &s->v, m->name, "mean depth", way, p->mean_depth );
	for ( uint32_t i = 0, bin = 0; bin < bins; ++bin )
	{
		uint32_t begin = i;
		while ( i < p->pairs && ( p->depths[i] < pow( 10, (double)bin - 7 ) || bin + 1 == bins ) )
		{
			++i;
		}
		write_figure( &s->v, m->name, way_name[way], pow( 10, (double)bin - 8 ), i - begin );
	}
}

void run_packing( simulation* s )
{
	uint32_t bodies = s->quick ? 300 : 3000;
	packed of[most_materials][3] = { 0 };
	printf( "\n%u bodies poured into a box %g wide. Lengths are in diameters of balls and edges of cubes. "
	        "*Fraction*: volume of bodies "
	        "between the height 1 and that below which 85 %% of centers are, %%. *Error*: standard error of "
	        "four quarters of the box. "
	        "*Depth*: mean of pairs that overlap by at least 1e-8, in thousandths. *Both ways*: greatest "
	        "difference of depths by closed "
	        "form and by GJK and EPA in this state. *Speed*: root mean square at the end.\n\n",
	        bodies, side_of( bodies ) );
	printf( "| material | answers | fraction | error | Leemann 2017 | pairs | depth | Leemann 2017 | "
	        "greatest depth | both ways | speed | "
	        "processor time, s |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
	        "| ---: |\n" );
	for ( int m = 0; m < most_materials; ++m )
	{
		for ( int way = materials[m].has_closed_form ? 0 : 1; way < ( m + 1 == most_materials ? 3 : 2 );
		      ++way )
		{
			of[m][way] = pack( s, materials + m, way, bodies, 11 );
			print_packed( s, materials + m, way, of[m] + way );
		}
	}
	// Ellipsoids that are balls are compared with balls.
	of[1][0] = of[0][0];
	printf( "\n*Off*: relative difference of solid fractions by GJK and EPA and by closed forms, %%; bar "
	        "0.5. *Depths*: greatest difference "
	        "of the cumulative distributions of depths (Kolmogorov-Smirnov); bar %g.\n\n| material | off, %% "
	        "| bar | Leemann 2017, %% | "
	        "depths | bar |\n| --- | ---: | --- | ---: | ---: | --- |\n",
	        most_distance );
	static const char* const printed[most_materials] = { "0.3", "0.1", "1.0", "10.1" };
	for ( int m = 0; m < most_materials; ++m )
	{
		double off = fabs( of[m][1].fraction / of[m][0].fraction - 1 );
		double distance = distance_of( of[m], of[m] + 1 );
		printf( "| %s | %.2f | %s | %s | %.3f | %s |\n", materials[m].name, 100 * off,
		        met_if( off <= most_off ), printed[m], distance, met_if( distance <= most_distance ) );
		require( &s->v, s->quick || off <= most_off, "solid fractions" );
		require( &s->v, s->quick || distance <= most_distance, "depths of a packing" );
	}
	for ( int m = 0; m < most_materials; ++m )
	{
		for ( int way = m == 1; way < 3; ++way )
		{
			free( of[m][way].depths );
		}
	}
}
