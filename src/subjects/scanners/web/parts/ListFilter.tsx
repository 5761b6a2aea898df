import ListChecks from 'lucide-react/icons/list-checks';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { withStyles } from '#web/shared/lateStyles.ts';
import type { FilterBarProps } from './FilterBar.tsx';

const ListFilterMenu = lazy(() =>
  withStyles(import('./ListFilterMenu.tsx')).then((code) => ({ default: code.ListFilterMenu })),
);

/** Opens the choice of the lists that the scanner is filtered by. */
export function ListFilter({ filters, onChange }: Pick<FilterBarProps, 'filters' | 'onChange'>): ReactNode {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => {
    setAnchor(null);
    anchor?.focus({ preventScroll: true });
  };
  return (
    <>
      <button
        type="button"
        className="filter-toggle filter-lists"
        aria-label="Only my lists"
        title="Only my lists"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-pressed={filters.lists !== undefined}
        onClick={({ currentTarget }) => setAnchor(currentTarget)}
      >
        <ListChecks size={15} aria-hidden />
        <span>Only my lists</span>
      </button>
      {anchor && (
        <Suspense fallback={null}>
          <ListFilterMenu
            anchor={anchor}
            chosen={filters.lists}
            onChoose={(lists) => onChange({ ...filters, lists })}
            onClose={close}
          />
        </Suspense>
      )}
    </>
  );
}
