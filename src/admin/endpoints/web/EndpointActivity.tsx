import { useCallback, useState } from 'react';
import { formatDate } from '../../../texts/format.ts';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { NativeSelect } from '../../../../web/ui/NativeSelect.tsx';
import { SkeletonRows } from '../../../../web/ui/SkeletonRows.tsx';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { SectionTools } from '../../web/parts/SectionTools.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { fetchMetrics } from './api.ts';
import { EndpointTable } from './EndpointTable.tsx';
import type { DayOfMetrics } from './readMetrics.ts';

/** Days that can be chosen, newest first: those of which there is something, and the one that is shown. */
function daysOf(data: DayOfMetrics | null, chosen: string | null): string[] {
  const shown = [data?.date ?? null, chosen].filter((day) => day !== null);
  return [...new Set([...(data?.days ?? []), ...shown])].sort().toReversed();
}

const LOADING = 'Loading calls to other servers…';

/** Calls to other servers, by day. */
export function EndpointActivity() {
  const [chosen, setChosen] = useState<string | null>(null);
  const load = useCallback(() => fetchMetrics(chosen), [chosen]);
  const loaded = useLoaded(load, ADMIN_MESSAGES.loadMetrics);
  const { data, isLoading, reload } = loaded;
  const days = daysOf(data, chosen);
  return (
    <>
      <SectionTools isLoading={isLoading} onRefresh={() => void reload()}>
        <NativeSelect
          label="Day"
          value={chosen ?? data?.date ?? ''}
          options={days.map((day) => ({ id: day, label: formatDate(day) }))}
          disabled={days.length === 0}
          onChoose={setChosen}
        />
      </SectionTools>
      <LoadedBody loaded={loaded} label={LOADING}>
        {(day) => <Day day={day} chosen={chosen} isLoading={isLoading} />}
      </LoadedBody>
    </>
  );
}

type DayProps = { day: DayOfMetrics; chosen: string | null; isLoading: boolean };

function Day({ day: { metrics, date }, chosen, isLoading }: DayProps) {
  // What is there is of another day.
  if (chosen !== null && date !== null && date !== chosen) {
    return isLoading ? <SkeletonRows rows={3} label={LOADING} /> : null;
  }
  const shown = date ?? chosen;
  if (metrics.length > 0) return <EndpointTable metrics={metrics} />;
  return (
    <EmptyState detail={shown === null ? undefined : formatDate(shown)}>
      No calls to other servers on this day.
    </EmptyState>
  );
}
