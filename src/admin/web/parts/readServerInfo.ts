import { readBoolean, readCount, readNumber, readRecord, readText } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

/** The running server as the panel shows it; null is what it did not tell. */
export type ServerInfo = {
  pid: number | null;
  node: string | null;
  branch: string | null;
  commit: string | null;
  uptimeSec: number | null;
  version: string | null;
  startedAt: number | null;
  /** Why it can't be restarted from here; null when it can. */
  noRestart: string | null;
  onTrial: boolean;
};

export function readServerInfo(body: unknown): ServerInfo {
  const info = readAnswer(body);
  return {
    pid: readCount(info.pid),
    node: readText(info.node) || null,
    branch: readText(info.branch) || null,
    commit: readText(info.commit) || null,
    uptimeSec: readNumber(info.uptimeSec),
    version: readText(info.version) || null,
    startedAt: readNumber(info.startedAt),
    noRestart: readText(info.noRestart) || null,
    onTrial: readBoolean(info.onTrial) ?? false,
  };
}

/** Which process answers; null is what it did not tell. */
export type Health = Pick<ServerInfo, 'pid' | 'commit' | 'startedAt' | 'uptimeSec'> & {
  /** When it was asked, by `performance.now()`. */
  askedAt: number;
};

/** @returns null when it is no server of ours that answers, or one that says that it is not well */
export function readHealth(body: unknown, askedAt: number): Health | null {
  const { ok, pid, commit, startedAt, uptimeSec } = readRecord(body);
  if (ok !== true) return null;
  return {
    ...{ pid: readCount(pid), commit: readText(commit) || null },
    ...{ startedAt: readNumber(startedAt), uptimeSec: readNumber(uptimeSec), askedAt },
  };
}

/** An uptime may be behind by so much, s: it is told in whole seconds, and an answer has its way. */
const UPTIME_TOLERANCE = 2;

function hasShorterUptime(before: Health, now: Health): boolean {
  if (before.uptimeSec === null || now.uptimeSec === null) return false;
  const expected = before.uptimeSec + (now.askedAt - before.askedAt) / 1000;
  return now.uptimeSec < expected - UPTIME_TOLERANCE;
}

/**
 * Whether another process answers than before. Any of it tells: in a container every process has the same pid, and a
 * restart keeps the commit.
 */
export const isOther = (before: Health, now: Health): boolean =>
  hasShorterUptime(before, now) ||
  (['pid', 'commit', 'startedAt'] as const).some(
    (member) => now[member] !== null && before[member] !== null && now[member] !== before[member],
  );

/** Whether an answer says nothing by which processes can be told apart. */
export const isAnonymous = ({ pid, commit, startedAt, uptimeSec }: Health): boolean =>
  pid === null && commit === null && startedAt === null && uptimeSec === null;
