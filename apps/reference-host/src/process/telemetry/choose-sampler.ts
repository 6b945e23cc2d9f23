import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace'

/** Returns the sampler that `OTEL_TRACES_SAMPLER` names. Default: every trace, unless its caller has decided. */
export function chooseSampler(environment: Readonly<Record<string, string | undefined>>): Sampler {
  const { OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: ratio = '1' } = environment
  const share = Number(ratio)
  const byRatio = (): Sampler => new TraceIdRatioBasedSampler(share >= 0 && share <= 1 ? share : 1)
  switch (name.trim().toLowerCase()) {
    case 'always_on':
      return new AlwaysOnSampler()
    case 'always_off':
      return new AlwaysOffSampler()
    case 'traceidratio':
      return byRatio()
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() })
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: byRatio() })
    default:
      return new ParentBasedSampler({ root: new AlwaysOnSampler() })
  }
}
