import { AsyncLocalStorage } from 'node:async_hooks'
import type {
  Operation,
  RunningOperation,
  Telemetry,
  TelemetryAttributes,
} from '@toolblocks/protocol'
import { escapeUnprintable } from '@toolblocks/protocol/internal'

/** What is known of a request that runs. */
interface LoggedRequest {
  /** The conversation and the id of its call, as the record has them. */
  conversation?: string | undefined
  call?: string | undefined
}

/** The longest value of a line. */
const MAX_VALUE = 200

/** Writes one line of JSON for each request of a client, without its content, and passes everything on. */
export function logRequests(write: (line: string) => void, inner?: Telemetry): Telemetry {
  const current = new AsyncLocalStorage<LoggedRequest>()

  function start(operation: Operation): RunningOperation {
    const running = inner?.start(operation)
    const { kind, attributes, details = {} } = operation
    const around = current.getStore()
    if (around && attributes['gen_ai.operation.name'] === 'execute_tool' && kind === 'internal') {
      around.conversation ??= text(details['gen_ai.conversation.id'])
      around.call ??= text(details['gen_ai.tool.call.id'])
    }
    if (kind !== 'server') return running ?? NOTHING
    const startedAt = performance.now()
    const request: LoggedRequest = {}
    let isEnded = false
    return {
      run: (work) => {
        const inRequest = (): ReturnType<typeof work> => current.run(request, work)
        return running ? running.run(inRequest) : inRequest()
      },
      traceFields: () => running?.traceFields() ?? {},
      end: (end) => {
        running?.end(end)
        if (isEnded) return
        isEnded = true
        const { traceparent = operation.asked?.['traceparent'] } = running?.traceFields() ?? {}
        const milliseconds = Math.round((performance.now() - startedAt) * 10) / 10
        write(
          escapeUnprintable(
            JSON.stringify({
              time: new Date().toISOString(),
              ...describeRequest({ ...details, ...attributes }),
              ...request,
              outcome: text(end?.error) ?? 'ok',
              ms: milliseconds,
              trace: readTraceId(traceparent),
            }),
          ),
        )
      },
    }
  }

  return {
    capturesContent: inner?.capturesContent ?? false,
    start,
    record: (...value) => inner?.record(...value),
  }
}

const NOTHING: RunningOperation = {
  run: (work) => work(),
  traceFields: () => ({}),
  end: () => undefined,
}

function describeRequest(attributes: TelemetryAttributes): Readonly<Record<string, unknown>> {
  return {
    method: text(attributes['mcp.method.name']),
    tool: text(attributes['gen_ai.tool.name']),
    prompt: text(attributes['gen_ai.prompt.name']),
    client: text(attributes['toolblocks.client.name']),
    user: text(attributes['user.name']),
    address: text(attributes['client.address']),
    version: text(attributes['mcp.protocol.version']),
    session: text(attributes['mcp.session.id']),
    request: text(attributes['jsonrpc.request.id']),
  }
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, MAX_VALUE) : undefined
}

/** Returns the id of a trace of W3C Trace Context. */
function readTraceId(traceparent: unknown): string | undefined {
  const parts = /^[\da-f]{2}-([\da-f]{32})-[\da-f]{16}-[\da-f]{2}/.exec(text(traceparent) ?? '')
  return parts?.[1]
}
