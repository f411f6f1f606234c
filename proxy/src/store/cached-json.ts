import { Company } from '@deskside/shared/profile';
import * as z from 'zod/mini';
import type { CrmCompany, CrmUser } from '#crm/company.ts';

const text = z.nullable(z.string());
const moment = z.nullable(z.number());

const Person = z.object({
  id: z.string(),
  name: text,
  post: text,
  emails: z.array(z.string()),
  phones: z.array(z.string()),
  url: text,
});

const Companies: z.ZodMiniType<CrmCompany[]> = z.array(
  z.object({
    fields: z.omit(Company, { shopplan_status: true, shopplan_days_left: true }),
    planExpiresAt: moment,
    modifiedAt: moment,
    emails: z.array(z.string()),
    contacts: z.array(Person),
    matchedField: z.string(),
    payload: z.string(),
  }),
);

const User: z.ZodMiniType<CrmUser | null> = z.nullable(
  z.object({ id: z.string(), active: z.boolean(), email: text, name: text, userType: text }),
);

/** Reads a stored list of companies. Undefined if it was written by a version with another shape. */
export function readCompanies(json: string): CrmCompany[] | undefined {
  return read(Companies, json);
}

/** Reads a stored account owner; null is one that the CRM does not show. Undefined as in `readCompanies`. */
export function readUser(json: string): CrmUser | null | undefined {
  return read(User, json);
}

function read<T>(schema: z.ZodMiniType<T>, json: string): T | undefined {
  try {
    return schema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
