import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './steps.ts';

/** As scripts/run.mjs installs with it. */
const pnpm = 'pnpm@12.21.0';

/** What is known against a package that we ship. */
interface Advisory {
  module_name: string;
  severity: string;
  title: string;
  patched_versions?: string;
  url: string;
}

/** What an audit came to. */
export type Audit = { asked: true; found: Advisory[] } | { asked: false; why: string };

/** What keeps a release from being shipped; lesser ones are for whoever updates the dependencies. */
const grave = new Set(['high', 'critical']);

/**
 * Asks the registry what is known against the packages that are shipped, development tools left out.
 * @param folder the project with its lock file
 * @param options further options of pnpm
 */
async function auditDependencies(folder: string, options: string[] = []): Promise<Audit> {
  const { devDependencies } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const args = ['exec', '--yes', `--package=node@${devDependencies.node}`, `--package=${pnpm}`, '--', 'pnpm'];
  const child = spawn('npm', [...args, 'audit', '--prod', '--json', ...options], {
    cwd: folder,
    shell: process.platform === 'win32',
  });
  let printed = '';
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (printed += chunk));
  child.stderr.on('data', (chunk: Buffer) => (said += chunk));
  await new Promise((resolve) => child.on('close', resolve).on('error', resolve));
  return readAudit(printed, said);
}

/** Reads what pnpm has printed: the advisories that keep a release from being shipped, or that it could not ask. */
export function readAudit(printed: string, said = ''): Audit {
  try {
    const { advisories } = JSON.parse(printed) as { advisories: Record<string, Advisory> };
    return { asked: true, found: Object.values(advisories).filter(({ severity }) => grave.has(severity)) };
  } catch {
    const line = `${printed}\n${said}`.split('\n').find((text) => /ERR_|error/i.test(text));
    return { asked: false, why: line?.trim() ?? 'no answer' };
  }
}

if (import.meta.main) await main();

/** `npm run audit`: exit code 1 if something grave is known against a package that we ship; 0 also where nobody can be asked. */
async function main(): Promise<void> {
  const audit = await auditDependencies(root, process.argv.slice(2));
  if (!audit.asked) console.log(`The registry could not be asked about the dependencies: ${audit.why}`);
  else if (audit.found.length === 0) console.log('Nothing grave is known against the dependencies.');
  else {
    for (const { module_name, severity, title, patched_versions, url } of audit.found)
      console.log(`${module_name}: ${title} (${severity}); mended in ${patched_versions ?? 'no version yet'}; ${url}`);
    process.exitCode = 1;
  }
}
