// The core module: made from whatever the entry point brought along, at the first call that needs it.
//
// Not when it is imported, so that importing costs nothing and bundlers may reorder or drop what they like; and
// without waiting, so that `require()` works and there is nothing to await before the first call.

import { ClaimCheckError } from './errors.ts';
import * as glue from './wasm/core_bg.js';

export type Core = typeof glue;

let source: (() => WebAssembly.Module) | undefined;
let isReady = false;

/** Says where the core comes from. The first source counts: every one has the same core. */
export function provide(module: () => WebAssembly.Module): void {
  source ??= module;
}

/** The core, instantiated. */
export function core(): Core {
  if (!isReady) {
    if (source === undefined) {
      throw new ClaimCheckError(
        'not-initialised',
        "the core has not been loaded: call init() of 'claim-check/slim' first, or import 'claim-check' instead",
      );
    }
    // Not `instanceof WebAssembly.Module`, which a module of another realm fails, as on some edge platforms.
    const instance = new WebAssembly.Instance(source(), { './core_bg.js': glue as unknown as WebAssembly.ModuleImports });
    glue.__wbg_set_wasm(instance.exports);
    (instance.exports['__wbindgen_start'] as (() => void) | undefined)?.();
    isReady = true;
  }
  return glue;
}
