import { OVERNIGHT } from '#market/rules/overnight.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { changeText } from '#subjects/marketOverview/rules/overviewText.ts';
import { formatNumber, formatTime } from '#texts/format.ts';
import { plainLine } from '#texts/plainText.ts';
import { type Brief, HALT_TEXTS } from './brief.ts';

const MAX_LINE = 280;
const MAX_STOCKS = 4;
const MAX_HEADLINE = 50;
const PAGE = '#/brief';

const NAMES = new Map(OVERNIGHT.map(({ id, name }) => [id, name]));

const gapText = ({ code, gap }: { code: string; gap: number | null }): string =>
  gap === null ? code : `${code} ${changeText(gap)}`;

/** 'Halts: ABC halted; 3 more', or nothing for none. */
function line(label: string, items: readonly string[], count = items.length): string[] {
  if (items.length === 0) return [];
  const more = count - Math.min(items.length, MAX_STOCKS);
  const text = items.slice(0, MAX_STOCKS).join('; ');
  return [plainLine(`${label}: ${text}${more > 0 ? `; ${more} more` : ''}`, MAX_LINE)];
}

/** Figures of other markets in one line: 'SPI 200 +0.35%'. */
export const overnightTexts = (figures: Brief['overnight']): string[] =>
  figures.map(({ id, change }) => `${NAMES.get(id) ?? id} ${changeText(change)}`);

function titleOf({ gaps }: Brief): string {
  if (gaps === null) return 'Morning brief';
  return `Morning brief: ${formatNumber(gaps.up, 0)} gap up, ${formatNumber(gaps.down, 0)} down`;
}

/** @param source.problem why prices are old; null if they are not */
export function briefMessage(
  brief: Brief,
  source: { label: string; problem: string | null },
  publicUrl: string | null,
): ChatMessage {
  const { at, overnight, lists, announcements, announcementCount, halts, flips, events } = brief;
  const coming = events.filter(({ time }) => time === null || time >= at);
  const headline = (text: string): string => plainLine(text, MAX_HEADLINE);
  return {
    title: titleOf(brief),
    lines: [
      ...(source.problem === null ? [] : [plainLine(source.problem, MAX_LINE)]),
      ...(overnight.length > 0 ? [overnightTexts(overnight).join(' · ')] : []),
      ...line(
        'My lists',
        lists.map((one) => [gapText(one), ...one.news.slice(0, 1).map(headline)].join(', ')),
      ),
      ...line(
        'Announcements',
        announcements.map((one) => `${gapText(one)}, ${headline(one.headline)}`),
        announcementCount,
      ),
      ...line(
        'Halts',
        halts.map(({ code, kind }) => `${code} ${HALT_TEXTS[kind].toLowerCase()}`),
      ),
      ...line(
        'Events of HIGH impact',
        coming.map(({ time, currency, name }) =>
          [time === null ? '' : formatTime(time), currency, headline(name)]
            .filter((part) => part !== '')
            .join(' '),
        ),
      ),
      ...line(
        'Surplus flips',
        // The brief has only the largest, so the number of all is unknown.
        flips.slice(0, MAX_STOCKS).map((flip) => `${gapText(flip)} to ${flip.side}`),
      ),
      `Prices: ${plainLine(source.label, MAX_HEADLINE)}. Times are in Sydney time.`,
    ],
    link: publicUrl === null ? null : { text: 'Open the brief', url: `${publicUrl}/${PAGE}` },
    page: PAGE,
    buttons: [],
  };
}
