// Instances of the component, and the road of a call through one.

import { decode } from '../hexadecimal.ts';
import type { StoreError } from '../store.ts';
import { instantiate, type Root } from './generated/claim_check.js';
import { modules } from './generated/modules.js';
import { importsOf, type SyncClaimStore } from './store.ts';

const compiled = new Map<string, WebAssembly.Module>();

function moduleOf(name: string): WebAssembly.Module {
  const module = compiled.get(name) ?? new WebAssembly.Module(decode(modules[name]!));
  compiled.set(name, module);
  return module;
}

/** What the component refused with: a value of the contract, never an `Error`. */
export interface Refused {
  readonly payload: unknown;
  /** What the store threw during the call, where it did. */
  readonly stored: StoreError | undefined;
}

interface Instance {
  readonly root: Root;
  /** What the store threw since this was cleared. */
  stored: StoreError | undefined;
}

/** Instances over one store. A call has one for itself, so a store that calls back finds another one. */
export class Instances {
  readonly #store: SyncClaimStore;
  #idle: Instance | undefined;

  constructor(store: SyncClaimStore) {
    this.#store = store;
  }

  /**
   * The component's answer, or what it refused with.
   *
   * An instance that threw anything else (a trap, say) can't be entered again, and is dropped.
   */
  call<T>(use: (root: Root) => T): { readonly answer: T } | { readonly refused: Refused } {
    const instance = this.#idle ?? this.#make();
    this.#idle = undefined;
    instance.stored = undefined;
    try {
      const answer = use(instance.root);
      this.#idle = instance;
      return { answer };
    } catch (thrown) {
      if (thrown instanceof Error) throw thrown;
      this.#idle = instance;
      return { refused: { payload: thrown, stored: instance.stored } };
    }
  }

  /** The component's answer; what it refused with is thrown, as the error that `errorOf` makes of it. */
  answerOf<T>(use: (root: Root) => T, errorOf: (refused: Refused) => Error): T {
    const came = this.call(use);
    if ('refused' in came) throw errorOf(came.refused);
    return came.answer;
  }

  #make(): Instance {
    const instance: { root?: Root; stored: StoreError | undefined } = { stored: undefined };
    const imports = importsOf(this.#store, (stored) => (instance.stored = stored));
    instance.root = instantiate(moduleOf, imports);
    return instance as Instance;
  }
}
