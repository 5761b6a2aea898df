import axe from 'axe-core';

/** What axe finds in a document part, one line a finding: rule, impact and the first element. */
export async function findings(node: Element): Promise<string[]> {
  const { violations } = await axe.run(node as HTMLElement, {
    // Colours are checked where the style sheet is parsed: a document without layout has none.
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    resultTypes: ['violations'],
  });
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`);
}
