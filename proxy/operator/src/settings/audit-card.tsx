import { dateTime } from '@deskside/extension/i18n/format';
import { Button } from '@deskside/extension/ui/button';
import type { SettingName } from '@deskside/shared/operator/settings';
import { useState } from 'react';
import { useAsked } from '#api/use-asked.ts';
import { useTexts } from '#i18n/texts.ts';
import { Asked } from '#ui/asked.tsx';
import { Card } from '#ui/card.tsx';

const everyMs = 60_000;
/** Changes on one page. */
const pageSize = 50;

/** Who changed what, and when. */
export function AuditCard() {
  const { settings: texts } = useTexts();
  const { audit } = texts;
  const [before, setBefore] = useState<number>();
  const question = useAsked('settingsAudit', { before, limit: pageSize }, everyMs);
  const none = (name: SettingName) => (name === 'claims' ? texts.claimsNotChosen : audit.nothing);
  return (
    <Card title={audit.title} hint={audit.hint}>
      <Asked question={question}>
        {({ changes }) => (
          <>
            {changes.length === 0 && <p className="text-sm text-ink-2">{audit.none}</p>}
            <ul className="flex flex-col empty:hidden">
              {changes.map(({ version, at, by, name, slot, action, old, new: now, default: standard }) => (
                <li
                  key={`${version} ${name} ${slot}`}
                  className="flex flex-col gap-1 border-b border-line py-2 text-sm wrap-anywhere last:border-0"
                >
                  <span className="flex flex-wrap gap-x-2">
                    <span className="font-medium">{texts.name[name]}</span>
                    <span className="text-ink-2">
                      {audit.action[action]}
                      {slot === 'next' && ` (${texts.slots.next})`}
                    </span>
                  </span>
                  <span className="text-xs text-ink-3">
                    {dateTime(at)} · <bdi>{by}</bdi>
                  </span>
                  <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 text-xs">
                    <dt className="text-ink-3">{audit.old}</dt>
                    <dd>
                      <Value value={old} standard={standard} none={none(name)} />
                    </dd>
                    <dt className="text-ink-3">{audit.new}</dt>
                    <dd>
                      <Value value={now} standard={standard} none={none(name)} />
                    </dd>
                  </dl>
                </li>
              ))}
            </ul>
            <div className="flex flex-wrap gap-2">
              {changes.length === pageSize && (
                <Button onClick={() => setBefore(changes.at(-1)?.version)}>{audit.older}</Button>
              )}
              {before !== undefined && <Button onClick={() => setBefore(undefined)}>{audit.newest}</Button>}
            </div>
          </>
        )}
      </Asked>
    </Card>
  );
}

/** A value as it was set, or the default that was in force in its place. */
function Value({ value, standard, none }: { value: string | null; standard: string | null; none: string }) {
  const { audit } = useTexts().settings;
  if (value !== null) return <code className="whitespace-pre-wrap">{value}</code>;
  if (standard === null) return <span className="text-ink-3">{none}</span>;
  return (
    <span className="text-ink-3">
      {audit.standard} <code className="whitespace-pre-wrap text-ink-2">{standard}</code>
    </span>
  );
}
