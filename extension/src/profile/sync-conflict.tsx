import type { Conflict } from '@deskside/shared/envelope';
import type { ProfileData } from '@deskside/shared/profile';
import { useTexts } from './texts-context.tsx';

interface SyncConflictProps {
  conflict: Conflict;
  bitrix: ProfileData['bitrix'];
}

/** The two that claim to be one, side by side. */
export function SyncConflict({ conflict: { code, asked, found }, bitrix }: SyncConflictProps) {
  const { sync } = useTexts();
  const sides = {
    other_company_matched: [sync.onScreen, sync.inCrm],
    customer_has_other_orgid: [sync.thisCompany, sync.ofCustomer],
    ticket_has_other_customer: [sync.ofCompany, sync.ofTicket],
  }[code];
  const known = [bitrix.company, ...bitrix.alternatives];
  const nameOf = (id: string) =>
    code === 'other_company_matched' ? known.find((company) => company?.bitrix_id === id)?.company_name : null;
  return (
    <dl className="mt-2 grid grid-cols-2 gap-2">
      {[asked, found].map((id, at) => (
        <div key={sides[at]} className="rounded-md border border-line bg-paper px-2.5 py-2 text-ink wrap-anywhere">
          <dt className="text-xs text-ink-3">{sides[at]}</dt>
          <dd className="mt-0.5 font-medium">
            {nameOf(id) && <bdi className="block">{nameOf(id)}</bdi>}
            <bdi>{code === 'other_company_matched' ? sync.crmId(id) : id}</bdi>
          </dd>
        </div>
      ))}
    </dl>
  );
}
