import type { FindData, FoundCompany } from '@deskside/shared/find';
import { maxQueryLength } from '@deskside/shared/limits';
import type { ProfileData } from '@deskside/shared/profile';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { list } from '#i18n/format.ts';
import type { PanelError, SyncTarget } from '#messaging/protocol.ts';
import { usePart } from '#panel/query/use-part.ts';
import { crmAbsent } from '#panel/status/failure.ts';
import { Bones, FailureNote } from '#panel/status/views.tsx';
import { type Texts, useTexts } from '#panel/texts/texts.ts';
import { useAnnounced } from '#ui/announcer.tsx';
import { Button, buttonLook, IconButton, OutLink } from '#ui/button.tsx';
import { Note } from '#ui/note.tsx';
import { safeHttpUrl } from '#ui/safe-url.ts';

type OnChoose = (target: SyncTarget, company: FoundCompany) => void;

interface FindCompanyProps {
  profile: ProfileData;
  /** To replace the company on screen: the field has the focus at once, and nothing was searched by itself. */
  isDirect: boolean;
  unavailable: boolean;
  onChoose: OnChoose;
}

/** Whether there is a CRM in which the ticket's company can be looked for. */
export function canFind({ bitrix }: ProfileData): boolean {
  return bitrix.status !== 'disabled' && bitrix.status !== 'missing_config';
}

/** What is found by the sender's own address and telephone, asked for with the ticket. */
export function useFoundBySender({ ticket: { name } }: ProfileData, enabled: boolean) {
  return usePart('find.search', ['find', name, null], { ticket: name, query: null }, { enabled, hasFailed });
}

const hasFailed = ({ crm, helpdesk }: FindData) => crm.status === 'failed' || helpdesk.status === 'failed';

/** Why a search by the sender names no company; null if it does, or may still do so. */
export function nothingBySender(data: FindData | undefined, t: Texts): string | null {
  if (!data || data.companies.length > 0 || hasFailed(data)) return null;
  const why = crmAbsent(data.crm.status, t);
  if (why) return t.find.senderNotSearched(why);
  return data.read_as.length === 0 ? `${t.crm.notLinked}.` : t.find.noneBySender(kindsOf(data, t));
}

/**
 * What a search by the sender's own address and telephone has found, asked for with the ticket, and one field for anything
 * else by which an agent knows a company. That is searched when they say so, not with every letter: each search costs the
 * CRM's quota.
 */
export function FindCompany({ profile, isDirect, unavailable, onChoose }: FindCompanyProps) {
  const t = useTexts();
  const ticket = profile.ticket.name;
  const [asked, setAsked] = useState<string | null>(null);
  const isOwn = asked === null;
  const enabled = !isOwn || !isDirect;
  const { data, failure, busy, retry } = usePart(
    'find.search',
    ['find', ticket, asked],
    { ticket, query: asked },
    { enabled, hasFailed },
  );
  const isNothing = isOwn && data?.companies.length === 0;
  // Nobody has asked to hear that the search for the sender found nothing.
  useAnnounced(isNothing ? null : headline(data, failure, t));
  const submit = (wanted: string) => {
    if (wanted === asked && !busy && failure) retry();
    else if (wanted !== '') setAsked(wanted);
  };
  const choose = (company: FoundCompany) =>
    onChoose({ ticket, company_id: company.org_id, bitrix_id: company.bitrix_id }, company);
  return (
    <>
      <SearchField isDirect={isDirect} busy={busy} onSearch={submit} />
      <div className="flex flex-col gap-2 px-4 pb-3">
        {busy && !data && <Bones label={t.find.searching} lines={['h-5 w-3/4', 'h-4 w-1/2']} />}
        {failure && (!isOwn || failure.code !== 'route_not_found') && (
          <FailureNote code={failure.code} busy={busy} retry={retry} />
        )}
        {data && !failure && (
          <Found data={data} isOwn={isOwn} busy={busy} unavailable={unavailable} retry={retry} onChoose={choose} />
        )}
      </div>
    </>
  );
}

interface SearchFieldProps {
  isDirect: boolean;
  busy: boolean;
  onSearch: (words: string) => void;
}

function SearchField({ isDirect, busy, onSearch }: SearchFieldProps) {
  const { find } = useTexts();
  const field = useId();
  const input = useRef<HTMLInputElement>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    input.current?.focus();
    onSearch(input.current?.value.trim() ?? '');
  };
  return (
    <search className="sticky top-0 z-1 bg-paper px-4 pt-1 pb-2">
      <form onSubmit={submit} className="field flex items-center gap-1">
        <IconButton type="submit" icon="search" label={find.submit} busy={busy} className="-ms-2" />
        <label htmlFor={field} className="sr-only">
          {find.label}
        </label>
        <input
          ref={input}
          data-first={isDirect ? '' : undefined}
          id={field}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={maxQueryLength}
          placeholder={find.hint}
          title={find.hint}
          className="min-w-0 flex-1 self-stretch"
        />
      </form>
    </search>
  );
}

interface FoundProps {
  data: FindData;
  /** Searched by itself, by what is known of the sender. */
  isOwn: boolean;
  busy: boolean;
  unavailable: boolean;
  onChoose: (company: FoundCompany) => void;
  retry: () => void;
}

/** What a search found, and what of it could not be searched. None of several is more than another. */
function Found({ data, isOwn, busy, unavailable, onChoose, retry }: FoundProps) {
  const t = useTexts();
  const { companies, crm, helpdesk, read_as } = data;
  const isPartial = hasFailed(data);
  const why = isOwn ? null : crmAbsent(crm.status, t);
  const none = why ? t.find.noneInHelpdesk : t.find.none;
  return (
    <>
      {isPartial && (
        <Note tone="warn" title={crm.status === 'failed' ? t.find.crmFailed : t.find.helpdeskFailed}>
          {crm.status === 'failed' && <p>{t.crm.notMeansAbsent}</p>}
          <Button icon="refresh" busy={busy} onClick={retry}>
            {t.shell.tryNow}
          </Button>
        </Note>
      )}
      {read_as.length === 0 && !isOwn && <p className="text-ink-2">{t.find.tooShort}</p>}
      {why && <p className="text-ink-2">{t.find.onlyHelpdesk(why)}</p>}
      {companies.length === 0 && read_as.length > 0 && !isPartial && !isOwn && (
        <p className="text-ink-2">{none(kindsOf(data, t))}</p>
      )}
      <ul className="flex flex-col gap-2 empty:hidden">
        {companies.map((company) => (
          <li key={`${company.bitrix_id} ${company.customer}`}>
            <FoundCard company={company}>
              {company.org_id === null ? (
                <span className="text-xs text-ink-2">{t.find.notLinkable}</span>
              ) : (
                <Button
                  solid={companies.length === 1}
                  unavailable={unavailable}
                  aria-label={t.find.linkNamed(company.name ?? t.fields.noName)}
                  onClick={() => onChoose(company)}
                >
                  {t.find.link}
                </Button>
              )}
            </FoundCard>
          </li>
        ))}
      </ul>
      {data.more && <p className="text-xs text-ink-2">{t.find.more}</p>}
      {helpdesk.status === 'not_permitted' && !isOwn && <p className="text-xs text-ink-2">{t.find.notPermitted}</p>}
    </>
  );
}

/** What a screen reader is told about a search; null while there is nothing to tell. */
function headline(data: FindData | undefined, failure: PanelError | null, t: Texts): string | null {
  if (failure) return t.failures.code[failure.code].title;
  if (!data) return null;
  if (data.read_as.length === 0) return t.find.tooShort;
  const { count, more, crmFailed, helpdeskFailed } = t.find;
  const why = crmAbsent(data.crm.status, t);
  const parts = [why && t.find.onlyHelpdesk(why), count(data.companies.length), data.more && more];
  return [...parts, data.crm.status === 'failed' && crmFailed, data.helpdesk.status === 'failed' && helpdeskFailed]
    .filter(Boolean)
    .join(' ');
}

/** What the text was taken for: `email`, `phone number or Org ID`; with `conjunction`, `email and phone number`. */
export function kindsOf({ read_as }: FindData, { language, find }: Texts, type: Intl.ListFormatType = 'disjunction') {
  const kinds = read_as.map((kind) => find.kind[kind]);
  return list(language, kinds, type);
}

/** A company that was found: what tells it from others, what matched, and what can be done with it. */
export function FoundCard({ company, children }: { company: FoundCompany; children?: ReactNode }) {
  const t = useTexts();
  const { name, org_id, customer, same_org_id, url, found_by } = company;
  const href = safeHttpUrl(url);
  const facts = [
    org_id && t.find.orgId(org_id),
    planText(company, t),
    customer === name ? null : customer,
    company.owner,
    company.phone_end && t.find.phoneEnd(company.phone_end),
    company.region,
    same_org_id > 0 ? t.find.sameOrgId(same_org_id) : null,
  ].filter(Boolean);
  const [reason] = found_by;
  const quoted = found_by.map(({ value, person }) => (person === null ? value : `${value} (${person})`)).join('\n');
  return (
    <div className="rounded-lg border border-edge/60 px-3 py-2.5 wrap-anywhere">
      <p className="flex flex-wrap items-center justify-between gap-x-2">
        <bdi className="font-semibold">{name ?? t.fields.noName}</bdi>
        {reason && (
          <span className="rounded-xl bg-sunken px-2 text-xs leading-5 text-ink-2" title={quoted}>
            {t.find.matches(t.find.kind[reason.by])}
          </span>
        )}
      </p>
      <p className="mt-0.5 text-xs text-ink-2">
        <bdi>{facts.join(' · ')}</bdi>
      </p>
      {children && (
        <p className="mt-2 flex flex-wrap gap-1.5">
          {children}
          {href && (
            <OutLink href={href} className={`${buttonLook} border-line bg-paper text-ink`}>
              {t.find.look}
              <span className="sr-only"> ({t.shell.newTab})</span>
            </OutLink>
          )}
        </p>
      )}
    </div>
  );
}

/** The company's plan, and how long it runs. */
function planText({ plan, plan_status, plan_days_left }: FoundCompany, { find }: Texts): string | null {
  if (plan === null) return null;
  if (plan_status === 'expired') return find.planEnded(plan);
  return plan_status === 'expiring_soon' && plan_days_left !== undefined ? find.planEnds(plan, plan_days_left) : plan;
}
