import type { ProfileData } from '@deskside/shared/profile';
import type { ShownTrust } from '#i18n/profile/trust.ts';
import { useTexts } from '#i18n/texts-context.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Note } from '#ui/note.tsx';
import { Tag } from '#ui/tag.tsx';
import type { Tone } from '#ui/tone.ts';
import { evidenceSentences } from './trust-evidence.ts';

const looks: Record<ShownTrust, { tone: Tone; icon: IconName }> = {
  confirmed: { tone: 'ok', icon: 'check' },
  likely: { tone: 'info', icon: 'shield' },
  claimed: { tone: 'warn', icon: 'alert' },
  unknown: { tone: 'warn', icon: 'alert' },
  checking: { tone: 'neutral', icon: 'clock' },
};

/** The trust level beside the company's id. */
export function TrustTag({ level }: { level: ShownTrust }) {
  const { tag } = useTexts().trust;
  return (
    <Tag tone={looks[level].tone} icon={looks[level].icon}>
      {tag[level]}
    </Tag>
  );
}

/** The evidence of the trust level: a line of text if confirmed, otherwise a warning. */
export function TrustEvidence({ level, profile }: { level: ShownTrust; profile: ProfileData }) {
  const t = useTexts();
  const sentences = evidenceSentences(profile.bitrix.lookup_trust?.evidence ?? [], t);
  if (level === 'checking') return null;
  if (level === 'confirmed') {
    if (!sentences[0]) return null;
    return (
      <p className="flex gap-1.5 text-xs text-ink-2 wrap-anywhere">
        <span className="mt-px text-ok">
          <Icon name="shield" size={14} />
        </span>
        <bdi>{sentences[0]}</bdi>
      </p>
    );
  }
  return (
    <Note tone={looks[level].tone} title={t.trust.title[level]}>
      {sentences.map((sentence) => (
        <p key={sentence}>
          <bdi>{sentence}</bdi>
        </p>
      ))}
      <p className="font-medium">{t.trust.advice[level]}</p>
    </Note>
  );
}
