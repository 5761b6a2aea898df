import { addressRanges } from '../../src/configParse.ts';
import { accountKey } from '../../src/domain/accounts/accountRules.ts';
import { payloadKey } from '../../src/domain/alerts/alertDraft.ts';
import { plainLine } from '../../src/domain/alerts/plainText.ts';
import { keptAnnouncement } from '../../src/domain/announcements/keptAnnouncement.ts';
import { hasWords, wantedWords } from '../../src/domain/announcements/searchWords.ts';
import { checkRationale, cleanRationale } from '../../src/domain/calls/rationale.ts';
import { broadcastMessage } from '../../src/domain/channels/broadcast.ts';
import { answerReply } from '../../src/domain/chats/askReplies.ts';
import { readCommand } from '../../src/domain/chats/chatCommand.ts';
import { unknownCodeReply } from '../../src/domain/chats/stockReplies.ts';
import { parseMetainfo } from '../../src/domain/indicators/metainfo.ts';
import { pickGroups } from '../../src/domain/indicators/picker.ts';
import { builtInCatalog } from '../../src/domain/indicators/builtInCatalog.ts';
import { matchSymbols, searchSymbols } from '../../src/domain/market/symbolSearch.ts';
import { answerText } from '../../src/domain/model/answerText.ts';
import { plainText } from '../../src/domain/model/plainText.ts';
import { summaryText } from '../../src/domain/model/summaryText.ts';
import { namedCodes } from '../../src/domain/questions/guess.ts';
import { callerAddress } from '../../src/http/connections.ts';
import { readSums } from '../../src/install/update/releaseManifest.ts';
import { lastPrinted } from '../../src/install/update/runCommand.ts';
import { forwardedAddress, isAddressRange } from '../../src/lib/addressRanges.ts';
import { parseQuantity } from '../../src/lib/quantity.ts';
import { wordsOf } from '../../src/lib/text.ts';
import { compareNames, normalised } from '../../src/lib/unicode.ts';
import { formulaOf } from '../../src/market/indicators/formulas/index.ts';
import { discordContent } from '../../src/outbound/discord/content.ts';
import { readEvent } from '../../src/outbound/discord/readEvent.ts';
import { fitted } from '../../src/outbound/messageText.ts';
import { readUpdate } from '../../src/outbound/telegram/readUpdate.ts';
import { readItem } from '../../src/sources/announcements/asx/item.ts';
import { readFigure } from '../../src/sources/calendar/forexFactory/figure.ts';

const catalog = builtInCatalog();
const message = (text: string) => ({ title: text, lines: [text], link: null, buttons: [] });
const person = { id: 1, first_name: 'A' };
const pick = { indicators: catalog.indicators, fields: catalog.fields, offersCustom: true };

/** What somebody outside writes, and the function that looks at it: each is measured on hostile texts. */
export const FROM_OUTSIDE: Readonly<Record<string, (text: string) => unknown>> = {
  'src/configParse.ts addressRanges': addressRanges,
  'src/domain/accounts/accountRules.ts accountKey': accountKey,
  'src/domain/alerts/plainText.ts plainLine': (text) => plainLine(text, 80),
  'src/domain/alerts/alertDraft.ts sorted': (text) =>
    payloadKey({
      ...{
        name: text,
        persistent: false,
        note: null,
        expires_at: null,
        destinations: { telegram: false, discord: false },
      },
      ...{ symbol: 'BHP', logic_json: JSON.parse(JSON.stringify({ op: text, conditions: [] })) as never },
    }),
  'src/domain/announcements/keptAnnouncement.ts line': (text) =>
    keptAnnouncement(
      {
        ...{ id: 'a', code: 'BHP', headline: text, time: 1, url: text, document: text },
        ...{ announcementTypes: [text], isPriceSensitive: false },
      },
      1,
    ),
  'src/domain/announcements/searchWords.ts searchWords': (text) =>
    hasWords(['quarterly', 'report'], wantedWords(text)),
  'src/domain/calls/rationale.ts cleanRationale': (text) => [cleanRationale(text), checkRationale(text)],
  'src/domain/channels/broadcast.ts broadcastMessage': broadcastMessage,
  'src/domain/chats/askReplies.ts answerReply': answerReply,
  'src/domain/chats/chatCommand.ts readCommand': (text) => readCommand(`/price ${text}`),
  'src/domain/chats/stockReplies.ts suggestions': (text) => unknownCodeReply(text, new Map([['BHP', 1]])),
  'src/domain/indicators/metainfo.ts byNumbers': (text) =>
    parseMetainfo({ fields: [{ n: `EMA${text}`, t: 'number' }] }),
  'src/domain/indicators/picker.ts rank': (text) => pickGroups(pick as never, text),
  'src/domain/market/symbolSearch.ts matchSymbols': (text) => matchSymbols(text, [text, 'BHP', text]),
  'src/domain/market/symbolSearch.ts searchSymbols': (text) =>
    searchSymbols(text, new Map([['BHP', { name: 'BHP Group Limited' }]])),
  'src/domain/model/answerText.ts answerText': (text) => answerText(text, 2000),
  'src/domain/model/answerText.ts shortened': (text) => answerText(text, 500),
  'src/domain/model/plainText.ts plainText': (text) => plainText(text),
  'src/domain/model/summaryText.ts summaryText': (text) => summaryText(text, 'a mark'),
  'src/domain/questions/guess.ts namedCodes': (text) => namedCodes(text, new Set(['BHP'])),
  'src/http/connections.ts callerAddress': (text) => callerAddress('127.0.0.1', text),
  'src/install/update/releaseManifest.ts readSums': readSums,
  'src/install/update/runCommand.ts lastPrinted': (text) => lastPrinted(text),
  'src/lib/addressRanges.ts parseRange': (text) => [isAddressRange(text), forwardedAddress(text)],
  'src/lib/quantity.ts isDecimal': parseQuantity,
  'src/lib/text.ts wordsOf': wordsOf,
  'src/lib/unicode.ts compareNames': (text) => compareNames(text, `${text.slice(0, -1)}\u0317`),
  'src/lib/unicode.ts normalised': (text) =>
    (['NFC', 'NFKC', 'NFKD'] as const).map((form) => normalised(text, form)),
  'src/market/indicators/formulas/index.ts lengthsOf': (text) =>
    Object.values(catalog.indicators).map((family) => formulaOf(family, { length: text, lengths: text })),
  'src/outbound/discord/content.ts fittedMarkdown': (text) =>
    discordContent(message(text), { mayRepeat: true }),
  'src/outbound/discord/readEvent.ts readShown': (text) =>
    readEvent('INTERACTION_CREATE', {
      ...{ id: '1'.repeat(18), application_id: '1'.repeat(18), token: 'a', type: 3 },
      ...{ user: { id: '1'.repeat(18) }, data: { custom_id: 'off:1' }, message: { content: text } },
    }),
  'src/outbound/messageText.ts fitted': (text) => fitted(text, 4096),
  'src/outbound/telegram/readUpdate.ts addressedText': (text) =>
    readUpdate(
      { update_id: 1, message: { message_id: 1, chat: { id: -1, type: 'group' }, from: person, text } },
      'bot',
    ),
  'src/outbound/telegram/readUpdate.ts readShown': (text) =>
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
  'src/sources/calendar/forexFactory/figure.ts readFigure': readFigure,
};

/** Lists whose entries the server made or checked, each with what bounds it; and texts of this program and its maker. */
export const BOUNDED: Readonly<Record<string, string>> = {
  'src/dataFolder.ts traceOfData': 'the backups in the folder',
  'src/db/figures.ts rowsAtMost': 'the tables of the database',
  'src/db/migrations.macro.ts loadMigrations': 'the migrations, while it is built',
  'src/domain/accounts/lookalikes.ts isOfTheHouse': 'a username, of which the length was looked at first',
  'src/domain/accounts/nameRules.ts FOREIGN_LETTERS': 'the scripts in the program',
  'src/domain/announcements/stockNews.ts announcementToSummarise': 'the days of a stock that are kept',
  'src/domain/announcements/stockNews.ts byDate': 'the announcements of a stock that are kept',
  'src/domain/backups/keptBackups.ts surplusBackups': 'the backups in the folder',
  'src/domain/calendar/days.ts eventsOn': 'the events of a few days, by time',
  'src/domain/calendar/nextEvent.ts highImpactSoon': 'the events of a few days, by time',
  'src/domain/calls/callFormat.ts formatAlike': 'prices that were written here',
  'src/domain/calls/leaderboard.ts rankSubmitters':
    'submitters, by figures and names of at most 50 characters',
  'src/domain/calls/record.ts resultStats': 'months with a result',
  'src/domain/channels/movers.ts topMovers': 'codes of the market',
  'src/domain/format.ts formatShortDate': 'a date of ours',
  'src/domain/format.ts sizeText': 'a number as text',
  'src/domain/indicators/builtInCatalog.ts plain': 'the names in the program',
  'src/domain/indicators/builtInCatalog.ts spec': 'the values in the program',
  'src/domain/indicators/picker.ts familyItems': 'the families of the catalog, in the browser',
  'src/domain/indicators/metainfo.ts orderValues': 'the values of a family of the list of a source',
  'src/domain/market/announcements.ts itemsOf': 'the announcements of a stock on a day',
  'src/domain/market/announcements.ts previousNews': 'the days of a stock that are kept',
  'src/domain/market/holidays.ts holidaysByRule': 'the holidays of a year',
  'src/domain/questions/marketData.ts moversData': 'the stocks of a scanner',
  'src/domain/tape/tapeTables.ts inRankOrder': 'the rows of a table, by one number and the code',
  'src/features/alerts/ownTriggers.ts ownTriggerQueries': 'twice as many triggers as a page has, by time',
  'src/features/apiDocs/page.ts introduction': 'the words of the API document',
  'src/features/bars/service.ts createBarsService': 'codes of at most MAX_DAY_LINES * 12 characters',
  'src/features/calls/leaderboard.ts createLeaderboard': 'names of sources',
  'src/features/calls/marketTimes.ts createMarketTimes': 'runs of sources, by time',
  'src/features/calls/marketTimes.ts readCourses': 'runs of sources, by time',
  'src/features/calls/records/records.ts createRecords': 'the sources of one submitter',
  'src/features/endpointCalls/service.ts createEndpointCallsService': 'the days and endpoints that are kept',
  'src/features/logs/read.ts linesOf': 'a piece of a log, of a bounded size',
  'src/features/questions/tools.ts announcements': 'a search of ours',
  'src/features/recordings/folder.ts createRecordingFolder': 'at most MAX_LISTED recordings',
  'src/features/summaries/document.ts createDocumentReader': 'the 20,000 characters that are read of a PDF',
  'src/features/summaries/write.ts headlines': 'the announcements of a stock on two days',
  'src/features/tape/reading.ts createTapeReading': 'the days of the tape that are kept',
  'src/http/connections.ts createConnections': 'the first entry of a header of at most 16 KB',
  'src/http/localFiles.ts namesOf': 'an address of at most 16 KB, of which each sign is looked at once',
  'src/http/requestBody.ts isJson': 'the first part of a header of at most 16 KB',
  'src/install/checkoutMove.ts git': 'what git printed',
  'src/install/launcher/outputTail.ts createOutputTail':
    'a piece of a pipe and at most 500 characters before it',
  'src/install/update/candidate.ts readReport': 'what the candidate printed, cut short',
  'src/install/update/checkoutState.ts commitsBetween': 'what git printed',
  'src/install/update/checkoutState.ts forwardTo': 'what git printed',
  'src/install/update/checkoutState.ts refuseDirty': 'what git printed',
  'src/install/update/room.ts machineRoom': 'what the kernel says of the memory',
  'src/lib/addressRanges.ts createAddressRanges': 'an address that was parsed',
  'src/lib/logging.ts startLogging': 'a name of a logger in the program',
  'src/outbound/discord/client.ts pathOf': 'an address that the program made',
  'src/recording/recorder.ts createRecorder': 'the stocks that changed',
  'src/sources/quotes/simulator/auctions.ts collect': 'an order book, not a text',
  'src/sources/quotes/simulator/listings.ts createListings': 'the listings in the program',
  'src/sources/quotes/simulator/listings.ts readReal': 'the listings in the program',
  'src/stream/market/firstPart.ts topOf': 'the stocks of a scanner, by rank',
};
