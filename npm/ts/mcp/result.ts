// What a tool's result becomes on its way into the conversation: the one place where that is decided, for the proxy
// and for the client adapter.

import { type Blocks, blocksOf, type TextBlock } from './blocks.ts';
import { type CarriedText, type Carrier, wellFormed } from './carrier.ts';
import { type Edit, listEdits, replaced } from './edits.ts';
import { encoded, kindOf, members, parse, type Span, stringOf, strings, textOf, valueOf } from './json.ts';
import { CLAIMS, SEAL, type Seal } from './seal.ts';
import { saysTheSame } from './structured.ts';

/** How results are rewritten. */
export interface Rewriting {
  readonly carrier: Carrier;
  /** Whether results with structured content are left alone, whatever their size. */
  readonly keepsStructured: boolean;
  readonly seal?: Seal;
}

/**
 * The edits that a `CallToolResult` needs; none where it may pass as it is. Of its texts the longest is carried by
 * itself, and all others together as one, so that many small ones can't be what one large one may not; what is large
 * becomes a ticket, and structured content then stands in the conversation once, as text. All else stays as it is.
 */
export async function resultEdits(json: Uint8Array, result: Span, by: Rewriting): Promise<Edit[]> {
  const fields = members(json, result);
  // A request for input, say: no result yet.
  if ((stringOf(json, fields, 'resultType') ?? 'complete') !== 'complete') return [];
  const [given, structured] = [valueOf(fields, 'content'), valueOf(fields, 'structuredContent')];
  const content = given !== undefined && kindOf(json, given) === 'array' ? given : undefined;
  if (structured !== undefined && by.keepsStructured) return [];
  const blocks: Blocks = content === undefined ? { all: { start: 0, items: [] }, texts: [] } : blocksOf(json, content);
  const meta = valueOf(fields, '_meta');
  if (structured === undefined && isSealed(json, meta, blocks.texts, by.seal)) return [];

  const carried = await carriedTexts(blocks.texts, by.carrier);
  const isReplaced = carried.some((one) => one !== undefined && !one.isWhole);
  const isChanged = carried.some((one, index) => one === undefined || one.text !== blocks.texts[index]!.text);
  let [isStructuredDropped, edits]: [boolean, Edit[]] = [false, []];
  let added: CarriedText | undefined;
  if (structured !== undefined) {
    const said = { texts: blocks.texts.map(({ string }) => string), blocks: content };
    if (saysTheSame(json, structured, said)) {
      isStructuredDropped = isChanged;
    } else {
      const text = await by.carrier.carry(wellFormed(textOf(json, structured)));
      // Beside a ticket it moves into the text even where it is small: some clients show a model nothing but it.
      isStructuredDropped = isReplaced || !text.isWhole;
      if (isStructuredDropped) added = text;
      else edits = harmlessStrings(json, structured, by.carrier);
    }
  }
  if (!isChanged && !isStructuredDropped) return edits;

  const block = added && { type: 'text', text: added.text };
  if (content !== undefined) edits.push(...blockEdits(blocks, carried, block === undefined ? [] : [encoded(block)]));
  const all = [...carried, added].filter((one) => one !== undefined);
  const notes = all.every(({ isWhole }) => isWhole) ? {} : notesOf(all, by.seal);
  const appended: Uint8Array[] = [];
  if (content === undefined && block !== undefined) appended.push(memberOf('content', [block]));
  if (meta !== undefined && kindOf(json, meta) === 'object') {
    const others = members(json, meta);
    const isOurs = (index: number): boolean => [SEAL, CLAIMS].includes(others.items[index]!.key);
    edits.push(
      ...listEdits(
        others,
        isOurs,
        Object.entries(notes).map(([key, value]) => memberOf(key, value)),
      ),
    );
  } else if (meta === undefined && Object.keys(notes).length > 0) {
    appended.push(memberOf('_meta', notes));
  }
  const isDropped = (index: number): boolean => isStructuredDropped && fields.items[index]!.key === 'structuredContent';
  return [...edits, ...listEdits(fields, isDropped, appended)];
}

/** What a text becomes. */
interface CarriedBlock extends CarriedText {
  /** Whether it holds other texts as well, which have gone from their own places. */
  readonly isJoint?: boolean;
}

/** What each text becomes; none for one that went into the text of another. */
async function carriedTexts(texts: readonly TextBlock[], by: Carrier): Promise<(CarriedBlock | undefined)[]> {
  const carried: (CarriedBlock | undefined)[] = texts.map(() => undefined);
  if (texts.length === 0) return carried;
  const longest = texts.reduce((most, { text }, index) => (text.length > texts[most]!.text.length ? index : most), 0);
  carried[longest] = await by.carry(wellFormed(texts[longest]!.text));
  const others = texts.map((_, index) => index).filter((index) => index !== longest);
  if (others.length === 0) return carried;
  // A text that moves away from its block says where it is from.
  const lines = others.map((index) => {
    const { text, uri } = texts[index]!;
    return uri === undefined || others.length === 1 ? text : `${uri}\n${text}`;
  });
  const together = await by.carry(wellFormed(lines.join('\n')));
  if (!together.isWhole) {
    carried[others[0]!] = { ...together, isJoint: others.length > 1 };
  } else {
    for (const index of others) carried[index] = { text: by.harmless(wellFormed(texts[index]!.text)), isWhole: true };
  }
  return carried;
}

function blockEdits(blocks: Blocks, carried: readonly (CarriedBlock | undefined)[], appended: Uint8Array[]): Edit[] {
  const gone = new Set<number>();
  const edits: Edit[] = [];
  blocks.texts.forEach(({ index, block, string, text, uri }, nth) => {
    const its = carried[nth];
    if (its === undefined) gone.add(index);
    // What stands for several texts is no longer the one resource's.
    else if (its.isJoint && uri !== undefined) edits.push(replaced(block, encoded({ type: 'text', text: its.text })));
    else if (its.text !== text) edits.push(replaced(string, encoded(its.text)));
  });
  return [...edits, ...listEdits(blocks.all, (index) => gone.has(index), appended)];
}

function harmlessStrings(json: Uint8Array, value: Span, by: Carrier): Edit[] {
  const edits: Edit[] = [];
  for (const string of strings(json, value)) {
    const text = parse(json, string) as string;
    const harmless = by.harmless(wellFormed(text));
    if (harmless !== text) edits.push(replaced(string, encoded(harmless)));
  }
  return edits;
}

function isSealed(
  json: Uint8Array,
  meta: Span | undefined,
  texts: readonly TextBlock[],
  seal: Seal | undefined,
): boolean {
  if (meta === undefined || seal === undefined) return false;
  const claimed = stringOf(json, members(json, meta), SEAL);
  return (
    claimed !== undefined &&
    seal.isValid(
      claimed,
      texts.map(({ text }) => text),
    )
  );
}

function notesOf(texts: readonly CarriedText[], seal: Seal | undefined): Record<string, unknown> {
  const claims = texts.flatMap(({ claim }) => claim ?? []);
  const sealed = seal?.of(texts.map(({ text }) => text));
  return { ...(claims.length > 0 && { [CLAIMS]: claims }), ...(sealed !== undefined && { [SEAL]: sealed }) };
}

function memberOf(key: string, value: unknown): Uint8Array {
  return encoded({ [key]: value }).slice(1, -1);
}
