import type { UpdatePhase } from '../../../../platform/install/shared/updateState.ts';
import { isRecord } from '../../../../lib/json.ts';
import {
  readBoolean,
  readChoice,
  readCount,
  readList,
  readRecord,
  readText,
  readTime,
} from '../../../../lib/read.ts';
import { readAnswer } from '../../../../../web/api/client.ts';

type ProgramVersion = { version: string | null; commit: string | null };

export type UpdateStep = {
  name: string;
  /** Epoch ms by the server's clock; null where it is not known. */
  startedAt: number | null;
  /** Null while it runs. */
  endedAt: number | null;
  outcome: 'running' | 'done' | 'failed';
  detail: string | null;
};

export type Update = {
  id: string;
  by: string | null;
  from: ProgramVersion;
  to: ProgramVersion | null;
  phase: UpdatePhase;
  steps: UpdateStep[];
  failure: string | null;
  logTail: string[];
};

/** What an update would bring. */
export type Offer = {
  isNew: boolean;
  version: string | null;
  commit: string | null;
  commits: { commit: string; subject: string; at: number | null }[];
  count: number;
  notes: string | null;
  /** That it was tried here and taken back: when, epoch ms, and why. */
  takenBack: { at: number | null; reason: string | null } | null;
};

export type UpdateInfo = {
  installation: 'checkout' | 'release' | 'none';
  /** Why it can't be updated from here; null when it can. */
  noUpdate: string | null;
  running: ProgramVersion;
  /** The server's clock when it answered, epoch ms; null where it is not known. */
  now: number | null;
  update: Update | null;
  offer: Offer | null;
};

const PHASES: readonly UpdatePhase[] = [
  ...(['preparing', 'swapping', 'trial', 'rollingBack'] as const),
  ...(['healthy', 'rolledBack', 'failed'] as const),
];
const readPhase = readChoice(PHASES);
const readOutcome = readChoice<UpdateStep['outcome']>(['running', 'done', 'failed']);
const readInstallation = readChoice<UpdateInfo['installation']>(['checkout', 'release', 'none']);

function readVersion(value: unknown): ProgramVersion {
  const { version, commit } = readRecord(value);
  return { version: readText(version) || null, commit: readText(commit) || null };
}

function readStep(value: unknown): UpdateStep | null {
  const { name, startedAt, endedAt, outcome, detail } = readRecord(value);
  const title = readText(name);
  if (title === null) return null;
  return {
    name: title,
    startedAt: readTime(startedAt),
    endedAt: readTime(endedAt),
    outcome: readOutcome(outcome) ?? 'running',
    detail: readText(detail) || null,
  };
}

function readUpdate(value: unknown): Update | null {
  const record = readRecord(value);
  const phase = readPhase(record.phase);
  if (phase === null) return null;
  return {
    id: readText(record.id) ?? '',
    by: readText(record.by) || null,
    from: readVersion(record.from),
    to: record.to === null || record.to === undefined ? null : readVersion(record.to),
    phase,
    steps: readList(record.steps, readStep),
    failure: readText(record.failure) || null,
    logTail: readList(record.logTail, readText),
  };
}

function readCommit(value: unknown): Offer['commits'][number] | null {
  const { commit, subject, at } = readRecord(value);
  const name = readText(commit);
  return name === null ? null : { commit: name, subject: readText(subject) ?? '', at: readTime(at) };
}

/** What POST /admin/server/update/check answers. */
export function readOffer(body: unknown): Offer {
  const offer = readAnswer(body);
  const commits = readList(offer.commits, readCommit);
  return {
    isNew: readBoolean(offer.isNew) ?? commits.length > 0,
    version: readText(offer.version) || null,
    commit: readText(offer.commit) || null,
    commits,
    count: readCount(offer.count) ?? commits.length,
    notes: readText(offer.notes) || null,
    takenBack: isRecord(offer.takenBack)
      ? { at: readTime(offer.takenBack.at), reason: readText(offer.takenBack.reason) || null }
      : null,
  };
}

/** What GET /admin/server/update answers. */
export function readUpdateInfo(body: unknown): UpdateInfo {
  const info = readAnswer(body);
  return {
    installation: readInstallation(info.installation) ?? 'checkout',
    noUpdate: readText(info.noUpdate) || null,
    running: readVersion(info.running),
    now: readTime(info.now),
    update: readUpdate(info.update),
    offer: info.offer === null || info.offer === undefined ? null : readOffer(info.offer),
  };
}

/** Whether an update is not over. */
export const isUnderWay = (update: Update | null): boolean =>
  update !== null && ['preparing', 'swapping', 'trial', 'rollingBack'].includes(update.phase);
