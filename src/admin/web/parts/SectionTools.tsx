import type { ReactNode } from 'react';
import { Button } from '#ui/Button.tsx';

type SectionToolsProps = {
  /** What stands before the button: what is chosen, or how old it is. */
  children?: ReactNode;
  /** What the button says: 'Refresh' when left out. */
  label?: string;
  isLoading: boolean;
  onRefresh(): void;
};

/** The line above what a section loaded, at its end the way to load it again. It keeps the focus meanwhile. */
export const SectionTools = ({ children, label = 'Refresh', isLoading, onRefresh }: SectionToolsProps) => (
  <div className="section-tools row justify-between self-stretch">
    <div className="row gap-2-3 min-w-0">{children}</div>
    <Button aria-disabled={isLoading} onClick={() => !isLoading && onRefresh()}>
      {isLoading ? 'Refreshing…' : label}
    </Button>
  </div>
);
