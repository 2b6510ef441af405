// What page.html starts: the package in a worker of a browser.

import { answers } from './answers.mjs';
import * as bv from './npm/index.js';

onmessage = async ( { data } ) => postMessage( await answers( bv, data ) );
