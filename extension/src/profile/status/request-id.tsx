import { useTexts } from '#i18n/texts-context.ts';
import { CopyButton } from '#ui/copy-button.tsx';

/** The id under which a failure is in the proxy's log, to be copied into a message to the administrator. */
export function RequestId({ id }: { id: string | null | undefined }) {
  const { shell } = useTexts();
  if (!id) return null;
  return (
    <span className="inline-flex max-w-full items-center gap-1 text-xs">
      <span className="min-w-0">{shell.requestId(id)}</span>
      <CopyButton text={id} label={shell.copyRequestId} done={shell.requestIdCopied} failed={shell.copyFailed} />
    </span>
  );
}
