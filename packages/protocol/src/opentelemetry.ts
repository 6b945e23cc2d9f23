export {
  createOpenTelemetry,
  type OpenTelemetryOptions,
} from './telemetry/create-open-telemetry.ts'
