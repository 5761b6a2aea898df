/**
 * `bun scripts/prose.ts`: counts habits of unclear prose in the docs, the texts of the code, its comments and the
 * names of tests, and fails over a limit of hits per 1,000 words. CONTRIBUTING.md describes how to write instead.
 * The patterns are heuristics: rewrite the sentence, not the pattern. `--list` prints each hit.
 */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = dirname(import.meta.dir);

const oneOf = (words: string): string => `(?:${words.trim().split(/\s+/).join('|')})`;
/** Matches where a sentence or a clause starts. */
const START = String.raw`(?:^|(?<=[.;:?!)] ))`;
/** Matches before punctuation or the end of a text. */
const STOP = '(?=[ ,.;:)]|$)';
const BE = oneOf('is are was were be been being');
const AUXILIARY = oneOf(
  'is are was were has have had can could may might must would will needs? does do did',
);
const PREPOSITION = oneOf(
  'of to in for by with from at on after before beside between past than and except against over through without near since besides',
);
/** Words between "a" and "a" in "a page a decision" that show that it is another construction. */
const NO_NOUN = oneOf(
  `and or nor for of with without to in on at by is as than from means after before per beside into over through
  gets? has had have was were are be makes? made takes? took gives? gave needs? once not but like about under until
  when while if that which becomes? became inside behind against between upon says? names? holds? keeps? shows?
  opens? writes? reads? sends? wants? finds? leaves? left sets? only also both so even it its there where who whom
  whose what does did during within towards? above below near more less such half quite rather just still now then
  here get let lets making giving taking holding each every this stops? compares?`,
);
const TIME_OR_AMOUNT = oneOf(
  'day second minute hour week month year night session tick time moment share few little lot bit million core half quarter',
);
const VAGUE = oneOf(
  'it they this that nobody nothing somebody everybody each what there those these whoever others neither only no the a an its their',
);

type Habit = { plain: string; pattern: RegExp; warnsOnly?: true };

const HABITS: Record<string, Habit> = {
  'headless who': {
    plain: 'name the person: you, users, administrators',
    pattern: RegExp(
      [
        `${START}Who(?:m|se)? (?!(?:is|are) (?:it|this)\\b)(?![^.?!]*\\?)[a-z]`,
        '(?<=[:;] )who [a-z]',
        '\\b(?:for|of|to|by|with|from|than|tells?|says?|and|but|so|where|when|if) who (?=[a-z]+)',
        '\\b[Ww]ho(?:m|se)?ever\\b',
      ].join('|'),
      'g',
    ),
  },
  'headless what': {
    plain: 'name the thing',
    pattern: RegExp(
      [
        `(?<=[.;:] )What ${oneOf('is are was were has have becomes? became goes comes came fires leaves stays happens happened waits would may must can')}\\b(?![^.?!]*\\?)`,
        `\\b${PREPOSITION} what ${oneOf('is are was were has have becomes? became goes comes came fires leaves stays happens happened waits would may must can')}\\b`,
      ].join('|'),
      'g',
    ),
  },
  'nobody and somebody': {
    plain: 'name the actor',
    pattern: /\b(?:some|no|every|any)body\b/gi,
    warnsOnly: true,
  },
  'telling things': {
    plain: 'describes, shows, returns; is notified',
    pattern: RegExp(
      [
        `\\b(?:${BE}|not|once|again) told\\b`,
        '\\btells? (?:of|what|how|when|whether|step|which|about|who|where|so|nothing|it|them|everybody|administrators)\\b',
        '\\btold (?:of|by|to|as|once|so|beside|then|apart|again|in one)\\b',
      ].join('|'),
      'g',
    ),
  },
  'standing things': {
    plain: 'is, is stored, is shown',
    pattern: RegExp(
      [
        `\\b(?:stands?|stood|standing|lies|lay|lying) ${oneOf('in on under at beside besides below above there here behind among with within before after so as where folded now wherever open alone first last next')}\\b`,
        '\\b(?:stands?|stood|standing|lies|lay|lying) (?:by itself|to be|no more)\\b',
        '\\b(?:is|are|was|were|has|have) (?:stood|lain)\\b',
      ].join('|'),
      'g',
    ),
  },
  'is no': {
    plain: 'is not, does not count as',
    pattern:
      /(?<!\b[Tt]here )\b(?:is|are|was|were|be) no (?!(?:longer|more|less|later|one|doubt|other|such|matter|different|better|worse)\b)[a-zA-Z]/g,
  },
  'old adverbs': {
    plain: 'again, also, next to, until then, anyway, immediately, only X',
    pattern: RegExp(
      [
        '\\b(?:anew|besides(?=[ ,.;:)])|beside (?!the point)|all the same|thereby|therein|till|up to there|from then on|by then|of then|of before|at once(?!,? and)|meanwhile)\\b',
        '(?:^|[.;:,] )[Ee]lse\\b',
        '\\bno more(?=[ ,.;:]|$)(?! than)',
        '\\bby (?:itself|themselves)\\b',
        '(?<!left )(?<!let )(?<!stand )(?<!leave )\\b(?!all )(?:[a-z]+|CODE) alone(?=[ ,.;:)]|$)',
      ].join('|'),
      'g',
    ),
  },
  'a X a Y': {
    plain: 'one X per Y, every N nights',
    pattern: RegExp(
      [
        `\\b(?:a|an|one|two|three|\\d[\\d,.]*) (?:(?!${NO_NOUN}\\b)[a-z]+ )?(?!${NO_NOUN}\\b)[a-z]+ an? (?!${TIME_OR_AMOUNT}\\b)[a-z]+(?=[.,;:)]|$)`,
        '\\bso (?:many|few) (?!as\\b|that\\b)[a-z]+|\\bso much (?:of|after|before|a)\\b|\\bso (?:often|long) (?:a|after|before)\\b',
        '\\b[Ii]n (?:how|so) many\\b|\\b(?:each|every) other second\\b|\\bevery so many\\b',
      ].join('|'),
      'g',
    ),
  },
  'preposition passives': {
    plain: 'checks, requests, waits for',
    pattern: RegExp(
      `\\b${oneOf('looked waited asked')} for\\b${STOP}|\\b(?:looked (?:at|into|through)|spoken of|written to|pointed at|gone (?:to|through)|done to|heard of|thought of)\\b${STOP}`,
      'g',
    ),
  },
  'loose joints': {
    plain: 'because …; if …; the present tense',
    pattern: RegExp(
      [
        `, as (?!(?:it|they|this|that|these|those|he) ${AUXILIARY}(?: been)?(?: \\w+)?(?:[.,;:)]|$))${VAGUE}\\b(?: [\\w’'-]+){0,4}? ${AUXILIARY}\\b`,
        '[,;] where (?:it|there|they|no|none|nothing|nobody|somebody|that|this|these|one|only|both|neither)\\b',
        '\\bshall\\b',
      ].join('|'),
      'g',
    ),
    warnsOnly: true,
  },
};

/** @param limit hits per 1,000 words. It is a ratchet for comments and tests: lower it after an improvement. */
type Group = { name: string; limit: number; texts: { file: string; text: string }[] };

/** The paragraphs, list items and table cells of a page, without code and links. */
function markdownTexts(page: string): string[] {
  const plain = page
    .replace(/```[\s\S]*?```|<!--[\s\S]*?-->|!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/`[^`]*`/g, 'CODE')
    .replace(/[*_]/g, '');
  return plain
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=#)|\||\n(?=\|)/)
    .map((text) =>
      text
        .replace(/^\s*(?:#+|[-*]|\d+\.) /, '')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((text) => /[a-z]/i.test(text));
}

const TOKEN =
  /(?<comment>\/\*[\s\S]*?\*\/|(?<![:\\'"])\/\/[^\n]*)|(?<test>\b(?:test|it|describe)(?:\.\w+)*(?:\([^()'"`]*\))?\(\s*(?:'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`))|(?<string>'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`)|(?<jsx>>[^<>{}=;]{6,}<)/g;

/** The texts of three or more words that people read in a source file. */
function codeTexts(code: string): { kind: 'comment' | 'test' | 'text'; text: string }[] {
  return [...code.matchAll(TOKEN)].flatMap(({ groups = {} }) => {
    const { comment, test, string, jsx } = groups;
    const raw =
      comment?.replace(/^\/[/*]+|\*\/$/g, '').replace(/^\s*\* ?/gm, '') ??
      (test?.replace(/^[^'"`]*/, '') ?? string ?? jsx ?? '').slice(1, -1).replace(/\$\{[^}]*\}/g, 'X');
    const text = raw
      .replace(/`[^`]*`/g, 'CODE')
      .replace(/\s+/g, ' ')
      .trim();
    if (wordCount(text) < 3 || !text.includes(' ')) return [];
    return [{ kind: comment ? 'comment' : test ? 'test' : 'text', text } as const];
  });
}

const wordCount = (text: string): number => text.match(/[A-Za-z’']+/g)?.length ?? 0;

const filesIn = (pattern: string): string[] =>
  [...new Bun.Glob(pattern).scanSync({ cwd: root })]
    .filter((file) => !file.includes('node_modules'))
    .toSorted();

const read = (file: string): string => readFileSync(join(root, file), 'utf8');

function groups(): Group[] {
  const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...filesIn('docs/**/*.md')];
  const comments: Group = { name: 'comments', limit: 0.4, texts: [] };
  const names: Group = { name: 'names of tests', limit: 0.3, texts: [] };
  const api: Group = { name: 'API document', limit: 1.5, texts: [] };
  const help: Group = { name: 'bellbird --help', limit: 1.5, texts: [] };
  const texts: Group = { name: 'texts and messages', limit: 1.5, texts: [] };
  for (const file of ['{src,web,scripts}/**/*.{ts,tsx}', 'test/**/*.{ts,tsx}'].flatMap(filesIn)) {
    // This file quotes the habits that it counts.
    if (file === 'scripts/prose.ts') continue;
    for (const { kind, text } of codeTexts(read(file))) {
      if (kind === 'comment') comments.texts.push({ file, text });
      else if (kind === 'test') names.texts.push({ file, text });
      else if (file.endsWith('contract.ts')) api.texts.push({ file, text });
      else if (/^src\/(?:cli\/help|config\/config)\.ts$/.test(file)) help.texts.push({ file, text });
      else if (/^(?:src|web)\//.test(file)) texts.texts.push({ file, text });
    }
  }
  return [
    ...pages.map((file) => ({
      name: file,
      limit: 1.5,
      texts: markdownTexts(read(file)).map((text) => ({ file, text })),
    })),
    help,
    api,
    texts,
    comments,
    names,
  ];
}

/** The habits in a text. @returns the habit and where it starts */
export const habitsIn = (text: string): { habit: string; index: number }[] =>
  Object.entries(HABITS).flatMap(([habit, { pattern }]) =>
    [...text.matchAll(pattern)].map(({ index }) => ({ habit, index })),
  );

/** @returns whether a group is over its limit */
function check(isListed: boolean): boolean {
  let isAnyOver = false;
  for (const { name, limit, texts } of groups()) {
    const words = texts.reduce((sum, { text }) => sum + wordCount(text), 0);
    const hits = texts.flatMap(({ file, text }) => habitsIn(text).map((hit) => ({ ...hit, file, text })));
    const counted = hits.filter(({ habit }) => !HABITS[habit]?.warnsOnly).length;
    if (isListed)
      for (const { file, habit, index, text } of hits)
        console.log(
          `${file}: ${habit} (${HABITS[habit]?.plain}): …${text.slice(Math.max(0, index - 40), index + 60)}…`,
        );
    const rate = words === 0 ? 0 : (1000 * counted) / words;
    // One hit in a short page is not a habit.
    const isOver = rate > limit && counted > 1;
    isAnyOver ||= isOver;
    if (isOver || isListed || texts.length > 500)
      console.log(
        `${name}: ${counted} hits in ${words} words, ${rate.toFixed(2)} per 1,000${isOver ? `, over ${limit}` : ''}`,
      );
  }
  return isAnyOver;
}

if (import.meta.main && check(process.argv.includes('--list'))) {
  console.log(
    'Rewrite these sentences as CONTRIBUTING.md describes; `bun scripts/prose.ts --list` shows them.',
  );
  process.exitCode = 1;
}
