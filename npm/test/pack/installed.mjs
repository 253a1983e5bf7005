// The package as its users get it: packed, and installed into an empty folder.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

const npm = (args, cwd) => execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

/**
 * The folder with the package in it, the tarball, and what npm says of that. `remove` takes it all away. Without a
 * registry: the package needs nothing beside itself, and this fails if that changes.
 */
export function install() {
  const folder = mkdtempSync(join(tmpdir(), 'claim-check-pack-'));
  const [packed] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], PACKAGE));
  const tarball = join(folder, packed.filename);
  const app = join(folder, 'app');
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{ "private": true, "type": "module" }\n');
  npm(['install', '--offline', '--no-audit', '--no-fund', tarball], app);
  return { app, tarball, packed, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
