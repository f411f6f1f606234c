import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { list } from '#i18n/format.ts';
import { shownTrust } from '#status/status.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { companyName } from './company/companies.ts';
import { trustLooks, trustSentence } from './parts/trust.ts';
import { crmErrorOf } from './status/failure.ts';
import { type Texts, useTexts } from './texts/texts.ts';

/**
 * Who it is, and in one sentence how sure that is: the company with the trust in it; without one, the helpdesk's customer or
 * the sender, and what is missing. `word`: in colour, before the reason.
 */
export function headOf(profile: ProfileData, t: Texts) {
  const { company, lookup_trust } = profile.bitrix;
  const level = shownTrust(profile);
  if (company && level) {
    const [word, reason] = trustSentence(level, lookup_trust, t, profile.names);
    return { name: companyName(company, t), word, reason, ...trustLooks[level] };
  }
  const [icon, word] = withoutCompany(profile, t);
  return { name: personOrCustomer(profile, t), word, reason: null, icon, className: 'text-ink-2' };
}

/** Where the CRM says nothing, the helpdesk's own record; else who wrote, as long as nobody knows their company. */
function personOrCustomer({ ticket, customer, contact, bitrix }: ProfileData, t: Texts): string {
  const person = contact?.full_name ?? contact?.name ?? ticket.raised_by ?? ticket.contact;
  const linked = customer?.customer_name ?? customer?.name ?? ticket.customer;
  const names = bitrix.status === 'missing_orgid' ? [person, linked] : [linked, person];
  return names.find(Boolean) ?? t.crm.nobody;
}

/** What a look-up without a company says. A failure is the next step's line, not the head's. */
function withoutCompany({ bitrix, customer, pending }: ProfileData, t: Texts): [IconName, string] {
  if (pending.includes('crm')) return ['clock', `${t.shell.fromHelpdesk}. ${t.crm.waiting}`];
  if (bitrix.status === 'not_found' || bitrix.outcome === 'not_found')
    return ['alert', t.crm.notFound(list(t.language, bitrix.lookup_candidates))];
  if (bitrix.status === 'missing_orgid') return ['search', t.crm.notLinked];
  return customer === null ? ['off', crmErrorOf(bitrix, t)] : ['person', t.shell.fromHelpdesk];
}

export function Head({ profile }: { profile: ProfileData }) {
  const { name, word, reason, icon, className } = headOf(profile, useTexts());
  return (
    <div className="px-4 pt-3.5 pb-2">
      <h3 className="line-clamp-2 text-lg font-semibold wrap-anywhere" title={name}>
        <bdi>{name}</bdi>
      </h3>
      <p className="mt-1.5 flex items-start gap-1.5 text-ink-2">
        <span className={clsx('mt-0.5 inline-flex', className)}>
          <Icon name={icon} />
        </span>
        <span className="min-w-0 wrap-anywhere">
          <span className={clsx(className, reason && 'font-semibold')}>
            <bdi>{word}</bdi>
          </span>{' '}
          {reason && <bdi>{reason}</bdi>}
        </span>
      </p>
    </div>
  );
}
