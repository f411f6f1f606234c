import { Fragment, useContext } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { Part, Row } from '#panel/rows/row.ts';
import { RowList, withValues } from '#panel/rows/row-groups.tsx';
import { ChangesContext, isShown, Values } from '#panel/rows/value.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import type { Person } from './person.ts';

interface PeopleProps {
  people: readonly Person[];
  /** Who else there is to reach: the account owner, the company itself. */
  others: readonly Row[];
}

/** Everybody on the customer's side, each once; those who only have a platform account are folded away. */
export function People({ people, others }: PeopleProps) {
  const { people: texts } = useTexts();
  const changes = useContext(ChangesContext);
  const shown = people.filter((person) => partsOf(person).some((part) => isShown(part, changes)));
  const accounts = shown.filter(({ roles }) => roles.every((role) => role === 'account'));
  const rows = others.map((row) => withValues(row, changes)).filter(({ parts }) => parts.length > 0);
  if (shown.length === 0 && rows.length === 0) return null;
  const isChanged = accounts.some((person) => partsOf(person).some(({ key }) => changes.has(key)));
  return (
    <Fold id="people" title={texts.title} initially>
      <RowList rows={rows}>
        <Persons people={shown.filter((person) => !accounts.includes(person))} />
      </RowList>
      {accounts.length > 0 && (
        <div className="mt-2">
          <Fold title={texts.moreAccounts(accounts.length)} open={isChanged || undefined}>
            <RowList rows={[]}>
              <Persons people={accounts} />
            </RowList>
          </Fold>
        </div>
      )}
    </Fold>
  );
}

function Persons({ people }: { people: readonly Person[] }) {
  const { people: texts } = useTexts();
  return people.map(({ key, roles, name, emails, phones, notes }) => (
    <Fragment key={key}>
      <dt className="text-ink-3">{roles.slice(0, 1).map((role) => texts.role[role])}</dt>
      <dd className="wrap-anywhere">
        <Values parts={[...(name ? [name] : []), ...notes]} />
        {roles.length > 1 && (
          <div className="text-ink-3">
            {roles
              .slice(1)
              .map((role) => texts.also[role])
              .join(', ')}
          </div>
        )}
        <Values parts={[...emails, ...phones]} />
      </dd>
    </Fragment>
  ));
}

function partsOf({ name, emails, phones, notes }: Person): Part[] {
  return [...(name ? [name] : []), ...emails, ...phones, ...notes];
}
