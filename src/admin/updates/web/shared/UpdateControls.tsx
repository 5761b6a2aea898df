import { useEffect, useRef, useState } from 'react';
import {
  isUnderWay,
  type Offer,
  offerAnswer,
  type Update,
  updateAnswer,
  type UpdateInfo,
  type UpdateStep,
} from '#admin/updates/answers/update.ts';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import {
  askProcess,
  type Health,
  POLL_MS,
  type ServerReturn,
  ServerReturnLine,
  useServerReturn,
} from '#admin/web/parts/ServerReturn.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { readBoolean } from '#lib/read.ts';
import { twoDigits } from '#lib/text.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { DASH } from '#texts/format.ts';
import { formatMoment } from '#texts/moment.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { ConfirmDialog } from '#ui/ConfirmDialog.tsx';
import { messageOf, NETWORK_ERROR, readAnswer, readerOf, readRefusal, request } from '#web/api/client.ts';
import { type Loaded, useLoaded, useReloads } from '#web/shared/useLoaded.ts';

type Requested = { kind: 'started' } | { kind: 'nothingNew' } | { kind: 'refused'; sentence: string };

/** @throws ApiError if the server refuses or is unreachable */
async function requestUpdate(): Promise<Requested> {
  const body = await asAdminAction(
    request('POST /api/admin/server/update-and-restart', { read: readAnswer }),
  );
  const refusal = readRefusal(body, ADMIN_MESSAGES.update);
  if (refusal !== null) return { kind: 'refused', sentence: refusal.message };
  if (readBoolean(body.updated) === true || readBoolean(body.restarting) === true) return { kind: 'started' };
  // The server sends a null id if there is nothing new; any other form does not confirm it.
  if (body.id === null) return { kind: 'nothingNew' };
  return { kind: 'refused', sentence: ADMIN_MESSAGES.updateUnconfirmed };
}

const loadUpdate = (): Promise<UpdateInfo> =>
  request('GET /api/admin/server/update', { read: readerOf(updateAnswer) });

const UP_TO_DATE = 'This is the newest version.';

type UpdateControl = {
  loaded: Loaded<UpdateInfo>;
  message: { variant: 'error' | 'info'; text: string } | null;
  dismiss(): void;
  busy: 'checking' | 'starting' | null;
  server: ServerReturn;
  check(): Promise<void>;
  update(): Promise<void>;
};

/**
 * Polls the steps of an update, also across its restarts: to the new version, and back on a roll-back.
 * @param before the process before the update; null if unknown
 */
function useSteps(
  { data, reload, error }: Loaded<UpdateInfo>,
  isAsked: boolean,
  before: { current: Health | null },
): ServerReturn {
  const server = useServerReturn();
  const { waitForNext, progress, next } = server;
  const isActive = isAsked || isUnderWay(data?.update ?? null);
  useReloads(isActive, reload, POLL_MS);
  useEffect(() => {
    // The page was opened during an update, so identify the current process.
    if (!isActive || before.current !== null) return;
    void askProcess().then((health) => {
      before.current ??= health;
    });
  }, [isActive, before]);

  const isAway = isActive && error === NETWORK_ERROR;
  useEffect(() => {
    const health = progress === 'back' ? next : before.current;
    if (isAway && health !== null && (progress === 'idle' || progress === 'back')) waitForNext(health);
  }, [isAway, progress, next, before, waitForNext]);
  useEffect(() => {
    if (progress === 'back') void reload();
  }, [progress, reload]);
  return server;
}

function useUpdate(): UpdateControl {
  const loaded = useLoaded(loadUpdate, ADMIN_MESSAGES.load);
  const [busy, setBusy] = useState<UpdateControl['busy']>(null);
  const [message, setMessage] = useState<UpdateControl['message']>(null);
  const health = useRef<Health | null>(null);
  const server = useSteps(loaded, busy === 'starting', health);
  const { data, reload, set } = loaded;

  const fail = (problem: unknown, fallback: string): void =>
    setMessage({ variant: 'error', text: messageOf(problem, fallback) });
  const check = async (): Promise<void> => {
    setBusy('checking');
    setMessage(null);
    try {
      const offer = await request('POST /api/admin/server/update/check', { read: readerOf(offerAnswer) });
      if (data) set({ ...data, offer });
      if (!offer.isNew) setMessage({ variant: 'info', text: UP_TO_DATE });
    } catch (problem) {
      fail(problem, ADMIN_MESSAGES.load);
    }
    setBusy(null);
  };
  const update = async (): Promise<void> => {
    setBusy('starting');
    setMessage(null);
    server.reset();
    health.current = await askProcess();
    try {
      const requested = await requestUpdate();
      if (requested.kind === 'refused') setMessage({ variant: 'error', text: requested.sentence });
      if (requested.kind === 'nothingNew') setMessage({ variant: 'info', text: UP_TO_DATE });
    } catch (problem) {
      fail(problem, ADMIN_MESSAGES.update);
    }
    await reload();
    setBusy(null);
  };
  return { loaded, message, dismiss: () => setMessage(null), busy, server, check, update };
}

const WORDS: Record<UpdateStep['outcome'], string> = { running: 'Running', done: 'Done', failed: 'Failed' };

function tookText(ms: number | null): string {
  if (ms === null) return DASH;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return `${(ms / 1000).toFixed(1)} s`;
  const rest = twoDigits(seconds % 60);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

const nameOf = ({ version, commit }: Update['from']): string =>
  [version, commit && `(${commit.slice(0, 8)})`].filter(Boolean).join(' ') || 'the new version';

/** The result of an update as a sentence; null while it runs. */
function outcomeOf({ phase, to, from, failure }: Update): { variant: 'info' | 'error'; text: string } | null {
  const reason = failure ?? 'The cause is unknown.';
  switch (phase) {
    case 'healthy':
      return { variant: 'info', text: `Updated to ${to ? nameOf(to) : 'the new version'}.` };
    case 'rolledBack':
      return { variant: 'error', text: `${reason} ${nameOf(from)} was restored and is running again.` };
    case 'failed':
      return { variant: 'error', text: `${reason} The running version is unchanged.` };
    default:
      return null;
  }
}

/** Shows the current update, otherwise the last one. */
function UpdateReport({ update, now }: { update: Update; now: number | null }) {
  const { by, steps, logTail } = update;
  const outcome = outcomeOf(update);
  const title = isUnderWay(update) ? 'Update in progress' : 'Last update';
  return (
    <section className="stack gap-2 min-w-0" aria-label={title}>
      <h4>
        {title}
        {by !== null && <span className="muted">, started by {by}</span>}
      </h4>
      <ol className="update-steps" aria-live="polite" aria-relevant="additions">
        {steps.map((step, index) => (
          // Steps are only added, so the index is a stable key; names may repeat.
          <StepLine key={index} step={step} now={now} />
        ))}
      </ol>
      {outcome !== null && <Banner variant={outcome.variant}>{outcome.text}</Banner>}
      {logTail.length > 0 && (
        <pre className="text-box" aria-label="Last lines of the update log" tabIndex={0}>
          {logTail.join('\n')}
        </pre>
      )}
    </section>
  );
}

/** @param now the server's clock in its last answer, to compute the duration of a running step */
function StepLine({ step, now }: { step: UpdateStep; now: number | null }) {
  const { name, outcome, startedAt, endedAt, detail } = step;
  const until = endedAt ?? now;
  // The server's clock may have been set during the step.
  const tookMs = startedAt === null || until === null ? null : Math.max(0, until - startedAt);
  return (
    <li>
      <span>{name}</span>
      <span className={outcome === 'failed' ? 'down' : 'muted'}>{WORDS[outcome]}</span>
      <span className="step-took">{tookText(tookMs)}</span>
      {/* A failure is shown below, with its details. */}
      {detail !== null && outcome !== 'failed' && (
        <span className="step-detail ellipsis muted small">{detail}</span>
      )}
    </li>
  );
}

const SHOWN = 20;

function UpdateOffer({ offer }: { offer: Offer }) {
  const { version, commit, commits, count, notes, takenBack } = offer;
  const shown = commits.slice(0, SHOWN);
  const more = Math.max(count, commits.length) - shown.length;
  const title = version ? `Version ${version}` : `Commit ${commit?.slice(0, 12) ?? 'unknown'}`;
  return (
    <section className="stack gap-2 break-words" aria-label="What is new">
      <p>
        <strong>{title}</strong> is available
        {count > 0 && `: ${count} new ${count === 1 ? 'commit' : 'commits'}`}.
      </p>
      {takenBack && (
        <Banner variant="warn">
          This version was rolled back
          {takenBack.at !== null && ` on ${formatMoment(takenBack.at)}`}
          {takenBack.reason ? `: ${takenBack.reason}` : '.'} It may fail the same way.
        </Banner>
      )}
      {shown.length > 0 && (
        <ul>
          {shown.map(({ commit: id, subject }) => (
            <li key={id}>
              <code>{id.slice(0, 8)}</code> {subject}
            </li>
          ))}
          {more > 0 && <li className="muted">and {more} more</li>}
        </ul>
      )}
      {notes !== null && <pre className="text-box">{notes}</pre>}
    </section>
  );
}

const KINDS: Record<UpdateInfo['installation'], string> = {
  checkout: 'Installed from a git checkout: updates are fetched and built on this machine.',
  release: 'Installed from a release: updates are downloaded and their signature is checked.',
  none: '',
};

type UpdateControlsProps = {
  /** Called when another process answers; must be stable. */
  onBack(): Promise<void>;
};

export function UpdateControls({ onBack }: UpdateControlsProps) {
  const control = useUpdate();
  const { loaded, message, dismiss, server } = control;
  const { progress } = server;
  const commit = loaded.data?.running.commit ?? null;
  const shownCommit = useRef(commit);
  useEffect(() => {
    // A quick restart may not be noticed; then the commit differs.
    const isOther = commit !== null && shownCommit.current !== null && commit !== shownCommit.current;
    shownCommit.current = commit ?? shownCommit.current;
    if (progress === 'back' || isOther) void onBack();
  }, [progress, commit, onBack]);
  // During a restart an error is expected.
  const shown = server.progress === 'waiting' ? { ...loaded, error: null } : loaded;
  return (
    <div className="stack gap-2 min-w-0">
      <h3>Updates</h3>
      <LoadedBody loaded={shown} label="Loading updates…" rows={2}>
        {(info) => (
          <>
            {info.noUpdate === null && <p className="muted">{KINDS[info.installation]}</p>}
            <UpdateButtons info={info} control={control} />
            {message !== null && (
              <Banner variant={message.variant} onDismiss={dismiss}>
                {message.text}
              </Banner>
            )}
            <ServerReturnLine server={server} />
            {info.offer?.isNew && !isUnderWay(info.update) && <UpdateOffer offer={info.offer} />}
            {info.update !== null && <UpdateReport update={info.update} now={info.now} />}
          </>
        )}
      </LoadedBody>
    </div>
  );
}

function UpdateButtons({ info, control }: { info: UpdateInfo; control: UpdateControl }) {
  const [isAsking, setAsking] = useState(false);
  const { busy, check, update } = control;
  const isBlocked = busy !== null || isUnderWay(info.update);
  const canUpdate = info.noUpdate === null;
  return (
    <>
      <div className="wrap">
        {canUpdate && (
          <Button disabled={isBlocked} onClick={() => void check()}>
            {busy === 'checking' ? 'Checking…' : 'Check for updates'}
          </Button>
        )}
        {/* If this server cannot update itself, its refusal explains why. */}
        <Button disabled={isBlocked} onClick={() => (canUpdate ? setAsking(true) : void update())}>
          Update and Restart
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        title="Update and restart the server?"
        action="Update and Restart"
        variant="primary"
        onConfirm={() => {
          setAsking(false);
          void update();
        }}
        onCancel={() => setAsking(false)}
      >
        <p>
          The new version is built and checked while this one runs. On a small machine this may take minutes.
          Then the server restarts: live prices and alerts pause for a few seconds. If the new version fails,
          this one is restored.
        </p>
      </ConfirmDialog>
    </>
  );
}
