import './AccountForm.css';
import type { FormEvent, ReactNode } from 'react';
import { BellbirdMark } from '../../../../web/shared/BellbirdMark.tsx';
import { Button } from '../../../../web/ui/Button.tsx';
import { FormError } from '../../../../web/ui/FormError.tsx';

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

/** The frame that Login and Register share. */
export function AccountForm(props: AccountFormProps) {
  const { title, intro, submit, submitting, isBusy, error, onSubmit, children, after } = props;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isBusy) onSubmit();
  };
  return (
    <section className="account" aria-labelledby="account-title">
      <BellbirdMark size={44} />
      <h1 id="account-title">{title}</h1>
      {intro && <p className="muted">{intro}</p>}
      <form onSubmit={send} noValidate>
        {children}
        <FormError>{error}</FormError>
        <Button variant="primary" type="submit" disabled={isBusy}>
          {isBusy ? submitting : submit}
        </Button>
      </form>
      <div className="account-after">{after}</div>
    </section>
  );
}
