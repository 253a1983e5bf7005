import { type Edit, listEdits } from './edits.ts';
import { elements, encoded, kindOf, members, parse, type Span, stringOf, valueOf } from './json.ts';

/** One page of a tool list. */
export interface ToolPage {
  /** The names on it. */
  readonly names: readonly string[];
  /** Whether no page follows. */
  readonly isLast: boolean;
}

/** The page in a `tools/list` result; none where it has no tools. */
export function toolPage(json: Uint8Array, result: Span): ToolPage | undefined {
  const fields = members(json, result);
  const [tools, cursor] = [valueOf(fields, 'tools'), valueOf(fields, 'nextCursor')];
  if (tools === undefined || kindOf(json, tools) !== 'array') return undefined;
  const names = elements(json, tools).items.flatMap((tool) => stringOf(json, members(json, tool), 'name') ?? []);
  const isLast = cursor === undefined || !parse(json, cursor);
  return { names, isLast };
}

/**
 * The edits of such a page: without output schemas, which a client would hold a ticket to, and with more tools at the
 * end.
 */
export function listingEdits(json: Uint8Array, result: Span, keepsSchemas: boolean, added: readonly object[]): Edit[] {
  const tools = elements(json, valueOf(members(json, result), 'tools')!);
  const edits = keepsSchemas
    ? []
    : tools.items.flatMap((tool) => {
        const fields = members(json, tool);
        return listEdits(fields, (index) => fields.items[index]!.key === 'outputSchema', []);
      });
  return [...edits, ...listEdits(tools, () => false, added.map(encoded))];
}
