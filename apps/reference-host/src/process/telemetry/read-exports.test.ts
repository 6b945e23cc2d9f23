import { describe, expect, test } from 'vitest'
import { readExports } from './read-exports.ts'

const BASE = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
const NOTHING = { capturesContent: false, warnings: [] }
const BOTH = { ...NOTHING, traces: 'http/protobuf', metrics: 'http/protobuf' }

describe('readExports()', () => {
  test.for([
    [{}, NOTHING],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ' ' }, NOTHING],
    [BASE, BOTH],
    [{ ...BASE, OTEL_SDK_DISABLED: 'TRUE' }, NOTHING],
    [{ ...BASE, OTEL_SDK_DISABLED: 'no' }, BOTH],
    [
      { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://a/v1/traces' },
      { ...NOTHING, traces: 'http/protobuf' },
    ],
    [
      { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://a/v1/metrics' },
      { ...NOTHING, metrics: 'http/protobuf' },
    ],
    [
      { ...BASE, OTEL_TRACES_EXPORTER: 'none' },
      { ...NOTHING, metrics: 'http/protobuf' },
    ],
    [
      { ...BASE, OTEL_METRICS_EXPORTER: 'none' },
      { ...NOTHING, traces: 'http/protobuf' },
    ],
    [
      {
        ...BASE,
        OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
        OTEL_EXPORTER_OTLP_METRICS_PROTOCOL: 'http/protobuf',
      },
      { ...BOTH, traces: 'http/json' },
    ],
    [
      { ...BASE, OTEL_METRIC_EXPORT_INTERVAL: '1000' },
      { ...BOTH, metricIntervalMs: 1000 },
    ],
    [{ ...BASE, OTEL_METRIC_EXPORT_INTERVAL: 'often' }, BOTH],
    [
      { OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'true' },
      { ...NOTHING, capturesContent: true },
    ],
    [{ OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT: 'no_content' }, NOTHING],
  ] as const)('%j', ([environment, expected]) => {
    expect(readExports(environment)).toEqual(expected)
  })

  test('warns about a protocol that is not supported, by the variable that names it', () => {
    const { warnings, traces, metrics } = readExports({
      ...BASE,
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'grpc',
    })
    expect(warnings).toEqual([
      'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL is "grpc": traces are not exported; use http/protobuf or http/json',
    ])
    expect([traces, metrics]).toEqual([undefined, 'http/protobuf'])
  })
})
