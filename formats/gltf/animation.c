// Animations (Khronos, "glTF 2.0 specification", 3.11 and appendix C). See animation.h.

#include "formats/gltf/animation.h"

#include "offline/base/suggest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	listed_bytes = 512, // of a message that lists names
};

static bvgltf_document* document_of( const bvgltf_shapes* s )
{
	return s->meshes->accessors->buffers->document;
}

static const cJSON* item_of( const cJSON* list, uint32_t index )
{
	const cJSON* item = list->child;
	for ( uint32_t i = 0; i < index; ++i )
	{
		item = item->next;
	}
	return item;
}

static bv_status read_name( const bvgltf_object* o, const char** out )
{
	*out = NULL;
	bv_status status = cJSON_IsObject( o->json ) ? bvgltf_json_text( o, "name", out )
	                                             : bvgltf_json_fail( o, bv_error_input, "is not an object" );
	*out = *out ? *out : "";
	return status;
}

static bvgltf_object animation_of( const bvgltf_object* root, const cJSON* item, uint32_t index )
{
	bvgltf_object o = *root;
	o.json = item;
	snprintf( o.where, sizeof o.where, "animations[%u]", index );
	return o;
}

// The number that a name is, if it is one.
static bool read_number( const char* name, uint32_t count, uint32_t* out )
{
	size_t digits = strspn( name, "0123456789" );
	unsigned long value = digits > 0 && digits < 10 && name[digits] == 0 ? strtoul( name, NULL, 10 ) : count;
	*out = (uint32_t)value;
	return value < count;
}

static bv_status fail_unknown( const bvgltf_object* root, const cJSON* list, uint32_t count,
                               const char* name )
{
	bvbase_suggestion near = bvbase_suggestion_for( name, strlen( name ) );
	char names[listed_bytes] = "";
	size_t length = 0;
	uint32_t index = 0;
	for ( const cJSON* item = list->child; item; item = item->next, ++index )
	{
		const char* text;
		bvgltf_object o = animation_of( root, item, index );
		bv_status status = read_name( &o, &text );
		if ( status != bv_ok )
		{
			return status;
		}
		bvbase_suggest( &near, text );
		if ( length + 80 < sizeof names )
		{
			length += (size_t)snprintf( names + length, sizeof names - length, "%s%u '%.48s'",
			                            index > 0 ? ", " : "", index, text );
		}
		else if ( names[length - 1] != '.' )
		{
			length += (size_t)snprintf( names + length, sizeof names - length, ", ..." );
		}
	}
	const char* suggested = bvbase_get_suggestion( &near );
	if ( strcmp( name, "*" ) == 0 )
	{
		return bvgltf_json_fail( root, bv_error_input, "has %u clips, so --clip must name one: %s", count,
		                         names );
	}
	return bvgltf_json_fail( root, bv_error_input, "no clip is named '%.200s' (%s%s%sclips: %s)", name,
	                         suggested ? "did you mean '" : "", suggested ? suggested : "",
	                         suggested ? "'? " : "", names );
}

// A name counts before a number.
static bv_status find_animation( const bvgltf_object* root, const char* name, bvgltf_object* out,
                                 const char** found )
{
	const cJSON* list;
	uint32_t count;
	uint32_t index = 0;
	bv_status status = bvgltf_json_list( root, "animations", &list, &count );
	if ( status == bv_ok && count == 0 )
	{
		return bvgltf_json_fail( root, bv_error_input, "has no clip: the file has no animations" );
	}
	for ( const cJSON* item = list ? list->child : NULL; item && status == bv_ok; item = item->next, ++index )
	{
		*out = animation_of( root, item, index );
		status = read_name( out, found );
		if ( status == bv_ok && strcmp( *found, name ) == 0 )
		{
			return bv_ok;
		}
	}
	if ( status != bv_ok )
	{
		return status;
	}
	bool only = count == 1 && strcmp( name, "*" ) == 0;
	if ( !only && !read_number( name, count, &index ) )
	{
		return fail_unknown( root, list, count, name );
	}
	index = only ? 0 : index;
	*out = animation_of( root, item_of( list, index ), index );
	return read_name( out, found );
}

// A channel, and the sampler that it refers to.
typedef struct animation_channel
{
	bvgltf_object channel;
	bvgltf_object sampler;
} animation_channel;

static bv_status read_interpolation( const bvgltf_object* o, bvgltf_interpolation* out )
{
	static const char* const names[] = { "LINEAR", "STEP", "CUBICSPLINE" };
	const char* text;
	bv_status status = bvgltf_json_text( o, "interpolation", &text );
	*out = bvgltf_interpolation_linear;
	for ( int i = 0; i < 3 && status == bv_ok && text; ++i )
	{
		if ( strcmp( text, names[i] ) == 0 )
		{
			*out = (bvgltf_interpolation)i;
			return bv_ok;
		}
	}
	return status == bv_ok && text
	           ? bvgltf_json_fail( o, bv_error_input, "interpolation '%.60s' is invalid", text )
	           : status;
}

static bv_status check_finite( const bvgltf_object* o, const char* what, const bvgltf_numbers* n )
{
	for ( size_t i = 0; i < (size_t)n->count * n->components; ++i )
	{
		if ( !isfinite( n->values[i] ) )
		{
			return bvgltf_json_fail( o, bv_error_input, "%s %llu is not finite", what,
			                         (unsigned long long)( i / n->components ) );
		}
	}
	return bv_ok;
}

static bv_status read_numbers( const bvgltf_shapes* s, const bvgltf_object* o, const char* member,
                               const bvgltf_use* use, bvgltf_numbers* out )
{
	uint32_t accessor;
	bv_status status =
		bvgltf_json_index( o, member, document_of( s )->lists[bvgltf_accessor_list].count, &accessor );
	if ( status == bv_ok && accessor == BVGLTF_NONE )
	{
		return bvgltf_json_fail( o, bv_error_input, "has no %s", member );
	}
	return status == bv_ok ? bvgltf_accessors_numbers( s->meshes->accessors, accessor, use, out ) : status;
}

static bv_status read_times( const bvgltf_shapes* s, const animation_channel* c, bvgltf_track* track )
{
	static const bvgltf_use use = { "input", "SCALAR", bvgltf_float, false };
	bvgltf_numbers times;
	bv_status status = read_numbers( s, &c->sampler, "input", &use, &times );
	status = status == bv_ok ? check_finite( &c->sampler, "input: time", &times ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	if ( times.count == 0 || ( track->interpolation == bvgltf_interpolation_cubic && times.count < 2 ) )
	{
		return bvgltf_json_fail( &c->sampler, bv_error_input, "has %u keys, which are too few", times.count );
	}
	for ( uint32_t i = 0; i < times.count; ++i )
	{
		if ( times.values[i] < 0 || ( i > 0 && !( times.values[i] > times.values[i - 1] ) ) )
		{
			return bvgltf_json_fail( &c->sampler, bv_error_input,
			                         "input: times must ascend from 0 or above: key %u is at %g", i,
			                         times.values[i] );
		}
	}
	track->times = times.values;
	track->keys = times.count;
	return bv_ok;
}

// Rotations become unit quaternions; between keys of a cubic spline they have other lengths.
static bv_status normalize_rotations( const bvgltf_shapes* s, const animation_channel* c,
                                      bvgltf_track* track )
{
	void* memory;
	bool cubic = track->interpolation == bvgltf_interpolation_cubic;
	bv_status status =
		bvgltf_document_allocate( document_of( s ), 4 * (uint64_t)track->keys, sizeof( double ), &memory );
	double* out = memory;
	for ( uint32_t i = 0; i < track->keys && status == bv_ok; ++i )
	{
		const double* q = track->values + 4 * (size_t)( cubic ? 3 * (size_t)i + 1 : i );
		double square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
		if ( !( square > 0.5 && square < 2 ) )
		{
			return bvgltf_json_fail( &c->sampler, bv_error_input,
			                         "output: the rotation of key %u is not a unit quaternion", i );
		}
		double length = sqrt( square );
		for ( int k = 0; k < 4; ++k )
		{
			out[4 * (size_t)i + (size_t)k] = q[k] / length;
		}
	}
	track->values = status == bv_ok && !cubic ? out : track->values;
	return status;
}

static bv_status read_values( const bvgltf_shapes* s, const animation_channel* c, bvgltf_track* track )
{
	enum
	{
		normal = bvgltf_normal_int8 | bvgltf_normal_uint8 | bvgltf_normal_int16 | bvgltf_normal_uint16,
	};
	static const bvgltf_use uses[bvgltf_paths] = {
		{ "output", "VEC3", bvgltf_float, false },
		{ "output", "VEC4", bvgltf_float | normal, false },
		{ "output", "VEC3", bvgltf_float, false },
		{ "output", "SCALAR", bvgltf_float | normal, false },
	};
	bvgltf_numbers values;
	bv_status status = read_numbers( s, &c->sampler, "output", &uses[track->path], &values );
	status = status == bv_ok ? check_finite( &c->sampler, "output: value", &values ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	uint64_t sets = track->interpolation == bvgltf_interpolation_cubic ? 3 : 1;
	uint64_t keys = sets * track->keys;
	bool weights = track->path == bvgltf_path_weights;
	if ( weights ? values.count == 0 || values.count % keys != 0 : values.count != keys )
	{
		return bvgltf_json_fail( &c->sampler, bv_error_input, "has %u keys and %u values", track->keys,
		                         values.count );
	}
	track->width = weights ? (uint32_t)( values.count / keys ) : values.components;
	track->values = values.values;
	return track->path == bvgltf_path_rotation ? normalize_rotations( s, c, track ) : bv_ok;
}

static bv_status read_track( const bvgltf_shapes* s, const animation_channel* c, bvgltf_track* track )
{
	const bvgltf_node* node = &s->nodes->nodes[track->node];
	if ( track->path != bvgltf_path_weights && node->has_matrix )
	{
		return bvgltf_json_fail( &c->channel, bv_error_input, "animates nodes[%u], which has a matrix",
		                         track->node );
	}
	bv_status status = read_interpolation( &c->sampler, &track->interpolation );
	status = status == bv_ok ? read_times( s, c, track ) : status;
	return status == bv_ok ? read_values( s, c, track ) : status;
}

// @param track  its node receives BVGLTF_NONE for a channel that animates nothing of this specification
static bv_status read_target( const bvgltf_shapes* s, const animation_channel* c, bvgltf_track* track )
{
	static const char* const names[bvgltf_paths] = { "translation", "rotation", "scale", "weights" };
	bvgltf_object target;
	const char* path = NULL;
	bv_status status = bvgltf_json_object( &c->channel, "target", &target );
	if ( status == bv_ok && !target.json )
	{
		return bvgltf_json_fail( &c->channel, bv_error_input, "has no target" );
	}
	status = status == bv_ok ? bvgltf_json_text( &target, "path", &path ) : status;
	status = status == bv_ok ? bvgltf_json_index( &target, "node", s->nodes->count, &track->node ) : status;
	if ( status != bv_ok )
	{
		return status;
	}
	if ( path && strcmp( path, "pointer" ) == 0 )
	{
		return bvgltf_json_fail( &c->channel, bv_error_unsupported,
		                         "KHR_animation_pointer is not supported" );
	}
	for ( int i = 0; i < bvgltf_paths && path; ++i )
	{
		if ( strcmp( path, names[i] ) == 0 )
		{
			track->path = (bvgltf_path)i;
			return bv_ok;
		}
	}
	return bvgltf_json_fail( &c->channel, bv_error_input, "path '%.60s' is invalid", path ? path : "" );
}

// What channels are read with.
typedef struct animation_reader
{
	const bvgltf_shapes* shapes;
	bvgltf_object animation;
	const cJSON** samplers;
	uint32_t sampler_count;
	bool* seen; // of each node, whether each property is animated
} animation_reader;

static bv_status read_channel( animation_reader* r, const cJSON* item, uint32_t number,
                               bvgltf_animation* out )
{
	const bvgltf_shapes* s = r->shapes;
	const bvgltf_object* animation = &r->animation;
	animation_channel c = { *animation, *animation };
	uint32_t sampler;
	bvgltf_track track = { .node = BVGLTF_NONE };
	c.channel.json = item;
	snprintf( c.channel.where, sizeof c.channel.where, "%.40s.channels[%u]", animation->where, number );
	if ( !cJSON_IsObject( item ) )
	{
		return bvgltf_json_fail( &c.channel, bv_error_input, "is not an object" );
	}
	bv_status status = bvgltf_json_index( &c.channel, "sampler", r->sampler_count, &sampler );
	if ( status == bv_ok && sampler == BVGLTF_NONE )
	{
		return bvgltf_json_fail( &c.channel, bv_error_input, "has no sampler" );
	}
	status = status == bv_ok ? read_target( s, &c, &track ) : status;
	if ( status != bv_ok || track.node == BVGLTF_NONE )
	{
		return status;
	}
	bool* seen = &r->seen[(size_t)track.node * bvgltf_paths + track.path];
	if ( *seen )
	{
		return bvgltf_json_fail( &c.channel, bv_error_input,
		                         "animates the same property of nodes[%u] as another channel", track.node );
	}
	*seen = true;
	c.sampler.json = r->samplers[sampler];
	snprintf( c.sampler.where, sizeof c.sampler.where, "%.40s.samplers[%u]", animation->where, sampler );
	if ( !cJSON_IsObject( c.sampler.json ) )
	{
		return bvgltf_json_fail( &c.sampler, bv_error_input, "is not an object" );
	}
	status = read_track( s, &c, &track );
	out->tracks[out->count++] = track;
	return status;
}

static bv_status read_samplers( animation_reader* r )
{
	bvgltf_document* d = document_of( r->shapes );
	const cJSON* list;
	void* memory[2] = { NULL, NULL };
	bv_status status = bvgltf_json_list( &r->animation, "samplers", &list, &r->sampler_count );
	status = status == bv_ok
	             ? bvgltf_document_allocate( d, r->sampler_count, sizeof *r->samplers, &memory[0] )
	             : status;
	status = status == bv_ok ? bvgltf_document_allocate( d, r->shapes->nodes->count,
	                                                     bvgltf_paths * sizeof *r->seen, &memory[1] )
	                         : status;
	r->samplers = memory[0];
	r->seen = memory[1];
	uint32_t index = 0;
	for ( const cJSON* item = list && status == bv_ok ? list->child : NULL; item; item = item->next )
	{
		r->samplers[index++] = item;
	}
	return status;
}

bv_status bvgltf_animation_read( const bvgltf_shapes* s, const char* name, bvgltf_animation* out )
{
	bvgltf_document* d = document_of( s );
	bvgltf_object root = bvgltf_document_root( d );
	animation_reader r = { .shapes = s };
	const cJSON* channels = NULL;
	uint32_t count = 0;
	void* memory = NULL;
	*out = ( bvgltf_animation ){ .count = 0 };
	bv_status status = find_animation( &root, name, &r.animation, &out->name );
	status = status == bv_ok ? bvgltf_json_list( &r.animation, "channels", &channels, &count ) : status;
	status = status == bv_ok ? bvgltf_document_allocate( d, count, sizeof *out->tracks, &memory ) : status;
	status = status == bv_ok ? read_samplers( &r ) : status;
	out->tracks = memory;
	uint32_t number = 0;
	for ( const cJSON* item = channels ? channels->child : NULL; item && status == bv_ok; item = item->next )
	{
		status = read_channel( &r, item, number++, out );
	}
	if ( status == bv_ok && out->count == 0 )
	{
		return bvgltf_json_fail( &r.animation, bv_error_input, "animates no node" );
	}
	out->start = INFINITY;
	out->end = 0;
	for ( uint32_t i = 0; i < out->count && status == bv_ok; ++i )
	{
		const bvgltf_track* t = &out->tracks[i];
		out->start = fmin( out->start, t->times[0] );
		out->end = fmax( out->end, t->times[t->keys - 1] );
	}
	return status;
}
