import root from '../../package.json' with { type: 'json' };

/** The version of this proxy, as released: the same for all of Deskside. */
export const version: string = root.version;
