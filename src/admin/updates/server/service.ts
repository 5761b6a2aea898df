import { AppError } from '../../../platform/http/errors.ts';
import type { ProcessControl } from '../../../platform/install/shared/processControl.ts';
import type { Installation } from '../../../platform/install/server/installation.ts';
import type { Offer } from '../../../platform/install/server/offer.ts';
import { UpdateError } from '../../../platform/install/shared/updateError.ts';
import type { Updater } from '../../../platform/install/server/updater.ts';
import type { ProgramVersion } from '../../../platform/install/shared/updateState.ts';
import type { Core } from '../../../part.ts';
import type { Audit } from '../../audit/server/service.ts';
import { auditOutcome, takenBack } from './outcome.ts';
import type { offerView, startedView, updateStateView } from './model.ts';

export type UpdatesDeps = Pick<Core, 'clock' | 'db' | 'log'> & {
  audit: Audit;
  control: ProcessControl;
  installation: Installation;
  running: ProgramVersion;
  updater: Updater;
};

type By = { id: number; username: string };
type OfferView = typeof offerView.static;

const NOBODY_STARTS_IT =
  'Nothing would start the server again after an update. Run it with "bellbird serve", or update it from outside.';
const ON_TRIAL = 'The last update is still being tried. That is over in about a minute.';

/** Why a thing that an administrator asked for can't be done, as an answer. */
const refusal = (error: unknown): unknown =>
  error instanceof UpdateError ? new AppError(400, error.message, { cause: error.tail }) : error;

export function createUpdatesService(deps: UpdatesDeps) {
  const { clock, db, log, audit, control, installation, running, updater } = deps;
  /** What the last look found. */
  const found: { offer: OfferView | null } = { offer: null };

  const noUpdate = (): string | null => {
    if (installation.kind === 'none') return installation.reason;
    return control.supervisor === 'none' ? NOBODY_STARTS_IT : null;
  };
  const viewOf = ({ to, ...offer }: Offer): OfferView => ({
    ...{ ...offer, ...to, checkedAt: clock.now() },
    takenBack: takenBack(audit, updater.state(), to),
  });
  /** @throws AppError where nothing can be looked for, and while something is under way */
  const refuseBusy = (): void => {
    const reason = noUpdate();
    if (reason !== null) throw new AppError(400, reason);
    if (control.trial?.isRunning()) throw new AppError(409, ON_TRIAL);
    if (!updater.isRunning()) return;
    const by = updater.state()?.by ?? 'another administrator';
    throw new AppError(409, `An update is already under way, started by ${by}.`);
  };

  const noteEnd = (): void => {
    try {
      auditOutcome(audit, updater.state());
    } catch (error) {
      // The next start does it.
      log.warn('How the update ended could not be written into the audit', { error });
    }
  };

  return {
    /** Whether an update is under way in this process. */
    isRunning: updater.isRunning,
    /** Writes into the audit how the last update ended, unless it stands there; nothing of one that goes on. */
    noteEnd,
    /** How the update under way stands, else the last one. */
    state(): typeof updateStateView.static {
      const update = updater.state();
      return {
        installation: installation.kind,
        noUpdate: noUpdate(),
        running,
        now: clock.now(),
        update,
        offer: found.offer,
      };
    },
    /** Looks for what an update would bring; nothing is changed. @throws AppError with a sentence */
    async look(): Promise<OfferView> {
      refuseBusy();
      try {
        found.offer = viewOf(await updater.look());
        return found.offer;
      } catch (error) {
        throw refusal(error);
      }
    },
    /**
     * Looks, and when there is something new starts to make, check and swap it in, which goes on after the answer.
     *
     * @throws AppError with a sentence: 409 while an update is under way, 400 when this one can't be
     */
    async update(user: By): Promise<typeof startedView.static> {
      refuseBusy();
      const keep = (offer: Offer): void => {
        const { to } = offer;
        audit.record({ userId: user.id, action: 'update', target: 'server', before: running, after: to });
        log.info('An administrator updates the server', { by: user.username, to });
      };
      try {
        const started = await updater.start(user.username, (offer) => db.transaction(() => keep(offer)));
        if ('ended' in started) void started.ended.then(noteEnd);
        const offer = 'offer' in started ? started.offer : started;
        found.offer = viewOf(offer);
        const id = 'id' in started ? started.id : null;
        return { updated: id !== null, restarting: id !== null, branch: offer.branch, id };
      } catch (error) {
        throw refusal(error);
      }
    },
  };
}
