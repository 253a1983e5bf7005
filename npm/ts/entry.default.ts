// Every runtime that may compile WebAssembly: the core is inside, as text, and no file, network or bundler plug-in is
// needed.

import { provide } from './core.ts';
import { decode } from './hexadecimal.ts';
import { hexadecimal } from './wasm/core_hexadecimal.js';

provide(() => new WebAssembly.Module(decode(hexadecimal)));

export * from './index.ts';
