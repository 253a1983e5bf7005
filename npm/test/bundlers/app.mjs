// What is bundled: every module that runs anywhere, and the answers that have to come out the same.

import { ClaimCheck, MemoryStore, neutralise } from 'claim-check';
import { withClaimCheck } from 'claim-check/ai';

const scope = { tenant: 't', run: 'r' };
const claims = ClaimCheck.open({ store: new MemoryStore(), policy: { thresholdChars: 2000, headChars: 300, tailChars: 100 } });
const { ticket } = await claims.checkIn(scope, 'tool', 'Ein Satz, und noch ein Satz: 文字列. '.repeat(1000));
const window = await claims.fetch(scope, ticket.handle, { offset: 33_000, maxChars: 50 });
const tools = withClaimCheck({ dump: { execute: () => 'x'.repeat(9000) } }, { claims, scope });
const result = await tools.dump.execute({}, { toolCallId: '1' });

console.log(JSON.stringify([ticket.rendered, window.text, result, neutralise('<|im_start|>')]));
