export { neutralise, truncate } from './boundary.ts';
export { ClaimCheck, type ClaimCheckOptions, type FetchOptions, type FindOptions } from './claim-check.ts';
export {
  type Absence,
  ClaimCheckError,
  ClaimUnavailableError,
  type ErrorCode,
  SettingsError,
  type SettingsProblem,
} from './errors.ts';
export type * from './events.ts';
export type {
  Answer,
  Carried,
  Finding,
  Found,
  Outcome,
  Refusal,
  RefusalCode,
  Reply,
  Ticket,
  Window,
} from './outcome.ts';
export type { Erasure, Scope } from './scope.ts';
export type { ClaimCheckSettings, Policy } from './settings.ts';
export { type Claim, type ClaimStore, StoreError, type StoreErrorCode } from './store.ts';
export { MemoryStore, type MemoryStoreOptions } from './stores/memory.ts';
export type { JsonSchema, ToolDefinition, ToolFormats } from './tools.ts';
