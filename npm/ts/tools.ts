import { wrong } from './arguments.ts';
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
const FORMATS: Makers = {
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

/** Definitions in the format of that name, which comes from a caller; MCP's where none is named. */
export function toolsIn<Format extends keyof ToolFormats>(
  format: Format | undefined,
  definitions: readonly Definition[],
): ToolDefinition<Format>[] {
  const named = format ?? 'mcp';
  if (!Object.hasOwn(FORMATS, named)) {
    throw wrong(`there is no format of that name; there are ${Object.keys(FORMATS).join(', ')}`);
  }
  const make = FORMATS[named] as (definition: Definition) => ToolDefinition<Format>;
  return definitions.map((definition) => make(definition));
}
