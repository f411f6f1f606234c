import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { TrustTag } from '#profile/trust/trust.tsx';
import { companiesOf } from './companies.ts';

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
      {companiesOf(profile, t).map(({ orgId, name, trust, where }) => (
        <li key={orgId}>
          <button
            type="button"
            aria-pressed={orgId === shown}
            className={clsx(
              'block w-full rounded-md border px-2.5 py-1.5 text-start wrap-anywhere hover:border-edge',
              orgId === shown ? 'border-edge bg-sunken font-semibold' : 'border-line',
            )}
            onClick={() => onShow(orgId)}
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
