import { type ComponentProps, type ReactNode, type RefObject, StrictMode, useId, useLayoutEffect, useRef } from 'react';
import { createRoot } from 'react-dom/client';

export function mountPage(page: ReactNode): void {
  const root = document.querySelector('#root');
  if (root) createRoot(root).render(<StrictMode>{page}</StrictMode>);
}

/** Moves the focus to an element when it appears, and again when `again` changes. */
export function useFocus<E extends HTMLElement>(again: unknown = null): RefObject<E | null> {
  const element = useRef<E>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of `again` is what the focus follows.
  useLayoutEffect(() => element.current?.focus(), [again]);
  return element;
}

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
}: { label: string; hint: string; problem: string | null } & ComponentProps<'input'>) {
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

const shapes = { warn: 'M8 3.5v5.5M8 12v.5', bad: 'm4.5 4.5 7 7m0-7-7 7' };

/** A message that screen readers announce when it appears. */
export function Notice({ tone, children }: { tone: keyof typeof shapes; children: ReactNode }) {
  return (
    <div role="status">
      {children && (
        <p className="notice">
          <svg className={`mark ${tone}`} viewBox="0 0 16 16" aria-hidden="true">
            <path d={shapes[tone]} />
          </svg>
          <span>{children}</span>
        </p>
      )}
    </div>
  );
}
