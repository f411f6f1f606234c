import { Button } from '@deskside/extension/ui/button';
import { Note } from '@deskside/extension/ui/note';
import {
  maxSettingLength,
  PreviewedRule,
  type Setting,
  type SettingChanged,
  type SettingSlot,
} from '@deskside/shared/operator/settings';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Field, fieldLook } from './forms/field.tsx';
import { fitsForm, hasForm, RuleForm } from './forms/rule-form.tsx';
import { RuleValue } from './forms/rule-value.tsx';
import { Refusal, Remarks, refusedParts } from './remarks.tsx';
import { PreviewNote } from './rule-preview.tsx';
import { shownValue } from './shown-value.ts';

/** What is to happen to a setting. */
type Wish = { kind: 'set'; value: string } | { kind: 'remove' } | { kind: 'promote' };

/**
 * Changes one setting; the proxy tries the value before it keeps it. A rule that routing goes by says first where past
 * tickets would have gone. A secret is only ever written.
 */
export function SettingForm({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const { settings: texts, ruleForms, frame } = useTexts();
  const { name, is_secret, stored, next } = setting;
  const [slot, setSlot] = useState<SettingSlot>('current');
  const [text, setText] = useState(() => beginWith(setting));
  const [asJson, setAsJson] = useState(() => !fitsForm(name, beginWith(setting)));
  const queries = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => focusFirst(form.current), []);

  const change = useMutation({
    mutationFn: (wish: Wish): Promise<SettingChanged> =>
      wish.kind === 'promote'
        ? callOperator('promoteSetting', { name })
        : callOperator('changeSetting', { name, slot, value: wish.kind === 'set' ? wish.value : null }),
    onSuccess: async () => {
      if (is_secret) setText('');
      // It may have mended something, or broken it; that takes as long as the CRM does.
      void queries.invalidateQueries({ queryKey: ['health'] });
      await Promise.all(['settings', 'settingsAudit'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
  const { data: previewed } = PreviewedRule.safeParse(name);
  const preview = useMutation({
    mutationFn: (value: string | null) => callOperator('previewRule', { name: previewed ?? 'claims', value }),
  });
  const failure = change.error ?? preview.error;
  // Once the first field that is wrong is shown so.
  useEffect(() => {
    if (failure) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [failure]);
  const isChecked = (value: string | null) => !previewed || (preview.isSuccess && preview.variables === value);
  /** What happens to it next: it is looked at first, unless that has been done. */
  function wish(value: string | null) {
    change.reset();
    if (!isChecked(value)) return preview.mutate(value);
    preview.reset();
    change.mutate(value === null ? { kind: 'remove' } : { kind: 'set', value });
  }
  /** What was said of another value is over. */
  const edit = (changed: string) => {
    setText(changed);
    change.reset();
    preview.reset();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (text.trim() !== '') wish(text.trim());
  };
  const isBusy = change.isPending || preview.isPending;
  const failed = change.isError ? change : preview.isError ? preview : null;
  const kept = slot === 'next' ? next : stored;
  const isInForm = !asJson && fitsForm(name, text);
  return (
    <form
      ref={form}
      onSubmit={submit}
      className="flex flex-col gap-3 rounded-lg bg-sunken p-3"
      aria-label={texts.changeOf(texts.name[name])}
    >
      {is_secret && (
        <label className="flex flex-wrap items-center gap-2 text-sm">
          {texts.place}
          <select
            value={slot}
            onChange={(event) => setSlot(event.target.value as SettingSlot)}
            className="min-h-8 max-w-full rounded-md border border-edge bg-paper px-2 text-sm text-ink"
          >
            <option value="current">{texts.slots.current}</option>
            <option value="next">{texts.slots.next}</option>
          </select>
        </label>
      )}
      {isInForm ? (
        <RuleForm name={name} text={text} onChange={edit} {...refusedParts(failed?.error, name)} />
      ) : (
        <PlainValue setting={setting} text={text} onChange={edit} />
      )}
      {hasForm(name) && asJson && !fitsForm(name, text) && <p className="text-xs text-ink-2">{ruleForms.notForForm}</p>}
      {setting.example && name !== 'claims' && (
        <div className="text-xs text-ink-2">
          {texts.example}{' '}
          {isInForm ? (
            <RuleValue name={name} text={setting.example} />
          ) : (
            <pre className="mt-1 whitespace-pre-wrap wrap-anywhere">{shownValue(setting.example)}</pre>
          )}
        </div>
      )}
      <div role="status">
        {preview.isSuccess && (preview.variables === null || preview.variables === text.trim()) && (
          <PreviewNote preview={preview.data} isRemoval={preview.variables === null} />
        )}
        {change.isSuccess && (
          <Note tone="ok" title={texts.done}>
            {change.data.notes.length > 0 && <Remarks remarks={change.data.notes} name={name} />}
          </Note>
        )}
      </div>
      {failed && <Refusal name={name} error={failed.error} isInForm={isInForm} onRetry={() => failed.reset()} />}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" solid busy={isBusy} icon="check">
          {isChecked(text.trim()) ? texts.save : ruleForms.preview.check}
        </Button>
        {kept && (
          <Button busy={isBusy} onClick={() => wish(null)}>
            {isChecked(null) ? texts.remove : texts.removeAfterCheck}
          </Button>
        )}
        {next && (
          <Button busy={isBusy} onClick={() => change.mutate({ kind: 'promote' })}>
            {texts.promote}
          </Button>
        )}
        {hasForm(name) && (
          <Button
            unavailable={asJson && !fitsForm(name, text)}
            onClick={() => {
              setText(asJson ? text : shownValue(text));
              setAsJson(!asJson);
            }}
          >
            {asJson ? ruleForms.asForm : ruleForms.asJson}
          </Button>
        )}
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
      <span className="sr-only">{isBusy && frame.loading}</span>
    </form>
  );
}

/** A value in one field: a secret, JSON, or a word. */
function PlainValue(props: { setting: Setting; text: string; onChange: (text: string) => void }) {
  const { settings: texts } = useTexts();
  const { setting, text, onChange } = props;
  const isJson = /^[a-z]/.test(setting.name);
  const common = {
    name: 'value',
    required: true,
    maxLength: maxSettingLength,
    autoComplete: 'off',
    spellCheck: false,
    value: text,
    onChange: ({ target }: { target: { value: string } }) => onChange(target.value),
  };
  return (
    <Field label={setting.is_secret ? texts.secret : isJson ? texts.json : texts.value} wrong={null}>
      {(field) =>
        isJson ? (
          <textarea rows={5} className={`${fieldLook} font-mono`} {...field} {...common} />
        ) : (
          <input
            type={setting.is_secret ? 'password' : 'text'}
            className={`${fieldLook} min-h-9`}
            {...field}
            {...common}
            {...(setting.is_secret && { autoComplete: 'new-password' })}
          />
        )
      }
    </Field>
  );
}

/** What is in force, to be changed; of the CRM's fields only what differs from the default, which need not exist there. */
function beginWith({ name, is_secret, value, stored_value }: Setting): string {
  if (is_secret) return '';
  if (name === 'crm_fields') return shownValue(stored_value ?? '{}');
  return shownValue(value ?? '');
}

function focusFirst(form: HTMLFormElement | null): void {
  const chosen = form?.querySelector<HTMLElement>('input:checked');
  (chosen ?? form?.querySelector<HTMLElement>('textarea, input, select'))?.focus();
}
