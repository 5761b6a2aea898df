import { expect, test } from 'bun:test';
import { withoutPrefixedAny } from '../../scripts/build/prefixedAny.ts';

/** What the bundler makes of a sheet. */
async function bundled(css: string, minify: boolean): Promise<string> {
  const entry = '/sheet/sheet.css';
  const { outputs } = await Bun.build({ entrypoints: [entry], files: { [entry]: css }, minify });
  return (await outputs[0]?.text()) ?? '';
}

const SHEET = `
@layer ui, app;
@layer app {
  .table { color: red; & > :is(td, th) { padding: 1px; &:first-child { margin: 0; } } }
  @media (max-width: 640px) { .table :is(button, .link):hover { color: blue; } }
  .last { color: green; }
}`;

for (const minify of [true, false]) {
  test(`a rule with :is() stands in the sheet once, and weighs what it says (minified: ${minify})`, async () => {
    const css = await bundled(SHEET, minify);
    // What this is there for: without it the module could go.
    expect(css).toContain(':-webkit-any(');
    const clean = withoutPrefixedAny(css);
    expect(clean).not.toContain('-any(');
    const rules = (text: string) => text.match(/[^{};]{1,200}\{/g)?.map((rule) => rule.trim()) ?? [];
    expect(rules(clean)).toEqual(rules(css).filter((rule) => !rule.includes('-any(')));
    expect(clean).toContain('ui');
    expect(clean.match(/:is\(/g)).toHaveLength(3);
  });
}
