import { afterEach, describe, expect, test } from 'bun:test';
import { constants, gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { createLog } from '#lib/log.ts';
import type { Greeting } from '#platform/sse/answer.ts';
import { SseChannel } from '#platform/sse/channel.ts';
import {
  bytesFor,
  createSequence,
  eventText,
  GZIP_HEADER,
  loneMessage,
  packEvent,
  type Progress,
} from '#platform/sse/message.ts';

const decoded = (bytes: Uint8Array): string =>
  gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('sequential messages can be decoded with any gaps and anything between them', () => {
  const messages = fc.array(
    fc.array(fc.constantFrom('"BHP":{"value":', '"CBA":{"volume":', '1234567', ',', '}'), {
      maxLength: 4000,
    }),
    { minLength: 1, maxLength: 12 },
  );

  fc.assert(
    fc.property(messages, fc.infiniteStream(fc.constantFrom('got', 'missed', 'other')), (all, fates) => {
      const next = createSequence();
      const client: Progress & { gzip: boolean } = { place: null, run: 0, gzip: true };
      const stream: Uint8Array[] = [GZIP_HEADER];
      let expected = '';
      const give = (text: string, message: ReturnType<typeof next>): void => {
        stream.push(bytesFor(client, message));
        expected += text;
      };
      for (const words of all) {
        const text = words.join('');
        const message = next(Buffer.from(text));
        expect(textOf(message.plain())).toBe(text);
        const fate = fates.next().value;
        if (fate === 'other') give('snapshot', loneMessage(Buffer.from('snapshot')));
        if (fate !== 'missed') give(text, message);
      }
      expect(decoded(Buffer.concat(stream))).toBe(expected);
    }),
  );
});

/** A possible event for a stream and its clients; `who` is a client index modulo their number. */
type Step =
  | { do: 'tick'; size: number }
  /** Until the next ping. */
  | { do: 'wait' }
  | { do: 'join'; gzip: boolean; parts: boolean }
  | { do: 'resume'; who: number; back: number; gzip: boolean }
  | { do: 'stall' | 'read' | 'leave'; who: number };

const who = fc.nat(9);
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ do: fc.constant('tick' as const), size: fc.nat(400) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('join' as const), gzip: fc.boolean(), parts: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('resume' as const), who, back: fc.nat(6), gzip: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('stall' as const, 'read' as const, 'leave' as const), who }),
  },
);

/** A client that decides when it reads. */
function createReader(response: Response, from: number | null, gzip: boolean) {
  const reader = response.body?.getReader();
  const chunks: Uint8Array[] = [];
  let waiting: Promise<void> | null = null;
  let done = false;
  const take = async (): Promise<void> => {
    const next = await reader?.read();
    done = !next || next.done;
    if (next?.value) chunks.push(next.value as Uint8Array);
    waiting = null;
  };
  const text = (): string => {
    const bytes = Buffer.concat(chunks);
    return gzip && bytes.byteLength > 0 ? decoded(bytes) : bytes.toString('utf8');
  };
  return {
    from,
    stalled: false,
    text,
    /** The number of the last event it has received in full. */
    newest: () => [...text().matchAll(/^id: run-(\d+)$/gm)].at(-1)?.[1],
    async drain(): Promise<void> {
      for (let before = -1; before !== chunks.length && !done; ) {
        before = chunks.length;
        waiting ??= take();
        await Promise.race([waiting, Bun.sleep(0)]);
      }
    },
    leave: async () => reader?.cancel(),
  };
}

type Reader = ReturnType<typeof createReader>;

describe('a channel whose clients join, stall, leave and return', () => {
  const channels: SseChannel<{ tick: string }>[] = [];
  afterEach(() => {
    for (const channel of channels.splice(0)) channel.close();
  });

  function createWorld() {
    const sent: string[] = [];
    const channel = new SseChannel<{ tick: string }>({
      clock: { now: () => 7, monotonic: () => 7 },
      log: createLog(() => undefined),
      cutOff: () => {},
      epoch: 'run',
      pingMs: 2,
      limits: { waitingBytes: 1500, fullMs: 1e9, openingMs: 1 },
    });
    channels.push(channel);
    const snapshot = () => packEvent('snapshot', channel.idOf(channel.seq()), sent.length);
    const whole = () => [snapshot()];
    const opened = () => ({ messages: whole(), next: null });
    const greetings: Record<'whole' | 'parts', Greeting> = {
      whole: { opening: opened, refresh: opened },
      parts: {
        opening() {
          const seq = channel.seq();
          const first = [packEvent('snapshot', `${channel.idOf(seq)}.1`, seq)];
          const rest = () => [packEvent('part', channel.idOf(seq), seq), ...(channel.after(seq) ?? whole())];
          return { messages: first, next: () => ({ messages: rest(), next: null }) };
        },
        refresh: opened,
      },
    };
    const open = (greeting: Greeting, gzip: boolean, last: number | null): Reader => {
      const headers: Record<string, string> = { 'accept-encoding': gzip ? 'gzip' : 'identity' };
      if (last !== null) headers['last-event-id'] = channel.idOf(last);
      return createReader(channel.open(new Request('http://x/', { headers }), greeting), last, gzip);
    };
    return { channel, open, greetings, sent };
  }

  /** Every event was sent, is whole and follows the one before; only a snapshot closes a gap. */
  function expectWhole(reader: Reader, sent: readonly string[]): void {
    const events = reader.text().split('\n\n').slice(0, -1);
    expect(events.shift()).toMatch(/^retry: \d{4}$/);
    let last = reader.from;
    for (const event of events) {
      const [, id, name] = /^id: run-([\d.]+)\nevent: (\w+)\n/.exec(event) ?? [];
      const seq = Number.parseInt(id ?? '', 10);
      if (name === 'tick') {
        if (last !== null) expect(seq).toBe(last + 1);
        expect(`${event}\n\n`).toBe(sent[seq - 1] ?? '');
      } else if (name === 'ping') expect(event).toBe(`id: run-${seq}\nevent: ping\ndata: {"time":7}`);
      else expect(event).toBe(`id: run-${id}\nevent: ${name}\ndata: ${seq}`);
      last = seq;
    }
    expect(last ?? sent.length).toBe(sent.length);
  }

  test('sends the same events to each of them, whole and in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 60 }), async (steps) => {
        const { channel, open, greetings, sent } = createWorld();
        const readers: Reader[] = [];
        const at = (index: number): Reader | undefined => readers[index % Math.max(1, readers.length)];
        const tick = (size: number): void => {
          const data = `${sent.length}`.repeat(5) + crypto.randomUUID().repeat(Math.ceil(size / 36));
          sent.push(eventText('tick', channel.idOf(sent.length + 1), data));
          channel.send('tick', data);
        };
        const drainAll = async (): Promise<void> => {
          for (const reader of readers) if (!reader.stalled) await reader.drain();
        };
        for (const step of steps) {
          if (step.do === 'tick') tick(step.size);
          else if (step.do === 'wait') await Bun.sleep(3);
          else if (step.do === 'join')
            readers.push(open(greetings[step.parts ? 'parts' : 'whole'], step.gzip, null));
          else if (step.do === 'resume' && sent.length > 0)
            readers.push(open(greetings.whole, step.gzip, Math.max(1, sent.length - step.back)));
          else if (step.do === 'stall' || step.do === 'read') {
            const reader = at(step.who);
            if (reader) reader.stalled = step.do === 'stall';
          } else if (step.do === 'leave') {
            const [gone] = readers.splice(step.who % Math.max(1, readers.length), 1);
            await gone?.leave();
          }
          await drainAll();
        }
        for (const reader of readers) reader.stalled = false;
        tick(10);
        // The rest arrives too: a ping makes the server check clients that missed something.
        const isBehind = (reader: Reader): boolean => reader.newest() !== `${sent.length}`;
        for (let wait = 0; wait < 5000 && readers.some(isBehind); wait += 1) {
          await Bun.sleep(1);
          await drainAll();
        }
        for (const reader of readers) expectWhole(reader, sent);
        for (const reader of readers) await reader.leave();
        channel.close();
      }),
      { numRuns: 60 },
    );
  });
});
