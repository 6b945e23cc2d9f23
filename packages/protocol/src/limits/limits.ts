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
/** The most times one call of a tool that runs once is executed while its questions are being answered. */
export const MAX_INQUIRY_ROUNDS = 16
/** The most inputs and answers that one live call is given, by a model, a person or the configuration, until it is ended. A host may choose another. */
export const MAX_LIVE_INTERACTIONS = 1000
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

/** The most bytes of one answer of a model, as they come from its provider: 64 MiB. The largest answers of today have less than 1 MiB. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** The most bytes of one event in the stream of an answer: 8 MiB. An event is held until it is whole. */
export const MAX_ANSWER_EVENT_BYTES = 8 * 1024 * 1024
/** How long a provider may send nothing, before and within an answer: 5 minutes. */
export const MAX_ANSWER_IDLE_MS = 5 * 60 * 1000
/** The most bytes that are read of what a provider or an MCP server says instead of an answer: 64 KiB. */
export const MAX_REFUSAL_BYTES = 64 * 1024
/** The most calls of one message of a model that are run. Models of today make less than 32. */
export const MAX_CALLS_PER_MESSAGE = 128
/** The most calls of one message that are kept, each with a result that says whether it was run. Further ones are left out of the message. */
export const MAX_KEPT_CALLS_PER_MESSAGE = 512
/** The most bytes of the arguments of one call of a model: 4 MiB. */
export const MAX_CALL_BYTES = 4 * 1024 * 1024
/** The most bytes of the name, and of the id, of one call of a model: 1 KiB. */
export const MAX_CALL_NAME_BYTES = 1024
/** How long a port of a host may take to settle after its signal has aborted: 3 seconds. An editor that is told to end may take 2. */
export const PORT_GRACE_MS = 3000
/** How long a tool may take to settle after its signal has aborted: 6 seconds, so that a program can be ended, and a port it waits for. */
export const TOOL_GRACE_MS = 6000

/** The most bytes of one message of an MCP server, a line, a body or an event, and of one message to a service over stdio: 64 MiB. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** The most bytes of one request to a service over HTTP: 4 MiB. Over stdio a message may have `MAX_MESSAGE_BYTES`. */
export const MAX_REQUEST_BYTES = 4 * 1024 * 1024
/** How long a client may take to send one request: 30 seconds. */
export const MAX_REQUEST_MS = 30_000
/** The most calls that one service runs, or keeps waiting, at a time. A further one is refused. */
export const MAX_SERVED_CALLS = 64
/** The most clients of a service over HTTP at a time. A further one ends the one that came first. */
export const MAX_SESSIONS = 100
/** The most connections to a service over HTTP at a time, streams that stay open included. A further one is closed. */
export const MAX_CONNECTIONS = 512

/** The most files that may hold conversations in one folder that is imported, and those below it. */
export const MAX_IMPORT_FILES = 100_000
/** The deepest folder below one that is imported. */
export const MAX_IMPORT_DEPTH = 32
/** The most bytes of one file that is imported: 1 GiB. */
export const MAX_IMPORT_FILE_BYTES = 1024 * 1024 * 1024
/** The most bytes of one record of a file, and of one value of a database, that is imported: 64 MiB. */
export const MAX_IMPORT_RECORD_BYTES = 64 * 1024 * 1024
/** The most bytes of all that lies beside one file and is read with it, unpacked: 1 GiB. */
export const MAX_IMPORT_BLOB_BYTES = 1024 * 1024 * 1024
/** A file that is imported may have `MAX_JSON_NODES` values, and one more for each of so many bytes. */
export const IMPORT_BYTES_PER_NODE = 8
/** The most rows of one database that are imported. */
export const MAX_IMPORT_ROWS = 5_000_000
/** How long one database may be read: 5 minutes. */
export const MAX_IMPORT_MS = 5 * 60 * 1000
