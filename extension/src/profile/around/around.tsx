import type { AroundTicket } from '@deskside/shared/around';
import type { ProfileData } from '@deskside/shared/profile';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useRef } from 'react';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { asOffline, mayKeepData } from '#profile/status/failure.ts';
import { FailureAction } from '#profile/status/failure-action.tsx';
import { RequestId } from '#profile/status/request-id.tsx';
import { useFold } from '#ui/fold/fold.tsx';
import { FoldHeading } from '#ui/fold/fold-heading.tsx';
import { useOnline } from '#ui/hooks/use-online.ts';
import { Note } from '#ui/note.tsx';
import { AroundContent } from './around-content.tsx';
import { aroundQuery } from './around-query.ts';

interface AroundProps {
  profile: ProfileData;
  open: boolean;
  now: number;
}

/**
 * The other tickets of the ticket's customer. Requested when the profile is on screen, which never waits for them; absent
 * with a proxy that does not know the request yet.
 */
export function Around({ profile, open, now }: AroundProps) {
  const t = useTexts();
  const online = useOnline();
  const [expanded, setExpanded] = useFold('around', true);
  const region = useId();
  const { name, customer } = profile.ticket;
  const query = useQuery({ ...aroundQuery(name, customer), enabled: open });
  const failure = query.error && asOffline(query.error, online);
  const around = failure && !mayKeepData(failure.code) ? undefined : query.data;
  const retry = () => void query.refetch();

  const wasOnline = useRef(online);
  useEffect(() => {
    if (online && !wasOnline.current && query.error) retry();
    wasOnline.current = online;
  });

  if (failure?.code === 'route_not_found') return null;
  return (
    <div aria-busy={query.isPending && query.isFetching}>
      <FoldHeading title={t.around.title} region={region} expanded={expanded} setExpanded={setExpanded}>
        {around && around.open.length > 0 && <Count around={around} />}
      </FoldHeading>
      <div id={region} hidden={!expanded} className="flex-col gap-2 text-sm not-[[hidden]]:flex">
        {failure && <Failure error={failure} busy={query.isFetching} retry={retry} />}
        {!failure && query.isPending && <Bones label={t.around.loading} />}
        {around && <AroundContent around={around} profile={profile} now={now} />}
      </div>
    </div>
  );
}

function Count({ around: { open, more_open } }: { around: AroundTicket }) {
  const { around } = useTexts();
  return <span className="font-normal">{around.open(open.length, more_open)}</span>;
}

/** In a few words: the profile above says more about what is wrong. */
function Failure({ error, busy, retry }: { error: PanelError; busy: boolean; retry: () => void }) {
  const { around, failures } = useTexts();
  return (
    <>
      <Note tone={error.code === 'offline' ? 'warn' : 'bad'} title={around.failed}>
        <p>{failures.code[error.code].body}</p>
        <RequestId id={error.requestId} />
      </Note>
      <div className="flex flex-wrap gap-2">
        <FailureAction code={error.code} busy={busy} retry={retry} />
      </div>
    </>
  );
}

/** A placeholder in the shape of two tickets. */
function Bones({ label }: { label: string }) {
  return (
    <>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true" className="flex flex-col gap-2.5">
        <div className="bone h-3.5 w-3/4" />
        <div className="bone h-3.5 w-4/5" />
        <div className="bone h-3 w-1/2" />
        <div className="bone h-3.5 w-2/3" />
        <div className="bone h-3 w-1/2" />
      </div>
    </>
  );
}
