// Kinds of edges, neighbors and components against all pairs of half-edges in exact integers, and against
// bodies whose edges are known.

#include "support.h"

__extension__ typedef __int128 wide;

static bvb_topology describe( fixture* f, const bvb_mesh* mesh, bvb_adjacency* adjacency )
{
	bvb_topology topology;
	assert_int_equal( bvb_mesh_topology( mesh, f->arena, &topology, adjacency, NULL ), bv_ok );
	return topology;
}

static void assert_same( const bvb_topology* a, const bvb_topology* b )
{
	assert_int_equal( a->edges, b->edges );
	assert_memory_equal( a->edges_of_kind, b->edges_of_kind, sizeof a->edges_of_kind );
	assert_int_equal( a->components, b->components );
	assert_int_equal( a->closed, b->closed );
	assert_int_equal( a->manifold, b->manifold );
	assert_int_equal( a->oriented, b->oriented );
	assert_int_equal( a->double_sided, b->double_sided );
}

static void assert_kinds( const bvb_topology* t, uint32_t convex, uint32_t concave, uint32_t flat,
                          uint32_t boundary )
{
	assert_int_equal( t->edges_of_kind[bv_edge_convex], convex );
	assert_int_equal( t->edges_of_kind[bv_edge_concave], concave );
	assert_int_equal( t->edges_of_kind[bv_edge_flat], flat );
	assert_int_equal( t->edges_of_kind[bv_edge_boundary], boundary );
	assert_int_equal( t->edges, convex + concave + flat + boundary );
}

// Integers, as large as keeps the products below exact in 128 bits.
typedef struct lattice
{
	int64_t x[3];
} lattice;

static lattice subtract( lattice a, lattice b )
{
	return ( lattice ){ { a.x[0] - b.x[0], a.x[1] - b.x[1], a.x[2] - b.x[2] } };
}

static lattice cross( lattice a, lattice b )
{
	return ( lattice ){ { a.x[1] * b.x[2] - a.x[2] * b.x[1], a.x[2] * b.x[0] - a.x[0] * b.x[2],
		                  a.x[0] * b.x[1] - a.x[1] * b.x[0] } };
}

static wide dot( lattice a, lattice b )
{
	return (wide)a.x[0] * b.x[0] + (wide)a.x[1] * b.x[1] + (wide)a.x[2] * b.x[2];
}

// A soup and the same in integers.
typedef struct lattice_soup
{
	bvb_mesh mesh;
	lattice* position;
} lattice_soup;

static lattice normal_of( const lattice_soup* s, uint32_t triangle )
{
	const uint32_t* c = s->mesh.triangles[triangle].corner;
	return cross( subtract( s->position[c[1]], s->position[c[0]] ),
	              subtract( s->position[c[2]], s->position[c[0]] ) );
}

static bool is_proper( const lattice_soup* s, uint32_t triangle )
{
	const uint32_t* c = s->mesh.triangles[triangle].corner;
	lattice n = normal_of( s, triangle );
	bool proper = dot( n, n ) > 0;
	for ( uint32_t t = 0; t < triangle; ++t )
	{
		const uint32_t* d = s->mesh.triangles[t].corner;
		for ( int k = 0; k < 3; ++k )
		{
			proper = proper && ( c[0] != d[k] || c[1] != d[( k + 1 ) % 3] || c[2] != d[( k + 2 ) % 3] );
		}
	}
	return proper;
}

// Triangles over few vertices, so that many edges are shared, in every way; none degenerate, none twice.
static lattice_soup random_soup( fixture* f, uint32_t vertices, uint32_t count, const int64_t extent[3] )
{
	lattice_soup s = { .mesh = soup_create( f, count ) };
	s.mesh.vertex_count = vertices;
	s.mesh.positions = bvb_arena_allocate( f->arena, vertices, sizeof *s.mesh.positions );
	s.position = bvb_arena_allocate( f->arena, vertices, sizeof *s.position );
	for ( uint32_t v = 0; v < vertices; ++v )
	{
		for ( int k = 0; k < 3; ++k )
		{
			s.position[v].x[k] = (int64_t)( random_bits( f ) % (uint64_t)extent[k] );
		}
		const int64_t* x = s.position[v].x;
		s.mesh.positions[v] = ( bv_vec3 ){ (double)x[0], (double)x[1], (double)x[2] };
	}
	s.mesh.triangle_count = 0;
	for ( uint32_t attempt = 0; attempt < 4 * count && s.mesh.triangle_count < count; ++attempt )
	{
		for ( int k = 0; k < 3; ++k )
		{
			s.mesh.triangles[s.mesh.triangle_count].corner[k] = (uint32_t)( random_bits( f ) % vertices );
		}
		s.mesh.triangle_count += is_proper( &s, s.mesh.triangle_count );
	}
	return s;
}

static uint32_t tail_of( const bvb_mesh* mesh, uint32_t h )
{
	return mesh->triangles[h / 3].corner[h % 3];
}

static uint32_t head_of( const bvb_mesh* mesh, uint32_t h )
{
	return mesh->triangles[h / 3].corner[( h % 3 + 1 ) % 3];
}

static bool share_edge( const bvb_mesh* mesh, uint32_t g, uint32_t h )
{
	return ( tail_of( mesh, g ) == tail_of( mesh, h ) && head_of( mesh, g ) == head_of( mesh, h ) ) ||
	       ( tail_of( mesh, g ) == head_of( mesh, h ) && head_of( mesh, g ) == tail_of( mesh, h ) );
}

// sin^2 <= 2^-24 with both sides multiplied out; then the side of the plane on which the other triangle lies.
static bv_edge_kind kind_of_pair( const lattice_soup* s, uint32_t g, uint32_t h )
{
	if ( tail_of( &s->mesh, g ) == tail_of( &s->mesh, h ) )
	{
		return bv_edge_flipped;
	}
	lattice n[2] = { normal_of( s, g / 3 ), normal_of( s, h / 3 ) };
	lattice third = s->position[s->mesh.triangles[h / 3].corner[( h % 3 + 2 ) % 3]];
	lattice side = subtract( third, s->position[tail_of( &s->mesh, g )] );
	wide facing = dot( n[0], n[1] );
	wide squares = dot( n[0], n[0] ) * dot( n[1], n[1] );
	wide sine = squares - facing * facing;
	if ( facing > 0 && sine <= squares >> 24 )
	{
		return bv_edge_flat;
	}
	return dot( n[0], side ) > 0 ? bv_edge_concave : bv_edge_convex;
}

// What the header says about one edge, by going through all half-edges.
static bv_edge_kind check_half_edge( const lattice_soup* s, const bvb_adjacency* a, uint32_t h )
{
	uint32_t others = 0;
	uint32_t last = h;
	uint32_t first = h;
	for ( uint32_t g = 0; g < 3 * s->mesh.triangle_count; ++g )
	{
		if ( g != h && share_edge( &s->mesh, g, h ) )
		{
			assert_int_equal( a->edge[g], a->edge[h] );
			first = g < first ? g : first;
			last = g;
			++others;
		}
	}
	uint32_t partner = others == 0 ? BVB_NO_HALF_EDGE : others == 1 ? last : BVB_MANY_HALF_EDGES;
	bv_edge_kind kind = others == 0   ? bv_edge_boundary
	                    : others == 1 ? kind_of_pair( s, h, last )
	                                  : bv_edge_non_manifold;
	assert_int_equal( a->partner[h], partner );
	assert_true( a->edge[h] < a->edge_count );
	const bvb_edge* e = &a->edges[a->edge[h]];
	uint32_t ends[2] = { tail_of( &s->mesh, h ), head_of( &s->mesh, h ) };
	assert_int_equal( e->vertex[0], ends[0] < ends[1] ? ends[0] : ends[1] );
	assert_int_equal( e->vertex[1], ends[0] < ends[1] ? ends[1] : ends[0] );
	assert_int_equal( e->half_edge[0], first );
	assert_int_equal( e->half_edge[1], others == 1 && first == h ? last : others == 1 ? h : partner );
	assert_int_equal( e->kind, kind );
	return kind;
}

// Components by taking over the least number of a neighbor until nothing changes.
static uint32_t check_components( fixture* f, const bvb_mesh* mesh, const uint32_t* component )
{
	uint32_t* least = bvb_arena_allocate( f->arena, mesh->triangle_count, sizeof *least );
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		least[t] = t;
	}
	for ( bool changed = true; changed; )
	{
		changed = false;
		for ( uint32_t i = 0; i < 9 * mesh->triangle_count * mesh->triangle_count; ++i )
		{
			uint32_t t = i / 9 / mesh->triangle_count;
			uint32_t u = i / 9 % mesh->triangle_count;
			if ( mesh->triangles[t].corner[i % 3] == mesh->triangles[u].corner[i / 3 % 3] &&
			     least[t] < least[u] )
			{
				least[u] = least[t];
				changed = true;
			}
		}
	}
	uint32_t count = 0;
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		assert_int_equal( component[t], least[t] == t ? count : component[least[t]] );
		count += least[t] == t;
	}
	return count;
}

static void check_soup( fixture* f, const lattice_soup* s, uint32_t found[bv_edge_kinds] )
{
	bvb_adjacency a;
	bvb_topology t = describe( f, &s->mesh, &a );
	uint32_t sides[bv_edge_kinds] = { 0 };
	bool closed = true;
	for ( uint32_t h = 0; h < 3 * s->mesh.triangle_count; ++h )
	{
		++sides[check_half_edge( s, &a, h )];
		int balance = 0;
		for ( uint32_t g = 0; g < 3 * s->mesh.triangle_count; ++g )
		{
			if ( share_edge( &s->mesh, g, h ) )
			{
				balance += tail_of( &s->mesh, g ) == tail_of( &s->mesh, h ) ? 1 : -1;
			}
		}
		closed = closed && balance == 0;
	}
	for ( uint32_t i = 1; i < a.edge_count; ++i )
	{
		const uint32_t* v = a.edges[i - 1].vertex;
		const uint32_t* w = a.edges[i].vertex;
		assert_true( v[0] < w[0] || ( v[0] == w[0] && v[1] < w[1] ) );
	}
	assert_int_equal( t.edges, a.edge_count );
	assert_int_equal( t.edges_of_kind[bv_edge_boundary], sides[bv_edge_boundary] );
	assert_int_equal( 2 * t.edges_of_kind[bv_edge_convex], sides[bv_edge_convex] );
	assert_int_equal( 2 * t.edges_of_kind[bv_edge_concave], sides[bv_edge_concave] );
	assert_int_equal( 2 * t.edges_of_kind[bv_edge_flat], sides[bv_edge_flat] );
	assert_int_equal( 2 * t.edges_of_kind[bv_edge_flipped], sides[bv_edge_flipped] );
	assert_int_equal( t.closed, closed );
	assert_int_equal( t.oriented, sides[bv_edge_flipped] == 0 );
	assert_int_equal( t.components, check_components( f, &s->mesh, a.component ) );
	for ( int kind = 0; kind < bv_edge_kinds; ++kind )
	{
		found[kind] += t.edges_of_kind[kind];
	}

	bvb_topology counts = describe( f, &s->mesh, NULL );
	assert_same( &counts, &t );
}

static void soups_have_the_edges_of_all_pairs( void** state )
{
	fixture* f = *state;
	uint32_t found[bv_edge_kinds] = { 0 };
	for ( uint32_t round = 0; round < 3000; ++round )
	{
		lattice_soup s = random_soup( f, 4 + round % 9, 1 + round % 23, ( int64_t[3] ){ 4, 4, 4 } );
		check_soup( f, &s, found );
	}
	for ( int kind = 0; kind < bv_edge_kinds; ++kind )
	{
		assert_true( found[kind] > 100 );
	}
}

// Heights of 0 to 2 over a plane some 4000 wide: slopes on either side of the sine that counts as flat.
static void soups_close_to_a_plane_are_flat_by_their_sine( void** state )
{
	fixture* f = *state;
	uint32_t found[bv_edge_kinds] = { 0 };
	for ( uint32_t round = 0; round < 3000; ++round )
	{
		lattice_soup s = random_soup( f, 5, 4, ( int64_t[3] ){ 1 << 12, 1 << 12, 3 } );
		check_soup( f, &s, found );
	}
	assert_true( found[bv_edge_flat] > 100 && found[bv_edge_convex] > 100 && found[bv_edge_concave] > 100 );
}

static void kinds_are_the_same_at_every_size( void** state )
{
	fixture* f = *state;
	const int exponents[] = { -1000, -200, -100, 100, 108 };
	for ( uint32_t round = 0; round < 500; ++round )
	{
		lattice_soup s = random_soup( f, 6, 6, ( int64_t[3] ){ 1 << 11, 1 << 11, 1 + round % 5 } );
		bvb_adjacency a;
		bvb_topology t = describe( f, &s.mesh, &a );
		for ( size_t i = 0; i < sizeof exponents / sizeof *exponents; ++i )
		{
			bvb_mesh scaled = s.mesh;
			scaled.positions = bvb_arena_allocate( f->arena, s.mesh.vertex_count, sizeof *scaled.positions );
			for ( uint32_t v = 0; v < s.mesh.vertex_count; ++v )
			{
				bv_vec3 p = s.mesh.positions[v];
				scaled.positions[v] = ( bv_vec3 ){ ldexp( p.x, exponents[i] ), ldexp( p.y, exponents[i] ),
					                               ldexp( p.z, exponents[i] ) };
			}
			bvb_adjacency b;
			bvb_topology u = describe( f, &scaled, &b );
			assert_same( &t, &u );
			assert_memory_equal( a.edges, b.edges, a.edge_count * sizeof *a.edges );
		}
	}
}

// The last two corners of each triangle change places: its half-edges are numbered anew, but not its edges.
static void mirror_images_keep_their_kinds( void** state )
{
	fixture* f = *state;
	for ( uint32_t round = 0; round < 500; ++round )
	{
		lattice_soup s = random_soup( f, 6, 6, ( int64_t[3] ){ 1 << 11, 1 << 11, 1 + round % 5 } );
		bvb_adjacency a;
		describe( f, &s.mesh, &a );
		for ( uint32_t v = 0; v < s.mesh.vertex_count; ++v )
		{
			s.mesh.positions[v].x = -s.mesh.positions[v].x;
		}
		for ( uint32_t t = 0; t < s.mesh.triangle_count; ++t )
		{
			uint32_t* c = s.mesh.triangles[t].corner;
			uint32_t last = c[2];
			c[2] = c[1];
			c[1] = last;
		}
		bvb_adjacency b;
		describe( f, &s.mesh, &b );
		assert_int_equal( a.edge_count, b.edge_count );
		for ( uint32_t i = 0; i < a.edge_count; ++i )
		{
			assert_int_equal( a.edges[i].kind, b.edges[i].kind );
		}
	}
}

static void turn_over( bvb_mesh* mesh )
{
	for ( uint32_t t = 0; t < mesh->triangle_count; ++t )
	{
		uint32_t* c = mesh->triangles[t].corner;
		uint32_t first = c[0];
		c[0] = c[1];
		c[1] = first;
	}
}

// Meridians and circles of latitude are convex; the quads between them are trapezoids with flat diagonals.
static void edges_of_a_ball_are_convex_and_concave_from_inside( void** state )
{
	fixture* f = *state;
	const uint32_t rings = 40;
	bvb_mesh ball = bumpy_ball( f, rings );
	for ( uint32_t v = 0; v < ball.vertex_count; ++v )
	{
		bv_vec3* p = &ball.positions[v];
		double r = sqrt( p->x * p->x + p->y * p->y + p->z * p->z );
		*p = ( bv_vec3 ){ p->x / r, p->y / r, p->z / r };
	}
	uint32_t flat = 2 * rings * ( rings - 2 );
	uint32_t curved = 3 * ball.triangle_count / 2 - flat;
	bvb_topology t = describe( f, &ball, NULL );
	assert_kinds( &t, curved, 0, flat, 0 );
	turn_over( &ball );
	t = describe( f, &ball, NULL );
	assert_kinds( &t, 0, curved, flat, 0 );
}

// Prism over ( 0, 0 ), ( 2, 0 ), ( 2, 1 ), ( 1, 1 ), ( 1, 2 ), ( 0, 2 ): 18 edges and 12 diagonals.
static void an_l_shaped_prism_has_one_concave_edge( void** state )
{
	fixture* f = *state;
	const double outline[6][2] = { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } };
	bv_vec3 positions[12];
	uint32_t triangles[20][3];
	for ( uint32_t i = 0; i < 6; ++i )
	{
		uint32_t next = ( i + 1 ) % 6;
		positions[i] = ( bv_vec3 ){ outline[i][0], outline[i][1], 0 };
		positions[6 + i] = ( bv_vec3 ){ outline[i][0], outline[i][1], 1 };
		memcpy( triangles[i], ( uint32_t[3] ){ i, next, 6 + next }, sizeof *triangles );
		memcpy( triangles[6 + i], ( uint32_t[3] ){ i, 6 + next, 6 + i }, sizeof *triangles );
	}
	for ( uint32_t i = 0; i < 4; ++i )
	{
		memcpy( triangles[12 + i], ( uint32_t[3] ){ 6, 7 + i, 8 + i }, sizeof *triangles );
		memcpy( triangles[16 + i], ( uint32_t[3] ){ 0, 2 + i, 1 + i }, sizeof *triangles );
	}
	bvb_mesh mesh = mesh_of( f, positions, 12, (const uint32_t( * )[3])triangles, 20 );
	bvb_adjacency a;
	bvb_topology t = describe( f, &mesh, &a );
	assert_kinds( &t, 17, 1, 12, 0 );
	for ( uint32_t i = 0; i < a.edge_count; ++i )
	{
		bool inner = a.edges[i].vertex[0] == 3 && a.edges[i].vertex[1] == 9;
		assert_int_equal( a.edges[i].kind == bv_edge_concave, inner );
	}
}

// A fan in the plane of ( 3, -1, 2 ) and ( 1, 4, -1 ): its last triangles are millions of times
// longer than wide.
static void a_plane_fan_of_slivers_is_flat( void** state )
{
	fixture* f = *state;
	const uint32_t count = 2000;
	bvb_mesh fan = soup_create( f, count );
	fan.vertex_count = count + 2;
	for ( uint32_t i = 0; i <= count; ++i )
	{
		double along = (double)i * i;
		fan.positions[i] = ( bv_vec3 ){ 3 * along + 7, -along, 2 * along };
	}
	fan.positions[count + 1] = ( bv_vec3 ){ 7 - 1, -4, 1 };
	for ( uint32_t i = 0; i < count; ++i )
	{
		fan.triangles[i] = ( bvb_triangle ){ { count + 1, i, i + 1 } };
	}
	bvb_topology t = describe( f, &fan, NULL );
	assert_kinds( &t, 0, 0, count - 1, count + 2 );
}

// The corner of a lattice's cell, made at first use and numbered then.
static uint32_t lattice_vertex( bvb_mesh* mesh, uint32_t* known, uint32_t n, const uint32_t cell[3] )
{
	uint32_t* v = &known[( cell[0] * ( n + 1 ) + cell[1] ) * ( n + 1 ) + cell[2]];
	if ( *v == 0 )
	{
		// About ( 1, 2, 2 ) / 3 by the angle with cosine 0.6 and sine 0.8.
		const double r[3][3] = { { 29, -20, 28 }, { 28, 35, -4 }, { -20, 20, 35 } };
		double x[3];
		for ( int k = 0; k < 3; ++k )
		{
			x[k] = ( r[k][0] * cell[0] + r[k][1] * cell[1] + r[k][2] * cell[2] ) / 45 / n + 0.1;
		}
		mesh->positions[mesh->vertex_count] = ( bv_vec3 ){ (float)x[0], (float)x[1], (float)x[2] };
		*v = ++mesh->vertex_count;
	}
	return *v - 1;
}

// A turned cube of 100 x 100 quads a face with coordinates rounded to binary32.
static void rounded_coordinates_leave_the_faces_of_a_cube_flat( void** state )
{
	fixture* f = *state;
	enum
	{
		n = 100,
	};
	bvb_mesh mesh = soup_create( f, 12 * n * n );
	uint32_t* known = bvb_arena_allocate( f->arena, ( n + 1 ) * ( n + 1 ) * ( n + 1 ), sizeof *known );
	mesh.vertex_count = 0;
	bvb_triangle* t = mesh.triangles;
	for ( uint32_t i = 0; i < 6 * n * n; ++i )
	{
		uint32_t axis = i / ( n * n ) % 3;
		bool upper = i / ( n * n ) < 3;
		uint32_t quad[4];
		for ( uint32_t k = 0; k < 4; ++k )
		{
			uint32_t cell[3];
			cell[axis] = upper ? n : 0;
			cell[( axis + 1 ) % 3] = i / n % n + ( k == 1 || k == 2 );
			cell[( axis + 2 ) % 3] = i % n + ( k >= 2 );
			quad[upper ? k : 3 - k] = lattice_vertex( &mesh, known, n, cell );
		}
		*t++ = ( bvb_triangle ){ { quad[0], quad[1], quad[2] } };
		*t++ = ( bvb_triangle ){ { quad[2], quad[3], quad[0] } };
	}
	assert_int_equal( mesh.vertex_count, 6 * n * n + 2 );
	bvb_topology topology = describe( f, &mesh, NULL );
	assert_kinds( &topology, 12 * n, 0, 18 * n * n - 12 * n, 0 );
}

// Both sides of a square over different diagonals: the rim turns by a half turn, the diagonals not at all.
static void the_rim_of_a_double_sided_sheet_is_convex( void** state )
{
	fixture* f = *state;
	const bv_vec3 square[4] = { { 0, 0, 3 }, { 2, 1, 4 }, { 1, 3, 2 }, { -1, 2, 1 } };
	const uint32_t triangles[4][3] = { { 0, 1, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 1, 3, 2 } };
	bvb_mesh sheet = mesh_of( f, square, 4, triangles, 4 );
	bvb_topology t = describe( f, &sheet, NULL );
	assert_kinds( &t, 4, 0, 2, 0 );
}

// A tetrahedron of the least numbers that binary32 holds beside one of the largest.
static void the_least_and_the_largest_tetrahedron_are_convex( void** state )
{
	fixture* f = *state;
	bv_vec3 positions[8];
	uint32_t triangles[8][3];
	for ( uint32_t i = 0; i < 8; ++i )
	{
		const uint32_t corners[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 1, 2, 3 }, { 2, 0, 3 } };
		double size = i < 4 ? 0x1p-149 : BVB_MAX_COORDINATE;
		positions[i] = ( bv_vec3 ){ i % 4 == 1 ? size : 0, i % 4 == 2 ? size : 0, i % 4 == 3 ? size : 0 };
		for ( int k = 0; k < 3; ++k )
		{
			triangles[i][k] = i / 4 * 4 + corners[i % 4][k];
		}
	}
	bvb_mesh mesh = mesh_of( f, positions, 8, (const uint32_t( * )[3])triangles, 8 );
	bvb_topology t = describe( f, &mesh, NULL );
	assert_kinds( &t, 12, 0, 0, 0 );
	turn_over( &mesh );
	t = describe( f, &mesh, NULL );
	assert_kinds( &t, 0, 12, 0, 0 );
}

// Between triangles of 1 and 2^-140 in size a crease by 45 degrees, and one by a slope of 2^-11 and 2^-13.
static void small_triangles_at_large_ones_have_their_angle( void** state )
{
	fixture* f = *state;
	const double slopes[] = { 1, -1, 0x1p-11, -0x1p-11, 0x1p-13, -0x1p-13 };
	const bv_edge_kind expected[] = { bv_edge_concave, bv_edge_convex, bv_edge_concave,
		                              bv_edge_convex,  bv_edge_flat,   bv_edge_flat };
	const uint32_t triangles[2][3] = { { 0, 1, 2 }, { 1, 0, 3 } };
	for ( int i = 0; i < 6; ++i )
	{
		const bv_vec3 positions[4] = {
			{ 0, 0, 0 }, { 1, 0, 0 }, { 0.25, 1, 0 }, { 0.75, -0x1p-130, slopes[i] * 0x1p-130 }
		};
		bvb_mesh mesh = mesh_of( f, positions, 4, triangles, 2 );
		bvb_topology t = describe( f, &mesh, NULL );
		assert_int_equal( t.edges_of_kind[expected[i]], 1 );
		assert_int_equal( t.edges_of_kind[bv_edge_boundary], 4 );
	}
}

// Each limit is too little or enough; what is wanted stays in the arena and nothing else.
static void every_shortage_of_memory_is_reported( void** state )
{
	fixture* f = *state;
	bvb_mesh ball = bumpy_ball( f, 30 );
	int failures = 0;
	for ( size_t limit = 0;; limit += 10000 )
	{
		bvb_arena* arena = bvb_arena_create_limited( limit );
		bvb_topology t;
		bvb_adjacency a;
		bvb_error error;
		bv_status status = bvb_mesh_topology( &ball, arena, &t, &a, &error );
		bvb_arena_destroy( arena );
		if ( status == bv_ok )
		{
			break;
		}
		assert_int_equal( status, bv_error_memory );
		assert_string_equal( error.message, "out of memory" );
		++failures;
	}
	assert_true( failures > 10 );
	size_t before = bvb_arena_bytes( f->arena );
	describe( f, &ball, NULL );
	assert_int_equal( bvb_arena_bytes( f->arena ), before );
}

int main( void )
{
	const struct CMUnitTest tests[] = {
		fixture_test( soups_have_the_edges_of_all_pairs ),
		fixture_test( soups_close_to_a_plane_are_flat_by_their_sine ),
		fixture_test( kinds_are_the_same_at_every_size ),
		fixture_test( mirror_images_keep_their_kinds ),
		fixture_test( edges_of_a_ball_are_convex_and_concave_from_inside ),
		fixture_test( an_l_shaped_prism_has_one_concave_edge ),
		fixture_test( a_plane_fan_of_slivers_is_flat ),
		fixture_test( rounded_coordinates_leave_the_faces_of_a_cube_flat ),
		fixture_test( the_rim_of_a_double_sided_sheet_is_convex ),
		fixture_test( the_least_and_the_largest_tetrahedron_are_convex ),
		fixture_test( small_triangles_at_large_ones_have_their_angle ),
		fixture_test( every_shortage_of_memory_is_reported ),
	};
	return cmocka_run_group_tests( tests, NULL, NULL );
}
