import { ClaimsMode } from '@deskside/shared/routing';
import { useTexts } from '#i18n/texts.ts';

/** What an org id may do that only the sender vouches for. `value`: null while nobody has chosen. */
export function ClaimsForm({ value, onChange }: { value: string | null; onChange: (mode: ClaimsMode) => void }) {
  const { ruleForms: texts } = useTexts();
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm">{texts.claimsQuestion}</legend>
      {ClaimsMode.options.map((mode) => (
        <label key={mode} className="flex items-start gap-2 text-sm">
          <input
            type="radio"
            name="claims"
            required
            value={mode}
            checked={value === mode}
            onChange={() => onChange(mode)}
            className="mt-0.5 size-4 shrink-0 accent-(--solid)"
          />
          <span>
            <span className="font-medium">{texts.claims[mode].title}</span>
            <span className="block text-xs text-ink-2">{texts.claims[mode].hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
