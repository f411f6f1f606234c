/** Request header that names the contract revision a client speaks. Who sends none, as scripts do, gets today's. */
export const revisionHeader = 'deskside-contract';

/** The one revision that this version speaks; a proxy answers another with `other_revision`. */
export const contractRevision = 6;
