import { plainLine } from '#texts/plainText.ts';
import { readArguments, dataFor, readToolCall, type ToolInput, toolsFor } from '../rules/tools.ts';
import type { Wire } from '#lib/contract/fields.ts';
import type { toolUse } from '../answers/answer.ts';
import {
  type ModelUsage,
  type ToolCall,
  type Model,
  type ModelAnswer,
  ModelError,
  type ModelMessage,
} from '#platform/model/model.ts';
import { answerText } from '#subjects/model/rules/modelText.ts';
import { TOKEN_LIMIT } from '#subjects/model/rules/dailyLimit.ts';
import {
  MAX_ANSWER,
  momentText,
  questionText,
  questionWithData,
  systemPrompt,
  fencedData,
} from '../rules/prompt.ts';
import type { QuestionLevel } from '../rules/question.ts';
import { nextTurn } from '#lib/turns.ts';
import { timeoutError } from '#platform/model/sentences.ts';
import type { App } from '#platform/app.ts';
import { SYDNEY } from '#lib/sydneyTime.ts';
import { newsFor } from '#market/rules/announcements.ts';
import type { ProviderInfo } from '#market/rules/stream.ts';
import {
  announcementsData,
  calendarData,
  leaderboardData,
  MAX_ANNOUNCEMENTS,
  moversData,
  quoteData,
} from '../rules/data.ts';
import { failed, ok, type Result } from '#lib/result.ts';

/** A tool call in an answer's `meta`. */
type ToolUse = Wire<typeof toolUse>;

export type Tally = {
  readonly usage: ModelUsage;
  readonly tools: readonly ToolUse[];
  spend(usage: ModelUsage): void;
  use(call: Pick<ToolCall, 'name' | 'argumentsText'>, ms: number, ok: boolean): void;
};

const MAX_NAME = 64;
const MAX_ARGUMENTS = 200;

export function createTally(): Tally {
  const usage = { promptTokens: 0, completionTokens: 0 };
  const tools: ToolUse[] = [];
  return {
    usage,
    tools,
    spend(more) {
      usage.promptTokens += more.promptTokens;
      usage.completionTokens += more.completionTokens;
    },
    use({ name, argumentsText }, ms, ok) {
      const text = plainLine(argumentsText, MAX_ARGUMENTS);
      const args = argumentsText.length <= MAX_ARGUMENTS ? (readArguments(argumentsText) ?? text) : text;
      tools.push({ name: plainLine(name, MAX_NAME), arguments: args, ms: Math.round(ms), ok });
    },
  };
}

/** Fenced data with source and time; or a sentence on why there is none. */
type ToolOutcome = Result<string, string>;

/** Adds the market source and its problem to data. */
function marketData({ source }: App, time: number, data: object): ToolOutcome {
  const { problem } = source.health();
  const from = {
    source: source.label(),
    as_of: momentText(time),
    ...(problem !== null && { problem }),
  };
  return ok(fencedData({ ...from, ...data }));
}

/** Adds a provider and its last answer to data. */
function providerData({ source }: App, info: ProviderInfo, data: object): ToolOutcome {
  const { label, lastUpdate, problem } = info;
  const lastAnswered = lastUpdate === null ? 'never' : momentText(lastUpdate);
  return ok(
    fencedData({
      source: label,
      as_of: momentText(source.clock.now()),
      ...(problem !== null && { problem, source_last_answered: lastAnswered }),
      ...data,
    }),
  );
}

function quote(app: App, symbol: string, level: QuestionLevel): ToolOutcome {
  const { market, source } = app;
  const stock = market.get(symbol);
  if (!stock) return failed(`${symbol} is not in the live list.`);
  const time = market.quoteTime(symbol) ?? source.clock.now();
  return marketData(app, time, quoteData(stock, level));
}

function movers(app: App, { scanner, limit }: Extract<ToolInput, { name: 'movers' }>): ToolOutcome {
  const { market, source } = app;
  const data = moversData({
    scanner,
    limit,
    stocks: market.all(),
    ignoreStatus: source.ignoreStatus(),
    today: market.date(),
  });
  return marketData(app, source.clock.now(), data);
}

function announcements(app: App, symbol: string): ToolOutcome {
  const { market, announcements: kept } = app;
  const info = kept.info();
  if (info === null) return failed('Announcements are switched off on this server.');
  const stock = market.get(symbol);
  const newest = kept.search({ code: symbol, limit: MAX_ANNOUNCEMENTS });
  if (!stock && newest.length === 0) return failed(`${symbol} is not in the live list.`);
  const summary = stock ? (newsFor(stock, market.date()).today?.summary ?? null) : null;
  return providerData(app, info, announcementsData(symbol, newest, summary));
}

function calendar(app: App): ToolOutcome {
  const info = app.calendar.info();
  if (info === null) return failed('The economic calendar is switched off on this server.');
  return providerData(app, info, calendarData(app.calendar.today(SYDNEY)));
}

/** Runs a checked call with the user's level. */
function runTool(app: App, input: ToolInput, level: QuestionLevel): ToolOutcome {
  switch (input.name) {
    case 'quote':
      return quote(app, input.symbol, level);
    case 'movers':
      return movers(app, input);
    case 'announcements':
      return announcements(app, input.symbol);
    case 'calendar':
      return calendar(app);
    case 'leaderboard':
      return marketData(app, app.source.clock.now(), leaderboardData(app.calls.ranks()));
  }
}

const MAX_TOOL_CALLS = 6;
/** Limit in characters of text next to tool calls, which is sent back to the model. */
const MAX_ASIDE = 1000;

const NO_ANSWER = 'The model kept requesting data and gave no answer. Rephrase your question.';

export type Run = {
  model: Model;
  question: string;
  level: QuestionLevel;
  tally: Tally;
  /** End of the time limit, ms of the monotonic clock. */
  deadline: number;
  signal: AbortSignal;
  /** @throws AppError if the answer has no valid recipient any more */
  check(): void;
};

/** Requests one answer of the model. A failure costs tokens too. */
async function complete(
  { clock }: App,
  { model, tally, deadline, signal, level, check }: Run,
  messages: readonly ModelMessage[],
  mayUseTools: boolean,
): Promise<ModelAnswer> {
  check();
  const timeoutMs = deadline - clock.monotonic();
  if (timeoutMs <= 0) throw timeoutError();
  try {
    const answer = await model.complete({
      messages,
      ...(mayUseTools && { tools: toolsFor(level) }),
      maxTokens: TOKEN_LIMIT.question,
      timeoutMs,
      signal,
    });
    tally.spend(answer.usage);
    return answer;
  } catch (error) {
    if (error instanceof ModelError) tally.spend(error.usage);
    throw error;
  }
}

/** Runs and counts one call. @returns the text for the model */
function callTool(app: App, { level, tally }: Run, call: Pick<ToolCall, 'name' | 'argumentsText'>): string {
  const begun = app.clock.monotonic();
  const done = (text: string, ok: boolean): string => {
    tally.use(call, app.clock.monotonic() - begun, ok);
    return text;
  };
  const input = readToolCall(call, level);
  if (!input.ok) return done(input.error, false);
  try {
    const outcome = runTool(app, input.value, level);
    return outcome.ok ? done(outcome.value, true) : done(outcome.error, false);
  } catch (error) {
    app.log.child('questions').error('A tool called by the model failed', { tool: input.value.name, error });
    return done('The tool failed.', false);
  }
}

/** A call to send back. Servers parse its arguments and check names, so both must be valid. */
const returned = ({ id, name, argumentsText }: ToolCall): ToolCall => ({
  id: id.slice(0, MAX_NAME),
  name: name.slice(0, MAX_NAME).replaceAll(/[^\w-]/g, '_'),
  argumentsText: JSON.stringify(readArguments(argumentsText) ?? {}),
});

function finalText({ text, finish }: ModelAnswer): string {
  const answer = answerText(text, MAX_ANSWER);
  if (answer === '') throw new ModelError('empty', 'The model gave an empty answer. Try again later.');
  return finish === 'length'
    ? `${answer}\n(The answer was cut off here because it became too long.)`
    : answer;
}

async function answerWithTools(app: App, run: Run): Promise<string> {
  const messages: ModelMessage[] = [
    {
      role: 'system',
      content: systemPrompt('tools', momentText(app.source.clock.now())),
    },
    { role: 'user', content: questionText(run.question) },
  ];
  for (;;) {
    const left = MAX_TOOL_CALLS - run.tally.tools.length;
    const answer = await complete(app, run, messages, left > 0);
    if (answer.toolCalls.length === 0) return finalText(answer);
    if (left <= 0) throw new ModelError('unusable', NO_ANSWER);
    const calls = answer.toolCalls.slice(0, left);
    const aside = answer.text.slice(0, MAX_ASIDE).toWellFormed();
    messages.push({
      role: 'assistant',
      content: aside,
      toolCalls: calls.map(returned),
    });
    for (const call of calls) {
      // Scanning the market takes some ms, so other work gets a turn.
      await nextTurn();
      const content = callTool(app, run, call);
      messages.push({
        role: 'tool',
        toolCallId: call.id.slice(0, MAX_NAME),
        content,
      });
    }
  }
}

/** Answers with model servers that lack tools: looks up what the question may concern. */
async function answerFromData(app: App, run: Run): Promise<string> {
  const { market, source } = app;
  const now = source.clock.now();
  const calls = dataFor(run.question, {
    codes: market.all(),
    level: run.level,
    now,
  });
  const data: string[] = [];
  for (const call of calls.slice(0, MAX_TOOL_CALLS)) {
    await nextTurn();
    data.push(callTool(app, run, call));
  }
  const answer = await complete(
    app,
    run,
    [
      { role: 'system', content: systemPrompt('data', momentText(now)) },
      { role: 'user', content: questionWithData(run.question, data) },
    ],
    false,
  );
  return finalText(answer);
}

/**
 * Answers a question from the tools' data.
 * @returns plain text
 * @throws ModelError; AppError if the answer has no valid recipient any more
 */
export async function answerQuestion(app: App, run: Run): Promise<string> {
  try {
    return await answerWithTools(app, run);
  } catch (error) {
    const isUntouched = run.tally.tools.length === 0;
    if (!(error instanceof ModelError) || error.kind !== 'noTools' || !isUntouched) throw error;
    return answerFromData(app, run);
  }
}
