import { ROOT_CONTEXT, SpanKind } from '@opentelemetry/api'
import { SamplingDecision } from '@opentelemetry/sdk-trace'
import { expect, test } from 'vitest'
import { chooseSampler } from './choose-sampler.ts'

/** Of 16 traces whose ids are spread evenly, the number that are kept. */
function countKept(environment: Readonly<Record<string, string>>): number {
  const sampler = chooseSampler(environment)
  return Array.from({ length: 16 }, (_, index) => {
    const trace = index.toString(16).padEnd(8, '8').padStart(32, '0').replace(/^0{8}/, '80000000')
    const { decision } = sampler.shouldSample(ROOT_CONTEXT, trace, 'a', SpanKind.SERVER, {}, [])
    return decision === SamplingDecision.RECORD_AND_SAMPLED
  }).filter(Boolean).length
}

test.for([
  [{}, 16],
  [{ OTEL_TRACES_SAMPLER: 'unknown' }, 16],
  [{ OTEL_TRACES_SAMPLER: 'always_on' }, 16],
  [{ OTEL_TRACES_SAMPLER: 'always_off' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: 'half' }, 16],
] as const)('%j keeps %i of 16 traces', ([environment, expected]) => {
  expect(countKept(environment)).toBe(expected)
})
