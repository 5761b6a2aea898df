import { addressRanges, origins } from '../../src/configParse.ts';
import { accountKey } from '../../src/subjects/accounts/rules/accountRules.ts';
import { payloadKey } from '../../src/subjects/alerts/rules/alertDraft.ts';
import { plainLine } from '../../src/subjects/alerts/rules/plainText.ts';
import { keptAnnouncement } from '../../src/subjects/announcements/rules/keptAnnouncement.ts';
import { hasWords, wantedWords } from '../../src/subjects/announcements/rules/searchWords.ts';
import { checkRationale, cleanRationale } from '../../src/subjects/calls/rules/rationale.ts';
import { broadcastMessage } from '../../src/admin/channels/rules/broadcast.ts';
import { parseClosures } from '../../src/admin/closures/rules/closuresSetting.ts';
import { answerReply } from '../../src/subjects/chats/rules/linkReplies.ts';
import { readCommand } from '../../src/subjects/chats/rules/chatCommand.ts';
import { unknownCodeReply } from '../../src/subjects/chats/rules/stockReplies.ts';
import { parseMetainfo } from '../../src/market/indicators/rules/metainfo.ts';
import { pickGroups } from '../../src/market/indicators/rules/picker.ts';
import { builtInCatalog } from '../../src/market/indicators/rules/builtInCatalog.ts';
import { matchSymbols, searchSymbols } from '../../src/market/rules/symbolSearch.ts';
import { answerText } from '../../src/subjects/model/rules/answerText.ts';
import { plainText } from '../../src/subjects/model/rules/plainText.ts';
import { summaryText } from '../../src/subjects/model/rules/summaryText.ts';
import { namedCodes } from '../../src/subjects/questions/rules/guess.ts';
import { callerAddress } from '../../src/platform/http/connections.ts';
import { readSums } from '../../src/platform/install/server/releaseManifest.ts';
import { lastPrinted } from '../../src/platform/install/server/runCommand.ts';
import { forwardedAddress, isAddressRange } from '../../src/lib/addressRanges.ts';
import { parseQuantity } from '../../src/lib/quantity.ts';
import { wordsOf } from '../../src/lib/text.ts';
import { compareNames, normalised } from '../../src/lib/unicode.ts';
import { formulaOf } from '../../src/market/indicators/formulas/index.ts';
import { discordContent } from '../../src/platform/discord/content.ts';
import { readEvent } from '../../src/platform/discord/readEvent.ts';
import { fitted } from '../../src/platform/chatClients/messageText.ts';
import { readUpdate } from '../../src/platform/telegram/readUpdate.ts';
import { readItem } from '../../src/sources/announcements/asx/item.ts';
import { readFigure } from '../../src/sources/calendar/forexFactory/week.ts';

const catalog = builtInCatalog();
/** One for each name of a first parameter: the others only do the same once more, which adds up. */
const familiesByParam = [
  ...new Map(Object.values(catalog.indicators).map((one) => [one.params[0]?.name, one])).values(),
];
const message = (text: string) => ({ title: text, lines: [text], link: null, buttons: [] });
const person = { id: 1, first_name: 'A' };
const pick = { indicators: catalog.indicators, fields: catalog.fields, offersCustom: true };

/** What somebody outside writes, and the function that looks at it: each is measured on hostile texts. */
export const FROM_OUTSIDE: Readonly<Record<string, (text: string) => unknown>> = {
  'src/configParse.ts addressRanges': addressRanges,
  'src/configParse.ts origins': origins,
  'src/subjects/accounts/rules/accountRules.ts accountKey': accountKey,
  'src/subjects/alerts/rules/plainText.ts plainLine': (text) => plainLine(text, 80),
  'src/subjects/alerts/rules/alertDraft.ts sorted': (text) =>
    payloadKey({
      ...{
        name: text,
        persistent: false,
        note: null,
        expires_at: null,
        event_guard: null,
        ...{ cooldown_minutes: 1, urgent: false, group: null, sound: null },
        destinations: { telegram: false, discord: false, devices: [] },
      },
      ...{ symbol: 'BHP', logic_json: JSON.parse(JSON.stringify({ op: text, conditions: [] })) as never },
    }),
  'src/subjects/announcements/rules/keptAnnouncement.ts line': (text) =>
    keptAnnouncement(
      {
        ...{ id: 'a', code: 'BHP', headline: text, time: 1, url: text, document: text },
        ...{ announcementTypes: [text], isPriceSensitive: false },
      },
      1,
    ),
  'src/subjects/announcements/rules/searchWords.ts searchWords': (text) =>
    hasWords(['quarterly', 'report'], wantedWords(text)),
  'src/subjects/calls/rules/rationale.ts cleanRationale': (text) => [
    cleanRationale(text),
    checkRationale(text),
  ],
  'src/admin/channels/rules/broadcast.ts broadcastMessage': broadcastMessage,
  'src/admin/closures/rules/closuresSetting.ts parseClosures': parseClosures,
  'src/subjects/chats/rules/linkReplies.ts answerReply': answerReply,
  'src/subjects/chats/rules/chatCommand.ts readCommand': (text) => readCommand(`/price ${text}`),
  'src/subjects/chats/rules/stockReplies.ts suggestions': (text) =>
    unknownCodeReply(text, new Map([['BHP', 1]])),
  'src/market/indicators/rules/metainfo.ts byNumbers': (text) =>
    parseMetainfo({ fields: [{ n: `EMA${text}`, t: 'number' }] }),
  'src/market/indicators/rules/picker.ts rank': (text) => pickGroups(pick as never, text),
  'src/market/rules/symbolSearch.ts matchSymbols': (text) => matchSymbols(text, [text, 'BHP', text]),
  'src/market/rules/symbolSearch.ts searchSymbols': (text) =>
    searchSymbols(text, new Map([['BHP', { name: 'BHP Group Limited' }]])),
  'src/subjects/model/rules/answerText.ts answerText': (text) => answerText(text, 2000),
  'src/subjects/model/rules/answerText.ts shortened': (text) => answerText(text, 500),
  'src/subjects/model/rules/plainText.ts plainText': (text) => plainText(text),
  'src/subjects/model/rules/summaryText.ts summaryText': (text) => summaryText(text, 'a mark'),
  'src/subjects/questions/rules/guess.ts namedCodes': (text) => namedCodes(text, new Set(['BHP'])),
  'src/platform/http/connections.ts callerAddress': (text) => callerAddress('127.0.0.1', text),
  'src/platform/install/server/releaseManifest.ts readSums': readSums,
  'src/platform/install/server/runCommand.ts lastPrinted': (text) => lastPrinted(text),
  'src/lib/addressRanges.ts parseRange': (text) => [isAddressRange(text), forwardedAddress(text)],
  'src/lib/numericInput.ts plainDigits': parseQuantity,
  'src/lib/text.ts wordsOf': wordsOf,
  'src/lib/unicode.ts compareNames': (text) => compareNames(text, `${text.slice(0, -1)}\u0317`),
  'src/lib/unicode.ts normalised': (text) =>
    (['NFC', 'NFKC', 'NFKD'] as const).map((form) => normalised(text, form)),
  'src/market/indicators/formulas/index.ts lengthsOf': (text) =>
    familiesByParam.map((family) => formulaOf(family, { length: text, lengths: text })),
  'src/platform/discord/content.ts fittedMarkdown': (text) =>
    discordContent(message(text), { mayRepeat: true }),
  'src/platform/discord/readEvent.ts readShown': (text) =>
    readEvent('INTERACTION_CREATE', {
      ...{ id: '1'.repeat(18), application_id: '1'.repeat(18), token: 'a', type: 3 },
      ...{ user: { id: '1'.repeat(18) }, data: { custom_id: 'off:1' }, message: { content: text } },
    }),
  'src/platform/chatClients/messageText.ts fitted': (text) => fitted(text, 4096),
  'src/platform/telegram/readUpdate.ts addressedText': (text) =>
    readUpdate(
      { update_id: 1, message: { message_id: 1, chat: { id: -1, type: 'group' }, from: person, text } },
      'bot',
    ),
  'src/platform/telegram/readUpdate.ts readShown': (text) =>
    readUpdate(
      {
        update_id: 1,
        callback_query: {
          ...{ id: '1', from: person, data: 'off:1' },
          message: { message_id: 1, chat: { id: 1, type: 'private' }, text },
        },
      },
      'bot',
    ),
  'src/sources/announcements/asx/item.ts inTitleCase': (text) =>
    readItem(
      { documentKey: text, headline: text, date: '2026-01-01T00:00:00Z', announcementType: text },
      { base: 'https://example.com/', code: 'BHP', now: 1 },
    ),
  'src/sources/calendar/forexFactory/week.ts readFigure': readFigure,
};

/** Lists whose entries the server made or checked, each with what bounds it; and texts of this program and its maker. */
export const BOUNDED: Readonly<Record<string, string>> = {
  'src/subjects/glance/rules/book.ts GlanceBook': 'the sectors of a market, some dozens, by their sums',
  'src/subjects/glance/rules/mapLayout.ts membersOf': 'twelve codes of each of some dozens of sectors',
  'src/subjects/glance/rules/dayNews.ts newsDates': 'the few dates of a market’s records',
  'src/subjects/glance/rules/dayNews.ts filteredNews':
    'in a browser: a day’s announcements, 50 a stock, by ISO times',
  'src/subjects/glance/rules/dayNews.ts newsTypes':
    'in a browser: the types of a day’s announcements by their number',
  'src/subjects/glance/server/pastCurves.ts dayTotals': 'the listed stocks, by numbers',
  'src/dataFolder.ts traceOfData': 'the backups in the folder',
  'src/subjects/conditions/rules/scanFields.ts scannerOfField': 'at the first blank of a key only',
  'src/platform/db/figures.ts rowsAtMost': 'the tables of the database',
  'src/platform/db/migrations.ts readMigrations': 'the migrations in the repository',
  'src/subjects/accounts/rules/lookalikes.ts isOfTheHouse':
    'a username, of which the length was looked at first',
  'src/subjects/accounts/rules/nameRules.ts FOREIGN_LETTERS': 'the scripts in the program',
  'src/subjects/announcements/rules/stockNews.ts announcementToSummarise':
    'the days of a stock that are kept',
  'src/subjects/announcements/rules/stockNews.ts byDate': 'the announcements of a stock that are kept',
  'src/admin/backups/rules/keptBackups.ts surplusBackups': 'the backups in the folder',
  'src/subjects/calendar/rules/days.ts eventsOn': 'the events of a few days, by time',
  'src/subjects/alerts/rules/alertDraft.ts guardKey': 'nine currencies',
  'src/subjects/calendar/rules/marketMoves.ts largestOf': 'the listings of the market, by number and code',
  'src/subjects/calendar/server/memory/moveStore.ts MoveStore': 'fifty codes that the server wrote itself',
  'src/subjects/calendar/rules/nextEvent.ts highImpactSoon': 'the events of a few days, by time',
  'src/subjects/calls/rules/callFormat.ts formatAlike': 'prices that were written here',
  'src/subjects/calls/rules/leaderboardRank.ts sortByBound': 'those with a rank, by numbers',
  'src/subjects/calls/server/ledger/pages.ts marketTimesOf':
    'a line of the ledger that the server wrote, at most 600 bytes',
  'src/subjects/calls/rules/leaderboardRank.ts rankSubmitters':
    'submitters, by figures and names of at most 50 characters',
  'src/subjects/calls/rules/record.ts resultStats': 'months with a result',
  'src/admin/channels/rules/dailySummary.ts topMovers': 'codes of the market',
  'src/texts/format.ts formatShortDate': 'a date of ours',
  'src/texts/format.ts sizeText': 'a number as text',
  'src/market/indicators/rules/builtInCatalog.ts plain': 'the names in the program',
  'src/market/indicators/rules/builtInCatalog.ts spec': 'the values in the program',
  'src/market/indicators/rules/picker.ts familyItems': 'the families of the catalog, in the browser',
  'src/market/indicators/rules/metainfo.ts orderValues': 'the values of a family of the list of a source',
  'src/market/rules/announcements.ts itemsOf': 'the announcements of a stock on a day',
  'src/market/rules/announcements.ts previousNews': 'the days of a stock that are kept',
  'src/market/rules/holidays.ts holidaysByRule': 'the holidays of a year',
  'src/subjects/questions/rules/marketData.ts moversData': 'the stocks of a scanner',
  'src/subjects/scanners/rules/tape/tapeTables.ts inRankOrder':
    'the rows of a table, by one number and the code',
  'src/subjects/alerts/server/store.ts newestIds': 'twice as many triggers as a page has, by time',
  'src/apiDocs/page.ts introduction': 'the words of the API document',
  'src/subjects/stock/server/bars/service.ts Bars': 'codes of at most MAX_DAY_LINES * 12 characters',
  'src/subjects/calls/server/leaderboard.ts Leaderboard': 'names of sources',
  'src/subjects/calls/server/marketTimes.ts MarketTimes': 'runs of sources, by time',
  'src/subjects/calls/server/marketTimes.ts readCourses': 'runs of sources, by time',
  'src/subjects/calls/server/records.ts Records': 'the sources of one submitter',
  'src/admin/endpoints/server/service.ts EndpointCalls': 'the days and endpoints that are kept',
  'src/admin/logs/server/read.ts linesOf': 'a piece of a log, of a bounded size',
  'src/subjects/questions/server/tools.ts announcements': 'a search of ours',
  'src/admin/recordings/server/folder.ts RecordingFolder': 'at most MAX_LISTED recordings',
  'src/subjects/announcements/server/summaries/document.ts createDocumentReader':
    'the 20,000 characters that are read of a PDF',
  'src/subjects/announcements/server/summaries/write.ts headlines':
    'the announcements of a stock on two days',
  'src/subjects/scanners/server/tape/reading.ts TapeReading': 'the days of the tape that are kept',
  'src/platform/http/connections.ts createConnections': 'the first entry of a header of at most 16 KB',
  'src/platform/http/localFiles.ts namesOf':
    'an address of at most 16 KB, of which each sign is looked at once',
  'src/admin/support/server/contents.ts checkLine': 'a sentence of the check',
  'src/admin/support/server/contents.ts metrics': 'the figures of a server, at most 4 MB',
  'src/admin/support/server/data.ts lastLogLines': 'the last bytes of two log files',
  'src/admin/support/server/logLines.ts plain': '500 characters of a log line',
  'src/admin/support/server/logLines.ts keptFacts':
    '20,000 characters of a log line, by a pattern of limited repeats',
  'src/admin/support/server/logLines.ts harmlessLine':
    '20,000 characters of a log line, by a pattern of limited repeats',
  'src/platform/install/service/installService.ts sayLink': 'what the journal has of one start',
  'src/subjects/transfer/server/index.ts choiceOf': 'a member of a query of at most 200 characters',
  'src/platform/http/requestBody.ts isJson': 'the first part of a header of at most 16 KB',
  'src/platform/install/shared/checkoutMove.ts git': 'what git printed',
  'src/platform/install/launcher/outputTail.ts createOutputTail':
    'a piece of a pipe and at most 500 characters before it',
  'src/platform/install/server/candidate.ts readReport': 'what the candidate printed, cut short',
  'src/platform/install/server/checkoutState.ts commitsBetween': 'what git printed',
  'src/platform/install/server/checkoutState.ts forwardTo': 'what git printed',
  'src/platform/install/server/checkoutState.ts refuseDirty': 'what git printed',
  'src/platform/install/shared/room.ts machineRoom': 'what the kernel says of the memory',
  'src/lib/addressRanges.ts createAddressRanges': 'an address that was parsed',
  'src/lib/logging.ts logOfProcess': 'a name of a logger in the program',
  'src/relays/engine/problems.ts refusal': 'the first characters of what the engine said',
  'src/relays/engine/reports.ts Reports': 'the ids of relays',
  'src/relays/relay/primaryClient.ts passedOn': 'a header of at most 16 KB',
  'src/relays/relay/publicAnswers.ts isKeepable': 'a header of the primary of at most 16 KB',
  'src/platform/discord/client.ts pathOf': 'an address that the program made',
  'src/market/recording/recorder.ts Recorder': 'the stocks that changed',
  'src/sources/quotes/simulator/auctions.ts collect': 'an order book, not a text',
  'src/sources/quotes/simulator/listings.ts createListings': 'the listings in the program',
  'src/sources/quotes/simulator/listings.ts readReal': 'the listings in the program',
  'src/market/stream/firstPart.ts topOf': 'the stocks of a scanner, by rank',
};
