/** The table's own entry under a name from outside. Names from the object prototype, such as 'constructor', have none. */
export const lookUp = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;
