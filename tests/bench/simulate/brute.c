// Bodies fly about in a cube and bounce off each other and its walls (Leemann 2017, section on brute force). Closed forms drive
// them. All other methods answer the same pairs, and their answers are compared. Pairs with different answers are stored.

#include "tests/bench/simulate/simulate.h"

#include "bv/convex.h"

enum
{
	flying = 150,
	room_walls = 6,
	most_incidents = 100000,
	stored_incidents = 1000,
	solids = 3,
	mixtures = 5,
	first_method = bv_convex_method_gjk,
};

static const double limits[3] = { 1, 1e-4, 0.05 }; // of incidents: degrees, depth, point

typedef enum solid
{
	solid_ball,
	solid_cube,
	solid_capsule,
} solid;

static const char* const solid_name[solids] = { "ball", "cube", "capsule" };

typedef struct mixture
{
	const char* name;
	solid of[2];
	uint32_t pairs; // of the source
	uint32_t hits;
	double most[3]; // angle, degrees; depth; point, relative to the size
	double mean[3];
} mixture;

// Leemann 2017, tables of the section. Points are given in per cent there.
static const mixture mixture_of[mixtures] = {
	{ "balls",
	  { solid_ball, solid_ball },
	  834565,
	  109929,
	  { 1.4e-10, 2.1e-14, 4e-15 },
	  { 3.5e-12, 4.2e-15, 9e-16 } },
	{ "balls and cubes",
	  { solid_ball, solid_cube },
	  601704,
	  68158,
	  { .42, 9.7e-6, .0097 },
	  { 6.9e-3, 3.1e-7, .00093 } },
	{ "cubes",
	  { solid_cube, solid_cube },
	  403287,
	  47591,
	  { 4.0e-4, 2.8e-6, .0516 },
	  { 1.2e-5, 2.0e-7, .00070 } },
	{ "balls and capsules",
	  { solid_ball, solid_capsule },
	  1563083,
	  146817,
	  { .67, 3.5e-5, .0005 },
	  { .0117, 9.7e-7, 4.6e-6 } },
	{ "capsules",
	  { solid_capsule, solid_capsule },
	  2859619,
	  215498,
	  { .95, 4.1e-5, .0101 },
	  { .0151, 1.2e-6, 1.9e-5 } },
};

static sim_shape solid_shape( solid which )
{
	return which == solid_ball   ? sim_sphere( 0.5 )
	       : which == solid_cube ? sim_box( bv_vec3_make( 0.5, 0.5, 0.5 ) )
	                             : sim_capsule( 0.25, 0.5 );
}

// What a method answers, compared with the closed form.
typedef struct comparison
{
	uint64_t pairs;
	uint64_t hits;      // of both
	uint64_t one_sided; // one says that the shapes overlap, the other one that they do not
	uint64_t disjoint;  // intervals of the distance that do not meet
	uint64_t
		two_normals; // the normals differ by more than 1 degree, and both separate the shapes by the same distance
	uint64_t compared[3];
	double most[3]; // angle, depth, point
	double sum[3];
} comparison;

typedef struct incident
{
	double relevance;
	bv_convex_method method;
	solid of[2];
	bv_transform at;
} incident;

typedef struct brute
{
	sim_shape shape[solids];
	comparison of[bv_convex_methods];
	incident* incidents;
	uint32_t incident_count;
} brute;

typedef struct answer
{
	bool overlaps;
	bv_convex_result r;
} answer;

// @return false if the method does not compare such shapes, or finds no distances
static bool ask( const bv_convex* a, const bv_convex* b, const bv_transform* at, bv_convex_method method,
                 answer* out )
{
	const bv_convex_options options = { .method = method };
	bv_convex_overlap_result o;
	if ( bv_convex_overlap( a, b, at, &options, &o ) != bv_ok ||
	     bv_convex_distance( a, b, at, &options, &out->r ) != bv_ok )
	{
		return false;
	}
	out->overlaps = o.overlaps;
	return true;
}

static double degrees_between( bv_vec3 a, bv_vec3 b )
{
	return 180 / sim_pi * atan2( bv_length( bv_cross( a, b ) ), bv_dot( a, b ) );
}

static bv_vec3 middle( const bv_convex_result* r )
{
	return bv_scale( 0.5, bv_add( r->point[0], r->point[1] ) );
}

// The middle of a narrow interval; otherwise what separates the shapes.
static double depth_of( const bv_convex_result* r )
{
	return r->upper - r->lower < 1e-6 ? -0.5 * ( r->lower + r->upper ) : -r->lower;
}

// Angle, depth and point.
static void differences( const bv_convex_result* a, const bv_convex_result* b, double out[3] )
{
	out[0] = degrees_between( a->normal, b->normal );
	out[1] = fabs( depth_of( a ) - depth_of( b ) );
	out[2] = bv_length( bv_sub( middle( a ), middle( b ) ) );
}

static void compare( comparison* c, const answer* truth, const answer* a, bool unique, double* relevance )
{
	++c->pairs;
	*relevance = 0;
	bool disjoint = a->r.lower > truth->r.upper || a->r.upper < truth->r.lower;
	c->disjoint += disjoint;
	if ( a->overlaps != truth->overlaps )
	{
		++c->one_sided;
		*relevance = INFINITY;
		return;
	}
	if ( !truth->overlaps )
	{
		*relevance = disjoint ? 1e6 : 0;
		return;
	}
	++c->hits;
	double d[3];
	differences( &truth->r, &a->r, d );
	bool two = d[0] > 1 && d[1] < 1e-5;
	c->two_normals += two;
	for ( int i = 0; i < 3; ++i )
	{
		if ( ( i == 2 && !unique ) || ( i != 1 && two ) )
		{
			continue;
		}
		++c->compared[i];
		c->most[i] = fmax( c->most[i], d[i] );
		c->sum[i] += d[i];
		*relevance = fmax( *relevance, d[i] > limits[i] ? d[i] / limits[i] : 0 );
	}
	*relevance = disjoint ? 1e6 : *relevance;
}

static void compare_methods( brute* b, const sim_body* one, const sim_body* two, const bv_transform* at,
                             const answer* truth, bool unique )
{
	for ( int m = first_method; m < bv_convex_methods; ++m )
	{
		answer a;
		double relevance;
		if ( m == bv_convex_method_closed ||
		     !ask( &one->shape->convex, &two->shape->convex, at, (bv_convex_method)m, &a ) )
		{
			continue;
		}
		compare( b->of + m, truth, &a, unique, &relevance );
		if ( relevance > 0 && b->incident_count < most_incidents )
		{
			b->incidents[b->incident_count++] =
				( incident ){ relevance,
				              (bv_convex_method)m,
				              { (solid)( one->shape - b->shape ), (solid)( two->shape - b->shape ) },
				              *at };
		}
	}
}

// The contact of a pair of bodies, or of a body and a wall, by closed forms.
static void meet( sim_body* a, sim_body* b, const bv_transform* a_at, const bv_manifold* m )
{
	for ( uint32_t i = 0; i < m->count; ++i )
	{
		bv_vec3 at = bv_transform_point( a_at, m->contact[i].position );
		sim_bounce( a, b, bv_sub( at, a->position ), bv_sub( at, b->position ),
		            bv_transform_direction( a_at, m->normal ) );
	}
}

static uint64_t step_room( brute* b, sim_world* w )
{
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		if ( i >= room_walls )
		{
			sim_move( w->body + i, w->options.time );
		}
		bv_aabb box = sim_box_of( w, w->body + i );
		sim_require( bvw_broadphase_move( w->broad, i, &box ) == bv_ok, "a body has left the room" );
		w->placed[i].placement = sim_placement( w->body + i );
	}
	bvw_changes changes;
	uint32_t count;
	sim_require( bvw_broadphase_update( w->broad, &changes ) == bv_ok &&
	                 bvw_broadphase_pairs( w->broad, w->pairs, w->options.most_pairs, &count ) == bv_ok,
	             "too many pairs" );
	uint64_t pairs = 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		bvw_pair p = w->pairs[i];
		sim_body* one = w->body + p.a;
		sim_body* two = w->body + p.b;
		bool has_wall = p.a < room_walls;
		bv_transform at = bv_transform_between( &w->placed[p.a].placement, &w->placed[p.b].placement );
		const bv_manifold_options options = { .distance = { .method = bv_convex_method_closed } };
		bv_manifold m;
		sim_require( bv_convex_manifold( &one->shape->convex, &two->shape->convex, &at, &options, &m ) ==
		                 bv_ok,
		             "a pair has no closed form" );
		if ( !has_wall )
		{
			answer truth;
			sim_require(
				ask( &one->shape->convex, &two->shape->convex, &at, bv_convex_method_closed, &truth ),
				"a pair has no closed form" );
			++pairs;
			compare_methods( b, one, two, &at, &truth, m.count == 1 );
		}
		meet( one, two, &w->placed[p.a].placement, &m );
	}
	return pairs;
}

static double room_energy( const sim_world* w )
{
	double sum = 0;
	for ( uint32_t i = 0; i < w->count; ++i )
	{
		sum += sim_kinetic_energy( w->body + i );
	}
	return sum;
}

static void print_comparison( simulation* s, const mixture* m, bv_convex_method method, const comparison* c,
                              bool judged )
{
	static const char* const what[3] = { "angle", "depth", "point" };
	printf( "| %s | %s | %llu | %llu | %llu | %llu | %llu |", m->name, bv_convex_method_name( method ),
	        (unsigned long long)c->pairs, (unsigned long long)c->hits, (unsigned long long)c->one_sided,
	        (unsigned long long)c->disjoint, (unsigned long long)c->two_normals );
	bool met = c->one_sided == 0 && c->disjoint == 0;
	for ( int i = 0; i < 3; ++i )
	{
		double mean = c->compared[i] ? c->sum[i] / (double)c->compared[i] : 0;
		printf( " %.1e (%.1e) |", c->most[i], mean );
		met = met && c->most[i] <= m->most[i] && mean <= m->mean[i];
		write_figure( &s->v, m->name, bv_convex_method_name( method ), i, c->most[i] );
		write_figure( &s->v, what[i], bv_convex_method_name( method ), m->pairs, mean );
	}
	printf( " %s |\n", judged ? met_if( met ) : "" );
	require( &s->v, met || !judged, "answers of a method" );
}

// GJK and EPA beside the source's figures, then the other methods.
static void print_tables( simulation* s, comparison of[mixtures][bv_convex_methods] )
{
	for ( int other = 0; other < 2; ++other )
	{
		fputs( other ? "\nThe other methods, which are not judged:\n\n" : "", stdout );
		printf( "| bodies | method | pairs | overlap | one-sided | disjoint | two normals | angle, degrees | "
		        "depth | point | bar "
		        "|\n| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n" );
		for ( int k = 0; k < mixtures; ++k )
		{
			const mixture* m = mixture_of + k;
			for ( int n = first_method; n < bv_convex_methods; ++n )
			{
				if ( of[k][n].pairs > 0 && other == ( n != bv_convex_method_gjk ) )
				{
					print_comparison( s, m, (bv_convex_method)n, of[k] + n, !other );
				}
			}
			if ( !other )
			{
				printf( "| %s | Leemann 2017 | %u | %u | 0 | | |", m->name, m->pairs, m->hits );
				for ( int i = 0; i < 3; ++i )
				{
					printf( " %.1e (%.1e) |", m->most[i], m->mean[i] );
				}
				printf( " |\n" );
			}
		}
	}
}

static int by_relevance( const void* left, const void* right )
{
	double a = ( (const incident*)left )->relevance;
	double b = ( (const incident*)right )->relevance;
	return ( a < b ) - ( a > b );
}

static void store_incidents( const simulation* s, brute* b )
{
	FILE* file = sim_open( s, "incidents.txt" );
	qsort( b->incidents, b->incident_count, sizeof *b->incidents, by_relevance );
	for ( uint32_t i = 0; i < b->incident_count && i < stored_incidents; ++i )
	{
		const incident* n = b->incidents + i;
		fprintf( file, "%s %s %s %g", bv_convex_method_name( n->method ), solid_name[n->of[0]],
		         solid_name[n->of[1]], n->relevance );
		for ( int k = 0; k < 9; ++k )
		{
			fprintf( file, " %a", n->at.pose.rotation[k / 3][k % 3] );
		}
		fprintf( file, " %a %a %a\n", n->at.pose.translation.x, n->at.pose.translation.y,
		         n->at.pose.translation.z );
	}
	fclose( file );
}

void run_brute_force( simulation* s )
{
	static brute b;
	b.incidents = sim_allocate( most_incidents, sizeof *b.incidents );
	for ( int i = 0; i < solids; ++i )
	{
		b.shape[i] = solid_shape( (solid)i );
	}
	printf( "\n%d bodies in a cube 12 wide; balls and cubes are 1 wide, capsules 0.5 wide and 1.5 long. "
	        "Pairs are those of a broad phase. "
	        "*One-sided*: one of the method and the closed form says that they overlap. *Disjoint*: "
	        "intervals of the distance that do "
	        "not meet. *Two normals*: more than 1 degree apart, with depths that differ by less than "
	        "1e-5; not in the columns "
	        "that follow. Greatest (mean) difference from the closed form of pairs that overlap; of points "
	        "where there is one. Bar: 0 "
	        "one-sided, 0 disjoint, and no figure above that of Leemann 2017; it is for GJK and EPA.\n\n",
	        flying );
	static comparison of[mixtures][bv_convex_methods];
	uint64_t all = 0;
	double drift = 0;
	for ( int k = 0; k < mixtures; ++k )
	{
		const mixture* m = mixture_of + k;
		memset( b.of, 0, sizeof b.of );
		sim_shape wall[room_walls];
		sim_body body[room_walls + flying];
		for ( int i = 0; i < room_walls; ++i )
		{
			double n[3] = { 0 };
			n[i / 2] = i % 2 ? 1 : -1;
			wall[i] = sim_half_space( bv_vec3_make( n[0], n[1], n[2] ), -6 );
			body[i] = sim_make_body( wall + i, 1, bv_vec3_make( 0, 0, 0 ), bv_quaternion_identity() );
		}
		uint64_t random = 3 + (uint64_t)k;
		for ( int i = 0; i < flying; ++i )
		{
			bv_vec3 at = { 1.9 * ( i % 6 ) - 4.75, 1.9 * ( i / 6 % 6 ) - 4.75, 1.9 * ( i / 36 ) - 4.75 };
			sim_body* to = body + room_walls + i;
			*to = sim_make_body( b.shape + m->of[i % 2], 1, at, sim_draw_turn( &random ) );
			to->velocity = bv_scale( 0.5 + sim_draw( &random ), random_direction( &random ) );
			to->spin = random_direction( &random );
		}
		sim_options options = { .time = 0.04, .most_pairs = 10000 };
		sim_world w = sim_begin( &options, body, room_walls + flying );
		double energy = room_energy( &w );
		uint64_t pairs = 0;
		uint64_t enough = s->quick ? m->pairs / 50 : m->pairs;
		while ( pairs < enough )
		{
			pairs += step_room( &b, &w );
		}
		all += pairs;
		drift = fmax( drift, fabs( room_energy( &w ) / energy - 1 ) );
		memcpy( of[k], b.of, sizeof b.of );
		sim_end( &w );
	}
	print_tables( s, of );
	store_incidents( s, &b );
	printf( "\n%llu pairs. %u incidents: one-sided or disjoint answers, or differences above %g degree, %g "
	        "of depth, or %g of a point; "
	        "`simulate replay incidents.txt` answers the %d most relevant ones again. Greatest relative "
	        "change of the energy: %.1e.\n",
	        (unsigned long long)all, b.incident_count, limits[0], limits[1], limits[2], stored_incidents,
	        drift );
	free( b.incidents );
}

static int number_of( const char* name, const char* const* names, int count )
{
	int i = 0;
	while ( i < count && strcmp( name, names[i] ) != 0 )
	{
		++i;
	}
	return i;
}

int replay_incidents( const char* path )
{
	FILE* file = fopen( path, "r" );
	if ( !file )
	{
		fprintf( stderr, "%s: cannot be read\n", path );
		return 2;
	}
	char name[3][20];
	double relevance;
	printf( "| method | bodies | overlap | closed form | distance | closed form | angle, degrees | depth | "
	        "point |\n| --- | --- | --- | "
	        "--- | --- | --- | ---: | ---: | ---: |\n" );
	while ( fscanf( file, "%19s %19s %19s %lf", name[0], name[1], name[2], &relevance ) == 4 )
	{
		bv_transform at = bv_transform_identity();
		double x[12];
		for ( int k = 0; k < 12; ++k )
		{
			sim_require( fscanf( file, "%la", x + k ) == 1, "a line is incomplete" );
		}
		memcpy( at.pose.rotation, x, 9 * sizeof *x );
		at.pose.translation = bv_vec3_make( x[9], x[10], x[11] );
		int method = 0;
		while ( method < bv_convex_methods &&
		        strcmp( name[0], bv_convex_method_name( (bv_convex_method)method ) ) != 0 )
		{
			++method;
		}
		int of[2] = { number_of( name[1], solid_name, solids ), number_of( name[2], solid_name, solids ) };
		sim_require( method < bv_convex_methods && of[0] < solids && of[1] < solids, "a name is unknown" );
		sim_shape a = solid_shape( (solid)of[0] );
		sim_shape b = solid_shape( (solid)of[1] );
		answer truth;
		answer other;
		sim_require( ask( &a.convex, &b.convex, &at, bv_convex_method_closed, &truth ) &&
		                 ask( &a.convex, &b.convex, &at, (bv_convex_method)method, &other ),
		             "a pair cannot be compared" );
		double d[3];
		differences( &truth.r, &other.r, d );
		printf( "| %s | %s, %s | %s | %s | %.10g to %.10g | %.10g to %.10g | %.2e | %.2e | %.2e |\n", name[0],
		        name[1], name[2], other.overlaps ? "yes" : "no", truth.overlaps ? "yes" : "no", other.r.lower,
		        other.r.upper, truth.r.lower, truth.r.upper, d[0], d[1], d[2] );
	}
	fclose( file );
	return 0;
}
