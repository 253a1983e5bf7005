// Lines as they come, of any length, without a copy for every chunk.

/** How long a line may be, in bytes: beyond, there is no memory to be sure of. Clients accept 10 MiB. */
export const MAX_LINE_BYTES: number = 256 * 2 ** 20;

/** Thrown for a line over the limit. */
export class LineTooLong extends Error {
  override readonly name = 'LineTooLong';
}

const NEWLINE = 0x0a;

/** Every line of a stream of bytes, its line feed included; what follows the last one is a line, too. */
export async function* lines(
  source: AsyncIterable<Uint8Array>,
  maxBytes: number = MAX_LINE_BYTES,
): AsyncGenerator<Uint8Array> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const taken = (last: Uint8Array): Uint8Array => {
    const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    [parts, length] = [[], 0];
    return line;
  };
  for await (const chunk of source) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      yield taken(chunk.subarray(from, end + 1));
      from = end + 1;
    }
    if (from === chunk.length) continue;
    parts.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > maxBytes) throw new LineTooLong();
  }
  if (parts.length > 0) yield taken(new Uint8Array());
}
