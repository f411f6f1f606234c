import type { ReactNode } from 'react';
import { Icon, type IconName } from '#ui/icon.tsx';

interface MessageViewProps {
  icon: IconName;
  title: string;
  body: string;
  footnote?: ReactNode;
  /** What the agent can do. */
  children?: ReactNode;
}

/** A message in place of the profile: what happened, who can fix it, what to do next. */
export function MessageView({ icon, title, body, footnote, children }: MessageViewProps) {
  return (
    <div className="flex flex-col items-center px-6 pt-6 pb-5 text-center wrap-anywhere">
      <span className="mb-2.5 grid size-9 place-items-center rounded-lg bg-sunken text-ink-2">
        <Icon name={icon} size={18} />
      </span>
      <h3 className="text-lg font-semibold text-balance">{title}</h3>
      <p className="mt-1.5 max-w-80 text-sm text-pretty text-ink-2">{body}</p>
      {children && <div className="mt-3.5 flex flex-wrap justify-center gap-2 empty:hidden">{children}</div>}
      {footnote && <div className="mt-3 text-xs text-ink-3">{footnote}</div>}
    </div>
  );
}

/** A placeholder in the shape of a company, shown from the first frame on. */
export function Skeleton({ label }: { label: string }) {
  return (
    <div>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true">
        <div className="flex flex-col gap-2 px-4 pt-4 pb-3">
          <div className="bone h-5 w-3/5" />
          <div className="bone h-4 w-4/5" />
        </div>
        <div className="facts">
          {['w-1/2', 'w-2/3', 'w-3/5', 'w-1/3'].map((width) => (
            <div key={width} className="px-4 py-2.5">
              <div className="bone mb-2 h-3 w-12" />
              <div className={`bone h-4 ${width}`} />
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

/** A placeholder of lines in these widths and heights, while something is on its way. */
export function Bones({ label, lines }: { label: string; lines: readonly string[] }) {
  return (
    <>
      <p className="sr-only">{label}</p>
      <div aria-hidden="true" className="flex flex-col gap-2.5">
        {lines.map((line) => (
          <div key={line} className={`bone ${line}`} />
        ))}
      </div>
    </>
  );
}
