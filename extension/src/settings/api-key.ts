import * as z from 'zod/mini';

/** An API key of the helpdesk, `key:secret`, as its user page shows the two parts. */
export const ApiKey = z.string().check(z.trim(), z.regex(/^[\w-]{1,140}:[\w-]{1,140}$/));
