import type { ReactNode } from 'react';
import { RetryBoundary } from '../../../../web/shared/RetryBoundary.tsx';
import './AdminSection.css';

type AdminSectionProps = { id: string; title: string; children: ReactNode };

/** A section of the Admin Panel. What breaks in it leaves the others as they are. */
export function AdminSection({ id, title, children }: AdminSectionProps) {
  return (
    <section className="panel admin-section" id={`admin-${id}`} aria-labelledby={`admin-${id}-title`}>
      <h2 id={`admin-${id}-title`} tabIndex={-1}>
        {title}
      </h2>
      <RetryBoundary sentence="This section could not be shown.">{children}</RetryBoundary>
    </section>
  );
}
