import type { Config } from '#src/config/config.ts';
import { doubtful, type Finding, good } from '#lib/finding.ts';
import type { Probe } from '#lib/httpClient/probe.ts';
import { parseJson } from '#lib/json.ts';
import { readLine, readList, readRecord } from '#lib/read.ts';
import { baseUrl } from '#platform/model/index.ts';

const WHAT = 'Model';
const TIMEOUT_MS = 15_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_NAME = 200;

function readModels(text: string, model: string): Finding {
  const parsed = parseJson(text);
  const names = readList(readRecord(parsed.ok ? parsed.value : null).data, (entry) =>
    readLine(readRecord(entry).id, MAX_NAME),
  );
  if (names.length === 0) return good(WHAT, 'The server of the model answers; it does not list its models.');
  // Some servers leave out what stands for the newest of a name.
  if (names.some((name) => name === model || name === `${model}:latest` || name.endsWith(`/${model}`))) {
    return good(WHAT, `The server of the model answers and has ${model}.`);
  }
  return doubtful(
    WHAT,
    `The server of the model answers, but ${model} is not among its ${names.length} models.`,
    `Set BELLBIRD_AI_MODEL to one that it has, such as ${names[0]}.`,
  );
}

/** Asks the server of the model which ones it has, which costs nothing; none where no model is set. */
export function modelProbes({ ai: { url, key, model } }: Config): Probe[] {
  if (url === null || model === null) return [];
  return [
    {
      what: WHAT,
      tries: 'Asks which models there are.',
      who: 'The server of the model',
      request: {
        method: 'GET',
        url: `${baseUrl(url)}/models`,
        endpoint: 'model/models',
        headers: { accept: 'application/json', ...(key !== null && { authorization: `Bearer ${key}` }) },
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
      },
      read: (text) => readModels(text, model),
      whenRefused: (status) =>
        status === 401 || status === 403
          ? 'The key is not taken: set BELLBIRD_AI_KEY to one that the server knows.'
          : status === 404
            ? 'Compare BELLBIRD_AI_URL with what the server’s own manual gives as its base address.'
            : null,
    },
  ];
}
