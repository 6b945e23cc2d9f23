/** Maximum nesting of arrays and objects from a tool or server. */
export const MAX_JSON_DEPTH = 64
/** Maximum nesting of a document of a store. It contains values of up to `MAX_JSON_DEPTH` levels, such as the arguments of a call. */
export const MAX_DOCUMENT_DEPTH = 72
/** Maximum nesting of a JSON Schema from outside. */
export const MAX_SCHEMA_DEPTH = 32
/** Maximum number of values, without keys, in one document. */
export const MAX_JSON_NODES = 1_000_000
/** Maximum bytes of one output that are parsed: 16 MiB. Further bytes are counted, not read. */
export const MAX_OUTPUT_BYTES = 16 * 1024 * 1024
/** Maximum content blocks in one result. */
export const MAX_CONTENT_BLOCKS = 10_000
/** Maximum questions in one result. */
export const MAX_QUESTIONS = 32
/** Maximum length of a URI in UTF-8 bytes: 8 KiB. */
export const MAX_URI_BYTES = 8 * 1024
/** A document up to this number of bytes is parsed first and checked afterwards. A larger one is scanned first: 2 MiB. */
export const MAX_UNSCANNED_BYTES = 2 * 1024 * 1024
/** Maximum number of times that one call of a one-shot tool is run while its questions are answered. */
export const MAX_INQUIRY_ROUNDS = 16
/**
 * Maximum number of inputs and answers for one stateful call, from a model, a person or the configuration, until it is ended. A host may choose
 * another number.
 */
export const MAX_LIVE_INTERACTIONS = 1000
/** Maximum bytes that an executable may print when it describes itself. */
export const MAX_DESCRIPTION_BYTES = 1024 * 1024
/**
 * Maximum number of one-shot programs that one host runs at a time. Further calls wait. The number is fixed, because many tools wait for a network
 * or a disk and not for a core, and small enough to limit memory and descriptors.
 */
export const MAX_RUNNING_PROGRAMS = 16
/**
 * Maximum number of stateful programs in one host at a time. A further one is refused, because it could wait without end. They do not count as
 * one-shot programs.
 */
export const MAX_LIVE_PROGRAMS = 64

/** Maximum bytes of one model response, as its provider sends it: 64 MiB. The largest responses today have less than 1 MiB. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** Maximum bytes of one event in the stream of a response: 8 MiB. An event is buffered until it is complete. */
export const MAX_ANSWER_EVENT_BYTES = 8 * 1024 * 1024
/** How long a provider or an MCP server may send nothing, before and within a response: 5 minutes. */
export const MAX_ANSWER_IDLE_MS = 5 * 60 * 1000
/** Maximum bytes that are read of an error of a provider or an MCP server: 64 KiB. */
export const MAX_REFUSAL_BYTES = 64 * 1024
/** How long a response of a model may take from the request to its last byte: 2 hours. */
export const MAX_ANSWER_MS = 2 * 60 * 60 * 1000
/** How long connecting to a server over HTTP may take: 10 seconds. */
export const MAX_CONNECT_MS = 10_000
/** Maximum bytes of the head of one response over HTTP: 64 KiB. */
export const MAX_HEAD_BYTES = 64 * 1024
/** Maximum statuses from 100 to 199 before one response over HTTP. */
export const MAX_INTERIM_ANSWERS = 32
/** Maximum calls of one message that are run. Models today make less than 32. */
export const MAX_CALLS_PER_MESSAGE = 128
/** Maximum calls of one message that are stored, each with a result that says whether it was run. Further calls are removed from the message. */
export const MAX_KEPT_CALLS_PER_MESSAGE = 512
/** Maximum bytes of the arguments of one call of a model: 4 MiB. */
export const MAX_CALL_BYTES = 4 * 1024 * 1024
/** Maximum bytes of the name, and of the id, of one call of a model: 1 KiB. */
export const MAX_CALL_NAME_BYTES = 1024
/** How long a port of a host may take to settle after its signal has aborted: 3 seconds. An editor that is told to end may take 2. */
export const PORT_GRACE_MS = 3000
/** How long a tool may take to settle after its signal has aborted: 6 seconds, so that a program can be ended, and a port that it waits for. */
export const TOOL_GRACE_MS = 6000

/** Characters of one result for a model, if the host sets no other limit: 100,000. They fit into the window of every current model. */
export const MAX_RESULT_LENGTH = 100_000
/** Characters of all results of one turn together, if the host sets no other limit: four times those of one result. */
export const MAX_TURN_LENGTH = 4 * MAX_RESULT_LENGTH

/** Maximum bytes of one message of an MCP server (a line, a body or an event), and of one message to a service over stdio: 64 MiB. */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024
/** Maximum bytes of one request to a service over HTTP: 4 MiB. Over stdio, a message may have `MAX_MESSAGE_BYTES`. */
export const MAX_REQUEST_BYTES = 4 * 1024 * 1024
/** How long a client may take to send one request: 30 seconds. */
export const MAX_REQUEST_MS = 30_000
/** Maximum number of calls that one service runs at a time. Further ones wait; the clients take turns, and one has at most three places for each free one. */
export const MAX_SERVED_CALLS = 64
/** Maximum number of calls of one client that wait. A further one is refused with an error of the protocol, and can be sent again. */
export const MAX_WAITING_CALLS = 1000
/** Maximum number of sessions of a service over HTTP at a time. A further client is refused with the status 503. */
export const MAX_SESSIONS = 1000
/** How long a session of a service over HTTP may have no open request and no open stream: 30 minutes. Then it is forgotten. */
export const MAX_SESSION_IDLE_MS = 30 * 60 * 1000
/** Maximum number of connections to a service over HTTP at a time, including open streams. Requests on further ones are refused with the status 503. */
export const MAX_CONNECTIONS = 4096
/** How long a connection to a service over HTTP may be open without a complete request head: 5 seconds. */
export const MAX_REQUEST_HEAD_MS = 5000

/** Maximum number of files in one imported folder and below it. */
export const MAX_IMPORT_FILES = 100_000
/** Maximum depth below an imported folder. */
export const MAX_IMPORT_DEPTH = 32
/** Maximum bytes of one imported file: 1 GiB. */
export const MAX_IMPORT_FILE_BYTES = 1024 * 1024 * 1024
/** Maximum bytes of one imported record of a file, or of one value of a database: 64 MiB. */
export const MAX_IMPORT_RECORD_BYTES = 64 * 1024 * 1024
/** Maximum bytes of everything beside one file that is read with it, unpacked: 1 GiB. */
export const MAX_IMPORT_BLOB_BYTES = 1024 * 1024 * 1024
/** An imported file may have `MAX_JSON_NODES` values, and one more for each of this number of bytes. */
export const IMPORT_BYTES_PER_NODE = 8
/** Maximum number of imported rows of one database. */
export const MAX_IMPORT_ROWS = 5_000_000
/** How long reading one database may take: 5 minutes. */
export const MAX_IMPORT_MS = 5 * 60 * 1000

/** Maximum number of characters of one event whose words a search finds. */
export const MAX_SEARCHED_LENGTH = 200_000
/** Maximum number of characters of a search text of a person. A longer one would be compared with each found event for too long. */
export const MAX_SEARCH_TEXT_LENGTH = 500
