import type { ReactNode } from 'react';

type DisclosureProps = {
  label: string;
  children: ReactNode;
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
};

export function Disclosure({ label, children, isOpen, onToggle }: DisclosureProps): ReactNode {
  return (
    <details className="disclosure" open={isOpen} onToggle={(event) => onToggle?.(event.currentTarget.open)}>
      <summary>{label}</summary>
      {children}
    </details>
  );
}
