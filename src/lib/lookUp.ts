/** The entry of a table under a text from outside: names of the object prototype, as 'constructor', are none. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
