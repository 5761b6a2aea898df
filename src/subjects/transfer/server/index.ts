import { refusalText, accepted, AppError } from '#platform/http/errors.ts';
import {
  type TransferFile,
  checkTransferFile,
  parseTransfer,
  TOO_LARGE,
  countOf,
} from '../rules/checkFile.ts';
import {
  Tally,
  type TransferKind,
  type TransferPreference,
  TRANSFER_KINDS,
  type ExportContext,
  type TransferKindName,
  type TransferKinds,
  type ImportContext,
  type Imported,
  type Outcome,
} from '../rules/kind.ts';
import { readBytes } from '#lib/http.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { App, Part } from '#platform/app.ts';
import { createUserLimit, createWriteLimit, userKey } from '#platform/http/requestLimits.ts';
import { serve } from '#platform/http/routes.ts';
import type { Steps } from '#platform/http/readQueue.ts';
import {
  MAX_TRANSFER_BYTES,
  TRANSFER_FORMAT,
  TRANSFER_VERSION,
  type previewAnswer,
} from '../answers/file.ts';
import { TRANSFER } from '../contract.ts';

type Preferences = NonNullable<TransferFile['preferences']>;
type Name = keyof Preferences;

const NAMES: Readonly<Record<Name, string>> = {
  quoteSite: 'Quote link',
  weeklyReview: 'Weekly message about alerts',
  adminMessages: 'Messages of administrators on devices',
  morningBrief: 'Morning brief',
};

/** Single preferences, each of another subject. */
function preferencesKind(choices: Readonly<Record<Name, TransferPreference>>): TransferKind {
  const all = Object.entries(choices) as [Name, TransferPreference][];
  return {
    exportValue: ({ userId }) =>
      Object.fromEntries(all.map(([name, { exportValue }]) => [name, exportValue(userId)])),
    importValue({ userId }, value) {
      const tally = new Tally();
      const sent = value as Preferences;
      for (const [name, { put }] of all) {
        if (sent[name] === undefined) continue;
        try {
          if (put(userId, sent[name])) tally.change();
          else tally.keep();
        } catch (problem) {
          tally.leaveOut(NAMES[name], refusalText(problem));
        }
      }
      return { outcome: tally.outcome(), afterwards: () => undefined };
    },
  };
}

type TransferChoice = {
  kinds: ReadonlySet<TransferKindName>;
  switchOn: boolean;
  /** Hash of the file, because another file may lead to the same counts. */
  digest: string;
};

export type Preview = Wire<typeof previewAnswer>;

const NOTHING: Outcome = { added: 0, changed: 0, same: 0, leftOut: [], notes: [] };

/** Thrown to roll back a preview. */
class TriedOut extends Error {
  override name = 'TriedOut';
}

const CHANGED_SINCE =
  'The file or your settings changed after this preview, so nothing was imported. Check the new preview, then import it.';
const TOO_MUCH_HERE = `Your settings are larger than ${MAX_TRANSFER_BYTES / 1024 / 1024} MB. Shorten notes on your watchlists, then try again.`;

const bytesOf = (text: string): number => Buffer.byteLength(text);
const textOf = (file: TransferFile): string => `${JSON.stringify(file, null, 1)}\n`;

class Transfers {
  private readonly kinds: TransferKinds;

  constructor(private readonly app: App) {
    const {
      alertAttention,
      alerts,
      brief,
      calls,
      chartLevels,
      devices,
      indicators,
      odds,
      quietHours,
      settings,
      watchlist,
    } = app;
    this.kinds = {
      columns: settings.transfer,
      ...indicators.transfer,
      watchlists: watchlist.transfer,
      alerts: alerts.transfer,
      scanAlerts: alerts.scanAlerts.transfer,
      odds: odds.transfer,
      chartLevels: chartLevels.transfer,
      follows: calls.following.transfer,
      preferences: preferencesKind({
        quoteSite: settings.quotePreference,
        weeklyReview: alertAttention.transferPreference,
        adminMessages: devices.transferPreference,
        morningBrief: brief.transferPreference,
      }),
      quietHours: quietHours.transfer,
    };
  }

  /**
   * A user's settings, with as many calls as fit, newest first.
   * @returns the text of the file
   * @throws AppError 413 if the settings alone do not fit
   */
  exportText(userId: number): string {
    const { kinds } = this;
    const { calls, clock } = this.app;
    const context: ExportContext = { userId, scanNumbers: new Map() };
    const parts = TRANSFER_KINDS.map((kind) => [kind, kinds[kind].exportValue(context)] as const);
    const head = {
      format: TRANSFER_FORMAT,
      version: TRANSFER_VERSION,
      exportedAt: new Date(clock.now()).toISOString(),
      ...(Object.fromEntries(parts) as Partial<TransferFile>),
    } as const;
    const room = MAX_TRANSFER_BYTES - bytesOf(textOf({ ...head, calls: [] }));
    if (room < 0) throw new AppError(413, TOO_MUCH_HERE);
    return textOf({ ...head, calls: fitting(calls.inFile(userId), room) });
  }

  /** The changes that an import would make; it is run and rolled back. */
  preview(userId: number, file: TransferFile, choice: TransferChoice): Preview {
    let preview: Preview | undefined;
    try {
      this.inTransaction(() => {
        preview = this.importKinds(userId, file, choice).preview;
        throw new TriedOut();
      });
    } catch (problem) {
      if (!(problem instanceof TriedOut) || preview === undefined) throw problem;
    }
    if (preview === undefined) throw new Error('The preview of the settings file failed.');
    return preview;
  }

  /**
   * Imports everything that was chosen, exactly as in the preview, or nothing.
   * @param seen hash of the preview
   * @returns the changes; or, if something changed since, a new preview with a sentence
   */
  accept(userId: number, file: TransferFile, choice: TransferChoice, seen: string): Preview {
    let found: ReturnType<Transfers['importKinds']> | undefined;
    try {
      this.inTransaction(() => {
        found = this.importKinds(userId, file, choice);
        if (found.preview.seen !== seen) throw new TriedOut();
      });
    } catch (problem) {
      if (!(problem instanceof TriedOut) || found === undefined) throw problem;
      return { ...found.preview, error: CHANGED_SINCE };
    }
    if (found === undefined) throw new Error('The settings file was not imported.');
    for (const work of found.afterwards) work();
    this.app.alerts.notifier.setUpChanged(userId);
    return { ...found.preview, isDone: true };
  }

  private inTransaction(work: () => void): void {
    this.app.db.transaction(work, { behavior: 'immediate' });
  }

  private importKinds(
    userId: number,
    file: TransferFile,
    { kinds: chosen, switchOn, digest }: TransferChoice,
  ) {
    const context: ImportContext = { userId, switchOn, scanIds: new Map() };
    const afterwards: Imported['afterwards'][] = [];
    const kinds = TRANSFER_KINDS.filter((kind) => countOf(file, kind) > 0).map((kind) => {
      const isChosen = chosen.has(kind);
      const { importValue, match } = this.kinds[kind];
      const value = file[kind];
      if (!isChosen) match?.(context, value);
      const imported = isChosen ? importValue(context, value) : null;
      if (imported) afterwards.push(imported.afterwards);
      return { kind, found: countOf(file, kind), isChosen, ...(imported?.outcome ?? NOTHING) };
    });
    const calls = countOf(file, 'calls');
    const seen = new Bun.CryptoHasher('sha256')
      .update(JSON.stringify([kinds, switchOn, digest]))
      .digest('base64url');
    const preview: Preview = { kinds, calls, seen, isDone: false };
    return { preview, afterwards };
  }
}

/** The first calls that fit. @param room bytes */
function fitting(calls: readonly unknown[], room: number): unknown[] {
  let left = room;
  const size = (call: unknown): number => bytesOf(JSON.stringify([call], null, 1)) * 2;
  const at = calls.findIndex((call) => (left -= size(call)) < 0);
  return at === -1 ? [...calls] : calls.slice(0, at);
}

/** Limits per minute; parsing and trying a file may take 0.1 s. */
const MAX_PREVIEWS_A_MINUTE = 20;
const MAX_IMPORTS_A_MINUTE = 6;
const MAX_EXPORTS_A_MINUTE = 6;

const HEADERS = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="bellbird-set-up.json"',
  'cache-control': 'no-store',
};
const asAnswer = (text: string): Response => new Response(text, { headers: HEADERS });

type Query = { kinds?: string | undefined; switchOn?: 'yes' | 'no' | undefined };

function choiceOf({ kinds, switchOn }: Query, bytes: Uint8Array): TransferChoice {
  const named = kinds?.split(',');
  return {
    kinds: new Set(TRANSFER_KINDS.filter((kind) => named?.includes(kind) ?? true)),
    switchOn: switchOn === 'yes',
    digest: new Bun.CryptoHasher('sha256').update(bytes).digest('base64url'),
  };
}

/** Reads a request's body, at most up to the limit. @throws AppError 413 if it is larger */
async function fileBytes({ body, headers }: Request): Promise<Uint8Array> {
  // If the declared length is too large, the body is not read.
  const isLong = Number(headers.get('content-length')) > MAX_TRANSFER_BYTES;
  const bytes = isLong ? null : await readBytes(body, MAX_TRANSFER_BYTES);
  // Closes the connection, because an unread rest would be parsed as the next request.
  if (bytes === null) throw new AppError(413, TOO_LARGE, { headers: { connection: 'close' } });
  return bytes;
}

/** Parses a file and passes it to `work`. @throws AppError 400 */
function* withFile<T>(bytes: Uint8Array, work: (file: TransferFile) => T): Steps<T> {
  const text = new TextDecoder().decode(bytes);
  yield;
  const value = accepted(yield* parseTransfer(text));
  yield;
  const file = accepted(checkTransferFile(value));
  yield;
  return work(file);
}

function routesOf(app: App, transfers: Transfers) {
  const countPreview = createUserLimit(app.clock, MAX_PREVIEWS_A_MINUTE, 'Too many previews.');
  const countImport = createWriteLimit(app.clock, MAX_IMPORTS_A_MINUTE, 'your settings');
  const countExport = createUserLimit(app.clock, MAX_EXPORTS_A_MINUTE, 'Too many downloads.');
  const inTurn = <T>(userId: number, steps: Steps<T>) => app.reads.run(userKey(userId), 'transfer', steps);
  return serve(TRANSFER, {
    'GET /api/settings/transfer': ({ user }) => {
      countExport(user.id);
      return asAnswer(transfers.exportText(user.id));
    },
    'POST /api/settings/transfer/preview': {
      handle: async ({ user, query, request }) => {
        countPreview(user.id);
        const bytes = await fileBytes(request);
        const preview = (file: TransferFile) => transfers.preview(user.id, file, choiceOf(query, bytes));
        return inTurn(user.id, withFile(bytes, preview));
      },
      isRaw: true,
    },
    'POST /api/settings/transfer': {
      handle: async ({ user, query, request, status }) => {
        countImport(user.id);
        const bytes = await fileBytes(request);
        const importFile = (file: TransferFile) =>
          transfers.accept(user.id, file, choiceOf(query, bytes), query.seen);
        const imported = await inTurn(user.id, withFile(bytes, importFile));
        return imported.isDone ? imported : status(409, imported);
      },
      isRaw: true,
    },
  });
}

export function createTransfer(app: App) {
  const transfers = new Transfers(app);
  return {
    name: 'transfer',
    service: transfers,
    routes: () => routesOf(app, transfers),
  } satisfies Part;
}
