import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Icon } from '../ui/icon.tsx';
import { useTexts } from './texts-context.tsx';
import type { DecisionView } from './why-team-view.ts';

/** The rules that were asked: the one that hit is the last of them. */
export function Rules({ rules }: Pick<DecisionView, 'rules'>) {
  const { routing } = useTexts();
  return (
    <ol className="flex flex-col gap-1">
      {rules.map(({ rule, text, hit }) => (
        <Marked key={rule} marked={hit}>
          {text} <span className="sr-only">({hit ? routing.hit : routing.missed})</span>
        </Marked>
      ))}
    </ol>
  );
}

/** The team's members in row order, each with the reason why the ticket is his or not. */
export function Candidates({ candidates }: Pick<DecisionView, 'candidates'>) {
  return (
    <ol className="flex flex-col gap-1">
      {candidates.map(({ user, text, chosen }) => (
        <Marked key={user} marked={chosen}>
          <bdi>{user}</bdi> <span className="text-xs text-ink-3">{text}</span>
        </Marked>
      ))}
    </ol>
  );
}

/** What intake read in the ticket, in the sender's own words: text, whatever it looks like. */
export function Findings({ findings }: Pick<DecisionView, 'findings'>) {
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

/** Addresses that the sender named and that told nothing. */
export function MetaFailures({ failures }: Pick<DecisionView, 'failures'>) {
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

function Marked({ marked, children }: { marked: boolean; children: ReactNode }) {
  return (
    <li className="flex items-baseline gap-2 wrap-anywhere">
      <span aria-hidden="true" className={clsx('w-3 shrink-0 text-center', marked ? 'text-ok' : 'text-ink-3')}>
        {marked ? <Icon name="check" size={12} /> : '–'}
      </span>
      <span className={clsx('min-w-0', marked ? 'font-medium' : 'text-ink-2')}>{children}</span>
    </li>
  );
}
