// The check-in's rules in plain JavaScript, with node:crypto: what the package would be without its core. It is held to
// the same vectors before it is timed, but for one thing: Node has no BLAKE3, so pages are hashed with SHA-256, which
// processors have instructions for.

import { createHash } from 'node:crypto';

const PAGE_CHARS = 16384;

const SEQUENCES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(?:\x1b\[|\x9b)[0-?]*[ -/]*([@-~])|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\n\r\x1b\x07\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)|\x1b[()*+\-./#%][0-~]|\x1b[@-OQ-WYZ\\78=>c]/gu;
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,10}\u{e007f})|([\x0b\x0c\x85])|([\0\x1c-\x1f])|[\x01-\x08\x0e-\x1b\x7f-\x9f\u202a-\u202e\u2066-\u206f\u2060-\u2064\u200b\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;
const SELECTORS = /([\ufe00-\ufe0f\u{e0100}-\u{e01ef}])[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]+/gu;
const JOINERS = /([\u200c\u200d])[\u200c\u200d]+/gu;
const [N, S] = ['\\d[\\d,._]{0,25}', '\\s{1,8}'];
const notice = (words) => words.replaceAll(' ', S).replaceAll('N', N);
const AFTER_FIRST = {
  '<': [
    '\\/?\\|\\/?[a-z0-9_./\\-▁]{1,64}\\|>',
    '\\|[a-z0-9_]{1,32}>',
    '[a-z0-9_]{1,32}\\|>',
    '\\/?｜[^<>\\n]{1,80}>',
    '<\\/?SYS>>',
    '\\/?(?:start_of_turn|end_of_turn|tool_calls?|tool_responses?|tool_results?)>',
  ],
  '\\[': [
    '\\|[a-z0-9_]{1,32}\\|\\]',
    '\\/?(?:INST|SYSTEM_PROMPT|TOOL_RESULTS|TOOL_CALLS|AVAILABLE_TOOLS|TOOL_CONTENT)\\]',
    'e~\\[',
    notice('N characters, N not shown\\.'),
    notice('N characters, cut after N\\.'),
    notice('characters N to N of N'),
    notice('offset N is past the end'),
    notice('N match(?:es)? from N on'),
    notice('no match from N on'),
  ],
  '\\]': ['~!?b[\\[\\]]'],
};
const MARKERS = new RegExp(
  Object.entries(AFTER_FIRST).map(([first, rest]) => `${first}(?=${rest.join('|')})`).join('|'),
  'gi',
);

/** The text made harmless. */
export function neutralise(text) {
  return text
    .replace(SEQUENCES, (_, final) => (final !== undefined && /[A-Hdf]/.test(final) ? ' ' : ''))
    .replace(INVISIBLE, (_, flag, line, space) => flag ?? (line ? '\n' : space ? ' ' : ''))
    .replace(SELECTORS, '$1')
    .replace(JOINERS, '$1')
    .replace(MARKERS, '$& ');
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });
const WHITE = /^\s$/u;
const isWhite = (character) => character !== undefined && (character === '\x85' || (character !== '\ufeff' && WHITE.test(character)));
const isLineEnd = (character) => character === '\n' || character === '\r';
const CLOSERS = new Set(`"')]}»”’」』）】》`);
const [ENDS, WIDE_ENDS] = [new Set('.!?…؟۔।॥։'), new Set('。！？｡။።។')];
const [SOFT, OPEN] = [new Set(',;}])>、，；'), new Set(',;}])>')];
const INSIDE = /^[\p{Alphabetic}\p{N}_/.-]$/u;

/** The head of at most so many characters. */
export function head(text, most) {
  const start = text.slice(0, (most + 64) * 2);
  const boundaries = new Set();
  const characters = [];
  for (const { segment } of graphemes.segment(start)) {
    characters.push(...segment);
    if (characters.length > most) break;
    boundaries.add(characters.length);
  }
  const best = { natural: 0, firm: 0, soft: 0, any: 0 };
  let isBlank = true;
  for (let at = 1; at <= Math.min(most, characters.length); at++) {
    const [last, next] = [characters[at - 1], characters[at]];
    isBlank &&= isWhite(last);
    if (!boundaries.has(at)) continue;
    best.any = at;
    if (isBlank) continue;
    let end = at - 1;
    while (end > 0 && CLOSERS.has(characters[end])) end--;
    const isSentence = (ENDS.has(characters[end]) && isWhite(next)) || (WIDE_ENDS.has(characters[end]) && !CLOSERS.has(next));
    if (isLineEnd(next) || isSentence) best.natural = at;
    if ((isWhite(next) && !isWhite(last)) || SOFT.has(last)) {
      best.soft = at;
      if (!(OPEN.has(last) && next !== undefined && INSIDE.test(next))) best.firm = at;
    }
  }
  const half = Math.ceil(most / 2);
  const kinds = [best.natural, best.firm, best.soft];
  const end = kinds.find((at) => at >= half) ?? (kinds.find((at) => at > 0) || best.any || most);
  let cut = characters.slice(0, end);
  while (cut.length > 0 && isWhite(cut.at(-1))) cut = cut.slice(0, -1);
  return cut.join('');
}

const hex = (text) => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** Everything of a check-in up to the store's door. */
export function checkIn({ tenant, run }, content, { thresholdChars = 4096, headChars = 512 } = {}) {
  const text = neutralise(content);
  const pages = [];
  let [chars, start, inPage] = [0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) at++;
    chars++;
    if (++inPage === PAGE_CHARS) {
      pages.push(text.slice(start, at + 1));
      [start, inPage] = [at + 1, 0];
    }
  }
  if (start < text.length) pages.push(text.slice(start));
  if (chars <= thresholdChars) return { rendered: text };
  const lines = pages.map((page) => `${hex(page)}\n`).join('');
  const header = `claim/1\nchars ${chars}\nbytes ${Buffer.byteLength(text)}\npage-chars ${PAGE_CHARS}\nroot ${hex(lines)}\n`;
  const hash = createHash('sha256').update('claim-check/handle/1\0');
  for (const part of [tenant, run]) {
    const length = Buffer.alloc(8);
    length.writeUInt32LE(Buffer.byteLength(part));
    hash.update(length).update(part);
  }
  const handle = `claim:${hash.update(header).digest('hex').slice(0, 32)}`;
  const shown = head(text, headChars);
  const hidden = chars - [...shown].length;
  const rendered = `${shown}\n\n[${chars} characters, ${hidden} not shown. Call fetch_result with handle='${handle}' to read the rest.]`;
  return { handle, manifest: header + lines, pages, rendered, head: shown, chars };
}
