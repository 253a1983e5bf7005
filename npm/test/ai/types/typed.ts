// Compiled, never run: what TypeScript knows of wrapped tools, with the SDK's own types.

import { generateText, type InferToolInput, jsonSchema, type LanguageModel, tool, ToolLoopAgent, type ToolSet } from 'ai';
import { ClaimCheck, MemoryStore } from 'claim-check';
import { claimCheckContext, withClaimCheck } from 'claim-check/ai';
import { z } from 'zod';

declare const model: LanguageModel;
const claims = ClaimCheck.open({ store: new MemoryStore() });
const scope = { tenant: 'a', run: 'b' };
const prompt = 'go';

const plain = {
  search: tool({ description: 's', inputSchema: z.object({ query: z.string() }), execute: async ({ query }) => query.length }),
  client: tool({ inputSchema: jsonSchema<{ at: number }>({ type: 'object' }) }),
};
const own = {
  ...plain,
  keyed: tool({
    inputSchema: z.object({}),
    contextSchema: z.object({ key: z.string() }),
    execute: async (_, { context }) => context.key,
  }),
};

// A scope for one run: no context is asked for, and the types of inputs and outputs stay.
const fixed = withClaimCheck(plain, { claims, scope }) satisfies ToolSet;
const query: InferToolInput<typeof fixed.search>['query'] = 'text';
const handle: InferToolInput<typeof fixed.fetch_result>['handle'] = query;
const result = await generateText({ model, tools: fixed, prompt, activeTools: ['search', 'fetch_result', 'find_in_result'] });
for (const call of result.toolResults) {
  if (call.dynamic) continue;
  if (call.toolName === 'search') call.output.toFixed();
  if (call.toolName === 'fetch_result') call.output.toUpperCase();
}
new ToolLoopAgent({ model, tools: withClaimCheck(plain, { claims, scope: () => scope }) });

// A scope in the context: leaving it out does not compile, and the tools' own contexts go in with it.
const shared = withClaimCheck(own, { claims }) satisfies ToolSet;
const toolsContext = claimCheckContext(shared, scope, { keyed: { key: handle } });
await generateText({ model, tools: shared, prompt, toolsContext });
new ToolLoopAgent({ model, tools: shared, toolsContext });
// @ts-expect-error there is no toolsContext
await generateText({ model, tools: shared, prompt });
// @ts-expect-error the context of 'keyed' lacks its key
await generateText({ model, tools: shared, prompt, toolsContext: claimCheckContext(shared, scope) });
// @ts-expect-error a scope has a run
withClaimCheck(plain, { claims, scope: { tenant: 'a' } });
