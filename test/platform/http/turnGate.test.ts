import { describe, expect, test } from 'bun:test';
import { TurnGate } from '../../../src/platform/http/turnGate.ts';

/** A gate whose turns of the loop come when they are told to. */
function stage() {
  let next: (() => void)[] = [];
  const gate = new TurnGate((run) => next.push(run));
  const began: string[] = [];
  return {
    gate,
    began,
    /** Somebody asks; who begins holds the loop for so long. */
    ask(address: string, name: string, ms = 10): void {
      const begin = (): void => {
        began.push(name);
        gate.held(ms);
      };
      const turn = gate.wait(address, name);
      if (turn === null) begin();
      else void turn.then(begin);
    },
    async turn(): Promise<void> {
      const due = next;
      next = [];
      for (const run of due) {
        run();
        await Promise.resolve();
        await Promise.resolve();
      }
    },
  };
}

describe('requests take turns', () => {
  test('what is short begins at once, as long as all together are', () => {
    const { ask, began } = stage();
    for (let index = 0; index < 9; index += 1) ask('1', String(index), 2);
    // Two are 4 of the 5 ms.
    expect(began).toEqual(['0', '1', '2']);
  });

  test('the others one a turn of the loop, in their order; then at once again', async () => {
    const { ask, began, turn, gate } = stage();
    for (const name of ['a', 'b', 'c']) ask('1', name);
    expect([began.join(''), gate.waiting()]).toEqual(['a', 2]);
    await turn();
    expect(began.join('')).toBe('ab');
    ask('1', 'd');
    await turn();
    await turn();
    expect([began.join(''), gate.waiting()]).toEqual(['abcd', 0]);
    await turn();
    ask('1', 'e');
    expect(began.join('')).toBe('abcde');
  });

  test('addresses take turns, and so do those who share one', async () => {
    const { ask, began, turn } = stage();
    ask('1', 'x');
    for (const name of ['a', 'a', 'a', 'b']) ask('1', name);
    ask('2', 'c');
    ask('2', 'c');
    for (let index = 0; index < 6; index += 1) await turn();
    expect(began.join('')).toBe('xacbcaa');
  });

  test('turns are told apart', async () => {
    const { gate, turn } = stage();
    const first = gate.turn();
    expect(gate.turn()).toBe(first);
    await turn();
    expect(gate.turn()).not.toBe(first);
  });
});
