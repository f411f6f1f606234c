import { useState } from 'react';
import { useTexts } from '#i18n/texts.ts';
import { Field, fieldLook } from './field.tsx';

/** A list of words or hosts, one on each line. */
export function ListField({
  label,
  hint,
  value,
  wrongAt,
  kind,
  onChange,
}: {
  label: string;
  hint: string;
  value: readonly string[];
  /** What is wrong: the list itself, or entries by their place in it. */
  wrongAt: readonly ('list' | number)[];
  kind: 'word' | 'host';
  onChange: (value: string[]) => void;
}) {
  const { ruleForms: texts } = useTexts();
  // A line that is still empty belongs to what is being typed, and not to the value.
  const [typed, setTyped] = useState(value.join('\n'));
  const said = wrongAt.map((at) =>
    at === 'list' ? texts.wrong.words : texts.wrongIn(value[at] ?? '', texts.wrong[kind]),
  );
  return (
    <Field label={label} hint={hint} wrong={said.length === 0 ? null : said.join(' ')}>
      {(props) => (
        <textarea
          {...props}
          rows={Math.min(10, Math.max(3, value.length + 1))}
          value={typed}
          spellCheck={false}
          autoComplete="off"
          className={fieldLook}
          onChange={({ target }) => {
            setTyped(target.value);
            const lines = target.value.split('\n').map((line) => line.trim());
            onChange(lines.filter((line) => line !== ''));
          }}
        />
      )}
    </Field>
  );
}
