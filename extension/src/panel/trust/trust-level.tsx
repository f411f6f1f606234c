import type { LookupTrust } from '@deskside/shared/profile';
import clsx from 'clsx';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { ShownTrust } from '#i18n/panel/trust.ts';
import { Icon, type IconName } from '#ui/icon.tsx';
import { Tag, tagLook } from '#ui/tag.tsx';
import { type Tone, toneClass } from '#ui/tone.ts';
import { trustAdvice, trustReason, trustWords } from './trust-reason.ts';

const looks: Record<ShownTrust, { tone: Tone; icon: IconName }> = {
  confirmed: { tone: 'ok', icon: 'check' },
  likely: { tone: 'info', icon: 'shield' },
  claimed: { tone: 'warn', icon: 'alert' },
  unknown: { tone: 'warn', icon: 'alert' },
  checking: { tone: 'neutral', icon: 'clock' },
};

/** A trust level in words: where its evidence is not at hand, in a few. */
export function TrustTag({ level, words }: { level: ShownTrust; words?: string }) {
  const { tag } = useTexts().trust;
  return (
    <Tag tone={looks[level].tone} icon={looks[level].icon}>
      {words ?? tag[level]}
    </Tag>
  );
}

interface TrustProps {
  level: ShownTrust;
  trust: LookupTrust | null;
}

/** The trust level below the company's name, with its reason; pressed, it says what to do. */
export function TrustLine({ level, trust, onPress }: TrustProps & { onPress: () => void }) {
  const t = useTexts();
  const reason = trustReason(level, trust, t);
  return (
    <p className="my-1 text-xs text-ink-2 wrap-anywhere">
      <button
        type="button"
        title={t.trust.why}
        aria-haspopup="dialog"
        className={clsx(
          tagLook,
          toneClass[looks[level].tone],
          'min-h-6 rounded-xl px-2 text-start hover:border-current',
        )}
        onClick={onPress}
      >
        <Icon name={looks[level].icon} size={12} />
        {trustWords(level, trust, t)}
      </button>{' '}
      <bdi>{reason}</bdi>
    </p>
  );
}

/** Why the trust level is what it is, and what follows from that. */
export function TrustReason({ level, trust }: TrustProps) {
  const t = useTexts();
  const advice = trustAdvice(level, trust, t);
  return (
    <>
      <div>
        <TrustTag level={level} words={trustWords(level, trust, t)} />
      </div>
      <p className="wrap-anywhere">
        <bdi>{trustReason(level, trust, t)}</bdi>
      </p>
      {advice && <p className="font-medium">{advice}</p>}
    </>
  );
}
