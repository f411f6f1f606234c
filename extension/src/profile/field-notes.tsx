import type { ProfileData } from '@deskside/shared/profile';
import { Icon } from '../ui/icon.tsx';
import { useTexts } from './texts-context.tsx';
import { fieldLabel } from './trust-evidence.ts';

/** Fields that hold something which is no company id, so that somebody can put them right. */
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
