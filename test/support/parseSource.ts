import { parseSync, type types } from '@babel/core';

/** The syntax tree of a source file, with types, and with JSX where its name ends in x. @throws when it can't be parsed */
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
  if (!ast) throw new Error(`${path} can not be parsed.`);
  return ast;
}
