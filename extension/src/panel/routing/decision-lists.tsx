import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { Icon } from '#ui/icon.tsx';
import type { DecisionModel } from './decision-model.ts';

/** The rules that were evaluated; the last one applied. */
export function Rules({ rules }: Pick<DecisionModel, 'rules'>) {
  const { routing } = useTexts();
  return (
    <ol className="flex flex-col gap-1">
      {rules.map(({ rule, text, hit }) => (
        <CheckedItem key={rule} checked={hit}>
          {text} <span className="sr-only">({hit ? routing.hit : routing.missed})</span>
        </CheckedItem>
      ))}
    </ol>
  );
}

/** The team's members in order, each with the reason why they got the ticket or not. */
export function Candidates({ candidates }: Pick<DecisionModel, 'candidates'>) {
  return (
    <ol className="flex flex-col gap-1">
      {candidates.map(({ user, name, text, chosen }) => (
        <CheckedItem key={user} checked={chosen}>
          <bdi>{name}</bdi> <span className="text-xs text-ink-3">{text}</span>
        </CheckedItem>
      ))}
    </ol>
  );
}

/** What intake found in the ticket, quoted. Shown as text only, whatever it contains. */
export function Findings({ findings }: Pick<DecisionModel, 'findings'>) {
  const { routingInputs } = useTexts();
  return (
    <ul className="flex flex-col gap-2">
      {findings.map(({ key, value, kind, where, quote, address }) => (
        <li key={key} className="flex flex-col wrap-anywhere">
          <span>
            <bdi>{value}</bdi> <span className="text-ink-3">{kind}</span>
          </span>
          <span className="text-xs text-ink-3">
            <bdi>{where}</bdi>:{' '}
            <q className="text-ink-2">
              <bdi>{quote}</bdi>
            </q>
          </span>
          {address && (
            <span className="text-xs text-ink-3">
              {routingInputs.fetched} <bdi className="text-ink-2">{address}</bdi>
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Addresses named by the sender that gave no company id. */
export function MetaFailures({ failures }: Pick<DecisionModel, 'failures'>) {
  return (
    <ul className="flex flex-col gap-1.5">
      {failures.map(({ address, why }) => (
        <li key={`${address} ${why}`} className="flex flex-col wrap-anywhere">
          <bdi>{address}</bdi>
          <span className="text-xs text-ink-3">{why}</span>
        </li>
      ))}
    </ul>
  );
}

function CheckedItem({ checked, children }: { checked: boolean; children: ReactNode }) {
  return (
    <li className="flex items-baseline gap-2 wrap-anywhere">
      <span aria-hidden="true" className={clsx('w-3 shrink-0 text-center', checked ? 'text-ok' : 'text-ink-3')}>
        {checked ? <Icon name="check" size={12} /> : '–'}
      </span>
      <span className={clsx('min-w-0', checked ? 'font-medium' : 'text-ink-2')}>{children}</span>
    </li>
  );
}
