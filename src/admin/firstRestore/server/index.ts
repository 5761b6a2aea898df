import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import type { App, Part, Pruned } from '#platform/app.ts';
import { isNoRoom } from '#lib/errors.ts';
import { isRecord } from '#lib/json.ts';
import { writeAll } from '#lib/files.ts';
import type { Log } from '#lib/log.ts';
import { placeText } from '#platform/backupTarget/target.ts';
import {
  arrivingPath,
  choosePrepared,
  dropStaged,
  preparedPath,
  type RestorePreview,
} from '#platform/db/restore.ts';
import { AppError } from '#platform/http/errors.ts';
import {
  createJobRunner,
  type JobRun,
  type JobRunner,
  listTarget,
} from '#platform/install/shared/jobProcess.ts';
import type { PrepareJob, TargetBackup } from '#admin/backups/server/targetJobs.ts';
import type { FirstRestoreView } from '../answers/firstRestore.ts';
import { readBytes } from '#lib/http.ts';
import { serve } from '#platform/http/routes.ts';
import { FIRST_RESTORE } from '../contract.ts';

const NO_ROOM = 'There is not enough disk space for this backup. Free some space and try again.';
const BUSY = 'A backup is being checked. Wait until the check has finished.';
const OTHERS_HERE =
  'Another account was registered on this server. Check which accounts the backup replaces, then restore again.';
const MAX_NAMED = 20;
const NOT_CHECKED = 'No backup has been checked yet. Choose one first.';
/** Bytes that must stay free on the disk. */
const SPARE_BYTES = 50_000_000;

function readPreview(value: unknown): RestorePreview | null {
  if (!isRecord(value)) return null;
  const { madeAt, version, accounts, pending } = value;
  if (typeof accounts !== 'number' || typeof pending !== 'number') return null;
  return {
    madeAt: typeof madeAt === 'number' ? madeAt : null,
    version: typeof version === 'string' ? version : null,
    accounts,
    pending,
  };
}

export class FirstRestore {
  #size = 0;
  #arrived = 0;
  #progress = 0;
  #failure: string | null = null;
  #preview: RestorePreview | null = null;
  #run: JobRun | null = null;
  #isChosen = false;

  readonly #database: string;
  readonly #log: Log;

  constructor(
    private readonly app: App,
    private readonly runPrepare: JobRunner,
    private readonly runList: JobRunner,
  ) {
    this.#database = app.paths.database;
    this.#log = app.log.child('firstRestore');
  }

  view(): FirstRestoreView {
    const { accounts, config, control } = this.app;
    const { place, lock } = config.backup;
    const here = accounts.names();
    return {
      state: this.#state(),
      accountsHere: here.length,
      namesHere: here.slice(0, MAX_NAMED),
      arrived: this.#arrived,
      progress: this.#progress,
      failure: this.#failure,
      preview: this.#preview,
      target: place && { where: placeText(place), hasPassphrase: lock?.kind === 'passphrase' },
      noRestart:
        control.supervisor === 'none' ? 'Restart Bellbird yourself; the backup is then restored.' : null,
    };
  }

  /** Adds a piece of an upload. @throws AppError 409 if it does not follow the previous one, 507 if the disk is full */
  write(at: number, size: number, chunk: Uint8Array): void {
    this.#needIdle();
    if (at === 0) this.#begin(size);
    if (chunk.length === 0 || at !== this.#arrived || at + chunk.length > this.#size)
      throw new AppError(409, 'A piece of the file is missing or out of order. Send the file again.');
    const handle = openSync(arrivingPath(this.#database), at === 0 ? 'w' : 'a', 0o600);
    try {
      writeAll(handle, chunk);
    } catch (error) {
      this.drop();
      if (isNoRoom(error)) throw new AppError(507, NO_ROOM);
      throw error;
    } finally {
      closeSync(handle);
    }
    this.#arrived += chunk.length;
  }

  /** Starts to check the upload, or a backup at the target. @throws AppError 409 */
  check(name: string | null, secret: string | null): void {
    this.#needIdle();
    const { clock, config } = this.app;
    const { place, lock } = config.backup;
    const database = this.#database;
    if (name === null && this.#state() !== 'arrived')
      throw new AppError(409, 'The upload is not complete yet.');
    if (name !== null && place === null) throw new AppError(409, 'No backup target is set.');
    const known = name !== null && lock?.kind === 'passphrase' ? lock.passphrase : null;
    const job: PrepareJob = {
      database,
      now: clock.now(),
      secret: secret || known,
      from: name !== null && place !== null ? { place, name } : { file: arrivingPath(database) },
    };
    this.#failure = null;
    this.#preview = null;
    this.#progress = 0;
    this.#run = this.runPrepare(job, (share) => {
      this.#progress = share;
    });
    void this.#run.finished.then((report) => {
      this.#run = null;
      this.#preview = report.ok ? readPreview(report['preview']) : null;
      this.#failure = report.ok ? null : report.reason;
      if (!report.ok) this.#log.warn('Refused a backup on the first page', { reason: report.reason });
      else rmSync(arrivingPath(database), { force: true });
      if (report.ok) this.#arrived = 0;
    });
  }

  /** @throws AppError 409, 502 */
  async targetBackups(): Promise<TargetBackup[]> {
    const { place } = this.app.config.backup;
    if (place === null) throw new AppError(409, 'No backup target is set.');
    const report = await this.runList({ place }, () => undefined).finished;
    if (!report.ok) throw new AppError(502, report.reason);
    const backups = Array.isArray(report['backups']) ? (report['backups'] as TargetBackup[]) : [];
    if (backups.length === 0 && typeof report['doubt'] === 'string') throw new AppError(502, report['doubt']);
    return backups;
  }

  /**
   * Chooses the checked backup, which the next process makes the database.
   * @param accountsHere the number of accounts that the user agreed to replace
   * @throws AppError 409, also if that number has changed
   */
  apply(accountsHere: number): void {
    const { accounts, control } = this.app;
    this.#needIdle();
    if (this.#state() !== 'ready') throw new AppError(409, NOT_CHECKED);
    if (accounts.names().length !== accountsHere) throw new AppError(409, OTHERS_HERE);
    choosePrepared(this.#database);
    this.#isChosen = true;
    this.#log.info('A visitor with the set-up link chose a backup', { accounts: this.#preview?.accounts });
    if (control.supervisor !== 'none') control.restart();
  }

  drop(): void {
    this.#run?.cancel();
    if (!this.#isChosen) dropStaged(this.#database);
    this.#arrived = 0;
    this.#size = 0;
    this.#preview = null;
  }

  #begin(size: number): void {
    const free = this.app.diskRoom()?.free ?? null;
    if (free !== null && free < 2 * size + SPARE_BYTES) throw new AppError(507, NO_ROOM);
    this.drop();
    this.#failure = null;
    this.#size = size;
  }

  #state(): FirstRestoreView['state'] {
    if (this.#isChosen) return 'chosen';
    if (this.#run !== null) return 'checking';
    const isThere = statSync(preparedPath(this.#database), { throwIfNoEntry: false })?.isFile() === true;
    if (this.#preview !== null && isThere) return 'ready';
    if (this.#size > 0 && this.#arrived === this.#size) return 'arrived';
    return this.#arrived > 0 ? 'arriving' : 'none';
  }

  #needIdle(): void {
    if (this.#run !== null) throw new AppError(409, BUSY);
    if (this.#isChosen) throw new AppError(409, 'A backup was already chosen. The server restarts with it.');
  }
}

const MAX_CHUNK_BYTES = 4 * 1024 * 1024;

type Admit = (request: Request) => void;

const listing = (service: FirstRestore, admit: Admit) =>
  serve(FIRST_RESTORE, {
    'GET /api/setup/restore': ({ request }) => {
      admit(request);
      return service.view();
    },
    'GET /api/setup/restore/target': async ({ request }) => {
      admit(request);
      const backups = await service.targetBackups();
      return {
        backups: backups.map(({ name, bytes, madeAt, isEncrypted, installation, isAhead }) => ({
          name,
          madeAt,
          size: bytes,
          encrypted: isEncrypted,
          server: installation,
          ahead: isAhead,
        })),
      };
    },
  });

const firstRestoreRoutes = (service: FirstRestore, admit: Admit) => [
  ...serve(FIRST_RESTORE, {
    'POST /api/setup/restore/piece': {
      handle: async ({ request, query }) => {
        admit(request);
        const chunk = await readBytes(request.body, MAX_CHUNK_BYTES);
        if (chunk === null) throw new AppError(413, 'The piece is larger than 4 MB. Send smaller pieces.');
        service.write(Number(query.at), Number(query.size), chunk);
        return service.view();
      },
      isRaw: true,
    },
    'POST /api/setup/restore/check': ({ request, body }) => {
      admit(request);
      service.check(body.name ?? null, body.secret ?? null);
      return service.view();
    },
    'POST /api/setup/restore/apply': ({ request, body }) => {
      admit(request);
      service.apply(body.accountsHere);
      return service.view();
    },
  }),
  ...listing(service, admit),
];

const REFUSED =
  'This set-up link is not valid, or an administrator already exists. If there is no administrator, restart the server to get a new link.';

export function createFirstRestore(app: App) {
  const { accounts, program } = app;
  const service = new FirstRestore(app, createJobRunner('prepare-restore', program.env), listTarget(app));
  const admit: Admit = (request) => {
    if (!accounts.isSetupToken(request.headers.get('x-setup-token') ?? '')) throw new AppError(403, REFUSED);
  };
  const routes = () => firstRestoreRoutes(service, admit);
  /** Deletes an upload that was not restored once there is an administrator: it contains personal data. */
  const prune = (): Pruned => {
    if (accounts.hasAdministrator()) service.drop();
    return { removed: 0, hasMore: false };
  };
  return { name: 'firstRestore', service, routes, prune, stop: () => service.drop() } satisfies Part;
}
