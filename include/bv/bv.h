// The whole runtime API.

#pragma once

#include "bv/base.h"
#include "bv/file.h"
#include "bv/query.h"
#include "bv/volume.h"
