import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { seenText } from '../../../rules/seenText.ts';
import { formatMoment } from '../../../../calls/rules/callFormat.ts';
import { DASH } from '../../../../../texts/format.ts';
import { Banner } from '../../../../../../web/ui/Banner.tsx';
import { Button } from '../../../../../../web/ui/Button.tsx';
import { Disclosure } from '../../../../../../web/ui/Disclosure.tsx';
import { SkeletonRows } from '../../../../../../web/ui/SkeletonRows.tsx';
import { useOnReconnect } from '../../../../../../web/shared/useOnReconnect.ts';
import { fetchTriggers } from '../api.ts';
import { chats } from '../chats.ts';
import type { PastTrigger, SavedAlert } from '../readAlerts.ts';
import type { LinkedChat } from '../../../../chats/web/shared/linkedChats.ts';
import { TriggerChart } from './TriggerChart.tsx';
import './TriggerHistory.css';

type TriggerHistoryProps = { saved: SavedAlert };

/** The last times that an alert fired, with what it saw; loaded when it is opened, and after each trigger. */
export function TriggerHistory({ saved }: TriggerHistoryProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <Disclosure label="History" onToggle={setOpen}>
      {isOpen && <Triggers saved={saved} />}
    </Disclosure>
  );
}

function Triggers({ saved }: TriggerHistoryProps): ReactNode {
  const { id, destinations, last_triggered_at: lastTriggeredAt } = saved;
  const [triggers, setTriggers] = useState<readonly PastTrigger[] | null>(null);
  const [failure, setFailure] = useState<object | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    fetchTriggers(id).then(
      (loaded) => {
        if (!isWanted) return;
        setTriggers(loaded);
        setFailure(null);
      },
      (problem: unknown) => {
        console.warn('The history of an alert could not be loaded.', problem);
        if (isWanted) setFailure({});
      },
    );
    return () => {
      isWanted = false;
    };
  }, [id, lastTriggeredAt, attempt]);
  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  useOnReconnect(failure, retry);
  if (failure !== null) {
    return <Banner action={<Button onClick={retry}>Retry</Button>}>The history could not be loaded.</Banner>;
  }
  if (triggers === null) return <SkeletonRows rows={2} label="Loading the history…" />;
  if (triggers.length === 0) return <p className="muted">This alert has not fired yet.</p>;
  return (
    <>
      <TriggerChart saved={saved} triggers={triggers} />
      <TriggerTable triggers={triggers} destinations={destinations} />
    </>
  );
}

type TriggerTableProps = Pick<SavedAlert, 'destinations'> & { triggers: readonly PastTrigger[] };

function TriggerTable({ triggers, destinations }: TriggerTableProps): ReactNode {
  return (
    <table className="trigger-table">
      <thead>
        <tr>
          <th scope="col">Time (Sydney)</th>
          <th scope="col">Values it saw</th>
          <th scope="col">Delivered</th>
        </tr>
      </thead>
      <tbody>
        {triggers.map((trigger) => (
          <tr key={trigger.id}>
            <th scope="row">{formatMoment(trigger.marketTime ?? trigger.timestamp)}</th>
            <td>{seenLine(trigger)}</td>
            <td>
              {deliveryText(trigger, chats.value?.filter(({ platform }) => destinations[platform]) ?? [])}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function seenLine({ seen, deactivated }: PastTrigger): string {
  const held = seen.filter(({ holds }) => holds !== false).map(seenText);
  return `${held.join(' · ') || DASH}${deactivated ? ' · then switched off' : ''}`;
}

/**
 * What became of a trigger's messages, and why they did not arrive where a chat says so.
 * @param linked the chats of the platforms that the alert goes to
 */
function deliveryText({ silent, delivery }: PastTrigger, linked: readonly LinkedChat[]): string {
  if (silent) return 'No: it was snoozed';
  if (delivery === null) return 'No chat to send to';
  if (delivery === 'sent') return 'Yes';
  if (delivery === 'waiting') return 'On its way';
  const reason = linked.find(({ broken }) => broken !== null)?.broken;
  return reason ? `No: ${reason}` : 'No';
}
