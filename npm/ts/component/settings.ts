import { type ClaimCheckSettings, checkedSettings, type PolicyNumbers } from '../settings.ts';
import { defaults } from './generated/defaults.js';
import type { Policy, Settings } from './generated/interfaces/claim-check-tool-results-types.js';

/** The settings as the component takes them, whole: the contract has no defaults, so those of the core are filled in. */
export function wholeSettings(options: ClaimCheckSettings): Settings {
  const { fetchTool, findTool, windowChars, neutralise, policy, perTool } = checkedSettings(options);
  const found = findTool === undefined ? defaults.findTool : findTool;
  return {
    policy: wholePolicy(policy),
    perTool: perTool.map(([tool, numbers]) => ({ tool, policy: wholePolicy(numbers) })),
    fetchTool: fetchTool ?? defaults.fetchTool,
    ...(found === null ? {} : { findTool: found }),
    windowChars: windowChars ?? defaults.windowChars,
    neutralise: neutralise ?? defaults.neutralise,
  };
}

function wholePolicy(numbers: PolicyNumbers | undefined): Policy {
  const [thresholdChars, headChars, tailChars, ttlSeconds] = numbers ?? [];
  const { policy } = defaults;
  return {
    thresholdChars: thresholdChars ?? policy.thresholdChars,
    headChars: headChars ?? policy.headChars,
    tailChars: tailChars ?? policy.tailChars,
    ttlSeconds: ttlSeconds ?? policy.ttlSeconds,
  };
}
