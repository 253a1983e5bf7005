interface Alphabetical {
  fromBase64?: (text: string) => Uint8Array<ArrayBuffer>;
}
interface NodeBuffer {
  from(text: string, encoding: 'base64'): Uint8Array<ArrayBuffer>;
}

/** The bytes of base64 text, by the fastest way that the runtime has; the ways differ a hundredfold. */
export function decode(base64: string): Uint8Array<ArrayBuffer> {
  const { fromBase64 } = Uint8Array as Alphabetical;
  if (fromBase64 !== undefined) return fromBase64.call(Uint8Array, base64);
  const { Buffer } = globalThis as { Buffer?: NodeBuffer };
  if (Buffer !== undefined) return Buffer.from(base64, 'base64');
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}
