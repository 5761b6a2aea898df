import type { Known } from '#lib/contract/fields.ts';
import { parseJson } from '#lib/json.ts';
import { ok, refuse, type Result } from '#lib/result.ts';
import { ApiError, messageOf, readAnswer, readerOf, request } from '#web/api/client.ts';
import { saveFile } from '#web/shared/copyText.ts';
import { MAX_TRANSFER_MB, previewAnswer } from '#subjects/transfer/answers/file.ts';
import { NO_JSON, type TransferFile } from '#subjects/transfer/rules/checkFile.ts';
import type { TransferKindName } from '#subjects/transfer/rules/kind.ts';

export type Preview = Known<typeof previewAnswer>;
const read = readerOf(previewAnswer);

/** What a person chose of a file: what is not to be taken, and whether alerts that were on are switched on. */
export type Chosen = { without: ReadonlySet<TransferKindName>; switchOn: boolean };

/** A file as the server is asked about it, with all kinds that it may have. */
export type Asked = Chosen & { file: unknown; kinds: readonly TransferKindName[] };

const queryOf = ({ kinds, without, switchOn }: Asked) => ({
  kinds: kinds.filter((kind) => !without.has(kind)).join(','),
  switchOn: switchOn ? ('yes' as const) : ('no' as const),
});

// What it is, is for the server to say.
const bodyOf = ({ file }: Asked): TransferFile => file as TransferFile;

/** Saves the set-up as a file. @returns why it was not saved, or null when it was */
export async function downloadSetUp(): Promise<string | null> {
  try {
    // Read once before it is saved: half of it is no answer.
    const data = readAnswer(await request('GET /api/settings/transfer'));
    const json = `${JSON.stringify(data, null, 1)}\n`;
    saveFile(new Blob([json], { type: 'application/json' }), 'bellbird-set-up.json');
    return null;
  } catch (problem) {
    return messageOf(problem, 'Your set-up could not be downloaded. Try again.');
  }
}

/** What a chosen file holds. */
export async function readFile(file: File): Promise<Result<unknown>> {
  try {
    const parsed = parseJson(await file.text());
    return parsed.ok ? parsed : refuse(NO_JSON, 'file');
  } catch {
    return refuse('The file can’t be read on this device. Choose it again.');
  }
}

/** A proxy answers without a sentence of this server. */
const PROXY_LIMIT = `The proxy in front of this server takes no files of this size. Its administrator can allow ${MAX_TRANSFER_MB} MB (nginx: client_max_body_size).`;

/** A refusal of the field `file` is of the file itself: to ask again is of no use. */
function refusalOf(problem: unknown, fallback: string): Result<Preview> {
  const isOfFile = problem instanceof ApiError && (problem.status === 400 || problem.status === 413);
  const isOfProxy = problem instanceof ApiError && problem.status === 413;
  return refuse(messageOf(problem, isOfProxy ? PROXY_LIMIT : fallback), isOfFile ? 'file' : null);
}

/** Asks what a file would change. */
export async function fetchPreview(asked: Asked): Promise<Result<Preview>> {
  try {
    const query = queryOf(asked);
    return ok(await request('POST /api/settings/transfer/preview', { body: bodyOf(asked), query, read }));
  } catch (problem) {
    return refusalOf(problem, 'The file could not be looked at. Try again.');
  }
}

/** Has a file taken as a preview says. @returns what was done; not done, with a new preview, where something changed since */
export async function takeFile(asked: Asked, seen: string): Promise<Result<Preview>> {
  try {
    const query = { ...queryOf(asked), seen };
    return ok(await request('POST /api/settings/transfer', { body: bodyOf(asked), query, read }));
  } catch (problem) {
    return refusalOf(problem, 'The file could not be taken. Look at it again.');
  }
}
