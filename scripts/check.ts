import { run, runCheck } from './steps.ts';

/** Lint, format, citations, what nothing uses, types, who imports whom, and what types are called: `npm run check`. */
const layers = ['run', '--project=node', '--reporter=minimal', 'layers', 'type-names'];
const [results, layersCode] = await Promise.all([runCheck(), run('vitest', layers)]);
process.exit(results.failed > 0 ? 1 : layersCode);
