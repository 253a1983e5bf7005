import type { Definition } from './wasm/core_bg.js';

/** A JSON Schema object. */
export type JsonSchema = { readonly [key: string]: unknown };

/** The redeeming tools' definitions, as each of these is told of a tool. */
export interface ToolFormats {
  /** The Model Context Protocol's. */
  readonly mcp: { readonly name: string; readonly description: string; readonly inputSchema: JsonSchema };
  /** OpenAI's chat completions. */
  readonly openai: {
    readonly type: 'function';
    readonly function: { readonly name: string; readonly description: string; readonly parameters: JsonSchema };
  };
  /** OpenAI's responses. Not strict: the offset may be left out. */
  readonly 'openai-responses': {
    readonly type: 'function';
    readonly name: string;
    readonly description: string;
    readonly parameters: JsonSchema;
    readonly strict: false;
  };
  /** Anthropic's messages. */
  readonly anthropic: { readonly name: string; readonly description: string; readonly input_schema: JsonSchema };
}

/** A definition in one of the formats. */
export type ToolDefinition<Format extends keyof ToolFormats = 'mcp'> = ToolFormats[Format];

type Makers = { readonly [Format in keyof ToolFormats]: (definition: Definition) => ToolFormats[Format] };

const schema = (definition: Definition): JsonSchema => JSON.parse(definition.inputSchema);

/** How each format is made. */
export const FORMATS: Makers = {
  mcp: (tool) => ({ name: tool.name, description: tool.description, inputSchema: schema(tool) }),
  openai: (tool) => ({
    type: 'function',
    function: { name: tool.name, description: tool.description, parameters: schema(tool) },
  }),
  'openai-responses': (tool) => ({
    type: 'function',
    name: tool.name,
    description: tool.description,
    parameters: schema(tool),
    strict: false,
  }),
  anthropic: (tool) => ({ name: tool.name, description: tool.description, input_schema: schema(tool) }),
};
