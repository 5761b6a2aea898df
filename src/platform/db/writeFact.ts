/** SQL that keeps a value under a key. A row that is changed in place leaves its index alone; a replaced one writes it anew. */
export const WRITE_FACT =
  'INSERT INTO facts (key, value) VALUES (?1, ?2) ON CONFLICT (key) DO UPDATE SET value = excluded.value';
