import packageJson from '../../package.json' with { type: 'json' };

/** The version of this proxy, as released. */
export const version: string = packageJson.version;
