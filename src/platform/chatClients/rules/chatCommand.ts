export const MAX_QUESTION = 2000;

export type ChatCommandName =
  | 'start'
  | 'help'
  | 'user_id'
  | 'link'
  | 'unlink'
  | 'price'
  | 'ask'
  | 'alerts'
  | 'watch'
  | 'unwatch';

export type ChatCommandInfo = {
  name: ChatCommandName;
  /** Shown in the help and in the platforms' lists of commands. */
  description: string;
  takes: 'nothing' | 'code' | 'question';
  /** Whether the command also works in chats without a linked account. */
  isForStrangers: boolean;
};

const info = (
  name: ChatCommandName,
  description: string,
  more: Partial<Pick<ChatCommandInfo, 'takes' | 'isForStrangers'>> = {},
): ChatCommandInfo => ({ name, description, takes: 'nothing', isForStrangers: false, ...more });

/** All commands, in the order of the help. Both platforms accept these names. */
export const CHAT_COMMANDS: readonly ChatCommandInfo[] = [
  info('link', 'Link this chat to your Bellbird account', { isForStrangers: true }),
  info('user_id', 'Show the ID of this chat', { isForStrangers: true }),
  info('price', 'Price of a stock: /price BHP', { takes: 'code' }),
  info('ask', 'Ask about the market: /ask What moves today?', { takes: 'question' }),
  info('alerts', 'List your alerts and switch them on or off'),
  info('watch', 'Add a stock to your watchlist: /watch BHP', { takes: 'code' }),
  info('unwatch', 'Remove a stock from your watchlist: /unwatch BHP', { takes: 'code' }),
  info('unlink', 'Unlink this chat'),
  info('help', 'List the commands', { isForStrangers: true }),
  info('start', 'Start', { isForStrangers: true }),
];

const BY_NAME: ReadonlyMap<string, ChatCommandInfo> = new Map(CHAT_COMMANDS.map((one) => [one.name, one]));

export type ChatCommand = {
  info: ChatCommandInfo;
  words: string[];
  rest: string;
};

/** Only this part of a text is split into words, for speed. */
const MAX_LENGTH = 200;
const MAX_REST = 8000;

/** Reads a typed command: '/price BHP', 'price bhp', '/price@bellbird_bot BHP'. Null for other text. */
export function readCommand(text: string): ChatCommand | null {
  const typed = text.slice(0, MAX_REST).trimStart();
  const [first = '', ...words] = typed
    .slice(0, MAX_LENGTH)
    .trim()
    .split(/\s{1,200}/);
  const name = first
    .replace(/^\//, '')
    .replace(/@\w{1,64}$/, '')
    .toLowerCase();
  const known = BY_NAME.get(name);
  return known ? { info: known, words, rest: typed.slice(first.length).trim() } : null;
}

/** A stock code as people type it: 'bhp', '$BHP', 'ASX:BHP' and 'BHP.AX' are all BHP; '' for nothing. */
export const readCode = (word: string | undefined): string =>
  (word ?? '')
    .trim()
    .toUpperCase()
    .slice(0, 16)
    .replace(/^(?:ASX:|\$)/, '')
    .replace(/\.AX$/, '');
