import { readCount, readList, readRecord, readText } from '../../../lib/read.ts';
import { readAnswer } from '../../../../web/api/client.ts';

/** What the model answered, and what it took. */
export type AiResponse = {
  response: string;
  /** Each as a name and its value. */
  meta: { name: string; value: string }[];
};

const count = (value: number): string => value.toLocaleString('en-AU');

function toolText(value: unknown): string | null {
  const { name, ms, ok } = readRecord(value);
  const known = readText(name);
  if (known === null) return null;
  const took = readCount(ms);
  return `${known}${took === null ? '' : ` (${count(took)} ms)`}${ok === false ? ' failed' : ''}`;
}

/** POST /admin/askai. What the server says nothing of is left out. */
export function readResponse(body: unknown): AiResponse {
  const answer = readAnswer(body);
  const meta = readRecord(answer['meta']);
  const [model, level, ms] = [readText(meta['model']), readCount(meta['level']), readCount(meta['ms'])];
  const [prompt, completion] = [readCount(meta['promptTokens']), readCount(meta['completionTokens'])];
  const tools = readList(meta['tools'], toolText);
  const shown: [string, string | null][] = [
    ['Model', model],
    ['Access level', level === null ? null : String(level)],
    [
      'Tokens',
      prompt === null || completion === null ? null : `${count(prompt)} in, ${count(completion)} out`,
    ],
    ['Time', ms === null ? null : `${count(ms)} ms`],
    ['Tools', tools.length === 0 ? null : tools.join(', ')],
  ];
  return {
    response: readText(answer['response']) ?? '',
    meta: shown.flatMap(([name, value]) => (value === null ? [] : [{ name, value }])),
  };
}
