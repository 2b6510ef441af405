// Contacts of meshes that bend, against brute force over all pairs of features with the exact features of bv/motion.h, which has a list of
// edges of its own. Pairs of triangles that intersect: whether a point that moves along an edge meets the other triangle, exactly.

#include "queries.h"

#include "bv/convex.h"
#include "bvworld/deform_contact.h"

enum
{
	most_contacts = 1 << 20,
	kinds_of_step = 9,
};

// A cloth of n * n squares that bends.
typedef struct cloth
{
	const bv_file* file;
	bvw_deform* deform;
	bvw_owners* owners;
	uint32_t vertices;
	uint32_t triangles;
	uint32_t ( *triangle )[3];
	bv_vec3* rest;
	bv_vec3* from;
	bv_vec3* to;
	uint32_t ( *edge )[2]; // each once, the lower number first, in order
	uint32_t edges;
	uint32_t* edge_owner; // the first triangle that has it
	uint32_t* vertex_owner;
} cloth;

static int compare_numbers( const void* a, const void* b, size_t count )
{
	const uint32_t* x = a;
	const uint32_t* y = b;
	for ( size_t i = 0; i < count; ++i )
	{
		if ( x[i] != y[i] )
		{
			return x[i] < y[i] ? -1 : 1;
		}
	}
	return 0;
}

static int compare_edges( const void* a, const void* b )
{
	return compare_numbers( a, b, 3 );
}

static void list_edges( fixture* f, cloth* c )
{
	uint32_t( *all )[3] = bvb_arena_allocate( f->arena, 3 * (size_t)c->triangles, sizeof *all );
	c->edge = bvb_arena_allocate( f->arena, 3 * (size_t)c->triangles, sizeof *c->edge );
	c->edge_owner = bvb_arena_allocate( f->arena, 3 * (size_t)c->triangles, sizeof *c->edge_owner );
	c->vertex_owner = bvb_arena_allocate( f->arena, c->vertices, sizeof *c->vertex_owner );
	memset( c->vertex_owner, 0xff, c->vertices * sizeof *c->vertex_owner );
	for ( uint32_t i = 0; i < 3 * c->triangles; ++i )
	{
		uint32_t a = c->triangle[i / 3][i % 3];
		uint32_t b = c->triangle[i / 3][( i + 1 ) % 3];
		all[i][0] = a < b ? a : b;
		all[i][1] = a < b ? b : a;
		all[i][2] = i / 3;
		c->vertex_owner[a] = c->vertex_owner[a] < i / 3 ? c->vertex_owner[a] : i / 3;
	}
	qsort( all, 3 * (size_t)c->triangles, sizeof *all, compare_edges );
	c->edges = 0;
	for ( uint32_t i = 0; i < 3 * c->triangles; ++i )
	{
		if ( i == 0 || compare_numbers( all[i], all[i - 1], 2 ) != 0 )
		{
			c->edge_owner[c->edges] = all[i][2];
			memcpy( c->edge[c->edges++], all[i], sizeof *c->edge );
		}
	}
}

static bvw_owners* make_owners( fixture* f, const bv_file* file )
{
	size_t bytes = bvw_owners_bytes( file );
	size_t scratch = bvw_owners_scratch_bytes( file );
	bvw_owners* out = NULL;
	assert_int_equal( bvw_owners_begin( file, bvb_arena_allocate( f->arena, scratch, 1 ), scratch,
	                                    bvb_arena_allocate( f->arena, bytes, 1 ), bytes, &out ),
	                  bv_ok );
	return out;
}

static cloth cloth_of( fixture* f, const bvb_mesh* mesh, const bvb_asset_options* options )
{
	cloth c = { .file = build_file( f, mesh, options ) };
	bv_mesh_info info = bv_file_get_mesh( c.file );
	c.vertices = info.vertices;
	c.triangles = info.triangles;
	c.triangle = bvb_arena_allocate( f->arena, c.triangles, sizeof *c.triangle );
	c.rest = bvb_arena_allocate( f->arena, c.vertices, sizeof *c.rest );
	c.from = bvb_arena_allocate( f->arena, c.vertices, sizeof *c.from );
	c.to = bvb_arena_allocate( f->arena, c.vertices, sizeof *c.to );
	for ( uint32_t i = 0; i < c.triangles; ++i )
	{
		bv_file_get_triangle( c.file, i, c.triangle[i] );
	}
	for ( uint32_t i = 0; i < c.vertices; ++i )
	{
		c.rest[i] = bv_file_get_vertex( c.file, i );
	}
	bvw_deform_options with_motion = { .motion = true };
	size_t bytes = bvw_deform_bytes( c.file, &with_motion );
	assert_int_equal(
		bvw_deform_begin( c.file, &with_motion, bvb_arena_allocate( f->arena, bytes, 1 ), bytes, &c.deform ),
		bv_ok );
	c.owners = make_owners( f, c.file );
	list_edges( f, &c );
	return c;
}

static bvb_mesh sheet( fixture* f, uint32_t n )
{
	bvb_mesh mesh = {
		.positions = bvb_arena_allocate( f->arena, ( n + 1 ) * ( n + 1 ), sizeof *mesh.positions ),
		.triangles = bvb_arena_allocate( f->arena, 2 * n * n, sizeof *mesh.triangles ),
		.vertex_count = ( n + 1 ) * ( n + 1 ),
		.triangle_count = 2 * n * n,
	};
	for ( uint32_t i = 0; i < mesh.vertex_count; ++i )
	{
		mesh.positions[i] = ( bv_vec3 ){ i % ( n + 1 ), i / ( n + 1 ), 0 };
	}
	for ( uint32_t i = 0; i < n * n; ++i )
	{
		uint32_t a = i / n * ( n + 1 ) + i % n;
		mesh.triangles[2 * i] = ( bvb_triangle ){ { a, a + 1, a + n + 2 } };
		mesh.triangles[2 * i + 1] = ( bvb_triangle ){ { a, a + n + 2, a + n + 1 } };
	}
	return mesh;
}

static cloth make_cloth( fixture* f, uint32_t n )
{
	bvb_mesh mesh = sheet( f, n );
	bvb_asset_options options = plain_options();
	return cloth_of( f, &mesh, &options );
}

static bv_vec3 as_floats( bv_vec3 p )
{
	return ( bv_vec3 ){ (float)p.x, (float)p.y, (float)p.z };
}

static bv_vec3 grid_point( fixture* f, bv_vec3 p )
{
	uint64_t bits = random_bits( f );
	return ( bv_vec3 ){ floor( p.x / 2 ) + (double)( bits % 3 ), floor( p.y / 2 ) + (double)( bits / 8 % 3 ),
		                (double)( bits / 64 % 3 ) };
}

// The sheet folded about a line, so that its layers are `gap` apart.
static bv_vec3 folded( bv_vec3 p, double at, double gap )
{
	return p.x > at ? ( bv_vec3 ){ 2 * at - p.x + 0.3, p.y + 0.2, p.z + gap } : p;
}

// Positions at both ends of a step.
static void make_step( fixture* f, cloth* c, int kind )
{
	double amount = 0.2 + random_unit( f );
	for ( uint32_t i = 0; i < c->vertices; ++i )
	{
		bv_vec3 p = c->rest[i];
		bv_vec3 q = p;
		switch ( kind )
		{
		case 0: // crumpled
			p = plus( p, 2 * amount, random_around( f ) );
			q = plus( p, 0.3, random_around( f ) );
			break;
		case 1: // layers that pass through each other
			q = plus( folded( p, 4.5, -0.2 ), 0.05, random_around( f ) );
			p = plus( folded( p, 4.5, 0.2 ), 0.05, random_around( f ) );
			break;
		case 2: // fast
			p = plus( p, 0.3, random_around( f ) );
			q = plus( p, 10, random_around( f ) );
			break;
		case 3: // on few points of a grid, with triangles without area
			p = grid_point( f, p );
			q = grid_point( f, p );
			break;
		case 4: // nothing moves, and some vertices are on a grid
			p = q = i % 3 == 0 ? grid_point( f, p ) : plus( p, amount, random_around( f ) );
			break;
		case 5: // in a plane
			p.x += i % 7 == 0 ? 0.5 : 0;
			q = ( bv_vec3 ){ p.x + amount, p.y > 4 ? p.y - 2.5 : p.y, 0 };
			break;
		case 6: // vertices end up exactly on faces
			q = p.x > 4 ? ( bv_vec3 ){ 8 - p.x, p.y, 0 } : p;
			p = p.x > 4 ? ( bv_vec3 ){ 8 - p.x, p.y, 1 } : p;
			break;
		case 7: // flat at rest, and bends a little
			q.z = 0.01 * random_unit( f );
			break;
		default: // all in one place
			p = q = ( bv_vec3 ){ 1, 1, 1 };
			q.z += i % 5 == 0 ? 1 : 0;
			break;
		}
		c->from[i] = as_floats( p );
		c->to[i] = as_floats( q );
	}
	bvw_vertices from = { .positions = &c->from[0].x, .count = c->vertices };
	bvw_vertices to = { .positions = &c->to[0].x, .count = c->vertices };
	assert_int_equal( bvw_deform_refit_motion( c->deform, &from, &to, NULL, NULL ), bv_ok );
}

typedef struct contact_list
{
	bvw_deform_contact* contact;
	uint32_t count;
	uint32_t most;
} contact_list;

static contact_list make_list( void )
{
	return ( contact_list ){ .contact = calloc( most_contacts, sizeof( bvw_deform_contact ) ),
		                     .most = UINT32_MAX };
}

static bool add_contact( void* context, const bvw_deform_contact* contact )
{
	contact_list* list = context;
	assert_true( list->count < most_contacts );
	list->contact[list->count++] = *contact;
	return list->count < list->most;
}

static int compare_contacts( const void* a, const void* b )
{
	const bvw_deform_contact* x = a;
	const bvw_deform_contact* y = b;
	if ( x->kind != y->kind )
	{
		return x->kind < y->kind ? -1 : 1;
	}
	if ( x->mesh[0] != y->mesh[0] )
	{
		return x->mesh[0] < y->mesh[0] ? -1 : 1;
	}
	int vertices = compare_numbers( x->vertex, y->vertex, 4 );
	return vertices ? vertices : compare_numbers( x->triangle, y->triangle, 2 );
}

static void sort_contacts( contact_list* list )
{
	qsort( list->contact, list->count, sizeof *list->contact, compare_contacts );
}

// Two meshes; twice the same for one.
typedef struct two_cloths
{
	const cloth* of[2];
	bool is_self;
	const bv_vec3* from[2];
	const bv_vec3* to[2];
} two_cloths;

static void add_if_found( const two_cloths* m, bvw_deform_contact* c, const bv_feature_options* options,
                          contact_list* out )
{
	bv_vec3 start[4];
	bv_vec3 end[4];
	int own = c->kind == bvw_contact_vertex_face ? 1 : 2;
	for ( int i = 0; i < 4; ++i )
	{
		int mesh = c->mesh[i >= own];
		start[i] = m->from[mesh][c->vertex[i]];
		end[i] = m->to[mesh][c->vertex[i]];
	}
	assert_int_equal( own == 1 ? bv_moving_vertex_face( start, end, options, &c->time )
	                           : bv_moving_edge_edge( start, end, options, &c->time ),
	                  bv_ok );
	if ( c->time.found )
	{
		add_contact( out, c );
	}
}

static void all_vertices( const two_cloths* m, int side, const bv_feature_options* options,
                          contact_list* out )
{
	const cloth* of = m->of[side];
	const cloth* faces = m->of[1 - side];
	for ( uint32_t v = 0; v < of->vertices; ++v )
	{
		for ( uint32_t t = 0; t < faces->triangles; ++t )
		{
			const uint32_t* corner = faces->triangle[t];
			if ( m->is_self && ( corner[0] == v || corner[1] == v || corner[2] == v ) )
			{
				continue;
			}
			bvw_deform_contact c = { .kind = bvw_contact_vertex_face,
				                     .triangle = { of->vertex_owner[v], t },
				                     .vertex = { v, corner[0], corner[1], corner[2] } };
			c.mesh[0] = (uint8_t)( m->is_self ? 0 : side );
			c.mesh[1] = (uint8_t)( m->is_self ? 0 : 1 - side );
			add_if_found( m, &c, options, out );
		}
	}
}

static void all_edges( const two_cloths* m, const bv_feature_options* options, contact_list* out )
{
	for ( uint32_t i = 0; i < m->of[0]->edges; ++i )
	{
		const uint32_t* a = m->of[0]->edge[i];
		for ( uint32_t j = m->is_self ? i + 1 : 0; j < m->of[1]->edges; ++j )
		{
			const uint32_t* b = m->of[1]->edge[j];
			if ( m->is_self && ( a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1] ) )
			{
				continue;
			}
			bvw_deform_contact c = { .kind = bvw_contact_edge_edge,
				                     .mesh = { 0, !m->is_self },
				                     .triangle = { m->of[0]->edge_owner[i], m->of[1]->edge_owner[j] },
				                     .vertex = { a[0], a[1], b[0], b[1] } };
			add_if_found( m, &c, options, out );
		}
	}
}

static void brute_force( const two_cloths* m, const bv_feature_options* options, contact_list* out )
{
	all_vertices( m, 0, options, out );
	if ( !m->is_self )
	{
		all_vertices( m, 1, options, out );
	}
	all_edges( m, options, out );
}

static void assert_same_contacts( contact_list* found, contact_list* expected,
                                  const bvw_deform_sweep_result* r, double limit )
{
	double lower = limit;
	double upper = INFINITY;
	bool certain = true;
	sort_contacts( found );
	sort_contacts( expected );
	assert_int_equal( found->count, expected->count );
	for ( uint32_t i = 0; i < found->count; ++i )
	{
		const bvw_deform_contact* a = found->contact + i;
		const bvw_deform_contact* b = expected->contact + i;
		assert_int_equal( compare_contacts( a, b ), 0 );
		assert_int_equal( a->mesh[1], b->mesh[1] );
		assert_true( a->time.lower == b->time.lower && a->time.upper == b->time.upper );
		assert_true( a->time.certain == b->time.certain && a->time.found );
		lower = fmin( lower, a->time.lower );
		upper = fmin( upper, a->time.upper );
		certain = certain && a->time.certain;
	}
	assert_true( r->complete && r->contacts == found->count && r->certain == certain );
	assert_true( r->lower == lower && r->upper == upper );
	if ( found->count > 0 )
	{
		assert_true( r->first.time.lower == lower );
	}
}

static void check_self( cloth* c, const bvw_deform_sweep_options* options, uint32_t* total )
{
	contact_list found = make_list();
	contact_list expected = make_list();
	static uint64_t scratch[BVW_DEFORM_SCRATCH_AMPLE / 8];
	bvw_deform_sweep_options o = *options;
	o.callback = add_contact;
	o.context = &found;
	o.scratch = scratch;
	o.scratch_bytes = sizeof scratch;
	bvw_deform_sweep_result r;
	assert_int_equal( bvw_deform_self_sweep( c->deform, c->owners, &o, &r ), bv_ok );

	// Other blocks, and another order.
	contact_list again = make_list();
	bvw_deform_sweep_options without = *options;
	without.callback = add_contact;
	without.context = &again;
	bvw_deform_sweep_result same;
	assert_int_equal( bvw_deform_self_sweep( c->deform, c->owners, &without, &same ), bv_ok );
	assert_int_equal( again.count, found.count );
	sort_contacts( &again );
	sort_contacts( &found );
	for ( uint32_t i = 0; i < again.count; ++i )
	{
		assert_int_equal( compare_contacts( again.contact + i, found.contact + i ), 0 );
	}
	assert_int_equal( same.exact_tests, r.exact_tests );
	free( again.contact );
	bv_feature_options exact = { .limit = o.limit, .separation = o.separation, .tolerance = o.tolerance };
	two_cloths m = { { c, c }, true, { c->from, c->from }, { c->to, c->to } };
	brute_force( &m, &exact, &expected );
	assert_same_contacts( &found, &expected, &r, o.limit > 0 ? o.limit : 1 );
	*total += found.count;

	// The first contact only.
	o.callback = NULL;
	o.first = true;
	bvw_deform_sweep_result first;
	assert_int_equal( bvw_deform_self_sweep( c->deform, c->owners, &o, &first ), bv_ok );
	assert_true( ( first.contacts > 0 ) == ( r.contacts > 0 ) && first.complete );
	assert_true( first.lower <= r.upper && r.lower <= first.upper );
	assert_true( first.lower <= r.lower + 1e-9 || first.lower <= r.lower + o.tolerance + 1e-6 );
	assert_true( first.exact_tests <= r.exact_tests );
	free( found.contact );
	free( expected.contact );
}

static void self_sweep_finds_what_brute_force_finds( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 10 );
	uint32_t total[kinds_of_step] = { 0 };
	int rounds = is_thorough() ? 60 : 1;
	for ( int i = 0; i < rounds * kinds_of_step; ++i )
	{
		int kind = i % kinds_of_step;
		make_step( f, &c, kind );
		bvw_deform_sweep_options options = { .limit = i % 4 == 3 ? 0.4 : 0 };
		check_self( &c, &options, total + kind );
	}
	for ( int kind = 0; kind < kinds_of_step; ++kind )
	{
		assert_true( ( total[kind] > 0 ) == ( kind != 7 ) );
	}
}

static void self_sweep_with_a_separation_finds_what_brute_force_finds( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 6 );
	uint32_t total[kinds_of_step] = { 0 };
	int rounds = is_thorough() ? 20 : 1;
	for ( int i = 0; i < rounds * kinds_of_step; ++i )
	{
		int kind = i % kinds_of_step;
		make_step( f, &c, kind );
		bvw_deform_sweep_options options = { .separation = i % 2 == 0 ? 0.0625 : 0.8, .tolerance = 1e-3 };
		check_self( &c, &options, total + kind );
	}
	assert_true( total[0] > 0 && total[1] > 0 && total[2] > 0 && total[6] > 0 );
}

// Files with all kinds of volumes, of triangles that share vertices and edges in odd ways.
static void self_sweep_finds_all_contacts_of_a_soup_with_common_edges( void** state )
{
	fixture* f = *state;
	bvb_mesh mesh = sheet( f, 8 );
	// A third sheet of triangles on some of the edges, and a fan.
	bvb_triangle* more = bvb_arena_allocate( f->arena, mesh.triangle_count + 60, sizeof *more );
	memcpy( more, mesh.triangles, mesh.triangle_count * sizeof *more );
	for ( uint32_t i = 0; i < 60; ++i )
	{
		uint32_t a = (uint32_t)( random_bits( f ) % ( mesh.vertex_count - 1 ) );
		uint32_t b = (uint32_t)( random_bits( f ) % mesh.vertex_count );
		more[mesh.triangle_count + i] = ( bvb_triangle ){ { i < 30 ? 5 : a, a + 1, b } };
	}
	mesh.triangles = more;
	mesh.triangle_count += 60;
	bvb_asset_options options = plain_options();
	cloth c = cloth_of( f, &mesh, &options );
	uint32_t total = 0;
	for ( int kind = 0; kind < 4; ++kind )
	{
		make_step( f, &c, kind );
		check_self( &c, &( bvw_deform_sweep_options ){ .limit = 0 }, &total );
	}
	assert_true( total > 0 );
}

static void sweep_of_two_finds_what_brute_force_finds( void** state )
{
	fixture* f = *state;
	cloth a = make_cloth( f, 8 );
	cloth b = make_cloth( f, 7 );
	uint32_t total = 0;
	for ( int i = 0; i < ( is_thorough() ? 30 : 2 ) * kinds_of_step; ++i )
	{
		make_step( f, &a, i % kinds_of_step );
		make_step( f, &b, i * 5 % 7 );
		contact_list found = make_list();
		contact_list expected = make_list();
		bvw_deform_sweep_options o = {
			.callback = add_contact, .context = &found, .separation = i % 9 == 8 ? 0.1 : 0, .tolerance = 1e-3
		};
		bvw_deform_other other = { .deform = b.deform, .owners = b.owners };
		bvw_deform_sweep_result r;
		assert_int_equal( bvw_deform_sweep( a.deform, a.owners, &other, &o, &r ), bv_ok );
		two_cloths m = { { &a, &b }, false, { a.from, b.from }, { a.to, b.to } };
		brute_force( &m, &( bv_feature_options ){ .separation = o.separation, .tolerance = 1e-3 },
		             &expected );
		assert_same_contacts( &found, &expected, &r, 1 );
		total += found.count;
		free( found.contact );
		free( expected.contact );
	}
	assert_true( total > 0 );
}

static bv_transform random_placement( fixture* f, double around )
{
	bv_transform t;
	assert_int_equal(
		bv_transform_from_axis_angle( random_around( f ), 2 * random_unit( f ), ( bv_vec3 ){ 0, 0, 0 }, &t ),
		bv_ok );
	t.pose.translation = plus( ( bv_vec3 ){ 2, 2, 0 }, around, random_around( f ) );
	return t;
}

// Against a file, whose vertices are placed as bv_transform_point does, to rounding: here times are compared to 1e-9.
static void sweep_against_a_file_finds_what_brute_force_finds( void** state )
{
	fixture* f = *state;
	cloth a = make_cloth( f, 8 );
	for ( uint32_t i = 0; i < 2 * bv_volume_types; ++i )
	{
		bvb_mesh ball = bumpy_ball( f, 6 );
		bvb_asset_options options = plain_options();
		options.hierarchy.volume_types = 1u << i % bv_volume_types;
		cloth b = cloth_of( f, &ball, &options );
		make_step( f, &a, i % 3 == 0 ? 1 : i % 3 == 1 ? 0 : 2 );
		bv_transform start = random_placement( f, 2 );
		bv_transform end = random_placement( f, 2 );
		start.scale = end.scale = 1.5;
		start.mirror = end.mirror = i % 2 == 0;
		for ( uint32_t k = 0; k < b.vertices; ++k )
		{
			b.from[k] = bv_transform_point( &start, b.rest[k] );
			b.to[k] = bv_transform_point( &end, b.rest[k] );
		}
		contact_list found = make_list();
		contact_list expected = make_list();
		bvw_deform_sweep_options o = { .callback = add_contact, .context = &found };
		bvw_deform_other other = { .file = b.file, .owners = b.owners, .start = &start, .end = &end };
		bvw_deform_sweep_result r;
		assert_int_equal( bvw_deform_sweep( a.deform, a.owners, &other, &o, &r ), bv_ok );
		two_cloths m = { { &a, &b }, false, { a.from, b.from }, { a.to, b.to } };
		brute_force( &m, NULL, &expected );
		sort_contacts( &found );
		sort_contacts( &expected );
		assert_int_equal( found.count, expected.count );
		for ( uint32_t k = 0; k < found.count; ++k )
		{
			assert_int_equal( compare_contacts( found.contact + k, expected.contact + k ), 0 );
			assert_true( fabs( found.contact[k].time.lower - expected.contact[k].time.lower ) < 1e-9 );
		}
		assert_true( found.count > 0 );
		free( found.contact );
		free( expected.contact );
	}
}

typedef struct pair_list
{
	bvw_self_pair pair[1 << 16];
	uint32_t count;
	uint32_t most;
} pair_list;

static bool add_pair( void* context, const bvw_self_pair* pair )
{
	pair_list* list = context;
	assert_true( list->count < 1 << 16 );
	list->pair[list->count++] = *pair;
	return list->count < list->most;
}

static int compare_pairs( const void* a, const void* b )
{
	return compare_numbers( ( (const bvw_self_pair*)a )->triangle, ( (const bvw_self_pair*)b )->triangle, 2 );
}

static void get_triangle( const cloth* c, uint32_t number, bv_vec3 out[3] )
{
	for ( int k = 0; k < 3; ++k )
	{
		out[k] = c->from[c->triangle[number][k]];
	}
}

// Whether a point that moves along an edge meets the other triangle.
static bool meet_exactly( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	bool meet = false;
	for ( int i = 0; i < 6 && !meet; ++i )
	{
		const bv_vec3* of = i < 3 ? a : b;
		const bv_vec3* face = i < 3 ? b : a;
		bv_vec3 start[4] = { of[i % 3], face[0], face[1], face[2] };
		bv_vec3 end[4] = { of[( i + 1 ) % 3], face[0], face[1], face[2] };
		bv_feature_time r;
		assert_int_equal( bv_moving_vertex_face( start, end, NULL, &r ), bv_ok );
		assert_true( r.certain );
		meet = r.found;
	}
	return meet;
}

static bool share_a_vertex( const cloth* c, uint32_t a, uint32_t b )
{
	bool shares = false;
	for ( int i = 0; i < 9; ++i )
	{
		shares |= c->triangle[a][i / 3] == c->triangle[b][i % 3];
	}
	return shares;
}

static pair_list* find_pairs( const cloth* c, double separation )
{
	pair_list* list = calloc( 1, sizeof *list );
	list->most = UINT32_MAX;
	bvw_self_collide_options options = { .separation = separation, .callback = add_pair, .context = list };
	bvw_self_collide_result r;
	assert_int_equal( bvw_deform_self_collide( c->deform, &options, &r ), bv_ok );
	assert_true( r.complete && r.pairs == list->count );
	qsort( list->pair, list->count, sizeof *list->pair, compare_pairs );
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		assert_true( list->pair[i].triangle[0] < list->pair[i].triangle[1] );
		assert_true( i == 0 || compare_pairs( list->pair + i - 1, list->pair + i ) < 0 );
		assert_false( share_a_vertex( c, list->pair[i].triangle[0], list->pair[i].triangle[1] ) );
	}
	return list;
}

static bool has_pair( const pair_list* list, uint32_t a, uint32_t b )
{
	bvw_self_pair key = { .triangle = { a, b } };
	return bsearch( &key, list->pair, list->count, sizeof key, compare_pairs );
}

static double distance_of( const bv_vec3 a[3], const bv_vec3 b[3] )
{
	bv_convex first = bv_convex_triangle( a[0], a[1], a[2] );
	bv_convex second = bv_convex_triangle( b[0], b[1], b[2] );
	bv_convex_result r;
	if ( meet_exactly( a, b ) )
	{
		return 0;
	}
	assert_int_equal( bv_convex_distance( &first, &second, NULL, NULL, &r ), bv_ok );
	return r.upper;
}

// Positions are random or on a grid, so that no two triangles are apart by rounding errors only: pairs are exactly those that intersect.
static void self_collide_finds_the_pairs_that_intersect( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 10 );
	uint32_t total[kinds_of_step] = { 0 };
	for ( int i = 0; i < ( is_thorough() ? 10 : 1 ) * kinds_of_step; ++i )
	{
		int kind = i % kinds_of_step;
		make_step( f, &c, kind );
		pair_list* list = find_pairs( &c, 0 );
		uint32_t exact = 0;
		for ( uint32_t a = 0; a < c.triangles; ++a )
		{
			for ( uint32_t b = a + 1; b < c.triangles; ++b )
			{
				bv_vec3 corner[2][3];
				get_triangle( &c, a, corner[0] );
				get_triangle( &c, b, corner[1] );
				if ( !share_a_vertex( &c, a, b ) && meet_exactly( corner[0], corner[1] ) )
				{
					assert_true( has_pair( list, a, b ) );
					exact += 1;
				}
			}
		}
		assert_int_equal( list->count, exact );
		total[kind] += exact;
		free( list );
	}
	assert_true( total[0] > 0 && total[3] > 0 && total[4] > 0 && total[8] > 0 );
}

static void self_collide_within_a_separation_finds_near_pairs( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 7 );
	static const int kinds[] = { 0, 1, 2, 4 };
	uint32_t total = 0;
	for ( int i = 0; i < 8; ++i )
	{
		double separation = i % 2 == 0 ? 0.05 : 0.7;
		make_step( f, &c, kinds[i % 4] );
		pair_list* list = find_pairs( &c, separation );
		uint32_t at = 0;
		for ( uint32_t a = 0; a < c.triangles; ++a )
		{
			for ( uint32_t b = a + 1; b < c.triangles; ++b )
			{
				bv_vec3 corner[2][3];
				get_triangle( &c, a, corner[0] );
				get_triangle( &c, b, corner[1] );
				bool is_listed =
					at < list->count && list->pair[at].triangle[0] == a && list->pair[at].triangle[1] == b;
				if ( share_a_vertex( &c, a, b ) )
				{
					continue;
				}
				double distance = distance_of( corner[0], corner[1] );
				assert_true( is_listed ? distance <= separation + 1e-9 : distance > separation - 1e-9 );
				if ( !is_listed )
				{
					continue;
				}
				const bvw_self_pair* p = list->pair + at++;
				assert_true( p->meets == ( distance == 0 ) );
				assert_true( p->distance.lower <= distance + 1e-9 && p->distance.upper >= distance - 1e-9 );
				assert_true( p->distance.upper - p->distance.lower < 1e-10 );
				assert_true( fabs( length( minus( p->point[0], p->point[1] ) ) - distance ) < 1e-8 );
			}
		}
		assert_int_equal( at, list->count );
		total += at;
		free( list );
	}
	assert_true( total > 0 );
}

static void callbacks_can_stop( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 8 );
	make_step( f, &c, 0 );
	contact_list found = make_list();
	found.most = 3;
	bvw_deform_sweep_options o = { .callback = add_contact, .context = &found };
	bvw_deform_sweep_result r;
	assert_int_equal( bvw_deform_self_sweep( c.deform, c.owners, &o, &r ), bv_ok );
	assert_true( r.contacts == 3 && found.count == 3 && !r.complete );
	free( found.contact );
	pair_list* list = calloc( 1, sizeof *list );
	list->most = 2;
	bvw_self_collide_options s = { .callback = add_pair, .context = list };
	bvw_self_collide_result p;
	assert_int_equal( bvw_deform_self_collide( c.deform, &s, &p ), bv_ok );
	assert_true( p.pairs == 2 && list->count == 2 && !p.complete );
	free( list );
}

static void expect_argument_error( const cloth* c, const bvw_owners* owners,
                                   const bvw_deform_sweep_options* options )
{
	bvw_deform_sweep_result r;
	bvw_deform_sweep_result before;
	memset( &r, 0x5a, sizeof r );
	memset( &before, 0x5a, sizeof before );
	assert_int_equal( bvw_deform_self_sweep( c->deform, owners, options, &r ), bv_error_argument );
	assert_memory_equal( &r, &before, sizeof r );
	bvw_deform_other other = { .deform = c->deform, .owners = c->owners };
	assert_int_equal( bvw_deform_sweep( c->deform, owners, &other, options, &r ), bv_error_argument );
	assert_memory_equal( &r, &before, sizeof r );
}

static void bad_arguments_change_nothing( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 4 );
	cloth d = make_cloth( f, 3 );
	expect_argument_error( &c, c.owners, NULL ); // no motion yet
	make_step( f, &c, 0 );
	make_step( f, &d, 0 );
	expect_argument_error( &c, NULL, NULL );
	expect_argument_error( &c, d.owners, NULL );
	static uint64_t scratch[BVW_DEFORM_SCRATCH_LEAST / 8 + 1];
	static const bvw_deform_sweep_options wrong[] = {
		{ .limit = -0.5 },
		{ .limit = 1.5 },
		{ .limit = NAN },
		{ .separation = -1 },
		{ .separation = NAN },
		{ .scratch = &scratch, .scratch_bytes = BVW_DEFORM_SCRATCH_LEAST - 1 },
		{ .scratch = (char*)&scratch + 4, .scratch_bytes = BVW_DEFORM_SCRATCH_LEAST },
		{ .tolerance = -1 },
		{ .tolerance = NAN },
		{ .separation = INFINITY },
	};
	for ( size_t i = 0; i < sizeof wrong / sizeof *wrong; ++i )
	{
		expect_argument_error( &c, c.owners, wrong + i );
	}
	bvw_deform_sweep_result r = { .contacts = 77 };
	bv_transform bad = bv_transform_identity();
	bad.scale = NAN;
	const bvw_deform_other others[] = {
		{ .deform = d.deform, .owners = c.owners },
		{ .deform = d.deform },
		{ .owners = c.owners },
		{ .file = c.file },
		{ .file = c.file, .owners = d.owners },
		{ .file = c.file, .owners = c.owners, .start = &bad },
		{ .file = c.file, .owners = c.owners, .end = &bad },
	};
	for ( size_t i = 0; i < sizeof others / sizeof *others; ++i )
	{
		assert_int_equal( bvw_deform_sweep( c.deform, c.owners, others + i, NULL, &r ), bv_error_argument );
	}
	assert_int_equal( bvw_deform_sweep( c.deform, c.owners, NULL, NULL, &r ), bv_error_argument );
	assert_int_equal( bvw_deform_self_sweep( NULL, c.owners, NULL, &r ), bv_error_argument );
	assert_int_equal( bvw_deform_self_sweep( c.deform, c.owners, NULL, NULL ), bv_error_argument );
	assert_int_equal( r.contacts, 77 );
	bvw_self_collide_result s = { .pairs = 77 };
	bvw_self_collide_options negative = { .separation = -1 };
	assert_int_equal( bvw_deform_self_collide( c.deform, &negative, &s ), bv_error_argument );
	assert_int_equal( bvw_deform_self_collide( NULL, NULL, &s ), bv_error_argument );
	assert_int_equal( bvw_deform_self_collide( c.deform, NULL, NULL ), bv_error_argument );
	assert_int_equal( s.pairs, 77 );
}

static void owners_need_enough_memory( void** state )
{
	fixture* f = *state;
	cloth c = make_cloth( f, 4 );
	size_t bytes = bvw_owners_bytes( c.file );
	size_t scratch_bytes = bvw_owners_scratch_bytes( c.file );
	char* memory = bvb_arena_allocate( f->arena, bytes, 1 );
	char* scratch = bvb_arena_allocate( f->arena, scratch_bytes, 1 );
	bvw_owners* out = NULL;
	assert_int_equal( bvw_owners_bytes( NULL ), 0 );
	assert_int_equal( bvw_owners_scratch_bytes( NULL ), 0 );
	assert_int_equal( bvw_owners_begin( c.file, scratch, scratch_bytes, memory, bytes - 1, &out ),
	                  bv_error_memory );
	assert_int_equal( bvw_owners_begin( c.file, scratch, scratch_bytes - 1, memory, bytes, &out ),
	                  bv_error_memory );
	assert_int_equal( bvw_owners_begin( c.file, scratch + 1, scratch_bytes, memory, bytes, &out ),
	                  bv_error_argument );
	assert_int_equal( bvw_owners_begin( c.file, scratch, scratch_bytes, memory + 4, bytes, &out ),
	                  bv_error_argument );
	assert_int_equal( bvw_owners_begin( NULL, scratch, scratch_bytes, memory, bytes, &out ),
	                  bv_error_argument );
	assert_null( out );
	assert_int_equal(
		bvw_owners_begin( bvw_deform_file( c.deform ), scratch, scratch_bytes, memory, bytes, &out ), bv_ok );
	assert_memory_equal( out, c.owners, bytes );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( self_sweep_finds_what_brute_force_finds ),
		fixture_test( self_sweep_with_a_separation_finds_what_brute_force_finds ),
		fixture_test( self_sweep_finds_all_contacts_of_a_soup_with_common_edges ),
		fixture_test( sweep_of_two_finds_what_brute_force_finds ),
		fixture_test( sweep_against_a_file_finds_what_brute_force_finds ),
		fixture_test( self_collide_finds_the_pairs_that_intersect ),
		fixture_test( self_collide_within_a_separation_finds_near_pairs ),
		fixture_test( callbacks_can_stop ),
		fixture_test( bad_arguments_change_nothing ),
		fixture_test( owners_need_enough_memory ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
