import type { UpgradeRequest } from './DeclineDialog.tsx';
import { useRef, useState } from 'react';
import { LoadedBody } from '#admin/web/parts/LoadedBody.tsx';
import { RecordTable } from '#admin/web/parts/RecordTable.tsx';
import { type AdminActionKind, asAdminAction, useAdminActions } from '#admin/web/parts/adminActions.ts';
import type { Refusal } from '#lib/result.ts';
import { sydneyDate } from '#lib/sydneyTime.ts';
import { requestsAnswer } from '#subjects/accounts/answers/account.ts';
import { PLAN_NAMES } from '#subjects/accounts/rules/upgrade.ts';
import { ADMIN_MESSAGES } from '#texts/adminMessages.ts';
import { formatShortDate } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { EmptyState } from '#ui/EmptyState.tsx';
import { focusNeighbour } from '#ui/focusNeighbour.ts';
import { readerOf, request } from '#web/api/client.ts';
import { whyNotDone } from '#web/api/done.ts';
import { serverNow } from '#web/live/market.ts';
import { type Loaded, useLoaded } from '#web/shared/useLoaded.ts';
import { late } from '#web/shared/lateStyles.ts';

/** @throws ApiError with the sentence to show */
async function fetchRequests(): Promise<UpgradeRequest[]> {
  return (await request('GET /api/admin/upgrade-requests', { read: readerOf(requestsAnswer) })).requests;
}

const shownOf = ({ id, requestedSubscriptionType }: UpgradeRequest) => ({
  userId: id,
  requestedSubscriptionType,
});

/** @returns why the plan was not granted, or null on success */
const approveRequest = (asked: UpgradeRequest): Promise<Refusal | null> =>
  whyNotDone(
    asAdminAction(request('POST /api/admin/approve-upgrade', { body: shownOf(asked) }), 'plans'),
    ADMIN_MESSAGES.saveChanges,
  );

/** @param reason shown to the user @returns why the request was not declined, or null on success */
const declineRequest = (asked: UpgradeRequest, reason: string): Promise<Refusal | null> =>
  whyNotDone(
    asAdminAction(
      request('POST /api/admin/decline-upgrade', { body: { ...shownOf(asked), reason } }),
      'plans',
    ),
    ADMIN_MESSAGES.saveChanges,
  );

const DeclineDialog = late(() => import('./DeclineDialog.tsx').then((code) => code.DeclineDialog));

/** Reloads after edits of users, which can set or clear a request. */
const USERS: readonly AdminActionKind[] = ['users'];

const HEADINGS = ['ID', 'Username', 'Requested', 'Actions'];

function useDecisions(loaded: Loaded<readonly UpgradeRequest[]>) {
  const [feedback, setFeedback] = useState<{ isGood: boolean; message: string } | null>(null);
  const [declining, setDeclining] = useState<UpgradeRequest | null>(null);
  const [isBusy, setBusy] = useState(false);
  const box = useRef<HTMLDivElement>(null);

  const decide = async (request: UpgradeRequest, work: Promise<Refusal | null>, done: string) => {
    const index = loaded.data?.indexOf(request) ?? 0;
    setBusy(true);
    const refusal = await work;
    // Reloads after a refusal too, because another administrator may have decided.
    await loaded.reload();
    setBusy(false);
    const isGood = refusal === null;
    setFeedback({ isGood, message: isGood ? `${done} ${request.username}.` : refusal.message });
    setTimeout(() => {
      const approves = box.current?.querySelectorAll<HTMLElement>('[data-approve]') ?? [];
      focusNeighbour(approves, index, document.getElementById('admin-upgrade-requests-title'));
    }, 0);
  };
  const approve = (request: UpgradeRequest) => {
    const plan = PLAN_NAMES[request.requestedSubscriptionType];
    void decide(request, approveRequest(request), `Approved ${plan} for`);
  };
  const decline = async (request: UpgradeRequest, reason: string): Promise<Refusal | null> => {
    const refusal = await declineRequest(request, reason);
    if (refusal?.field === 'reason') return refusal;
    setDeclining(null);
    await decide(request, Promise.resolve(refusal), 'Declined the request from');
    return null;
  };
  return { feedback, setFeedback, declining, setDeclining, isBusy, box, approve, decline };
}

export function UpgradeRequests() {
  const loaded = useLoaded(fetchRequests, ADMIN_MESSAGES.load);
  useAdminActions(USERS, loaded.reload);
  const decisions = useDecisions(loaded);
  const { feedback, setFeedback, declining, setDeclining, decline } = decisions;
  return (
    <>
      {feedback && (
        <Banner variant={feedback.isGood ? 'info' : 'error'} onDismiss={() => setFeedback(null)}>
          {feedback.message}
        </Banner>
      )}
      <LoadedBody loaded={loaded} label={ADMIN_MESSAGES.loadingUpgradeRequests}>
        {(requests) => <RequestTable requests={requests} decisions={decisions} />}
      </LoadedBody>
      {declining && (
        <DeclineDialog
          request={declining}
          onClose={() => setDeclining(null)}
          onDecline={(reason) => decline(declining, reason)}
        />
      )}
    </>
  );
}

type RequestTableProps = {
  requests: readonly UpgradeRequest[];
  decisions: ReturnType<typeof useDecisions>;
};

function RequestTable({ requests, decisions }: RequestTableProps) {
  const { isBusy, box, approve, setDeclining } = decisions;
  if (requests.length === 0) return <EmptyState>{ADMIN_MESSAGES.noUpgradeRequests}</EmptyState>;
  return (
    <RecordTable ref={box} label="Pending upgrade requests" headings={HEADINGS} isBusy={isBusy}>
      {requests.map((request) => (
        <RequestRow
          key={request.id}
          request={request}
          isBusy={isBusy}
          onApprove={() => approve(request)}
          onDecline={() => setDeclining(request)}
        />
      ))}
    </RecordTable>
  );
}

type RequestRowProps = { request: UpgradeRequest; isBusy: boolean; onApprove(): void; onDecline(): void };

function RequestRow({ request, isBusy, onApprove, onDecline }: RequestRowProps) {
  const { id, username, requestedSubscriptionType, requestedAt } = request;
  const date = requestedAt === null ? null : sydneyDate(Date.parse(requestedAt));
  return (
    <tr>
      <td data-heading="ID">{id}</td>
      <th scope="row">{username}</th>
      <td data-heading="Requested">
        {PLAN_NAMES[requestedSubscriptionType]}
        {date !== null && <span className="muted"> · {formatShortDate(date, sydneyDate(serverNow()))}</span>}
      </td>
      <td className="row-actions">
        <Button data-approve disabled={isBusy} aria-label={`Approve ${username}`} onClick={onApprove}>
          Approve
        </Button>
        <Button variant="danger" disabled={isBusy} aria-label={`Decline ${username}`} onClick={onDecline}>
          Decline
        </Button>
      </td>
    </tr>
  );
}
