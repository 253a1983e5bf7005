/**
 * Known by both ends of a chain of claim checks: what one of them put into the conversation passes the next one
 * unchanged. Only a valid seal counts, so a server can't pass its own text off as a ticket.
 */
export interface Seal {
  /** The seal of a result's texts. */
  of(texts: readonly string[]): string | undefined;
  /** Whether it is. */
  isValid(seal: string, texts: readonly string[]): boolean;
}

/** The member of a result's `_meta` that holds its seal. */
export const SEAL = 'claim-check/seal';

/** The member of a result's `_meta` that lists the claims made for it: handle, chars, nextOffset. */
export const CLAIMS = 'claim-check/claims';
