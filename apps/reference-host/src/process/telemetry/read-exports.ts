/** How spans or metrics are sent: the protocol of the exporter. */
export type ExportProtocol = 'http/protobuf' | 'http/json'

/** What the variables of OpenTelemetry ask for. Absent: that is not exported. */
export interface Exports {
  traces?: ExportProtocol
  metrics?: ExportProtocol
  /** Whether spans contain arguments, results and messages. */
  capturesContent: boolean
  /** Milliseconds between two exports of metrics. Default: that of the SDK. */
  metricIntervalMs?: number
  /** What cannot be done. */
  warnings: readonly string[]
}

const PROTOCOLS: readonly string[] = ['http/protobuf', 'http/json']

/** Values of the variable for content with which spans have it. */
const WITH_CONTENT = new Set(['true', 'span_only', 'span_and_event'])

/** Reads what the variables of OpenTelemetry ask for. The exporters read the address, headers and limits themselves. */
export function readExports(environment: Readonly<Record<string, string | undefined>>): Exports {
  const read = (name: string): string => environment[name]?.trim() ?? ''
  const capturesContent = WITH_CONTENT.has(
    read('OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT').toLowerCase(),
  )
  if (read('OTEL_SDK_DISABLED').toLowerCase() === 'true') return { capturesContent, warnings: [] }
  const warnings: string[] = []
  const find = (signal: 'TRACES' | 'METRICS'): ExportProtocol | undefined => {
    const own = `OTEL_EXPORTER_OTLP_${signal}`
    const isNamed = [`${own}_ENDPOINT`, 'OTEL_EXPORTER_OTLP_ENDPOINT'].some(
      (name) => read(name) !== '',
    )
    if (!isNamed || read(`OTEL_${signal}_EXPORTER`).toLowerCase() === 'none') return undefined
    const [variable = ''] = [`${own}_PROTOCOL`, 'OTEL_EXPORTER_OTLP_PROTOCOL'].filter(
      (name) => read(name) !== '',
    )
    const protocol = variable === '' ? 'http/protobuf' : read(variable)
    if (isProtocol(protocol)) return protocol
    warnings.push(
      `${variable} is ${JSON.stringify(protocol)}: ${signal.toLowerCase()} are not exported; use ${PROTOCOLS.join(' or ')}`,
    )
    return undefined
  }
  const [traces, metrics] = [find('TRACES'), find('METRICS')]
  const interval = Number(read('OTEL_METRIC_EXPORT_INTERVAL'))
  return {
    ...(traces && { traces }),
    ...(metrics && { metrics }),
    ...(Number.isSafeInteger(interval) && interval > 0 && { metricIntervalMs: interval }),
    capturesContent,
    warnings,
  }
}

function isProtocol(text: string): text is ExportProtocol {
  return PROTOCOLS.includes(text)
}
