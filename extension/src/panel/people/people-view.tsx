import type { ProfileData } from '@deskside/shared/profile';
import { shownTrust } from '#launcher/status.ts';
import { Copy, Section } from '#panel/rows.tsx';
import { useTexts } from '#panel/texts-context.ts';
import { IconLink } from '#ui/button.tsx';
import { mailtoUrl, safeHttpUrl, telUrl } from '#ui/safe-url.ts';
import { type Person, peopleOf } from './people.ts';

/** Everybody on the customer's side in a row each; those who only have a platform account are folded away. */
export function People({ profile }: { profile: ProfileData }) {
  const t = useTexts();
  const people = peopleOf(profile, t);
  const accounts = people.filter(({ roles }) => roles.every((role) => role === 'account'));
  const shown = people.filter((person) => !accounts.includes(person));
  if (people.length === 0) return null;
  const trust = shownTrust(profile);
  const isStranger = (person: Person) =>
    (trust === 'claimed' || trust === 'unknown') &&
    person.roles.every((role) => role === 'sender' || role === 'contact');
  return (
    <Section title={t.people.title}>
      <ul>
        {shown.map((person) => (
          <PersonRow key={person.key} person={person} isStranger={isStranger(person)} />
        ))}
      </ul>
      {accounts.length > 0 && (
        <details>
          <summary className="min-h-6 rounded-sm text-xs leading-6 text-ink-3 hover:text-ink">
            {t.people.moreAccounts(accounts.length)}
          </summary>
          <ul>
            {accounts.map((person) => (
              <PersonRow key={person.key} person={person} isStranger={false} />
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}

/** Initials, name and role, one address in one line, and what can be done with it. */
function PersonRow({ person, isStranger }: { person: Person; isStranger: boolean }) {
  const { people, shell } = useTexts();
  const { roles, name, emails, phones, url, note } = person;
  const address = emails[0] ?? phones[0] ?? null;
  const heading = name ?? address ?? '';
  const about = [...roles.map((role) => people.role[role]), note].filter(Boolean).join(', ');
  const second = isStranger ? people.notKnown : name === null ? about : address;
  const phone = phones.find((one) => telUrl(one) !== null) ?? null;
  const email = emails.find((one) => mailtoUrl(one) !== null) ?? null;
  const page = safeHttpUrl(url);
  return (
    <li className="hosts-copy flex items-start gap-2.5 py-1.5">
      <span aria-hidden="true" className="avatar">
        {initialsOf(heading)}
      </span>
      <div className="min-w-0 flex-1" title={[heading, about, ...emails, ...phones].join('\n')}>
        <p className="truncate">
          {page ? (
            <a href={page} target="_blank" rel="noopener noreferrer" className="target font-medium hover:underline">
              <bdi>{heading}</bdi>
              <span className="sr-only"> ({shell.newTab})</span>
            </a>
          ) : (
            <bdi className="font-medium">{heading}</bdi>
          )}{' '}
          {second !== about && <span className="text-ink-3">· {about}</span>}
        </p>
        {second !== null && (
          <p className="truncate text-ink-2">
            <bdi>{second}</bdi>
          </p>
        )}
      </div>
      <span className="flex">
        {phone && <IconLink href={telUrl(phone) ?? ''} icon="call" label={shell.call(phone)} />}
        {email && <IconLink href={mailtoUrl(email) ?? ''} icon="mail" label={shell.write(email)} />}
        {address && <Copy text={address} inserts={false} />}
      </span>
    </li>
  );
}

/** First letters of the first and the last word. */
function initialsOf(name: string): string {
  const words = name.split(/[\s@]+/).filter(Boolean);
  const ends = name.includes('@') ? words.slice(0, 1) : [words.at(0), words.length > 1 ? words.at(-1) : undefined];
  return ends.map((word) => [...(word ?? '')].at(0)?.toLocaleUpperCase() ?? '').join('');
}
