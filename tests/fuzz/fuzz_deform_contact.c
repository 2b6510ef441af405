// libFuzzer target: contacts of meshes that bend, with any numbers. An input begins with one .bvh file or two; checksums are not compared
// in this build. The other bytes are steps of both meshes, and queries of the first one with itself and with the second one.
//
// What is required: documented statuses, and results that an error leaves as they were. Pairs of features, and of triangles, are those of
// brute force, each once. Their times are those of bv/motion.h, to the last bit, and are in the range; triangles intersect as in exact
// arithmetic; distances are those of bv_convex_distance. The order does not depend on the size of the scratch memory, ended queries have
// the beginning of the others, the first contact is the first one, and exchanged meshes have the same contacts.

#include "self_pairs.h"

#include "runtime/tree/surface.h"
#include "world/deform_contact/contact.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_steps = 3,
	most_compared = 400, // pairs of features that are near; more would take a second
	most_ended = 20,     // contacts of a query that is ended because there are more
};

// Two meshes, twice the same for one, with positions in common coordinates.
typedef struct two_cloths
{
	const cloth* of[2];
	bool is_self;
	bv_vec3 from[2][most_vertices];
	bv_vec3 to[2][most_vertices];
} two_cloths;

// Time of a pair of features, as if nothing else was there.
static bv_feature_time time_of( const two_cloths* m, const bvw_deform_contact* c,
                                const bv_feature_options* options, bool exchanged )
{
	bv_vec3 start[4];
	bv_vec3 end[4];
	int own = c->kind == bvw_contact_vertex_face ? 1 : 2;
	for ( int i = 0; i < 4; ++i )
	{
		int mesh = c->mesh[i >= own];
		int at = exchanged ? ( i + 2 ) % 4 : i;
		start[at] = m->from[mesh][c->vertex[i]];
		end[at] = m->to[mesh][c->vertex[i]];
	}
	bv_feature_time time;
	bv_status status = own == 1 ? bv_moving_vertex_face( start, end, options, &time )
	                            : bv_moving_edge_edge( start, end, options, &time );
	// Where features cannot be compared, they may touch.
	return status == bv_ok ? time : ( bv_feature_time ){ .found = true, .upper = INFINITY };
}

// Whether features are farther apart along an axis than the separation, on the same side at both ends, and so always. Rounding is monotonic.
static bool are_always_apart( const two_cloths* m, const bvw_deform_contact* c, double separation )
{
	int own = c->kind == bvw_contact_vertex_face ? 1 : 2;
	bool before[3] = { true, true, true };
	bool behind[3] = { true, true, true };
	for ( int i = 0; i < 2 * own * ( 4 - own ); ++i )
	{
		int end = i % 2;
		int a = i / 2 / ( 4 - own );
		int b = own + i / 2 % ( 4 - own );
		const bv_vec3* of[2] = { end ? m->to[c->mesh[0]] : m->from[c->mesh[0]],
			                     end ? m->to[c->mesh[1]] : m->from[c->mesh[1]] };
		bv_vec3 p = of[0][c->vertex[a]];
		bv_vec3 q = of[1][c->vertex[b]];
		for ( int k = 0; k < 3; ++k )
		{
			before[k] = before[k] && ( &q.x )[k] - ( &p.x )[k] > separation;
			behind[k] = behind[k] && ( &p.x )[k] - ( &q.x )[k] > separation;
		}
	}
	return before[0] || before[1] || before[2] || behind[0] || behind[1] || behind[2];
}

typedef bool pair_visitor( void* context, const bvw_deform_contact* pair );

static bool visit_vertices( const two_cloths* m, uint8_t side, pair_visitor* visit, void* context )
{
	const cloth* of = m->of[side];
	uint8_t other = m->is_self ? side : 1 - side;
	const cloth* faces = m->of[other];
	bool goes_on = true;
	for ( uint32_t i = 0; i < of->vertices * faces->triangles && goes_on; ++i )
	{
		uint32_t v = i / faces->triangles;
		uint32_t t = i % faces->triangles;
		const uint32_t* corner = faces->triangle[t];
		bvw_deform_contact c = { .kind = bvw_contact_vertex_face,
			                     .mesh = { side, other },
			                     .triangle = { of->vertex_owner[v], t },
			                     .vertex = { v, corner[0], corner[1], corner[2] } };
		bool is_corner = m->is_self && ( corner[0] == v || corner[1] == v || corner[2] == v );
		goes_on = is_corner || of->vertex_owner[v] == UINT32_MAX || visit( context, &c );
	}
	return goes_on;
}

static bool visit_edges( const two_cloths* m, pair_visitor* visit, void* context )
{
	bool goes_on = true;
	for ( uint32_t i = 0; i < m->of[0]->edges * m->of[1]->edges && goes_on; ++i )
	{
		uint32_t number[2] = { i / m->of[1]->edges, i % m->of[1]->edges };
		const uint32_t* a = m->of[0]->edge[number[0]];
		const uint32_t* b = m->of[1]->edge[number[1]];
		bvw_deform_contact c = { .kind = bvw_contact_edge_edge,
			                     .mesh = { 0, !m->is_self },
			                     .triangle = { m->of[0]->edge_owner[number[0]],
			                                   m->of[1]->edge_owner[number[1]] },
			                     .vertex = { a[0], a[1], b[0], b[1] } };
		bool shares = a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1];
		goes_on = ( m->is_self && ( shares || a[0] > b[0] ) ) || visit( context, &c );
	}
	return goes_on;
}

// Each pair of features that are compared.
static bool visit_pairs( const two_cloths* m, pair_visitor* visit, void* context )
{
	return visit_vertices( m, 0, visit, context ) &&
	       ( m->is_self || visit_vertices( m, 1, visit, context ) ) && visit_edges( m, visit, context );
}

// What a query found.
typedef struct contact_list
{
	bvw_deform_contact* contact;
	uint32_t count;
	uint32_t room;
	uint32_t most;
} contact_list;

static bool add_contact( void* context, const bvw_deform_contact* contact )
{
	contact_list* list = context;
	if ( list->count == list->room )
	{
		list->room = 2 * list->room + 64;
		list->contact = realloc( list->contact, list->room * sizeof *list->contact );
		expect( list->contact );
	}
	list->contact[list->count++] = *contact;
	return list->count < list->most;
}

static bool is_same_time( const bv_feature_time* a, const bv_feature_time* b )
{
	return a->found == b->found && a->certain == b->certain && a->lower == b->lower && a->upper == b->upper &&
	       a->tests == b->tests;
}

static bool is_same_pair( const bvw_deform_contact* a, const bvw_deform_contact* b )
{
	return a->kind == b->kind && memcmp( a->mesh, b->mesh, sizeof a->mesh ) == 0 &&
	       memcmp( a->vertex, b->vertex, sizeof a->vertex ) == 0 &&
	       memcmp( a->triangle, b->triangle, sizeof a->triangle ) == 0;
}

static void expect_same_lists( const contact_list* a, const contact_list* b )
{
	expect( a->count == b->count );
	for ( uint32_t i = 0; i < a->count; ++i )
	{
		expect( is_same_pair( a->contact + i, b->contact + i ) );
		expect( is_same_time( &a->contact[i].time, &b->contact[i].time ) );
	}
}

// A query of contacts.
typedef struct sweep
{
	const two_cloths* m;
	const bvw_deform_other* other; // null for one mesh
	const bvw_owners* owners;
	bvw_deform_sweep_options options;
	bv_feature_options features;
	uint8_t* found; // by pair of features
	uint32_t near;
	uint32_t missing;
	uint32_t vertex_faces;
} sweep;

static bv_status ask( const sweep* s, const bvw_deform_sweep_options* options, bvw_deform_sweep_result* out )
{
	const bvw_deform* deform = s->m->of[0]->deform;
	return s->other ? bvw_deform_sweep( deform, s->owners, s->other, options, out )
	                : bvw_deform_self_sweep( deform, s->owners, options, out );
}

// @return where the mark of a pair is
static uint8_t* mark_of( const sweep* s, const bvw_deform_contact* c )
{
	uint32_t of_kind = most_edges * most_edges;
	if ( c->kind == bvw_contact_edge_edge )
	{
		uint32_t a = s->m->of[0]->edge_of[c->vertex[0]][c->vertex[1]];
		uint32_t b = s->m->of[1]->edge_of[c->vertex[2]][c->vertex[3]];
		expect( a > 0 && b > 0 );
		return s->found + most_edges * ( a - 1 ) + ( b - 1 );
	}
	return s->found + of_kind + ( c->mesh[0] * most_vertices + c->vertex[0] ) * most_triangles +
	       c->triangle[1];
}

static void check_features( const two_cloths* m, const bvw_deform_contact* c )
{
	const cloth* of[2] = { m->of[c->mesh[0]], m->of[c->mesh[1]] };
	int own = c->kind == bvw_contact_vertex_face ? 1 : 2;
	expect( c->kind < bvw_contact_kinds && c->mesh[0] <= !m->is_self && c->mesh[1] <= !m->is_self );
	expect( m->is_self || c->mesh[0] != c->mesh[1] );
	for ( int i = 0; i < 4; ++i )
	{
		expect( c->vertex[i] < of[i >= own]->vertices );
		expect( i < own || !m->is_self ||
		        ( c->vertex[i] != c->vertex[0] && c->vertex[i] != c->vertex[own - 1] ) );
	}
	expect( c->triangle[0] < of[0]->triangles && c->triangle[1] < of[1]->triangles );
	if ( own == 1 )
	{
		expect( of[0]->vertex_owner[c->vertex[0]] == c->triangle[0] );
		expect( memcmp( of[1]->triangle[c->triangle[1]], c->vertex + 1, 3 * sizeof *c->vertex ) == 0 );
		return;
	}
	expect( c->mesh[0] == 0 );
	expect( c->vertex[0] < c->vertex[1] && c->vertex[2] < c->vertex[3] );
	expect( !m->is_self || c->vertex[0] < c->vertex[2] );
	for ( int i = 0; i < 2; ++i )
	{
		uint32_t edge = of[i]->edge_of[c->vertex[2 * i]][c->vertex[2 * i + 1]];
		expect( edge > 0 && of[i]->edge_owner[edge - 1] == c->triangle[i] );
	}
}

static void check_time( const sweep* s, const bv_feature_time* time )
{
	double limit = s->features.limit;
	expect( time->found && time->lower >= 0 && time->lower <= limit );
	expect( time->upper == INFINITY || ( time->upper >= time->lower && time->upper <= limit ) );
}

// Times of edges do not depend on their order, if they are proven.
static void check_exchanged( const sweep* s, const bvw_deform_contact* c, const bv_feature_time* time )
{
	bv_feature_time other = time_of( s->m, c, &s->features, true );
	expect( !time->certain || !other.certain || time->found == other.found );
	expect( !time->found || !other.found || ( time->lower <= other.upper && other.lower <= time->upper ) );
}

static void check_contact( sweep* s, const bvw_deform_contact* c )
{
	check_features( s->m, c );
	check_time( s, &c->time );
	uint8_t* mark = mark_of( s, c );
	expect( *mark == 0 );
	*mark = 1;
	s->vertex_faces += c->kind == bvw_contact_vertex_face;
	bv_feature_time time = time_of( s->m, c, &s->features, false );
	expect( is_same_time( &time, &c->time ) );
	if ( c->kind == bvw_contact_edge_edge )
	{
		check_exchanged( s, c, &time );
	}
}

static bool count_near( void* context, const bvw_deform_contact* c )
{
	sweep* s = context;
	s->near += !are_always_apart( s->m, c, s->options.separation );
	return s->near <= most_compared;
}

static bool expect_not_missing( void* context, const bvw_deform_contact* c )
{
	sweep* s = context;
	if ( !are_always_apart( s->m, c, s->options.separation ) && !*mark_of( s, c ) )
	{
		bv_feature_time time = time_of( s->m, c, &s->features, false );
		expect( !time.found );
	}
	return true;
}

static void check_result( const sweep* s, const bvw_deform_sweep_result* r, const contact_list* list )
{
	double lower = s->features.limit;
	double upper = INFINITY;
	bool certain = true;
	const bvw_deform_contact* first = NULL;
	for ( uint32_t i = 0; i < list->count; ++i )
	{
		const bv_feature_time* time = &list->contact[i].time;
		first = !first || time->lower < first->time.lower ? list->contact + i : first;
		lower = fmin( lower, time->lower );
		upper = fmin( upper, time->upper );
		certain = certain && time->certain;
	}
	expect( r->contacts == list->count && r->certain == certain );
	expect( r->lower == lower && r->upper == upper );
	static const bvw_deform_contact none;
	const bvw_deform_contact* expected = first ? first : &none;
	expect( is_same_pair( &r->first, expected ) && is_same_time( &r->first.time, &expected->time ) );
	expect( r->exact_tests >= list->count && r->feature_tests >= r->exact_tests );
}

// Ended by the callback, a query has the contacts that come first.
static void check_ended( const sweep* s, const contact_list* all, uint32_t most )
{
	contact_list list = { .most = most };
	bvw_deform_sweep_options options = s->options;
	options.callback = add_contact;
	options.context = &list;
	bvw_deform_sweep_result r;
	expect( ask( s, &options, &r ) == bv_ok );
	expect( r.complete == ( all && all->count < most ) || !all );
	expect( list.count <= most && ( r.complete || list.count == most ) );
	check_result( s, &r, &list );
	for ( uint32_t i = 0; i < list.count; ++i )
	{
		check_features( s->m, &list.contact[i] );
		check_time( s, &list.contact[i].time );
		expect( !all || is_same_pair( list.contact + i, all->contact + i ) );
	}
	free( list.contact );
}

// Contacts on the way to the first one can have wider intervals, because their range ends earlier, and in doubt there are more.
static void check_first( const sweep* s, const bvw_deform_sweep_result* all )
{
	contact_list list = { .most = UINT32_MAX };
	bvw_deform_sweep_options options = s->options;
	options.first = true;
	bvw_deform_sweep_result r;
	expect( ask( s, &options, &r ) == bv_ok && r.complete );
	expect( ( r.contacts > 0 ) == ( all->contacts > 0 ) );
	expect( r.lower <= all->upper && all->lower <= r.upper && r.exact_tests <= all->exact_tests );
	options.callback = add_contact;
	options.context = &list;
	bvw_deform_sweep_result same;
	expect( ask( s, &options, &same ) == bv_ok && same.complete );
	check_result( s, &same, &list );
	expect( same.contacts == r.contacts && same.lower == r.lower && same.upper == r.upper );
	for ( uint32_t i = 0; i < list.count; ++i )
	{
		check_features( s->m, &list.contact[i] );
		check_time( s, &list.contact[i].time );
		expect( *mark_of( s, list.contact + i ) == 1 || !list.contact[i].time.certain );
	}
	free( list.contact );
}

// With scratch memory of any size, in which anything is, the order is the same.
static void check_scratch( numbers* n, const sweep* s, const bvw_deform_sweep_result* all )
{
	contact_list list[2] = { { .most = UINT32_MAX }, { .most = UINT32_MAX } };
	for ( int i = 0; i < 2; ++i )
	{
		bvw_deform_sweep_options options = s->options;
		size_t bytes = BVW_DEFORM_SCRATCH_LEAST + ( i == 0 ? 0 : take_bits( n, 2 ) );
		options.scratch = take_memory( bytes );
		options.scratch_bytes = bytes;
		options.callback = add_contact;
		options.context = list + i;
		memset( options.scratch, take_byte( n ), bytes );
		bvw_deform_sweep_result r;
		expect( ask( s, &options, &r ) == bv_ok && r.complete );
		check_result( s, &r, list + i );
		expect( r.contacts == all->contacts && r.lower == all->lower && r.upper == all->upper );
		expect( r.exact_tests == all->exact_tests );
		for ( uint32_t k = 0; k < list[i].count; ++k )
		{
			check_features( s->m, &list[i].contact[k] );
			expect( ( *mark_of( s, list[i].contact + k ) ^= 2 ) == ( i == 0 ? 3 : 1 ) );
		}
		free( options.scratch );
	}
	expect_same_lists( list, list + 1 );
	free( list[0].contact );
	free( list[1].contact );
}

static bool are_valid( const bvw_deform_sweep_options* o )
{
	bool is_memory =
		!o->scratch || ( (uintptr_t)o->scratch % 8 == 0 && o->scratch_bytes >= BVW_DEFORM_SCRATCH_LEAST );
	return o->limit >= 0 && o->limit <= 1 && o->separation >= 0 && o->separation <= BV_MAX_LENGTH &&
	       o->tolerance >= 0 && o->tolerance <= 1 && is_memory;
}

// Mostly in range.
static bvw_deform_sweep_options take_options( numbers* n, const cloth* c, void* scratch )
{
	bvw_deform_sweep_options o = bvw_deform_sweep_options_default();
	uint8_t kind = take_byte( n );
	o.limit = kind % 4 == 0 ? fabs( take_unit( n ) ) : 0;
	o.separation = kind % 8 < 4 ? 0 : kind % 8 < 6 ? ldexp( c->mesh.of.size, -(int)( kind / 8 ) ) : 1;
	o.tolerance = kind % 16 == 15 ? ldexp( 1, -( kind / 16 ) ) : 0;
	if ( kind > 240 )
	{
		o.limit = take_number( n, &c->mesh.of );
		o.separation = take_number( n, &c->mesh.of );
		o.tolerance = take_number( n, &c->mesh.of );
		o.scratch = kind > 248 ? (char*)scratch + take_byte( n ) % 16 : NULL;
		o.scratch_bytes = BVW_DEFORM_SCRATCH_LEAST - ( kind % 2 );
	}
	return o;
}

// All contacts, and then the same in another way.
// @return how many vertices and faces touch; UINT32_MAX if they were not counted
static uint32_t check_all( numbers* n, sweep* s )
{
	visit_pairs( s->m, count_near, s );
	if ( s->near > most_compared )
	{
		check_ended( s, NULL, 1 + take_byte( n ) % most_ended );
		return UINT32_MAX;
	}
	contact_list list = { .most = UINT32_MAX };
	bvw_deform_sweep_options options = s->options;
	options.callback = add_contact;
	options.context = &list;
	bvw_deform_sweep_result r;
	expect( ask( s, &options, &r ) == bv_ok && r.complete );
	check_result( s, &r, &list );
	s->found = calloc( most_edges * most_edges + 2 * most_vertices * most_triangles, 1 );
	expect( s->found );
	for ( uint32_t i = 0; i < list.count; ++i )
	{
		check_contact( s, list.contact + i );
	}
	visit_pairs( s->m, expect_not_missing, s );
	switch ( take_byte( n ) % 4 )
	{
	case 0: check_first( s, &r ); break;
	case 1: check_scratch( n, s, &r ); break;
	case 2: check_ended( s, &list, 1 + (uint32_t)take_bits( n, 2 ) % ( list.count + 1 ) ); break;
	default: break;
	}
	free( s->found );
	free( list.contact );
	return s->vertex_faces;
}

// @param is_allowed  the meshes and their placement are valid
static uint32_t check_sweep( numbers* n, sweep* s, bool is_allowed )
{
	unsigned char before[sizeof( bvw_deform_sweep_result )];
	bvw_deform_sweep_result r;
	uint64_t scratch[BVW_DEFORM_SCRATCH_LEAST / 8 + 2];
	s->options = take_options( n, s->m->of[0], scratch );
	s->features = ( bv_feature_options ){ .limit = s->options.limit > 0 ? s->options.limit : 1,
		                                  .separation = s->options.separation,
		                                  .tolerance = s->options.tolerance };
	memset( &r, take_byte( n ), sizeof r );
	memcpy( before, &r, sizeof r );
	if ( is_allowed && are_valid( &s->options ) )
	{
		s->options.scratch = NULL;
		return check_all( n, s );
	}
	expect( ask( s, &s->options, &r ) == bv_error_argument );
	expect( memcmp( before, &r, sizeof r ) == 0 );
	return UINT32_MAX;
}

static void sweep_self( numbers* n, const cloth* c )
{
	two_cloths* m = take_memory( sizeof *m );
	*m = ( two_cloths ){ .of = { c, c }, .is_self = true };
	memcpy( m->from[0], c->from, sizeof c->from );
	memcpy( m->to[0], c->to, sizeof c->to );
	sweep s = { .m = m, .owners = take_chance( n, 8 ) ? NULL : c->owners };
	check_sweep( n, &s, c->moves && s.owners );
	free( m );
}

// Positions of a mesh that is placed are rounded in the coordinates of the first one. They are right up to some rounding errors.
static void check_placed( const cloth* a, const bvw_deform_other* other, bool at_end, bv_vec3 stored,
                          bv_vec3 placed )
{
	const bv_file* file = other->deform ? bvw_deform_file( other->deform ) : other->file;
	bv_vec3 own = bv_file_get_offset( a->mesh.file );
	bv_vec3 offset = bv_file_get_offset( file );
	const bv_transform* at = other->deform ? NULL : at_end && other->end ? other->end : other->start;
	bv_transform identity = bv_transform_identity();
	at = at ? at : &identity;
	const double of[3] = { stored.x, stored.y, stored.z };
	const double by[3] = { offset.x, offset.y, offset.z };
	const double to[3] = { own.x, own.y, own.z };
	const double moved[3] = { at->pose.translation.x, at->pose.translation.y, at->pose.translation.z };
	for ( int i = 0; i < 3; ++i )
	{
		long double sum = 0;
		long double size = fabs( moved[i] ) + fabs( to[i] );
		for ( int k = 0; k < 3; ++k )
		{
			long double p = (long double)of[k] + by[k];
			long double mirror = at->mirror && k == 0 ? -1 : 1;
			sum += mirror * at->scale * at->pose.rotation[i][k] * p;
			size += fabsl( (long double)at->scale * ( fabsl( (long double)of[k] ) + fabs( by[k] ) ) );
		}
		sum += moved[i];
		sum -= to[i];
		expect( fabsl( sum - ( &placed.x )[i] ) <= 0x1p-46L * size + 0x1p-1000L );
	}
}

static bv_transform take_placement( numbers* n, const cloth* a, const cloth* b )
{
	bv_transform t = bv_transform_identity();
	if ( take_chance( n, 96 ) )
	{
		bv_vec3 by = take_integers( n, 3, 1 );
		t.pose.translation = by;
		return t;
	}
	t = take_transform( n, &a->mesh.of, &b->mesh.of );
	// So far away that features cannot be compared.
	t.scale = take_chance( n, 8 ) ? 0x1p126 : t.scale;
	return t;
}

// Positions of the other mesh in the coordinates of the first one.
// @return false if there are none
static bool place_other( const cloth* a, const cloth* b, const bvw_deform_other* other, two_cloths* m )
{
	bvvol_similarity placed[2];
	bvwtouch_side side;
	if ( !bvwtouch_side_of_other( a->deform, other, placed, &side ) )
	{
		return false;
	}
	for ( uint32_t i = 0; i < b->vertices; ++i )
	{
		m->from[1][i] = bvwtouch_position( &side, i, false );
		m->to[1][i] = bvwtouch_position( &side, i, true );
		check_placed( a, other, false, b->from[i], m->from[1][i] );
		check_placed( a, other, true, other->deform ? b->to[i] : b->from[i], m->to[1][i] );
	}
	return true;
}

static void sweep_other( numbers* n, const cloth* a, const cloth* b )
{
	two_cloths* m = take_memory( sizeof *m );
	*m = ( two_cloths ){ .of = { a, b } };
	memcpy( m->from[0], a->from, sizeof a->from );
	memcpy( m->to[0], a->to, sizeof a->to );
	uint8_t kind = take_byte( n );
	bv_transform start = take_placement( n, a, b );
	bv_transform end = take_placement( n, a, b );
	bvw_deform_other other = {
		.deform = kind % 2 ? b->deform : NULL,
		.file = kind % 2 && kind % 4 ? NULL : bvw_deform_file( b->deform ),
		.owners = b->owners,
		.start = kind & 4 ? &start : NULL,
		.end = kind & 8 ? &end : NULL,
	};
	bool is_valid = other.deform ? b->moves
	                             : ( !other.start || bv_transform_is_valid( other.start ) ) &&
	                                   ( !other.end || bv_transform_is_valid( other.end ) );
	is_valid = is_valid && a->moves;
	bool is_placed = place_other( a, b, &other, m );
	expect( is_valid || !a->moves || !is_placed );
	if ( kind >= 250 )
	{
		other.owners = kind % 2 ? NULL : a->owners;
		is_placed = false;
	}
	if ( kind == 249 )
	{
		other = ( bvw_deform_other ){ .owners = b->owners };
		is_placed = false;
	}
	sweep s = { .m = m, .owners = a->owners, .other = &other };
	if ( kind < 250 || a->triangles != b->triangles || !other.owners )
	{
		check_sweep( n, &s, a->moves && is_placed );
	}
	free( m );
}

// Both of two meshes that bend as the first one. If their offsets are the same, all numbers are.
static void sweep_exchanged( numbers* n, const cloth* a, const cloth* b )
{
	bv_vec3 offset[2] = { bv_file_get_offset( a->mesh.file ), bv_file_get_offset( b->mesh.file ) };
	if ( !a->moves || !b->moves || memcmp( offset, offset + 1, sizeof *offset ) != 0 )
	{
		return;
	}
	uint32_t count[2];
	numbers begin = *n;
	two_cloths* m = take_memory( sizeof *m );
	for ( int i = 0; i < 2; ++i )
	{
		const cloth* first = i == 0 ? a : b;
		const cloth* second = i == 0 ? b : a;
		bvw_deform_other other = { .deform = second->deform, .owners = second->owners };
		*m = ( two_cloths ){ .of = { first, second } };
		expect( place_other( first, second, &other, m ) );
		memcpy( m->from[0], first->from, sizeof first->from );
		memcpy( m->to[0], first->to, sizeof first->to );
		sweep s = { .m = m, .owners = first->owners, .other = &other };
		*n = begin; // the same options
		count[i] = check_sweep( n, &s, true );
	}
	expect( a->mesh.of.size != b->mesh.of.size || count[0] == count[1] );
	free( m );
}

static void query( numbers* n, cloth* a, cloth* b )
{
	switch ( take_byte( n ) % 8 )
	{
	case 0:
	case 1: collide_self( n, a ); break;
	case 2:
	case 3:
	case 4: sweep_self( n, a ); break;
	case 5: sweep_exchanged( n, a, b ); break;
	default: sweep_other( n, a, b ); break;
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	cloth* of = calloc( 2, sizeof *of );
	expect( of );
	size_t first = begin_cloth( data, size, of );
	size_t second = begin_cloth( data + first, size - first, of + 1 );
	numbers n = numbers_begin( data + first + second, size - first - second );
	// The first file again if there is no other one.
	if ( second == 0 )
	{
		free( of[1].mesh.memory );
		begin_cloth( data, size, of + 1 );
	}
	begin_bending( &n, of );
	begin_bending( &n, of + 1 );
	int steps = 1 + take_byte( &n ) % most_steps;
	for ( int i = 0; i < steps && of[0].deform && of[1].deform; ++i )
	{
		step( &n, of );
		step( &n, of + 1 );
		query( &n, of, of + 1 );
		query( &n, of, of + 1 );
	}
	end_cloth( of );
	end_cloth( of + 1 );
	free( of );
	return 0;
}
