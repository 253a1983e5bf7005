/** What a store may hold, in bytes. */
export interface Bounds {
  readonly tenantBytes: number;
  readonly totalBytes: number;
}

/** @throws RangeError where a bound is not a number above 0; `Infinity` is one. */
export function checkedBounds(bounds: Bounds): Bounds {
  for (const name of ['tenantBytes', 'totalBytes'] as const) {
    const bytes: unknown = bounds[name];
    if (typeof bytes !== 'number' || !(bytes > 0)) {
      throw new RangeError(`${name} is ${String(bytes)}; give a number of bytes above 0, or Infinity`);
    }
  }
  return bounds;
}

/** The reason that a refused claim is given, for the operator. */
export function fullMessage(bytes: number, whose: 'a tenant' | 'the store', bound: number, held: number): string {
  return (
    `a claim that takes ${bytes} bytes does not fit: ${whose} may hold ${bound} bytes, and ${held} are held; ` +
    'forget runs that have ended, or raise the bound'
  );
}
