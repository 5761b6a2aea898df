import { createWriteLimit } from '#platform/http/requestLimits.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { App } from '#platform/app.ts';
import { type Options, type SentOptions, startOf, type Values } from '../answers/options.ts';
import { checkDestinations } from '../rules/alertRules.ts';
import type { AlertProblem } from '../rules/problemMessage.ts';
import { type Destinations } from '../rules/recipient.ts';
import { destinationsOf, NOWHERE, checkSnooze } from '../rules/alert.ts';
import { alertOf, type OwnRows, type OwnTable } from './ownRows.ts';

/** Limit of a user's changes per minute, enough for typing that is saved every half second. */
const MAX_WRITES_A_MINUTE = 120;
/** Limit per user, over all alerts. */
const MAX_GROUPS = 50;

export const isoOrNull = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();

/** An alert in a request (specification 7.4). Missing members keep their value or get the default. */
export type SentAlert<O extends Options> = SentOptions<O> & {
  active?: boolean | undefined;
  destinations?: unknown;
  /** ISO 8601; null ends the snooze. */
  snoozed_until?: unknown;
  /** The version that the change is based on; if omitted, the last change wins. */
  version?: number | undefined;
};

type OwnRow = Destinations & {
  id: number;
  userId: number;
  active: boolean;
  version: number;
  snoozedUntil: number | null;
  group: string | null;
};
type AlertOf<Row extends Destinations> = ReturnType<typeof alertOf<Row>>;

/** `conflict`: the alert was changed elsewhere and stays as it is. `late`: the undo window is over or never began. */
export type Changed<Alert> = { kind: 'changed' | 'conflict' | 'late'; alert: Alert };

const isNews = (row: object, change: object): boolean =>
  Object.entries(change).some(([key, value]) => !Bun.deepEquals(row[key as keyof typeof row], value));

/** The given options, and the previous values of the others. @throws AppError 400 with the field */
function chosenOptions<O extends Options>(options: O, sent: SentOptions<O>, before: Values<O>, now: number) {
  const chosen = Object.entries(options).map(([key, { name, check }]) => {
    const value = (sent as Record<string, unknown>)[name];
    return [key, value === undefined ? before[key] : accepted(check(value, now))];
  });
  return Object.fromEntries(chosen) as Values<O>;
}

/** What users can do with their own alerts of one kind, from a page or a chat. */
export abstract class OwnAlerts<
  T extends OwnTable & { $inferSelect: OwnRow },
  O extends Options,
  Sent extends SentAlert<O>,
> {
  private readonly countWrite: (userId: number) => void;

  /** @param words the kind's name, and the error for a deleted alert */
  constructor(
    protected readonly app: App,
    readonly store: OwnRows<T>,
    private readonly options: O,
    private readonly words: { own: string; gone: string },
  ) {
    this.countWrite = createWriteLimit(app.clock, MAX_WRITES_A_MINUTE, words.own);
  }

  /** The conditions to store. @param before null for a new alert @throws AppError 400 with the field */
  protected abstract watched(
    sent: Sent,
    userId: number,
    before: T['$inferSelect'] | null,
    active: boolean,
  ): Partial<T['$inferInsert']>;

  /** Refuses too many alerts or values. @throws AppError 400 */
  protected abstract refuseTooMuch(
    userId: number,
    before: T['$inferSelect'] | null,
    choice: Partial<T['$inferInsert']>,
  ): void;

  protected abstract engine: { put(alert: AlertOf<T['$inferSelect']>): void; remove(id: number): void };

  protected abstract notify(row: T['$inferSelect']): void;

  /** What an alert cannot read or waits for, as a sentence; null for nothing. */
  protected abstract problemOf(alert: AlertOf<T['$inferSelect']>): string | null;

  protected abstract titled(row: T['$inferSelect']): Pick<AlertProblem, 'id' | 'title'>;

  /** A user's active alerts that are not checked, or not completely. */
  problems(userId: number): AlertProblem[] {
    return this.store.ofUser(userId).flatMap((row) => {
      const problem = row.active ? this.problemOf(alertOf(row)) : null;
      return problem === null ? [] : [{ ...this.titled(row), problem, destinations: destinationsOf(row) }];
    });
  }

  get(userId: number, id: number): AlertOf<T['$inferSelect']> | null {
    this.beginRead(userId);
    const row = this.store.own(userId, id);
    return row ? alertOf(row) : null;
  }

  /** Creates an alert. @throws AppError 400 with the field, 429 */
  create(userId: number, sent: Sent): AlertOf<T['$inferSelect']> {
    this.beginWrite(userId);
    return this.activate(this.put(userId, sent));
  }

  /** Adds an alert to the database only; it may run in the caller's transaction. @throws AppError 400 with the field */
  put(userId: number, sent: Sent): T['$inferSelect'] {
    const choice = this.chosen(userId, sent, null);
    this.refuseTooMuch(userId, null, choice);
    const now = this.app.clock.now();
    return this.add({ ...choice, userId, createdAt: now, updatedAt: now });
  }

  /**
   * Changes the given members. Without a difference, version and state stay.
   * @throws AppError 400 with the field, 404, 429
   */
  change(userId: number, id: number, sent: Sent): Changed<AlertOf<T['$inferSelect']>> {
    this.beginWrite(userId);
    const row = this.own(userId, id);
    if (sent.version !== undefined && sent.version !== row.version) return this.as('conflict', row);
    const choice = this.chosen(userId, sent, row);
    const isSwitchedOn = choice.active === true && !row.active;
    const change = { ...choice, ...this.wake(sent, isSwitchedOn) };
    if (!isNews(row, change)) return this.as('changed', row);
    this.refuseTooMuch(userId, row, choice);
    const version = isNews(row, choice) ? row.version + 1 : row.version;
    return this.changed(row, { ...change, version, updatedAt: this.app.clock.now() });
  }

  setActive(userId: number, id: number, active: boolean): AlertOf<T['$inferSelect']> {
    return this.change(userId, id, { active } as Sent).alert;
  }

  /**
   * Silences an alert until a time; null ends the snooze. The version stays, because the alert itself does not change.
   * @param until epoch ms
   * @throws AppError 404, 429
   */
  snooze(userId: number, id: number, until: number | null): AlertOf<T['$inferSelect']> {
    this.beginWrite(userId);
    const row = this.store.update(userId, id, { snoozedUntil: until } as Partial<T['$inferInsert']>);
    if (!row) throw this.missing();
    const alert = alertOf(row);
    this.engine.put(alert);
    this.notify(row);
    return alert;
  }

  /** @throws AppError 404, 429 */
  remove(userId: number, id: number): void {
    this.beginWrite(userId);
    const row = this.store.remove(userId, id);
    if (!row) throw this.missing();
    this.engine.remove(id);
    this.app.indicators.alertsChanged([userId]);
    this.notify(row);
  }

  /** Called before a user's account is deleted. @returns the work for after the deletion */
  readonly leaving = (userId: number): (() => void) => {
    const rows = this.store.ofUser(userId);
    return () => {
      for (const { id } of rows) this.engine.remove(id);
      this.app.indicators.alertsChanged([userId]);
    };
  };

  /** Activates imported alerts after the commit. */
  imported(userId: number, rows: readonly T['$inferSelect'][]): void {
    for (const row of rows) this.engine.put(alertOf(row));
    this.app.indicators.alertsChanged([userId]);
  }

  activate(row: T['$inferSelect']): AlertOf<T['$inferSelect']> {
    const alert = alertOf(row);
    this.engine.put(alert);
    this.app.indicators.alertsChanged([row.userId]);
    this.notify(row);
    return alert;
  }

  protected add(row: Partial<T['$inferInsert']>): T['$inferSelect'] {
    return this.store.insert(row as T['$inferInsert']);
  }

  protected changed(row: T['$inferSelect'], change: object): Changed<AlertOf<T['$inferSelect']>> {
    const changed = this.store.update(row.userId, row.id, change as Partial<T['$inferInsert']>);
    if (!changed) throw this.missing();
    return { kind: 'changed', alert: this.activate(changed) };
  }

  /** Ends the snooze when an alert is switched on. */
  protected wake(
    { snoozed_until: until }: Sent,
    isSwitchedOn: boolean,
  ): Partial<Pick<OwnRow, 'snoozedUntil'>> {
    if (until !== undefined) return { snoozedUntil: accepted(checkSnooze(until, this.app.clock.now())) };
    return isSwitchedOn ? { snoozedUntil: null } : {};
  }

  /** @throws AppError 404 */
  protected own(userId: number, id: number): T['$inferSelect'] {
    this.beginRead(userId);
    const row = this.store.own(userId, id);
    if (!row) throw this.missing();
    return row;
  }

  protected as(kind: Changed<never>['kind'], row: T['$inferSelect']): Changed<AlertOf<T['$inferSelect']>> {
    return { kind, alert: alertOf(row) };
  }

  protected readonly missing = (): AppError => new AppError(404, this.words.gone);

  protected beginRead(_userId: number): void {}

  /** @throws AppError 429 */
  protected beginWrite(userId: number): void {
    this.countWrite(userId);
    this.beginRead(userId);
  }

  readonly marketNow = (): number => this.app.source.clock.now();

  /** The requested values as they are stored. @param before null for a new alert @throws AppError 400 */
  protected chosen(
    userId: number,
    sent: Sent,
    before: T['$inferSelect'] | null,
  ): Partial<T['$inferInsert']> & { active: boolean } {
    const { active = before?.active ?? true } = sent;
    const base = (before ?? startOf(this.options)) as Values<O> & Pick<OwnRow, 'group'>;
    const watched = this.watched(sent, userId, before, active);
    const options = chosenOptions(this.options, sent, base, this.marketNow());
    const { group } = options as Pick<OwnRow, 'group'>;
    if (group !== base.group) this.refuseTooManyGroups(userId, group);
    const destinations = checkDestinations(sent.destinations, before ? destinationsOf(before) : NOWHERE);
    return { ...options, ...watched, active, ...accepted(destinations) };
  }

  private refuseTooManyGroups(userId: number, group: string | null): void {
    if (group === null) return;
    const groups = this.store.groups(userId);
    if (groups.includes(group) || groups.length < MAX_GROUPS) return;
    const message = `You already have ${MAX_GROUPS} groups of alerts. Choose one of them.`;
    throw new AppError(400, { field: 'group', message });
  }
}
