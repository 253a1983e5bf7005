// The package without the core inside, for whoever loads `claim-check/core.wasm` by other means: a host that must not
// compile code from text, a bundle that must be small, a CDN.

import { provide } from './core.ts';
import { ClaimCheckError } from './errors.ts';

export * from './index.ts';

/** What the core can be made from: a compiled module, its bytes, or a response that has them. */
export type CoreSource = WebAssembly.Module | ArrayBuffer | ArrayBufferView<ArrayBuffer> | Response;

/**
 * Makes the core from `claim-check/core.wasm`, once, before the first call that needs it.
 *
 * @throws ClaimCheckError `not-initialised`, where this is none of the things it can be made from, or a response that
 * is not a success. A `CompileError` of the runtime, where the bytes are not WebAssembly or may not be compiled here.
 */
export async function init(source: CoreSource | PromiseLike<CoreSource>): Promise<void> {
  const module = await compile(await source);
  provide(() => module);
}

async function compile(source: CoreSource): Promise<WebAssembly.Module> {
  const kind = Object.prototype.toString.call(source);
  if (kind === '[object WebAssembly.Module]') return source as WebAssembly.Module;
  if (kind === '[object Response]') {
    const response = source as Response;
    if (!response.ok) throw refused(`a response with status ${response.status}`);
    return WebAssembly.compile(await response.arrayBuffer());
  }
  if (kind === '[object ArrayBuffer]' || ArrayBuffer.isView(source)) {
    return WebAssembly.compile(source as ArrayBuffer | ArrayBufferView<ArrayBuffer>);
  }
  throw refused(kind);
}

function refused(what: string): ClaimCheckError {
  return new ClaimCheckError(
    'not-initialised',
    `init() was given ${what}: give it a WebAssembly.Module, the bytes of claim-check/core.wasm, or a response with them`,
  );
}
