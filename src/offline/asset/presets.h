// Names of presets.

#pragma once

#include "bvbuild/asset.h"

enum
{
	bvasset_preset_count = 3,
};

/// @return the name of a preset; null past the last
const char* bvasset_preset_word( uint32_t index );
