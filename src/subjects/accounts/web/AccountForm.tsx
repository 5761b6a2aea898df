import './accounts.css';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { BellbirdMark } from '#web/shared/BellbirdMark.tsx';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/Banner.tsx';

type AccountFormProps = {
  title: string;
  /** A sentence above the boxes. */
  intro?: ReactNode;
  submit: string;
  submitting: string;
  isBusy: boolean;
  error: string | null;
  onSubmit: () => void;
  /** Text boxes. */
  children: ReactNode;
  /** Links and further buttons below. */
  after: ReactNode;
};

/** A keyboard on the screen would cover half of what is shown there. */
const TYPES_ON_GLASS = '(pointer: coarse)';

/** Gives the focus to the first box as the form comes, unless something has it already. */
function useFirstBox() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement.matches('body, a, button, main');
    if (isFree && !window.matchMedia(TYPES_ON_GLASS).matches) form.current?.querySelector('input')?.focus();
  }, []);
  return form;
}

/** The frame that Login and Register share. */
export function AccountForm(props: AccountFormProps) {
  const { title, intro, submit, submitting, isBusy, error, onSubmit, children, after } = props;
  const form = useFirstBox();
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <section className="account lone-form" aria-labelledby="account-title">
      <BellbirdMark size={44} />
      <h1 id="account-title">{title}</h1>
      {intro && <p className="muted">{intro}</p>}
      <form ref={form} onSubmit={send} noValidate>
        {children}
        <FormError>{error}</FormError>
        <Button variant="primary" type="submit" disabled={isBusy}>
          {isBusy ? submitting : submit}
        </Button>
      </form>
      <div className="account-after stack muted">{after}</div>
    </section>
  );
}
