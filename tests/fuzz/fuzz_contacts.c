// libFuzzer target: contacts that last. The bytes are the options and a sequence of operations: bodies move and change their shapes,
// pairs begin and end, steps by one thread or several tasks, contacts of the caller and of compounds, user data, copy to any size, save
// and restore.
//
// What is required: documented statuses, nothing changed on errors, and after each operation what the model in
// tests/contacts_model.h says. A copy that is as small as possible, and a restore at another address, go on as the model does.

#include "expect.h"
#include "numbers.h"

#include "tests/contacts_model.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_objects = 7,
	object_pairs = most_objects * ( most_objects - 1 ) / 2,
	most_entries = 8 * object_pairs,
	most_operations = 200,
	hull_points = 8,
};

typedef struct object
{
	bv_convex shape;
	bv_vec3 points[hull_points];
	bool has_shape;
	bv_transform placement;
	uint8_t is_awake;
} object;

typedef struct game
{
	numbers n;
	object object[most_objects];
	bvw_contacts* contacts;
	bvw_contacts_options options;
	size_t bytes;
	kept_model model;
	double next; // user data
	// A save.
	void* save;
	size_t save_bytes;
	bvw_contacts_options save_options;
	kept_model save_model;
} game;

static void* block_of( size_t bytes, uint8_t garbage )
{
	void* memory = malloc( bytes );
	expect( memory );
	memset( memory, garbage, bytes );
	return memory;
}

static double take_coordinate( game* g )
{
	static const double special[] = {
		INFINITY, NAN, BV_MAX_LENGTH, -BV_MAX_LENGTH, 1e7, -0.0, 0x1p-1074, 1e-5
	};
	uint8_t kind = take_byte( &g->n );
	return kind < 2     ? special[take_byte( &g->n ) % 8]
	       : kind < 120 ? (double)( kind % 5 ) - 2
	       : kind < 200 ? 0.5 * ( kind % 5 )
	                    : take_unit( &g->n );
}

static bv_vec3 take_place( game* g )
{
	double x = take_coordinate( g );
	double y = take_coordinate( g );
	return ( bv_vec3 ){ x, y, take_coordinate( g ) };
}

static double take_radius( game* g )
{
	return take_chance( &g->n, 250 ) ? 0.25 * ( take_byte( &g->n ) % 5 ) : take_coordinate( g );
}

static void change_shape( game* g )
{
	object* o = g->object + take_byte( &g->n ) % most_objects;
	bv_vec3 zero = { 0, 0, 0 };
	o->has_shape = true;
	o->is_awake = 1;
	switch ( take_byte( &g->n ) % 8 )
	{
	case 0: o->has_shape = false; break;
	case 1: o->shape = bv_convex_sphere( zero, take_radius( g ) ); break;
	case 2: o->shape = bv_convex_capsule( zero, take_place( g ), take_radius( g ) ); break;
	case 3: o->shape = bv_convex_half_space( bv_vec3_make( 0, 0, 1 ), take_radius( g ) ); break;
	case 4: o->shape = bv_convex_cylinder( zero, bv_vec3_make( 0, 0, 1 ), take_radius( g ) ); break;
	case 5:
		for ( int i = 0; i < hull_points; ++i )
		{
			o->points[i] = take_place( g );
		}
		o->shape = bv_convex_points( o->points, hull_points, 0 );
		break;
	default:
		o->shape = bv_convex_box( zero, bv_vec3_make( 1, take_radius( g ), 1 ) );
		o->shape.radius = take_chance( &g->n, 32 ) ? take_radius( g ) : 0;
		break;
	}
}

static void move( game* g )
{
	object* o = g->object + take_byte( &g->n ) % most_objects;
	uint8_t kind = take_byte( &g->n );
	bv_transform* t = &o->placement;
	if ( kind < 32 )
	{
		take_rotation( &g->n, t->pose.rotation );
		t->scale = kind < 8 ? ldexp( 1, (int8_t)take_byte( &g->n ) ) : 1;
		t->mirror = kind % 2;
	}
	if ( kind < 128 )
	{
		t->pose.translation = take_place( g );
	}
	else
	{
		bv_vec3 by = { 0.02 * take_unit( &g->n ), 0.02 * take_unit( &g->n ), 0 };
		t->pose.translation = bv_add( t->pose.translation, by );
	}
	o->is_awake = kind != 255;
}

// Pairs of the greatest number of objects, each with a chance; in order, or not.
static uint32_t take_pairs( game* g, bvw_pair out[object_pairs], uint8_t chance )
{
	uint32_t count = 0;
	for ( uint32_t a = 0; a < most_objects; ++a )
	{
		for ( uint32_t b = a + 1; b < most_objects; ++b )
		{
			out[count] = ( bvw_pair ){ a, b };
			count += take_chance( &g->n, chance );
		}
	}
	return count;
}

// Runs the last task first.
static void* start( void* context, void ( *task )( void* data, uint32_t k ), void* data, uint32_t count )
{
	for ( uint32_t k = count; k > 0; --k )
	{
		task( data, k - 1 );
	}
	return context;
}

static void finish( void* context, void* started )
{
	expect( context == started );
}

static void check( game* g )
{
	const char* what = kept_compare_all( &g->model, g->contacts );
	if ( what )
	{
		fprintf( stderr, "against the model: %s\n", what );
		abort();
	}
}

static void replace_contacts( game* g, uint32_t pairs );

static void step( game* g )
{
	bvw_pair begun[object_pairs];
	bvw_pair ended[object_pairs];
	bvw_changes changes = { .begun = begun, .ended = ended };
	uint8_t kind = take_byte( &g->n );
	changes.begun_count = kind < 160 ? take_pairs( g, begun, kind ) : 0;
	changes.ended_count = kind % 4 == 0 ? take_pairs( g, ended, kind / 2 ) : 0;
	bvw_body body[most_objects];
	uint8_t awake[most_objects];
	for ( uint32_t i = 0; i < most_objects; ++i )
	{
		object* o = g->object + i;
		body[i] = ( bvw_body ){ o->has_shape ? &o->shape : NULL, o->placement };
		awake[i] = o->is_awake;
	}
	bvw_contacts_step_input input = { .changes = kind % 8 == 7 ? NULL : &changes,
		                              .bodies = body,
		                              .body_count = kind % 16 == 15 ? most_objects - 1 : most_objects,
		                              .awake = kind % 3 == 0 ? NULL : awake,
		                              .speculative = take_chance( &g->n, 8 ) ? take_coordinate( g ) : 0.1 };
	bool is_valid = input.speculative >= 0 && input.speculative <= BV_MAX_LENGTH;
	bvw_tasks tasks = { g, 1 + take_byte( &g->n ) % 4, start, finish };
	is_valid = is_valid && tasks.workers <= g->options.workers;
	bvw_contacts_report report = { .step = 1234 };
	void* before = block_of( g->bytes, 0 );
	memcpy( before, g->contacts, g->bytes );
	bv_status status = bvw_contacts_step_on( g->contacts, &input, &tasks, &report );
	bool fits = kept_count_after( &g->model, input.changes ) <= g->options.pairs;
	expect( status == ( !is_valid ? bv_error_argument : fits ? bv_ok : bv_error_memory ) );
	if ( status != bv_ok )
	{
		expect( report.step == 1234 && memcmp( before, g->contacts, g->bytes ) == 0 );
	}
	free( before );
	if ( status == bv_error_memory )
	{
		replace_contacts( g, kept_count_after( &g->model, input.changes ) );
		status = bvw_contacts_step( g->contacts, &input, &report );
		expect( status == bv_ok );
	}
	if ( status == bv_ok )
	{
		kept_step( &g->model, &input );
		const char* what = kept_compare_report( &g->model, g->contacts, &report );
		if ( what )
		{
			fprintf( stderr, "report against the model: %s\n", what );
			abort();
		}
		for ( uint32_t i = 0; i < most_objects; ++i )
		{
			g->object[i].is_awake = 0;
		}
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

// Contacts of a few identities and places.
static bv_manifold take_manifold( game* g, bool* is_valid )
{
	bv_manifold m = { .normal = { 0, 0, 1 }, .count = take_byte( &g->n ) % 6 };
	*is_valid = m.count <= BV_MANIFOLD_CONTACTS;
	for ( uint32_t i = 0; i < m.count && i < BV_MANIFOLD_CONTACTS; ++i )
	{
		bv_contact* c = m.contact + i;
		c->point[0] = bv_scale( 0.01, take_place( g ) );
		c->point[1] = take_chance( &g->n, 200 ) ? c->point[0] : bv_scale( 0.01, take_place( g ) );
		c->position = c->point[0];
		c->separation = take_chance( &g->n, 250 ) ? 0 : take_coordinate( g );
		c->identity = take_byte( &g->n ) % 8;
		*is_valid =
			*is_valid && is_vector( c->point[0] ) && is_vector( c->point[1] ) && is_length( c->separation );
	}
	return m;
}

static void update_pair( game* g )
{
	bvw_contact_key key = { take_byte( &g->n ) % most_objects, take_byte( &g->n ) % most_objects, { 0, 0 } };
	uint8_t part = take_byte( &g->n );
	key.part[0] = part % 2;
	key.part[1] = part / 2 % 2;
	bool is_valid;
	bv_manifold m = take_manifold( g, &is_valid );
	bv_transform b_in_a = bv_transform_translation( 0.01 * take_unit( &g->n ), 0, 0 );
	b_in_a.pose.translation.y = take_chance( &g->n, 8 ) ? take_coordinate( g ) : 0;
	is_valid = is_valid && key.a < key.b && is_vector( b_in_a.pose.translation );
	const bv_manifold* manifold = take_chance( &g->n, 16 ) ? NULL : &m;
	is_valid = is_valid || ( !manifold && key.a < key.b && is_vector( b_in_a.pose.translation ) );
	bool needs_room = manifold && m.count > 0 && !kept_find( &g->model, &key );
	bool fits = !needs_room || g->model.count < g->options.pairs;
	bvw_pair_result result = { .index = 1234 };
	void* before = block_of( g->bytes, 0 );
	memcpy( before, g->contacts, g->bytes );
	bv_status status = bvw_contacts_update_pair( g->contacts, &key, &b_in_a, manifold, &result );
	expect( status == ( !is_valid ? bv_error_argument : fits ? bv_ok : bv_error_memory ) );
	expect( status == bv_ok || ( result.index == 1234 && memcmp( before, g->contacts, g->bytes ) == 0 ) );
	free( before );
	if ( status == bv_ok )
	{
		expect( kept_update_pair( &g->model, &key, &b_in_a, manifold ) == result.event );
		expect( bvw_contacts_find( g->contacts, &key ) == bvw_contacts_at( g->contacts, result.index ) );
	}
}

enum
{
	most_copies = 3,
	most_leaf_pairs = most_copies * most_copies,
};

// The shape of an object, side by side with itself.
typedef struct row
{
	bv_compound compound;
	void* memory;
} row;

static row take_row( game* g, uint32_t index )
{
	bv_compound members[most_copies];
	bv_transform places[most_copies];
	uint32_t count = 1 + take_byte( &g->n ) % most_copies;
	for ( uint32_t i = 0; i < count; ++i )
	{
		members[i] = bv_compound_of_shape( &g->object[index].shape );
		places[i] = bv_transform_translation( i, 0, 0 );
	}
	row out = { members[0], NULL };
	size_t bytes = bv_compound_bytes( members, count );
	if ( count > 1 )
	{
		out.memory = block_of( bytes, 0xa5 );
		(void)bv_compound_join( members, places, count, out.memory, bytes, &out.compound );
	}
	return out;
}

// @return how many entries there are after an update
static uint32_t count_others( const game* g, uint32_t a, uint32_t b, const bv_compound_contact* c,
                              uint32_t count )
{
	uint32_t kept = g->model.count + count;
	for ( uint32_t i = 0; i < g->model.count; ++i )
	{
		const kept_entry* e = g->model.entry + i;
		bool is_whole = e->key.part[0] == 0 && e->key.part[1] == 0;
		bool is_found = kept_has_leaves( c, count, &e->key );
		kept -= e->key.a == a && e->key.b == b && ( is_found || !( e->is_listed && is_whole ) );
	}
	return kept;
}

static bool are_in_range( const bv_compound_contact* c, uint32_t count )
{
	bool good = true;
	for ( uint32_t i = 0; i < count; ++i )
	{
		const bv_manifold* m = &c[i].manifold;
		good = good && !isnan( m->lower ) && !isnan( m->upper ) && is_vector( m->normal );
		for ( uint32_t k = 0; k < m->count; ++k )
		{
			const bv_contact* p = m->contact + k;
			good = good && is_vector( p->position ) && is_vector( p->point[0] ) && is_vector( p->point[1] ) &&
			       is_length( p->separation );
		}
	}
	return good;
}

static void update_compounds( game* g )
{
	uint32_t a = take_byte( &g->n ) % most_objects;
	uint32_t b = take_byte( &g->n ) % most_objects;
	row of[2] = { take_row( g, a ), take_row( g, b ) };
	bvw_compounds pair = { a,
		                   b,
		                   { &of[0].compound, &of[1].compound },
		                   bv_transform_translation( 0.1 * take_unit( &g->n ), 0, 1.9 ),
		                   NULL };
	bv_compound_contacts_options options = { .speculative =
		                                         take_chance( &g->n, 8 ) ? take_coordinate( g ) : 0.1,
		                                     .no_ghost_test = take_chance( &g->n, 128 ) };
	pair.options = &options;
	pair.b_in_a.pose.translation.x =
		take_chance( &g->n, 8 ) ? take_coordinate( g ) : pair.b_in_a.pose.translation.x;
	kept_caches caches = kept_caches_of( &g->model, a, b, most_leaf_pairs );
	bv_compound_contact expected[most_leaf_pairs];
	bv_compound_contact found[most_leaf_pairs];
	size_t bytes = bvw_contacts_compounds_bytes( pair.compound[0], pair.compound[1], most_leaf_pairs );
	bv_compound_room rooms[2] = { { expected, most_leaf_pairs, block_of( bytes, 0xa5 ), bytes },
		                          { found, most_leaf_pairs, block_of( bytes, 0xa5 ), bytes } };
	bv_compound_contacts_options of_model = options;
	of_model.cache = kept_give_cache;
	of_model.context = &caches;
	bv_compound_contacts_result r = { .count = 0 };
	bv_status status =
		a < b ? bv_compound_contacts( pair.compound[0], pair.compound[1], &pair.b_in_a, &of_model, rooms, &r )
			  : bv_error_argument;
	status = status == bv_ok && !are_in_range( expected, r.count ) ? bv_error_argument : status;
	status = status == bv_ok && count_others( g, a, b, expected, r.count ) > g->options.pairs
	             ? bv_error_memory
	             : status;
	void* before = block_of( g->bytes, 0 );
	memcpy( before, g->contacts, g->bytes );
	bvw_compounds_report report = { .touching_count = 1234 };
	expect( bvw_contacts_update_compounds( g->contacts, &pair, rooms + 1, &report ) == status );
	if ( status != bv_ok )
	{
		expect( report.touching_count == 1234 && memcmp( before, g->contacts, g->bytes ) == 0 );
	}
	else
	{
		kept_events events = kept_update_compounds( &g->model, &caches, &pair.b_in_a, expected, r.count );
		expect( report.touching_count == r.count && events.begun + events.stays == r.count );
		expect( report.begun_count == events.begun && report.ended_count == g->model.gone_count );
	}
	free( before );
	kept_caches_free( &caches );
	for ( int i = 0; i < 2; ++i )
	{
		free( rooms[i].scratch );
		free( of[i].memory );
	}
}

static bvw_contacts_options take_options( numbers* n )
{
	bvw_contacts_options o = { .pairs = take_byte( n ) % 32 };
	uint32_t workers = take_byte( n );
	o.workers = workers % 5;
	o.keep = workers >= 128;
	o.tolerance = take_chance( n, 32 ) ? 0.05 * take_unit( n ) : 0;
	return o;
}

static bool are_valid( const bvw_contacts_options* o )
{
	return o->pairs > 0 && o->tolerance >= 0;
}

static uint32_t workers_of( const bvw_contacts_options* o )
{
	return o->workers > 0 ? o->workers : 1;
}

static bool copy_into( game* g, const bvw_contacts_options* options )
{
	size_t bytes = bvw_contacts_bytes( options );
	expect( ( bytes > 0 ) == are_valid( options ) );
	if ( bytes == 0 )
	{
		return false;
	}
	void* memory = block_of( bytes, take_byte( &g->n ) );
	bvw_contacts* copied = NULL;
	bv_status status = bvw_contacts_copy( g->contacts, memory, bytes, options, &copied );
	expect( status == ( g->model.count <= options->pairs ? bv_ok : bv_error_limit ) );
	if ( status != bv_ok )
	{
		expect( !copied );
		free( memory );
		return false;
	}
	expect( copied == memory );
	free( g->contacts );
	g->contacts = copied;
	g->options = *options;
	g->options.workers = workers_of( options );
	g->bytes = bytes;
	kept_set_options( &g->model, options );
	return true;
}

static void replace_contacts( game* g, uint32_t pairs )
{
	bvw_contacts_options options = g->options;
	options.pairs = pairs;
	expect( copy_into( g, &options ) );
}

static void copy( game* g )
{
	bvw_contacts_options options = take_options( &g->n );
	if ( take_chance( &g->n, 128 ) )
	{
		options.pairs = g->model.count;
	}
	(void)copy_into( g, &options );
}

static void keep( game* g )
{
	free( g->save );
	g->save = block_of( g->bytes, 0 );
	memcpy( g->save, g->contacts, g->bytes );
	g->save_bytes = g->bytes;
	g->save_options = g->options;
	kept_model_copy( &g->save_model, &g->model );
}

// At another address.
static void restore( game* g )
{
	if ( !g->save )
	{
		return;
	}
	free( g->contacts );
	g->contacts = block_of( g->save_bytes, 0 );
	memcpy( g->contacts, g->save, g->save_bytes );
	g->bytes = g->save_bytes;
	g->options = g->save_options;
	kept_model_copy( &g->model, &g->save_model );
}

static void play( game* g )
{
	for ( int i = 0; i < most_operations && g->n.left > 0; ++i )
	{
		switch ( take_byte( &g->n ) % 16 )
		{
		case 0:
		case 1:
		case 2:
		case 3: step( g ); break;
		case 4:
		case 5:
		case 6: update_pair( g ); break;
		case 7:
		case 8: change_shape( g ); break;
		case 9: copy( g ); break;
		case 10: keep( g ); break;
		case 11: restore( g ); break;
		case 12: update_compounds( g ); break;
		default: move( g ); break;
		}
		check( g );
		kept_mark_new( &g->model, g->contacts, &g->next );
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	game g = { .n = numbers_begin( data, size ), .model = kept_model_of( most_entries ) };
	g.save_model = kept_model_of( most_entries );
	for ( uint32_t i = 0; i < most_objects; ++i )
	{
		g.object[i].placement = bv_transform_translation( i % 2, i / 2 % 2, 2.0 * ( i / 4 ) );
		g.object[i].shape = bv_convex_box( bv_vec3_make( 0, 0, 0 ), bv_vec3_make( 0.5, 0.5, 1 ) );
		g.object[i].has_shape = true;
		g.object[i].is_awake = 1;
	}
	g.options = take_options( &g.n );
	g.bytes = bvw_contacts_bytes( &g.options );
	expect( ( g.bytes > 0 ) == are_valid( &g.options ) );
	if ( g.bytes > 0 )
	{
		kept_set_options( &g.model, &g.options );
		g.options.workers = workers_of( &g.options );
		void* memory = block_of( g.bytes, take_byte( &g.n ) );
		expect( bvw_contacts_begin( memory, g.bytes, &g.options, &g.contacts ) == bv_ok );
		play( &g );
	}
	free( g.contacts );
	free( g.save );
	kept_model_free( &g.model );
	kept_model_free( &g.save_model );
	return 0;
}
