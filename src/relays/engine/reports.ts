import { readMembers } from '#lib/read.ts';
import type { Connection } from './connection.ts';
import { decodeReport, decodeStreams, encodeReport, encodeStreams } from './keptForms.ts';
import { PRIMARY_STREAMS_KEY, REPORT_PATTERN, reportId, reportKey } from './keys.ts';
import type { OpenStreams, RelayReport } from './types.ts';
import type { Vault } from './vault.ts';

/** How long a report stands that is not renewed, ms. */
const REPORT_MS = 10_000;
/** Most relays that are listed. */
const MAX_REPORTS = 500;
/** Keys that the engine looks at in one round, and most rounds: others may keep things in it too. */
const ROUND_KEYS = '1000';
const MAX_ROUNDS = 1000;

const STREAMS_PLACE = 'streams';
const placeOf = (id: string): string => `report ${id}`;

/** What the relays tell of themselves, and the primary of its own streams. */
export class Reports {
  constructor(
    private readonly connection: Connection,
    private readonly vault: Vault,
  ) {}

  async keep(report: RelayReport): Promise<void> {
    const sealed = this.vault.close(placeOf(report.id), encodeReport(report));
    await this.connection.ask('SET', [reportKey(report.id), sealed, 'PX', String(REPORT_MS)]);
  }

  async drop(id: string): Promise<void> {
    await this.connection.ask('DEL', [reportKey(id)]);
  }

  async keepOwnStreams(own: OpenStreams | null): Promise<void> {
    if (own === null) return void (await this.connection.ask('DEL', [PRIMARY_STREAMS_KEY]));
    const sealed = this.vault.close(STREAMS_PLACE, encodeStreams(own));
    await this.connection.ask('SET', [PRIMARY_STREAMS_KEY, sealed, 'PX', String(REPORT_MS)]);
  }

  async primaryStreams(): Promise<OpenStreams | null> {
    const sealed = await this.connection.ask('GET', [PRIMARY_STREAMS_KEY]);
    return typeof sealed === 'string' ? this.vault.open(STREAMS_PLACE, sealed, decodeStreams) : null;
  }

  /** By id. */
  async list(): Promise<RelayReport[]> {
    const ids = (await this.#ids()).toSorted();
    if (ids.length === 0) return [];
    const kept = readMembers(await this.connection.ask('MGET', ids.map(reportKey)));
    return ids.flatMap((id, index) => {
      const sealed = kept[index];
      if (typeof sealed !== 'string') return [];
      const report = this.vault.open(placeOf(id), sealed, decodeReport);
      return report?.id === id ? [report] : [];
    });
  }

  async ages(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const left = await Promise.all(ids.map((id) => this.connection.ask('PTTL', [reportKey(id)])));
    const ages = new Map<string, number>();
    for (const [index, id] of ids.entries()) {
      const ms = left[index];
      // It is below zero for what is not there.
      if (typeof ms === 'number' && ms >= 0) ages.set(id, Math.max(0, REPORT_MS - ms));
    }
    return ages;
  }

  async #ids(): Promise<string[]> {
    const ids = new Set<string>();
    let cursor = '0';
    for (let round = 0; round < MAX_ROUNDS && ids.size < MAX_REPORTS; round += 1) {
      const args = [cursor, 'MATCH', REPORT_PATTERN, 'COUNT', ROUND_KEYS];
      const [next, keys] = readMembers(await this.connection.ask('SCAN', args));
      for (const key of readMembers(keys)) {
        const id = typeof key === 'string' ? reportId(key) : null;
        if (id !== null) ids.add(id);
      }
      cursor = String(next);
      if (cursor === '0') break;
    }
    return [...ids].slice(0, MAX_REPORTS);
  }
}
