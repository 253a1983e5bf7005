// What the conversation carries for a result, and what the store was given.

import { same, shaped } from './check.mjs';
import { claimOf, textOf } from './content.mjs';
import { optionsOf } from './settings.mjs';
import { Shelf } from './shelf.mjs';

const CASE = {
  settings: 'object',
  scope: 'object',
  tool: 'string',
  content: 'content',
  chars: 'integer?',
  outcome: 'string',
  text: 'string|null',
  ticket: 'object|null',
  manifest: 'string|null',
};
const TICKET = {
  handle: 'string',
  chars: 'integer',
  head: 'string',
  notice: 'string',
  tail: 'string',
  rendered: 'string',
  next_offset: 'integer',
  ttl_seconds: 'integer',
};
export const SCOPE = { tenant: 'string', run: 'string' };

export async function checkIn(subject, value) {
  const { settings, scope, tool, content: spelled, chars, outcome, text, ticket, manifest } = shaped(value, CASE);
  shaped(scope, SCOPE, 'the scope');
  const [shelf, options, content] = [new Shelf(), optionsOf(settings), textOf(spelled)];
  if (chars !== undefined) same('characters of the content', chars, Array.from(content).length);

  const came = await subject.open({ ...options, store: shelf }).checkIn(scope, tool, content);
  const calls = shelf.takeCalls();
  same('outcome', outcome, came.kind);
  if (came.kind !== 'checked-in') {
    same('text', text ?? content, came.rendered);
    same('text is there', came.kind === 'neutralised', text !== null);
    same('ticket and manifest', [null, null], [ticket, manifest]);
    same('calls of the store', [], calls);
    return;
  }
  same('text', null, text);
  const { nextOffset, ttlSeconds, ...rest } = came.ticket;
  const got = { ...rest, next_offset: nextOffset, ttl_seconds: ttlSeconds };
  shaped(ticket, TICKET, 'the ticket');
  for (const field of Object.keys(TICKET)) same(field, ticket[field], got[field]);
  same('ticket', ticket, got);
  same('rendered', ticket.rendered, came.rendered);

  same('calls of the store', 1, calls.length);
  const [{ call, claim, ...put }] = calls;
  same('put to', { call: 'put', scope, handle: ticket.handle, ttlSeconds }, { call, ...put });
  same('manifest', manifest, claim.manifest);
  // The pages are the content, and the manifest is theirs, worked out here.
  same('claim', claimOf(options.neutralise === false ? content : subject.neutralise(content)), claim);
}
