/** `npm run test:full`: `npm test` with floods and soaking as large as they are meant (`sized` in testing/). */
process.env.TEST_SIZE = 'full';
await import('./test.ts');
