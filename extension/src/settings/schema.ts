import * as z from 'zod/mini';
import { isAddress } from './address.ts';

/** Address of a helpdesk or proxy: an origin. */
export const Address = z.string().check(z.refine(isAddress, 'Expected an origin such as https://helpdesk.example.'));

/** An API key of the helpdesk, `key:secret`: the two parts that its user page shows. */
export const ApiKey = z.string().check(z.trim(), z.regex(/^[\w-]{1,140}:[\w-]{1,140}$/));

/** The language setting. `auto`: the helpdesk's, else the browser's. */
export const Language = z.enum(['auto', 'en', 'vi']);
export type Language = z.infer<typeof Language>;

/** A language that Deskside speaks. */
export const UiLanguage = z.enum(['en', 'vi']);
export type UiLanguage = z.infer<typeof UiLanguage>;
