import root from '../../../package.json' with { type: 'json' };

/** The version of this proxy, as released: the same for all of Deskside. */
export const version: string = root.version;

/** The same with the commit that it was built from, where that is known. */
export const build: string = process.env.DESKSIDE_COMMIT ? `${version} (${process.env.DESKSIDE_COMMIT})` : version;
