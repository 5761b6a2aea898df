import { type ReactNode, useMemo, useState } from 'react';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { defaultEntries } from '#market/scanners/rules/columnEntry.ts';
import { settings } from '#web/shared/settings.ts';
import type { ColumnActions } from '#ui/table/columnActions.ts';
import { layoutError } from '../shared/columnSettings.ts';
import { Banner } from '#ui/Banner.tsx';
import { late } from '#web/shared/lateStyles.ts';

function LayoutError(): ReactNode {
  if (layoutError.value === null) return null;
  const dismiss = () => {
    layoutError.value = null;
  };
  return <Banner onDismiss={dismiss}>{layoutError.value}</Banner>;
}

const ColumnMenu = late(() => import('./ColumnMenu.tsx').then((code) => code.ColumnMenu));

/** Loads with the first change of a column. */
const loadEdits = () => import('../shared/columns/layouts.ts');

type OpenMenu = { id: string; heading: HTMLElement };

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
    // A scan's own columns are not part of the layout.
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
        <ColumnMenu scanner={scanner} {...menu} onConfigure={onConfigure} onClose={() => setMenu(null)} />
      )}
    </>
  );
  return { actions, parts };
}
