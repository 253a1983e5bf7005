import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';

import { type Claim, StoreError } from '../../store.ts';

/**
 * A claim's file: a head, then the pages' UTF-8 one after the other. The head is
 *
 *     0   8  "CLAIM/1\n"
 *     8   4  CRC-32 of the rest of the head
 *     12  4  bytes of the head
 *     16  4  number of pages
 *     20  4  bytes of the manifest
 *     24 32  the claim's key
 *     56     for every page its bytes and its CRC-32, 4 bytes each; then the manifest
 *
 * with integers little-endian. A window needs the head and its own pages; the checksums are for what a disk or a crash
 * does to a file, since what somebody does to it the handle proves.
 */
const MAGIC = Buffer.from('CLAIM/1\n');
const FIXED_BYTES = 56;
/** Read at first: a small claim whole, the head of a larger one. */
const FIRST_READ_BYTES = 64 * 1024;

/** The bytes of a file, in order. */
export interface Encoded {
  readonly chunks: readonly Buffer[];
  readonly bytes: number;
}

/** A file that is not as it was written. */
export class Damage extends Error {}

/** @throws StoreError `failed` where a text is not well-formed Unicode: UTF-8 would change it. */
export function encode(key: Buffer, claim: Claim): Encoded {
  const manifest = encoded('the manifest', claim.manifest);
  const pages = claim.pages.map((page, number) => encoded(`page ${number}`, page));
  const head = Buffer.alloc(FIXED_BYTES + 8 * pages.length + manifest.length);
  MAGIC.copy(head);
  head.writeUInt32LE(head.length, 12);
  head.writeUInt32LE(pages.length, 16);
  head.writeUInt32LE(manifest.length, 20);
  key.copy(head, 24);
  pages.forEach((page, number) => {
    head.writeUInt32LE(page.length, FIXED_BYTES + 8 * number);
    head.writeUInt32LE(crc32(page), FIXED_BYTES + 8 * number + 4);
  });
  manifest.copy(head, FIXED_BYTES + 8 * pages.length);
  head.writeUInt32LE(crc32(head.subarray(12)), 8);
  const chunks = [head, ...pages];
  return { chunks, bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
}

/**
 * The manifest and at most `count` pages from `first` on; nothing else of the file is read.
 *
 * @throws Damage where what was read, or the file's size, is not as it was written.
 */
export async function decode(file: FileHandle, key: Buffer, first: number, count: number): Promise<Claim> {
  const { size } = await file.stat();
  const start = await read(file, 0, Math.min(size, FIRST_READ_BYTES));
  if (size < FIXED_BYTES || !start.subarray(0, 8).equals(MAGIC))
    throw new Damage('its first bytes are not those of a claim');
  const headBytes = start.readUInt32LE(12);
  const pageCount = start.readUInt32LE(16);
  const manifestBytes = start.readUInt32LE(20);
  if (headBytes !== FIXED_BYTES + 8 * pageCount + manifestBytes || headBytes > size)
    throw new Damage('its head is not whole');
  const rest = Math.max(0, headBytes - start.length);
  const head = Buffer.concat([start, await read(file, start.length, rest)]).subarray(0, headBytes);
  if (crc32(head.subarray(12)) !== head.readUInt32LE(8)) throw new Damage('its head does not have its checksum');
  if (!head.subarray(24, 56).equals(key)) throw new Damage('it is the file of another claim');

  const wanted: { readonly number: number; readonly at: number; readonly bytes: number }[] = [];
  let at = headBytes;
  for (let number = 0; number < pageCount; number += 1) {
    const bytes = head.readUInt32LE(FIXED_BYTES + 8 * number);
    if (number >= first && number - first < count) wanted.push({ number, at, bytes });
    at += bytes;
  }
  if (at !== size) throw new Damage(`it has ${size} bytes in place of ${at}`);
  const from = wanted[0]?.at ?? 0;
  const length = wanted.reduce((sum, { bytes }) => sum + bytes, 0);
  const content = from + length <= start.length ? start.subarray(from, from + length) : await read(file, from, length);
  const pages = wanted.map((page) => {
    const bytes = content.subarray(page.at - from, page.at - from + page.bytes);
    const checksum = head.readUInt32LE(FIXED_BYTES + 8 * page.number + 4);
    if (crc32(bytes) !== checksum) throw new Damage(`page ${page.number} does not have its checksum`);
    return bytes.toString('utf8');
  });
  return { manifest: head.toString('utf8', headBytes - manifestBytes), pages };
}

/** @throws Damage where the file ends before that. */
export async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw new Damage(`it ends after ${position + done} bytes`);
    done += bytesRead;
  }
  return buffer;
}

function encoded(what: string, text: string): Buffer {
  if (!text.isWellFormed()) {
    throw new StoreError(
      'failed',
      `${what} is not well-formed Unicode; make it so, with toWellFormed() say, and put it again`,
    );
  }
  return Buffer.from(text, 'utf8');
}
