// Every runtime that may compile WebAssembly: the core is inside, as text, and no file, network or bundler plug-in is
// needed.

import { decode } from './base64.ts';
import { provide } from './core.ts';
import { base64 } from './wasm/core_base64.js';

provide(() => new WebAssembly.Module(decode(base64)));

export * from './index.ts';
