import './shared/accountsLate.css';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { BellbirdMark } from '#web/shared/BellbirdMark.tsx';
import { Button } from '#ui/Button.tsx';
import { FormError } from '#ui/Banner.tsx';
import type { Refusal, Result } from '#lib/result.ts';
import { appInfo } from '#web/shared/appInfo.ts';
import { late } from '#web/shared/lateStyles.ts';

type Attempt = {
  /** Why the form or the server refused the last attempt; null if neither did. */
  refusal: Refusal | null;
  isBusy: boolean;
  /** Sends the request if the input is valid. @param request returns the server's refusal, or null */
  attempt<T>(checked: Result<T>, request: (input: T) => Promise<Refusal | null>): Promise<void>;
};

export function useAttempt(): Attempt {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  return {
    refusal,
    isBusy,
    attempt: async (checked, request) => {
      setRefusal(checked.ok ? null : checked.error);
      if (!checked.ok) return;
      setBusy(true);
      const refused = await request(checked.value);
      // After a success another screen is shown, and setting state has no effect.
      setRefusal(refused);
      setBusy(false);
    },
  };
}

type AccountFormProps = {
  title: string;
  /** A sentence above the fields. */
  intro?: ReactNode;
  submit: string;
  submitting: string;
  isBusy: boolean;
  error: string | null;
  onSubmit: () => void;
  /** Text boxes. */
  children: ReactNode;
  /** Links and buttons below. */
  after: ReactNode;
};

/** A touch screen, whose keyboard would cover half of it. */
const TYPES_ON_GLASS = '(pointer: coarse)';

/** Focuses the first field, unless another control has the focus or the screen is a touch screen. */
function useFirstBox() {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    const { activeElement } = document;
    const isFree = activeElement === null || activeElement.matches('body, a, button, main');
    if (isFree && !window.matchMedia(TYPES_ON_GLASS).matches) form.current?.querySelector('input')?.focus();
  }, []);
  return form;
}

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

const VisitorScanner = late(() =>
  import('#web/shared/VisitorScanner.tsx').then((code) => code.VisitorScanner),
);

/** A form with the visitors' scanner at its side, or below it on a narrow screen. The form never moves. */
export const VisitorPage = ({ children }: { children: ReactNode }) => (
  <div className="visitor-page">
    {children}
    {appInfo.value?.visitorScanner && <VisitorScanner />}
  </div>
);
