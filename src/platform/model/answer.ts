import { isRecord, type JsonRecord } from '#lib/json.ts';
import { readCount, readRecord } from '#lib/read.ts';
import { type ModelAnswer, ModelError, type ModelUsage, type ToolCall } from './model.ts';
import { unusableError } from './sentences.ts';

/** A model calls a handful of tools per answer. */
const MAX_TOOL_CALLS = 32;

/** No request costs more. Larger counts would corrupt a user's total. */
const MAX_TOKENS = 10_000_000;

const CHARACTERS_A_TOKEN = 4;

/** Estimated if the server does not report the usage. */
export const estimatedUsage = (promptLength: number, answerLength = 0): ModelUsage => ({
  promptTokens: Math.ceil(promptLength / CHARACTERS_A_TOKEN),
  completionTokens: Math.ceil(answerLength / CHARACTERS_A_TOKEN),
});

const CUT_BEFORE_ANSWER = 'The model reached its length limit before it wrote an answer.';
const EMPTY = 'The model gave an empty answer. Try again later.';

type Call = ToolCall & { place: number };

type Collected = {
  text: string;
  calls: Call[];
  refusal: string;
  finish: string | null;
  usage: ModelUsage | null;
  choices: number;
};

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isRecord(part) && typeof part['text'] === 'string' ? part['text'] : ''))
    .join('');
}

/** Adds a piece of a tool call. Pieces of one call share its index, unless another ID begins. */
function addCall(calls: Call[], chunk: unknown): void {
  if (!isRecord(chunk)) return;
  const { name, arguments: argumentsPiece } = readRecord(chunk['function']);
  const id = typeof chunk['id'] === 'string' ? chunk['id'] : '';
  const place = readCount(chunk['index']) ?? calls.length;
  const argumentsText =
    typeof argumentsPiece === 'string'
      ? argumentsPiece
      : JSON.stringify(argumentsPiece ?? '').slice(0, 10_000);
  const known = calls.findLast((call) => call.place === place);
  const isOther = known !== undefined && id !== '' && known.id !== id && typeof name === 'string';
  if (known && !isOther) {
    known.argumentsText += typeof argumentsPiece === 'string' ? argumentsPiece : '';
    if (known.name === '' && typeof name === 'string') known.name = name;
    return;
  }
  calls.push({
    place,
    id: id === '' ? `call_${calls.length}` : id,
    name: typeof name === 'string' ? name : '',
    argumentsText: argumentsPiece === undefined ? '' : argumentsText,
  });
}

function readTokens(value: unknown): number | null {
  const count = readCount(value);
  return count !== null && count <= MAX_TOKENS ? count : null;
}

function readUsage(usage: unknown): ModelUsage | null {
  if (!isRecord(usage)) return null;
  const promptTokens = readTokens(usage['prompt_tokens']);
  const completionTokens = readTokens(usage['completion_tokens']);
  if (promptTokens === null && completionTokens === null) return null;
  return { promptTokens: promptTokens ?? 0, completionTokens: completionTokens ?? 0 };
}

/** Some servers put the choice into the same piece as the usage, some send the usage with every piece. */
function addChunk(collected: Collected, chunk: JsonRecord): void {
  collected.usage = readUsage(chunk['usage']) ?? collected.usage;
  const choice = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined;
  if (!isRecord(choice)) return;
  collected.choices += 1;
  const message = readRecord(choice['delta'] ?? choice['message']);
  collected.text += contentText(message['content']);
  collected.refusal += contentText(message['refusal']);
  if (Array.isArray(message['tool_calls'])) {
    for (const call of message['tool_calls'].slice(0, MAX_TOOL_CALLS + 1)) addCall(collected.calls, call);
  }
  if (typeof choice['finish_reason'] === 'string') collected.finish = choice['finish_reason'];
}

/** Removes the thoughts that local servers send before the answer. Some templates send only their end. */
function withoutThoughts(text: string): string {
  const trimmed = text.trim();
  const end = trimmed.indexOf('</think>');
  if (end === -1) return trimmed.startsWith('<think>') ? '' : trimmed;
  return trimmed.slice(end + '</think>'.length).trim();
}

/** Collects an answer piece by piece. A complete answer may be a single piece. */
export class AnswerReader {
  readonly #collected: Collected = {
    text: '',
    calls: [],
    refusal: '',
    finish: null,
    usage: null,
    choices: 0,
  };

  constructor(private readonly promptLength: number) {}

  usage(): ModelUsage {
    const { text, calls, usage } = this.#collected;
    const written = text.length + calls.reduce((sum, call) => sum + call.argumentsText.length, 0);
    return usage ?? estimatedUsage(this.promptLength, written);
  }

  add(chunk: unknown): void {
    if (!isRecord(chunk)) throw unusableError();
    addChunk(this.#collected, chunk);
    if (this.#collected.calls.length > MAX_TOOL_CALLS) throw unusableError(this.usage());
  }

  /** The complete answer. @throws ModelError if the server did not report its end, or it contains nothing */
  finish(): Omit<ModelAnswer, 'durationMs'> {
    const { finish, refusal, calls, choices, ...collected } = this.#collected;
    if (choices === 0) throw unusableError(collected.usage ?? undefined);
    if (finish === null)
      throw this.#failure('cutOff', 'The answer was cut off during the transfer. Try again later.');
    if (finish === 'content_filter') {
      throw this.#failure('refused', 'The model server’s content filter blocked the answer.');
    }
    const text = withoutThoughts(collected.text);
    if (refusal.trim() !== '' && text === '') throw this.#failure('refused', 'The model declined to answer.');
    const isCut = finish === 'length';
    // The arguments of a call are incomplete after a cut.
    const named = isCut ? [] : calls.filter(({ name }) => name !== '');
    if (text === '' && named.length === 0) throw this.#failure('empty', isCut ? CUT_BEFORE_ANSWER : EMPTY);
    return {
      text,
      toolCalls: named.map(({ id, name, argumentsText }) => ({ id, name, argumentsText })),
      finish: named.length > 0 ? 'toolCalls' : isCut ? 'length' : 'stop',
      usage: this.usage(),
    };
  }

  #failure(kind: ModelError['kind'], message: string): ModelError {
    return new ModelError(kind, message, this.usage());
  }
}
