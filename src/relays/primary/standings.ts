import { compareNames } from '#lib/unicode.ts';
import type { RelayStanding } from '#admin/relays/rules/relayState.ts';
import { alertStreams, marketStreams } from '../engine/openStreams.ts';
import type { RelayReport, RelayVersion } from '../engine/types.ts';
import type { Run } from './run.ts';

/** A relay as it told last, with its lag at the moment at which it told that. @param agoMs how long ago that was */
function standingOf(report: RelayReport, agoMs: number, run: Run | null, own: RelayVersion): RelayStanding {
  const { id, name, version, commit, protocol, pages, alertPages, bytes, startedAt, position } = report;
  const lag = run !== null && position?.run === run.id ? run.behind(position.number, agoMs) : null;
  return {
    id,
    name,
    version,
    pages,
    alertPages,
    bytes,
    isSameVersion: version === own.version && commit === own.commit,
    speaksProtocol: protocol === own.protocol,
    lagFrames: lag && lag.frames,
    lagMs: lag && lag.ms,
    since: startedAt,
  };
}

/** What the relays told last. */
export class Standings {
  #relays: RelayStanding[] = [];
  #reports: readonly RelayReport[] = [];

  /** @param own the primary's version */
  constructor(private readonly own: RelayVersion) {}

  /** By name. */
  relays(): RelayStanding[] {
    return this.#relays;
  }

  /** @param ages how long ago each told, ms, by its id */
  take(reports: readonly RelayReport[], ages: ReadonlyMap<string, number>, run: Run | null): void {
    this.#relays = reports
      .map((report) => standingOf(report, ages.get(report.id) ?? 0, run, this.own))
      .toSorted((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
    this.#reports = reports;
  }

  /** Streams of the market that relays have open: of an address as far as they tell of it, null for all. */
  streams(address: string | null): number {
    return marketStreams(this.#reports, address);
  }

  /** Their streams of alerts. */
  alertStreams(address: string | null): number {
    return alertStreams(this.#reports, address);
  }
}
