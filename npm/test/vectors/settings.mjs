// Settings as the vectors spell them, and which of them are refused.

import { same, shaped } from './check.mjs';

const POLICY = { threshold_chars: 'integer', head_chars: 'integer', tail_chars: 'integer?', ttl_seconds: 'integer' };
const SETTINGS = {
  policy: 'object?',
  per_tool: 'object?',
  fetch_tool: 'string?',
  find_tool: 'string?|null',
  window_chars: 'integer?',
  neutralise: 'boolean?',
};

function policyOf(spelled) {
  const { threshold_chars, head_chars, tail_chars = 0, ttl_seconds } = shaped(spelled, POLICY, 'a policy');
  return { thresholdChars: threshold_chars, headChars: head_chars, tailChars: tail_chars, ttlSeconds: ttl_seconds };
}

/** The options of a claim check. `per_tool` is a map where no tool can be named twice, a list of pairs where one is. */
export function optionsOf(spelled) {
  const isList = Array.isArray(spelled.per_tool);
  shaped(spelled, { ...SETTINGS, per_tool: isList ? 'array' : 'object?' }, 'the settings');
  const { policy, per_tool, fetch_tool, find_tool, window_chars, neutralise } = spelled;
  const entries = isList ? per_tool : Object.entries(per_tool ?? {});
  const options = {
    policy: policy && policyOf(policy),
    perTool: entries.map(([tool, its]) => [tool, policyOf(its)]),
    fetchTool: fetch_tool,
    findTool: find_tool,
    windowChars: window_chars,
    neutralise,
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

/** What is wrong with settings, as [problem, tool]; null where nothing is. */
function refused(subject, options) {
  const store = { put() {}, fetch() {}, forget: () => 0 };
  try {
    subject.open({ ...options, store });
    return null;
  } catch (error) {
    if (error.code !== 'invalid-settings') throw error;
    return [error.problem, error.tool ?? null];
  }
}

export function settings(subject, value) {
  const { settings, error } = shaped(value, { settings: 'object', error: 'array|null' });
  same('error', error, refused(subject, optionsOf(settings)));
}

export function policies(subject, value) {
  const { policy: spelled, error } = shaped(value, { policy: 'object', error: 'string|null' });
  const policy = policyOf(spelled);
  const words = { 'zero-threshold': 'threshold', 'extract-not-below-threshold': 'head', 'zero-ttl': 'ttl' };
  const general = refused(subject, { policy });
  same('error', error, general && words[general[0]]);
  // For one tool it is refused alike, and by that tool's name.
  same('tool named', error && 't', refused(subject, { perTool: [['t', policy]] })?.[1] ?? null);
  if (general !== null) same('tool of the policy for all', null, general[1]);
}
