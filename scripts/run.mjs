// Plain JavaScript that Node 20 can run: installs what is missing, then hands over to Node 24.
// Usage: node scripts/run.mjs <file from the root> [arguments]
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const pnpm = 'pnpm@12.21.0';
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const [entry = '', ...rest] = process.argv.slice(2);
install();
const node = path.join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
// What is measured, or kept running for long, is what operators run.
const built = path.join(root, 'proxy', '.output', 'deskside', 'deskside.js');
const isBuiltFirst = /^e2e\/bench/.test(entry) && process.env.DESKSIDE_CLI === undefined;
if (isBuiltFirst) {
  const { status } = spawnSync(node, [path.join(root, 'scripts/build-proxy.ts')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status !== 0) process.exit(status ?? 1);
}
const child = spawn(
  node,
  // Node would take an --env-file that is the command's for its own.
  [
    '--disable-warning=ExperimentalWarning',
    '--',
    path.join(root, entry),
    ...rest.filter((a, i) => !(a === '--' && i === 0)),
  ],
  {
    stdio: 'inherit',
    env: {
      ...(isBuiltFirst && { DESKSIDE_CLI: built }),
      ...process.env,
      PATH: `${path.dirname(node)}${path.delimiter}${path.join(root, 'node_modules', '.bin')}${path.delimiter}${process.env.PATH ?? ''}`,
    },
  },
);
// A terminal sends Ctrl-C to both processes; a supervisor sends it to this one alone.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
// npm ends the shell between, which tells nobody; what is left then belongs to another parent.
const parent = process.ppid;
if (process.env.npm_lifecycle_event) {
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    child.kill('SIGTERM');
  }, 500).unref();
}
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));

/** Installs the locked dependencies unless this very lock file is installed already. Ends the process with one sentence if it can't. */
function install() {
  const lock = readFileSync(path.join(root, 'pnpm-lock.yaml'));
  const digest = createHash('sha256').update(lock).digest('hex');
  const stamp = path.join(root, 'node_modules', '.deskside-installed');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return;
  const { devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  console.error('Installing what is missing (about half a minute the first time)…');
  const args = [
    'exec',
    '--yes',
    `--package=node@${devDependencies.node}`,
    `--package=${pnpm}`,
    '--',
    'pnpm',
    'install',
    '--frozen-lockfile',
  ];
  const run = spawnSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    env: { ...process.env, CI: 'true' },
  });
  if (run.status !== 0) {
    const output = `${run.stdout ?? ''}${run.stderr ?? ''}${run.error?.message ?? ''}`;
    const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET|network/i.test(
      output,
    );
    if (offline) {
      console.error(
        'The npm registry cannot be reached, so the dependencies could not be installed: check the network or the registry in your npm configuration, then run this again.',
      );
    } else {
      console.error(output.split('\n').filter(Boolean).slice(-15).join('\n'));
      console.error('The dependencies could not be installed; the lines above say why.');
    }
    process.exit(1);
  }
  writeFileSync(stamp, digest);
}
