import * as z from 'zod/mini';

// The rules for which the operator page has forms, as far as these go. What a value must be is said by the proxy's own
// schemas (docs/settings.md#rules): a form may hold something that is not right yet.

const words = z.array(z.string());

/** The agent groups that tickets are routed to; a default for what is absent. */
const team = z.optional(z.string());
export const TeamsValue = z.strictObject({ medium_scale: team, medium_grow: team, sme: team });
export type TeamsValue = z.infer<typeof TeamsValue>;

export const PlanWordsValue = z.strictObject({ scale: words, grow: words });
export type PlanWordsValue = z.infer<typeof PlanWordsValue>;

/** Segments or hosts. */
export const WordsValue = words;

export const extraFieldGroups = ['metrics', 'profit', 'context'] as const;
/** A CRM field that the panel shows under a label of its own, and where. */
export const ExtraFieldValue = z.strictObject({
  field: z.string(),
  key: z.string(),
  label: z.string(),
  group: z.enum(extraFieldGroups),
});
export type ExtraFieldValue = z.infer<typeof ExtraFieldValue>;

/** Fields of the CRM; only the additional ones have a form. */
export const CrmFieldsValue = z.looseObject({ extra: z._default(z.array(ExtraFieldValue), []) });
export type CrmFieldsValue = z.infer<typeof CrmFieldsValue>;
