import type { Erasure, Scope } from '../scope.ts';
import { StoreError } from '../store.ts';

/**
 * The tenant and, where one run is meant, the run. A scope passed where an erasure belongs has both fields at the
 * top and would take the whole tenant, so it is refused, as is everything else that is not one of the two shapes.
 */
export function erased(what: Erasure): { readonly tenant: string; readonly run: string | undefined } {
  const { tenant, run } = what as { readonly tenant?: unknown; readonly run?: Partial<Scope> | null };
  if (typeof tenant === 'string' && run === undefined) return { tenant, run };
  if (tenant === undefined && typeof run?.tenant === 'string' && typeof run.run === 'string') {
    return { tenant: run.tenant, run: run.run };
  }
  throw new StoreError('failed', 'forget takes { tenant } or { run: { tenant, run } }, and was given neither');
}
