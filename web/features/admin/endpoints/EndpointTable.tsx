import { DASH, formatClock, formatNumber } from '../../../../src/domain/format.ts';
import type { EndpointMetric } from './readMetrics.ts';
import './EndpointTable.css';

/** '850 ms', '12.4 s'. */
function durationText(ms: number | null): string {
  if (ms === null) return DASH;
  return ms < 1000 ? `${formatNumber(ms, 0)} ms` : `${formatNumber(ms / 1000, 1)} s`;
}

/** Calls of a day by endpoint, the most frequent first. */
export const EndpointTable = ({ metrics }: { metrics: readonly EndpointMetric[] }) => (
  <table className="endpoint-table">
    <caption className="visually-hidden">Calls to other servers</caption>
    <thead>
      <tr>
        <th scope="col">Method</th>
        <th scope="col">Endpoint</th>
        <th scope="col" className="endpoint-table-number">
          Count
        </th>
        <th scope="col" className="endpoint-table-number">
          Errors
        </th>
        <th scope="col" className="endpoint-table-number">
          Slowest
        </th>
        <th scope="col" className="endpoint-table-number">
          Last success
        </th>
      </tr>
    </thead>
    <tbody>
      {metrics.map((metric) => (
        <EndpointRow key={`${metric.method} ${metric.endpoint}`} metric={metric} />
      ))}
    </tbody>
  </table>
);

function EndpointRow({ metric }: { metric: EndpointMetric }) {
  const { method, endpoint, count, errors, slowestMs, averageMs, lastSuccessAt, lastError } = metric;
  return (
    <tr>
      <td data-heading="Method">{method || DASH}</td>
      <th scope="row">{endpoint}</th>
      <td className="endpoint-table-number" data-heading="Count">
        {formatNumber(count, 0)}
      </td>
      <td className="endpoint-table-number" data-heading="Errors">
        {formatNumber(errors, 0)}
        {errors !== null && errors > 0 && lastError !== null && (
          <span className="endpoint-table-error"> {lastError}</span>
        )}
      </td>
      <td
        className="endpoint-table-number"
        data-heading="Slowest"
        title={`${durationText(averageMs)} on average`}
      >
        {durationText(slowestMs)}
      </td>
      <td className="endpoint-table-number" data-heading="Last success">
        {formatClock(lastSuccessAt)}
      </td>
    </tr>
  );
}
