// What a store hands back and whether it is taken; which characters a window has; where a needle is found.

import { Mismatch, refusal, same, shaped } from './check.mjs';
import { sha256, textOf } from './content.mjs';
import { SCOPE } from './check-ins.mjs';
import { Shelf } from './shelf.mjs';

const PAGE_CHARS = 16384;
const WINDOW_CHARS = 4096;
/** The scope of the cases that name none. */
export const SOME_SCOPE = { tenant: 'acme', run: 'run_1' };

export async function claim(subject, value) {
  const { scope, handle, manifest, first_page, pages, offset, verdict } = shaped(value, {
    why: 'string',
    scope: 'object',
    handle: 'string',
    manifest: 'string',
    first_page: 'integer',
    pages: 'array',
    offset: 'integer',
    verdict: 'string',
  });
  const shelf = new Shelf();
  shelf.lie = { manifest, pages: pages.map(textOf) };
  const claims = subject.open({ store: shelf });
  const read = () => claims.fetch(shaped(scope, SCOPE, 'the scope'), handle, { offset, maxChars: WINDOW_CHARS });
  if (verdict === 'ok') {
    const window = await read();
    const start = offset - first_page * PAGE_CHARS;
    const text = Array.from(shelf.lie.pages.join('')).slice(start, start + WINDOW_CHARS).join('');
    same('window', { text, offset }, { text: window.text, offset: window.offset });
  } else if (verdict === 'damaged') {
    const error = await refusal(read, 'read');
    same('read', ['claim-unavailable', 'damaged'], [error.code, error.absence]);
  } else {
    throw new Mismatch(`no verdict that this runner knows: ${verdict}`);
  }
  const asked = shelf.takeCalls().map(({ call, scope, handle, first }) => ({ call, scope, handle, first }));
  same('asked for', [{ call: 'fetch', scope, handle, first: first_page }], asked);
}

/** A document, placed once for all that is read of it. */
function placed(subject, { content, chars }) {
  const text = textOf(content);
  const characters = Array.from(text);
  const shelf = new Shelf();
  const handle = shelf.place(SOME_SCOPE, text);
  return { claims: subject.open({ store: shelf }), handle, characters, chars: chars ?? characters.length };
}

export function windows(subject, value) {
  const document = shaped(value, { content: 'content', chars: 'integer?', reads: 'array' }, 'the document');
  const { claims, handle, characters, chars } = placed(subject, document);
  return document.reads.map((read) => async () => {
    const { offset, max_chars, error, ...expected } = shaped(read, {
      offset: 'integer',
      max_chars: 'integer',
      error: 'string?',
      chars: 'integer?',
      next_offset: 'integer?|null',
      text_sha256: 'string?',
    });
    same('characters of the document', chars, characters.length);
    const call = () => claims.fetch(SOME_SCOPE, handle, { offset, maxChars: max_chars });
    if (error !== undefined) {
      same('a window beside the error', {}, expected);
      same('error', error, (await refusal(call, 'read')).code);
      return;
    }
    const window = await call();
    same('window', { next_offset: null, ...expected }, {
      chars: Array.from(window.text).length,
      next_offset: window.nextOffset ?? null,
      text_sha256: sha256(window.text),
    });
    same('offset and total', [offset, chars], [window.offset, window.chars]);
  });
}

export function finds(subject, value) {
  const document = shaped(value, { content: 'content', chars: 'integer?', queries: 'array' }, 'the document');
  const { claims, handle, characters, chars } = placed(subject, document);
  return document.queries.map((query) => async () => {
    const { needle, offset, max_matches, error, offsets, next_offset, first } = shaped(query, {
      needle: 'string',
      offset: 'integer',
      max_matches: 'integer',
      error: 'string?',
      offsets: 'array?',
      next_offset: 'integer?|null',
      first: 'object?|null',
    });
    same('characters of the document', chars, characters.length);
    const call = () => claims.find(SOME_SCOPE, handle, needle, { offset, maxMatches: max_matches });
    if (error !== undefined) {
      same('a finding beside the error', [undefined, undefined, undefined], [offsets, next_offset, first]);
      same('error', error, (await refusal(call, 'search')).code);
      return;
    }
    const { matches, nextOffset } = await call();
    same('offsets', offsets, matches.map((found) => found.offset));
    same('next_offset', next_offset ?? null, nextOffset ?? null);
    const spelled = ({ offset, snippet, snippetOffset }) => ({ offset, snippet, snippet_offset: snippetOffset });
    same('first', first ?? null, matches.length > 0 ? spelled(matches[0]) : null);
    // The vectors give the first snippet alone; every other one is checked to be word for word.
    for (const { snippet, snippetOffset } of matches) {
      const length = Array.from(snippet).length;
      same('snippet', characters.slice(snippetOffset, snippetOffset + length).join(''), snippet);
    }
  });
}
