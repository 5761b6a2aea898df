import { useRef, useState } from 'react';
import { ADMIN_MESSAGES } from '../../../texts/adminMessages.ts';
import { messageOf } from '../../../../web/api/client.ts';
import { Banner } from '../../../../web/ui/Banner.tsx';
import { EmptyState } from '../../../../web/ui/EmptyState.tsx';
import { focusNeighbour } from '../../../../web/ui/focusNeighbour.ts';
import { LoadedBody } from '../../web/parts/LoadedBody.tsx';
import { RecordTable } from '../../web/parts/RecordTable.tsx';
import { useLoaded } from '../../../../web/shared/useLoaded.ts';
import { fetchQueue, setAdminStatus } from './api.ts';
import type { ReviewedCall } from './readQueue.ts';
import { ReviewRow } from './ReviewRow.tsx';

const HEADINGS = ['Symbol', 'Submitter', 'Status', 'Admin Status', 'Submitted', 'Pocketed', 'Actions'];

/** The queue after a decision: what is normal leaves it. */
const decided = (queue: readonly ReviewedCall[], publicId: string, adminStatus: 'normal' | 'rejected') =>
  adminStatus === 'normal'
    ? queue.filter((call) => call.publicId !== publicId)
    : queue.map((call) => (call.publicId === publicId ? { ...call, adminStatus } : call));

/** Calls that are not normal: those that wait for an administrator’s look, then those that were rejected. */
export function CallReview() {
  const loaded = useLoaded(fetchQueue, ADMIN_MESSAGES.loadModerationQueue);
  const [failure, setFailure] = useState<string | null>(null);
  const [busyId, setBusyId] = useState<string | null>(null);
  const box = useRef<HTMLDivElement>(null);

  const keepFocus = (index: number) => {
    const first = box.current?.closest('section')?.querySelector<HTMLElement>('h2');
    // After the row has changed on the page.
    setTimeout(
      () => focusNeighbour(box.current?.querySelectorAll<HTMLElement>('.mark-normal') ?? [], index, first),
      0,
    );
  };
  const decide = async ({ publicId }: ReviewedCall, adminStatus: 'normal' | 'rejected') => {
    if (busyId !== null) return;
    setBusyId(publicId);
    setFailure(null);
    try {
      await setAdminStatus(publicId, adminStatus);
      const queue = loaded.data ?? [];
      loaded.set(decided(queue, publicId, adminStatus));
      keepFocus(queue.findIndex((call) => call.publicId === publicId));
    } catch (problem) {
      setFailure(messageOf(problem, ADMIN_MESSAGES.updateAdminStatus));
    } finally {
      setBusyId(null);
    }
  };
  return (
    <>
      {failure !== null && <Banner onDismiss={() => setFailure(null)}>{failure}</Banner>}
      <LoadedBody loaded={loaded} label="Loading calls…">
        {(queue) =>
          queue.length === 0 ? (
            <EmptyState>{ADMIN_MESSAGES.noCallsToReview}</EmptyState>
          ) : (
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
          )
        }
      </LoadedBody>
    </>
  );
}
