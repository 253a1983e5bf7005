import type { ClaimCheck } from '../claim-check.ts';
import { type Carrier, wellFormed } from '../mcp/carrier.ts';
import { checkingIn, cutting } from './carry.ts';
import { carried, toModelOutput } from './result.ts';
import type { ScopeOf } from './scope.ts';
import { type CallOptions, copyOf, isAsyncIterable, isObject, type Tool } from './tool.ts';

/** The tool with its results carried through the claim check; every field that is not named here is as it was. */
export function wrapped(claims: ClaimCheck, name: string, tool: Tool, scopeOf: ScopeOf): Tool {
  // Not async: the SDK looks at what is returned to tell a stream of results from one result.
  const execute = (input: unknown, options: CallOptions): unknown => {
    const by = checkingIn(claims, scopeOf(name, options), name);
    const call = { toolCallId: options.toolCallId, input };
    let output: unknown;
    try {
      output = tool.execute!(input, options);
    } catch (error) {
      return bounded(error, by);
    }
    if (isAsyncIterable(output)) return each(output, (value, through) => carried(tool, call, value, through), by, cutting(claims));
    return Promise.resolve(output).then(
      (value) => carried(tool, call, value, by),
      (error: unknown) => bounded(error, by),
    );
  };
  // A ticket would not fit an output schema.
  return copyOf(tool, { execute, toModelOutput: toModelOutput(tool), outputSchema: undefined });
}

/**
 * Preliminary results as they come, cut where they are large: they are for whoever watches, and the model reads the
 * last one alone. That one is checked in once nothing follows it.
 */
async function* each(
  outputs: AsyncIterable<unknown>,
  carriedBy: (output: unknown, by: Carrier) => Promise<unknown>,
  last: Carrier,
  preliminary: Carrier,
): AsyncGenerator<unknown> {
  let [output, shown]: unknown[] = [];
  let isEmpty = true;
  try {
    for await (output of outputs) {
      isEmpty = false;
      shown = await carriedBy(output, preliminary);
      yield shown;
    }
  } catch (error) {
    await bounded(error, last);
  }
  if (isEmpty) return;
  const final = await carriedBy(output, last);
  if (final !== shown) yield final;
}

/** Throws the error, with a message that may enter the conversation: the model reads those, too. */
async function bounded(error: unknown, by: Carrier): Promise<never> {
  const message = messageOf(error);
  if (message === undefined) throw error;
  const { text } = await by.carry(wellFormed(message));
  if (text === message) throw error;
  const replacement = new Error(text, { cause: error });
  if (error instanceof Error) replacement.name = error.name;
  throw replacement;
}

/** What the SDK lets the model read of something thrown. */
function messageOf(thrown: unknown): string | undefined {
  if (thrown instanceof Error) return thrown.message;
  if (!isObject(thrown)) return typeof thrown === 'string' ? thrown : undefined;
  try {
    return JSON.stringify(thrown);
  } catch {
    return undefined;
  }
}
