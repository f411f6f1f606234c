/** The environment in which `ops/` and `npm run proxy` have the C library keep little memory for later (docs/decisions.md 41). */
export const thrifty = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };

/** Node's options with which `ops/` and `npm run proxy` start it, likewise. */
export const nodeFlags = ['--max-semi-space-size=8'];
