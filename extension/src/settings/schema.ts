import * as z from 'zod/mini';
import { isAddress } from './address.ts';

/** Address of a helpdesk or proxy: an origin. */
export const Address = z.string().check(z.refine(isAddress, 'Expected an origin such as https://helpdesk.example.'));

/** The language setting. `auto`: the helpdesk's, else the browser's. */
export const Language = z.enum(['auto', 'en', 'vi']);
export type Language = z.infer<typeof Language>;

/** A language that Deskside speaks. */
export const UiLanguage = z.enum(['en', 'vi']);
export type UiLanguage = z.infer<typeof UiLanguage>;

/** How an agent has arranged the panel: the state of the interface only, nothing of a ticket or a customer. */
export const PanelLayout = z.object({
  open: z.boolean(),
  /** The face of the helpdesk's column that the agent chose; without one it is the customer. */
  face: z.optional(z.enum(['ticket', 'customer'])),
});
export type PanelLayout = z.infer<typeof PanelLayout>;
