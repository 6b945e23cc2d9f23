import { context, diag, DiagLogLevel } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { PrometheusExporter, PrometheusSerializer } from '@opentelemetry/exporter-prometheus'
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from '@opentelemetry/resources'
import {
  type IMetricReader,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Telemetry } from '@toolblocks/protocol'
import { createOpenTelemetry } from '@toolblocks/protocol/opentelemetry'
import { chooseSampler } from './choose-sampler.ts'
import type { Exports, ExportProtocol } from './read-exports.ts'

/** Telemetry that is exported or can be read. */
export interface OpenedTelemetry {
  telemetry: Telemetry
  /** Returns the metrics as Prometheus reads them. Absent: they cannot be read. */
  readMetrics?: () => Promise<string>
  /** Exports what is left. */
  close(): Promise<void>
}

/** Opens the SDK of OpenTelemetry. Everything that it needs is loaded with this file. */
export async function openTelemetry({
  exports,
  hasMetrics,
  version,
  warn,
}: {
  exports: Exports
  /** Whether the metrics can be read as a page. */
  hasMetrics: boolean
  version: string
  /** Called once if something could not be exported. */
  warn: (message: string) => void
}): Promise<OpenedTelemetry> {
  reportOnce(warn)
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const resource = describeProcess(version)
  const { traces, metrics, capturesContent, metricIntervalMs } = exports
  const tracerProvider = new TracerProvider({
    resource,
    sampler: chooseSampler(process.env),
    spanProcessors: traces
      ? [new BatchSpanProcessor({ exporter: await createSpanExporter(traces) })]
      : [],
  })
  const page = hasMetrics ? new PrometheusExporter({ preventServerStart: true }) : undefined
  const readers: IMetricReader[] = []
  if (metrics)
    readers.push(
      new PeriodicExportingMetricReader({
        exporter: await createMetricExporter(metrics),
        ...(metricIntervalMs !== undefined && {
          exportIntervalMillis: metricIntervalMs,
          exportTimeoutMillis: Math.min(metricIntervalMs, MAX_EXPORT_MS),
        }),
      }),
    )
  if (page) readers.push(page)
  const meterProvider = new MeterProvider({ resource, readers })
  const serializer = new PrometheusSerializer()
  return {
    telemetry: createOpenTelemetry({
      captureContent: capturesContent,
      ...(traces && { tracerProvider }),
      meterProvider,
      propagator: new W3CTraceContextPropagator(),
    }),
    ...(page && {
      readMetrics: async () => {
        const { resourceMetrics } = await page.collect()
        return serializer.serialize(resourceMetrics)
      },
    }),
    close: async () => {
      await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()])
    },
  }
}

/** Milliseconds of one export of metrics: the default of the SDK. */
const MAX_EXPORT_MS = 30_000

async function createSpanExporter(protocol: ExportProtocol): Promise<SpanExporter> {
  const { OTLPTraceExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-trace-otlp-http')
      : await import('@opentelemetry/exporter-trace-otlp-proto')
  return new OTLPTraceExporter()
}

async function createMetricExporter(protocol: ExportProtocol): Promise<PushMetricExporter> {
  const { OTLPMetricExporter } =
    protocol === 'http/json'
      ? await import('@opentelemetry/exporter-metrics-otlp-http')
      : await import('@opentelemetry/exporter-metrics-otlp-proto')
  return new OTLPMetricExporter()
}

/** Describes this process. `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` win. */
function describeProcess(version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'toolblocks', 'service.version': version }))
    .merge(detectResources({ detectors: [envDetector] }))
}

const ignore = (): void => undefined

/** Reports the first failure of an export. Its text may contain what the endpoint has answered. */
function reportOnce(warn: (message: string) => void): void {
  let isReported = false
  const report = (): void => {
    if (isReported) return
    isReported = true
    warn('telemetry could not be exported: the endpoint of OTEL_EXPORTER_OTLP_ENDPOINT fails')
  }
  diag.setLogger(
    { error: report, warn: ignore, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.ERROR, suppressOverrideMessage: true },
  )
}
