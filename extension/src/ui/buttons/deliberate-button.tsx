import { type ComponentProps, useId, useLayoutEffect, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { CheckedButton } from './checked-button.tsx';

/** The question after a click on a covered button. */
interface CoveredTexts {
  title: (action: string) => string;
  body: string;
  /** The question's own button was covered as well. */
  still: string;
  cancel: string;
}

interface DeliberateButtonProps extends Omit<ComponentProps<typeof CheckedButton>, 'onCovered' | 'children'> {
  /** Its name, for the question too. */
  label: string;
  texts: CoveredTexts;
}

/**
 * A button for changes. If it is clicked while something on the page covers it, the person may not have meant it, so they
 * are asked first.
 */
export function DeliberateButton({ label, texts, onPress, ...rest }: DeliberateButtonProps) {
  const [asking, setAsking] = useState(false);
  const confirm = () => {
    setAsking(false);
    onPress();
  };
  return (
    <>
      <CheckedButton {...rest} onPress={onPress} onCovered={() => setAsking(true)}>
        {label}
      </CheckedButton>
      {asking && <Question label={label} texts={texts} onConfirm={confirm} onCancel={() => setAsking(false)} />}
    </>
  );
}

interface QuestionProps {
  label: string;
  texts: CoveredTexts;
  onConfirm: () => void;
  onCancel: () => void;
}

/**
 * A modal dialog: it lies above everything on the page but what the page puts there later. Its own button takes no
 * covered click either, which is said; the keyboard always works.
 */
function Question({ label, texts, onConfirm, onCancel }: QuestionProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const yes = useRef<HTMLButtonElement>(null);
  const [still, setStill] = useState(false);
  const [title, body] = [useId(), useId()];
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    // Before it is removed, so that the browser gives the focus back.
    return () => shown?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      role="alertdialog"
      aria-labelledby={title}
      aria-describedby={body}
      className="question"
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
      // Escape is for this dialog, not for the panel.
      onKeyDown={(event) => event.stopPropagation()}
    >
      <h3 id={title} className="text-md font-semibold text-balance">
        {texts.title(label)}
      </h3>
      <p id={body} className="mt-1.5 text-sm text-pretty text-ink-2">
        {texts.body}
      </p>
      <p role="alert" className="mt-2 text-sm font-medium text-bad empty:hidden">
        {still && texts.still}
      </p>
      <div className="mt-3.5 flex flex-wrap gap-2">
        <CheckedButton
          ref={yes}
          solid
          onPress={onConfirm}
          onCovered={() => {
            setStill(true);
            yes.current?.focus();
          }}
        >
          {label}
        </CheckedButton>
        <Button onClick={onCancel}>{texts.cancel}</Button>
      </div>
    </dialog>
  );
}
