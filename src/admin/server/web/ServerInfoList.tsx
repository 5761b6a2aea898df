import { DASH, formatMinutes } from '../../../texts/format.ts';
import { FactList } from '../../web/parts/FactList.tsx';
import type { ServerInfo } from '../../web/parts/readServerInfo.ts';

/** '45 s', '12 min', '1 h 05 min', '3 days 4 h 05 min'. @param seconds a dash when it is null */
function uptimeText(seconds: number | null): string {
  if (seconds === null) return DASH;
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  const days = Math.floor(minutes / 1440);
  const rest = formatMinutes(minutes % 1440);
  if (days === 0) return rest;
  return `${days} ${days === 1 ? 'day' : 'days'} ${rest}`;
}

/** What the running server tells of itself. */
export function ServerInfoList({ info }: { info: ServerInfo }) {
  const { pid, node, branch, commit, uptimeSec, version } = info;
  const lines: readonly (readonly [name: string, value: string])[] = [
    ['PID', pid === null ? DASH : String(pid)],
    ['Node', node ?? DASH],
    ['Branch', branch ?? DASH],
    ['Commit', commit?.slice(0, 12) ?? DASH],
    ['Uptime', uptimeText(uptimeSec)],
    ['Version', version ?? DASH],
  ];
  return (
    <>
      <FactList facts={lines} />
      {info.onTrial && <p role="status">This version is on trial after an update.</p>}
    </>
  );
}
