import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from './steps.ts';

/** For every layer: what a file in it may import, and what it may not. */
const layers: [file: string, allowed: string[], forbidden: string[]][] = [
  ['shared/src/x.ts', ['zod/mini', './y.ts'], ['zod', 'node:fs', '#domain/y.ts']],
  [
    'proxy/src/domain/crm/x.ts',
    ['#domain/y.ts', '@deskside/shared/y'],
    ['#app/y.ts', '#ports/y.ts', 'zod', '../../app/y.ts'],
  ],
  ['proxy/src/concurrency/x.ts', ['./y.ts'], ['#domain/y.ts', 'lru-cache', '../domain/y.ts', '@deskside/shared/y']],
  [
    'proxy/src/app/crm/x.ts',
    ['#domain/y.ts', '#ports/y.ts', '#concurrency/y.ts'],
    ['#adapters/y.ts', 'kysely', '../../adapters/y.ts', '#http/y.ts'],
  ],
  ['proxy/src/ports/x.ts', ['#domain/y.ts'], ['#adapters/y.ts', 'hono']],
  [
    'proxy/src/adapters/crm-bitrix24/x.ts',
    ['#ports/y.ts', '#net/y.ts', 'zod'],
    ['#app/y.ts', '#http/y.ts', '../../app/y.ts', '@deskside/simulators/y', 'undici'],
  ],
  [
    'proxy/src/http/routes/x.ts',
    ['#app/y.ts', 'hono'],
    ['#adapters/y.ts', '#net/y.ts', '#wiring/y.ts', '@deskside/extension/y', '../../adapters/y.ts'],
  ],
  ['proxy/src/setup/doctor/x.ts', ['#ports/y.ts'], ['#adapters/y.ts', '#app/y.ts', '#net/y.ts', '../../net/y.ts']],
  ['proxy/src/main.ts', ['#wiring/y.ts'], ['@deskside/simulators/y', '../../e2e/y.ts']],
  [
    'proxy/operator/src/today/x.ts',
    ['#ui/y.ts', '@deskside/extension/ui/y'],
    ['#routing/y.ts', '@deskside/proxy/y', 'hono'],
  ],
  ['proxy/operator/src/ui/x.ts', ['#i18n/y.ts'], ['#today/y.ts', '@tanstack/react-query']],
  ['extension/src/host-page/x.ts', ['./y.ts'], ['#profile/y.ts', '@deskside/shared/y', 'wxt/browser']],
  ['extension/src/ui/x.ts', ['react'], ['#profile/y.ts', '#i18n/y.ts', '#messaging/y.ts']],
  ['extension/src/platform/x.ts', ['wxt/browser'], ['#profile/y.ts']],
  ['extension/src/settings/x.ts', ['zod/mini'], ['#messaging/y.ts']],
  ['extension/src/messaging/x.ts', ['#settings/schema.ts'], ['#background/y.ts', '#settings/y.ts']],
  ['extension/src/i18n/x.ts', ['react'], ['#profile/y.ts', '#ui/y.ts']],
  ['extension/src/summary/x.ts', ['#i18n/y.ts'], ['#profile/y.ts', 'react']],
  ['extension/src/launcher/x.ts', ['#host-page/y.ts'], ['react', '#profile/y.ts']],
  ['extension/src/profile/x.ts', ['#ui/y.ts', 'react'], ['#background/y.ts', '#host-page/y.ts', '#options/y.ts']],
  ['extension/src/profile/trust/x.ts', ['#ui/y.ts'], ['#profile/sync/y.ts', '#background/y.ts']],
  ['extension/src/welcome/x.ts', ['#options/components.tsx'], ['#background/y.ts', '#options/y.ts', '#profile/y.ts']],
  ['e2e/simulators/crm/x.ts', ['#crm/y.ts'], ['@deskside/proxy/y', '../../tests/y.ts']],
  ['e2e/tests/x.ts', ['@deskside/simulators/y'], ['../../proxy/src/main.ts', '../simulators/y.ts']],
  ['scripts/x.ts', ['../testing/y.ts'], ['../proxy/src/main.ts', '@deskside/proxy/y']],
];

test('every layer may import what it is said to, and nothing else', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'deskside-layers-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const config = JSON.parse(readFileSync(path.join(root, 'biome.json'), 'utf8')) as { vcs: unknown };
  writeFileSync(path.join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: undefined }));
  const imports = (names: string[]) => names.map((name, i) => `import { a as a${i} } from '${name}';`).join('\n');
  for (const [file, allowed, forbidden] of layers) {
    plant(folder, file, `${imports(allowed)}\n`);
    plant(folder, file.replace('x.ts', 'z.ts'), `${imports(forbidden)}\n`);
  }
  const { stdout } = spawnSync(
    path.join(root, 'node_modules', '.bin', 'biome'),
    ['lint', '--only=style/noRestrictedImports', '--reporter=github', '--max-diagnostics=none', folder],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  );
  const refused = [...stdout.matchAll(/noRestrictedImports.*?file=([^,]+),line=(\d+)/g)].map(
    ([, file = '', line]) => `${path.relative(folder, path.resolve(folder, file)).replaceAll(path.sep, '/')}:${line}`,
  );
  const expected = layers.flatMap(([file, , forbidden]) =>
    forbidden.map((_, i) => `${file.replace('x.ts', 'z.ts')}:${i + 1}`),
  );
  expect([...new Set(refused)].sort()).toEqual(expected.sort());
});

function plant(folder: string, file: string, text: string): void {
  mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
  writeFileSync(path.join(folder, file), text);
}
