// What the model would read of a tool's result, and the result that makes it read something else.
//
// The result itself is replaced, not what is made of it for the model: so steps, messages in a browser and saved
// chats stay small too.

import { type Carrier, wellFormed } from '../mcp/carrier.ts';
import { isObject, type ModelOutput, type Tool } from './tool.ts';

/** The one field of a result that takes the place of one of a tool with its own `toModelOutput`. */
const REPLACED = 'claim-check/model-output';

/** One call, as `toModelOutput` is told of it. */
export interface Call {
  readonly toolCallId: string;
  readonly input: unknown;
}

/** The result to give back for `output`: itself, wherever the model may read it as it is. */
export async function carried(tool: Tool, call: Call, output: unknown, by: Carrier): Promise<unknown> {
  if (tool.toModelOutput === undefined) return carriedValue(output, by);
  let model: unknown;
  try {
    model = await tool.toModelOutput({ ...call, output });
  } catch {
    // The SDK calls it again, and its error is the SDK's to report.
    return output;
  }
  if (!isModelOutput(model)) return output;
  // A result that looks like one of ours is none: it must not be able to say what the model reads.
  const isForged = replacedOutput(output) !== undefined;
  const replacement = await carriedModelOutput(model, by);
  if (replacement === undefined) return isForged ? replaced(model) : output;
  return (isForged ? undefined : sameShape(output, model, replacement)) ?? replaced(replacement.output);
}

/** The tool's `toModelOutput`, but for results that were replaced. */
export function toModelOutput(tool: Tool): Tool['toModelOutput'] {
  return tool.toModelOutput && ((result) => replacedOutput(result.output) ?? tool.toModelOutput!(result));
}

/** Of a tool without its own `toModelOutput` the model reads a string as it is, and JSON of anything else. */
async function carriedValue(output: unknown, by: Carrier): Promise<unknown> {
  if (typeof output === 'string') return (await by.carry(wellFormed(output))).text;
  const json = jsonOf(output);
  if (json === undefined) return output;
  const { text, isWhole } = await by.carry(json);
  if (text === json) return output;
  return isWhole ? valueOf(text) : text;
}

interface Replacement {
  readonly output: ModelOutput;
  /** Of content parts: which of them were kept, and which got what text. */
  readonly parts?: readonly CarriedPart[];
}

/** A part that is kept, or that has another text now. */
interface CarriedPart {
  readonly index: number;
  readonly text?: string;
}

/** What the model is to read instead; none where it may read it as it is. */
async function carriedModelOutput(model: ModelOutput, by: Carrier): Promise<Replacement | undefined> {
  const { type, value } = model;
  if ((type === 'text' || type === 'error-text') && typeof value === 'string') {
    const { text } = await by.carry(wellFormed(value));
    return text === value ? undefined : { output: { ...model, value: text } };
  }
  if (type === 'json' || type === 'error-json') {
    const next = await carriedValue(value, by);
    if (next === value) return undefined;
    const isText = typeof next === 'string' && typeof value !== 'string';
    return { output: { ...model, type: isText ? type.replace('json', 'text') : type, value: next } };
  }
  if (type === 'content' && Array.isArray(value)) {
    const parts = await carriedParts(value, by);
    if (parts === undefined) return undefined;
    const next = parts.map(({ index, text }) => (text === undefined ? value[index] : { ...value[index], text }));
    return { output: { ...model, value: next }, parts };
  }
  return undefined;
}

/**
 * Of the text parts of one result the longest is carried by itself, and all others as one, a line break between two:
 * many small ones could be as much as a large one. Images and files stay where they were.
 */
async function carriedParts(parts: readonly unknown[], by: Carrier): Promise<CarriedPart[] | undefined> {
  const texts = new Map<number, string>();
  parts.forEach((part, index) => {
    if (isObject(part) && part['type'] === 'text') texts.set(index, String(part['text']));
  });
  if (texts.size === 0) return undefined;
  const indices = [...texts.keys()];
  const textOf = (index: number): string => wellFormed(texts.get(index)!);
  const longest = indices.reduce((most, index) => (textOf(index).length > textOf(most).length ? index : most));
  const others = indices.filter((index) => index !== longest);

  const next = new Map([[longest, (await by.carry(textOf(longest))).text]]);
  if (others.length > 0) {
    const together = await by.carry(others.map(textOf).join('\n'));
    // Small enough as they are, each is made harmless where it stands.
    if (together.isWhole) for (const index of others) next.set(index, by.harmless(textOf(index)));
    else next.set(others[0]!, together.text);
  }
  if (next.size === texts.size && [...next].every(([index, text]) => text === texts.get(index))) return undefined;
  return parts.flatMap((_, index) => {
    const text = next.get(index);
    if (text === undefined) return texts.has(index) ? [] : [{ index }];
    return [{ index, text }];
  });
}

/**
 * The result of an MCP tool in the shape of one, where its parts for the model were made of its content one by one:
 * whoever shows it finds what it looks for. What says the same once more in other fields goes.
 */
function sameShape(output: unknown, model: ModelOutput, { parts }: Replacement): unknown {
  if (parts === undefined || !isObject(output) || !Array.isArray(output['content'])) return undefined;
  const blocks: unknown[] = output['content'];
  if (blocks.length !== (model.value as unknown[]).length) return undefined;
  const content = parts.map(({ index, text }) => {
    const block = blocks[index];
    if (text === undefined) return block;
    return isObject(block) && block['type'] === 'text' ? { ...block, text } : { type: 'text', text };
  });
  const { structuredContent: _, ...rest } = output;
  return { ...rest, content };
}

function replaced(output: ModelOutput): unknown {
  return { [REPLACED]: output };
}

function replacedOutput(output: unknown): ModelOutput | undefined {
  const replacement = isObject(output) ? output[REPLACED] : undefined;
  return isModelOutput(replacement) ? replacement : undefined;
}

function isModelOutput(value: unknown): value is ModelOutput {
  return isObject(value) && typeof value['type'] === 'string';
}

/** None for what has no JSON, which the SDK refuses or makes null of. */
function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** What made harmless JSON stands for; where it is none any more, the text itself. */
function valueOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
