// How the arguments that models write are understood, and what the redeeming tools answer.

import { Mismatch, same, shaped } from './check.mjs';
import { sha256, textOf } from './content.mjs';
import { SCOPE } from './check-ins.mjs';
import { SOME_SCOPE } from './reads.mjs';
import { Shelf } from './shelf.mjs';

const CALL = { arguments: 'string', refused: 'string|null', handle: 'string|null', offset: 'integer|null' };

export async function fetchCall(subject, value) {
  const { arguments: written, refused, handle, offset } = shaped(value, CALL);
  if (refused !== null) {
    same('handle and offset', [null, null], [handle, offset]);
    return isRefused(subject, 'fetch_result', written, refused);
  }
  same('first page asked for', Math.floor(offset / 16384), await asked(subject, 'fetch_result', written, handle));
  // The exact offset shows in what is answered, so the call is made again with the handle of a real content.
  const { note } = await answered(subject, 'fetch_result', written, handle, '0123456789'.repeat(4000));
  const start = offset >= 40_000 ? `[offset ${offset} is past the end` : `[characters ${offset} to `;
  same('start of the note', start, note.slice(0, start.length));
}

export async function findCall(subject, value) {
  const { arguments: written, refused, handle, text, offset } = shaped(value, { ...CALL, text: 'string|null' });
  if (refused !== null) {
    same('handle, text and offset', [null, null, null], [handle, text, offset]);
    return isRefused(subject, 'find_in_result', written, refused);
  }
  await asked(subject, 'find_in_result', written, handle);
  // What is searched for, and from where, shows in what is found.
  const content = haystack(text, offset);
  const reply = await answered(subject, 'find_in_result', written, handle, content);
  const expected = places(content, text, offset).slice(0, 20);
  for (const at of expected) same(`match at ${at} is listed`, true, `\n${reply.text}`.includes(`\n${at}: `));
  const count = ['no match', '1 match'][expected.length] ?? `${expected.length} matches`;
  const start = `[${count} from ${offset} on`;
  same('start of the note', start, reply.note.slice(0, start.length));
}

export async function fetchResult(subject, value) {
  const { scope, content, handle, offset, note, text_sha256 } = shaped(value, {
    scope: 'object',
    content: 'content',
    handle: 'string',
    offset: 'integer',
    note: 'string',
    text_sha256: 'string',
  });
  const reply = await stored(subject, scope, content, handle, 'fetch_result', { handle, offset });
  same('note', note, reply.note);
  same('text_sha256', text_sha256, sha256(reply.text));
}

export async function findResult(subject, value) {
  const { scope, content, handle, needle, offset, text, note } = shaped(value, {
    scope: 'object',
    content: 'content',
    handle: 'string',
    needle: 'string',
    offset: 'integer',
    text: 'string',
    note: 'string',
  });
  const reply = await stored(subject, scope, content, handle, 'find_in_result', { handle, text: needle, offset });
  same('text', text, reply.text);
  same('note', note, reply.note);
}

async function stored(subject, scope, content, handle, tool, args) {
  const shelf = new Shelf();
  same('handle of the content', handle, shelf.place(shaped(scope, SCOPE, 'the scope'), textOf(content)));
  return replied(await subject.open({ store: shelf }).answer(scope, tool, JSON.stringify(args)));
}

async function answered(subject, tool, written, handle, content) {
  const shelf = new Shelf();
  const real = shelf.place(SOME_SCOPE, content);
  return replied(await subject.open({ store: shelf }).answer(SOME_SCOPE, tool, withHandle(written, handle, real)));
}

function replied(answer) {
  if (answer.refused) throw new Mismatch(`expected a reply, got ${answer.code}`);
  return answer;
}

/** The call is refused with this code, and no store is asked. */
async function isRefused(subject, tool, written, code) {
  const shelf = new Shelf();
  const answer = await subject.open({ store: shelf }).answer(SOME_SCOPE, tool, written);
  same('code', code, answer.code);
  same('malformed', code === 'claim_unavailable', answer.cause?.absence === 'malformed');
  same('calls of the store', [], shelf.takeCalls());
}

/** The call asks an empty store for this handle, once; the first page that it asks for. */
async function asked(subject, tool, written, expected) {
  const shelf = new Shelf();
  const answer = await subject.open({ store: shelf }).answer(SOME_SCOPE, tool, written);
  const calls = shelf.takeCalls();
  same('calls of the store', 1, calls.length);
  const [{ call, scope, handle, first }] = calls;
  same('asked for', ['fetch', SOME_SCOPE, expected], [call, scope, handle]);
  same('cause', 'missing', answer.cause?.absence);
  return first;
}

/** The arguments, with another handle where this one stands. */
function withHandle(written, from, to) {
  const [old, real] = [from.slice('claim:'.length), to.slice('claim:'.length)];
  const replaced = written.replaceAll(old, real).replaceAll(old.toUpperCase(), real.toUpperCase());
  // Spelled with escapes or in mixed case: written anew, which keeps the offset's value.
  return replaced !== written ? replaced : JSON.stringify({ ...JSON.parse(written), handle: to });
}

/** All of the text, less at either end, and all of it again; the offset's distance before that, where a test can keep it. */
function haystack(text, offset) {
  const characters = Array.from(text);
  const around = `${characters.slice(0, -1).join('')}\x01${characters.slice(1).join('')}\x01${text}\x01`;
  return around + '\x01'.repeat(Math.min(Math.max(offset, 0), 200_000)) + around + around;
}

/** Where a needle stands from an offset on, ignoring case, without overlap; found the slow way. */
function places(content, needle, from) {
  const [haystack, sought] = [Array.from(content, fold), Array.from(needle, fold)];
  const found = [];
  for (let at = from; at + sought.length <= haystack.length; at++) {
    if (!sought.every((one, nth) => haystack[at + nth] === one)) continue;
    found.push(at);
    at += sought.length - 1;
  }
  return found;
}

/** The lower case of the upper case of a character where each is one character, else its lower case where that is. */
function fold(character) {
  const one = (text) => (Array.from(text).length === 1 ? text : undefined);
  const upper = one(character.toUpperCase());
  return (upper && one(upper.toLowerCase())) ?? one(character.toLowerCase()) ?? character;
}
