import { type AreaReport, finding } from '#setup/doctor/finding.ts';

/** The folder of the embedded database. `folder`: null if the data is elsewhere. */
export interface DiskFacts {
  folder: string | null;
  kind: 'folder' | 'missing' | 'no_folder';
  /** Whether files can be created in it, or the folder itself if it does not exist. */
  writable: boolean;
  /** Folder or files that other users of the machine can read. */
  exposed: string[];
  ownedByUs: boolean;
  free: { bytes: number; share: number } | null;
}

const gibibyte = 2 ** 30;

/**
 * Judges whether data can be stored, readable by us alone, and with enough room: at least 1 GiB or a tenth of the disk.
 */
export function judgeDisk({ folder, kind, writable, exposed, ownedByUs, free }: DiskFacts): AreaReport {
  const area = 'Data folder';
  if (folder === null) {
    const why = 'The data is in PostgreSQL; the proxy reports at startup whether it can be used.';
    return { area, findings: [], passed: [], unchecked: [why] };
  }
  if (kind === 'no_folder' || !writable) {
    const what = kind === 'no_folder' ? 'is not a folder' : 'cannot be written to by this account';
    const remedy = 'Set DATABASE_URL to file:<folder>, and give the account that runs the proxy that folder (chown).';
    const only = finding('data_folder_unusable', `The data folder ${folder} ${what}.`, remedy);
    return { area, findings: [only], passed: [], unchecked: [] };
  }
  const findings = [];
  if (exposed.length > 0) {
    findings.push(
      finding(
        'data_folder_exposed',
        `Other users of this machine can read ${exposed.join(', ')}, which holds customer data.`,
        `Run "chmod -R go-rwx ${folder}".`,
      ),
    );
  }
  if (!ownedByUs) {
    findings.push(
      finding(
        'data_folder_foreign',
        `The data folder ${folder} belongs to an account other than the one that runs this command.`,
        'Run doctor as the account that runs the proxy, or give the folder to that account (chown).',
      ),
    );
  }
  if (free !== null && free.bytes < gibibyte && free.share < 0.1) {
    findings.push(
      finding(
        'disk_nearly_full',
        `The disk of ${folder} has ${Math.floor(free.bytes / 2 ** 20)} MiB left; once it is full, no ticket can be accepted.`,
        'Free up space: at least 1 GiB or a tenth of the disk.',
      ),
    );
  }
  const state = kind === 'missing' ? 'will be created at the first start' : 'can be written to';
  return {
    area,
    findings,
    passed: findings.length === 0 ? [`${folder} ${state}, and there is enough space.`] : [],
    unchecked: [],
  };
}
