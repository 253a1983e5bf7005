// Policies as people write them.

import type { Policy } from '../../settings.ts';

/** Thrown for an option that makes no sense: says which, and what to do. */
export class BadOption extends Error {
  override readonly name = 'BadOption';
}

/**
 * What holds where nothing was said.
 *
 * The threshold is below the lowest limit at which a client is known to cut what a server returns (8 KB), so that a
 * text is kept before anybody cuts it, and well above one window, so that reading back is no dearer than carrying. A
 * part of the end stays because servers run shells, builds and tests, whose verdict is the last line. A day, because
 * the claims of a client that is started again in the morning should still be there.
 */
export const DEFAULTS: Required<Policy> = { thresholdChars: 8000, headChars: 1500, tailChars: 500, ttlSeconds: 86_400 };

/** The threshold that no text reaches. */
const NEVER = 4_294_967_295;

const FIELDS = { threshold: 'thresholdChars', head: 'headChars', tail: 'tailChars', ttl: 'ttlSeconds' } as const;

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 } as const;

/** `TOOL=threshold:20000,head:1500,tail:500,ttl:24h`, or `TOOL=never`; the tool `*` is every other. */
export function namedPolicy(written: string): [tool: string, policy: Policy] {
  const at = written.lastIndexOf('=');
  if (at < 1) throw new BadOption(`--policy ${JSON.stringify(written)} names no tool: ${EXAMPLE}`);
  const [tool, rest] = [written.slice(0, at), written.slice(at + 1)];
  if (rest === 'never') return [tool, policyOf('never', `--policy ${tool}`)];
  const fields = rest.split(',').map((field): [string, unknown] => {
    const [name = '', value = ''] = field.split(':', 2);
    return [name.trim(), value.trim()];
  });
  return [tool, policyOf(Object.fromEntries(fields), `--policy ${tool}`)];
}

const EXAMPLE =
  "write --policy 'TOOL=threshold:20000,head:1500,tail:500,ttl:24h', each part if you want it, or TOOL=never";

/** A policy as it stands in a file: `"never"`, or an object with `threshold`, `head`, `tail` and `ttl`. */
export function policyOf(written: unknown, where: string): Policy {
  if (written === 'never') return { thresholdChars: NEVER };
  if (typeof written !== 'object' || written === null || Array.isArray(written)) {
    throw new BadOption(`${where} is no policy: ${EXAMPLE}`);
  }
  const policy: Record<string, number> = {};
  for (const [name, value] of Object.entries(written)) {
    if (!Object.hasOwn(FIELDS, name)) {
      throw new BadOption(
        `${where} has ${JSON.stringify(name)}: a policy has threshold, head, tail and ttl; ${EXAMPLE}`,
      );
    }
    policy[FIELDS[name as keyof typeof FIELDS]] =
      name === 'ttl' ? seconds(value, `${where}, ttl`) : wholeNumber(value, `${where}, ${name}`);
  }
  return policy;
}

/** A count of characters: a number, or digits. */
export function wholeNumber(written: unknown, where: string): number {
  const text = String(written);
  if (!/^\d{1,10}$/.test(text) || Number(text) > NEVER) {
    throw new BadOption(`${where} is ${JSON.stringify(written)}: give a whole number of characters, such as 8000`);
  }
  return Number(text);
}

/** A span of time: seconds, or a number with s, m, h or d. */
function seconds(written: unknown, where: string): number {
  const [, digits, unit = 's'] = /^(\d{1,10})([smhd])?$/.exec(String(written)) ?? [];
  const total = digits === undefined ? Number.NaN : Number(digits) * UNITS[unit as keyof typeof UNITS];
  if (!(total <= NEVER)) {
    throw new BadOption(`${where} is ${JSON.stringify(written)}: give a time such as 90s, 30m, 24h or 7d`);
  }
  return total;
}
