// The types of claim-check/mcp with those of both SDKs.
import { Client as Client2 } from '@modelcontextprotocol/client';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';

import { ClaimCheck, MemoryStore } from '../../../dist/index.js';
import { withClaimCheck } from '../../../dist/mcp.js';

const claims = ClaimCheck.open({ store: new MemoryStore() });
const scope = { tenant: 't', run: 'r' };

const one: Client1 = withClaimCheck(new Client1({ name: 'n', version: '1' }), { claims, scope });
const two: Client2 = withClaimCheck(new Client2({ name: 'n', version: '1' }), { claims, scope: () => scope });
const kept = withClaimCheck(two, { claims, scope, keepsStructured: true, offersTools: true });
export const results: Promise<unknown>[] = [one.callTool({ name: 'x' }), kept.callTool({ name: 'x', arguments: {} })];

// @ts-expect-error No scope.
withClaimCheck(one, { claims });
// @ts-expect-error No client.
withClaimCheck({}, { claims, scope });
