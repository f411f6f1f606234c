import { Button } from '@deskside/extension/ui/button';
import { type ExtraFieldValue, extraFieldGroups } from '@deskside/shared/operator/rule-values';
import { useEffect, useRef } from 'react';
import type { WrongField } from '#i18n/rule-forms.ts';
import { useTexts } from '#i18n/texts.ts';
import { Field, fieldLook } from './field.tsx';

const empty: ExtraFieldValue = { field: '', key: '', label: '', group: 'metrics' };
const parts = ['field', 'key', 'label'] as const;
const wrongOf = { field: 'crmField', key: 'key', label: 'label' } as const satisfies Record<string, WrongField>;
const examples = { field: 'UF_CRM_GMV_30D', key: 'gmv_30d', label: 'GMV 30 days' };
/** As many as the rule takes. */
const most = 50;

/** Fields of the CRM that the panel shows beside those that it knows. */
export function ExtraFieldsForm({
  value,
  wrongAt,
  unknown,
  onChange,
}: {
  value: readonly ExtraFieldValue[];
  /** Such as `extra.0.key`. */
  wrongAt: readonly string[];
  /** CRM fields that do not exist. */
  unknown: readonly string[];
  onChange: (value: ExtraFieldValue[]) => void;
}) {
  const { ruleForms: texts } = useTexts();
  const rows = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const added = useRef(false);
  useEffect(() => {
    if (added.current) rows.current?.querySelector<HTMLInputElement>('li:last-child input')?.focus();
    added.current = false;
  });
  const put = (nth: number, change: Partial<ExtraFieldValue>) =>
    onChange(value.map((row, at) => (at === nth ? { ...row, ...change } : row)));

  function wrongWith(nth: number, part: (typeof parts)[number]): string | null {
    if (wrongAt.includes(`extra.${nth}.${part}`)) return texts.wrong[wrongOf[part]];
    const row = value[nth];
    if (part === 'field' && row !== undefined && unknown.includes(row.field)) return texts.wrong.unknownField;
    const isTwice = value.filter(({ key }) => key === row?.key).length > 1;
    return part === 'key' && wrongAt.includes('extra') && isTwice ? texts.wrong.keyTwice : null;
  }

  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm">{texts.extra.title}</legend>
      <p className="text-xs text-ink-3">{value.length === 0 ? texts.extra.none : texts.extra.hint}</p>
      <ul ref={rows} className="flex flex-col gap-3 empty:hidden">
        {value.map((row, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row has no name of its own while it is being typed.
          <li key={nth} className="rounded-lg border border-line bg-paper p-3">
            <fieldset className="grid min-w-0 gap-2 sm:grid-cols-2">
              <legend className="sr-only">{texts.extra.nth(nth + 1)}</legend>
              {parts.map((part) => (
                <Field key={part} label={texts.extra[part]} wrong={wrongWith(nth, part)}>
                  {(props) => (
                    <input
                      {...props}
                      value={row[part]}
                      placeholder={examples[part]}
                      maxLength={100}
                      autoComplete="off"
                      spellCheck={false}
                      className={`${fieldLook} min-h-9`}
                      onChange={({ target }) => put(nth, { [part]: target.value.trimStart() })}
                    />
                  )}
                </Field>
              ))}
              <Field label={texts.extra.group} wrong={null}>
                {(props) => (
                  <select
                    {...props}
                    value={row.group}
                    className={`${fieldLook} min-h-9`}
                    onChange={({ target }) =>
                      put(nth, { group: extraFieldGroups.find((group) => group === target.value) ?? 'metrics' })
                    }
                  >
                    {extraFieldGroups.map((group) => (
                      <option key={group} value={group}>
                        {texts.extra.groups[group]}
                      </option>
                    ))}
                  </select>
                )}
              </Field>
              <div className="sm:col-span-2">
                <Button
                  onClick={() => {
                    add.current?.focus();
                    onChange(value.filter((_, at) => at !== nth));
                  }}
                >
                  {texts.extra.remove(row.label || texts.extra.nth(nth + 1))}
                </Button>
              </div>
            </fieldset>
          </li>
        ))}
      </ul>
      {value.length < most && (
        <div>
          <Button
            ref={add}
            onClick={() => {
              added.current = true;
              onChange([...value, empty]);
            }}
          >
            {texts.extra.add}
          </Button>
        </div>
      )}
    </fieldset>
  );
}
