// Clips of animations. See clip.h.
//
// Time is cut at the samples, at the ends of segments and at all keys, so that everything moves smoothly within a
// piece. pose.h bounds how far a vertex is from its linear interpolation there. Where that is much, the piece is
// cut into equal parts. The box of a vertex encloses its positions at both ends of each part, widened by that bound:
// then it encloses the segment between them, and all places that near to it.

#include "formats/gltf/clip.h"

#include "formats/gltf/pose.h"
#include "offline/base/error.h"
#include "runtime/math/vec.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_parts = 64,  // of a piece, for the sake of its bounds
	most_halves = 16, // how often a piece is halved to find a bound at all
};

// How far a bound may be from the samples, as a share of the diagonal of all positions of the file. Smaller
// shares take more time, and boxes are stored in steps of 2^-16 of the clip.
static const double allowed_bend = 0x1p-13;

// Weights that are applied to vertices, over all poses of a clip: some minutes of work.
static const uint64_t most_work = (uint64_t)1 << 33;

// A time at which a piece ends.
typedef struct clip_cut
{
	double time;
	bool jumps; // a value has a step here
} clip_cut;

typedef struct clip_sampler
{
	bvgltf_document* document;
	bvgltf_posing posing;
	bvgltf_animation animation;
	bvb_clip clip;
	clip_cut* cuts; // ascending
	uint32_t cut_count;
	uint32_t segment; // that the current piece is in
	double allowed;   // bend, mesh units
	uint64_t spare;   // poses that may still be added to those of the cuts
	bv_vec3* ends[2]; // positions at the start and at the end of a part
	double* bend;
	double* error;
} clip_sampler;

static int compare_cuts( const void* a, const void* b )
{
	double left = ( (const clip_cut*)a )->time;
	double right = ( (const clip_cut*)b )->time;
	return ( left > right ) - ( left < right );
}

static double segment_start( const bvb_clip* c, uint32_t segment )
{
	return segment == c->segments ? c->end : c->start + ( c->end - c->start ) * segment / c->segments;
}

static void add_cut( clip_sampler* m, double time, bool jumps )
{
	if ( time >= m->clip.start && time <= m->clip.end )
	{
		m->cuts[m->cut_count++] = ( clip_cut ){ time, jumps };
	}
}

static bv_status find_cuts( clip_sampler* m )
{
	uint64_t most = (uint64_t)m->clip.samples + m->clip.segments + 1;
	for ( uint32_t i = 0; i < m->animation.count; ++i )
	{
		most += m->animation.tracks[i].keys;
	}
	void* memory;
	bv_status status = bvgltf_document_allocate( m->document, most, sizeof *m->cuts, &memory );
	if ( status != bv_ok )
	{
		return status;
	}
	m->cuts = memory;
	for ( uint32_t i = 0; i < m->clip.samples; ++i )
	{
		add_cut( m, bvb_clip_time( &m->clip, i ), false );
	}
	for ( uint32_t i = 0; i <= m->clip.segments; ++i )
	{
		add_cut( m, segment_start( &m->clip, i ), false );
	}
	for ( uint32_t i = 0; i < m->animation.count; ++i )
	{
		const bvgltf_track* t = &m->animation.tracks[i];
		for ( uint32_t k = 0; k < t->keys; ++k )
		{
			add_cut( m, t->times[k], t->interpolation == bvgltf_interpolation_step );
		}
	}
	qsort( m->cuts, m->cut_count, sizeof *m->cuts, compare_cuts );
	uint32_t kept = 0;
	for ( uint32_t i = 0; i < m->cut_count; ++i )
	{
		if ( kept > 0 && m->cuts[kept - 1].time == m->cuts[i].time )
		{
			m->cuts[kept - 1].jumps = m->cuts[kept - 1].jumps || m->cuts[i].jumps;
		}
		else
		{
			m->cuts[kept++] = m->cuts[i];
		}
	}
	m->cut_count = kept;
	return bv_ok;
}

static bv_status fail_motion( const clip_sampler* m, bv_status status, double time, const char* what )
{
	bvgltf_object root = bvgltf_document_root( m->document );
	return bvgltf_json_fail( &root, status, "clip '%.200s': %s, at %g s", m->clip.name, what, time );
}

static bv_status check_finite( const clip_sampler* m, const bv_vec3* positions, double time )
{
	for ( uint32_t v = 0; v < m->clip.vertex_count; ++v )
	{
		bv_vec3 p = positions[v];
		if ( !isfinite( p.x ) || !isfinite( p.y ) || !isfinite( p.z ) )
		{
			return fail_motion( m, bv_error_input, time, "a vertex is not finite" );
		}
	}
	return bv_ok;
}

// Makes the boxes of a segment enclose positions at the ends of a part, and all between.
// @param share  of the bends, of which the part has so much
static void enclose( clip_sampler* m, const bv_vec3* from, const bv_vec3* to, double share )
{
	bv_aabb* boxes = m->clip.swept + (size_t)m->segment * m->clip.vertex_count;
	for ( uint32_t v = 0; v < m->clip.vertex_count; ++v )
	{
		double wide = ( m->bend[v] * share + m->error[v] ) * ( 1 + 0x1p-40 );
		bv_vec3 least = bvmath_least( from[v], to[v] );
		bv_vec3 most = bvmath_greatest( from[v], to[v] );
		bv_vec3 lower = { least.x - wide, least.y - wide, least.z - wide };
		bv_vec3 upper = { most.x + wide, most.y + wide, most.z + wide };
		boxes[v].lower = bvmath_least( boxes[v].lower, lower );
		boxes[v].upper = bvmath_greatest( boxes[v].upper, upper );
	}
}

static void swap_ends( clip_sampler* m )
{
	bv_vec3* last = m->ends[1];
	m->ends[1] = m->ends[0];
	m->ends[0] = last;
}

// How many parts a piece needs for its bounds, as far as there is time for them.
static uint32_t count_parts( clip_sampler* m, double length )
{
	double most = 0;
	for ( uint32_t v = 0; v < m->clip.vertex_count; ++v )
	{
		most = m->bend[v] > most ? m->bend[v] : most;
	}
	double parts = ceil( length * sqrt( most / ( 8 * m->allowed ) ) );
	uint64_t wanted = parts >= most_parts ? most_parts : parts > 1 ? (uint32_t)parts : 1;
	wanted = wanted - 1 < m->spare ? wanted : m->spare + 1;
	m->spare -= wanted - 1;
	return (uint32_t)wanted;
}

// Sweeps a piece, or a half of one, whose start is in ends[0]. Its end is there afterward.
static bv_status sweep( clip_sampler* m, double from, double to )
{
	double inside = from + ( to - from ) / 2;
	uint32_t parts = count_parts( m, to - from );
	double length = ( to - from ) / parts * ( 1 + 0x1p-40 );
	for ( uint32_t i = 1; i <= parts; ++i )
	{
		double time = i == parts ? to : from + ( to - from ) * i / parts;
		bvgltf_posing_at( &m->posing, inside, time, m->ends[1] );
		bv_status status = check_finite( m, m->ends[1], time );
		if ( status != bv_ok )
		{
			return status;
		}
		enclose( m, m->ends[0], m->ends[1], length * length / 8 );
		swap_ends( m );
	}
	return bv_ok;
}

// A half that waits for its turn.
typedef struct clip_half
{
	double from;
	double to;
	int depth;
} clip_half;

// Halves pieces until each has bounds.
static bv_status sweep_piece( clip_sampler* m, double from, double to )
{
	clip_half stack[most_halves + 2];
	int count = 0;
	stack[count++] = ( clip_half ){ from, to, 0 };
	bv_status status = bv_ok;
	while ( count > 0 && status == bv_ok )
	{
		clip_half h = stack[--count];
		double middle = h.from + ( h.to - h.from ) / 2;
		if ( bvgltf_posing_bends( &m->posing, h.from, h.to, m->bend, m->error ) )
		{
			status = sweep( m, h.from, h.to );
		}
		else if ( h.depth == most_halves || !( middle > h.from && middle < h.to ) || m->spare < 2 )
		{
			status = fail_motion( m, bv_error_input, h.from, "a rotation is a spline that passes zero" );
		}
		else
		{
			m->spare -= 2;
			stack[count++] = ( clip_half ){ middle, h.to, h.depth + 1 };
			stack[count++] = ( clip_half ){ h.from, middle, h.depth + 1 };
		}
	}
	return status;
}

// Starts a segment with boxes that enclose nothing.
static void begin_segment( clip_sampler* m, uint32_t segment )
{
	bv_aabb* boxes = m->clip.swept + (size_t)segment * m->clip.vertex_count;
	for ( uint32_t v = 0; v < m->clip.vertex_count; ++v )
	{
		boxes[v] = ( bv_aabb ){ { INFINITY, INFINITY, INFINITY }, { -INFINITY, -INFINITY, -INFINITY } };
	}
}

// Takes the pose at a cut, where the piece that follows starts: values at steps are those that follow.
static bv_status start_piece( clip_sampler* m, uint32_t cut, uint32_t* sample )
{
	const bvb_clip* c = &m->clip;
	double time = m->cuts[cut].time;
	if ( cut == 0 || m->cuts[cut].jumps )
	{
		bvgltf_posing_at( &m->posing, time, time, m->ends[0] );
	}
	bv_status status = check_finite( m, m->ends[0], time );
	for ( ; *sample < c->samples && bvb_clip_time( c, *sample ) == time && status == bv_ok; *sample += 1 )
	{
		memcpy( c->frames + (size_t)*sample * c->vertex_count, m->ends[0],
		        c->vertex_count * sizeof *c->frames );
	}
	return status;
}

// The end of a segment is also the start of the next one, behind the step if there is one.
static void end_segments( clip_sampler* m, const clip_cut* cut )
{
	while ( m->segment + 1 < m->clip.segments && segment_start( &m->clip, m->segment + 1 ) <= cut->time )
	{
		if ( cut->jumps )
		{
			bvgltf_posing_bends( &m->posing, cut->time, cut->time, m->bend, m->error );
			enclose( m, m->ends[0], m->ends[0], 0 );
		}
		m->segment += 1;
	}
}

// The last value of a step counts at the end, and a clip of one moment has nothing but its pose.
static void enclose_end( clip_sampler* m )
{
	double end = m->clip.end;
	bvgltf_posing_bends( &m->posing, end, end, m->bend, m->error );
	m->segment = m->clip.segments - 1;
	enclose( m, m->ends[0], m->ends[0], 0 );
}

static bv_status sweep_all( clip_sampler* m )
{
	uint32_t sample = 0;
	bv_status status = bv_ok;
	for ( uint32_t i = 0; i < m->clip.segments; ++i )
	{
		begin_segment( m, i );
	}
	for ( uint32_t i = 0; i < m->cut_count && status == bv_ok; ++i )
	{
		double time = m->cuts[i].time;
		status = start_piece( m, i, &sample );
		end_segments( m, &m->cuts[i] );
		if ( i + 1 < m->cut_count && status == bv_ok )
		{
			status = sweep_piece( m, time, m->cuts[i + 1].time );
		}
	}
	if ( status == bv_ok )
	{
		enclose_end( m );
	}
	return status;
}

static double diagonal_of( const bv_vec3* positions, uint32_t count )
{
	bv_vec3 lower = { INFINITY, INFINITY, INFINITY };
	bv_vec3 upper = { -INFINITY, -INFINITY, -INFINITY };
	for ( uint32_t v = 0; v < count; ++v )
	{
		lower = bvmath_least( lower, positions[v] );
		upper = bvmath_greatest( upper, positions[v] );
	}
	bv_vec3 size = bv_sub( upper, lower );
	return sqrt( bv_dot( size, size ) );
}

// A clip that takes too long is an error, not a program that seems to hang.
static bv_status limit_work( clip_sampler* m )
{
	uint64_t each = 1;
	for ( uint32_t i = 0; i < m->posing.patches->count; ++i )
	{
		const bvgltf_patch* patch = &m->posing.patches->items[i];
		each += patch->count * ( 1 + 4 * (uint64_t)patch->rig.influence_count + patch->rig.target_count );
	}
	each += m->posing.nodes->count;
	uint64_t most = most_work / each;
	m->spare = most > m->cut_count ? most - m->cut_count : 0;
	return most >= m->cut_count ? bv_ok
	                            : fail_motion( m, bv_error_limit, m->clip.start,
	                                           "too many keys and samples for so many vertices" );
}

// The largest of some poses.
static double find_size( clip_sampler* m )
{
	double most = 0;
	for ( int i = 0; i <= 4; ++i )
	{
		double time = m->clip.start + ( m->clip.end - m->clip.start ) * i / 4;
		bvgltf_posing_at( &m->posing, time, time, m->ends[0] );
		double size = diagonal_of( m->ends[0], m->clip.vertex_count );
		most = size > most ? size : most;
	}
	return most;
}

static bv_status allocate( clip_sampler* m, bvb_arena* arena )
{
	bvgltf_document* d = m->document;
	bvb_clip* c = &m->clip;
	uint64_t vertices = c->vertex_count;
	uint64_t kept = vertices * ( c->samples * sizeof *c->frames + c->segments * sizeof *c->swept );
	void* memory[4] = { NULL, NULL, NULL, NULL };
	const size_t sizes[4] = { sizeof *m->ends[0], sizeof *m->ends[1], sizeof *m->bend, sizeof *m->error };
	bv_status status = bvgltf_document_check_bytes( d, kept );
	for ( int i = 0; i < 4 && status == bv_ok; ++i )
	{
		status = bvgltf_document_allocate( d, vertices, sizes[i], &memory[i] );
	}
	if ( status != bv_ok )
	{
		return status;
	}
	m->ends[0] = memory[0];
	m->ends[1] = memory[1];
	m->bend = memory[2];
	m->error = memory[3];
	c->frames = bvb_arena_allocate( arena, vertices * c->samples, sizeof *c->frames );
	c->swept = bvb_arena_allocate( arena, vertices * c->segments, sizeof *c->swept );
	char* name = bvb_arena_allocate( arena, strlen( c->name ) + 1, 1 );
	if ( !c->frames || !c->swept || !name )
	{
		return bvbase_fail_memory( d->error );
	}
	c->name = strcpy( name, c->name );
	return bv_ok;
}

bv_status bvgltf_clip_read( const bvgltf_shapes* shapes, bvgltf_patches* patches, uint32_t vertex_count,
                            const bvb_clip_options* options, bvb_arena* arena, const bvb_clip** out )
{
	clip_sampler m = { .document = shapes->meshes->accessors->buffers->document };
	bv_status status = bvgltf_animation_read( shapes, options->name, &m.animation );
	m.clip = ( bvb_clip ){
		.name = m.animation.name,
		.start = m.animation.start,
		.end = m.animation.end,
		.samples = m.animation.start < m.animation.end ? bvb_clip_sample_count( options ) : 1,
		.segments = m.animation.start < m.animation.end ? bvb_clip_segment_count( options ) : 1,
		.vertex_count = vertex_count,
	};
	status = status == bv_ok ? bvgltf_posing_open( shapes, patches, &m.animation, vertex_count, &m.posing )
	                         : status;
	status = status == bv_ok ? find_cuts( &m ) : status;
	status = status == bv_ok ? limit_work( &m ) : status;
	status = status == bv_ok ? allocate( &m, arena ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	m.allowed = allowed_bend * find_size( &m );
	status = sweep_all( &m );
	bvb_clip* clip = status == bv_ok ? bvb_arena_allocate( arena, 1, sizeof *clip ) : NULL;
	if ( status == bv_ok && !clip )
	{
		return bvbase_fail_memory( m.document->error );
	}
	if ( clip )
	{
		*clip = m.clip;
		*out = clip;
	}
	return status;
}
