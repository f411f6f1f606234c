import type { Manifest } from './manifest.ts';

/** How a store on one engine is copied. All methods throw StoreError. */
export interface Copying {
  engine: Manifest['engine'];
  /** Copies the store, as it is at one moment, into files of a folder. */
  copyInto(folder: string): Promise<Pick<Manifest, 'migration' | 'rows'> & { names: string[] }>;
  /** Has the store remember when it was backed up. One from before this memory stays without. */
  remember(at: number): Promise<void>;
}
