import type { ReactNode } from 'react';
import './Disclosure.css';

type DisclosureProps = { label: string; children: ReactNode; onToggle?: (isOpen: boolean) => void };

/** What is out of sight until its line is clicked. */
export function Disclosure({ label, children, onToggle }: DisclosureProps): ReactNode {
  return (
    <details className="disclosure" onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
