import type { ReactNode } from 'react';

type EmptyStateProps = {
  children: ReactNode;
  detail?: ReactNode;
  action?: ReactNode;
  /** True if nothing else is on the screen, so that the sentence is its heading. */
  isScreen?: boolean;
};

export function EmptyState({ children, detail, action, isScreen = false }: EmptyStateProps) {
  const Sentence = isScreen ? 'h1' : 'p';
  return (
    <div className="empty-state">
      <Sentence>{children}</Sentence>
      {detail !== undefined && <p className="muted">{detail}</p>}
      {action}
    </div>
  );
}
