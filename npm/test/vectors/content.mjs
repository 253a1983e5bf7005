// Contents as the vectors spell them, and what a store is given for them: worked out here, from the specification.

import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 as sha256Of } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

const PAGE_CHARS = 16384;

/** A text, or a run-length spelled one: `[[text, times], …]`, all parts one after another. */
export function textOf(content) {
  return typeof content === 'string' ? content : content.map(([text, times]) => text.repeat(times)).join('');
}

/** Whether this spells a content. */
export function isContent(value) {
  const isRun = (run) => Array.isArray(run) && run.length === 2 && typeof run[0] === 'string' && Number.isInteger(run[1]);
  return typeof value === 'string' || (Array.isArray(value) && value.every(isRun));
}

/** The SHA-256 of a text, in lower-case hexadecimal digits. */
export function sha256(text) {
  return bytesToHex(sha256Of(utf8ToBytes(text)));
}

/** The claim of a content: its pages, and the manifest that they have. */
export function claimOf(content) {
  const characters = Array.from(content);
  const pages = [];
  for (let at = 0; at < characters.length; at += PAGE_CHARS) pages.push(characters.slice(at, at + PAGE_CHARS).join(''));
  const digest = (text) => bytesToHex(blake3(utf8ToBytes(text))).slice(0, 32) + '\n';
  const lines = pages.map(digest).join('');
  const bytes = utf8ToBytes(content).length;
  const header = `claim/1\nchars ${characters.length}\nbytes ${bytes}\npage-chars ${PAGE_CHARS}\nroot ${digest(lines)}`;
  return { manifest: header + lines, pages };
}

/** The handle of a claim in a scope. */
export function handleOf({ tenant, run }, { manifest }) {
  const part = (text) => {
    const bytes = utf8ToBytes(text);
    const length = new Uint8Array(8);
    new DataView(length.buffer).setBigUint64(0, BigInt(bytes.length), true);
    return concatBytes(length, bytes);
  };
  const header = manifest.split('\n').slice(0, 5).join('\n') + '\n';
  const hashed = concatBytes(utf8ToBytes('claim-check/handle/1\0'), part(tenant), part(run), utf8ToBytes(header));
  return `claim:${bytesToHex(sha256Of(hashed)).slice(0, 32)}`;
}
