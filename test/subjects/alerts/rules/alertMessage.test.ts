import fc from 'fast-check';
import { describe, expect, test } from 'bun:test';
import type { Alert } from '#subjects/alerts/rules/alert.ts';
import { alertMessage, alertNote, type NoteContext } from '#subjects/alerts/rules/alertMessage.ts';
import {
  confirmRequest,
  snoozedMessage,
  switchedOffMessage,
  switchedOnMessage,
  whyMessage,
  whyText,
} from '#subjects/alerts/rules/buttonMessage.ts';
import { seenText } from '#subjects/alerts/rules/seenText.ts';
import { createStockTitles, type MessageStock, stockTitle } from '#subjects/alerts/rules/stockTitle.ts';
import type { SeenCondition, Trigger } from '#subjects/alerts/rules/trigger.ts';
import type { ChatMessage } from '#platform/chatClients/rules/chatMessage.ts';
import { OPERATORS } from '#subjects/conditions/rules/condition.ts';
import { anAlert, aSeen, aTrigger, TEN_FORTY_TWO } from '#support/aTrigger.ts';
import { seesAgainMessage } from '#subjects/alerts/rules/priceOutage.ts';

const BHP: MessageStock = {
  status: 'Open',
  last: 50.61,
  match_price: null,
  change_percent: 1.7,
  indicativeChangePercent: null,
};
const LIVE = { stock: BHP, label: 'Live', publicUrl: 'https://bell.example' };

const messageOf = (
  trigger: Trigger,
  alert: Alert,
  { publicUrl, ...context }: NoteContext & { publicUrl: string | null },
) => alertMessage(trigger, alertNote(trigger, alert, context), publicUrl);

describe('the message of an alert', () => {
  test('shows price, change, what happened, when, and the name, with a link and buttons', () => {
    expect(messageOf(aTrigger(), anAlert(), LIVE)).toEqual({
      title: 'BHP 50.61 ▲ +1.7%',
      lines: ['last crossed above 50.50 · 10:42 Sydney', 'Breakout'],
      link: { text: 'Open BHP in Bellbird', url: 'https://bell.example/#/watchlist?symbol=BHP' },
      page: '#/watchlist?symbol=BHP',
      buttons: [
        { action: 'snooze', target: 3, label: 'Snooze 1 h' },
        { action: 'off', target: 3, label: 'Off' },
        { action: 'why', target: 7, label: 'Why' },
      ],
    });
  });

  test('has a line for every condition that holds, and skips the other conditions of a group', () => {
    const seen = [
      aSeen(),
      aSeen({ left: { text: 'Volume', value: 520400 }, op: '>', right: { text: '500,000', value: 500000 } }),
      aSeen({
        left: { text: 'RSI(14) 1h', value: 20 },
        op: '>',
        right: { text: '70', value: 70 },
        holds: false,
      }),
      aSeen({ left: { text: 'X 1h', value: null }, op: '>', right: { text: '70', value: 70 }, holds: null }),
    ];
    expect(messageOf(aTrigger({ seen }), anAlert({ name: null }), LIVE).lines).toEqual([
      'last crossed above 50.50 · 10:42 Sydney',
      'volume 520,400 above 500,000',
    ]);
  });

  test('shows the match price in the pre-open, never the last price of the day before', () => {
    const stock: MessageStock = {
      ...BHP,
      status: 'Pre Open',
      last: 49,
      match_price: 0.0455,
      indicativeChangePercent: -0.04,
    };
    expect(messageOf(aTrigger(), anAlert(), { ...LIVE, stock }).title).toBe('BHP match 0.046 0.0%');
  });

  test('shows the delay of a delayed feed, and marks simulated prices', () => {
    const late = aTrigger({ delayMinutes: 20, quoteAt: TEN_FORTY_TWO - 20 * 60_000 });
    const delayed = { ...LIVE, label: 'Delayed 20 min' };
    const old = aTrigger({ delayMinutes: 20, quoteAt: TEN_FORTY_TWO - 72 * 3_600_000 });
    const lineOf = (...args: Parameters<typeof messageOf>) => messageOf(...args).lines.at(-1);
    expect(lineOf(late, anAlert(), delayed)).toBe('Delayed 20 min: quote of 10:22');
    expect(lineOf({ ...late, quoteAt: null }, anAlert(), delayed)).toBe(
      'Delayed 20 min: quote of about 10:22',
    );
    expect(lineOf(old, anAlert(), delayed)).toBe('Delayed 20 min: quote of 10:42, Friday 13 November 2026');
    expect(lineOf(aTrigger(), anAlert(), { ...LIVE, label: 'Simulated' })).toBe('Simulated: quote of 10:41');
  });

  test('shows that the alert is off and why, and offers to turn it on', () => {
    const off = aTrigger({ deactivated: true });
    const once = messageOf(off, anAlert({ active: false, persistent: false }), LIVE);
    expect(once.lines.at(-1)).toBe('This alert fires once and is now switched off.');
    expect(once.buttons.map(({ action }) => action)).toEqual(['on', 'why']);
    const runaway = messageOf(off, anAlert({ active: false, stoppedReason: 'It fired too often.' }), LIVE);
    expect(runaway.lines.at(-1)).toBe('Stopped: It fired too often.');
  });
});

test('a cached title always has the current price, status and stock', () => {
  const titleOf = createStockTitles();
  const price = fc.constantFrom(null, 1, 1.5, 2);
  const stock = fc.record<MessageStock>({
    status: fc.constantFrom('Pre Open', 'Open'),
    last: price,
    match_price: price,
    change_percent: price,
    indicativeChangePercent: price,
  });
  fc.assert(
    fc.property(fc.constantFrom('BHP', 'CBA'), fc.option(stock), (symbol, one) => {
      expect(titleOf(symbol, one)).toBe(stockTitle(symbol, one));
    }),
    { numRuns: 1000 },
  );
});

const announced = (op: SeenCondition['op'], right: 0 | 1): Partial<SeenCondition> => ({
  left: { text: 'Price-Sensitive Announcement Today', value: 1 },
  op,
  right: { text: String(right), value: right },
});
const cases: [Partial<SeenCondition>, string][] = [
  [{ right: { text: '50.505', value: 50.505 } }, 'last crossed above 50.505'],
  [{ op: '>' }, 'last 50.61 above 50.50'],
  [{ right: { text: 'VWAP', value: 50.4875 } }, 'last crossed above VWAP 50.488'],
  [
    { left: { text: 'RSI(14) 1h', value: 71.204, before: 69.8 }, right: { text: '70', value: 70 } },
    'RSI(14) 1h 71.20 crossed above 70',
  ],
  [{ left: { text: 'Gap %', value: 0.86 }, op: '>', right: { text: '0', value: 0 } }, 'Gap +0.9%'],
  [{ left: { text: 'Change %', value: 2.34 }, op: '>=', right: { text: '2', value: 2 } }, 'up 2.3%'],
  [
    {
      left: { text: 'Sector', value: null },
      op: '==',
      right: { text: 'Energy or Materials', value: null },
    },
    'sector is Energy or Materials',
  ],
  [announced('==', 1), 'price-sensitive announcement today'],
  [announced('==', 0), 'no price-sensitive announcement today'],
  [
    {
      left: { text: 'Surplus Flipped to Sellers (last 60 s)', value: 1 },
      op: '==',
      right: { text: '1', value: 1 },
    },
    'surplus flipped to sellers in the last 60 s',
  ],
];
test.each(cases)('the text of an evaluated condition is %j', (change, text) =>
  expect(seenText(aSeen(change))).toBe(text),
);

test('the explanation lists both values of each condition, values before and after, the quote and its source', () => {
  const seen = [
    aSeen({ right: { text: 'EMA(20) 5m', value: 50.5, before: 50.49 } }),
    aSeen({
      left: { text: 'Volume', value: 120400 },
      op: '>',
      right: { text: '500,000', value: 5e5 },
      holds: false,
    }),
  ];
  const trigger = aTrigger({ seen, delayMinutes: 20, quoteAt: TEN_FORTY_TWO - 20 * 60_000 });
  expect(whyText(trigger)).toEqual([
    'Yes: last 50.61 (before 50.48) crosses above EMA(20) 5m 50.50 (before 50.49)',
    'No: volume 120,400 above 500,000',
    'Fired at 10:42 Sydney',
    'Source ingest, Delayed 20 min: quote of 10:22',
  ]);
  expect(whyMessage(null).lines).toEqual(['The values from the time of this alert are no longer stored.']);
});

const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constant('😀'.repeat(4096)),
  fc.constant('**[x](http://evil)** <b>_`||\u202e\n\n/off'),
  fc.constant('\ud800'),
);
const number = fc.option(fc.double());
const side = fc.record({ text: anything, value: number, before: number });
const condition = fc.record({
  left: side,
  op: fc.constantFrom(...OPERATORS),
  right: side,
  holds: fc.option(fc.boolean()),
});
const stock = fc.option(
  fc.record({
    status: fc.constantFrom('Open' as const, 'Pre Open' as const, 'Halted' as const),
    last: number,
    match_price: number,
    change_percent: number,
    indicativeChangePercent: number,
  }),
);

function expectReadable(message: ChatMessage): void {
  const texts = [message.title, ...message.lines];
  expect([...texts.join('\n')].length).toBeLessThan(2000);
  expect(texts.every((text) => text !== '' && text.isWellFormed())).toBe(true);
  expect(texts.some((text) => /[\p{Cc}\u202e]/u.test(text))).toBe(false);
}

test('is readable and short for any names and values', () => {
  fc.assert(
    fc.property(
      fc.record({
        symbol: anything,
        name: fc.option(anything),
        reason: fc.option(anything),
        label: anything,
      }),
      fc.array(condition, { maxLength: 40 }),
      stock,
      fc.record({
        quoteAt: fc.option(fc.integer({ min: 0, max: 4e12 })),
        delayMinutes: fc.nat(2000),
        deactivated: fc.boolean(),
      }),
      ({ symbol, name, reason, label }, seen, ofStock, rest) => {
        const trigger = aTrigger({ symbol, seen, source: label, ...rest });
        const alert = anAlert({ symbol, name, stoppedReason: reason });
        expectReadable(messageOf(trigger, alert, { stock: ofStock, label, publicUrl: null }));
        expectReadable(whyMessage(trigger));
      },
    ),
    { numRuns: 300 },
  );
});

const shown = alertMessage(
  aTrigger(),
  alertNote(aTrigger(), anAlert(), { stock: null, label: 'Live' }),
  null,
);
const HOUR_MS = 3_600_000;

test('the result of a button follows the message and replaces the previous result', () => {
  const snoozed = snoozedMessage(shown, 3, TEN_FORTY_TWO + HOUR_MS);
  expect(snoozed.lines).toEqual([...shown.lines, '→ Snoozed until 11:42 Sydney.']);
  expect(snoozed.buttons).toEqual(shown.buttons);
  const off = switchedOffMessage(snoozed, 3);
  expect(off.lines).toEqual([...shown.lines, '→ Switched off.']);
  expect(off.buttons.map(({ action, target }) => [action, target])).toEqual([
    ['on', 3],
    ['why', 7],
  ]);
  const on = switchedOnMessage(off, 3, null);
  expect([on.lines.at(-1), on.buttons]).toEqual(['→ Switched on.', shown.buttons]);
  expect(switchedOnMessage(off, 3, 'until the open').lines.at(-1)).toBe('→ Switched on until the open.');
});

test('the question whether you own a chat has both answers', () => {
  const { title, lines, buttons } = confirmRequest('**eve**\n/x', 12);
  expect(title).toBe('Is this your chat?');
  expect(lines[0]).toBe('The Bellbird account **eve** /x wants to send its alerts here.');
  expect(buttons.map(({ action, target }) => [action, target])).toEqual([
    ['confirm', 12],
    ['refuse', 12],
  ]);
});

test('a price outage message says that prices are late and names only the first symbols', () => {
  const since = TEN_FORTY_TWO;
  const until = since + 65 * 60_000;
  const span = { since, until, now: until, marketMs: 65 * 60_000 };
  expect(seesAgainMessage('late', span, []).lines[0]).toBe(
    'Prices were heavily delayed from 10:42 to 11:47 Sydney, 1 h 05 min of market hours.',
  );
  const many = Array.from({ length: 100 }, (_, index) => `S${index}`);
  expect(seesAgainMessage('down', span, many).lines[1]).toContain('S11 and 88 more.');
});
