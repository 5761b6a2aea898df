import { type ReactNode, useState } from 'react';
import { ErrorBoundary } from '../../../shared/ErrorBoundary.tsx';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import './AdminSection.css';

type AdminSectionProps = { id: string; title: string; children: ReactNode };

/** A section of the Admin Panel. What breaks in it leaves the others as they are. */
export function AdminSection({ id, title, children }: AdminSectionProps) {
  const [attempt, setAttempt] = useState(0);
  const retry = <Button onClick={() => setAttempt((count) => count + 1)}>Retry</Button>;
  return (
    <section className="panel admin-section" id={`admin-${id}`} aria-labelledby={`admin-${id}-title`}>
      <h2 id={`admin-${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      <ErrorBoundary
        resetKey={String(attempt)}
        fallback={() => <Banner action={retry}>This section failed to show.</Banner>}
      >
        {children}
      </ErrorBoundary>
    </section>
  );
}
