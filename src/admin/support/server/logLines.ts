/** Facts of a log line that are figures and words of ours; of every other only the name is kept. */
const KEPT_FACTS: ReadonlySet<string> = new Set([
  'version',
  'commit',
  'feed',
  'signal',
  'method',
  'status',
  'ms',
  'count',
  'failures',
  'seconds',
  'free',
  'migrations',
  'durationMs',
  'part',
  'code',
  'stocks',
  'rows',
  'bytes',
]);
const KEPT_VALUE = /^[\w.+-]{1,40}$/;

const HEAD = /^(\d{4}-[\d:.TZ-]{6,30}) ([A-Z]{4,8}) ([\w.]{1,60}): /;
/** A fact begins with its name; what stands before the first one is the sentence. */
const FACT = / ([A-Za-z]{1,40})=/g;
/** Where code stood when it failed; what is said of the failure itself is left out, and so is what may be a folder. */
const FRAME = /^ {1,8}at [^\r\n]{0,400}?([\w.-]{1,60}\.(?:js|ts|tsx):\d{1,9}:\d{1,9})\)?$/;
/** A word of a sentence: letters, with what stands between and behind them. */
const PLAIN_WORD = /^[A-Za-z’']{1,20}(?:-[A-Za-z]{1,20}){0,3}[,;:.)]?$/;

const plain = (sentence: string): string =>
  sentence
    .slice(0, 500)
    .split(' ')
    .map((word) => (PLAIN_WORD.test(word) ? word : '…'))
    .join(' ');

/** Facts as they stand in a line, without what may be somebody's. */
function keptFacts(text: string): string {
  const found = [...text.matchAll(FACT)];
  return found
    .map((match, index) => {
      const [whole, name = ''] = match;
      const value = text.slice(match.index + whole.length, found[index + 1]?.index);
      return ` ${name}=${KEPT_FACTS.has(name) && KEPT_VALUE.test(value) ? value : '…'}`;
    })
    .join('');
}

/**
 * A log line as it may be given away: time, level, part, the words of its sentence, figures. Names, addresses, texts and
 * whatever is not known to be harmless is left out, so that nothing depends on what a secret looks like.
 * @returns null for a line of which nothing is left
 */
export function harmlessLine(line: string): string | null {
  const head = HEAD.exec(line);
  if (head === null) {
    const place = FRAME.exec(line.slice(0, 600))?.[1];
    return place === undefined ? null : `    at ${place}`;
  }
  const rest = line.slice(head[0].length, head[0].length + 20_000);
  const first = rest.search(FACT);
  const [sentence, facts] = first < 0 ? [rest, ''] : [rest.slice(0, first), rest.slice(first)];
  return `${head[0]}${plain(sentence)}${keptFacts(facts)}`;
}
