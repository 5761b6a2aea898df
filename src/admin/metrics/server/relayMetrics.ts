import type { RelayState } from '#admin/relays/rules/relayState.ts';
import { each, type Metric, one, type Sample, seconds } from './metric.ts';

/** Values of the relays by name; those of one name are told as one, as a series may stand there once. */
function byRelay(
  relays: RelayState['relays'],
  value: (relay: RelayState['relays'][number]) => number | null,
  join: (one: number, other: number) => number,
): Sample[] {
  const values = new Map<string, number>();
  for (const relay of relays) {
    const own = value(relay);
    const others = values.get(relay.name);
    if (own !== null) values.set(relay.name, others === undefined ? own : join(others, own));
  }
  return each('relay', Object.fromEntries(values));
}

const added = (one: number, other: number): number => one + other;

/** Of the message engine and each relay; none where no engine is set. */
export function ofRelays(readings: { relays(): RelayState | null }): Metric[] {
  const state = readings.relays();
  if (state === null) return [];
  const { engine, isPublishing, frames, bytes, relays } = state;
  const ofEach = (name: string, help: string, samples: Sample[]): Metric => ({
    name,
    type: 'gauge',
    help,
    samples,
  });
  return [
    one('bellbird_engine_up', 'gauge', '1 while the message engine answers, else 0.', Number(engine.isUp)),
    one(
      'bellbird_engine_publishing',
      'gauge',
      '1 while relays are told of changes, else 0.',
      Number(isPublishing),
    ),
    one('bellbird_engine_frames_total', 'counter', 'Frames published since the start.', frames),
    one('bellbird_engine_bytes_total', 'counter', 'Bytes published since the start.', bytes),
    one('bellbird_relays', 'gauge', 'Relays that are connected.', relays.length),
    ofEach(
      'bellbird_relay_pages',
      'Open streams of the market.',
      byRelay(relays, ({ pages }) => pages, added),
    ),
    ofEach(
      'bellbird_relay_alert_pages',
      'Open streams of alerts.',
      byRelay(relays, ({ alertPages }) => alertPages, added),
    ),
    ofEach(
      'bellbird_relay_lag_seconds',
      'Age of the oldest frame that a relay has not given yet.',
      byRelay(relays, ({ lagMs }) => (lagMs === null ? null : seconds(lagMs)), Math.max),
    ),
  ];
}
