import { type Lexicon, lexiconOf, nameAt, names, past, type Token } from './lexicon.ts';
import { NEGATIONS } from './reasons.ts';

export type Segment = {
  tokens: readonly Token[];
  /** The group in which the segment is an alternative; null if it must hold. */
  group: number | null;
  isLoose: boolean;
};

type Joint = 'and' | 'or' | ',';
type Clause = {
  tokens: Token[];
  /** The joining word before the piece. */
  joint: Joint;
  /** True if the joint is the end of a sentence, or a word with a comma. */
  isClear: boolean;
  /** True if "either" or a bracket begins before the piece. */
  opens: boolean;
  /** Number of brackets that begin before the piece. */
  brackets: number;
  /** True if a bracket ends after the piece. */
  closes: boolean;
};

/** Gives commas the meaning of the last joint in their list: "A, B or C". */
function withoutCommas(clauses: readonly Clause[]): Clause[] {
  const made = [...clauses];
  let meaning: Joint = 'and';
  for (let at = made.length - 1; at >= 0; at -= 1) {
    const clause = made[at];
    if (!clause) continue;
    if (clause.closes) meaning = 'and';
    if (clause.joint === ',')
      made[at] = { ...clause, joint: clause.opens ? 'and' : meaning, isClear: clause.opens };
    else meaning = clause.joint;
    if (clause.opens && meaning !== 'or') meaning = 'and';
  }
  return made;
}

/** Whether "and" is inside an alternative, which a condition list cannot express: "(A and B) or C". */
function isTangled(clauses: readonly Clause[]): boolean {
  let opened: number | null = null;
  let hasAnd = false;
  let hasOr = false;
  for (const [at, clause] of clauses.entries()) {
    if (clause.opens) {
      if (clause.brackets > 1 || (opened !== null && clauses[opened]?.brackets === 1 && !hasOr)) return true;
      opened = at;
      hasAnd = false;
      hasOr = false;
    } else if (opened !== null) {
      hasOr ||= clause.joint === 'or';
      hasAnd ||= clause.joint === 'and' && (clauses[opened]?.brackets === 1 || !hasOr);
    }
    if (clause.closes) {
      const isInOr = opened !== null && (clauses[opened]?.joint === 'or' || clauses[at + 1]?.joint === 'or');
      if (opened === null || (hasAnd && (isInOr || hasOr))) return true;
      opened = null;
    } else if (opened !== null && hasAnd && hasOr) return true;
  }
  return opened !== null && clauses[opened]?.brackets === 1;
}

/** Groups segments that are joined by "or". A group is loose if others follow without a clear border. */
function grouped(clauses: readonly Clause[], hasCommas: boolean): Segment[] {
  const segments: Segment[] = [];
  let group = 0;
  for (let from = 0; from < clauses.length; ) {
    let to = from + 1;
    while (clauses[to]?.joint === 'or') to += 1;
    const members = clauses.slice(from, to);
    const isAlone = members.length === 1;
    const [first] = members;
    const isOpened = from === 0 || first?.opens === true || first?.isClear === true;
    const isClosed =
      to === clauses.length || members.at(-1)?.closes === true || clauses[to]?.isClear === true;
    const isLoose = !isAlone && (!isOpened || !isClosed || (hasCommas && first?.opens !== true));
    for (const { tokens } of members) segments.push({ tokens, group: isAlone ? null : group, isLoose });
    group += 1;
    from = to;
  }
  return segments;
}

const AND = new Set(['and', '&', 'but', 'plus', 'with', 'while', 'also']);
/** Words before "but" that exclude what follows: "anything but Energy". */
const BUT = new Set(['anything', 'everything', 'all', 'any']);
const HARD = new Set([';', '.', ':', '!', '?']);
/** Words after "or" that belong to an amount: "5 % or more". */
const OR_AMOUNTS = new Set(['more', 'less', 'higher', 'lower', 'greater', 'better', 'fewer']);
const OR_SIDES = new Set(['above', 'below', 'over', 'under']);
/** Words that show that a list of numbers is a list of lengths. */
const LENGTH_NOUNS = new Set(['day', 'days', 'week', 'weeks', 'd', 'period', 'bar', 'ema', 'emas', 'sma']);
const LENGTH_ENDS = new Set(['smas', 'ma', 'mas', 'dma', 'moving', 'exponential', 'simple', 'hour', 'month']);

const isJoint = (token: Token | undefined): boolean =>
  token === undefined || AND.has(token.text) || HARD.has(token.text) || ['or', '|', ','].includes(token.text);

/** Whether an "or" belongs to a number: "or more", "at or above". */
function isAmount(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text ?? '';
  const after = tokens[at + 1]?.text ?? '';
  if (OR_AMOUNTS.has(after)) return true;
  return OR_SIDES.has(after) && (before === 'at' || before === 'equal' || isJoint(tokens[at + 2]));
}

/** Joins "20, 50 and 200 day" to one token with three numbers. */
function withLists(tokens: readonly Token[]): Token[] {
  const made: Token[] = [];
  for (let at = 0; at < tokens.length; ) {
    const end = listEnd(tokens, at);
    const members = tokens.slice(at, end).filter(({ numbers }) => numbers);
    const [first] = members;
    const last = members.at(-1);
    const isList = members.length > 1 && isLength(tokens[end]);
    if (isList && first && last)
      made.push({ ...first, to: last.to, numbers: members.map(({ text }) => text) });
    else made.push(...tokens.slice(at, end));
    at = end;
  }
  return made;
}

function listEnd(tokens: readonly Token[], from: number): number {
  let at = from + 1;
  while (tokens[from]?.numbers) {
    let next = at;
    while ([',', 'and', '&'].includes(tokens[next]?.text ?? '')) next += 1;
    if (next === at || !tokens[next]?.numbers) break;
    at = next + 1;
  }
  return at;
}

const isLength = (token: Token | undefined): boolean =>
  token !== undefined && (LENGTH_NOUNS.has(token.text) || LENGTH_ENDS.has(token.text));

const sectorName = (name: string): string => name.toLowerCase().replaceAll("'s", '').replaceAll("'", '');

export const sectorLexicon = (sectors: readonly string[]): Lexicon<string> =>
  lexiconOf(
    sectors.map((sector) => [sector, [sectorName(sector), sectorName(sector).replaceAll('&', 'and')]]),
  );

const OR_JOINTS = ['or', '|', '/', ', or', 'nor'];
const AND_JOINTS = ['and', '&', ',', ', and', 'plus'];
const joined = (joints: readonly string[], more: readonly string[]): string[] =>
  joints.flatMap((joint) => more.map((word) => joint + word));
const AGAIN = [' in', ' in the', ' sector is', ' sector ='];
/** Joints between two sectors of one list: "Energy stocks, and the Materials sector", "in Energy or in Materials". */
const LIST_JOINTS = names(
  ...joined([...OR_JOINTS, ...AND_JOINTS], ['', ' the']),
  ...joined([...OR_JOINTS, ...AND_JOINTS], AGAIN),
);
/** Joints between sectors after a negation. In "not in Energy, in Materials" the second "in" starts a new list. */
const NEGATED_LIST_JOINTS = names(
  ...joined([...OR_JOINTS, ...AND_JOINTS], ['', ' the']),
  ...joined(OR_JOINTS, AGAIN),
);
const LIST_NOUNS = names('sector', 'sectors', 'stocks', 'shares', 'companies', 'names');

/**
 * Joins a list of sectors to one token. A stock is in one sector only, so "and" and "or" between sectors mean the same,
 * and a negation applies to all.
 */
function withSectors(tokens: readonly Token[], sectors: Lexicon<string>): Token[] {
  const made: Token[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at];
    if (!token) continue;
    const isNegated = tokens.slice(Math.max(0, at - 3), at).some(({ text }) => NEGATIONS.has(text));
    const joints = isNegated ? NEGATED_LIST_JOINTS : LIST_JOINTS;
    const listed: string[] = [];
    let end = at;
    for (let found = nameAt(sectors, tokens, at); found; ) {
      listed.push(found.value);
      end = found.next;
      const joint = past(joints, tokens, past(LIST_NOUNS, tokens, end));
      found = joint > end ? nameAt(sectors, tokens, joint) : null;
    }
    const last = tokens[end - 1];
    if (listed.length === 0 || !last) made.push(token);
    else {
      const list = { text: '(sector)', from: token.from, to: last.to, sectors: [...new Set(listed)] };
      made.push(list);
      at = end - 1;
    }
  }
  return made;
}

/** Rewrites negations: "Neither A nor B" as "not A and not B", "anything but A" as "except A". */
function withPlainNegations(tokens: readonly Token[]): Token[] {
  const made: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.text === 'neither') made.push({ ...token, text: 'not' });
    else if (token.text === 'nor') {
      made.push({ ...token, text: 'and', to: token.from }, { ...token, text: 'not' });
    } else if (token.text === 'but' && BUT.has(tokens[at - 1]?.text ?? '')) {
      const before = made.pop();
      made.push({ ...token, text: 'except', from: before?.from ?? token.from });
    } else made.push(token);
  }
  return made;
}

const emptyClause = (): Clause => ({
  tokens: [],
  joint: 'and',
  isClear: true,
  opens: false,
  brackets: 0,
  closes: false,
});

class Cutter {
  readonly clauses: Clause[] = [];
  #clause = emptyClause();
  /** True after "between", until its "and". */
  #isBetween = false;
  #joints: string[] = [];

  constructor(private readonly tokens: readonly Token[]) {}

  cut(): Clause[] {
    for (const [at, token] of this.tokens.entries()) this.#take(token, at);
    this.#end();
    return this.clauses;
  }

  #take(token: Token, at: number): void {
    const { text } = token;
    if (text === '(' && !this.#isLength(at)) return this.#open(1);
    if (text === ')' && !this.tokens[at - 1]?.numbers) return void (this.#clause.closes = true);
    if (text === 'either') return this.#open(0);
    if (this.#joins(token, at)) {
      this.#end();
      this.#joints.push(text);
      return;
    }
    if (text === 'between') this.#isBetween = true;
    else if (text === 'to' || (text === '-' && this.tokens[at - 1]?.text !== 'between'))
      this.#isBetween = false;
    this.#begin();
    this.#clause.tokens.push(token);
  }

  #joins({ text }: Token, at: number): boolean {
    if (text === 'or' || text === '|') return !isAmount(this.tokens, at);
    if (text === ',' || HARD.has(text)) return true;
    if (!AND.has(text)) return false;
    const next = this.tokens[at + 1];
    if (text === 'plus' && (next?.text === 'di' || isJoint(next))) return false;
    if (!this.#isBetween) return true;
    this.#isBetween = false;
    return false;
  }

  /** Whether a bracket is around the length of an indicator: "RSI(14)". */
  #isLength(at: number): boolean {
    return this.tokens[at + 1]?.numbers !== undefined && this.tokens[at - 1] !== undefined;
  }

  #open(brackets: number): void {
    this.#end();
    this.#clause.opens = true;
    this.#clause.brackets += brackets;
  }

  /** Begins a segment with its first word after the joint. */
  #begin(): void {
    if (this.#clause.tokens.length > 0) return;
    const joints = this.#joints;
    const isOr = joints.some((joint) => joint === 'or' || joint === '|');
    const isAnd = joints.some((joint) => AND.has(joint));
    const isHard = joints.some((joint) => HARD.has(joint));
    this.#clause.joint = isOr ? 'or' : isAnd || isHard || joints.length === 0 ? 'and' : ',';
    this.#clause.isClear = isHard || joints.length === 0 || (isAnd && joints.includes(','));
    this.#joints = [];
  }

  #end(): void {
    this.#isBetween = false;
    if (this.#clause.tokens.length === 0) return;
    this.clauses.push(this.#clause);
    this.#clause = emptyClause();
  }
}

/**
 * Splits a phrase at "and", "or", commas and similar. "Or" binds more tightly than "and"; brackets and "either" start
 * a group.
 * @returns `isTangled` if the brackets need more than a list of conditions and groups
 */
export function segmentsOf(
  tokens: readonly Token[],
  sectors: Lexicon<string>,
): { segments: Segment[]; isTangled: boolean } {
  const cut = new Cutter(withLists(withPlainNegations(withSectors(tokens, sectors)))).cut();
  const clauses = withoutCommas(cut);
  const hasCommas = cut.some(({ joint }) => joint === ',');
  return { segments: grouped(clauses, hasCommas), isTangled: isTangled(clauses) };
}
