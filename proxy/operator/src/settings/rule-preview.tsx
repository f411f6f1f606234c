import { number } from '@deskside/extension/i18n/format';
import { Note } from '@deskside/extension/ui/note';
import type { RulePreview } from '@deskside/shared/operator/settings';
import { useTexts } from '#i18n/texts.ts';

/** What a rule would have made of the latest tickets; `isRemoval`: the default would, in the place of the value in the store. */
export function PreviewNote({ preview, isRemoval }: { preview: RulePreview; isRemoval: boolean }) {
  const { ruleForms, language } = useTexts();
  const { preview: texts } = ruleForms;
  const { looked, moved, untold, ways } = preview;
  const title = looked === 0 ? texts.noTicket : moved === 0 ? texts.none : texts.moved(moved, looked);
  return (
    <Note tone={moved > 0 ? 'warn' : 'info'} title={title}>
      <ul className="empty:hidden">
        {ways.map(({ from, to, tickets }) => (
          <li key={`${from} ${to}`}>
            {texts.way(from ?? texts.noTeam, to ?? texts.noTeam, number(language, tickets))}
          </li>
        ))}
      </ul>
      {untold > 0 && <p>{texts.untold(untold)}</p>}
      <p>{isRemoval ? texts.notRemoved : texts.notSaved}</p>
    </Note>
  );
}
