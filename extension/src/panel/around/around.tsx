import type { ProfileData } from '@deskside/shared/profile';
import { useTexts } from '#i18n/panel/texts-context.ts';
import { usePart } from '#panel/query/use-part.ts';
import { FailureNote } from '#panel/status/failure-note.tsx';
import { Bones } from '#panel/status/skeleton.tsx';
import { Fold } from '#ui/fold/fold.tsx';
import { AroundContent } from './around-content.tsx';

/** In the shape of two tickets. */
const bones = ['h-3.5 w-3/4', 'h-3.5 w-4/5', 'h-3 w-1/2', 'h-3.5 w-2/3'];

interface AroundProps {
  profile: ProfileData;
  open: boolean;
  now: number;
}

/** Shown again without asking; the proxy remembers it for a few seconds itself. */
const recentMs = 30_000;

/**
 * The other tickets of the ticket's customer. Requested when the profile is on screen, which never waits for them; absent
 * with a proxy that does not know the request yet.
 */
export function Around({ profile, open, now }: AroundProps) {
  const t = useTexts();
  const { name, customer } = profile.ticket;
  const part = usePart('around.get', ['around', name, customer], { ticket: name }, { enabled: open, recentMs });
  const { data: around, failure, isPending, busy, retry } = part;

  if (failure?.code === 'route_not_found') return null;
  const count = around && around.open.length > 0 && (
    <span className="font-normal">{t.around.open(around.open.length, around.more_open)}</span>
  );
  return (
    <Fold id="around" title={t.around.title} aside={count} initially>
      <div aria-busy={isPending && busy} className="flex flex-col gap-2 text-sm">
        {failure && (
          <FailureNote
            error={failure}
            // In a few words: the profile above says more about what is wrong.
            message={{ title: t.around.failed, body: t.failures.code[failure.code].body }}
            busy={busy}
            retry={retry}
          />
        )}
        {!failure && isPending && <Bones label={t.around.loading} lines={bones} />}
        {around && <AroundContent around={around} profile={profile} now={now} />}
      </div>
    </Fold>
  );
}
