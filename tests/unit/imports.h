// What the tests of readers share: a fixture, reading exactly the bytes of a text, and what is expected of the
// result. A test that includes this defines read_bytes.

#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bvbuild/import.h"

#include <stdlib.h>
#include <string.h>

typedef struct fixture
{
	bvb_arena* arena;
	bvb_import import;
	bvb_error error;
	uint64_t random;
} fixture;

static inline int set_up( void** state )
{
	fixture* f = calloc( 1, sizeof *f );
	f->arena = bvb_arena_create();
	f->random = 88172645463325252u;
	*state = f;
	return f->arena ? 0 : -1;
}

static inline int tear_down( void** state )
{
	fixture* f = *state;
	bvb_arena_destroy( f->arena );
	free( f );
	return 0;
}

// Marsaglia's xorshift64.
static inline uint64_t random_bits( fixture* f )
{
	f->random ^= f->random << 13;
	f->random ^= f->random >> 7;
	f->random ^= f->random << 17;
	return f->random;
}

typedef bv_status reader( const char* file, const char* data, size_t size, bvb_arena* arena, bvb_import* out,
                          bvb_error* error );

static inline bv_status read_exactly( fixture* f, reader* read, const char* file, const void* bytes,
                                      size_t size )
{
	// A copy without anything behind it, so that AddressSanitizer sees every byte too many.
	char* exact = malloc( size ? size : 1 );
	assert_non_null( exact );
	memcpy( exact, bytes, size );
	memset( &f->import, 0, sizeof f->import );
	f->error.message[0] = 0;
	bv_status status = read( file, exact, size, f->arena, &f->import, &f->error );
	free( exact );
	assert_true( ( status == bv_ok ) == ( f->error.message[0] == 0 ) );
	return status;
}

static bv_status read_bytes( fixture* f, const void* bytes, size_t size );

// What is read, and which warning is given.
static inline void expect_noted( fixture* f, const void* bytes, size_t size, uint32_t triangles,
                                 uint64_t warnings, uint64_t losses, const char* warning )
{
	bv_status status = read_bytes( f, bytes, size );
	assert_string_equal( f->error.message, "" );
	assert_int_equal( status, bv_ok );
	assert_int_equal( f->import.scene.mesh.triangle_count, triangles );
	assert_int_equal( f->import.warnings, warnings );
	assert_int_equal( f->import.losses, losses );
	assert_string_equal( f->import.warning ? f->import.warning : "", warning );
}
