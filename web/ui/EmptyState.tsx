import type { ReactNode } from 'react';

type EmptyStateProps = { children: ReactNode; detail?: ReactNode; action?: ReactNode };

export function EmptyState({ children, detail, action }: EmptyStateProps) {
  return (
    <div className="empty-state">
      <p>{children}</p>
      {detail !== undefined && <p className="muted">{detail}</p>}
      {action}
    </div>
  );
}
