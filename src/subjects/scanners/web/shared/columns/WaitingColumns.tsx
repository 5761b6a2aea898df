import type { ReactNode } from 'react';
import type { ScannerKey } from '#market/scanners/rules/scanners.ts';
import { Banner } from '#ui/Banner.tsx';
import { settings } from '#web/shared/settings.ts';

const MAX_NAMED = 4;

/** Names the columns without values, and why the server does not compute them. */
export function WaitingColumns({ tableKey }: { tableKey: ScannerKey }): ReactNode {
  const waiting = settings.value?.waitingColumns[tableKey] ?? [];
  const [first] = waiting;
  if (!first) return null;
  const named = waiting.slice(0, MAX_NAMED).map(({ label }) => label);
  const more = waiting.length - named.length;
  return (
    <Banner variant="warn">
      {waiting.length === 1
        ? 'A column is waiting for values: '
        : `${waiting.length} columns are waiting for values: `}
      {named.join(', ')}
      {more > 0 && ` and ${more} more`}. {first.reason}
    </Banner>
  );
}
