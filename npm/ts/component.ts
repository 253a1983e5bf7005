// The component itself, as jco makes JavaScript of it: the rules as wasmtime runs them, for a store that answers at once.

export { neutralise, truncate } from './component/boundary.ts';
export { ClaimCheck, type ClaimCheckOptions } from './component/claim-check.ts';
export type { SyncClaimStore } from './component/store.ts';
export type { FetchOptions, FindOptions } from './claim-check.ts';
export {
  type Absence,
  ClaimCheckError,
  ClaimUnavailableError,
  type ErrorCode,
  SettingsError,
  type SettingsProblem,
} from './errors.ts';
export type { Answer, Finding, Found, Outcome, Refusal, RefusalCode, Reply, Ticket, Window } from './outcome.ts';
export type { Erasure, Scope } from './scope.ts';
export type { ClaimCheckSettings, Policy } from './settings.ts';
export { type Claim, StoreError, type StoreErrorCode } from './store.ts';
export { MemoryStore, type MemoryStoreOptions } from './stores/memory.ts';
export type { JsonSchema, ToolDefinition, ToolFormats } from './tools.ts';
