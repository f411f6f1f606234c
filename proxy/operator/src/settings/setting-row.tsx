import { dateTime } from '@deskside/extension/i18n/format';
import { Button } from '@deskside/extension/ui/button';
import { Tag } from '@deskside/extension/ui/tag';
import type { Setting, SettingName } from '@deskside/shared/operator/settings';
import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { fitsForm } from './forms/rule-form.tsx';
import { RuleValue } from './forms/rule-value.tsx';
import { SettingForm } from './setting-form.tsx';
import { shownValue } from './shown-value.ts';

/** One setting: what is in force, where that comes from, and a form for whoever may change it. */
export function SettingRow({ setting, mayChange }: { setting: Setting; mayChange: boolean }) {
  const { settings: texts } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const { name, source, value, stored, next } = setting;
  const title = texts.name[name];
  const isFixed = source === 'environment';
  return (
    <li className="flex flex-col gap-2 border-b border-line py-3 first:pt-0 last:border-0 last:pb-0">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <div className="flex min-w-0 flex-1 basis-60 flex-col gap-1">
          <h3 className="text-sm font-semibold">{title}</h3>
          <code className="text-xs text-ink-3 wrap-anywhere">{name}</code>
        </div>
        <div className="flex min-w-0 flex-1 basis-60 flex-col items-start gap-1 text-sm">
          <Value name={name} value={value} none={name === 'claims' ? texts.claimsNotChosen : texts.none} />
          {/* Where nothing is set, it says so already. */}
          {(value !== null || isFixed) && (
            <Tag tone={source === 'store' ? 'info' : 'neutral'} {...(isFixed && { icon: 'lock' })}>
              {isFixed ? texts.fixed : texts.source[source]}
            </Tag>
          )}
          {stored && <span className="text-xs text-ink-3">{texts.changed(dateTime(stored.at), stored.by)}</span>}
          {next && <span className="text-xs text-ink-3">{texts.next(dateTime(next.at), next.by)}</span>}
        </div>
        {/* On a narrow screen it stands below the others, and begins where they do. */}
        <div className="min-w-24 md:text-end">
          {mayChange && !isFixed && (
            <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} aria-label={texts.changeOf(title)}>
              {texts.change}
            </Button>
          )}
        </div>
      </div>
      {isOpen && mayChange && !isFixed && <SettingForm setting={setting} onClose={() => setOpen(false)} />}
    </li>
  );
}

/** Longest value that is shown without being asked for, in characters. */
const maxShown = 160;

function Value({ name, value, none }: { name: SettingName; value: string | null; none: string }) {
  const { settings: texts } = useTexts();
  if (value === null || value === '[]') return <span className="text-ink-3">{none}</span>;
  // Of the CRM's fields the form has the additional ones only.
  const isInForm = name !== 'crm_fields' && fitsForm(name, value);
  const shown = isInForm ? (
    <RuleValue name={name} text={value} />
  ) : (
    <code className="whitespace-pre-wrap wrap-anywhere">{shownValue(value)}</code>
  );
  if (value.length <= maxShown) return shown;
  return (
    <details className="max-w-full">
      <summary className="w-fit rounded-sm py-1 text-ink-2 hover:text-ink">{texts.showValue}</summary>
      {shown}
    </details>
  );
}
