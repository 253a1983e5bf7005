// Whose result it is: from what the caller of the SDK passes, never from what the model writes.

import * as check from '../arguments.ts';
import { core } from '../core.ts';
import { ClaimCheckError, calling } from '../errors.ts';
import type { Scope } from '../scope.ts';
import { type CallOptions, isObject, type StandardSchema, type Validated } from './tool.ts';

/** The scope of one call of one tool. */
export type ScopeOf = (tool: string, options: CallOptions) => Scope;

/** A scope that is one: what is refused here is refused before a tool has run, so that no result is lost over it. */
export function checked(value: unknown): Scope {
  const scope = check.scope(value);
  calling(() => core().validateErasure(scope.tenant, scope.run));
  return scope;
}

/** The scope from a call's context. */
export function fromContext(tool: string, { context, experimental_context }: CallOptions): Scope {
  for (const given of [context, experimental_context]) {
    if (isObject(given) && given['claimCheck'] !== undefined) return checked(given['claimCheck']);
  }
  throw new ClaimCheckError('invalid-scope', missing(tool));
}

/**
 * The schema of a context that has a scope, beside what the tool's own schema says of the rest. With it a call without
 * `toolsContext` fails as a whole, at the tool's first use; without it every use of the tool would fail, and the
 * model, not the developer, would be told why.
 */
export function contextSchema(tool: string, own: unknown): StandardSchema<Record<string, unknown>> {
  const validate = async (value: unknown): Promise<Validated<Record<string, unknown>>> => {
    const { claimCheck, ...rest } = isObject(value) ? value : {};
    if (claimCheck === undefined) return { issues: [{ message: missing(tool) }] };
    let scope: Scope;
    try {
      scope = checked(claimCheck);
    } catch (error) {
      if (error instanceof ClaimCheckError) return { issues: [{ message: error.message }] };
      throw error;
    }
    const validated = own === undefined ? { value: rest } : await validatedBy(own, rest);
    if (validated.issues !== undefined) return { issues: validated.issues };
    return { value: { ...(validated.value as object), claimCheck: scope } };
  };
  const jsonSchema = { input: () => ({ type: 'object' }), output: () => ({ type: 'object' }) };
  return { '~standard': { version: 1, vendor: 'claim-check', validate, jsonSchema } };
}

/** The value, by any of the kinds of schema that the SDK takes: Standard Schema (Zod's are), its own, or a maker of one. */
async function validatedBy(schema: unknown, value: unknown): Promise<Validated<unknown>> {
  const { '~standard': standard } = schema as Partial<StandardSchema<unknown>>;
  if (standard !== undefined) return standard.validate(value);
  if (typeof schema === 'function') return validatedBy(schema(), value);
  const { validate } = schema as { validate?: (value: unknown) => unknown };
  if (validate === undefined) return { value };
  const result = (await validate(value)) as { success: boolean; value?: unknown; error?: Error };
  return result.success ? { value: result.value } : { issues: [{ message: result.error?.message ?? 'it does not fit' }] };
}

function missing(tool: string): string {
  return (
    `the call of the tool '${tool}' has no tenant and run: pass toolsContext: claimCheckContext(tools, { tenant, run }), ` +
    'or give withClaimCheck() a scope'
  );
}
