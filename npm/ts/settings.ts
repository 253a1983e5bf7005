import { count, flag, optional, record, text, wrong } from './arguments.ts';

/**
 * When a result is checked in, how much of it stays in the conversation, and how long the rest can be fetched.
 * A character is a Unicode scalar value; `.length` counts UTF-16 units, which are as many or more. Every number is
 * whole, and at most 4,294,967,295.
 */
export interface Policy {
  /** A result of more characters is checked in; 4,294,967,295 means never. At least 1; 4096 by default. */
  readonly thresholdChars?: number;
  /** At most so many characters of the beginning stay. Head and tail together below the threshold; 512 by default. */
  readonly headChars?: number;
  /** At most so many characters of the end stay as well: 0 by default, a few hundred for builds, tests and logs. */
  readonly tailChars?: number;
  /** For how many seconds the claim can be redeemed. At least 1; 3600 by default. */
  readonly ttlSeconds?: number;
}

/** The settings of a claim check. */
export interface ClaimCheckSettings {
  /** Applies to every tool that `perTool` does not name. */
  readonly policy?: Policy;
  /**
   * Policies of single tools, by the tool's name: an object, a `Map`, or a list of pairs. Each applies whole: what it
   * leaves out is the default, not what `policy` says.
   */
  readonly perTool?: Readonly<Record<string, Policy>> | Iterable<readonly [string, Policy]>;
  /**
   * The tool that returns windows, `fetch_result` by default: 1 to 64 of `A-Z a-z 0-9 _ -`. The results of a
   * redeeming tool are never checked in.
   */
  readonly fetchTool?: string;
  /** The tool that searches, `find_in_result` by default; null where there is no search. The same alphabet. */
  readonly findTool?: string | null;
  /** How many characters one call of the fetch tool returns at most. At least 1; 4096 by default. */
  readonly windowChars?: number;
  /** False only where every result was neutralised before; true by default. */
  readonly neutralise?: boolean;
}

/** The fields that the settings have. */
export const SETTINGS = ['policy', 'perTool', 'fetchTool', 'findTool', 'windowChars', 'neutralise'] as const;

const POLICY = ['thresholdChars', 'headChars', 'tailChars', 'ttlSeconds'] as const;

/** The numbers of a policy: threshold, head, tail, time to live. Undefined means the default. */
export type PolicyNumbers = readonly [
  thresholdChars: number | undefined,
  headChars: number | undefined,
  tailChars: number | undefined,
  ttlSeconds: number | undefined,
];

/** Settings whose types were checked. Undefined means the default. */
export interface CheckedSettings {
  readonly policy: PolicyNumbers | undefined;
  readonly perTool: readonly (readonly [tool: string, policy: PolicyNumbers])[];
  readonly fetchTool: string | undefined;
  readonly findTool: string | null | undefined;
  readonly windowChars: number | undefined;
  readonly neutralise: boolean | undefined;
}

/** The settings with every type checked. Whether they make sense is for the rules to say. */
export function checkedSettings(options: ClaimCheckSettings): CheckedSettings {
  const { policy, perTool, fetchTool, findTool, windowChars, neutralise } = options;
  return {
    fetchTool: optional(fetchTool, 'fetchTool', text),
    findTool: findTool === null ? null : optional(findTool, 'findTool', text),
    windowChars: optional(windowChars, 'windowChars', count),
    neutralise: optional(neutralise, 'neutralise', flag),
    policy: optional(policy, 'policy', numbers),
    perTool: [...pairs(perTool)].map(([tool, its]) => [
      text(tool, "perTool's key"),
      numbers(its, `perTool['${tool}']`),
    ]),
  };
}

function pairs(perTool: ClaimCheckSettings['perTool']): Iterable<readonly [string, Policy]> {
  if (perTool === undefined) return [];
  const given: object = record(perTool, 'perTool');
  if (!(Symbol.iterator in given)) return Object.entries(given);
  const listed = [...(given as Iterable<readonly [string, Policy]>)];
  const stray = listed.find((one) => !Array.isArray(one) || one.length !== 2);
  if (stray !== undefined) throw wrong('perTool is a list, and not all of it are pairs of a name and a policy');
  return listed;
}

function numbers(policy: unknown, name: string): PolicyNumbers {
  const given = record(policy, name, POLICY);
  const number = (field: (typeof POLICY)[number]) => optional(given[field], `${name}.${field}`, count);
  return [number('thresholdChars'), number('headChars'), number('tailChars'), number('ttlSeconds')];
}
