// The three ways to the core's bytes are one.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../dist/hexadecimal.js';
import { hexadecimal } from '../dist/wasm/core_hexadecimal.js';

const CORE = readFileSync(new URL('../dist/wasm/core_bg.wasm', import.meta.url));

/** Decodes with a global or a static method of another kind, or none. */
function decoded(holder, name, value) {
  const before = Object.getOwnPropertyDescriptor(holder, name);
  Object.defineProperty(holder, name, { value, configurable: true, writable: true });
  try {
    return decode(hexadecimal);
  } finally {
    if (before) Object.defineProperty(holder, name, before);
    else delete holder[name];
  }
}

test('by the method of the language, by Node and by hand', () => {
  const { Buffer } = globalThis;
  let calls = 0;
  const fromHex = (text) => (calls++, Uint8Array.from(Buffer.from(text, 'hex')));
  assert.deepEqual([Buffer.compare(decoded(Uint8Array, 'fromHex', fromHex), CORE), calls], [0, 1]);
  assert.equal(Buffer.compare(decoded(Uint8Array, 'fromHex', undefined), CORE), 0);
  const here = Object.getOwnPropertyDescriptor(Uint8Array, 'fromHex');
  delete Uint8Array.fromHex;
  const byHand = decoded(globalThis, 'Buffer', undefined);
  if (here) Object.defineProperty(Uint8Array, 'fromHex', here);
  assert.equal(Object.getPrototypeOf(byHand), Uint8Array.prototype);
  assert.equal(Buffer.compare(byHand, CORE), 0);
});
