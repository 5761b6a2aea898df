import { Elysia } from 'elysia';
import { readBytes } from '#lib/boundedBody.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { Core, Part } from '#src/part.ts';
import type { Auth } from '#platform/http/auth.ts';
import { userKey } from '#platform/http/callerKey.ts';
import { routeSchemas } from '#platform/http/contract.ts';
import { accepted, AppError } from '#platform/http/errors.ts';
import type { ReadQueue, Steps } from '#platform/http/readQueue.ts';
import { createUserLimit, createWriteLimit } from '#platform/http/requestLimits.ts';
import { MAX_TRANSFER_BYTES, type transferFile } from '../answers/file.ts';
import { TRANSFER } from '../contract.ts';
import { checkTransferFile, parseTransfer, TOO_LARGE, type TransferFile } from '../rules/checkFile.ts';
import { TRANSFER_KINDS } from '../rules/kind.ts';
import { type TransferChoice, Transfers, type TransfersDeps } from './service.ts';

/** A file is parsed and tried out, which may take a tenth of a second. */
const MAX_LOOKS_A_MINUTE = 20;
const MAX_TAKEN_A_MINUTE = 6;
const MAX_GIVEN_A_MINUTE = 6;

const HEADERS = {
  'content-type': 'application/json',
  'content-disposition': 'attachment; filename="bellbird-set-up.json"',
  'cache-control': 'no-store',
};
/** What is sent as it stands; typed as what is in it. */
const asAnswer = (text: string): Wire<typeof transferFile> =>
  new Response(text, { headers: HEADERS }) as unknown as Wire<typeof transferFile>;

type Query = { kinds?: string | undefined; switchOn?: 'yes' | 'no' | undefined };

function choiceOf({ kinds, switchOn }: Query, bytes: Uint8Array): TransferChoice {
  const named = kinds?.split(',');
  return {
    kinds: new Set(TRANSFER_KINDS.filter((kind) => named?.includes(kind) ?? true)),
    switchOn: switchOn === 'yes',
    digest: new Bun.CryptoHasher('sha256').update(bytes).digest('base64url'),
  };
}

/** @throws AppError 413 before more than is allowed was read */
async function fileBytes({ body, headers }: Request): Promise<Uint8Array> {
  // What says how long it is need not be read for that.
  const isLong = Number(headers.get('content-length')) > MAX_TRANSFER_BYTES;
  const bytes = isLong ? null : await readBytes(body, MAX_TRANSFER_BYTES);
  // What was not read would otherwise be taken for the next request.
  if (bytes === null) throw new AppError(413, TOO_LARGE, { headers: { connection: 'close' } });
  return bytes;
}

/** Reads a file, and does something with it. @throws AppError 400 */
function* withFile<T>(bytes: Uint8Array, work: (file: TransferFile) => T): Steps<T> {
  const text = new TextDecoder().decode(bytes);
  yield;
  const value = accepted(yield* parseTransfer(text));
  yield;
  const file = accepted(checkTransferFile(value));
  yield;
  return work(file);
}

export type TransferNeeds = Omit<TransfersDeps, 'db' | 'clock'> & {
  auth: Auth;
  reads: Pick<ReadQueue, 'run'>;
};

function routesOf(core: Pick<Core, 'clock'>, { auth, reads }: TransferNeeds, transfers: Transfers) {
  const countLook = createUserLimit(core.clock, MAX_LOOKS_A_MINUTE, 'Too many looks into files.');
  const countTaken = createWriteLimit(core.clock, MAX_TAKEN_A_MINUTE, 'your set-up');
  const countGiven = createUserLimit(core.clock, MAX_GIVEN_A_MINUTE, 'Too many downloads.');
  const inTurn = <T>(userId: number, steps: Steps<T>) => reads.run(userKey(userId), 'transfer', steps);
  return (
    new Elysia({ name: 'transfer', prefix: '/settings' })
      .use(auth)
      .get(
        '/transfer',
        ({ user }) => {
          countGiven(user.id);
          return asAnswer(transfers.give(user.id));
        },
        { minLevel: 1, ...routeSchemas(TRANSFER['GET /api/settings/transfer']) },
      )
      // Bodies are read only once it is known who sends them: they are larger than anybody else may send.
      .post(
        '/transfer/preview',
        async ({ user, query, request }) => {
          countLook(user.id);
          const bytes = await fileBytes(request);
          const look = (file: TransferFile) => transfers.preview(user.id, file, choiceOf(query, bytes));
          return inTurn(user.id, withFile(bytes, look));
        },
        { minLevel: 1, parse: 'none', ...routeSchemas(TRANSFER['POST /api/settings/transfer/preview']) },
      )
      .post(
        '/transfer',
        async ({ user, query, request, status }) => {
          countTaken(user.id);
          const bytes = await fileBytes(request);
          const take = (file: TransferFile) =>
            transfers.accept(user.id, file, choiceOf(query, bytes), query.seen);
          const taken = await inTurn(user.id, withFile(bytes, take));
          return taken.isDone ? taken : status(409, taken);
        },
        { minLevel: 1, parse: 'none', ...routeSchemas(TRANSFER['POST /api/settings/transfer']) },
      )
  );
}

/** People's set-ups as files, for another server. */
export function createTransfer(core: Pick<Core, 'db' | 'clock'>, needs: TransferNeeds) {
  const { kinds, callsOf, told } = needs;
  const transfers = new Transfers({ db: core.db, clock: core.clock, kinds, callsOf, told });
  return {
    name: 'transfer',
    service: transfers,
    routes: () => routesOf(core, needs, transfers),
  } satisfies Part;
}
