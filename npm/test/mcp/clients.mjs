// Real clients: of the SDK 1.x, and of 2.x in each of its ways to find out what a server speaks.
import { after } from 'node:test';

import { Client as Client2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio';
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as types from '@modelcontextprotocol/sdk/types.js';

const CAPABILITIES = { sampling: {}, elicitation: { form: {} }, roots: { listChanged: true } };

/** What the client says when it is asked. */
const HANDLERS = {
  'sampling/createMessage': async ({ params }) => ({
    model: 'm',
    role: 'assistant',
    stopReason: 'endTurn',
    content: { type: 'text', text: `sampled ${params.messages.length}` },
  }),
  'elicitation/create': async () => ({ action: 'accept', content: { confirm: true, name: 'N' } }),
  'roots/list': async () => ({ roots: [{ uri: 'file:///tmp/a-root', name: 'root' }] }),
};

const SCHEMAS = {
  'sampling/createMessage': types.CreateMessageRequestSchema,
  'elicitation/create': types.ElicitRequestSchema,
  'roots/list': types.ListRootsRequestSchema,
  'notifications/message': types.LoggingMessageNotificationSchema,
  'notifications/tools/list_changed': types.ToolListChangedNotificationSchema,
};

/** How each kind of client is made and speaks. */
export const KINDS = {
  '1.x': { Client: Client1, Stdio: Stdio1, options: {}, schemas: true },
  '2.x': { Client: Client2, Stdio: Stdio2, options: {} },
  '2.x auto': { Client: Client2, Stdio: Stdio2, options: { versionNegotiation: { mode: 'auto' } } },
  '2.x pinned': { Client: Client2, Stdio: Stdio2, options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } },
};

/** A connected client, closed after the file's tests. `notified` grows with what it is told. */
export async function connect(kind, [command, ...args], { cwd, capabilities = CAPABILITIES, maxBufferSize } = {}) {
  const { Client, Stdio, options, schemas } = KINDS[kind];
  const client = new Client({ name: 'test', version: '1' }, { ...options, capabilities });
  const notified = [];
  const of = (name) => (schemas ? SCHEMAS[name] : name);
  for (const [name, handler] of Object.entries(HANDLERS)) {
    if (name.startsWith('roots') ? capabilities.roots : capabilities[name.split('/')[0]])
      client.setRequestHandler(of(name), handler);
  }
  for (const name of ['notifications/message', 'notifications/tools/list_changed']) {
    client.setNotificationHandler(of(name), (notification) => void notified.push(notification));
  }
  const transport = new Stdio({ command, args, cwd, stderr: 'ignore', ...(maxBufferSize && { maxBufferSize }) });
  await client.connect(transport);
  const call = (name, given = {}, ...rest) =>
    schemas
      ? client.callTool({ name, arguments: given }, undefined, ...rest)
      : client.callTool({ name, arguments: given }, ...rest);
  const connected = { client, call, notified, transport, close: () => client.close() };
  after(connected.close);
  return connected;
}
