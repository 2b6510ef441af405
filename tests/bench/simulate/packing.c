// Bodies poured into a box until they rest (Leemann 2017, section on packing): solid fractions and depths, with closed forms and with
// iterative answers, with up to four contact points for each pair and with one.
//
// Rounding errors make two runs different packings. Both methods therefore start from the same several states, and the mean of the
// differences is judged.

#include "tests/bench/simulate/simulate.h"

enum
{
	walls = 5,
	lattice = 8, // points along each axis by which the volume of a body below a height is measured
	most_materials = 4,
	bins = 8, // decades of depth, from 1e-8
	most_runs = 6,
	first_seed = 11,
	steps_between = 50, // comparisons of manifolds
};

static const double most_off = 0.005;     // relative difference of solid fractions
static const double most_distance = 0.05; // Kolmogorov-Smirnov, of depths
static const double same_within = 1e-6;   // normals and points of manifolds

// Student's t, quantiles of two-sided 5 %, by degrees of freedom.
static const double student[] = { INFINITY, 12.706, 4.303, 3.182, 2.776, 2.571, 2.447 };

typedef struct material
{
	const char* name;
	const char* file;
	int kinds; // of shapes, in equal shares
	int kind[2];
	bool has_closed_form;
	int runs;               // for each method, from different states
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
	{ "balls", "balls", 1, { ball }, true, 4, { "59.08", "59.28" }, { "0.36", "0.35" } },
	{ "ball-shaped ellipsoids", "ellipsoids", 1, { ellipsoid }, false, 1, { "59.25", "-" }, { "0.37", "-" } },
	{ "balls and cubes", "mixed", 2, { ball, cube }, true, 4, { "62.83", "62.23" }, { "0.57", "0.39" } },
	{ "cubes", "cubes", 1, { cube }, true, 4, { "78.96", "71.72" }, { "9.50", "2.92" } },
};

static const sim_contacts_of ways[] = {
	{ .method = bv_convex_method_closed },
	{ .method = bv_convex_method_gjk },
	{ .method = bv_convex_method_gjk, .single = true },
};
static const char* const way_name[] = { "closed form", "GJK and EPA", "GJK and EPA, one contact" };

// Manifolds of the same pairs of bodies by both methods.
typedef struct compared
{
	uint64_t pairs; // with contacts by at least one method
	uint64_t contacts[2];
	uint64_t other_counts;
	uint64_t other_normals; // of those with as many contacts
	uint64_t other_points;  // of those with the same normals
} compared;

typedef struct packed
{
	double fraction;
	double mean_depth;
	double greatest_depth;
	double* depths; // sorted
	uint32_t pairs;
	double difference; // of depths by both ways in this state, at most
	double error;      // of solid fraction, from quarters of the box or from several runs
	double speed;      // root mean square at the end
	double seconds;
	compared manifolds;
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

// Compares the manifolds that the next step will find, with the caches of the last step.
static void compare_manifolds( sim_world* w, compared* out )
{
	bool iterative = w->options.contacts.method == bv_convex_method_gjk;
	uint32_t count;
	sim_require( bvw_broadphase_pairs( w->broad, w->pairs, w->options.most_pairs, &count ) == bv_ok,
	             "too many pairs" );
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_pair p = w->pairs[i];
		if ( p.a < walls )
		{
			continue;
		}
		const sim_body* a = w->body + p.a;
		const sim_body* b = w->body + p.b;
		bv_transform placement[2] = { sim_placement( a ), sim_placement( b ) };
		bv_transform b_in_a = bv_transform_between( placement, placement + 1 );
		bvw_contact_key key = { p.a, p.b, { 0, 0 } };
		const bvw_contact_pair* entry = bvw_contacts_find( w->contacts, &key );
		bv_convex_cache cache = { .count = 0 };
		if ( entry && iterative )
		{
			cache = entry->cache;
		}
		bv_manifold m[2];
		for ( int way = 0; way < 2; ++way )
		{
			bv_manifold_options options = {
				.speculative = w->options.speculative +
				               w->options.time * bv_length( bv_sub( a->velocity, b->velocity ) ),
				.distance = { .method = ways[way].method, .cache = way ? &cache : NULL },
			};
			sim_require( bv_convex_manifold( &a->shape->convex, &b->shape->convex, &b_in_a, &options,
			                                 m + way ) == bv_ok,
			             "a pair has no manifold" );
			out->contacts[way] += m[way].count;
		}
		out->pairs += m[0].count > 0 || m[1].count > 0;
		if ( m[0].count != m[1].count )
		{
			out->other_counts += 1;
		}
		else if ( m[0].count > 0 && bv_length( bv_sub( m[0].normal, m[1].normal ) ) > same_within )
		{
			out->other_normals += 1;
		}
		else
		{
			double off = 0;
			for ( uint32_t k = 0; k < m[0].count; ++k )
			{
				off = fmax( off, bv_length( bv_sub( m[0].contact[k].position, m[1].contact[k].position ) ) );
			}
			out->other_points += off > same_within;
		}
	}
}

static packed pack( const simulation* s, const material* m, int way, uint32_t bodies, int run )
{
	double side = side_of( bodies );
	sim_shape shapes[shape_kinds] = { sim_sphere( 0.5 ), sim_round_ellipsoid( 0.5 ),
		                              sim_box( bv_vec3_make( 0.5, 0.5, 0.5 ) ) };
	sim_shape wall[walls];
	sim_body* body = sim_allocate( bodies + walls, sizeof *body );
	add_walls( wall, body, side );
	int columns = (int)( side / 1.75 );
	uint64_t random = first_seed + (uint64_t)run;
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
	packed out = { 0 };
	int steps = s->quick ? 300 : 850;
	for ( int i = 1; i <= steps; ++i )
	{
		sim_step( &w );
		if ( m->has_closed_form && i % steps_between == 0 )
		{
			compare_manifolds( &w, &out.manifolds );
		}
	}
	out.seconds = sim_seconds() - start;
	measure_fraction( &w, side, &out );
	measure_depths( &w, &options, m->has_closed_form, &out );
	for ( uint32_t i = walls; i < w.count; ++i )
	{
		out.speed += bv_dot( body[i].velocity, body[i].velocity ) / bodies;
	}
	out.speed = sqrt( out.speed );
	if ( run == 0 )
	{
		char name[100];
		snprintf( name, sizeof name, "packing-%s-%d.scene", m->file, way );
		write_scene( s, name, shapes, shape_kinds, &w );
	}
	sim_end( &w );
	free( body );
	return out;
}

// The mean of several figures and its standard error.
static double mean_of( const double* of, int count, double* error )
{
	double sum = 0;
	for ( int i = 0; i < count; ++i )
	{
		sum += of[i];
	}
	double mean = sum / count;
	double square = 0;
	for ( int i = 0; i < count; ++i )
	{
		square += ( of[i] - mean ) * ( of[i] - mean );
	}
	*error = sqrt( square / ( count - 1 ) / count );
	return mean;
}

// All runs of a method together. Pairs are those of all runs.
static packed join( const packed* of, int count )
{
	packed all = { 0 };
	double fractions[most_runs];
	double square = 0;
	double depth = 0;
	for ( int i = 0; i < count; ++i )
	{
		fractions[i] = of[i].fraction;
		square += of[i].speed * of[i].speed / count;
		depth += of[i].mean_depth * of[i].pairs;
		all.pairs += of[i].pairs;
		all.seconds += of[i].seconds;
		all.greatest_depth = fmax( all.greatest_depth, of[i].greatest_depth );
		all.difference = fmax( all.difference, of[i].difference );
	}
	all.fraction = mean_of( fractions, count, &all.error );
	all.error = count > 1 ? all.error : of[0].error;
	all.speed = sqrt( square );
	all.mean_depth = depth / all.pairs;
	all.depths = sim_allocate( all.pairs, sizeof *all.depths );
	uint32_t at = 0;
	for ( int i = 0; i < count; ++i )
	{
		memcpy( all.depths + at, of[i].depths, of[i].pairs * sizeof *all.depths );
		at += of[i].pairs;
	}
	qsort( all.depths, all.pairs, sizeof *all.depths, compare_numbers );
	return all;
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

static void print_packed( simulation* s, const material* m, int way, const packed* p, int runs )
{
	printf( "| %s | %s | %d | %.2f | %.2f | %s | %u | %.3f | %s | %.4f | ", m->name, way_name[way], runs,
	        100 * p->fraction, 100 * p->error, m->printed[way == 0], p->pairs / (uint32_t)runs,
	        1e3 * p->mean_depth, m->depths[way == 0], p->greatest_depth );
	if ( m->has_closed_form )
	{
		printf( "%.1e", p->difference );
	}
	printf( " | %.1e | %.0f |\n", p->speed, p->seconds / runs );
	fflush( stdout );
	write_figure( &s->v, m->name, "solid fraction", way, p->fraction );
	write_figure( &s->v, m->name, "solid fraction, standard error", way, p->error );
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

static packed run_all( simulation* s, const material* m, int way, packed of[most_runs], int runs )
{
	uint32_t bodies = s->quick ? 300 : 3000;
	char name[100];
	snprintf( name, sizeof name, "solid fraction, %s", way_name[way] );
	for ( int i = 0; i < runs; ++i )
	{
		of[i] = pack( s, m, way, bodies, i );
		write_figure( &s->v, m->name, name, first_seed + i, of[i].fraction );
		if ( s->v.csv )
		{
			fflush( s->v.csv );
		}
	}
	packed all = join( of, runs );
	print_packed( s, m, way, &all, runs );
	return all;
}

// Judges the mean of the relative differences of solid fractions from the same states.
static void judge( simulation* s, const material* m, const packed closed[], const packed iterative[],
                   int runs, const packed all[2] )
{
	double off[most_runs];
	for ( int i = 0; i < runs; ++i )
	{
		off[i] = iterative[i].fraction / closed[i].fraction - 1;
	}
	double error;
	double mean = mean_of( off, runs, &error );
	int freedom = runs - 1;
	if ( runs == 1 )
	{
		// Each error is of four quarters, with three degrees of freedom.
		error = hypot( iterative[0].error, closed[0].error ) / closed[0].fraction;
		freedom = 6;
	}
	double within = student[freedom] * error;
	double distance = distance_of( all, all + 1 );
	ptrdiff_t index = m - materials;
	static const char* const printed[most_materials] = { "-0.3", "-0.1", "1.0", "10.1" };
	printf( "| %s | %d | %+.2f | %.2f | %+.2f to %+.2f | %s | %s | %s | %.3f | %s |\n", m->name, runs,
	        100 * mean, 100 * error, 100 * ( mean - within ), 100 * ( mean + within ),
	        fabs( mean ) > within ? "yes" : "no", met_if( fabs( mean ) <= most_off ), printed[index],
	        distance, met_if( distance <= most_distance ) );
	write_figure( &s->v, m->name, "off", runs, mean );
	write_figure( &s->v, m->name, "off, standard error", runs, error );
	require( &s->v, s->quick || fabs( mean ) <= most_off, "solid fractions" );
	require( &s->v, s->quick || distance <= most_distance, "depths of a packing" );
}

static void print_compared( const material* m, int way, const packed* of, int runs )
{
	compared c = { 0 };
	for ( int i = 0; i < runs; ++i )
	{
		const compared* one = &of[i].manifolds;
		c.pairs += one->pairs;
		c.contacts[0] += one->contacts[0];
		c.contacts[1] += one->contacts[1];
		c.other_counts += one->other_counts;
		c.other_normals += one->other_normals;
		c.other_points += one->other_points;
	}
	printf( "| %s | %s | %llu | %.6f | %.6f | %llu | %llu | %llu |\n", m->name, way_name[way],
	        (unsigned long long)c.pairs, (double)c.contacts[0] / (double)c.pairs,
	        (double)c.contacts[1] / (double)c.pairs, (unsigned long long)c.other_counts,
	        (unsigned long long)c.other_normals, (unsigned long long)c.other_points );
}

void run_packing( simulation* s )
{
	uint32_t bodies = s->quick ? 300 : 3000;
	static packed of[most_materials][3][most_runs];
	packed all[most_materials][3] = { 0 };
	int runs[most_materials];
	printf(
		"\n%u bodies poured into a box %g wide. Lengths are in diameters of balls and edges of cubes. Both "
		"methods start from the same states, one for each run. *Fraction*: volume of bodies "
		"between the height 1 and that below which 85 %% of centers are, %%, mean of the runs. *Error*: its "
		"standard error; of one run, from four quarters of the box. "
		"*Pairs* of a run that overlap by at least 1e-8, and their mean *depth*, in thousandths. *Both "
		"ways*: greatest difference of depths by closed "
		"form and by GJK and EPA in these states. *Speed*: root mean square at the end. *Processor time* of "
		"a "
		"run.\n\n",
		bodies, side_of( bodies ) );
	printf( "| material | answers | runs | fraction | error | Leemann 2017 | pairs | depth | Leemann 2017 | "
	        "greatest depth | both ways | speed | "
	        "processor time, s |\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: "
	        "| ---: "
	        "| ---: |\n" );
	for ( int m = 0; m < most_materials; ++m )
	{
		runs[m] = s->quick ? 1 : materials[m].runs;
		for ( int way = materials[m].has_closed_form ? 0 : 1; way < ( m + 1 == most_materials ? 3 : 2 );
		      ++way )
		{
			all[m][way] = run_all( s, materials + m, way, of[m][way], way < 2 ? runs[m] : 1 );
		}
	}
	printf(
		"\n*Off*: relative difference of solid fractions by GJK and EPA and by closed forms, %%, mean of "
		"runs from the same states; bar 0.5. *95 %%*: its interval by Student's t. *Significant*: zero is "
		"not "
		"in it. Ellipsoids that are balls are compared with balls. *Depths*: greatest difference "
		"of the cumulative distributions of depths of all runs (Kolmogorov-Smirnov); bar %g.\n\n| material | "
		"runs | off, %% | error, %% | 95 %% | significant | bar | Leemann 2017, %% | "
		"depths | bar |\n| --- | ---: | ---: | ---: | --- | --- | --- | ---: | ---: | --- |\n",
		most_distance );
	for ( int m = 0; m < most_materials; ++m )
	{
		int closed = materials[m].has_closed_form ? m : 0;
		const packed both[2] = { all[closed][0], all[m][1] };
		judge( s, materials + m, of[closed][0], of[m][1], runs[m], both );
	}
	printf(
		"\nManifolds of the same pairs of bodies by both methods, each %d steps of each run. *Contacts* for "
		"each "
		"pair that has some by at least one method. *Other counts*: pairs with different numbers of "
		"contacts. "
		"*Other normals*: of the other pairs, those whose normals differ by more than %g. *Other points*: of "
		"the remaining ones, those with points that differ by more than that.\n\n| material | moved by | "
		"pairs | "
		"contacts, closed form | contacts, GJK and EPA | other counts | other normals | other points |\n"
		"| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
		steps_between, same_within );
	for ( int m = 0; m < most_materials; ++m )
	{
		for ( int way = 0; way < ( m + 1 == most_materials ? 3 : 2 ) && materials[m].has_closed_form; ++way )
		{
			print_compared( materials + m, way, of[m][way], way < 2 ? runs[m] : 1 );
		}
	}
	for ( int m = 0; m < most_materials; ++m )
	{
		for ( int way = 0; way < 3; ++way )
		{
			free( all[m][way].depths );
			for ( int i = 0; i < most_runs; ++i )
			{
				free( of[m][way][i].depths );
			}
		}
	}
}
