import { seconds } from '#i18n/format.ts';
import { useTexts } from '#i18n/panel/texts-context.ts';
import type { PanelError } from '#messaging/protocol.ts';
import { failureKinds } from './failure.ts';
import { FailureAction } from './failure-action.tsx';
import { MessageView } from './message-view.tsx';

interface FailureViewProps {
  error: PanelError;
  busy: boolean;
  /** The pause after which it is tried again by itself, in milliseconds; false: it is not. */
  retryMs: number | false;
  retry: () => void;
}

/** Why there is no profile, with the action that helps. */
export function FailureView({ error, busy, retryMs, retry }: FailureViewProps) {
  const { failures, language } = useTexts();
  return (
    <MessageView
      icon={failureKinds[error.code].icon}
      {...failures.code[error.code]}
      footnote={retryMs !== false && failures.again(seconds(language, retryMs))}
    >
      <FailureAction code={error.code} busy={busy} retry={retry} />
    </MessageView>
  );
}
