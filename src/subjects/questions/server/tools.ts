import { SYDNEY } from '#market/rules/sydneyTime.ts';
import { newsFor } from '#market/rules/announcements.ts';
import type { ProviderInfo } from '#market/rules/stream.ts';
import { moversData, quoteData } from '../rules/marketData.ts';
import { announcementsData, calendarData, leaderboardData, MAX_ANNOUNCEMENTS } from '../rules/newsData.ts';
import { fencedData, momentText } from '../rules/prompt.ts';
import type { QuestionLevel } from '../rules/question.ts';
import type { ToolInput } from '../rules/tools.ts';
import { failed, ok, type Result } from '#lib/result.ts';
import type { ToolDeps } from './deps.ts';

/** Data with the label of their source and their time, fenced; or a sentence saying why there are none. */
export type ToolOutcome = Result<string, string>;

/** What the market's own data are from, with what is wrong with its source. */
function marketData({ source }: ToolDeps, time: number, data: object): ToolOutcome {
  const { problem } = source.health();
  const from = { source: source.label(), as_of: momentText(time), ...(problem !== null && { problem }) };
  return ok(fencedData({ ...from, ...data }));
}

/** What a provider's data are from: what is known now, unless it has stopped answering. */
function providerData({ source }: ToolDeps, info: ProviderInfo, data: object): ToolOutcome {
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

function quote(deps: ToolDeps, symbol: string, level: QuestionLevel): ToolOutcome {
  const { market, source } = deps;
  const stock = market.get(symbol);
  if (!stock) return failed(`${symbol} is not in the live list.`);
  const time = market.quoteTime(symbol) ?? source.clock.now();
  return marketData(deps, time, quoteData(stock, level));
}

function movers(deps: ToolDeps, { scanner, limit }: Extract<ToolInput, { name: 'movers' }>): ToolOutcome {
  const { market, source } = deps;
  const data = moversData({
    scanner,
    limit,
    stocks: market.all(),
    ignoreStatus: source.ignoreStatus(),
    today: market.date(),
  });
  return marketData(deps, source.clock.now(), data);
}

function announcements(deps: ToolDeps, symbol: string): ToolOutcome {
  const { market, announcements: kept } = deps;
  const info = kept.info();
  if (info === null) return failed('Announcements are switched off on this server.');
  const stock = market.get(symbol);
  const newest = kept.search({ code: symbol, limit: MAX_ANNOUNCEMENTS });
  if (!stock && newest.length === 0) return failed(`${symbol} is not in the live list.`);
  const summary = stock ? (newsFor(stock, market.date()).today?.summary ?? null) : null;
  return providerData(deps, info, announcementsData(symbol, newest, summary));
}

function calendar(deps: ToolDeps): ToolOutcome {
  const info = deps.calendar.info();
  if (info === null) return failed('The economic calendar is switched off on this server.');
  return providerData(deps, info, calendarData(deps.calendar.today(SYDNEY)));
}

/** Does what a checked call asks for, as far as the level may see it. */
export function runTool(deps: ToolDeps, input: ToolInput, level: QuestionLevel): ToolOutcome {
  switch (input.name) {
    case 'quote':
      return quote(deps, input.symbol, level);
    case 'movers':
      return movers(deps, input);
    case 'announcements':
      return announcements(deps, input.symbol);
    case 'calendar':
      return calendar(deps);
    case 'leaderboard':
      return marketData(deps, deps.source.clock.now(), leaderboardData(deps.calls.ranks()));
  }
}
