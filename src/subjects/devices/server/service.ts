import type { Wire } from '#lib/contract/fields.ts';
import type { App } from '#platform/app.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import { createUserLimit, createWriteLimit } from '#platform/http/requestLimits.ts';
import type { Status } from '#platform/outbox/report.ts';
import { deviceOf } from '#subjects/accounts/rules/device.ts';
import type { device, devicesAnswer } from '../answers/devices.ts';
import type { TransferPreference } from '#subjects/transfer/rules/kind.ts';
import { checkDeviceName, freeDeviceName, MAX_DEVICES, testMessage } from '../rules/device.ts';
import {
  checkSubscription,
  type DevicePlace,
  devicePlace,
  pushFinding,
  type Subscription,
} from '../rules/pushEndpoint.ts';
import type { DeviceRow, DeviceStore } from './store.ts';

export type DeviceView = Wire<typeof device>;

export type Asking = {
  userId: number;
  sessionId: string;
  userAgent: string | null;
  /** Origin of the page, or of this server if the browser does not send one. */
  origin: string;
};

const MAX_WRITES_A_MINUTE = 30;
const MAX_TESTS_A_MINUTE = 6;
/** Columns of a working device; registering sets them. */
const SOUND = { status: 'registered', failedAt: null, failedReason: null } as const;
const GONE_KEPT_MS = 90 * 24 * 3_600_000;

const missing = (): AppError => new AppError(404, 'That device is no longer registered. Reload the list.');

const isoOrNull = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();

export class Devices {
  readonly #countWrite: (userId: number) => void;
  readonly #countTest: (userId: number) => void;
  readonly #tests = new Map<number, string>();

  constructor(
    private readonly app: App,
    private readonly store: DeviceStore,
  ) {
    this.#countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, 'your devices');
    this.#countTest = createUserLimit(app.clock, MAX_TESTS_A_MINUTE, 'Too many tests.');
  }

  list(userId: number): Wire<typeof devicesAnswer> {
    const { app, store } = this;
    const rows = store.ofUser(userId);
    const statuses = this.#statusesOf(rows);
    return {
      publicKey: app.push.publicKey,
      devices: rows.map((row) => this.#view(row, statuses)),
      adminMessages: store.wantsAdminMessages(userId),
    };
  }

  readonly places = (userId: number): DevicePlace[] =>
    this.store.usableOf(userId, this.app.clock.now()).map(devicePlace);

  /**
   * Registers a browser, or updates it. It is removed from another account, whose alerts the current user must not see.
   * @throws AppError 400, 429
   */
  register({ userId, sessionId, userAgent, origin }: Asking, sent: Subscription): DeviceView {
    const { app, store } = this;
    this.#countWrite(userId);
    const subscription = this.#checked(sent);
    return store.inTransaction(() => {
      const known = store.byEndpoint(subscription.endpoint);
      if (known?.userId === userId) {
        return this.#changed(store.update(known.id, { ...subscription, sessionId, origin, ...SOUND }));
      }
      if (known) store.remove(known.id);
      const own = store.ofUser(userId);
      if (own.length >= MAX_DEVICES) {
        throw new AppError(400, `You already have ${MAX_DEVICES} devices. Remove one first.`);
      }
      const guess = deviceOf(userAgent) ?? 'Browser';
      const name = freeDeviceName(
        guess,
        own.map((row) => row.name),
      );
      const row = { userId, sessionId, origin, name, createdAt: app.clock.now(), ...subscription };
      return this.#changed(store.insert(row));
    });
  }

  /** Updates a device's subscription. @throws AppError 400, 404 if it was removed, 429 */
  renew({ userId, sessionId, origin }: Asking, id: number, sent: Subscription): DeviceView {
    const { store } = this;
    this.#countWrite(userId);
    const subscription = this.#checked(sent);
    return store.inTransaction(() => {
      const row = this.#own(userId, id);
      store.removeOther(subscription.endpoint, id);
      const isSame = row.endpoint === subscription.endpoint;
      // An ended or refused device works again only with another endpoint.
      return this.#changed(
        store.update(id, { ...subscription, sessionId, origin, ...(isSame ? {} : SOUND) }),
      );
    });
  }

  /** Like `renew`, authenticated by the former endpoint, which only the browser knows. @throws AppError 400, 404 */
  moved(former: string, sent: Subscription): void {
    const { store } = this;
    const subscription = this.#checked(sent);
    store.inTransaction(() => {
      const row = store.byEndpoint(former);
      if (!row) throw missing();
      store.removeOther(subscription.endpoint, row.id);
      store.update(row.id, { ...subscription, ...(former === subscription.endpoint ? {} : SOUND) });
    });
  }

  /** @throws AppError 400, 404, 429 */
  rename(userId: number, id: number, typed: string): DeviceView {
    this.#countWrite(userId);
    const name = accepted(checkDeviceName(typed));
    this.#own(userId, id);
    return this.#changed(this.store.update(id, { name }));
  }

  /** Sends a test through the outbox and retries a refused device. @throws AppError 400, 404, 429 */
  test(userId: number, id: number): DeviceView {
    const {
      app: { outbox },
      store,
    } = this;
    this.#countTest(userId);
    const row = store.inTransaction(() => {
      const own = this.#own(userId, id);
      if (own.status === 'gone')
        throw new AppError(400, own.failedReason ?? 'This device does not accept messages.');
      if (own.status === 'refused') store.update(id, SOUND);
      const message = testMessage(own.name);
      const [nonce] = outbox.add([{ ...devicePlace(own), userId, triggerId: null, message }]);
      if (nonce !== undefined) this.#tests.set(id, nonce);
      return own;
    });
    outbox.wake();
    return this.#changed({ ...row, ...SOUND });
  }

  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.#countWrite(userId);
    this.#own(userId, id);
    this.store.remove(id);
    this.#tests.delete(id);
  }

  /** @throws AppError 429 */
  setAdminMessages(userId: number, wanted: boolean): void {
    this.#countWrite(userId);
    this.store.setAdminMessages(userId, wanted);
  }

  readonly transferPreference: TransferPreference = {
    exportValue: (userId) => (this.store.wantsAdminMessages(userId) ? undefined : false),
    put: (userId, value) => {
      if (typeof value !== 'boolean') {
        throw new AppError(400, '`wanted` must be true or false.');
      }
      if (this.store.wantsAdminMessages(userId) === value) return false;
      this.store.setAdminMessages(userId, value);
      return true;
    },
  };

  /** Null if the device was removed. */
  ownerOf(id: number): number | null {
    return this.store.byId(id)?.userId ?? null;
  }

  /** State of web push; null before the first message, undefined without devices. */
  readonly checkResult = () => pushFinding(this.store.tally());

  readonly reach = (): { people: number; devices: number } => this.store.reach(this.app.clock.now());

  readonly reachedAfter = (id: number, most: number): (DevicePlace & { id: number; userId: number })[] =>
    this.store
      .reachedAfter(id, most, this.app.clock.now())
      .map((row) => ({ id: row.id, userId: row.userId, ...devicePlace(row) }));

  readonly sessionsEnded = (userId: number): void => void this.store.removeLoggedOut(userId);

  /** Deletes devices that ended long ago. @returns their number */
  dropGone(): number {
    return this.store.dropGone(this.app.clock.now() - GONE_KEPT_MS);
  }

  /** @throws AppError 400 */
  #checked(sent: Subscription): Subscription {
    return accepted(checkSubscription(sent, this.app.config.pushServices));
  }

  #own(userId: number, id: number): DeviceRow {
    const row = this.store.own(userId, id);
    if (!row) throw missing();
    return row;
  }

  #changed(row: DeviceRow | undefined): DeviceView {
    if (!row) throw missing();
    return this.#view(row, this.#statusesOf([row]));
  }

  #statusesOf(rows: readonly DeviceRow[]): ReadonlyMap<string, Status> {
    const nonces = rows.flatMap(({ id }) => this.#tests.get(id) ?? []);
    return nonces.length === 0 ? new Map() : this.app.outbox.statusesOf(nonces);
  }

  #view(row: DeviceRow, statuses: ReadonlyMap<string, Status>): DeviceView {
    const status = statuses.get(this.#tests.get(row.id) ?? '');
    return {
      id: row.id,
      name: row.name,
      created_at: new Date(row.createdAt).toISOString(),
      delivered_at: isoOrNull(row.deliveredAt),
      status: row.status,
      failure: row.failedReason,
      test: status ? { status: status.status, reason: status.failedReason } : null,
    };
  }
}
