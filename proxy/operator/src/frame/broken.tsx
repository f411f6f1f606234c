import { Button } from '@deskside/extension/ui/button';
import { Note } from '@deskside/extension/ui/note';
import { useTexts } from '#i18n/texts.ts';

/** In place of a page that has thrown. */
export function Broken() {
  const { frame } = useTexts();
  return (
    <main className="mx-auto max-w-120 p-4" role="alert">
      <Note tone="bad" title={frame.broken.title}>
        <p>{frame.broken.body}</p>
        <Button className="mt-2" icon="refresh" onClick={() => location.reload()}>
          {frame.reload}
        </Button>
      </Note>
    </main>
  );
}
