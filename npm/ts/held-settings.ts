import { core } from './core.ts';
import { calling } from './errors.ts';
import { type ClaimCheckSettings, checkedSettings } from './settings.ts';
import type { Settings } from './wasm/core_bg.js';

/** The settings as the core holds them, validated. */
export function heldSettings(options: ClaimCheckSettings): Settings {
  const { fetchTool, findTool, windowChars, neutralise, policy, perTool } = checkedSettings(options);
  const held = new (core().Settings)();
  if (fetchTool !== undefined) held.setFetchTool(fetchTool);
  if (findTool !== undefined) held.setFindTool(findTool);
  if (windowChars !== undefined) held.setWindowChars(windowChars);
  if (neutralise !== undefined) held.setNeutralise(neutralise);
  if (policy !== undefined) held.setPolicy(undefined, ...policy);
  for (const [tool, numbers] of perTool) held.setPolicy(tool, ...numbers);
  calling(() => held.validate());
  return held;
}
