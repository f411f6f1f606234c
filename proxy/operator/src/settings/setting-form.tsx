import { Button } from '@deskside/extension/ui/button';
import { Note } from '@deskside/extension/ui/note';
import type { Issue } from '@deskside/shared/envelope';
import {
  maxSettingLength,
  type Remark,
  type Setting,
  type SettingChanged,
  type SettingName,
  type SettingSlot,
} from '@deskside/shared/operator/settings';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { CallFailed, callOperator } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Failure } from '#ui/failure.tsx';
import { shownValue } from './shown-value.ts';

/** What is to happen to a setting. */
type Wish = { kind: 'set'; value: string } | { kind: 'remove' } | { kind: 'promote' };

/** Changes one setting; the proxy tries the value before it keeps it. A secret is only ever written. */
export function SettingForm({ setting, onClose }: { setting: Setting; onClose: () => void }) {
  const { settings: texts, frame } = useTexts();
  const { name, is_secret, stored, next } = setting;
  const [slot, setSlot] = useState<SettingSlot>('current');
  const queries = useQueryClient();
  const id = useId();
  const field = useRef<HTMLTextAreaElement & HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  const change = useMutation({
    mutationFn: (wish: Wish): Promise<SettingChanged> =>
      wish.kind === 'promote'
        ? callOperator('promoteSetting', { name })
        : callOperator('changeSetting', { name, slot, value: wish.kind === 'set' ? wish.value : null }),
    onSuccess: async () => {
      if (field.current && is_secret) field.current.value = '';
      // It may have mended something, or broken it; that takes as long as the CRM does.
      void queries.invalidateQueries({ queryKey: ['health'] });
      await Promise.all(['settings', 'settingsAudit'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const value = field.current?.value.trim() ?? '';
    if (value !== '') change.mutate({ kind: 'set', value });
  };
  // Of the rules, one is a word.
  const isRule = /^[a-z]/.test(name) && name !== 'claims';
  const label = is_secret ? texts.secret : isRule ? texts.json : texts.value;
  const kept = slot === 'next' ? next : stored;
  const look = 'w-full rounded-md border border-edge bg-paper px-2 py-1.5 text-sm text-ink';
  const common = {
    id,
    name: 'value',
    required: true,
    maxLength: maxSettingLength,
    autoComplete: 'off',
    spellCheck: false,
  };
  return (
    <form
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
      <div className="flex flex-col gap-1 text-sm">
        <label htmlFor={id}>{label}</label>
        {isRule ? (
          <textarea
            ref={field}
            rows={5}
            defaultValue={shownValue(setting.value ?? '')}
            className={`${look} font-mono`}
            {...common}
          />
        ) : (
          <input
            ref={field}
            type={is_secret ? 'password' : 'text'}
            defaultValue={is_secret ? '' : (setting.value ?? '')}
            className={`${look} min-h-9`}
            {...common}
            {...(is_secret && { autoComplete: 'new-password' })}
          />
        )}
      </div>
      {setting.example && (
        <div className="text-xs text-ink-2">
          {texts.example}
          <pre className="mt-1 whitespace-pre-wrap wrap-anywhere">{shownValue(setting.example)}</pre>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" solid busy={change.isPending} icon="check">
          {texts.save}
        </Button>
        {kept && (
          <Button busy={change.isPending} onClick={() => change.mutate({ kind: 'remove' })}>
            {texts.remove}
          </Button>
        )}
        {next && (
          <Button busy={change.isPending} onClick={() => change.mutate({ kind: 'promote' })}>
            {texts.promote}
          </Button>
        )}
        <Button onClick={onClose}>{texts.cancel}</Button>
      </div>
      <div role="status">
        {change.isSuccess && (
          <Note tone="ok" title={texts.done}>
            {change.data.notes.length > 0 && <Remarks remarks={change.data.notes} name={name} />}
          </Note>
        )}
      </div>
      {change.isError && <Refusal name={name} error={change.error} onRetry={() => change.reset()} />}
      <span className="sr-only">{change.isPending && frame.loading}</span>
    </form>
  );
}

/** Why it was not kept, as the proxy says it. */
function Refusal({ name, error, onRetry }: { name: SettingName; error: unknown; onRetry: () => void }) {
  const { settings: texts } = useTexts();
  const failure = error instanceof CallFailed ? error.failure : null;
  if (failure?.code === 'changed_since')
    return (
      <div role="alert">
        <Note tone="warn" title={texts.changedSince} />
      </div>
    );
  if (failure?.code !== 'bad_input') return <Failure error={error} onRetry={onRetry} />;
  return (
    <div role="alert">
      <Note tone="bad" title={texts.refused}>
        <Remarks remarks={failure.issues} name={name} />
      </Note>
    </div>
  );
}

/** What the proxy says of a change, with its own sentences, which are in English, as the details. */
function Remarks({ remarks, name }: { remarks: readonly (Remark | Issue)[]; name: SettingName }) {
  const { settings: texts } = useTexts();
  return (
    <>
      {remarks.map(({ code = '', params = {}, message }) => {
        const said = texts.said(code, params, name);
        const sentence = (
          <p key={message} lang="en" className="wrap-anywhere">
            {message}
          </p>
        );
        if (said === null) return sentence;
        return (
          <div key={message} className="wrap-anywhere">
            <p>{said}</p>
            <details>
              <summary className="w-fit rounded-sm py-1 text-xs">{texts.details}</summary>
              {sentence}
            </details>
          </div>
        );
      })}
    </>
  );
}
