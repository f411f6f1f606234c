import { type ComponentProps, type ReactNode, useId } from 'react';

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

/** A text field with its label, a hint, and what is wrong with its value, tied together for assistive technology. */
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

/** A line that is read out when it appears. */
export function Notice({ tone, children }: { tone: 'ok' | 'warn' | 'bad'; children: ReactNode }) {
  return (
    <div role="status">
      {children && (
        <p className={`notice ${tone}`}>
          <Mark tone={tone} />
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}

const marks = { ok: 'm4 8.5 3 3 5.5-6.5', warn: 'M8 3.5v5.5M8 12v.5', bad: 'm4.5 4.5 7 7m0-7-7 7' };

/** The sign of how good something is; the word for it is given by whoever uses it. */
export function Mark({ tone }: { tone: keyof typeof marks }) {
  return (
    <svg className={`mark ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={marks[tone]} />
    </svg>
  );
}
