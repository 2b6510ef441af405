// libFuzzer target: bodies of convex leaves, with any numbers. An input may begin with a .bvh file, whose hull and parts are then among the
// leaves; checksums are not compared in this build.
//
// What is required of unions, contacts and distances: documented statuses; unchanged results on errors; memory of exactly the size that is
// said; contacts in order, of leaves that exist, without NaN. Of shapes that are well defined: no pair of leaves that
// overlaps by more than rounding is missing, and none is reported that is farther apart than was asked for, without the test of
// ghosts; and the distance is the least of all pairs.

#include "bodies.h"
#include "mutate_bvh.h"

#include "bv/compound.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_bodies = 4,
	most_compounds = 10,
	most_members = 5,
	most_leaves = 64, // of compounds that are compared with all pairs
};

typedef struct scene
{
	numbers n;
	subject of;
	const bv_file* file;
	body body[most_bodies];
	bv_compound compound[most_compounds];
	void* memory[most_compounds]; // of unions
	uint32_t count;
	bool is_defined; // all bodies are
} scene;

static void* exactly( size_t bytes )
{
	void* out = malloc( bytes ? bytes : 1 );
	expect( out );
	memset( out, 0xa5, bytes );
	return out;
}

// Shapes that meet, or any numbers.
static bv_transform take_place( scene* s )
{
	numbers* n = &s->n;
	uint8_t kind = take_byte( n );
	bv_transform t = bv_transform_identity();
	if ( kind < 128 )
	{
		double x = 0.5 * s->of.size * ( take_byte( n ) % 9 - 4 );
		double y = 0.5 * s->of.size * ( take_byte( n ) % 9 - 4 );
		t = bv_transform_translation( x, y, kind % 2 ? 0 : s->of.size );
		t.mirror = kind % 16 == 15;
	}
	else if ( kind < 240 )
	{
		t = take_transform( n, &s->of, &s->of );
	}
	else
	{
		t.scale = kind % 2 ? take_double( n ) : 1;
		t.pose.translation.x = take_double( n );
		t.pose.rotation[kind % 3][kind / 3 % 3] = kind % 4 == 0 ? take_double( n ) : t.pose.rotation[0][0];
	}
	return t;
}

static void add_union( scene* s )
{
	bv_compound members[most_members];
	bv_transform places[most_members];
	uint32_t count = take_byte( &s->n ) % ( most_members + 1 );
	for ( uint32_t i = 0; i < count; ++i )
	{
		members[i] = s->compound[take_byte( &s->n ) % s->count];
		places[i] = take_place( s );
	}
	bool has_places = take_chance( &s->n, 224 );
	size_t bytes = bv_compound_bytes( members, count );
	uint64_t leaves = 0;
	bool are_there = count > 0;
	for ( uint32_t i = 0; i < count; ++i )
	{
		leaves += members[i].leaves;
		are_there = are_there && members[i].leaves > 0;
	}
	expect( ( bytes > 0 ) == are_there );
	if ( bytes == 0 || leaves > 4096 )
	{
		return;
	}
	const bv_compound before = { .leaves = 1234 };
	bv_compound out = before;
	void* memory = exactly( bytes );
	if ( take_chance( &s->n, 32 ) )
	{
		expect( bv_compound_join( members, has_places ? places : NULL, count, memory, bytes - 1, &out ) ==
		        bv_error_memory );
		expect( out.leaves == 1234 );
	}
	bv_status status = bv_compound_join( members, has_places ? places : NULL, count, memory, bytes, &out );
	expect( status == bv_ok || status == bv_error_argument );
	if ( status != bv_ok )
	{
		expect( out.leaves == 1234 && !out.joined );
		free( memory );
		return;
	}
	expect( out.leaves == leaves );
	s->memory[s->count] = memory;
	s->compound[s->count++] = out;
}

static bool is_number( bv_vec3 v )
{
	return !isnan( v.x ) && !isnan( v.y ) && !isnan( v.z );
}

// A pair of leaves in coordinates of the first.
typedef struct leaf_pair
{
	bv_compound_leaf leaf[2];
	bv_transform b_in_a;
	double size;
	bool is_valid;
} leaf_pair;

static double reach_of_shape( const bv_convex* c )
{
	body as = { .shape = *c };
	double reach = reach_of( &as );
	for ( uint32_t i = 0; i < c->count && ( c->kind == bv_convex_of_points || c->kind == bv_convex_of_graph );
	      ++i )
	{
		reach = fmax( reach, largest( c->points[i] ) );
	}
	return reach;
}

// Lengths in coordinates of a leaf are those of the compound only where its placement is a similarity.
static bool is_rigid( const bv_transform* t )
{
	double most = 0;
	for ( int i = 0; i < 3; ++i )
	{
		for ( int k = 0; k < 3; ++k )
		{
			double sum = i == k ? -1 : 0;
			for ( int m = 0; m < 3; ++m )
			{
				sum += t->pose.rotation[i][m] * t->pose.rotation[k][m];
			}
			most = fmax( most, fabs( sum ) );
		}
	}
	return most < 1e-12;
}

static leaf_pair pair_of( const bv_compound* a, const bv_compound* b, const bv_transform* at, uint32_t i,
                          uint32_t k )
{
	leaf_pair p;
	expect( bv_compound_get_leaf( a, i, p.leaf ) && bv_compound_get_leaf( b, k, p.leaf + 1 ) );
	bv_transform of_b = bv_transform_compose( at, &p.leaf[1].placement );
	const bv_transform* of_a = &p.leaf[0].placement;
	p.is_valid = bv_transform_is_valid( &of_b ) && is_rigid( of_a ) && is_rigid( &of_b );
	if ( p.is_valid )
	{
		p.b_in_a = bv_transform_between( of_a, &of_b );
		p.size = of_a->scale * reach_of_shape( &p.leaf[0].shape ) +
		         of_b.scale * reach_of_shape( &p.leaf[1].shape ) + largest( of_a->pose.translation ) +
		         largest( of_b.pose.translation );
		p.is_valid = bv_transform_is_valid( &p.b_in_a ) && p.size > 1e-60 && p.size < 1e60;
	}
	return p;
}

static bool is_bounded( const leaf_pair* p )
{
	return p->leaf[0].shape.kind != bv_convex_of_half_space &&
	       p->leaf[1].shape.kind != bv_convex_of_half_space;
}

static const bv_compound_contact* find( const bv_compound_contact* c, uint32_t count, uint32_t i, uint32_t k )
{
	for ( uint32_t n = 0; n < count; ++n )
	{
		if ( c[n].leaf_a == i && c[n].leaf_b == k )
		{
			return c + n;
		}
	}
	return NULL;
}

static void compare_contacts( const bv_compound* a, const bv_compound* b, const bv_transform* at,
                              double speculative, const bv_compound_contact* c, uint32_t count )
{
	for ( uint32_t i = 0; i < a->leaves; ++i )
	{
		for ( uint32_t k = 0; k < b->leaves; ++k )
		{
			leaf_pair p = pair_of( a, b, at, i, k );
			bv_manifold m;
			bv_manifold_options o = { .speculative =
				                          fmin( speculative / p.leaf[0].placement.scale, BV_MAX_LENGTH ) };
			if ( !p.is_valid || !is_bounded( &p ) ||
			     bv_convex_manifold( &p.leaf[0].shape, &p.leaf[1].shape, &p.b_in_a, &o, &m ) != bv_ok )
			{
				continue;
			}
			double error = 1e-6 * p.size;
			double scale = p.leaf[0].placement.scale;
			bool is_there = find( c, count, i, k ) != NULL;
			expect( is_there || !( scale * m.upper < speculative - error ) );
			expect( !is_there || !( scale * m.lower > speculative + error ) );
		}
	}
}

static void query_contacts( scene* s, const bv_compound* a, const bv_compound* b, const bv_transform* at )
{
	uint8_t kind = take_byte( &s->n );
	bv_compound_contacts_options o = { .no_ghost_test = kind & 1 };
	o.speculative = kind & 2 ? 0.25 * s->of.size : 0;
	o.speculative = kind >= 250 ? take_double( &s->n ) : o.speculative;
	o.tolerance = kind % 32 == 7 ? take_number( &s->n, &s->of ) : 0;
	uint32_t pairs = kind & 4 ? take_byte( &s->n ) % 8 : a->leaves * b->leaves;
	uint32_t capacity = kind & 8 ? 1 + take_byte( &s->n ) % 4 : a->leaves * b->leaves + 1;
	size_t bytes = bv_compound_contacts_bytes( a, b, pairs );
	expect( ( bytes > 0 ) == ( a->leaves > 0 && b->leaves > 0 ) );
	bv_compound_room room = { exactly( capacity * sizeof( bv_compound_contact ) ), capacity, exactly( bytes ),
		                      bytes };
	bv_compound_contacts_result r = { .count = 1234 };
	bv_status status = bv_compound_contacts( a, b, at, &o, &room, &r );
	expect( status == bv_ok || status == bv_error_argument || ( status == bv_error_memory && ( kind & 4 ) ) );
	if ( status != bv_ok )
	{
		expect( r.count == 1234 );
	}
	else
	{
		expect( r.count <= capacity && r.count + r.dropped <= r.pairs && r.pairs <= a->leaves * b->leaves );
		expect( r.turned <= r.ghosts && r.ghosts <= r.pairs && r.pairs <= r.volume_tests );
		for ( uint32_t i = 0; i < r.count; ++i )
		{
			const bv_compound_contact* c = room.contacts + i;
			expect( c->leaf_a < a->leaves && c->leaf_b < b->leaves );
			expect( i == 0 || c[-1].leaf_a < c->leaf_a ||
			        ( c[-1].leaf_a == c->leaf_a && c[-1].leaf_b < c->leaf_b ) );
			expect( c->manifold.count >= 1 && c->manifold.count <= BV_MANIFOLD_CONTACTS );
			expect( !s->is_defined || is_number( c->manifold.normal ) );
			expect( !s->is_defined || ( is_number( c->manifold.contact[0].position ) &&
			                            !isnan( c->manifold.contact[0].separation ) ) );
		}
		bool is_whole = s->is_defined && o.no_ghost_test && r.dropped == 0;
		if ( is_whole && a->leaves <= most_leaves && b->leaves <= most_leaves )
		{
			compare_contacts( a, b, at, o.speculative, room.contacts, r.count );
		}
	}
	free( room.contacts );
	free( room.scratch );
}

static void query_distance( scene* s, const bv_compound* a, const bv_compound* b, const bv_transform* at )
{
	size_t bytes = bv_compound_distance_bytes( a, b );
	void* memory = exactly( bytes );
	bv_compound_distance_result r = { .pair_tests = 1234 };
	bv_convex_options o = { .method =
		                        (bv_convex_method)( take_byte( &s->n ) % 32 ? 0 : take_byte( &s->n ) % 10 ) };
	bv_status status = bv_compound_distance( a, b, at, &o, memory, bytes, &r );
	expect( status == bv_ok || status == bv_error_argument ||
	        ( status == bv_error_unsupported && o.method != 0 ) );
	if ( status != bv_ok )
	{
		expect( r.pair_tests == 1234 );
	}
	else
	{
		expect( r.leaf[0] < a->leaves && r.leaf[1] < b->leaves && r.pair_tests > 0 );
		expect( !s->is_defined || r.nearest.lower <= r.nearest.upper );
		for ( uint32_t i = 0; s->is_defined && o.method == 0 && i < a->leaves && i < most_leaves; ++i )
		{
			for ( uint32_t k = 0; k < b->leaves && k < most_leaves; ++k )
			{
				leaf_pair p = pair_of( a, b, at, i, k );
				bv_convex_result one;
				bool is_known =
					p.is_valid && is_bounded( &p ) &&
					bv_convex_distance( &p.leaf[0].shape, &p.leaf[1].shape, &p.b_in_a, NULL, &one ) == bv_ok;
				expect( !is_known ||
				        r.nearest.lower <= p.leaf[0].placement.scale * one.upper + 1e-6 * p.size );
			}
		}
	}
	free( memory );
}

static void play( scene* s )
{
	uint8_t kind = take_byte( &s->n );
	s->of.size = kind >= 240 ? ldexp( 1, 2 * (int8_t)take_byte( &s->n ) ) : 1;
	s->is_defined = !s->file;
	for ( int i = 0; i < most_bodies; ++i )
	{
		take_body( &s->n, &s->of, s->file, s->body + i );
		s->is_defined = s->is_defined && s->body[i].is_defined;
		s->compound[s->count++] = bv_compound_of_shape( &s->body[i].shape );
	}
	if ( s->file )
	{
		s->compound[s->count++] = bv_compound_of_parts( s->file );
	}
	while ( s->count < most_compounds && s->n.left > 0 )
	{
		if ( take_chance( &s->n, 96 ) )
		{
			add_union( s );
			continue;
		}
		const bv_compound* a = s->compound + take_byte( &s->n ) % s->count;
		const bv_compound* b = s->compound + take_byte( &s->n ) % s->count;
		bv_transform at = take_place( s );
		if ( (uint64_t)a->leaves * b->leaves <= 4096 )
		{
			query_contacts( s, a, b, &at );
			query_distance( s, a, b, &at );
		}
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	size_t length = file_length( data, size );
	void* memory = malloc( length ? length : 1 );
	expect( memory );
	memcpy( memory, data, length );
	scene s = { .n = numbers_begin( data + length, size - length ) };
	if ( length > 0 && bv_file_open( memory, length, &s.file ) != bv_ok )
	{
		s.file = NULL;
	}
	play( &s );
	for ( int i = 0; i < most_bodies; ++i )
	{
		free_body( s.body + i );
	}
	for ( int i = 0; i < most_compounds; ++i )
	{
		free( s.memory[i] );
	}
	free( memory );
	return 0;
}
