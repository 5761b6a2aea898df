import { type ReactNode, useMemo, useState } from 'react';
import { seenText } from '#subjects/alerts/rules/seenText.ts';
import { formatMoment } from '#subjects/calls/rules/callFormat.ts';
import { DASH } from '#texts/format.ts';
import { Banner } from '#ui/Banner.tsx';
import { Button } from '#ui/Button.tsx';
import { Disclosure } from '#ui/Disclosure.tsx';
import { SkeletonRows } from '#ui/SkeletonRows.tsx';
import { useLoaded } from '#web/shared/useLoaded.ts';
import { fetchTriggers } from '../api.ts';
import type { PastTrigger, SavedAlert } from '../savedAlert.ts';
import { type LinkedChat, linkedChats } from '#subjects/chats/web/shared/linkedChats.ts';
import { timeframeFor } from '#subjects/alerts/rules/trigger.ts';
import { alertLevels } from '#market/bars/rules/stockExtras.ts';
import { marketNow, meta } from '#web/live/market.ts';
import { dataWithin, FiringChart, useBarsOf } from './FiringChart.tsx';

type TriggerChartProps = {
  saved: SavedAlert;
  /** The newest first, at least one. */
  triggers: readonly PastTrigger[];
};

const DAY_MS = 86_400_000;

const momentOf = ({ marketTime, timestamp }: PastTrigger): number => Date.parse(marketTime ?? timestamp);

/** The values with which it fired; '' where nothing is known of them. */
const heldText = ({ seen }: PastTrigger): string =>
  seen
    .filter(({ holds }) => holds !== false)
    .map(seenText)
    .join(' · ');

/**
 * Where an alert fired on the prices that are shown, from a day before the first of these triggers; nothing where no bars of
 * then are known.
 */
function TriggerChart({ saved, triggers }: TriggerChartProps): ReactNode {
  const feed = meta.value?.feed?.name ?? null;
  const own = useMemo(
    () => triggers.filter(({ source }) => source === null || feed === null || source === feed),
    [triggers, feed],
  );
  return own.length === 0 ? null : <Chart saved={saved} triggers={own} />;
}

function Chart({ saved, triggers }: TriggerChartProps): ReactNode {
  const times = triggers.map(momentOf);
  const [first, last] = [Math.min(...times), Math.max(...times)];
  // The bars of a moment ago: another look at the same triggers draws the same.
  const to = useMemo(() => Math.max(last, marketNow()) + 1, [last]);
  const from = first - DAY_MS;
  const { answer, hasFailed } = useBarsOf(saved.symbol, timeframeFor(from, to), to);
  const { logic_json: logic } = saved;
  const data = useMemo(
    () =>
      answer &&
      dataWithin(answer, from, to, {
        levels: logic === null ? [] : alertLevels([logic]),
        marks: triggers.map((trigger) => ({
          kind: 'trigger',
          time: momentOf(trigger),
          text: heldText(trigger) || 'Fired',
        })),
      }),
    [answer, from, to, logic, triggers],
  );
  const label = `${saved.symbol}, where the alert fired`;
  const isWaiting = answer === null && !hasFailed;
  return (
    <FiringChart symbol={saved.symbol} label={label} data={hasFailed ? null : data} isWaiting={isWaiting} />
  );
}

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
  const { id, last_triggered_at: lastTriggeredAt } = saved;
  const {
    data: triggers,
    error,
    reload,
  } = useLoaded(() => fetchTriggers(id), 'The history could not be loaded.', {
    of: id,
    again: lastTriggeredAt,
  });
  if (error !== null) {
    return (
      <Banner action={<Button onClick={() => void reload()}>Retry</Button>}>
        The history could not be loaded.
      </Banner>
    );
  }
  if (triggers === null) return <SkeletonRows rows={2} label="Loading the history…" />;
  if (triggers.length === 0) return <p className="muted">This alert has not fired yet.</p>;
  return (
    <>
      <TriggerChart saved={saved} triggers={triggers} />
      <TriggerTable triggers={triggers} destinations={saved.destinations} />
    </>
  );
}

type TriggerTableProps = Pick<SavedAlert, 'destinations'> & { triggers: readonly PastTrigger[] };

function TriggerTable({ triggers, destinations }: TriggerTableProps): ReactNode {
  return (
    <table className="trigger-table data-table full-width">
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
              {deliveryText(
                trigger,
                linkedChats.value?.filter(({ platform }) => destinations[platform]) ?? [],
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const seenLine = (trigger: PastTrigger): string =>
  [heldText(trigger) || DASH, trigger.guard, trigger.deactivated ? 'then switched off' : null]
    .filter((part) => part !== null)
    .join(' · ');

/**
 * What became of a trigger's messages, and why they did not arrive where a chat says so.
 * @param linked the chats of the platforms that the alert goes to
 */
function deliveryText({ silent, delivery }: PastTrigger, linked: readonly LinkedChat[]): string {
  if (silent) return 'No: it was snoozed';
  if (delivery === null) return 'No chat or device to send to';
  if (delivery === 'sent') return 'Yes';
  if (delivery === 'waiting') return 'On its way';
  const reason = linked.find(({ broken }) => broken !== null)?.broken;
  return reason ? `No: ${reason}` : 'No';
}
