import { useId } from 'react';
import { ask } from '#messaging/page-protocol.ts';
import { openShortcutSettings } from '#platform/shortcut.ts';
import { Language } from '#settings/schema.ts';
import { Card } from './components.tsx';
import type { CardProps } from './use-options.ts';

/** The language, and the keyboard shortcut as set in the browser. */
export function PreferencesCard({ state, run, texts }: CardProps) {
  const words = texts.preferences;
  const id = useId();
  return (
    <Card title={words.heading}>
      <div className="row">
        <label htmlFor={id}>{words.language}</label>
        <select
          id={id}
          value={state.language}
          disabled={state.languageLocked}
          onChange={({ target }) => run(() => ask('options.saveLanguage', { language: Language.parse(target.value) }))}
        >
          {Language.options.map((language) => (
            <option key={language} value={language}>
              {words.languages[language]}
            </option>
          ))}
        </select>
      </div>
      {state.languageLocked && <p className="soft">{texts.addresses.locks.policy}</p>}
      <div className="row">
        <p>
          {words.shortcut} <kbd>{state.shortcut ?? words.noShortcut}</kbd>
        </p>
        <button type="button" onClick={openShortcutSettings}>
          {words.changeShortcut}
        </button>
      </div>
    </Card>
  );
}
