import { Note } from '@deskside/extension/ui/note';
import type { Issue } from '@deskside/shared/envelope';
import type { Remark, SettingName } from '@deskside/shared/operator/settings';
import { CallFailed } from '#api/call.ts';
import { useTexts } from '#i18n/texts.ts';
import { Failure } from '#ui/failure.tsx';

/**
 * Why a setting was not kept, as the proxy says it.
 *
 * @param props.isInForm what is wrong with a field of the form stands there
 */
export function Refusal({
  name,
  error,
  isInForm,
  onRetry,
}: {
  name: SettingName;
  error: unknown;
  isInForm: boolean;
  onRetry: () => void;
}) {
  const { settings: texts } = useTexts();
  const failure = error instanceof CallFailed ? error.failure : null;
  if (failure?.code === 'changed_since')
    return (
      <div role="alert">
        <Note tone="warn" title={texts.changedSince} />
      </div>
    );
  if (failure?.code !== 'bad_input') return <Failure error={error} onRetry={onRetry} />;
  const elsewhere = failure.issues.filter((issue) => !isInForm || !isOfField(issue, name));
  return (
    <div role="alert">
      <Note tone="bad" title={texts.refused}>
        {elsewhere.length < failure.issues.length && <p>{texts.atFields}</p>}
        <Remarks remarks={elsewhere} name={name} />
      </Note>
    </div>
  );
}

/** Whether a field of the rule's form says it. */
function isOfField({ code, params }: Issue, name: SettingName): boolean {
  return code === 'value_unusable' && (params?.at ?? '').startsWith(name === 'crm_fields' ? `${name}.extra` : name);
}

/** What of a value was refused: its parts, as paths within it, and CRM fields that do not exist. */
export function refusedParts(error: unknown, name: SettingName): { wrongAt: string[]; unknown: string[] } {
  const failure = error instanceof CallFailed ? error.failure : null;
  const issues: readonly Issue[] = failure?.code === 'bad_input' ? failure.issues : [];
  return {
    wrongAt: issues.flatMap(({ params }) => {
      const at = params?.at;
      if (at === name) return [''];
      return at?.startsWith(`${name}.`) ? [at.slice(name.length + 1)] : [];
    }),
    unknown: issues.flatMap(({ code, params }) =>
      code === 'fields_unknown' ? (params?.fields ?? '').split(', ') : [],
    ),
  };
}

/** What the proxy says of a change, with its own sentences, which are in English, as the details. */
export function Remarks({ remarks, name }: { remarks: readonly (Remark | Issue)[]; name: SettingName }) {
  const { settings: texts } = useTexts();
  return (
    <>
      {remarks.map(({ code = '', params = {}, message }) => {
        const said = texts.said(code, params, name);
        const sentence = (
          <p key={message} lang="en" className="wrap-anywhere">
            {message}
          </p>
        );
        if (said === null) return sentence;
        return (
          <div key={message} className="wrap-anywhere">
            <p>{said}</p>
            <details>
              <summary className="w-fit rounded-sm py-1 text-xs">{texts.details}</summary>
              {sentence}
            </details>
          </div>
        );
      })}
    </>
  );
}
