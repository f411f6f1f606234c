import type { FindData, FoundCompany } from '@deskside/shared/find';
import { useId } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { crmErrorMessage } from '#panel/status/crm-message.ts';
import { Button } from '#ui/buttons/button.tsx';
import { Note } from '#ui/note.tsx';
import { readAs, targetOf } from './find-model.ts';
import { FoundCard } from './found-card.tsx';

/** A company was chosen, by this button. */
export type OnChoose = (company: FoundCompany, button: HTMLElement) => void;

interface FoundListProps {
  data: FindData;
  busy: boolean;
  unavailable: boolean;
  onChoose: OnChoose;
  retry: () => void;
}

/** What a search found, what of it could not be searched, and how the text was understood. */
export function FoundList({ data, busy, unavailable, onChoose, retry }: FoundListProps) {
  const t = useTexts();
  const heading = useId();
  const { companies, more } = data;
  if (data.read_as.length === 0) return <p className="text-ink-2">{t.find.tooShort}</p>;
  const isPartial = data.crm.status === 'failed' || data.helpdesk.status === 'failed';
  return (
    <section aria-labelledby={heading} className="flex flex-col gap-2">
      <p id={heading} className="text-xs text-ink-2">
        <span className="font-semibold">{t.find.count(companies.length)}</span> {t.find.searchedAs(readAs(data, t))}
      </p>
      {isPartial && <Partial data={data} busy={busy} retry={retry} />}
      {companies.length === 0 && !isPartial && <p className="text-ink-2">{t.find.none}</p>}
      {companies.length > 0 && (
        <ul className="flex flex-col gap-2">
          {companies.map((company) => (
            <li key={`${company.bitrix_id} ${company.customer}`} className="rounded-lg border border-line px-3 py-2.5">
              <FoundCard company={company}>
                {targetOf(data.ticket, company) ? (
                  <Button
                    icon="link"
                    unavailable={unavailable}
                    aria-label={t.find.chooseNamed(company.name ?? t.fields.noName)}
                    onClick={({ currentTarget }) => onChoose(company, currentTarget)}
                  >
                    {t.find.choose}
                  </Button>
                ) : (
                  <p className="text-xs text-ink-2">{t.find.notLinkable}</p>
                )}
              </FoundCard>
            </li>
          ))}
        </ul>
      )}
      {more && <p className="text-xs text-ink-2">{t.find.more}</p>}
      {data.helpdesk.status === 'not_permitted' && <p className="text-xs text-ink-2">{t.find.notPermitted}</p>}
    </section>
  );
}

function Partial({ data: { crm, helpdesk }, busy, retry }: Pick<FoundListProps, 'data' | 'busy' | 'retry'>) {
  const t = useTexts();
  const failedCrm = crm.status === 'failed';
  return (
    <>
      <Note tone="warn" title={failedCrm ? t.find.crmFailed : t.find.helpdeskFailed}>
        {failedCrm && (
          <p>
            {crmErrorMessage(crm.error?.code, t).title}. {t.crm.notMeansAbsent}
          </p>
        )}
        {failedCrm && helpdesk.status === 'failed' && <p>{t.find.helpdeskFailed}</p>}
      </Note>
      <div>
        <Button icon="refresh" busy={busy} onClick={retry}>
          {t.shell.tryAgain}
        </Button>
      </div>
    </>
  );
}
