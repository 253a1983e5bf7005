// The AI SDK, versions 6 and 7.
//
// Relative imports, of what holds no core: the one that came with 'claim-check', or with 'claim-check/slim', is used.

import { redeemingTools, type RedeemingTools, type RedeemingToolsInContext } from './ai/redeeming.ts';
import { checked, contextSchema, fromContext, type ScopeOf } from './ai/scope.ts';
import { type ClaimCheckContext, copyOf, type Tool } from './ai/tool.ts';
import { wrapped } from './ai/wrap.ts';
import * as check from './arguments.ts';
import { ClaimCheck } from './claim-check.ts';
import type { Scope } from './scope.ts';

export type { RedeemingTool, RedeemingTools, RedeemingToolsInContext } from './ai/redeeming.ts';
export type { CallOptions, ClaimCheckContext, StandardSchema, Validated } from './ai/tool.ts';

/** Tools of the AI SDK, by name. */
export type Tools = { readonly [name: string]: object };

/** Whose results they are, where a tool set is made for one run, or where the run is known otherwise. */
export interface FixedScope {
  readonly claims: ClaimCheck;
  /** The scope of every call, or what gives it at a call, from an `AsyncLocalStorage` say. */
  readonly scope: Scope | (() => Scope);
}

/** Whose results they are, where one tool set serves every run: each call's context says it. */
export interface ScopeInContext {
  readonly claims: ClaimCheck;
  readonly scope?: undefined;
}

/** Every `execute` that was made here: by it a tool is known again, whatever it is called and copied into. */
const made = new WeakSet<object>();

/**
 * The tools, with their large results checked in, and the tools that redeem the handles.
 *
 * Every result of a tool with an `execute` is carried as {@link ClaimCheck.carry} does it, so a store that fails means
 * a cut result and an event, and the run goes on. What is replaced is the tool's result, so steps, messages and saved
 * chats hold the ticket:
 *
 * - A string, or the JSON of anything else, is replaced by the ticket, as a string; where a tool has its own
 *   `toModelOutput`, what that makes for the model is what counts. Of its text parts the longest is carried by itself,
 *   and all others as one, a line break between two; images and files stay. A result in the shape of MCP's keeps that
 *   shape, and loses its `structuredContent` where it is replaced.
 * - Of an async iterable the last value is checked in. The preliminary ones before it are for whoever watches: they are
 *   cut at 8000 characters, not kept, and not made harmless.
 * - What a tool throws is thrown again; where its message is too large or had to be made harmless, as an `Error` with
 *   what the model may read, the name of the one that was thrown, and that one as its `cause`.
 * - A lone surrogate becomes U+FFFD, where the model sees it.
 *
 * Small results, tools without `execute` and every other field of a tool are as they were, but for `outputSchema`,
 * which a ticket would not fit, and which is dropped.
 *
 * Handles must not become dead ends, which the SDK's settings can make of them: a loop has to go on after a tool call
 * (`stopWhen`; the default of `generateText` is one step), and `activeTools`, where used, has to name `claims.fetchTool`
 * and `claims.findTool`. Neither can be seen from here.
 *
 * @throws ClaimCheckError `invalid-argument` where a tool has a redeeming tool's name already (open the claim check
 * with other names) or has a claim check already; `invalid-scope`.
 */
export function withClaimCheck<T extends Tools>(tools: T, options: FixedScope): T & RedeemingTools;
/**
 * The same for one set of tools that serves every run. The tenant and the run are taken from the `claimCheck` of each
 * tool's own context, of which {@link claimCheckContext} makes the map; a call without is an error of the whole call,
 * before the tool runs.
 */
export function withClaimCheck<T extends Tools>(tools: T, options: ScopeInContext): T & RedeemingToolsInContext;
export function withClaimCheck(tools: Tools, options: FixedScope | ScopeInContext): Tools {
  const { claims, scope } = check.record(options, 'the options', ['claims', 'scope']);
  if (!(claims instanceof ClaimCheck)) throw check.wrong('claims must be a ClaimCheck, from ClaimCheck.open()');
  const isScopeInContext = scope === undefined;
  const scopeOf = scopeSource(scope);
  const redeeming = redeemingTools(claims, scopeOf);
  const names = redeeming.map(([name]) => name);

  const all = Object.entries(check.record(tools, 'tools')).map(([name, given]): [string, Tool] => {
    check.text(name, "a tool's name");
    const tool: Tool = check.record(given, `the tool '${name}'`);
    if (tool.execute !== undefined && made.has(tool.execute)) {
      throw check.wrong(`the tool '${name}' has a claim check already: give withClaimCheck() the tools as they were`);
    }
    if (names.includes(name)) {
      throw check.wrong(
        `there is a tool '${name}' already, and no handle could be redeemed: open the claim check with another ` +
          'fetchTool or findTool',
      );
    }
    return [name, tool.execute === undefined ? tool : wrapped(claims, name, tool, scopeOf)];
  });

  for (const entry of [...all, ...redeeming]) {
    const [name, tool] = entry;
    if (tool.execute === undefined) continue;
    made.add(tool.execute);
    if (isScopeInContext) entry[1] = copyOf(tool, { contextSchema: contextSchema(name, tool.contextSchema) });
  }
  return Object.fromEntries([...all, ...redeeming]);
}

/** Where the scope of a call comes from. */
function scopeSource(scope: unknown): ScopeOf {
  if (scope === undefined) return fromContext;
  if (typeof scope === 'function') return () => checked(scope());
  const fixed = checked(scope);
  return () => fixed;
}

/**
 * `toolsContext` for tools that {@link withClaimCheck} made: the scope for each of them, beside the contexts that they
 * have of their own. (Version 6 has one context for all: `experimental_context: { claimCheck: scope }`.)
 */
export function claimCheckContext<T extends Tools, Own extends { readonly [name: string]: object } = {}>(
  tools: T,
  scope: Scope,
  own?: Own,
): { [Name in keyof T]: ClaimCheckContext & (Name extends keyof Own ? Own[Name] : unknown) } {
  const claimCheck = checked(scope);
  const entry = (name: string): [string, object] => [name, { ...own?.[name], claimCheck }];
  return Object.fromEntries(Object.keys(tools).map(entry)) as never;
}
