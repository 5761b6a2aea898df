import { parseSync, type types } from '@babel/core';

/** The syntax tree of a source file, with types, and with JSX if its name ends in x. @throws if it cannot be parsed */
export function parseSource(path: string, text: string): types.File {
  const ast = parseSync(text, {
    babelrc: false,
    configFile: false,
    filename: path,
    parserOpts: {
      sourceType: 'module',
      plugins: path.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'],
    },
  });
  if (!ast) throw new Error(`${path} cannot be parsed.`);
  return ast;
}
