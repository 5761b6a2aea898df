import type { ReactNode } from 'react';

type DisclosureProps = {
  label: string;
  children: ReactNode;
  /** Given where its state is kept; it keeps its own otherwise. */
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
};

/** What is out of sight until its line is clicked. */
export function Disclosure({ label, children, isOpen, onToggle }: DisclosureProps): ReactNode {
  return (
    <details className="disclosure" open={isOpen} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
