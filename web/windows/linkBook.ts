import type { LinkChoice, LinkGroup, LinkMessage } from './linkGroups.ts';

/** A chart that follows the group of its window. */
export type Follower = {
  take(code: string): void;
  front(): void;
};

export type Asking = {
  /** Repeats the request, for a window that was not listening yet, unless another stock was chosen since. */
  again(): void;
  end(): void;
};

type LinkBookNeeds = {
  send(message: LinkMessage): void;
  group: LinkChoice;
  /** This window's name, by which its opener finds it. */
  window: string;
};

/**
 * A window's knowledge of the last stock in each group. Windows come and go without a central list: each sends
 * requests, and others answer.
 */
export class LinkBook {
  readonly #send: LinkBookNeeds['send'];
  readonly #window: string;
  #group: LinkChoice;
  #follower: Follower | null = null;
  readonly #chosen = new Map<LinkGroup, string>();
  readonly #waiting = new Map<string, (window: string) => void>();

  constructor({ send, window, group }: LinkBookNeeds) {
    this.#send = send;
    this.#window = window;
    this.#group = group;
  }

  choose(code: string): void {
    const group = this.#group;
    if (group === 'none') return;
    this.#chosen.set(group, code);
    this.#send({ type: 'choose', group, code });
  }

  /** Joins a group; the chart then shows the group's last stock. */
  join(group: LinkChoice): void {
    this.#group = group;
    this.#catchUp();
  }

  /**
   * @param hasStock whether it already shows a stock; otherwise it shows the last chosen one
   * @returns a function that stops following
   */
  follow(follower: Follower, hasStock: boolean): () => void {
    this.#follower = follower;
    if (!hasStock) this.#catchUp();
    return () => {
      if (this.#follower === follower) this.#follower = null;
    };
  }

  hear(message: LinkMessage): void {
    if (message.type === 'choose') this.#note(message.group, message.code);
    else if (message.type === 'shown') this.#waiting.get(message.request)?.(message.window);
    else if (message.type === 'ask') {
      const code = this.#chosen.get(message.group);
      if (code !== undefined) this.#send({ type: 'choose', group: message.group, code });
    } else if (this.#follower !== null && message.group === this.#group) {
      const follower = this.#follower;
      this.#note(message.group, message.code);
      follower.front();
      this.#send({ type: 'shown', request: message.request, window: this.#window });
    }
  }

  /**
   * Asks the group's chart windows to show a stock.
   * @param shown called with the name of each window that does
   * @returns null without a group
   */
  show(code: string, request: string, shown: (window: string) => void): Asking | null {
    const group = this.#group;
    if (group === 'none') return null;
    this.#chosen.set(group, code);
    this.#waiting.set(request, shown);
    this.#send({ type: 'show', group, code, request });
    return {
      again: () => {
        if (this.#chosen.get(group) === code) this.#send({ type: 'show', group, code, request });
      },
      end: () => void this.#waiting.delete(request),
    };
  }

  #catchUp(): void {
    if (this.#group === 'none' || this.#follower === null) return;
    const code = this.#chosen.get(this.#group);
    if (code === undefined) this.#send({ type: 'ask', group: this.#group });
    else this.#follower.take(code);
  }

  #note(group: LinkGroup, code: string): void {
    this.#chosen.set(group, code);
    if (group === this.#group) this.#follower?.take(code);
  }
}
