import { expect, test } from 'vitest';
import { makeFolders, notAllowed, whoMayWrite } from './folders.ts';

test('who runs it, whose the folder is, and what to do', () => {
  expect(notAllowed(4_711, 0, '/data')).toBe(
    ' This runs as 4711, and /data belongs to root: run it as that account ("sudo -u root …"), or give it the path ("sudo chown -R 4711 /data").',
  );
  expect(notAllowed(0, 4_711, '/data')).toContain(`("sudo -u '#4711' …")`);
  expect(notAllowed(4_711, 4_711, '/data')).toContain('run "chmod u+rwX /data"');
});

test.runIf(process.platform === 'linux' && process.getuid?.() !== 0)('the rights that are missing are named', () => {
  expect(whoMayWrite('/deskside/data')).toContain('/ belongs to root');
});

test.runIf(process.platform === 'linux')('where no folder can be made is said, and does not go on for ever', () => {
  expect(() => makeFolders('/proc/deskside/data')).toThrow(/ENOENT/);
});
