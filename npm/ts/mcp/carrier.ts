import type { ClaimCheck } from '../claim-check.ts';
import type { Scope } from '../scope.ts';

/** A claim that was made for a text, as a program reads it. */
export interface Claimed {
  readonly handle: string;
  /** The size of the whole text, in characters. */
  readonly chars: number;
  /** Where reading on starts, in characters. */
  readonly nextOffset: number;
}

/** A text as it enters the conversation. */
export interface CarriedText {
  readonly text: string;
  /** Whether it is still all that the tool returned, made harmless or not. */
  readonly isWhole: boolean;
  /** Where it was checked in. */
  readonly claim?: Claimed;
}

/** One way of a tool's texts into the conversation. */
export interface Carrier {
  /** The text, or what stands for it. Well-formed. */
  carry(text: string): Promise<CarriedText>;
  /** A text that is small enough, as `carry` would make it harmless. */
  harmless(text: string): string;
}

/** Through the claim check: the text, a ticket, or an honest cut where the store fails. */
export function checkingIn(claims: ClaimCheck, scope: Scope, tool: string): Carrier {
  return {
    async carry(text) {
      const carried = await claims.carry(scope, wellFormed(tool), text);
      if (carried.kind !== 'checked-in') return { text: carried.rendered, isWhole: carried.kind !== 'cut' };
      const { handle, chars, nextOffset } = carried.ticket;
      return { text: carried.rendered, isWhole: false, claim: { handle, chars, nextOffset } };
    },
    harmless: (text) => claims.harmless(text),
  };
}

/** The text with U+FFFD, which the model can see, in place of every lone surrogate. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
