import { Button } from '@deskside/extension/ui/button';
import { ExternalLink } from '@deskside/extension/ui/external-link';
import { Note } from '@deskside/extension/ui/note';
import type { OperatorProof, ProofHop } from '@deskside/shared/operator/proof';
import { useMutation } from '@tanstack/react-query';
import { useContext } from 'react';
import { callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Card } from '#ui/card.tsx';
import { Failure } from '#ui/failure.tsx';
import { HelpdeskContext } from '#ui/ticket-link.tsx';

type Followed = Extract<OperatorProof, { outcome: 'followed' }>;

/** A little longer than web servers wait (docs/install.md#the-reverse-proxy). */
const timeoutMs = 80_000;

/** A ticket is sent all the way on a System Manager's click, once they have read what that sets off. */
export function ProofCard() {
  const { proof: texts, today } = useTexts();
  const helpdesk = useContext(HelpdeskContext);
  const proving = useMutation({ mutationFn: () => callOperator('prove', {}, undefined, timeoutMs) });
  const links = [
    [texts.webhooks, '/app/webhook?webhook_doctype=HD+Ticket&enabled=1'],
    [texts.notifications, '/app/notification?document_type=HD+Ticket&enabled=1'],
  ] as const;
  return (
    <Card title={texts.title} hint={texts.what}>
      <div className="text-sm text-ink-2">
        <p>{texts.others}</p>
        <ul className="list-disc ps-5">
          {links.map(([name, path]) => (
            <li key={path}>
              <ExternalLink ownLine href={`${helpdesk}${path}`} newTab={today.newTab}>
                {name}
              </ExternalLink>
            </li>
          ))}
        </ul>
        <p>{texts.copy}</p>
      </div>
      <div>
        <Button icon="check" busy={proving.isPending} onClick={() => proving.mutate()}>
          {texts.button}
        </Button>
      </div>
      <div role="status" className="text-sm empty:hidden">
        {proving.isPending && texts.running}
        {proving.data && <Outcome proof={proving.data} />}
      </div>
      {proving.isError && <Failure error={proving.error} onRetry={() => proving.mutate()} />}
    </Card>
  );
}

function Outcome({ proof }: { proof: OperatorProof }) {
  const { proof: texts } = useTexts();
  if (proof.outcome === 'busy') return <Note tone="warn" title={texts.busy} />;
  if (proof.outcome === 'followed') return <Way proof={proof} />;
  return (
    <Note tone="bad" title={texts.failed}>
      <p lang="en">{proof.why}</p>
    </Note>
  );
}

function Way({ proof: { hops, met, problems, is_copy_kept } }: { proof: Followed }) {
  const { proof: texts, language } = useTexts();
  const seconds = (ms: number) =>
    (ms / 1_000).toLocaleString(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
  const total = seconds(hops.reduce((sum, { ms }) => sum + ms, 0));
  const isWhole = problems.length === 0;
  const isUnsent = problems.some(({ code }) => code === 'not_heard' || code === 'by_sweep');
  return (
    <Note tone={isWhole ? 'ok' : 'bad'} title={isWhole ? texts.works(total) : texts.worksNot}>
      <ol className="mt-1 flex flex-col gap-1">
        {hops.map(({ hop, ms }) => (
          <li key={hop} className="flex gap-3">
            <span className="min-w-16 shrink-0 text-end tabular-nums">{texts.seconds(seconds(ms))}</span>
            <Hop hop={hop} met={met} />
          </li>
        ))}
      </ol>
      <ul className="mt-2 flex flex-col gap-1 empty:hidden">
        {problems.map(({ code, problem }) => (
          <li key={code}>
            <span className="font-medium" {...(!texts.said && { lang: 'en' })}>
              {texts.said?.[code] ?? problem}
            </span>
            {texts.said && (
              <p className="text-xs">
                {texts.details}: <span lang="en">{problem}</span>
              </p>
            )}
          </li>
        ))}
      </ul>
      {isUnsent && <p>{texts.more}</p>}
      {!problems.some(({ code }) => code === 'not_deleted') && <p>{is_copy_kept ? texts.copyKept : texts.deleted}</p>}
    </Note>
  );
}

function Hop({ hop, met }: { hop: ProofHop; met: Followed['met'] }) {
  const { proof: texts } = useTexts();
  if (hop === 'crm' && met?.crm === null) return <span>{texts.noCrm}</span>;
  let more: string | null = null;
  if (hop === 'heard' && met) more = texts.causes[met.cause];
  if (hop === 'crm' && met?.crm) more = texts.crm[met.crm];
  if (hop === 'decided' && met?.team) more = texts.next(met.team, met.next);
  return (
    <span>
      {texts.hops[hop]}
      {more !== null && (
        <>
          : <bdi>{more}</bdi>
        </>
      )}
    </span>
  );
}
