import { useContext } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import type { Changes, Part } from '#profile/rows/row.ts';
import { ChangesContext, isShown, Value } from '#profile/rows/value.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import type { Person } from './person.ts';

/** Everybody on the customer's side, each once; those who only have a platform account are folded away. */
export function People({ people }: { people: readonly Person[] }) {
  const { people: texts } = useTexts();
  const changes = useContext(ChangesContext);
  const shown = people.filter((person) => partsOf(person).some((part) => isShown(part, changes)));
  const accounts = shown.filter(({ roles }) => roles.every((role) => role === 'account'));
  const others = shown.filter((person) => !accounts.includes(person));
  if (shown.length === 0) return null;
  const isChanged = accounts.some((person) => partsOf(person).some(({ key }) => changes.has(key)));
  return (
    <section aria-label={texts.title}>
      <h4 className="mb-1.5 text-xs font-semibold text-ink-2">{texts.title}</h4>
      <PersonList people={others} changes={changes} />
      {accounts.length > 0 && (
        <div className="mt-2">
          <Fold title={texts.moreAccounts(accounts.length)} open={isChanged || undefined}>
            <PersonList people={accounts} changes={changes} />
          </Fold>
        </div>
      )}
    </section>
  );
}

function PersonList({ people, changes }: { people: readonly Person[]; changes: Changes }) {
  const { people: texts } = useTexts();
  return (
    <ul className="flex flex-col gap-2.5 text-sm">
      {people.map(({ key, roles, name, emails, phones, notes }) => (
        <li key={key}>
          <p className="flex flex-wrap items-baseline gap-x-1.5 wrap-anywhere">
            {name && isShown(name, changes) && (
              <span className="font-medium">
                <Value part={name} />
              </span>
            )}
            <span className="text-xs text-ink-3">{roles.map((role) => texts.role[role]).join(' · ')}</span>
          </p>
          <Parts parts={[...emails, ...phones]} changes={changes} />
          <Parts parts={notes} changes={changes} />
        </li>
      ))}
    </ul>
  );
}

function Parts({ parts, changes }: { parts: readonly Part[]; changes: Changes }) {
  const shown = parts.filter((part) => isShown(part, changes));
  if (shown.length === 0) return null;
  return (
    <p className="flex flex-wrap gap-x-2 wrap-anywhere">
      {shown.map((part) => (
        <span key={part.key} className="max-w-full">
          <Value part={part} />
        </span>
      ))}
    </p>
  );
}

function partsOf({ name, emails, phones, notes }: Person): Part[] {
  return [...(name ? [name] : []), ...emails, ...phones, ...notes];
}
