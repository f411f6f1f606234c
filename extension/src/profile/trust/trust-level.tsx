import type { ProfileData } from '@deskside/shared/profile';
import clsx from 'clsx';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { ShownTrust } from '#i18n/panel/trust.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Tag, tagLook } from '#ui/tag.tsx';
import { type Tone, toneClass } from '#ui/tone.ts';
import { evidenceSentences } from './trust-evidence.ts';

const looks: Record<ShownTrust, { tone: Tone; icon: IconName }> = {
  confirmed: { tone: 'ok', icon: 'check' },
  likely: { tone: 'info', icon: 'shield' },
  claimed: { tone: 'warn', icon: 'alert' },
  unknown: { tone: 'warn', icon: 'alert' },
  checking: { tone: 'neutral', icon: 'clock' },
};

/** A trust level in a word. */
export function TrustTag({ level }: { level: ShownTrust }) {
  const { tag } = useTexts().trust;
  return (
    <Tag tone={looks[level].tone} icon={looks[level].icon}>
      {tag[level]}
    </Tag>
  );
}

/** The trust level beside the company's name, which says why when it is pressed. */
export function TrustChip({ level, onPress }: { level: ShownTrust; onPress: () => void }) {
  const { tag, why } = useTexts().trust;
  return (
    <button
      type="button"
      title={why}
      aria-haspopup="dialog"
      className={clsx(tagLook, toneClass[looks[level].tone], 'min-h-6 shrink-0 rounded-xl px-2 hover:border-current')}
      onClick={onPress}
    >
      <Icon name={looks[level].icon} size={12} />
      {tag[level]}
    </button>
  );
}

/** Why the trust level is what it is, and what follows from that. */
export function TrustEvidence({ level, profile }: { level: ShownTrust; profile: ProfileData }) {
  const t = useTexts();
  const sentences = evidenceSentences(profile.bitrix.lookup_trust?.evidence ?? [], t);
  return (
    <>
      <ul className="flex flex-col gap-1 wrap-anywhere">
        {sentences.map((sentence) => (
          <li key={sentence}>
            <bdi>{sentence}</bdi>
          </li>
        ))}
      </ul>
      {level !== 'confirmed' && level !== 'checking' && <p className="font-medium">{t.trust.advice[level]}</p>}
    </>
  );
}
