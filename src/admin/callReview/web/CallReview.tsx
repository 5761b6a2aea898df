import { capitalised } from '#lib/wording.ts';
import { useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { messageOf, readAnswer, request } from '#web/api/client.ts';
import { ZoneNote } from '#web/shared/ZoneNote.tsx';
import { Banner } from '#ui/Banner.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import type { AdminStatus, CallStatus } from '#subjects/calls/rules/types.ts';
import { requireDone } from '#web/api/done.ts';
import { recountWaiting } from '#admin/serverAlerts/web/shared/WaitingCount.tsx';
import { asAdminAction } from '#admin/web/parts/adminActions.ts';
import { formatMoment, DASH } from '#texts/format.ts';
import { formatStatus } from '#subjects/calls/rules/callFormat.ts';
import { formatPocketed } from '#subjects/calls/rules/pocketed.ts';
import { Button } from '#ui/Button.tsx';
import { Pill } from '#ui/Pill.tsx';
import { readChoice, readIsoTime, readList, readNumber, readRecord, readText } from '#lib/read.ts';

type ReviewedCall = {
  publicId: string;
  symbol: string;
  isShort: boolean;
  submitter: string;
  status: CallStatus | null;
  adminStatus: string;
  reviewReason: string | null;
  submittedAt: string | null;
  pocketedValue: number | null;
};

const readStatus = readChoice<CallStatus>(['pending', 'open', 'closed', 'cancelled']);

function readReviewed(value: unknown): ReviewedCall | null {
  const call = readRecord(value);
  const publicId = readText(call['publicId']);
  const adminStatus = readText(call['adminStatus'])?.trim().toLowerCase();
  // Without a status it is a public call, which is not in the queue.
  if (!publicId || !adminStatus || adminStatus === 'normal') return null;
  return {
    publicId,
    symbol: readText(call['symbol']) || DASH,
    isShort: call['isShort'] === true,
    submitter: readText(readRecord(call['submittedBy'])['display']) || DASH,
    status: readStatus(call['status']),
    adminStatus,
    reviewReason: readText(call['reviewReason']) || null,
    submittedAt: readIsoTime(call['submittedAt']),
    pocketedValue: readNumber(call['pocketedValue']),
  };
}

const isDecided = ({ adminStatus }: ReviewedCall): number => Number(adminStatus === 'rejected');

/** Reads the review queue from GET /calls/leaderboard (specification 7.7); undecided calls come first. */
const readQueue = (body: unknown): ReviewedCall[] =>
  readList(readAnswer(body)['calls'], readReviewed).sort((a, b) => isDecided(a) - isDecided(b));

type ReviewRowProps = {
  call: ReviewedCall;
  isBusy: boolean;
  onDecide(adminStatus: 'normal' | 'rejected'): void;
};

function ReviewRow({ call, isBusy, onDecide }: ReviewRowProps) {
  const { symbol, submitter, adminStatus, reviewReason } = call;
  const isRejected = adminStatus === 'rejected';
  const name = `${symbol} by ${submitter}`;
  return (
    <tr aria-busy={isBusy}>
      <th scope="row">{symbol}</th>
      <td data-heading="Submitter">{submitter}</td>
      <td data-heading="Status">
        {formatStatus(call.status)}
        {call.isShort && ', short'}
      </td>
      <td data-heading="Admin Status">
        <Pill variant={isRejected ? 'down' : 'warn'}>{capitalised(adminStatus)}</Pill>
        {reviewReason !== null && <p className="cell-note">{reviewReason}</p>}
      </td>
      <td data-heading="Submitted" data-time={call.submittedAt ?? undefined}>
        {formatMoment(call.submittedAt)}
      </td>
      <td data-heading="Pocketed" data-taken={call.pocketedValue ?? undefined}>
        {formatPocketed(call.pocketedValue)}
      </td>
      <td className="row-actions">
        <Button
          variant="danger"
          disabled={isRejected}
          aria-label={`Reject ${name}`}
          onClick={() => onDecide('rejected')}
        >
          Reject
        </Button>
        <Button className="mark-normal" aria-label={`Mark normal ${name}`} onClick={() => onDecide('normal')}>
          Mark normal
        </Button>
      </td>
    </tr>
  );
}

/** @throws ApiError with the server's sentence */
const fetchQueue = async (): Promise<ReviewedCall[]> =>
  readQueue(await request('GET /api/calls/leaderboard'));

/** @throws ApiError with the server's sentence, also for a refusal with a success status */
async function setAdminStatus(publicId: string, adminStatus: AdminStatus): Promise<void> {
  const body = await asAdminAction(
    request('POST /api/admin/calls/:publicId/admin-status', { params: { publicId }, body: { adminStatus } }),
  );
  requireDone(body, ADMIN_MESSAGES.updateAdminStatus);
}

const HEADINGS = ['Symbol', 'Submitter', 'Status', 'Admin Status', 'Submitted', 'Pocketed', 'Actions'];

const decided = (queue: readonly ReviewedCall[], publicId: string, adminStatus: 'normal' | 'rejected') =>
  adminStatus === 'normal'
    ? queue.filter((call) => call.publicId !== publicId)
    : queue.map((call) => (call.publicId === publicId ? { ...call, adminStatus } : call));

type Decision = 'normal' | 'rejected';

function useDecisions(loaded: Loaded<ReviewedCall[]>) {
  const [failure, setFailure] = useState<string | null>(null);
  const [busyId, setBusyId] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);

  const keepFocus = (index: number) => {
    const first = box.current?.closest('section')?.querySelector<HTMLElement>('h2');
    // Runs after the row was rendered.
    setTimeout(
      () => focusNeighbour(box.current?.querySelectorAll<HTMLElement>('.mark-normal') ?? [], index, first),
      0,
    );
  };
  const decide = async ({ publicId }: ReviewedCall, adminStatus: Decision) => {
    if (busyId !== null) return;
    setBusyId(publicId);
    setFailure(null);
    try {
      await setAdminStatus(publicId, adminStatus);
      recountWaiting();
      const queue = loaded.data ?? [];
      loaded.set(decided(queue, publicId, adminStatus));
      keepFocus(queue.findIndex((call) => call.publicId === publicId));
    } catch (problem) {
      setFailure(messageOf(problem, ADMIN_MESSAGES.updateAdminStatus));
    } finally {
      setBusyId(null);
    }
  };
  return { failure, dismiss: () => setFailure(null), busyId, box, decide };
}

export function CallReview() {
  const loaded = useLoaded(fetchQueue, ADMIN_MESSAGES.loadModerationQueue);
  const { failure, dismiss, busyId, box, decide } = useDecisions(loaded);
  return (
    <>
      {failure !== null && <Banner onDismiss={dismiss}>{failure}</Banner>}
      <LoadedBody loaded={loaded} label="Loading calls…">
        {(queue) =>
          queue.length === 0 ? (
            <EmptyState>{ADMIN_MESSAGES.noCallsToReview}</EmptyState>
          ) : (
            <>
              <ZoneNote />
              <RecordTable
                ref={box}
                label="Calls awaiting admin review"
                headings={HEADINGS}
                isBusy={busyId !== null}
              >
                {queue.map((call) => (
                  <ReviewRow
                    key={call.publicId}
                    call={call}
                    isBusy={busyId === call.publicId}
                    onDecide={(status) => void decide(call, status)}
                  />
                ))}
              </RecordTable>
            </>
          )
        }
      </LoadedBody>
    </>
  );
}
