/**
 * Libraries ask at run time which mode they are in, through names that a build's define does not reach (Elysia reads
 * `Bun.env`). In any other mode Elysia writes the whole of a refused body, with indentation, into its error.
 * Imported before anything else, because they ask while they are being loaded.
 */
Bun.env['NODE_ENV'] = 'production';
