import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import type { ReactNode } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { shownTrust } from '#summary/shown-trust.ts';
import { Button } from '#ui/buttons/button.tsx';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';
import { Sheet } from '#ui/sheet.tsx';
import { companiesOf, whereOf } from './company/companies.ts';
import { AdoptionNote } from './sync/adoption-note.tsx';
import type { Sync } from './sync/use-sync.ts';
import { TrustReason, TrustTag } from './trust/trust-level.tsx';

/** What lies over the profile at the agent's wish: why the company is shown, the ticket's others, the CRM's with its id. */
export type Opened = 'reason' | 'companies' | 'twins';

interface OpenedSheetProps {
  what: Opened;
  /** As answered, with the leading company. */
  answered: ProfileData;
  /** As shown. */
  profile: ProfileData;
  sync: Sync;
  unavailable: boolean;
  now: number;
  /** Finds another company. */
  find: ReactNode;
  onShowCompany: (orgId: string) => void;
  /** What follows has its own place. */
  onDone: () => void;
  onClose: () => void;
}

export function OpenedSheet(props: OpenedSheetProps) {
  const { what, profile, sync, unavailable, now, find, onDone, onClose } = props;
  const t = useTexts();
  const { also_named, alternatives, lookup_trust, lookup_value } = profile.bitrix;
  const where = whereOf(lookup_trust?.evidence ?? [], t);
  const titles: Record<Opened, string> = {
    reason: t.trust.why,
    companies: t.fields.companies(also_named.length + 1),
    twins: t.fields.alternatives(alternatives.length + 1),
  };
  return (
    <Sheet title={titles[what]} onClose={onClose}>
      {what === 'reason' && (
        <>
          <AdoptionNote profile={profile} sync={sync} unavailable={unavailable} now={now} onDone={onDone} />
          <TrustReason level={shownTrust(profile) ?? 'unknown'} trust={lookup_trust} />
          {where && (
            <p className="text-xs text-ink-3 wrap-anywhere">
              {t.fields.companyId} <bdi>{lookup_value}</bdi> · <bdi>{where}</bdi>
            </p>
          )}
          {find && <div className="border-t border-line pt-3">{find}</div>}
        </>
      )}
      {what === 'companies' && <CompanySwitch {...props} />}
      {what === 'twins' && <Alternatives {...props} />}
      <div>
        <Button onClick={onClose}>{t.shell.done}</Button>
      </div>
    </Sheet>
  );
}

/** The companies that a ticket names, to choose the one to be on screen. */
function CompanySwitch({ answered, profile, onShowCompany, onClose }: OpenedSheetProps) {
  const t = useTexts();
  const shown = profile.bitrix.lookup_value;
  return (
    <ul className="flex flex-col gap-1.5">
      {companiesOf(answered, t).map(({ orgId, name, trust, where }) => (
        <li key={orgId}>
          <button
            type="button"
            aria-pressed={orgId === shown}
            className={clsx(
              'block w-full rounded-md border px-2.5 py-1.5 text-start wrap-anywhere hover:border-edge',
              orgId === shown ? 'border-edge bg-sunken font-semibold' : 'border-line',
            )}
            onClick={() => {
              onShowCompany(orgId);
              onClose();
            }}
          >
            <span className="flex flex-wrap items-center justify-between gap-x-2">
              <bdi>{name}</bdi>
              <TrustTag level={trust} />
            </span>
            <span className="block text-xs font-normal text-ink-3">
              {t.fields.companyId} <bdi>{orgId}</bdi>
              {where && (
                <>
                  {' · '}
                  <bdi>{where}</bdi>
                </>
              )}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Other companies in the CRM with the same id: the one on screen may be the wrong one. */
function Alternatives({ profile }: OpenedSheetProps) {
  const { fields, shell } = useTexts();
  return (
    <>
      <p>{fields.alternativesBody}</p>
      <ul className="flex flex-col gap-1">
        {profile.bitrix.alternatives.map(({ bitrix_id, company_name, date_modify, url }) => {
          const href = safeHttpUrl(url);
          const name = <bdi>{company_name ?? fields.crmId(bitrix_id)}</bdi>;
          return (
            <li key={bitrix_id}>
              {href ? (
                <ExternalLink href={href} newTab={shell.newTab}>
                  {name}
                </ExternalLink>
              ) : (
                name
              )}
              {date_modify && ` · ${fields.changedOn(date_modify)}`}
            </li>
          );
        })}
      </ul>
    </>
  );
}
