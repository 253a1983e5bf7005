import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';

/** A server that was started: its standard error is ours. */
export type Server = ChildProcess & { readonly stdin: Writable; readonly stdout: Readable };

/** Why a command could not be started, with the exit code that shells have for it. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
  readonly exitCode: number;

  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Starts the server. Rejects with {@link CannotStart}. */
export async function start(command: string, args: readonly string[]): Promise<Server> {
  const isShell = process.platform === 'win32' && !/\.(exe|com)$/i.test(command);
  // On Windows npx and its like are batch files, which only the shell can start.
  const child = isShell
    ? spawn(process.env['ComSpec'] ?? 'cmd.exe', ['/d', '/s', '/c', `"${[command, ...args].map(quoted).join(' ')}"`], {
        stdio: ['pipe', 'pipe', 'inherit'],
        windowsHide: true,
        windowsVerbatimArguments: true,
      })
    : spawn(command, args, { stdio: ['pipe', 'pipe', 'inherit'], windowsHide: true });
  try {
    await once(child, 'spawn');
  } catch (error) {
    throw cannotStart(command, (error as NodeJS.ErrnoException).code ?? 'unknown');
  }
  return child as Server;
}

function cannotStart(command: string, code: string): CannotStart {
  if (code === 'ENOENT') {
    const what = `there is no command ${JSON.stringify(command)} (or no folder to start it in): `;
    return new CannotStart(`${what}install it, or give its whole path after --`, 127);
  }
  if (code === 'EACCES') {
    return new CannotStart(
      `${JSON.stringify(command)} may not be run (EACCES): make it executable, or name its interpreter first`,
      126,
    );
  }
  return new CannotStart(
    `${JSON.stringify(command)} could not be started (${code}): try the command without claim-check first`,
    126,
  );
}

/** An argument as cmd.exe and then the program's own start-up code read it. */
function quoted(argument: string): string {
  const forProgram = `"${argument.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\*)$/, '$1$1')}"`;
  return forProgram.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}
