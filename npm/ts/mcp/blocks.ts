import { elements, kindOf, type Items, members, parse, type Span, stringOf, valueOf } from './json.ts';

/** A content block with text in it: a text block, or an embedded resource that is text. */
export interface TextBlock {
  /** Which of the content blocks it is. */
  readonly index: number;
  /** The whole block. */
  readonly block: Span;
  /** The JSON string of its text. */
  readonly string: Span;
  /** What that says; not always well-formed. */
  readonly text: string;
  /** Where the text is from; none of a text block. */
  readonly uri: string | undefined;
}

/** Content blocks, and those among them that have text. Images, audio, links and what is unknown have none. */
export interface Blocks {
  readonly all: Items<Span>;
  readonly texts: readonly TextBlock[];
}

/** The blocks of the content array there. */
export function blocksOf(json: Uint8Array, content: Span): Blocks {
  const all = elements(json, content);
  const texts: TextBlock[] = [];
  all.items.forEach((block, index) => {
    const fields = members(json, block);
    const type = stringOf(json, fields, 'type');
    const resource = type === 'resource' ? valueOf(fields, 'resource') : undefined;
    const holder = type === 'text' ? fields : resource && members(json, resource);
    const string = holder && valueOf(holder, 'text');
    if (string === undefined || kindOf(json, string) !== 'string') return;
    const uri = type === 'text' ? undefined : stringOf(json, holder!, 'uri');
    texts.push({ index, block, string, text: parse(json, string) as string, uri });
  });
  return { all, texts };
}
