import type { Connection } from './connection.ts';
import { EngineError } from './engineError.ts';
import { decodeLease, encodeLease } from './keptForms.ts';
import { LEASE_KEY } from './keys.ts';
import type { PrimaryLease } from './types.ts';
import type { Vault } from './vault.ts';

/** How long a lease lasts that is not taken again, ms. */
export const LEASE_MS = 15_000;
const PLACE = 'lease';
/** Another may take or release it between reading and writing. */
const MAX_TRIES = 5;

const RENEW = `if redis.call('GET', KEYS[1]) == ARGV[1] then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
  return 1
end
return 0`;

const RELEASE = `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`;

/** The lease of the one primary. */
export class Lease {
  constructor(
    private readonly connection: Connection,
    private readonly vault: Vault,
  ) {}

  /** @returns null, or who holds it */
  async hold(lease: PrimaryLease): Promise<PrimaryLease | null> {
    const sealed = this.vault.close(PLACE, encodeLease(lease));
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const held = await this.#held();
      if (held && held.lease.instance !== lease.instance) return held.lease;
      if (held ? await this.#renew(held.sealed, sealed) : await this.#take(sealed)) return null;
    }
    throw new EngineError('Several primaries ask the message engine for the lease at once.');
  }

  async release(instance: string): Promise<void> {
    const held = await this.#held();
    if (held?.lease.instance !== instance) return;
    await this.connection.ask('EVAL', [RELEASE, '1', LEASE_KEY, held.sealed]);
  }

  /** The stored lease. A key of another type is removed, because no primary wrote it. */
  async #sealed(): Promise<string | null> {
    try {
      const sealed = await this.connection.ask('GET', [LEASE_KEY]);
      return typeof sealed === 'string' ? sealed : null;
    } catch (error) {
      if (!(error instanceof EngineError && error.reason === 'kind')) throw error;
      await this.connection.ask('DEL', [LEASE_KEY]);
      return null;
    }
  }

  async #take(sealed: string): Promise<boolean> {
    const answer = await this.connection.ask('SET', [LEASE_KEY, sealed, 'NX', 'PX', String(LEASE_MS)]);
    return answer === 'OK';
  }

  async #renew(held: string, sealed: string): Promise<boolean> {
    const answer = await this.connection.ask('EVAL', [RENEW, '1', LEASE_KEY, held, sealed, String(LEASE_MS)]);
    return answer === 1;
  }

  async #held(): Promise<{ sealed: string; lease: PrimaryLease } | null> {
    const sealed = await this.#sealed();
    if (sealed === null) return null;
    const lease = this.vault.open(PLACE, sealed, decodeLease);
    if (lease) return { sealed, lease };
    // A primary with another secret may be alive as long as its lease ends soon. No primary writes one that lasts longer.
    const leftMs = Number(await this.connection.ask('PTTL', [LEASE_KEY]));
    if (leftMs < 0 || leftMs > LEASE_MS) {
      await this.connection.ask('EVAL', [RELEASE, '1', LEASE_KEY, sealed]);
      return null;
    }
    throw new EngineError(
      'Another Bellbird publishes into this message engine with another BELLBIRD_RELAY_SECRET: set the same one everywhere, or give each its own engine or database number.',
    );
  }
}
