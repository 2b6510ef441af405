// libFuzzer target: control of moving objects, with any numbers. An input begins with up to two .bvh files, which objects are made of;
// checksums are not compared in this build. The other bytes are options and a sequence of operations: objects come, go, and get
// placements, goals and motions; steps begin, run within budgets of tests, and are applied.
//
// What is required: documented statuses; objects that operations with an error leave as they were; stops from 0 to 1; contacts in order of
// time, no more than groups; runs after which no object stops earlier, and what was final remains; a step that ends.

#include "motions.h"
#include "mutate_bvh.h"

#include "bvworld/control.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_objects = 9,
	most_operations = 120,
	most_runs = 40,       // with budgets, before a step runs to its end
	most_tests = 1000000, // of an input, about; more would take seconds
};

typedef struct game
{
	numbers n;
	subject of;
	const bv_file* file[2];
	bvw_control* control;
	moved* motion[most_objects]; // callbacks refer to them
	bool is_used[most_objects];
	bvw_control_object object[most_objects];
	uint32_t refused; // pairs, by the callback
	uint64_t tests;   // so far
} game;

static bool is_same( const bv_transform* a, const bv_transform* b )
{
	return memcmp( &a->pose, &b->pose, sizeof a->pose ) == 0 && a->scale == b->scale &&
	       a->mirror == b->mirror;
}

static void check_object( const game* g, uint32_t i )
{
	bvw_control_object now;
	expect( bvw_control_get( g->control, i, &now ) == g->is_used[i] );
	if ( g->is_used[i] )
	{
		const bvw_control_object* o = g->object + i;
		expect( now.file == o->file && now.group == o->group && now.category == o->category &&
		        now.mask == o->mask );
		expect( is_same( &now.placement, &o->placement ) );
	}
}

static void set_motion_memory( game* g, uint32_t i, moved* motion )
{
	if ( g->motion[i] )
	{
		free_motion( g->motion[i] );
		free( g->motion[i] );
	}
	g->motion[i] = motion;
}

static void add( game* g, uint32_t i )
{
	bvw_control_object o = {
		.file = take_byte( &g->n ) % 3,
		.placement = take_placement( &g->n, &g->of ),
		.pivot = take_vector( &g->n, &g->of ),
		.group = take_byte( &g->n ) % ( most_objects + 3 ),
		.category = take_byte( &g->n ) % 4,
		.mask = take_byte( &g->n ) % 4,
	};
	bv_status status = bvw_control_add( g->control, i, &o );
	expect( status == bv_ok || status == bv_error_argument );
	expect( status != bv_ok || !g->is_used[i] );
	if ( status == bv_ok )
	{
		g->is_used[i] = true;
		g->object[i] = o;
	}
}

static void change( game* g, uint32_t i, uint8_t kind )
{
	bv_status status;
	bv_transform to = take_placement( &g->n, &g->of );
	if ( g->is_used[i] && kind % 2 )
	{
		// Most goals are good.
		to.scale = g->object[i].placement.scale;
		to.mirror = g->object[i].placement.mirror;
	}
	if ( kind % 8 == 0 )
	{
		status = bvw_control_set_placement( g->control, i, &to );
		g->object[i].placement = status == bv_ok ? to : g->object[i].placement;
		expect( status != bv_ok || bv_transform_is_valid( &to ) );
	}
	else
	{
		status = bvw_control_set_goal( g->control, i, kind % 32 == 1 ? NULL : &to );
	}
	expect( status == bv_ok || status == bv_error_argument );
	expect( status != bv_ok || g->is_used[i] );
}

static void set_motion( game* g, uint32_t i )
{
	moved* motion = malloc( sizeof *motion );
	expect( motion );
	take_motion( &g->n, &g->of, motion );
	bv_status status = bvw_control_set_motion( g->control, i, &motion->motion );
	expect( status == bv_ok || status == bv_error_argument );
	if ( status == bv_ok )
	{
		bvw_control_object now;
		expect( bvw_control_get( g->control, i, &now ) );
		g->object[i].placement = now.placement;
		set_motion_memory( g, i, motion );
	}
	else
	{
		free_motion( motion );
		free( motion );
	}
}

static bool refuse( void* context, uint32_t a, uint32_t b )
{
	game* g = context;
	expect( a < b && b < most_objects && g->is_used[a] && g->is_used[b] );
	bool wanted = ( a + b ) % 5 != 0;
	g->refused += !wanted;
	return wanted;
}

static bvw_control_input take_input( game* g )
{
	numbers* n = &g->n;
	uint8_t kind = take_byte( n );
	bvw_control_input input = {
		.files = g->file,
		.file_count = 2,
		.rule = kind % 8 == 7 ? bvw_stop_all : bvw_stop_groups,
		.ignore_touching = kind % 16 < 5,
		.callback = kind & 64 ? refuse : NULL,
		.context = g,
	};
	input.clearance = kind % 4 == 3 ? fabs( take_number( n, &g->of ) ) : 0;
	if ( kind & 128 )
	{
		input.sweep.mode = (bv_sweep_mode)( take_byte( n ) % ( bv_sweep_modes + 1 ) );
		input.sweep.separation = kind & 1 ? 0.01 * g->of.size : take_number( n, &g->of );
		input.sweep.tolerance = kind & 2 ? 0 : fabs( take_unit( n ) );
		input.sweep.samples = kind & 4 ? 0 : take_byte( n );
	}
	// Grazing pairs of damaged files could take minutes.
	input.sweep.most_tests = 1 + take_bits( n, 2 );
	return input;
}

static void check_report( game* g, const bvw_control_report* r )
{
	g->tests += r->tests;
	double before = 0;
	expect( r->until >= 0 && r->until <= 1 && r->swept <= r->pairs && r->open <= r->pairs );
	expect( !r->done || r->open == 0 );
	expect( r->contact_count <= most_objects && r->mean >= r->until * ( 1 - 1e-9 ) && r->mean <= 1 + 1e-9 );
	bvw_control_pair p;
	uint32_t open = 0;
	for ( uint32_t i = 0; i < r->pairs; ++i )
	{
		expect( bvw_control_get_pair( g->control, i, &p ) && p.a < p.b && p.until >= 0 && p.until <= 1 );
		open += p.state == bvw_pair_open;
	}
	expect( open == r->open && !bvw_control_get_pair( g->control, r->pairs, &p ) );
	for ( uint32_t i = 0; i < r->contact_count; ++i )
	{
		const bvw_control_contact* c = r->contacts + i;
		expect( c->a < c->b && g->is_used[c->a] && g->is_used[c->b] );
		expect( c->sweep.lower >= before * ( 1 - 0x1p-50 ) && c->sweep.lower <= 1 );
		expect( c->sweep.found );
		before = c->sweep.lower;
	}
}

typedef struct stops
{
	bvw_stop of[most_objects];
	uint32_t contacts;
} stops;

static void take_stops( const game* g, const bvw_control_report* r, const stops* before, stops* out )
{
	out->contacts = r->contact_count;
	for ( uint32_t i = 0; i < most_objects; ++i )
	{
		expect( ( bvw_control_get_stop( g->control, i, out->of + i ) == bv_ok ) == g->is_used[i] );
		if ( !g->is_used[i] )
		{
			continue;
		}
		const bvw_stop* s = out->of + i;
		expect( s->time >= 0 && s->time <= 1 && ( r->open > 0 || s->is_final ) );
		expect( s->lead <= i && g->is_used[s->lead] );
		expect( s->contact == BVW_NO_CONTACT || s->contact < r->contact_count );
		expect( !before || s->time >= before->of[i].time );
		expect( !before || !before->of[i].is_final || s->time == before->of[i].time );
	}
	expect( !before || out->contacts >= before->contacts );
}

static void apply( game* g )
{
	bv_status status = bvw_control_apply( g->control );
	expect( status == bv_ok || status == bv_error_argument );
	for ( uint32_t i = 0; i < most_objects && status == bv_ok; ++i )
	{
		bvw_control_object now;
		if ( bvw_control_get( g->control, i, &now ) )
		{
			expect( bv_transform_is_valid( &now.placement ) );
			g->object[i].placement = now.placement;
		}
	}
}

static void step( game* g )
{
	bvw_control_report r = { .pairs = 0 };
	stops stop[2];
	bvw_control_input input = take_input( g );
	bv_status status = bvw_control_find( g->control, &input, &r );
	expect( status == bv_ok || status == bv_error_argument || status == bv_error_memory );
	if ( status != bv_ok )
	{
		expect( bvw_control_run( g->control, NULL, &r ) == bv_error_argument );
		return;
	}
	check_report( g, &r );
	take_stops( g, &r, NULL, stop );
	for ( int i = 0; i <= most_runs && r.open > 0; ++i )
	{
		const bv_budget budget = { .tests = i < most_runs ? 1 + take_bits( &g->n, 1 ) * 4 : 0 };
		status = bvw_control_run( g->control, &budget, &r );
		expect( status == bv_ok || status == bv_error_argument );
		if ( status != bv_ok )
		{
			return; // a callback without a pose
		}
		check_report( g, &r );
		take_stops( g, &r, stop, stop + 1 );
		stop[0] = stop[1];
		if ( take_chance( &g->n, 16 ) )
		{
			break;
		}
	}
	if ( take_chance( &g->n, 64 ) )
	{
		status = bvw_control_finish( g->control, &r );
		expect( status == bv_ok || status == bv_error_argument );
		if ( status != bv_ok )
		{
			return;
		}
		check_report( g, &r );
		take_stops( g, &r, stop, stop + 1 );
		expect( r.open == 0 );
	}
	if ( take_chance( &g->n, 192 ) )
	{
		apply( g );
	}
}

// As a game does it.
static void step_at_once( game* g )
{
	bvw_control_report r = { .pairs = 0 };
	bvw_control_input input = take_input( g );
	const bv_budget budget = { .tests = 1 + take_bits( &g->n, 1 ) * 4 };
	bv_status status = bvw_control_step( g->control, &input, take_chance( &g->n, 200 ) ? &budget : NULL, &r );
	expect( status == bv_ok || status == bv_error_argument || status == bv_error_memory );
	if ( status == bv_ok )
	{
		stops now;
		check_report( g, &r );
		take_stops( g, &r, NULL, &now );
		expect( r.open == 0 );
		apply( g );
	}
}

static void play( game* g )
{
	for ( int i = 0; i < most_operations && g->n.left > 0 && g->tests < most_tests; ++i )
	{
		uint8_t kind = take_byte( &g->n );
		uint32_t number = take_byte( &g->n ) % ( most_objects + 1 );
		bool in_range = number < most_objects;
		if ( kind < 80 && in_range )
		{
			add( g, number );
		}
		else if ( kind < 96 )
		{
			expect( ( bvw_control_remove( g->control, number ) == bv_ok ) ==
			        ( in_range && g->is_used[number] ) );
			if ( in_range )
			{
				g->is_used[number] = false;
				set_motion_memory( g, number, NULL );
			}
		}
		else if ( kind < 180 && in_range )
		{
			change( g, number, kind );
		}
		else if ( kind < 200 && in_range && g->is_used[number] )
		{
			set_motion( g, number );
		}
		else if ( kind % 2 )
		{
			step( g );
		}
		else
		{
			step_at_once( g );
		}
		for ( uint32_t k = 0; k < most_objects; ++k )
		{
			check_object( g, k );
		}
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	game* g = calloc( 1, sizeof *g );
	void* memory[2] = { NULL, NULL };
	expect( g );
	g->of.size = 1;
	for ( int i = 0; i < 2; ++i )
	{
		size_t length = file_length( data, size );
		memory[i] = malloc( length ? length : 1 );
		expect( memory[i] );
		memcpy( memory[i], data, length );
		if ( length > 0 && bv_file_open( memory[i], length, g->file + i ) == bv_ok )
		{
			g->of = subject_of( g->file[i] );
		}
		else
		{
			g->file[i] = NULL;
		}
		data += length;
		size -= length;
	}
	g->n = numbers_begin( data, size );
	bvw_control_options options = {
		.broadphase = { .objects = most_objects,
		                .pairs = take_byte( &g->n ) % 40,
		                .method = (bvw_method)( take_byte( &g->n ) % bvw_methods ) },
		.sweeps = take_byte( &g->n ) % 6,
		.sweep_bytes = take_byte( &g->n ) % 2 ? BV_SWEEP_LEAST : 0,
	};
	size_t bytes = bvw_control_bytes( &options );
	expect( bytes > 0 );
	void* block = malloc( bytes );
	expect( block );
	memset( block, 0xa5, bytes );
	expect( bvw_control_begin( block, bytes - 1, &options, &g->control ) == bv_error_memory );
	expect( bvw_control_begin( block, bytes, &options, &g->control ) == bv_ok );
	play( g );
	for ( uint32_t i = 0; i < most_objects; ++i )
	{
		set_motion_memory( g, i, NULL );
	}
	free( block );
	free( memory[0] );
	free( memory[1] );
	free( g );
	return 0;
}
