export { createLocalTool } from './create-local-tool.ts'
export {
  describeExecutable,
  type DescribedExecutable,
  type DescribeOptions,
} from './describe/describe-executable.ts'
export {
  createFingerprints,
  type Fingerprint,
  type FingerprintedCommand,
  type Fingerprints,
} from './describe/create-fingerprints.ts'
export { resolveProgram, type ResolveProgramOptions } from './describe/resolve-program.ts'
export { writeCommand } from './describe/write-command.ts'
export {
  DEFAULT_TIMEOUT_MS,
  type LocalCommand,
  type LocalToolDefinition,
  MAX_TIMEOUT_MS,
} from './local-tool-definition.ts'
export type { LocalProblem, LocalProblemCode } from './local-problem.ts'
export { LocalToolError } from './local-tool-error.ts'
export { MissingLibraryError } from './missing-library-error.ts'
export type { LocalToolOptions } from './read-local-tool.ts'
export { startProgram } from './start-program.ts'
