import { useCallback, useState } from 'react';
import { formatDate, DASH, formatClock, formatNumber } from '#texts/format.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { EmptyState } from '#ui/EmptyState.tsx';
import { NativeSelect } from '#ui/Field.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { LoadedBody, SectionTools } from '#admin/web/parts/LoadedBody.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { readerOf, request } from '#web/api/client.ts';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { type DayOfCalls, type EndpointCallsOfDay, metricsAnswer } from '../answers/calls.ts';

function durationText(ms: number | null): string {
  if (ms === null) return DASH;
  return ms < 1000 ? `${formatNumber(ms, 0)} ms` : `${formatNumber(ms / 1000, 1)} s`;
}

const NUMBERS = ['Count', 'Errors', 'Slowest', 'Last success'];
const HEADINGS = ['Method', 'Endpoint', ...NUMBERS];

const EndpointTable = ({ metrics }: { metrics: readonly EndpointCallsOfDay[] }) => (
  <RecordTable label="Requests to other servers" headings={HEADINGS} numbers={NUMBERS} isText>
    {metrics.map((metric) => (
      <EndpointRow key={`${metric.method} ${metric.endpoint}`} metric={metric} />
    ))}
  </RecordTable>
);

function EndpointRow({ metric }: { metric: EndpointCallsOfDay }) {
  const { method, endpoint, count, errors, slowestMs, averageMs, lastSuccessAt, lastError } = metric;
  return (
    <tr>
      <td data-heading="Method">{method || DASH}</td>
      <th scope="row">{endpoint}</th>
      <td className="is-number" data-heading="Count">
        {formatNumber(count, 0)}
      </td>
      <td className="is-number" data-heading="Errors">
        {formatNumber(errors, 0)}
        {errors !== null && errors > 0 && lastError !== null && (
          <span className="warn-text"> {lastError}</span>
        )}
      </td>
      <td
        className="is-number"
        data-heading="Slowest"
        data-taken={slowestMs ?? undefined}
        title={`${durationText(averageMs)} on average`}
      >
        {durationText(slowestMs)}
      </td>
      <td className="is-number" data-heading="Last success" data-time={lastSuccessAt ?? undefined}>
        {formatClock(lastSuccessAt)}
      </td>
    </tr>
  );
}

/** @param date YYYY-MM-DD; null for today in Sydney */
const fetchMetrics = (date: string | null): Promise<DayOfCalls> =>
  request('GET /api/admin/external-metrics', {
    query: date === null ? {} : { date },
    read: readerOf(metricsAnswer),
  });

function daysOf(data: DayOfCalls | null, chosen: string | null): string[] {
  const shown = [data?.date ?? null, chosen].filter((day) => day !== null);
  return [...new Set([...(data?.days ?? []), ...shown])].sort().toReversed();
}

const LOADING = 'Loading requests to other servers…';

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

type DayProps = { day: DayOfCalls; chosen: string | null; isLoading: boolean };

function Day({ day: { metrics, date }, chosen, isLoading }: DayProps) {
  if (chosen !== null && date !== null && date !== chosen) {
    return isLoading ? <SkeletonRows rows={3} label={LOADING} /> : null;
  }
  const shown = date ?? chosen;
  if (metrics.length > 0) return <EndpointTable metrics={metrics} />;
  return (
    <EmptyState detail={shown === null ? undefined : formatDate(shown)}>
      No requests to other servers on this day.
    </EmptyState>
  );
}
