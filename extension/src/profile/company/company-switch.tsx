import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { TrustTag } from '#profile/trust/trust.tsx';
import { companiesOf, type NamedCompany } from './companies.ts';

interface CompanySwitchProps {
  /** As answered: with the leading company. */
  profile: ProfileData;
  /** Org id of the company on screen. */
  shown: string | null;
  onShow: (orgId: string) => void;
}

/** The companies that a ticket names, to choose the one to be on screen. */
export function CompanySwitch({ profile, shown, onShow }: CompanySwitchProps) {
  const t = useTexts();
  return (
    <ul className="flex flex-col gap-1.5">
      {companiesOf(profile, t).map((company) => (
        <li key={company.orgId}>
          <Choice company={company} isShown={company.orgId === shown} onShow={onShow} />
        </li>
      ))}
    </ul>
  );
}

interface ChoiceProps {
  company: NamedCompany;
  isShown: boolean;
  onShow: CompanySwitchProps['onShow'];
}

function Choice({ company: { orgId, name, trust, where }, isShown, onShow }: ChoiceProps) {
  const { fields } = useTexts();
  return (
    <button
      type="button"
      aria-pressed={isShown}
      className={clsx(
        'block w-full rounded-md border px-2.5 py-1.5 text-start wrap-anywhere hover:border-edge',
        isShown ? 'border-edge bg-sunken' : 'border-line',
      )}
      onClick={() => onShow(orgId)}
    >
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
    </button>
  );
}
