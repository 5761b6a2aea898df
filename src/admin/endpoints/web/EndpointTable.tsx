import { DASH, formatClock, formatNumber } from '../../../texts/format.ts';
import { RecordTable } from '../../web/parts/RecordTable.tsx';
import type { EndpointMetric } from './readMetrics.ts';
import './EndpointTable.css';

/** '850 ms', '12.4 s'. */
function durationText(ms: number | null): string {
  if (ms === null) return DASH;
  return ms < 1000 ? `${formatNumber(ms, 0)} ms` : `${formatNumber(ms / 1000, 1)} s`;
}

const NUMBERS = ['Count', 'Errors', 'Slowest', 'Last success'];
const HEADINGS = ['Method', 'Endpoint', ...NUMBERS];

/** Calls of a day by endpoint, the most frequent first. */
export const EndpointTable = ({ metrics }: { metrics: readonly EndpointMetric[] }) => (
  <RecordTable label="Calls to other servers" headings={HEADINGS} numbers={NUMBERS} isText>
    {metrics.map((metric) => (
      <EndpointRow key={`${metric.method} ${metric.endpoint}`} metric={metric} />
    ))}
  </RecordTable>
);

function EndpointRow({ metric }: { metric: EndpointMetric }) {
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
          <span className="endpoint-error"> {lastError}</span>
        )}
      </td>
      <td className="is-number" data-heading="Slowest" title={`${durationText(averageMs)} on average`}>
        {durationText(slowestMs)}
      </td>
      <td className="is-number" data-heading="Last success">
        {formatClock(lastSuccessAt)}
      </td>
    </tr>
  );
}
