import { errorCode } from '#lib/errorCode.ts';
import { MAX_REACH, type Message, sequenced, unpackAfter } from '#platform/sse/message.ts';
import type { MarketFrame } from '../engine/frame.ts';

type Known = { place: number; text: Uint8Array };

const isBroken = (error: unknown): boolean => /^Z_|^ERR_/.test(errorCode(error));

/** The text of a block, null when it is damaged. */
function textOf(before: readonly Uint8Array[], block: Uint8Array): Uint8Array | null {
  try {
    return unpackAfter(before, block);
  } catch (error) {
    if (!isBroken(error)) throw error;
    return null;
  }
}

/** Reads the blocks of the market's stream in their order: each may refer to the texts right before it. */
export class BlockReader {
  #recent: Known[] = [];

  /** @returns null when the texts that it refers to are not known, or it is damaged */
  read({ place, reach, block }: MarketFrame): Message | null {
    const before = this.#before(place, reach);
    const text = before && textOf(before, block);
    if (text === null) {
      this.#recent = [];
      return null;
    }
    this.#recent = [...this.#recent.slice(1 - MAX_REACH), { place, text }];
    return sequenced({ place, reach, block }, text);
  }

  /** The texts right before a place, oldest first; null when one of them is not known. */
  #before(place: number, reach: number): Uint8Array[] | null {
    const known = reach === 0 ? [] : this.#recent.slice(-reach);
    const isWhole = known.length === reach && known.every((one, at) => one.place === place - reach + at);
    return isWhole ? known.map(({ text }) => text) : null;
  }
}
