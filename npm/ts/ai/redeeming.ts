import type { ClaimCheck } from '../claim-check.ts';
import type { JsonSchema } from '../tools.ts';
import type { ScopeOf } from './scope.ts';
import type { CallOptions, ClaimCheckContext, StandardSchema, Tool } from './tool.ts';

/** A tool that redeems handles. */
export interface RedeemingTool<Input> {
  readonly description: string;
  readonly inputSchema: StandardSchema<Input>;
  readonly execute: (input: Input, options: CallOptions) => Promise<string>;
}

/** The redeeming tools under their default names. A claim check with names of its own has them under those. */
export type RedeemingTools = {
  /** Returns a window of a checked-in result. */
  readonly fetch_result: RedeemingTool<{ handle: string; offset?: number }>;
  /** Finds a text in a checked-in result. */
  readonly find_in_result: RedeemingTool<{ handle: string; text: string; offset?: number }>;
};

/** The redeeming tools, where each call's context says whose it is. */
export type RedeemingToolsInContext = {
  readonly [Name in keyof RedeemingTools]: RedeemingTools[Name] & {
    readonly contextSchema: StandardSchema<ClaimCheckContext>;
  };
};

/** The redeeming tools of a claim check, by name. What they return is what the model reads, text and note in one. */
export function redeemingTools(claims: ClaimCheck, scopeOf: ScopeOf): [string, Tool][] {
  return claims.tools('mcp').map(({ name, description, inputSchema }) => {
    const execute = async (input: unknown, options: CallOptions): Promise<string> =>
      (await claims.answer(scopeOf(name, options), name, input)).rendered;
    const tool = { description, inputSchema: forgiving(inputSchema), execute };
    return [name, tool];
  });
}

/** Tells the model what the schema says, and takes what it then writes: `answer` understands more, or says what is wrong. */
function forgiving(schema: JsonSchema): StandardSchema<unknown> {
  // A copy each time: the SDK adds to what it is given.
  const copy = (): Record<string, unknown> => structuredClone(schema);
  const jsonSchema = { input: copy, output: copy };
  return { '~standard': { version: 1, vendor: 'claim-check', validate: (value) => ({ value }), jsonSchema } };
}
