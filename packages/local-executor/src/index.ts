export { type LocalToolOptions, createLocalTool } from './create-local-tool.ts'
export {
  type DescribeOptions,
  type ExecutableDescription,
  describeExecutable,
  formatCommand,
} from './describe-executable.ts'
export { type Fingerprint, type Fingerprints, createFingerprints } from './create-fingerprints.ts'
export { explainNoProgram, resolveProgram } from './resolve-program.ts'
export {
  DEFAULT_TIMEOUT_MS,
  type LocalCommand,
  type LocalToolDefinition,
  LocalToolError,
  MAX_TIMEOUT_MS,
} from './command/local-tool-definition.ts'
export { startProgram } from './start-program.ts'
