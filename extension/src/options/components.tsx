import { type ComponentProps, type ReactNode, useEffect, useId } from 'react';

interface PageHeadProps {
  language: string;
  texts: { title: string; lead: string; failed: string };
  /** The background has not answered. */
  failed: boolean;
}

/** The head of a page, whose document it also tells the page's title and language. */
export function PageHead({ language, texts, failed }: PageHeadProps) {
  useEffect(() => {
    document.documentElement.lang = language;
    document.title = texts.title;
  }, [language, texts]);
  return (
    <>
      <header>
        <img src="/icon/128.png" alt="" width="44" height="44" />
        <div>
          <h1>{texts.title}</h1>
          <p className="soft">{texts.lead}</p>
        </div>
      </header>
      <Notice tone="bad">{failed && texts.failed}</Notice>
    </>
  );
}

/** A titled group of settings. */
export function Card({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {lead && <p className="soft">{lead}</p>}
      {children}
    </section>
  );
}

/** A text field with label, hint and error message, linked for assistive technology. */
export function Field({
  label,
  hint,
  problem,
  ...input
}: { label: string; hint?: string | undefined; problem?: string | undefined } & ComponentProps<'input'>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        spellCheck={false}
        autoComplete="off"
        autoCapitalize="off"
        aria-invalid={problem ? true : undefined}
        aria-describedby={`${id}-hint ${id}-problem`}
        {...input}
      />
      <p id={`${id}-problem`} className="problem">
        {problem}
      </p>
      <p id={`${id}-hint`} className="soft">
        {hint}
      </p>
    </div>
  );
}

/** A message that screen readers announce when it appears. */
export function Notice({ tone, children }: { tone: 'ok' | 'warn' | 'bad'; children: ReactNode }) {
  return (
    <div role="status">
      {children && (
        <p className={`notice ${tone}`}>
          <StatusIcon tone={tone} />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}

const shapes = { ok: 'm4 8.5 3 3 5.5-6.5', warn: 'M8 3.5v5.5M8 12v.5', bad: 'm4.5 4.5 7 7m0-7-7 7' };

/** A status icon. Decorative: the caller has to put the status into words as well. */
export function StatusIcon({ tone }: { tone: keyof typeof shapes }) {
  return (
    <svg className={`mark ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={shapes[tone]} />
    </svg>
  );
}
