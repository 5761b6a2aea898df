import type { LinkChoice, LinkGroup, LinkMessage } from './linkGroups.ts';

/** A chart, which follows its window's group. */
export type Follower = {
  /** Another stock was chosen in the group. */
  take(code: string): void;
  /** This window is wanted in front. */
  front(): void;
};

/** A stock that chart windows were asked to show. */
export type Asking = {
  /** Asks once more, for a window that could not hear it yet; not when another stock was chosen since. */
  again(): void;
  /** Listens to no more answers. */
  end(): void;
};

type LinkBookNeeds = {
  say(message: LinkMessage): void;
  group: LinkChoice;
  /** This window's, by which anyone who opened it finds it again. */
  window: string;
};

/**
 * What a window knows of its group: which stock was chosen last in each group, as far as it heard. Windows come and go at
 * any time and nobody keeps a list of them: anyone who wants something asks, and who is there answers.
 */
export class LinkBook {
  readonly #say: LinkBookNeeds['say'];
  readonly #window: string;
  #group: LinkChoice;
  #follower: Follower | null = null;
  readonly #chosen = new Map<LinkGroup, string>();
  readonly #waiting = new Map<string, (window: string) => void>();

  constructor({ say, window, group }: LinkBookNeeds) {
    this.#say = say;
    this.#window = window;
    this.#group = group;
  }

  /** A stock was chosen in this window. */
  choose(code: string): void {
    const group = this.#group;
    if (group === 'none') return;
    this.#chosen.set(group, code);
    this.#say({ type: 'choose', group, code });
  }

  /** This window is in another group from now on; its chart takes over what was chosen there last. */
  join(group: LinkChoice): void {
    this.#group = group;
    this.#catchUp();
  }

  /**
   * Begins to follow.
   * @param hasStock it shows a stock already; else it takes the one that was chosen last
   * @returns the end of it
   */
  follow(follower: Follower, hasStock: boolean): () => void {
    this.#follower = follower;
    if (!hasStock) this.#catchUp();
    return () => {
      if (this.#follower === follower) this.#follower = null;
    };
  }

  /** Takes what another window said. */
  hear(message: LinkMessage): void {
    if (message.type === 'choose') this.#note(message.group, message.code);
    else if (message.type === 'shown') this.#waiting.get(message.request)?.(message.window);
    else if (message.type === 'ask') {
      const code = this.#chosen.get(message.group);
      if (code !== undefined) this.#say({ type: 'choose', group: message.group, code });
    } else if (this.#follower !== null && message.group === this.#group) {
      const follower = this.#follower;
      this.#note(message.group, message.code);
      follower.front();
      this.#say({ type: 'shown', request: message.request, window: this.#window });
    }
  }

  /**
   * Asks the chart windows of this window's group to show a stock.
   * @param shown is called with the name of each that does
   * @returns null in no group, where there is nobody to ask
   */
  show(code: string, request: string, shown: (window: string) => void): Asking | null {
    const group = this.#group;
    if (group === 'none') return null;
    this.#chosen.set(group, code);
    this.#waiting.set(request, shown);
    this.#say({ type: 'show', group, code, request });
    return {
      again: () => {
        if (this.#chosen.get(group) === code) this.#say({ type: 'show', group, code, request });
      },
      end: () => void this.#waiting.delete(request),
    };
  }

  #catchUp(): void {
    if (this.#group === 'none' || this.#follower === null) return;
    const code = this.#chosen.get(this.#group);
    if (code === undefined) this.#say({ type: 'ask', group: this.#group });
    else this.#follower.take(code);
  }

  #note(group: LinkGroup, code: string): void {
    this.#chosen.set(group, code);
    if (group === this.#group) this.#follower?.take(code);
  }
}
