// What the component refuses with, as the errors that the package has. The contract carries cases and not their
// wording, so the sentences are this module's.

import { ClaimCheckError, ClaimUnavailableError, SettingsError } from '../errors.ts';
import { StoreError } from '../store.ts';
import type { CheckInError } from './generated/interfaces/claim-check-tool-results-check-in.js';
import type { FetchError, FindError } from './generated/interfaces/claim-check-tool-results-fetch.js';
import type { ForgetError } from './generated/interfaces/claim-check-tool-results-forget.js';
import type { SettingsError as SettingsPayload } from './generated/interfaces/claim-check-tool-results-types.js';
import type { Refused } from './instance.ts';

/** Every error that an export other than `answer` refuses with. */
type Payload = CheckInError | FetchError | FindError | ForgetError;

/** The error of a refused call. */
export function errorOf({ payload, stored }: Refused): ClaimCheckError | StoreError {
  const refusal = payload as Payload;
  switch (refusal.tag) {
    case 'invalid-settings':
      return settingsError({ payload: refusal.val, stored });
    case 'invalid-scope':
      return new ClaimCheckError('invalid-scope', refusal.val);
    case 'too-large':
      return new ClaimCheckError('too-large', 'the content is too large to be checked in: more than 64 MiB of UTF-8');
    case 'claim-unavailable':
      return new ClaimUnavailableError(
        refusal.val,
        `no claim can be read under this handle in this scope: it is ${refusal.val}`,
      );
    case 'invalid-offset':
      return new ClaimCheckError('invalid-offset', `offset is ${refusal.val}; it must not be negative`);
    case 'invalid-needle':
      return new ClaimCheckError('invalid-needle', 'the text to find is empty or longer than 256 characters');
    case 'fetch':
      return errorOf({ payload: refusal.val, stored });
    case 'store':
      return stored ?? new StoreError(refusal.val.tag, 'the store failed');
  }
}

/** The error of settings that were refused. */
export function settingsError({ payload }: Refused): SettingsError {
  const refusal = payload as SettingsPayload;
  const tool = 'val' in refusal ? refusal.val : undefined;
  const whose = tool === undefined ? '' : `, of the tool '${tool}'`;
  return new SettingsError(refusal.tag, tool, `the settings make no sense: ${refusal.tag}${whose}`);
}
