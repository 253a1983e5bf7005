// One session: a client on our standard input and output, and the server that it wanted to start.

import { setTimeout as pause } from 'node:timers/promises';

import type { Server } from './command.ts';
import { LineTooLong, lines, MAX_LINE_BYTES } from './lines.ts';
import type { Proxy } from './proxy.ts';
import type { Warn } from './server-state.ts';
import { Sink } from './sink.ts';

/** How long a server that is no longer needed may take for each step to its end, in milliseconds. */
const GRACE = 2000;

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** How a server ended. */
export interface End {
  readonly code: number;
  readonly signal: NodeJS.Signals | undefined;
}

/** Passes messages between the client and the server until the server has ended, and says how it did. */
export async function session(server: Server, proxy: Proxy, warn: Warn): Promise<End> {
  const [toClient, toServer] = [new Sink(process.stdout), new Sink(server.stdin)];
  const exited = new Promise<End>((resolve) => {
    server.once('exit', (code, signal) => resolve({ code: code ?? 1, signal: signal ?? undefined }));
  });
  const forward = (signal: NodeJS.Signals): boolean => server.kill(signal);
  for (const signal of FORWARDED) process.on(signal, forward);

  const answering = new Set<Promise<void>>();
  const answer = (line: Promise<Uint8Array>): void => {
    const writing = line.then((bytes) => toClient.write(bytes)).finally(() => answering.delete(writing));
    answering.add(writing);
  };
  let isTooLong = false;
  const guarded = async (direction: Promise<void>, whose: string): Promise<void> => {
    try {
      await direction;
    } catch (error) {
      if (!(error instanceof LineTooLong)) throw error;
      isTooLong = true;
      warn(
        `a line of the ${whose} is over ${MAX_LINE_BYTES} bytes, which is more than can be held: the session ends; ` +
          'ask for less at once',
      );
      server.kill('SIGTERM');
    }
  };

  const fromClient = guarded(upstream(proxy, toServer, answer), 'client').then(() => void server.stdin.end());
  const fromServer = guarded(downstream(server, proxy, toClient), 'server');
  const isWaiting = (): boolean => proxy.isWaiting || answering.size > 0;
  void ended(server, { fromClient, fromServer, toClient, isWaiting, exited });
  const end = await exited;
  // What the server started may hold its output open for ever.
  await Promise.race([fromServer, pause(GRACE)]);
  await Promise.all(answering);
  await toClient.flushed();
  for (const signal of FORWARDED) process.off(signal, forward);
  return isTooLong ? { code: 1, signal: undefined } : end;
}

async function upstream(proxy: Proxy, toServer: Sink, answer: (line: Promise<Uint8Array>) => void): Promise<void> {
  for await (const line of lines(process.stdin)) {
    const { forwarded, answered } = proxy.fromClient(line);
    if (answered !== undefined) answer(answered);
    if (forwarded !== undefined) await toServer.write(forwarded);
  }
}

async function downstream(server: Server, proxy: Proxy, toClient: Sink): Promise<void> {
  for await (const line of lines(server.stdout)) {
    // One after the other, so that what was said before a result arrives before it.
    if (!toClient.isClosed) await toClient.write(await proxy.fromServer(line));
  }
}

interface Course {
  readonly fromClient: Promise<void>;
  readonly fromServer: Promise<void>;
  readonly toClient: Sink;
  readonly isWaiting: () => boolean;
  readonly exited: Promise<End>;
}

/**
 * Sees to it that the server ends when it is no longer needed: when it says no more, when nobody reads, or when nobody
 * writes and nothing is waited for. A client that is gone without a word (its parent process is another then) waits
 * for nothing.
 */
async function ended(server: Server, { fromClient, fromServer, toClient, isWaiting, exited }: Course): Promise<void> {
  const parent = process.ppid;
  const exit = exited.then(() => 'exited' as const);
  const silence = fromServer.then(() => 'silent' as const);
  const first = await Promise.race([fromClient, silence, toClient.closed, exit]);
  if (first === 'exited') return;
  while (first !== 'silent' && isWaiting() && !toClient.isClosed && process.ppid === parent) {
    if ((await Promise.race([pause(100), exit])) === 'exited') return;
  }
  server.stdin.end();
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    if ((await Promise.race([pause(GRACE), exit])) === 'exited') return;
    server.kill(signal);
  }
}
