// workerd, which compiles no code at run time: the module is imported, compiled when the worker is deployed.

import { provide } from './core.ts';
import module from './wasm/core_bg.wasm';

provide(() => module);

export * from './index.ts';
