import { AppError } from '#platform/http/errors.ts';
import type { Installation } from '#platform/install/server/installation.ts';
import type { Offer } from '#platform/install/server/offer.ts';
import { type ProgramVersion, UpdateError, type UpdateState } from '#platform/install/shared/updateState.ts';
import type { Updater } from '#platform/install/server/updater.ts';
import type { App } from '#platform/app.ts';
import type { Log } from '#lib/log.ts';
import type { Audit, AdminAction } from '#admin/audit/server/service.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { offerAnswer, startedAnswer, updateAnswer } from '../answers/update.ts';

/** Steps before anything changes. A refusal in one of them is not audited. */
const CHECK_STEPS: ReadonlySet<string> = new Set(['Check free space', 'Look for updates']);

/** The audited action of an update; null while it runs, and if it was refused before anything changed. */
function actionOf({ id, phase, from, to, failure, steps }: UpdateState): AdminAction | null {
  // Equal on both sides, so that it is not shown as a difference. It identifies the entry.
  const update = { update: id };
  const common = { userId: null, target: 'server', reason: failure };
  const stands = { ...update, ...from };
  switch (phase) {
    case 'healthy':
      return { ...common, action: 'update', before: stands, after: { ...update, ...to, outcome: 'healthy' } };
    case 'failed':
      if (!steps.some(({ name }) => !CHECK_STEPS.has(name))) return null;
      return { ...common, action: 'update', before: stands, after: { ...stands, outcome: 'failed' } };
    case 'rolledBack':
      return { ...common, action: 'roll back', before: { ...update, ...to }, after: stands };
    default:
      return null;
  }
}

const isOf = (after: unknown, id: string): boolean =>
  (after as { update?: unknown } | null | undefined)?.update === id;

/**
 * Audits the end of an update once. The process that ran the update cannot, because its database may be rolled back.
 * @param state the last update; null if there was none
 */
function auditOutcome(audit: Audit, state: UpdateState | null): void {
  const done = state === null ? null : actionOf(state);
  if (state === null || done === null) return;
  const latest = audit.list({ action: done.action, by: null }).entries[0];
  if (!isOf(latest?.after, state.id)) audit.record(done);
}

type RolledBack = { at: number; reason: string | null };

/**
 * When and why a version was rolled back on this server, according to the audit.
 * @param state the last update, which may not be audited yet
 * @returns the last time, epoch ms, and the reason; null if it never was
 */
export function rolledBackUpdate(
  audit: Audit,
  state: UpdateState | null,
  { commit }: { commit: string },
): RolledBack | null {
  if (state?.phase === 'rolledBack' && state.to?.commit === commit) {
    return { at: state.steps.at(-1)?.endedAt ?? state.startedAt, reason: state.failure };
  }
  const entry = audit
    .list({ action: 'roll back', by: null })
    .entries.find(({ before }) => (before as { commit?: unknown } | null)?.commit === commit);
  return entry ? { at: Date.parse(entry.at), reason: entry.reason } : null;
}

type By = { id: number; username: string };
type OfferView = Wire<typeof offerAnswer>;

const NOBODY_STARTS_IT =
  'No supervisor would start the server again after an update. Run it with "bellbird serve", or update it by hand.';
const ON_TRIAL = 'The last update is still on trial. Try again in about a minute.';

const refusal = (error: unknown): unknown =>
  error instanceof UpdateError ? new AppError(400, error.message, { cause: error.tail }) : error;

/** Whether an update is available. A version that was rolled back here is not. */
export const isWaiting = ({ isNew, takenBack }: Pick<OfferView, 'isNew' | 'takenBack'>): boolean =>
  isNew && takenBack === null;

export class Updates {
  #offer: OfferView | null = null;

  readonly #running: ProgramVersion;

  constructor(
    private readonly app: App,
    private readonly installation: Installation,
    private readonly updater: Updater,
    private readonly log: Log,
  ) {
    const { version, commit } = app.about;
    this.#running = { version, commit };
  }

  readonly isRunning = (): boolean => this.updater.isRunning();

  readonly canCheck = (): boolean => this.#noUpdate() === null;

  /** The last offer; null before the first check of this process. */
  readonly lastOffer = (): OfferView | null => this.#offer;

  readonly noteEnd = (): void => {
    try {
      auditOutcome(this.app.audit, this.updater.state());
    } catch (error) {
      this.log.warn('Could not write the result of the update to the audit', { error });
    }
  };

  state(): Wire<typeof updateAnswer> {
    return {
      installation: this.installation.kind,
      noUpdate: this.#noUpdate(),
      running: this.#running,
      now: this.app.clock.now(),
      update: this.updater.state(),
      offer: this.#offer,
    };
  }

  /** Checks for a new version. @throws AppError with a sentence */
  async check(): Promise<OfferView> {
    this.#refuseBusy();
    try {
      return this.#noteOffer(await this.updater.findOffer());
    } catch (error) {
      throw refusal(error);
    }
  }

  /**
   * Checks for a new version and, if there is one, starts the update in the background.
   * @throws AppError with a sentence: 409 while an update runs, 400 if updating is not possible
   */
  async update(user: By): Promise<Wire<typeof startedAnswer>> {
    this.#refuseBusy();
    try {
      const started = await this.updater.start(user.username, (offer) =>
        this.app.db.transaction(() => this.#noteStart(user, offer)),
      );
      if ('ended' in started) void started.ended.then(this.noteEnd);
      const offer = 'offer' in started ? started.offer : started;
      this.#noteOffer(offer);
      const id = 'id' in started ? started.id : null;
      return { updated: id !== null, restarting: id !== null, branch: offer.branch, id };
    } catch (error) {
      throw refusal(error);
    }
  }

  /** Why this installation cannot be updated from the panel; null if it can. */
  #noUpdate(): string | null {
    if (this.installation.kind === 'none') return this.installation.reason;
    return this.app.control.supervisor === 'none' ? NOBODY_STARTS_IT : null;
  }

  #refuseBusy(): void {
    const { updater } = this;
    const reason = this.#noUpdate();
    if (reason !== null) throw new AppError(400, reason);
    if (this.app.control.trial?.isRunning()) throw new AppError(409, ON_TRIAL);
    if (!updater.isRunning()) return;
    const by = updater.state()?.by ?? 'another administrator';
    throw new AppError(409, `An update is already running, started by ${by}.`);
  }

  #noteOffer({ to, ...offer }: Offer): OfferView {
    const { audit, clock } = this.app;
    const view = {
      ...offer,
      ...to,
      checkedAt: clock.now(),
      takenBack: rolledBackUpdate(audit, this.updater.state(), to),
    };
    this.#offer = view;
    return view;
  }

  #noteStart(user: By, { to }: Offer): void {
    this.app.audit.record({
      userId: user.id,
      action: 'update',
      target: 'server',
      before: this.#running,
      after: to,
    });
    this.log.info('An administrator is updating the server', { by: user.username, to });
  }
}
