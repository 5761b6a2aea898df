import axe from 'axe-core';

/** axe’s findings in a part of the document, one line each: rule, impact and the first element. */
export async function results(node: Element): Promise<string[]> {
  const { violations } = await axe.run(node as HTMLElement, {
    // Colours are checked with the parsed style sheet, because a document without layout has none.
    rules: { 'color-contrast': { enabled: false }, region: { enabled: false } },
    resultTypes: ['violations'],
  });
  return violations.map(({ id, impact, nodes }) => `${id} (${impact}): ${nodes[0]?.html}`);
}
