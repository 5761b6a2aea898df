/** A random name. `crypto.randomUUID` does not exist on a page without https. */
export const uniqueName = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');
