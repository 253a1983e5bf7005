// Clients of the MCP SDK, versions 1 and 2.
//
// By their shape alone, so that no version of the SDK is imported. Relative imports of what holds no core: the one that
// came with 'claim-check', or with 'claim-check/slim', is used.

import * as check from './arguments.ts';
import { ClaimCheck } from './claim-check.ts';
import { checkingIn } from './mcp/carrier.ts';
import { applied } from './mcp/edits.ts';
import { encoded, parse, root } from './mcp/json.ts';
import { listingEdits, toolPage } from './mcp/listing.ts';
import { replyOf } from './mcp/reply.ts';
import { resultEdits } from './mcp/result.ts';
import type { Scope } from './scope.ts';

/** What a client must have. The `Client` of `@modelcontextprotocol/sdk` 1 and `@modelcontextprotocol/client` 2 has it. */
export interface McpClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...rest: never[]): Promise<object>;
  listTools(params?: { cursor?: string }, ...rest: never[]): Promise<object>;
}

/** How a client's results are checked in. */
export interface McpOptions {
  readonly claims: ClaimCheck;
  /** The scope of every call, or what gives it at a call. From your trusted context, never from the model. */
  readonly scope: Scope | (() => Scope);
  /** True where results with structured content are left as they are, whatever their size, and output schemas too. */
  readonly keepsStructured?: boolean;
  /**
   * True where you offer the model `claims.tools()` yourself. Unless it is, the redeeming tools have to be given out by
   * `listTools()` before the first `callTool()`.
   */
  readonly offersTools?: boolean;
}

const wrapped = new WeakSet<object>();

/**
 * The client, with large results checked in by its `callTool`, and the redeeming tools at the end of its `listTools`.
 * Everything else is the client's own, and the given client stays as it was.
 *
 * - Of a result's texts (text blocks, and embedded resources that are text) the longest is carried by itself, and all
 *   others as one, a line break between two. What is large becomes a ticket where it stood, with the claim in
 *   `_meta['claim-check/claims']`; a store that fails means a cut text. `structuredContent` then goes: it says the
 *   same again, or follows as a text of its own. Images, audio, links and errors' flags stay.
 * - Output schemas are left out of the list, for a ticket has none. The client itself still holds each result of the
 *   server to its schema, before it is replaced.
 * - A call of a redeeming tool is answered here, text and note as two blocks; a refusal has `isError: true`.
 *
 * The client's transport still has to take the whole message, 10 MiB in both SDKs unless `maxBufferSize` says more;
 * the proxy, `claim-check mcp`, takes it before that. Streams of tasks (`experimental.tasks`) are not replaced.
 *
 * @throws ClaimCheckError `invalid-argument` where the client lacks a method or has a claim check already;
 * `invalid-scope`. `callTool` rejects with `invalid-argument`, before the tool runs, where the model can't know the
 * redeeming tools; `listTools` where the server has a tool of the same name.
 */
export function withClaimCheck<Client extends McpClient>(client: Client, options: McpOptions): Client {
  const { claims, scope, keepsStructured, offersTools } = check.record(options, 'the options', [
    'claims',
    'scope',
    'keepsStructured',
    'offersTools',
  ]);
  if (!(claims instanceof ClaimCheck)) throw check.wrong('claims must be a ClaimCheck, from ClaimCheck.open()');
  const own = check.record(client, 'the client') as unknown as McpClient;
  for (const method of ['callTool', 'listTools'] as const) {
    if (typeof own[method] !== 'function') throw check.wrong(`the client has no method '${method}'`);
  }
  if (wrapped.has(own)) throw check.wrong('the client has a claim check already: wrap the client as it was');
  const keeps = check.optional(keepsStructured, 'keepsStructured', check.flag) ?? false;
  let isOffered = check.optional(offersTools, 'offersTools', check.flag) ?? false;
  const scopeOf = typeof scope === 'function' ? () => check.scope(scope()) : fixed(check.scope(scope));
  const names = new Set(claims.tools().map(({ name }) => name));

  const callTool: McpClient['callTool'] = async (params, ...rest) => {
    const { name } = check.record(params, 'the parameters');
    const whose = scopeOf();
    const tool = check.text(name, "the tool's name");
    if (names.has(tool)) return replyOf(await claims.answer(whose, tool, params.arguments ?? {}));
    if (!isOffered) {
      throw check.wrong(
        `the model can't know ${claims.fetchTool} yet, so a handle would be a dead end: call listTools() of this ` +
          'client first, up to its last page, or pass offersTools: true where you offer claims.tools() yourself',
      );
    }
    const result = await own.callTool(params, ...rest);
    const json = encoded(result);
    const by = { carrier: checkingIn(claims, whose, tool), keepsStructured: keeps };
    const edits = await resultEdits(json, root(json), by);
    return edits.length === 0 ? result : edited(json, edits);
  };

  const listTools: McpClient['listTools'] = async (params, ...rest) => {
    const result = await own.listTools(params, ...rest);
    const json = encoded(result);
    const page = toolPage(json, root(json));
    if (page === undefined) return result;
    const taken = page.names.find((name) => names.has(name));
    if (taken !== undefined) {
      throw check.wrong(
        `the server has a tool '${taken}', and no handle could be redeemed: open the claim check with another ` +
          'fetchTool or findTool. Behind the proxy of this package a client needs no claim check of its own',
      );
    }
    if (page.isLast) isOffered = true;
    const edits = listingEdits(json, root(json), keeps, page.isLast ? claims.tools() : []);
    return edits.length === 0 ? result : edited(json, edits);
  };

  const proxy = new Proxy(client, {
    get(target, property) {
      if (property === 'callTool') return callTool;
      if (property === 'listTools') return listTools;
      // The client's own methods see the client: it has private fields, which a proxy has not.
      const value: unknown = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    set: (target, property, value) => Reflect.set(target, property, value, target),
  });
  wrapped.add(proxy);
  return proxy;
}

function edited(json: Uint8Array, edits: Parameters<typeof applied>[1]): object {
  const next = applied(json, edits);
  return parse(next, { start: 0, end: next.length }) as object;
}

function fixed(scope: Scope): () => Scope {
  return () => scope;
}
