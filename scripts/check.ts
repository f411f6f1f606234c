import { runCheck } from './steps.ts';

/** Lint, format, citations, what nothing uses, and types: `npm run check`. */
const results = await runCheck();
process.exit(results.failed > 0 ? 1 : 0);
