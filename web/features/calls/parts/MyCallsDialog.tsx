import { useState } from 'react';
import { closeError } from '../../../../src/domain/calls/callRules.ts';
import type { OwnCall } from '../../../../src/domain/calls/types.ts';
import { messageOf } from '../../../shared/api/client.ts';
import { Banner } from '../../../ui/Banner.tsx';
import { Button } from '../../../ui/Button.tsx';
import { DialogSheet } from '../../../ui/DialogSheet.tsx';
import { EmptyState } from '../../../ui/EmptyState.tsx';
import { SkeletonRows } from '../../../ui/SkeletonRows.tsx';
import { cancelCall, closeCall } from '../api.ts';
import { CALL_TEXTS, loadMine, mine, reloadAll } from '../state.ts';
import { MyCallRow } from './MyCallRow.tsx';

/** One's own calls: close with what was pocketed, or cancel. */
export function MyCallsDialog({ open, onClose }: { open: boolean; onClose(): void }) {
  const { data, error: loadError, isLoading } = mine.value;
  const [error, setError] = useState<string | null>(null);
  const [busyId, setBusyId] = useState<string | null>(null);

  /** @param act gives null, or the sentence that says why nothing was done */
  const run = async (call: OwnCall, act: () => Promise<string | null>, failed: string) => {
    setError(null);
    setBusyId(call.publicId);
    try {
      const conflict = await act();
      await reloadAll(true);
      setError(conflict);
    } catch (cause) {
      setError(messageOf(cause, failed));
    } finally {
      setBusyId(null);
    }
  };
  const close = (call: OwnCall, pocketed: number | null) => {
    const problem = closeError(pocketed);
    if (problem !== null || pocketed === null) return setError(problem);
    void run(call, () => closeCall(call.publicId, pocketed), CALL_TEXTS.closeFailed);
  };
  const cancel = (call: OwnCall) => void run(call, () => cancelCall(call.publicId), CALL_TEXTS.cancelFailed);

  return (
    <DialogSheet
      open={open}
      title="My Calls"
      width="wide"
      closeLabel="Dismiss"
      onClose={onClose}
      footer={
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      {error !== null && <Banner onDismiss={() => setError(null)}>{error}</Banner>}
      {loadError !== null && (
        <Banner action={<Button onClick={() => void loadMine()}>Retry</Button>}>{loadError}</Banner>
      )}
      {data === null && isLoading && <SkeletonRows rows={4} label="Loading your calls…" />}
      {data !== null && data.length === 0 && <EmptyState>You have not submitted any calls yet.</EmptyState>}
      {data !== null && data.length > 0 && (
        <table className="my-calls" aria-busy={isLoading}>
          <thead>
            <tr>
              <th scope="col">Symbol</th>
              <th scope="col">Status</th>
              <th scope="col" className="is-number">
                Entry
              </th>
              <th scope="col" className="is-number">
                Target
              </th>
              <th scope="col" className="is-number">
                Pocketed
              </th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {data.map((call) => (
              <MyCallRow
                key={call.publicId}
                call={call}
                isBusy={busyId === call.publicId}
                onClose={(pocketed) => close(call, pocketed)}
                onCancel={() => cancel(call)}
              />
            ))}
          </tbody>
        </table>
      )}
    </DialogSheet>
  );
}
