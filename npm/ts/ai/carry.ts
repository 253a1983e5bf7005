import type { ClaimCheck } from '../claim-check.ts';
import type { Carrier } from '../mcp/carrier.ts';
import type { Scope } from '../scope.ts';

/** Through the claim check: a ticket, the text itself, or the honest cut where the store fails. */
export function checkingIn(claims: ClaimCheck, scope: Scope, tool: string): Carrier {
  let isNeutralised = false;
  return {
    async carry(text) {
      const carried = await claims.carry(scope, tool, text);
      isNeutralised = carried.kind === 'neutralised';
      return { text: carried.rendered, isWhole: carried.kind === 'as-it-is' || isNeutralised };
    },
    // Of a claim check that makes nothing harmless, no text ever was.
    harmless: (text) => (isNeutralised ? claims.neutralise(text) : text),
  };
}

/** How much of a preliminary result whoever watches gets to see, in characters. */
const PRELIMINARY_CHARS = 8000;

/** Not kept, only cut. */
export function cutting(claims: ClaimCheck): Carrier {
  return {
    async carry(text) {
      const cut = claims.truncate(text, PRELIMINARY_CHARS);
      return { text: cut, isWhole: cut === text };
    },
    harmless: (text) => text,
  };
}
