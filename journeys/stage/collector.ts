import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { listen } from './listen.ts'

/** A span as it arrived, with its attributes by name. */
interface ArrivedSpan {
  service: string
  name: string
  trace: string
  id: string
  parent: string
  attributes: Readonly<Record<string, unknown>>
}

/** A collector of OpenTelemetry on loopback, with everything that it has received. */
export interface Collector {
  /** The variables with which the command sends to it, as JSON. */
  environment: Readonly<Record<string, string>>
  /** The requests: path, content type and body. */
  requests: { path: string; type: string; body: string }[]
  spans(): readonly ArrivedSpan[]
  /** The names of the metrics that have arrived. */
  metrics(): readonly string[]
}

interface Attribute {
  key: string
  value: Readonly<Record<string, unknown>>
}

interface TraceBody {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: {
      spans: {
        name: string
        traceId: string
        spanId: string
        parentSpanId?: string
        attributes: Attribute[]
      }[]
    }[]
  }[]
}

interface MetricBody {
  resourceMetrics: { scopeMetrics: { metrics: { name: string }[] }[] }[]
}

/** Starts a collector until the test ends. */
export async function startCollector(): Promise<Collector> {
  const requests: Collector['requests'] = []
  const origin = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        const type = request.headers['content-type'] ?? ''
        requests.push({ path: request.url ?? '', type, body })
        response.writeHead(200, { 'content-type': type }).end(type.endsWith('json') ? '{}' : '')
      })
    }),
  )
  const bodies = (path: string): unknown[] =>
    requests.flatMap((each) => (each.path === path ? [JSON.parse(each.body)] : []))
  return {
    environment: {
      OTEL_EXPORTER_OTLP_ENDPOINT: origin,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
    },
    requests,
    spans: () =>
      (bodies('/v1/traces') as TraceBody[])
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ resource, scopeSpans }) =>
          scopeSpans.flatMap(({ spans }) =>
            spans.map((span) => ({
              service: String(readAttributes(resource.attributes)['service.name']),
              name: span.name,
              trace: span.traceId,
              id: span.spanId,
              parent: span.parentSpanId ?? '',
              attributes: readAttributes(span.attributes),
            })),
          ),
        ),
    metrics: () =>
      (bodies('/v1/metrics') as MetricBody[])
        .flatMap(({ resourceMetrics }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))
        .map(({ name }) => name),
  }
}

function readAttributes(attributes: readonly Attribute[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
}
