import { addressRanges, origins } from '#src/config/setting.ts';
import { accountKey } from '#subjects/accounts/rules/accountRules.ts';
import { payloadKey } from '#subjects/alerts/rules/alertDraft.ts';
import { plainLine } from '#texts/plainText.ts';
import { keptAnnouncement } from '#subjects/announcements/rules/stockNews.ts';
import { hasWords, wantedWords } from '#subjects/announcements/rules/searchWords.ts';
import { checkRationale, cleanRationale } from '#subjects/calls/rules/callRules.ts';
import { broadcastMessage } from '#admin/channels/rules/channel.ts';
import { parseClosures } from '#admin/closures/rules/specialDayForm.ts';
import { answerReply, unknownCodeReply } from '#subjects/chats/rules/replies.ts';
import { readCommand } from '#platform/chatClients/rules/chatCommand.ts';
import { builtInCatalog, parseMetainfo } from '#market/indicators/rules/metainfo.ts';
import { pickGroups } from '#market/indicators/rules/picker.ts';
import { matchSymbols, searchSymbols } from '#market/rules/liveSymbols.ts';
import { answerText, plainText } from '#subjects/model/rules/modelText.ts';
import { summaryText } from '#subjects/model/rules/summaryText.ts';
import { namedCodes } from '#subjects/questions/rules/tools.ts';
import { callerAddress } from '#platform/http/connections.ts';
import { readSums } from '#platform/install/server/releaseSource.ts';
import { lastPrinted } from '#platform/install/server/runCommand.ts';
import { forwardedAddress, isAddressRange } from '#lib/addresses.ts';
import { parseQuantity } from '#lib/numericInput.ts';
import { wordsOf } from '#lib/text.ts';
import { compareNames, normalised } from '#lib/unicode.ts';
import { formulaOf } from '#market/indicators/formulas/index.ts';
import { discordContent } from '#platform/discord/content.ts';
import { readEvent } from '#platform/discord/readEvent.ts';
import { fitted } from '#platform/chatClients/messageText.ts';
import { readUpdate } from '#platform/telegram/readUpdate.ts';
import { readItem } from '#sources/announcements/asx/item.ts';
import { readFigure } from '#sources/calendar/forexFactory.ts';

const catalog = builtInCatalog();
/** One family per name of the first parameter, because the others repeat the same work. */
const familiesByParam = [
  ...new Map(Object.values(catalog.indicators).map((one) => [one.params[0]?.name, one])).values(),
];
const message = (text: string) => ({ title: text, lines: [text], link: null, buttons: [] });
const person = { id: 1, first_name: 'A' };
const pick = { indicators: catalog.indicators, fields: catalog.fields, offersCustom: true };

export const FROM_OUTSIDE: Readonly<Record<string, (text: string) => unknown>> = {
  'src/config/setting.ts addressRanges': addressRanges,
  'src/config/setting.ts origins': origins,
  'src/subjects/accounts/rules/accountRules.ts accountKey': accountKey,
  'src/texts/plainText.ts plainLine': (text) => plainLine(text, 80),
  'src/subjects/alerts/rules/alertDraft.ts sorted': (text) =>
    payloadKey({
      name: text,
      persistent: false,
      note: null,
      expires_at: null,
      event_guard: null,
      cooldown_minutes: 1,
      urgent: false,
      group: null,
      sound: null,
      destinations: { telegram: false, discord: false, devices: [] },
      logic_json: JSON.parse(JSON.stringify({ op: text, conditions: [] })) as never,
    }),
  'src/subjects/announcements/rules/stockNews.ts line': (text) =>
    keptAnnouncement(
      {
        id: 'a',
        code: 'BHP',
        headline: text,
        time: 1,
        url: text,
        document: text,
        announcementTypes: [text],
        isPriceSensitive: false,
      },
      1,
    ),
  'src/subjects/announcements/rules/searchWords.ts searchWords': (text) =>
    hasWords(['quarterly', 'report'], wantedWords(text)),
  'src/subjects/calls/rules/callRules.ts cleanRationale': (text) => [
    cleanRationale(text),
    checkRationale(text),
  ],
  'src/admin/channels/rules/channel.ts broadcastMessage': broadcastMessage,
  'src/admin/closures/rules/specialDayForm.ts parseClosures': parseClosures,
  'src/subjects/chats/rules/replies.ts answerReply': answerReply,
  'src/platform/chatClients/rules/chatCommand.ts readCommand': (text) => readCommand(`/price ${text}`),
  'src/subjects/chats/rules/replies.ts suggestions': (text) => unknownCodeReply(text, new Map([['BHP', 1]])),
  'src/market/indicators/rules/metainfo.ts byNumbers': (text) =>
    parseMetainfo({ fields: [{ n: `EMA${text}`, t: 'number' }] }),
  'src/market/indicators/rules/picker.ts rank': (text) => pickGroups(pick as never, text),
  'src/market/rules/liveSymbols.ts matchSymbols': (text) => matchSymbols(text, [text, 'BHP', text]),
  'src/market/rules/liveSymbols.ts searchSymbols': (text) =>
    searchSymbols(text, new Map([['BHP', { name: 'BHP Group Limited' }]])),
  'src/subjects/model/rules/modelText.ts answerText': (text) => answerText(text, 2000),
  'src/subjects/model/rules/modelText.ts shortened': (text) => answerText(text, 500),
  'src/subjects/model/rules/modelText.ts plainText': (text) => plainText(text),
  'src/subjects/model/rules/summaryText.ts summaryText': (text) => summaryText(text, 'a mark'),
  'src/subjects/questions/rules/tools.ts namedCodes': (text) => namedCodes(text, new Set(['BHP'])),
  'src/platform/http/connections.ts callerAddress': (text) => callerAddress('127.0.0.1', text),
  'src/platform/install/server/releaseSource.ts readSums': readSums,
  'src/platform/install/server/runCommand.ts lastPrinted': (text) => lastPrinted(text),
  'src/lib/addresses.ts parseRange': (text) => [isAddressRange(text), forwardedAddress(text)],
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
      id: '1'.repeat(18),
      application_id: '1'.repeat(18),
      token: 'a',
      type: 3,
      user: { id: '1'.repeat(18) },
      data: { custom_id: 'off:1' },
      message: { content: text },
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
          id: '1',
          from: person,
          data: 'off:1',
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
  'src/sources/calendar/forexFactory.ts readFigure': readFigure,
};
