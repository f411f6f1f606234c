import { useTexts } from '#i18n/panel/texts-context.ts';
import { CopyButton } from '#ui/buttons/copy-button.tsx';

/** The id under which a failure is in the proxy's log, to be copied into a message to the administrator. */
export function RequestId({ id }: { id: string | null | undefined }) {
  const { shell } = useTexts();
  if (!id) return null;
  return (
    <span className="copyable text-xs">
      <span className="copy-room">{shell.requestId(id)}</span>
      <CopyButton
        beside="always"
        text={id}
        label={shell.copyRequestId}
        done={shell.requestIdCopied}
        failed={shell.copyFailed}
      />
    </span>
  );
}
