/** A rule of a style sheet, or an at-rule with a block: what stands before its braces, and what inside. */
export type StyleRule = {
  /** A selector list, or an at-rule's name and condition; white space as single spaces. */
  prelude: string;
  declarations: readonly { property: string; value: string }[];
  rules: readonly StyleRule[];
};

/** What stands at the top of a sheet: its rules, and statements outside of any rule. */
export type StyleSheet = Pick<StyleRule, 'declarations' | 'rules'>;

type OpenRule = { prelude: string; declarations: { property: string; value: string }[]; rules: StyleRule[] };

const TOKEN = /"[^"]*"|'[^']*'|[{};]|[^{};"']+/g;

/**
 * Reads plain CSS with nesting. A statement without a colon, such as `@import`, is a declaration without a value.
 * @throws Error when the braces do not match
 */
export function parseStyleSheet(css: string): StyleSheet {
  const sheet: OpenRule = { prelude: '', declarations: [], rules: [] };
  const open = [sheet];
  let text = '';
  for (const [token] of css.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(TOKEN)) {
    const rule = open.at(-1);
    if (!rule) break;
    if (token === '{') {
      const inner: OpenRule = { prelude: text.trim().replaceAll(/\s+/g, ' '), declarations: [], rules: [] };
      rule.rules.push(inner);
      open.push(inner);
    } else if (token === ';' || token === '}') {
      if (text.trim() !== '') rule.declarations.push(declarationOf(text.trim()));
      if (token === '}') open.pop();
    } else {
      text += token;
      continue;
    }
    text = '';
  }
  if (open.length !== 1) throw new Error('The braces of the style sheet do not match.');
  return sheet;
}

function declarationOf(text: string): { property: string; value: string } {
  const colon = text.indexOf(':');
  return colon < 0
    ? { property: text, value: '' }
    : { property: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
}

/** Every rule of a sheet, however deep. */
export const allRules = ({ rules }: StyleSheet): StyleRule[] =>
  rules.flatMap((rule) => [rule, ...allRules(rule)]);

/** Every class that a selector list names. */
export const classesOf = (selectors: string): string[] =>
  [...selectors.matchAll(/\.(-?[_a-zA-Z][\w-]*)/g)].map(([, name = '']) => name);
