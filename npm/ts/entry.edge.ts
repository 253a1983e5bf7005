// Edge runtimes that import a module with `?module`.

import { provide } from './core.ts';
import module from './wasm/core_bg.wasm?module';

provide(() => module);

export * from './index.ts';
