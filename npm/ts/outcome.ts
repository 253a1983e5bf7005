import type { ClaimCheckError } from './errors.ts';
import type { StoreError } from './store.ts';

/** What enters the conversation in place of an oversized result. A character is a Unicode scalar value. */
export interface Ticket {
  /** `claim:` and 32 lower-case hexadecimal digits. Works only in the scope that made it. */
  readonly handle: string;
  /** The size of the whole content, in characters: not `.length`, which counts UTF-16 units. */
  readonly chars: number;
  /** The leading extract: a prefix of the content, word for word. */
  readonly head: string;
  /** How much there is, how much is not shown, and the call that reads it. */
  readonly notice: string;
  /** The trailing extract, word for word; empty unless the policy asks for one. */
  readonly tail: string;
  /** Head, notice and tail, ready for the conversation. */
  readonly rendered: string;
  /** Where reading on starts: the end of the head, in characters. */
  readonly nextOffset: number;
  /** For how many seconds the handle can be redeemed at least. */
  readonly ttlSeconds: number;
}

/** What the conversation carries for a result, as `rendered`, and how it came to that. */
export type Outcome =
  /** The result as the tool returned it. */
  | { readonly kind: 'as-it-is'; readonly rendered: string }
  /** The result, small enough to carry, once neutralised. */
  | { readonly kind: 'neutralised'; readonly rendered: string }
  /** The ticket; the store has acknowledged the (neutralised) result. */
  | { readonly kind: 'checked-in'; readonly rendered: string; readonly ticket: Ticket };

/** What the conversation carries for a result, whatever the store did. */
export type Carried =
  | Outcome
  /** The beginning, and a line that says that the rest was not kept. */
  | {
      readonly kind: 'cut';
      readonly rendered: string;
      /** Why it was not checked in: the store's error, or a result of more than 64 MiB. */
      readonly error: StoreError | ClaimCheckError;
    };

/** A part of checked-in content, word for word. */
export interface Window {
  /** Exactly the characters from `offset` on, at most as many as were asked for; empty past the end. */
  readonly text: string;
  /** The offset that was asked for, in characters. */
  readonly offset: number;
  /** Where the next window starts, in characters; none where this one reaches the end. */
  readonly nextOffset: number | undefined;
  /** The size of the whole content, in characters. */
  readonly chars: number;
}

/** One match of a search. */
export interface Found {
  /** Where the match starts, in characters. */
  readonly offset: number;
  /** The line around the match, word for word, at most 80 characters to either side. */
  readonly snippet: string;
  /** Where the snippet starts, in characters. */
  readonly snippetOffset: number;
}

/** The matches of a search, in order. */
export interface Finding {
  /** At most as many as were asked for. */
  readonly matches: readonly Found[];
  /** The offset of the next match, in characters; none where every match is listed. */
  readonly nextOffset: number | undefined;
}

/** A redeeming tool's answer. */
export interface Reply {
  readonly refused: false;
  /** The window word for word, or one line per match. */
  readonly text: string;
  /** Where the text stands, and the call that reads on. */
  readonly note: string;
  /** What the model reads: text and note with a blank line between. Where two blocks can be carried, carry them. */
  readonly rendered: string;
}

/** Why a redeeming tool gives nothing, as the host can switch on it. */
export type RefusalCode =
  /** One answer for malformed, unknown, expired, forgotten, foreign and damaged handles. */
  | 'claim_unavailable'
  /** The offset is negative. */
  | 'invalid_offset'
  /** The arguments are not what the tool's schema asks for. */
  | 'invalid_arguments'
  /** The only one worth trying again. */
  | 'store_unavailable';

/** A refusal that the model can read and the host can switch on. */
export interface Refusal {
  readonly refused: true;
  readonly code: RefusalCode;
  /** What the model reads: names no tenant and no run, repeats nothing that was sent, and says what to do next. */
  readonly rendered: string;
  /** For the operator's log alone. */
  readonly cause: ClaimCheckError | StoreError | undefined;
}

/** What the model reads for a call of a redeeming tool, as `rendered`. */
export type Answer = Reply | Refusal;
