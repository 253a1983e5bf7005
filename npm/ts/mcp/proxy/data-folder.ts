import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for this user's data where nothing else was said: XDG's, or what macOS and Windows have for it. */
export function dataFolder(env: NodeJS.ProcessEnv = process.env, platform: string = process.platform): string {
  return join(userData(env, platform), 'claim-check', 'mcp');
}

function userData(env: NodeJS.ProcessEnv, platform: string): string {
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  if (platform === 'win32') return env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local');
  const given = env['XDG_DATA_HOME'];
  // A relative path there counts as none, the specification says.
  return given?.startsWith('/') ? given : join(homedir(), '.local', 'share');
}
