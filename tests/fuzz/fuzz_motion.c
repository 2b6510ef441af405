// libFuzzer target: everything of bv/motion.h, with any numbers. An input may begin with one .bvh file or two, which are then
// among the objects; checksums are not compared in this build.
//
// What is required: a documented status, an unchanged result on error, times that are in the range and no NaN, and the same bits
// when a query is repeated, for any content of its memory. Of motions that keep to the speeds they state, of shapes that are well
// defined, and of files as bvbuild has written them: points stay within their reach, swept volumes contain them (query_motions.h);
// features touch when exact positions do (query_features.h); objects are apart before `lower`, and near then if there is a contact
// until `upper`; exchanged objects, other limits, separations and tolerances contradict nothing; and no pair of triangles touches
// before the meshes do.

#include "mutate_bvh.h"
#include "query_features.h"
#include "query_motions.h"

#include "bv/mesh.h"
#include "runtime/file/hash.h"

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size );

enum
{
	most_pairs = 4096, // of triangles; more would take seconds
	pairs_without_limit = 256,
	most_samples_asked = 65,
	many_steps = 2000, // a query of so many is not asked again and again
};

// A .bvh file of the input.
typedef struct opened
{
	const bv_file* file; // may be null
	void* memory;
	bool is_genuine; // its checksums are right: nothing has changed it
	subject of;
} opened;

// What moves: a shape or a mesh.
typedef struct object
{
	const body* body; // null for a mesh
	const opened* mesh;
	const moved* moved;
} object;

// Two of them.
typedef struct scene
{
	object of[2];
	bool is_defined; // answers can be wrong
	bool is_repeatable;
	double slack; // what rounding may do to distances in the world
} scene;

static bool is_genuine( const uint8_t* data, size_t size )
{
	bvfile_header header;
	memcpy( &header, data, sizeof header );
	size_t skip = offsetof( bvfile_header, byte_order );
	size_t head = sizeof header + header.section_count * sizeof( bvfile_entry );
	bool matches = head <= size && bvfile_hash( data + skip, head - skip ) == header.hash;
	for ( uint32_t i = 0; matches && i < header.section_count; ++i )
	{
		bvfile_entry entry;
		memcpy( &entry, data + sizeof header + i * sizeof entry, sizeof entry );
		matches = bvfile_hash( data + entry.offset, entry.bytes ) == entry.hash;
	}
	return matches;
}

// @return bytes that it takes of the input
static size_t open_file( const uint8_t* data, size_t size, opened* out )
{
	size_t length = file_length( data, size );
	*out = ( opened ){ .memory = malloc( length ? length : 1 ), .of = { .size = 1 } };
	expect( out->memory );
	memcpy( out->memory, data, length );
	if ( length > 0 && bv_file_open( out->memory, length, &out->file ) != bv_ok )
	{
		out->file = NULL;
	}
	if ( out->file )
	{
		out->of = subject_of( out->file );
		out->is_genuine = is_genuine( data, length );
	}
	return length;
}

static bool is_mesh( const object* o )
{
	return !o->body;
}

static bool has_hierarchy( const opened* mesh )
{
	return mesh->file && mesh->of.triangles > 0 && bv_file_get_hierarchy( mesh->file ).nodes > 0;
}

// @return how far its points are from the origin of its coordinates, at most
static double reach_of_object( const object* o )
{
	double reach = 0;
	if ( !is_mesh( o ) )
	{
		return 2 * reach_of( o->body );
	}
	for ( uint32_t i = 0; i < o->mesh->of.vertices; ++i )
	{
		reach = fmax( reach, 2 * largest( bv_file_get_vertex( o->mesh->file, i ) ) );
	}
	return reach;
}

static void describe_scene( scene* s )
{
	s->is_defined = s->is_repeatable = true;
	s->slack = 0;
	for ( int i = 0; i < 2; ++i )
	{
		const object* o = s->of + i;
		bool is_shape = !is_mesh( o ) && o->body->is_defined && !o->body->shape.file;
		double reach = reach_of_object( o );
		s->is_defined = s->is_defined && o->moved->is_honest && reach < 0x1p250 &&
		                ( is_mesh( o ) ? o->mesh->is_genuine : is_shape );
		s->slack += slack_of_motion( o->moved, reach );
	}
}

// Callbacks that depend on the number of calls were called.
static bool has_counted( const scene* s )
{
	bool counted = false;
	for ( int i = 0; i < 2; ++i )
	{
		counted = counted || s->of[i].moved->calls > 0 || ( s->of[i].body && s->of[i].body->calls > 0 );
	}
	return counted;
}

static bool are_options_valid( const bv_sweep_options* o )
{
	bool is_memory =
		!o->scratch || ( (uintptr_t)o->scratch % 8 == 0 && o->scratch_bytes >= BV_SWEEP_SCRATCH_LEAST );
	return (uint32_t)o->mode < bv_sweep_modes && o->limit >= 0 && o->limit <= 1 && o->tolerance >= 0 &&
	       o->tolerance <= 1 && o->separation >= 0 && o->separation <= BV_MAX_LENGTH && o->samples != 1 &&
	       o->samples <= 1 << 20 && is_memory;
}

static bv_status call_sweep( const scene* s, const bv_sweep_options* options, bv_sweep_result* r )
{
	const object* a = s->of;
	const object* b = s->of + 1;
	const bv_motion* motion[2] = { &a->moved->motion, &b->moved->motion };
	if ( is_mesh( a ) )
	{
		return bv_sweep_meshes( a->mesh->file, motion[0], b->mesh->file, motion[1], options, r );
	}
	if ( is_mesh( b ) )
	{
		return bv_sweep_convex_mesh( &a->body->shape, motion[0], b->mesh->file, motion[1], options, r );
	}
	return bv_sweep_convexes( &a->body->shape, motion[0], &b->body->shape, motion[1], options, r );
}

static void check_triangles( const scene* s, const bv_sweep_result* r )
{
	for ( int i = 0; i < 2; ++i )
	{
		const object* o = s->of + i;
		expect( (uint32_t)r->feature[i] < bv_features );
		expect( is_mesh( o ) ? r->triangle[i] < o->mesh->of.triangles : r->triangle[i] == 0 );
	}
}

// @return whether there is a result
static bool sweep( const scene* s, const bv_sweep_options* options, bv_sweep_result* r )
{
	bv_sweep_result before;
	memset( &before, 0x5a, sizeof before );
	before.found = before.certain = before.complete = before.at_start = true;
	memcpy( r, &before, sizeof before );
	bv_sweep_options o = options ? *options : bv_sweep_options_default();
	bv_status status = call_sweep( s, options, r );
	bool is_valid = are_options_valid( &o );
	bool any_half_space = false;
	for ( int i = 0; i < 2; ++i )
	{
		const object* at = s->of + i;
		is_valid = is_valid && bv_motion_is_valid( &at->moved->motion );
		is_valid = is_valid && ( !is_mesh( at ) || has_hierarchy( at->mesh ) );
		any_half_space = any_half_space || ( at->body && at->body->shape.kind == bv_convex_of_half_space );
	}
	// Mode mixed is for meshes without a separation.
	bool is_mixed = o.mode == bv_sweep_mode_mixed;
	bool is_unsupported = any_half_space || ( is_mixed && !is_mesh( s->of ) );
	is_valid = is_valid && !( is_mixed && o.separation > 0 );
	expect( status == bv_ok || status == bv_error_argument ||
	        ( status == bv_error_unsupported && is_unsupported ) );
	expect( status != bv_ok || ( is_valid && !is_unsupported ) );
	if ( status != bv_ok )
	{
		expect( memcmp( r, &before, sizeof before ) == 0 );
		return false;
	}
	double limit = o.limit > 0 ? o.limit : 1;
	expect( r->lower >= 0 && r->lower <= limit && r->lower <= r->upper );
	expect( r->upper <= limit || r->upper == INFINITY );
	expect( r->found || ( r->upper == INFINITY && !r->at_start ) );
	expect( r->found || !r->certain || r->lower == limit );
	expect( !r->certain || !r->found || r->upper < INFINITY );
	expect( !r->at_start || r->lower == 0 );
	expect( r->complete || !r->certain || r->found );
	expect( is_unit_or_zero( r->normal ) );
	expect( !s->is_defined || ( is_finite( r->point[0] ) && is_finite( r->point[1] ) ) );
	check_triangles( s, r );
	return true;
}

// A sweep of meshes in parts has the same result as the whole one, and no part is wider than the one before.
static void sweep_in_parts( const scene* s, const bv_sweep_options* options, uint64_t tests,
                            const bv_sweep_result* whole )
{
	const object* a = s->of;
	const object* b = s->of + 1;
	bv_sweep_options o = options ? *options : bv_sweep_options_default();
	size_t bytes = BV_SWEEP_LEAST - BV_SWEEP_SCRATCH_LEAST + o.scratch_bytes;
	bool is_scratch = o.scratch && bytes >= BV_SWEEP_LEAST && bytes < 1 << 20;
	o.scratch = NULL;
	o.scratch_bytes = 0;
	bytes = is_scratch ? bytes : BV_SWEEP_LEAST;
	void* memory = malloc( bytes );
	bv_sweep* sweep = NULL;
	bv_status status = bv_sweep_begin( a->mesh->file, &a->moved->motion, b->mesh->file, &b->moved->motion, &o,
	                                   memory, bytes, &sweep );
	expect( status == ( o.mode == bv_sweep_mode_dynamic ? bv_ok : bv_error_unsupported ) );
	bv_sweep_result r = { .lower = 0, .upper = INFINITY };
	bool done = status != bv_ok;
	for ( int i = 0; i < 200 && !done; ++i )
	{
		const bv_sweep_result before = r;
		const bv_budget budget = { .tests = i < 199 ? tests : 0 };
		expect( bv_sweep_run( sweep, &budget, &done, &r ) == bv_ok );
		expect( done || ( r.lower >= before.lower && r.upper <= before.upper && !r.complete ) );
	}
	expect( done );
	if ( status == bv_ok && s->is_defined )
	{
		// Windows can differ, because the memory for pairs does.
		expect( r.lower <= whole->upper && whole->lower <= r.upper );
	}
	free( memory );
}

static bool is_same_contact( const bv_sweep_result* a, const bv_sweep_result* b )
{
	return a->found == b->found && a->certain == b->certain && a->complete == b->complete &&
	       a->at_start == b->at_start && memcmp( &a->lower, &b->lower, 2 * sizeof a->lower ) == 0 &&
	       memcmp( a->triangle, b->triangle, sizeof a->triangle ) == 0 &&
	       memcmp( a->feature, b->feature, sizeof a->feature ) == 0 &&
	       memcmp( a->point, b->point, sizeof a->point + sizeof a->normal ) == 0 &&
	       a->volume_tests == b->volume_tests && a->triangle_tests == b->triangle_tests &&
	       a->steps == b->steps;
}

// What one query proves, another one does not deny.
static void compare_contacts( const bv_sweep_result* a, const bv_sweep_result* b )
{
	expect( a->lower <= b->upper && b->lower <= a->upper );
	expect( !a->certain || !b->certain || a->found == b->found );
}

// Where both objects are at a time.
typedef struct placed
{
	bv_transform between;
	double scale;
} placed;

static bool place( const scene* s, double time, placed* out )
{
	bv_transform at[2];
	if ( !find_pose( s->of[0].moved, time, at ) || !find_pose( s->of[1].moved, time, at + 1 ) )
	{
		return false;
	}
	out->between = bv_transform_between( at, at + 1 );
	out->scale = at[0].scale;
	return bv_transform_is_valid( &out->between ) && largest( out->between.pose.translation ) < 0x1p190;
}

static bv_convex triangle_of( const bv_file* file, uint32_t index )
{
	uint32_t corner[3] = { 0, 0, 0 };
	bv_file_get_triangle( file, index, corner );
	return bv_convex_triangle( bv_file_get_vertex( file, corner[0] ), bv_file_get_vertex( file, corner[1] ),
	                           bv_file_get_vertex( file, corner[2] ) );
}

// What a callback of static queries works with.
typedef struct depths
{
	const scene* scene;
	const placed* placed;
	double least; // signed distance in the world that is not less
	double width; // of intervals of distances, at most
	uint32_t count;
} depths;

static void add_depth( depths* d, const bv_convex* a, const bv_convex* b )
{
	bv_convex_result r;
	if ( bv_convex_distance( a, b, &d->placed->between, NULL, &r ) == bv_ok )
	{
		d->least = fmin( d->least, r.upper * d->placed->scale );
		d->width = fmax( d->width, ( r.upper - r.lower ) * d->placed->scale );
	}
	d->count += 1;
}

static bool measure_pair( void* context, uint32_t a, uint32_t b )
{
	depths* d = (depths*)context;
	bv_convex first = triangle_of( d->scene->of[0].mesh->file, a );
	bv_convex second = triangle_of( d->scene->of[1].mesh->file, b );
	add_depth( d, &first, &second );
	return d->count < 16;
}

// The least signed distance of overlapping pairs, or an upper bound of the distance.
// @param width  receives by how much the true one can be less
static double get_distance( const scene* s, const placed* p, double* width )
{
	const object* a = s->of;
	const object* b = s->of + 1;
	depths d = { s, p, INFINITY, 0, 0 };
	*width = 0;
	if ( !is_mesh( b ) )
	{
		add_depth( &d, &a->body->shape, &b->body->shape );
		*width = d.width;
		return d.least;
	}
	if ( !is_mesh( a ) )
	{
		for ( uint32_t i = 0; i < b->mesh->of.triangles; ++i )
		{
			bv_convex triangle = triangle_of( b->mesh->file, i );
			add_depth( &d, &a->body->shape, &triangle );
		}
		*width = d.width;
		return d.least;
	}
	bv_collide_options options = { .callback = measure_pair, .context = &d };
	bv_collide_result pairs;
	bv_distance_result apart;
	expect( bv_mesh_collide( a->mesh->file, b->mesh->file, &p->between, &options, &pairs ) == bv_ok );
	if ( pairs.pairs > 0 )
	{
		*width = d.width;
		return d.least;
	}
	expect( bv_mesh_distance( a->mesh->file, b->mesh->file, &p->between, NULL, &apart ) == bv_ok );
	return apart.distance * p->scale;
}

// Objects are apart before `lower`, and do not overlap then, unless one has jumped.
static void compare_with_static( numbers* n, const scene* s, double separation, const bv_sweep_result* r )
{
	uint8_t kind = take_byte( n );
	bool jumps = is_joint( s->of[0].moved, r->lower ) || is_joint( s->of[1].moved, r->lower );
	const double times[3] = { r->lower, r->lower * ( 1 - ldexp( 1, -( kind / 4 ) ) ),
		                      r->lower * fabs( take_unit( n ) ) };
	for ( int i = 0; i < 3; ++i )
	{
		placed p;
		bool is_free = i == 0 ? !jumps && r->lower > 0 : times[i] < r->lower;
		if ( is_free && place( s, times[i], &p ) )
		{
			double width;
			expect( get_distance( s, &p, &width ) >= separation * ( 1 - 1e-9 ) - s->slack );
		}
	}
}

// No object gets nearer than by its speed until the contact.
static void compare_with_speeds( const scene* s, double separation, const bv_sweep_result* r )
{
	double speeds = 0;
	placed p;
	for ( int i = 0; i < 2; ++i )
	{
		double speed = INFINITY;
		bv_sphere ball = { { 0, 0, 0 }, fmin( 2 * reach_of_object( s->of + i ), BV_MAX_LENGTH ) };
		bv_motion_speed( &s->of[i].moved->motion, r->lower, r->upper, &ball, &speed );
		speeds += speed;
	}
	double near = separation + speeds * ( r->upper - r->lower );
	if ( near < INFINITY && place( s, r->lower, &p ) )
	{
		double width;
		double distance = get_distance( s, &p, &width );
		// Distances of shapes whose coordinates are below 2^-145 are known to 2^-140.
		const double tiny = 0x1p-139 * p.scale;
		expect( distance == INFINITY || distance - width <= near * ( 1 + 1e-5 ) + s->slack + tiny );
	}
}

// Pairs of triangles are not earlier than meshes, and the one that is named is as early.
static void compare_with_triangles( numbers* n, const scene* s, const bv_sweep_options* options,
                                    const bv_sweep_result* r )
{
	uint8_t kind = take_byte( n );
	for ( int i = 0; i < 3; ++i )
	{
		bool is_named = i == 0;
		body part[2];
		scene triangles = *s;
		memset( part, 0, sizeof part );
		for ( int k = 0; k < 2; ++k )
		{
			const object* o = s->of + k;
			if ( is_mesh( o ) )
			{
				uint32_t index = is_named ? r->triangle[k] : take_byte( n ) % o->mesh->of.triangles;
				part[k].shape = triangle_of( o->mesh->file, index );
				part[k].is_defined = true;
				triangles.of[k].body = part + k;
			}
		}
		bv_sweep_options o = *options;
		bv_sweep_result q;
		o.scratch = NULL;
		o.most_tests = 0;
		if ( ( is_named ? r->found : kind & i ) && sweep( &triangles, &o, &q ) )
		{
			expect( r->lower <= q.upper );
			expect( r->found || !r->certain || !q.certain || !q.found );
			expect( !is_named || !r->certain || !r->complete || q.found );
			expect( !is_named || !r->certain || q.lower <= r->upper );
		}
	}
}

static bv_sweep_options take_sweep_options( numbers* n, const subject* of )
{
	uint8_t kind = take_byte( n );
	uint8_t more = take_byte( n );
	bv_sweep_options o = { .mode = (bv_sweep_mode)( kind < 192   ? 0
		                                            : kind < 250 ? kind % bv_sweep_modes
		                                                         : take_byte( n ) ) };
	o.limit = more & 4 ? 0 : more < 244 ? ( 1 + more / 16 ) * 0.0625 : take_number( n, of );
	o.tolerance = more & 8 ? 0 : more < 240 ? ldexp( 1, -( more / 8 ) ) : take_number( n, of );
	if ( kind & 1 )
	{
		o.separation = kind & 2 ? 0.25 * of->size * ( kind / 4 % 8 ) : fabs( take_number( n, of ) );
	}
	uint8_t samples = take_byte( n );
	o.samples = samples < 128   ? 0
	            : samples < 250 ? samples % most_samples_asked
	                            : (uint32_t)take_bits( n, 4 );
	// What takes long by design.
	o.samples = o.samples > most_samples_asked && o.samples <= 1 << 20 ? most_samples_asked : o.samples;
	return o;
}

// Memory of the caller, of a size and with any content.
static void take_scratch( numbers* n, bv_sweep_options* o )
{
	static const size_t sizes[8] = { 512, 520, 1000, 4096, 8192, 65536, 511, 0 };
	uint8_t kind = take_byte( n );
	if ( kind & 1 )
	{
		o->scratch_bytes = sizes[kind >= 248 ? 6 + kind / 4 % 2 : kind / 2 % 6];
		o->scratch = malloc( o->scratch_bytes + 8 );
		expect( o->scratch );
	}
}

static void repeat( numbers* n, const scene* s, const bv_sweep_options* options,
                    const bv_sweep_result* first )
{
	bv_sweep_options o = *options;
	bv_sweep_result r;
	char* block = NULL;
	if ( o.scratch )
	{
		// A byte beyond is noticed.
		o.scratch = block = (char*)malloc( o.scratch_bytes );
		expect( block );
		memset( block, take_byte( n ), o.scratch_bytes );
	}
	expect( sweep( s, &o, &r ) && is_same_contact( first, &r ) );
	free( block );
}

static void compare_with_swapped( const scene* s, const bv_sweep_options* options, const bv_sweep_result* r )
{
	scene other = *s;
	bv_sweep_result q;
	other.of[0] = s->of[1];
	other.of[1] = s->of[0];
	if ( sweep( &other, options, &q ) )
	{
		compare_contacts( r, &q );
	}
}

static void compare_with_options( numbers* n, const scene* s, const bv_sweep_options* options,
                                  const bv_sweep_result* r )
{
	uint8_t kind = take_byte( n );
	double limit = options->limit > 0 ? options->limit : 1;
	bv_sweep_options o = *options;
	bv_sweep_result q;
	// A smaller limit: the same contact, or none.
	o.limit = limit * ( kind & 1 ? 0.5 : 1 - 0x1p-10 );
	if ( sweep( s, &o, &q ) )
	{
		expect( q.lower <= r->upper && r->lower <= q.upper );
		expect( !r->certain || r->found || !q.certain || !q.found );
		expect( !r->certain || !r->found || r->upper > o.limit || q.found || !q.complete );
		expect( q.found || !q.certain || !r->certain || !r->found || r->upper >= o.limit );
	}
	// A larger separation, and another tolerance.
	o = *options;
	o.separation = 1.5 * o.separation + ldexp( 1, -( kind / 8 ) );
	if ( kind & 2 && sweep( s, &o, &q ) )
	{
		expect( q.lower <= r->upper );
		expect( !r->certain || !r->found || q.found || !q.complete );
	}
	o = *options;
	o.tolerance = ldexp( 1, -( kind / 8 ) );
	if ( kind & 4 && sweep( s, &o, &q ) )
	{
		compare_contacts( r, &q );
	}
}

// Objects that are large beside their gap, that turn many times, or whose speeds are not known but bounded, can approach each
// other in ten thousands of steps for each pair of triangles, unless the tolerance is wide.
static bool is_slow( const scene* s )
{
	const double huge_size = 1e4;
	const double many_turns = 64; // radians
	bool slow = !s->is_defined || s->slack > huge_size * part_of_rounding;
	for ( int i = 0; i < 2; ++i )
	{
		const moved* m = s->of[i].moved;
		slow = slow || m->callbacks > 0 || largest_angle( m ) > many_turns;
	}
	return slow;
}

static void query_sweep( numbers* n, const subject* of, scene* s )
{
	describe_scene( s );
	bv_sweep_options o = take_sweep_options( n, of );
	bv_sweep_result first;
	take_scratch( n, &o );
	uint8_t tests = take_byte( n );
	bool any_mesh = is_mesh( s->of + 1 );
	if ( is_slow( s ) )
	{
		o.tolerance = fmax( o.tolerance, 0x1p-8 );
	}
	uint64_t pairs = 1;
	for ( int i = 0; i < 2; ++i )
	{
		pairs *= is_mesh( s->of + i ) ? s->of[i].mesh->of.triangles : 1;
	}
	if ( any_mesh && ( pairs > pairs_without_limit || is_slow( s ) || tests & 1 ) )
	{
		o.most_tests = 1 + ( tests & 2 ? tests : 64 * (uint64_t)tests );
	}
	bool is_found = pairs <= most_pairs && sweep( s, &o, &first );
	if ( is_found && first.steps < many_steps )
	{
		if ( !has_counted( s ) )
		{
			repeat( n, s, &o, &first );
			if ( is_mesh( s->of ) && is_mesh( s->of + 1 ) )
			{
				sweep_in_parts( s, &o, 1 + 4 * (uint64_t)tests, &first );
			}
		}
		if ( s->is_defined && o.mode == bv_sweep_mode_dynamic )
		{
			compare_with_static( n, s, o.separation, &first );
			if ( first.found && first.certain )
			{
				compare_with_speeds( s, o.separation, &first );
			}
			if ( any_mesh )
			{
				compare_with_triangles( n, s, &o, &first );
			}
			compare_with_options( n, s, &o, &first );
		}
		if ( s->is_defined && is_mesh( s->of ) == any_mesh )
		{
			compare_with_swapped( s, &o, &first );
		}
	}
	free( o.scratch );
}

// Mistakes of the caller that no number makes.
static void query_nothing( const scene* s )
{
	const bv_motion* m = &s->of[0].moved->motion;
	const bv_convex* c = s->of[0].body ? &s->of[0].body->shape : NULL;
	const bv_sphere ball = { { 0, 0, 0 }, 1 };
	bv_sweep_result r;
	bv_transform at;
	double x;
	expect( bv_motion_at( m, 0, NULL ) == bv_error_argument );
	expect( bv_motion_at( NULL, 0, &at ) == bv_error_argument && !bv_motion_is_valid( NULL ) );
	expect( bv_motion_reach( m, 0, 1, 0, NULL, &x ) == bv_error_argument );
	expect( bv_motion_speed( m, 0, 1, &ball, NULL ) == bv_error_argument );
	expect( bv_sweep_convexes( c, m, NULL, m, NULL, &r ) == bv_error_argument );
	expect( bv_sweep_convexes( c, m, c, m, NULL, NULL ) == bv_error_argument );
	expect( bv_sweep_convexes( c, NULL, c, m, NULL, &r ) == bv_error_argument );
	expect( bv_sweep_meshes( NULL, m, NULL, m, NULL, &r ) == bv_error_argument );
	expect( bv_sweep_convex_mesh( c, m, NULL, m, NULL, &r ) == bv_error_argument );
	uint64_t block[BV_SWEEP_SCRATCH_LEAST / 8 + 1];
	const bv_sweep_options odd = { .scratch = (char*)block + 4, .scratch_bytes = BV_SWEEP_SCRATCH_LEAST };
	expect( bv_sweep_convexes( c, m, c, m, &odd, &r ) == bv_error_argument );
}

static void query_objects( numbers* n, const subject* of, const opened* file, uint8_t kind )
{
	moved moves[2];
	body shape[2];
	take_motion( n, of, moves );
	take_motion( n, of, moves + 1 );
	bool is_first = !file[0].file || kind & 1; // a shape
	bool is_second = !file[0].file || ( is_first && kind & 2 );
	scene s = { .of = { { .moved = moves }, { .moved = moves + 1 } } };
	for ( int i = 0; i < 2; ++i )
	{
		bool is_shape = i == 0 ? is_first : is_second;
		take_body( n, of, is_shape ? file[0].file : NULL, shape + i );
		s.of[i].body = is_shape ? shape + i : NULL;
		s.of[i].mesh = file + ( i == 1 && file[1].file ? 1 : 0 );
	}
	if ( kind & 16 )
	{
		moves[1].motion.scale = moves[0].motion.scale;
	}
	query_motion( n, of, moves );
	query_sweep( n, of, &s );
	query_nothing( &s );
	for ( int i = 0; i < 2; ++i )
	{
		free_body( shape + i );
		free_motion( moves + i );
	}
}

static void query( numbers* n, const opened* file )
{
	subject of = { .size = file[0].file ? file[0].of.size : 1 };
	uint8_t kind = take_byte( n );
	of.size = of.size > 0x1p-20 && of.size < 0x1p20 ? of.size : 1;
	of.size = kind >= 240 ? ldexp( 1, 2 * (int8_t)take_byte( n ) ) : of.size;
	uint32_t pairs = kind & 64 ? 1 + take_byte( n ) % 4u : 0;
	for ( uint32_t i = 0; i < pairs; ++i )
	{
		query_features( n, &of );
	}
	if ( file[0].file || pairs < 3 )
	{
		query_objects( n, &of, file, kind );
	}
}

int LLVMFuzzerTestOneInput( const uint8_t* data, size_t size )
{
	opened file[2];
	size_t first = open_file( data, size, file );
	size_t second = open_file( data + first, size - first, file + 1 );
	numbers n = numbers_begin( data + first + second, size - first - second );
	query( &n, file );
	free( file[0].memory );
	free( file[1].memory );
	return 0;
}
