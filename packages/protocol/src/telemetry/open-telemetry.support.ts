import { context, SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { DataPointType, MeterProvider, MetricReader } from '@opentelemetry/sdk-metrics'
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { createOpenTelemetry, type OpenTelemetryOptions } from './create-open-telemetry.ts'
import type { Telemetry } from './telemetry.ts'

/** A finished span, as tests compare it. */
export interface SeenSpan {
  name: string
  kind: string
  trace: string
  id: string
  parent: string | undefined
  links: readonly string[]
  isError: boolean
  attributes: Readonly<Record<string, unknown>>
}

/** One series of a histogram. */
interface SeenSeries {
  attributes: Readonly<Record<string, unknown>>
  count: number
  sum: number
}

/** Telemetry over the SDK of OpenTelemetry, and what it has reported. */
export interface WatchedTelemetry {
  telemetry: Telemetry
  spans(): readonly SeenSpan[]
  /** The series of a histogram. */
  series(histogram: string): Promise<readonly SeenSeries[]>
  boundaries(histogram: string): Promise<readonly number[]>
}

class CollectingReader extends MetricReader {
  protected override async onForceFlush(): Promise<void> {}
  protected override async onShutdown(): Promise<void> {}
}

/** Creates telemetry over the SDK of OpenTelemetry whose batches of spans are dropped, for measurements. */
export function createDroppingTelemetry(): Telemetry {
  const exporter = new InMemorySpanExporter()
  exporter.export = (_spans, done) => done({ code: 0 })
  const spanProcessors = [new BatchSpanProcessor({ exporter })]
  return watchTelemetry({ tracerProvider: new TracerProvider({ spanProcessors }) }).telemetry
}

/** Creates telemetry over the SDK of OpenTelemetry, with the context manager that Node.js needs. */
export function watchTelemetry(options: OpenTelemetryOptions = {}): WatchedTelemetry {
  // One for the process: the first one stays.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const exporter = new InMemorySpanExporter()
  const tracerProvider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  })
  const reader = new CollectingReader()
  const meterProvider = new MeterProvider({ readers: [reader] })
  const telemetry = createOpenTelemetry({
    tracerProvider,
    meterProvider,
    propagator: new W3CTraceContextPropagator(),
    ...options,
  })
  const find = async (histogram: string) => {
    const { resourceMetrics } = await reader.collect()
    const all = resourceMetrics.scopeMetrics.flatMap(({ metrics }) => metrics)
    const histogramData = all.find(({ descriptor }) => descriptor.name === histogram)
    return histogramData?.dataPointType === DataPointType.HISTOGRAM ? histogramData.dataPoints : []
  }
  return {
    telemetry,
    spans: () =>
      exporter.getFinishedSpans().map((span) => ({
        name: span.name,
        kind: SpanKind[span.kind].toLowerCase(),
        trace: span.spanContext().traceId,
        id: span.spanContext().spanId,
        parent: span.parentSpanContext?.spanId,
        links: span.links.map((link) => link.context.spanId),
        isError: span.status.code === SpanStatusCode.ERROR,
        attributes: span.attributes,
      })),
    series: async (histogram) =>
      (await find(histogram)).map(({ attributes, value: { count, sum = 0 } }) => ({
        attributes,
        count,
        sum,
      })),
    boundaries: async (histogram) =>
      (await find(histogram)).flatMap(({ value }) => value.buckets.boundaries),
  }
}
