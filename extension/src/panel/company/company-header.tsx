import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { Fragment } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { Value } from '#panel/rows/value.tsx';
import { TrustLine } from '#panel/trust/trust-level.tsx';
import { shownTrust } from '#summary/shown-trust.ts';
import type { CompanyModel } from './profile-model.ts';

const planTones = { active: undefined, expiring_soon: 'text-warn', expired: 'text-bad' } as const;

interface CompanyHeaderProps {
  profile: ProfileData;
  company: CompanyModel;
  /** Says why the company is shown, and helps to find another one. */
  onReason: () => void;
}

/** Who it is, how sure that is, and in one line what an agent wants to know first; coloured only where something is wrong. */
export function CompanyHeader({ profile, company, onReason }: CompanyHeaderProps) {
  const trust = shownTrust(profile);
  return (
    <div className="shrink-0 border-b border-line px-4 pt-3 pb-2.5">
      <h3 className="line-clamp-2 text-lg font-semibold wrap-anywhere" title={company.name.text ?? undefined}>
        <Value part={company.name} />
      </h3>
      {trust && <TrustLine level={trust} trust={profile.bitrix.lookup_trust} onPress={onReason} />}
      <Line company={company} />
    </div>
  );
}

function Line({ company: { segment, plan, owner } }: { company: CompanyModel }) {
  const { fields } = useTexts();
  const name = owner.parts[0];
  const isGone = owner.parts.some(({ tone }) => tone === 'warn');
  const ownerText = name?.text && (name.tone === 'muted' ? fields.noOwner : fields.ownerInLine(name.text));
  const parts: { key: string; text: string | null; tone?: string | undefined }[] = [
    { key: 'plan', text: plan.short },
    {
      key: 'left',
      text: plan.state === 'expired' ? fields.expiredInLine(plan.left.text ?? '') : plan.left.text,
      tone: plan.state ? planTones[plan.state] : undefined,
    },
    { key: 'owner', text: ownerText || null, tone: isGone ? 'text-warn' : undefined },
  ];
  const shown = parts.filter(({ text }) => text !== null);
  return (
    <p className="mt-0.5 line-clamp-2 text-ink-2" title={[segment.text, ...shown.map(({ text }) => text)].join(' · ')}>
      {segment.text !== null && <Value part={segment} />}
      {shown.map(({ key, text, tone }, nth) => (
        <Fragment key={key}>
          {(nth > 0 || segment.text !== null) && ' · '}
          <bdi className={clsx('inline-block max-w-full truncate align-top', tone, tone && 'font-medium')}>{text}</bdi>
        </Fragment>
      ))}
    </p>
  );
}
