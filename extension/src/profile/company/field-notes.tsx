import type { ProfileData } from '@deskside/shared/profile';
import { useTexts } from '#i18n/texts-context.ts';
import { fieldLabel } from '#profile/trust/trust-evidence.ts';
import { Icon } from '#ui/icon.tsx';

/** Fields whose value is not a company id, so that someone can correct them. */
export function FieldNotes({ notes }: { notes: ProfileData['notes'] }) {
  const t = useTexts();
  if (notes.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-xs text-warn">
      {notes.map(({ code, field }) => (
        <li key={field} className="flex gap-1.5 wrap-anywhere">
          <span className="mt-px">
            <Icon name="alert" size={14} />
          </span>
          {t.fields.notes[code](fieldLabel(field, t))}
        </li>
      ))}
    </ul>
  );
}
