import type { LinkChoice, LinkGroup, LinkMessage } from './linkGroups.ts';

/** A chart, which follows its window's group. */
export type Follower = {
  /** Another stock was chosen in the group. */
  take(code: string): void;
  /** This window is wanted in front. */
  front(): void;
};

export type LinkBook = {
  /** A stock was chosen in this window. */
  choose(code: string): void;
  /** This window is in another group from now on; its chart takes over what was chosen there last. */
  join(group: LinkChoice): void;
  /**
   * Begins to follow.
   * @param hasStock it shows a stock already; else it takes the one that was chosen last
   * @returns the end of it
   */
  follow(follower: Follower, hasStock: boolean): () => void;
  /** Takes what another window said. */
  hear(message: LinkMessage): void;
  /**
   * Asks the chart windows of this window's group to show a stock.
   * @param shown is called with the name of each that does
   * @returns null in no group, where there is nobody to ask
   */
  show(code: string, request: string, shown: (window: string) => void): Asking | null;
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
  /** This window's, by which whoever opened it finds it again. */
  window: string;
};

/**
 * What a window knows of its group: which stock was chosen last in each group, as far as it heard. Windows come and go at
 * any time and nobody keeps a list of them: whoever wants something asks, and who is there answers.
 */
export function createLinkBook({ say, window, ...start }: LinkBookNeeds): LinkBook {
  let group = start.group;
  let follower: Follower | null = null;
  const chosen = new Map<LinkGroup, string>();
  const waiting = new Map<string, (window: string) => void>();

  function catchUp(): void {
    if (group === 'none' || follower === null) return;
    const code = chosen.get(group);
    if (code === undefined) say({ type: 'ask', group });
    else follower.take(code);
  }

  function note(of: LinkGroup, code: string): void {
    chosen.set(of, code);
    if (of === group) follower?.take(code);
  }

  return {
    choose(code) {
      if (group === 'none') return;
      chosen.set(group, code);
      say({ type: 'choose', group, code });
    },
    join(next) {
      group = next;
      catchUp();
    },
    follow(next, hasStock) {
      follower = next;
      if (!hasStock) catchUp();
      return () => {
        if (follower === next) follower = null;
      };
    },
    hear(message) {
      if (message.type === 'choose') note(message.group, message.code);
      else if (message.type === 'shown') waiting.get(message.request)?.(message.window);
      else if (message.type === 'ask') {
        const code = chosen.get(message.group);
        if (code !== undefined) say({ type: 'choose', group: message.group, code });
      } else if (follower !== null && message.group === group) {
        note(message.group, message.code);
        follower.front();
        say({ type: 'shown', request: message.request, window });
      }
    },
    show(code, request, shown) {
      if (group === 'none') return null;
      const asked = group;
      chosen.set(asked, code);
      waiting.set(request, shown);
      say({ type: 'show', group: asked, code, request });
      return {
        again() {
          if (chosen.get(asked) === code) say({ type: 'show', group: asked, code, request });
        },
        end: () => void waiting.delete(request),
      };
    },
  };
}
