import { type Language, useTexts } from '#i18n/texts.ts';

const names: Record<Language, string> = { en: 'English', vi: 'Tiếng Việt' };

export function LanguageChoice({ choose }: { choose: (language: Language) => void }) {
  const { frame, language } = useTexts();
  return (
    <select
      aria-label={frame.language}
      value={language}
      onChange={(event) => choose(event.target.value as Language)}
      className="min-h-8 rounded-md border border-edge bg-paper px-2 text-sm text-ink"
    >
      {Object.entries(names).map(([code, name]) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </select>
  );
}
