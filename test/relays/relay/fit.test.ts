import { describe, expect, test } from 'bun:test';
import { loneMessage } from '../../../src/platform/sse/message.ts';
import { fit, type ReadFrame } from '../../../src/relays/relay/fit.ts';

const message = loneMessage(new Uint8Array());

const market = (run: number, number: number, seq: number): ReadFrame => ({
  position: { run, number },
  frame: { kind: 'market', epoch: 'e1', seq, place: 0, reach: 0, block: new Uint8Array() },
  message,
});

const snapshotAt = (run: number, number: number, seq: number) => ({
  position: { run, number },
  epoch: 'e1',
  seq,
});

const seqs = (found: ReturnType<typeof fit>): unknown =>
  found && [found.before.map(({ seq }) => seq), found.after.length];

describe('a snapshot and the frames that are kept', () => {
  test('fit with the events before it, also those of an earlier run', () => {
    const frames = [market(1, 8, 3), market(1, 9, 4), market(2, 1, 5)];
    expect(seqs(fit(snapshotAt(2, 0, 4), frames))).toEqual([[3, 4], 1]);
  });

  test('fit without events of an earlier run after which some were never published', () => {
    const frames = [market(1, 8, 3), market(1, 9, 4), market(2, 1, 10)];
    expect(seqs(fit(snapshotAt(2, 0, 9), frames))).toEqual([[], 1]);
  });

  test('do not fit where frames of its own run contradict it, or one is missing after it', () => {
    expect(fit(snapshotAt(1, 9, 9), [market(1, 8, 3), market(1, 9, 4)])).toBeNull();
    expect(fit(snapshotAt(1, 9, 4), [market(1, 9, 4), market(1, 11, 5)])).toBeNull();
  });
});
