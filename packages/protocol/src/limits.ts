/** The deepest nesting of arrays and objects read from a tool or server. */
export const MAX_JSON_DEPTH = 64
/** The deepest nesting of a JSON Schema from outside. */
export const MAX_SCHEMA_DEPTH = 32
/** The most values, keys not counted, in one document. */
export const MAX_JSON_NODES = 1_000_000
/** The most bytes of one output that are parsed: 16 MiB. What comes after is counted, not read. */
export const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
/** The most content blocks in one result. */
export const MAX_CONTENT_BLOCKS = 10_000
/** The most questions in one result. */
export const MAX_QUESTIONS = 32
/** The longest URI, in UTF-8 bytes: 8 KiB. */
export const MAX_URI_BYTES = 8 * 1024
/** Up to this many bytes a document is parsed first and walked after; above, its bytes are scanned first: 2 MiB. */
export const MAX_UNSCANNED_BYTES = 2 * 1024 * 1024
/** The most times one call is executed while its questions are being answered. */
export const MAX_INQUIRY_ROUNDS = 16
/** What an executable may print when it describes itself, in bytes. */
export const MAX_DESCRIPTION_BYTES = 1024 * 1024
/**
 * The most programs of tools that one host runs at a time, each for one call. Further calls wait for their turn. A fixed number, because many
 * tools wait for a network or a disk, not for a core; and few enough that what they hold (memory, descriptors) has a bound.
 */
export const MAX_RUNNING_PROGRAMS = 16
/**
 * The most programs of tools that stay alive in one host at a time. A further one is refused, because it could wait without end; they do not
 * take the turn of those that run once.
 */
export const MAX_LIVE_PROGRAMS = 64
