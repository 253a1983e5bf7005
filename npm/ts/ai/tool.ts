// The AI SDK's tools, as far as they are looked at here. Written down rather than imported: the package needs no `ai`
// to be installed, at run time or for its types.

import type { Scope } from '../scope.ts';

/** The fields of a tool that matter here. Every other one is carried over as it is. */
export interface Tool {
  readonly execute?: (input: unknown, options: CallOptions) => unknown;
  readonly toModelOutput?: (result: { toolCallId: string; input: unknown; output: unknown }) => unknown;
  readonly contextSchema?: unknown;
  readonly outputSchema?: unknown;
}

/** What the SDK calls a tool with, beside the model's input. */
export interface CallOptions {
  readonly toolCallId: string;
  /** The tool's own entry of `toolsContext`. */
  readonly context?: unknown;
  /** What the context was called up to version 6, when all tools had one. */
  readonly experimental_context?: unknown;
}

/** What a context holds for the claim check, beside whatever else the tool wants of it. */
export interface ClaimCheckContext {
  readonly claimCheck: Scope;
}

/** A schema by the Standard Schema and Standard JSON Schema conventions, which the SDK reads without being imported. */
export interface StandardSchema<Value> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validated<Value> | Promise<Validated<Value>>;
    readonly types?: { readonly input: unknown; readonly output: Value };
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
      readonly output: (options: { readonly target: string }) => Record<string, unknown>;
    };
  };
}

/** A value that fits a schema, or why it doesn't. */
export type Validated<Value> =
  | { readonly value: Value; readonly issues?: undefined }
  | { readonly issues: readonly { readonly message: string }[] };

/** What a model output is made of, of which there are more kinds than matter here. */
export interface ModelOutput {
  readonly type: string;
  readonly value?: unknown;
}

/** What a tool that streams returns. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return isObject(value) && typeof (value as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function';
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A tool with all that the given one has, inherited or hidden too, but for these fields; none where undefined. */
export function copyOf(tool: Tool, fields: { readonly [Name in keyof Tool]?: Tool[Name] | undefined }): Tool {
  const descriptors = Object.getOwnPropertyDescriptors(tool) as PropertyDescriptorMap;
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) delete descriptors[name];
    else descriptors[name] = { value, enumerable: true, writable: true, configurable: true };
  }
  return Object.create(Object.getPrototypeOf(tool), descriptors);
}
