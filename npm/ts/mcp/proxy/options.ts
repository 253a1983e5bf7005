// What the command line, the environment and a file say, in this order of precedence.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import type { ClaimCheckSettings, Policy } from '../../settings.ts';
import { dataFolder } from './data-folder.ts';
import { BadOption, DEFAULTS, namedPolicy, policyOf, wholeNumber } from './policy.ts';

/** What a session is started with. */
export interface Options {
  readonly command: readonly [string, ...string[]];
  readonly tenant: string;
  readonly folder: string;
  readonly isNewRun: boolean;
  readonly forgetsOnExit: boolean;
  readonly keepsStructured: boolean;
  /** Where results are cut and not kept: to how many characters. */
  readonly maxChars: number | undefined;
  readonly explain: string | undefined;
  readonly settings: ClaimCheckSettings;
  /** Whether the settings are the ones that are known to make sense. */
  readonly isDefault: boolean;
}

/** The variable of the environment that holds the same JSON as the file. */
const ENVIRONMENT = 'CLAIM_CHECK_MCP';

const FLAGS = {
  tenant: { type: 'string' },
  data: { type: 'string' },
  'new-run': { type: 'boolean' },
  'forget-on-exit': { type: 'boolean' },
  policy: { type: 'string', multiple: true },
  window: { type: 'string' },
  structured: { type: 'string' },
  'max-chars': { type: 'string' },
  'no-neutralise': { type: 'boolean' },
  explain: { type: 'string' },
  config: { type: 'string' },
} as const;

/** Options as a file has them: the names of the command line's, and `policy` as an object of policies by tool. */
type Written = { readonly [Name in keyof typeof FLAGS]?: unknown };

/** The options of `claim-check mcp`, from what follows these words. Throws {@link BadOption}. */
export function optionsOf(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Options {
  const end = args.indexOf('--');
  const [command, ...rest] = end < 0 ? [] : args.slice(end + 1);
  const line = ofLine(end < 0 ? args : args.slice(0, end));
  if (command === undefined) {
    throw new BadOption(
      'there is no command to start: write claim-check mcp [options] -- COMMAND ARGS, with the command that started ' +
        'the server before',
    );
  }
  const ofEnvironment = env[ENVIRONMENT] === undefined ? {} : written(env[ENVIRONMENT], ENVIRONMENT);
  const file = line.config ?? ofEnvironment.config;
  const ofFile = file === undefined ? {} : written(contentOf(text(file, 'config')!), `the file ${String(file)}`);
  const all: Written = { ...ofFile, ...ofEnvironment, ...line };

  const byTool = new Map<string, Policy>([ofFile, ofEnvironment, line].flatMap(policiesOf));
  const isDefault = byTool.size === 0 && all.window === undefined && all.tenant === undefined;
  const policy = { ...DEFAULTS, ...byTool.get('*') };
  byTool.delete('*');
  const perTool = [...byTool].map(([tool, its]): [string, Policy] => [tool, { ...policy, ...its }]);
  const neutralise = !flag(all['no-neutralise'], 'no-neutralise');
  const windowChars = all.window === undefined ? undefined : wholeNumber(all.window, '--window');
  const explain = text(all.explain, 'explain');
  const maxChars = all['max-chars'] === undefined ? undefined : wholeNumber(all['max-chars'], '--max-chars');
  return {
    command: [command, ...rest],
    tenant: text(all.tenant, 'tenant') ?? 'local',
    folder: resolve(text(all.data, 'data') ?? dataFolder(env)),
    isNewRun: flag(all['new-run'], 'new-run'),
    forgetsOnExit: flag(all['forget-on-exit'], 'forget-on-exit'),
    keepsStructured: isKept(all.structured),
    maxChars,
    explain: explain === undefined ? undefined : resolve(explain),
    settings: { policy, perTool, neutralise, ...(windowChars !== undefined && { windowChars }) },
    isDefault,
  };
}

function ofLine(args: readonly string[]): Written {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: false }).values;
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error;
    const [what] = message.split(/[.\n]/, 1);
    throw new BadOption(`${what}: claim-check mcp --help lists the options; the server's command comes after --`);
  }
}

function policiesOf({ policy }: Written): (readonly [string, Policy])[] {
  if (policy === undefined) return [];
  if (Array.isArray(policy)) return policy.map((one) => namedPolicy(String(one)));
  if (typeof policy !== 'object' || policy === null) {
    throw new BadOption(
      'policy must be an object of policies by the tool\'s name, such as {"*": {"threshold": 20000}}',
    );
  }
  return Object.entries(policy).map(([tool, its]) => [tool, policyOf(its, `the policy of ${JSON.stringify(tool)}`)]);
}

function written(json: string, where: string): Written {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new BadOption(`${where} is no JSON: write an object such as {"policy": {"*": {"threshold": 20000}}}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadOption(`${where} is no JSON object: write one such as {"policy": {"*": {"threshold": 20000}}}`);
  }
  const stray = Object.keys(value).find((name) => !Object.hasOwn(FLAGS, name));
  if (stray !== undefined) {
    throw new BadOption(`${where} has ${JSON.stringify(stray)}: it can have ${Object.keys(FLAGS).join(', ')}`);
  }
  return value;
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new BadOption(
      `the file ${file} can't be read (${(error as NodeJS.ErrnoException).code}): name one that can, with --config`,
    );
  }
}

function text(value: unknown, name: string): string | undefined {
  if (value === undefined || (typeof value === 'string' && value !== '')) return value;
  throw new BadOption(`${name} must be a text that is not empty`);
}

function flag(value: unknown, name: string): boolean {
  if (value === undefined || typeof value === 'boolean') return value ?? false;
  throw new BadOption(`${name} must be true or false`);
}

function isKept(structured: unknown): boolean {
  if (structured === undefined || structured === 'drop') return false;
  if (structured === 'keep') return true;
  throw new BadOption(`structured is ${JSON.stringify(structured)}: write keep or drop`);
}
