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
 * Picks the company contact who is the ticket's contact, by e-mail, else the first one, marked as such
 * (docs/decisions.md 4). Null if the company has no contacts. Earlier addresses take precedence over later ones.
 */
export function chooseContact(contacts: readonly Person[], emails: readonly string[]): CrmContact | null {
  for (const wanted of emails.map((email) => email.trim().toLowerCase())) {
    for (const person of contacts) {
      const email = person.emails.find((e) => e.toLowerCase() === wanted);
      if (email) return chosen(person, 'email', email);
    }
  }
  const [first] = contacts;
  return first ? chosen(first, 'first', first.emails[0] ?? null) : null;
}

function chosen(
  { id, name, post, phones, url }: Person,
  chosen_by: CrmContact['chosen_by'],
  email: string | null,
): CrmContact {
  return { id, name, post, email, phone: phones[0] ?? null, url, chosen_by };
}
