import { type ReactNode, useId } from 'react';

/** How every field of a setting looks. */
export const fieldLook = 'w-full min-w-0 rounded-md border border-edge bg-paper px-2 py-1.5 text-sm text-ink';

/** What a field takes over, so that its label, its hint and what is wrong with it are read with it. */
export interface FieldProps {
  id: string;
  'aria-invalid': true | undefined;
  'aria-describedby': string | undefined;
}

/** A field under its label, with a hint and what is wrong with its value. */
export function Field({
  label,
  hint,
  wrong,
  children,
}: {
  label: string;
  hint?: string;
  /** A sentence; null if nothing is. */
  wrong: string | null;
  children: (props: FieldProps) => ReactNode;
}) {
  const id = useId();
  const described = [hint && `${id}-hint`, wrong !== null && `${id}-wrong`].filter(Boolean).join(' ');
  return (
    <div className="flex min-w-0 flex-col gap-1 text-sm">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        'aria-invalid': wrong === null ? undefined : true,
        'aria-describedby': described === '' ? undefined : described,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-xs text-ink-3">
          {hint}
        </p>
      )}
      {wrong !== null && (
        <p id={`${id}-wrong`} className="text-xs font-medium text-bad wrap-anywhere">
          {wrong}
        </p>
      )}
    </div>
  );
}
