import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { useTexts } from '#i18n/texts-context.ts';
import { TrustTag } from '#profile/trust/trust.tsx';
import { Icon } from '#ui/icon.tsx';
import { ExternalLink } from '#ui/links/external-link.tsx';
import { safeHttpUrl } from '#ui/links/safe-url.ts';
import { WithNames } from '#ui/with-names.tsx';
import { companiesOf, type NamedCompany, otherCustomer } from './companies.ts';

interface CompanySwitchProps {
  /** As answered: with the leading company. */
  profile: ProfileData;
  /** Org id of the company on screen. */
  shown: string | null;
  onShow: (orgId: string) => void;
}

/** That a ticket names several companies, which one is on screen, and a customer that is none of them. */
export function CompanySwitch({ profile, shown, onShow }: CompanySwitchProps) {
  const t = useTexts();
  const companies = companiesOf(profile, t);
  const customer = otherCustomer(profile);
  const isOne = companies.length < 2;
  if (companies.length === 0 || (isOne && customer === null)) return null;
  return (
    <section
      aria-label={t.fields.companies(companies.length)}
      className="mb-2.5 border-b border-line px-4 pb-3 text-sm"
    >
      {!isOne && (
        <>
          <h3 className="flex items-center gap-1.5 font-semibold text-warn">
            <Icon name="alert" size={14} />
            {t.fields.companies(companies.length)}
          </h3>
          <ul className="mt-1.5 flex flex-col gap-1.5">
            {companies.map((company) => (
              <li key={company.orgId}>
                <Choice company={company} isShown={company.orgId === shown} onShow={onShow} />
              </li>
            ))}
          </ul>
        </>
      )}
      {customer !== null && (
        <p className={clsx('flex gap-1.5 text-warn wrap-anywhere', !isOne && 'mt-2')}>
          <span className="mt-0.5">
            <Icon name="alert" size={14} />
          </span>
          <span>
            <WithNames text={t.fields.otherCustomer(customer, companies.length)} names={[customer]} />
          </span>
        </p>
      )}
    </section>
  );
}

function Choice({
  company,
  isShown,
  onShow,
}: {
  company: NamedCompany;
  isShown: boolean;
  onShow: CompanySwitchProps['onShow'];
}) {
  const { fields, shell } = useTexts();
  const { orgId, name, trust, where, canOpen } = company;
  const looks = clsx(
    'block w-full rounded-md border px-2.5 py-1.5 text-start wrap-anywhere',
    isShown ? 'border-edge bg-sunken' : 'border-line',
  );
  const inside = (
    <>
      <span className="flex flex-wrap items-center justify-between gap-x-2">
        <bdi className={clsx(isShown && 'font-semibold')}>{name}</bdi>
        <TrustTag level={trust} />
      </span>
      <span className="block text-xs text-ink-3">
        {fields.companyId} <bdi>{orgId}</bdi>
        {where && (
          <>
            {' · '}
            <bdi>{where}</bdi>
          </>
        )}
      </span>
    </>
  );
  if (canOpen)
    return (
      <button
        type="button"
        aria-pressed={isShown}
        className={clsx(looks, 'hover:border-edge')}
        onClick={() => onShow(orgId)}
      >
        {inside}
      </button>
    );
  const href = safeHttpUrl(company.url);
  return (
    <div className={looks}>
      {inside}
      {href && (
        <ExternalLink href={href} ownLine newTab={shell.newTab} className="text-xs">
          {shell.openInCrm}
        </ExternalLink>
      )}
    </div>
  );
}
