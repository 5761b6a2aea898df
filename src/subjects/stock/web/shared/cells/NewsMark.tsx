import { SENSITIVE_BUT_UNPUBLISHED } from '#market/rules/announcements.ts';
import { createTooltipButton } from '#ui/TooltipButton.tsx';
import './NewsMark.css';

export type News = {
  isSensitive: boolean;
  /** Today's newest; null when none was published. */
  headline: string | null;
  inTabOrder: boolean;
};

export type NewsMark = {
  element: HTMLElement;
  say(news: News): void;
  /** Takes it away, with its tooltip. */
  remove(): void;
};

/** Lucide's newspaper and circled dollar. */
const SHAPES = {
  plain:
    '<path d="M15 18h-5"/><path d="M18 14h-8"/><path d="M4 22h16a2 2 0 0 0 2-2V4a2 2 0 0 0-2-2H8a2 2 0 0 0-2 2v16a2 2 0 0 1-4 0v-9a2 2 0 0 1 2-2h2"/><rect width="8" height="4" x="10" y="6" rx="1"/>',
  sensitive:
    '<circle cx="12" cy="12" r="10"/><path d="M16 8h-6a2 2 0 1 0 0 4h4a2 2 0 1 1 0 4H8"/><path d="M12 18V6"/>',
} as const;

function iconOf(shape: keyof typeof SHAPES, size: number): Node {
  const template = document.createElement('template');
  template.innerHTML = `<svg role="img" aria-label="News today" width="${size}" height="${size}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${SHAPES[shape]}</svg>`;
  return template.content;
}

function createMark(isSensitive: boolean): NewsMark {
  const element = document.createElement('span');
  element.className = isSensitive ? 'news-mark is-sensitive' : 'news-mark';
  const button = createTooltipButton(isSensitive ? iconOf('sensitive', 15) : iconOf('plain', 13));
  element.append(button.element);
  return {
    element,
    say: ({ headline, inTabOrder }) =>
      button.say({
        label: isSensitive ? 'Price-sensitive news today' : 'News today',
        text: headline ?? (isSensitive ? SENSITIVE_BUT_UNPUBLISHED : null),
        inTabOrder,
      }),
    remove: () => {
      button.close();
      element.remove();
    },
  };
}

/**
 * The marks of one place: that there is news today, with another shape when some of it is price sensitive; the tooltip
 * is the headline. Each is made when it is first needed and kept: a table's line has one now and none with the next row.
 */
export function createNewsMarks(): { of(news: News): NewsMark } {
  let plain: NewsMark | null = null;
  let sensitive: NewsMark | null = null;
  return {
    of: (news) => {
      const mark = news.isSensitive ? (sensitive ??= createMark(true)) : (plain ??= createMark(false));
      mark.say(news);
      return mark;
    },
  };
}
