import { normalizePhone } from '@deskside/shared/phone';
import type { CrmContact } from '@deskside/shared/profile';

/** A contact of the company, as the CRM port returns it. */
interface Person {
  id: string;
  name: string | null;
  post: string | null;
  emails: readonly string[];
  phones: readonly string[];
  url: string | null;
}

/**
 * Picks the company contact who is the ticket's contact: by e-mail, else by telephone number in any spelling, else the
 * first one, marked as such (docs/decisions.md 4). Null if the company has no contacts. Earlier keys take precedence
 * over later ones.
 */
export function chooseContact(
  contacts: readonly Person[],
  ticket: { emails: readonly string[]; phones: readonly string[] },
): CrmContact | null {
  for (const wanted of ticket.emails.map((email) => email.trim().toLowerCase())) {
    for (const person of contacts) {
      const email = person.emails.find((e) => e.toLowerCase() === wanted);
      if (email) return chosen(person, 'email', { email });
    }
  }
  for (const wanted of ticket.phones.map(normalizePhone)) {
    if (wanted === null) continue;
    for (const person of contacts) {
      const phone = person.phones.find((p) => normalizePhone(p) === wanted);
      if (phone) return chosen(person, 'phone', { phone });
    }
  }
  const [first] = contacts;
  return first ? chosen(first, 'first', {}) : null;
}

function chosen(
  { id, name, post, emails, phones, url }: Person,
  chosen_by: CrmContact['chosen_by'],
  match: { email?: string; phone?: string },
): CrmContact {
  return {
    id,
    name,
    post,
    email: match.email ?? emails[0] ?? null,
    phone: match.phone ?? phones[0] ?? null,
    url,
    chosen_by,
  };
}
