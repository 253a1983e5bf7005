// How a text gets into the conversation.

import type { ClaimCheck } from '../claim-check.ts';
import type { Scope } from '../scope.ts';

/** A text as it enters the conversation. */
export interface CarriedText {
  readonly text: string;
  /** Whether it is still all of what the tool returned, made harmless or not. */
  readonly isWhole: boolean;
}

/** One way into the conversation. */
export interface Carrier {
  /** The text, or what stands for it. */
  carry(text: string): CarriedText | Promise<CarriedText>;
  /** A part of a text that was carried whole, made harmless as that was. */
  part(text: string): string;
}

/** Through the claim check: a ticket, the text itself, or the honest cut where the store fails. */
export function checkingIn(claims: ClaimCheck, scope: Scope, tool: string): Carrier {
  let isNeutralised = false;
  return {
    async carry(text) {
      const carried = await claims.carry(scope, tool, wellFormed(text));
      isNeutralised = carried.kind === 'neutralised';
      return { text: carried.rendered, isWhole: carried.kind === 'as-it-is' || isNeutralised };
    },
    part: (text) => (isNeutralised ? claims.neutralise(wellFormed(text)) : wellFormed(text)),
  };
}

/** How much of a preliminary result whoever watches gets to see, in characters. */
const PRELIMINARY_CHARS = 8000;

/** Not kept, only cut. */
export function cutting(claims: ClaimCheck): Carrier {
  return {
    carry(text) {
      const whole = wellFormed(text);
      const cut = claims.truncate(whole, PRELIMINARY_CHARS);
      return { text: cut, isWhole: cut === whole };
    },
    part: wellFormed,
  };
}

/** The text with U+FFFD, which the model can see, in place of every lone surrogate. */
function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
