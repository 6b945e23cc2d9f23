import type { JsonObject } from '../json/json.ts'

/** Attributes by their names in OpenTelemetry's semantic conventions. `undefined`: without this attribute. */
export type TelemetryAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** An operation that begins, such as a request, a call or a turn: a span, and a duration. */
export interface Operation {
  /** The name of the span, such as `tools/call greet`. */
  readonly name: string
  /** `client`: asks another program. `server`: answers one. `internal`: neither. */
  readonly kind: 'client' | 'server' | 'internal'
  /** Attributes with few values: of the span, and of the duration. */
  readonly attributes: TelemetryAttributes
  /** Further attributes of the span. */
  readonly details?: TelemetryAttributes
  /** The histogram that receives the duration in seconds. Default: none. */
  readonly duration?: string
  /**
   * The `_meta` of the message that asks for the operation. Its `traceparent` names the parent; a malformed one is ignored. Default: the operation
   * whose `run` is active is the parent.
   */
  readonly asked?: JsonObject
  /** The operation whose `run` is active is not its parent, because it belongs to another one. Default: it may be. */
  readonly isApart?: true
}

/** How an operation ends. */
export interface OperationEnd {
  /** The class of the error (`error.type`). Absent: the operation succeeded. */
  readonly error?: string
  /** Further attributes, like `attributes` of the operation; they replace those of the same name. */
  readonly attributes?: TelemetryAttributes
  /** Further attributes of the span. */
  readonly details?: TelemetryAttributes
}

/** An operation that runs. */
export interface RunningOperation {
  /** Calls a function. Operations that begin while it runs, also after it has awaited something, have this one as their parent. */
  run<Value>(work: () => Value): Value
  /** Returns the fields of `_meta` that name this operation as a parent, such as `traceparent`. Empty: it is not traced. */
  traceFields(): Readonly<Record<string, string>>
  /** Ends the operation. Has no effect after the first time. */
  end(outcome?: OperationEnd): void
}

/**
 * Receives what a client, a server, an executor or an agent does. `createOpenTelemetry` of `@toolblocks/protocol/opentelemetry` passes it on to
 * OpenTelemetry. Its functions must not throw.
 */
export interface Telemetry {
  /** Whether arguments and results are reported. */
  readonly capturesContent: boolean
  /** Begins an operation. */
  start(operation: Operation): RunningOperation
  /** Adds a value to a histogram. */
  record(histogram: string, value: number, attributes: TelemetryAttributes): void
}
