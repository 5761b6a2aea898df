import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { defaultEntries } from '#market/scanners/rules/columnEntry.ts';
import { settings } from '#web/shared/settings.ts';
import type { ColumnActions } from '#ui/table/columnActions.ts';
import { withStyles } from '#web/shared/lateStyles.ts';
import { layoutError } from '../shared/columns/layoutError.ts';
import { Banner } from '#ui/Banner.tsx';

/** Says why the last change of the columns was taken back, until it is dismissed. */
function LayoutError(): ReactNode {
  if (layoutError.value === null) return null;
  const dismiss = () => {
    layoutError.value = null;
  };
  return <Banner onDismiss={dismiss}>{layoutError.value}</Banner>;
}

const ColumnMenu = lazy(() =>
  withStyles(import('./ColumnMenu.tsx')).then((code) => ({ default: code.ColumnMenu })),
);

/** Fetched when a column is changed for the first time. */
const loadEdits = () => import('./columnEdits.ts');

type OpenMenu = { id: string; heading: HTMLElement };

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
  const hasSettings = settings.value !== null;
  const saved = settings.value?.columnPreferences[scanner];
  const actions = useMemo((): ColumnActions | undefined => {
    if (!hasSettings) return undefined;
    // A scan's own columns are not of the layout: they stand behind it while the scan is chosen.
    const own = new Set((saved ?? defaultEntries(scanner)).map(({ id }) => id));
    return {
      canChange: (id) => own.has(id),
      canMove: (id) => own.has(id) && id !== 'name',
      resize: (id, width) => void loadEdits().then((edits) => edits.resizeColumnOf(scanner, id, width)),
      move: (id, overId) =>
        void loadEdits().then((edits) => setStatus(edits.placeColumn(scanner, id, overId))),
      openMenu: (id, heading) => setMenu({ id, heading }),
    };
  }, [scanner, saved, hasSettings]);
  const parts = (
    <>
      <LayoutError />
      <p className="visually-hidden" aria-live="polite">
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
