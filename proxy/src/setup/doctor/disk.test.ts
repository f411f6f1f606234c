import { describe, expect, test } from 'vitest';
import { type DiskFacts, judgeDisk } from './disk.ts';

const healthy: DiskFacts = {
  folder: '/data',
  kind: 'folder',
  writable: true,
  locked: [],
  exposed: [],
  ownedByUs: true,
  free: { bytes: 2 * 2 ** 30, share: 0.01 },
};
const codes = (facts: Partial<DiskFacts>) => judgeDisk({ ...healthy, ...facts }).findings.map(({ code }) => code);

describe('the data folder', () => {
  test.each<[string, Partial<DiskFacts>, string[]]>([
    ['is fine', {}, []],
    ['will be made', { kind: 'missing' }, []],
    ['is elsewhere', { folder: null }, []],
    ['is on a small disk that is nearly empty', { free: { bytes: 2 ** 28, share: 0.5 } }, []],
    ['is on a disk that does not tell', { free: null }, []],
    ['is on a full disk', { free: { bytes: 2 ** 29, share: 0.09 } }, ['disk_nearly_full']],
    ['is read-only', { writable: false, exposed: ['/data'] }, ['data_folder_unusable']],
    ['has a file that the service cannot write', { locked: ['/data/state.db'] }, ['data_folder_unusable']],
    ['is a file', { kind: 'no_folder' }, ['data_folder_unusable']],
    [
      'is open to all and not ours',
      { exposed: ['/data'], ownedByUs: false },
      ['data_folder_exposed', 'data_folder_foreign'],
    ],
  ])('%s', (_, facts, expected) => {
    expect(codes(facts)).toEqual(expected);
  });
});
