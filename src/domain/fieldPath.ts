/** The name of a field inside another one: 'conditions[0]' and 'lhs' give 'conditions[0].lhs'. */
export const fieldPath = (outer: string, inner: string | null): string =>
  inner === null ? outer : `${outer}.${inner}`;
