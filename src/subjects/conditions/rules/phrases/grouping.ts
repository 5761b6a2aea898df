import type { Token } from './tokens.ts';

/** A piece of a phrase between two joining words. */
export type Segment = {
  tokens: readonly Token[];
  /** Another one is enough instead of it: it stands in this group; null where it must hold. */
  group: number | null;
  /** The phrase could be grouped in another way as well. */
  isLoose: boolean;
};

export type Joint = 'and' | 'or' | ',';
export type Piece = {
  tokens: Token[];
  /** What stands before it. */
  joint: Joint;
  /** The joint is the end of a sentence, or has a comma beside its word. */
  isClear: boolean;
  /** "either" or a bracket begins before it. */
  opens: boolean;
  /** How many brackets begin before it. */
  brackets: number;
  /** A bracket ends behind it. */
  closes: boolean;
};

/** Commas mean what the list that they stand in ends with: "A, B or C". */
export function withoutCommas(pieces: readonly Piece[]): Piece[] {
  const made = [...pieces];
  let meaning: Joint = 'and';
  for (let at = made.length - 1; at >= 0; at -= 1) {
    const piece = made[at];
    if (!piece) continue;
    if (piece.closes) meaning = 'and';
    if (piece.joint === ',')
      made[at] = { ...piece, joint: piece.opens ? 'and' : meaning, isClear: piece.opens };
    else meaning = piece.joint;
    if (piece.opens && meaning !== 'or') meaning = 'and';
  }
  return made;
}

/** Whether "and" stands inside an alternative, which no list of conditions can hold: "(A and B) or C". */
export function isTangled(pieces: readonly Piece[]): boolean {
  let opened: number | null = null;
  let hasAnd = false;
  let hasOr = false;
  for (const [at, piece] of pieces.entries()) {
    if (piece.opens) {
      if (piece.brackets > 1 || (opened !== null && pieces[opened]?.brackets === 1 && !hasOr)) return true;
      opened = at;
      hasAnd = false;
      hasOr = false;
    } else if (opened !== null) {
      hasOr ||= piece.joint === 'or';
      hasAnd ||= piece.joint === 'and' && (pieces[opened]?.brackets === 1 || !hasOr);
    }
    if (piece.closes) {
      const isInOr = opened !== null && (pieces[opened]?.joint === 'or' || pieces[at + 1]?.joint === 'or');
      if (opened === null || (hasAnd && (isInOr || hasOr))) return true;
      opened = null;
    } else if (opened !== null && hasAnd && hasOr) return true;
  }
  return opened !== null && pieces[opened]?.brackets === 1;
}

/** Pieces joined by "or" stand in a group; it is loose where other pieces stand beside it without a clear border. */
export function grouped(pieces: readonly Piece[], hasCommas: boolean): Segment[] {
  const segments: Segment[] = [];
  let group = 0;
  for (let from = 0; from < pieces.length; ) {
    let to = from + 1;
    while (pieces[to]?.joint === 'or') to += 1;
    const members = pieces.slice(from, to);
    const isAlone = members.length === 1;
    const [first] = members;
    const isOpened = from === 0 || first?.opens === true || first?.isClear === true;
    const isClosed = to === pieces.length || members.at(-1)?.closes === true || pieces[to]?.isClear === true;
    const isLoose = !isAlone && (!isOpened || !isClosed || (hasCommas && first?.opens !== true));
    for (const { tokens } of members) segments.push({ tokens, group: isAlone ? null : group, isLoose });
    group += 1;
    from = to;
  }
  return segments;
}
