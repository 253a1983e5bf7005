// The program `claim-check`.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { CannotStart, start } from './command.ts';
import { CutDesk } from './cut-desk.ts';
import { CheckInDesk } from './desk.ts';
import { HELP, HELP_MCP } from './help.ts';
import { LazyStore } from './lazy-store.ts';
import { type Options, optionsOf } from './options.ts';
import { BadOption } from './policy.ts';
import { Proxy } from './proxy.ts';
import { Report } from './report.ts';
import { ServerState } from './server-state.ts';
import { session, type End } from './session.ts';
import { UserSeal } from './user-seal.ts';

const warn = (message: string): void => void process.stderr.write(`claim-check: ${message}\n`);

/** Runs the program; sets the exit code, and ends the process where a signal has to. */
export async function main(args: readonly string[]): Promise<void> {
  const [first, ...rest] = args;
  const own = rest.slice(0, rest.includes('--') ? rest.indexOf('--') : rest.length);
  if (first === '--version' || (first === 'mcp' && own.includes('--version'))) return say(version());
  if (first === 'mcp' && (own.includes('--help') || own.includes('-h'))) return say(HELP_MCP);
  if (first === '--help' || first === '-h') return say(HELP);
  try {
    if (first === undefined) throw new BadOption('there is no command: try claim-check --help');
    if (first !== 'mcp') {
      throw new BadOption(`there is no command ${JSON.stringify(first)}: there is mcp; try claim-check --help`);
    }
    finish(await serve(optionsOf(rest)));
  } catch (error) {
    if (!(error instanceof BadOption || error instanceof CannotStart)) throw error;
    warn(error.message);
    process.exitCode = error instanceof CannotStart ? error.exitCode : 2;
  }
}

async function serve(options: Options): Promise<End> {
  const report = new Report();
  const desk = options.maxChars === undefined ? checkInDesk(options, report) : undefined;
  // Loading the core takes a while, and what everybody uses is known to make sense.
  if (desk !== undefined && !options.isDefault) await validated(desk);
  const proxy = new Proxy({
    desk: desk ?? new CutDesk(options.maxChars!, options.settings.neutralise ?? true, report),
    keepsStructured: options.keepsStructured,
    seal: new UserSeal(options.folder, desk !== undefined),
    report,
  });
  const explain = (): void => (options.explain === undefined ? undefined : write(options.explain, report));
  // Without a listener Node opens its debugger on this signal, so only where somebody wants the report.
  if (options.explain !== undefined && process.platform !== 'win32') process.on('SIGUSR1', explain);

  const [command, ...args] = options.command;
  const end = await session(await start(command, args), proxy, warn);
  if (options.forgetsOnExit) await forget(desk);
  explain();
  return end;
}

function checkInDesk(options: Options, report: Report): CheckInDesk {
  const { settings, tenant, folder, command, isNewRun } = options;
  const state = new ServerState(folder, command, isNewRun, warn);
  return new CheckInDesk({ settings, tenant, state, store: new LazyStore(join(folder, 'store')), report, warn });
}

/** Refuses what the core refuses, before anything is started. */
async function validated(desk: CheckInDesk): Promise<void> {
  try {
    await desk.validate();
  } catch (error) {
    throw new BadOption((error as Error).message);
  }
}

async function forget(desk: CheckInDesk | undefined): Promise<void> {
  try {
    await desk?.forget();
  } catch (error) {
    warn(`what was checked in could not be forgotten: ${(error as Error).message}`);
  }
}

function write(file: string, report: Report): void {
  try {
    writeFileSync(file, report.toString(), { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    warn(`the report could not be written to ${file} (${code}): name another file with --explain`);
  }
}

/** Ends as the server did, so that whoever started us can't tell the difference. */
function finish({ code, signal }: End): void {
  process.exitCode = signal === undefined ? code : 1;
  process.stdin.destroy();
  if (signal !== undefined) process.kill(process.pid, signal);
}

function say(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

function version(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return version;
}
