// libFuzzer target: broad phases. The bytes are the options and a sequence of operations: add, move, remove, update, pairs, overlap,
// user data of pairs, casts of rays, boxes and convex shapes, copy to any method and size, save and restore of the bytes.
//
// What is required: documented statuses, results that are unchanged on errors, and after each operation what the model in
// tests/world_model.h says, and tests/world_exact.h of rays and boxes. Convex shapes meet what they meet in a broad phase that
// compares all objects. Limits are small, so that updates fail; then what a larger copy reports is compared. After a restore the
// model is that of the save.

#include "expect.h"
#include "numbers.h"

#include "tests/world_exact.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_objects = 40, // hash grids begin above 32
	most_operations = 400,
	greatest_pairs = most_objects * ( most_objects - 1 ) / 2,
};

typedef struct game
{
	numbers n;
	bvw_broadphase* world;
	bvw_broadphase_options options;
	size_t bytes;
	model model;
	bool has_failed; // an update did, since the last one that succeeded
	bool is_integer; // coordinates mostly are
	uint64_t data[most_objects]
				 [most_objects]; // user data of the model's pairs of the last update; 0 without hash table
	// A save: the bytes, and the model's objects and pairs.
	void* save;
	size_t save_bytes;
	bvw_broadphase_options save_options;
	model save_model;
	bool save_has_failed;
	uint64_t save_data[most_objects][most_objects];
} game;

static void copy_pairs( model_pairs* to, const model_pairs* from )
{
	to->count = 0;
	for ( uint32_t i = 0; i < from->count; ++i )
	{
		model_append( to, from->at[i] );
	}
}

// Objects and pairs of the last update: all else is computed. Serials are never given twice.
static void copy_model( model* to, const model* from )
{
	memcpy( to->object, from->object, most_objects * sizeof *to->object );
	to->objects = from->objects;
	to->serials = to->serials > from->serials ? to->serials : from->serials;
	copy_pairs( &to->last, &from->last );
}

// Memory of exactly that size, filled with anything.
static void* block_of( size_t bytes, uint8_t garbage )
{
	void* memory = malloc( bytes );
	expect( memory );
	memset( memory, garbage, bytes );
	return memory;
}

static double take_coordinate( game* g )
{
	static const double special[] = { INFINITY, -INFINITY,   NAN,  BV_MAX_LENGTH, -BV_MAX_LENGTH, 1e7,
		                              -0.0,     0x1.0p-1074, 1e-5, 1e4,           -1e7,           0x1p-30 };
	uint8_t kind = take_byte( &g->n );
	if ( kind < 4 )
	{
		return take_double( &g->n );
	}
	if ( kind < 16 )
	{
		return special[kind - 4];
	}
	if ( kind < 32 )
	{
		return ldexp( take_unit( &g->n ), (int8_t)take_byte( &g->n ) );
	}
	return g->is_integer ? kind % 32 : 8 * take_unit( &g->n );
}

static double take_length( game* g )
{
	uint8_t kind = take_byte( &g->n );
	return kind < 16    ? take_coordinate( g )
	       : kind < 48  ? 0
	       : kind < 60  ? (double)INFINITY
	       : kind < 128 ? ldexp( 1, kind % 16 - 8 )
	                    : kind % 8;
}

// One of four is where another object is, so that pairs come back.
static bv_aabb take_box( game* g )
{
	bvw_object other;
	if ( take_chance( &g->n, 64 ) &&
	     bvw_broadphase_get( g->world, take_byte( &g->n ) % most_objects, &other ) )
	{
		return other.box;
	}
	double low[3];
	double high[3];
	for ( int i = 0; i < 3; ++i )
	{
		low[i] = take_coordinate( g );
		high[i] = low[i] + take_length( g );
	}
	return ( bv_aabb ){ { low[0], low[1], low[2] }, { high[0], high[1], high[2] } };
}

// The object's box, a little aside, or any box.
static bv_aabb take_box_of_move( game* g, uint32_t number )
{
	bvw_object o;
	if ( take_chance( &g->n, 96 ) || !bvw_broadphase_get( g->world, number, &o ) )
	{
		return take_box( g );
	}
	double d[3];
	for ( int i = 0; i < 3; ++i )
	{
		d[i] = ldexp( (int8_t)take_byte( &g->n ), g->is_integer ? -6 : -9 );
	}
	return ( bv_aabb ){ { o.box.lower.x + d[0], o.box.lower.y + d[1], o.box.lower.z + d[2] },
		                { o.box.upper.x + d[0], o.box.upper.y + d[1], o.box.upper.z + d[2] } };
}

static uint64_t take_categories( numbers* n )
{
	uint8_t kind = take_byte( n );
	return kind < 128   ? 0
	       : kind < 224 ? UINT64_C( 1 ) << kind % 4
	       : kind < 250 ? kind % 16
	                    : take_bits( n, 8 );
}

static bvw_object take_object( game* g )
{
	bvw_object o = { .box = take_box( g ) };
	uint8_t kind = take_byte( &g->n );
	if ( kind < 64 )
	{
		o.category = take_categories( &g->n );
		o.mask = take_categories( &g->n );
	}
	o.group = kind % 8 == 0 ? 1 + kind / 128 : 0;
	return o;
}

static bvw_broadphase_options take_options( numbers* n )
{
	bvw_broadphase_options o = { .objects = 1 + take_byte( n ) % most_objects };
	uint8_t pairs = take_byte( n );
	o.pairs = pairs < 64 ? 0 : pairs < 200 ? 1 + pairs % 16 : greatest_pairs;
	o.method = (bvw_method)( take_byte( n ) % bvw_methods );
	uint8_t margin = take_byte( n );
	o.margin = margin < 128 ? 0 : margin < 250 ? ldexp( 1, margin % 16 - 8 ) : take_double( n );
	// Not all methods have all ways to keep pairs, or threads.
	bvw_broadphase_options wide = o;
	wide.margin = 0;
	wide.store = (bvw_pair_store)( take_byte( n ) % bvw_pair_stores );
	o.store = bvw_broadphase_bytes( &wide ) > 0 ? wide.store : bvw_pair_store_default;
	wide.store = o.store;
	wide.workers = take_byte( n ) % 9;
	o.workers = bvw_broadphase_bytes( &wide ) > 0 ? wide.workers : 1;
	return o;
}

static bool has_valid_margin( const bvw_broadphase_options* o )
{
	return o->margin >= 0 && o->margin <= BV_MAX_LENGTH;
}

// The default is a hash table or a list, whose sizes always differ.
static bool has_data( const bvw_broadphase_options* o )
{
	bvw_broadphase_options with = *o;
	with.workers = 1;
	with.store = bvw_pair_store_hash;
	bool is_default = o->store == bvw_pair_store_default;
	return o->store == bvw_pair_store_hash ||
	       ( is_default && bvw_broadphase_bytes( &with ) == bvw_broadphase_bytes( o ) );
}

static bool is_tree( const game* g )
{
	return g->options.method == bvw_method_tree || g->options.method == bvw_method_default;
}

static uint32_t limit_of( const bvw_broadphase_options* o )
{
	return o->pairs > 0 ? o->pairs : 4 * o->objects + 64;
}

static bv_status status_of( bool is_valid )
{
	return is_valid ? bv_ok : bv_error_argument;
}

static void add( game* g )
{
	uint32_t number = take_byte( &g->n ) % ( most_objects + 1 );
	bvw_object o = take_object( g );
	expect( bvw_broadphase_add( g->world, number, &o ) == status_of( model_add( &g->model, number, &o ) ) );
}

static void move( game* g )
{
	uint32_t number = take_byte( &g->n ) % ( most_objects + 1 );
	bv_aabb box = take_box_of_move( g, number );
	expect( bvw_broadphase_move( g->world, number, &box ) ==
	        status_of( model_move( &g->model, number, &box ) ) );
}

static void remove_object( game* g )
{
	uint32_t number = take_byte( &g->n ) % ( most_objects + 1 );
	expect( bvw_broadphase_remove( g->world, number ) == status_of( model_remove( &g->model, number ) ) );
}

// Tasks, from the last one on, by the only thread.
static void* start_tasks( void* context, void ( *task )( void* data, uint32_t k ), void* data,
                          uint32_t count )
{
	for ( uint32_t k = count; k > 0; --k )
	{
		task( data, k - 1 );
	}
	return context;
}

static void finish_tasks( void* context, void* started )
{
	expect( context == started );
}

// All but trees, which have pairs of boxes with margins, are full only when more pairs touch than there is room for.
static void update( game* g )
{
	bvw_changes before;
	memset( &before, 0x5a, sizeof before );
	bvw_changes got = before;
	model_compare( &g->model );
	const bvw_tasks tasks = { g, g->options.workers, start_tasks, finish_tasks };
	bool has_tasks = g->options.workers > 1 && take_chance( &g->n, 128 );
	bv_status status = bvw_broadphase_update_on( g->world, has_tasks ? &tasks : NULL, &got );
	bool fits = g->model.now.count <= limit_of( &g->options );
	expect( status == bv_ok || status == bv_error_memory );
	expect( status == bv_error_memory || fits );
	expect( status == bv_ok || !fits || is_tree( g ) );
	expect( status == bv_ok || limit_of( &g->options ) < g->model.lives * ( g->model.lives - 1 ) / 2 );
	if ( status != bv_ok )
	{
		expect( memcmp( &got, &before, sizeof got ) == 0 );
		model_fail( &g->model );
		g->has_failed = true;
		return;
	}
	expect( model_equals( &g->model.begun, got.begun, got.begun_count ) );
	expect( model_equals( &g->model.ended, got.ended, got.ended_count ) );
	for ( uint32_t i = 0; i < g->model.begun.count; ++i )
	{
		g->data[g->model.begun.at[i].number[0]][g->model.begun.at[i].number[1]] = 0;
	}
	model_commit( &g->model );
	g->has_failed = false;
}

static void check_data( const game* g, uint32_t a, uint32_t b, bool is_listed )
{
	const uint64_t* data = bvw_broadphase_pair_data( g->world, b, a );
	expect( ( data != NULL ) == ( is_listed && has_data( &g->options ) ) );
	expect( !data || *data == g->data[a][b] );
}

static void change_data( game* g )
{
	model_list( &g->model );
	for ( uint32_t i = 0; i < g->model.listed.count && has_data( &g->options ); ++i )
	{
		const uint32_t* p = g->model.listed.at[i].number;
		check_data( g, p[0], p[1], true );
		if ( take_chance( &g->n, 128 ) )
		{
			g->data[p[0]][p[1]] = take_bits( &g->n, 2 );
			*bvw_broadphase_pair_data( g->world, p[0], p[1] ) = g->data[p[0]][p[1]];
		}
	}
}

static void list( game* g )
{
	bvw_pair pairs[greatest_pairs];
	memset( pairs, 0x5a, sizeof pairs );
	uint32_t most = take_chance( &g->n, 64 ) ? take_byte( &g->n ) : greatest_pairs;
	uint32_t count = UINT32_MAX;
	bv_status status = bvw_broadphase_pairs( g->world, most > 0 ? pairs : NULL, most, &count );
	model_list( &g->model );
	expect( count == g->model.listed.count && status == ( count <= most ? bv_ok : bv_error_memory ) );
	expect( status != bv_ok || model_equals( &g->model.listed, pairs, count ) );
	for ( uint32_t i = status == bv_ok ? count : 0; i < greatest_pairs; ++i )
	{
		expect( pairs[i].a == 0x5a5a5a5au && pairs[i].b == 0x5a5a5a5au );
	}
	uint32_t k = 0;
	for ( uint32_t a = 0; a < most_objects; ++a )
	{
		for ( uint32_t b = a + 1; b < most_objects; ++b )
		{
			const model_pair* all = g->model.listed.at;
			bool is_listed = k < count && all[k].number[0] == a && all[k].number[1] == b;
			expect( bvw_broadphase_has_pair( g->world, a, b ) == is_listed );
			expect( bvw_broadphase_has_pair( g->world, b, a ) == is_listed );
			check_data( g, a, b, is_listed );
			k += is_listed;
		}
	}
}

static void overlap( game* g )
{
	bv_aabb box = take_box( g );
	bvw_filter filter = { take_categories( &g->n ), take_categories( &g->n ) };
	bool has_filter = take_chance( &g->n, 128 );
	uint32_t expected[most_objects];
	uint32_t numbers[most_objects];
	memset( numbers, 0x5a, sizeof numbers );
	uint32_t most = take_chance( &g->n, 64 ) ? take_byte( &g->n ) % most_objects : most_objects;
	bvw_found found = { 1234, 4321 };
	bv_status status = bvw_broadphase_overlap( g->world, &box, has_filter ? &filter : NULL,
	                                           most > 0 ? numbers : NULL, most, &found );
	if ( !model_box_is_valid( &box ) )
	{
		expect( status == bv_error_argument && found.count == 1234 && found.tests == 4321 );
		return;
	}
	uint32_t count = model_overlap( &g->model, &box, has_filter ? &filter : NULL, expected );
	expect( status == ( count <= most ? bv_ok : bv_error_memory ) );
	expect( found.count == count && found.tests >= count );
	expect( status != bv_ok || memcmp( numbers, expected, count * sizeof *numbers ) == 0 );
	for ( uint32_t i = most; i < most_objects; ++i )
	{
		expect( numbers[i] == 0x5a5a5a5au );
	}
}

static bool is_length( double x )
{
	return fabs( x ) <= BV_MAX_LENGTH;
}

static bool is_vector( bv_vec3 v )
{
	return is_length( v.x ) && is_length( v.y ) && is_length( v.z );
}

// One of two is the way to a corner of an object, so that edges are grazed.
static bv_vec3 take_motion( game* g, bv_vec3 from )
{
	bv_aabb to = take_box( g );
	bv_vec3 corner = take_chance( &g->n, 128 ) ? to.lower : to.upper;
	if ( take_chance( &g->n, 128 ) )
	{
		return bv_sub( corner, from );
	}
	double x = take_coordinate( g );
	double y = take_coordinate( g );
	return ( bv_vec3 ){ x, y, take_coordinate( g ) };
}

// What a query casts: a ray, a box, or a convex shape.
typedef struct question
{
	int kind;
	bv_ray ray;
	bv_aabb box;
	bv_vec3 motion;
	bv_convex shape;
} question;

static bv_status ask( const bvw_broadphase* world, const question* q, const bvw_cast_options* options,
                      bvw_hit* hits, uint32_t most, bvw_found* found )
{
	switch ( q->kind )
	{
	case 0: return bvw_broadphase_cast_ray( world, &q->ray, options, hits, most, found );
	case 1: return bvw_broadphase_cast_box( world, &q->box, q->motion, options, hits, most, found );
	default:
		return bvw_broadphase_cast_convex( world, &q->shape, NULL, q->motion, options, hits, most, found );
	}
}

static question take_question( game* g )
{
	question q = { .kind = take_byte( &g->n ) % 3 };
	q.box = take_box( g );
	q.motion = take_motion( g, q.box.upper );
	q.ray = ( bv_ray ){ q.box.upper, q.motion, 0, 0 };
	if ( take_chance( &g->n, 128 ) )
	{
		q.ray.from = take_length( g );
		q.ray.to = take_length( g );
	}
	bv_vec3 size = bv_sub( q.box.upper, q.box.lower );
	q.shape = take_chance( &g->n, 128 ) ? bv_convex_capsule( q.box.lower, q.box.upper, 0.5 )
	                                    : bv_convex_box( q.box.lower, size );
	return q;
}

static bool is_valid_question( const question* q )
{
	const bv_ray* r = &q->ray;
	bv_vec3 d = r->direction;
	if ( q->kind == 0 )
	{
		return is_vector( r->origin ) && is_vector( d ) &&
		       fabs( d.x ) + fabs( d.y ) + fabs( d.z ) >= 1 / BV_MAX_LENGTH && r->from >= 0 &&
		       r->from < (double)INFINITY && r->to >= 0;
	}
	return model_box_is_valid( &q->box ) && is_vector( q->motion );
}

static bool are_equal_hits( const bvw_hit* a, const bvw_hit* b, uint32_t count )
{
	bool equal = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		equal = equal && a[i].number == b[i].number && a[i].time.lower == b[i].time.lower &&
		        a[i].time.upper == b[i].time.upper;
	}
	return equal;
}

// A copy that compares all objects finds the same.
static void compare_with_all_pairs( const game* g, const question* q, const bvw_cast_options* options,
                                    bv_status status, const bvw_hit* hits, uint32_t count )
{
	bvw_broadphase_options all = { .objects = most_objects,
		                           .pairs = greatest_pairs,
		                           .method = bvw_method_all_pairs };
	size_t bytes = bvw_broadphase_bytes( &all );
	void* memory = block_of( bytes, 0 );
	bvw_broadphase* world = NULL;
	expect( bvw_broadphase_copy( g->world, memory, bytes, &all, &world ) == bv_ok );
	bvw_hit expected[most_objects];
	bvw_found found;
	expect( ask( world, q, options, expected, most_objects, &found ) == status );
	expect( status != bv_ok || ( found.count == count && are_equal_hits( expected, hits, count ) ) );
	uint32_t numbers[2][most_objects];
	bvw_found other;
	bv_status rests[2] = { bvw_broadphase_overlap_convex( world, &q->shape, NULL, &options->filter,
		                                                  numbers[0], most_objects, &found ),
		                   bvw_broadphase_overlap_convex( g->world, &q->shape, NULL, &options->filter,
		                                                  numbers[1], most_objects, &other ) };
	expect( rests[0] == rests[1] );
	expect( rests[0] != bv_ok || ( found.count == other.count &&
	                               memcmp( numbers[0], numbers[1], found.count * sizeof **numbers ) == 0 ) );
	free( memory );
}

static void cast( game* g )
{
	question q = take_question( g );
	bvw_cast_options options = { .filter = { take_categories( &g->n ), take_categories( &g->n ) } };
	bvw_hit hits[most_objects];
	bvw_hit first[most_objects];
	bvw_found found = { 1234, 4321 };
	bv_status status = ask( g->world, &q, &options, hits, most_objects, &found );
	if ( q.kind < 2 )
	{
		expect( status == status_of( is_valid_question( &q ) ) );
	}
	if ( status != bv_ok )
	{
		expect( status == bv_error_argument && found.count == 1234 && found.tests == 4321 );
	}
	if ( q.kind == 2 )
	{
		compare_with_all_pairs( g, &q, &options, status, hits, found.count );
	}
	if ( status != bv_ok )
	{
		return;
	}
	exact_cast c = q.kind == 0 ? exact_cast_of_ray( &q.ray ) : exact_cast_of_box( &q.box, q.motion );
	expect( q.kind == 2 || exact_equals( &g->model, &c, &options.filter, hits, found.count ) );
	uint32_t most = take_byte( &g->n ) % most_objects;
	uint32_t count = found.count < most ? found.count : most;
	expect( ask( g->world, &q, &options, first, most, &found ) == bv_ok );
	expect( found.count == count && are_equal_hits( hits, first, count ) );
}

static uint32_t pairs_of( const game* g )
{
	uint32_t count = 0;
	(void)bvw_broadphase_pairs( g->world, NULL, 0, &count );
	return count;
}

// A copy fits if there are numbers for all objects, and room for the pairs of the last update, those that ended since included.
static void copy( game* g, bool grows )
{
	bvw_broadphase_options options = take_options( &g->n );
	if ( grows )
	{
		options.objects = most_objects;
		options.pairs = greatest_pairs;
		options.margin = g->options.margin;
	}
	size_t bytes = bvw_broadphase_bytes( &options );
	expect( ( bytes > 0 ) == has_valid_margin( &options ) );
	if ( bytes == 0 )
	{
		return;
	}
	void* memory = block_of( bytes, take_byte( &g->n ) );
	bvw_broadphase* copied = NULL;
	bv_status status = bvw_broadphase_copy( g->world, memory, bytes, &options, &copied );
	uint32_t highest = 0;
	for ( uint32_t i = 0; i < most_objects; ++i )
	{
		highest = g->model.object[i].serial ? i + 1 : highest;
	}
	// Pairs that ended are not counted twice, whatever failed.
	bool fits = highest <= options.objects && g->model.last.count <= limit_of( &options );
	expect( status == bv_ok || status == bv_error_limit );
	expect( ( status == bv_ok ) == fits );
	if ( status != bv_ok )
	{
		expect( !copied );
		free( memory );
		return;
	}
	expect( copied == memory );
	uint32_t pairs = pairs_of( g );
	free( g->world );
	g->world = copied;
	g->options = options;
	g->bytes = bytes;
	g->model.objects = options.objects;
	if ( !has_data( &options ) )
	{
		memset( g->data, 0, sizeof g->data );
	}
	expect( pairs_of( g ) == pairs );
}

static void keep( game* g )
{
	free( g->save );
	g->save = block_of( g->bytes, 0 );
	memcpy( g->save, g->world, g->bytes );
	g->save_bytes = g->bytes;
	g->save_options = g->options;
	g->save_has_failed = g->has_failed;
	memcpy( g->save_data, g->data, sizeof g->data );
	copy_model( &g->save_model, &g->model );
}

// At another address.
static void restore( game* g )
{
	if ( !g->save )
	{
		return;
	}
	free( g->world );
	g->world = block_of( g->save_bytes, 0 );
	memcpy( g->world, g->save, g->save_bytes );
	g->bytes = g->save_bytes;
	g->options = g->save_options;
	g->has_failed = g->save_has_failed;
	memcpy( g->data, g->save_data, sizeof g->data );
	copy_model( &g->model, &g->save_model );
}

static void play( game* g )
{
	for ( int i = 0; i < most_operations && g->n.left > 0; ++i )
	{
		uint8_t operation = take_byte( &g->n ) % 32;
		switch ( operation )
		{
		default: move( g ); break;
		case 0:
		case 1:
		case 2:
		case 3:
		case 4:
		case 5:
		case 6:
		case 7:
		case 8: add( g ); break;
		case 9:
		case 10:
		case 11: remove_object( g ); break;
		case 12:
		case 13:
		case 14:
		case 15: update( g ); break;
		case 16: list( g ); break;
		case 17:
		case 18: overlap( g ); break;
		case 23:
		case 24:
		case 25: cast( g ); break;
		case 19: copy( g, false ); break;
		case 20: copy( g, g->has_failed ); break;
		case 21: keep( g ); break;
		case 22: restore( g ); break;
		case 26:
		case 27: change_data( g ); break;
		}
	}
	update( g );
	if ( g->has_failed )
	{
		copy( g, true );
		update( g );
		expect( !g->has_failed );
	}
	list( g );
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	game g = { .n = numbers_begin( data, size ),
		       .model = model_of( most_objects ),
		       .save_model = model_of( most_objects ) };
	g.is_integer = take_chance( &g.n, 128 );
	g.options = take_options( &g.n );
	g.bytes = bvw_broadphase_bytes( &g.options );
	expect( ( g.bytes > 0 ) == has_valid_margin( &g.options ) );
	if ( g.bytes > 0 )
	{
		void* memory = block_of( g.bytes, take_byte( &g.n ) );
		expect( bvw_broadphase_begin( memory, g.bytes, &g.options, &g.world ) == bv_ok );
		g.model.objects = g.options.objects;
		play( &g );
	}
	free( g.world );
	free( g.save );
	model_free( &g.model );
	model_free( &g.save_model );
	return 0;
}
