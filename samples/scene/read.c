// Reads a scene from JSON. Each object of the text has a table of its members, so that unknown ones are found.

#include "scene.h"

#include <cjson/cJSON.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum
{
	most_frames = 100000,
	most_objects = 100000,
	layers = 64,
};

static const double pi = 3.14159265358979323846;

// Where a value is, for messages.
typedef struct place
{
	scene* scene;
	char text[160];
} place;

typedef struct member
{
	const char* name;
	void ( *read )( const place* at, const cJSON* value, void* to );
	size_t offset;
	bool is_required;
} member;

static void expect( bool is_met, const place* at, const char* expected )
{
	if ( !is_met )
	{
		fail( exit_input, "%s: %s: expected %s", at->scene->path, at->text, expected );
	}
}

static place below( const place* at, const char* name )
{
	place out = *at;
	size_t length = strlen( out.text );
	snprintf( out.text + length, sizeof out.text - length, "%s%.60s", length > 0 ? "." : "", name );
	return out;
}

static place element( const place* at, int index )
{
	place out = *at;
	size_t length = strlen( out.text );
	snprintf( out.text + length, sizeof out.text - length, "[%d]", index );
	return out;
}

static void read_members( const place* at, const cJSON* value, const member* members, void* to )
{
	expect( cJSON_IsObject( value ), at, "an object" );
	for ( const cJSON* child = value->child; child; child = child->next )
	{
		const member* m = members;
		while ( m->name && strcmp( m->name, child->string ) )
		{
			++m;
		}
		place inside = below( at, child->string );
		if ( !m->name )
		{
			fail( exit_input, "%s: %s: unknown member", at->scene->path, inside.text );
		}
		if ( cJSON_GetObjectItemCaseSensitive( value, child->string ) != child )
		{
			fail( exit_input, "%s: %s: duplicate member", at->scene->path, inside.text );
		}
		m->read( &inside, child, (char*)to + m->offset );
	}
	for ( const member* m = members; m->name; ++m )
	{
		if ( m->is_required && !cJSON_GetObjectItemCaseSensitive( value, m->name ) )
		{
			place inside = below( at, m->name );
			fail( exit_input, "%s: %s: missing", at->scene->path, inside.text );
		}
	}
}

// Numbers

static double number_of( const place* at, const cJSON* value, double least, double most,
                         const char* expected )
{
	expect( cJSON_IsNumber( value ) && value->valuedouble >= least && value->valuedouble <= most, at,
	        expected );
	return value->valuedouble;
}

static void read_positive( const place* at, const cJSON* value, void* to )
{
	*(double*)to = number_of( at, value, 1e-6, 1e6, "a number from 1e-6 to 1e6" );
}

static void read_not_negative( const place* at, const cJSON* value, void* to )
{
	*(double*)to = number_of( at, value, 0, 1e9, "a number from 0 to 1e9" );
}

static void read_degrees( const place* at, const cJSON* value, void* to )
{
	*(double*)to = number_of( at, value, -1e6, 1e6, "a number from -1e6 to 1e6" ) * ( pi / 180 );
}

static void read_tests( const place* at, const cJSON* value, void* to )
{
	double number = number_of( at, value, 1, 1e15, "a whole number from 1 to 1e15" );
	expect( floor( number ) == number, at, "a whole number from 1 to 1e15" );
	*(uint64_t*)to = (uint64_t)number;
}

static void read_frames( const place* at, const cJSON* value, void* to )
{
	double number = number_of( at, value, 1, most_frames, "a whole number from 1 to 100000" );
	expect( floor( number ) == number, at, "a whole number from 1 to 100000" );
	*(uint32_t*)to = (uint32_t)number;
}

static void read_flag( const place* at, const cJSON* value, void* to )
{
	expect( cJSON_IsBool( value ), at, "true or false" );
	*(bool*)to = cJSON_IsTrue( value );
}

static void read_numbers( const place* at, const cJSON* value, int count, double* out, const char* expected )
{
	expect( cJSON_IsArray( value ) && cJSON_GetArraySize( value ) == count, at, expected );
	int i = 0;
	for ( const cJSON* child = value->child; child; child = child->next )
	{
		out[i++] = number_of( at, child, -1e9, 1e9, expected );
	}
}

static void read_vec3( const place* at, const cJSON* value, void* to )
{
	double v[3];
	read_numbers( at, value, 3, v, "three numbers from -1e9 to 1e9" );
	*(bv_vec3*)to = bv_vec3_make( v[0], v[1], v[2] );
}

// Rotations

typedef struct turn
{
	bv_vec3 axis;
	double angle;
} turn;

static void read_turn( const place* at, const cJSON* value, void* to )
{
	static const member members[] = { { "axis", read_vec3, offsetof( turn, axis ), true },
		                              { "degrees", read_degrees, offsetof( turn, angle ), true },
		                              { .name = NULL } };
	read_members( at, value, members, to );
	turn* t = to;
	double length = bv_length( t->axis );
	place axis = below( at, "axis" );
	expect( length > 1e-6, &axis, "a direction" );
	t->axis = bv_scale( 1 / length, t->axis );
}

static void read_rotation( const place* at, const cJSON* value, void* to )
{
	if ( cJSON_IsObject( value ) )
	{
		turn t;
		read_turn( at, value, &t );
		bv_quaternion_from_axis_angle( t.axis, t.angle, to );
		return;
	}
	double q[4];
	read_numbers( at, value, 4, q, "a unit quaternion x, y, z, w, or an axis and degrees" );
	*(bv_quaternion*)to = ( bv_quaternion ){ q[0], q[1], q[2], q[3] };
	expect( bv_quaternion_is_valid( *(bv_quaternion*)to ), at, "a unit quaternion" );
}

// Words and names

static uint32_t word_of( const place* at, const cJSON* value, const char* ( *word )( uint32_t ) )
{
	char list[320] = "";
	for ( uint32_t i = 0; word( i ); ++i )
	{
		if ( cJSON_IsString( value ) && !strcmp( value->valuestring, word( i ) ) )
		{
			return i;
		}
		size_t length = strlen( list );
		snprintf( list + length, sizeof list - length, "%s%s", i ? ", " : "one of ", word( i ) );
	}
	expect( false, at, list );
	return 0;
}

static const char* rule_word( uint32_t i )
{
	static const char* const words[] = { "groups", "all" };
	return i < 2 ? words[i] : NULL;
}

static const char* method_word( uint32_t i )
{
	return bvw_method_name( (bvw_method)i );
}

static const char* mode_word( uint32_t i )
{
	static const char* const words[] = { "dynamic", "end", "sampled", "mixed" };
	return i < 4 ? words[i] : NULL;
}

static const char* reply_word( uint32_t i )
{
	static const char* const words[] = { "stop", "turn", "bounce" };
	return i < 3 ? words[i] : NULL;
}

static const char* repeat_word( uint32_t i )
{
	static const char* const words[] = { "once", "loop", "swing" };
	return i < 3 ? words[i] : NULL;
}

static void read_rule( const place* at, const cJSON* value, void* to )
{
	*(bvw_stop_rule*)to = (bvw_stop_rule)word_of( at, value, rule_word );
}

static void read_method( const place* at, const cJSON* value, void* to )
{
	*(bvw_method*)to = (bvw_method)word_of( at, value, method_word );
}

static void read_mode( const place* at, const cJSON* value, void* to )
{
	*(bv_sweep_mode*)to = (bv_sweep_mode)word_of( at, value, mode_word );
}

static void read_repeat( const place* at, const cJSON* value, void* to )
{
	*(repeat*)to = (repeat)word_of( at, value, repeat_word );
}

static char* copy_of( const char* text )
{
	char* out = allocate( strlen( text ) + 1, 1 );
	strcpy( out, text );
	return out;
}

// The number of a name in a list, to which it is added if it is new.
static uint32_t number_of_name( char*** names, uint32_t* count, const char* name )
{
	for ( uint32_t i = 0; i < *count; ++i )
	{
		if ( !strcmp( ( *names )[i], name ) )
		{
			return i;
		}
	}
	*names = append( *names, *count, sizeof **names );
	( *names )[*count] = copy_of( name );
	return ( *count )++;
}

static void read_string( const place* at, const cJSON* value, void* to )
{
	expect( cJSON_IsString( value ) && value->valuestring[0], at, "a text that is not empty" );
	*(const char**)to = value->valuestring;
}

// Budgets

static void read_budget( const place* at, const cJSON* value, void* to )
{
	static const member members[] = { { "tests", read_tests, offsetof( scene, budget_tests ), false },
		                              { "ms", read_positive, offsetof( scene, budget_ms ), false },
		                              { .name = NULL } };
	scene* s = to;
	s->budget_tests = 0;
	read_members( at, value, members, s );
	expect( cJSON_GetArraySize( value ) == 1, at, "either tests or ms" );
}

// Objects

// What an object of the text says.
typedef struct text_object
{
	const char *name, *file, *parent;
	bv_vec3 position;
	bv_quaternion rotation;
	double scale;
	bool mirror;
	turn spin;
	const cJSON* keys;
	object object;
} text_object;

static void read_json( const place* at, const cJSON* value, void* to )
{
	expect( cJSON_IsArray( value ) && cJSON_GetArraySize( value ) > 0, at, "an array that is not empty" );
	*(const cJSON**)to = value;
}

static void read_reply( const place* at, const cJSON* value, void* to )
{
	object* o = to;
	o->reply = (reply)word_of( at, value, reply_word );
	o->has_reply = true;
}

static void read_group( const place* at, const cJSON* value, void* to )
{
	char text[32];
	const char* name = cJSON_IsString( value ) ? value->valuestring : text;
	bool is_number = cJSON_IsNumber( value ) && value->valuedouble >= 0 && value->valuedouble <= 1e9 &&
	                 floor( value->valuedouble ) == value->valuedouble;
	expect( cJSON_IsString( value ) || is_number, at, "a name or a whole number" );
	snprintf( text, sizeof text, "%.0f", is_number ? value->valuedouble : 0.0 );
	*(uint32_t*)to = 1 + number_of_name( &at->scene->groups, &at->scene->group_count, name );
}

static uint64_t bit_of_layer( const place* at, const cJSON* value )
{
	double number = number_of( at, value, 0, layers - 1, "a layer, 0 to 63" );
	expect( floor( number ) == number, at, "a layer, 0 to 63" );
	return UINT64_C( 1 ) << (int)number;
}

static void read_layer( const place* at, const cJSON* value, void* to )
{
	*(uint64_t*)to = bit_of_layer( at, value );
}

static void read_mask( const place* at, const cJSON* value, void* to )
{
	expect( cJSON_IsArray( value ) && value->child, at, "an array of layers that is not empty" );
	for ( const cJSON* child = value->child; child; child = child->next )
	{
		*(uint64_t*)to |= bit_of_layer( at, child );
	}
}

static bv_transform transform_of( const place* at, const text_object* t, bv_vec3 position,
                                  bv_quaternion rotation )
{
	bv_transform out = bv_transform_identity();
	expect( bv_transform_from_quaternion( rotation, position, &out ) == bv_ok, at, "a placement" );
	out.scale = t->scale;
	out.mirror = t->mirror;
	return out;
}

typedef struct text_key
{
	double time;
	bv_vec3 position;
	bv_quaternion rotation;
} text_key;

static void read_keys( const place* at, text_object* t )
{
	static const member members[] = { { "time", read_not_negative, offsetof( text_key, time ), true },
		                              { "position", read_vec3, offsetof( text_key, position ), false },
		                              { "rotation", read_rotation, offsetof( text_key, rotation ), false },
		                              { .name = NULL } };
	object* o = &t->object;
	place in_object = below( at, "keys" );
	for ( const cJSON* value = t->keys->child; value; value = value->next )
	{
		place here = element( &in_object, (int)o->key_count );
		text_key k = { .position = t->position, .rotation = t->rotation };
		read_members( &here, value, members, &k );
		place time = below( &here, "time" );
		expect( o->key_count > 0 ? k.time > o->keys[o->key_count - 1].time : k.time == 0, &time,
		        "times that ascend from 0" );
		o->keys = append( o->keys, o->key_count, sizeof *o->keys );
		o->keys[o->key_count++] = ( key ){ k.time, transform_of( &here, t, k.position, k.rotation ) };
	}
}

static uint32_t find_parent( const place* at, const char* name )
{
	const scene* s = at->scene;
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		if ( !strcmp( s->objects[i].name, name ) )
		{
			return i;
		}
	}
	place inside = below( at, "parent" );
	expect( false, &inside, "the name of an object before this one" );
	return 0;
}

static void check_motion( const place* at, const text_object* t )
{
	const object* o = &t->object;
	bool is_steady = bv_length( o->velocity ) > 0 || t->spin.angle != 0;
	place reply = below( at, "at-contact" );
	expect( !o->keys || !is_steady, at, "either keys or velocity and spin" );
	expect( o->reply != reply_bounce || ( !o->keys && !t->parent ), &reply,
	        "no bounce of an object with keys or a parent" );
}

static void read_object( const place* at, const cJSON* value )
{
	static const member members[] = {
		{ "name", read_string, offsetof( text_object, name ), true },
		{ "file", read_string, offsetof( text_object, file ), false },
		{ "parent", read_string, offsetof( text_object, parent ), false },
		{ "position", read_vec3, offsetof( text_object, position ), false },
		{ "rotation", read_rotation, offsetof( text_object, rotation ), false },
		{ "scale", read_positive, offsetof( text_object, scale ), false },
		{ "mirror", read_flag, offsetof( text_object, mirror ), false },
		{ "pivot", read_vec3, offsetof( text_object, object.pivot ), false },
		{ "group", read_group, offsetof( text_object, object.group ), false },
		{ "layer", read_layer, offsetof( text_object, object.category ), false },
		{ "mask", read_mask, offsetof( text_object, object.mask ), false },
		{ "keys", read_json, offsetof( text_object, keys ), false },
		{ "repeat", read_repeat, offsetof( text_object, object.repeat ), false },
		{ "velocity", read_vec3, offsetof( text_object, object.velocity ), false },
		{ "spin", read_turn, offsetof( text_object, spin ), false },
		{ "at-contact", read_reply, offsetof( text_object, object ), false },
		{ .name = NULL }
	};
	scene* s = at->scene;
	text_object t = { .rotation = bv_quaternion_identity(), .scale = 1, .spin = { { 0, 0, 1 }, 0 } };
	t.object.direction = 1;
	read_members( at, value, members, &t );
	object* o = &t.object;
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		place name = below( at, "name" );
		expect( strcmp( s->objects[i].name, t.name ) != 0, &name, "a name that no other object has" );
	}
	o->name = copy_of( t.name );
	o->file = t.file ? number_of_name( &s->file_names, &s->file_count, t.file ) : BVW_NO_FILE;
	o->parent = t.parent ? find_parent( at, t.parent ) : BVW_NO_NODE;
	o->spin_axis = t.spin.axis;
	o->spin = t.spin.angle;
	o->at = transform_of( at, &t, t.position, t.rotation );
	if ( t.keys )
	{
		read_keys( at, &t );
		o->at = o->keys[0].at;
	}
	check_motion( at, &t );
	s->objects = append( s->objects, s->object_count, sizeof *s->objects );
	s->objects[s->object_count++] = *o;
}

static void read_objects( const place* at, const cJSON* value, void* to )
{
	(void)to;
	int count = cJSON_GetArraySize( value );
	expect( cJSON_IsArray( value ) && count > 0 && count <= most_objects, at,
	        "an array of 1 to 100000 objects" );
	int i = 0;
	for ( const cJSON* child = value->child; child; child = child->next )
	{
		place here = element( at, i++ );
		read_object( &here, child );
	}
}

// An object without a group is in that of its parent, and replies to contacts as that does.
static void inherit( scene* s )
{
	for ( uint32_t i = 0; i < s->object_count; ++i )
	{
		object* o = s->objects + i;
		if ( o->parent == BVW_NO_NODE || o->group > 0 )
		{
			continue;
		}
		object* parent = s->objects + o->parent;
		if ( parent->group == 0 )
		{
			s->groups = append( s->groups, s->group_count, sizeof *s->groups );
			s->groups[s->group_count++] = copy_of( parent->name );
			parent->group = s->group_count;
		}
		o->group = parent->group;
		o->reply = o->has_reply || parent->reply == reply_bounce ? o->reply : parent->reply;
	}
}

// Files

char* read_file( const char* path, size_t* size )
{
	FILE* in = fopen( path, "rb" );
	// Of a folder, the size is the largest number.
	if ( !in || fseek( in, 0, SEEK_END ) || ftell( in ) < 0 || ftell( in ) == LONG_MAX )
	{
		if ( in )
		{
			fclose( in );
		}
		return NULL;
	}
	*size = (size_t)ftell( in );
	char* memory = allocate( *size + 1, 1 );
	rewind( in );
	size_t got = fread( memory, 1, *size, in );
	fclose( in );
	if ( got != *size )
	{
		free( memory );
		return NULL;
	}
	return memory;
}

// The path of a file, relative to the folder of the scene.
static char* beside( const char* scene_path, const char* name )
{
	const char* slash = strrchr( scene_path, '/' );
	size_t folder = slash && name[0] != '/' ? (size_t)( slash - scene_path ) + 1 : 0;
	char* out = allocate( folder + strlen( name ) + 1, 1 );
	memcpy( out, scene_path, folder );
	strcpy( out + folder, name );
	return out;
}

// The first object with a file.
static uint32_t user_of( const scene* s, uint32_t file )
{
	uint32_t i = 0;
	while ( s->objects[i].file != file )
	{
		++i;
	}
	return i;
}

static void open_files( scene* s )
{
	s->files = allocate( s->file_count + (size_t)1, sizeof *s->files );
	for ( uint32_t i = 0; i < s->file_count; ++i )
	{
		char* path = beside( s->path, s->file_names[i] );
		const char* reason = "cannot be read";
		size_t size = 0;
		char* memory = read_file( path, &size );
		bv_file_bounds bounds;
		bool is_open = memory && bv_file_open_explained( memory, size, s->files + i, &reason ) == bv_ok;
		if ( is_open && !bv_file_get_bounds( s->files[i], &bounds ) )
		{
			is_open = false;
			reason = "it has no hierarchy";
		}
		if ( !is_open )
		{
			fail( exit_input, "%s: objects[%u].file: %s: %s", s->path, user_of( s, i ), path, reason );
		}
		free( path );
	}
}

static int line_of( const char* text, const char* at )
{
	int line = 1;
	for ( ; text < at; ++text )
	{
		line += *text == '\n';
	}
	return line;
}

void scene_read( const char* path, scene* out )
{
	static const member members[] = {
		{ "frames", read_frames, offsetof( scene, frames ), true },
		{ "rate", read_positive, offsetof( scene, rate ), false },
		{ "budget", read_budget, 0, false },
		{ "gap-tests", read_tests, offsetof( scene, gap_tests ), false },
		{ "rule", read_rule, offsetof( scene, rule ), false },
		{ "method", read_method, offsetof( scene, method ), false },
		{ "mode", read_mode, offsetof( scene, mode ), false },
		{ "separation", read_not_negative, offsetof( scene, separation ), false },
		{ "ignore-touching", read_flag, offsetof( scene, ignore_touching ), false },
		{ "objects", read_objects, 0, true },
		{ .name = NULL }
	};
	*out = ( scene ){ .path = path, .rate = 60, .budget_tests = 8000, .gap_tests = 256 };
	size_t size = 0;
	char* text = read_file( path, &size );
	if ( !text )
	{
		fail( exit_input, "%s: cannot be read", path );
	}
	const char* end = text;
	cJSON* json = cJSON_ParseWithLengthOpts( text, size + 1, &end, true );
	if ( !json )
	{
		fail( exit_input, "%s:%d: not valid JSON", path, line_of( text, end ) );
	}
	place at = { .scene = out };
	expect( cJSON_IsObject( json ), &( place ){ .scene = out, .text = "scene" }, "an object" );
	read_members( &at, json, members, out );
	place mode = { .scene = out, .text = "separation" };
	expect( out->mode != bv_sweep_mode_mixed || out->separation == 0, &mode, "none with the mode mixed" );
	cJSON_Delete( json );
	free( text );
	inherit( out );
	open_files( out );
}
