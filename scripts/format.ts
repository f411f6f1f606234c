import { root, run } from './steps.ts';

/** Formats and mends what the linter can mend: `npm run format`. */
process.exit(await run('biome', ['check', '--write', root]));
