import clsx from 'clsx';
import { Copy, Rows } from '#panel/rows.tsx';
import { useTexts } from '#panel/texts-context.ts';
import { Icon } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { WithNames } from '#ui/with-names.tsx';
import type { DecisionModel } from './decision-model.ts';

/** One decision: a sentence, what failed, and what it rests on. */
export function Decision({ model }: { model: DecisionModel }) {
  const { routing, routingInputs } = useTexts();
  const { sentence, names, moved, note, inputs, candidates, findings, made, reason } = model;
  return (
    <div className="flex flex-col gap-2">
      <p className="wrap-anywhere">
        <WithNames text={sentence} names={names} />
      </p>
      {moved && (
        <p className="font-medium text-warn wrap-anywhere">
          <bdi>{moved}</bdi>
        </p>
      )}
      {note && (
        <Note tone={note.tone} title={note.title}>
          {note.body && <p>{note.body}</p>}
        </Note>
      )}
      <Rows rows={inputs} />
      {candidates.length > 0 && <Candidates candidates={candidates} />}
      {findings.length > 0 && (
        <div>
          <p className="text-xs font-semibold text-ink-3">{routingInputs.findings}</p>
          <ul>
            {findings.map(({ key, what, where, quote }) => (
              <li key={key} className="py-1 wrap-anywhere">
                <bdi>{what}</bdi>
                <p className="text-xs text-ink-3">
                  <bdi>{where}</bdi>{' '}
                  {quote && (
                    <q className="text-ink-2">
                      <bdi>{quote}</bdi>
                    </q>
                  )}
                </p>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="hosts-copy flex items-start gap-1 text-xs text-ink-3 wrap-anywhere">
        <p className="min-w-0 flex-1">
          {made}. {routing.reason}: <bdi className="reason">{reason}</bdi>
        </p>
        <Copy text={reason} inserts={false} />
      </div>
    </div>
  );
}

/** The team's members in order, each with the reason why they got the ticket or not. */
function Candidates({ candidates }: Pick<DecisionModel, 'candidates'>) {
  const { routing } = useTexts();
  return (
    <div>
      <p className="text-xs font-semibold text-ink-3">{routing.members(candidates.length)}</p>
      <ol className="max-h-60 overflow-y-auto">
        {candidates.map(({ user, name, text, chosen }) => (
          <li key={user} className="flex min-h-7 items-center gap-2 wrap-anywhere">
            <span aria-hidden="true" className={clsx('inline-flex w-3 shrink-0', chosen && 'text-ok')}>
              {chosen && <Icon name="check" size={12} />}
            </span>
            <span className={chosen ? 'font-medium' : 'text-ink-2'}>
              <bdi>{name}</bdi> <span className="text-xs font-normal text-ink-3">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
