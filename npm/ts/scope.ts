/** Whose claim it is. Both come from your trusted context, never from the model. */
export interface Scope {
  /** The tenant: whoever must never see another one's content. 1 to 255 bytes of UTF-8, no control characters. */
  readonly tenant: string;
  /** The run: an id that nobody can guess, such as a UUID. 1 to 255 bytes of UTF-8, no control characters. */
  readonly run: string;
}

/**
 * What is to be forgotten: a whole tenant, or one run. Two shapes, so that a run that is missing by mistake can't
 * come to mean the whole tenant.
 */
export type Erasure = { readonly tenant: string } | { readonly run: Scope };
