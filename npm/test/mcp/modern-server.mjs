// A server of the SDK 2.x, which speaks the revision of 2026-07-28 and the ones before.
import { fromJsonSchema, acceptedContent, inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const none = fromJsonSchema({ type: 'object', properties: {} });
const sized = fromJsonSchema({ type: 'object', properties: { rows: { type: 'integer' } }, required: ['rows'] });
const row = (index) => ({ index, name: `row ${index}` });
const rows = (count) => Array.from({ length: count }, (_, index) => row(index));
const ROW = {
  type: 'object',
  properties: { index: { type: 'integer' }, name: { type: 'string' } },
  required: ['index', 'name'],
};

serveStdio(() => {
  const server = new McpServer(
    { name: 'modern', version: '1' },
    { capabilities: { tools: { listChanged: true }, logging: {} } },
  );
  server.registerTool(
    'table',
    {
      inputSchema: sized,
      outputSchema: fromJsonSchema({
        type: 'object',
        properties: { rows: { type: 'array', items: ROW } },
        required: ['rows'],
      }),
    },
    ({ rows: count }) => ({
      content: [{ type: 'text', text: JSON.stringify({ rows: rows(count) }, undefined, 1) }],
      structuredContent: { rows: rows(count) },
    }),
  );
  server.registerTool(
    'summary',
    { inputSchema: sized, outputSchema: fromJsonSchema({ type: 'object' }) },
    ({ rows: count }) => ({
      content: [{ type: 'text', text: `${count} rows` }],
      structuredContent: { rows: rows(count) },
    }),
  );
  server.registerTool('confirm', { inputSchema: none }, (_, ctx) => {
    const schema = fromJsonSchema({
      type: 'object',
      properties: { confirm: { type: 'boolean' } },
      required: ['confirm'],
    });
    const confirmed = acceptedContent(ctx.mcpReq.inputResponses, 'sure', schema);
    if (confirmed?.confirm === true) return { content: [{ type: 'text', text: 'confirmed. '.repeat(2000) }] };
    return inputRequired({
      inputRequests: {
        sure: inputRequired.elicit({
          message: 'Sure?',
          requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
        }),
      },
    });
  });
  server.registerTool('grow', { inputSchema: none }, () => {
    server.registerTool('grown', { inputSchema: none }, () => ({ content: [{ type: 'text', text: 'grown' }] }));
    return { content: [{ type: 'text', text: 'grows' }] };
  });
  return server;
});
