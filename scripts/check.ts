import { run, runCheck } from './steps.ts';

/** Lint, format, citations, what nothing uses, types, and who imports whom: `npm run check`. */
const layers = ['run', '--project=scripts', '--reporter=minimal', 'layers'];
const [results, layersCode] = await Promise.all([runCheck(), run('vitest', layers)]);
process.exit(results.failed > 0 ? 1 : layersCode);
