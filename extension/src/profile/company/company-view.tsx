import type { ProfileData } from '@deskside/shared/profile';
import type { ReactNode } from 'react';
import { useTexts } from '#i18n/texts-context.ts';
import { People } from '#profile/people/people-view.tsx';
import type { Person } from '#profile/people/person.ts';
import type { RowGroup } from '#profile/rows/row.ts';
import { RowGroups, RowList } from '#profile/rows/row-groups.tsx';
import { crmErrorMessage, passesByItself } from '#profile/status/crm-message.ts';
import { agePhrase } from '#profile/status/freshness.ts';
import { RequestId } from '#profile/status/request-id.tsx';
import { TrustEvidence } from '#profile/trust/trust.tsx';
import { shownTrust } from '#summary/shown-trust.ts';
import { Note } from '#ui/note.tsx';
import { Alternatives } from './alternatives.tsx';
import { CompanyHeader } from './company-header.tsx';
import { FieldNotes } from './field-notes.tsx';
import { HealthCard } from './health-card.tsx';
import { PlanCard } from './plan-card.tsx';
import type { CompanyModel } from './profile-model.ts';

interface CompanyViewProps {
  profile: ProfileData;
  model: CompanyModel;
  people: readonly Person[];
  groups: readonly RowGroup[];
  now: number;
  /** A way to another company, where this one is doubtful. */
  find: ReactNode;
  /** Warnings that are not about the look-up: no connection, a failed request. */
  children?: ReactNode;
}

/** A company found in the CRM: fresh, cached, or the last known data while the CRM fails. */
export function CompanyView(props: CompanyViewProps) {
  const { profile, model, people, groups, now, find, children } = props;
  const trust = shownTrust(profile);
  const { bitrix } = profile;
  return (
    <>
      <CompanyHeader company={model} trust={trust} />
      <div className="flex flex-col gap-4 px-4 pt-3 pb-4">
        {children}
        {bitrix.status === 'error' && <StaleNote profile={profile} now={now} />}
        {trust && <TrustEvidence level={trust} profile={profile} />}
        <Alternatives companies={bitrix.alternatives} />
        {find}
        <div className="flex flex-col gap-2.5">
          <PlanCard plan={model.plan} />
          <HealthCard health={model.health} />
        </div>
        <RowList rows={[model.owner]} />
        <People people={people} />
        <RowGroups groups={groups} />
        <FieldNotes notes={profile.notes} />
      </div>
    </>
  );
}

function StaleNote({ profile: { bitrix }, now }: { profile: ProfileData; now: number }) {
  const t = useTexts();
  const { title, body } = crmErrorMessage(bitrix.error?.code, t);
  const passes = passesByItself(bitrix.error?.code);
  const sentences = [t.crm.staleCompany(agePhrase(bitrix.as_of, now, t)), passes ? t.crm.retrying : body];
  return (
    <Note tone="bad" title={title}>
      <p>{sentences.join(' ')}</p>
      <RequestId id={bitrix.error?.request_id} />
    </Note>
  );
}
