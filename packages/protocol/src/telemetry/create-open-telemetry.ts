import type {
  Attributes,
  Context,
  Histogram,
  MeterProvider,
  TextMapGetter,
  TextMapPropagator,
  TracerProvider,
} from '@opentelemetry/api'
import type * as OpenTelemetry from '@opentelemetry/api'
import type { JsonObject } from '../json/json.ts'
import { describeMissingPeer } from '../text/missing-peer.ts'
import { requireArguments } from '../text/require-arguments.ts'
import { findHistogram } from './histograms.ts'
import type {
  Operation,
  OperationEnd,
  RunningOperation,
  Telemetry,
  TelemetryAttributes,
} from './telemetry.ts'

/** Loaded here so that a missing optional peer gives an error that names it. */
const {
  context,
  metrics,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
}: typeof OpenTelemetry = await import('@opentelemetry/api').catch((cause: unknown) => {
  const entry = '@toolblocks/protocol/opentelemetry'
  throw describeMissingPeer(cause, { entry, peer: '@opentelemetry/api' })
})

/** Options of `createOpenTelemetry`. */
export interface OpenTelemetryOptions {
  /** Whether spans contain the arguments and results of calls, which may be secret. Default: false. */
  readonly captureContent?: boolean
  /** Default: the one that is registered. */
  readonly tracerProvider?: TracerProvider
  /** Default: the one that is registered when the first value is recorded. */
  readonly meterProvider?: MeterProvider
  /** Reads and writes `traceparent` and the like in `_meta`. Default: the one that is registered. */
  readonly propagator?: Pick<TextMapPropagator, 'inject' | 'extract'>
}

const SCOPE = 'toolblocks'

const KINDS = {
  client: SpanKind.CLIENT,
  server: SpanKind.SERVER,
  internal: SpanKind.INTERNAL,
} as const

/** The longest field of a trace that is read. */
const MAX_TRACE_FIELD = 8192

/** The propagation fields of a `_meta` that others wrote. */
const FIELDS: TextMapGetter<JsonObject> = {
  keys: (meta) => Object.keys(meta),
  get: (meta, field) => {
    const value = Object.hasOwn(meta, field) ? meta[field] : undefined
    return typeof value === 'string' && value.length <= MAX_TRACE_FIELD ? value : undefined
  },
}

/**
 * Returns telemetry that makes spans and metrics of OpenTelemetry. Register an SDK with a context manager before, as `NodeSDK` does; without one,
 * nothing is reported.
 */
export function createOpenTelemetry(options: OpenTelemetryOptions = {}): Telemetry {
  requireArguments('createOpenTelemetry(options)', [options, 'object'])
  const {
    captureContent = false,
    tracerProvider,
    meterProvider,
    propagator = propagation,
  } = options
  const tracer = (tracerProvider ?? trace).getTracer(SCOPE)
  const histograms = new Map<string, Histogram>()

  function record(name: string, value: number, attributes: TelemetryAttributes): void {
    let histogram = histograms.get(name)
    if (!histogram) {
      const { boundaries, ...about } = findHistogram(name) ?? {}
      const advice = boundaries && { advice: { explicitBucketBoundaries: [...boundaries] } }
      histogram = (meterProvider ?? metrics)
        .getMeter(SCOPE)
        .createHistogram(name, { ...about, ...advice })
      histograms.set(name, histogram)
    }
    histogram.record(value, keepSet(attributes))
  }

  /** Returns the context of the parent. */
  function findParent({ asked, isApart }: Operation): Context {
    const here = isApart ? ROOT_CONTEXT : context.active()
    return asked ? propagator.extract(here, asked, FIELDS) : here
  }

  function start(operation: Operation): RunningOperation {
    const { name, kind, attributes, details, duration } = operation
    const parent = findParent(operation)
    // The request over HTTP that carried the message, if the host traces that.
    const around = operation.isApart ? undefined : trace.getSpanContext(context.active())
    const isAsked = around?.spanId !== trace.getSpanContext(parent)?.spanId
    const span = tracer.startSpan(
      name,
      {
        kind: KINDS[kind],
        attributes: { ...keepSet(attributes), ...keepSet(details) },
        ...(around && isAsked && { links: [{ context: around }] }),
      },
      parent,
    )
    const own = trace.setSpan(parent, span)
    const startedAt = performance.now()
    let isEnded = false

    function end({ error, attributes: last, details: lastDetails }: OperationEnd = {}): void {
      if (isEnded) return
      isEnded = true
      const failure = error === undefined ? {} : { 'error.type': error }
      span.setAttributes({ ...keepSet(last), ...keepSet(lastDetails), ...failure })
      if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
      if (duration !== undefined)
        context.with(own, () => {
          const seconds = (performance.now() - startedAt) / 1000
          record(duration, seconds, { ...attributes, ...last, ...failure })
        })
      span.end()
    }

    return {
      run: (work) => context.with(own, work),
      traceFields: () => {
        const fields: Record<string, string> = {}
        propagator.inject(own, fields, {
          set: (carrier, field, value) => {
            carrier[field] = value
          },
        })
        return fields
      },
      end,
    }
  }

  return { capturesContent: captureContent, start, record }
}

/** Returns the attributes that are set. */
function keepSet(attributes: TelemetryAttributes | undefined): Attributes {
  const kept: Attributes = {}
  for (const [name, value] of Object.entries(attributes ?? {}))
    if (value !== undefined) kept[name] = typeof value === 'object' ? [...value] : value
  return kept
}
