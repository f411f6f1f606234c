import { StoreError } from '#store/engine/store-error.ts';
import type { Manifest } from './manifest.ts';

/** What is to be restored, and how. */
export interface Restoring {
  /** The backup's folder. */
  backup: string;
  manifest: Manifest;
  replace: boolean;
  /** Epoch milliseconds. */
  at: number;
  /** Brings restored tables up to date and notes in them what they are. */
  finish(databaseUrl: string): Promise<void>;
}

/** Compares what was restored with what was backed up. */
export function checkRows({ backup, manifest }: Restoring, rows: Readonly<Record<string, number>>): void {
  for (const [table, expected] of Object.entries(manifest.rows))
    if (rows[table] !== expected)
      throw new StoreError(`${backup} is damaged: ${table} has ${rows[table] ?? 'no'} rows instead of ${expected}.`);
}

export function refuseToReplace(place: string): StoreError {
  return new StoreError(`${place} holds a store already; with --replace it is kept aside and replaced.`);
}

export function inUse(place: string): StoreError {
  return new StoreError(`${place} is in use; stop every proxy on it first.`);
}

/** A name for what is kept aside, such as replaced-2026-11-20T12-00-00-000Z. */
export function asideName(at: number): string {
  return `replaced-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`;
}
