import type { ReactNode } from 'react';
import type { ScannerKey } from '#subjects/scanners/rules/scanners.ts';
import { patchSettings, settings } from '#web/shared/settings.ts';
import { Banner } from '#ui/Banner.tsx';

/** Names the columns of a saved layout that do not exist any more, until it is dismissed. */
export function DroppedColumns({ tableKey }: { tableKey: ScannerKey }): ReactNode {
  const dropped = settings.value?.droppedColumns?.[tableKey] ?? [];
  if (dropped.length === 0) return null;
  const dismiss = () => {
    const { [tableKey]: _, ...others } = settings.peek()?.droppedColumns ?? {};
    patchSettings({ droppedColumns: others });
  };
  return (
    <Banner variant="warn" onDismiss={dismiss}>
      {dropped.length === 1
        ? 'A saved column was left out: '
        : `${dropped.length} saved columns were left out: `}
      {dropped.map(({ reason }) => reason).join(' ')}
    </Banner>
  );
}
