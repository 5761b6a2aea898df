import type { ReactNode } from 'react';

/** The one sentence that says why a form was refused; nothing stands there while it was not. */
export function FormError({ children }: { children: ReactNode }): ReactNode {
  return (
    <p className="field-error" role="alert">
      {children}
    </p>
  );
}
