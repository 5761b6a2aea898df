import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { moveColumn, setLooks } from '../../../../src/domain/scanners/columnEditor.ts';
import { MAX_WIDTH, MIN_WIDTH } from '../../../../src/domain/scanners/columnLooks.ts';
import type { ScannerKey } from '../../../../src/domain/scanners/scanners.ts';
import {
  changeColumns,
  columnsOf,
  dismissLayoutError,
  layoutError,
} from '../../../shared/columns/layouts.ts';
import { settings } from '../../../shared/settings.ts';
import { Banner } from '../../../ui/Banner.tsx';
import type { ColumnActions } from '../../../ui/table/columnActions.ts';

const ColumnMenu = lazy(() => import('./ColumnMenu.tsx').then((code) => ({ default: code.ColumnMenu })));

type OpenMenu = { id: string; heading: HTMLElement };

const NAME = 'name';

/** Where a column went, in words: 'Match: before P. Close'. */
function moveText(scanner: ScannerKey, id: string, overId: string): string {
  const shown = columnsOf(scanner).filter(({ enabled }) => enabled);
  const [from, to] = [id, overId].map((one) => shown.findIndex((entry) => entry.id === one));
  if (from === undefined || to === undefined) return '';
  return `${shown[from]?.label}: ${from < to ? 'after' : 'before'} ${shown[to]?.label}`;
}

/**
 * What a scanner's header lets its user do with the columns of the layout, and what that shows: the menu of a heading,
 * why a change was not saved, and for a screen reader where a column went.
 */
export function useColumnActions(
  scanner: ScannerKey,
  onConfigure: () => void,
): { actions: ColumnActions | undefined; parts: ReactNode } {
  const [menu, setMenu] = useState<OpenMenu | null>(null);
  const [status, setStatus] = useState('');
  const layout = columnsOf(scanner);
  const hasSettings = settings.value !== null;
  const actions = useMemo((): ColumnActions | undefined => {
    if (!hasSettings) return undefined;
    // A scan's own columns are not of the layout: they stand behind it while the scan is chosen.
    const own = new Set(layout.map(({ id }) => id));
    return {
      canChange: (id) => own.has(id),
      canMove: (id) => own.has(id) && id !== NAME,
      resize: (id, width) => {
        const within = Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, width));
        changeColumns(scanner, (columns) => setLooks(columns, id, { width: within }));
      },
      move: (id, overId) => {
        setStatus(moveText(scanner, id, overId));
        changeColumns(scanner, (columns) => moveColumn(columns, id, overId));
      },
      openMenu: (id, heading) => setMenu({ id, heading }),
    };
  }, [scanner, layout, hasSettings]);
  const parts = (
    <>
      {layoutError.value !== null && <Banner onDismiss={dismissLayoutError}>{layoutError.value}</Banner>}
      <p className="visually-hidden" role="status">
        {status}
      </p>
      {menu && (
        <Suspense fallback={null}>
          <ColumnMenu scanner={scanner} {...menu} onConfigure={onConfigure} onClose={() => setMenu(null)} />
        </Suspense>
      )}
    </>
  );
  return { actions, parts };
}
