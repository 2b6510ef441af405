// SHA-256, by which a page's policy names the scripts that may run.

#pragma once

#include <stddef.h>
#include <stdint.h>

/// The digest of some bytes (FIPS 180-4), most significant byte first.
void bvhtml_sha256( const void* data, size_t size, uint8_t digest[32] );
